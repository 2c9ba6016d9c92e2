"""Tables and values of a README, put between their markers from stored results.

A table goes between the lines `<!-- table NAME -->` and `<!-- end -->`, a value between
`<!-- value NAME -->` and `<!-- end -->` in one line.
"""

import importlib
import re

from gridloom_datasets.errors import InputError

NONE = "–"


def table(heads, rows, left=1):
    """A Markdown table. The first `left` columns are texts, the others numbers."""
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * left + "--:|" * (len(heads) - left)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def substituted(readme, name, table):
    """Replaces a table on lines of its own, or a value between its markers within a line."""
    block = re.compile(rf"(<!-- table {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)
    value = re.compile(rf"(<!-- value {re.escape(name)} -->).*?(<!-- end -->)")
    readme = block.sub(lambda match: match.group(1) + table + "\n" + match.group(2), readme)
    return value.sub(lambda match: match.group(1) + table + match.group(2), readme)


def table_module(name):
    """Imports the module of scripts/gridloom, such as juggler.tables, that makes tables by
    texts_of(path). Raises InputError if there is none."""
    try:
        module = importlib.import_module(f"gridloom.{name}")
    except ModuleNotFoundError:
        module = None
    if not hasattr(module, "texts_of"):
        raise InputError(f"{name}: expected a module of scripts/gridloom with texts_of")
    return module
