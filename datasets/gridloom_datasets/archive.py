"""Unpacks NAME.mtx from the archive of a matrix and trusts nothing that the archive states."""

import gzip
import shutil
import tarfile
import zlib
from pathlib import PurePosixPath

from gridloom_datasets.errors import FetchError, Rejected, reason

OTHER_MEMBERS_BYTES = 2**28  # right-hand sides, coordinates, names: at most this beside the matrix
MAX_MEMBERS = 1000
# Long names and pax records of a real archive take less than a KiB. tarfile holds each whole and
# searches it in time that grows with its square, and it recurses once for each in a row.
HEADER_BYTES = 2**14
ALL_HEADERS_BYTES = 2**20
MAX_HEADERS_IN_A_ROW = 8
HEADERS = (
    tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.XGLTYPE,
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip


def unpacked_limit(matrix):
    """Most bytes of a Matrix Market file: one line per entry with two numbers of ten digits and a
    value of up to 40 characters, and a comment of at most 1 MiB at its head."""
    return 64 * matrix.entries + 2**20


def archive_limit(matrix):
    """Most bytes of the archive, packed or not."""
    return unpacked_limit(matrix) + OTHER_MEMBERS_BYTES


class Bounded:
    """A stream that ends in an error after `limit` bytes, so that a small file cannot fill memory
    or disk by unpacking."""

    def __init__(self, stream, limit):
        self.stream, self.left = stream, limit

    def read(self, size=-1):
        data = self.stream.read(self.left + 1 if size < 0 else min(size, self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise Rejected("unpacks to far more bytes than expected")
        return data


class BoundedInfo(tarfile.TarInfo):
    """Checks every block of the archive before tarfile reads what the block announces."""

    def _proc_member(self, tar):  # the entry that tarfile offers to subclasses
        if self.size < 0:
            raise Rejected("a member has a negative size")
        if self.type in HEADERS:
            tar.headers_in_a_row += 1
            tar.headers_bytes += self.size
            if tar.headers_in_a_row > MAX_HEADERS_IN_A_ROW:
                raise Rejected(f"more than {MAX_HEADERS_IN_A_ROW} extended headers of one member")
            if self.size > HEADER_BYTES or tar.headers_bytes > ALL_HEADERS_BYTES:
                raise Rejected(f"an extended header has {self.size:,} bytes, more than any needs")
        else:
            tar.headers_in_a_row = 0
            tar.count += 1
            if tar.count > MAX_MEMBERS:
                raise Rejected(f"more than {MAX_MEMBERS:,} members")
        return super()._proc_member(tar)

    def _proc_sparse(self, tar):  # the map of such a file may be as long as the stream
        raise Rejected(f"member {self.name!r} is a sparse file")

    def _proc_gnusparse_10(self, member, headers, tar):
        self._proc_sparse(tar)


class BoundedTar(tarfile.TarFile):
    tarinfo = BoundedInfo
    count = headers_in_a_row = headers_bytes = 0


def refuse_hostile(member):
    """Whether a member is a plain file or folder below the archive's root; others may do harm."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name or "\0" in member.name:
        raise Rejected(f"member {member.name!r} points outside the archive")
    if not (member.isreg() or member.isdir()):
        kinds = {tarfile.SYMTYPE: "a symbolic link", tarfile.LNKTYPE: "a hard link"}
        kind = kinds.get(member.type, "a device or another special file")
        raise Rejected(f"member {member.name!r} is {kind}")


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
    """Writes the one member called NAME.mtx to `target`, which must not exist.

    Everything is read to the end, so gzip's own checksum is compared too. Throws Rejected naming
    the archive and the member, or FetchError where `target` cannot be written; what it holds then
    is of no use.
    """
    found = []
    try:
        with gzip.open(archive) as stream:
            bounded = Bounded(stream, limit + OTHER_MEMBERS_BYTES)
            with BoundedTar.open(fileobj=bounded, mode="r|") as tar:
                for member in tar:
                    tar.members = []  # not needed again
                    refuse_hostile(member)
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
    except (RecursionError, MemoryError) as error:
        raise Rejected(f"{archive}: takes more memory than any matrix's archive") from error
    except (
        tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, ValueError, ArithmeticError,
        LookupError,
    ) as error:  # fmt: skip
        raise Rejected(f"{archive}: not a whole .tar.gz: {error}") from error
