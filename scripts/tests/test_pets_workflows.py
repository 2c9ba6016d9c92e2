"""scripts/pets_workflows.py and its tables, on small task graphs."""

import os

import numpy as np
import pytest

from gridloom.pets.data import ALGORITHMS
from gridloom.pets.workflows import Workflows, texts_of
from gridloom.results import PlotError
from imported import SEEDS
from program_under_test import columns_of, find_program
from script_under_test import load

study = load("scripts/pets_workflows.py")
# Tasks of 2, 3 and 4 between two of 0. The optimum is 5 on two processors and 4 on three.
STG = "3\n0 0 0\n1 2 1 0\n2 3 1 0\n3 4 1 0\n4 0 3 1 2 3\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDLOOM_BIN_DIR", str(find_program("pets").parent))
    for folder in ("stg", "dax", "wfformat"):
        (tmp_path / "dags" / folder).mkdir(parents=True)
    (tmp_path / "dags/stg/a.stg").write_text(STG)
    (tmp_path / "dags/stg/Case_2_OPT.csv").write_text("a.stg,2,5\n")
    (tmp_path / "dags/stg/Case_3_OPT.csv").write_text("a.stg,3,3,4\n")
    (tmp_path / "dags/dax/w.xml").write_bytes((SEEDS / "dax/version2.xml").read_bytes())
    (tmp_path / "dags/wfformat/s.json").write_bytes((SEEDS / "wfformat/split.json").read_bytes())
    return tmp_path


def run(data, *more):
    output = data / "r.h5"
    arguments = ["--data", str(data), "--processors", "2", "3", "--output", str(output), *more]
    assert study.run(arguments) == 0
    return output


def test_every_graph_has_a_schedule_by_every_algorithm_beside_what_is_known(data):
    path = run(data)
    rows = columns_of(path, "runs")
    assert len(rows["graph"]) == (1 + 2 + 2) * 2 * len(ALGORITHMS)
    assert set(rows["status"]) == {"ok"} and set(rows["family"]) == {"stg", "workflows", "mixed"}
    keep = (np.asarray(rows["family"]) == "stg") & (np.asarray(rows["processors"]) == 2)
    of = {name: np.asarray(column)[keep] for name, column in rows.items()}
    assert set(of["optimum_low"]) == set(of["optimum_high"]) == {5} and min(of["makespan"]) == 5
    assert set(of["lower_bound"]) == {5} and set(of["unit"]) == {"1"}
    other = np.asarray(rows["family"]) == "mixed"
    assert set(np.asarray(rows["unit"])[other]) == {"us"}
    assert set(np.asarray(rows["optimum_low"])[other]) == {-1}
    assert all("--speeds, 100 MB/s" in text for text in np.asarray(rows["platform"])[other])
    assert (np.asarray(rows["makespan"]) >= np.asarray(rows["lower_bound"])).all()


def test_the_tables_hold_the_mean_over_the_optimum(data):
    path = run(data)
    found = Workflows(path)
    assert found.processors("stg") == [2, 3] and found.graphs("workflows") == 2
    heft = found.algorithms.index("heft_insertion")
    assert found.ratios["stg", 2][0, heft] == 1.0 and found.ratios["stg", 3][0, heft] == 4 / 3
    texts = texts_of(path)
    line = next(x for x in texts["stg-quality"].splitlines() if x.startswith("| `heft_insertion`"))
    assert line == "| `heft_insertion` | 1.000 (100 %) | 1.333 (100 %) |"
    assert texts["stg-proved"] == "1" and texts["stg-cases"] == "2"


def test_a_schedule_that_is_missing_is_refused(data):
    import h5py

    path = run(data)
    with h5py.File(path, "r+") as file:
        file["runs/algorithm"][0] = "fifo"
    with pytest.raises(PlotError, match="by every algorithm of every graph"):
        Workflows(path)


@pytest.mark.parametrize("line", ["a.stg,2", "a.stg,x,3", "a.stg,2,three"])
def test_invalid_bounds_are_refused_with_their_line(data, line):
    (data / "dags/stg/Case_2_OPT.csv").write_text(f"a.stg,2,5\n{line}\n")
    with pytest.raises(study.InputError, match=r"Case_2_OPT.csv:2: expected a file, processors"):
        run(data)


def test_without_data_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.delenv("GRIDLOOM_DATA_DIR", raising=False)
    with pytest.raises(study.InputError, match="GRIDLOOM_DATA_DIR"):
        study.run(["--output", str(tmp_path / "r.h5")])
    with pytest.raises(study.InputError, match="expected task graphs in stg, dax or wfformat"):
        study.run(["--data", str(tmp_path), "--output", str(tmp_path / "r.h5")])
    assert not os.path.exists(tmp_path / "r.h5")
