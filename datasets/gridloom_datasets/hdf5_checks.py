"""What a checksum does not see: the index of the chunks of a dataset, and its type, say how the
bytes become values, and may be damaged. The programs have the same checks in
common/files/src/hdf5_datasets.cpp.
"""

import math

import h5py

from gridloom_datasets.errors import InputError
from gridloom_datasets.hdf5_text import is_fixed_text


def require_sound(data, here, error=InputError):
    """Raises `error` for a dataset that would give other values than it was written with."""
    require_extent(data, here, error)
    if data.chunks is not None:
        require_size_of_entry(data, here, error)
        require_every_chunk(data, here, error)


def require_extent(data, here, error):
    """Before anything goes through the values or makes room for them."""
    if data.shape is None:
        return
    entries, filtered = math.prod(data.shape), data.id.get_create_plist().get_nfilters() > 0
    stored = min(data.id.get_storage_size(), data.file.id.get_filesize())
    # Deflate shrinks at most 1032-fold: an extent beyond that was never written by anybody.
    if entries * data.id.get_type().get_size() > stored * (1100 if filtered else 1):
        raise error(f"{here}: claims {entries} entries, more than the file holds")


def require_size_of_entry(data, here, error):
    """Shuffling knows how long each value is, from when the dataset was written."""
    if not (data.shuffle and (is_fixed_text(data.dtype) or data.dtype.kind in "iuf")):
        return
    filters = data.id.get_create_plist()
    _, settings, _ = filters.get_filter_by_id(h5py.h5z.FILTER_SHUFFLE)
    if settings and settings[0] != data.dtype.itemsize:
        told = f"expected values of {settings[0]} bytes, got {data.dtype.itemsize}"
        raise error(f"{here}: damaged, {told}")


def require_every_chunk(data, here, error):
    """A chunk whose key in the index is damaged is one that HDF5 does not find: it would give the
    fill value for all that is in it.

    The index also says of each chunk which filters were left out. Only deflating ever is, where it
    would make a chunk longer, which then has its full length."""
    layout = data.id.get_create_plist()
    filters = [layout.get_filter(place)[0] for place in range(layout.get_nfilters())]
    deflating = sum(1 << k for k, code in enumerate(filters) if code == h5py.h5z.FILTER_DEFLATE)
    full_bytes = math.prod(data.chunks) * data.dtype.itemsize
    full_bytes += 4 * filters.count(h5py.h5z.FILTER_FLETCHER32)
    for start in starts_of(data.shape, data.chunks):
        try:
            left_out, packed = data.id.read_direct_chunk(start)
        except (OSError, RuntimeError, ValueError, MemoryError):
            told = f"damaged, lacks the values from {start[0]} on"
            raise error(f"{here}: {told}") from None
        if data.dtype.kind == "O" or left_out == 0:
            continue  # texts of variable length are never shuffled
        if left_out & ~deflating or len(packed) != full_bytes:
            raise error(f"{here}: damaged, lacks filters of the values from {start[0]} on")


def starts_of(shape, chunks):
    """Of every chunk, one at a time: damaged extents may have more of them than memory holds."""
    if not shape:
        yield ()
    elif 0 not in shape:
        for first in range(0, shape[0], chunks[0]):
            for others in starts_of(shape[1:], chunks[1:]):
                yield (first, *others)
