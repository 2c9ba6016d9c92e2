"""Published graphs: the counts agree with what other readers count, and none has a cycle."""

import json
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from gridloom_datasets.importers import import_dag
from imported import check_graph, edges_of, read_back

EXPECTED_FILES = {"dax": 11, "wfformat": 7, "stg": 20}


@pytest.fixture(scope="module")
def dags():
    if not (folder := os.environ.get("GRIDLOOM_DATA_DIR")):
        pytest.skip("GRIDLOOM_DATA_DIR is not set: no published task graphs to import")
    return Path(folder) / "dags"


def graphs_in(folder, tmp_path):
    """Each file of a format with its imported graph, which check_graph() has accepted."""
    paths = sorted(folder.rglob("*"))
    paths = [path for path in paths if path.suffix in (".xml", ".json", ".stg")]
    assert len(paths) >= EXPECTED_FILES[folder.name]
    for path in paths:
        import_dag(path, tmp_path / "graph.h5")
        check_graph(tmp_path / "graph.h5")
        yield path, read_back(tmp_path / "graph.h5")


def in_us(seconds):
    return int((Decimal(seconds) * 10**6).to_integral_value(ROUND_HALF_UP))


def test_dax(dags, tmp_path):
    name = "{http://pegasus.isi.edu/schema/DAX}"
    for path, graph in graphs_in(dags / "dax", tmp_path):
        root = ElementTree.parse(path).getroot()
        jobs = {job.get("id"): job for job in root.iter(f"{name}job")}
        assert len(graph.names) == len(jobs) == int(root.get("jobCount")), path
        assert graph.names == list(jobs)
        assert graph.costs == [[in_us(job.get("runtime"))] for job in jobs.values()]
        expected = {}
        for child in root.iter(f"{name}child"):
            used = jobs[child.get("ref")].iter(f"{name}uses")
            read = {use.get("file") for use in used if use.get("link") == "input"}
            for parent in child:
                expected[parent.get("ref"), child.get("ref")] = sum(
                    int(use.get("size"))
                    for use in jobs[parent.get("ref")].iter(f"{name}uses")
                    if use.get("link") == "output" and use.get("file") in read
                )
        assert len(graph.columns) == len(list(root.iter(f"{name}parent")))
        assert edges_of(graph) == expected, path


def test_wfformat(dags, tmp_path):
    for path, graph in graphs_in(dags / "wfformat", tmp_path):
        workflow = json.loads(path.read_text(), parse_float=Decimal)["workflow"]
        tasks = workflow["specification"]["tasks"]
        size = {f["id"]: f["sizeInBytes"] for f in workflow["specification"]["files"]}
        runtime = {t["id"]: t["runtimeInSeconds"] for t in workflow["execution"]["tasks"]}
        assert graph.names == [task["id"] for task in tasks]
        assert graph.costs == [[in_us(runtime[name])] for name in graph.names]
        assert len(graph.columns) == sum(len(task["parents"]) for task in tasks)
        assert len(graph.columns) == sum(len(task["children"]) for task in tasks)
        written = {task["id"]: set(task["outputFiles"]) for task in tasks}
        assert edges_of(graph) == {
            (parent, task["id"]): sum(size[f] for f in written[parent] & set(task["inputFiles"]))
            for task in tasks
            for parent in task["parents"]
        }, path
        assert graph.attributes["machines"] == len(workflow["execution"]["machines"])


def test_stg(dags, tmp_path):
    for path, graph in graphs_in(dags / "stg", tmp_path):
        text = path.read_text()
        tasks = re.search(r"Tasks +: (\d+) \(\+dummy tasks : (\d+)\)", text).groups()
        edges = re.search(r"Edges +: (\d+) .*\(\+dummy edges : (\d+)\)", text).groups()
        assert len(graph.names) == sum(map(int, tasks)), path
        assert len(graph.columns) == sum(map(int, edges)), path
        assert graph.attributes["format"] == "STG" and not any(graph.weights)
        # The file states its longest path, too.
        finish = defaultdict(int)
        for task, (cost,) in enumerate(graph.costs):  # tasks are numbered in topological order
            finish[task] += cost
            for child in graph.columns[graph.row_offsets[task] : graph.row_offsets[task + 1]]:
                assert child > task
                finish[child] = max(finish[child], finish[task])
        assert max(finish.values()) == int(re.search(r"CP Length +: (\d+)", text).group(1)), path
