"""Variables in memory, in modules and in kernels."""

from __future__ import annotations

import struct

from penstock.runtime.gpu.simulator.ptx.cursor import Cursor
from penstock.runtime.gpu.simulator.ptx.syntax import WIDTHS, Variable

__all__ = ["scalar", "variable_declaration"]


def scalar(cursor: Cursor) -> int:
    """Read a scalar type such as `.b32`; its size in bytes."""
    name = cursor.word()
    if name[1:] not in WIDTHS:
        cursor.fail(f"expected a type, got {name!r}")
    return WIDTHS[name[1:]]


def variable_declaration(cursor: Cursor) -> Variable:
    """Read `.shared .align 16 .b8 tile[256];`, in a module or in a kernel."""
    line = cursor.next.line
    space = cursor.take().text[1:]
    alignment = cursor.integer() if cursor.accept(".align") else 0
    element = scalar(cursor)
    name = cursor.word()
    count = 1
    while cursor.accept("["):
        count *= 0 if cursor.at("]") else cursor.integer()
        cursor.expect("]")
    initial = _initial(cursor, element) if cursor.accept("=") else b""
    cursor.expect(";")
    return Variable(name, space, element * count, alignment or element, initial, line)


def _initial(cursor: Cursor, element: int) -> bytes:
    """Read the values that a variable starts with."""
    values = b""
    depth = 0
    while True:
        if cursor.accept("{"):
            depth += 1
        elif cursor.accept("}"):
            depth -= 1
        elif cursor.next.kind == "word":
            cursor.fail("variables initialised with addresses are not modelled")
        elif not cursor.accept(","):
            number = cursor.number()
            if number.kind == "f32" and element == 8:
                (single,) = struct.unpack("<f", struct.pack("<I", number.value))
                values += struct.pack("<d", single)
            else:
                values += (number.value & (1 << 8 * element) - 1).to_bytes(element, "little")
        if depth == 0 and not cursor.at(","):
            return values
