"""scripts/profile: what is stored of a page of ncu, how ncu is run, and what is refused."""

import itertools
import math
import time
from pathlib import Path

import h5py
import pytest

from gridloom import profiles
from gridloom_datasets.hdf5_text import attributes_of, plain
from ncu_sample import COUNTERS, SAMPLES, SEARCH, SWEEP, VALUES, fake_ncu, lines_of, write_page
from program_under_test import columns_of, snapshot, write_program

SCRIPT = "scripts/profile"
L2 = ["l2_reads", "l2_read_misses", "l2_writes", "l2_write_misses"]


@pytest.fixture
def profile(tmp_path, run_script):
    """Runs the script on r.h5 in the folder of the test."""

    def run(*arguments, name="rcm-small", kernel="level_search"):
        own = {"--output": "r.h5", "--name": name, "--kernel": kernel}
        left = [word for pair in own.items() if pair[0] not in arguments for word in pair]
        return run_script(SCRIPT, *left, *arguments, cwd=tmp_path)

    return run


@pytest.fixture
def page(tmp_path):
    return write_page(tmp_path / "page.csv")


def refused(done, words, code=2):
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("profile: ") and done.stderr.count("\n") == 1
    assert words in done.stderr and done.stdout == ""


# --- what is stored -----------------------------------------------------------------------------


def test_a_launch_is_a_row_with_units_and_missing_metrics_are_named(tmp_path, profile, page):
    done = profile("--csv", page, "--gpu", "NVIDIA H200")
    assert done.returncode == 0, done.stderr
    assert "not in ncu's output: smsp__issue_active.avg" in done.stderr
    assert done.stdout == f"rcm-small: {SEARCH}, 1250 us under ncu\n"
    with h5py.File(tmp_path / "r.h5") as file:
        meta, runs = attributes_of(file["meta"]), file["runs"]
        assert plain(runs.attrs["columns"]).split("\n")[-1] == "process"
        assert plain(runs["time_us"].attrs["unit"]) == "us"
        assert "lts__t_sectors.sum" in plain(runs["l2_sectors"].attrs["description"])
    assert meta["program"] == "profile" and meta["gpu"] == "NVIDIA H200"
    assert meta["schema_version"] == "2" and "--csv" in meta["argv"]
    found = {name: values[0] for name, values in columns_of(tmp_path / "r.h5", "runs").items()}
    for unknown in ("issue_percent", *L2):
        assert math.isnan(found.pop(unknown)), unknown
    assert found == {
        "name": "rcm-small", "kernel": SEARCH, "pattern": "level_search", "launch": 0,
        "backend": "cuda", "blocks": 264, "threads": 256, "time_us": 1250, "dram_percent": 12.5,
        "l2_percent": 33.25, "sm_percent": 7.75, "occupancy_percent": 50,
        "instructions": 123_456_789, "dram_read_bytes": 4096, "dram_write_bytes": 1024,
        "l2_sectors": 640, "registers": 64, "shared_bytes": 2048, "status": "ok", "process": 0,
    }  # fmt: skip
    stalls = columns_of(tmp_path / "r.h5", "stalls")
    amounts = dict(zip(stalls["state"], stalls["amount"], strict=True))
    assert amounts == {
        "barrier": 600, "long_scoreboard": 200, "membar": 100, "wait": 40, "sleeping": 10,
        "selected": 50,
    }  # fmt: skip
    assert set(stalls["measure"]) == {"samples"} and set(stalls["launch"]) == {0}


def test_scaled_units_are_taken_back(tmp_path, profile):
    scaled = {
        "gpu__time_duration.sum": ("ms", "1.5", ""),
        "dram__bytes_read.sum": ("Mbyte", "2.5", ""),
        "launch__shared_mem_per_block": ("Kbyte/block", "32.77", ""),
        "lts__t_sectors.sum": ("Ksector", "3", ""),
    }
    page = write_page(tmp_path / "page.csv", VALUES | scaled, kernels=[SEARCH])
    assert profile("--csv", page).returncode == 0
    runs = columns_of(tmp_path / "r.h5", "runs")
    found = [runs[n][0] for n in ("time_us", "dram_read_bytes", "shared_bytes", "l2_sectors")]
    assert found == pytest.approx([1500, 2.5e6, 32770, 3000])


def test_counters_stand_in_where_there_are_no_samples(tmp_path, profile):
    values = {n: v for n, v in VALUES.items() if not n.startswith(SAMPLES)}
    values[f"{SAMPLES}barrier"] = ("warp", "0", "0")
    values[COUNTERS.format("barrier")] = ("inst", "2.5", "1")
    values[COUNTERS.format("no_instruction")] = ("inst", "0.5", "1")
    page = write_page(tmp_path / "page.csv", values)
    assert profile("--csv", page).returncode == 0
    stalls = columns_of(tmp_path / "r.h5", "stalls")
    assert list(stalls["state"]) == ["barrier", "no_instructions"]
    assert list(stalls["amount"]) == [2.5, 0.5] and set(stalls["measure"]) == {"counters"}


def test_a_page_without_metrics_is_a_row_without_numbers(tmp_path, profile):
    values = {"dram__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "n/a", "1")}
    page = write_page(tmp_path / "page.csv", values, kernels=[SEARCH])
    done = profile("--csv", page)
    assert done.returncode == 0 and "dram__bytes_read.sum" in done.stderr
    assert "states of warps" in done.stderr
    row = profiles.texts_of(tmp_path / "r.h5")["profiles-rcm"].splitlines()[-1]
    assert row == "| `rcm-small` | `level_search` | – | 1 | – | – | – | – | – |"


def test_the_l2_alone_is_asked_for_and_nothing_else_is_missed(tmp_path, profile):
    own = {
        "lts__t_sectors_op_read.sum": ("sector", "100", "1"),
        "lts__t_sectors_op_read_lookup_miss.sum": ("sector", "40", "1"),
        "lts__t_sectors_op_write.sum": ("Ksector", "2", "1"),
        "lts__t_sectors_op_write_lookup_miss.sum": ("sector", "5", "1"),
    }
    names = ["gpu__time_duration.sum", "lts__t_sectors.sum", "launch__registers_per_thread"]
    names.append("launch__shared_mem_per_block")
    write_page(tmp_path / "page.csv", {n: VALUES[n] for n in names} | own, kernels=[SEARCH])
    ncu = fake_ncu(tmp_path)
    done = profile("--counters", "l2", "--ncu", ncu, "--", "true")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert [runs[name][0] for name in L2] == [100, 40, 2000, 5]
    assert math.isnan(runs["dram_percent"][0])
    asked = (tmp_path / "arguments").read_text().splitlines()
    assert set(asked[asked.index("--metrics") + 1].split(",")) == {*names, *own}
    done = profile("--csv", tmp_path / "page.csv", name="other")
    assert "dram__throughput" in done.stderr and "states of warps" in done.stderr


def test_launches_are_chosen_and_numbered(tmp_path, profile):
    page = write_page(tmp_path / "page.csv", kernels=[SEARCH, SWEEP, SEARCH, SEARCH])
    assert profile("--csv", page, "--skip", 1, "--count", 1).returncode == 0
    assert list(columns_of(tmp_path / "r.h5", "runs")["launch"]) == [1]
    assert profile("--csv", page, kernel="mhive::").returncode == 0
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert list(runs["launch"]) == [0, 1, 2, 3] and list(runs["kernel"]).count(SWEEP) == 1


def test_append_extends_and_a_profile_is_not_there_twice(tmp_path, profile, page):
    for name in ("rcm-small", "rcm-large"):
        assert profile("--csv", page, "--append", name=name).returncode == 0
    assert list(columns_of(tmp_path / "r.h5", "runs")["process"]) == [0, 1]
    assert set(columns_of(tmp_path / "r.h5", "stalls")["name"]) == {"rcm-small", "rcm-large"}
    before = snapshot(tmp_path)
    refused(profile("--csv", page, "--append"), "has rcm-small of that kernel already")
    refused(profile("--csv", page, "--append", "--gpu", "other", name="x"), 'gpu is "unknown"')
    assert snapshot(tmp_path) == before


# --- running ncu --------------------------------------------------------------------------------


def test_ncu_runs_the_program_and_is_asked_for_one_pass_of_samples(tmp_path, profile):
    write_page(tmp_path / "page.csv", kernels=[SEARCH])
    ncu = fake_ncu(tmp_path)
    done = profile("--ncu", ncu, "--skip", 3, "--", "sh", "-c", "echo --append; exit 0")
    assert done.returncode == 0, done.stderr
    assert "--append\n" in done.stderr and "--append" not in done.stdout
    words = (tmp_path / "arguments").read_text().splitlines()
    options = dict(itertools.pairwise(words))
    expected = {
        "--clock-control": "none", "--replay-mode": "kernel", "--kernel-name-base": "demangled",
        "--kernel-name": "regex:level_search", "--launch-skip": "3", "--launch-count": "1",
        "--page": "raw", "--print-units": "base",
    }  # fmt: skip
    assert expected.items() <= options.items() and "--csv" in words
    assert "group:smsp__pcsamp_warp_stall_reasons" in options["--metrics"].split(",")
    assert words[-3:] == ["sh", "-c", "echo --append; exit 0"]
    with h5py.File(tmp_path / "r.h5") as file:
        meta = attributes_of(file["meta"])
    assert meta["ncu"] == "2025.3.1.0" and meta["replay_mode"] == "kernel"
    assert meta["profiled"] == "sh -c 'echo --append; exit 0'"
    assert list(columns_of(tmp_path / "r.h5", "runs")["launch"]) == [3]


def test_the_commit_is_that_of_the_program(tmp_path, profile):
    write_page(tmp_path / "page.csv", kernels=[SEARCH])
    program = tmp_path / "program"
    write_program(program, "#!/bin/sh\necho 'program 0.1.0 (commit 12ab, changed)'\n")
    assert profile("--ncu", fake_ncu(tmp_path), "--", program, "--skip", 9).returncode == 0
    with h5py.File(tmp_path / "r.h5") as file:
        meta = attributes_of(file["meta"])
    assert (meta["commit"], meta["dirty"]) == ("12ab", "1")
    assert meta["profiled"] == "program --skip 9"


def test_a_metric_that_ncu_does_not_know_is_left_out(tmp_path, profile):
    known = {n: v for n, v in VALUES.items() if n != "dram__bytes_read.sum"}
    write_page(tmp_path / "page.csv", known, kernels=[SEARCH])
    body = """case $metrics in
    *dram__bytes_read*) echo '==ERROR== Failed to find metric dram__bytes_read.sum' > "$log"; exit 1
    esac
    cp {folder}/page.csv "$log" """
    done = profile("--ncu", fake_ncu(tmp_path, body), "--keep-csv", "kept.csv", "--", "true")
    assert done.returncode == 0, done.stderr
    assert "ncu does not know dram__bytes_read.sum; once more without" in done.stderr
    assert math.isnan(columns_of(tmp_path / "r.h5", "runs")["dram_read_bytes"][0])
    assert (tmp_path / "kept.csv").read_text() == (tmp_path / "page.csv").read_text()


FAILURES = {
    "no kernel": ("echo '==WARNING== No kernels were profiled.' > \"$log\"", 2, "none matches"),
    "no counters": ("echo '==ERROR== ERR_NVGPUCTRPERM' > \"$log\"; exit 1", 1, "ERR_NVGPUCTRPERM"),
    "the program failed": (
        "echo '==ERROR== The application returned an error code (1).' > \"$log\"; exit 1",
        1, "The application returned",
    ),
    "ncu failed": ("exit 9", 1, "exit code 9"),
    "ncu wrote nothing": ("exit 0", 1, "wrote no page"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "code", "words"), FAILURES.values(), ids=FAILURES)
def test_a_run_that_fails_stores_nothing(tmp_path, profile, body, code, words):
    refused(profile("--ncu", fake_ncu(tmp_path, body), "--", "true"), words, code)
    assert not (tmp_path / "r.h5").exists()


def test_a_program_that_hangs_is_ended(tmp_path, profile):
    """Its child processes are ended too."""
    ncu = fake_ncu(tmp_path, "sh -c 'echo $$ > {folder}/pid; exec sleep 7200' & wait")
    for limit in (1, 10, 100):  # on a busy machine the child may start late
        refused(profile("--ncu", ncu, "--timeout-s", limit, "--", "true"), f"within {limit} s", 1)
        if (tmp_path / "pid").exists():
            break
    pid = int((tmp_path / "pid").read_text())
    status = Path(f"/proc/{pid}/stat")
    for _ in range(900 * 20):
        if not status.exists() or ") Z " in status.read_text():
            return
        time.sleep(0.05)
    pytest.fail("the program still runs")


# --- what is refused ----------------------------------------------------------------------------


def changed(line, old, new):
    """The page with one line (counted from 1) changed."""
    lines = lines_of()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    return lines


PAGES = {
    "empty": ([], "p.csv: expected a CSV of ncu --page raw"),
    "no names": (lines_of()[4:], "p.csv: expected a CSV of ncu --page raw"),
    "no units": ([*lines_of()[:3], *lines_of()[4:]], "p.csv:4: expected the row of units"),
    "names alone": (lines_of()[:3], "p.csv:3: expected the row of units"),
    "no launches": (lines_of()[:4], "none matches"),
    "details": (changed(3, "gpu__time_duration.sum", "Metric Name"), "p.csv:3: expected the col"),
    "no kernel": (changed(3, "Kernel Name", "Name"), 'p.csv:3: expected the columns of ncu --page'),
    "a field less": (changed(5, ',"9.0"', ""), "p.csv:5: expected 30 fields, got 29"),
    "no CSV": (changed(5, '"7","mhive', '"7"x,"mhive'), "p.csv:5: expected a row of a CSV"),
    "no number": (changed(5, '"12.5"', '"much"'), 'p.csv:5: dram__throughput'),
    "a decimal comma": (changed(5, '"12.5"', '"12,5"'), 'such as 1,234.5, got "12,5"'),
    "a unit": (changed(4, '"byte/block"', '"mile"'), 'p.csv:5: launch__shared_mem_per_block: exp'),
    "a zero byte": (changed(5, "mhive", "mh\0ive"), "p.csv:5: expected text, got a zero byte"),
    "a size": (changed(5, "(132, 2, 1)", "132"), 'p.csv:5: expected a size such as (132, 1, 1)'),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "words"), PAGES.values(), ids=PAGES)
def test_an_invalid_page_is_refused_with_its_place(tmp_path, profile, lines, words):
    (tmp_path / "p.csv").write_text("".join(f"{line}\n" for line in lines))
    refused(profile("--csv", "p.csv"), words)
    assert not (tmp_path / "r.h5").exists()


BAD = {
    "neither": ([], "either -- PROGRAM or --csv"),
    "both": (["--csv", "page.csv", "--", "true"], "either -- PROGRAM or --csv"),
    "no ncu": (["--ncu", "no-ncu", "--", "true"], "no-ncu: expected a program"),
    "no program": (["--ncu", "true", "--", "./no-program"], "./no-program: expected a program"),
    "no page": (["--csv", "none.csv"], "none.csv: expected a readable file, got No such file"),
    "no launch": (["--csv", "page.csv", "--count", 0], "expected at least 1, got 0"),
    "beyond": (["--csv", "page.csv", "--skip", 5], "from launch 5 on"),
    "no regex": (["--csv", "page.csv", "--kernel", "("], "expected a regular expression"),
    "no kernel": (["--csv", "page.csv", "--kernel", "moon"], 'none matches "moon"'),
    "a name": (["--csv", "page.csv", "--name", "a b"], "--name: expected a-z, 0-9"),
    "no results": (["--csv", "page.csv", "--output", "page.csv", "--append"], "has no checksum"),
}


@pytest.mark.parametrize(("arguments", "words"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(tmp_path, profile, page, arguments, words):
    before = snapshot(tmp_path)
    refused(profile(*arguments), words)
    assert snapshot(tmp_path) == before
