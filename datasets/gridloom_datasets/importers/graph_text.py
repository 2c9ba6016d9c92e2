"""METIS graphs and edge lists, as sparse matrices in the HDF5 file that every program reads.

A METIS .graph file (METIS 5 manual, section 4.1.1) has a header "n m [fmt [ncon]]". Then it has one
line per vertex with its neighbours, counted from 1; '%' begins a comment. Vertex sizes and weights
are checked and dropped. Every edge stands at both of its ends with the same weight, and m counts it
once.

An edge list, as SNAP and others publish it, has lines "u v" or "u v weight". Blanks, tabs or a
comma separate the words; '#' or '%' begins a comment. The number of vertices is the largest number
+ 1. An edge makes two entries unless directed=yes. Vertices are numbered from 0 unless
one_based=yes. Repeated edges count once.

Edge weights become values (double). A file without weights gives a pattern. For the layout of the
result see common/sparse/include/gridloom/sparse/csr_file.hpp."""

import warnings
from array import array

import numpy as np
from scipy.sparse import coo_array

from gridloom_datasets import hdf5
from gridloom_datasets.hdf5_text import set_attributes

from .quantities import whole_number
from .source import Source

MOST_ROWS = 2**31 - 2  # most_rows of common/sparse/include/gridloom/sparse/csr.hpp
MOST_WEIGHT = 2**53  # a double holds it exactly
MAX_BYTES = 1 << 36  # after unpacking
# A wrong number in a tiny file must not ask for gigabytes. Up to this many vertices are always
# accepted; more need at least one edge per 64 vertices.
ALWAYS_PLAUSIBLE = 1 << 24


def import_graph(path, output, kind, **options):
    """Reads a graph of kind "metis" or "edges", writes it to `output`, and returns (rows, entries).
    Raises InputError if the input is wrong, and OSError if the output cannot be written."""
    source = Source(path)
    source.max_bytes = MAX_BYTES
    matrix, has_values = read_metis(source) if kind == "metis" else read_edges(source, **options)

    def fill(file):
        group = file.create_group("matrix")
        sizes = dict(zip(("num_rows", "num_cols"), np.array(matrix.shape, np.uint64), strict=True))
        about = {"kind": "csr", "source": f"imported from {source.name}"}
        set_attributes(group, about | sizes)
        hdf5.add(group, "row_offsets", matrix.indptr.astype(np.uint64))
        hdf5.add(group, "columns", matrix.indices.astype(np.uint32))
        if has_values:
            hdf5.add(group, "values", matrix.data)

    hdf5.write(output, fill)
    return matrix.shape[0], matrix.nnz


def _in_rows(rows, columns, weights, n):
    """A CSR matrix with sorted rows, whose entries are distinct."""
    matrix = coo_array((weights, (rows, columns)), shape=(n, n)).tocsr()
    matrix.sort_indices()
    return matrix


def read_metis(source):
    """Returns (matrix, whether it has weights). Raises InputError."""
    header, line = None, 0
    neighbours, weights, degrees = array("q"), array("d"), array("q")
    for line, text in enumerate(source.lines(), 1):
        if text.startswith("%"):
            continue
        words = text.split()
        if header is None:
            header = _metis_header(source, words, line)
            n, m, skipped, has_weights = header
            continue
        if len(degrees) == n:
            if words:
                raise source.error(f"expected the end after {n} vertices, got {words[0]}", line)
            continue
        numbers = [
            source.number(whole_number, word, "a number of the graph", line) for word in words
        ]
        if len(numbers) < skipped or (has_weights and (len(numbers) - skipped) % 2):
            what = f"expected vertex {len(degrees) + 1}, got {len(words)} numbers"
            raise source.error(what, line)
        row = numbers[skipped :: 1 + has_weights]
        _check_row(source, row, len(degrees) + 1, n, line)
        if has_weights:
            own = numbers[skipped + 1 :: 2]
            if own and not 1 <= min(own) <= max(own) <= MOST_WEIGHT:
                raise source.error(f"expected weights of edges from 1 to {MOST_WEIGHT}", line)
            weights.extend(own)
        neighbours.extend(row)
        degrees.append(len(row))
    if header is None:
        raise source.error('expected a header "n m [fmt [ncon]]", got the end of the file', line)
    if len(degrees) < n:
        raise source.error(f"expected a line for each of {n} vertices, got {len(degrees)}")
    values = np.array(weights) if has_weights else np.ones(len(neighbours))
    rows = np.repeat(np.arange(n), np.array(degrees, dtype=np.int64))
    matrix = _in_rows(rows, np.array(neighbours, dtype=np.int64) - 1, values, n)
    one_sided = coo_array(matrix - matrix.T)
    one_sided.eliminate_zeros()
    if one_sided.nnz:
        u, v = one_sided.row[0] + 1, one_sided.col[0] + 1
        raise source.error(f"expected edge {u} {v} at both ends with the same weight")
    if matrix.nnz != 2 * m:
        raise source.error(f"expected {m} edges as the header says, got {matrix.nnz // 2}")
    return matrix, bool(has_weights)


def _metis_header(source, words, line):
    """Returns n, m, how many numbers precede a vertex's neighbours, and whether edges have
    weights."""
    numbers = [source.number(whole_number, word, "a number of the header", line) for word in words]
    form = words[2] if len(words) > 2 else "0"
    if not 2 <= len(words) <= 4 or len(form) > 3 or set(form) - set("01"):
        raise source.error('expected a header "n m [fmt [ncon]]", fmt of digits 0 and 1', line)
    sizes, vertex_weights, edge_weights = (int(digit) for digit in form.zfill(3))
    if len(words) == 4 and not (vertex_weights and numbers[3]):
        raise source.error("expected a number of weights only with vertex weights, not 0", line)
    per_vertex = vertex_weights * (numbers[3] if len(words) == 4 else 1)
    _check_vertices(source, numbers[0], numbers[1], line)
    return numbers[0], numbers[1], sizes + per_vertex, edge_weights


def _check_row(source, row, vertex, n, line):
    if row and not 1 <= min(row) <= max(row) <= n:
        raise source.error(f"expected neighbours from 1 to {n}, got {min(row)} to {max(row)}", line)
    if vertex in row:
        raise source.error(f"expected no edge from vertex {vertex} to itself", line)
    if len(set(row)) != len(row):
        raise source.error("expected each neighbour once, got one twice", line)


def _check_vertices(source, n, edges, line=None):
    if n > MOST_ROWS or n > max(ALWAYS_PLAUSIBLE, 64 * edges):
        raise source.error(
            f"expected at most {MOST_ROWS} vertices and an edge for every 64 of them, "
            f"got {n} vertices and {edges} edges", line,
        )  # fmt: skip


def read_edges(source, directed="no", one_based="no"):
    """Returns (matrix, whether it has weights). Raises InputError."""
    line = 0

    def lines():
        nonlocal line
        for text in source.lines():
            line += 1
            yield text.replace(",", " ")

    try:
        # NumPy warns of a file without numbers.
        with warnings.catch_warnings(category=UserWarning, action="ignore"):
            table = np.loadtxt(lines(), comments=("#", "%"), ndmin=2)
    except ValueError as problem:
        words = str(problem).split(" at row")[0].split("; use `")[0]
        raise source.error(f'expected "u v" or "u v weight", got: {words}', line) from None
    if table.size == 0:
        raise source.error("expected an edge, got the end of the file", line)
    if table.shape[1] not in (2, 3):
        got = table.shape[1]
        raise source.error(f'expected lines "u v" or "u v weight", got {got} numbers per line')
    first = int(one_based == "yes")
    ends = table[:, :2] - first
    sound = ((ends == np.floor(ends)) & (ends >= 0) & (ends < MOST_ROWS)).all(axis=1)
    if not sound.all():
        u, v = table[~sound][0, :2]
        most = MOST_ROWS - 1 + first
        raise source.error(f"expected vertices from {first} to {most}, got the edge {u:g} {v:g}")
    has_weights = table.shape[1] == 3
    weights = table[:, 2] if has_weights else np.ones(len(table))
    if not np.isfinite(weights).all():
        raise source.error("expected finite weights, got others")
    rows, columns = ends.astype(np.int64).T
    n = int(ends.max()) + 1
    _check_vertices(source, n, len(rows))
    if directed != "yes":
        loops = rows == columns
        rows, columns = np.r_[rows, columns[~loops]], np.r_[columns, rows[~loops]]
        weights = np.r_[weights, weights[~loops]]
    order = np.lexsort((columns, rows))
    rows, columns, weights = rows[order], columns[order], weights[order]
    again = np.r_[False, (np.diff(rows) == 0) & (np.diff(columns) == 0)]
    differ = np.flatnonzero(again & (weights != np.r_[0, weights[:-1]]))
    if len(differ):
        k = differ[0]
        u, v = rows[k] + first, columns[k] + first
        got = f"{weights[k - 1]:g} and {weights[k]:g}"
        raise source.error(f"expected one weight for the edge {u} {v}, got {got}")
    return _in_rows(rows[~again], columns[~again], weights[~again], n), has_weights
