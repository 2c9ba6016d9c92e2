"""The table of profiled kernels: shares, and what is left out."""

import pytest

from gridloom import profiles
from ncu_sample import SEARCH, SWEEP, write_page


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
    found = profiles.texts_of(stored(("rcm-small", "level_search", page)))
    waits = "60 % `barrier`, 20 % `long_scoreboard`, 10 % `membar`, 4 % `wait`"
    assert rows_of(found["profiles"]) == [
        ["`rcm-small`", "`level_search`", waits, "1", "1,250", "12.5 %", "33.2 %", "7.75 %", "50 %"]
    ]
    assert found["profiles-rcm"] == found["profiles"]


def test_launches_are_put_together_and_kernels_are_not(tmp_path, stored):
    page = write_page(tmp_path / "p.csv", kernels=[SEARCH, SEARCH, SEARCH])
    both = write_page(tmp_path / "q.csv", kernels=[SEARCH, SWEEP])
    found = profiles.texts_of(stored(("rcm-a", "level_s", page), ("jacobi-b", "mhive::\\w+", both)))
    first, second, third = rows_of(found["profiles"])
    assert first[:2] == ["`rcm-a`", "`level_search`"] and first[3:5] == ["3", "1,250"]
    # 600 + 1 + 600 of 1000 + 5 + 1000
    assert first[2].startswith("59.9 % `barrier`")
    assert second[1] == "`level_search`" and third[1] == "`sweep`"
    assert third[3:6] == ["1", "2", "0.5 %"]
    assert rows_of(found["profiles-jacobi"]) == [second, third]
    assert set(found) == {"profiles", "profiles-rcm", "profiles-jacobi"}


def test_kernels_of_ours_are_called_by_what_their_entry_is_of():
    of = {
        "void kernel_entry<pass_kernel<double>>(T1)": "pass_kernel",
        "void one::kernel_entry<one::<unnamed>::clear_kernel<double>>(T1)": "clear_kernel",
        "void trsm_kernel<int, 256>(params<T1>, T2)": "trsm_kernel",
        "reset_info(int *)": "reset_info",
    }
    assert {name: profiles.kernel_of(name) for name in of} == of


def test_what_ncu_did_not_say_is_no_number(tmp_path, stored):
    values = {"dram__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "n/a", "1")}
    page = write_page(tmp_path / "p.csv", values, kernels=[SEARCH])
    found = profiles.texts_of(stored(("rcm-small", "level", page)))
    assert rows_of(found["profiles"])[0][2:] == ["–", "1", "–", "–", "–", "–", "–"]
