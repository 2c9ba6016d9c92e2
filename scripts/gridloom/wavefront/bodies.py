"""What the tables and the figure of the real bodies share: inputs, methods, settings, floors.

A results file is from wavefront-sptrsv, wavefront-sw or wavefront-kba. An input is a matrix, a pair
of texts or a box. A setting is a parameter of an arm, such as threads per block."""

from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from gridloom.results import PlotError
from gridloom.statistics import geometric_mean
from gridloom.style import Arms
from gridloom.wavefront.data import WAVES, median

METHODS = Arms(
    reference=["serial"],
    published=["sync_free", "multi_queue", "single_queue", "scanning"],
    rivals=["cusparse_spsv", *WAVES],
    ours=["in_order", "in_order_ticket", "strips"],
)
FLOORS = ("free", "strips_free")  # no result: what the same work takes without an order
SETTING = [
    "workers", "threads", "narrow", "flat_warps", "gate", "entries_a_lane",
    "tile_cols", "tile", "octants",
]  # fmt: skip


@dataclass(frozen=True)
class Body:
    """One of the three programs, identified by a column that only it writes."""

    name: str
    title: str
    told_by: str
    inputs: list  # columns that make an input
    work: str  # column of what a second is counted in
    tiles: tuple = ()  # columns of what a method with tiles can choose, their width first


BODIES = (
    Body(
        "sptrsv", "sparse triangular solve", "longest_row", ["matrix", "factor", "values"], "bytes"
    ),
    Body(
        "sw", "Smith–Waterman", "score", ["query", "target", "rows", "cols"], "cells", ["tile_cols"]
    ),
    Body(
        "kba", "KBA sweep", "updates", ["nx", "ny", "nz", "angles"], "updates", ["tile", "octants"]
    ),
)


def body_of(runs):
    for body in BODIES:
        if body.told_by in runs:
            return body
    raise PlotError("no results of wavefront-sptrsv, wavefront-sw or wavefront-kba")


def input_text(body, config):
    if body.name == "sptrsv":
        name = config["matrix"].removesuffix(".gz").removesuffix(".mtx")
        return name if config["factor"] == "lower" else f"{name}, {config['factor']}"
    if body.name == "sw":
        names = [PurePath(config[side]).stem for side in ("query", "target")]
        return f"{' × '.join(names)}, {config['rows']:,} × {config['cols']:,}"
    sides = " × ".join(f"{config[side]:,}" for side in ("nx", "ny", "nz"))
    return f"{sides}, {config['angles']} directions"


def settings_of(rows):
    """[(setting, its rows)]. Numbers that an arm does not have are -1, texts are empty. For a
    triangular solve in order, the number of blocks is a result: blocks without rows are left
    out."""
    in_order = "narrow" in rows and (rows["narrow"] >= 0).any()
    names = [name for name in SETTING if name != "workers" or not in_order]
    return list(rows.groups(names)) or [({}, rows)]


def best(rows):
    """The rows of the fastest setting, or None."""
    if not len(rows):
        return None
    return min((own for _, own in settings_of(rows)), key=median)


def inputs_of(body, runs):
    """[(input, its rows)] in the order of the file. Floors count although they have no result."""
    return list(runs.only(status="ok").groups(body.inputs))


def common_setting(inputs, method):
    """The setting of a method with the best geometric mean over all inputs, so that it is not tuned
    for each input. Only settings that were run on most inputs count."""
    times = {}
    for number, (_, rows) in enumerate(inputs):
        for setting, own in settings_of(rows.only(method=method)):
            if len(own):
                times.setdefault(tuple(sorted(setting.items())), {})[number] = median(own)
    if not times:
        return None
    most = max(map(len, times.values()))
    whole = {setting: of for setting, of in times.items() if len(of) == most}
    return dict(min(whole, key=lambda s: geometric_mean(whole[s].values())))


def with_setting(rows, setting):
    return rows.only(**setting) if setting else rows


def best_waves(rows):
    """(method, rows) of the fastest method by waves on an input, or None."""
    names = [name for name in dict.fromkeys(rows["method"]) if name.startswith("waves_")]
    found = [(name, best(rows.only(method=name))) for name in names]
    return min(found, key=lambda one: median(one[1]), default=None)


def floor_ms(body, rows):
    """The shortest possible time of an input, by a floor of the same run: the bytes at the read
    bandwidth, or the same work in no order. NaN if there is none."""
    if body.name == "sptrsv":
        known = "floor_read_gbs" in rows
        return rows["bytes"][0] / rows["floor_read_gbs"][0] * 1e-6 if known else np.nan
    times = [median(own) for name in FLOORS if (own := best(rows.only(method=name))) is not None]
    return min(times, default=np.nan)
