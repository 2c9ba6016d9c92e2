"""The headline figures of wavefront/README.md: published algorithms against rivals, then ours.

The best rival of a graph is the arm by waves with the shortest run. If set-up counts, it is the one
with the shortest sum of set-up and run: a CUDA graph runs faster than barriers but has a longer
set-up."""

import re

from gridloom.results import read_runs
from gridloom.text import NONE, duration, number, si, table, times_text
from gridloom.wavefront.data import (
    KIND,
    OWN_HASH,
    RIVAL,
    RUNS_A_TASK,
    arms,
    graph_text,
    kind_of,
    median,
    rate,
    setup_ms,
    with_setup,
)
from gridloom.wavefront.metg import equal_tasks

ORDER = ["published", RIVAL, OWN_HASH, "ours"]
PAPER_BLOCKS = 220
OTHER_COLUMNS = r" recurrence$| \d+ blocks$"  # parts of an arm's name that other columns show
HEADS = ["graph and task", "algorithm", "", "runs on", "blocks × threads", "tasks/s"]
HEADS += ["run, ms", "set-up, ms", "over the table's best rival"]
HEADS += ["the same, with set-up"]
FIG3 = {"experiment": "fig3", "body": "noop"}


def best_of(found, few=False):
    """The fastest arm of each algorithm, for published ones also with the paper's grid.

    If `few`: only the best rivals, without and with set-up, and one of the two forms of
    `in_order`."""
    chosen = {}
    for config, rows in found:  # the fastest first
        if config["arm"].endswith("one fence"):  # not a scheduler for any tasks
            continue
        papers = kind_of(config) == "published" and config["workers"] == PAPER_BLOCKS
        name = config["algorithm"].removesuffix("_ticket") if few else config["algorithm"]
        chosen.setdefault((name, kind_of(config), papers), (config, rows))
    rivals = [arm for arm in chosen.values() if kind_of(arm[0]) == RIVAL]
    kept = [arm for arm in chosen.values() if kind_of(arm[0]) != RIVAL]
    frugal = least_with_setup(rivals)
    kept += [arm for arm in rivals if not few or arm is rivals[0] or arm is frugal]
    return sorted(kept, key=lambda arm: (ORDER.index(kind_of(arm[0])), rate(*arm)))


def least_with_setup(found):
    """The arm with the shortest sum of set-up and run, or None."""
    return min(found, key=lambda arm: with_setup(arm[1]), default=None)


def headline_rows(found, what, few=False):
    rivals = [arm for arm in found if kind_of(arm[0]) == RIVAL]  # the fastest first
    frugal = least_with_setup(rivals)
    of = (median(rivals[0][1]), with_setup(frugal[1])) if rivals else None
    for place, (config, rows) in enumerate(best_of(found, few)):
        cells = ["" if place else what, f"`{re.sub(OTHER_COLUMNS, '', config['arm'])}`"]
        cells += [kind_of(config), RUNS_A_TASK[config["width"]]]
        cells += [f"{config['workers']:,} × {config['threads']}", si(rate(config, rows))]
        cells += [number(median(rows)), number(setup_ms(rows))]
        cells.append(times_text(of[0] / median(rows)) if rivals else NONE)
        yield [*cells, times_text(of[1] / with_setup(rows)) if rivals else NONE]


def shortest_work(runs):
    """The arms of the METG experiment with its shortest task. All run one block per task."""
    rows = equal_tasks(runs)
    return arms(rows, work_ns=rows["work_ns"].min()) if len(rows) else []


def headlines_table(runs):
    """The table of README.md: the paper's lattice, equal widths, and graphs of other kinds."""
    others = runs.only(experiment="custom")
    edges = others.only(graph="dag")["edges"].max()
    lines = []
    for found, what in (
        (arms(runs, **FIG3), "no-op"),
        (arms(runs, experiment="fig3", body="recurrence"), "needs results"),
        (shortest_work(runs), "{work_ns} ns"),
        (arms(others.mask(others["planes"] > 1)), "no-op"),
        (arms(others, graph="dag", edges=edges), "no-op"),
    ):
        if found:
            text = f"{graph_text(found[0][0])}, {what.format(**found[0][0])}"
            lines += headline_rows(found, text, few=True)
    return table(HEADS, lines, left=5) if lines else None


def scaling_table(runs):
    """Throughput by blocks on the largest lattice that all algorithms ran on, one row per
    algorithm."""
    rows = runs.only(experiment="scaling", counters=0, status="ok", rows=10_000)
    blocks = sorted(set(rows["workers"]))
    lines = []
    for key, own in rows.groups(["arm", "width", "threads"]):
        by = {b: own.only(workers=b) for b in blocks}
        cells = [si(r["tasks"][0] / median(r) * 1e3) if len(r) else NONE for r in by.values()]
        lines.append([f"`{key['arm']}`", RUNS_A_TASK[key["width"]], str(key["threads"]), *cells])
    heads = ["arm", "runs on", "threads per block", *(f"{b:,} blocks" for b in blocks)]
    return table(heads, lines, left=2) if lines else None


def ahead_from(runs):
    """The shortest task of the METG experiment from which on ours is faster than every rival."""
    rows = equal_tasks(runs)
    found = None
    for work_ns in sorted(set(rows["work_ns"]), reverse=True):
        times = {c["algorithm"]: median(r) for c, r in arms(rows, work_ns=work_ns)}
        rivals = [ms for name, ms in times.items() if name not in KIND]
        if not rivals or times.get("ticket_queue", min(rivals)) >= min(rivals):
            break
        found = work_ns
    return {"metg-ahead": duration(found)} if found else {}


def worst_in_order(runs):
    """`in_order` relative to the best rival, on the graph from a file with the worst ratio."""
    gains = []
    for _, own in runs.only(experiment="custom", graph="dag", body="noop").groups(["input"]):
        times = {}
        for config, rows in arms(own):  # the fastest first
            times.setdefault("rival" if kind_of(config) == RIVAL else config["algorithm"], rows)
        if {"rival", "in_order"} <= times.keys():
            gains.append(median(times["rival"]) / median(times["in_order"]))
    return {"in_order-worst": times_text(min(gains))} if gains else {}


def packed_gain(runs):
    """The gain of ticket_queue by packed successors on graphs from files, smallest to largest."""
    gains = []
    rows = runs.only(experiment="custom", graph="dag", algorithm="ticket_queue")
    for _, own in rows.groups(["input"]):
        times = {config["arm"]: median(rows) for config, rows in arms(own, body="noop")}
        if {"ticket_queue", "ticket_queue rows"} <= times.keys():
            gains.append(100 * (1 - times["ticket_queue"] / times["ticket_queue rows"]))
    return {"packed-saves": f"{min(gains):.2g} to {max(gains):.2g} %"} if gains else {}


def texts_of(path):
    runs = read_runs(path)
    equal = shortest_work(runs)
    found = {
        "headlines": headlines_table(runs),
        "equal-widths": table(HEADS, headline_rows(equal, graph_text(equal[0][0])), left=5)
        if equal
        else None,
        "scaling": scaling_table(runs),
        **worst_in_order(runs),
        **packed_gain(runs),
        **ahead_from(runs),
    }
    return {name: text for name, text in found.items() if text}
