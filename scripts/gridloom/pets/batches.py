"""Batches of pets: rates of many small graphs at once, as a table and as values.

A rate with copies includes the copies of the graphs to the device and of the results to the host.
Host threads deliver the same results."""

import numpy as np

from gridloom.pets.data import batch_per_s
from gridloom.pets.times import failures
from gridloom.statistics import median_interval
from gridloom.text import NONE, in_order, interval, number, si, span, table

IMPLEMENTATIONS = ["batch", "serial", "host_4", "host_all"]


SPECIFICATION = ["graph", "tasks", "graphs"]


class Point:
    """One batch by one arm, with the fastest of several launch shapes."""

    def __init__(self, rows):
        shapes = [own for _, own in rows.groups(["workers", "threads"])]
        self.shapes = len(shapes)
        rates = [(median_interval(batch_per_s(own)), own) for own in shapes]
        self.rate, fastest = max(rates, key=lambda one: one[0][0])
        self.with_copies = median_interval(batch_per_s(fastest, "end_to_end_ms"))
        self.set_up_ms = float(np.nanmedian(fastest["setup_ms"]))
        self.graph, self.graphs = str(rows["graph"][0]), int(rows["graphs"][0])
        self.tasks = float(rows["tasks"][0]) / self.graphs  # mean per graph


def over(point, other, rate):
    return NONE if other is None else number(getattr(point, rate)[0] / getattr(other, rate)[0])


class Batches:
    """Points by batch and arm. A point is None, with the reason, if no run ended well."""

    def __init__(self, batches):
        self.found = {}
        for key, rows in batches.groups([*SPECIFICATION, "processors", "steps", "results"]):
            known = in_order(rows["implementation"].tolist(), IMPLEMENTATIONS)
            for name in known:
                for arm, own in rows.only(implementation=name).groups(["backend"]):
                    good = own.only(status="ok")
                    point = Point(good) if len(good) else None
                    place = (*key.values(), name, arm["backend"])
                    self.found[place] = (point, failures(own))

    def host(self, place, by="serial"):
        """The host's batch by the implementation `by`: the same batch, or the nearest in size."""
        graph, _, graphs, *same, _, _ = place
        points = [
            point
            for (name, _, _, *own, implementation, _), (point, _) in self.found.items()
            if point and (name, own, implementation) == (graph, same, by)
        ]
        points.sort(key=lambda point: abs(np.log(point.graphs / graphs)))
        return points[0] if points else None

    def table(self):
        """One row per batch, beside one host thread and all of them."""
        rows = []
        for place, (point, failed) in self.found.items():
            graph, _, graphs, _, steps, results, implementation, backend = place
            if implementation != "batch":
                continue
            cells = [f"`{graph}`", steps, results, backend, f"{graphs:,}"]
            if point is None:
                rows.append([*cells, failed, *[NONE] * 6])
                continue
            serial, host_all = (self.host(place, by) for by in ("serial", "host_all"))
            cells.append(interval(point.rate, si) + (f"; {failed}" if failed else ""))
            cells += [over(point, serial, "rate"), over(point, host_all, "rate")]
            cells += [interval(point.with_copies, si), over(point, host_all, "with_copies")]
            cells.append(si(host_all.rate[0]) if host_all else NONE)
            rows.append([*cells, number(point.set_up_ms)])
        heads = [
            "specification", "steps", "results", "backend", "graphs", "graphs/s", "× `serial`",
            "× `host_all`", "with copies, graphs/s", "× `host_all`", "`host_all`, graphs/s",
            "set-up, ms",
        ]  # fmt: skip
        return table(heads, rows, left=4)

    def values(self):
        """Numbers of graphs, and ratios of rates to those of all host threads, from the smallest to
        the largest, over each whole batch that ran on a device."""
        pairs = [
            (point, host)
            for place, (point, _) in self.found.items()
            if point and (place[4], *place[6:]) == ("whole", "batch", "cuda")
            and (host := self.host(place, "host_all"))
        ]  # fmt: skip
        if not pairs:
            return {}
        found = {"batch-device-graphs": span([own.graphs for own, _ in pairs])}
        for name, rate in (("over", "rate"), ("with-copies-over", "with_copies")):
            ratios = [getattr(own, rate)[0] / getattr(host, rate)[0] for own, host in pairs]
            found[f"batch-whole-{name}-all-threads"] = span(ratios)
        return found
