"""All algorithms with one block and with one lane per task, and the peak of multi_queue by hash.

RESULTS.h5 is from the experiment `widths` or `peak`, or from both. Rivals of the experiment
`rivals` on the same graph are the same algorithms with other blocks."""

from gridloom.results import PlotError, read_runs
from gridloom.text import NONE, si, table, times_text
from gridloom.wavefront.data import arms, graph_text, kind_of, median, rate

COLUMNS = [(width, body) for width in ("block", "lane") for body in ("noop", "recurrence")]
WORDS = {"noop": "no-op", "recurrence": "needs results"}
ORDER = ["published", "rival", "ours"]


def widths_table(runs):
    """Tasks per second, and how many times as fast as the best rival under the same conditions."""
    cells, found = {}, arms(runs, experiment="widths")
    if not found:
        return {}
    graph, source = graph_text(found[0][0]), found[0][0]["input"]
    found += [arm for arm in arms(runs, experiment="rivals") if kind_of(arm[0]) == "rival"]
    same = [arm for arm in found if (graph_text(arm[0]), arm[0]["input"]) == (graph, source)]
    for config, rows in sorted(same, key=lambda arm: median(arm[1])):
        where = (config["width"], config["body"])
        cells.setdefault(config["algorithm"], {}).setdefault(where, (config, rows))
    best = {}
    for config, rows in (one for own in cells.values() for one in own.values()):
        if kind_of(config) == "rival":
            best.setdefault((config["width"], config["body"]), []).append(median(rows))

    def text(own, where):
        if where not in own:
            return NONE
        config, rows = own[where]
        over = f" ({times_text(min(best[where]) / median(rows))})" if where in best else ""
        shape = f"{config['workers']:,} × {config['threads']}"
        return f"{si(rate(config, rows))}{over}, {shape}"

    kinds = {name: kind_of(next(iter(own.values()))[0]) for name, own in cells.items()}
    names = sorted(cells, key=lambda name: ORDER.index(kinds[name]))
    lines = [
        [f"`{name}`", kinds[name], *(text(cells[name], where) for where in COLUMNS)]
        for name in names
    ]
    heads = ["algorithm", "", *(f"one {width} per task, {WORDS[body]}" for width, body in COLUMNS)]
    return {"widths": table(heads, lines, left=2), "widths-graph": graph}


def peak_table(runs):
    """multi_queue: one row per hash and share of queues, one column per grid."""
    found = arms(runs, experiment="peak")
    if not found:
        return {}
    blocks = sorted({config["workers"] for config, _ in found})
    rows_of = {}
    for config, rows in found:  # the fastest first
        share = round(100 * config["queues"] / config["workers"])
        rows_of.setdefault((config["hash"], share), {})[config["workers"]] = rate(config, rows)
    lines = [
        [hash_name, f"{share} %", *(si(own[b]) if b in own else NONE for b in blocks)]
        for (hash_name, share), own in sorted(
            rows_of.items(), key=lambda one: (one[0][0], -one[0][1])
        )
    ]
    heads = ["hash", "queues to blocks", *(f"{b:,} blocks" for b in blocks)]
    return {"peak": table(heads, lines, left=2), "peak-graph": graph_text(found[0][0])}


def texts_of(path):
    runs = read_runs(path)
    found = widths_table(runs) | peak_table(runs)
    if not found:
        raise PlotError("no rows of experiment widths or peak")
    return found
