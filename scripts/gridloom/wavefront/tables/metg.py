"""METG(50 %) of the published algorithms, and the shortest equal tasks with most blocks.

RESULTS.h5 is from the experiment `metg`, and from the same with `--label custom` and more blocks.
docs/schedulers.md has tasks of uneven durations."""

from gridloom.metg import metg_text
from gridloom.results import read_runs
from gridloom.text import number
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


def rare_long_value(runs):
    """How many times as fast as the best rival the several queues are, if few tasks are long: for
    the longest mean and the most blocks."""
    if "durations" not in runs:
        return {}
    rows = runs.only(experiment="custom", durations="rare-long", width="block", status="ok")
    if not len(rows):
        return {}
    rows = rows.only(workers=rows["workers"].max())
    times = rows.only(work_ns=rows["work_ns"].max()).groupby("algorithm")["elapsed_ms"].median()
    rivals = [ms for name, ms in times.items() if name not in KIND]
    if not rivals or "multi_queue" not in times:
        return {}
    return {"rare-long-multi_queue": f"{number(min(rivals) / times['multi_queue'])} ×"}


def metg_values(runs):
    """METG of each published algorithm, with the published hash where it has one."""
    rows = equal_tasks(runs)
    rows = rows.mask(~rows["hash"].isin(OWN_HASHES))
    found = {name: curves(own) for name in PUBLISHED if len(own := rows.only(algorithm=name))}
    return {f"metg-{name}": metg_text(*all_curves[0]) for name, all_curves in found.items()}


def texts_of(path):
    runs = read_runs(path)
    return {**most_blocks_values(runs), **rare_long_value(runs), **metg_values(runs)}
