"""What the scripts share: results files, statistics, figures, tables of READMEs, declarations.

scripts/bootstrap installs this package into the virtual environment in place, so that changes need
no second installation. A folder with an artifact's name has what the figures and tables of that
artifact share. The other modules know no artifact."""
