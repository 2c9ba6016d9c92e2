"""The front page keeps its budget, and its scoreboard counts the claims right."""

import re
from collections import Counter

from gridloom.artifacts import read_all
from gridloom.claims import read_claims
from gridloom.paths import ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = re.sub(r"```.*?```", "", PAGE, flags=re.S)
# A count in brackets is that of today, where it differs.
ROW = re.compile(r"^\| \[`(\w+)`\]\(\S+\) \|((?: \d+(?: \(\d+\))? \|){4})([^|]+)\|$", re.M)
ROWS = {
    row[1]: ([count.strip() for count in row[2].split("|")[:4]], row[3].strip())
    for row in ROW.finditer(PAGE)
}


def test_page_keeps_its_budget():
    assert len(PROSE.split()) <= 650
    assert len(re.findall(r"(?<![\w.])\d[\d.,]*", PROSE)) <= 40


def test_scoreboard_counts_the_verdicts():
    verdicts = ("reproduced", "in part", "not reproduced", "not tried")
    for artifact in read_all():
        claims = read_claims(ROOT / artifact.name)
        then, today = (
            Counter(claim.verdict_in(regime) for claim in claims) for regime in ("paper", "today")
        )
        counts = [
            f"{then[v]}" if then[v] == today[v] else f"{then[v]} ({today[v]})" for v in verdicts
        ]
        if claims:
            assert ROWS[artifact.name][0] == counts
    assert len(ROWS) == 5


def test_scoreboard_sentences_are_short():
    assert all(len(sentence.split()) <= 15 for _, sentence in ROWS.values())
