"""Fifty random programs give the results of gcc; thousands in the full tier."""

import pytest

from juggler_cc_programs import program
from juggler_cc_scene import run_both

BATCH = 25


def check(folder, first_seed, blocks):
    """gcc matches ranges by their begin, so the oracle for overlapping ranges is serial."""
    source = folder / "programs.c"
    source.write_text(program(range(first_seed, first_seed + BATCH), blocks))
    outcome = run_both(source, folder, level="-O0", tasks_in_oracle=blocks)
    got, expected = outcome.got.splitlines(), outcome.expected.splitlines()
    assert len(expected) == BATCH
    wrong = [f"seed {b.split()[0]}" for a, b in zip(got, expected, strict=True) if a != b]
    assert not wrong
    assert sum(tasks for tasks, _ in outcome.reports) > 10 * BATCH
    assert sum(edges for _, edges in outcome.reports) > 10 * BATCH


@pytest.mark.parametrize(
    ("first_seed", "blocks"), [(0, True), (100, False)], ids=["blocks", "overlapping"]
)
def test_random_programs(first_seed, blocks, tmp_path):
    check(tmp_path, first_seed, blocks)


@pytest.mark.slow
@pytest.mark.parametrize("first_seed", [0, 100, *range(1000, 2000, BATCH)])
@pytest.mark.parametrize("blocks", [True, False], ids=["blocks", "overlapping"])
def test_thousands_of_random_programs(first_seed, blocks, tmp_path):
    check(tmp_path, first_seed, blocks)
