"""Measures of orders of sparse matrices, from arrays of row offsets and columns."""

import numpy as np
from scipy.sparse.csgraph import connected_components, shortest_path


def positions(order):
    """position[row] under an order. None if the order does not contain every row once."""
    rows = np.arange(len(order))
    if not np.array_equal(np.sort(order), rows):
        return None
    position = np.empty(len(order), dtype=np.int64)
    position[order] = rows
    return position


def bandwidths(offsets, columns, position):
    """Under an order: (max - min + 1 of row - column as in Eq. 8.1, largest |row - column|)."""
    if len(columns) == 0:
        return 0, 0
    distance = np.repeat(position, np.diff(offsets)) - position[columns]
    least, most = int(distance.min()), int(distance.max())
    return most - least + 1, max(most, -least)


def levels_from(pattern, start):
    """The level of each vertex in a breadth-first search, counted from 1; 0: not reached."""
    distance = shortest_path(pattern, unweighted=True, indices=start)
    return np.where(np.isfinite(distance), distance + 1, 0).astype(np.int64)


def start_of_largest(pattern, order):
    """The start vertex of the largest component of a reverse Cuthill-McKee order. It is the
    component's last vertex, because every component is contiguous in the order."""
    _, component = connected_components(pattern, directed=False)
    backwards = component[order[::-1]]
    return int(order[::-1][np.argmax(np.bincount(component)[backwards])])
