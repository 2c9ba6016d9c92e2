"""No number of a page is typed by hand: a marker ties it to a stored file or to the paper."""

import pytest

from conftest import ROOT
from gridloom.pages import declarations, pages_of
from prose_numbers import numbers_in

PAGES = [path for folder in ["", *declarations()] for path in pages_of(folder)]


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_number_is_tied_to_a_file_or_to_the_paper(page):
    found = numbers_in(page.read_text(encoding="utf-8"))
    assert not found, f"{len(found)} numbers without a marker:\n" + "\n".join(map(str, found))


# --- the check itself -------------------------------------------------------------------------

LOOSE = {
    "A hop takes 571 ns.": "571 ns",
    "It is 5.77 × as fast as SciPy.": "5.77 ×",
    "It is 5.77× the host's.": "5.77×",
    "about 100 times as fast": "100 times",
    "twice as fast": "twice as",
    "three times as fast": "three times as",
    "half the speed": "half the speed",
    "It reaches 2.91 G tasks/s.": "2.91 G",
    "a rate of 38 M/s": "38 M/s",
    "102 % of the floor": "102 %",
    "reads 4.8 TB/s": "4.8 TB/s",
    "1.5e6 tasks/s": "1.5e6 tasks/s",
    "24 bytes a task": "24 bytes",
    "after 30\nminutes": "30 minutes",
    "| item | ms |\n|---|--:|\n| a | 3.11 |": "3.11 below 'ms'",
    "| item | got |\n|---|---|\n| a | 3.11 ms |": "3.11 ms",
    "<!-- value h200-a -->3 ms<!-- end --> and 4 ms": "4 ms",
}  # fmt: skip

TIED = [
    "It takes <!-- value h200-a -->571 ns<!-- end --> and <!-- paper -->38 M tasks/s<!-- end -->.",
    "<!-- table h200-fig3 -->\n| arm | ms |\n|---|--:|\n| a | 3.1 ms |\n<!-- end -->",
    "```sh\nsleep 5 s  # 500 ns\n```",
    "`--work-ns 500 ns` and [a](b/3%20ms)",
    "132 blocks of 32 threads, 10,000 × 10,000 tasks, CUDA 13, compute capability 8.0",
    "Medians with bootstrap 95 % intervals; METG(50 %); Table 8.3; Fig. 3b; K20X; 3-D",
    "| item | minutes on H200 |\n|---|--:|\n| a | 9 |",
    "| figure | command |\n|---|---|\n| 3 | `a --rows 500` |",
]


@pytest.mark.parametrize("text", LOOSE)
def test_a_number_without_a_marker_is_found(text):
    assert [found.text for found in numbers_in(text)] == [LOOSE[text]]


@pytest.mark.parametrize("text", TIED)
def test_what_is_tied_or_no_measurement_is_let_pass(text):
    assert numbers_in(text) == []


def test_a_made_page_fails_with_the_line(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("# Title\n\n```sh\ntrue\n```\n\nThe kernel takes\n3 ms.\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="1 numbers without a marker:\n *line 8: 3 ms"):
        test_every_number_is_tied_to_a_file_or_to_the_paper(page)
