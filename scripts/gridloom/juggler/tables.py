"""Tables and values of juggler's stored runs of applications."""

import numpy as np

from gridloom.juggler import data
from gridloom.results import read_meta, read_runs
from gridloom.statistics import geometric_mean, median_interval, median_ratio
from gridloom.text import NONE, in_order, interval, number, si, span, table, times_text

# Means over the graph omit it, because its waves are wider than any device.
UNPAPER = "jacobi"
LEAST_GAIN = 1.1  # a smaller ratio is not called a gain of chains
NOT_STORED = "*Not stored yet.*"
QUOTED = ("paper", "wide", "ratio", "filled")  # experiments whose means the pages quote


def times_table(cases):
    """One row per method, one column per size: the median of the run, with its interval."""
    rows = []
    for method in data.methods_of(cases):
        cells = [
            interval(case.median(method)) if method in case.methods else NONE for case in cases
        ]
        rows.append([f"`{method}`", *cells])
    return table(["method, ms", *(f"{case.size} ({case.experiment})" for case in cases)], rows)


def ratio_cell(case, over, under):
    there = under is not None and over in case.methods
    return times_text(case.ratio(over, under)) if there else NONE


def speed_table(cases):
    """One row per case: policies, and lists made before the run, beside other ways to run the
    tasks."""
    heads = ["application", "size", "tasks"]
    for group in ("the paper's policies", "our policies"):
        heads += [f"quickest of {group}", "over barriers", "over the graph"]
    heads += [f"`{data.CHAINS}` over barriers", "over the graph", "over the best rival"]
    rows = []
    for case in cases:
        cells = []
        for group in (case.policies, data.OURS, [data.CHAINS]):
            best = case.fastest(group)
            if group != [data.CHAINS]:
                cells.append(NONE if best is None else f"`{best}`")
            cells += [ratio_cell(case, over, best) for over in (data.BARRIERS, data.GRAPH)]
        rival, lists = case.fastest(data.RIVALS), case.fastest([data.CHAINS])
        there = rival is not None and lists is not None
        cells.append(f"{ratio_cell(case, rival, lists)} `{rival}`" if there else NONE)
        rows.append([data.APPS[case.app], case.size, f"{case.tasks:,}", *cells])
    return table(heads, rows, left=3)


def mean_ratio(cases, over, group, column="elapsed_ms"):
    """(geometric mean of the ratios of medians, smallest, largest), or None. Without a group, it is
    of the paper's policies."""
    found = [
        case.ratio(over, best, column)[0]
        for case in cases
        if over in case.methods
        and (best := case.fastest(group or case.policies, column)) is not None
    ]
    return (geometric_mean(found), min(found), max(found)) if found else None


def kernel_rate_texts(cases):
    """Rates of the tile kernels alone, on one strip: the floors of `known_table`."""
    texts = {}
    for app in ("dtw", "sw"):
        rates = [float(np.median(case.methods[data.FLOOR]["floor_elements_per_s"]))
                 for case in cases if case.app == app and data.FLOOR in case.methods]  # fmt: skip
        if rates and np.isfinite(rates).all():
            least, most = (number(pick(rates) / 1e12) for pick in (min, max))
            texts[f"kernel-rate-{app}"] = f"{least} to {most} T elements/s"
    return texts


def mean_texts(place, cases):
    """Values over some cases together, by the end of their names."""
    texts = {}
    others = [case for case in cases if case.app != UNPAPER]
    for name, over, group, own in (
        ("paper-over-barriers", data.BARRIERS, None, cases),
        ("policies-over-barriers", data.BARRIERS, data.OURS, cases),
        ("chains-over-barriers", data.BARRIERS, [data.CHAINS], cases),
        ("paper-over-graph", data.GRAPH, None, others),
        ("policies-over-graph", data.GRAPH, data.OURS, others),
        ("chains-over-graph", data.GRAPH, [data.CHAINS], others),
    ):
        if (found := mean_ratio(own, over, group)) is not None:
            texts[f"{name}-{place}"] = f"{number(found[0])} ×"
            if over != data.GRAPH:
                texts[f"{name}-span-{place}"] = f"{span(found[1:])} ×"
    column = "with_overhead_ms"
    for name, over, group in (
        ("paper-over-sync", data.BARRIERS_SYNC, None),
        ("paper", data.BARRIERS, None),
        ("best", data.BARRIERS, data.ALL_OWN),
    ):
        if (found := mean_ratio(cases, over, group, column)) is not None:
            texts[f"{name}-with-overhead-{place}"] = f"{number(found[0])} ×"
            texts[f"{name}-with-overhead-span-{place}"] = f"{span(found[1:])} ×"
    return texts


def grr_texts(place, cases):
    """Values of GRR, as the paper reads it: its times, its inspection's, and its gain for LU-D."""
    own = {case: case.methods[case.reading("grr")] for case in cases if "grr" in case.methods}
    if not own:
        return {}
    inspected = [1e6 * np.median(rows["inspection_ms"] / rows["tasks"]) for rows in own.values()]
    texts = {
        f"grr-span-{place}": f"{span([np.median(one['elapsed_ms']) for one in own.values()])} ms",
        f"inspection-span-{place}": f"{span(inspected)} ns",
    }
    for case in own:
        if case.app == "lud" and data.BARRIERS_SYNC in case.methods:
            ratio = case.ratio(data.BARRIERS_SYNC, case.reading("grr"))
            texts[f"lud-over-sync-{place}"] = f"{number(ratio[0])} ×"
    return texts


def regime_table(cases):
    """One row per case: the paper's policies, and readings of them, over its baseline, whose host
    waits after each launch. The last columns have the fastest with all overhead."""
    own = [case for case in cases if data.BARRIERS_SYNC in case.methods]
    readings = [*data.PUBLISHED, *data.READINGS]
    heads = ["application", "size", "tasks", "baseline, ms", "a level of it, µs"]
    heads += [*(f"`{method}` over it" for method in readings), "with all overhead", "overhead"]
    rows = []
    for case in own:
        cells = [interval(case.median(data.BARRIERS_SYNC))]
        cells.append(number(wave_us(case, data.BARRIERS_SYNC)))
        for method in readings:
            there = method if method in case.methods else None
            cells.append(ratio_cell(case, data.BARRIERS_SYNC, there))
        best = case.fastest(case.policies, "with_overhead_ms")
        ratio = case.ratio(data.BARRIERS_SYNC, best, "with_overhead_ms") if best else None
        share = [100 * value for value in data.overhead_share(case.methods[best])] if best else None
        cells.append(f"{times_text(ratio)} `{best}`" if best else NONE)
        cells.append(f"{interval(share)} %" if best else NONE)
        rows.append([data.APPS[case.app], case.size, f"{case.tasks:,}", *cells])
    return table(heads, rows, left=2)


def overhead_table(cases):
    """One row per case: the overheads of the method that is fastest with all overhead, and the
    whole times with and without what a later run of the same graph or data saves."""
    heads = ["application", "size", "method", *(f"{name}, ms" for name in data.PARTS.values())]
    heads += ["all anew, ms", "graph reused, ms", "data kept, ms", "both, ms"]
    rows = []
    for case in cases:
        best = case.fastest(data.ALL_OWN, "with_overhead_ms")
        if best is None:
            continue
        own = case.methods[best]
        times = [own[part] for part in data.PARTS]
        times += [own["end_to_end_ms"] + own["overhead_ms"]]
        times += [own[column] for column in ("end_to_end_ms", "with_overhead_ms", "elapsed_ms")]
        cells = [NONE if np.isnan(ms := float(np.median(one))) else number(ms) for one in times]
        rows.append([data.APPS[case.app], case.size, f"`{best}`", *cells])
    return table(heads, rows, left=3)


def loads_table(cases):
    """One row per case: average, smallest and largest deviation of each policy."""
    rows = []
    for case in cases:
        cells = []
        for policy in data.POLICIES:
            found = data.deviation(case.methods[policy]) if policy in case.methods else None
            cells.append(NONE if found is None else interval(found))
        counts = {int(n) for p in data.POLICIES if p in case.methods
                  for n in case.methods[p]["workers"]}  # fmt: skip
        workers = " or ".join(f"{n:,}" for n in sorted(counts)) or NONE
        rows.append([data.APPS[case.app], case.size, workers, *cells])
    return table(
        ["application", "size", "workers", *(f"`{p}`" for p in data.POLICIES)], rows, left=2
    )


def rate_of(case, method):
    """The rate of the method and its unit: operations per second, or else elements per second."""
    rows = case.methods[method]
    for column, scale, unit in (("gflops", 1e9, "flop/s"), ("elements_per_s", 1, "elements/s")):
        values = rows[column].to_numpy(dtype=float) * scale
        if np.isfinite(values).all():
            return f"{si(float(np.median(values)))} {unit}"
    return NONE


def share_of_floor(case, method, copy_gbs):
    """The share of a floor: of a copy, of cuBLAS's product, or of the tile kernels alone."""
    rows = case.methods[method]
    if data.DGEMM in case.methods:
        most = np.median(case.methods[data.DGEMM]["gflops"])
        share, of = float(np.median(rows["gflops"]) / most), "dgemm"
    elif data.FLOOR in case.methods:
        floor = np.median(case.methods[data.FLOOR]["floor_elements_per_s"])
        share, of = float(np.median(rows["elements_per_s"]) / floor), "the kernel alone"
    else:
        moved = float(np.median(rows["bytes_per_s"].to_numpy(dtype=float)))
        share, of = moved / (1e9 * copy_gbs), "a copy"
    return f"{number(100 * share)} % of {of}" if np.isfinite(share) else NONE


def known_table(cases, copy_gbs):
    """One row per case: the best known method without tasks, beside the fastest of policies and
    lists."""
    heads = ["application", "size", "best known", "ms", "rate", "share", "quickest with tasks"]
    heads += ["ms", "rate", "share", "that over known", "ours without tasks", "ms", "rate", "share"]
    rows = []
    for case in cases:
        known, best = case.fastest(data.KNOWN), case.fastest(data.ALL_OWN)
        if best is None:
            continue
        cells = {}
        for method in (known, best, case.fastest([data.CARRIES])):
            cells[method] = [NONE] * 4
            if method is not None:
                cells[method] = [f"`{method}`", interval(case.median(method))]
                cells[method] += [rate_of(case, method), share_of_floor(case, method, copy_gbs)]
        ratio = NONE if known is None else times_text(case.ratio(known, best))
        last = cells[case.fastest([data.CARRIES])]
        rows.append([data.APPS[case.app], case.size, *cells[known], *cells[best], ratio, *last])
    return table(heads, rows, left=3)


def wave_us(case, barriers=data.BARRIERS):
    """Microseconds per wave with barriers: the duration of its tasks plus the cost of a launch."""
    rows = case.methods[barriers]
    return 1e3 * float(np.median(rows["elapsed_ms"])) / int(rows["depth"].max())


def returns_table(cases):
    """One row per case, sorted by the duration of a wave. It shows for which durations there is a
    gain over barriers."""
    heads = ["application", "size", "level by barriers, µs"]
    heads += ["quickest of the paper's policies", "over barriers", "quickest of our policies"]
    heads += ["over barriers", f"`{data.CHAINS}` over barriers"]
    rows = []
    for case in sorted((c for c in cases if data.BARRIERS in c.methods), key=wave_us):
        cells = []
        for group in (case.policies, data.OURS):
            best = case.fastest(group)
            cells += [NONE if best is None else f"`{best}`", ratio_cell(case, data.BARRIERS, best)]
        cells.append(ratio_cell(case, data.BARRIERS, case.fastest([data.CHAINS])))
        rows.append([data.APPS[case.app], case.size, number(wave_us(case)), *cells])
    return table(heads, rows, left=2)


def gains_until(cases):
    """The longest wave, in µs, up to which chains gain at least this factor in all cases except
    JACOBI. None if there is no such wave."""
    longest = None
    others = [
        c for c in cases if c.app != UNPAPER and {data.BARRIERS, data.CHAINS} <= set(c.methods)
    ]
    for case in sorted(others, key=wave_us):
        if case.ratio(data.BARRIERS, data.CHAINS)[0] < LEAST_GAIN:
            break
        longest = wave_us(case)
    return longest


def updates_table(cases):
    """One row per size of lud: trailing updates alone, beside cuBLAS's products of the same run."""
    own = [case for case in cases if {data.UPDATES, data.DGEMM} <= set(case.methods)]
    if not own:
        return NOT_STORED
    heads = ["size", "trailing updates, T flop/s", "dgemm, T flop/s", "share"]
    rivals = [data.DGEMM]
    if any(data.DGEMM_UPDATE in case.methods for case in own):
        heads += ["dgemm of their shape, T flop/s", "share"]
        rivals.append(data.DGEMM_UPDATE)
    rows = []
    for case in own:
        rate = case.methods[data.UPDATES]["gflops"]
        rows.append([case.size, interval(median_interval(rate / 1e3))])
        for rival in rivals:
            if rival not in case.methods:
                rows[-1] += [NONE, NONE]
                continue
            most = case.methods[rival]["gflops"]
            share = [100 * value for value in median_ratio(rate, most)]
            rows[-1] += [interval(median_interval(most / 1e3)), f"{interval(share)} %"]
    return table(heads, rows, left=1)


def serial_table(cases):
    """One row per case: all tasks on one thread of the host."""
    own = [case for case in cases if data.SERIAL in case.methods]
    rows = [[data.APPS[case.app], case.size, interval(case.median(data.SERIAL))] for case in own]
    return table(["application", "size", "serial, ms"], rows, left=2) if rows else NOT_STORED


def texts_of(path):
    runs = read_runs(path)
    cases = data.cases_of(runs)
    copy_gbs = float(read_meta(path).get("floor_copy_gbs", np.nan))
    by_app = {app: [case for case in cases if case.app == app] for app in data.APPS}
    texts = {f"time-{app}": times_table(own) for app, own in by_app.items() if own}
    for experiment in in_order({case.experiment for case in cases}, list(data.EXPERIMENTS)):
        own = [case for case in cases if case.experiment == experiment]
        texts[f"speed-{experiment}"] = speed_table(own)
        if any(data.BARRIERS_SYNC in case.methods for case in own):
            texts[f"regime-{experiment}"] = regime_table(own)
        texts[f"overhead-{experiment}"] = overhead_table(own)
        texts[f"loads-{experiment}"] = loads_table(own)
        texts[f"known-{experiment}"] = known_table(own, copy_gbs)
        texts[f"returns-{experiment}"] = returns_table(own)
        if experiment not in QUOTED:
            continue
        if (longest := gains_until(own)) is not None:
            texts[f"chains-gains-until-{experiment}"] = f"{number(longest)} µs"
        texts |= mean_texts(experiment, own) | grr_texts(experiment, own)
    texts |= kernel_rate_texts(cases)
    texts["updates"] = updates_table(by_app["lud"])
    texts["serial"] = serial_table(cases)
    texts["card"] = data.machine_of(runs).split(",")[0]
    return texts
