"""Every access at `loops`, compared with the indexing maps at `fused`: see access_oracle.py."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from access_cases import KINDS, case
from access_oracle import Held, Memory, check_numbers, hold
from tensor_programs import FUSED

from penstock.codegen.jobs.program import compile_module
from penstock.ir import types as ty
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.passes.analysis import generics
from penstock.passes.loops.tiles import patches
from penstock.passes.manager import run_pipeline
from penstock.runtime.native.shared_code import load_shared

Array = np.ndarray[Any, Any]
CASES = int(os.environ.get("PENSTOCK_ACCESS_CASES", "58"))
CHUNK = len(KINDS)
NATIVE = range(1, CHUNK, 3)
"""The cases that also run as machine code."""


def held(seed: int) -> Held:
    found = case(seed)
    target = "x86-64-v4" if seed % 3 else "x86-64-v3"
    run_pipeline(found.module, FUSED, verify_each=False)
    return hold(found.module, found.arguments, target)


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_loops_access_what_the_maps_say(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if first % 2:
        monkeypatch.setattr(patches, "GRID_TASK_CYCLES", 16)  # parallelise small tensors, too
    total = Held()
    for seed in range(first, min(first + CHUNK, CASES)):
        total += held(seed)
    print(total)
    assert total.ops >= min(CHUNK, CASES - first)
    assert total.points > 1000


JOB = """
module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
  func.func @job({arguments}) -> ({result} {{job.fetch = "0"}}) {{
    {body}
    func.return %y : {result}
  }}
}}"""


def generic(maps: Sequence[str], kinds: str, ins: Sequence[str], out: str, body: str) -> Module:
    """A job of one generic; `ins` and `out` are types, `kinds` has a letter per dimension."""
    names = [f"%x{i}" for i in range(len(ins) + 1)]
    types = [*ins, out]
    arguments = ", ".join(
        f'{n}: {t} {{job.feed = "{n[1:]}"}}' for n, t in zip(names, types, strict=True)
    )
    iterators = ", ".join('"parallel"' if kind == "p" else '"reduction"' for kind in kinds)
    scalars = ", ".join(f"%a{i}: {t.split('x')[-1][:-1]}" for i, t in enumerate(types))
    *operands, written = names
    op = (
        f"%y = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}], "
        f"iterator_types = [{iterators}]}} ins({', '.join(operands)} : {', '.join(ins)}) "
        f"outs({written} : {out}) {{\n^bb0({scalars}):\n{body}\n}} -> {out}"
    )
    text = JOB.format(arguments=arguments, result=out, body=op)
    return parse_module(text)


COPY = "linalg.yield %a0 : f32"
EXP = "%e = math.exp %a0 : f32\nlinalg.yield %e : f32"
FMA = "%s = math.fma %a0, %a1, %a2 : f32\nlinalg.yield %s : f32"
MATRIX = "tensor<64x64xf32>"
MAPS = {
    "written backward": ([f"(d0, d1) -> ({at})" for at in ("d0, d1", "d0, -d1 + 63")], "pp",
                         [MATRIX], MATRIX, EXP),
    "written backward, in rows": ([f"(d0, d1) -> ({at})" for at in ("d0, d1", "-d0 + 63, d1")],
                                  "pp", [MATRIX], MATRIX, EXP),
    "a diagonal": ([f"(d0, d1) -> ({at})" for at in ("d1, d0, d0", "d0, d1")], "pp",
                   ["tensor<32x64x64xf32>"], "tensor<64x32xf32>", COPY),
    "mod and floordiv": (
        [f"(d0, d1) -> ({at})" for at in ("d0 floordiv 2, (d1 + 3) mod 64", "d0, d1")], "pp",
        ["tensor<32x64xf32>"], MATRIX, EXP),
    "a product of diagonals": (
        [f"(d0, d1, d2) -> ({at})" for at in ("d0, d0, d2", "d2, d1", "d0, d1")], "ppr",
        ["tensor<9x9x7xf32>", "tensor<7x20xf32>"], "tensor<9x20xf32>", FMA),
    "a product by mod": (
        [f"(d0, d1, d2) -> ({at})" for at in ("(d0 + 2) mod 9, d2", "d2, d1", "d0, d1")], "ppr",
        ["tensor<9x7xf32>", "tensor<7x20xf32>"], "tensor<9x20xf32>", FMA),
    "rows and lanes in one subscript": (
        [f"(d0, d1, d2) -> ({at})" for at in ("d0 * 16 + d1 + d2", "d2", "d0, d1")], "ppr",
        ["tensor<150xf32>", "tensor<7xf32>"], "tensor<8x16xf32>", FMA),
    "a sum taken backward": (
        [f"(d0, d1, d2) -> ({at})"
         for at in ("d0, -d2 + 6", "-d2 + 6, -d1 + 19", "d2", "d0, d1")], "ppr",
        ["tensor<9x7xf32>", "tensor<7x20xf32>", "tensor<7xf32>"], "tensor<9x20xf32>",
        FMA.replace("%a2", "%a3")),
    "the only window of longer rows": (
        [f"(d0, d1, d2, d3, d4) -> ({at})"
         for at in ("d0, d3, d2 + d4", "d1, d3, d4", "d1, d0, d2")],
        "ppprr", ["tensor<20x3x6xf32>", "tensor<9x3x4xf32>"], "tensor<9x20x1xf32>", FMA),
}  # fmt: skip


@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v4"])
@pytest.mark.parametrize("name", MAPS)
def test_any_map_is_lowered_correctly(name: str, target: str) -> None:
    """A lowering that cannot handle a map leaves the group to another one."""
    module = generic(*MAPS[name])
    draw = np.random.default_rng(3)
    shapes = [generics.shape_of(value) for value in module.job.arguments]
    arrays = [draw.standard_normal(shape).astype(np.float32) for shape in shapes]
    run_pipeline(module, "outline-groups", verify_each=False)
    assert hold(module, arrays, target).ops == 1


def run_guarded(module: Module, given: Sequence[Array]) -> list[Array]:
    """Run one step as machine code on buffers with guard gaps, and return its fetches.
    AssertionError if a gap was written.
    """
    program = compile_module(module)
    described = program.description
    types = []
    for argument in described["arguments"]:
        shape = argument.get("shape", [described["arena"]["bytes"]])
        element = {"f32": ty.f32, "i32": ty.i32}.get(argument.get("dtype"), ty.i8)
        types.append(ty.MemRefType(tuple(shape), element))
    memory, fetched = Memory(types), []
    for i, argument in enumerate(described["arguments"]):
        if argument["role"] == "feed":
            memory.buffer(i)[...] = given[int(argument["name"][1:])]
        elif argument["role"] == "fetch":
            fetched.append(memory.buffer(i))
    code = load_shared(program.image, "job")
    address = code.address(described["entry"])
    entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(address)
    context = (ctypes.c_void_p * 5)()
    places = [memory.address + start for start in memory.starts]
    table = (ctypes.c_void_p * len(places))(*places)
    assert not entry(ctypes.addressof(context), ctypes.addressof(table))
    assert memory.gaps_hold(), "machine code writes between its buffers"
    return fetched


def check_native(module: Module, given: Sequence[Array]) -> None:
    wanted = interpret(module, given, promote=True)
    run_pipeline(module, f"{FUSED},bufferize", verify_each=False)
    for got, exact in zip(run_guarded(module, given), wanted, strict=True):
        check_numbers(got, exact, print_module(module))


@pytest.mark.parametrize("seed", NATIVE)
def test_machine_code_stays_within_its_buffers(seed: int) -> None:
    """The gaps between buffers are NaN, so reading them shows in the results."""
    found = case(seed)
    check_native(found.module, found.arguments)


def job_of(arguments: Sequence[str], result: str, body: str) -> Module:
    named = ", ".join(f'%x{i}: {t} {{job.feed = "x{i}"}}' for i, t in enumerate(arguments))
    return parse_module(JOB.format(arguments=named, result=result, body=body))


@pytest.mark.parametrize("window", [5, 11])
def test_the_padded_image_is_transposed(window: int) -> None:
    """A copy of the padded image has two dimensions, and both are transposed."""
    x, w = "tensor<1x64x1x1600xf32>", f"tensor<64x64x1x{window}xf32>"
    half, zeros = window // 2, "array<i64: 0, 0, 0, 0>"
    wide = f"tensor<1x64x1x{1600 + 2 * half}xf32>"
    ends = f"array<i64: 0, 0, 0, {half}>"
    module = job_of([x, w], x, f"""
    %p = "flow.pad"(%x0) {{before = {ends}, after = {ends}, inside = {zeros}, value = 0.0}}
        : ({x}) -> {wide}
    %y = "flow.conv"(%p, %x1) {{strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
        channels_last = false}} : ({wide}, {w}) -> {x}""")  # fmt: skip
    draw = np.random.default_rng(window)
    arrays = [draw.standard_normal(generics.shape_of(v)).astype("f4") for v in module.job.arguments]
    check_native(module, arrays)


NOTHING = "tensor<0x6xf32>"
EMPTY = {
    "returned": (NOTHING, ""),
    "summed": ("tensor<6xf32>", '%y = "flow.reduce_sum"(%j) {axes = array<i64: 0>, '
               f"keepdims = false}} : ({NOTHING}) -> tensor<6xf32>"),
    "in another shape": ("tensor<6x0xf32>", '%y = "flow.reshape"(%j) {shape = array<i64: 6, 0>} '
                         f": ({NOTHING}) -> tensor<6x0xf32>"),
    "by a kernel": (NOTHING, '%y, %i = "flow.sort"(%j) {descending = false} '
                    f": ({NOTHING}) -> ({NOTHING}, tensor<0x6xi32>)"),
}  # fmt: skip


@pytest.mark.parametrize("use", EMPTY)
def test_empty_tensors_are_concatenated(use: str) -> None:
    """The concatenation is never written, but it is read."""
    result, body = EMPTY[use]
    name = "%j" if body else "%y"
    joined = f"""%e = "flow.slice"(%x0) {{starts = array<i64: 0, 0>, sizes = array<i64: 0, 3>,
        steps = array<i64: 1, 1>}} : (tensor<2x3xf32>) -> tensor<0x3xf32>
    {name} = "flow.concat"(%e, %e) {{axis = 1}} : (tensor<0x3xf32>, tensor<0x3xf32>) -> {NOTHING}"""
    module = job_of(["tensor<2x3xf32>"], result, f"{joined}\n{body}")
    check_native(module, [np.ones((2, 3), np.float32)])
