"""Damaged inputs of every format: read into a valid graph, or refused in one line."""

import random
import re

import h5py
import pytest
from scipy.sparse import csr_array

from gridloom_datasets.errors import InputError
from gridloom_datasets.importers import import_dag, import_graph
from imported import SEEDS, check_graph

SUFFIX = {"dax": ".xml", "wfformat": ".json", "stg": ".stg", "csv": "_edges.csv"}
GRAPHS = {
    "metis": [b"4 3\n2\n1 3\n2 4\n3\n", b"% 5\n3 2 011 2\n1 2 2 7\n0 0 1 7 3 1\n4 5 2 1\n"],
    "edges": [b"# a\n0 1\n1\t2\n2,3\n3 3\n", b"1 2 0.5\n2 3 -1e3\n1 2 0.5\n"],
}
KINDS = [*SUFFIX, *GRAPHS]
TOKEN = re.compile(rb"[A-Za-z_][\w.-]*|[0-9][0-9.eE+-]*|\"[^\"\n]*\"|\s+|.", re.DOTALL)
WORDS = [
    b"0", b"1", b"-1", b"2", b"1e9", b"1E400", b".5", b"NaN", b"+1", b"1_000", b"\xd9\xa3",
    b"2147483647", b"9223372036854775808", b"9" * 5000, b"", b"\n", b"\r", b"\0", b"\xff", b"#",
    b"%", b",", b'"', b"[" * 2000, b"null", b'"\\ud800"', b"<!DOCTYPE a>", b"</", b"&#0;", b"T0",
]  # fmt: skip


def mutated(data, rng):
    """A few tokens exchanged, repeated, removed or replaced by awkward ones."""
    tokens = TOKEN.findall(data) or [b""]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        k, other = rng.randrange(len(tokens)), rng.choice(tokens)
        change = rng.choice((rng.choice(WORDS), other, other, tokens[k] + other, b""))
        tokens[k] = change
    return b"".join(tokens)


def check_matrix(path):
    with h5py.File(path) as file:
        group = file["matrix"]
        shape = int(group.attrs["num_rows"]), int(group.attrs["num_cols"])
        data = group["values" if "values" in group else "columns"][...]
        columns = group["columns"][...].astype("i8")
        matrix = csr_array((data, columns, group["row_offsets"][...].astype("i8")), shape=shape)
    matrix.check_format()
    assert matrix.has_canonical_format


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutated_input_is_imported_or_refused_in_one_line(kind, tmp_path):
    rng, read, count = random.Random(1), 0, 300
    if kind in GRAPHS:
        seeds, path = GRAPHS[kind], tmp_path / "input"
    else:
        ends = SUFFIX[kind] if kind == "csv" else ""
        seeds = [file.read_bytes() for file in sorted((SEEDS / kind).glob(f"*{ends}"))]
        path = tmp_path / f"input{SUFFIX[kind]}"
    for k in range(count):
        number = k % len(seeds)
        if kind == "csv":
            costs = sorted((SEEDS / kind).glob("*_costs.csv"))[number]
            (tmp_path / "input_costs.csv").write_bytes(costs.read_bytes())
        path.write_bytes(mutated(seeds[number], rng) if k >= len(seeds) else seeds[number])
        before = {file.name for file in tmp_path.iterdir()}
        output = tmp_path / "output.h5"
        try:
            if kind in GRAPHS:
                import_graph(path, output, kind)
                check_matrix(output)
            else:
                import_dag(path, output, kind)
                check_graph(output)
        except InputError as error:
            assert k >= len(seeds) and "\n" not in str(error), path.read_bytes()
            assert str(error).startswith(str(tmp_path)), path.read_bytes()
            str(error).encode()
        else:
            read += 1
            output.unlink()
        assert {file.name for file in tmp_path.iterdir()} == before
    assert count / 100 < read < 0.9 * count  # the inputs are neither all invalid nor all valid
