"""The semantics and errors of `vector` ops, and vector constants."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import FloatAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import arith, math, scf, vector
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.evaluate_generic import scalar
from penstock.ir.verify.verifier import verify
from penstock.passes.manager import run_pipeline

V4, V8 = ty.VectorType((4,), ty.f32), ty.VectorType((8,), ty.f32)
M23 = ty.VectorType((2, 3), ty.f32)


def op(line: str, arguments: str) -> vector.VectorOp:
    """The op of a line, in a function with these arguments."""
    module = parse_module(f"func.func @f({arguments}) {{\n  {line}\n  return\n}}")
    verify(module)
    result = module.function("f").body.first
    assert isinstance(result, vector.VectorOp)
    return result


def arrays(*values: object) -> list[np.ndarray]:
    return [np.asarray(v, np.float32) for v in values]


PAIRS = """{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
    affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}"""
MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)
LINE = np.arange(4, dtype=np.float32)


@pytest.mark.parametrize(
    ("line", "arguments", "given", "expected"),
    [
        ("%r = vector.broadcast %x : f32 to vector<2x2xf32>", "%x: f32", [5.0], [[5, 5], [5, 5]]),
        ("%r = vector.broadcast %x : vector<2x1xf32> to vector<2x3xf32>", "%x: vector<2x1xf32>",
         [[[1.0], [2.0]]], [[1, 1, 1], [2, 2, 2]]),
        ("%r = vector.outerproduct %x, %y, %z : vector<2xf32>, vector<3xf32>",
         "%x: vector<2xf32>, %y: vector<3xf32>, %z: vector<2x3xf32>",
         [[1.0, 2.0], [1.0, 10.0, 100.0], MATRIX], [[1, 11, 102], [5, 24, 205]]),
        ("%r = vector.outerproduct %x, %y, %x : vector<4xf32>, f32", "%x: vector<4xf32>, %y: f32",
         [LINE, 10.0, LINE], [0, 11, 22, 33]),
        ("%r = vector.outerproduct %x, %x, %z {kind = #vector.kind<maximumf>} : vector<4xf32>, "
         "vector<4xf32>", "%x: vector<4xf32>, %z: vector<4x4xf32>",
         [LINE, LINE, np.full((4, 4), 2.5)],
         np.maximum(np.outer(LINE, LINE), 2.5)),
        ("%r = vector.reduction <add>, %x, %y : vector<4xf32> into f32",
         "%x: vector<4xf32>, %y: f32", [LINE, 0.5], 6.5),
        ("%r = vector.reduction <maximumf>, %x : vector<4xf32> into f32", "%x: vector<4xf32>",
         [[0, 3, np.nan, 2]], np.nan),
        ("%r = vector.multi_reduction <add>, %x, %y [0] : vector<2x3xf32> to vector<3xf32>",
         "%x: vector<2x3xf32>, %y: vector<3xf32>", [MATRIX, [1, 1, 1]], [4, 6, 8]),
        ("%r = vector.extract %x[1] : vector<3xf32> from vector<2x3xf32>", "%x: vector<2x3xf32>",
         [MATRIX], [3, 4, 5]),
        ("%r = vector.extract_strided_slice %x {offsets = [1, 1], sizes = [1, 2], "
         "strides = [1, 1]} : vector<2x3xf32> to vector<1x2xf32>", "%x: vector<2x3xf32>",
         [MATRIX], [[4, 5]]),
        ("%r = vector.transpose %x, [1, 0] : vector<2x3xf32> to vector<3x2xf32>",
         "%x: vector<2x3xf32>", [MATRIX], MATRIX.T),
        ("%r = vector.shape_cast %x : vector<2x3xf32> to vector<3x2xf32>", "%x: vector<2x3xf32>",
         [MATRIX], [[0, 1], [2, 3], [4, 5]]),
        ("%r = vector.bitcast %x : vector<4xf32> to vector<4xi32>", "%x: vector<4xf32>",
         [[1.0, -0.0, 2.0, 0.0]], [0x3F800000, -(2**31), 0x40000000, 0]),
        ("%r = vector.shuffle %x, %x [5, 0] : vector<4xf32>, vector<4xf32>", "%x: vector<4xf32>",
         [LINE, LINE + 10], [11, 0]),
        ("%r = vector.interleave %x, %y : vector<2x3xf32> -> vector<2x6xf32>",
         "%x: vector<2x3xf32>, %y: vector<2x3xf32>", [MATRIX, MATRIX + 10],
         [[0, 10, 1, 11, 2, 12], [3, 13, 4, 14, 5, 15]]),
        # The last product is added first: 2 ** 24 + 1 would be lost.
        (f"%r = vector.contract {PAIRS} %x, %y, %z : vector<3x2xf32>, vector<2x2xf32> into "
         "vector<2x3xf32>", "%x: vector<3x2xf32>, %y: vector<2x2xf32>, %z: vector<2x3xf32>",
         [[[2.0**24, 1.0], [1.0, 2.0], [0.0, 5.0]], [[1.0, 1.0], [10.0, 1.0]],
          np.ones((2, 3))], [[2.0**24 + 2, 4, 6], [10 * 2.0**24, 13, 6]]),
        ("%r = vector.step : vector<3xindex>", "", [], [0, 1, 2]),
        ("%r = vector.constant_mask [1, 2] : vector<2x3xi1>", "", [],
         [[True, True, False], [False] * 3]),
    ],
)  # fmt: skip
def test_meaning(line: str, arguments: str, given: list[object], expected: object) -> None:
    result = op(line, arguments)
    np.testing.assert_array_equal(result.reference(*arrays(*given)), np.asarray(expected))


def test_insert_replaces_a_part() -> None:
    types = "%x: f32, %v: vector<2x3xf32>, %i: index"
    one = op("%r = vector.insert %x, %v [1, %i] : f32 into vector<2x3xf32>", types)
    result = one.reference(*arrays(9.0, MATRIX), np.int64(2))
    np.testing.assert_array_equal(result, [[0, 1, 2], [3, 4, 9]])
    types = "%x: vector<1x2xf32>, %v: vector<2x3xf32>"
    slice_ = op(
        "%r = vector.insert_strided_slice %x, %v {offsets = [1, 0], strides = [1, 1]} : "
        "vector<1x2xf32> into vector<2x3xf32>",
        types,
    )
    result = slice_.reference(*arrays([[8, 9]], MATRIX))
    np.testing.assert_array_equal(result, [[0, 1, 2], [8, 9, 5]])


def test_an_outer_product_rounds_once() -> None:
    """With two roundings the sum would be 0."""
    x = np.float32(1 + 2**-12)
    result = op(
        "%r = vector.outerproduct %x, %y, %z : vector<1xf32>, vector<1xf32>",
        "%x: vector<1xf32>, %y: vector<1xf32>, %z: vector<1x1xf32>",
    ).reference(*arrays([x], [x], [[-(x * x)]]))
    assert result[0, 0] == np.float32(2.0**-24)


def test_a_reduction_adds_floats_in_order() -> None:
    result = op("%r = vector.reduction <add>, %x : vector<4xf32> into f32", "%x: vector<4xf32>")
    assert result.reference(*arrays([2.0**24, 1.0, 1.0, 1.0])) == np.float32(2.0**24)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%r = vector.load %m[%i] : memref<8x16xf32>, vector<4xf32>",
         "accesses memref<8x16xf32> with 1 subscripts"),
        ("%r = vector.load %m[%i, %i] : memref<8x16xf32>, vector<4xf64>",
         "expected a vector of its elements"),
        ("%r = vector.load %s[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>",
         "expected stride 1 along the last dimension"),
        ("vector.store %v, %s[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>",
         "expected stride 1 along the last dimension"),
        ("%r = vector.maskedload %s[%i], %o, %v : memref<8xf32, strided<[2]>>, vector<4xi1>, "
         "vector<4xf32> into vector<4xf32>", "expected stride 1 along the last dimension"),
        ("%r = vector.gather %s[%i] [%p], %o, %v : memref<8xf32, strided<[2]>>, vector<4xindex>, "
         "vector<4xi1>, vector<4xf32> into vector<4xf32>",
         "expected stride 1 along the last dimension"),
        ("%r = vector.broadcast %v : vector<4xf32> to vector<2x3xf32>", "cannot broadcast"),
        ("%r = vector.broadcast %v : vector<4xf32> to vector<2x4xf64>", "cannot broadcast"),
        ("%r = vector.outerproduct %v, %v, %v : vector<4xf32>, vector<4xf32>",
         "gives vector<4x4xf32> and adds to vector<4xf32>"),
        ("%r = vector.reduction <sum>, %v : vector<4xf32> into f32", "expected #vector.kind"),
        ("%r = vector.extract %v[4] : f32 from vector<4xf32>", "position outside vector<4xf32>"),
        ("%r = vector.extract %v[1] : vector<2xf32> from vector<4xf32>", "give f32"),
        ("%r = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : "
         "vector<4xf32> to vector<3xf32>", r"takes \[3\] from \[2\] on of a vector of \[4\]"),
        ("%r = vector.transpose %v, [1] : vector<4xf32> to vector<4xf32>", "cannot permute"),
        ("%r = vector.shape_cast %v : vector<4xf32> to vector<5xf32>", "cannot reshape"),
        ("%r = vector.shuffle %v, %v [8] : vector<4xf32>, vector<4xf32>", r"takes \[8\]"),
        ("%r = vector.interleave %v, %k : vector<4xf32> -> vector<8xf32>", "vectors of one type"),
        ("%r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
         "(d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"reduction\"]} %v, %v, %v : "
         "vector<4xf32>, vector<4xf32> into vector<4xf32>",
         "has d0 as reduction: expected reductions exactly over the dimensions"),
        (f"%r = vector.contract {PAIRS} %v, %v, %v : vector<4xf32>, vector<4xf32> into "
         "vector<4xf32>", "expected distinct dimensions of vector<4xf32>"),
        ("%r = vector.step : vector<4xi32>", "expected a vector of index"),
        ("%r = vector.constant_mask [5] : vector<4xi1>", r"sets \[5\] of vector<4xi1>"),
        ("vector.transfer_write %v, %m[%i, %i] {in_bounds = [true], permutation_map = "
         "affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<8x16xf32>",
         "expected distinct dimensions"),
        ("vector.transfer_write %v, %m[%i, %i] {in_bounds = [true, true]} : vector<4xf32>, "
         "memref<8x16xf32>", "with 2 bounds"),
        ("vector.maskedstore %m[%i, %i], %k, %v : memref<8x16xf32>, vector<3xi1>, vector<4xf32>",
         "has a mask of vector<3xi1>: expected vector<4xi1>"),
        ("%r = arith.select %k, %v, %v : vector<3xi1>, vector<4xf32>",
         "expected vector<4xi1>"),
        ("%r = arith.addf %v, %w : vector<4xf32>", "type"),
        ("scf.forall (%j) in (4, 5) {\n}", "has 1 induction variables"),
        ("scf.forall (%j) = (0) to (4) step (0) {\n}", "expected 1 and more"),
        ("scf.forall (%j) in (4) {\n} {mapping = [1, 2]}", "expected a list with one entry for"),
        ("scf.forall (%j) in (4) {\n  scf.yield\n}", "expected scf.forall.in_parallel"),
        ("scf.forall () in () {\n}", "has 0 induction variables"),
    ],
)  # fmt: skip
def test_errors(line: str, message: str) -> None:
    arguments = (
        "%m: memref<8x16xf32>, %s: memref<8xf32, strided<[2]>>, %i: index, %v: vector<4xf32>, "
        "%w: f32, %k: vector<3xi1>, %o: vector<4xi1>, %p: vector<4xindex>"
    )
    with pytest.raises(IRError, match=message):
        verify(parse_module(f"func.func @f({arguments}) {{\n  {line}\n  return\n}}"))


def test_built_like_other_ops() -> None:
    block = Block([ty.MemRefType((8, 16), ty.f32), ty.index, V4])
    m, i, v = block.arguments
    b = Builder.at_end(block)
    column = b.create(
        vector.TransferRead, m, [i, i], b.create(arith.Constant, value=zero()).result,
        types=[V8], permutation_map=vector_map(), in_bounds=[True],
    )  # fmt: skip
    assert column.held is V8
    assert column.indices == [i, i]
    assert not column.mask
    product = b.create(vector.OuterProduct, v, column.vector)
    assert str(product.result.type) == "vector<4x8xf32>"
    assert product.kind == "add"
    b.create(vector.Store, v, m, [i, i], nontemporal=True)
    tasks = b.insert(scf.Forall.over([2, 3], ["i", "j"]))
    tasks.body.append(scf.InParallel.bare())
    assert tasks.extents == [2, 3]
    verify(tasks)


def zero() -> FloatAttr:
    return FloatAttr.of(0.0, ty.f32)


def vector_map() -> object:
    from penstock.ir.affine import AffineMap

    return AffineMap.select(2, [0])


def test_splats_fold_and_others_do_not() -> None:
    module = parse_module("""
func.func @f(%x: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>, vector<2x4xi1>) {
  %one = arith.constant dense<1.0> : vector<2x4xf32>
  %two = arith.addf %one, %one : vector<2x4xf32>
  %more = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : vector<2x4xf32>
  %kept = arith.addf %more, %two : vector<2x4xf32>
  %less = arith.cmpf olt, %one, %two : vector<2x4xf32>
  %same = arith.mulf %x, %one : vector<2x4xf32>
  %chosen = arith.select %less, %same, %kept : vector<2x4xi1>, vector<2x4xf32>
  return %chosen, %kept, %less : vector<2x4xf32>, vector<2x4xf32>, vector<2x4xi1>
}""")
    run_pipeline(module, "canonicalize")
    first, second, third = module.function("f").body.terminator.operands
    assert first is module.function("f").arguments[0]
    assert isinstance(second.defining_op, arith.AddF)
    assert "dense<2.0>" in str(second.defining_op.operands[1].defining_op.attributes)
    assert str(third.defining_op.attributes["value"]) == "dense<true> : vector<2x4xi1>"


def test_scalar_ops_mean_the_same_on_vectors() -> None:
    block = Block([M23, M23])
    b = Builder.at_end(block)
    x, y = MATRIX, MATRIX + 1
    total = b.create(arith.AddF, *block.arguments)
    np.testing.assert_array_equal(scalar(total, [x, y]), x + y)
    wide = b.create(arith.ExtF, block.arguments[0], types=[ty.VectorType((2, 3), ty.f64)])
    assert scalar(wide, [x]).dtype == np.float64
    bits = b.create(arith.Bitcast, block.arguments[0], types=[ty.VectorType((2, 3), ty.i32)])
    np.testing.assert_array_equal(scalar(bits, [x]), x.view(np.int32))
    fused = b.create(vector.Fma, *block.arguments, block.arguments[0])
    np.testing.assert_array_equal(scalar(fused, [x, y, x]), math.fma(x, y, x))
