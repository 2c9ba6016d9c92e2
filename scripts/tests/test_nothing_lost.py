"""Programs and scripts with colliding names of files, signals and full disks.

common/files/tests and common/bench/tests test what the programs share, and test_files.py what the
scripts share."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys

import h5py
import numpy as np
import pytest

from conftest import ROOT
from gridloom_datasets.errors import InputError
from program_under_test import find_program, run_program, snapshot

RUN = ["--workers", "2", "--repeat", "1", "--warmup", "0", "--no-floors", "--quiet"]
FIGURE = "scripts/plots/thesis_mhive/fig8_1.py"
WAVEFRONT = ["--rows", "8", "--cols", "8", "--algorithm", "ticket_queue", *RUN, "--backend", "host"]


@pytest.fixture
def wavefront(tmp_path):
    program = find_program("wavefront")
    return lambda *more: run_program(program, *WAVEFRONT, *more, cwd=tmp_path)


@pytest.fixture
def matrix(tmp_path):
    program = find_program("gridloom-matrix")
    return lambda *arguments: run_program(program, *arguments, cwd=tmp_path)


def small_files(kibibytes=4):
    """In a child: limits file sizes, which acts like a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (kibibytes * 1024, kibibytes * 1024))


def run_small(program, *arguments, cwd, kibibytes=4):
    return subprocess.run(
        [program, *map(str, arguments)], preexec_fn=lambda: small_files(kibibytes),
        capture_output=True, text=True, cwd=cwd, timeout=900,
    )  # fmt: skip


def one_line(done, code, words):
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.count("\n") == 1 and words in done.stderr, done.stderr


# --- two writers ---------------------------------------------------------------------------------


def test_programs_and_scripts_take_the_same_lock(tmp_path, wavefront):
    from gridloom_datasets.files import locked

    assert wavefront("--output", "r.h5").returncode == 0
    before = (tmp_path / "r.h5").read_bytes()
    with locked(tmp_path / "r.h5"):
        done = wavefront("--output", "r.h5", "--append", "--timeout-s", "0.5")
    assert done.returncode == 2, done.stderr
    waiting, given_up = done.stderr.splitlines()
    assert "r.h5: another program adds to it, waiting" in waiting
    assert "r.h5: expected it to be free within --timeout-s 0.5" in given_up
    assert (tmp_path / "r.h5").read_bytes() == before


# --- one file by two names -----------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--bandwidth", "--speeds", "--latency"])
@pytest.mark.parametrize("output", ["--output", "--schedule"])
def test_pets_writes_over_none_of_its_inputs(tmp_path, option, output):
    name = "in.csv" if output == "--schedule" else "in.h5"
    (tmp_path / name).write_text("1 2\n" if option == "--speeds" else "0 2\n2 0\n")
    (tmp_path / "g").write_text("a graph, which is not looked at")
    before = snapshot(tmp_path)
    done = run_program(find_program("pets"), "--dag", "g", option, name, output, name, cwd=tmp_path)
    one_line(done, 2, f"{output}: expected another file than {option}, got")
    assert snapshot(tmp_path) == before


# Command lines whose output would replace an input; the test makes the files that they name.
OVER = [
    "rcm_scipy.py --matrix m.h5 --output m.h5",
    "rcm_scipy.py --matrix link.h5 --output m.h5",
    "rcm_scipy.py --matrix m.h5.lock --output m.h5 --append",
    "rcm_patterns.py --names a --output m.h5 m.h5 order.txt",
    "rcm_patterns.py --names a --output order.txt m.h5 order.txt",
    "peers/rcm_peer.py --program PEER --matrix m.h5 --output m.h5",
    "profile --output n.csv --csv n.csv --name a --kernel a",
    "profile --output n.h5 --keep-csv n.h5 --name a --kernel a --ncu true -- true",
    "plots/thesis_mhive/fig8_1.py mhive_fig8_1.png --output-dir .",
    "plots/thesis_mhive/fig8_1.py m.h5 mhive_fig8_1.svg --output-dir .",
    "plots/wavefront/fig3a.py wavefront_fig3a.svg --output-dir .",
]


@pytest.mark.parametrize("line", OVER)
def test_no_script_writes_over_what_it_reads(tmp_path, run_script, matrix, results, line):
    assert matrix("generate", "path:n=3", "m.h5").returncode == 0
    (tmp_path / "order.txt").write_text("0\n2\n1\n")
    (tmp_path / "n.csv").write_text("a page of ncu")
    (tmp_path / "link.h5").symlink_to("m.h5")
    for name in ("mhive_fig8_1.png", "m.h5.lock"):
        shutil.copy(tmp_path / "m.h5", tmp_path / name)
    shutil.copy(tmp_path / "order.txt", tmp_path / "mhive_fig8_1.svg")
    shutil.copy(results, tmp_path / "wavefront_fig3a.svg")
    peer = tmp_path / "peer"
    peer.write_text(
        f'#!/bin/sh\nexec {sys.executable} {ROOT}/scripts/tests/fake_rcm_peer.py "$@"\n'
    )
    peer.chmod(0o755)
    before = snapshot(tmp_path)
    script, *arguments = line.replace("PEER", str(peer)).split()
    done = run_script(f"scripts/{script}", *arguments, cwd=tmp_path)
    one_line(done, 2, "expected another file than ")
    assert snapshot(tmp_path) == before


def test_a_lock_takes_no_file_of_others(tmp_path, wavefront):
    """Only an empty file counts as a lock that was left over."""
    from gridloom_datasets.files import locked

    assert wavefront("--output", "r.h5").returncode == 0
    more = ("--output", "r.h5", "--append")
    for trace in ("r.h5.lock", "./r.h5.lock"):
        done = wavefront(*more, "--trace", trace)
        one_line(done, 2, "--trace: expected another file than the lock file of --output")
    words = "r.h5: expected no other file with the name of its lock, "
    lock = tmp_path / "r.h5.lock"
    for make in (
        lambda: lock.write_text("mine"),
        lambda: os.mkfifo(lock),
        lambda: lock.mkdir(),
        lambda: lock.symlink_to("r.h5"),
    ):
        make()
        before = snapshot(tmp_path) if lock.is_file() else None
        one_line(wavefront(*more), 2, words)
        with pytest.raises(InputError, match=words), locked(tmp_path / "r.h5"):
            pass
        assert lock.is_symlink() or lock.exists()
        assert before is None or snapshot(tmp_path) == before
        lock.rmdir() if lock.is_dir() else lock.unlink()
    lock.touch()  # left by a process that was killed
    assert wavefront(*more).returncode == 0
    assert not lock.exists()


# --- half files ----------------------------------------------------------------------------------


# Runs whose second file is too large for the limit: (program, options that end with that file)
LARGE = [
    ("wavefront", ["--rows", "500", "--cols", "500", *WAVEFRONT[4:], "--trace", "other"]),
    ("mhive-jacobi", ["--generate", "poisson2d:nx=200", "--method", "stream", "--max-iterations",
                      "2", *RUN[2:], "--solution", "other"]),
]  # fmt: skip


@pytest.mark.parametrize("name, options", LARGE, ids=[name for name, _ in LARGE])
def test_of_two_files_of_a_run_both_are_there_or_neither(tmp_path, name, options):
    program, other = find_program(name), options[-1]
    options = [*options, "--output", "r.h5"]
    one_line(run_small(program, *options, cwd=tmp_path, kibibytes=256), 1, f"{other}: cannot write")
    assert list(tmp_path.iterdir()) == []
    done = run_program(program, *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    before = snapshot(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(["r.h5", other])
    assert (tmp_path / "r.h5").stat().st_size < 256 * 1024 < (tmp_path / other).stat().st_size
    for more in ([], ["--append"]):
        done = run_small(program, *options, *more, cwd=tmp_path, kibibytes=256)
        one_line(done, 1, f"{other}: cannot write: File too large")
        assert snapshot(tmp_path) == before


def test_an_order_that_does_not_fit_leaves_no_matrix(tmp_path, matrix):
    assert matrix("generate", "path:n=20000", "p.h5").returncode == 0
    program = find_program("gridloom-matrix")
    words = ["permute", "p.h5", "o.h5", "--by", "reverse", "--order-out", "order.txt"]
    assert matrix(*words).returncode == 0
    assert (tmp_path / "o.h5").stat().st_size > (tmp_path / "order.txt").stat().st_size
    before = snapshot(tmp_path)
    one_line(run_small(program, *words, cwd=tmp_path), 1, "o.h5: cannot write: File too large")
    (tmp_path / "order.txt").unlink()
    (tmp_path / "order.txt").symlink_to("/proc/order.txt")  # no file can be made in /proc
    one_line(matrix(*words), 2, "order.txt")
    assert snapshot(tmp_path)["o.h5"] == before["o.h5"]


def test_of_a_figure_both_files_are_there_or_neither(tmp_path, run_script, matrix):
    assert matrix("generate", "path:n=9", "m.h5").returncode == 0
    (tmp_path / "figures/mhive_fig8_1.svg").mkdir(parents=True)
    done = run_script(FIGURE, "m.h5", cwd=tmp_path)
    one_line(done, 2, "cannot be written")
    assert os.listdir(tmp_path / "figures") == ["mhive_fig8_1.svg"]


def test_an_import_onto_a_full_disk_is_one_line(tmp_path):
    head = "%%MatrixMarket matrix coordinate pattern general\n2000 2000 2000\n"
    (tmp_path / "m.mtx").write_text(head + "".join(f"{k} {k}\n" for k in range(1, 2001)))
    with open(tmp_path / "g_edges.csv", "w") as edges, open(tmp_path / "g_costs.csv", "w") as costs:
        edges.write("source,target,weight\n")
        edges.writelines(f"t{k},t{k + 1},{k}\n" for k in range(2000))
        costs.write("task,p\n")
        costs.writelines(f"t{k},{k}\n" for k in range(2001))
    before = snapshot(tmp_path)
    for source in ("g_edges.csv", "m.mtx"):
        script = [sys.executable, ROOT / "scripts/datasets", "import", source, "out.h5"]
        done = run_small(*script, cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        assert done.stderr == "datasets: out.h5: cannot write: File too large\n"
        assert snapshot(tmp_path) == before


# --- what is no regular file ---------------------------------------------------------------------


def test_pipes_and_devices_do_not_hang(tmp_path, run_script):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "g_edges.csv").write_text("source,target,weight\na,b,1\n")
    jacobi = [find_program("mhive-jacobi"), "--generate", "poisson2d:nx=4", *RUN[2:], "--rhs"]
    profile = ["--output", "o.h5", "--name", "a", "--kernel", "a", "--csv"]
    for what, kind in (("pipe", "a pipe"), ("/dev/zero", "a device"), (".", "a folder")):
        words = f"{what}: expected a regular file, got {kind}"
        one_line(run_program(*jacobi, what, cwd=tmp_path), 2, words)
        one_line(run_script("scripts/datasets", "import", "g_edges.csv", "o.h5", "--option",
                            f"costs={what}", cwd=tmp_path), 2, words)  # fmt: skip
        one_line(run_script("scripts/profile", *profile, what, cwd=tmp_path), 2, words)
        kind = f"expected a regular file, got {kind}"
        one_line(run_script(FIGURE, what, cwd=tmp_path), 2, kind)


@pytest.mark.parametrize("how", ["values", "virtual"])
def test_hdf5_files_take_nothing_from_others(tmp_path, run_script, matrix, how):
    """The other file might be a pipe. Links: test_hdf5.py."""
    os.mkfifo(tmp_path / "pipe")
    assert matrix("generate", "path:n=3", "m.h5").returncode == 0
    with h5py.File(tmp_path / "m.h5", "r+") as file:
        columns = file["matrix/columns"][...]
        del file["matrix/columns"]
        if how == "values":
            place = [(str(tmp_path / "pipe"), 0, columns.nbytes)]
            file["matrix"].create_dataset("columns", columns.shape, "<u4", external=place)
        else:
            layout = h5py.VirtualLayout(columns.shape, "<u4")
            layout[:] = h5py.VirtualSource("pipe", "x", columns.shape)
            file["matrix"].create_virtual_dataset("columns", layout)
    done = run_script(FIGURE, "m.h5", cwd=tmp_path)
    one_line(done, 2, "/matrix/columns: expected ")


def test_an_empty_output_and_a_folder_that_takes_none_are_refused(tmp_path, run_script):
    (tmp_path / "g_edges.csv").write_text("source,target,weight\na,b,1\n")
    (tmp_path / "l.h5").symlink_to("/proc/l.h5")
    before = snapshot(tmp_path)
    empty = ["import", "g_edges.csv", "", "--force"]
    one_line(run_script("scripts/datasets", *empty, cwd=tmp_path), 2, "OUT: expected a file name")
    assert snapshot(tmp_path) == before


# --- the terminal --------------------------------------------------------------------------------


def test_control_characters_of_names_are_escaped(tmp_path, wavefront, matrix, run_script):
    name = "a\x1b[2J\nb"
    with h5py.File(tmp_path / f"{name}.h5", "w") as file:
        graph = file.create_group("graph")
        graph.attrs["kind"] = "dag"
        graph.attrs["n"] = np.uint64(2)
        graph["row_offsets"] = np.array([0, 1, 1], dtype=np.uint64)
        graph["columns"] = np.array([7], dtype=np.uint32)
    shown = "a\\x1b[2J\\nb"
    command = [find_program("wavefront"), "--graph", f"{name}.h5", *RUN, "--algorithm", "scanning"]
    for done in (
        run_program(*command, cwd=tmp_path),
        wavefront("--output", f"{name}/x.h5"),
        wavefront(f"--{name}"),
        matrix("info", f"{name}.h5"),
        matrix("info", f"{name}.mtx"),
        matrix(name),
        run_script(FIGURE, f"{name}.h5", cwd=tmp_path),
        run_script("scripts/datasets", "import", f"{name}.stg", cwd=tmp_path),
    ):
        one_line(done, 2, shown if "plots" not in str(done.args) else "a\\x1b[2J")
        assert "\x1b" not in done.stderr + done.stdout


def test_no_option_is_given_twice(tmp_path, matrix, run_script):
    twice = ("--source", "here", "--source", "there")
    one_line(matrix("convert", "a.mtx", "b.h5", *twice), 2, "more than once")
    for script, words in {
        "scripts/plots/wavefront/fig3a.py": ["m.h5", "--output-dir", "a", "--output-dir=b"],
        "scripts/datasets": ["import", "m.mtx", "--as", "mtx", "--as", "metis"],
    }.items():
        one_line(run_script(script, *words, cwd=tmp_path), 2, "given more than once")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_is_no_name(matrix):
    assert matrix("generate", "path:n=4", "m.h5").returncode == 0
    for option in ("--order-out", "--order", "--generate"):
        words = ["permute", "m.h5", "o.h5", "--by", "reverse", option, ""]
        one_line(matrix(*words), 2, f"{option}: expected a name, got an empty one")


def test_the_table_shows_the_depth(tmp_path):
    program = find_program("wavefront")
    size = ["--rows", "3", "--cols", "4", "--depth", "5"]
    done = run_program(program, *size, "--algorithm", "ticket_queue", *RUN, cwd=tmp_path)
    assert done.returncode == 0 and "3 x 4 x 5" in done.stdout, done.stderr
    done = run_program(program, *WAVEFRONT, cwd=tmp_path)
    assert re.search(r"8 x 8 (?! *x)", done.stdout)
