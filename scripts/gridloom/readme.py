"""Tables and values of a README, put between their markers from stored results.

A table goes between the lines `<!-- table NAME -->` and `<!-- end -->`, a value between
`<!-- value NAME -->` and `<!-- end -->` in one line.
"""

import re
import sys

from gridloom.results import made_of
from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.errors import InputError, say

NONE = "–"


def table(heads, rows, left=1):
    """Markdown; the first `left` columns are texts, the others numbers."""
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * left + "--:|" * (len(heads) - left)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def substituted(readme, name, table):
    """A table stands on lines of its own, a value between its markers in the line."""
    block = re.compile(rf"(<!-- table {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)
    value = re.compile(rf"(<!-- value {re.escape(name)} -->).*?(<!-- end -->)")
    readme = block.sub(lambda match: match.group(1) + table + "\n" + match.group(2), readme)
    return value.sub(lambda match: match.group(1) + table + match.group(2), readme)


def main(description, tables, more=None):
    """The command line of a script of scripts/tables; `tables(path)` gives the texts by name.

    It prints them; scripts/tables/pages.py puts them into the pages. `more`: further options by
    name, with what argparse wants to know, which `tables` takes too. Returns the exit code.
    """
    parser = StrictParser(description=description.split("\n")[0])
    parser.add_argument("results")
    parser.add_argument("--prefix", default="", help="put before the names of the tables")
    for name, settings in (more or {}).items():
        parser.add_argument(f"--{name}", **settings)
    options = parser.parse_args()
    try:
        names = [name.replace("-", "_") for name in more or {}]
        with made_of(options.results):
            found = tables(options.results, **{name: getattr(options, name) for name in names})
    except (InputError, OSError) as error:
        say(f"tables: {error}", sys.stderr)
        return 2
    for name, text in found.items():
        whole = f"<!-- table {options.prefix + name} -->\n{text}\n<!-- end -->\n"
        for line in whole.split("\n"):
            say(line)
    return 0
