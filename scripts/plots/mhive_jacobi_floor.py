#!/usr/bin/env python3
"""The Jacobi method: time an iteration of all versions against the entries, with the byte floor.

The floor is what a copy needs for the bytes that an iteration cannot do without: values, columns,
offsets, the right side, x read and x written, once each. Systems that fit the caches can be faster.
It is left out for machines whose rate is not known; --bandwidth-tb-s tells it.
"""

import sys

from gridloom_plots import footnote, main, median_interval
from mhive_jacobi_data import BANDWIDTH_OPTION, draw_panels, problems_of, rate_of, with_arms


def draw(runs, bandwidth_tb_s=None):
    problems = problems_of(runs)
    rates = {p.setting: rate_of(p.machine, p.backend, bandwidth_tb_s) for p in problems}

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
    footnote(figure, with_arms(runs))
    for setting in (setting for setting, rate in rates.items() if rate is None):
        note = f"No byte floor, rate of a copy not known: {setting[0]}"
        print(note)
        figure.supxlabel(f"{figure.get_supxlabel()}\n{note}", fontsize=7.5, color="#444444")
    return figure


if __name__ == "__main__":
    sys.exit(main("mhive_jacobi_floor", __doc__, draw, more=BANDWIDTH_OPTION))
