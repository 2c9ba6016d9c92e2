"""The command line of a plotting script, and saving what it draws."""

import argparse
import sys
from pathlib import Path

import matplotlib.pyplot as plt

from gridloom.results import PlotError, read_files


def save(figure, name, directory):
    """Writes PNG and SVG and returns both paths."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = [directory / f"{name}.png", directory / f"{name}.svg"]
    figure.savefig(paths[0])
    figure.savefig(paths[1], metadata={"Date": None})
    plt.close(figure)
    return paths


def main(name, description, draw, arguments=None, more=None, read=read_files, files=None):
    """Runs one plotting script; `draw(read(paths))` returns a figure. Returns the exit code.

    `more`: further options by name, with what argparse wants to know, which `draw` takes too;
    `files`: what argparse wants to know of the files, by default results.
    """
    parser = argparse.ArgumentParser(prog=f"{name}.py", description=description.splitlines()[0])
    parser.add_argument("files", **{"nargs": "+", "metavar": "RESULTS.h5"} | (files or {}))
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    for option, settings in (more or {}).items():
        parser.add_argument(f"--{option}", **settings)
    options = parser.parse_args(arguments)
    values = {o: getattr(options, o) for o in (o.replace("-", "_") for o in more or {})}
    try:
        figure = draw(read(options.files), **values)
        for path in save(figure, name, options.output_dir):
            print(path)
    except PlotError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        place = error.filename or options.output_dir
        print(f"{name}: {place}: cannot be written ({error.strerror})", file=sys.stderr)
        return 2
    return 0
