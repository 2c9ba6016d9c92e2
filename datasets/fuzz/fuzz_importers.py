#!/usr/bin/env python3
"""Fuzzes an importer of task graphs: mutates the inputs in seeds/ and checks the property of
importer_property.py on each. An input that violates it is saved, named, and the exit code is 1.

Engines: atheris, coverage-guided, where it can be imported (requirements.txt beside this file),
otherwise seeded mutations that repeat exactly: same seed and --runs, same inputs.
"""

import gridloom_datasets.endings  # noqa: F401

import contextlib
import faulthandler
import hashlib
import importlib.util
import os
import random
import sys
import time
from multiprocessing.sharedctypes import RawArray
from pathlib import Path

import mutate
from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.temporaries import temporary_folder

HERE = Path(__file__).resolve().parent

KINDS = ("dax", "wfformat", "stg", "csv")
KEPT = 300  # inputs that were imported and are mutated further


def parse(arguments):
    parser = StrictParser(prog="fuzz_importers", description=__doc__.split("\n\n")[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--seconds", type=float, default=60, help="stop after (=60)")
    parser.add_argument("--runs", type=int, default=0, help="stop after N inputs (=0: by time)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("auto", "atheris", "mutate"), default="auto")
    parser.add_argument("--crashes", type=Path, default=Path("."), metavar="FOLDER")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="try one saved input")
    return parser.parse_args(arguments)


class Trial:
    """Tries inputs in a scratch folder and counts them; saves the first violation."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.counts = RawArray("Q", 2)  # tried, imported; shared with a forked child

    def __call__(self, data):
        import importer_property as checked

        self.counts[0] += 1
        # Not even a call into C that never returns outlives this; the input lies in the folder.
        faulthandler.dump_traceback_later(2 * checked.MAX_SECONDS, exit=True)
        try:
            imported = checked.try_input(self.options.kind, data, self.folder)
        except checked.Violation as violation:
            digest = hashlib.sha256(data).hexdigest()[:16]
            path = self.options.crashes / f"crash-{self.options.kind}-{digest}"
            path.write_bytes(data)
            print(f"{path}: {violation}", file=sys.stderr, flush=True)
            if self.options.engine == "atheris":
                os._exit(1)  # libFuzzer would catch an exception
            raise SystemExit(1) from None
        finally:
            faulthandler.cancel_dump_traceback_later()
        self.counts[1] += imported
        return imported

    def report(self, start):
        seconds = time.monotonic() - start
        print(
            f"{self.options.kind}: {self.counts[0]:,} inputs in {seconds:.1f} s, "
            f"{self.counts[1]:,} imported, no violation",
            flush=True,
        )


def run_mutations(options, trial):
    import importer_property as checked

    checked.limit_memory()
    rng = random.Random(f"{options.kind} {options.seed}")
    corpus = checked.seeds(options.kind)
    for data in corpus:
        trial(data)
    start = time.monotonic()
    known = len(corpus)
    while (
        trial.counts[0] < options.runs
        if options.runs
        else time.monotonic() - start < options.seconds
    ):
        data = mutate.mutate(rng.choice(corpus), rng, rng.choice(corpus))
        if trial(data):
            # Still valid: a stepping stone. The seeds themselves always stay.
            if len(corpus) < KEPT:
                corpus.append(data)
            else:
                corpus[rng.randrange(known, KEPT)] = data
    trial.report(start)


def run_atheris(options, trial):
    """In a child: libFuzzer ends its process where it stands. Returns the child's exit code."""
    start = time.monotonic()
    if child := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == 0:
            trial.report(start)
        return code
    import atheris

    with atheris.instrument_imports(include=["gridloom_datasets", "json"]):
        import importer_property as checked
    rng = random.Random(options.seed)
    seeds = checked.seeds(options.kind)
    checked.limit_memory()

    def mutator(data, most, seed):
        rng.seed(seed)
        if rng.random() < 0.3:
            return atheris.Mutate(data, len(data))
        # libFuzzer's corpus fills with refused inputs; half of the trials stay near valid ones.
        start = data if rng.random() < 0.5 else rng.choice(seeds)
        return mutate.mutate(start, rng, rng.choice(seeds), most)

    corpus = trial.folder.parent / "corpus"
    corpus.mkdir()
    for k, data in enumerate(seeds):
        (corpus / str(k)).write_bytes(data)
    limit = f"-runs={options.runs}" if options.runs else f"-max_total_time={options.seconds:.0f}"
    flags = [limit, f"-seed={options.seed}", "-max_len=20000", "-mutate_depth=1"]
    quiet = [
        "-verbosity=0",
        "-timeout=30",
        "-rss_limit_mb=0",
        f"-artifact_prefix={options.crashes}/",
    ]
    atheris.Setup(
        [sys.argv[0], *flags, *quiet, str(corpus)], lambda data: trial(data) and None,
        custom_mutator=mutator,
    )  # fmt: skip
    atheris.Fuzz()


def main(arguments=None):
    options = parse(arguments)
    options.crashes.mkdir(parents=True, exist_ok=True)
    if options.engine == "auto":
        options.engine = "atheris" if importlib.util.find_spec("atheris") else "mutate"
    with temporary_folder(prefix="fuzz_importers_") as scratch:
        folder = Path(scratch) / "case"
        folder.mkdir()
        trial = Trial(options, folder)
        if options.replay:
            import importer_property as checked

            checked.limit_memory()
            print("imported" if trial(options.replay.read_bytes()) else "refused")
        elif options.engine == "atheris":
            return run_atheris(options, trial)
        else:
            run_mutations(options, trial)
    return 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
