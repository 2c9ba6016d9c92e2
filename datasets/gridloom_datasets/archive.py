"""Unpacks NAME.mtx from the archive of a matrix, within the sizes that the manifest allows."""

import gzip
import shutil
import tarfile
import zlib
from pathlib import PurePosixPath

from gridloom_datasets.errors import FetchError, Rejected, reason

# An archive holds at most this much beside the matrix: right-hand sides, coordinates, names.
OTHER_MEMBERS_BYTES = 2**28


def unpacked_limit(matrix):
    """The most bytes that a Matrix Market file can have. It has one line per entry, with two
    numbers of ten digits and a value of up to 40 characters. Its comment has at most 1 MiB."""
    return 64 * matrix.entries + 2**20


def archive_limit(matrix):
    """The most bytes that the archive may have, packed or unpacked."""
    return unpacked_limit(matrix) + OTHER_MEMBERS_BYTES


class Bounded:
    """A stream that fails after `limit` bytes. So a small file cannot unpack to more than memory or
    disk hold."""

    def __init__(self, stream, limit):
        self.stream, self.left = stream, limit

    def read(self, size=-1):
        data = self.stream.read(self.left + 1 if size < 0 else min(size, self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise Rejected("unpacks to far more bytes than expected")
        return data


def take(tar, member, target, limit):
    if member.size > limit:
        raise Rejected(
            f"member {member.name!r} has {member.size:,} bytes, more than the {limit:,} expected"
        )
    try:
        with open(target, "xb") as file:
            shutil.copyfileobj(tar.extractfile(member), file, 2**20)
    except gzip.BadGzipFile:
        raise
    except OSError as error:
        raise FetchError(f"cannot write {target}: {reason(error)}") from error


def unpack_matrix(archive, name, target, limit):
    """Writes the one regular file called NAME.mtx to `target`, which must not exist.

    No other member is written. The archive is read to its end, so that gzip compares its checksum.
    Raises Rejected, which names the archive, or FetchError if `target` cannot be written. Then the
    contents of `target` are useless."""
    found = []
    try:
        with gzip.open(archive) as stream:
            bounded = Bounded(stream, limit + OTHER_MEMBERS_BYTES)
            with tarfile.open(fileobj=bounded, mode="r|") as tar:
                for member in tar:
                    if member.isreg() and PurePosixPath(member.name).name == f"{name}.mtx":
                        found.append(member.name)
                        if len(found) > 1:
                            raise Rejected(f"holds {name}.mtx twice: {' and '.join(found)}")
                        take(tar, member, target, limit)
            while bounded.read(2**20):
                pass
        if not found:
            raise Rejected(f"holds no {name}.mtx")
    except Rejected as error:
        raise Rejected(f"{archive}: {error}") from error
    except (
        tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, ValueError, ArithmeticError,
        LookupError, RecursionError, MemoryError,
    ) as error:  # fmt: skip
        raise Rejected(f"{archive}: not a whole .tar.gz: {error}") from error
