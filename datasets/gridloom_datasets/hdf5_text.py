"""Texts in HDF5 files, written by one rule and read in both kinds.

Results have texts of fixed length, padded with NUL, in UTF-8: so they lie among the values, where a
checksum covers them. HDF5 1.10 does not check where a text of variable length lies, and takes what
it finds there. Of variable length are only the texts of older files, those beyond LONGEST_FIXED
bytes, and columns that padding would make larger than MOST_BYTES. The programs have the same rule
in common/files/include/gridloom/files/hdf5_io.hpp and common/bench/src/results_write.cpp.
"""

import re

import h5py
import numpy as np

from gridloom_datasets.errors import InputError

LONGEST_FIXED = 60_000  # HDF5 holds attributes of 64 KiB
MOST_BYTES = 1 << 28


def is_text(dtype):
    return h5py.check_string_dtype(dtype) is not None


def is_fixed_text(dtype):
    text = h5py.check_string_dtype(dtype)
    return text is not None and text.length is not None


def as_utf8(text):
    """The bytes of a text, with what is no UTF-8 (of file names, say) written out as \\xff."""

    def escape(found):
        return f"\\x{ord(found[0]) - 0xDC00:02x}"

    return re.sub("[\udc80-\udcff]", escape, str(text)).encode("utf-8", "backslashreplace")


# --- reading ---------------------------------------------------------------------------------


def read_texts(dataset, error=InputError):
    """The texts of a dataset of either kind as an array of str; NUL ends a text."""
    place = f"{dataset.file.filename}: {dataset.name}"
    try:
        texts = np.asarray(dataset.asstr()[...], dtype=object)
    except UnicodeDecodeError:
        raise error(f"{place}: damaged, expected texts in UTF-8") from None
    if any("\0" in text for text in texts.flat):
        ended = np.array([text.partition("\0")[0] for text in texts.flat], dtype=object)
        return ended.reshape(texts.shape)
    return texts


def plain(value):
    """The value of an attribute: text, or a plain number."""
    if isinstance(value, bytes):
        return value.partition(b"\0")[0].decode("utf-8", "replace")
    if isinstance(value, np.ndarray):
        return " ".join(str(plain(item)) for item in value.ravel())
    return value.item() if isinstance(value, np.generic) else value


def attributes_of(item):
    """{name: text or plain number} of a file, group or dataset."""
    return {name: plain(value) for name, value in item.attrs.items()}


# --- writing ---------------------------------------------------------------------------------


def text_type(encoded, longest=0):
    """Of texts as bytes, and room for `longest` at least: the type that they are stored as."""
    longest = max([1, longest, *map(len, encoded)])
    if longest > LONGEST_FIXED or longest * len(encoded) > MOST_BYTES:
        return h5py.string_dtype()
    return h5py.string_dtype("utf-8", longest)


def set_attributes(item, values):
    """Texts of fixed length, numbers as they are."""
    for name, value in values.items():
        if isinstance(value, str):
            value = as_utf8(value).partition(b"\0")[0]
            value = np.array(value, dtype=text_type([value]))
        item.attrs[name] = value


def create_texts(group, name, texts):
    """A dataset of texts that can grow."""
    encoded = [as_utf8(text).partition(b"\0")[0] for text in texts]
    kind = text_type(encoded)
    chunk = max(1, min(1024, (1 << 20) // kind.itemsize))
    return group.create_dataset(
        name, data=np.array(encoded, dtype=kind), dtype=kind, maxshape=(None,), chunks=(chunk,),
        shuffle=True, compression="gzip", compression_opts=4, fletcher32=is_fixed_text(kind),
    )  # fmt: skip


def append_texts(dataset, texts):
    """The texts behind those of a dataset made by create_texts, or of variable length by older
    scripts: made anew, since a longer text may not fit. Returns the dataset."""
    group, name = dataset.parent, dataset.name.rpartition("/")[2]
    attributes = attributes_of(dataset)
    everything = [*read_texts(dataset), *texts]
    del group[name]
    made = create_texts(group, name, everything)
    set_attributes(made, attributes)
    return made
