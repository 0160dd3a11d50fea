"""Folding and the patterns of op classes; see also tests/filecheck."""

import itertools
from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, FloatAttr, IntegerAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, math
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.evaluate_generic import scalar
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Rewriter, pattern
from penstock.ir.types import Type
from penstock.ir.write.folding import constant_of
from penstock.passes.manager import run_pipeline
from penstock.passes.simplify.canonicalize import Canonicalize, class_patterns
from penstock.passes.simplify.fold import FoldConstants


def returned(module: Module) -> list[Attribute | None]:
    return [constant_of(v) for v in module.job.returned.operands]


def test_tensor_constants_are_materialized_by_their_dialect() -> None:
    class Six(registry["flow.negative"]):  # type: ignore[misc,name-defined]
        """Always six."""

        name = "test.six"

        def fold(self, constants: object) -> list[Attribute]:
            return [value]

    registry.pop(Six.name)
    module = parse_module(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        '  %c = "flow.constant"() {value = dense<6.0> : tensor<2xf32>} : () -> tensor<2xf32>\n'
        "  return %c : tensor<2xf32>\n}"
    )
    value = returned(module)[0]
    assert value is not None
    b = Builder.ahead_of(module.job.returned)
    module.job.returned.operands = [b.create(Six, module.job.arguments[0]).results[0]]
    run_pipeline(module, "fold,dce")
    assert [op.name for op in module.job.body] == ["flow.constant", "func.return"]
    assert returned(module) == [value]


def test_a_fold_without_a_constant_op_is_dropped() -> None:
    class Whole(arith.Binary):
        """Folds to a tensor, which only its dialect could materialize."""

        name = "test.tensor"

        def fold(self, constants: object) -> list[Attribute]:
            return [FloatAttr.of(1.0, ty.f32)]

    registry.pop(Whole.name)
    module = parse_module(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"
    )
    b = Builder.ahead_of(module.job.returned)
    x = module.job.arguments[0]
    module.job.returned.operands = [b.create(Whole, x, x).result]
    assert not run_pipeline(module, "canonicalize").rewrites


def test_a_fold_of_another_type_is_an_error() -> None:
    class Liar(arith.NegF):
        """Folds to its other operand's type."""

        name = "test.liar"

        def fold(self, constants: object) -> list[Attribute]:
            return [FloatAttr.of(1.0, ty.f64)]

    registry.pop(Liar.name)
    module = parse_module("func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}")
    result = Builder.ahead_of(module.job.returned).create(Liar, module.job.arguments[0])
    module.job.returned.operands = [result.result]
    with pytest.raises(IRError, match="test.liar: folds f32 to f64"):
        FoldConstants().run(module)


def test_op_classes_add_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    @pattern
    def double_negation(op: arith.NegF, rewriter: Rewriter) -> None:
        inner = op.operands[0].defining_op
        if isinstance(inner, arith.NegF):
            rewriter.replace(op, inner.operands[0])

    before = list(class_patterns())
    monkeypatch.setattr(arith.NegF, "canonicalization_patterns", (double_negation,), raising=False)
    assert [*before, double_negation] == list(class_patterns())
    module = parse_module(
        "func.func @f(%x: f32) -> f32 {\n"
        "  %a = arith.negf %x : f32\n  %b = arith.negf %a : f32\n  return %b : f32\n}"
    )
    Canonicalize().run(module)
    assert [op.name for op in module.job.body] == ["func.return"]


IDENTITIES = [
    (arith.AddF, -0.0, 0.0), (arith.SubF, 0.0, -0.0), (arith.MulF, 1.0, -1.0),
    (arith.DivF, 1.0, 2.0), (arith.AddI, 0, 1), (arith.SubI, 0, 1), (arith.MulI, 1, 0),
    (arith.OrI, 0, 1), (arith.XOrI, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize(("cls", "neutral", "other"), IDENTITIES)
def test_an_identity_operand_is_removed(
    cls: type[arith.Binary], neutral: float, other: float
) -> None:
    type = ty.f32 if issubclass(cls, arith.FloatBinary) else ty.i32
    block = Block([type])
    b = Builder.at_end(block)
    for value, gone in ((neutral, True), (other, False)):
        constant = arith.constant_attribute(value, type)
        op = b.create(cls, block.arguments[0], b.create(arith.Constant, value=constant).result)
        assert (op.fold([None, constant]) == [block.arguments[0]]) is gone


# -- folding means what evaluation means -----------------------------------------------------------

NUMBERS = {
    ty.f32: [0.0, -0.0, 1.5, -2.25, 3.0e38, 1e-45, float("inf"), float("-inf"), float("nan")],
    ty.f64: [0.0, -0.0, 0.1, -7.5, 1.7e308, float("inf"), float("nan")],
    ty.f16: [0.0, -0.0, 0.1, 65504.0, float("nan")],
    ty.i32: [0, 1, -1, 7, 2**31 - 1, -(2**31)],
    ty.i64: [0, -3, 2**63 - 1, -(2**63)],
    ty.i1: [0, 1],
}
FLOATS = (ty.f16, ty.f32, ty.f64)
BITWISE = (arith.AndI, arith.OrI, arith.XOrI)


def scalar_ops() -> list[type[Operation]]:
    """The scalar ops with operands of one type that fold by evaluation."""
    return [
        cls
        for cls in registry.values()
        if issubclass(cls, arith.Binary | math.Unary | arith.NegF)
        and (getattr(cls, "evaluate", None) or issubclass(cls, arith.Compare))
    ]


def folded(cls: type[Operation], type: Type, values: tuple[Any, ...], **attributes: Any) -> Any:
    """The op's fold on constants, and the op evaluated on arrays."""
    block = Block()
    b = Builder.at_end(block)
    constants = [arith.constant_attribute(v, type) for v in values]
    operands = [b.create(arith.Constant, value=c).result for c in constants]
    op = b.create(cls, *operands, **attributes)
    found = op.fold(constants)
    with np.errstate(all="ignore"):
        arrays = [np.asarray(v, numpy_dtype(type)) for v in values]
        meaning = np.asarray(scalar(op, arrays))
    return found, meaning, op.results[0].type


@pytest.mark.parametrize("cls", scalar_ops(), ids=lambda cls: cls.name)
def test_folding_is_evaluation(cls: type[Operation]) -> None:
    tried = 0
    constraint = cls.definition.operands[0].constraint
    predicates = cls.definition.attributes.get("predicate")
    words = predicates.codec.keywords if predicates is not None else (None,)
    for type, numbers in NUMBERS.items():
        if not constraint.accepts(type) or (type is ty.i1 and cls not in BITWISE):
            continue
        for values in itertools.product(numbers, repeat=len(cls.definition.operands)):
            for word in words:
                attributes = {} if word is None else {"predicate": word}
                if word in ("false", "true") or (word and word[0] == "u" and type not in FLOATS):
                    continue
                found, meaning, result = folded(cls, type, values, **attributes)
                assert_equal(found, meaning, result, f"{cls.name} {type} {values} {word}")
                tried += 1
    assert tried > 3


def assert_equal(found: Any, meaning: Any, type: Type, case: str) -> None:
    assert found is not None, case
    (attribute,) = found
    assert isinstance(attribute, FloatAttr | IntegerAttr)
    assert attribute.type is type
    if isinstance(attribute, IntegerAttr):
        width = getattr(type, "width", 64)
        assert (attribute.value - int(meaning)) % (1 << width) == 0, case
    elif case.startswith(("arith.maximumf", "arith.minimumf")):
        # NumPy gives either zero where the operands are zeros of both signs.
        np.testing.assert_array_equal(attribute.value, float(meaning), err_msg=case)
    else:
        np.testing.assert_equal(attribute.value, float(meaning), err_msg=case)


@pytest.mark.parametrize(
    ("cls", "expected"), [(arith.MaximumF, 0.0), (arith.MinimumF, -0.0)]
)  # fmt: skip
def test_signed_zeros_in_minimum_and_maximum(cls: type[Operation], expected: float) -> None:
    for values in [(0.0, -0.0), (-0.0, 0.0)]:
        found, _, _ = folded(cls, ty.f32, values)
        np.testing.assert_equal(found[0].value, expected)


@pytest.mark.parametrize(
    ("cls", "value", "to", "expected"),
    [
        (arith.SIToFP, IntegerAttr(3), ty.f16, FloatAttr.of(3.0, ty.f16)),
        (arith.SIToFP, IntegerAttr((1 << 53) + 1), ty.f64, FloatAttr.of(2.0**53)),
        # Converted to f32 through f64, this would round twice, and down rather than up.
        (arith.SIToFP, IntegerAttr((1 << 60) + (1 << 36) + 1), ty.f32, None),
        (arith.SIToFP, IntegerAttr(1, ty.i1), ty.f32, None),
        (arith.TruncF, FloatAttr.of(1.0039062500001), ty.bf16, FloatAttr(0x3F81, ty.bf16)),
        (arith.TruncF, FloatAttr.of(-1e300), ty.f32, FloatAttr.of(float("-inf"), ty.f32)),
        (arith.ExtF, FloatAttr.of(0.1, ty.f32), ty.f64, FloatAttr.of(float(np.float32(0.1)))),
        (arith.IndexCast, IntegerAttr((1 << 40) + 5, ty.index), ty.i32, IntegerAttr(5, ty.i32)),
        (arith.IndexCast, IntegerAttr(3 << 30, ty.index), ty.i32, IntegerAttr(-(1 << 30), ty.i32)),
        (arith.IndexCast, IntegerAttr(-1), ty.index, IntegerAttr(-1, ty.index)),
        (arith.FPToSI, FloatAttr.of(1.5), ty.i32, None),
    ],
)
def test_conversions_fold_exactly_or_not(
    cls: type[arith.Cast], value: IntegerAttr, to: Type, expected: Attribute | None
) -> None:
    b = Builder.at_end(Block())
    op = b.create(cls, b.create(arith.Constant, value=value).result, types=[to])
    assert op.fold([value]) == (None if expected is None else [expected])
