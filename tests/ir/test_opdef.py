"""Op definitions: declared members, their order, and invalid declarations."""

from __future__ import annotations

import subprocess
import sys

import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import DenseArrayAttr, IntegerAttr
from penstock.ir.codecs import INTEGER, INTEGERS, choice, enumeration
from penstock.ir.core import Block, Operation, Region
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith
from penstock.ir.opdef import UnregisteredOp, attribute, operand, operands, region, registry, result
from penstock.ir.opdef import results as result_group


class Base(Operation):
    x = operand()
    middle = operands()
    last = operand()
    y = result()
    more = result_group()
    count = attribute(INTEGER, 3)
    axes = attribute(INTEGERS, optional=True)
    needed = attribute(choice("a word", "a", "b"), key="real name")
    first = region()
    second = region(optional=True)


def test_members_are_typed_views_of_the_op() -> None:
    block = Block([ty.f32, ty.i1, ty.index, ty.f64])
    regions = [Region(Block()), Region()]
    op = Base(block.arguments, [ty.f32, ty.i1, ty.i1], {}, regions)
    a, b, c, d = block.arguments
    assert (op.x, list(op.middle), op.last) == (a, [b, c], d)
    assert (op.y, list(op.more)) == (op.results[0], op.results[1:])
    assert (op.first, op.second) == tuple(regions)
    assert (op.count, op.axes) == (3, None)
    op.count, op.axes, op.needed = 5, [1, 2], "b"
    assert (op.count, op.axes, op.needed) == (5, [1, 2], "b")
    assert set(op.attributes) == {"count", "axes", "real name"}
    op.axes = None
    assert "axes" not in op.attributes
    assert isinstance(Base.x, operand)
    assert isinstance(Base.count, attribute)
    for values in ([a, d], [a, b, d]):
        op.operands = values
        assert (op.x, list(op.middle), op.last) == (a, values[1:-1], d)


def test_a_missing_attribute_is_an_error() -> None:
    op = Base([*Block([ty.f32] * 2).arguments], [ty.f32])
    with pytest.raises(IRError, match=r"attribute 'real name' is missing: expected a word: one of"):
        print(op.needed)


def test_definitions_are_in_order_and_inherited() -> None:
    class Derived(Base):
        z = result_group()
        axis = attribute(INTEGER)

    names = [group.name for group in Derived.definition.operands]
    assert names == ["x", "middle", "last"]
    assert list(Derived.definition.attributes) == ["count", "axes", "needed", "axis"]
    assert Derived.definition.regions == Base.definition.regions
    assert Derived.definition.fixed_operands == -1
    assert not Derived.definition.segmented


def test_a_member_that_changes_position_is_refused() -> None:
    class Other(Operation):
        w = operand()

    with pytest.raises(
        TypeError, match="inherited 'x' would change its position: declare it again"
    ):

        class Both(Base, Other):
            pass

    del Other


def test_a_name_is_registered_once() -> None:
    with pytest.raises(TypeError, match=r"op arith.addf is defined twice: by"):

        class Again(Operation):
            """Another sum."""

            name = "arith.addf"

    assert registry["arith.addf"] is arith.AddF


def test_traits_of_an_op() -> None:
    with pytest.raises(TypeError, match=r"op test.mute has no docstring"):

        class Mute(Operation):
            name = "test.mute"

    assert "test.mute" not in registry


def test_an_unregistered_op_has_the_name_of_each() -> None:
    one, other = UnregisteredOp("a.b"), UnregisteredOp("c.d")
    assert (one.name, other.name) == ("a.b", "c.d")
    assert repr(one) == "<a.b at unknown location>"


def test_codecs() -> None:
    predicate = enumeration("a word", "a", "b")
    assert predicate.encode("b") is IntegerAttr(1)
    assert predicate.decode(IntegerAttr(0)) == "a"
    assert [predicate.accepts(IntegerAttr(n)) for n in (-1, 0, 1, 2)] == [False, True, True, False]
    assert INTEGERS.accepts(DenseArrayAttr(ty.i64, (1,)))
    assert not INTEGERS.accepts(DenseArrayAttr(ty.i32, (1,)))
    assert not INTEGERS.accepts(DenseArrayAttr(ty.f64, (1,)))


def test_ops_without_docstrings_where_python_keeps_none() -> None:
    command = [sys.executable, "-OO", "-c", "import penstock.ir.dialects.flow.compositions.softmax"]
    subprocess.run(command, check=True, timeout=60)
