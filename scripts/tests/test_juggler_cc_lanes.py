"""Runs translated tasks on blocks of several lanes on the host, under ThreadSanitizer.

A worker of the host backend is one thread, so a missing barrier between serial code and a parallel
loop does no harm. Here a block has several lanes as on a GPU, and ThreadSanitizer finds the race.
"""

import shutil

import pytest

from conftest import ROOT
from juggler_cc_forms import ACCEPTED, WHOLE
from juggler_cc_programs import program
from juggler_cc_scene import EXAMPLES, build, build_oracle, run_with, same_numbers
from test_juggler_cc import RUNS
from test_juggler_cc_forms import program_of

LANES = ROOT / "juggler" / "tests" / "lanes"
FLAGS = ("-I", str(LANES), "-I", str(LANES.parent), "-fsanitize=thread", "-g1")


def check(source, folder, *arguments, lanes, tasks_in_oracle=True):
    found = build(source, folder, *FLAGS, level="-O0")
    oracle = build_oracle(source, folder, tasks=tasks_in_oracle)
    # ThreadSanitizer needs fixed addresses.
    fixed = [shutil.which("setarch"), "-R", found]
    settings = {
        "JUGGLER_BACKEND": "host", "JUGGLER_LANES": lanes, "JUGGLER_REPORT": 1,
        "TSAN_OPTIONS": "halt_on_error=1",
    }  # fmt: skip
    done = run_with(fixed[0], [*fixed[1:], *arguments], folder, **settings)
    assert "WARNING: ThreadSanitizer" not in done.stderr, done.stderr[:3000]
    assert done.returncode == 0, done.stderr[:3000]
    assert "juggler: " in done.stderr
    expected = run_with(oracle, arguments, folder).stdout
    assert expected
    assert len(done.stdout.splitlines()) == len(expected.splitlines())
    lines = zip(done.stdout.splitlines(), expected.splitlines(), strict=True)
    assert [a for a, b in lines if not same_numbers(a, b)] == []


@pytest.mark.parametrize("name", RUNS)
def test_examples_on_blocks_of_several_lanes(name, tmp_path):
    check(EXAMPLES / name, tmp_path, *RUNS[name][0].split(), lanes=5)


def test_accepted_forms_on_blocks_of_several_lanes(tmp_path):
    source = tmp_path / "forms.c"
    source.write_text(program_of(ACCEPTED))
    check(source, tmp_path, lanes=4)


def test_references_on_blocks_of_several_lanes(tmp_path):
    source = tmp_path / "references.cpp"
    source.write_text(WHOLE["references.cpp"])
    check(source, tmp_path, lanes=4, tasks_in_oracle=False)


@pytest.mark.parametrize("blocks", [True, False], ids=["blocks", "overlapping"])
def test_random_programs_on_blocks_of_several_lanes(blocks, tmp_path):
    source = tmp_path / "programs.c"
    source.write_text(program(range(200, 215), blocks))
    check(source, tmp_path, lanes=3, tasks_in_oracle=blocks)


def test_a_race_of_lanes_is_found(tmp_path):
    """The check finds iterations that read what others write."""
    source = tmp_path / "race.c"
    text = program_of({"plain": ACCEPTED["plain"]})
    wrong = text.replace("p[i] = p[i] * 0.75", "p[i] = p[(i + 1) % n] * 0.75")
    assert wrong != text
    source.write_text(wrong)
    with pytest.raises(AssertionError, match="ThreadSanitizer"):
        check(source, tmp_path, lanes=4)
