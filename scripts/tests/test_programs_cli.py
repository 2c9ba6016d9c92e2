"""What all programs do in the same way: refuse bad options, append rows, stop at the time limit."""

import numpy as np
import pytest

from program_under_test import columns_of, find_program, run_program, snapshot

HOST = ["--backend", "host", "--quiet", "--no-floors"]
SMALL = {
    "wavefront": "--rows 12 --cols 17",
    "wavefront-sptrsv": "--generate poisson2d:nx=20,ny=9",
    "wavefront-sw": "--random-query 150 --random-target 200",
    "wavefront-kba": "--nx 11 --ny 9 --nz 5 --angles 3",
    "tiled-qr": "--rows 50 --tile 16",
    "tiled-tasks": "--rows 50 --tile 16",
    "mhive-dynamic": "--search small",
    "mhive-generic": "--instances 20",
    "mhive-jacobi": "--generate poisson2d:nx=17,ny=9",
    "mhive-rcm": "--generate poisson2d:nx=17,ny=9",
    "pets": "--generate v=20",
    "gridloom-schedulers": "--generate fft:width=6,steps=5",
    "gridloom-hand-off": "--tasks 100",
    "template_artifact": "--tiles 3",
}


@pytest.mark.parametrize("name", SMALL)
def test_bad_options_are_refused_in_one_line(name, tmp_path):
    program, small = find_program(name), SMALL[name].split()
    (tmp_path / "folder").mkdir()
    before = snapshot(tmp_path)
    for options, words in {
        "--rowz 3": "rowz",
        "--repeat 0": "--repeat",
        "--workers 5000": "--workers",
        "--append": "--append: expected --output",
        "--output missing/r.h5": "no folder",
        "--output folder": "--output",
        "--output /proc/r.h5": "--output",  # not even root can make a file there
        "--output /dev/full": "regular file",
    }.items():
        done = run_program(program, *HOST, *small, *options.split(), cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), (options, done.stderr)
        assert done.stderr.startswith(f"{name}: ") and done.stderr.count("\n") == 1, options
        assert words in done.stderr and snapshot(tmp_path) == before, (options, done.stderr)


@pytest.mark.parametrize("name", SMALL)
def test_rows_are_appended_and_say_that_they_are_not_verified(name, tmp_path):
    few = [*SMALL[name].split(), "--no-verify", "--repeat", 1, "--warmup", 0]
    for _ in range(2):
        done = run_program(
            find_program(name), *HOST, *few, "--output", "r.h5", "--append", cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert set(runs["verified"]) == {"off"}
    first, second = (list(runs["process"]).count(number) for number in (0, 1))
    assert first == second > 0 and first + second == len(runs["process"])


# (program, limit in s, options, how many arms at least say which workers wait)
TIMED = [
    ("wavefront", 0.05, "--algorithm serial,omp_tasks,omp_tiles --work-ns 1000000 --rows 100", 0),
    ("wavefront-sw", 0.01, "--random-query 20000 --random-target 20000 --method serial", 0),
    ("wavefront-kba", 0.01, "--nx 64 --ny 64 --nz 64 --angles 64 --method serial", 0),
    (
        "tiled-qr", 0.001, "--workers 2 --rows 1500 --tile 4 --method fr1,fr2,fr3,fr3_joined,"
        "in_block,static_lists,ticket,omp_tasks,householder", 7,
    ),
    (
        "tiled-qr", 0.001, "--workers 2 --rows 8000 --columns 256 --method gram_panels,"
        "blocked_panels,cholesky_panels", 0,
    ),
    ("tiled-qr", 0.001, "--workers 1 --rows 2000 --columns 512 --method gram_panels", 1),
    ("tiled-tasks", 0.02, "--workers 2 --client example --rows 20000 --method general,serial", 2),
    (
        "mhive-generic", 0.02, "--workers 1 --instances 2000 --preset fig7.2 --scheduler "
        "megakernel,graph --dependencies individual", 0,
    ),
    (
        "mhive-jacobi", 0.2, "--generate poisson2d:nx=300,ny=300 --tolerance 0 --no-verify "
        "--max-iterations 100000 --scheduler megakernel,time_sliced --method stages_phases,"
        "autonomous,shares,graph_fused,graph_while,grid_sync,stream,neighbours,gathered,graph_rows,"
        "grid_sync_rows", 0,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("wavefront-sw", "--random-query 9 --random-target 9 --method free"),
        ("wavefront-sw", "--random-query 9 --random-target 9 --method strips_free"),
        ("wavefront-kba", "--method free"),
        ("tiled-tasks", "--method waves"),
    ],
)
def test_arms_that_nothing_stops_are_refused_with_a_time_limit(name, options, tmp_path):
    words = (*HOST, *options.split(), "--timeout-s", 1)
    done = run_program(find_program(name), *words, cwd=tmp_path)
    assert done.returncode == 2 and "--timeout-s: nothing can stop" in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("name", "limit", "options", "waiting"),
    TIMED,
    ids=[f"{k}-{one[0]}" for k, one in enumerate(TIMED)],
)
def test_each_arm_beyond_the_time_limit_is_told_and_stored(name, limit, options, waiting, tmp_path):
    done = run_program(
        find_program(name), *HOST, *options.split(), "--repeat", 1, "--timeout-s", limit,
        "--output", "r.h5", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert set(runs["status"]) == {"timeout"} and np.isnan(runs["elapsed_ms"]).all()
    assert done.stderr.count(f"after {limit} s") == len(set(runs["arm"])), done.stderr
    assert done.stderr.count("worker ") >= waiting
