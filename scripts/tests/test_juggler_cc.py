"""The examples of juggler-cc give what the same sources give under gcc -fopenmp."""

import pytest

from juggler_cc_scene import EXAMPLES, run_both, same_numbers

# example: arguments, and the tasks and edges of each run of a region
RUNS = {
    "lud.c": ("4 16", [(30, 54)]),  # 4 + 6 + 6 + 14 tasks
    "stencil.c": ("66 7 9", [(64, 188)]),
    "smith_waterman.c": ("6 12", [(36, 65)]),
    "heat.c": ("4 5", [(80, 280), (16, 24)]),
    "integral_histogram.c": ("48 12", [(20, 19)]),
    "matmul.c": ("", [(125, 100)]),
    "cholesky.c": ("5 8", [(35, 60)]),
}


@pytest.mark.parametrize("name", RUNS)
def test_an_example_computes_what_openmp_computes(name, tmp_path):
    arguments, regions = RUNS[name]
    outcome = run_both(EXAMPLES / name, tmp_path, *arguments.split())
    assert same_numbers(outcome.got, outcome.expected), (outcome.got, outcome.expected)
    assert outcome.got.strip()
    assert outcome.reports == regions


def test_every_example_is_tried():
    assert sorted(path.name for path in EXAMPLES.iterdir()) == sorted(RUNS)
