"""Limits on counts: instructions, spills, kernels, bytes. Times are not tested.

The jobs are those of the benchmarks.
"""

from __future__ import annotations

import importlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from shared.loops import Loop, innermost_loops

import penstock as flow
import penstock.typing as tp
from penstock.codegen.host import host_levels
from penstock.codegen.jobs.program import compile_module
from penstock.codegen.objects import llvm
from penstock.codegen.objects.objects import assembly
from penstock.codegen.objects.units import split
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.codegen.text.parts.text_target import TEXT_TARGETS
from penstock.ir.attributes import StringAttr
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import func, memref
from penstock.ir.dialects.builtin import Module
from penstock.ir.meaning.stack import BESIDE, beside, scratch
from penstock.ir.types import byte_width
from penstock.lowering.modules import Modules
from penstock.passes.buffers.stacks import LITTLE

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the benchmarks that defines our jobs."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("peers.ours")


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the benchmarks that counts instructions, in a C program."""
    if shutil.which("cc") is None:
        pytest.skip("instructions are counted in a C program; no C compiler here")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("counting")


@pytest.fixture(params=["x86-64-v3", "x86-64-v4"])
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A processor level to lower jobs for; the counts are the same on every machine."""
    name: str = request.param
    monkeypatch.setenv("PENSTOCK_TARGET", name)
    return name


@pytest.fixture
def lanes(level: str) -> int:
    """The number of f32 per register at the level; skips if this machine cannot run its code."""
    if level not in host_levels():
        pytest.skip(f"this machine cannot run code for {level}")
    return TEXT_TARGETS[level].lanes


def loops_of(ours: ModuleType, workload: str) -> Module:
    """A workload's job at stage `loops`, for the level that the environment names.

    Tests share it and must not change it.
    """
    return _loops_of(ours, workload, os.environ["PENSTOCK_TARGET"])


@cache
def _loops_of(ours: ModuleType, workload: str, level: str) -> Module:
    module: Module = job_of(ours, workload).lower().modules["loops"]
    assert module.attributes["job.target"] == StringAttr(level)
    return module


def assembly_of(ours: ModuleType, workload: str) -> str:
    """The assembly of a workload's job for the level that the environment names; nothing is run.

    Tests share it.
    """
    return _assembly_of(ours, workload, os.environ["PENSTOCK_TARGET"])


@cache
def _assembly_of(ours: ModuleType, workload: str, level: str) -> str:
    return assembly(emit_llvm(_loops_of(ours, workload, level)), level)


def job_of(ours: ModuleType, workload: str) -> Any:
    """The job of a workload, defined and not compiled."""
    known = {w.id: w for w in ours.workloads.WORKLOADS}
    chosen = known[workload]
    with pytest.MonkeyPatch.context() as patch:
        # It would start the session and load the code of every job into this process.
        patch.setattr(flow, "load_variables", lambda values: None)
        ours.cases("penstock", 1)[chosen.kind](chosen)
    return ours.defined_last()


def hottest(loops: list[Loop]) -> Loop:
    """The inner loop with the most multiply-adds."""
    return max(loops, key=Loop.multiply_adds)


def test_the_limit_by_arithmetic_is_that_of_the_same_instructions(
    counting: ModuleType, lanes: int, tmp_path: Path
) -> None:
    """Its iterations store each element of the chain once. In the timed loop only accumulators
    depend on other instructions.
    """
    arithmetic = importlib.import_module("arithmetic")
    loop = max(arithmetic.loops_of("w3.chain.64K", tmp_path), key=lambda loop: loop.turns)
    stores = [text for text in loop.instructions if re.match(r"vmov.*[^p]\)$", text)]
    assert loop.turns * len(stores) == 65536 / lanes
    text = arithmetic.assembly([loop])
    assert text.count("vdiv") == "\n".join(loop.instructions).count("vdiv") > 0
    for line in text.splitlines():
        *sources, _ = re.findall(r"[xyz]mm(\d+)", line) or [""]
        assert {*map(int, sources)} <= {0, 1, 2}, line


GEMMS = ("512x512x512", "100x784x512", "100x512x10", "32x512x2048", "1024x1024x64")


CONVOLUTIONS = ("stem7x7s2.nchw", "64x56k3.nchw", "64x56k3.nhwc", "512x7k3.nchw")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "workload",
    [
        *(f"w1.gemm.{shape}" for shape in GEMMS),
        *(f"w2.fwd.{shape}" for shape in CONVOLUTIONS),
    ],
)
def test_the_inner_loop_of_a_matmul_is_multiply_adds(
    ours: ModuleType, level: str, workload: str
) -> None:
    loop = hottest(innermost_loops(assembly_of(ours, workload)))
    multiply_adds = loop.multiply_adds()
    # A step of the sum is 12 of them, 6 broadcasts and 2 loads; an iteration of four steps counts
    # once. Windows may have too few steps for that. The first tiles also pack, and others prefetch.
    packs = loop.count(r"vmov\w+\s+%[xyz]mm\d+, .*\(|prefetch") if ".gemm." in workload else 0
    least = 0.55 if ".gemm." in workload else 0.5
    assert multiply_adds / (len(loop.lines) - packs) >= least, loop
    assert not loop.spilled()


@pytest.mark.parametrize("size", [512, 1024])
def test_every_other_512_bit_fma_has_an_embedded_broadcast(
    ours: ModuleType, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """For unpacked and packed rows; with an indexed address the instruction would be
    unlaminated.
    """
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v4")
    loop = hottest(innermost_loops(assembly_of(ours, f"w1.gemm.{size}x{size}x{size}")))
    repeating = [line for line in loop.lines if "{1to16}" in line]
    assert len(repeating) == loop.multiply_adds() / 2  # for tiles with an even number of rows
    assert all(re.search(r"\(%r\w+\)\{1to16\}", line) for line in repeating)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "workload",
    [
        *(f"w1.gemm.{shape}" for shape in GEMMS),
        "w3.softmax.4096x1024",
        "w3.layernorm.fwd.4096x1024",
        "w3.layernorm.fwdbwd.4096x1024",
        "w3.linear_gelu.512x1024x4096",
        "w3.sum.axis0.4096x4096",
        "w3.sum.axis1.4096x4096",
        "w4.train.mlp",
        "w4.train.lenet",
        "w4.infer.mlp.b1",
    ],
)
def test_no_inner_loop_spills_a_vector(ours: ModuleType, level: str, workload: str) -> None:
    loops = innermost_loops(assembly_of(ours, workload))
    assert loops, "no loop was found"
    assert not [loop for loop in loops if loop.spilled()]


@pytest.mark.parametrize("shape", ["512x512x512", "100x784x512", "100x512x10"])
def test_matmuls_fit_few_registers(
    ours: ModuleType, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v2")
    loops = innermost_loops(assembly_of(ours, f"w1.gemm.{shape}"))
    assert loops, "no loop was found"
    assert not [loop for loop in loops if loop.spilled()]


def test_bfloat16_matmuls_use_the_pair_instruction(
    ours: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = "x86-64-v4-bf16"
    monkeypatch.setenv("PENSTOCK_TARGET", level)
    module = job_of(ours, "w1.gemm_bf16.512x512x512").lower().modules["loops"]
    loops = innermost_loops(compile_module(module, level).asm)
    counts = [loop.count("vdpbf16ps") for loop in loops]
    # Tiles of 14 and of 13 rows, each of two vectors.
    assert sorted(n for n in counts if n) == [26, 28]
    assert all(2 * n > len(loop.lines) for n, loop in zip(counts, loops, strict=True) if n)
    assert not [loop for loop in loops if loop.spilled() or loop.count("vfmadd")]


def test_spill_slots_are_cache_line_aligned(
    ours: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v3")
    assembly = assembly_of(ours, "w3.chain.16M")
    (spilling,) = {loop.function for loop in innermost_loops(assembly) if loop.spilled()}
    body = assembly.partition(f"\n{spilling}:")[2].partition(f".size\t{spilling}")[0]
    assert "andq\t$-64, %rsp" in body
    assert not re.search(r"vmovup[sd]\t(?:%[yz]mm\d+, )?-?\d*\(%rsp\)", body)


def test_a_spill_is_detected() -> None:
    assembly = """
kernel:
	xorl	%eax, %eax
.LBB0_1:
	vmovups	%ymm2, 96(%rsp)
	vfmadd231ps	%ymm1, %ymm2, %ymm3
	vmovups	%ymm3, (%rdi,%rax)
	addq	$32, %rax
	jne	.LBB0_1
	retq
"""
    (loop,) = innermost_loops(assembly)
    assert loop.function == "kernel"
    assert loop.spilled() == ["vmovups	%ymm2, 96(%rsp)"]
    assert (len(loop.lines), loop.count("vfmadd")) == (5, 1)


# Workload -> the amount of work, and the most instructions per register of it, without prefetches.
INSTRUCTIONS = {
    # 24 for 12 multiply-adds or 60 for 28, and packing
    "w1.gemm.256x256x256": (256**3, 2),
    "w1.gemm.100x784x512": (100 * 784 * 512, 2),
    # of 16 lanes, for 10 columns
    "w1.gemm.100x512x10": (100 * 512 * 16, 2),
    # a hyperbolic tangent and a sigmoid
    "w3.chain.64K": (65536, 66),
    # the largest, exp and its sum, the quotient
    "w3.softmax.4096x1024": (4096 * 1024, 43),
    "w3.layernorm.fwd.4096x1024": (4096 * 1024, 18),
    "w3.layernorm.fwdbwd.4096x1024": (4096 * 1024, 53),
    # a sum of four vectors or eight rows goes into f64 at once
    "w3.sum.axis0.4096x4096": (4096 * 4096, 3.1),
    "w3.sum.axis1.4096x4096": (4096 * 4096, 3.3),
    "w4.train.mlp": (2 * 100 * 784 * 512 + 3 * 100 * 512 * 10, 2.1),
}


@pytest.mark.sampled
@pytest.mark.parametrize("workload", INSTRUCTIONS)
def test_a_step_takes_few_instructions(
    ours: ModuleType, counting: ModuleType, lanes: int, workload: str, tmp_path: Path
) -> None:
    elements, bound = INSTRUCTIONS[workload]
    instructions = counting.count(job_of(ours, workload).compile().program, tmp_path)
    counted = (one.count for one in instructions if not one.text.startswith("prefetch"))
    assert 1 <= sum(counted) / (elements // lanes) <= bound
    assert not counting.library_calls(instructions), "what the C library does is not counted"


LOOP = """
	.globl	job
job:
	xorl	%eax, %eax
	movq	$-8, %rcx
.LBB0_1:                                # flags and the red zone pass from block to block
	movl	%eax, -4(%rsp)
	cmpq	$-5, %rcx
	jge	.LBB0_3
	incl	-4(%rsp)
.LBB0_3:
	movl	-4(%rsp), %eax
	incq	%rcx
.LBB0_4:
	jne	.LBB0_1
	retq
"""
COUNTS = [1, 1, 8, 8, 8, 3, 8, 8, 8, 1]


def test_instructions_are_counted_under_the_old_interface(
    counting: ModuleType, tmp_path: Path
) -> None:
    main = tmp_path / "main.c"
    main.write_text("int job(void); int main(void) { return job() != 3; }")

    def link(parts: list[Path]) -> Path:
        subprocess.run(["cc", "-o", tmp_path / "main", main, *parts], check=True)
        return tmp_path / "main"

    counted = counting.Counted()
    counted.add(LOOP, {"job": "a.job"})
    instructions = counted.run(link, tmp_path)
    assert [one.count for one in instructions] == COUNTS
    assert counting.by_function(instructions) == {"a.job": sum(COUNTS)}
    assert [instructions[one.target].text for one in instructions if one.target is not None] == [
        "movl -4(%rsp), %eax",
        "movl %eax, -4(%rsp)",
    ]


def test_watch_points_without_a_handler_take_no_instructions(
    ours: ModuleType, counting: ModuleType, lanes: int, tmp_path: Path
) -> None:
    """All blobs of the job can be watched; a step tests one flag per blob."""
    first = job_of(ours, "w4.train.mlp").lower().modules["job"]
    counts = []
    for tapped in (False, True):
        modules = Modules("job", first, None, tapped)
        folder = tmp_path / str(tapped)
        folder.mkdir()
        program = compile_module(modules["loops"])
        counts.append(sum(one.count for one in counting.count(program, folder)))
    taps = len(program.description["taps"])
    assert taps > 20
    assert 0 < counts[1] - counts[0] <= 8 * taps


def kernels(job: Any) -> list[str]:
    """The groups that a step of a job calls, in order."""
    body = job.lower().modules["loops"].job.body
    return [op.callee for op in body if isinstance(op, func.Call)]


KERNELS = {
    "w1.gemm.512x512x512": 1,
    "w3.chain.16M": 1,
    "w3.softmax.4096x1024": 1,
    "w3.layernorm.fwd.4096x1024": 1,
    # the rows, and the two sums over them
    "w3.layernorm.fwdbwd.4096x1024": 3,
    "w3.linear_gelu.512x1024x4096": 1,
    "w3.sum.axis0.4096x4096": 1,
    "w4.infer.mlp.b100": 2,
    # Two matmuls forward, two kernels for the loss, three matmuls backward with fused updates, the
    # two biases, the step counter.
    "w4.train.mlp": 10,
}


@pytest.mark.parametrize("workload", KERNELS)
def test_a_step_is_few_kernels(ours: ModuleType, workload: str) -> None:
    called = kernels(job_of(ours, workload))
    assert len(called) <= KERNELS[workload], called


def stacks(body: Block) -> Iterator[tuple[Operation, int, int]]:
    """The calls with stacks in the arena, and the stacks' offsets and sizes."""
    for call in (call for op in body for call in op.walk()):
        if "job.stack" in call.attributes:
            yield call, *call.attributes["job.stack"].values


def buffers(job: Any) -> Iterator[tuple[int, int, int, int]]:
    """Start, end, first and last use of each view and stack in the arena."""
    body = job.lower().modules["loops"].job.body
    order = {op: place for place, op in enumerate(body)}

    def place(op: Operation) -> int:
        """The position of the ancestor of this op in the job's body."""
        while op not in order:
            assert op.parent is not None
            op = op.parent
        return order[op]

    def users(value: Value) -> Iterator[int]:
        for user in value.users():
            if user.results and user.pure:
                for result in user.results:
                    yield from users(result)
            else:
                yield place(user)

    for op in body:
        if isinstance(op, memref.View):
            start = op.byte_shift.owner.value.value
            size = prod(op.view.type.shape) * byte_width(op.view.type.element)
            uses = list(users(op.view))
            yield start, start + size, min(uses), max(uses)
    for call, start, size in stacks(body):
        yield start, start + size, place(call), place(call)


@pytest.mark.parametrize(
    "workload",
    [
        "w3.layernorm.fwdbwd.4096x1024",
        "w3.linear_gelu.512x1024x4096",
        "w4.infer.mlp.b100",
        "w4.train.mlp",
        "w7.tap.none",
    ],
)
def test_the_arena_is_the_maximum_of_live_bytes(ours: ModuleType, workload: str) -> None:
    job = job_of(ours, workload)
    found = list(buffers(job))
    most = 0
    for moment in {use for buffer in found for use in buffer[2:]}:
        # Bytes shared by two views, one of which reuses the other's buffer, count once.
        live = sorted((start, end) for start, end, first, last in found if first <= moment <= last)
        total = reached = 0
        for start, end in live:
            total += max(0, end - max(start, reached))
            reached = max(reached, end)
        most = max(most, total)
    arena = job.compile().program.description["arena"]["bytes"]
    assert max((end for _, end, _, _ in found), default=0) <= arena
    assert arena <= 1.05 * most, f"{arena} bytes for {most} live at once"


@pytest.mark.sampled
@pytest.mark.parametrize("workload", ["w3.layernorm.fwdbwd.4096x1024", "w4.train.mlp"])
def test_vector_code_skips_the_middle_end(ours: ModuleType, workload: str, level: str) -> None:
    """The middle end would take most of LLVM's time and change nothing."""
    units = split(emit_llvm(loops_of(ours, workload)).text)
    assert len(units) > 1
    assert [unit.name for unit in units if llvm.has_scalar_loops(unit.text)] == []


@pytest.mark.parametrize(
    ("shape", "optimised"), [((512, 512), ["@sort_0"]), ((4, 16), [])], ids=["large", "small"]
)
def test_long_scalar_loops_go_through_the_middle_end(
    shape: tuple[int, ...], optimised: list[str], level: str
) -> None:
    given = flow.FixedTensorDef(shape)

    @flow.global_function()
    def sort(x=given):  # type: ignore[no-untyped-def]
        return flow.sort(x, direction="ASCENDING")

    units = split(emit_llvm(sort.lower().modules["loops"]).text)
    assert [unit.name for unit in units if llvm.has_scalar_loops(unit.text)] == optimised


_FRAME = re.compile(r"subq\t\$(\d+), %rsp")
_LABEL = re.compile(r'^"?([A-Za-z_][^:"]*)"?:', re.MULTILINE)


@pytest.mark.parametrize(
    "workload",
    [
        "w1.gemm.1024x1024x1024", "w3.linear_gelu.512x1024x4096", "w3.layernorm.fwdbwd.4096x1024",
        "w4.train.mlp", "w4.train.lenet",
    ],
)  # fmt: skip
def test_stack_frames_are_mostly_scratch(ours: ModuleType, workload: str, level: str) -> None:
    """A group's own stack has room for its scratch and little else."""
    module = loops_of(ours, workload)
    most = max(scratch(function) for function in module.functions())
    given = [size for _, _, size in stacks(module.job.body)]
    large = [function for function in module.functions() if scratch(function) > LITTLE]
    needed = [scratch(function) + beside(function) for function in large]
    assert max(given, default=0) == max(needed, default=0)
    parts = _LABEL.split(assembly_of(ours, workload))[1:]
    # Pairs, since each unit names its sections separately.
    frames = [
        (max(map(int, _FRAME.findall(lines)), default=0), name)
        for name, lines in zip(parts[::2], parts[1::2], strict=True)
    ]
    assert len(frames) > 1
    for size, name in frames:
        if not name.startswith("part."):
            assert size < LITTLE, f"{name} of {size} bytes"
    assert most * 0.9 < max(frames)[0] <= most + BESIDE / 4


def events(call: Callable[[], object]) -> list[tuple[str, str]]:
    """The interpreter's events during a call: functions entered, in Python or C."""
    seen: list[tuple[str, str]] = []

    def profile(frame: Any, event: str, argument: Any) -> None:
        if argument is not sys.setprofile:
            seen.append((event, frame.f_code.co_name))

    sys.setprofile(profile)
    call()
    sys.setprofile(None)
    return seen


@pytest.mark.parametrize("workload", ["w3.chain.64K", "w4.train.mlp", "w5.add4.numpy_in"])
def test_a_call_is_native_from_end_to_end(ours: ModuleType, workload: str) -> None:
    job = job_of(ours, workload)
    feeds = [
        np.zeros(feed["shape"], np.int32 if feed["dtype"] == "i32" else np.float32)
        for feed in job.compile().program.description["arguments"]
        if feed["role"] == "feed"
    ]
    for _ in range(3):
        job(*feeds)
    # Only the profiled function and the job are entered.
    assert events(lambda: job(*feeds)) == [("call", "<lambda>"), ("return", "<lambda>")]


def test_a_step_takes_no_memory_from_the_system(ours: ModuleType) -> None:
    """Outputs of 16 MB, released after each step, reuse the memory of the last ones."""
    chosen = next(w for w in ours.workloads.WORKLOADS if w.id == "w3.softmax.4096x1024")
    step = ours.softmax(chosen)
    for _ in range(3):
        step()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(5):
        step()
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    assert faults < 100, f"{faults} page faults in 5 steps"


def test_a_step_allocates_no_array(ours: ModuleType) -> None:
    chosen = next(w for w in ours.workloads.WORKLOADS if w.id == "w3.softmax.4096x1024")
    step = ours.softmax(chosen)
    for _ in range(3):
        step()
    tracemalloc.start()
    try:
        for _ in range(5):
            step()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000, f"{peak} bytes"


def test_a_kept_result_is_not_overwritten() -> None:
    """The risk of reusing memory."""

    @flow.global_function()
    def double(x: tp.Numpy.Placeholder((1000,))) -> tp.Numpy:
        return x + x

    kept = [double(np.full(1000, number, np.float32)) for number in range(20)]
    parts = [double(np.full(1000, number, np.float32))[::7] for number in range(20)]
    for number, (whole, part) in enumerate(zip(kept, parts, strict=True)):
        assert (whole == 2 * number).all()
        assert (part == 2 * number).all()
