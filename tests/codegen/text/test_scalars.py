"""Every scalar op, compiled, equals its class's definition, including special values."""

import ctypes
import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from assembly import undefined_symbols

import penstock.ir.dialects  # noqa: F401 (registers the ops)
from penstock.codegen.math.scalar_table import LIBM as LIBM_NAMES
from penstock.codegen.math.scalar_table import OWN, TABLE
from penstock.codegen.objects.llvm import LEVELS, compile_object, host_levels
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.codegen.text.parts.scalars import has_row
from penstock.codegen.text.parts.trees import TREES
from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, builtin, func, memref, scf
from penstock.ir.opdef import registry
from penstock.ir.types import Type

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]

FLOATS = (ty.f16, ty.bf16, ty.f32, ty.f64)
INTEGERS = (ty.i8, ty.i32, ty.i64, ty.index)
SIZES = (*INTEGERS, ty.i16)
LIBM = ctypes.CDLL("libm.so.6")

# Ops of arith and math without cases here, with reasons.
NO_CASE = {"arith.constant": "a constant stands where it is used; see test_types.py"}


def libm(name: str) -> Callable[..., Array]:
    """A function of libm on arrays of f32 or f64."""

    def apply(*arrays: Array) -> Array:
        single = arrays[0].dtype == np.float32
        kind = ctypes.c_float if single else ctypes.c_double
        function = getattr(LIBM, f"{name}f" if single else name)
        function.argtypes, function.restype = [kind] * len(arrays), kind
        values = [function(*map(float, row)) for row in zip(*arrays, strict=True)]
        return np.array(values, arrays[0].dtype)

    return apply


def by_element(function: Callable[..., Any]) -> Callable[..., Array]:
    """A function of NumPy scalars on arrays, in their dtype."""
    return lambda *arrays: np.array([function(*row) for row in zip(*arrays, strict=True)])


def divide(x: Array, y: Array) -> Array:
    """Integer division towards zero."""
    quotients = [abs(int(a)) // abs(int(b)) for a, b in zip(x, y, strict=True)]
    signs = np.where((x < 0) == (y < 0), 1, -1)
    return np.array([int(s) * q for s, q in zip(signs, quotients, strict=True)], x.dtype)


def fused(x: Array, y: Array, z: Array) -> Array:
    """x * y + z rounded once, through exact fractions; non-finite results come from libm."""
    exact = libm("fma")(x, y, z)
    for i, row in enumerate(zip(x, y, z, strict=True)):
        if np.isfinite([*row, exact[i]]).all() and exact[i] != 0:
            a, b, c = (Fraction(float(value)) for value in row)
            nearest = a * b + c
            step = Fraction(float(np.spacing(abs(exact[i]))))
            assert abs(Fraction(float(exact[i])) - nearest) <= step / 2
    return exact


def without_sign(function: Callable[..., Array]) -> Callable[..., Array]:
    """The same on the bits as unsigned integers."""

    def unsigned(x: Array, y: Array) -> Array:
        kind = f"u{x.dtype.itemsize}"
        return np.asarray(function(x.view(kind), y.view(kind))).view(x.dtype)

    return unsigned


REFERENCES: dict[str, Callable[..., Array]] = {
    "arith.divsi": divide,
    "arith.floordivsi": np.floor_divide,
    "arith.remsi": np.fmod,
    "arith.divui": without_sign(np.floor_divide),
    "arith.remui": without_sign(np.fmod),
    "arith.maxui": without_sign(np.maximum),
    "arith.minui": without_sign(np.minimum),
    "math.rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
    "math.fma": fused,
    "math.powf": libm("pow"),
    "math.atan2": libm("atan2"),
    **{
        f"math.{name}": libm(name)
        for name in (
            "exp", "expm1", "log", "log1p", "tanh", "sin", "cos", "erf", "acos", "acosh", "asin",
            "asinh", "atan", "atanh", "cosh", "erfc", "exp2", "log2", "sinh", "tan",
        )
    },
}  # fmt: skip

CAST_TYPES: dict[str, list[tuple[Type, Type]]] = {
    "arith.index_cast": [(ty.index, t) for t in (ty.i8, ty.i16, ty.i32, ty.i64)]
    + [(t, ty.index) for t in (ty.i8, ty.i16, ty.i32, ty.i64)],
    "arith.sitofp": [(i, f) for i in (ty.i8, ty.i16, ty.i32, ty.i64) for f in FLOATS],
    "arith.uitofp": [(i, f) for i in (ty.i1, ty.i8, ty.i16, ty.i32) for f in FLOATS],
    "arith.fptosi": [(f, i) for f in FLOATS for i in (ty.i8, ty.i16, ty.i32, ty.i64)],
    "arith.fptoui": [(f, i) for f in FLOATS for i in (ty.i8, ty.i16, ty.i32)],
    "arith.extf": [(s, t) for s in FLOATS for t in FLOATS if s.width < t.width],
    "arith.truncf": [(s, t) for s in FLOATS for t in FLOATS if s.width > t.width],
    "arith.extsi": [(ty.i8, ty.i16), (ty.i8, ty.i32), (ty.i16, ty.i64), (ty.i32, ty.i64)],
    "arith.extui": [(ty.i1, ty.i8), (ty.i1, ty.i64), (ty.i8, ty.i32), (ty.i32, ty.i64)],
    "arith.trunci": [(ty.i64, ty.i32), (ty.i64, ty.i8), (ty.i32, ty.i16), (ty.i32, ty.i1)],
    "arith.bitcast": [(ty.f32, ty.i32), (ty.i32, ty.f32), (ty.f64, ty.i64), (ty.i64, ty.f64),
                      (ty.f16, ty.i16), (ty.i16, ty.f16), (ty.bf16, ty.i16), (ty.i16, ty.bf16)],
}  # fmt: skip

COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


def cases() -> Iterator[tuple[str, tuple[Type, ...], Type, str]]:
    """Op, operand types, result type and predicate of every case."""
    for name, cls in sorted(registry.items()):
        if name.partition(".")[0] not in ("arith", "math") or name in NO_CASE:
            continue
        if name in CAST_TYPES:
            yield from ((name, (source,), target, "") for source, target in CAST_TYPES[name])
        elif name == "arith.select":
            yield from ((name, (ty.i1, t, t), t, "") for t in (*FLOATS, *INTEGERS, ty.i1))
        elif name == "arith.cmpf":
            yield from ((name, (t, t), ty.i1, p) for t in FLOATS for p in arith.FLOAT_PREDICATES)
        elif name == "arith.cmpi":
            yield from ((name, (t, t), ty.i1, p) for t in SIZES for p in arith.INTEGER_PREDICATES)
        else:
            count = len(cls.definition.operands)
            kinds = INTEGERS if issubclass(cls, arith.IntegerBinary) else FLOATS
            extra = (ty.i1,) if name in ("arith.andi", "arith.ori", "arith.xori") else ()
            yield from ((name, (t,) * count, t, "") for t in (*kinds, *extra))


class Case(NamedTuple):
    """The types of an op's operands and result, its predicate, and the number of elements."""

    types: tuple[Type, ...]
    result: Type
    predicate: str
    count: int


NAMES = list(dict.fromkeys(name for name, *_ in cases()))


@lru_cache(maxsize=1)
def tried(name: str) -> list[tuple[Case, list[Array], Array]]:
    """The cases of an op with their operands and results."""
    found = []
    for one, types, result, predicate in cases():
        if one == name:
            values = operands(name, types, result)
            case = Case(types, result, predicate, len(values[0]))
            found.append((case, values, expected(name, values, result, predicate)))
    return found


def numbers(type: Type) -> Array:
    """Values of a type worth trying."""
    dtype = numpy_dtype(type)
    if isinstance(type, ty.FloatType):
        top = {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028234e38}.get(type.name, 1.79e308)
        small = {"f16": 6e-8, "f32": 1e-45, "f64": 5e-324}.get(type.name, 1e-40)
        normal = {"f16": 6.2e-5, "f64": 2.3e-308}.get(type.name, 1.2e-38)
        values = [0.0, 1.0, 0.1, 0.5, 1.5, 2.5, 3.75, 20.3, 87.5, 1000.25, np.inf, top, small,
                  normal, 7.0]  # fmt: skip
        return np.array([*values, *(-v for v in values), np.nan]).astype(dtype)
    if type is ty.i1:
        return np.array([False, True])
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.array([0, 1, -1, 2, -2, 3, 7, -7, 10, 63, 100, -100, low, low + 1, high], dtype)


def operands(name: str, types: tuple[Type, ...], result: Type) -> list[Array]:
    """All combinations of the values, less those for which the op is undefined."""
    columns = [numbers(type) for type in types]
    if len(types) == 3 and types[0] is types[2]:
        columns = [column[::3] for column in columns]
    rows = list(itertools.product(*columns))
    if name in ("arith.divsi", "arith.floordivsi", "arith.remsi"):
        low = np.iinfo(numpy_dtype(types[0])).min
        rows = [(x, y) for x, y in rows if y != 0 and not (y == -1 and x == low)]
    if name in ("arith.divui", "arith.remui"):
        rows = [(x, y) for x, y in rows if y != 0]
    if name in ("arith.shli", "arith.shrui"):
        width = 8 * numpy_dtype(types[0]).itemsize
        rows = [(x, y) for x, y in rows if 0 <= y < width]
    if name in ("arith.fptosi", "arith.fptoui"):
        width = result.width if isinstance(result, ty.IntegerType) else 64
        least = -(2.0 ** (width - 1)) if name == "arith.fptosi" else 0.0
        above = 2.0 ** (width - 1) if name == "arith.fptosi" else 2.0**width
        rows = [(x,) for (x,) in rows if least <= float(x) < above]
    count = len(types)
    return [np.array([row[i] for row in rows], columns[i].dtype) for i in range(count)]


def expected(name: str, values: list[Array], result: Type, predicate: str) -> Array:
    """The expected results, by NumPy; 16-bit floats are computed as f32 and rounded once."""
    dtype = numpy_dtype(result)
    with np.errstate(all="ignore"):
        if name == "arith.bitcast":
            return values[0].view(dtype)
        if name == "arith.select":
            return np.where(values[0], values[1], values[2])
        if name == "arith.trunci" and result is ty.i1:
            return (values[0] & 1).astype(bool)
        if name in CAST_TYPES:
            return cast(name, values[0], dtype)
        if name in ("arith.cmpf", "arith.cmpi"):
            return compare(predicate, *values)
        half = values[0].dtype.itemsize == 2 and values[0].dtype.kind not in "iu"
        wide = [v.astype(np.float32) for v in values] if half else values
        function = REFERENCES.get(name)
        if function is None:
            function = by_element(registry[name].evaluate)  # type: ignore[attr-defined]
        return function(*wide).astype(dtype)


def product_and_sum(x: Array, y: Array, z: Array) -> Array:
    """Multiply and add, rounded after each step; 16-bit floats are computed as f32."""
    wide = np.float32 if x.dtype.itemsize == 2 else x.dtype
    with np.errstate(all="ignore"):
        return np.asarray(x.astype(wide) * y.astype(wide) + z.astype(wide)).astype(x.dtype)


FROM_LIBM = {f"{name}{ending}" for name in LIBM_NAMES for ending in ("", "f")}


def cast(name: str, value: Array, dtype: np.dtype[Any]) -> Array:
    if name in ("arith.extui", "arith.uitofp") and value.dtype.kind == "i":
        value = value.view(f"u{value.dtype.itemsize}")
    if dtype.name == "bfloat16":
        value = value.astype(np.float32)
    if name == "arith.fptoui":
        return value.astype(np.float64).astype(np.uint64).astype(dtype)
    return value.astype(dtype)


def is_nan(x: Array) -> Array:
    """Like `np.isnan`, which warns about signalling NaNs of bf16."""
    return np.isnan(x.astype(np.float64)) if x.dtype.name == "bfloat16" else np.isnan(x)


def compare(predicate: str, x: Array, y: Array) -> Array:
    unordered = is_nan(x) | is_nan(y)
    if predicate in ("false", "true", "ord", "uno"):
        known = {"false": False, "true": True, "ord": ~unordered, "uno": unordered}[predicate]
        return np.broadcast_to(known, x.shape)
    if x.dtype.kind in "iub":
        if predicate[0] == "u":
            x, y = (v.view(f"u{v.dtype.itemsize}") for v in (x, y))
        return COMPARISONS[predicate[-2:]](x, y)
    ordered = COMPARISONS[predicate[1:]](x, y) & ~unordered
    return ordered | unordered if predicate[0] == "u" else ordered


def job_of(cls: type[Operation], cases: Sequence[Case], level: str) -> builtin.Module:
    """A job that applies one op elementwise to arrays, for a processor level.

    Each case has a loop and arguments for its operands and its result.
    """
    buffers = [[ty.MemRefType((c.count,), t) for t in (*c.types, c.result)] for c in cases]
    job = func.Func.make("job", [type for of_case in buffers for type in of_case])
    module = builtin.Module.empty()
    module.attributes["job.target"] = StringAttr(level)
    module.body.append(job)
    b = Builder.at_end(job.body)

    def index(value: int) -> Value:
        return b.create(arith.Constant, value=arith.constant_attribute(value, ty.index)).result

    arguments = iter(job.arguments)
    for case, of_case in zip(cases, buffers, strict=True):
        *sources, target = itertools.islice(arguments, len(of_case))
        bounds = [index(0), index(case.count), index(1)]
        region = scf.For.code_for()
        loop = b.create(scf.For, *bounds, [], types=[], regions=[region])
        with b.inside(loop.body):
            at = [loop.induction]
            values = [b.create(memref.Load, source, at).result for source in sources]
            attributes = {"predicate": case.predicate} if case.predicate else {}
            result = b.create(cls, *values, types=[case.result], **attributes)
            b.create(memref.Store, result.results[0], target, at)
            b.create(scf.Yield, [])
    b.create(func.Return, [])
    return module


@pytest.mark.sampled
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NAMES)
def test_op(run: Run, name: str, level: str) -> None:
    """All types and predicates are one module; separate modules would take twice as long."""
    all_cases = tried(name)
    module = job_of(registry[name], [case for case, *_ in all_cases], level)
    if level not in host_levels():
        assert undefined_symbols(compile_object(emit_llvm(module), level)) <= FROM_LIBM
        return
    passed: list[Array] = []
    for case, values, _ in all_cases:
        passed += [*values, np.zeros(case.count, numpy_dtype(case.result))]
    got = iter(run(module, *passed))
    for case, values, want in all_cases:
        *_, result = itertools.islice(got, len(values) + 1)
        if name == "math.fma" and level == "x86-64-v2":
            want = product_and_sum(*values)
        check(name, case, result, want)


def check(name: str, case: Case, got: Array, want: Array) -> None:
    """Whether a result is right, bit for bit or within libm's accuracy."""
    said = str(case)
    assert got.dtype == want.dtype, said
    bits = f"u{got.dtype.itemsize}"
    if name == "arith.bitcast" or not isinstance(case.result, ty.FloatType):
        np.testing.assert_array_equal(got.view(bits), want.view(bits), said)
        return
    nan = is_nan(want)
    np.testing.assert_array_equal(is_nan(got), nan, said)
    places = np.abs(ordinal(got[~nan]) - ordinal(want[~nan]))
    computed = ty.f32 if got.dtype.itemsize == 2 else case.result
    most = 3 if f"{name} {computed} {computed}" in OWN else 1
    np.testing.assert_array_less(places, most, said)
    np.testing.assert_array_equal(np.signbit(got[~nan]), np.signbit(want[~nan]), said)


def ordinal(x: Array) -> Array:
    """The rank of a float among all of its type."""
    bits = x.view(f"i{x.dtype.itemsize}").astype(np.int64)
    top = np.iinfo(f"i{x.dtype.itemsize}").min
    return np.where(bits < 0, top - bits, bits)


def test_every_op_has_a_case_and_every_row_an_op() -> None:
    scalars = {name for name in registry if name.partition(".")[0] in ("arith", "math")}
    assert scalars - set(NAMES) == set(NO_CASE)
    assert not {name for name in scalars - set(NO_CASE) if not has_row(TABLE, name)}
    # Casts that change no bit are tried by every cast of a ui8 in tests/conformance.
    kept = {"builtin.unrealized_conversion_cast", *TREES}
    assert {key.partition(" ")[0] for key in TABLE} == scalars - set(NO_CASE) | kept


def test_a_double_is_rounded_to_f16_once(run: Run) -> None:
    # Slightly above a tie of f16: through f32 it would become the tie and round to even.
    values = np.array([1 + 2**-11 + 2**-40, 1 + 2**-11, 1 + 3 * 2**-11, 2**-25 + 2**-60, 65519.99])
    module = job_of(arith.TruncF, [Case((ty.f64,), ty.f16, "", len(values))], "x86-64-v2")
    got = run(module, values, np.zeros(len(values), np.float16))[-1]
    np.testing.assert_array_equal(got, values.astype(np.float16))
    assert got[0] != values.astype(np.float32).astype(np.float16)[0]


@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3"])
def test_every_half_widens_and_narrows(level: str, run: Run) -> None:
    """All 65536 values and the values between them, bit for bit, except NaN."""
    if level not in host_levels():
        pytest.skip(f"this machine does not run {level}")
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    for wide in (np.float32, np.float64):
        element = ty.f32 if wide is np.float32 else ty.f64
        module = job_of(arith.ExtF, [Case((ty.f16,), element, "", len(halves))], level)
        got = run(module, halves, np.zeros(len(halves), wide))[1]
        np.testing.assert_array_equal(got, halves.astype(wide))
        np.testing.assert_array_equal(np.signbit(got), np.signbit(halves))
        ordered = np.sort(halves[np.isfinite(halves)]).astype(wide)
        middle = (ordered[1:] + ordered[:-1]) / 2
        ends = np.array([65520, 65519.99, 1e30, np.inf, np.nan, 1e-45], wide)
        values = np.concatenate([np.nextafter(middle, wide(np.inf)), middle,
                                 np.nextafter(middle, wide(-np.inf)), ends, -ends])  # fmt: skip
        module = job_of(arith.TruncF, [Case((element,), ty.f16, "", len(values))], level)
        got = run(module, values, np.zeros(len(values), np.float16))[1]
        with np.errstate(over="ignore"):
            want = values.astype(np.float16)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(np.signbit(got), np.signbit(want))
