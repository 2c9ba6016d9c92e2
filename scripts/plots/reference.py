#!/usr/bin/env python3
"""Draws the committed images of artifacts from stored results, as artifact.toml declares them.

    reference.py [ARTIFACT ...] [--figure NAME ...]

Every figure with the key `stored` is drawn into <artifact>/reference/figures as PNG, and also as
SVG if the SVG is small. Images of figures that are no longer declared are removed."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gridloom.artifacts import DeclarationError, read_all
from gridloom.paths import ROOT
from gridloom.plot_script import drawn_by
from gridloom_datasets.arguments import StrictParser

MOST_SVG_BYTES = 250_000


def draw(figure, inputs, folder):
    """Draws a figure into the folder. Returns the error, or None."""
    with TemporaryDirectory() as temporary:
        printed, failure = drawn_by(ROOT / figure.script, [*inputs, "--output-dir", temporary])
        if failure is not None:
            return failure
        folder.mkdir(parents=True, exist_ok=True)
        for image in sorted(Path(temporary).iterdir()):
            target = folder / image.name
            if image.suffix == ".svg" and image.stat().st_size > MOST_SVG_BYTES:
                target.unlink(missing_ok=True)
                continue
            shutil.copyfile(image, target)
            print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")
    print("".join(f"  {line}\n" for line in printed.splitlines() if temporary not in line), end="")
    return None


def parse(arguments):
    parser = StrictParser(prog="reference.py", description=__doc__.split("\n")[0])
    parser.add_argument("artifacts", nargs="*", metavar="ARTIFACT", help="default: all")
    parser.add_argument("--figure", action="append", default=[], metavar="NAME",
                        help="default: all of the artifact")  # fmt: skip
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    try:
        known = {artifact.name: artifact for artifact in read_all()}
    except DeclarationError as error:
        print(f"reference.py: {error}", file=sys.stderr)
        return 2
    figures = {figure.name for artifact in known.values() for figure in artifact.figures}
    for name, there in [(n, known) for n in options.artifacts] + [
        (n, figures) for n in options.figure
    ]:
        if name not in there:
            text = ", ".join(sorted(there))
            print(f"reference.py: no '{name}'; there are: {text}", file=sys.stderr)
            return 2
    code = 0
    for name in options.artifacts or known:
        artifact, folder = known[name], ROOT / name / "reference/figures"
        for figure in artifact.figures:
            if figure.stored and (not options.figure or figure.name in options.figure):
                inputs = [ROOT / name / file for file in figure.stored]
                if failure := draw(figure, inputs, folder):
                    print(f"{figure.name}: {failure}", file=sys.stderr)
                    code = 1
        declared = {figure.name for figure in artifact.figures if figure.stored}
        for image in (one for one in sorted(folder.glob("*")) if one.stem not in declared):
            image.unlink()
            print(f"{image.relative_to(ROOT)}: removed")
    return code


if __name__ == "__main__":
    sys.exit(main())
