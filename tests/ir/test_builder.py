"""The builder: insertion points, locations, and conversion of plain values."""

from collections.abc import Sequence

import pytest

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import DenseArrayAttr, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, func, linalg, math, memref, scf, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import UNKNOWN, FileLocation
from penstock.ir.opdef import SEGMENTS
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify

A, B = FileLocation("a.py", 1, 2), FileLocation("b.py", 3, 4)


@pytest.fixture
def block() -> Block:
    return Block([ty.f32, ty.index, ty.i1], ["x", "i", "p"])


def names(block: Block) -> list[str]:
    return [op.name for op in block]


# -- place and location ----------------------------------------------------------------------------


def test_it_inserts_at_the_end_or_ahead_of_an_op(block: Block) -> None:
    x = block.arguments[0]
    last = Builder.at_end(block).create(math.Exp, x)
    ahead = Builder.ahead_of(last)
    ahead.create(math.Log, x)
    ahead.create(math.Sin, x)
    Builder.at_end(block).create(math.Cos, x)
    assert names(block) == ["math.log", "math.sin", "math.exp", "math.cos"]


def test_inside_restores_the_insertion_point_even_after_an_error(block: Block) -> None:
    x = block.arguments[0]
    last = Builder.at_end(block).create(math.Exp, x)
    b, inner = Builder.ahead_of(last), Block()
    with b.inside(inner):
        b.create(math.Log, x)
        with b.inside(block):
            b.create(math.Cos, x)
        b.create(math.Sin, x)
    with pytest.raises(RuntimeError), b.inside(inner):
        raise RuntimeError
    b.create(math.Tanh, x)
    assert names(inner) == ["math.log", "math.sin"]
    assert names(block) == ["math.tanh", "math.exp", "math.cos"]


def test_the_location_is_given_and_returned(block: Block) -> None:
    b, x = Builder.at_end(block), block.arguments[0]
    assert b.create(math.Exp, x).location is UNKNOWN
    with b.at(A):
        assert b.create(math.Exp, x).location is A
        with b.at(B):
            assert b.create(math.Exp, x).location is B
        with pytest.raises(RuntimeError), b.at(B):
            raise RuntimeError
        located = b.create(math.Exp, x)
        assert located.location is A
    assert b.location is UNKNOWN
    assert Builder.ahead_of(located).create(math.Log, x).location is A


def test_an_op_in_no_block_has_no_place_ahead_of_it(block: Block) -> None:
    op = Builder.at_end(block).create(math.Exp, block.arguments[0])
    op.detach()
    with pytest.raises(ValueError, match=r"math.exp is in no block"):
        Builder.ahead_of(op)


# -- created ops ---------------------------------------------------------------------------------


def test_types_are_inferred_or_given(block: Block) -> None:
    b, (x, i, p) = Builder.at_end(block), block.arguments
    assert b.create(arith.AddF, x, x).result.type is ty.f32
    assert b.create(arith.CmpF, x, x, predicate="olt").result.type is ty.i1
    assert b.create(arith.TruncF, x, types=[ty.f16]).result.type is ty.f16
    assert b.create(arith.Select, p, i, i).result.type is ty.index


def test_a_type_that_cannot_be_inferred_is_required(block: Block) -> None:
    b = Builder.at_end(block)
    with (
        b.at(A),
        pytest.raises(IRError, match=r"a.py:1: error: arith.truncf: its result types cannot be in"),
    ):
        b.create(arith.TruncF, block.arguments[0])
    assert names(block) == []
    assert not block.arguments[0].uses


def test_an_invalid_op_is_neither_inserted_nor_a_use(block: Block) -> None:
    b, (x, i, _) = Builder.at_end(block), block.arguments
    with pytest.raises(IRError, match=r"arith.addf: expected operands of one type, got f32 and in"):
        b.create(arith.AddF, x, i)
    assert names(block) == []
    assert not x.uses
    assert not i.uses


def test_attributes_are_plain_values_with_defaults(block: Block) -> None:
    b, x = Builder.at_end(block), block.arguments[0]
    compared = b.create(arith.CmpF, x, x, predicate="uge")
    assert compared.predicate == "uge"
    assert compared.attributes == {"predicate": IntegerAttr(10)}
    alloc = b.create(memref.Alloc, types=[ty.MemRefType((4,), ty.f32)])
    assert alloc.alignment is None
    alloc.alignment = 64
    assert alloc.attributes["alignment"] is IntegerAttr(64)
    alloc.alignment = None
    assert "alignment" not in alloc.attributes
    with pytest.raises(TypeError, match=r"arith.addf has no attribute predicate: it has none"):
        b.create(arith.AddF, x, x, predicate="uge")
    with pytest.raises(IRError, match=r"arith.cmpf: attribute predicate must be .*, got 'greater'"):
        b.create(arith.CmpF, x, x, predicate="greater")
    with pytest.raises(IRError, match="attribute 'predicate' is missing: expected a predicate"):
        print(arith.CmpF([x, x], [ty.i1]).predicate)


# -- groups of operands ----------------------------------------------------------------------------


def sizes(op: Operation) -> tuple[int, ...]:
    found = op.attributes[SEGMENTS]
    assert isinstance(found, DenseArrayAttr)
    assert found.element is ty.i32
    return found.values


def test_groups_of_a_segmented_op() -> None:
    block = Block([ty.MemRefType((8, 8), ty.f32), ty.index, ty.index])
    b, (m, i, j) = Builder.at_end(block), block.arguments
    view = b.create(
        memref.SubView,
        m,
        [i],
        [],
        (j, i),
        types=[ty.MemRefType((4, 4), ty.f32)],
        static_offsets=[DYNAMIC_INDEX, 0],
        static_sizes=[4, 4],
        static_strides=[DYNAMIC_INDEX] * 2,
    )
    assert sizes(view) == (1, 1, 0, 2)
    assert view.source is m
    assert (list(view.offsets), list(view.sizes), list(view.strides)) == ([i], [], [j, i])
    plain = b.create(memref.Alloc, [i], types=[ty.MemRefType((-1,), ty.f32)])
    assert sizes(plain) == (1, 0)
    assert (list(plain.sizes), list(plain.symbols)) == ([i], [])


def test_groups_of_an_op_with_one_of_any_length() -> None:
    block = Block([ty.f32, ty.MemRefType((8, 8), ty.f32), ty.index, ty.index])
    x, m, i, j = block.arguments
    b = Builder.at_end(block)
    stored = b.create(memref.Store, x, m, [i, j])
    assert SEGMENTS not in stored.attributes
    assert (stored.value, stored.memref, list(stored.indices)) == (x, m, [i, j])
    loaded = b.create(memref.Load, m, (i, j))
    assert list(loaded.indices) == [i, j]
    assert loaded.result.type is ty.f32


def test_missing_segments_are_an_error() -> None:
    block = Block([ty.MemRefType((8,), ty.f32)])
    view = memref.SubView(block.arguments, [ty.MemRefType((8,), ty.f32)])
    with pytest.raises(IRError, match="operandSegmentSizes is None: expected a length for each"):
        print(view.offsets)


def test_a_module_built_by_hand_verifies_and_prints() -> None:
    """linalg.generic, loops and branches, with regions from their helpers."""
    module = Module.empty("made")
    tensors = ty.TensorType((4, 8), ty.f32)
    result = func.Func.make("f", [tensors, ty.i1, ty.index], [tensors], names=["x", "p", "n"])
    module.body.append(result)
    x, p, n = result.arguments
    b = Builder.at_end(result.body)
    identity = AffineMap.identity(2)

    def square(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
        return [b.create(arith.MulF, arguments[0], arguments[0]).result]

    squared = linalg.generic(
        b, [x], [linalg.empty(b, (4, 8), ty.f32)], [identity] * 2, ["parallel"] * 2, square
    )
    assert sizes(squared) == (1, 1)
    assert (list(squared.inputs), squared.extents) == ([x], [4, 8])
    code = scf.For.code_for([squared.results[0]], "i")
    loop = b.create(scf.For, n, n, n, [squared.results[0]], regions=[code])
    with b.inside(loop.body):
        b.create(scf.Yield, loop.body.arguments[1:])
    chosen = b.create(scf.If, p, types=[tensors], regions=[Region(Block()), Region(Block())])
    for region, value in zip(chosen.regions, [loop.results[0], x], strict=True):
        with b.inside(region.blocks[0]):
            b.create(scf.Yield, [value])
    b.create(func.Return, [chosen.results[0]])
    verify(module)
    assert print_module(module).count("scf.yield") == 3


def test_an_empty_tensor() -> None:
    b = Builder.at_end(Block())
    value = linalg.empty(b, [2, 3], ty.i8)
    assert isinstance(value.defining_op, tensor.Empty)
    assert value.type is ty.TensorType((2, 3), ty.i8)
