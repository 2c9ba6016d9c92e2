"""Reads JSON strictly, and keeps the path of every value.

json.loads would accept NaN, take the last of two equal keys, and round long numbers. Here these are
errors, and numbers stay texts until they are converted."""

import json
import re

from .quantities import MAX_DIGITS
from .source import quoted


class Number:
    """A number of the file, kept as text."""

    __slots__ = ("text",)

    def __init__(self, text):
        if len(text) > MAX_DIGITS:
            raise ValueError(f"expected numbers of at most {MAX_DIGITS} digits, got {len(text)}")
        self.text = text


KINDS = {dict: "an object", list: "an array", str: "a text", Number: "a number"}


def _object(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"expected each key of an object once, got {quoted(key)} again")
            seen.add(key)
    return value


class _Constant(ValueError):
    """NaN or an infinity. The json module does not report where it stands."""


def _constant(name):
    raise _Constant(f"expected numbers, got {name}")


# Everything before the first constant was read as JSON, so it is the first one outside of texts.
_text_or_constant = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(NaN|-?Infinity)', re.DOTALL)


def _line_of_constant(text):
    place = next(found.start() for found in _text_or_constant.finditer(text) if found[1])
    return text.count("\n", 0, place) + 1


def parse(source):
    """Parses the file into a Node. Raises InputError."""
    text = source.text()
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise source.error(f"expected JSON, got: {error.msg}", error.lineno) from None
    except _Constant as problem:
        raise source.error(str(problem), _line_of_constant(text)) from None
    except ValueError as problem:
        raise source.error(str(problem)) from None
    except RecursionError:
        raise source.error("expected JSON that is nested less deeply") from None
    return Node(source, value, "")


class Node:
    """A value and its path, such as workflow.specification.tasks[3].children[0]."""

    __slots__ = ("path", "source", "value")

    def __init__(self, source, value, path):
        self.source, self.value, self.path = source, value, path

    def error(self, what):
        return self.source.error(f"{self.path}: {what}" if self.path else what)

    def number(self, convert, what):
        """A number, converted by convert(text, what) of quantities.py."""
        try:
            return convert(self._as(Number).text, what)
        except ValueError as problem:
            raise self.error(str(problem)) from None

    def text(self):
        return self._as(str)

    def items(self):
        """The elements of an array."""
        for k, value in enumerate(self._as(list)):
            yield Node(self.source, value, f"{self.path}[{k}]")

    def get(self, key):
        """The value of a key of an object, or None."""
        value = self._as(dict).get(key)
        return None if value is None else self._member(key, value)

    def __getitem__(self, key):
        value = self._as(dict).get(key)
        if value is None:
            raise self._member(key, None).error("expected it, got none")
        return self._member(key, value)

    def _member(self, key, value):
        return Node(self.source, value, f"{self.path}.{key}" if self.path else key)

    def _as(self, kind):
        if not isinstance(self.value, kind):
            got = KINDS.get(type(self.value), json.dumps(self.value, default=str))
            raise self.error(f"expected {KINDS[kind]}, got {got}")
        return self.value
