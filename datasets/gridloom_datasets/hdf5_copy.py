"""All that an HDF5 file holds, out of the file, and into a new one.

HDF5 that adds to a damaged file puts new blocks upon old ones. So who adds to a file reads all of
it in a child and writes a new one: what cannot be read is refused, and what could be read is there.
"""

from typing import Any, NamedTuple

import h5py
import numpy as np

from gridloom_datasets.errors import InputError, shortened
from gridloom_datasets.hdf5_checks import require_sound
from gridloom_datasets.hdf5_text import plain, set_attributes


class Item(NamedTuple):
    """A group, or a dataset with its values; the first is the root."""

    name: str
    attributes: dict[str, Any]
    values: Any = None  # None for a group
    settings: dict[str, Any] | None = None  # of create_dataset


def contents_of(file, path):
    """The items of an open file, outer ones first. For a child: the file may be damaged.

    Raises InputError for what would be lost, and whatever h5py raises for what cannot be read.
    """
    items, seen = [], set()

    def visit(item, name):
        here = f"{path}: {shortened(name)}"
        address = h5py.h5o.get_info(item.id).addr
        if address in seen or not name.isprintable():
            raise InputError(f"{here}: expected every group and dataset once, with a plain name")
        seen.add(address)
        attributes = {key: plain_attribute(item, key, here) for key in item.attrs}
        if isinstance(item, h5py.Dataset):
            require_sound(item, here)
            items.append(Item(name, attributes, item[()], settings_of(item, here)))
            return
        if not isinstance(item, h5py.Group):
            raise InputError(f"{here}: expected groups and datasets only")
        items.append(Item(name, attributes))
        for inner in item:
            if not isinstance(item.get(inner, getlink=True), h5py.HardLink):
                raise InputError(f"{here}: expected no link, got {shortened(inner)}")
            visit(item[inner], f"{name.rstrip('/')}/{inner}")

    visit(file["/"], "/")
    return items


def plain_attribute(item, key, here):
    value = item.attrs[key]
    numbers = isinstance(value, np.generic | np.ndarray) and value.dtype.kind in "iuf"
    if not key.isprintable() or not (numbers or isinstance(value, str | bytes)):
        raise InputError(f"{here}: expected texts and numbers as attributes, see {shortened(key)}")
    if numbers:
        return value
    text = value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError(f"{here}: expected texts in UTF-8 as attributes, see {shortened(key)}")
    return plain(text)


def settings_of(data, here):
    text = h5py.check_string_dtype(data.dtype)
    if not text and data.dtype.kind not in "iuf":
        raise InputError(f"{here}: expected texts or numbers")
    # The dtype of texts does not survive the way from a child: h5py makes it anew of these two.
    settings = {"text": tuple(text)} if text else {"dtype": data.dtype.str}
    if data.chunks is None:
        return settings
    return settings | {
        "chunks": data.chunks, "maxshape": data.maxshape, "shuffle": data.shuffle,
        "compression": data.compression, "compression_opts": data.compression_opts,
        "fletcher32": data.fletcher32,
    }  # fmt: skip


def restore(file, items):
    """The items into a new, empty file."""
    for name, attributes, values, settings in items:
        if settings is None:
            made = file.require_group(name)
        else:
            settings = dict(settings)
            if text := settings.pop("text", None):
                settings["dtype"] = h5py.string_dtype(*text)
                values = np.asarray(values, dtype=settings["dtype"])
            made = file.create_dataset(name, data=values, **settings)
        set_attributes(made, attributes)
