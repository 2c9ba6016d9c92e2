"""OpenMP programs of several compilers: their output becomes a results file."""

import json
import os
import subprocess

import h5py
import numpy as np
import pytest

from gridloom.juggler.openmp import texts_of
from gridloom.paths import ROOT
from gridloom_datasets.hdf5_text import is_text, plain, read_texts
from program_under_test import write_program

RUN, STORE = "scripts/peers/openmp_run.py", "scripts/peers/openmp_peer.py"
REPORT = "juggler: lud.c:1: 30 tasks, 54 edges, inspection 0.5 ms, graph 0.25 ms, run 2.5 ms"

BUILT = {"commit": "c" * 40, "dirty": "0", "gcc": "gcc 12", "nvcc": "nvcc 13", "juggler_cc": "cc 1"}


@pytest.fixture
def folder(tmp_path):
    """Stand-ins for the compiled programs. Their last argument is the number of runs to report."""

    def program(name, result, *lines, last="true"):
        said = "\n".join(f'  echo "{line}" >&2' for line in lines)
        text = f"#!/bin/bash\nfor ((k = 0; k < ${{@: -1}}; k++)); do\n{said or '  :'}\ndone\n"
        write_program(tmp_path / "bin" / name, text + f'echo "{result}"\n{last}\n')

    program("lud.juggler", "1.00000000001 2", REPORT, "region: 4.0 ms")
    program("lud.gcc", "1 2", "region: 8.0 ms")
    program("lud.nvptx", "1 2", "region: 9.0 ms", last="echo the kernel aborted >&2; exit 1")
    program("offloads.nvptx", "")
    program("sw.juggler", "7", "region: 4.0 ms")
    program("sw.gcc", "8", "region: 4.0 ms")
    program("heat.juggler", "3", REPORT, "region: 4.0 ms")
    program("heat.gcc", "3", "region: $JUGGLER_WORKERS ms")
    (tmp_path / "bin/built.json").write_text(json.dumps(BUILT))
    return tmp_path / "bin"


def measure(run_script, folder, *arguments):
    raw, output = folder.parent / "raw.jsonl", folder.parent / "results.h5"
    counts = ["--repeat", 3, "--warmup", 1, "--processes", 1, "--output", raw]
    done = run_script(RUN, "--folder", folder, *arguments, *counts)
    assert done.returncode == 0, done.stderr
    stored = run_script(STORE, raw, "--output", output)
    assert stored.returncode == 0, stored.stderr
    with h5py.File(output) as file:
        assert plain(file["meta"].attrs["program"]) == "peer-openmp"
        return {
            name: list(read_texts(data) if is_text(data.dtype) else data[...])
            for name, data in file["runs"].items()
        }


def test_a_row_a_run_and_a_row_for_a_program_that_fails(run_script, folder):
    runs = measure(run_script, folder, "--case", "lud 4 16")
    assert runs["arm"] == ["juggler"] * 3 + ["gcc"] * 3 + ["nvptx"]
    assert runs["status"] == ["ok"] * 6 + ["failed"]
    assert runs["verified"] == ["yes"] * 6 + ["off"]
    assert runs["repetition"] == [0, 1, 2, 0, 1, 2, -1]
    assert runs["run_ms"][:3] == [2.5] * 3 and runs["tasks"][:4] == [30, 30, 30, -1]
    assert runs["region_ms"][:6] == [4.0] * 3 + [8.0] * 3 and np.isnan(runs["region_ms"][6])
    assert runs["complaint"][6] == "the kernel aborted"


def test_a_result_that_differs_from_gcc_is_wrong(run_script, folder):
    runs = measure(run_script, folder, "--case", "sw 4 8", "--arm", "gcc", "juggler")
    assert runs["status"] == ["ok"] * 3 + ["wrong"] * 3
    assert runs["verified"] == ["yes"] * 3 + ["no"] * 3


def test_offload_without_a_device_is_a_failure(run_script, folder):
    (folder / "offloads.nvptx").write_text("#!/bin/bash\nexit 1\n")
    runs = measure(run_script, folder, "--case", "lud 4 16", "--arm", "nvptx")
    assert (runs["status"], runs["complaint"]) == (["failed"], ["no device for offload"])


def test_other_files_are_refused_in_a_line(run_script, tmp_path):
    (tmp_path / "raw.jsonl").write_text(json.dumps({"arm": "gcc"}) + "\n")
    done = run_script(STORE, tmp_path / "raw.jsonl", "--output", tmp_path / "r.h5")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "expected lines of openmp_run.py" in done.stderr
    assert not (tmp_path / "r.h5").exists()


def fake_gpu(monkeypatch, folder, answer):
    write_program(folder / "nvidia-smi", f"#!/bin/bash\necho '{answer}'\n")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def raw_runs(run_script, folder, name):
    raw = folder.parent / name
    counts = ["--repeat", 1, "--warmup", 0, "--processes", 1, "--output", raw]
    done = run_script(RUN, "--folder", folder, "--case", "lud 4 16", "--arm", "gcc", *counts)
    assert done.returncode == 0, done.stderr
    return raw


def stored_meta(path):
    with h5py.File(path) as file:
        return {name: str(plain(value)) for name, value in file["meta"].attrs.items()}


def test_commit_date_and_machine_are_those_of_the_runs(run_script, folder, monkeypatch):
    fake_gpu(monkeypatch, folder, "Fake 1, 580.1")
    raw, output = raw_runs(run_script, folder, "raw.jsonl"), folder.parent / "r.h5"
    told = json.loads(raw.read_text().splitlines()[0])["meta"]
    assert told["logical_cores"] == str(os.cpu_count()) and told["cpu"]
    # The runs were measured earlier, on another machine.
    elsewhere = {"cpu": "Other CPU", "host": "other", "date": "2020-01-02T03:04:05Z"}
    lines = raw.read_text().splitlines()[1:]
    raw.write_text("\n".join([json.dumps({"meta": told | elsewhere}), *lines]))
    stored = run_script(STORE, raw, "--output", output)
    assert stored.returncode == 0, stored.stderr
    meta = stored_meta(output)
    assert meta.items() >= (BUILT | elsewhere | {"gpu": "Fake 1", "driver": "580.1"}).items()
    assert "openmp_run.py" in meta["runs"] and "openmp_peer.py" in meta["argv"]
    assert meta["stored_date"] > elsewhere["date"] and meta["schema_version"] == "2"


@pytest.mark.parametrize(
    ("how", "name"), [("one file", "cpu"), ("two files", "commit"), ("append", "gpu")]
)
def test_runs_of_two_commits_or_machines_are_refused(run_script, folder, name, how):
    raw, output = raw_runs(run_script, folder, "raw.jsonl"), folder.parent / "r.h5"
    first, *rest = raw.read_text().splitlines()
    meta = json.loads(first)["meta"] | {name: "another"}
    other = folder.parent / "other.jsonl"
    other.write_text("\n".join([json.dumps({"meta": meta}), *rest]) + "\n")
    if how == "one file":
        raw.write_text(raw.read_text() + other.read_text())
        done = run_script(STORE, raw, "--output", output)
    elif how == "two files":
        done = run_script(STORE, raw, other, "--output", output)
    else:
        assert run_script(STORE, raw, "--output", output).returncode == 0
        assert run_script(STORE, raw, "--output", output, "--append").returncode == 0
        done = run_script(STORE, other, "--output", output, "--append")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert name in done.stderr and '"another"' in done.stderr


def test_runs_and_programs_that_do_not_say_their_origin_are_refused(run_script, folder):
    raw, output = raw_runs(run_script, folder, "raw.jsonl"), folder.parent / "r.h5"
    raw.write_text("\n".join(raw.read_text().splitlines()[1:]) + "\n")
    done = run_script(STORE, raw, "--output", output)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "commit and machine" in done.stderr and not output.exists()
    (folder / "built.json").unlink()
    done = run_script(RUN, "--folder", folder, "--case", "lud 4 16", "--output", raw)
    assert done.returncode == 1 and "built.json" in done.stderr


def test_one_run_without_warm_up_makes_a_table(run_script, folder):
    raw, output = raw_runs(run_script, folder, "raw.jsonl"), folder.parent / "r.h5"
    assert run_script(STORE, raw, "--output", output).returncode == 0
    [lud] = lines_of(texts_of(output)["openmp"])
    assert lud == ["`lud 4 16`", "–", "8", "–"]


def test_a_build_says_its_commit_and_deletes_programs_of_others(folder, tmp_path):
    """The compilers are stand-ins that make empty programs; no package can be installed."""
    tools, built = tmp_path / "tools", tmp_path / "built"
    for name in ("gcc-12", "apt-get", "ldd"):
        write_program(
            tools / name,
            "#!/bin/bash\n[ $1 = --version ] && echo fake 1 && exit\n"
            'while [ $# -gt 0 ]; do [ "$1" = -o ] && touch "$2"; shift; done\n'
            f"exit {int(name == 'apt-get')}\n",
        )
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    environment["GRIDLOOM_BIN_DIR"] = str(tmp_path / "none")

    def build(*names):
        words = ["bash", ROOT / "scripts/peers/openmp_build", built, *names]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads((built / "built.json").read_text())

    made_of = build("lud")
    assert made_of.keys() == BUILT.keys()
    assert made_of["gcc"] == "fake 1" and made_of["juggler_cc"] == "none"
    build("sw")
    assert (built / "lud.gcc").exists() and (built / "sw.gcc").exists()
    (built / "built.json").write_text(json.dumps(made_of | {"commit": "another"}))
    assert build("sw") == made_of
    assert (built / "sw.gcc").exists() and not (built / "lud.gcc").exists()


def lines_of(text):
    """The cells of each row of a table, without its head."""
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.split("\n")[2:]]


def test_tables_have_a_row_a_case_and_say_how_arms_ended(run_script, folder):
    measure(run_script, folder, "--case", "lud 4 16", "sw 4 8", "--threads", 64)
    texts = texts_of(folder.parent / "results.h5")
    lud, sw = lines_of(texts["openmp"])
    assert lud == ["`lud 4 16`", "30", "4", "8", "failed", "2 ×"]
    assert sw[2:] == ["wrong", "4", "failed", "–"]
    assert "openmp-kernels" not in texts


def test_settings_of_blocks_are_handed_on_and_stored(run_script, folder):
    arguments = ["--case", "heat 4 8 3", "--arm", "gcc", "--workers", 6, "--threads", 64]
    runs = measure(run_script, folder, *arguments)
    assert runs["region_ms"] == [6.0] * 3
    assert (runs["workers"], runs["threads"]) == ([6] * 3, [64] * 3)
