"""String literals of the IR text: quoting on the way out, unescaping on the way in."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[ !#-\[\]-~]*\Z")
_ESCAPE = re.compile(rb'\\(?:([0-9A-Fa-f]{2})|(["\\nt]))')
_NAMED = {b'"': b'"', b"\\": b"\\", b"n": b"\n", b"t": b"\t"}
_BARE = re.compile(r"[A-Za-z_][\w$.]*\Z", re.ASCII)


def quote(text: str) -> str:
    """`text` as an MLIR string literal; bytes outside printable ASCII become `\\xx`.

    >>> quote('a"b')
    '"a\\\\22b"'
    """
    if _PLAIN.match(text):
        return f'"{text}"'
    body = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in (34, 92) else f"\\{byte:02X}"
        for byte in text.encode("utf-8", "surrogateescape")
    )
    return f'"{body}"'


def unquote(literal: str) -> str:
    """The value of a string literal, quotes included in `literal`."""
    body = literal[1:-1]
    if "\\" not in body:
        return body
    raw = _ESCAPE.sub(
        lambda m: bytes([int(m[1], 16)]) if m[1] else _NAMED[m[2]],
        body.encode("utf-8", "surrogateescape"),
    )
    return raw.decode("utf-8", "surrogateescape")


def printable(text: str) -> str:
    """Escape untrusted text, so that it is one line and has no effect on a terminal.

    >>> print(printable("größe\\n\\x1b[31m"))
    größe\\n\\x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def bare_or_quoted(name: str) -> str:
    """An attribute or symbol name: bare where the grammar allows it, else quoted."""
    return name if _BARE.match(name) else quote(name)
