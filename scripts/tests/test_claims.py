"""Claims are declared as they should be, and the stored results bear their verdicts out."""

import itertools
import re

import pytest

import jacobi_rows
import pets_rows
import rcm_rows
from conftest import ROOT, row, write_results
from gridloom import artifacts
from gridloom.claims import Source, Sources, quantities_of, read_claims
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
    assert set(known) == {quantity.value for quantity in quantities(name)}  # none is left over


@pytest.mark.parametrize("name", ARTIFACTS)
def test_verdicts_are_those_of_the_stored_results(name, tmp_path):
    sources = Sources(Stamps(tmp_path / "values.json"))
    for claim in CLAIMS[name]:
        held = []
        for quantity in claim.values:
            paths = [ROOT / name / "reference" / file for file in quantity.reference]
            value = sources.value(name, quantity, paths)
            assert value is not None, f"{quantity.name}: the reference does not have it"
            if quantity.holds:
                held.append(quantity.held_by(value.numbers[0]))
        expected = {"reproduced": all(held), "in part": any(held) and not all(held),
                    "not reproduced": not all(held)}  # fmt: skip
        assert not held or expected[claim.verdict], f"{claim.text} {held}"


# --- READMEs ---------------------------------------------------------------------------------

SECTION = re.compile(r"^## What the \w+ claims.*?$(.*?)^## ", re.M | re.S)
BOLD = re.compile(r"\*\*(.+?)\*\*", re.S)
WORDS = ("not reproduced", "not tried", "in part", "reproduced")  # the longer ones first


def verdicts_of(readme):
    """Verdicts in bold in their order; none where the section is not there yet.

    "**not**" alone stands for what is not reproduced.
    """
    section = SECTION.search(readme)
    found = []
    for text in BOLD.findall(section.group(1)) if section else ():
        text = " ".join(text.lower().split()).rstrip(".:")
        found += ["not reproduced"] if text == "not" else [w for w in WORDS if w in text][:1]
    return found


def test_verdicts_are_read_off_a_readme():
    text = (
        "## What the paper claims\n| a | **Reproduced.** |\n1. b **Not\n   tried**: **c**.\n"
        "**The order is reproduced**, **not** above, **In part** below.\n## Next\n**Reproduced**\n"
    )
    expected = ["reproduced", "not tried", "reproduced", "not reproduced", "in part"]
    assert verdicts_of(text) == expected and verdicts_of("**Reproduced**") == []


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


WRONG = {
    CLAIM.replace("reproduced", "perhaps"): r"\[\[claims\]\] 1: verdict: expected reproduced, in",
    CLAIM.replace("reproduced", "not tried"): "'not tried' wants a key 'why'",
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


def test_limits_hold_or_do_not(tmp_path):
    text = CLAIM + VALUE.replace(" }", ', holds = ">= 1.5" }')
    [[quantity]] = [claim.values for claim in declared(tmp_path, text)]
    assert quantity.held_by(1.5) and not quantity.held_by(1.4)


# --- values ----------------------------------------------------------------------------------


def value(artifact, name, *paths):
    return quantities_of(artifact)[name](Source(paths))


def test_algorithms_are_compared_on_the_grid_of_the_single_queue(tmp_path):
    arms = [("single_queue", 1, "none", 60.0), ("scanning", 0, "none", 20.0),
            ("multi_queue", 4, "a", 3.0), ("multi_queue", 4, "b", 2.0),
            ("multi_queue", 2, "b", 4.0), ("waves_graph", 0, "none", 0.5)]  # fmt: skip
    rows = [
        row(
            arm=f"{name} {queues} {hash_}", algorithm=name, queues=queues, hash=hash_, elapsed_ms=ms
        )
        for name, queues, hash_, ms in arms
    ]
    rows.append(row(arm="large", algorithm="multi_queue", blocks=40, queues=40, elapsed_ms=1.0))
    counts = {"single_queue 1 none": 500, "multi_queue 4 b": 5, "scanning 0 none": 1}
    rows += [
        row(arm=arm, algorithm=arm.split()[0], queues=4, counters=1, cas=cas * 10_000)
        for arm, cas in counts.items()
    ]
    path = write_results(tmp_path / "w.h5", rows)
    expected = {
        "scanning_over_single": 3, "multi_over_single": 30, "multi_over_scanning": 10,
        "b_over_a_all": 1.5, "cas_of_single": 100, "cas_of_scanning": 0.2,
        "paper_grid_rate": 5e6, "published_rate": 1e7, "rival_rate": 2e7,
    }  # fmt: skip
    found = {name: value("wavefront", name, path).numbers[0] for name in expected}
    assert found == pytest.approx(expected)
    assert value("wavefront", "published_rate", path).text == "10 M tasks/s"
    assert value("wavefront", "rival_rate", path).input == "100 × 100 tasks, 4 host threads"


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
    write_results(path, [row(algorithm="scanning"), row(elapsed_ms=5.0)])  # another file
    assert Sources(kept).value("wavefront", there, [path]).numbers[0] == 5


def test_claims_about_orderings_use_pdc_and_start_nodes_from_the_host(tmp_path):
    rows = []
    # bcspwr10 is one of the collection's, which knows its size.
    for matrix, n, entries, pdc in (("bcspwr10.mtx", 5300, 21842, 2.0), ("p:nx=9", 60_000, 9, 1.0)):
        rows += rcm_rows.timed("cusolver", matrix, n, 12.0, entries=entries)
        rows += rcm_rows.timed("pdc", matrix, n, pdc, entries=entries, order_ms=pdc)
        rows += rcm_rows.timed("serial", matrix, n, 9.0, entries=entries, start_ms=2.0)
    path = rcm_rows.write(tmp_path / "r.h5", rows)
    numbers = {"rcm_most": 4, "rcm_most_real": 3, "rcm_smallest": 3, "rcm_large": 12, "rcm_mean": 4}
    for name, expected in numbers.items():
        assert value("thesis_mhive", name, path).numbers[0] == pytest.approx(expected), name
    assert value("thesis_mhive", "rcm_most", path).input == "p:nx=9"
    assert value("thesis_mhive", "rcm_serial", path).input == "2 matrices"


def test_only_arms_of_the_thesis_count_for_it(tmp_path):
    rows = [
        *jacobi_rows.timed("kernel_by_kernel", 20.0), *jacobi_rows.timed("graph", 5.0),
        *jacobi_rows.timed("neighbours", 1.0), *jacobi_rows.timed("gathered", 1.0),
        *jacobi_rows.timed("autonomous", 2.0, scheduler="resident_controller"),
        *jacobi_rows.timed("autonomous", 10.0, scheduler="megakernel"),
        *jacobi_rows.timed("stages_phases", 16.0, scheduler="device_controller"),
    ]  # fmt: skip
    path = jacobi_rows.write(tmp_path / "j.h5", rows)
    numbers = {"jacobi_most": 2, "jacobi_graph": 2, "jacobi_handed_over": 500}
    for name, expected in numbers.items():
        assert value("thesis_mhive", name, path).numbers[0] == pytest.approx(expected), name


def test_times_of_pets_are_of_the_largest_graph_beside_one_host_thread(tmp_path):
    runs, graphs = pets_rows.sizes(1000, 4000, row=pets_rows.run())
    host, _ = pets_rows.sizes(1000, 4000, row=pets_rows.host(elapsed_ms=20.0, metrics_ms=10.0))
    slow, _ = pets_rows.sizes(
        1000, 4000, row=pets_rows.run(implementation="rectangular", elapsed_ms=40.0)
    )
    path = pets_rows.write(tmp_path / "p.h5", runs=[*runs, *host, *slow], graphs=graphs,
                           memory=[pets_rows.memory()])  # fmt: skip
    assert value("pets", "in_order_whole", path).numbers[0] == 2
    assert value("pets", "in_order_order", path).numbers[0] == 4
    assert value("pets", "thesis_whole", path).numbers[0] == 0.5
    assert value("pets", "thesis_whole", path).input == "4,000 tasks, 41 levels"


def test_schedules_of_pets_are_compared_on_graphs_that_both_scheduled(tmp_path):
    runs, graphs = [], []
    for seed, (pets, heft) in enumerate(((3.0, 2.0), (6.0, 4.0), (9.0, None))):
        graphs.append(pets_rows.graph(graph_seed=seed))
        for (name, slr), repetition in itertools.product(
            (("pets_insertion", pets), ("heft_insertion", heft)), range(2)
        ):
            own = {"graph_seed": seed, "algorithm": name, "repetition": repetition}
            runs += [pets_rows.host(**own, slr=slr)] if slr else []
    path = pets_rows.write(tmp_path / "p.h5", runs=runs, graphs=graphs)
    found = value("pets", "slr_over_heft", path)
    assert found.numbers[0] == 1.5 and found.input == "2 random graphs"
