"""HDF5 files for scripts: written in memory first, with checksums, and checked before they are
read.

Written files have the format of HDF5 1.10 with checksums on metadata and values. After their end,
which HDF5 ignores, stand the word GRIDLOOM and the CRC-32 of all bytes before. This checksum is
compared before HDF5 opens a file, because a damaged file can crash the library. A file without it
is foreign: a child process reads it first. The programs have the same rules in
common/files/include/gridloom/files."""

import contextlib
import faulthandler
import io
import multiprocessing
import os
import resource
import signal
import zlib

import h5py
import numpy as np

from gridloom_datasets.errors import InputError
from gridloom_datasets.files import open_input, write_bytes
from gridloom_datasets.hdf5_text import fixed_texts, set_attributes

MAGIC = b"GRIDLOOM"
TRAILER_BYTES = len(MAGIC) + 4
RENEW = "scripts/renew_checksum"
CONTEXT = multiprocessing.get_context("fork")  # a forked child shares the parent's objects
# Signals by which others end the child.
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)


# --- checksums -------------------------------------------------------------------------------


def with_checksum(data):
    return data + MAGIC + zlib.crc32(data).to_bytes(4, "little")


def without_checksum(data):
    """The bytes of the HDF5 file without the appended checksum, if there is one."""
    return data[:-TRAILER_BYTES] if data[-TRAILER_BYTES:-4] == MAGIC else data


def has_checksum(path, error=InputError):
    """Returns False for a foreign file. Raises `error` if the bytes differ from the checksum."""
    with open_input(path, error) as file:
        data = file.read()
    own = without_checksum(data)
    if own is data:
        return False
    if with_checksum(own) != data:
        told = "damaged, its bytes differ from its checksum; if you changed the file, run"
        raise error(f"{path}: {told} {RENEW} {path}")
    return True


def require_checksum(path):
    if not has_checksum(path):
        told = "has no checksum, so another program or an older version wrote it; cannot append"
        raise InputError(f"{path}: {told}. If the file is sound, run {RENEW} {path}")


# --- reading ---------------------------------------------------------------------------------


def read_file(path, read, error=InputError):
    """Returns `read(file)`, called with the HDF5 file opened for reading.

    Raises the InputErrors of `read`, and `error` for all other problems with the file. (For damaged
    files, h5py raises exceptions of many types.)"""
    if not has_checksum(path, error):
        require_readable(path, read, error)
    with explained(path, error), h5py.File(path, "r") as file:
        return read(file)


def require_readable(path, read, error=InputError):
    """Lets a child process read a foreign file first."""

    def rehearse():
        with h5py.File(path, "r") as file:
            require_whole(file, path)
            read(file)

    if not h5py.is_hdf5(path):
        raise error(f"{path}: not an HDF5 file")
    with explained(path, error):
        try_in_child(rehearse, path, error)


def require_whole(file, path):
    """Raises InputError unless all parts of the file are in the file itself."""

    def link_outside(name, link):
        return name if isinstance(link, h5py.ExternalLink) else None

    def values_outside(name, item):
        outside = isinstance(item, h5py.Dataset) and (item.external or item.is_virtual)
        return name if outside else None

    if name := file.visititems_links(link_outside):
        raise InputError(f"{path}: /{name}: expected no link into another file")
    if name := file.visititems(values_outside):
        raise InputError(f"{path}: /{name}: expected values in the file, not in another one")


@contextlib.contextmanager
def explained(path, error):
    try:
        yield
    except InputError:
        raise
    except Exception as problem:
        words = " ".join(str(problem).split()) or type(problem).__name__
        raise error(f"{path}: not a readable HDF5 file ({words})") from None


def try_in_child(work, path, error):
    """Runs `work()` in a child and raises its exception. If the child dies, the file is damaged."""
    limit_s = 10 + (os.path.getsize(path) >> 18)  # no sound file takes as long
    receive, send = CONTEXT.Pipe(duplex=False)
    child = CONTEXT.Process(target=run_in_child, args=(work, send, limit_s), daemon=True)
    child.start()
    send.close()
    try:
        answer = receive.recv() if receive.poll(60 + 10 * limit_s) else EOFError()
    except EOFError as ended:
        answer = ended
    finally:
        # A child that has answered may still be ending.
        child.kill()
        child.join()
    if -child.exitcode in ENDING:
        name = signal.Signals(-child.exitcode).name
        raise error(f"{path}: the process that reads it was ended by {name}")
    if isinstance(answer, EOFError):
        raise error(f"{path}: damaged HDF5 file")
    if answer is not None:
        raise answer


def run_in_child(work, send, limit_s):
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(number, signal.SIG_DFL)
    faulthandler.disable()
    # Hides messages of the C library about a damaged heap.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
    answer = None
    try:
        work()
    except Exception as problem:
        answer = problem
    try:
        send.send(answer)
    except Exception:  # the exception holds parts of the file, which cannot be sent
        send.send(OSError(str(answer)))
    # The child must not flush the parent's files or run its exit handlers.
    os._exit(0)


# --- writing ---------------------------------------------------------------------------------


def add(group, name, values, **attributes):
    """Adds and returns a dataset of numbers, or of texts of fixed length, with checksums."""
    values = np.asarray(values)
    if values.dtype.kind in "OUS":
        values = fixed_texts(values.tolist())
    if values.size == 0:
        data = group.create_dataset(name, data=values, dtype=values.dtype)
    else:
        most = max(1, min(1 << 16, (1 << 20) // values.dtype.itemsize))
        data = group.create_dataset(
            name, data=values, dtype=values.dtype, shuffle=True, fletcher32=True,
            chunks=(min(len(values), most),) if values.ndim == 1 else True,
            compression="gzip", compression_opts=4,
        )  # fmt: skip
    set_attributes(data, attributes)
    return data


def image_of(fill):
    """The bytes of a file that `fill(file)` makes in memory. After a failed write to a full disk,
    the library would keep handles that it can neither close nor drop."""
    made = io.BytesIO()
    with h5py.File(made, "w", libver=("v110", "v110")) as file:
        fill(file)
    return with_checksum(made.getvalue())


def write(path, fill):
    """Writes a new file that `fill(file)` makes, completely or not at all. Raises OSError."""
    write_bytes(path, image_of(fill))
