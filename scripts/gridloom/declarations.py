"""Reads an artifact.toml, and checks its tables."""

import contextlib
import tomllib

from gridloom_datasets.errors import InputError


class DeclarationError(InputError):
    """An artifact.toml is wrong. The message names the file."""


REQUIRED = object()


@contextlib.contextmanager
def declared(path):
    """Yields the tables of a file. Errors, also those of the block, become a DeclarationError that
    names the file."""
    try:
        with open(path, "rb") as file:
            yield tomllib.load(file)
    except (tomllib.TOMLDecodeError, DeclarationError) as error:
        raise DeclarationError(f"{path}: {error}") from error


def as_list(value):
    return value if isinstance(value, list) else [value] if value else []


def keys_of(table, what, /, **defaults):
    """The values of the keys that a table may have. Keys whose default is REQUIRED must be
    present."""
    if not isinstance(table, dict):
        raise DeclarationError(f"{what}: expected a table")
    for key in table:
        if key not in defaults:
            raise DeclarationError(f"{what}: unknown key '{key}'")
    for key, default in defaults.items():
        if default is REQUIRED and key not in table:
            raise DeclarationError(f"{what}: no key '{key}'")
        value = table.get(key, default)
        for kind, word in ((list, "an array"), (dict, "a table")):
            if isinstance(default, kind) and not isinstance(value, kind):
                raise DeclarationError(f"{what}: {key}: expected {word}, got {value!r}")
    return defaults | table


def named(data, key, kind=dict):
    """[(name, value)] of the tables [key.NAME] of a declaration, or with `list` of [[key.NAME]]."""
    found = data.get(key, {})
    if not isinstance(found, dict) or not all(isinstance(own, kind) for own in found.values()):
        raise DeclarationError(f"{key}: expected tables with names")
    return list(found.items())
