"""Structure-aware mutation of small text inputs: most results still look like the format, so they
pass its tokenizer and reach the checks behind. All choices come from the generator passed in."""

import re

WORDS = [
    b"0", b"1", b"-1", b"-0", b"2", b"00", b"1e9", b"1e-9", b"1E400", b"0.5", b".5", b"1.", b"NaN",
    b"Infinity", b"nan", b"+1", b"0x10", b"1_000", b"\xd9\xa3", b"\xef\xbc\x91", b"1000000000",
    b"2147483646", b"2147483647", b"4294967296", b"9223372036854775807", b"9223372036854775808",
    b"18446744073709551616", b"9" * 30, b"9" * 500, b"9" * 5000, b"1e999", b"1e99999999999",
    b"", b" ", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\x1a", b"\x85", b"\xe2\x80\xa8", b"\xff",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"#", b",", b";", b'"', b'""', b"'",
    b"{", b"}", b"[", b"]", b"[]", b"{}", b":", b"null", b"true", b'"a"', b'"\\ud800"',
    b'"\\u0000"', b'"\\n"', b"1.5", b'"1.4"', b'"1.5"', b'"1.3"', b"<", b">", b"/>", b"</", b"&lt;",
    b"&a;", b"&#0;", b"&#10;", b"&#55296;", b"<!DOCTYPE a>", b'<!DOCTYPE a [<!ENTITY a "b">]>',
    b"<!-- -->", b"<![CDATA[", b"]]>", b"<?xml version='1.0' encoding='utf-16'?>", b"<job/>",
    b"<child ref='ID1'/>", b"<uses/>", b"<adag>", b"source,target,weight", b"\n%%%%\n", b"T0", b"_",
]  # fmt: skip

TOKEN = re.compile(rb"[A-Za-z_][\w.-]*|[0-9][0-9.eE+-]*|\"[^\"\n]*\"|\s+|.", re.DOTALL)
BRACKETS = [(b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b'"', b'"'), (b"(", b")")]


def mutate(data, rng, other=b"", most=20_000):
    """data with one to six changes; other: an input to splice parts of. rng: random.Random."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = rng.choice(CHANGES)(data, rng, other)[:most]
    return data


def _tokens(data):
    return TOKEN.findall(data) or [b""]


def _replace_token(data, rng, other):
    tokens = _tokens(data)
    tokens[rng.randrange(len(tokens))] = rng.choice(WORDS)
    return b"".join(tokens)


def _copy_token(data, rng, other):
    """A token takes the place of another one: names meet wrong roles."""
    tokens = _tokens(data)
    tokens[rng.randrange(len(tokens))] = rng.choice(_tokens(other) if other else tokens)
    return b"".join(tokens)


def _copy_alike(data, rng, other):
    """A name, number or quoted text takes the place of another one of its class: cycles, names
    given twice, references to the wrong task."""
    tokens = _tokens(data)
    places = [k for k, token in enumerate(tokens) if _class(token)]
    if not places:
        return data
    place = rng.choice(places)
    alike = [tokens[k] for k in places if _class(tokens[k]) == _class(tokens[place])]
    tokens[place] = rng.choice(alike)
    return b"".join(tokens)


def _class(token):
    first = token[:1]
    return b"0" if first.isdigit() else b"a" if first.isalpha() else first if first == b'"' else b""


def _swap_tokens(data, rng, other):
    words = _tokens(data)
    solid = [k for k, word in enumerate(words) if word.strip()] or [0]
    a, b = rng.choice(solid), rng.choice(solid)
    words[a], words[b] = words[b], words[a]
    return b"".join(words)


def _change_number(data, rng, other):
    found = list(re.finditer(rb"[0-9]+", data))
    if not found:
        return data
    place = rng.choice(found)
    value = int(place.group()[:18]) + rng.choice((-1, 1, 2, -10, 10, 1000, 2**31, 2**63))
    return data[: place.start()] + str(value).encode() + data[place.end() :]


def _edit_range(data, rng, other):
    """Deletes, repeats or moves a run of tokens."""
    tokens = _tokens(data)
    start = rng.randrange(len(tokens))
    end = min(len(tokens), start + rng.choice((1, 2, 5, 20)))
    part = tokens[start:end]
    kind = rng.randrange(3)
    if kind == 0:
        tokens[start:end] = []
    elif kind == 1:
        tokens[start:start] = part * rng.choice((1, 2, 50))
    else:
        tokens[start:end] = []
        place = rng.randrange(len(tokens) + 1)
        tokens[place:place] = part
    return b"".join(tokens)


def _edit_lines(data, rng, other):
    """Deletes, repeats, moves or borrows a line."""
    lines = data.splitlines(keepends=True) or [b""]
    k = rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[k])
    elif kind == 2:
        lines.insert(rng.randrange(len(lines)), lines.pop(k))
    else:
        lines.insert(k, rng.choice(other.splitlines(keepends=True) or [b"\n"]))
    return b"".join(lines)


def _nest(data, rng, other):
    """Wraps a run of bytes in brackets, sometimes very many."""
    opening, closing = rng.choice(BRACKETS)
    times = rng.choice((1, 2, 30, 2_000))
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    if rng.random() < 0.3:
        closing = b""
    return data[:a] + opening * times + data[a:b] + closing * times + data[b:]


def _edit_bytes(data, rng, other):
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + 1 :]
    if kind == 2:
        return data[:at] + rng.choice(WORDS) + data[at:]
    return data[:at]


def _splice(data, rng, other):
    if not other:
        return data
    a, b = rng.randrange(len(data) + 1), rng.randrange(len(other) + 1)
    return data[:a] + other[b:]


CHANGES = [
    _replace_token, _replace_token, _copy_token, _copy_alike, _copy_alike, _copy_alike,
    _swap_tokens, _swap_tokens, _change_number, _change_number, _edit_range, _edit_lines,
    _edit_lines, _nest, _edit_bytes, _splice,
]  # fmt: skip
