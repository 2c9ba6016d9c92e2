"""Declarations of claims are valid, and the stored results agree with their verdicts."""

import re

import pytest

from conftest import ROOT, row, write_results
from gridloom import artifacts
from gridloom.claims import Sources, claims_table, quantities_of, read_claims
from gridloom.stamps import Stamps

ARTIFACTS = {artifact.name: artifact for artifact in artifacts.read_all()}
CLAIMS = {name: read_claims(ROOT / name) for name in ARTIFACTS}


def quantities(name):
    return [quantity for claim in CLAIMS[name] for quantity in claim.values]


@pytest.mark.parametrize("name", ARTIFACTS)
def test_claims_name_what_exists(name):
    written = {file for run in ARTIFACTS[name].runs for file in run.written}
    known = quantities_of(name)
    for quantity in quantities(name):
        assert quantity.value in known, quantity.value
        assert quantity.reference and quantity.here, f"{quantity.name}: without files"
        for file in quantity.reference:
            assert (ROOT / name / "reference" / file).is_file(), file
        assert set(quantity.here) <= written, quantity.here
    assert set(known) == {quantity.value for quantity in quantities(name)}  # no quantity is unused


@pytest.mark.parametrize("name", ARTIFACTS)
def test_verdicts_are_those_of_the_stored_results(name, tmp_path):
    sources = Sources(Stamps(tmp_path / "values.json"))
    for claim in CLAIMS[name]:
        held = {"paper": [], "today": []}
        for quantity in claim.values:
            paths = [ROOT / name / "reference" / file for file in quantity.reference]
            value = sources.value(name, quantity, paths)
            assert value is not None, f"{quantity.name}: the reference does not have it"
            for regime in held if quantity.holds else ():
                if quantity.regime in ("", regime):
                    held[regime].append(quantity.held_by(value.numbers[0]))
        for regime, found in held.items():
            expected = {"reproduced": all(found), "in part": any(found) and not all(found),
                        "not reproduced": not all(found)}  # fmt: skip
            told = f"{claim.text} {regime}: {found}"
            assert not found or expected[claim.verdict_in(regime)], told
        # Numbers that decide only one regime cannot judge the other.
        assert not claim.today or all(held.values()) or not any(held.values()), claim.text


# --- READMEs ---------------------------------------------------------------------------------

SECTION = re.compile(r"^## What the \w+ claims.*?$(.*?)^## ", re.M | re.S)
BOLD = re.compile(r"\*\*(.+?)\*\*", re.S)
WORDS = (
    "not reproduced",
    "not tried",
    "in part",
    "reproduced",
)  # longer ones first, because they contain others


def verdicts_of(readme):
    """The verdicts in bold type in their order; "**not**" alone means "not reproduced"."""
    section = SECTION.search(readme)
    found = []
    for text in BOLD.findall(section.group(1)) if section else ():
        text = " ".join(text.lower().split()).rstrip(".:")
        found += ["not reproduced"] if text == "not" else [w for w in WORDS if w in text][:1]
    return found


@pytest.mark.parametrize("name", ARTIFACTS)
def test_a_readme_has_the_verdicts_of_its_artifact_in_their_order(name):
    found = verdicts_of((ROOT / name / "README.md").read_text(encoding="utf-8"))
    if not found:
        pytest.skip("its README has no section of claims with verdicts")
    assert found == [claim.verdict for claim in CLAIMS[name]]


# --- declarations ----------------------------------------------------------------------------

CLAIM = '[[claims]]\ntext = "It works."\nverdict = "reproduced"\n'
VALUE = 'values = [{ name = "n", value = "v" }]\n'


def declared(tmp_path, text):
    (tmp_path / "artifact.toml").write_text(text)
    return read_claims(tmp_path)


def test_files_of_a_claim_are_those_of_its_values(tmp_path):
    own = 'values = [{ name = "n", value = "v" }, { name = "m", value = "w", here = ["b", "c"] }]'
    [claim] = declared(tmp_path, CLAIM + 'reference = "r.h5"\nhere = "a"\n' + own)
    first, second = claim.values
    assert (first.reference, first.here) == (["r.h5"], ["a"])
    assert (second.reference, second.here) == (["r.h5"], ["b", "c"])
    assert declared(tmp_path, "") == []


def test_the_table_has_values_of_both_regimes_beside_each_other(tmp_path):
    values = """values = [
        { name = "n", value = "a", paper = "2 ×", regime = "paper" },
        { name = "n", value = "b", regime = "today" },
        { name = "m", value = "c" },
    ]"""
    judged = 'section = "6.2"\ntoday = "in part"\nwhy = "It works less."\n'
    claims = declared(tmp_path, CLAIM + judged + values + "\n" + CLAIM)
    assert [claims[0].verdict_in(regime) for regime in ("paper", "today")] == [
        "reproduced", "in part",
    ]  # fmt: skip
    assert claims_table(claims, lambda one: one.value).splitlines()[2:] == [
        "| 1. It works. *n* | 6.2 | 2 × | a | b | **reproduced**; today in part |",
        "| *m* |  | – | c | c |  |",
        "| 2. It works. | – |  |  |  | **reproduced** |",
        "",
        "- 1: It works less.",
    ]


WRONG = {
    CLAIM.replace("reproduced", "perhaps"): r"\[\[claims\]\] 1: verdict: expected reproduced, in",
    CLAIM.replace("reproduced", "not tried"): "'not tried' wants a key 'why'",
    CLAIM + 'today = "perhaps"': "today: expected reproduced, in part",
    CLAIM + 'today = "reproduced"': "today: the same as the verdict",
    CLAIM + 'today = "in part"': "'in part' wants a key 'why'",
    CLAIM + VALUE.replace(" }", ', regime = "then" }'): "value 1: regime: expected paper or today",
    CLAIM + "moon = 1": "unknown key 'moon'",
    '[[claims]]\ntext = "x"': "no key 'verdict'",
    CLAIM + VALUE.replace("value =", "moon ="): "value 1: unknown key 'moon'",
    CLAIM
    + VALUE.replace(" }", ', holds = "1" }'): r"value 1: holds: expected as in '> 1', got '1'",
    CLAIM + VALUE.replace(" }", ', holds = "> x" }'): "got '> x'",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_claim_is_named_in_one_line(tmp_path, text):
    with pytest.raises(artifacts.DeclarationError, match=WRONG[text]) as error:
        declared(tmp_path, text)
    assert "artifact.toml: " in str(error.value) and "\n" not in str(error.value)


# --- values ----------------------------------------------------------------------------------


def test_missing_values_are_none_and_values_are_cached_by_file(tmp_path):
    path = write_results(tmp_path / "w.h5", [row(algorithm="scanning"), row(elapsed_ms=3.0)])
    there, lacking = (
        next(q for q in quantities("wavefront") if q.value == name)
        for name in ("scanning_over_single", "multi_over_single")
    )
    kept = Stamps(tmp_path / "values.json")
    assert Sources(kept).value("wavefront", lacking, [path]) is None
    first = Sources(kept).value("wavefront", there, [path])
    assert first.numbers[0] == 3
    again = Sources(Stamps(tmp_path / "values.json"))
    assert again.value("wavefront", there, [path]).text == first.text and not again.known
    write_results(path, [row(algorithm="scanning"), row(elapsed_ms=5.0)])  # changes the file
    assert Sources(kept).value("wavefront", there, [path]).numbers[0] == 5
