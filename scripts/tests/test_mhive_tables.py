"""A share of the byte floor of mhive-jacobi is shown only where its rate was measured. The table of
searches has the fastest batch of each scheduler, that of groups a ratio of times by size."""

import pytest

import jacobi_rows
from conftest import row, write_results
from gridloom.claims import Source
from gridloom.results import PlotError, read_runs
from gridloom.thesis_mhive import claims, jacobi
from gridloom.thesis_mhive.tables import framework, headlines
from gridloom.thesis_mhive.tables import jacobi as jacobi_tables


@pytest.mark.parametrize("meta", [{}, {"floor_read_gbs": "3950"}], ids=["unknown", "measured"])
def test_shares_of_the_byte_floor_need_a_rate_of_the_same_run(tmp_path, meta):
    path = jacobi_rows.write(tmp_path / "r.h5", jacobi_rows.sample_rows(), **meta)
    texts = jacobi_tables.texts_of(path)
    assert ("80 %" in texts["best"]) == bool(meta)
    assert ("byte floor at 3.95 TB/s" in texts["baselines"]) == bool(meta)


def test_systems_of_the_collection_are_real_and_all_others_generated(tmp_path):
    real = {"matrix": "shallow_water1.mtx.gz", "rows": 81_920, "entries": 327_680}
    rows = []
    for of, us in ((real, 8.0), ({"matrix": "A3"}, 2.0)):
        rows += jacobi_rows.timed("kernel_by_kernel", 16.0, 16.0, **of)
        rows += jacobi_rows.timed("grid_sync", 4.0, 4.0, **of)
        rows += jacobi_rows.timed("neighbours", us, us, **of)
    problems = jacobi.problems_of(read_runs(jacobi_rows.write(tmp_path / "r.h5", rows)))

    def ours(arm):
        return arm.version in jacobi.OURS

    [found] = headlines.jacobi_rows(problems, "X", ours, [headlines.BELOW])
    assert found[:4] == ("X, < 1,000,000 entries", "graph, `grid_sync`", "0.5", "2")
    found = [*headlines.jacobi_rows(problems[:1], "X", ours, [headlines.BELOW])]
    assert found[0][2] == "–" and found[0][4] == "–"


def test_a_search_is_shown_with_its_fastest_batch(tmp_path):
    def rows(scheduler, batch, ms):
        facts = {"search": "T1", "scheduler": scheduler, "batch": batch, "nodes": 9, "status": "ok"}
        return [row(elapsed_ms=ms, setup_ms=1.0) | facts for _ in range(3)]

    all_rows = [*rows("level_launches", -1, 5.0), *rows("megakernel", 1, 9.0)]
    all_rows += rows("megakernel", 64, 2.0)
    all_rows[0]["status"] = "timeout"
    path = write_results(tmp_path / "r.h5", all_rows, all_rows[0], program="mhive-dynamic")
    assert framework.texts_of(path)["dynamic"].splitlines()[2:] == [
        "| `T1`, 9 nodes | `megakernel` | 64 | 2 | 4.5 k | 2.5 | 1 |",
        "|  | `level_launches` | – | 5 | 1.8 k | 1 | 1 |",
    ]
    assert headlines.over_rival(read_runs(path).only(status="ok"), "batch") == (2.5, "MK")


def group_rows():
    """Layers of 100 tasks. Those of workers of 32 threads are in groups of two sizes."""
    facts = {"scheduler": "megakernel", "width": 100, "status": "ok", "experiment": "custom"}
    times = {("individual", -1): 6.0, ("grouped", 50): 2.0, ("grouped", 100): 12.0}
    rows = [
        row(elapsed_ms=ms) | facts | {"form": form, "group": group, "worker_size": size}
        for (form, group), ms in times.items()
        for size in (1, 32)
        if (size, group) != (1, 100)
    ]
    return [*rows, rows[0] | {"form": "graph", "scheduler": "graph"}]


def test_groups_are_compared_with_single_tasks_by_size_and_worker(tmp_path):
    rows = group_rows()
    path = write_results(tmp_path / "r.h5", rows, rows[0], program="mhive-overhead")
    assert framework.texts_of(path)["groups"].splitlines() == [
        "| scheduler | worker | 50 tasks | 100 tasks |",
        "|---|--:|--:|--:|",
        "| `megakernel` | 1 | 3 | – |",
        "| `megakernel` | 32 | 3 | 0.5 |",
    ]
    source = Source([path])
    found = {
        pick: claims.QUANTITIES[f"groups_{pick}_mk"](source) for pick in ("slowest", "fastest")
    }
    assert [value.short_text for value in found.values()] == ["2 ×", "0.333 ×"]
    assert found["slowest"].input == "groups of 100 empty tasks"
    with pytest.raises(PlotError):
        claims.QUANTITIES["groups_slowest_tsk"](source)


def test_shares_are_of_mhive_but_not_of_the_thesis(tmp_path):
    rows = [
        *jacobi_rows.timed("kernel_by_kernel", 9.0, 9.0),
        *jacobi_rows.timed("stages_phases", 6.0, 6.0, scheduler="megakernel"),
        *jacobi_rows.timed("shares", 3.0, 3.0, scheduler="time_sliced"),
        *jacobi_rows.timed("neighbours", 2.0, 2.0),
    ]
    path = jacobi_rows.write(tmp_path / "r.h5", rows)
    texts = jacobi_tables.texts_of(path)
    assert "(`shares, TSK`)" in texts["baselines"] and "shares (ours)" in texts["8_5"]
    [problem] = jacobi.problems_of(read_runs(path))
    assert problem.fastest(jacobi.is_published).version == "stages_phases"
    assert problem.fastest(jacobi.is_best_of).version == "neighbours"
