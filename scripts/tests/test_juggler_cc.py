"""Examples translated by juggler-cc give the results of gcc -fopenmp."""

import collections
import functools
import re

import h5py
import pytest

from conftest import ROOT
from juggler_cc_scene import (
    APPS,
    EXAMPLES,
    build,
    build_oracle,
    quick_dag,
    reports_of,
    run_with,
    same_numbers,
    tool,
)  # fmt: skip
from program_under_test import find_program, run_program

# example: arguments, and the tasks and edges of each run of a region
RUNS = {
    "apps/lud.c": ("4 16", [(30, 54)]),  # 4 + 6 + 6 + 14 tasks
    "stencil.c": ("66 7 9", [(64, 188)]),
    "smith_waterman.c": ("6 12", [(36, 65)]),
    "heat.c": ("4 5", [(80, 280), (16, 24)]),
    "integral_histogram.c": ("48 12", [(20, 19)]),
    "matmul.c": ("", [(125, 100)]),
    "cholesky.c": ("5 8", [(35, 60)]),
}


def translated(name, folder):
    tool(EXAMPLES / name, "--emit", folder / "out.cpp", code=0)
    return (folder / "out.cpp").read_text()


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Builds an example once: (the translated program, the output of the oracle)."""

    @functools.cache
    def built(name):
        folder = tmp_path_factory.mktemp("example")
        oracle = build_oracle(EXAMPLES / name, folder)
        expected = run_with(oracle, RUNS[name][0].split(), folder).stdout
        return build(EXAMPLES / name, folder), expected

    return built


@pytest.mark.parametrize("backend", ["host", "cuda"])
@pytest.mark.parametrize("name", RUNS)
def test_an_example_computes_what_openmp_computes(name, backend, example, tmp_path):
    """On cuda, this needs a build with that backend and a device."""
    arguments, regions = RUNS[name]
    program, expected = example(name)
    settings = {"JUGGLER_BACKEND": backend, "JUGGLER_REPORT": 1}
    settings |= {"JUGGLER_WORKERS": 4} if backend == "host" else {}
    done = run_with(program, arguments.split(), tmp_path, **settings)
    if done.returncode == 2 and "JUGGLER_BACKEND=cuda: " in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert same_numbers(done.stdout, expected), (done.stdout, expected)
    assert done.stdout.strip()
    assert reports_of(done.stderr) == regions


def test_every_example_is_tried():
    assert sorted(path.name for path in EXAMPLES.glob("*.c")) == sorted(set(RUNS) - {"apps/lud.c"})


WORD = re.compile(r"\b[A-Za-z_]\w*")


def words_of(text):
    return set(WORD.findall(re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', " ", text, flags=re.S)))


@pytest.mark.parametrize("name", RUNS)
def test_words_of_generated_code_are_known_to_the_check_of_macros(name, tmp_path):
    """A user's macro with the name of a generated word must be refused or undefined."""
    checked = (ROOT / "juggler" / "compiler" / "macro_names.cpp").read_text()
    checked = checked[checked.index("words_of(") : checked.index("return words;")]
    known = set(" ".join(re.findall(r'"([\w ]+)"', checked)).split())
    known |= words_of((EXAMPLES / name).read_text())
    known |= {"line", "define", "pragma", "undef", "pop_macro", "push_macro", "true", "false"}
    text = translated(name, tmp_path)
    generated = text[text.index("// What the tasks of") : text.rindex("} catch (std")]
    unknown = words_of(generated) - known
    assert not [word for word in unknown if not word.startswith(("jcc_", "type_", "task_"))]


def test_explain_names_tasks_dependences_and_copies():
    done = tool("--explain", EXAMPLES / "cholesky.c", code=0)
    for expected in (
        "cholesky.c:50: region 1, in decompose",
        "array a[0:tiles * tiles * t]: copied in and out",
        "value n: copied to the device",
        "task trsm, line 57, by all threads of a block",
        "its own: k, i",
        "reads a[TILE(k, k):t]",
        "reads and writes a[TILE(i, k):t]",
    ):
        assert expected in done.stdout, expected


def explained(folder, tasks):
    """Output of --explain for a region with these lines, which begin at line 6."""
    source = folder / "region.c"
    source.write_text(
        "#include <stdio.h>\nvoid f(int *a) {\n#pragma omp target parallel map(tofrom: a[0:4])\n"
        "#pragma omp single\n{\n" + tasks + "}\n}\n"
    )
    done = tool("--explain", source, code=0)
    return done.stdout


def test_explain_says_how_clauses_are_taken(tmp_path):
    said = explained(
        tmp_path,
        "#pragma omp task untied priority(2) if(a == 0) affinity(a[0])\na[0] = 1;\n"
        "#pragma omp task depend(inoutset: a[0]) affinity(a[0])\na[0] = 1;\n"
        '#pragma omp task depend(mutexinoutset: a[0])\nprintf("%d", a[0]);\n'
        "#pragma omp taskwait depend(in: a[0]) // depend\n#pragma omp task\na[1] = 1;\n"
        "#pragma omp taskwait\n",
    )
    for remark in (
        "line 6: 'untied' of 'task' has no effect",
        "line 6: 'priority' of 'task'",
        "where 'if' is",
        "line 8: 'inoutset' is 'inout' here: the tasks follow each other",
        "line 8: 'affinity' of 'task' has no effect on results",
        "line 10: 'mutexinoutset' is 'inout' here: the tasks follow each other",
        "line 11: on a GPU 'printf' shows its text when the region ends",
        "line 12: waits for all tasks before it, not for those of 'depend' alone",
        "line 15: waits at the end, as the region's end does",
    ):
        assert remark in said, said


def test_variables_with_names_of_openmp_5_keep_them(tmp_path):
    said = explained(
        tmp_path,
        "int inoutset = 0, masked = 1;\n"
        "#pragma omp task firstprivate(inoutset, masked) depend(inout: a[inoutset:2])\n"
        "a[inoutset] = masked; // depend(inoutset: a)\n",
    )
    assert "a[inoutset:2]" in said and "'inout' here" not in said, said


def test_the_graph_of_a_region_without_running_it(tmp_path):
    """Its edges are compared in test_juggler_cc_apps.py."""
    lud = [APPS / "lud.c", *quick_dag(tmp_path)]
    done = tool("--dag", "nBlocks=04.0,bSize=1.6e1", *lud, cwd=tmp_path, code=0)
    assert "30 tasks, 54 edges" in done.stdout
    with h5py.File(tmp_path / "lud.dag.h5") as file:
        graph = file["graph"]
        assert graph.attrs["n"] == 30
        names = graph["names"].asstr()[...]
    assert collections.Counter(name.split()[0] for name in names) == {
        "lu0": 4, "fwd": 6, "bdiv": 6, "bmod": 14,
    }  # fmt: skip
    text = (tmp_path / "lud.dag.dot").read_text()
    assert text.count(" -> ") == 54
    assert text.count("label=") == 30


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph")
    words = [APPS / "lud.c", "-o", "own", *quick_dag(folder)]
    tool("--dag", "nBlocks=3,bSize=4", *words, cwd=folder, code=0)
    return folder / "own.dag.h5"


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("wavefront", "--backend host --graph {} --workers 2 --repeat 1 --quiet"),
        ("pets", "--dag {} --quiet"),
        ("gridloom-schedulers", "--backend host --graph {} --workers 2 --repeat 1 --quiet"),
    ],
)
def test_schedulers_take_the_graph(program, arguments, graph, tmp_path):
    taken = run_program(find_program(program), *arguments.format(graph).split(), cwd=tmp_path)
    assert taken.returncode == 0, taken.stderr


def test_a_run_writes_its_graph_where_asked(example, tmp_path):
    program, _ = example("matmul.c")
    settings = {"JUGGLER_BACKEND": "host", "JUGGLER_DAG": "run.dot", "JUGGLER_WORKERS": "+2"}
    done = run_with(program, [], tmp_path, **settings)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run.dot").read_text().count(" -> ") == 100


PAGES = [ROOT / "juggler" / "docs" / "juggler_cc.md", ROOT / "juggler" / "README.md"]
MADE = re.compile(r"<!-- made of: examples/(\S+) -->\n```cpp\n(.*?)```", re.S)


@pytest.mark.parametrize(
    ("name", "listing"), [made for page in PAGES for made in MADE.findall(page.read_text())]
)
def test_the_page_shows_what_the_tool_makes(name, listing, tmp_path):
    assert listing.strip() in translated(name, tmp_path)
