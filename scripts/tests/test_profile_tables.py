"""The table of profiled kernels: shares, what is left out, and that READMEs can be kept current."""

import sys

import pytest

from conftest import ROOT
from gridloom_plots import PlotError
from ncu_sample import COUNTERS, SAMPLES, SEARCH, SWEEP, VALUES, fake_ncu, write_page

sys.path.insert(0, str(ROOT / "scripts" / "tables"))
import profiles

SCRIPT = "scripts/tables/profiles.py"


@pytest.fixture
def stored(tmp_path, run_script):
    """Stores pages as profiles of one file: (name, pattern, page)..."""

    def store(*pages):
        for name, pattern, page in pages:
            done = run_script(
                "scripts/profile", "--output", tmp_path / "r.h5", "--append", "--name", name,
                "--kernel", pattern, "--csv", page, "--gpu", "NVIDIA H200",
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
        return tmp_path / "r.h5"

    return store


def rows_of(text):
    """The cells of the table's rows."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def test_shares_are_of_all_warps_and_issuing_is_no_waiting(tmp_path, stored):
    page = write_page(tmp_path / "p.csv", kernels=[SEARCH])
    found = profiles.tables(stored(("rcm-small", "level_search", page)))
    waits = "60 % `barrier`, 20 % `long_scoreboard`, 10 % `membar`, 4 % `wait`"
    assert rows_of(found["profiles"]) == [
        ["`rcm-small`", "`level_search`", waits, "1", "1,250", "12.5 %", "33.2 %", "7.75 %", "50 %"]
    ]
    assert found["profile-rcm-small"] == waits and found["profiles-rcm"] == found["profiles"]
    caption = found["profiles"].splitlines()[0]
    assert "NVIDIA H200" in caption and "`membar` a fence" in caption
    assert "cold caches" not in caption  # nobody knows, of an imported page
    assert "`sleeping`" not in caption and "`selected`" not in caption


def test_launches_are_put_together_and_kernels_are_not(tmp_path, stored):
    page = write_page(tmp_path / "p.csv", kernels=[SEARCH, SEARCH, SEARCH])
    both = write_page(tmp_path / "q.csv", kernels=[SEARCH, SWEEP])
    found = profiles.tables(stored(("rcm-a", "level_s", page), ("jacobi-b", "mhive::\\w+", both)))
    first, second, third = rows_of(found["profiles"])
    assert first[:2] == ["`rcm-a`", "`level_search`"] and first[3:5] == ["3", "1,250"]
    # 600 + 1 + 600 of 1000 + 5 + 1000
    assert first[2].startswith("59.9 % `barrier`")
    assert second[1] == "`mhive::level_search`" and third[1] == "`mhive::sweep`"
    assert third[3:6] == ["1", "2", "0.5 %"]
    assert rows_of(found["profiles-jacobi"]) == [second, third]
    assert set(found) == {"profiles", "profiles-rcm", "profiles-jacobi", "profile-rcm-a"}


def test_the_caption_says_how_ncu_ran(tmp_path, run_script):
    page = write_page(tmp_path / "page.csv", kernels=[SEARCH])
    own = ["--output", tmp_path / "r.h5", "--append", "--kernel", "level_search"]
    own += ["--ncu", fake_ncu(tmp_path)]

    def caption_after(name, *more):
        done = run_script("scripts/profile", *own, "--name", name, *more, "--", "true")
        assert done.returncode == 0, done.stderr
        return profiles.tables(tmp_path / "r.h5")["profiles"].splitlines()[0]

    assert page.exists() and "Nsight Compute 2025.3.1.0 on" in (text := caption_after("a"))
    assert "one by one, from cold caches, several" in text
    assert "cold caches" not in caption_after("b", "--cache-control", "none")


def test_what_ncu_did_not_say_is_no_number(tmp_path, stored):
    values = {"dram__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "n/a", "1")}
    page = write_page(tmp_path / "p.csv", values, kernels=[SEARCH])
    found = profiles.tables(stored(("rcm-small", "level", page)))
    assert rows_of(found["profiles"])[0][2:] == ["–", "1", "–", "–", "–", "–", "–"]


def test_counters_give_shares_too(tmp_path, stored):
    values = {name: value for name, value in VALUES.items() if not name.startswith(SAMPLES)}
    for state, amount in (("barrier", "3"), ("selected", "1")):
        values[COUNTERS.format(state)] = ("inst", amount, amount)
    page = write_page(tmp_path / "p.csv", values, kernels=[SEARCH])
    found = profiles.tables(stored(("rcm-small", "level", page)))
    assert found["profile-rcm-small"] == "75 % `barrier`"


def test_a_readme_is_written_and_checked(tmp_path, stored, run_script):
    page = write_page(tmp_path / "p.csv", kernels=[SEARCH])
    path = stored(("rcm-small", "level", page))
    readme = tmp_path / "README.md"
    readme.write_text(
        "<!-- table h200-profiles-rcm -->\nold\n<!-- end -->\n"
        "It waits: <!-- value h200-profile-rcm-small -->old<!-- end -->.\n"
    )
    arguments = [SCRIPT, path, "--prefix", "h200-"]
    assert run_script(*arguments, "--check", readme).returncode == 1
    assert run_script(*arguments, "--write", readme).returncode == 0
    assert run_script(*arguments, "--check", readme).returncode == 0
    text = readme.read_text()
    assert "It waits: <!-- value h200-profile-rcm-small -->60 % `barrier`, 20 %" in text
    readme.write_text(text.replace("1,250", "1,251"))
    assert run_script(*arguments, "--check", readme).returncode == 1


def test_another_file_is_refused(results):
    with pytest.raises(PlotError, match="no group /stalls"):
        profiles.tables(results)


def test_every_state_that_is_asked_for_is_explained():
    import ncu_page

    asked = {ncu_page.ONE_NAME.get(state, state) for state in ncu_page.STATES.split()}
    assert asked - {profiles.ISSUES} <= set(profiles.STATES)
