"""Texts in HDF5 files: written in UTF-8 with a fixed length, read with any length.

Texts of fixed length, padded with NUL, are stored among the values, which a checksum covers."""

import re

import h5py
import numpy as np

from gridloom_datasets.errors import InputError


def is_text(dtype):
    return h5py.check_string_dtype(dtype) is not None


def as_utf8(text):
    """The bytes of a text. Bytes that are not UTF-8, as file names may have them, are written as
    \\xff."""

    def escape(found):
        return f"\\x{ord(found[0]) - 0xDC00:02x}"

    return re.sub("[\udc80-\udcff]", escape, str(text)).encode("utf-8", "backslashreplace")


# --- reading ---------------------------------------------------------------------------------


def read_texts(dataset, error=InputError):
    """The texts of a dataset as an array of str. Each ends at its first NUL."""
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


def fixed_texts(texts):
    """An array of texts for HDF5, with the length of the longest. Texts end at their first NUL."""
    encoded = [as_utf8(text).partition(b"\0")[0] for text in texts]
    return np.array(encoded, dtype=h5py.string_dtype("utf-8", max([1, *map(len, encoded)])))


def set_attributes(item, values):
    """Sets attributes: texts with a fixed length, numbers as they are."""
    for name, value in values.items():
        item.attrs[name] = fixed_texts([value]).reshape(()) if isinstance(value, str) else value
