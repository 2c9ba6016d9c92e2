"""The report in a browser: it holds all it shows and fits a phone and a screen.

Skipped where neither Chromium, Chrome nor Firefox is installed; scripts/bootstrap installs none.
"""

import pytest

import page_in_browser
from conftest import ROOT
from gridloom import artifacts, report
from gridloom.claims import read_claims
from gridloom.outcome import Outcome
from gridloom.stamps import Stamps

PHONE, SCREEN = 420, 1400
# Stored results stand for those of this machine, where one file is enough.
STORED = {
    "pets-example-smoke.h5": "pets/reference/example.h5",
    "thesis_mhive-fig7_1-smoke.h5": "thesis_mhive/reference/nvidia-h200-generic.h5",
}

pytestmark = pytest.mark.skipif(
    page_in_browser.browser() is None,
    reason="no chromium, google-chrome or firefox to look at the report with",
)


@pytest.fixture(scope="module")
def page(results, tmp_path_factory):
    """A report of all artifacts; figures of the reference stand for those of this machine."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "wavefront-smoke.h5").symlink_to(results)
    for name, stored in STORED.items():
        (folder / name).symlink_to(ROOT / stored)
    outcomes = []
    for artifact in artifacts.read_all():
        outcome = Outcome(artifact, ROOT / artifact.name, read_claims(ROOT / artifact.name))
        outcome.results = [(run, folder / run.output) for run in artifact.runs]
        outcome.commands = {run.output: str(run.commands) for run in artifact.runs}
        outcome.failures = ["a line of a failure: " + "path/of/some/length/" * 12]
        pictures = sorted((ROOT / artifact.name / "reference/figures").glob("*.png"))
        outcome.figures = list(zip(artifact.figures, pictures, strict=False))
        outcomes.append(outcome)
    report.write_report(folder / "report.html", outcomes, Stamps(folder / ".values.json"))
    return (folder / "report.html").read_bytes()


@pytest.fixture(scope="module")
def visit(page, tmp_path_factory):
    return page_in_browser.visited(page, (PHONE, SCREEN), tmp_path_factory.mktemp("profile"))


def test_nothing_is_asked_for_from_elsewhere(visit):
    assert (visit.asked, visit.violations, visit.found["requests"]) == ([], [], [])


def test_images_load_and_links_have_targets(visit):
    assert visit.found["images"] >= 20 and visit.found["broken"] == []
    assert len(visit.found["links"]) >= 15 and visit.found["lost"] == []


@pytest.mark.parametrize("sections", ["", " open"], ids=["as_loaded", "all_sections_open"])
@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_no_page_is_wider_than_its_window(visit, width, sections):
    measured = visit.found[f"{width}{sections}"]
    assert measured["content"] <= measured["width"] <= width and measured["wide"] == [], measured


def test_wide_tables_scroll_inside_the_page_on_a_phone(visit):
    assert "width=device-width" in visit.found["viewport"]
    assert visit.found["folded"] >= 10
    assert visit.found[f"{PHONE} open"]["scrolling"] >= 5


BAD = """<!DOCTYPE html><html><head><link rel="stylesheet" href="http://127.0.0.1:9/style.css">
</head><body><img src="data:image/png;base64,AAAA" alt="torn"><img src="beside.png" alt="beside">
<a href="#nowhere">lost</a><p style="width: 900px">wide</p>
<div style="overflow-x: auto"><p style="width: 3000px">scrolls</p></div></body></html>"""


def test_a_bad_page_is_found_out(tmp_path):
    visit = page_in_browser.visited(BAD.encode(), (PHONE, SCREEN), tmp_path)
    assert sorted(visit.found["broken"]) == ["beside", "torn"] and visit.asked == ["/beside.png"]
    assert any("127.0.0.1:9" in name for name in visit.found["requests"] + visit.violations)
    assert visit.found["lost"] == ["#nowhere"]
    phone, screen = (visit.found[str(width)] for width in (PHONE, SCREEN))
    assert phone["content"] > phone["width"] and phone["wide"] == ["P.: wide"]
    assert screen["content"] <= screen["width"] and screen["wide"] == []
