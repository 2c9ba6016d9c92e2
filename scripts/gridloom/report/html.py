"""Pieces of HTML: text, tables that scroll inside the page, sections that fold, embedded images."""

import base64
import os
import re
import struct
from html import escape
from pathlib import Path


def prose(text):
    """Converts text; words between backticks become `code`, and links of pages their text."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def name_of(text):
    """An id for a link."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def table(heads, rows, numbers=(), about=""):
    """A table. Cells are text, or HTML if they are in a tuple. The columns `numbers` are aligned
    right."""
    body = "".join(
        f"<tr>{''.join(cell(value, column in numbers) for column, value in enumerate(row))}</tr>\n"
        for row in rows
    )
    head = "".join(
        f"<th{' class=number' if column in numbers else ''}>{prose(name)}</th>"
        for column, name in enumerate(heads)
    )
    # A table wider than the page scrolls by itself, by keys as well.
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(about)}">'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"
    )


def link(path, folder):
    """The link to a file from a page in a folder."""
    path = Path(path)
    target = os.path.relpath(path, folder)
    return f'<a href="{escape(target)}">{escape(f"{path.parent.name}/{path.name}")}</a>'


def cell(value, is_number):
    text = value[0] if isinstance(value, tuple) else prose(str(value))
    return f"<td{' class=number' if is_number else ''}>{text}</td>"


def folded(title, body, name="", is_open=False):
    own = f' id="{name}"' if name else ""
    return (
        f"<details{own}{' open' if is_open else ''}><summary>{prose(title)}</summary>\n"
        f"{body}</details>\n"
    )


def commands(lines):
    return "".join(f"<pre><code>{escape(line)}</code></pre>\n" for line in lines)


def image(path, text):
    """A PNG inside the page. A click shows it in the page's width."""
    data = Path(path).read_bytes()
    size = ""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 24:
        width, height = struct.unpack(">II", data[16:24])
        size = f' width="{width}" height="{height}"'
    source = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return (
        '<label class="zoom"><input type="checkbox" aria-label="larger">'
        f'<img src="{source}" alt="{escape(text)}"{size}></label>'
    )


def figure(caption, images):
    """Images side by side if there is room. `images` has (label, path or None, text without an
    image)."""
    parts = "".join(
        f'<div><p class="label">{prose(label)}</p>'
        + (image(path, f"{caption}: {label}") if path else f'<p class="none">{prose(instead)}</p>')
        + "</div>\n"
        for label, path, instead in images
    )
    kind = "pair" if len(images) > 1 else "single"
    return f'<figure class="{kind}"><figcaption>{prose(caption)}</figcaption>\n{parts}</figure>\n'
