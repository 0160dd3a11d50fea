"""Types and constants in LLVM's text; constants are exact."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock.codegen.llvm_types import constant, llvm_type, number
from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, FloatAttr, IntegerAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.dialects import arith, builtin, func, memref
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.types import Type

Run = Callable[..., list[np.ndarray[Any, Any]]]

FLOAT_BITS = [
    (ty.f32, (0, 1 << 31, 1, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF,
              0x7FA12345, 0x3DCCCCCD, 0x007FFFFF, 0x7F7FFFFF)),
    (ty.f64, (0, 1 << 63, 1, 0x7FF << 52, 0x7FF8000000000000, 0x7FF0000000000001,
              0x3FB999999999999A, (1 << 64) - 1)),
    (ty.f16, (0, 0x8000, 1, 0x7C00, 0x7E00, 0x7C01, 0x3C01)),
    (ty.bf16, (0, 0x8000, 1, 0x7F80, 0x7FC0, 0x7F81, 0x3F81)),
]  # fmt: skip


def constants_job(attributes: list[Any], element: Type) -> builtin.Module:
    """A job that stores constants into its only argument."""
    job = func.Func.make("job", [ty.MemRefType((len(attributes),), element)])
    module = builtin.Module.empty()
    module.body.append(job)
    b = Builder.at_end(job.body)
    for i, attribute in enumerate(attributes):
        place = b.create(arith.Constant, value=IntegerAttr(i, ty.index)).result
        value = b.create(arith.Constant, value=attribute).result
        b.create(memref.Store, value, job.arguments[0], [place])
    b.create(func.Return, [])
    return module


@pytest.mark.parametrize(("type", "patterns"), FLOAT_BITS, ids=[str(t) for t, _ in FLOAT_BITS])
def test_every_bit_of_a_float_constant_is_kept(
    run: Run, type: ty.FloatType, patterns: tuple[int, ...]
) -> None:
    out = np.zeros(len(patterns), numpy_dtype(type))
    module = constants_job([FloatAttr(bits, type) for bits in patterns], type)
    (got,) = run(module, out)
    assert [int(word) for word in got.view(f"u{type.width // 8}")] == list(patterns)


@pytest.mark.parametrize("type", [ty.i8, ty.i16, ty.i32, ty.i64, ty.index, ty.i1])
def test_integer_constants_reach_both_ends(run: Run, type: Type) -> None:
    dtype = numpy_dtype(type)
    values = [0, 1]
    if type is not ty.i1:
        values += [-1, int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)]
    module = constants_job([IntegerAttr(value, type) for value in values], type)
    (got,) = run(module, np.zeros(len(values), dtype))
    assert [int(value) for value in got] == values


def test_numbers_fill_every_element_of_a_vector() -> None:
    vector = ty.VectorType((4,), ty.f32)
    assert llvm_type(vector) == "<4 x float>"
    assert number(1.0, vector) == "splat (float 0x3FF0000000000000)"
    values = DenseElementsAttr.of(np.array([1, -1], np.int8), ty.VectorType((2,), ty.i8))
    assert constant(values) == "<i8 1, i8 -1>"
    splat = DenseElementsAttr.of(np.array([0.5, 0.5]), ty.VectorType((2,), ty.f64))
    assert constant(splat) == "splat (double 0x3FE0000000000000)"


@pytest.mark.parametrize(
    "type",
    [
        ty.IntegerType(3),
        ty.TensorType((2,), ty.f32),
        ty.VectorType((2, 2), ty.f32),
        ty.VectorType((1,), ty.f32),
        ty.none,
    ],
)
def test_types_without_an_llvm_type_are_refused(type: Type) -> None:
    with pytest.raises(TypeError, match="have no LLVM type: expected a float"):
        llvm_type(type)


def test_vectors_take_the_rows_of_their_elements() -> None:
    """The test only checks that LLVM accepts the text."""
    source = """
    func.func private @f(%x: vector<8xf32>, %h: vector<8xbf16>, %c: vector<8xi1>) -> vector<8xf32> {
      %one = arith.constant dense<1.0> : vector<8xf32>
      %a = math.fma %x, %one, %x : vector<8xf32>
      %b = math.rsqrt %a : vector<8xf32>
      %s = arith.select %c, %a, %b : vector<8xi1>, vector<8xf32>
      %d = arith.addf %h, %h : vector<8xbf16>
      %e = arith.extf %d : vector<8xbf16> to vector<8xf32>
      %r = arith.maximumf %s, %e : vector<8xf32>
      return %r : vector<8xf32>
    }
    func.func @job() { return }
    """
    text = emit_llvm(parse_module(source))
    assert "call <8 x float> @llvm.fma.v8f32(<8 x float> %x" in text.text
    assert llvm.compile_object(text)
