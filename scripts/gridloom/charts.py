"""Charts and notes that several figures use. A configuration is a dict with a key "arm"."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter
from matplotlib.transforms import ScaledTranslation

from gridloom.labels import split_labels
from gridloom.statistics import median_interval
from gridloom.style import FAMILIES, GREY, dot_style, use_style

INTERVALS = "Medians with bootstrap 95 % intervals, which are often narrower than the dot."
LINE, LEGEND_ROW = 0.14, 0.19  # inches
DECADES = 6  # an axis shows at most so many


def panel_grid(rows, columns, size, **settings):
    """Returns (figure, axes by row and column) in the style of all figures. `size` is in inches,
    without the space that frame() adds."""
    use_style()
    return plt.subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False, **settings
    )


def wrapped_panels(count, most, size, **settings):
    """The same of `count` panels in rows of at most `most`; `size(columns, rows)`. Places that are
    left over are empty."""
    columns = min(most, max(1, count))
    rows = -(-count // columns)
    figure, grid = panel_grid(rows, columns, size(columns, rows), **settings)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, grid


def frame(figure, title, subtitle="", notes=(), handles=(), columns=4):
    """Adds a title and a subtitle above the figure, and a legend and notes below it.

    The figure grows by the space that these take, so that nothing overlaps. Returns the figure."""
    notes, handles = list(notes), list(handles)
    rows = -(-len(handles) // columns)
    top = 0.3 + LINE * (subtitle.count("\n") + 1 if subtitle else 0)
    legend = LEGEND_ROW * rows + (0.12 if rows else 0)
    bottom = legend + LINE * len(notes) + 0.08
    width, height = figure.get_size_inches()
    height += top + bottom
    figure.set_size_inches(width, height)
    figure.get_layout_engine().set(rect=(0, bottom / height, 1, 1 - (top + bottom) / height))
    figure.text(
        0.5, 1 - 0.06 / height, title, ha="center", va="top", fontsize=10.5, fontweight="bold"
    )
    figure.text(0.5, 1 - 0.29 / height, subtitle, ha="center", va="top", fontsize=8.5, color=GREY)
    figure.text(
        0.5, (bottom - legend) / height, "\n".join(notes), ha="center", va="top", fontsize=7.5,
        color=GREY, linespacing=1.3,
    )  # fmt: skip
    if handles:
        figure.legend(
            handles=handles, ncols=min(columns, len(handles)), loc="lower center",
            bbox_to_anchor=(0.5, (bottom - legend) / height), borderaxespad=0.2,
        ).set_in_layout(False)  # fmt: skip
    return figure


def draw_curve(axes, label, points, style):
    """Draws a line or dots, depending on `style`, through `points`: (x, median, low, high)."""
    xs, middles, lows, highs = (
        np.array(values, dtype=float) for values in zip(*points, strict=True)
    )
    errors = np.maximum([middles - lows, highs - middles], 0)
    return axes.errorbar(xs, middles, yerr=errors, label=label, **style)


def draw_dot(axes, y, values, style, label=None):
    """Draws a dot at height y with its interval. `values` are (median, low, high)."""
    median, low, high = values
    errors = np.maximum([[median - low], [high - median]], 0)
    return axes.errorbar([median], [y], xerr=errors, label=label, **style)


def ratio_axis(axis):
    """Makes an axis of ratios logarithmic, with plain numbers."""
    axis.set_major_locator(LogLocator())
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(NullFormatter())


def name_rows(axes, names, size=8.5):
    """Writes names at the heights 0, 1, ... downwards, with faint lines that lead to their dots."""
    axes.set_yticks(range(len(names)), names, fontsize=size)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", linestyle=":")


def legend_below(axes, inches=0.42, **settings):
    """Draws a legend below the label of the axis, however high the axes are. Draws none without
    entries."""
    if "handles" not in settings and not axes.get_legend_handles_labels()[0]:
        return
    down = ScaledTranslation(0, -inches, axes.figure.dpi_scale_trans)
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=axes.transAxes + down,
        borderaxespad=0, **settings,
    )  # fmt: skip


def family_handles(families):
    """Legend entries that explain the colours of the families that occur."""
    return entries({FAMILIES[one].title: dot_style(one) for one in FAMILIES if one in families})


def entries(styles):
    """Legend entries of {label: style}."""
    return [plt.Line2D([], [], label=label, **plain(style)) for label, style in styles.items()]


def plain(style):
    """A style without the keys that only error bars accept."""
    return {name: value for name, value in style.items() if name not in ("elinewidth", "capsize")}


def dot_chart(groups, title, xlabel, value_text, parts, family_of, name_of=None, note=""):
    """Draws one row per configuration: a dot with its interval on a logarithmic axis.

    `groups` is {heading: [(config, samples or None, reason)]}. If the samples are None, the reason
    (such as a timeout) is written in place of a dot. A median that the axis cannot show is written
    as text, too: 0, or more than DECADES below the largest. `parts` has the parts of a
    configuration for labels.split_labels(). `family_of` and `name_of` are functions of a
    configuration; the name is its arm by default."""
    dots = [dot for own in groups.values() for dot in own]
    shared, own_texts = split_labels([config for config, _, _ in dots], parts)
    values = [
        median_interval(samples) if samples is not None else (0, 0, 0) for _, samples, _ in dots
    ]
    least = max([median for median, _, _ in values], default=0) / 10**DECADES
    texts = iter(zip(own_texts, values, strict=True))
    headings = len(groups) > 1
    height = 0.7 + 0.225 * (len(dots) + headings * len(groups))
    figure, [[axes]] = panel_grid(1, 1, (8.6, height))
    names = []
    for heading, own in groups.items():
        names += [heading] * headings
        for config, samples, reason in own:
            text, (median, low, high) = next(texts)
            y = len(names)
            names.append(
                (name_of(config) if name_of else config["arm"]) + (f"  [{text}]" if text else "")
            )
            if median <= least:
                word = reason if samples is None else f"{median:.3g}"
                axes.annotate(
                    word, (0, y), xycoords=("axes fraction", "data"), xytext=(4, 0),
                    textcoords="offset points", va="center", fontsize=8, style="italic",
                )  # fmt: skip
                continue
            draw_dot(axes, y, (median, low, high), dot_style(family_of(config)))
            once = " (one run)" if len(samples) == 1 else ""
            axes.annotate(
                value_text(median) + once, (high, y), xytext=(6, 0), textcoords="offset points",
                va="center", fontsize=8,
            )  # fmt: skip
    axes.set_xscale("log")
    if drawn := [value for dot in values for value in dot if dot[0] > least and value > 0]:
        room = max(2, (max(drawn) / min(drawn)) ** 0.14)  # room for the numbers at the right
        axes.set_xlim(min(drawn) / max(1.5, room**0.4), max(drawn) * room)
    name_rows(axes, names)
    for label in axes.get_yticklabels():
        if headings and label.get_text() in groups:
            label.set_fontweight("bold")
    axes.set_xlabel(xlabel)
    families = {family_of(config) for config, _, _ in dots}
    once = all(samples is None or len(samples) == 1 for _, samples, _ in dots)
    notes = [*([] if once else [INTERVALS]), *filter(None, note.split("\n"))]
    return frame(figure, title, shared, notes, family_handles(families))


def left_out_note(rows, arm="arm"):
    """Arms with rows that are no numbers, with the reason, as a list of one line, such as "Runs
    left out: x (2 timeout), y (5 wrong)", or an empty list."""
    failed = rows.mask(rows["status"] != "ok")
    counts = failed.groupby([arm, "status"], sort=False).size()
    missing = (f"{name} ({count} {status})" for (name, status), count in counts.items())
    return [f"Runs left out: {', '.join(missing)}"] if len(counts) else []
