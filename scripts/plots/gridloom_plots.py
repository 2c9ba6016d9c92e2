"""What the plotting scripts share: reading results, statistics, labels, style, saving.

A results file holds /runs, one dataset a column and one row a configuration and repetition.
A figure takes the rows it wants, groups them by configuration, and shows the median of each group
with a bootstrap 95 % interval. What is the same in all groups goes under the title, what differs
goes into the labels, so no figure hides a parameter. Only rows with status "ok" are numbers: a
timeout is written as a word and never drawn as zero.
"""

import argparse
import sys
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


class PlotError(Exception):
    """A reason why there is nothing to draw; the command line prints it and exits with 2."""


# --- reading -------------------------------------------------------------------------------


class Runs:
    """Columns of equal length, selectable by condition; `runs["arm"]` is a NumPy array."""

    def __init__(self, columns, table="runs"):
        self.columns = columns
        self.table = table

    def __len__(self):
        return len(next(iter(self.columns.values()), ()))

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        if name not in self.columns:
            raise PlotError(f"/{self.table} has no column '{name}'")
        return self.columns[name]

    def mask(self, keep):
        return Runs({name: values[keep] for name, values in self.columns.items()}, self.table)

    def where(self, **conditions):
        """The rows in which every named column equals the given value."""
        keep = np.ones(len(self), dtype=bool)
        for name, value in conditions.items():
            keep &= self[name] == value
        return self.mask(keep)

    def groups(self, names):
        """(key, rows) for each distinct combination of the named columns, in order of file."""
        names = [name for name in names if name in self]
        rows = {}
        columns = [self[name].tolist() for name in names]
        for index, values in enumerate(zip(*columns, strict=True)):
            rows.setdefault(values, []).append(index)
        for values, indices in rows.items():
            yield dict(zip(names, values, strict=True)), self.mask(np.array(indices))


def read_column(dataset):
    if h5py.check_string_dtype(dataset.dtype):
        return np.array(dataset.asstr()[...], dtype=object)
    return dataset[...]


def read_runs(path, table="runs"):
    """/runs, or another table, of one file. Raises PlotError in words that a user can act on."""
    path = Path(path)
    if not path.is_file():
        raise PlotError(f"{path}: no such file")
    try:
        with h5py.File(path, "r") as file:
            if table not in file:
                why = "; not a results file" if table == "runs" else ""
                raise PlotError(f"{path}: no group /{table}{why}")
            columns = {name: read_column(data) for name, data in file[table].items()}
            meta = dict(file["meta"].attrs) if "meta" in file else {}
    except OSError as error:
        raise PlotError(f"{path}: not a readable HDF5 file ({error})") from error
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1 or 0 in lengths:
        raise PlotError(f"{path}: /{table} has no rows or columns of unequal length")
    size = lengths.pop()
    # Which machine a row comes from; tells several files apart.
    host, gpu = machine_names(meta, path)
    backend = columns.get("backend", np.full(size, "host"))
    columns["machine"] = np.array([gpu if b == "cuda" else host for b in backend], dtype=object)
    if (count := str(plain(meta.get("multiprocessors", "")))).isdecimal():
        columns["multiprocessors"] = np.full(size, int(count))
    return Runs(columns, table)


def machine_names(meta, path):
    """(the host, the GPU or else the host) as the file's /meta calls them."""
    names = {name: str(plain(meta.get(name, ""))) for name in ("gpu", "cpu", "host")}
    named = {name: text for name, text in names.items() if text not in ("", "none", "unknown")}
    host = named.get("cpu") or named.get("host") or Path(path).stem
    return host, named.get("gpu", host)


def read_files(paths):
    """The rows of all files after one another, with the columns that all of them have."""
    return joined([read_runs(path) for path in paths])


def joined(parts):
    shared = [name for name in parts[0].columns if all(name in part for part in parts)]
    return Runs(
        {name: np.concatenate([part[name] for part in parts]) for name in shared}, parts[0].table
    )


def read_meta(path):
    """The attributes of /meta as plain values."""
    with h5py.File(path, "r") as file:
        attributes = file["meta"].attrs if "meta" in file else {}
        return {name: plain(value) for name, value in attributes.items()}


def plain(value):
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, np.ndarray):
        return " ".join(str(plain(item)) for item in value.ravel())
    return value.item() if isinstance(value, np.generic) else value


# --- statistics ----------------------------------------------------------------------------


def median_interval(samples, resamples=2000):
    """Median and bootstrap 95 % interval (percentile method, fixed seed) as three floats."""
    samples = np.asarray(samples, dtype=float)
    median = float(np.median(samples))
    if len(samples) < 2:
        return median, median, median
    picks = np.random.default_rng(1).integers(0, len(samples), (resamples, len(samples)))
    low, high = np.percentile(np.median(samples[picks], axis=1), [2.5, 97.5])
    return median, float(low), float(high)


def log_crossing(x, y, level):
    """Where y rises through `level` for the last time, interpolated linearly in log x.

    x ascends. Returns x[0] if y never is below the level, None if the last y is.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    below = np.flatnonzero(y < level)
    if len(y) == 0 or (len(below) and below[-1] == len(y) - 1):
        return None
    if len(below) == 0:
        return float(x[0])
    i = below[-1]
    share = (level - y[i]) / (y[i + 1] - y[i])
    return float(np.exp(np.log(x[i]) + share * (np.log(x[i + 1]) - np.log(x[i]))))


# --- labels --------------------------------------------------------------------------------

# Where a configuration lives besides the arm, and how one of its parts is written.
PARTS = {
    "machine": lambda c: c["machine"],
    "backend": lambda c: c["backend"],
    "graph": lambda c: size_text(c),
    "shape": lambda c: f"{c['blocks']} × {c['threads']}",
    "threads": lambda c: f"{c['threads']} {'thread' if c['threads'] == 1 else 'threads'} a block",
}
SETTING = ["machine", "backend", "graph", "rows", "cols", "depth", "tasks", "blocks", "threads"]


def size_text(config):
    if config["graph"] == "lattice":
        sizes = [config["rows"], config["cols"]]
        if config.get("depth", 1) > 1:
            sizes.append(config["depth"])
        return " × ".join(f"{size:,}" for size in sizes) + " lattice"
    return f"{config['graph']} of {config['tasks']:,} tasks"


def split_labels(configs, parts=("machine", "backend", "graph", "shape")):
    """(what all configurations share, [what is particular to each]) as text."""
    texts = {part: [PARTS[part](config) for config in configs] for part in parts}
    shared = {part: values[0] for part, values in texts.items() if len(set(values)) == 1}
    if "shape" in shared:
        shared["shape"] += " (blocks × threads)"
    varying = [part for part in parts if part not in shared]
    if {"machine", "backend"} <= set(varying):  # a GPU's name says which backend it was
        pairs = set(zip(texts["machine"], texts["backend"], strict=True))
        if len(pairs) == len(set(texts["machine"])):
            varying.remove("backend")
    own = [", ".join(texts[part][i] for part in varying) for i in range(len(configs))]
    if "shape" in varying:
        shared["shape"] = "n × m: blocks × threads"
    return ", ".join(shared.values()), own


def si(value):
    """1.5e6 as '1.5 M'; three significant digits."""
    for factor, prefix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= factor:
            return f"{value / factor:.3g}{prefix}"
    return f"{value:.3g}"


def number(value):
    """Three digits, and all of those before the point."""
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"


def duration(nanoseconds):
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if nanoseconds >= factor:
            return f"{nanoseconds / factor:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


# --- style ---------------------------------------------------------------------------------

# Neighbours differ in lightness and in hatch or marker and dash, so grey print stays readable.
FILLS = ["#d9d9d9", "#7ba7cc", "#f2c46d", "#4d6f8f", "#b8d8a8", "#c97f5e", "#8c8c8c", "#5e4b7d"]
HATCHES = ["", "//", "..", "\\\\", "xx", "--", "++", "oo"]
INKS = ["#1b1b1b", "#2f6fa7", "#b5651d", "#4f8a4c", "#7d5ba6", "#a83232", "#7a7a7a", "#0f8b8d"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
DASHES = ["-", "--", "-.", ":"]


def use_style():
    plt.rcParams.update(
        {
            "figure.dpi": 110,
            "savefig.dpi": 150,
            "font.size": 9,
            "axes.titlesize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": "#dddddd",
            "grid.linewidth": 0.6,
            "hatch.linewidth": 0.6,
            "legend.frameon": False,
            "legend.fontsize": 8,
            "svg.hashsalt": "gridloom",  # the same data gives the same SVG
        }
    )


def line_style(index):
    return {
        "color": INKS[index % len(INKS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": DASHES[(index // len(MARKERS) + index) % len(DASHES)],
        "markersize": 5,
        "linewidth": 1.3,
        "capsize": 2,
    }


def bar_chart(bars, title, xlabel, value_text, paper=None):
    """Horizontal bars on a log axis.

    `bars`: list of (config, samples or None, reason); config has "arm" and the SETTING columns.
    None for samples writes the reason (a timeout, say) in place of a bar; a median of exactly 0
    is written too, since a log axis cannot show it.
    """
    use_style()
    shared, own = split_labels([config for config, _, _ in bars])
    note = f"\nFrom the paper: {paper}" if paper else ""
    height = 1.5 + 0.34 * len(bars) + 0.3 * note.count("\n")
    width = 6.2 + 0.06 * max(len(c["arm"]) + len(o) for (c, _, _), o in zip(bars, own, strict=True))
    figure, axes = plt.subplots(figsize=(width, height), layout="constrained")
    arms = list(dict.fromkeys(config["arm"] for config, _, _ in bars))
    drawn = []
    for y, (config, samples, reason) in enumerate(bars):
        style = arms.index(config["arm"])
        median, low, high = median_interval(samples) if samples is not None else (0, 0, 0)
        if median <= 0:
            text = reason if samples is None else "0"
            axes.annotate(
                text, (0, y), xycoords=("axes fraction", "data"), xytext=(4, 0),
                textcoords="offset points", va="center", style="italic",
            )  # fmt: skip
            continue
        drawn += [median, low, high]
        axes.barh(
            y, median, height=0.7, color=FILLS[style % len(FILLS)],
            hatch=HATCHES[style % len(HATCHES)], edgecolor="black", linewidth=0.7,
            xerr=[[median - low], [high - median]], error_kw={"capsize": 2, "linewidth": 1},
        )  # fmt: skip
        axes.annotate(
            value_text(median), (high, y), xytext=(5, 0), textcoords="offset points", va="center"
        )
    axes.set_xscale("log")
    if drawn:
        positive = [value for value in drawn if value > 0]
        # Bars start below the smallest value; room at the right for the numbers.
        axes.set_xlim(min(positive) / 4, max(positive) * 6)
    axes.set_yticks(
        range(len(bars)),
        [c["arm"] + (f"  [{o}]" if o else "") for (c, _, _), o in zip(bars, own, strict=True)],
    )
    axes.set_ylim(len(bars) - 0.4, -0.6)  # first bar on top, and a row for those without a bar
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(xlabel)
    figure.suptitle(title, fontsize=10.5, fontweight="bold")
    axes.set_title(shared, fontsize=8.5, color="#444444")
    figure.supxlabel("Medians with bootstrap 95 % intervals." + note, fontsize=7.5, color="#444444")
    return figure


def left_out(rows, arm="arm"):
    """Arms with rows that are no numbers, with the reason: "x (2 timeout), y (5 wrong)"."""
    texts = []
    for key, group in rows.mask(rows["status"] != "ok").groups([arm, "status"]):
        texts.append(f"{key[arm]} ({len(group)} {key['status']})")
    return ", ".join(texts)


def footnote(figure, rows):
    text = "Medians with bootstrap 95 % intervals."
    if missing := left_out(rows):
        text += f"\nRuns left out: {missing}"
    figure.supxlabel(text, fontsize=7.5, color="#444444")


# --- command line --------------------------------------------------------------------------


def save(figure, name, directory):
    """Writes PNG and SVG and returns both paths."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = [directory / f"{name}.png", directory / f"{name}.svg"]
    figure.savefig(paths[0])
    figure.savefig(paths[1], metadata={"Date": None})
    plt.close(figure)
    return paths


def main(name, description, draw, arguments=None, more=None, read=read_files):
    """Runs one plotting script; `draw(read(paths))` returns a figure. Returns the exit code.

    `more`: further options by name, with what argparse wants to know, which `draw` takes too.
    """
    parser = argparse.ArgumentParser(prog=f"{name}.py", description=description)
    parser.add_argument("results", nargs="+", metavar="RESULTS.h5")
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    for option, settings in (more or {}).items():
        parser.add_argument(f"--{option}", **settings)
    options = parser.parse_args(arguments)
    names = [option.replace("-", "_") for option in more or {}]
    try:
        figure = draw(read(options.results), **{n: getattr(options, n) for n in names})
        for path in save(figure, name, options.output_dir):
            print(path)
    except PlotError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
