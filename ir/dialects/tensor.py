"""`tensor`: making, viewing and reading tensor values (MLIR's `tensor` dialect)."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.codecs import ATTRIBUTE
from penstock.ir.constraints import INDEX, TENSOR
from penstock.ir.core import Operation
from penstock.ir.dialects.slices import PART, Expand, Reshape, Slice
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import TensorType, Type
from penstock.ir.verify.reach import AccessInterface, Reach, element


class Empty(Operation):
    """A tensor whose elements are not yet defined: where a result will stand."""

    name = "tensor.empty"
    pure = True
    sizes = operands(INDEX)
    result = result(TENSOR)
    assembly = "`(` $sizes `)` attr-dict `:` type($result)"


class Extract(AccessInterface):
    """Read one element."""

    name = "tensor.extract"
    pure = True
    cost = 4
    tensor = operand(TENSOR)
    indices = operands(INDEX)
    result = result()
    assembly = "$tensor `[` $indices `]` attr-dict `:` type($tensor)"

    def infer(self) -> Sequence[Type]:
        source = self.operands[0].type
        if not isinstance(source, TensorType) or source.rank != len(self.operands) - 1:
            self.fail(f"reads {source} with {len(self.operands) - 1} subscripts")
        return [source.element]

    def reaches(self) -> Sequence[Reach]:
        return [element(self._operands[0], self._operands[1:])]


class CollapseShape(Reshape):
    """Join neighbouring dimensions: `tensor.collapse_shape %x [[0, 1], [2]] : ... into ...`"""

    name = "tensor.collapse_shape"
    splits = False
    source = operand(TENSOR)
    reassociation = attribute(ATTRIBUTE)
    view = result(TENSOR)
    assembly = "$source $reassociation attr-dict `:` type($source) `into` type($view)"


class ExpandShape(Expand):
    """Split dimensions: `tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : ... into ...`"""

    name = "tensor.expand_shape"
    source = operand(TENSOR)
    output_shape = operands(INDEX)
    reassociation = attribute(ATTRIBUTE)
    view = result(TENSOR)


class ExtractSlice(Slice):
    """A strided part: `tensor.extract_slice %x[0, 2] [4, 3] [1, 1] : ... to ...`"""

    name = "tensor.extract_slice"
    assembly = f"$source `` {PART} attr-dict `:` type($source) `to` type($view)"
    source = operand(TENSOR)
    offsets = operands(INDEX)
    sizes = operands(INDEX)
    strides = operands(INDEX)
    view = result(TENSOR)


class InsertSlice(Slice):
    """A tensor with a part replaced: `tensor.insert_slice %s into %x[0, 2] [4, 3] [1, 1]`"""

    name = "tensor.insert_slice"
    assembly = f"$source `into` $dest `` {PART} attr-dict `:` type($source) `into` type($dest)"
    into = True
    source = operand(TENSOR)
    dest = operand(TENSOR)
    offsets = operands(INDEX)
    sizes = operands(INDEX)
    strides = operands(INDEX)
    result = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        return [self.operands[1].type]
