"""Reads, writes and locks the files of users, for all scripts. The programs have the same rules in
common/files/include/gridloom/files.

- An input must be a regular file, because a pipe or a device could block its reader for ever.
- An output is written under a temporary name beside it, flushed and renamed. Links are followed,
  not replaced. An exception removes the temporary file; in scripts a signal is an exception
  (endings.py).
- A script that appends to a file locks FILE.lock beside it, and removes the lock afterwards."""

import contextlib
import errno
import fcntl
import itertools
import os
import stat
import sys
import time
from pathlib import Path

from gridloom_datasets.errors import InputError, reason, say

COUNT = itertools.count()
KINDS = {
    stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket",
}  # fmt: skip


def open_input(path, error=InputError):
    """Opens a regular file for reading bytes. Raises `error` with the reason."""
    try:
        # Without O_NONBLOCK, opening a pipe would wait for its writer.
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError) as problem:  # ValueError: a name with a NUL
        with contextlib.suppress(OSError, ValueError):
            require_kind(path, os.stat(path).st_mode, error)  # a socket cannot be opened
        raise error(f"{path}: expected a readable file, got {reason(problem)}") from None
    try:
        require_kind(path, os.fstat(number).st_mode, error)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def require_kind(path, mode, error):
    if not stat.S_ISREG(mode):
        kind = KINDS.get(stat.S_IFMT(mode), "another kind")
        raise error(f"{path}: expected a regular file, got {kind}")


def require_regular(path, error=InputError):
    open_input(path, error).close()


def destination_of(path):
    """The file that writing to the path creates or replaces. It need not exist yet."""
    path = Path(path)
    for _ in range(40):  # Linux follows as many links
        if not path.is_symlink():
            break
        path = path.parent / os.readlink(path)
    return Path(os.path.realpath(path.parent)) / path.name


def lead_to_one_file(a, b):
    """Whether two paths lead to one file, by name or as hard links."""
    with contextlib.suppress(OSError):
        if os.path.samefile(a, b):
            return True
    return destination_of(a) == destination_of(b)


def require_different_files(outputs, inputs=()):
    """Raises InputError if two outputs, or an output and an input, are one file. `outputs` has
    pairs of (option, path or None). Raises OSError for an output that cannot be placed."""
    given = [(option, path) for option, path in outputs if path]
    for place, (option, path) in enumerate(given):
        for other, other_path in given[:place]:
            if lead_to_one_file(path, other_path):
                raise InputError(f"{option}: expected another file than {other}, got {path}")
        # Raises here, because an error of the output must not be reported for an input.
        destination_of(path)
        for source in inputs:
            try:
                same = lead_to_one_file(path, source)
            except OSError as problem:
                told = f"expected a readable file, got {reason(problem)}"
                raise InputError(f"{source}: {told}") from None
            if same:
                raise InputError(f"{option}: expected another file than the input {source}")


def lock_name_of(path):
    target = destination_of(path)
    return target.with_name(f"{target.name}.lock")


def refuse_lock_name(path):
    name = lock_name_of(path)
    raise InputError(f"{path}: expected no other file with the name of its lock, {name}")


def is_lock(status):
    """Whether the file is an empty regular file, as locks are. Nothing else is removed with a
    lock."""
    return stat.S_ISREG(status.st_mode) and status.st_size == 0


def require_lock_name(path):
    with contextlib.suppress(FileNotFoundError):
        if not is_lock(os.lstat(lock_name_of(path))):
            refuse_lock_name(path)


def require_replaceable(path):
    """The file that writing to the path would create or replace. Raises OSError if that would
    fail."""
    target = destination_of(path)
    if target.is_symlink():  # the links form a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "expected a regular file to replace", str(path))
    return target


def partial_name(target):
    return target.with_name(f"{target.name}.part-{os.getpid()}-{next(COUNT)}")


def probe_beside(path):
    """Raises OSError if writing to the path would fail, except for a full disk."""
    partial = partial_name(require_replaceable(path))
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def written_aside(path):
    """Yields the name of a file to write, which then replaces `path`. Raises OSError."""
    target = require_replaceable(path)
    partial = partial_name(target)
    try:
        yield partial
        with open(partial, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def write_bytes(path, data):
    with written_aside(path) as partial, open(partial, "xb") as file:
        file.write(data)


def write_text(path, text):
    write_bytes(path, text.encode())


@contextlib.contextmanager
def locked(path, timeout_s=60):
    """Admits one process at a time. Raises InputError if another holds the lock for longer than the
    timeout, or if another file has the lock's name."""
    name = lock_name_of(path)
    number = held_lock(name, path, timeout_s)
    try:
        yield
    finally:
        # The name goes first. A process that then locks the nameless file tries again.
        name.unlink(missing_ok=True)
        os.close(number)


def held_lock(name, path, timeout_s):
    end, told = time.monotonic() + timeout_s, False
    while True:
        try:
            number = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EISDIR):
                refuse_lock_name(path)
            raise
        if not is_lock(os.fstat(number)):
            os.close(number)
            refuse_lock_name(path)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):  # the last holder may remove it
                if os.path.samestat(os.fstat(number), os.stat(name)):
                    return number
            os.close(number)
            continue
        except BlockingIOError:
            os.close(number)
        if time.monotonic() >= end:
            raise InputError(
                f"{path}: expected it to be free within {timeout_s} s, but another program still "
                "adds to it"
            )
        if not told:
            say(f"{path}: another program adds to it, waiting until it is done", sys.stderr)
        told = True
        time.sleep(0.02)
