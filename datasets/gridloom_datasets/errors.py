"""The errors that end up as one line on stderr."""

import sys


class InputError(Exception):
    """Wrong usage or unreadable input: names the file, line or option; exit code 2."""


class FetchError(Exception):
    """A download, an archive or a matrix that is not what it should be; exit code 1."""


class Rejected(FetchError):
    """The contents of a file are wrong, so that fetching the same file again cannot help."""


def reason(error):
    """What the system said, without the file name that str(OSError) adds."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def complain(message):
    """The one way to stderr."""
    print(f"datasets: {message}", file=sys.stderr, flush=True)
