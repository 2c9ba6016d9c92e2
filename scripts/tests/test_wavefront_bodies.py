"""The programs wavefront-sptrsv, -sw and -kba from outside, and their figure."""

import pytest

from conftest import ROOT
from gridloom.results import read_runs
from program_under_test import columns_of, find_program, run_program

ALONE = ["--backend", "host", "--quiet", "--repeat", "1", "--no-floors"]
HOST = [*ALONE, "--workers", "2"]
SMALL = {
    "wavefront-sptrsv": ["--generate", "poisson2d:nx=20,ny=9"],
    "wavefront-sw": ["--random-query", "150", "--random-target", "200", "--tile-cols", "64"],
    "wavefront-kba": ["--nx", "11", "--ny", "9", "--nz", "5", "--angles", "3", "--tile", "4"],
}
TILED = {
    "scanning", "single_queue", "multi_queue", "in_order", "in_order_ticket", "waves_barrier",
}  # fmt: skip
METHODS = {
    "wavefront-sptrsv": {"serial", "sync_free", "in_order", "waves_barrier"},
    "wavefront-sw": {"serial", "strips", *TILED},
    "wavefront-kba": {"serial", *TILED},
}
FLOORS = {"free", "strips_free"}

NINE = "--random-query 9 --random-target 9"
SINGULAR = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 1\n"
UPPER = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n"
# {program: {arguments: words of the error message}}
BAD_ARGUMENTS = {
    "wavefront-sptrsv": {
        "--matrix singular.mtx": "row 2: expected a number other than 0",
        "--matrix upper.mtx --factor given": "row 1: expected nothing above",
        "--generate path:n=9 --method sync_free --narrow 3": "--narrow: goes with",
    },
    "wavefront-sw": {
        "--random-query 9": "--target, --random-target: expected exactly one of these options",
        "--query bad.fasta --random-target 9": "bad.fasta:2: expected letters of",
        f"{NINE} --tile-cols 513": "--tile-cols",
        f"{NINE} --method strips --tile-cols 9": "--tile-cols: cannot go with --method strips",
        "--random-query 200000 --random-target 250000":
            "--query, --target: expected sequences with a score below 2^20",
    },
    "wavefront-kba": {
        "--nx 4096 --ny 4096 --nz 127 --angles 1024": "fits the memory",
        "--method serial --octants one_by_one": "--octants: cannot go with --method serial",
        "--tile 4,4": "--tile: 4 is given twice",
        "--nx 4000 --ny 4000 --nz 4000": "2^31",
    },
}  # fmt: skip


def run(tmp_path, program, *arguments):
    return run_program(find_program(program), *arguments, cwd=tmp_path)


@pytest.mark.parametrize("program", SMALL)
def test_every_method_of_the_host_is_measured_and_verified(tmp_path, program):
    done = run(tmp_path, program, *HOST, *SMALL[program], "--output", "r.h5")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    verified = dict(zip(runs["method"], runs["verified"], strict=True))
    assert {name for name, word in verified.items() if word == "yes"} == METHODS[program]
    # Floors execute tasks in any order, so that their results are wrong.
    assert {name for name, word in verified.items() if word == "no"} <= FLOORS
    assert set(runs["status"]) == {"ok"}


# Chains of hundreds of tiles on eight workers that do not wait for each other.
WITHOUT_ORDER = {
    "wavefront-sw": ["--random-query", "128", "--random-target", "30000", "--tile-cols", "64"],
    "wavefront-kba": ["--nx", "3200", "--ny", "4", "--nz", "4", "--angles", "1", "--tile", "4"],
}


@pytest.mark.parametrize("program", WITHOUT_ORDER)
def test_a_wrong_result_is_told_from_a_right_one(tmp_path, program):
    arguments = ["--backend", "host", "--workers", "8", "--repeat", "1", "--no-floors", "--quiet"]
    arguments += [*WITHOUT_ORDER[program], "--method", "free,in_order", "--output", "r.h5"]
    done = run(tmp_path, program, *arguments)
    assert done.returncode == 0, done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert dict(zip(runs["method"], runs["verified"], strict=True)) == {
        "free": "no", "in_order": "yes",
    }  # fmt: skip


@pytest.mark.parametrize("program", BAD_ARGUMENTS)
def test_bad_input_is_refused_in_one_line_and_leaves_no_file(tmp_path, program):
    (tmp_path / "singular.mtx").write_text(SINGULAR)
    (tmp_path / "upper.mtx").write_text(UPPER)
    (tmp_path / "bad.fasta").write_text(">a\nAR1\n")
    for arguments, words in BAD_ARGUMENTS[program].items():
        done = run(tmp_path, program, *HOST, *arguments.split(), "--output", "r.h5")
        assert done.returncode == 2 and done.stdout == "", arguments
        assert not (tmp_path / "r.h5").exists(), arguments
        assert done.stderr.count("\n") == 1 and done.stderr.startswith(f"{program}: ")
        assert words in done.stderr, arguments


def test_barriers_were_measured_on_both_grids_for_every_matrix():
    runs = read_runs(ROOT / "wavefront/reference/sptrsv.h5").only(method="waves_barrier")
    grids = {matrix: set() for matrix in runs["matrix"]}
    for matrix, blocks in zip(runs["matrix"], runs["workers"], strict=True):
        grids[matrix].add(int(blocks))
    assert len(grids) > 20 and all(1 in own and max(own) > 100 for own in grids.values())


def test_the_figure_is_drawn_of_all_three_programs(tmp_path, run_script):
    for program, arguments in SMALL.items():
        done = run(tmp_path, program, *HOST, *arguments, "--output", f"{program}.h5")
        assert done.returncode == 0, done.stderr
    files = sorted(tmp_path.glob("*.h5"))
    done = run_script("scripts/plots/wavefront/bodies.py", *files, "--output-dir", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "wavefront_bodies.png").is_file()
