"""The real bodies of wavefront against their rivals: triangular solve, Smith-Waterman, KBA sweep.

RESULTS.h5 is from one of the three programs. Rivals have their best setting for each input; ours
have one setting for all."""

import numpy as np

from gridloom.results import read_runs
from gridloom.statistics import geometric_mean
from gridloom.text import NONE, number, percent, si, span, table, times_text
from gridloom.wavefront import bodies
from gridloom.wavefront.data import median


def cell(value, write=number):
    return NONE if value is None or np.isnan(value) else write(value)


def time_of(rows):
    return None if rows is None or not len(rows) else median(rows)


def shape_of(rows):
    facts = rows.iloc[0]
    return f"{facts['workers']:,} × {facts['threads']}" if facts["workers"] > 0 else NONE


def tiles_of(body, rows):
    """The tiles and other parameters of a method with tiles; a dash for other methods."""
    facts = rows.iloc[0]
    if facts[body.tiles[0]] <= 0:
        return NONE
    return ", ".join(str(facts[name]).replace("_", " ") for name in body.tiles)


def over(above, below):
    return None if above is None or below is None else above / below


def setup_texts(pairs):
    """The gain with set-up. `pairs` has (our rows, the library's rows) per matrix."""
    run = np.array([[median(rows) for rows in pair] for pair in pairs])
    once = np.array([[median(rows, "setup_ms") for rows in pair] for pair in pairs])
    first = (once + run)[:, 1] / (once + run)[:, 0]
    # Number of solves after which ours are faster with set-up; none if a solve gains nothing.
    gains = run[:, 1] - run[:, 0]
    needed = np.where(gains > 0, np.maximum(once[:, 0] - once[:, 1], 0) / gains, np.inf)
    solves = np.floor(needed) + 1
    return {
        "sptrsv-setup-longer": f"{(once[:, 0] > once[:, 1]).sum()} of {len(pairs)}",
        "sptrsv-first-solve": times_text(geometric_mean(first)),
        "sptrsv-first-solve-ahead": f"{(first > 1).sum()} of {len(pairs)}",
        "sptrsv-solves-median": number(float(np.median(solves))),
        "sptrsv-solves-most": number(float(solves.max())),
    }


def sptrsv_tables(body, runs):
    inputs = bodies.inputs_of(body, runs)
    setting = bodies.common_setting(inputs, "in_order")
    lines = []
    gains = {"cusparse": {}, "waves": {}, "sync_free": {}, "serial": {}}  # {over: {matrix: ratio}}
    pairs = []
    for config, rows in inputs:
        ours = bodies.with_setting(rows.only(method="in_order"), setting)
        library = bodies.best(rows.only(method="cusparse_spsv"))
        waves = bodies.best_waves(rows)
        serial, sync_free = (
            bodies.best(rows.only(method=name)) for name in ("serial", "sync_free")
        )
        own = time_of(ours)
        others = time_of(library), waves and median(waves[1]), time_of(sync_free), time_of(serial)
        ratios = [over(other, own) for other in others]
        if ours is not None and len(ours) and library is not None:
            pairs.append((ours, library))
        name = bodies.input_text(body, config)
        for of, ratio in zip(gains.values(), ratios, strict=True):
            if ratio is not None:
                of[name] = ratio
        facts = rows.iloc[0]
        cells = [name, *(f"{facts[column]:,}" for column in ("rows", "entries", "depth"))]
        cells += [cell(time_of(found)) for found in (serial, sync_free, library)]
        best = f"{cell(median(waves[1]))} (`{waves[0]}`, {shape_of(waves[1])})" if waves else NONE
        cells += [best, cell(own), *(cell(ratio, times_text) for ratio in ratios[:2])]
        cells.append(cell(own and own * 1e6 / facts["depth"]))
        cells.append(cell(own and facts["bytes"] / own * 1e-6))
        cells.append(cell(own and bodies.floor_ms(body, rows) / own, percent))
        cells.append(cell(time_of(library) and median(library, "setup_ms")))
        cells.append(cell(own and median(ours, "setup_ms")))
        lines.append(cells)
    heads = ["matrix", "rows", "entries of L", "levels", "serial, host, ms"]
    heads += ["`sync_free`, ms", "cuSPARSE, ms"]
    heads += ["best waves, ms", "`in_order`, ms", "over cuSPARSE", "over waves", "ns per level"]
    heads += ["GB/s", "share of the byte floor", "set-up, cuSPARSE, ms", "set-up, `in_order`, ms"]
    found = {"sptrsv": table(heads, lines)} | (setup_texts(pairs) if pairs else {})
    made = sum(config["values"] == "made" for config, _ in inputs)
    found["sptrsv-made"] = f"{made} of {len(inputs)}"
    for other, of in gains.items():
        if of:
            found[f"sptrsv-over-{other}"] = times_text(geometric_mean(of.values()))
            found[f"sptrsv-over-{other}-range"] = f"{span(of.values())} ×"
            behind = [ratio for ratio in of.values() if ratio < 1]
            found[f"sptrsv-behind-{other}"] = f"{len(behind)} of {len(of)}"
            if behind:
                found[f"sptrsv-behind-{other}-by"] = f"{span([1 / one for one in behind])} ×"
    return found


def method_table(body, runs):
    """Smith-Waterman and the sweep: one row per method with its best setting, the fastest first."""
    lines = []
    for config, rows in bodies.inputs_of(body, runs):
        floor = bodies.floor_ms(body, rows)
        waves = bodies.best_waves(rows)
        names = [name for name in dict.fromkeys(rows["method"]) if name not in bodies.FLOORS]
        fastest = sorted((bodies.best(rows.only(method=name)) for name in names), key=median)
        for place, own in enumerate(fastest):
            facts = own.iloc[0]
            method = facts["method"]
            cells = [bodies.input_text(body, config) if place == 0 else "", f"`{method}`"]
            cells += [bodies.METHODS.family(method), shape_of(own), tiles_of(body, own)]
            cells += [number(median(own)), si(facts[body.work] / median(own) * 1e3)]
            cells.append(cell(floor / median(own), percent))
            cells.append(cell(waves and median(waves[1]) / median(own), times_text))
            lines.append([*cells, number(median(own, "setup_ms"))])
    heads = ["input", "method", "", "blocks × threads", "tiles", "run, ms", f"{body.work}/s"]
    heads += ["share of the floor", "over the best waves", "set-up, ms"]
    return {body.name: table(heads, lines, left=5)}


def texts_of(path):
    runs = read_runs(path)
    body = bodies.body_of(runs)
    return sptrsv_tables(body, runs) if body.name == "sptrsv" else method_table(body, runs)
