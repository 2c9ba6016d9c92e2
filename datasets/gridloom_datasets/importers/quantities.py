"""Converts numbers in texts to the integers that schedulers use.

Everything is exact: seconds never become a binary fraction, and a number that does not fit is
refused, not rounded or wrapped. The functions raise ValueError with the words "expected ..., got
..."; the caller adds the place."""

import re

from .source import quoted

MOST = 2**63 - 1  # fits signed and unsigned 64-bit words of C++
# No measurement has more. The limit keeps the conversion below linear.
MAX_DIGITS = 400

_whole = re.compile(r"[0-9]+")
_decimal = re.compile(r"([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?")


def whole_number(text, what, most=MOST):
    """The non-negative integer of a text of decimal digits."""
    if not _whole.fullmatch(text) or len(text) > MAX_DIGITS or (value := int(text)) > most:
        raise ValueError(f"expected {what}, a whole number up to {most}, got {quoted(text)}")
    return value


def json_whole_number(text, what, most=MOST):
    """The non-negative integer of a JSON number. JSON Schema counts 1024.0 and 1e3 as integers,
    because they have no fraction."""
    found = _decimal.fullmatch(text)
    if found and len(text) <= MAX_DIGITS:
        digits, fraction = found.group(1), (found.group(2) or "").rstrip("0")
        shift = int(found.group(3) or 0) - len(fraction)
        value = int(digits + fraction)
        if shift >= 0 or value % 10**-shift == 0:
            text = str(value * 10**shift if shift >= 0 else value // 10**-shift)
    return whole_number(text, what, most)


def microseconds(text, what):
    """Converts seconds, a decimal number, to whole microseconds. A half is rounded up."""
    found = _decimal.fullmatch(text)
    if not found or len(text) > MAX_DIGITS:
        raise ValueError(f"expected {what} in seconds, a decimal number, got {quoted(text)}")
    whole, fraction, exponent = found.group(1), found.group(2) or "", int(found.group(3) or 0)
    digits = int(whole + fraction)
    shift = exponent - len(fraction) + 6
    if shift >= 0:
        value = digits * 10**shift
    else:
        value, rest = divmod(digits, 10**-shift)
        value += 2 * rest >= 10**-shift
    if value > MOST:
        raise ValueError(f"expected {what} of at most {MOST} microseconds, got {quoted(text)} s")
    return value
