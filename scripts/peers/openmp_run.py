#!/usr/bin/env python3
"""Runs the programs of openmp_build, and writes their output as lines of JSON.

    openmp_run.py --folder FOLDER --case "NAME ARGUMENT..."... --output FILE.jsonl
                  [--arm ARM...] [--repeat N] [--warmup N] [--processes N] [--timeout S]
                  [--threads N] [--workers N]

Needs only Python's standard library, so it works on a bare GPU node. A case is an application and
its arguments, without the last one, the number of runs. Arms take turns, one process each:

  juggler       the translation, on a GPU
  juggler-host  the translation, on host threads
  gcc           gcc -fopenmp, on all host threads
  nvptx         gcc with offload; fails where its regions would run on the host

The first line, {"meta": ...}, describes the programs and the machine.
"""

import argparse
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ARMS = {
    "juggler": ("juggler", {"JUGGLER_BACKEND": "cuda", "JUGGLER_REPORT": "1"}),
    "juggler-host": ("juggler", {"JUGGLER_BACKEND": "host", "JUGGLER_REPORT": "1"}),
    "gcc": ("gcc", {"OMP_TARGET_OFFLOAD": "DISABLED"}),
    "nvptx": ("nvptx", {"OMP_TARGET_OFFLOAD": "MANDATORY"}),
}
REGION = re.compile(r"^region: (\S+) ms$", re.M)
REPORT = re.compile(
    r"^juggler: \S+: (\d+) tasks, (\d+) edges, inspection (\S+) ms, graph (\S+) ms, run (\S+) ms$",
    re.M,
)
BUILT = ("commit", "dirty", "gcc", "nvcc", "juggler_cc")  # facts from openmp_build
FACTS = ("tasks", "edges", "inspection_ms", "graph_ms", "run_ms")


def host_threads():
    """Number of threads of gcc's programs."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
    return int(wanted) if wanted.isdigit() else len(os.sched_getaffinity(0))


def cpu_name():
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    found = re.search(r"^model name\s*:\s*(.*?)\s*$", text, re.M)
    return found.group(1) if found else "unknown"


def gpus():
    """Distinct names and drivers from nvidia-smi; "none" without nvidia-smi or a GPU."""
    wanted = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(wanted, capture_output=True, text=True, timeout=60, errors="replace")
        rows = [line.rsplit(",", 1) for line in done.stdout.splitlines() if "," in line]
    except (OSError, subprocess.TimeoutExpired):
        rows = []
    names, drivers = zip(*rows, strict=True) if rows else ((), ())
    return [", ".join(dict.fromkeys(n.strip() for n in of)) or "none" for of in (names, drivers)]


def meta_of(options):
    """Describes the programs and the machine."""
    try:
        built = json.loads((options.folder / "built.json").read_text(encoding="utf-8"))
        made_of = {name: str(built[name]) for name in BUILT}
    except (OSError, ValueError, TypeError, KeyError) as error:
        sys.exit(f"openmp_run.py: expected {options.folder}/built.json of openmp_build ({error})")
    gpu, driver = gpus()
    return made_of | {
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "host": platform.node() or "unknown",
        "cpu": cpu_name(),
        "logical_cores": str(os.cpu_count() or "unknown"),
        "gpu": gpu,
        "driver": driver,
        "runs": shlex.join(["openmp_run.py", *sys.argv[1:]]),
    }


def run(arm, case, options):
    """Runs one process: its arguments, its status, and its report about each run of the region."""
    ending, settings = ARMS[arm]
    name, *arguments = case.split()
    program = options.folder / f"{name}.{ending}"
    line = [str(program), *arguments, str(options.warmup + options.repeat)]
    environment = os.environ | settings | {"JUGGLER_TIMEOUT_S": str(options.timeout)}
    known = os.environ.get("LD_LIBRARY_PATH", "")
    environment["LD_LIBRARY_PATH"] = f"{options.folder}/lib:{known}"
    for name in ("threads", "workers"):
        if getattr(options, name):
            environment[f"JUGGLER_{name.upper()}"] = str(getattr(options, name))
    told = {"arm": arm, "case": case, "warmup": options.warmup, "status": "ok", "complaint": ""}
    told |= {"result": "", "region_ms": [], "reports": [], "cores": host_threads()}
    told |= {"threads": options.threads, "workers": options.workers}
    try:
        if arm == "nvptx":
            # Without a device GCC 12 silently runs regions on the host.
            probe = [str(options.folder / "offloads.nvptx")]
            subprocess.run(probe, check=True, capture_output=True, timeout=60, env=environment)
        done = subprocess.run(
            line, capture_output=True, text=True, timeout=options.timeout, env=environment,
            stdin=subprocess.DEVNULL, errors="replace",
        )  # fmt: skip
        errors, told["result"] = done.stderr, done.stdout.strip()
        if done.returncode != 0:
            told["status"] = "failed"
    except subprocess.TimeoutExpired as ended:
        errors, told["status"] = (ended.stderr or b"").decode(errors="replace"), "timeout"
    except subprocess.CalledProcessError:
        errors, told["status"] = "no device for offload", "failed"
    except OSError as error:
        errors, told["status"] = str(error), "failed"
    told["region_ms"] = [float(ms) for ms in REGION.findall(errors)]
    for report in REPORT.findall(errors):
        told["reports"].append(dict(zip(FACTS, map(float, report), strict=True)))
    if told["status"] != "ok":
        told["complaint"] = (errors.strip().splitlines() or [""])[-1]
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--case", nargs="+", required=True, metavar="'NAME ARGUMENT...'")
    parser.add_argument("--arm", nargs="+", choices=ARMS, default=["juggler", "gcc", "nvptx"])
    parser.add_argument("--repeat", type=int, default=10, metavar="N")
    parser.add_argument("--warmup", type=int, default=2, metavar="N")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--timeout", type=int, default=60, metavar="S")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="of a block of juggler")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="blocks of juggler")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    options = parser.parse_args()
    if min(options.repeat, options.processes, options.timeout) < 1 or options.warmup < 0:
        parser.error("--repeat, --processes, --timeout: expected at least 1")
    if not options.folder.is_dir():
        parser.error(f"--folder: no folder {options.folder}")
    options.folder = options.folder.absolute()
    with open(options.output, "w", encoding="utf-8") as out:
        out.write(json.dumps({"meta": meta_of(options)}) + "\n")
        for case in options.case:
            for process in range(options.processes):
                for arm in options.arm:
                    told = run(arm, case, options) | {"process": process}
                    out.write(json.dumps(told) + "\n")
                    out.flush()
                    times = told["region_ms"][options.warmup :]
                    text = f"{sorted(times)[len(times) // 2]:.3f} ms" if times else ""
                    print(f"{case}: {arm}: {told['status']} {text} {told['complaint']}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
