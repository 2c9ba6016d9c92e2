"""The errors that end up as one line on stderr."""

import errno
import re
import sys

DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


class InputError(Exception):
    """Wrong usage or unreadable input: names the file, line or option; exit code 2."""


class FetchError(Exception):
    """A download, an archive or a matrix that is not what it should be; exit code 1."""


class Rejected(FetchError):
    """The contents of a file are wrong, so that fetching the same file again cannot help."""


def reason(error):
    """What the system said, without the file name that str(OSError) adds."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def output_error_code(error):
    """Exit code for an OSError of an output: 1 for a full or failing disk, 2 for a wrong name."""
    return 1 if error.errno in DISK_TROUBLE else 2


def one_line(text):
    """With control characters and bytes that are no UTF-8 (of file names, say) escaped."""

    def escape(found):
        return found[0].encode("unicode_escape").decode("ascii")

    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", escape, str(text))


def shortened(text):
    """A name from a file, for a message: one line, and at most 80 characters of it."""
    text = str(text)
    return one_line(text[:80]) + ("..." if len(text) > 80 else "")


def cut(message):
    """A path is told whole, but nobody reads a name of 60,000 bytes, or as much with spaces in it.
    Programs cut at the same lengths (common/bench/src/program.cpp)."""
    told = re.sub(r"\S{241,}", lambda found: shortened(found[0]), one_line(message))
    return told if len(told) <= 1500 else told[:300] + "..."


def say(message, stream=None):
    """One line on stdout, whatever the message holds and the terminal can show."""
    text = cut(message) if stream is sys.stderr else one_line(message)
    stream = sys.stdout if stream is None else stream
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    print(text, file=stream, flush=True)


def complain(message):
    """The one way to stderr."""
    say(f"datasets: {message}", sys.stderr)
