"""What the scripts share: results files, statistics, figures, tables of READMEs, declarations.

It lies in scripts/ because only scripts use it; scripts/bootstrap installs it into the virtual
environment in place, so a change needs no second installation. What the figures and the tables of
one artifact both read is in a folder of the artifact's name; the rest knows no artifact.
"""
