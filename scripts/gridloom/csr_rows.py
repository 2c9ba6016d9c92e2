"""Reads compressed rows, as the programs store matrices and task graphs, with the checks of
common/files/src/hdf5_values.cpp."""

import h5py
import numpy as np

from gridloom_datasets.hdf5_text import plain

MOST_ROWS = 2**31 - 2  # most_tasks of graph_file.hpp and most_rows of csr_matrix.hpp


def count_of(group, name, refused):
    """An attribute with a number of rows, columns or tasks."""
    stored = np.asarray(group.attrs.get(name))
    if stored.size != 1 or stored.dtype.kind not in "iu" or not 0 <= stored.item() <= MOST_ROWS:
        told = f"expected the attribute {name} to be a whole number from 0 to {MOST_ROWS}"
        raise refused(f"{told}, got {plain(group.attrs.get(name))!r:.40}")
    return stored.item()


def column_of(group, name, kind, refused, dimensions=1):
    """A dataset whose values can be read: their type is `kind`, and the file holds them."""
    data = group.get(name)
    if not isinstance(data, h5py.Dataset):
        raise refused(f"expected a dataset {group.name}/{name}")
    if data.ndim != dimensions or not np.issubdtype(data.dtype, kind):
        told = f"expected {kind.__name__} in {dimensions}D"
        raise refused(f"{told}, got {data.dtype} in {data.ndim}D in {data.name}")
    # Deflate shrinks data at most 1032-fold, so a larger extent must be wrong.
    if data.size * data.dtype.itemsize > 1100 * data.id.get_storage_size():
        raise refused(f"{data.name} claims {data.size} entries, more than the file holds")
    return data


def read_rows(file, name, kind, sizes, refused, types=(np.integer, np.integer)):
    """((rows, columns), row offsets, columns of the entries) of the group `name` of this kind.

    `sizes` are the attributes with the numbers of rows and columns, and `types` those of the
    offsets and entries. `refused(words)` makes the exception for other files."""
    group = file.get(name)
    if not isinstance(group, h5py.Group):
        raise refused(f"expected a group /{name}")
    if (stored := plain(group.attrs.get("kind"))) != kind:
        raise refused(f"expected the kind {kind}, got {stored!r:.40}")
    rows, cols = (count_of(group, size, refused) for size in sizes)
    offsets = column_of(group, "row_offsets", types[0], refused)
    columns = column_of(group, "columns", types[1], refused)
    # Checked before the offsets are read, because a small file may claim many.
    if len(offsets) != rows + 1:
        raise refused(f"expected {rows + 1} row offsets, got {len(offsets)}")
    offsets, columns = offsets[...].astype(np.int64), columns[...]
    if offsets[0] != 0 or np.any(np.diff(offsets) < 0):
        raise refused("expected row offsets that begin at 0 and do not fall")
    if offsets[-1] != len(columns):
        raise refused(f"expected {offsets[-1]} columns, got {len(columns)}")
    if len(columns) and (columns.min() < 0 or columns.max() >= cols):
        raise refused(f"expected columns from 0 to {cols} - 1")
    return (rows, cols), offsets, columns
