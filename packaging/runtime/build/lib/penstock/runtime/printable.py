"""Escapes foreign text for a terminal."""

__all__ = ["printable"]


def printable(text: str) -> str:
    """The text on one line; escapes what moves the cursor, or changes colours or text direction.

    >>> print(printable("größe\\n\\x1b[31m"))
    größe\\n\\x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
