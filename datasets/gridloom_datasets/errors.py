"""The errors that are reported as one line on stderr."""

import errno
import re
import sys

DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


class InputError(Exception):
    """Wrong usage or unreadable input. The message names the file, line or option. Exit code 2."""


class FetchError(Exception):
    """A download, archive or matrix is not as expected. Exit code 1."""


class Rejected(FetchError):
    """The contents of a file are wrong, so fetching the same file again cannot help."""


def reason(error):
    """The system's message, without the file name that str(OSError) adds."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def output_error_code(error):
    """Exit code for an OSError of an output: 1 for a full or failing disk, 2 for a wrong name."""
    return 1 if error.errno in DISK_TROUBLE else 2


def one_line(text):
    """Escapes control characters and bytes that are not UTF-8, as file names may have them."""

    def escape(found):
        return found[0].encode("unicode_escape").decode("ascii")

    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", escape, str(text))


def shortened(text):
    """Shortens a name from a file for a message: one line of at most 80 characters."""
    text = str(text)
    return one_line(text[:80]) + ("..." if len(text) > 80 else "")


def cut(message):
    """Shortens very long messages, but no path of usual length. Programs shorten to the same
    lengths (common/bench/src/program.cpp)."""
    told = re.sub(r"\S{241,}", lambda found: shortened(found[0]), one_line(message))
    return told if len(told) <= 1500 else told[:300] + "..."


def say(message, stream=None):
    """Prints one line on stdout, whatever the message holds and the terminal can show."""
    text = cut(message) if stream is sys.stderr else one_line(message)
    stream = sys.stdout if stream is None else stream
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    print(text, file=stream, flush=True)


def complain(message):
    """Prints one line on stderr. No other function writes there."""
    say(f"datasets: {message}", sys.stderr)
