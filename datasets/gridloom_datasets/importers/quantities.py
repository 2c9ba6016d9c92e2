"""Converts numbers in texts to the integers that schedulers use.

Everything is exact: seconds never become a binary fraction, and a number that does not fit is
refused, not rounded or wrapped. The functions raise ValueError with the words "expected ..., got
..."; the caller adds the place."""

import math
import re
from fractions import Fraction

from .source import quoted

MOST = 2**63 - 1  # fits signed and unsigned 64-bit words of C++
# No measurement has more. The limit keeps the conversion below linear.
MAX_DIGITS = 400

_whole = re.compile(r"[0-9]+")
_decimal = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")


def whole_number(text, what):
    """The non-negative integer of a text of decimal digits."""
    if not _whole.fullmatch(text) or len(text) > MAX_DIGITS or (value := int(text)) > MOST:
        raise ValueError(f"expected {what}, a whole number up to {MOST}, got {quoted(text)}")
    return value


def json_whole_number(text, what):
    """The non-negative integer of a JSON number. JSON Schema counts 1024.0 and 1e3 as integers,
    because they have no fraction."""
    value = _exact(text)
    if value is not None and value.denominator == 1:
        text = str(value.numerator)
    return whole_number(text, what)


def microseconds(text, what):
    """Converts seconds, a decimal number, to whole microseconds. A half is rounded up."""
    value = _exact(text)
    if value is None:
        raise ValueError(f"expected {what} in seconds, a decimal number, got {quoted(text)}")
    value = math.floor(value * 10**6 + Fraction(1, 2))
    if value > MOST:
        raise ValueError(f"expected {what} of at most {MOST} microseconds, got {quoted(text)} s")
    return value


def _exact(text):
    """The value of a decimal number, or None."""
    return Fraction(text) if _decimal.fullmatch(text) and len(text) <= MAX_DIGITS else None
