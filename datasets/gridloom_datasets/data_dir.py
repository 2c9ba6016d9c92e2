"""The data folder: downloads, converted matrices, and the locks that separate two fetches.

    csr/NAME.h5               converted and checked
    downloads/NAME.tar.gz     as downloaded; .part and .part.json during a download
    matrices/NAME.mtx.gz      matrices that the user put there; only read
    checksums.lock            sha256 of the first download of each file
    work/NAME/                unpacked and half converted files, removed after use

Files under csr/ and downloads/ have their names only when they are complete."""

import contextlib
import fcntl
import os
import shutil
from pathlib import Path

from gridloom_datasets.errors import FetchError, InputError, reason

VARIABLE = "GRIDLOOM_DATA_DIR"


def absolute(path):
    """Resolves ~ and ~user. Raises InputError if there is no such user."""
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError as error:
        raise InputError(f"data folder {path}: {error}") from error


def default_root():
    return absolute(os.environ.get(VARIABLE) or "~/.cache/gridloom")


def refuse_read_only(path):
    """Refuses a folder that nobody may write to, even if the user is root."""
    while not path.exists() and path != path.parent:
        path = path.parent
    if path.stat().st_mode & 0o222 == 0 or not os.access(path, os.W_OK):
        raise PermissionError(0, f"{path} is not writable")


class DataDir:
    """Paths in a data folder. Making an object touches no file.

    If a root is given, the matrices in the folder of the environment are used as well. That folder
    may be read-only."""

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
        """Whether the file is there and not empty. (Only a crash of the machine leaves an empty
        file.)"""
        path = self.csr(name)
        return path.is_file() and path.stat().st_size > 0

    def download(self, name):
        return self.root / "downloads" / f"{name}.tar.gz"

    def part(self, name):
        return self.root / "downloads" / f"{name}.tar.gz.part"

    def local(self, name):
        """The path of a matrix that the user put there, or None."""
        paths = [root / "matrices" / f"{name}.mtx.gz" for root in self.readable]
        return next((path for path in paths if path.is_file()), None)

    def make(self, folder):
        """Makes a folder below the root. Throws FetchError if that is not allowed."""
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
        """Keeps other processes out while it is held. The system frees it when a process dies.

        The file is never removed. Otherwise a third process could lock a new file while a second
        one waits for the old file."""
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
        """An empty folder for one matrix, on the file system of the results. The matrix's lock
        protects it."""
        path = self.make("work") / name
        # A killed process may have left files.
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
