"""Labels of configurations. Parts that all share go under the title, others into the legend.

So no figure hides a parameter."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """How to write one part of a configuration."""

    text: Callable  # function of a configuration
    unit: str = ""  # follows the text that all configurations share
    key: str = ""  # explains the texts if they differ


MACHINE = {"machine": Part(lambda c: c["machine"]), "backend": Part(lambda c: c["backend"])}


def shared_text(rows, parts=MACHINE, columns=()):
    """The text of the parts that all rows share. `columns` are those of the parts, unless they have
    the names of the parts."""
    configs = [config for config, _ in rows.groups(list(columns or parts))]
    return split_labels(configs, parts)[0] if configs else ""


def split_labels(configs, parts=MACHINE):
    """Returns (text of the parts that all configurations share, [text of the other parts of
    each])."""
    texts = {name: [part.text(config) for config in configs] for name, part in parts.items()}
    varying = [name for name, values in texts.items() if len(set(values)) > 1]
    shared = [values[0] + parts[name].unit for name, values in texts.items() if name not in varying]
    shared += [parts[name].key for name in varying if parts[name].key]
    if {"machine", "backend"} <= set(varying):  # a GPU's name says which backend it was
        pairs = set(zip(texts["machine"], texts["backend"], strict=True))
        if len(pairs) == len(set(texts["machine"])):
            varying.remove("backend")
    own = [", ".join(texts[name][i] for name in varying) for i in range(len(configs))]
    return ", ".join(shared), own
