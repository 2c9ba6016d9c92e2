"""Command-line functions that the measuring scripts share."""

import argparse
import errno
import sys
from pathlib import Path

from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.endings import lost_output
from gridloom_datasets.errors import FetchError, InputError, reason, say


class Parser(StrictParser):
    """Raises InputError for bad usage. The script prints it in one line."""

    def error(self, message):
        raise InputError(message)

    def add_number(self, option, least, most, default, text, metavar="N"):
        """Adds an option that takes a whole number from `least` to `most`."""
        self.add_argument(
            option, type=whole_number(least, most), default=default, metavar=metavar,
            help=f"{text} (default: {default})",
        )  # fmt: skip

    def add_results(self, append=True):
        """Adds the options for the file of the results."""
        self.add_argument("--output", type=Path, required=True, metavar="FILE")
        if append:
            text = "extend the file if it is there"
            self.add_argument("--append", action="store_true", help=text)

    def add_matrices(self, text):
        """Adds the options for matrices, of which require_matrices() needs one."""
        self.add_argument("--matrix", nargs="+", default=[], type=Path, metavar="FILE", help=text)
        text = "matrix of a generator, see gridloom-matrix"
        self.add_argument("--generate", nargs="+", default=[], metavar="SPEC", help=text)
        self.add_argument("--symmetrize", action="store_true", help="order the pattern of A + A^T")


def require_matrices(options):
    if not options.matrix and not options.generate:
        raise InputError("--matrix, --generate: expected at least one of these options")


def whole_number(least, most):
    """The type of an option that takes whole numbers from `least` to `most`."""

    def convert(text):
        number = int(text) if text.isdecimal() and len(text) < 20 else -1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected {least} to {most}, got {text}")
        return number

    return convert


def exit_code(name, run, arguments):
    """Returns the exit code of `run(arguments)`. An error becomes one line: 2 for bad input, else
    1."""
    try:
        return run(sys.argv[1:] if arguments is None else arguments)
    except (InputError, FetchError) as error:
        say(f"{name}: {error}", sys.stderr)
        return 2 if isinstance(error, InputError) else 1
    except (OSError, MemoryError) as error:
        if lost_output():
            raise
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            say(f"{name}: {error.filename}: {reason(error)}", sys.stderr)
            return 2
        say(f"{name}: {reason(error) or 'out of memory'}", sys.stderr)
        return 1
