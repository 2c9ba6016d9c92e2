"""The data folder: downloads, converted matrices, and the locks that keep two fetches apart.

    csr/NAME.h5               converted and checked
    downloads/NAME.tar.gz     as downloaded; .part and .part.json while it is on its way
    matrices/NAME.mtx.gz      matrices that somebody put there; only read
    checksums.lock            sha256 of what was downloaded first
    work/NAME/                unpacked and half converted files, removed after use

A file under csr/ or downloads/ has its name only when it is complete.
"""

import contextlib
import fcntl
import os
import shutil
from pathlib import Path

from gridloom_datasets.errors import FetchError, InputError, reason

VARIABLE = "GRIDLOOM_DATA_DIR"


def absolute(path):
    """With ~ and ~user resolved; InputError where there is no such user."""
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError as error:
        raise InputError(f"data folder {path}: {error}") from error


def default_root():
    return absolute(os.environ.get(VARIABLE) or "~/.cache/gridloom")


def refuse_read_only(path):
    """Root may write anywhere, but a folder that nobody may write to is meant to stay as it is."""
    while not path.exists() and path != path.parent:
        path = path.parent
    if path.stat().st_mode & 0o222 == 0 or not os.access(path, os.W_OK):
        raise PermissionError(0, f"{path} is not writable")


class DataDir:
    """Paths in a data folder. Making one touches nothing.

    With a root of its own, the matrices of the folder that the environment names are seen too:
    that one may be read-only.
    """

    def __init__(self, root=None):
        self.root = absolute(root) if root else default_root()
        self.readable = [self.root]
        if os.environ.get(VARIABLE) and default_root() != self.root:
            self.readable.append(default_root())

    @property
    def checksums(self):
        return self.root / "checksums.lock"

    def csr(self, name):
        return self.root / "csr" / f"{name}.h5"

    def is_ready(self, name):
        """An empty file does not count: only a crash of the machine leaves one."""
        path = self.csr(name)
        return path.is_file() and path.stat().st_size > 0

    def download(self, name):
        return self.root / "downloads" / f"{name}.tar.gz"

    def part(self, name):
        return self.root / "downloads" / f"{name}.tar.gz.part"

    def local(self, name):
        """A matrix that the user put there, or None."""
        paths = [root / "matrices" / f"{name}.mtx.gz" for root in self.readable]
        return next((path for path in paths if path.is_file()), None)

    def make(self, folder):
        """Makes a folder below the root. Throws FetchError where that is not allowed."""
        path = self.root / folder
        try:
            refuse_read_only(self.root)
            refuse_read_only(path)
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FetchError(
                f"cannot write to {path}: {reason(error)}; "
                f"name a writable data folder with --data-dir or {VARIABLE}"
            ) from error
        return path

    @contextlib.contextmanager
    def lock(self, name, waiting=lambda: None):
        """Keeps other processes out while it is held; the system frees it when a process dies.

        The file stays: were it removed, a third process could lock a new one beside a waiting
        second.
        """
        path = self.make("locks") / name
        try:
            file = open(path, "ab")  # noqa: SIM115 (closed below)
        except OSError as error:
            raise FetchError(f"cannot lock {path}: {reason(error)}") from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def work(self, name):
        """An empty folder for one matrix, on the file system of the results; held by its lock."""
        path = self.make("work") / name
        shutil.rmtree(path, ignore_errors=True)  # of a process that was killed
        path.mkdir()
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
