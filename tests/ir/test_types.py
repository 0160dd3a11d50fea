"""Types: unique objects, in MLIR's text, and their properties."""

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import (
    AffineMapAttr,
    DenseElementsAttr,
    IntegerAttr,
    StridedLayoutAttr,
    StringAttr,
    TypeAttr,
    element_type,
    numpy_dtype,
)
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.types import FunctionType, IntegerType, MemRefType, TensorType, VectorType


def read(text: str) -> ty.Type:
    attr = parse_module(f"module attributes {{a = {text}}} {{}}").attributes["a"]
    assert isinstance(attr, TypeAttr)
    return attr.value


@pytest.mark.parametrize(
    "text",
    [
        "index", "none", "i1", "i8", "i64", "ui8", "si4", "i16777215", "f16", "bf16", "f32", "f64",
        "() -> ()", "(f32) -> f32", "(f32, i1) -> (f32, f32)", "() -> (() -> ())",
        "((f32) -> i1) -> ()", "tensor<f32>", "tensor<4xf32>", "tensor<0x4xf32>", "tensor<0xf32>",
        "tensor<?x4x?xbf16>", 'tensor<4xf32, "encoding">', "tensor<?x4xf32, #flow.bound<[16, 4]>>",
        "tensor<4xf32, {a = 1 : i64, b}>", "tensor<4xvector<2xf32>>", "tensor<4x!a.b<c>>",
        "vector<f32>", "vector<14x32xf32>", "vector<4xi1>", "vector<4xindex>", "memref<f32>",
        "memref<4x?xui8>", "memref<4xvector<16xf32>>", "memref<*xf32>", "memref<*xf32, 1>",
        "memref<4x4xf32, strided<[4, 1]>>", "memref<4x4xf32, strided<[?, 1], offset: ?>>",
        "memref<4x4xf32, strided<[8, 2], offset: 5>, 2>", 'memref<4xf32, "near">',
        "memref<4xf32, 1>", "memref<4xf32, 1 : i32>", "memref<f32, strided<[], offset: 3>>",
        "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>", "!a.b", "!a.b<c>",
        '!a.b<"x > y", [1]>', "!a<b>", "!sbp.signature<S(0), B -> P>", "!a.b<!c.d<e -> f>>",
        "tensor<99999999999x9xf32>",
    ],
)  # fmt: skip
def test_the_text_reads_back_as_the_same_object(text: str) -> None:
    type = read(text)
    assert str(type) == text
    assert repr(type) == f"<{text}>"
    assert read(str(type)) is type


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>", "memref<4x4xf32>"),
        ("memref<4x4xf32, affine_map<(i, j) -> (i, j)>, 3>", "memref<4x4xf32, 3>"),
        ("memref<4xf32, 0>", "memref<4xf32>"),
        ("memref<*xf32, 0>", "memref<*xf32>"),
        ("memref<4xf32, 1 : i64>", "memref<4xf32, 1>"),
        ("tensor< 4xf32 >", "tensor<4xf32>"),
        ("( f32,i1 )->(f32)", "(f32, i1) -> f32"),
        ("i0008", "i8"),
    ],
)
def test_other_spellings(text: str, printed: str) -> None:
    assert read(text) is read(printed)
    assert str(read(text)) == printed


@pytest.mark.parametrize(
    "text",
    [
        "tensor<*xf32>", "tensor<-1xf32>", "tensor<4>", "tensor<4xmemref<4xf32>>", "vector<?xf32>",
        "vector<0xf32>", "vector<4xvector<4xf32>>", "vector<4xf32, 1>", "memref<4x!a.b>",
        "memref<4xf32, 1, 2>", "memref<4xf32, 1, strided<[1]>>", "memref<4xf32, strided<[1, 1]>>",
        "memref<4xf32, affine_map<(i, j) -> (i)>>", "memref<4xf32, strided<[-1]>>", "f8", "f128",
        "tensor<9223372036854775808xf32>", "tensor<4xf32, >", "complex<f32>", "tuple<>", "(f32)",
    ],
)  # fmt: skip
def test_unsupported_types(text: str) -> None:
    with pytest.raises(IRError):
        read(text)


def test_types_are_unique_objects() -> None:
    assert IntegerType(32) is ty.i32
    assert IntegerType(width=32, sign="") is ty.i32
    assert IntegerType(8, "u") is ty.ui8
    assert TensorType((4,), ty.f32) is TensorType((4,), ty.f32, None)
    assert TensorType((4,), ty.f32) is TensorType(shape=(4,), element=ty.f32)
    assert TensorType((4,), ty.f32) is not VectorType((4,), ty.f32)
    assert MemRefType((4,), ty.f32) is not MemRefType((4,), ty.f32, StridedLayoutAttr((1,)))
    assert FunctionType((), (ty.f32,)) is FunctionType((), (ty.f32,))


def test_extents_that_equal_integers_are_integers() -> None:
    """4.0 and True equal 4 and 1 as dictionary keys, and would return the same object."""
    extents: tuple[Any, ...] = (np.int64(70), True)
    assert str(TensorType(extents, ty.f32)) == "tensor<70x1xf32>"
    assert all(type(extent) is int for extent in TensorType(extents, ty.f32).shape)
    wrong: tuple[Any, ...] = (71.0,)
    with pytest.raises(TypeError):
        MemRefType(wrong, ty.f32)
    with pytest.raises(ValueError, match=r"expected extents of at least 0, got \[3, -2\]"):
        TensorType((3, -2), ty.f32)


def test_what_is_of_one_job_is_forgotten_with_it() -> None:
    def made(number: int) -> list[Any]:
        type = TensorType((1000,), ty.f32)
        numbers = np.arange(number, number + 1000, dtype=np.float32)
        signature = FunctionType((TensorType((number + 7,), ty.f32),), ())
        found = [DenseElementsAttr.of(numbers, type), signature, TypeAttr(signature)]
        same = [DenseElementsAttr.of(numbers, type), FunctionType(signature.inputs, ())]
        assert all(one is other for one, other in zip(found, same, strict=False))
        return found

    tables = [
        table
        for kind in (DenseElementsAttr, FunctionType, TypeAttr)
        for table in (kind._by_arguments, kind._by_fields)
    ]
    held = made(1)
    before = list(map(len, tables))
    for number in range(2, 12):
        made(number)
    assert list(map(len, tables)) == before
    assert made(1) == held


def test_threads_get_the_same_object() -> None:
    results: list[ty.Type] = []
    barrier = threading.Barrier(8)

    def make() -> None:
        barrier.wait()
        types = [TensorType((n, 12345), ty.f32) for n in range(100)]
        results.extend(types)
        results.extend(FunctionType((type,), ()) for type in types)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 1600
    assert len(set(map(id, results))) == 200


@pytest.mark.parametrize("thing", [ty.f32, TensorType((4,), ty.f32), IntegerAttr(3)], ids=str)
def test_no_copy_breaks_identity(thing: object) -> None:
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="print and parse them"):
            attempt(thing)


def test_shapes() -> None:
    type = TensorType((4, ty.DYNAMIC, 2), ty.f32)
    assert type.rank == 3
    assert not type.is_static
    assert TensorType((4, 3), ty.f32).count == 12
    assert TensorType((), ty.f32).count == 1
    assert TensorType((4, 0), ty.f32).count == 0


def test_parts_of_a_memref_type() -> None:
    spaced = read("memref<4xf32, 1>")
    assert isinstance(spaced, MemRefType)
    assert (spaced.layout, spaced.space) == (None, IntegerAttr(1))
    strided = read('memref<4xf32, strided<[2]>, "near">')
    assert isinstance(strided, MemRefType)
    assert (strided.layout, strided.space) == (StridedLayoutAttr((2,)), StringAttr("near"))
    mapped = read("memref<4xf32, affine_map<(i) -> (i + 1)>>")
    assert isinstance(mapped, MemRefType)
    assert isinstance(mapped.layout, AffineMapAttr)


def test_widths() -> None:
    widths = {ty.i1: 1, ty.i8: 1, IntegerType(4): 1, ty.f16: 2, ty.bf16: 2, IntegerType(17): 3,
              ty.f32: 4, ty.i64: 8, ty.index: 8, IntegerType(128): 16}  # fmt: skip
    assert {element: ty.byte_width(element) for element in widths} == widths
    with pytest.raises(TypeError, match="none has no size in memory"):
        ty.byte_width(ty.none)


def test_dtypes() -> None:
    elements = [ty.f16, ty.bf16, ty.f32, ty.f64, ty.i1, ty.i8, ty.i32, ty.i64, ty.ui8]
    for element in elements:
        dtype = numpy_dtype(element)
        assert dtype.itemsize == ty.byte_width(element)
        assert element_type(dtype) is element
    with pytest.raises(TypeError, match="i4 has no NumPy dtype"):
        numpy_dtype(IntegerType(4))
    with pytest.raises(TypeError, match="complex64 has no element type"):
        element_type(np.dtype("complex64"))
