"""Converts a user's file: Matrix Market by gridloom-matrix, other formats by the importers."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from gridloom_datasets.errors import FetchError, InputError, output_error_code, reason
from gridloom_datasets.files import lead_to_one_file
from gridloom_datasets.matrix_program import NAME, convert, find_program, measure

MATRIX_ENDINGS = {
    ".mtx": "mtx", ".graph": "metis", ".metis": "metis",
    ".txt": "edges", ".edges": "edges", ".el": "edges", ".tsv": "edges",
}  # fmt: skip
DAG_ENDINGS = {".xml": "dax", ".dax": "dax", ".json": "wfformat", ".stg": "stg", ".csv": "csv"}
MATRIX_KINDS = ("mtx", "metis", "edges")
KINDS = [*MATRIX_KINDS, *dict.fromkeys(DAG_ENDINGS.values())]
# Keys of --option, and their values: None for any text.
OPTIONS = {
    "costs": None,
    "negative_sizes": None,
    "directed": ("yes", "no"),
    "one_based": ("yes", "no"),
}
KNOWN_OPTIONS = (
    "costs=FILE (.csv), negative_sizes=zero (.xml, .dax), "
    "directed=yes and one_based=yes (edge lists)"
)


def split_name(path):
    """Splits 'a.mtx.gz' into ('a', '.mtx', '.gz'), with the endings in lower case."""
    packed = ".gz" if path.suffix.lower() == ".gz" else ""
    inner = Path(path.stem) if packed else path
    return inner.stem, inner.suffix.lower(), packed


def kind_of(path, forced=None):
    """The kind of a file, from --as or from its ending."""
    _, ending, _ = split_name(path)
    kind = forced or MATRIX_ENDINGS.get(ending) or DAG_ENDINGS.get(ending)
    if kind is None:
        known = " ".join([*MATRIX_ENDINGS, *DAG_ENDINGS])
        raise InputError(f"{path}: unknown ending '{ending}', known are {known} (or say --as KIND)")
    return kind


def checked_output(path, output, force, options):
    """Returns OUT, or NAME.h5 in the current folder. Refuses to overwrite a file without --force,
    and never overwrites an input."""
    if output == "":
        raise InputError("OUT: expected a file name, got an empty one")
    output = Path(output) if output else Path(f"{split_name(path)[0]}.h5")
    if output.suffix.lower() not in (".h5", ".hdf5"):
        raise InputError(f"{output}: the output must end in .h5 or .hdf5")
    if not output.parent.is_dir():
        raise InputError(f"{output}: there is no folder {output.parent}")
    if output.is_dir() or (output.exists() and not force):
        raise InputError(f"{output}: is there already; --force overwrites a file")
    for source in (path, *(Path(options[key]) for key in ("costs",) if key in options)):
        if lead_to_one_file(output, source):
            raise InputError(f"{output}: is the input {source} itself")
    return output


def import_matrix(path, output, forced):
    program = find_program()
    try:
        write_matrix(program, path, output, forced)
    except FetchError as error:
        words = str(error).removeprefix(f"{NAME}: ")
        if not words.startswith(f"{output}: cannot write: "):
            raise
        raise FetchError(words) from error
    facts = measure(program, output)
    return f"{facts['num_rows']:,} x {facts['num_cols']:,}, {facts['entries']:,} entries"


def write_matrix(program, path, output, forced):
    """Converts by gridloom-matrix. A link with the ending .mtx tells the program what --as says."""
    about = f"imported from {path.name}"
    if forced:
        with TemporaryDirectory() as folder:
            name, _, packed = split_name(path)
            link = Path(folder) / f"{name}.mtx{packed}"
            link.symlink_to(path.absolute())
            try:
                convert(program, link, output, about)
            except InputError as error:
                raise InputError(str(error).replace(str(link), str(path))) from error
    else:
        convert(program, path, output, about)


def parsed(options):
    """Turns ['costs=c.csv'] into {'costs': 'c.csv'}."""
    pairs = [option.partition("=") for option in options]
    seen = set()
    for (key, equals, value), option in zip(pairs, options, strict=True):
        if not key.isidentifier() or not equals:
            raise InputError(f"--option {option}: expected KEY=VALUE")
        if key not in OPTIONS:
            raise InputError(f"--option {option}: the options are {KNOWN_OPTIONS}")
        if OPTIONS[key] and value not in OPTIONS[key]:
            raise InputError(f"--option {option}: expected {key}=yes or {key}=no")
        if key in seen:
            raise InputError(f"--option {key}: given more than once, expected once")
        seen.add(key)
        if key == "costs" and not value:
            raise InputError(f"--option {option}: expected a file name, got an empty one")
    return {key: value for key, _, value in pairs}


def import_file(path, output=None, forced=None, force=False, options=()):
    """Returns a one-line summary. Throws InputError, or FetchError if a program is missing."""
    try:
        path = Path(path)
        if path.is_dir():
            raise InputError(f"{path}: is a directory, expected a file")
        if not path.is_file():
            what = "is a device or another special file" if path.exists() else "no such file"
            raise InputError(f"{path}: {what}")
        kind, options = kind_of(path, forced), parsed(options)
        output = checked_output(path, output, force, options)
    except OSError as error:  # the name is too long, or links form a circle
        raise InputError(f"{error.filename}: {reason(error)}") from error
    edge_options = {"directed", "one_based"}
    if kind in MATRIX_KINDS and options.keys() - (edge_options if kind == "edges" else set()):
        raise InputError(f"--option: {path} is a matrix ({kind}); the options are {KNOWN_OPTIONS}")
    if kind == "mtx":
        return f"{output}: {import_matrix(path, output, forced)}"
    try:
        from gridloom_datasets.importers import import_dag, import_graph
    except ModuleNotFoundError as error:
        raise InputError(f"{path}: graphs cannot be imported here: {error}") from error
    try:
        if kind in MATRIX_KINDS:
            n, entries = import_graph(path, output, kind, **options)
            return f"{output}: {n:,} x {n:,}, {entries:,} entries"
        return import_dag(path, output, forced, **options)
    except OSError as error:  # the output failed; inputs raise InputError
        words = os.strerror(error.errno) if error.errno else reason(error)
        kind = FetchError if output_error_code(error) == 1 else InputError
        raise kind(f"{output}: cannot write: {words}") from error
