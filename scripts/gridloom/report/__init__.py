"""The HTML report of scripts/reproduce: one file, figures embedded, no other resources."""

from gridloom.report.page import write_report

__all__ = ["write_report"]
