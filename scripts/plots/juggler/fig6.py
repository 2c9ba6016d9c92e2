#!/usr/bin/env python3
"""Juggler, figure 6: rates at which writes (left) and reads (right) miss in the L2, by policy."""

from types import SimpleNamespace

from gridloom.charts import frame
from gridloom.figure import main
from gridloom.juggler.misses import KINDS, METHODS, rates
from gridloom.juggler.panels import apps_figure, draw_apps, method_handles
from gridloom.labels import split_labels
from gridloom.results import PlotError
from gridloom.text import in_order


def draw(runs):
    found = rates(runs)
    configs = [config for config, _ in runs.groups(["machine", "backend"])]
    if len(configs) > 1:
        raise PlotError("expected profiles of one machine, got several")
    cases = [SimpleNamespace(app=app) for app in found]
    figure, [axes_of] = apps_figure(dict.fromkeys(KINDS), height=3.2)
    drawn = set()
    for axes, kind in zip(axes_of, KINDS, strict=True):

        def share(case, method, kind=kind):
            value = found[case.app].get(method, {}).get(kind)
            return None if value is None else (value, value, value)

        drawn |= draw_apps(axes, cases, METHODS, share)
        axes.set_title(f"{kind} of the L2")
    axes_of[0].yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    axes_of[0].set_ylim(bottom=0)
    axes_of[0].set_ylabel("sectors that miss")
    launches = sum(len(rows) for _, rows in runs.groups(["kernel"]))
    notes = [
        f"Sums over {launches:,} launches, one run per method, under Nsight Compute.",
        "Accesses to the runtime's own data are included.",
    ]
    title = "Juggler: misses of the L2 cache"
    handles = method_handles(in_order(drawn, METHODS))
    return frame(figure, title, split_labels(configs)[0], notes, handles, columns=6)


if __name__ == "__main__":
    main("juggler_fig6", __doc__, draw)
