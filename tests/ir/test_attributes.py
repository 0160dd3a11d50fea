"""Attributes: unique objects, bit-exact, in MLIR's text."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Binary, Const, Dim
from penstock.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    as_stored,
    attribute,
    float_bits,
    float_from_bits,
    integers,
    numpy_dtype,
    python_value,
    unit,
)
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.types import FloatType, IntegerType, TensorType, VectorType


def read(text: str) -> Attribute:
    return parse_module(f"module attributes {{a = {text}}} {{}}").attributes["a"]


SAME = r"""
1 : i64 | -1 : i8 | 127 : i8 | -128 : i8 | 255 : ui8 | 0 : ui8 | -8 : si4 | 7 : index | true | false
9223372036854775807 : i64 | -9223372036854775808 : i64 | 1 : ui1 | -1 : si1 | 5 : i128
170141183460469231731687303715884105727 : i128 | 9223372036854775807 : index
0.0 : f64 | -0.0 : f64 | -0.0 : f16 | 0.1 : f32 | 0.1 : bf16 | 1.5 : bf16 | 1.0e-05 : f32
1.0e+22 : f64 | 5.0e-324 : f64 | 1.0e-45 : f32 | 6.0e-08 : f16 | 1.7976931348623157e+308 : f64
3.4028235e+38 : f32 | 65500.0 : f16 | 0x7F800000 : f32 | 0xFF800000 : f32 | 0x7FC00000 : f32
0x7FC00001 : f32 | 0xFFBFFFFF : f32 | 0x7F81 : bf16 | 0xFC01 : f16 | 0x7FF0000000000000 : f64
0x7FF8000000000001 : f64 | "" | "a b" | "\22\5C\0A\09\00\7F" | "\C3\A9\E2\82\AC" | "\FF\FE" | "//"
[] | [1, 2.0, -0.0, "a", true, unit] | [1 : i32, [2 : index, []], 3 : i8] | {} | {a, b = 1 : i64}
{"0" = 1 : i64, _x.y$z = true, "a b" = {c = []}, "\C3\A9"} | @f | @"odd name" | @"a-b" | @"0"
@a.b$c | @"\22" | @a::@b::@"c d" | unit | f32 | (f32) -> () | tensor<4xf32> | #a.b | #a.b<c = [1]>
#a<"x > y"> | affine_map<(d0, d1) -> (d1, d0)> | strided<[4, 1], offset: ?> | strided<[]>
array<i64> | array<i64: 1, -2> | array<i1: true, false> | array<i8: -128> | array<ui8: 255>
array<f32: 1.5, -0.0, 0x7FC00001> | array<f64: 0.1> | array<bf16: 1.5> | dense<0.0> : tensor<4xf32>
dense<-0.0> : tensor<4xf16> | dense<0x7FC00001> : tensor<2xf32> | dense<1> : tensor<i32>
dense<true> : tensor<4xi1> | dense<[true, false]> : tensor<2xi1> | dense<> : tensor<0xf32>
dense<> : tensor<4x0xi8> | dense<[1, -2, 3]> : tensor<3xindex>
dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
dense<[[[1.5], [0x7F800000]]]> : tensor<1x2x1xf32> | dense<[255, 0]> : tensor<2xui8>
dense<[3, -8]> : tensor<2xi4> | dense<7> : tensor<9xi128> | dense<[1.5, 2.5]> : vector<2xbf16>
dense<"0x0102030405060708090A0B0C0D0E0F1011"> : tensor<17xi8> | dense<"0xDBE301"> : tensor<17xi1>
dense<0> : tensor<1000000000000xi64> | dense<1.0> : tensor<9223372036854775807x2xf32>
"""


@pytest.mark.parametrize("text", [text for text in SAME.replace("\n", " | ").split(" | ") if text])
def test_the_text_reads_back_as_the_same_object(text: str) -> None:
    attr = read(text)
    assert str(attr) == text
    assert repr(attr) == f"<{text}>"
    assert read(str(attr)) is attr


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1", "1 : i64"), ("1.5", "1.5 : f64"), ("007", "7 : i64"), ("0x10", "16 : i64"),
        ("-0x10 : i8", "-16 : i8"), ("255 : i8", "-1 : i8"), ("0xFF : i8", "-1 : i8"),
        ("18446744073709551615", "-1 : i64"), ("1 : i1", "true"), ("-1 : i1", "true"),
        ("0 : i1", "false"), ("1. : f32", "1.0 : f32"), ("1.e2", "100.0 : f64"),
        ("1.0e400", "0x7FF0000000000000 : f64"), ("1.0e39 : f32", "0x7F800000 : f32"),
        ("-65520.0 : f16", "0xFC00 : f16"), ("65519.99 : f16", "65500.0 : f16"),
        ("1.0e-400", "0.0 : f64"), ("0x1 : f16", "6.0e-08 : f16"), ("0.1 : bf16", "0.1 : bf16"),
        (r'"\n\t\""', r'"\0A\09\22"'), ('"é"', r'"\C3\A9"'), ('@"f"', "@f"),
        ("{b, a = unit}", "{a, b}"), ('{"a" = 1}', "{a = 1 : i64}"), ("[1 : i64]", "[1]"),
        ("array<i8: 255>", "array<i8: -1>"), ("strided<[1], offset: 0>", "strided<[1]>"),
        ("dense<[2, 2]> : tensor<2xi8>", "dense<2> : tensor<2xi8>"),
        ("dense<[]> : tensor<0xi8>", "dense<> : tensor<0xi8>"),
        ("dense<[[], []]> : tensor<2x0xi8>", "dense<> : tensor<2x0xi8>"),
        ("dense<3> : tensor<0xi8>", "dense<> : tensor<0xi8>"),
        ("dense<-1> : tensor<2xi1>", "dense<true> : tensor<2xi1>"),
        ('dense<"0x05"> : tensor<3xi1>', "dense<[true, false, true]> : tensor<3xi1>"),
        ('dense<"0xFF"> : tensor<99xi1>', "dense<true> : tensor<99xi1>"),
        ('dense<"0x00"> : tensor<0xi1>', "dense<> : tensor<0xi1>"),
        ('dense<"0x0000803F"> : tensor<9xf32>', "dense<1.0> : tensor<9xf32>"),
        ('dense<"0x01000200"> : tensor<2xi16>', "dense<[1, 2]> : tensor<2xi16>"),
        ("dense<[0xFF, 1]> : tensor<2xi8>", "dense<[-1, 1]> : tensor<2xi8>"),
    ],
)  # fmt: skip
def test_other_spellings(text: str, printed: str) -> None:
    assert str(read(text)) == printed
    assert read(printed) is read(text)


# -- integers --------------------------------------------------------------------------------------


def test_a_signless_integer_is_stored_as_signed() -> None:
    assert IntegerAttr(255, ty.i8) is IntegerAttr(-1, ty.i8)
    assert IntegerAttr(255, ty.i8).value == -1
    assert IntegerAttr(255, ty.ui8).value == 255
    assert IntegerAttr(2**64 - 1).value == -1
    assert IntegerAttr(True, ty.i1) is IntegerAttr(-1, ty.i1)
    assert IntegerAttr(True, ty.i1) is not IntegerAttr(1)
    assert type(IntegerAttr(True, ty.i8).value) is int


@pytest.mark.parametrize(
    ("value", "type"),
    [(256, ty.i8), (-129, ty.i8), (256, ty.ui8), (-1, ty.ui8), (8, IntegerType(4, "s")),
     (2**63, ty.index), (2**64, ty.i64), (2, ty.i1), (1 << 5000, ty.i64)],
)  # fmt: skip
def test_an_integer_that_does_not_fit(value: int, type: ty.Type) -> None:
    with pytest.raises(ValueError, match=f"does not fit {type}"):
        IntegerAttr(value, type)
    with pytest.raises(ValueError, match="does not fit"):
        as_stored(value, type)


def test_only_integers_have_a_type_of_integers() -> None:
    with pytest.raises(TypeError, match="f32 is not an integer type"):
        IntegerAttr(1, ty.f32)


# -- floats ----------------------------------------------------------------------------------------

FLOATS = {ty.f16: np.float16, ty.bf16: ml_dtypes.bfloat16, ty.f32: np.float32, ty.f64: np.float64}


@pytest.mark.parametrize("type", [ty.f16, ty.bf16], ids=str)
def test_every_small_float_round_trips(type: FloatType) -> None:
    texts = [str(FloatAttr(bits, type)) for bits in range(1 << 16)]
    assert len(set(texts)) == 1 << 16
    rows = parse_module(f"module attributes {{a = [{', '.join(texts)}]}} {{}}").attributes["a"]
    assert isinstance(rows, ArrayAttr)
    assert [row.bits for row in rows.items if isinstance(row, FloatAttr)] == list(range(1 << 16))


@pytest.mark.parametrize("type", [ty.f32, ty.f64], ids=str)
def test_any_float_round_trips(type: FloatType) -> None:
    bits = np.random.default_rng(0).integers(0, 1 << type.width, 3000, dtype=f"u{type.width // 8}")
    edge = [0, 1, 1 << (type.width - 1), (1 << type.width) - 1, (1 << (type.width - 1)) - 1]
    attrs = tuple(FloatAttr(pattern, type) for pattern in [*map(int, bits), *edge])
    assert all(read(str(attr)) is attr for attr in attrs)
    assert read(str(ArrayAttr(attrs))) is ArrayAttr(attrs)


@pytest.mark.parametrize("type", FLOATS, ids=str)
def test_rounding_is_that_of_the_dtype(type: FloatType) -> None:
    dtype = FLOATS[type]
    values = np.random.default_rng(1).standard_normal(2000) * 10.0 ** np.arange(-50, 50).repeat(20)
    values = np.concatenate([values, [0.0, -0.0, np.inf, -np.inf, 65519.99, 65520.0, 3.4e38, 1e39]])
    with np.errstate(over="ignore"):
        expected = values.astype(dtype)
    for value, rounded in zip(values, expected, strict=True):
        bits = int(np.array(rounded).view(f"u{type.width // 8}"))
        assert float_bits(float(value), type) == bits
        assert float_from_bits(bits, type) == float(rounded)
    assert np.isnan(float_from_bits(float_bits(float("nan"), type), type))


def test_bf16_is_rounded_once() -> None:
    """Rounded to f32 first, 1 + 2**-8 + 2**-40 would be a tie and round down."""
    assert float_bits(1 + 2**-8, ty.bf16) == 0x3F80
    assert float_bits(1 + 2**-8 + 2**-40, ty.bf16) == 0x3F81
    assert float_bits(-1 - 2**-8 - 2**-40, ty.bf16) == 0xBF81
    assert float_bits(1 + 2**-8 - 2**-40, ty.bf16) == 0x3F80
    assert float_bits(1 + 3 * 2**-8 - 2**-40, ty.bf16) == 0x3F81
    assert float_bits(2.0**-200, ty.bf16) == 0
    assert float_bits(2.0**-134 + 2.0**-180, ty.bf16) == 1


def test_floats_are_distinguished_by_their_bits() -> None:
    assert FloatAttr.of(0.0) is not FloatAttr.of(-0.0)
    assert FloatAttr.of(float("nan")) is FloatAttr.of(float("nan"))
    assert FloatAttr.of(0.1, ty.f32) is not FloatAttr.of(0.1)
    with pytest.raises(ValueError, match="0x10000 does not fit the 16 bits of f16"):
        FloatAttr(0x10000, ty.f16)


# -- strings and names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "plain", 'a"b', "back\\slash", "\n\t\r\0\x1b", "é€😀", "\udcff\udc80", "%@#"]
)
def test_any_string_round_trips(text: str) -> None:
    for attr in (
        StringAttr(text),
        SymbolRefAttr(text or "x", (text or "y",)),
        DictAttr(((text, unit),)),
    ):
        assert str(attr).isascii()
        assert read(str(attr)) is attr


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        StringAttr("\ud800")


def test_dictionaries_are_in_order_of_names() -> None:
    one = DictAttr((("b", unit), ("a", IntegerAttr(1))))
    assert one is DictAttr((("a", IntegerAttr(1)), ("b", unit)))
    assert one.get("a") is IntegerAttr(1)
    assert one.get("c") is None
    with pytest.raises(ValueError, match="a name is given twice: a, a"):
        DictAttr((("a", unit), ("a", IntegerAttr(1))))


# -- dense constants -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "element", [ty.f16, ty.bf16, ty.f32, ty.f64, ty.i1, ty.i8, ty.i16, ty.i32, ty.i64, ty.ui8,
                ty.index], ids=str
)  # fmt: skip
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1,), (5,), (4, 4), (17,), (2, 3, 4)], ids=str)
def test_arrays_round_trip(element: ty.Type, shape: tuple[int, ...]) -> None:
    dtype = numpy_dtype(element)
    random = np.random.default_rng(2)
    count = int(np.prod(shape))
    data = random.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
    array = (data & 1 if element is ty.i1 else data).view(dtype).reshape(shape)
    for type in (TensorType(shape, element), TensorType((2, *shape), element)):
        attr = DenseElementsAttr.of(array, type)
        assert read(str(attr)) is attr
        assert attr.array().shape == type.shape
        assert attr.array().dtype == dtype
        assert attr.array().tobytes() == np.broadcast_to(array, type.shape).tobytes()
        assert not attr.array().flags.writeable


def test_equal_elements_become_a_splat() -> None:
    type = TensorType((2, 3), ty.f32)
    one = DenseElementsAttr.of(np.ones((2, 3)), type)
    assert one is DenseElementsAttr.of(np.float64(1), type)
    assert one is DenseElementsAttr(type, one.data * 6)
    assert one.is_splat
    assert len(one.data) == 4
    assert not DenseElementsAttr.of(np.array([0.0, -0.0]), TensorType((2,), ty.f32)).is_splat
    assert not DenseElementsAttr.of(np.zeros(0), TensorType((0,), ty.f32)).is_splat


def test_a_splat_takes_no_memory() -> None:
    huge = DenseElementsAttr.of(np.array([1.0]), TensorType((10**12,), ty.f32))
    assert str(huge) == "dense<1.0> : tensor<1000000000000xf32>"
    assert huge.array().shape == (10**12,)
    assert huge.numbers().tolist() == [1.0]


@pytest.mark.parametrize("size", [0, 3, 5, 8, 15])
def test_bytes_that_do_not_fill_the_type(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size} bytes do not fill tensor<4xf32>"):
        DenseElementsAttr(TensorType((4,), ty.f32), bytes(size))


def test_an_array_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        DenseElementsAttr.of(np.zeros(2), TensorType((3,), ty.f32))


def test_a_vector_is_as_good_as_a_tensor() -> None:
    attr = read("dense<[1.0, 2.0]> : vector<2xf32>")
    assert isinstance(attr, DenseElementsAttr)
    assert attr.type is VectorType((2,), ty.f32)


# -- plain Python values ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"), (3, "3 : i64"), (-0.0, "-0.0 : f64"), ("a", '"a"'), (ty.f32, "f32"),
        ([1, "a"], '[1, "a"]'), ((), "[]"), ({"b": 1, "a": [True]}, "{a = [true], b = 1 : i64}"),
        (AffineMap.identity(1), "affine_map<(d0) -> (d0)>"), (unit, "unit"),
    ],
)  # fmt: skip
def test_plain_values(value: Any, text: str) -> None:
    attr = attribute(value)
    assert str(attr) == text
    assert attribute(python_value(attr)) is (attr if value is not unit else IntegerAttr(1, ty.i1))


@pytest.mark.parametrize("value", [None, 1j, b"a", len, {"a": None}, [set()]], ids=repr)
def test_values_that_are_not_plain(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be an attribute"):
        attribute(value)


def test_plain_values_of_the_rest() -> None:
    assert python_value(read("array<f32: 1.5, -2.0>")) == [1.5, -2.0]
    assert python_value(integers([1, 2])) == [1, 2]
    assert python_value(read("@f")) == "f"
    assert python_value(read("dense<[1, 2]> : tensor<2xi8>")).tolist() == [1, 2]
    opaque = read("#a.b<c>")
    assert isinstance(opaque, OpaqueAttr)
    assert python_value(opaque) is opaque
    assert python_value(read("false")) is False


# -- the rest --------------------------------------------------------------------------------------


def test_equal_spellings_make_one_attribute() -> None:
    numbers: tuple[Any, ...] = (True, np.int64(2))
    assert str(DenseArrayAttr(ty.i64, numbers)) == "array<i64: 1, 2>"
    with pytest.raises(ValueError, match="does not fit i8"):
        DenseArrayAttr(ty.i8, (256,))
    raw = AffineMap(1, (Binary("+", Dim(0), Const(0)),))
    assert AffineMapAttr(raw) is AffineMapAttr(AffineMap.identity(1))
    assert StridedLayoutAttr((1,)) is StridedLayoutAttr((1,), 0)
    assert TypeAttr(ty.f32) is TypeAttr(ty.f32)
    assert SymbolRefAttr("a", ("b",)) is not SymbolRefAttr("a")
