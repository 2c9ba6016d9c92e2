"""Command-line functions that the measuring scripts share."""

import argparse
import errno
import sys

from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.endings import lost_output
from gridloom_datasets.errors import FetchError, InputError, reason, say


class Parser(StrictParser):
    """Raises InputError for bad usage. The script prints it in one line."""

    def error(self, message):
        raise InputError(message)


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
