"""Every vector op, compiled, equals its class's reference for all widths."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from assembly import undefined_symbols

from penstock.codegen.objects.llvm import LEVELS, compile_assembly, compile_object, target_machine
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.codegen.text.parts.text_target import TEXT_TARGETS
from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.dialects.vector import VectorOp
from penstock.ir.meaning.evaluate_generic import scalar
from penstock.ir.types import VectorType
from penstock.runtime.native import processor

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]

# One op on %a, %b and %c, whose types are those in its text.
EXACT = {
    "add": "arith.addf %a, %b : vector<{n}xf32>",
    "add rows": "arith.addf %a, %b : vector<3x{n}xf32>",
    "compare": "arith.cmpf olt, %a, %b : vector<{n}xf32>",
    "select": "arith.select %a, %b, %c : vector<{n}xi1>, vector<{n}xf32>",
    "select all": "arith.select %a, %b, %c : vector<2x{n}xf32>",
    "widen": "arith.extf %a : vector<{n}xf32> to vector<{n}xf64>",
    "narrow": "arith.truncf %a : vector<{n}xf64> to vector<{n}xf32>",
    "widen half": "arith.extf %a : vector<{n}xf16> to vector<{n}xf32>",
    "narrow to half": "arith.truncf %a : vector<{n}xf32> to vector<{n}xf16>",
    "widen brain float": "arith.extf %a : vector<{n}xbf16> to vector<{n}xf32>",
    "add halves": "arith.addf %a, %b : vector<{n}xf16>",
    "convert": "arith.sitofp %a : vector<{n}xi8> to vector<{n}xf32>",
    "divide": "arith.divsi %a, %b : vector<{n}xi32>",
    "remainder": "arith.remsi %a, %b : vector<{n}xi64>",
    "fma": "vector.fma %a, %b, %c : vector<{n}xf32>",
    "fma rows": "vector.fma %a, %b, %c : vector<2x{n}xf32>",
    "splat": "vector.broadcast %a : f32 to vector<{n}xf32>",
    "splat rows": "vector.broadcast %a : f64 to vector<2x{n}xf64>",
    "repeat rows": "vector.broadcast %a : vector<{n}xf32> to vector<3x{n}xf32>",
    "repeat a column": "vector.broadcast %a : vector<3x1xf32> to vector<3x{n}xf32>",
    "outer": "vector.outerproduct %a, %b, %c : vector<5xf32>, vector<{n}xf32>",
    "outer of doubles": "vector.outerproduct %a, %b, %c : vector<6xf64>, vector<{n}xf64>",
    "outer of integers": "vector.outerproduct %a, %b, %c : vector<3xi32>, vector<{n}xi32>",
    "outer alone": "vector.outerproduct %a, %b : vector<{n}xf32>, vector<4xf32>",
    "scaled sum": "vector.outerproduct %a, %b, %c : vector<{n}xf32>, f32",
    "sum": "vector.reduction <add>, %a : vector<{n}xf32> into f32",
    "sum on": "vector.reduction <add>, %a, %b : vector<{n}xf64> into f64",
    "product": "vector.reduction <mul>, %a : vector<{n}xf32> into f32",
    "largest": "vector.reduction <maximumf>, %a : vector<{n}xf32> into f32",
    "smallest": "vector.reduction <minimumf>, %a, %b : vector<{n}xf32> into f32",
    "integer sum": "vector.reduction <add>, %a : vector<{n}xi32> into i32",
    "largest integer": "vector.reduction <maxsi>, %a : vector<{n}xi64> into i64",
    "parity": "vector.reduction <xor>, %a : vector<{n}xi8> into i8",
    "all": "vector.reduction <and>, %a : vector<{n}xi1> into i1",
    "sum of rows": "vector.multi_reduction <add>, %a, %b [0] : vector<3x{n}xf32> to "
    "vector<{n}xf32>",
    "an element": "vector.extract %a[{m}] : f32 from vector<{n}xf32>",
    "a row": "vector.extract %a[1] : vector<{n}xf32> from vector<3x{n}xf32>",
    "an element of a row": "vector.extract %a[2, {m}] : i8 from vector<3x{n}xi8>",
    "put an element": "vector.insert %a, %b [{m}] : f32 into vector<{n}xf32>",
    "put a row": "vector.insert %a, %b [1] : vector<{n}xf32> into vector<2x{n}xf32>",
    "a part": "vector.extract_strided_slice %a {{offsets = [{h}], sizes = [{h}], strides = [1]}} : "
    "vector<{n}xf32> to vector<{h}xf32>",
    "a part of rows": "vector.extract_strided_slice %a {{offsets = [1], sizes = [2], strides = "
    "[1]}} : vector<4x{n}xf32> to vector<2x{n}xf32>",
    "put a part": "vector.insert_strided_slice %a, %b {{offsets = [{h}], strides = [1]}} : "
    "vector<{h}xf32> into vector<{n}xf32>",
    "transpose": "vector.transpose %a, [1, 0] : vector<5x{n}xf32> to vector<{n}x5xf32>",
    "transpose doubles": "vector.transpose %a, [1, 0] : vector<{n}x4xf64> to vector<4x{n}xf64>",
    "transpose bytes": "vector.transpose %a, [1, 0] : vector<{n}x9xi8> to vector<9x{n}xi8>",
    "transpose a square": "vector.transpose %a, [1, 0] : vector<{n}x{n}xi32> to "
    "vector<{n}x{n}xi32>",
    "transpose in three": "vector.transpose %a, [1, 0, 2] : vector<2x3x{n}xf32> to "
    "vector<3x2x{n}xf32>",
    "turn in three": "vector.transpose %a, [2, 0, 1] : vector<2x3x{n}xf32> to vector<{n}x2x3xf32>",
    "flatten": "vector.shape_cast %a : vector<3x{n}xf32> to vector<{t}xf32>",
    "fold": "vector.shape_cast %a : vector<{t}xf32> to vector<{n}x3xf32>",
    "shuffle": "vector.shuffle %a, %b [{m}, 0, {n}, 1] : vector<{n}xf32>, vector<{n}xf32>",
    "shuffle rows": "vector.shuffle %a, %b [3, 0] : vector<2x{n}xf32>, vector<2x{n}xf32>",
    "bits": "vector.bitcast %a : vector<{n}xf32> to vector<{n}xi32>",
    "pairs of bits": "vector.bitcast %a : vector<2x{d}xbf16> to vector<2x{n}xi32>",
    "halves of bits": "vector.bitcast %a : vector<2x{n}xi32> to vector<2x{d}xi16>",
    "interleave": "vector.interleave %a, %b : vector<2x{n}xbf16> -> vector<2x{d}xbf16>",
    "step": "vector.step : vector<{n}xindex>",
    "constant mask": "vector.constant_mask [{h}] : vector<{n}xi1>",
    "mask of rows": "vector.constant_mask [2, {h}] : vector<3x{n}xi1>",
    "mask": "vector.create_mask %a : vector<{n}xi1>",
}  # fmt: skip
WIDTHS = (2, 3, 8, 13, 24)


def runs_here(level: str) -> bool:
    """Whether this machine runs code for a level."""
    return processor.supports(level)


def memref_of(type: Any) -> str:
    """A buffer for a value; a scalar is in a buffer of one element."""
    if isinstance(type, VectorType):
        return "memref<" + "".join(f"{n}x" for n in type.shape) + f"{type.element}>"
    return f"memref<1x{type}>"


def read(name: str, type: Any) -> str:
    """Load a value from the buffer of its name."""
    if not isinstance(type, VectorType):
        return f"%{name} = memref.load %m{name}[%c0] : {memref_of(type)}"
    zeros = ", ".join(["%c0"] * type.rank)
    bounds = ", ".join(["true"] * type.rank)
    return (
        f"%p{name} = arith.constant {'0.0' if str(type.element)[0] in 'fb' else '0'} : "
        f"{type.element}\n%{name} = vector.transfer_read %m{name}[{zeros}], %p{name} "
        f"{{in_bounds = [{bounds}]}} : {memref_of(type)}, {type}"
    )


def write(type: Any) -> str:
    """Store the result in its buffer."""
    if not isinstance(type, VectorType):
        return f"memref.store %r, %mr[%c0] : {memref_of(type)}"
    zeros = ", ".join(["%c0"] * type.rank)
    bounds = ", ".join(["true"] * type.rank)
    target = f"%mr[{zeros}] {{in_bounds = [{bounds}]}}"
    return f"vector.transfer_write %r, {target} : {type}, {memref_of(type)}"


def the_op(line: str, types: dict[str, str]) -> Operation:
    """The op of a line, parsed, with operands of these types."""
    taken = ", ".join(f"%{name}: {type}" for name, type in types.items())
    module = parse_module(f"func.func @f({taken}) {{ %r = {line}\n return }}")
    (op, _) = module.job.body
    return op


def operand_types(line: str) -> dict[str, str]:
    """The operand types, found by trial, since the text names most of them."""
    names = re.findall(r"%([abc])\b", line.partition(" : ")[0])
    rest = line.partition(" : ")[2]
    kinds = re.findall(r"vector<[\dx]+\w+>|\b(?:f32|f64|i\d+|index)\b", rest)
    name = line.split()[0]
    if name == "arith.select":
        condition = kinds[0] if len(kinds) == 2 else "i1"
        return {"a": condition, "b": kinds[-1], "c": kinds[-1]}
    if name in ("vector.fma", "vector.interleave") or (
        name.startswith("arith") and len(kinds) == 1
    ):
        types = dict.fromkeys(names, kinds[0])
        return types
    if name == "vector.extract":
        return {"a": kinds[-1]}
    if name == "vector.create_mask":
        return {"a": "index"}
    if name == "vector.reduction":
        return dict(zip(names, (kinds[0], kinds[-1]), strict=False))
    if name == "vector.outerproduct":
        left, right = kinds
        shape = "x".join(re.findall(r"\d+(?=x)", left) + re.findall(r"\d+(?=x)", right))
        product = f"vector<{shape}x{re.split('x|<|>', left)[-2]}>"
        return dict(zip(names, (left, right, product), strict=False))
    return dict(zip(names, kinds, strict=False))


def numbers(type: Any, seed: int) -> Array:
    """Small values of a type, so that integer sums do not overflow; divisors are not 0."""
    shape = type.shape if isinstance(type, VectorType) else (1,)
    element = type.element if isinstance(type, VectorType) else type
    random = np.random.default_rng(seed)
    dtype = numpy_dtype(element)
    values = random.integers(1, 6, shape) * random.choice([-1, 1], shape)
    if dtype.kind == "f" or str(dtype) == "bfloat16":
        return np.asarray(values * 0.37 + 0.01, dtype)
    return np.asarray(values > 0 if dtype.kind == "b" else values, dtype)


def module_of(level: str, *lines: str) -> tuple[str, list[Operation]]:
    """A job with one op per line, each on its own feeds, and the ops."""
    ops, taken, body = [], [], []
    for number, line in enumerate(lines):
        types = operand_types(line)
        op = the_op(line, types)
        result = op.results[0].type
        pairs = list(zip(types, op.operands, strict=True))
        feeds = [f"%m{n}: {memref_of(v.type)}" for n, v in pairs] + [f"%mr: {memref_of(result)}"]
        steps = [*(read(n, v.type) for n, v in pairs), f"%r = {line}", write(result)]
        taken += [own(number, feed) for feed in feeds]
        body += [own(number, step) for step in steps]
        ops.append(op)
    return (
        f'module attributes {{job.target = "{level}"}} {{ func.func @job({", ".join(taken)}) {{\n'
        "%c0 = arith.constant 0 : index\n" + "\n".join(body) + "\nreturn } }"
    ), ops


def own(number: int, text: str) -> str:
    """The text with unique names, except for the shared constant."""
    return re.sub(r"%(?!c0\b)(\w+)", rf"%\1_{number}", text)


@pytest.mark.sampled
@pytest.mark.parametrize("level", [level for level in LEVELS if runs_here(level)])
@pytest.mark.parametrize("name", EXACT)
def test_ops_agree_with_their_reference(name: str, level: str, run: Run) -> None:
    """All widths are one job; separate jobs would take twice as long."""
    lines = [EXACT[name].format(n=n, m=n - 1, h=n // 2, t=3 * n, d=2 * n) for n in WIDTHS]
    source, ops = module_of(level, *lines)
    values = [[numbers(v.type, i) for i, v in enumerate(op.operands)] for op in ops]
    arrays = [
        [*g, np.zeros_like(numbers(op.results[0].type, 9))]
        for g, op in zip(values, ops, strict=True)
    ]
    results = iter(run(source, *(array for group in arrays for array in group)))
    for op, operands, group in zip(ops, values, arrays, strict=True):
        *_, got = (next(results) for _ in group)
        want = expected(op, [g if isinstance(v.type, VectorType) else g[0]
                             for g, v in zip(operands, op.operands, strict=True)])  # fmt: skip
        want = np.asarray(want, got.dtype).reshape(got.shape)
        if level == "x86-64-v2" and op.name in ("vector.fma", "vector.outerproduct"):
            # One extra rounding, of a product below 8.
            np.testing.assert_allclose(got, want, rtol=2e-7, atol=8 * 2**-24)
        else:
            np.testing.assert_array_equal(got, want)


def expected(op: Operation, given: list[Any]) -> Array:
    """The result by the op class's reference."""
    if isinstance(op, VectorOp):
        return op.reference(*map(np.asarray, given))
    return np.asarray(scalar(op, [np.asarray(value) for value in given]))


@pytest.mark.sampled
@pytest.mark.parametrize("level", [level for level in LEVELS if not TEXT_TARGETS[level].dots])
@pytest.mark.parametrize("name", EXACT)
def test_objects_of_every_level_call_nothing(name: str, level: str) -> None:
    """Including levels that this machine lacks, whose results are tested elsewhere."""
    source, _ = module_of(level, EXACT[name].format(n=13, m=12, h=6, t=39, d=26))
    code = compile_object(emit_llvm(parse_module(source)), level)
    assert not undefined_symbols(code)


CONSTANT = re.compile(r"^@(\S+) = private unnamed_addr constant <8 x float> ", re.MULTILINE)


def test_four_interleaved_vectors_read_their_constants_from_memory() -> None:
    """Each constant is a memory operand of its user: there are no separate loads or broadcasts."""
    source, _ = module_of("x86-64-v3", "math.erf %a : vector<32xf32>")
    text = emit_llvm(parse_module(source))
    names = CONSTANT.findall(text.text)
    asm = compile_assembly(text, target_machine("x86-64-v3")).splitlines()
    reading = [line.split() for line in asm if any(f".L{name}(%rip)" in line for name in names)]
    arithmetic = [words for words in reading if re.match(r"v(fn?m|add|sub|mul)", words[0])]
    assert len(names) > 12
    assert len(arithmetic) >= 4 * len(names) - 8
    assert (
        sum(words[0].startswith("vbroadcast") for words in map(str.split, filter(None, asm))) < 12
    )


@pytest.mark.parametrize(
    ("width", "level"), [(8, "x86-64-v3"), (24, "x86-64-v3"), (16, "x86-64-v2"), (64, "x86-64-v4")]
)
def test_other_vectors_have_immediate_constants(width: int, level: str) -> None:
    source, _ = module_of(level, f"math.erf %a : vector<{width}xf32>")
    assert "private unnamed_addr constant" not in emit_llvm(parse_module(source)).text


@pytest.mark.parametrize("name", ["exp", "tanh", "erf", "log", "sin"])
def test_the_source_of_constants_changes_no_bit(name: str, run: Run) -> None:
    if not runs_here("x86-64-v3"):
        pytest.skip("this machine lacks AVX2")
    got = []
    values = np.linspace(-30, 30, 32, dtype=np.float32)
    for width in (8, 32):
        source, _ = module_of("x86-64-v3", f"math.{name} %a : vector<{width}xf32>")
        parts = values.reshape(-1, width)
        got.append(np.concatenate([run(source, part, np.zeros_like(part))[-1] for part in parts]))
    np.testing.assert_array_equal(got[0].view(np.int32), got[1].view(np.int32))
