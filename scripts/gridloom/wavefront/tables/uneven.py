"""METG(50 %) with drawn durations, and the mean durations from which on one scheduler beats
another.

RESULTS.h5 is from the experiments `metg` and `metg-lanes` with --durations. Further runs of
`wavefront --work-ns ...` have other blocks or threads."""

from gridloom.metg import metg, metg_text
from gridloom.readme import NONE, table
from gridloom.results import read_runs
from gridloom.text import duration, number
from gridloom.wavefront.data import ALGORITHMS, OWN_HASHES
from gridloom.wavefront.metg import DURATIONS, best_grids, curves, drawn, equal_tasks, uneven
from gridloom.wavefront.rows import KIND, PUBLISHED, RUNS_A_TASK

IN_ORDER = ("in_order", "in_order_ticket")
LEADERS = (*IN_ORDER, "ticket_queue", *PUBLISHED)
PLACE = ["graph", "runs on", "blocks × threads"]
STATIC, *DEALT = LEADERS


def graph_text(graph):
    return graph.removesuffix(".h5") if isinstance(graph, str) else "{:,} × {:,}".format(*graph)


def place(graph, width, *shape):
    """The label of the rows of one graph, width and grid."""
    grid = " × ".join(map(str, shape)) or "the best of each"
    return [graph_text(graph), RUNS_A_TASK[width], grid]


def led(begin, lines):
    """The lines, the first of which has the label."""
    return [(begin if first == 0 else [""] * len(begin)) + line for first, line in enumerate(lines)]


def algorithm(config):
    return config["arm"].split()[0]


def metg_table(found):
    kinds = [kind for kind in DURATIONS if any(kind in own for own in found.values())]
    lines = []
    for where, own in found.items():
        names = {algorithm(config) for curves in own.values() for config, _, _ in curves}
        arms = []
        for name in sorted(names, key=list(ALGORITHMS.places).index):
            cells = []
            for kind in kinds:
                one = [curve for curve in own.get(kind, []) if algorithm(curve[0]) == name]
                cells.append(metg_text(one[0][1], [p[0] for p in one[0][2]]) if one else NONE)
            arms.append([f"`{name}`", *cells])
        lines += led(place(*where), arms)
    return table([*PLACE, "algorithm", *kinds], lines, left=4)


def by_duration(curves):
    """{mean duration: {algorithm: efficiency}}."""
    found = {}
    for config, durations, points in curves:
        for length, (middle, _, _) in zip(durations, points, strict=True):
            found.setdefault(int(length), {})[algorithm(config)] = middle
    return dict(sorted(found.items()))


def is_rival(name):
    return name not in KIND


def ahead(lengths, name, is_other=is_rival):
    """Where the algorithm is faster than all others, as the range of durations that ends last, and
    its gain for the longest tasks."""
    gains = {}
    for length in sorted(lengths):
        rivals = [e for other, e in lengths[length].items() if is_other(other)]
        if name in lengths[length] and rivals:
            gains[length] = lengths[length][name] / max(rivals)
    if not gains:
        return NONE
    stretch = []  # the last one
    for length, gain in reversed(gains.items()):
        if gain > 1:
            stretch.insert(0, length)
        elif stretch:
            break
    shortest, longest = min(gains), max(gains)
    if not stretch:
        where = "never"
    elif stretch[-1] == longest:
        where = f"from {duration(stretch[0])}"
    elif stretch[0] == shortest:
        where = f"up to {duration(stretch[-1])}"
    elif len(stretch) == 1:
        where = f"at {duration(stretch[0])}"
    else:
        where = f"{duration(stretch[0])} to {duration(stretch[-1])}"
    return f"{where} ({number(gains[longest])} × at {duration(longest)})"


def ahead_table(found):
    """`found`: {place: {durations: {mean: {algorithm: speed}}}}, with one unit per mean."""
    lines = []
    for where, own in found.items():
        rows = []
        for kind, lengths in own.items():
            longest = lengths[max(lengths)]
            rivals = {name: e for name, e in longest.items() if is_rival(name)}
            best = f"`{max(rivals, key=rivals.get)}`" if rivals else NONE
            rows.append([kind, best, *(ahead(lengths, name) for name in LEADERS)])
        lines += led(place(*where), rows)
    heads = [*PLACE, "durations", "best rival with the longest tasks"]
    return table([*heads, *(f"`{name}` is ahead" for name in LEADERS)], lines, left=5)


def queues_table(found):
    """Schedules made during the run against the static one: from which duration on they pay."""
    lines = []
    for where, own in found.items():
        texts = [
            [
                kind,
                *(ahead(lengths, name, STATIC.__eq__) for name in DEALT),
                ahead(lengths, "ticket_queue", IN_ORDER.__contains__),
            ]
            for kind, lengths in own.items()
        ]
        lines += led(place(*where), texts)
    heads = [*PLACE, "durations", *(f"`{name}` is ahead of `{STATIC}`" for name in DEALT)]
    return table([*heads, "`ticket_queue` is ahead of both forms"], lines, left=4)


def most_blocks_values(runs):
    """The shortest equal tasks, one block per task, with most blocks: the best rival and
    in_order."""
    rows = equal_tasks(drawn(runs))
    if len(set(rows["blocks"])) < 2:
        return {}
    rows = rows.only(blocks=rows["blocks"].max(), work_ns=rows["work_ns"].min())
    times = rows.groupby("algorithm")["elapsed_ms"].median()
    rivals = [ms for name, ms in times.items() if is_rival(name)]
    if not rivals or STATIC not in times:
        return {}
    return {
        "uneven-most-blocks": f"{rows['blocks'].max():,} blocks",
        "uneven-most-blocks-rival": f"{number(min(rivals))} ms",
        f"uneven-most-blocks-{STATIC}": f"{number(times[STATIC])} ms",
    }


def metg_values(runs):
    """METG of multi_queue for equal tasks, or the longest task if no other published one has a
    METG."""
    rows = equal_tasks(runs.only(experiment="metg", counters=0, status="ok"))
    rows = rows.mask(~rows["hash"].isin(OWN_HASHES))
    found = {
        name: [(durations, [p[0] for p in points]) for _, durations, points in curves(own)]
        for name in PUBLISHED
        if len(own := rows.only(algorithm=name))
    }
    texts = {}
    if curve := found.pop("multi_queue", None):
        texts["metg-multi"] = metg_text(*curve[0])
    others = [curve for own in found.values() for curve in own]
    if others and all(metg(*curve) is None for curve in others):
        texts["metg-longest"] = duration(max(durations[-1] for durations, _ in others))
    return texts


def texts_of(path):
    runs = read_runs(path)
    found = uneven(runs)
    grids = {
        where: {kind: by_duration(curves) for kind, curves in own.items()}
        for where, own in found.items()
    }
    least = min(min(lengths) for own in grids.values() for lengths in own.values())
    return {
        "uneven-metg": metg_table(found),
        "uneven-ahead": ahead_table(grids | best_grids(runs)),
        "uneven-queues": queues_table(grids),
        "uneven-shortest": duration(least),
        **most_blocks_values(runs),
        **metg_values(runs),
    }
