"""OpenMP programs of several compilers: what they say becomes a results file."""

import json

import h5py
import numpy as np
import pytest

from gridloom.juggler.openmp import texts_of
from gridloom_datasets.hdf5_text import is_text, plain, read_texts
from juggler_rows import run as juggler_run
from juggler_rows import write as write_rows

RUN, STORE = "scripts/peers/openmp_run.py", "scripts/peers/openmp_peer.py"
REPORT = "juggler: lud.c:1: 30 tasks, 54 edges, inspection 0.5 ms, graph 0.25 ms, run 2.5 ms"


@pytest.fixture
def folder(tmp_path):
    """Programs that say what theirs would, as often as their last argument asks."""

    def program(name, result, *lines, last="true"):
        said = "\n".join(f'  echo "{line}" >&2' for line in lines)
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f"#!/bin/bash\nfor ((k = 0; k < ${{@: -1}}; k++)); do\n{said or '  :'}\ndone\n"
            f'echo "{result}"\n{last}\n'
        )
        path.chmod(0o755)

    program("lud.juggler", "1.00000000001 2", REPORT, "region: 4.0 ms")
    program("lud.gcc", "1 2", "region: 8.0 ms")
    program("lud.nvptx", "1 2", "region: 9.0 ms", last="echo the kernel aborted >&2; exit 1")
    program("offloads.nvptx", "")
    program("sw.juggler", "7", "region: 4.0 ms")
    program("sw.gcc", "8", "region: 4.0 ms")
    program("heat.juggler", "3", REPORT, "region: 4.0 ms")
    program("heat.gcc", "3", "region: $JUGGLER_WORKERS ms")
    return tmp_path / "bin"


def measure(run_script, folder, *arguments):
    raw, output = folder.parent / "raw.jsonl", folder.parent / "results.h5"
    counts = ["--repeat", 3, "--warmup", 1, "--processes", 1, "--output", raw]
    done = run_script(RUN, "--folder", folder, *arguments, *counts)
    assert done.returncode == 0, done.stderr
    stored = run_script(STORE, raw, "--output", output, "--gpu", "Fake 1")
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


def test_a_result_that_is_not_gccs_is_wrong(run_script, folder):
    runs = measure(run_script, folder, "--case", "sw 4 8", "--arm", "gcc", "juggler")
    assert runs["status"] == ["ok"] * 3 + ["wrong"] * 3
    assert runs["verified"] == ["yes"] * 3 + ["no"] * 3


def test_offload_that_would_run_on_the_host_is_none(run_script, folder):
    (folder / "offloads.nvptx").write_text("#!/bin/bash\nexit 1\n")
    runs = measure(run_script, folder, "--case", "lud 4 16", "--arm", "nvptx")
    assert (runs["status"], runs["complaint"]) == (["failed"], ["no device for offload"])


def test_other_files_are_refused_in_a_line(run_script, tmp_path):
    (tmp_path / "raw.jsonl").write_text(json.dumps({"arm": "gcc"}) + "\n")
    done = run_script(STORE, tmp_path / "raw.jsonl", "--output", tmp_path / "r.h5")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "expected lines of openmp_run.py" in done.stderr
    assert not (tmp_path / "r.h5").exists()


def lines_of(text):
    """Cells of the rows behind the heads."""
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.split("\n")[2:]]


def test_tables_have_a_row_a_case_and_say_how_arms_ended(run_script, folder):
    measure(run_script, folder, "--case", "lud 4 16", "sw 4 8", "--threads", 64)
    texts = texts_of(folder.parent / "results.h5")
    lud, sw = lines_of(texts["openmp"])
    assert lud == ["`lud 4 16`", "30", "4 [4, 4]", "8 [8, 8]", "failed", "2 [2, 2] ×"]
    assert sw[2:] == ["wrong", "4 [4, 4]", "failed", "–"]
    assert texts["openmp-lu"] == "–"  # that case was not run
    assert "openmp-kernels" not in texts


def test_settings_of_blocks_are_handed_on_and_stored(run_script, folder):
    arguments = ["--case", "heat 4 8 3", "--arm", "gcc", "--workers", 6, "--threads", 64]
    runs = measure(run_script, folder, *arguments)
    assert runs["region_ms"] == [6.0] * 3
    assert (runs["workers"], runs["threads"]) == ([6] * 3, [64] * 3)


def test_translated_kernels_stand_beside_those_of_the_hand_written_program(run_script, folder):
    measure(run_script, folder, "--case", "lud 4 16", "heat 4 8 3")
    own = {"method": "lts", "kernels": "loops", "elapsed_ms": 2.0}
    rows = [
        juggler_run(app="lud", rows=64, cols=64, tile=16, **own),
        juggler_run(app="heat", rows=32, cols=32, tile=8, steps=2, **own),  # other steps
        juggler_run(app="lud", rows=64, cols=64, tile=16, **own | {"kernels": "own"}),
    ]
    write_rows(folder.parent / "results-loops.h5", rows=rows)
    [line] = lines_of(texts_of(folder.parent / "results.h5")["openmp-kernels"])
    assert line == ["LU-D", "`lud 4 16`", "2.5 [2.5, 2.5]", "2 [2, 2]", "1.25 [1.25, 1.25] ×"]
