"""Child processes that end when their script is interrupted."""

import contextlib
import subprocess

CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


@contextlib.contextmanager
def child(command, end=subprocess.Popen.kill, **settings):
    """Starts a process and waits for it. If an exception leaves the block, as a signal raises one,
    `end(process)` stops the process. `settings` are those of subprocess.Popen()."""
    process = subprocess.Popen(command, **settings)
    try:
        yield process
    except BaseException:
        end(process)
        raise
    finally:
        with contextlib.suppress(BrokenPipeError), process:
            pass  # Leaving the block closes the pipes.


def run_child(command, grace_s=60, timeout=None, **settings):
    """Like subprocess.run(), but an interrupted child first gets SIGTERM, so that it can clean
    up."""

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
