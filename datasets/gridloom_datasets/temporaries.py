"""What is there for a while only: files, folders, children. It goes when it is done, and when a
signal ends the process. SIGINT is a KeyboardInterrupt; SIGTERM and SIGHUP are an exception, too,
where folders are to be removed and children to be ended on the way out.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading

ENDING = (signal.SIGTERM, signal.SIGHUP)
FILES = []  # what a signal removes
CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
RAISING = []  # the processes in which it raises; a child that was forked is not among them


class Ended(BaseException):
    """A signal came. Whoever catches it goes on raising it; endings.py ends the process by it."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


def end_by(number):
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def on_signal(number, _frame):
    for each in tuple(FILES):
        with contextlib.suppress(OSError):
            os.unlink(each)
    if os.getpid() in RAISING:
        raise Ended(number)
    end_by(number)


@contextlib.contextmanager
def taken_signals():
    """The outermost takes the signals, but none that somebody else handles."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {n: h for n in ENDING if (h := signal.getsignal(n)) is signal.SIG_DFL}
        for number in before:
            signal.signal(number, on_signal)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def removed_on_signals(path):
    """Removes the file when a signal ends the process, and those around it."""
    with taken_signals():
        FILES.append(path)
        try:
            yield
        finally:
            FILES.remove(path)


@contextlib.contextmanager
def raised_signals():
    with taken_signals():
        RAISING.append(os.getpid())
        try:
            yield
        finally:
            RAISING.pop()


@contextlib.contextmanager
def temporary_folder(**settings):
    """The name of a folder that is removed in the end; `settings` as of tempfile.mkdtemp."""
    with raised_signals():
        folder = tempfile.TemporaryDirectory(**settings)
        try:
            yield folder.name
        finally:
            # A signal that comes now waits until nothing is left.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *ENDING})
            try:
                folder.cleanup()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def held_signals():
    """A signal that comes inside comes at its end instead: what was begun has a name by then."""
    came, before = [], {}
    if threading.current_thread() is threading.main_thread():
        before = {n: h for n in (signal.SIGINT, *ENDING) if callable(h := signal.getsignal(n))}
    try:
        for number in before:  # handlers, for a child would inherit a mask
            signal.signal(number, lambda number, _frame: came.append(number))
        yield
    finally:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, before)
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number in came[:1]:
            signal.raise_signal(number)


@contextlib.contextmanager
def child(command, end=subprocess.Popen.kill, **settings):
    """A process that `end` ends where an exception leaves the block, that of a signal too; it is
    waited for. `settings` as of subprocess.Popen()."""
    process = None
    with raised_signals():
        try:
            with held_signals():  # or one that comes before Popen() returns leaves it running
                process = subprocess.Popen(command, **settings)
            yield process
        except BaseException:
            if process is not None:
                end(process)
            raise
        finally:
            if process is not None:
                with contextlib.suppress(BrokenPipeError), process:
                    pass  # its pipes are closed


def run_child(command, grace_s=60, timeout=None, **settings):
    """As subprocess.run(), which kills the child when a signal comes: here it may clean up."""

    def end(process):
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace_s)
        process.kill()

    with child(command, end, **settings) as process:
        try:
            out, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, errors)
