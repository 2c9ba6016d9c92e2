#!/usr/bin/env python3
"""Times of template_artifact's methods, one dot an arm."""

import sys

from gridloom.charts import dot_chart
from gridloom.figure import main
from gridloom.labels import MACHINE

# The family of an arm gives it its colour: "published", "rivals" or "ours".
FAMILIES = {"launch": "rivals", "claims": "published"}


def family_of(config):
    return FAMILIES.get(config["arm"], "ours")


def draw(runs):
    dots = []
    for config, rows in runs.groups(["arm", "machine", "backend"]):
        good = rows.only(status="ok")
        dots.append((config, good["elapsed_ms"] if len(good) else None, rows["status"][0]))
    title, ms = "template_artifact: time by arm", "{:.3g} ms".format
    return dot_chart({"": dots}, title, "ms", ms, MACHINE, family_of)


if __name__ == "__main__":
    sys.exit(main("template_artifact_times", __doc__, draw))
