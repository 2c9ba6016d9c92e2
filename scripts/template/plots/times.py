#!/usr/bin/env python3
"""Times of template_artifact's methods, one dot per arm."""

from gridloom.charts import dot_chart
from gridloom.figure import main
from gridloom.labels import MACHINE, Part

# What tells configurations of one arm apart; what all of them share goes below the title.
PARTS = {
    "tiles": Part(lambda c: f"{c['tiles']} tiles per row"),
    "workers": Part(lambda c: f"workers: {c['workers']}"),
    "threads": Part(lambda c: f"threads of each: {c['threads']}"),
} | MACHINE


def family_of(config):
    """The family of an arm gives it its colour: "published", "rivals" or "ours"."""
    return {"rival": "rivals"}.get(config["by"], config["by"])


def draw(runs):
    dots = []
    for config, rows in runs.groups(["arm", "by", *PARTS]):
        good = rows.only(status="ok")
        dots.append((config, good["elapsed_ms"] if len(good) else None, rows["status"][0]))
    title, ms = "template_artifact: time by arm", "{:.3g} ms".format
    return dot_chart({"": dots}, title, "ms", ms, PARTS, family_of)


if __name__ == "__main__":
    main("template_artifact_times", __doc__, draw)
