"""The command line of a plotting script, and saving its figure."""

import io
import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

from gridloom.figure_texts import plain_texts
from gridloom.results import made_of, read_files
from gridloom.sources import KEY, sources_text
from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.errors import InputError, output_error_code, say
from gridloom_datasets.files import require_different_files, written_aside

matplotlib.use("Agg")


def save(figure, name, directory, files):
    """Writes PNG and SVG, whose metadata name the `files` that they were drawn from. Returns both
    paths."""
    directory = Path(directory)
    paths = [directory / f"{name}.png", directory / f"{name}.svg"]
    require_different_files([("the figure", path) for path in paths], inputs=files)
    plain_texts(figure)
    source, svg_data = {KEY: sources_text(files)}, io.BytesIO()
    png_data = png_of(figure, source)
    figure.set_layout_engine("none")  # the places that it found for the PNG
    figure.savefig(svg_data, format="svg", metadata=source | {"Date": None})
    plt.close(figure)
    directory.mkdir(parents=True, exist_ok=True)
    with written_aside(paths[0]) as png, written_aside(paths[1]) as svg:
        png.write_bytes(png_data)
        svg.write_bytes(svg_data.getvalue())
    return paths


def png_of(figure, texts):
    """The PNG with a palette of 256 colours, which makes it a third as large. Figures have few
    colours."""
    from PIL import Image, PngImagePlugin  # Matplotlib installs Pillow

    whole, made = io.BytesIO(), io.BytesIO()
    figure.savefig(whole, format="png")
    info = PngImagePlugin.PngInfo()
    for key, text in texts.items():
        info.add_text(key, text)
    with Image.open(whole) as image:
        palette = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        palette.save(made, format="png", optimize=True, pnginfo=info)
    return made.getvalue()


def main(name, description, draw, arguments=None, more=None, read=read_files, files=None):
    """Runs one plotting script and exits. `draw(read(paths))` returns a figure.

    `more` has further options by name, with their settings for argparse; they are passed to `draw`.
    `files` has argparse's settings of the files, which are results by default."""
    parser = StrictParser(prog=f"{name}.py", description=description.splitlines()[0])
    parser.add_argument("files", **{"nargs": "+", "metavar": "RESULTS.h5"} | (files or {}))
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    for option, settings in (more or {}).items():
        parser.add_argument(f"--{option}", **settings)
    options = parser.parse_args(arguments)
    values = {o: getattr(options, o) for o in (o.replace("-", "_") for o in more or {})}
    paths = options.files if isinstance(options.files, list) else [options.files]
    try:
        with made_of(options.files):
            figure = draw(read(options.files), **values)
        saved = save(figure, name, options.output_dir, paths)
    except InputError as error:
        say(f"{name}: {error}", sys.stderr)
        sys.exit(2)
    except OSError as error:
        place = error.filename or options.output_dir
        say(f"{name}: {place}: cannot be written ({error.strerror})", sys.stderr)
        sys.exit(output_error_code(error))
    for path in saved:
        say(path)
