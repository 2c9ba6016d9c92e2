"""The gain of ours over the best rival, graph by graph, and what it consists of.

RESULTS.h5 is from the experiment `rivals`."""

from gridloom.results import read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, interval, number, plural, si, span, table, times_text
from gridloom.wavefront.data import kind_of, median, rate, setup_ms
from gridloom.wavefront.rivals import TASKS, best_wave, by_graph, graph_name, is_rival, is_wave

OURS = ("in_order", "in_order_ticket", "in_order_cluster", "ticket_queue", "stripes")


def over_waves_table(found):
    """One row per graph and task: the best rival by waves, then ours with how many times as fast
    they are."""
    lines = []
    for config, algorithms in found:
        best = best_wave(algorithms)
        if best is None or not any(name in algorithms for name in OURS):
            continue
        rival, rows = best
        cells = [
            graph_name(config),
            TASKS[config["body"]],
            f"{config['depth']:,}",
            f"`{rival['algorithm']}`, {rival['workers']} × {rival['threads']}",
            number(median(rows)),
        ]
        for name in OURS:
            own = algorithms.get(name)
            ms = median(own[0][1]) if own else None
            cells.append(f"{number(ms)} ({times_text(median(rows) / ms)})" if own else NONE)
        lines.append(cells)
    heads = ["graph", "task", "levels", "best rival by waves, blocks × threads", "run, ms"]
    heads += [f"`{name}`, ms (times as fast)" for name in OURS]
    return table(heads, lines, left=2) if lines else None


def lattice_texts(found):
    """By task, how many times as fast as the best rival by waves `in_order` is on the largest
    lattice that is computed from indices."""
    lattices = [(c, a) for c, a in found if c["graph"] != "dag"]
    largest = max((c["tasks"] for c, _ in lattices), default=0)
    texts = {}
    for config, algorithms in lattices:
        rival, own = best_wave(algorithms), algorithms.get("in_order")
        if config["tasks"] == largest and rival and own:
            ratio = times_text(median(rival[1]) / median(own[0][1]))
            texts[f"lattice-in_order-{config['body']}"] = ratio
    return texts


def span_texts(found):
    """Smallest and largest ratios by graph: how many times as fast as the best rival by waves
    `in_order` is, by task, and how many times as long runs take if results are wide.

    The latter has one text for `in_order`, and one for the best rival by waves."""
    runs, ratios = {}, {}
    for config, algorithms in found:
        best = best_wave(algorithms)
        if best and "in_order" in algorithms:
            both = {"in_order": median(algorithms["in_order"][0][1]), "rival": median(best[1])}
            ratios.setdefault(config["body"], []).append(both["rival"] / both["in_order"])
            for name, ms in both.items():
                bodies = runs.setdefault(name, {}).setdefault(graph_name(config), {})
                bodies[config["body"]] = ms
    texts = {f"in_order-{body}": f"{span(own)} ×" for body, own in ratios.items()}
    for name, graphs in runs.items():
        longer = [
            own["wide"] / own["recurrence"]
            for own in graphs.values()
            if {"wide", "recurrence"} <= set(own)
        ]
        if longer:
            texts[f"longer-{name}"] = f"{span(longer)} ×"
    return texts


def waves_table(found):
    """One row per rival by waves with its best blocks, and all its costs that occur once."""
    lines = []
    for config, algorithms in found:
        waves = [own[0] for own in algorithms.values() if is_wave(own[0][0])]
        for place, (arm, rows) in enumerate(sorted(waves, key=lambda one: median(one[1]))):
            tried = len(algorithms[arm["algorithm"]])
            cells = [graph_name(config), TASKS[config["body"]]] if place == 0 else ["", ""]
            cells.append(f"`{arm['algorithm']}`")
            cells.append(f"{arm['workers']} × {arm['threads']}, best of {tried}")
            cells.append(interval(median_interval(rows["elapsed_ms"])))
            cells.append(f"{median(rows) * 1e6 / config['depth']:,.0f}")
            cells += [number(median(rows, part)) for part in ("waves_ms", "record_ms")]
            lines.append([*cells, number(setup_ms(rows))])
    heads = ["graph", "task", "algorithm", "blocks × threads", "run, ms [95 % interval]"]
    heads += ["ns per level", "waves on the host, ms", "recording, ms", "all set-up, ms"]
    return table(heads, lines, left=4) if lines else None


def setups_table(found):
    """One row per graph and algorithm of ours: its costs that occur once, beside the best rival by
    waves.

    An order must be computed if the graph has none; the waves always must."""
    lines = []
    for config, algorithms in found:
        ours = [algorithms[name][0] for name in OURS if name in algorithms]
        best = best_wave(algorithms)
        if config["body"] != "noop" or not (ours and best):
            continue
        for place, (arm, rows) in enumerate(ours):
            cells = ["" if place else graph_name(config), f"`{arm['algorithm']}`"]
            cells += [number(median(rows)), number(median(rows, "setup_ms"))]
            its = [f"`{best[0]['algorithm']}`", number(setup_ms(best[1]))]
            lines.append([*cells, *(["", ""] if place else its)])
    heads = ["graph", "algorithm", "run, ms", "set-up, ms", "best rival by waves", "its set-up, ms"]
    return table(heads, lines, left=2) if lines else None


def host_table(found):
    """One row per graph, task and algorithm on host threads, with the best number of threads.

    It has intervals, because runs with many threads differ by several times."""
    lines = []
    for config, algorithms in found:
        own = [arm for every in algorithms.values() for arm in every]
        own.sort(key=lambda arm: (not is_rival(arm[0]), median(arm[1])))  # ours come last
        threads = sorted({arm["workers"] for arm, _ in own})
        for place, name in enumerate(dict.fromkeys(arm["algorithm"] for arm, _ in own)):
            cells = [graph_name(config), TASKS[config["body"]]] if place == 0 else ["", ""]
            best = {}
            for arm, rows in own:  # the fastest first
                if arm["algorithm"] == name:
                    best.setdefault(arm["workers"], (arm, rows))
            fastest = min(best.values(), key=lambda one: median(one[1]))
            tile = f", tile {fastest[0]['tile']}" if fastest[0]["tile"] else ""
            cells += [f"`{name}`{tile}", kind_of(fastest[0]), si(rate(*fastest))]
            cells += [
                interval(median_interval(best[n][1]["elapsed_ms"])) if n in best else NONE
                for n in threads
            ]
            lines.append((threads, cells))
    if not lines:
        return None
    threads = max((counts for counts, _ in lines), key=len)
    heads = ["graph", "task", "algorithm", "", "tasks/s at best"]
    heads += [f"{plural(n, 'thread')}, ms [95 % interval]" for n in threads]
    return table(heads, [cells for _, cells in lines], left=4)


def texts_of(path):
    found = by_graph(read_runs(path))
    device, host = ([one for one in found if one[0]["backend"] == b] for b in ("cuda", "host"))
    made = {
        "over-waves": over_waves_table(device),
        **lattice_texts(device),
        **span_texts(device),
        "waves": waves_table(device),
        "our-setups": setups_table(device),
        "host-rivals": host_table(host),
    }
    return {name: text for name, text in made.items() if text}
