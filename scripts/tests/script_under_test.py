"""Loads a script by its path, as scripts are no modules of a package, and runs one as a process."""

import atexit
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]

# Importing these takes longer than what most scripts do. A server imports them once, and each run
# of a script is a child that is forked from it. Modules of this repository are not among them: how
# a script ends is set up when they are imported.
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(
    ["h5py", "numpy", "pandas", "matplotlib.pyplot", "scipy.sparse.csgraph"]
)


def load(script):
    """The definitions of the script, whose main part does not run."""
    return SimpleNamespace(**runpy.run_path(str(ROOT / script), run_name=script))


def run_main(words, cwd, environment, outputs):
    """In a new process: what `python WORDS` does. Ends the process."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in zip((1, 2), outputs, strict=True):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, closefd=False) for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    sys.argv, sys.path[0] = words, os.path.dirname(words[0])
    code = ended_with(lambda: runpy.run_path(words[0], run_name="__main__"))
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def ended_with(call):
    """The exit code of a process that makes this call and nothing else."""
    try:
        call()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        failed = sys.exc_info()
        return ended_with(lambda: sys.excepthook(*failed)) or 1
    return 0


def run_script(script, *arguments, cwd=None):
    """Runs a script of this repository, as subprocess.run() would by the Python of the tests."""
    words = [str(ROOT / script), *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        outputs = [os.path.join(folder, name) for name in ("stdout", "stderr")]
        for path in outputs:
            open(path, "w").close()
        process = SERVER.Process(
            target=run_main, args=(words, str(cwd or os.getcwd()), dict(os.environ), outputs)
        )
        process.start()
        process.join(900)  # the limit ends a hang
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, 900)
        texts = []
        for path in outputs:
            with open(path, encoding="utf-8", newline=None) as file:
                texts.append(file.read())
    return subprocess.CompletedProcess(words, process.exitcode, *texts)
