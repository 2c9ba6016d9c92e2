"""The programs of wavefront's real bodies from outside, and what their tables say of known rows."""

import runpy

import pytest

from conftest import ROOT, write_results
from gridloom.results import PlotError, read_runs
from gridloom.wavefront.bodies import body_of, common_setting, inputs_of
from program_under_test import columns_of, find_program, run_program

TABLES = runpy.run_path(str(ROOT / "scripts/gridloom/wavefront/tables/bodies.py"))
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

SINGULAR = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 1\n"
UPPER = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n"
# program, command line: words that the message must hold
BAD_ARGUMENTS = [
    ("wavefront-sptrsv", "", "--matrix, --generate: expected one of them"),
    ("wavefront-sptrsv", "--matrix singular.mtx", "row 2: expected a number other than 0"),
    ("wavefront-sptrsv", "--matrix upper.mtx --factor given", "row 1: expected nothing above"),
    ("wavefront-sptrsv", "--matrix gone.mtx", "gone.mtx"),
    ("wavefront-sptrsv", "--generate path:n=9 --method cusparse_spsv", "expected a CUDA device"),
    ("wavefront-sptrsv", "--generate path:n=9 --method waves_cluster", "expected a CUDA device"),
    (
        "wavefront-sptrsv",
        "--generate path:n=9 --method sync_free --narrow 3",
        "--narrow: goes with",
    ),
    (
        "wavefront-sptrsv",
        "--generate path:n=9 --narrow 3,3",
        "--narrow: 3 is given twice",
    ),
    ("wavefront-sptrsv", "--generate path:n=9 --block-sizes 64", "a worker of the host is one"),
    ("wavefront-sptrsv", "--generate path:n=9 --factor upper", "ilu0"),
    ("wavefront-sptrsv", "--generate foo", "--generate: generator: expected one of"),
    ("wavefront-sw", "--random-query 9", "--target, --random-target: expected one of them"),
    ("wavefront-sw", "--query bad.fasta --random-target 9", "bad.fasta:2: expected letters of"),
    ("wavefront-sw", "--query gone.fasta --random-target 9", "gone.fasta"),
    ("wavefront-sw", "--random-query 9 --random-target 9 --method waves_graph", "CUDA device"),
    ("wavefront-sw", "--random-query 9 --random-target 9 --tile-cols 513", "--tile-cols"),
    ("wavefront-sw", "--random-query 9 --random-target 9 --tile-cols 9,9", "9 is given twice"),
    (
        "wavefront-sw",
        "--random-query 9 --random-target 9 --method strips --tile-cols 9",
        "--tile-cols: cannot go with --method strips",
    ),
    (
        "wavefront-sw",
        "--random-query 200000 --random-target 250000",
        "--query, --target: expected sequences whose score is below 2^20",
    ),
    ("wavefront-kba", "--nx 4096 --ny 4096 --nz 127 --angles 1024", "fits the memory"),
    ("wavefront-kba", "--tile 4,4", "--tile: 4 is given twice"),
    (
        "wavefront-kba",
        "--method serial --octants one_by_one",
        "--octants: cannot go with --method serial",
    ),
    ("wavefront-kba", "--nx 0", "--nx"),
    ("wavefront-kba", "--nx 4000 --ny 4000 --nz 4000", "2^31"),
    ("wavefront-kba", "--method quantum", "in_order"),
    ("wavefront-kba", "--octants sideways", "one_by_one"),
]


def run(tmp_path, program, *arguments):
    return run_program(find_program(program), *arguments, cwd=tmp_path)


@pytest.mark.parametrize("program", SMALL)
def test_every_method_of_the_host_is_measured_and_verified(tmp_path, program):
    done = run(tmp_path, program, *HOST, *SMALL[program], "--output", "r.h5")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    verified = dict(zip(runs["method"], runs["verified"], strict=True))
    assert {name for name, word in verified.items() if word == "yes"} == METHODS[program]
    # A floor has no order, and so no result.
    assert {name for name, word in verified.items() if word == "no"} <= FLOORS
    assert set(runs["status"]) == {"ok"}


# Chains of hundreds of tiles, dealt to eight workers who do not wait: luck alone makes them right.
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


@pytest.mark.parametrize("program", SMALL)
def test_the_list_names_every_method(tmp_path, program):
    done = run(tmp_path, program, "--list")
    assert done.returncode == 0
    listed = {line.split(":")[0] for line in done.stdout.splitlines()}
    assert listed > METHODS[program] and "waves_graph_pdl" in listed


@pytest.mark.parametrize("program, arguments, words", BAD_ARGUMENTS)
def test_bad_input_is_refused_in_one_line_and_leaves_no_file(tmp_path, program, arguments, words):
    (tmp_path / "singular.mtx").write_text(SINGULAR)
    (tmp_path / "upper.mtx").write_text(UPPER)
    (tmp_path / "bad.fasta").write_text(">a\nAR1\n")
    done = run(tmp_path, program, *HOST, *arguments.split(), "--output", "r.h5")
    assert done.returncode == 2 and done.stdout == ""
    assert not (tmp_path / "r.h5").exists()
    assert done.stderr.count("\n") == 1 and done.stderr.startswith(f"{program}: ")
    assert words in done.stderr


@pytest.mark.parametrize("program", SMALL)
def test_more_workers_than_a_host_has_are_refused_before_any_arm_runs(tmp_path, program):
    many = ["--backend", "host", "--workers", "1025", *SMALL[program]]
    done = run(tmp_path, program, *many, "--output", "r.h5")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "--workers: expected at most 1024 on the host, got 1025" in done.stderr
    assert not (tmp_path / "r.h5").exists()


LONG = {
    "wavefront-sw": ["--random-query", "20000", "--random-target", "20000"],
    "wavefront-kba": ["--nx", "64", "--ny", "64", "--nz", "64", "--angles", "64"],
}


@pytest.mark.parametrize("program", LONG)
def test_the_time_limit_holds_for_the_serial_loop(tmp_path, program):
    done = run(
        tmp_path, program, *ALONE, *LONG[program], "--method", "serial", "--timeout-s", "0.01",
        "--output", "r.h5",
    )  # fmt: skip
    assert done.returncode == 1 and "timeout after 0.01 s (--timeout-s): the serial" in done.stderr
    assert set(columns_of(tmp_path / "r.h5", "runs")["status"]) == {"timeout"}


ROW = {
    "arm": "", "method": "", "matrix": "m.mtx.gz", "factor": "lower", "values": "made",
    "rows": 1000, "entries": 3000, "levels": 100, "bytes": 50_000, "backend": "cuda",
    "blocks": -1, "threads": -1, "narrow": -1, "gate": -1, "entries_a_lane": -1,
    "elapsed_ms": 1.0, "setup_ms": 0.5, "status": "ok", "verified": "yes",
}  # fmt: skip


def arm(method, matrix, ms, **values):
    return ROW | {"arm": method, "method": method, "matrix": matrix, "elapsed_ms": ms} | values


def known_rows():
    for matrix, library, wide, narrow in (("a.mtx.gz", 8.0, 1.0, 4.0), ("b.mtx", 9.0, 8.0, 1.0)):
        yield arm("cusparse_spsv", matrix, library)
        yield arm("waves_graph", matrix, 20.0, blocks=132, threads=64)
        yield arm("waves_graph", matrix, 6.5, blocks=132, threads=128)
        # Two settings; as one their median would be 12.
        yield arm("waves_barrier", matrix, 18.0, blocks=132, threads=128)
        yield arm("waves_barrier", matrix, 6.0, blocks=1, threads=128)
        yield arm("in_order", matrix, wide, blocks=132, threads=256, narrow=0)
        yield arm("in_order", matrix, narrow, blocks=132, threads=256, narrow=8)
    yield arm("in_order", "a.mtx.gz", 0.0, threads=32, status="timeout")
    yield arm("waves_graph", "b.mtx", 0.5, blocks=132, threads=512, status="timeout")
    yield arm("serial", "a.mtx.gz", 1.0)
    yield arm("serial", "b.mtx", 0.5)


def test_ours_has_one_setting_for_all_inputs_and_rivals_their_best(tmp_path):
    path = write_results(tmp_path / "r.h5", list(known_rows()), ROW, floor_read_gbs=100.0)
    runs = read_runs(path)
    inputs = inputs_of(body_of(runs), runs)
    assert common_setting(inputs, "in_order")["narrow"] == 8
    found = TABLES["texts_of"](path)
    lines = [[c.strip() for c in line.split("|")[1:-1]] for line in found["sptrsv"].splitlines()]
    # cuSPARSE, best waves, in_order, and how much it is ahead; its share of the byte floor.
    assert [line[0] for line in lines[2:]] == ["a", "b"]
    assert [line[6:11] for line in lines[2:]] == [
        ["8", "6 (`waves_barrier`, 1 × 128)", "4", "2 ×", "1.5 ×"],
        ["9", "6 (`waves_barrier`, 1 × 128)", "1", "9 ×", "6 ×"],
    ]
    assert [line[13] for line in lines[2:]] == ["0.0125 %", "0.05 %"]
    assert found["sptrsv-over-cusparse"] == "4.24 × over 2 matrices"
    assert found["sptrsv-over-waves-range"] == "1.5 × to 6 ×"
    assert found["sptrsv-behind-waves"] == "0 of 2"
    assert found["sptrsv-behind-serial"] == "2 of 2"
    assert found["sptrsv-made"] == "2 of 2"
    assert found["sptrsv-behind-serial-by"] == "2 × to 4 ×"
    assert "sptrsv-behind-waves-by" not in found


def test_what_set_up_leaves_of_the_gain(tmp_path):
    rows = []
    # Set-up of ours and the library's; a solve: 1 and 3 ms, so two a solve are gained.
    for matrix, ours, library in (("a.mtx", 13.0, 3.0), ("b.mtx", 1.0, 3.0)):
        rows += [arm("in_order", matrix, 1.0, setup_ms=ours)]
        rows += [arm("cusparse_spsv", matrix, 3.0, setup_ms=library)]
    found = TABLES["texts_of"](write_results(tmp_path / "r.h5", rows, ROW, floor_read_gbs=100.0))
    assert found["sptrsv-setup-longer"] == found["sptrsv-first-solve-ahead"] == "1 of 2"
    assert found["sptrsv-first-solve"] == f"{(6 / 14 * 6 / 2) ** 0.5:.3g} ×"
    # Ten more at first: level after five solves, ahead after six; the other at once.
    assert (found["sptrsv-solves-most"], found["sptrsv-solves-median"]) == ("6", "3.5")


def test_each_method_has_its_best_tiles_and_the_floor_those_of_its_own(tmp_path):
    base = {"nx": 8, "ny": 8, "nz": 8, "angles": 4, "updates": 1_000, "tile": -1, "octants": ""}
    base |= {"arm": "", "method": "", "backend": "cuda", "blocks": 4, "threads": 32}
    base |= {"elapsed_ms": 1.0, "setup_ms": 0.5, "status": "ok", "verified": "yes"}

    def one(method, ms, tile=-1, octants=""):
        own = {"arm": f"{method} {tile} {octants}", "method": method, "elapsed_ms": ms}
        return base | own | {"tile": tile, "octants": octants}

    rows = [
        one("strips_free", 2.0),
        one("serial", 90.0),
        one("free", 1.0, 4, "pipelined"),
        one("free", 3.0, 2, "pipelined"),
    ]
    for ms, tile, octants in ((4.0, 4, "one_by_one"), (8.0, 4, "pipelined"), (5.0, 2, "pipelined")):
        rows += [one("in_order", ms, tile, octants), one("waves_graph", 10 - ms, tile, octants)]
    found = TABLES["texts_of"](write_results(tmp_path / "r.h5", rows, base))["kba"]
    lines = [[c.strip() for c in line.split("|")[2:-1]] for line in found.splitlines()][2:]
    # Method, tiles, run, share of the floor, over the best waves.
    assert [[line[0], *line[3:5], *line[6:8]] for line in lines] == [
        ["`waves_graph`", "4, pipelined", "2", "50 %", "1 ×"],
        ["`in_order`", "4, one by one", "4", "25 %", "0.5 ×"],
        ["`serial`", "–", "90", "1.11 %", "0.0222 ×"],
    ]


def test_barriers_were_measured_on_both_grids_for_every_matrix():
    runs = read_runs(ROOT / "wavefront/reference/sptrsv.h5").only(method="waves_barrier")
    grids = {matrix: set() for matrix in runs["matrix"]}
    for matrix, blocks in zip(runs["matrix"], runs["blocks"], strict=True):
        grids[matrix].add(int(blocks))
    assert len(grids) > 20 and all(1 in own and max(own) > 100 for own in grids.values())


def test_a_file_of_another_program_is_refused(tmp_path):
    columns = {name: ROW[name] for name in ("arm", "elapsed_ms", "status", "backend")}
    path = write_results(tmp_path / "r.h5", [columns], columns)
    with pytest.raises(PlotError, match="no results of wavefront-sptrsv"):
        body_of(read_runs(path))


def test_the_figure_is_drawn_of_all_three_programs(tmp_path, run_script):
    for program, arguments in SMALL.items():
        done = run(tmp_path, program, *HOST, *arguments, "--output", f"{program}.h5")
        assert done.returncode == 0, done.stderr
    files = sorted(tmp_path.glob("*.h5"))
    done = run_script("scripts/plots/wavefront/bodies.py", *files, "--output-dir", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "wavefront_bodies.png").is_file()
