"""What a checksum does not see: the index of the chunks of a dataset, and its type, say how the
bytes become values, and may be damaged. The programs have the same checks in
common/sparse/src/file/hdf5_datasets.cpp.
"""

import itertools
import math

import h5py

from gridloom_datasets.errors import InputError
from gridloom_datasets.hdf5_text import is_fixed_text


def require_sound(data, here, error=InputError):
    """Raises `error` for a dataset that would give other values than it was written with."""
    if data.chunks is not None:
        require_size_of_entry(data, here, error)
        require_every_chunk(data, here, error)


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
    steps = zip(data.shape, data.chunks, strict=True)
    for start in itertools.product(*(range(0, length, step) for length, step in steps)):
        try:
            left_out, packed = data.id.read_direct_chunk(start)
        except (OSError, RuntimeError, ValueError, MemoryError):
            told = f"damaged, lacks the values from {start[0]} on"
            raise error(f"{here}: {told}") from None
        if data.dtype.kind == "O" or left_out == 0:
            continue  # texts of variable length are never shuffled
        if left_out & ~deflating or len(packed) != full_bytes:
            raise error(f"{here}: damaged, lacks filters of the values from {start[0]} on")
