"""The files that an image was drawn from: written into its metadata, and read back.

The text is `NAME sha256:HASH` for each file, separated by "; ". It stands in the text chunk Source
of a PNG and in the element dc:source of an SVG."""

import hashlib
import re
from pathlib import Path
from xml.etree import ElementTree

from gridloom_datasets.errors import one_line
from gridloom_datasets.files import open_input

KEY = "Source"
ELEMENT = "{http://purl.org/dc/elements/1.1/}source"
ENTRY = re.compile(r"(.+) sha256:([0-9a-f]{64})")


def hash_of(path):
    with open_input(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sources_text(paths):
    return "; ".join(f"{one_line(Path(path).name)} sha256:{hash_of(path)}" for path in paths)


def sources_of(image):
    """{name: hash} of the files that an image was drawn from; empty if the image does not name
    any."""
    if Path(image).suffix == ".png":
        from PIL import Image  # Matplotlib installs Pillow

        with Image.open(image) as opened:
            text = opened.text.get(KEY, "")
    else:
        text = ElementTree.parse(image).findtext(f".//{ELEMENT}", "")
    entries = filter(None, map(ENTRY.fullmatch, text.split("; ")))
    return {entry[1]: entry[2] for entry in entries}
