"""HDF5 files for scripts: read in a process of its own, written in memory first.

The HDF5 library believes what a file says of itself, and a damaged one can bring down the process
that reads it. So a child reads, and sends what it found; when the child dies, the file is damaged.
And a library that cannot finish a write (a full disk) keeps handles that it can neither close nor
drop. So files are made in memory and handed over as bytes.
"""

import contextlib
import faulthandler
import os
import pickle
import resource
import signal
import warnings

import h5py

from gridloom_datasets.errors import InputError
from gridloom_datasets.files import open_input, write_bytes
from gridloom_datasets.hdf5_copy import contents_of, restore

MOST_CPU_S = 10  # beside four seconds a MiB: no sound file needs as long


ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)  # by which others end it


class Damaged(Exception):
    """What the child could not say."""


class ChildEnded(Exception):
    """By a signal that says nothing of the file."""


def read_apart(path, read, error=InputError):
    """What `read(file)` returns, of the HDF5 file opened for reading; `read` runs in a child.

    Raises InputErrors of `read`, and `error` for whatever else goes wrong with the file: h5py has
    an exception of every kind for damage.
    """
    return next(read_pieces_apart(path, lambda file: iter([read(file)]), error))


def read_pieces_apart(path, read, error=InputError):
    """The same for a `read` that yields: one piece after the other, while the child goes on."""
    with open_input(path, error):
        if os.path.getsize(path) == 0 or not h5py.is_hdf5(path):
            raise error(f"{path}: not an HDF5 file")

    def opened_and_read():
        with h5py.File(path, "r") as file:
            require_whole(file, path)
            yield from read(file)

    with explained(path, error):
        yield from made_by_child(opened_and_read, path)


def require_whole(file, path):
    """What a file takes from others may be anything, a pipe too. Raises InputError."""

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
    except Damaged:
        raise error(f"{path}: damaged HDF5 file") from None
    except ChildEnded as ended:
        raise error(f"{path}: the process that reads it was ended by {ended}") from None
    except InputError:
        raise
    except Exception as problem:
        words = " ".join(str(problem).split()) or type(problem).__name__
        raise error(f"{path}: not a readable HDF5 file ({words})") from None


def made_by_child(make, path):
    """What `make()` yields or raises, in a child. Raises Damaged when the child dies, ChildEnded
    when somebody ended it."""
    receive, send = os.pipe()
    limit_s = MOST_CPU_S + (os.path.getsize(path) >> 18)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child starts no threads
        child = os.fork()
    if child == 0:
        os.close(receive)
        run_child(make, send, limit_s)
    os.close(send)
    status = None
    try:
        with os.fdopen(receive, "rb") as pipe:
            while True:
                try:
                    kind, made = pickle.load(pipe)
                except (EOFError, pickle.UnpicklingError):
                    status = end_child(child)
                    raise death_of(status) from None
                if kind == "end":
                    return
                if kind == "raised":
                    raise made
                yield made
    finally:
        if status is None:
            end_child(child)


def end_child(child):
    """Its wait status: it has ended already, or nobody wants more of it."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def death_of(status):
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return ChildEnded(signal.Signals(number).name) if number in ENDING else Damaged()


def run_child(make, send, limit_s):
    """Never returns, and leaves nothing of the parent's flushed or ended twice."""
    try:
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
                signal.signal(number, signal.SIG_DFL)
        faulthandler.disable()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the C library's words on a damaged heap
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60 + 10 * limit_s)  # it may also wait for ever
        with os.fdopen(send, "wb") as pipe:
            try:
                for made in make():
                    pipe.write(pickle.dumps(("made", made), protocol=5))
                last = ("end", None)
            except Exception as problem:
                last = ("raised", problem)
            try:
                data = pickle.dumps(last)
            except Exception:  # of an exception that holds what belongs to the file
                data = pickle.dumps(("raised", OSError(str(last[1]))))
            pipe.write(data)
        os._exit(0)
    finally:
        os._exit(1)


def image_of(fill):
    """The bytes of an HDF5 file that `fill(file)` makes."""
    name = f"/nonexistent/gridloom-{os.getpid()}"
    with h5py.File(name, "w", driver="core", backing_store=False) as file:
        fill(file)
        file.flush()
        return file.id.get_file_image()


def write(path, fill):
    """A new file that `fill(file)` makes; there whole or not at all. Raises OSError."""
    write_bytes(path, image_of(fill))


def extend(path, fill, error=InputError, contents=contents_of):
    """The same with what is in the file already, which may be damaged. The caller holds its lock.

    `contents(file, path)`: what is in it, in the form of contents_of. Raises as read_apart.
    """
    items = read_apart(path, lambda file: contents(file, path), error)

    def restore_and_fill(file):
        restore(file, items)
        fill(file)

    with explained(path, error):
        image = next(made_by_child(lambda: iter([image_of(restore_and_fill)]), path))
    write_bytes(path, image)
