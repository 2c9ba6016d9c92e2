"""An input file, plain or .gz, that is read within bounds and named in every message.

Sizes that a file states are not trusted. At most MAX_BYTES unpacked bytes are read, and at most
MAX_LINE_BYTES per line. All methods raise InputError if the file is wrong or unreadable."""

import gzip
import os
import re
import zlib
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from ..files import open_input

MAX_BYTES = 1 << 30  # after unpacking
MAX_LINE_BYTES = 64 << 20  # the exit task of an STG file lists thousands of predecessors
CHUNK_BYTES = 1 << 20
BOM = b"\xef\xbb\xbf"


def quoted(text, most=48):
    """Quotes a text for a one-line message: shortened, with unprintable characters escaped."""
    text = str(text)
    shown = text[:most]
    if not shown.isprintable():
        shown = ascii(shown)[1:-1]
    return f'"{shown}"' + ("..." if len(text) > most else "")


def _printable(path):
    """A path as one line of valid UTF-8, whatever its bytes are."""
    text = os.fsencode(str(path)).decode("utf-8", "replace")
    return re.sub(r"[\x00-\x1f\x7f]", "?", text)


class Source:
    def __init__(self, path):
        self.path = Path(path)
        self.max_bytes = MAX_BYTES  # a reader may lower it
        self.place = _printable(path)
        self.name = _printable(self.path.name)

    def error(self, what, line=None):
        """The InputError "file:line: what", or "file: what" if `line` is None. Line 0, at which an
        empty file ends, is reported as line 1."""
        place = self.place if line is None else f"{self.place}:{max(line, 1)}"
        return InputError(f"{place}: {what}")

    def number(self, convert, text, what, line=None):
        """Calls convert(text, what) of quantities.py. Errors name the file and the line."""
        try:
            return convert(text, what)
        except ValueError as problem:
            raise self.error(str(problem), line) from None

    @contextmanager
    def _opened(self):
        packed = self.path.suffix.lower() == ".gz"
        try:
            with open_input(self.path, self._refused) as file:
                yield gzip.GzipFile(fileobj=file) if packed else file
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise self.error(f"expected whole gzip data, got {error}") from None
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL
            reason = getattr(error, "strerror", None) or error
            raise self.error(f"expected a readable file, got {reason}") from None

    def _refused(self, message):
        """Converts an error of open_input, whose message begins with the unescaped path."""
        return self.error(message.removeprefix(f"{self.path}: "))

    def chunks(self):
        """Yields the unpacked bytes in pieces of CHUNK_BYTES."""
        total = 0
        with self._opened() as file:
            while chunk := file.read(CHUNK_BYTES):
                if total == 0 and chunk.startswith(BOM):
                    raise self.error("expected UTF-8 without a byte order mark, got one", 1)
                total += len(chunk)
                self._check_total(total)
                yield chunk

    def text(self):
        """The whole file as text."""
        data = b"".join(self.chunks())
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise self._not_utf8(data[error.start], line) from None

    def lines(self):
        """Yields the lines as text, with their line feeds."""
        total = number = 0
        with self._opened() as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                if number == 1 and line.startswith(BOM):
                    raise self.error("expected UTF-8 without a byte order mark, got one", 1)
                if len(line) > MAX_LINE_BYTES:
                    raise self.error(f"expected a line of at most {MAX_LINE_BYTES:,} bytes", number)
                total += len(line)
                self._check_total(total)
                try:
                    yield line.decode("utf-8")
                except UnicodeDecodeError as error:
                    raise self._not_utf8(line[error.start], number) from None

    def _check_total(self, total):
        if total > self.max_bytes:
            raise self.error(f"expected at most {self.max_bytes:,} bytes (unpacked), got more")

    def _not_utf8(self, byte, line):
        return self.error(f"expected UTF-8, got the byte 0x{byte:02x}", line)
