"""The report is one file: it loads nothing from elsewhere, and wide tables scroll inside it."""

import base64
import io
import re
from html.parser import HTMLParser

from PIL import Image

from conftest import ROOT
from gridloom import artifacts, report
from gridloom.claims import read_claims
from gridloom.outcome import Outcome
from gridloom.stamps import Stamps

# Stored results stand for those of this machine, where one file is enough.
STORED = {
    "pets-example-smoke.h5": "pets/reference/example.h5",
    "thesis_mhive-fig7_1-smoke.h5": "thesis_mhive/reference/nvidia-h200-generic.h5",
}


def write_report(folder, results):
    """A report of all artifacts; figures of the reference stand for those of this machine."""
    (folder / "wavefront-smoke.h5").symlink_to(results)
    for name, stored in STORED.items():
        (folder / name).symlink_to(ROOT / stored)
    outcomes = []
    for artifact in artifacts.read_all():
        outcome = Outcome(artifact, ROOT / artifact.name, read_claims(ROOT / artifact.name))
        outcome.results = [(run, folder / run.output) for run in artifact.runs]
        outcome.commands = {run.output: str(run.commands) for run in artifact.runs}
        pictures = sorted((ROOT / artifact.name / "reference/figures").glob("*.png"))
        outcome.figures = list(zip(artifact.figures, pictures, strict=False))
        outcomes.append(outcome)
    report.write_report(folder / "report.html", outcomes, Stamps(folder / ".values.json"))
    return (folder / "report.html").read_text(encoding="utf-8")


class Page(HTMLParser):
    """Collects the tags and ids of a page, and counts the tables outside of scrolling boxes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.loose_tables, self.boxes = [], set(), 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        self.tags.append((tag, own))
        self.ids.add(own.get("id"))
        if tag == "div":
            self.boxes.append(own.get("class"))
        self.loose_tables += tag == "table" and "scroll" not in self.boxes

    def handle_endtag(self, tag):
        if tag == "div":
            self.boxes.pop()


def test_the_report_holds_all_that_it_shows(tmp_path, results):
    text = write_report(tmp_path, results)
    page = Page(text)
    assert not {"link", "script", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert not re.search(r"url\(|@import", text)
    images = [own["src"] for tag, own in page.tags if tag == "img"]
    assert len(images) >= 20
    for source in images:
        kind, data = source.split(",", 1)
        assert kind == "data:image/png;base64"
        Image.open(io.BytesIO(base64.b64decode(data))).verify()
    links = [own["href"] for tag, own in page.tags if tag == "a"]
    assert len(links) >= 15
    for link in links:
        place = link.removeprefix("#")
        assert place in page.ids if place != link else (tmp_path / link).exists(), link
    assert text.count("<table") >= 5 and page.loose_tables == 0
    order = re.findall(r"\((\w+)/README.md\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    own = [head for head in re.findall("<h2>(.*?)</h2>", text) if head in order]
    assert own == list(dict.fromkeys(name for name in order if name in own)) and len(own) >= 5
    assert '<meta name="viewport" content="width=device-width' in text
