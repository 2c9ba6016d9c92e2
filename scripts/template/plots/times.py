#!/usr/bin/env python3
"""Times of template_artifact's methods, one bar an arm."""

import sys

from gridloom.charts import bar_chart
from gridloom.figure import main
from gridloom.labels import MACHINE


def draw(runs):
    bars = []
    for config, rows in runs.groups(["arm", "machine", "backend"]):
        good = rows.only(status="ok")
        bars.append((config, good["elapsed_ms"] if len(good) else None, rows["status"][0]))
    return bar_chart(bars, "template_artifact", "ms", lambda ms: f"{ms:.3g} ms", MACHINE)


if __name__ == "__main__":
    sys.exit(main("template_artifact_times", __doc__, draw))
