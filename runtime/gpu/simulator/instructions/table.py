"""The decoder of each mnemonic."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.runtime.gpu.simulator.arithmetic import convert, floating, integer, moves
from penstock.runtime.gpu.simulator.arithmetic.decoding import Code, Decoded, Decoder
from penstock.runtime.gpu.simulator.instructions import (
    atomics,
    cluster,
    control,
    copying,
    matrix,
    mbarrier,
    memory,
    registers,
    warp,
    wgmma,
)

__all__ = ["decode"]

_TABLES: tuple[Mapping[str, Decoder], ...] = (
    moves.DECODERS,
    warp.DECODERS,
    memory.DECODERS,
    matrix.DECODERS,
    control.DECODERS,
    atomics.DECODERS,
    {
        "cvt": convert.convert,
        "mapa": cluster.map_address,
        "cp": copying.copy,
        "mbarrier": mbarrier.mbarrier,
        "setmaxnreg": registers.set_registers,
        "wgmma": wgmma.wgmma,
    },
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
