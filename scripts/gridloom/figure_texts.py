"""Texts in figures that come from outside: names of files, graphs and matrices, and titles.

They may hold control characters, which no font has and no SVG may hold. Matplotlib would read a
text between dollar signs as a formula. Our own texts hold neither."""

import re

from matplotlib.axis import Axis
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FuncFormatter

from gridloom_datasets.errors import one_line

DOLLAR = re.compile(r"(?<!\\)\$")


def plain_lines(text):
    return "\n".join(map(one_line, str(text).split("\n")))


def no_formula(text):
    return DOLLAR.sub(r"\\$", plain_lines(text))


def plain_texts(figure):
    """Makes every text show as it is, with unprintable characters escaped. A second call changes
    nothing.

    Labels of ticks are made again at each drawing, and those of numbers are formulas."""
    ticks = set()
    for axis in figure.findobj(Axis):
        ticks.update(axis.findobj(Text))
        ticks.discard(axis.label)
        for formatter in (axis.get_major_formatter(), axis.get_minor_formatter()):
            if isinstance(formatter, FixedFormatter):
                formatter.seq = [no_formula(text) for text in formatter.seq]
            elif isinstance(formatter, FuncFormatter):
                formatter.func = shown_by(formatter.func)
    for text in set(figure.findobj(Text)) - ticks:
        text.set_parse_math(False)
        text.set_text(plain_lines(text.get_text()))


def shown_by(function):
    return lambda value, place=None: no_formula(function(value, place))
