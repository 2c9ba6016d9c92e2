"""Measures of orders of sparse matrices, from arrays of row offsets and columns."""

import numpy as np


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


def search(offsets, columns, start, level):
    """Breadth-first search. Writes levels, counted from 1, into `level`; 0 means not reached.

    Returns (number of vertices reached, number of levels)."""
    front, reached, depth = np.array([start], dtype=np.int64), 0, 0
    while len(front):
        depth += 1
        level[front] = depth
        reached += len(front)
        counts = offsets[front + 1] - offsets[front]
        before = np.cumsum(counts) - counts
        at = np.repeat(offsets[front] - before, counts) + np.arange(counts.sum())
        near = columns[at]
        front = np.unique(near[level[near] == 0])
    return reached, depth


def start_of_largest(offsets, columns, order):
    """The start vertex of the largest component of a reverse Cuthill-McKee order. It is the
    component's last vertex, because every component is contiguous in the order."""
    level = np.zeros(len(order), dtype=np.int64)
    left, most, found = len(order), 0, None
    while left > most:
        start = int(order[left - 1])
        size, _ = search(offsets, columns, start, level)
        if size > most:
            most, found = size, start
        left -= size
    return found
