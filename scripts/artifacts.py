"""Reads the declarations <artifact>/artifact.toml that plug artifacts into the scripts."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class DeclarationError(Exception):
    """What is wrong with an artifact.toml, naming the file."""


@dataclass(frozen=True)
class Figure:
    name: str
    script: str
    minutes: float
    description: str


@dataclass(frozen=True)
class Artifact:
    name: str
    title: str
    program: str
    arguments: list  # of the smoke experiment
    output: str
    figures: list
    table_group: list  # columns of /runs; one row of the report for each combination
    table_values: list  # columns whose medians are shown
    per_second: str | None  # column shown divided by elapsed_ms as well


def read_artifact(path):
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        smoke, table = data["smoke"], data.get("table", {})
        return Artifact(
            name=data["name"],
            title=data["title"],
            program=data["program"],
            arguments=[str(argument) for argument in smoke["arguments"]],
            output=smoke["output"],
            figures=[Figure(**figure) for figure in data.get("figures", [])],
            table_group=table.get("group", []),
            table_values=table.get("values", []),
            per_second=table.get("per_second"),
        )
    except tomllib.TOMLDecodeError as error:
        raise DeclarationError(f"{path}: {error}") from error
    except KeyError as error:
        raise DeclarationError(f"{path}: no key {error}") from error
    except TypeError as error:
        raise DeclarationError(f"{path}: a table [[figures]] is wrong: {error}") from error


def read_all(root=ROOT):
    """Every artifact of the repository, by name."""
    return [read_artifact(path) for path in sorted(Path(root).glob("*/artifact.toml"))]
