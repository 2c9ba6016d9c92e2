"""Stands in for a public program that orders matrices, with the interface of
scripts/peers/README.md.

Orders as a textbook does. FAKE_PEER in the environment makes it fail:
  hang, crash
  cut           ends within a line
  few           prints one time too few
  twice         writes an invalid order
  levels        writes an order that does not follow levels
  silent        writes no order
  mute, shout   prints an invalid --about"""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

HOW = os.environ.get("FAKE_PEER", "")


def order_of(offsets, columns, start):
    """Cuthill-McKee: by first parent, degree, number. Unreached vertices come last, by number."""
    degree, order, seen = np.diff(offsets), [start], {start}
    for vertex in order:  # the loop appends to `order`
        near = [int(k) for k in columns[offsets[vertex] : offsets[vertex + 1]] if k not in seen]
        order += sorted(near, key=lambda k: (degree[k], k))
        seen.update(near)
    return order + [k for k in range(len(degree)) if k not in seen]


def main(graph, start, warmup, repeat, output):
    if HOW == "hang":
        time.sleep(600)
    sizes = np.fromfile(graph, dtype="<u8", count=2)
    words = np.fromfile(graph, dtype="<u4", offset=16).astype(int)
    rows, entries = map(int, sizes)
    assert len(words) == rows + 1 + entries and int(warmup) == 20
    print(json.dumps({"entries": entries}), flush=True)
    if HOW == "cut":
        print('{"order_ms": 1.5}\n{"order_m', end="")
        return
    if HOW == "crash":
        sys.exit("the card is on fire")
    order = order_of(words[: rows + 1], words[rows + 1 :], int(start))[::-1]
    if HOW == "twice":
        order[0] = order[1]
    if HOW == "levels":
        order = sorted(order)
    for k in range(int(repeat) - (HOW == "few")):
        print(json.dumps({"order_ms": 1.5 + k, "reset_ms": 0.25, "workers": 7}))
    if HOW != "silent":
        np.array(order, dtype="<u4").tofile(output)


if __name__ == "__main__":
    if sys.argv[1:] == ["--about"]:
        names = (
            "name", "repository", "revision", "changes", "compiler", "flags", "gpu", "driver",
            "cuda",
        )  # fmt: skip
        told = {name: f"its {name}" for name in names} | {"name": "fake-rcm", "gpu": "Fake 1"}
        if HOW == "shout":
            told["name"] = "FAKE"
        print("" if HOW == "mute" else json.dumps(told))
    else:
        main(Path(sys.argv[1]), *sys.argv[2:])
