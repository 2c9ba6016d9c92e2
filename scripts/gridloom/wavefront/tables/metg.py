"""METG(50 %) of the published algorithms, and the shortest equal tasks with most blocks.

RESULTS.h5 is from the experiment `metg`, and from the same with `--label custom` and more blocks.
docs/schedulers.md has tasks of uneven durations."""

from gridloom.metg import metg, metg_text
from gridloom.results import read_runs
from gridloom.text import duration, number
from gridloom.wavefront.data import KIND, OWN_HASHES, PUBLISHED
from gridloom.wavefront.metg import curves, equal_tasks

STATIC = "in_order"


def most_blocks_values(runs):
    """The shortest equal tasks with most blocks: the best rival and in_order."""
    rows = equal_tasks(runs, "custom")
    if not len(rows):
        return {}
    rows = rows.only(workers=rows["workers"].max(), work_ns=rows["work_ns"].min())
    times = rows.groupby("algorithm")["elapsed_ms"].median()
    rivals = [ms for name, ms in times.items() if name not in KIND]
    if not rivals or STATIC not in times:
        return {}
    return {
        "most-blocks": f"{rows['workers'].max():,} blocks",
        "most-blocks-rival": f"{number(min(rivals))} ms",
        f"most-blocks-{STATIC}": f"{number(times[STATIC])} ms",
    }


def metg_values(runs):
    """METG of multi_queue, or the longest task if no other published one has a METG."""
    rows = equal_tasks(runs)
    rows = rows.mask(~rows["hash"].isin(OWN_HASHES))
    found = {name: curves(own) for name in PUBLISHED if len(own := rows.only(algorithm=name))}
    texts = {}
    if curve := found.pop("multi_queue", None):
        texts["metg-multi"] = metg_text(*curve[0])
    others = [curve for own in found.values() for curve in own]
    if others and all(metg(*curve) is None for curve in others):
        texts["metg-longest"] = duration(max(durations[-1] for durations, _ in others))
    return texts


def texts_of(path):
    runs = read_runs(path)
    return {**most_blocks_values(runs), **metg_values(runs)}
