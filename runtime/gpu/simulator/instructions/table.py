"""The decoder of each mnemonic."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.runtime.gpu.simulator.instructions import (
    atomics,
    control,
    convert,
    copying,
    floating,
    integer,
    matrix,
    memory,
    moves,
    warp,
)
from penstock.runtime.gpu.simulator.instructions.decoding import Code, Decoded, Decoder

__all__ = ["decode"]

_TABLES: tuple[Mapping[str, Decoder], ...] = (
    moves.DECODERS,
    warp.DECODERS,
    memory.DECODERS,
    matrix.DECODERS,
    control.DECODERS,
    atomics.DECODERS,
    {"cvt": convert.convert, "cp": copying.copy},
)


def decode(code: Code) -> Decoded:
    """Decode an instruction that is not a branch or an end; raises if it has no model."""
    decoder = _find(code)
    if decoder is None:
        code.refuse(f"there is no instruction {code.mnemonic}")
    return decoder(code)


def _find(code: Code) -> Decoder | None:
    for table in _TABLES:
        if code.mnemonic in table:
            return table[code.mnemonic]
    type = code.modifiers[-1] if code.modifiers else ""
    if type in floating.FLOATS and code.mnemonic in floating.DECODERS:
        return floating.DECODERS[code.mnemonic]
    return integer.DECODERS.get(code.mnemonic)
