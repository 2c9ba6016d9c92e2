"""The figures of pets: which numbers are drawn from which rows, and what is told."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import pets_bandwidth
import pets_batch
import pets_data
import pets_fig5_1
import pets_phases
import pets_quality
from gridloom_plots import PlotError
from pets_data import Results
from pets_rows import GPU, batch, graph, host, memory, repeated, run, sizes, write
from program_under_test import find_program, run_program

FIGURES = ["pets_fig5_1", "pets_bandwidth", "pets_phases", "pets_quality", "pets_batch"]


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    plt.close("all")


def curves(axes):
    """{label: [(x, y)]} of the lines with markers."""
    handles, labels = axes.get_legend_handles_labels()
    lines = [handle[0] if isinstance(handle, tuple) else handle for handle in handles]
    return {
        label: [(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)]
        for label, line in zip(labels, lines, strict=True)
        if line.get_marker() not in ("", "None", None)
    }


def bars(axes):
    """{step: widths}, and where each begins."""
    found = {c.get_label(): [float(p.get_width()) for p in c.patches] for c in axes.containers}
    begins = {c.get_label(): [float(p.get_x()) for p in c.patches] for c in axes.containers}
    return found, begins


def near(pairs):
    return [pytest.approx(pair) for pair in pairs]


def sample_tables():
    """Two sizes of three implementations and the reference, random graphs of two CCRs, memory."""
    runs, graphs = [], []
    for row in (
        host(elapsed_ms=50.0, metrics_ms=20.0, sort_ms=10.0, metrics_bytes=4_000_000),
        run(implementation="csr", entries_ms=4.0, elapsed_ms=20.0, metrics_ms=8.0),
        run(),
    ):
        own, of = sizes(1000, 100_000, row=row)
        runs += own
        graphs = of
    lost = {"status": "timeout", "elapsed_ms": 0.0, "metrics_ms": 0.0, "levels": 11}
    runs.append(run(implementation="adjacency", **lost))
    for number, ccr in enumerate((0.5, 0.5, 2.0, 2.0)):
        of = {"graph": f"small,ccr={ccr}", "graph_seed": number, "tasks": 20}
        graphs.append(graph(**of, v=20.0, ccr=ccr))
        for algorithm, makespan, slr in (("pets_insertion", 90, 3.0), ("heft_insertion", 80, 2.0)):
            makespan -= 20 * (algorithm[0] == "p") * (number == 3)
            own = {"algorithm": algorithm, "makespan": makespan, "slr": slr + number}
            runs += [host(**of, **own, repetition=k) for k in (0, 1)]
        # All algorithms of the file, so that these are the graphs of the quality.
        runs.append(run(**of, makespan=100, slr=9.0, elapsed_ms=0.1, metrics_ms=0.1))
    copies = [
        memory(backend=name, elapsed_ms=ms * k)
        for name, ms in (("cuda", 1.0), ("host", 100.0))
        for k in (1, 1, 2)
    ]
    batches = [
        batch(),
        batch(steps="priorities", elapsed_ms=0.5),
        batch(implementation="serial", backend="host", elapsed_ms=100.0),
    ]
    return {"runs": runs, "graphs": graphs, "memory": copies, "batches": batches}


@pytest.fixture
def results(tmp_path):
    return write(tmp_path / "r.h5", **sample_tables())


# --- command line ---------------------------------------------------------------------------


@pytest.mark.parametrize("figure", FIGURES)
def test_figure_is_drawn_as_png_and_svg(figure, results, tmp_path, run_script):
    done = run_script(f"scripts/plots/{figure}.py", results, "--output-dir", tmp_path / "out")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    png, svg = (tmp_path / "out" / f"{figure}.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 5_000
    assert "</svg>" in svg.read_text() and svg.stat().st_size > 5_000


NEEDED = {
    "pets_fig5_1": ["runs", "graphs"],
    "pets_bandwidth": ["memory", "runs", "graphs"],
    "pets_phases": ["runs"],
    "pets_quality": ["runs", "graphs"],
    "pets_batch": ["batches"],
}


@pytest.mark.parametrize("figure", FIGURES)
def test_what_cannot_be_drawn_is_refused_in_one_line(figure, tmp_path, run_script):
    tables = sample_tables()
    failed = {
        name: [row | {"status": "timeout"} if "status" in row else row for row in rows]
        for name, rows in tables.items()
    }
    files = {"no such file": tmp_path / "none.h5"}
    for name in NEEDED[figure]:
        others = {other: rows for other, rows in tables.items() if other != name}
        files[f"no rows in a table /{name}"] = write(tmp_path / f"no-{name}.h5", **others)
    files["ok"] = write(tmp_path / "failed.h5", **failed)
    (tmp_path / "text.h5").write_text("text")
    files["not a readable HDF5 file"] = tmp_path / "text.h5"
    for words, path in files.items():
        done = run_script(f"scripts/plots/{figure}.py", path, "--output-dir", tmp_path / "out")
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert words in done.stderr and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("module", "column"),
    [
        (pets_fig5_1, "implementation"),
        (pets_fig5_1, "sort_ms"),
        (pets_bandwidth, "metrics_bytes"),
        (pets_phases, "entries_ms"),
        (pets_quality, "ccr"),
        (pets_batch, "steps"),
    ],
)
def test_a_missing_column_is_named(module, column, tmp_path):
    path = write(tmp_path / "r.h5", without=[column], **sample_tables())
    with pytest.raises(PlotError, match=f"has no column '{column}'"):
        module.draw(Results(path))


def test_tables_may_lie_in_several_files(tmp_path):
    tables = sample_tables()
    paths = [write(tmp_path / f"{name}.h5", **{name: rows}) for name, rows in tables.items()]
    together = Results([*paths, write(tmp_path / "empty.h5", runs=[])])
    for name in FIGURES:
        assert globals()[name].draw(together)


# --- run time -------------------------------------------------------------------------------


def test_run_times_stand_over_the_tasks(results):
    figure = pets_fig5_1.draw(Results(results))
    left, right = figure.axes
    assert curves(left) == {
        "host": near([(1000, 30), (100_000, 3000)]),
        "csr": near([(1000, 14), (100_000, 1004)]),  # entries do not grow in the sample
        "in_order": near([(1000, 3), (100_000, 300)]),
    }
    assert curves(right) == {
        "host": near([(1000, 50), (100_000, 5000)]),
        "csr": near([(1000, 20), (100_000, 2000)]),
        "in_order": near([(1000, 10), (100_000, 1000)]),
    }
    assert all(axes.get_xscale() == axes.get_yscale() == "log" for axes in (left, right))
    assert "adjacency (1 timeout)" in figure.get_supxlabel()
    assert f"{GPU} (cuda)" in left.get_title() and "8 processors" in left.get_title()


def test_the_depth_stands_above_the_tasks(results):
    for axes in pets_fig5_1.draw(Results(results)).axes:
        [top] = [child for child in axes.child_axes if child.get_xlabel() == "levels"]
        assert list(top.get_xticks()) == [1000, 100_000]
        assert [text.get_text() for text in top.get_xticklabels()] == ["11", "1,001"]


def test_medians_and_intervals_are_of_the_repetitions(tmp_path):
    rows = repeated(run(), elapsed_ms=[9.0, 30.0, 10.0], entries_ms=[-1.0, 0.0, 5.0])
    path = write(tmp_path / "r.h5", runs=rows, graphs=[graph()])
    left, right = pets_fig5_1.draw(Results(path)).axes
    assert curves(left) == {"in_order": [(1000, 3)]} and curves(right) == {"in_order": [(1000, 10)]}
    [segment] = right.containers[0][2][0].get_segments()
    assert segment[:, 1] == pytest.approx([9, 30])


def test_graphs_that_differ_in_the_seed_are_one_point(tmp_path):
    seeds = {1: 20, 2: 30}
    runs = [run(graph_seed=s, levels=n, elapsed_ms=float(n)) for s, n in seeds.items()]
    graphs = [graph(graph_seed=s, levels=n) for s, n in seeds.items()]
    _, right = pets_fig5_1.draw(Results(write(tmp_path / "r.h5", runs=runs, graphs=graphs))).axes
    assert curves(right) == {"in_order": [(1000, 25)]}
    [top] = right.child_axes
    assert [text.get_text() for text in top.get_xticklabels()] == ["20–30"]


def test_graphs_of_other_parameters_are_no_point_of_the_line(tmp_path):
    runs, graphs = sizes(100, 1000, row=run())
    runs.append(run(graph="deep", elapsed_ms=777.0))
    graphs.append(graph(graph="deep", alpha=0.1))
    path = write(tmp_path / "r.h5", runs=runs, graphs=graphs)
    figure = pets_fig5_1.draw(Results(path))
    assert curves(figure.axes[1]) == {"in_order": near([(100, 1), (1000, 10)])}
    assert "α = 0.1" in figure.get_supxlabel() and "α = 1," in figure.axes[0].get_title()
    runs, graphs = ([*rows, rows[-1] | {"graph": "d", "tasks": 100}] for rows in (runs, graphs))
    both = pets_fig5_1.draw(Results(write(tmp_path / "b.h5", runs=runs, graphs=graphs)))
    assert len(both.axes) == 4 and "α = 0.1" in both.axes[2].get_title()


def test_backends_have_panels_of_their_own_with_the_reference_in_each(tmp_path):
    rows = [host(), run(), run(backend="host", elapsed_ms=70.0)]
    path = write(tmp_path / "r.h5", runs=rows, graphs=[graph()])
    figure = pets_fig5_1.draw(Results(path))
    assert [axes.get_title().split("\n")[1] for axes in figure.axes[1::2]] == [
        "TestGPU (cuda)",
        "TestCPU (host)",
    ]
    device, threads = (curves(axes) for axes in figure.axes[1::2])
    assert device == {"host": [(1000, 10)], "in_order": [(1000, 10)]}
    assert threads == {"host": [(1000, 10)], "in_order": [(1000, 70)]}


def test_the_algorithm_can_be_chosen(results):
    with pytest.raises(PlotError, match="no rows of cpop_append in /runs, only of pets_insertion"):
        pets_fig5_1.draw(Results(results), algorithm="cpop_append")


def test_a_graph_without_parameters_is_named(tmp_path):
    path = write(tmp_path / "r.h5", runs=[run(graph_seed=9)], graphs=[graph()])
    with pytest.raises(PlotError, match="no row of v=1000, seed 9, 8 processors, in /graphs"):
        pets_fig5_1.draw(Results(path))


# --- bandwidth ------------------------------------------------------------------------------


def test_bandwidth_is_bytes_over_entries_and_metrics(tmp_path):
    rows = [
        host(metrics_ms=4.0, metrics_bytes=4_000_000),  # 1 GB/s
        run(implementation="csr", entries_ms=1.0, metrics_ms=3.0, metrics_bytes=2_000_000_000),
        run(entries_ms=-1.0, metrics_ms=2.0, metrics_bytes=2_000_000_000),
        run(implementation="hand_over", metrics_bytes=0),  # not known
    ]
    copies = [memory(elapsed_ms=1.0), memory(backend="host", elapsed_ms=200.0)]  # 2,000 and 10
    figure = pets_bandwidth.draw(
        Results(write(tmp_path / "r.h5", runs=rows, graphs=[graph()], memory=copies))
    )
    [axes] = figure.axes
    assert curves(axes) == {
        "host (10 % at 1 k)": near([(1000, 1)]),
        "csr (25 % at 1 k)": near([(1000, 500)]),
        "in_order (50 % at 1 k)": near([(1000, 1000)]),
    }
    handles, labels = axes.get_legend_handles_labels()
    rates = {
        label: float(np.unique(handle.get_ydata())[0])
        for handle, label in zip(handles, labels, strict=True)
        if label.startswith("copy")
    }
    assert rates == {
        "copy of memory, cuda: 2,000 GB/s": 2000,
        "copy of memory, host: 10 GB/s": 10,
    }
    [right] = [child for child in axes.child_axes if "%" in child.get_ylabel()]
    figure.canvas.draw()
    ratio = np.array(right.get_ylim()) / np.array(axes.get_ylim())
    assert ratio == pytest.approx([0.05, 0.05])  # 2,000 GB/s are 100 %
    assert "copies 200 times as fast" in figure.get_supxlabel()
    assert "in_order reaches 1,000 times" in figure.get_supxlabel()


def test_bandwidth_needs_that_of_the_backend(tmp_path):
    path = write(tmp_path / "r.h5", runs=[run()], graphs=[graph()], memory=[memory(backend="host")])
    with pytest.raises(PlotError, match="no rows of backend cuda in /memory"):
        pets_bandwidth.draw(Results(path))


# --- steps ----------------------------------------------------------------------------------


def test_steps_are_stacked_in_their_order(tmp_path):
    rows = [
        *repeated(
            run(implementation="csr"),
            entries_ms=[1.0, 2.0, 9.0], metrics_ms=[3.0, 3.0, 3.0], sort_ms=[6.0, 5.0, 4.0],
            selection_ms=[10.0, 11.0, 10.0], elapsed_ms=[21.0, 22.0, 28.0],
        ),
        host(metrics_ms=20.0, sort_ms=30.0, selection_ms=50.0, elapsed_ms=200.0),
        run(implementation="adjacency", status="timeout"),
    ]  # fmt: skip
    figure = pets_phases.draw(Results(write(tmp_path / "r.h5", runs=rows)))
    left, right = figure.axes
    assert [text.get_text() for text in left.get_yticklabels()] == ["host", "csr"]
    widths, begins = bars(left)
    assert widths == {
        "entry discovery": [0, 2],
        "levels and ranks": [20, 3],
        "sort": [30, 5],
        "selection": [50, 10],
        "the rest": [100, 1],
    }
    assert begins["selection"] == [50, 10] and begins["the rest"] == [100, 20]
    assert bars(right)[0]["sort"] == pytest.approx([15, 100 * 5 / 21])
    texts = [text.get_text() for text in left.texts]
    assert texts == ["200 [200, 200]", "22 [21, 28]"]
    assert "adjacency (1 timeout)" in figure.get_supxlabel()


def test_a_step_that_nobody_took_is_not_drawn(tmp_path):
    figure = pets_phases.draw(Results(write(tmp_path / "r.h5", runs=[run()])))
    assert list(bars(figure.axes[0])[0]) == ["levels and ranks", "sort", "selection"]


def test_the_largest_graph_of_an_implementation_is_drawn_or_the_one_asked_for(tmp_path):
    rows = [
        run(),
        run(graph="v=5000", tasks=5000, metrics_ms=6.0),
        run(graph="lost", tasks=7000, status="timeout"),
        host(graph="v=9000", tasks=9000),
    ]
    results = Results(write(tmp_path / "r.h5", runs=rows))
    figure = pets_phases.draw(results)
    assert "v=5000\n5,000 tasks, 4,000 edges, 30 levels, 8 pro" in figure.axes[0].get_title("left")
    assert bars(figure.axes[0])[0]["levels and ranks"] == [6]
    small = pets_phases.draw(results, graph="v=1000")
    assert bars(small.axes[0])[0]["levels and ranks"] == [1]
    with pytest.raises(PlotError, match="no rows of x in /runs, only of v=1000, v=5000"):
        pets_phases.draw(results, graph="x")
    with pytest.raises(PlotError, match="no rows of pets_literal"):
        pets_phases.draw(results, algorithm="pets_literal")


def test_algorithms_without_steps_have_no_bars(tmp_path):
    rows = [host(algorithm="heft_append", metrics_ms=-1.0, sort_ms=-1.0, selection_ms=-1.0)]
    with pytest.raises(PlotError, match="no rows of heft_append in /runs tell its steps apart"):
        pets_phases.draw(Results(write(tmp_path / "r.h5", runs=rows)), algorithm="heft_append")


# --- quality --------------------------------------------------------------------------------


def quality_tables():
    """Four graphs, CCR 0.5 or 2, alpha 1 or 3. By CCR 0.5: SLR of PETS 1 and 2, of HEFT 3 and 3."""
    runs, graphs = [], []
    for seed, ccr, alpha, pets, heft in (
        (1, 0.5, 1.0, (10, 1.0), (9, 3.0)),
        (2, 0.5, 3.0, (20, 2.0), (20, 3.0)),
        (3, 2.0, 1.0, (30, 3.0), (31, 4.0)),
        (4, 2.0, 3.0, (40, 6.0), (39, 8.0)),
    ):
        graphs.append(graph(graph="same", graph_seed=seed, ccr=ccr, alpha=alpha))
        for algorithm, (makespan, slr) in (("pets_append", pets), ("heft_append", heft)):
            own = {"algorithm": algorithm, "makespan": makespan, "slr": slr, "speedup": 2 * slr}
            runs += [host(graph="same", graph_seed=seed, repetition=k, **own) for k in (0, 1)]
    return runs, graphs


def test_means_are_of_the_graphs_that_have_the_value(tmp_path):
    runs, graphs = quality_tables()
    runs.append(run(graph="same", graph_seed=1, makespan=10, slr=1.0, speedup=2.0))  # once more
    figure = pets_quality.draw(Results(write(tmp_path / "r.h5", runs=runs, graphs=graphs[::-1])))
    panels = np.array(figure.axes).reshape(4, 2)
    assert [axes.get_xlabel() for axes in panels[-1]] == ["CCR", "α"]
    assert [axes.get_ylabel() for axes in panels[:, 0]] == pets_quality.TITLES
    slr, best = panels[0], panels[3]
    assert [text.get_text() for text in slr[0].get_xticklabels()] == ["0.5", "2"]
    assert curves(slr[0]) == {
        "pets_append": near([(0, 1.5), (1, 4.5)]),
        "heft_append": near([(0, 3), (1, 6)]),
    }
    assert curves(slr[1])["pets_append"] == near([(0, 2), (1, 4)])
    assert curves(panels[1][0])["heft_append"] == near([(0, 6), (1, 12)])
    assert curves(best[0]) == {  # graph 2 is a tie
        "pets_append": near([(0, 50), (1, 50)]),
        "heft_append": near([(0, 100), (1, 50)]),
    }
    assert "4 random graphs on 8 processors" in figure.get_suptitle()
    for text in ("v = 1 k", "η = 0.5", "β = 4"):
        assert f"Does not vary: {text}" in figure.get_supxlabel()


def test_graphs_of_other_kinds_and_with_failed_runs_are_left_out(tmp_path):
    runs, graphs = quality_tables()
    runs += [host(graph="g", algorithm=a, slr=99.0) for a in ("pets_append", "heft_append")]
    graphs.append(graph(graph="g", kind="gauss", ccr=2.0))
    for row in runs:
        if (row["graph_seed"], row["algorithm"]) == (3, "heft_append"):
            row |= {"status": "timeout", "slr": 0.0, "makespan": 0}
    figure = pets_quality.draw(Results(write(tmp_path / "r.h5", runs=runs, graphs=graphs)))
    assert curves(figure.axes[0])["pets_append"] == near([(0, 1.5), (1, 6)])
    note = figure.get_supxlabel()
    assert "of other kinds than random: 1" in note
    assert "without schedules of all algorithms: 1" in note
    assert "heft_append (2 timeout)" in note


def test_parameters_that_a_kind_does_not_have_are_not_shown(tmp_path):
    runs, graphs = quality_tables()
    for of in graphs:
        of |= {"kind": "fft", "v": -1.0, "alpha": -1.0, "beta": -1.0}
    path = write(tmp_path / "r.h5", runs=runs, graphs=graphs)
    figure = pets_quality.draw(Results(path), kind="fft")
    assert [axes.get_xlabel() for axes in figure.axes[3:]] == ["CCR"]
    assert "η = 0.5" in figure.get_supxlabel() and "-1" not in figure.get_supxlabel()


def test_quality_that_cannot_be_shown(tmp_path):
    runs, graphs = quality_tables()
    results = Results(write(tmp_path / "one.h5", runs=runs[:4], graphs=graphs[:1]))
    with pytest.raises(PlotError, match="no parameter of the random graphs has several values"):
        pets_quality.draw(results)
    with pytest.raises(PlotError, match="no schedules of fft graphs .* kinds: random"):
        pets_quality.draw(results, kind="fft")
    with pytest.raises(PlotError, match="no row of same, seed 2, 8 processors, in /graphs"):
        pets_quality.draw(Results(write(tmp_path / "r.h5", runs=runs, graphs=graphs[:1])))
    runs[0]["makespan"] += 1
    with pytest.raises(PlotError, match="pets_append: no one right schedule"):
        pets_quality.draw(Results(write(tmp_path / "r.h5", runs=runs, graphs=graphs)))


# --- style ----------------------------------------------------------------------------------


def test_an_implementation_looks_the_same_everywhere(results):
    known = pets_data.IMPLEMENTATIONS
    looks = [tuple(pets_data.style_of(name)[k] for k in ("color", "marker")) for name in known]
    assert len(set(looks)) == len(known)
    assert pets_data.style_of("mine", ["host", "mine"]) != pets_data.style_of(
        "host", ["host", "mine"]
    )
    assert pets_data.in_order(["mine", "csr", "host"], known) == ["host", "csr", "mine"]


# --- the program ----------------------------------------------------------------------------


def test_what_the_program_writes_is_drawn(tmp_path, run_script):
    program = find_program("pets")
    common = ["--backend", "host", "--quiet", "--repeat", 2, "--no-schedules", "--output"]
    named = "host,rectangular_vectorised,csr,hand_over"
    sizes = ["--generate", "v=40", "--generate", "v=80", "--algorithm", "pets_append"]
    grid = [a for ccr in (0.5, 2) for a in ("--generate", f"v=30,ccr={ccr}")]
    for arguments in (
        [*sizes, "--implementation", named, *common, "a.h5"],
        [*grid, "--count", 2, *common, "b.h5"],
    ):
        done = run_program(program, *arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    results, quality = Results(tmp_path / "a.h5"), Results(tmp_path / "b.h5")
    for axes in pets_fig5_1.draw(results).axes:
        found = curves(axes)
        assert list(found) == named.split(",")
        assert all([x for x, _ in points] == [40, 80] for points in found.values())
    [axes] = pets_bandwidth.draw(results).axes
    assert [label.split(" (")[0] for label in curves(axes)] == named.split(",")[1:]
    shown = [text.get_text() for text in pets_phases.draw(results).axes[0].get_yticklabels()]
    assert shown == named.split(",")
    panels = pets_quality.draw(quality).axes
    assert [axes.get_xlabel() for axes in panels[3:]] == ["CCR"]
    assert len(curves(panels[0])) == 4
    for file in ("a.h5", "b.h5"):
        done = run_script("scripts/tables/pets.py", tmp_path / file)
        assert done.returncode == 0, done.stderr
        assert ("table effects" in done.stdout) == (file == "b.h5")
