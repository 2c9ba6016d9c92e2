"""Command line of scripts/datasets: fetch, list, import."""

import argparse
import os
import re
import sys

from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.data_dir import VARIABLE, DataDir
from gridloom_datasets.endings import lost_output
from gridloom_datasets.errors import FetchError, InputError, complain, reason, say
from gridloom_datasets.import_file import KINDS, import_file
from gridloom_datasets.listing import as_json, as_table
from gridloom_datasets.manifest import BASE_URL, SETS, read_manifest, select
from gridloom_datasets.matrix_program import find_program

MIRROR = "GRIDLOOM_MATRIX_MIRROR"

EXAMPLES = f"""examples:
  scripts/datasets list --set rcm
  scripts/datasets fetch mario001 bcsstk32
  scripts/datasets fetch --set jacobi --data-dir /scratch/gridloom
  scripts/datasets import my_matrix.mtx.gz my_matrix.h5
  scripts/datasets import roads.txt --option one_based=yes
  scripts/datasets import tasks.csv --option costs=times.csv

The data folder is --data-dir, else ${VARIABLE}, else ~/.cache/gridloom.
exit codes: 0 done; 1 a download or a check failed; 2 bad usage or input; 130 interrupted.
"""


class Parser(StrictParser):
    """Reports bad usage in one line, as all errors are."""

    utf8_only = False  # a file keeps the name that it has

    def error(self, message):
        complain(f"{message} (see {self.prog} -h)")
        sys.exit(2)


LAYOUT = {
    "epilog": EXAMPLES,
    "formatter_class": argparse.RawDescriptionHelpFormatter,
    "allow_abbrev": False,
}


def parse(arguments):
    parser = Parser(
        prog="scripts/datasets",
        description="Matrices and task graphs of the experiments: fetch, list, import.",
        **LAYOUT,
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, run, text):
        sub = commands.add_parser(name, help=text, description=text, **LAYOUT)
        sub.set_defaults(run=run)
        return sub

    fetch = command("fetch", run_fetch, "Download or generate matrices, check and convert them.")
    fetch.add_argument("names", nargs="*", metavar="NAME", help="a matrix of the manifest")
    fetch.add_argument("--all", action="store_true", help="every matrix of the manifest")
    fetch.add_argument(
        "--mirror", metavar="URL", default=os.environ.get(MIRROR) or BASE_URL,
        help=f"where MM/GROUP/NAME.tar.gz are (default ${MIRROR}, else {BASE_URL})",
    )  # fmt: skip
    listing = command("list", run_list, "Show what is there and what is missing.")
    listing.add_argument("--json", action="store_true", help="all that is known, for programs")
    for sub in (fetch, listing):
        sub.add_argument("--set", choices=SETS, help="the matrices of one experiment")
        sub.add_argument("--data-dir", metavar="DIR", help=f"in place of ${VARIABLE}")

    load = command("import", run_import, "Convert a matrix or a task graph of your own to HDF5.")
    load.add_argument("file", metavar="FILE")
    load.add_argument("output", metavar="OUT", nargs="?", help="default: NAME.h5 here")
    load.add_argument("--as", dest="kind", choices=KINDS, help="whatever the ending says")
    load.add_argument("--force", action="store_true", help="overwrite OUT")
    load.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE",
        help="for .csv: costs=FILE, the costs of the tasks (default: NAME_costs.csv beside "
        "NAME_edges.csv); for .xml and .dax: negative_sizes=zero, which takes them as 0; for edge "
        "lists: directed=yes and one_based=yes",
    )  # fmt: skip
    return parser.parse_args(arguments)


def run_fetch(options):
    matrices = read_manifest()
    chosen = select(matrices, options.names, options.set, options.all)
    if not chosen:
        raise InputError("fetch wants names, --set NAME or --all")
    folder = DataDir(options.data_dir)
    # `list` and `import` must not wait for the network libraries, so this is imported here.
    from gridloom_datasets.checksums import Checksums
    from gridloom_datasets.download import split_credentials
    from gridloom_datasets.fetch import Fetcher, fetch_all

    try:
        split_credentials(options.mirror)
    except ValueError:
        shown = re.sub("^([^/]*//)?.*@", r"\1", options.mirror, flags=re.DOTALL)  # no password
        raise InputError(f"--mirror {shown}: expected http://... or https://...") from None
    # A missing program is reported before hours of downloading.
    program = find_program()
    return fetch_all(Fetcher(folder, Checksums(folder), program, options.mirror), chosen)


def run_import(options):
    say(import_file(options.file, options.output, options.kind, options.force, options.option))
    return 0


def run_list(options):
    matrices = read_manifest()
    chosen = select(matrices, set_name=options.set, everything=not options.set)
    folder = DataDir(options.data_dir)
    for line in [as_json(chosen, folder)] if options.json else as_table(chosen, folder):
        print(line)
    return 0


def main(arguments=None):
    """Returns the exit code. Every error is one line on stderr."""
    options = parse(arguments)
    try:
        return options.run(options)
    except (InputError, FetchError) as error:
        complain(error)
        return 2 if isinstance(error, InputError) else 1
    except OSError as error:
        if lost_output():
            raise
        complain(f"{error.filename or 'system'}: {reason(error)}")
        return 1
    except KeyboardInterrupt:
        resumed = "; downloads go on where they stopped when asked for again"
        complain("interrupted" + (resumed if options.command == "fetch" else ""))
        return 130
