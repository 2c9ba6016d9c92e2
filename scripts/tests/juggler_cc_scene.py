"""Builds and runs programs with juggler-cc and, as an oracle, with gcc -fopenmp."""

import fcntl
import functools
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from conftest import ROOT
from program_under_test import find_program, run_program

PROGRAM = "juggler-cc"
EXAMPLES = ROOT / "juggler" / "examples"
APPS = EXAMPLES / "apps"


@dataclass
class Outcome:
    """Output of the translated program and of the oracle, and Juggler's reports about regions."""

    got: str
    expected: str
    reports: list  # (tasks, edges) of each run of a region


def tool(*arguments, cwd=None, code=None):
    """Runs juggler-cc. Given a code, it must be the exit code."""
    done = run_program(find_program(PROGRAM), *arguments, cwd=cwd)
    assert code in (None, done.returncode), done.stderr
    return done


def run_with(program, arguments, cwd, **settings):
    """Runs a program with environment variables. The time limit ends a hang."""
    return subprocess.run(
        [program, *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, timeout=300, stdin=subprocess.DEVNULL,
        env=os.environ | {key: str(value) for key, value in settings.items()},
    )  # fmt: skip


@functools.cache
def configuration():
    """What the tool compiles with, as {key: values}."""
    text = (find_program(PROGRAM).parents[1] / "share/gridloom/juggler-cc.conf").read_text()
    pairs = [line.split("=", 1) for line in text.splitlines()]
    return {key: [v for k, v in pairs if k == key] for key, _ in pairs}


@functools.cache
def precompiled_headers(folder, flags):
    """A folder for -I with the runtime's headers, precompiled for these flags.

    They are most of what a compilation costs. All processes of a test run share the folder.
    """
    inside = folder / "headers" / re.sub(r"\W+", "_", "".join(flags)) / "juggler"
    made = inside / "offload.hpp.gch"
    inside.mkdir(parents=True, exist_ok=True)
    with open(inside / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            own = configuration()
            header = Path(own["include"][0]) / "juggler/offload.hpp"
            line = [*own["compiler"], "-std=c++20", "-DGRIDLOOM_HAS_CUDA=0", "-fopenmp", *flags]
            line += [f"-I{each}" for each in own["include"]]
            line += ["-w", "-x", "c++-header", str(header), "-o", str(made)]
            subprocess.run(line, check=True, timeout=900)
    return inside.parent


def quick(folder, *flags, level="-O1", before=()):
    """These options, the level, and if this build allows it the options for precompiled headers.

    `before`: what the generated source defines before it includes them. Macros of a command line
    must stay out of the headers, which tests with -D show; -I may name others in their place.
    """
    if configuration()["has_cuda"] != ["0"] or any(flag.startswith(("-D", "-I")) for flag in flags):
        return [*flags, level]
    runs = [up for up in folder.parents if up.parent.name.startswith("pytest-of")]
    shared = precompiled_headers(runs[0] if runs else folder, (*flags, level, *before))
    return ["-I", shared, *flags, level]


def quick_dag(folder):
    """The same with --dag, whose source renames main()."""
    return quick(folder, before=["-Dmain=jcc_program"])


def build(source, folder, *flags, level="-O1"):
    program = folder / (source.stem + ".juggler")
    words = [source, *quick(folder, *flags, level=level), "-Wall", "-Wextra", "-o", program]
    done = run_program(find_program(PROGRAM), *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    wrong = [line for line in done.stderr.splitlines() if "jcc_" in line.partition("warning:")[2]]
    assert not wrong, done.stderr
    return program


def build_oracle(source, folder, *flags, tasks=True):
    """Builds the oracle; without `tasks` it is the serial program."""
    compiler = "gcc" if source.suffix == ".c" else "g++"
    program = folder / (source.stem + ".oracle")
    # Keeps regions on the host if GCC's offload compiler is installed.
    openmp = ["-fopenmp", "-foffload=disable"] if tasks else ["-fno-openmp"]
    line = [compiler, *openmp, "-O1", *flags, str(source), "-o", str(program), "-lm"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return program


def reports_of(text):
    found = re.findall(r"juggler: \S+: (\d+) tasks, (\d+) edges", text)
    return [(int(tasks), int(edges)) for tasks, edges in found]


def run_both(source, folder, *arguments, flags=(), workers=4, level="-O1", tasks_in_oracle=True):
    """Builds and runs both; the translated program uses that many host workers."""
    program = build(source, folder, *flags, level=level)
    defined = [flag for flag in flags if flag.startswith("-D")]
    oracle = build_oracle(source, folder, *defined, tasks=tasks_in_oracle)
    settings = {"JUGGLER_BACKEND": "host", "JUGGLER_WORKERS": workers, "JUGGLER_REPORT": 1}
    done = run_with(program, arguments, folder, **settings)
    assert done.returncode == 0, done.stderr
    reference = run_with(oracle, arguments, folder)
    assert reference.returncode == 0, reference.stderr
    return Outcome(done.stdout, reference.stdout, reports_of(done.stderr))


def same_numbers(got, expected, relative=1e-10):
    """Compares word by word; numbers may differ by a relative error."""
    left, right = got.split(), expected.split()
    if len(left) != len(right):
        return False
    for a, b in zip(left, right, strict=True):
        try:
            x, y = float(a), float(b)
        except ValueError:
            if a != b:
                return False
            continue
        if abs(x - y) > relative * max(abs(x), abs(y)):
            return False
    return True
