"""Batches of pets: rates of many small graphs at once, as a table and as values."""

import numpy as np

from gridloom.pets.data import batch_per_s
from gridloom.pets.times import failures
from gridloom.readme import NONE, table
from gridloom.statistics import median_interval
from gridloom.text import in_order, number, si, span

STEPS = ["priorities", "whole"]


IMPLEMENTATIONS = ["batch", "serial", "host_4", "host_all"]


SPECIFICATION = ["graph", "tasks", "graphs"]


class Point:
    """One batch by one arm: of several launch shapes the fastest."""

    def __init__(self, rows):
        shapes = [own for _, own in rows.groups(["workers", "threads"])]
        self.shapes = len(shapes)
        self.rate = max((median_interval(batch_per_s(own)) for own in shapes), key=lambda m: m[0])
        self.graph, self.graphs = str(rows["graph"][0]), int(rows["graphs"][0])
        self.tasks = float(rows["tasks"][0]) / self.graphs  # of a graph, the mean


def rate_text(values):
    return "{} [{}, {}]".format(*map(si, values))


class Batches:
    """Points by what was run and by whom; None where no run went well, with why."""

    def __init__(self, batches):
        self.found = {}
        for key, rows in batches.groups([*SPECIFICATION, "processors", "steps"]):
            known = in_order(rows["implementation"].tolist(), IMPLEMENTATIONS)
            for name in known:
                for arm, own in rows.only(implementation=name).groups(["backend"]):
                    good = own.only(status="ok")
                    point = Point(good) if len(good) else None
                    place = (*key.values(), name, arm["backend"])
                    self.found[place] = (point, failures(own))

    def serial(self, graph, graphs, processors, steps, by="serial"):
        """The rate of the reference on the same batch, or on that of another number of graphs which
        is nearest. `by` is one of the host's implementations."""
        points = [
            point
            for (name, _, _, p, s, implementation, _), (point, _) in self.found.items()
            if point and (name, p, s, implementation) == (graph, processors, steps, by)
        ]
        points.sort(key=lambda point: abs(np.log(point.graphs / graphs)))
        return points[0].rate[0] if points else None

    def table(self):
        rows = []
        for place, (point, failed) in self.found.items():
            graph, tasks, graphs, processors, steps, implementation, backend = place
            cells = [f"`{graph}`", f"`{implementation}`", steps, backend]
            cells += [f"{graphs:,}", number(tasks / graphs), str(processors)]
            if point is None:
                rows.append([*cells, failed, NONE])
                continue
            serial = self.serial(graph, graphs, processors, steps)
            ratio = NONE if serial is None else number(point.rate[0] / serial)
            text = rate_text(point.rate) + (f"; {failed}" if failed else "")
            rows.append([*cells, text, ratio])
        heads = [
            "specification",
            "implementation",
            "steps",
            "backend",
            "graphs",
            "tasks of a graph",
        ]
        return table([*heads, "processors", "graphs/s", "× `serial`"], rows, left=4)

    def ratios(self, steps, by):
        """(rate over that of `by`, number of graphs) of each batch that ran on a device."""
        return [
            (point.rate[0] / host, point.graphs)
            for (graph, _, graphs, processors, own, name, backend), (point, _) in
            self.found.items()
            if point and (own, name, backend) == (steps, "batch", "cuda")
            and (host := self.serial(graph, graphs, processors, steps, by))
        ]  # fmt: skip

    def speedups(self):
        """From the least to the most over the batches that a device took."""
        found = {}
        for by, name in [("serial", "speedups"), ("host_all", "over-all-threads")]:
            for steps in STEPS:
                ratios = self.ratios(steps, by)
                if not ratios:
                    continue
                found[f"batch-{steps}-{name}"] = span([ratio for ratio, _ in ratios])
                found["batch-device-graphs"] = span([graphs for _, graphs in ratios])
        serial = [p.graphs for place, (p, _) in self.found.items() if p and place[5] == "serial"]
        return found | ({"batch-serial-graphs": span(serial)} if serial else {})
