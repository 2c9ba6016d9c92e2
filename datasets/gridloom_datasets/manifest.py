"""Reads datasets/manifest.toml: matrices and the known facts about them."""

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from gridloom_datasets.errors import InputError

MANIFEST = Path(__file__).resolve().parents[1] / "manifest.toml"
BASE_URL = "https://sparse.tamu.edu"
SETS = ("rcm", "jacobi", "jacobi-more")
SNAPSHOT = {"repository", "commit", "path", "sha256"}


@dataclass(frozen=True)
class Matrix:
    """One table [[matrix]]. The head of the file explains the fields."""

    name: str
    kind: str
    n: int
    entries: int
    sets: list
    tables: list
    group: str = ""
    nonzeros: int | None = None
    components: int | None = None
    lower_bandwidth: int | None = None
    upper_bandwidth: int | None = None
    rcm_bandwidth: int | None = None
    url: str = ""
    generate: str = ""
    snapshot: dict | None = None
    missing: str = ""
    note: str = ""

    @property
    def title(self):
        return f"{self.group}/{self.name}" if self.group else self.name

    def url_at(self, mirror):
        """The address of the archive on a mirror, which has the same path."""
        return mirror.rstrip("/") + self.url.removeprefix(BASE_URL)


def check(matrix):
    """Refuses an entry that the rest of the program could not use."""
    if bool(matrix.url) == bool(matrix.generate):
        raise ValueError("needs either url or generate")
    if matrix.url:
        expected = f"{BASE_URL}/MM/{matrix.group}/{matrix.name}.tar.gz"
        if matrix.url != expected:
            raise ValueError(f"url must be {expected}")
        lacking = [k for k, v in vars(matrix).items() if v is None and k != "snapshot"]
        if lacking:
            raise ValueError(f"lacks {', '.join(lacking)}")
        if bool(matrix.snapshot) == bool(matrix.missing):
            raise ValueError("needs either snapshot or missing")
        if matrix.snapshot and matrix.snapshot.keys() != SNAPSHOT:
            raise ValueError(f"snapshot needs {', '.join(sorted(SNAPSHOT))}")
    unknown = sorted(set(matrix.sets) - set(SETS))
    if unknown or not matrix.sets:
        raise ValueError(f"sets must be of {', '.join(SETS)}, not {unknown}")


def read_manifest(path=None):
    """All matrices by name, in the order of the file. Throws InputError naming file and entry."""
    path = path or MANIFEST
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8"))["matrix"]
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    except KeyError as error:
        raise InputError(f"{path}: no table [[matrix]]") from error
    matrices = {}
    for table in tables:
        name = table.get("name", "?")
        try:
            matrix = Matrix(**table)
            check(matrix)
        except (TypeError, ValueError) as error:
            raise InputError(f"{path}: matrix {name}: {error}") from error
        if name in matrices:
            raise InputError(f"{path}: matrix {name} stands there twice")
        matrices[name] = matrix
    return matrices


def select(matrices, names=(), set_name=None, everything=False):
    """The named matrices, those of a set, or all, each once. An unknown name is an InputError."""
    chosen = {}
    for name in names:
        if name not in matrices:
            raise InputError(unknown(name, matrices))
        chosen[name] = matrices[name]
    for matrix in matrices.values():
        if everything or set_name in matrix.sets:
            chosen[matrix.name] = matrix
    return list(chosen.values())


def unknown(name, matrices):
    """The message for an unknown name, with similar names. Case and group do not matter:
    HB/BCSSTK32 means bcsstk32."""
    lowered = {known.lower(): known for known in matrices}
    near = difflib.get_close_matches(name.lower().rpartition("/")[2], lowered, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(lowered[found] for found in near)}?" if near else ""
    return f"unknown matrix '{name}'{hint} (scripts/datasets list shows all)"
