"""How a script ends if it is interrupted or cannot write to stdout: without a traceback.

Ctrl-C, SIGTERM and SIGHUP raise exceptions, so that `with` and `finally` clean up. Then the signal
ends the process. If the reader of stdout is gone, the script ends silently, as SIGPIPE would end
it. A full or closed stdout, or a lack of memory, is reported in one line with exit code 1."""

import atexit
import contextlib
import errno
import io
import os
import signal
import sys
import threading

from gridloom_datasets.errors import reason, say


class ClosedOutput(io.TextIOBase):
    """Replaces a stdout that was closed from the start, which Python would ignore."""

    encoding = "utf-8"

    def write(self, text):
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


class Output:
    """A stdout that remembers why a write failed."""

    def __init__(self, stream):
        self.stream, self.lost = stream, None

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        return self.remember(self.stream.write, text)

    def flush(self):
        return self.remember(self.stream.flush)

    def remember(self, call, *arguments):
        try:
            return call(*arguments)
        except OSError as error:
            self.lost = error
            raise

    def give_up(self):
        """Drops everything that is not printed yet."""
        self.lost = None
        if not isinstance(self.stream, ClosedOutput):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())
            os.close(nowhere)


def lost_output():
    """Why a write to stdout failed, or None."""
    return OUTPUT.lost


def code_of_lost(error):
    """Reports that writing to stdout failed, and returns the exit code."""
    OUTPUT.give_up()
    if isinstance(error, BrokenPipeError):
        return 128 + signal.SIGPIPE
    complain(f"cannot write to standard output: {reason(error)}")
    return 1


def complain(message):
    say(f"{os.path.basename(sys.argv[0])}: {message}", sys.stderr)


class Ended(BaseException):
    """Raised by SIGTERM and SIGHUP. Code that catches it must raise it again."""


def end_by(number):
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class Interrupts:
    """The handler of signals. It remembers the signal, because a module in C may replace the
    exception by another one."""

    def __init__(self):
        self.came = None

    def __call__(self, number, frame):
        self.came = number
        raise KeyboardInterrupt if number == signal.SIGINT else Ended

    def take(self):
        """Handles the signals that nothing else handles or ignores."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self)


def end_with(kind, error, trace):
    """Ends the process as an uncaught exception requires."""
    if INTERRUPTS.came is not None:
        end_by(INTERRUPTS.came)
    if issubclass(kind, OSError) and (lost := lost_output()):
        raise SystemExit(code_of_lost(lost))
    if issubclass(kind, MemoryError):
        complain("out of memory")
        raise SystemExit(1)
    sys.__excepthook__(kind, error, trace)


def repeat_lost(lost):
    """Sends a signal once more if its exception could not be caught, as in a callback."""
    if not issubclass(lost.exc_type, KeyboardInterrupt | Ended):
        sys.__unraisablehook__(lost)
        return
    try:  # if sent at once, the signal would be lost again
        threading.Timer(0.01, os.kill, (os.getpid(), INTERRUPTS.came)).start()
    except RuntimeError:  # no thread can be started any more
        end_by(INTERRUPTS.came)


def check_output():
    with contextlib.suppress(OSError, ValueError):  # ValueError: the script has closed it
        OUTPUT.flush()
    if lost := lost_output():
        os._exit(code_of_lost(lost))


def install():
    """Called once per process, at the start of a script, by StrictParser."""
    if sys.excepthook is end_with:
        return
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        pass  # otherwise a file that the script opens could become stdout
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (for as long as the process)
    OUTPUT.stream = ClosedOutput() if sys.stdout is None else sys.stdout
    sys.stdout = OUTPUT
    sys.excepthook = end_with
    sys.unraisablehook = repeat_lost
    if threading.current_thread() is threading.main_thread():
        INTERRUPTS.take()
    atexit.register(check_output)


OUTPUT = Output(sys.stdout)
INTERRUPTS = Interrupts()
