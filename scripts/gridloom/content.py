"""One CRC-32 over all that a results file says, stored as attribute `content_crc32` of /meta.

HDF5 has no checksum for its own notes: a changed byte order, an address of another column or a
changed name gives other values that can be read. docs/results_files.md describes the stream that
the checksum is of; the programs have the same in common/bench/src/results_content.hpp. It follows
from the contents alone, and not from how HDF5 stores them.
"""

import os
import zlib

import h5py
import numpy as np

from gridloom_datasets import hdf5
from gridloom_datasets.errors import InputError
from gridloom_datasets.hdf5_copy import contents_of
from gridloom_datasets.hdf5_text import as_utf8, plain, set_attributes

SCHEMA = "2"  # from this one on files have a checksum; those before are read without
OLDER = "1"
NAME = "content_crc32"
SOUND = set()  # versions of files that were checked
FACTS = ("schema_version", "program", "argv")  # the oldest files say one of these


# --- the stream ------------------------------------------------------------------------------


def crc32_of(items):
    """Of the items of hdf5_copy.contents_of."""
    crc = 0
    for item in sorted(items, key=lambda item: as_utf8(item.name)):
        for piece in pieces_of(item):
            crc = zlib.crc32(piece, crc)
    return crc


def pieces_of(item):
    yield text(as_utf8(item.name))
    yield from [b"g"] if item.values is None else value_pieces(item.values)
    attributes = {
        as_utf8(name): value
        for name, value in item.attributes.items()
        if (item.name, name) != ("/meta", NAME)
    }
    yield count(len(attributes))
    for name in sorted(attributes):
        yield text(name)
        yield from value_pieces(attributes[name])


def value_pieces(values):
    if isinstance(values, str | bytes):
        values = np.array(as_utf8(values) if isinstance(values, str) else values, dtype=object)
    values = np.asarray(values)
    extent = b"".join(map(count, (values.ndim, *values.shape)))
    if values.dtype.kind not in "SO":
        yield values.dtype.kind.encode() + bytes([values.dtype.itemsize]) + extent
        yield np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()
        return
    texts = values.ravel().tolist()
    whole = b"".join(texts)
    if b"\0" in whole:  # it ends a text
        texts = [one.partition(b"\0")[0] for one in texts]
        whole = b"".join(texts)
    yield b"t" + extent
    yield np.fromiter(map(len, texts), "<u8", len(texts)).tobytes()
    yield whole


def text(encoded):
    return count(len(encoded)) + encoded


def count(number):
    return number.to_bytes(8, "little")


# --- reading and writing ---------------------------------------------------------------------


def require_content(file, path, error=InputError):
    """Raises `error` unless the open file is a results file that says what was written. For a
    child: the file may be damaged."""
    meta = file.get("meta")
    if not isinstance(meta, h5py.Group):
        raise error(f"{path}: expected a Gridloom results file with a group /meta")
    if NAME in meta.attrs or schema_of(meta.attrs) != OLDER:
        try:
            sound_contents(file, path)
        except InputError as problem:
            raise error(str(problem)) from None


def schema_of(attributes):
    """Of the attributes of /meta; those of the oldest files do not say it."""
    unsaid = OLDER if any(name in attributes for name in FACTS) else "unknown"
    return str(plain(attributes.get("schema_version", unsaid)))


def sound_contents(file, path):
    """What contents_of returns, of a file that says what was written. Raises InputError."""
    items = contents_of(file, path)
    meta = next((item.attributes for item in items if item.name == "/meta"), {})
    stated = meta.get(NAME)
    if stated is None:
        if schema_of(meta) != OLDER:
            told = f"damaged, lacks the checksum of its contents ({NAME} of /meta)"
            raise InputError(f"{path}: {told}")
    elif not isinstance(stated, np.uint32) or stated != crc32_of(items):
        told = f"damaged, holds other contents than were written ({NAME} of /meta)"
        raise InputError(f"{path}: {told}")
    return items


def read_results(path, read, error=InputError):
    """What `read(file)` returns of a results file, as hdf5.read_apart does.

    Its contents are checked once, however often this process reads it as it is."""
    version = version_of(path)

    def checked(file):
        if version is None or version not in SOUND:
            require_content(file, path, error)
        return read(file)

    found = hdf5.read_apart(path, checked, error)
    SOUND.add(version)
    return found


def version_of(path):
    """What changes when anybody writes to the file."""
    try:
        known = os.stat(path)
    except OSError:
        return None
    return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns, known.st_ctime_ns


def seal(file):
    """The last that is written to an open results file: its schema and its checksum."""
    set_attributes(file["meta"], {"schema_version": SCHEMA})
    file["meta"].attrs[NAME] = np.uint32(crc32_of(contents_of(file, "results")))


def write_results(path, fill):
    """A new results file that `fill(file)` makes, as hdf5.write does."""

    def fill_and_seal(file):
        fill(file)
        seal(file)

    hdf5.write(path, fill_and_seal)
