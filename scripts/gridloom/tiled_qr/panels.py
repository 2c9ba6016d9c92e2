"""Panels that several figures of the tiled QR share."""

from gridloom import charts, labels
from gridloom.results import PlotError
from gridloom.tiled_qr import data


def shared_text(rows):
    """The settings that all rows with tiles share. The host's own rival is named by its curve."""
    tiled = rows.mask((rows["tile"] > 0) & ~rows["method"].isin(data.ON_HOST))
    return labels.shared_text(tiled, data.PARTS)


def draw_methods(axes, curves):
    """Draws one curve per method. Returns the families that occur."""
    for method, points in curves.items():
        charts.draw_curve(axes, data.NAMES.get(method, method), points, data.METHODS.line(method))
    charts.legend_below(axes, ncols=2)
    return {data.METHODS.family(method) for method in curves}


def size_axis(axes, scale="log"):
    axes.set_xscale("log", base=2)
    axes.set_yscale(scale)
    axes.set_xlabel("rows of the matrix")


def draw_sizes(runs, curves, title, ylabel, notes, level=None):
    """One panel per shape of matrices, one curve per method over their sizes, with logarithmic
    axes.

    `curves(sizes)` is like data.curves_of. `level` is a line for comparison."""
    every = data.usual(runs)
    if len(every.only(status="ok")) == 0:
        raise PlotError("no rows of random matrices in double with status 'ok'")
    shapes = data.shapes_of(every)
    # One size alone is no curve: it is in the tables.
    single = [name for name, sizes in shapes.items() if len({size for size, _ in sizes}) == 1]
    single = single if len(single) < len(shapes) else []
    panels = {name: curves(sizes) for name, sizes in shapes.items() if name not in single}
    panels = {name: own for name, own in panels.items() if own}
    if not panels:
        raise PlotError("no size that has what the figure compares")
    figure, axes_of = charts.panel_grid(1, len(panels), (4.8 * len(panels), 3.8))
    families = set()
    for axes, (name, own) in zip(axes_of.flat, panels.items(), strict=True):
        if level is not None:
            axes.axhline(level, color="black", linewidth=0.8, linestyle=":")
        families |= draw_methods(axes, own)
        size_axis(axes)
        axes.set_ylabel(ylabel)
        axes.set_title(name)
    alone = [f"Left out, one size alone: {name}." for name in single]
    notes = [*notes, *alone, *charts.left_out_note(every)]
    return charts.frame(figure, title, shared_text(every), notes, charts.family_handles(families))


def draw_column(runs, column, title, ylabel, notes):
    """Like draw_sizes, for one column of the rows."""
    return draw_sizes(runs, lambda sizes: data.curves_of(sizes, column), title, ylabel, notes)


def scheduler_panels(found):
    """{panel: methods} of the methods that occur, without empty panels."""
    panels = {
        name: [method for method in methods if method in found]
        for name, methods in data.SCHEDULERS.items()
    }
    return {name: methods for name, methods in panels.items() if methods}
