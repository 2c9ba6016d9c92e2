#!/usr/bin/env python3
"""How many times as fast as the best rival by waves all algorithms are, on each graph.

A rival has its best size of blocks, number of threads or tile. Where no rival uses waves, the
fastest rival stands for it.
"""

from gridloom.charts import dot_chart
from gridloom.figure import main
from gridloom.labels import MACHINE
from gridloom.text import number, plural
from gridloom.wavefront.data import ALGORITHMS, median
from gridloom.wavefront.rivals import TASKS, best_wave, by_graph, graph_name, is_rival

NOTE = (
    "Right of 1: faster than the best rival by waves. Beside a name: blocks × threads, or threads."
)


def size_of(config):
    if config["backend"] == "host":
        tile = f", tile {config['tile']}" if config["tile"] else ""
        return f"{plural(config['workers'], 'thread')}{tile}"
    return f"{config['workers']} × {config['threads']}"


def draw(runs):
    groups = {}
    for config, algorithms in by_graph(runs):
        fastest = [own[0] for own in algorithms.values()]
        rivals = [arm for arm in fastest if is_rival(arm[0])]
        base = best_wave(algorithms) or min(rivals, key=lambda arm: median(arm[1]), default=None)
        if base is None:
            continue
        dots = [
            (arm | {"arm": f"{arm['algorithm']}  {size_of(arm)}"},
             median(base[1]) / rows["elapsed_ms"], "")
            for arm, rows in sorted(fastest, key=lambda arm: median(arm[1]))
        ]  # fmt: skip
        heading = f"{graph_name(config)}, {TASKS[config['body']]} ({number(median(base[1]))} ms)"
        groups[heading] = dots
    return dot_chart(
        groups, "Wavefront: general graphs", "times as fast as the best rival by waves",
        lambda value: f"{number(value)} ×", MACHINE, lambda c: ALGORITHMS.family(c["algorithm"]),
        note=NOTE,
    )  # fmt: skip


if __name__ == "__main__":
    main("wavefront_rivals", __doc__, draw)
