"""METG(50 %) of the published algorithms, and the shortest equal tasks with most blocks.

RESULTS.h5 is from the experiment `metg`, and from the same with `--label custom` and more blocks.
docs/schedulers.md has tasks of uneven durations."""

from gridloom.metg import metg_text
from gridloom.results import read_runs
from gridloom.text import duration, number, table
from gridloom.wavefront.data import KIND, OWN_HASHES, PUBLISHED
from gridloom.wavefront.metg import curves, equal_tasks

STATIC = "in_order"
QUEUES = ["multi_queue", "ticket_queue"]


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


def rare_long_texts(runs):
    """How many times as fast as the best rival queues are with most blocks, if few tasks are long:
    a table by the mean duration, and the value for the longest."""
    rows = runs.only(experiment="custom", durations="rare-long", width="block", status="ok")
    rows = rows.only(workers=rows["workers"].max())
    times = rows.groupby(["work_ns", "algorithm"])["elapsed_ms"].median().unstack()
    rivals = [name for name in times if name not in KIND]
    if not rivals or "multi_queue" not in times:
        return {}
    own = [name for name in QUEUES if name in times]
    over = {name: times[rivals].min(axis=1) / times[name] for name in own}
    lines = [[f"`{name}`", *(f"{number(one)} ×" for one in found)] for name, found in over.items()]
    heads = ["algorithm", *map(duration, times.index)]
    return {"rare-long": table(heads, lines), "rare-long-multi_queue": lines[0][-1]}


def metg_values(runs):
    """METG of each published algorithm, with the published hash where it has one."""
    rows = equal_tasks(runs)
    rows = rows.mask(~rows["hash"].isin(OWN_HASHES))
    found = {name: curves(own) for name in PUBLISHED if len(own := rows.only(algorithm=name))}
    return {f"metg-{name}": metg_text(*all_curves[0]) for name, all_curves in found.items()}


def texts_of(path):
    runs = read_runs(path)
    return {**most_blocks_values(runs), **rare_long_texts(runs), **metg_values(runs)}
