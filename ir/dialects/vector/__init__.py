"""`vector`: values of one and more dimensions, in registers (MLIR's `vector` dialect).

Pure ops say what they mean in `reference`, on NumPy arrays of their operands' types.
"""

from __future__ import annotations

from penstock.ir.dialects.vector.base import (
    VectorOp,
    shape_of,
    vector_or_element,
)
from penstock.ir.dialects.vector.compute import (
    KIND,
    Broadcast,
    Fma,
    MultiReduction,
    OuterProduct,
    Reduction,
)
from penstock.ir.dialects.vector.contract import Contract
from penstock.ir.dialects.vector.mask import (
    ConstantMask,
    CreateMask,
    Step,
)
from penstock.ir.dialects.vector.memory import (
    BufferAccess,
    Gather,
    Load,
    MaskedLoad,
    MaskedStore,
    Store,
)
from penstock.ir.dialects.vector.shape import (
    Bitcast,
    Extract,
    ExtractStridedSlice,
    Insert,
    InsertStridedSlice,
    Interleave,
    ShapeCast,
    Shuffle,
    Transpose,
)
from penstock.ir.dialects.vector.transfer import (
    Transfer,
    TransferRead,
    TransferWrite,
)

__all__ = [
    "KIND",
    "Bitcast",
    "Broadcast",
    "BufferAccess",
    "ConstantMask",
    "Contract",
    "CreateMask",
    "Extract",
    "ExtractStridedSlice",
    "Fma",
    "Gather",
    "Insert",
    "InsertStridedSlice",
    "Interleave",
    "Load",
    "MaskedLoad",
    "MaskedStore",
    "MultiReduction",
    "OuterProduct",
    "Reduction",
    "ShapeCast",
    "Shuffle",
    "Step",
    "Store",
    "Transfer",
    "TransferRead",
    "TransferWrite",
    "Transpose",
    "VectorOp",
    "shape_of",
    "vector_or_element",
]
