#!/usr/bin/env python3
"""The Jacobi method: time an iteration of all versions against the entries, with the byte floor.

The floor is the time of the bytes that an iteration cannot do without, at the rate at which memory
is read: values, columns, offsets, the right side, x read and x written, once each. Systems that fit
the caches can be faster. It is left out where the rate was not measured; --read-tb-s tells it.
"""

import sys

from gridloom.figure import main
from gridloom.statistics import median_interval
from gridloom.thesis_mhive.jacobi import RATE_OPTION, problems_of, rate_of
from gridloom.thesis_mhive.jacobi_panels import draw_panels, finish_notes


def draw(runs, read_tb_s=None):
    problems = problems_of(runs)
    rates = {p.setting: rate_of(p, read_tb_s) for p in problems}

    def finish(axes, own):
        rate = rates[own[0].setting]
        if rate is None:
            return
        entries = [p.entries for p in own]
        axes.plot(
            entries, [p.floor_us(rate) for p in own], color="black", linestyle="--", linewidth=1.2,
            marker="_", label=f"byte floor at {rate:g} TB/s", zorder=1,
        )  # fmt: skip

    figure = draw_panels(
        problems, lambda _, arm: median_interval(arm.us), "Jacobi method: time an iteration",
        "µs an iteration", finish,
    )  # fmt: skip
    notes = [
        f"No byte floor: the file holds no reading rate of {machine}"
        for (machine, *_), rate in rates.items()
        if rate is None
    ]
    for note in notes:
        print(note)
    finish_notes(figure, runs, problems, notes)
    return figure


if __name__ == "__main__":
    sys.exit(main("mhive_jacobi_floor", __doc__, draw, more=RATE_OPTION))
