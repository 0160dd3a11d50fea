"""Attention for sm_90a: panels that tensor maps copy, products of warpgroups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from gpu_modules import Step
from scheduled_jobs import edit, ops_of, run, schedule
from test_attention import Case

from penstock.codegen.gpu.assembler import assemble, ptxas_path
from penstock.codegen.gpu.program import GpuProgram, compile_gpu
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.record import replace
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules
from penstock.passes.gpu.write.schedule_data import KEY
from penstock.runtime.gpu.simulator import SimulatorError


def scheduled(case: Case, **changes: Any) -> Module:
    """A call of attention at stage `scheduled`, with edits of its schedule."""
    module = case.module("attention")
    for op in ops_of(module):
        del op.attributes[KEY]
    run(module, "schedule{target=sm_90a}")
    (op,) = ops_of(module)
    edit(op, **changes)
    return module


def compiled(module: Module) -> GpuProgram:
    """The code of a scheduled call."""
    run(module, "bufferize{target=sm_90a}")
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    return compile_gpu(module, "sm_90a")


def errors(case: Case, program: GpuProgram, order: str) -> list[float]:
    """How far results are off, as parts of what is allowed."""
    results = case.results("attention")
    step = Step(program, [*case.arrays("attention"), *results], order)
    step.run(step.plan["steps"])
    found = []
    for got, wanted in zip(results, case.expected["attention"], strict=True):
        found.append(case.error(got, wanted))
    return found


long = pytest.mark.long
CASES: Sequence[Any] = (
    # type, queries, keys, features and width of values, causal, batch, order, edits
    ("bf16", (128, 256, 64, 64), False, (), "lazy", {"grid": 1}),
    ("bf16", (200, 300, 128, 128), True, (2, 1), "random:1", {}),
    ("f16", (40, 70, 16, 48), False, (2,), "eager", {}),
    ("bf16", (150, 150, 64, 64), True, (1,), "lazy",
     {"tile": [64, 48], "warpgroups": 1, "block": 256, "grid": 3, "stages": 3}),
    *(pytest.param(*given, marks=long) for given in (
        ("f16", (100, 230, 80, 64), False, (2,), "random:2", {}),
        ("f16", (384, 384, 64, 64), True, (1,), "lazy",
         {"tile": [192, 64], "warpgroups": 3, "block": 512, "grid": 2}),
        ("bf16", (130, 60, 32, 32), True, (1,), "random:3", {"swizzle": 32, "stages": 4}),
        ("bf16", (17, 1, 128, 16), True, (3,), "eager", {}),
        ("bf16", (129, 400, 192, 176), True, (1,), "lazy", {}),
        ("bf16", (70, 180, 256, 256), False, (1,), "random:4", {}),
        ("bf16", (300, 77, 64, 64), False, (2,), "random:5", {}),
        ("f16", (128, 512, 128, 128), False, (1,), "lazy", {}),
    )),
)  # fmt: skip


@pytest.mark.parametrize(("type", "shape", "causal", "batch", "order", "changes"), CASES)
def test_values(
    type: str, shape: tuple[int, ...], causal: bool, batch: tuple[int, ...], order: str,
    changes: dict[str, Any],
) -> None:  # fmt: skip
    case = Case(type, shape, causal, batch)
    module = scheduled(case, **changes)
    assert "warpgroups" in schedule(ops_of(module)[0])
    assert max(errors(case, compiled(module), order)) <= 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_values_of_random_shapes(seed: int) -> None:
    draw = np.random.default_rng(seed)
    queries, keys = (int(draw.integers(17, 400)) for _ in range(2))
    features, width = (16 * int(draw.integers(1, 9)) for _ in range(2))
    shape, causal = (queries, keys, features, width), bool(seed % 2)
    case = Case(("bf16", "f16")[seed // 2 % 2], shape, causal, (int(draw.integers(1, 3)),))
    assert max(errors(case, compiled(scheduled(case)), f"random:{seed}")) <= 1, shape


def unread(type: str, width: int, causal: bool, keys: int = 2048) -> Module:
    """A scheduled call whose arrays are never drawn."""
    shapes = [f"tensor<1x{n}x{width}x{type}>" for n in (2048, keys, keys)]
    given = f"{{causal = {str(causal).lower()}, scale = 0.125 : f64}}"
    arguments = ", ".join(
        f'%{name}: {shape} {{job.feed = "{name}"}}'
        for name, shape in zip("qkv", shapes, strict=True)
    )
    results = f"{shapes[0]}, tensor<1x2048xf32>"
    text = f"""
    module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
      func.func @job({arguments}) -> ({shapes[0]} {{job.fetch = "0"}}) {{
        %y, %l = "flow.attention"(%q, %k, %v) {given} : ({", ".join(shapes)}) -> ({results})
        func.return %y : {shapes[0]}
      }}
    }}"""
    module = cast(Module, Modules("job", parse_module(text)).on_gpu()["fused"].clone())
    run(module, "schedule{target=sm_90a}")
    return module


@pytest.mark.parametrize(
    ("type", "width", "causal"),
    [("bf16", 128, True)]
    + [pytest.param(t, w, c, marks=long) for t in ("bf16", "f16") for w in (64, 128)
       for c in (False, True)],
)  # fmt: skip
def test_code_has_no_spills(type: str, width: int, causal: bool) -> None:
    """Nor does ptxas say that it runs products one after another."""
    path = ptxas_path()
    if path is None:
        pytest.skip("ptxas is not installed (NVIDIA's CUDA toolkit)")
    module = unread(type, width, causal)
    chosen = schedule(ops_of(module)[0])
    assert (chosen["tile"], chosen["warpgroups"], chosen["grid"]) == ([128, 128], 2, 16)
    program = compiled(module)
    assembly = assemble(program.ptx, "sm_90a", path)
    (used,) = assembly.usage.values()
    assert (used.registers, used.stack, used.spill_stores) == (168, 0, 0)
    assert not assembly.warnings, "products run one after another"
    (kernel,) = program.plan["kernels"].values()
    assert kernel["dynamic"] == 2 * width * (128 + 2 * 2 * 128)
    # Of scores and sums: in the prologue, in each loop, and behind.
    loops = 2 if causal else 1
    scores = program.ptx.count(f"wgmma.mma_async.sync.aligned.m64n128k16.f32.{type}.{type}")
    if width == 64:
        sums = program.ptx.count(f"wgmma.mma_async.sync.aligned.m64n64k16.f32.{type}.{type}")
        assert (scores, sums) == ((1 + loops) * 4, (1 + loops) * 8)
    else:
        assert scores == 2 * (1 + loops) * 8


UNFIT: Sequence[tuple[dict[str, Any], str]] = (
    ({"warpgroups": 4}, "warpgroups = 4, swizzle = 128 and stages = 2: expected 1 to 3; 32, 64 or"),
    ({"swizzle": 16}, "warpgroups = 2, swizzle = 16 and stages = 2: expected 1 to 3; 32, 64 or"),
    ({"stages": 1}, "swizzle = 128 and stages = 1: expected 1 to 3; 32, 64 or 128; and 2 or more"),
    ({"tile": [64, 128]}, r"tile = \[64, 128\]: expected \[128, a multiple of 16 up to 256\] for "),
    ({"tile": [128, 72]}, r"tile = \[128, 72\]: expected \[128, a multiple of 16 up to 256\] for "),
    ({"stages": 9}, "whose panels take 311296 bytes of shared memory: expected at most 231424;"),
    ({"warp": [16, 32]}, "with warpgroups, and warp or thread: remove the others"),
    ({"block": 256}, "block = 256 and grid = 2: its tile needs 384 and 2"),
    ({"group": 2}, "with group, which kind 'attention' does not have: remove it"),
)


@pytest.mark.parametrize(("changes", "said"), UNFIT)
def test_an_unfit_schedule_gives_one_sentence(changes: dict[str, Any], said: str) -> None:
    module = scheduled(Case("bf16", (128, 256, 64, 64), False, (2,)), **changes)
    with pytest.raises(IRError, match=said) as failed:
        run(module, "bufferize{target=sm_90a}")
    (found,) = failed.value.diagnostics
    assert "\n" not in found.message


def test_what_warpgroups_cannot_compute() -> None:
    """Factors of f32."""
    own = {"warpgroups": 1, "stages": 2, "swizzle": 64, "tile": [64, 32], "thread": None}
    module = Case("f32", (60, 32, 32, 32), False, (1,)).module("attention")
    (op,) = ops_of(module)
    edit(op, **own, warp=None, block=256, grid=1)
    with pytest.raises(IRError, match="with warpgroups: expected factors of f16 or bf16 with "):
        run(module, "bufferize{target=sm_90a}")


FULL = Case("bf16", (128, 320, 64, 64), False, ())
"""Three panels of 128 keys, the last of which is ragged."""


@cache
def ring() -> GpuProgram:
    """Its code: with the mask of the ragged panel, in two stages, by two warpgroups."""
    return compiled(scheduled(FULL))


_BRANCH = r"(try_wait\.parity\.shared\.b64 %p\d+, \[{}[^\n]*\n[^\n]*not\.pred[^\n]*\n)[^\n]*bra.*"
FAULTS = {
    "fewer bytes expected": (r"(mov\.b32\s+%r\d+,) 16384;", r"\1 8192;", "eager", "deadlock"),
    "more bytes expected": (r"(mov\.b32\s+%r\d+,) 16384;", r"\1 32768;", "eager", "deadlock"),
    "stages and turns never end": (r"mbarrier\.arrive\.shared\.b64.*", "", "lazy", "deadlock"),
    "no wait for anything": (_BRANCH.format(""), r"\1", "lazy", "asynchronous|arrives at"),
    "no wait for scores": (r"wgmma\.wait_group\.sync\.aligned 1;", "", "eager", "before wgmma.w"),
    "no wait for sums": (r"(wgmma\.wait_group\.sync\.aligned) 0;", r"\1 1;", "eager",
                         "before wgmma.wait_group"),
    "no fence of registers": (r"wgmma\.fence.*", "", "eager", "needs a wgmma.fence"),
    "values not transposed": (r"1, 1, 1, 1;", "1, 1, 1, 0;", "eager", "asynch"),
    "another mask": (r"(setp\.\w+\.s32\s+%p\d+, %r\d+,) (\d\d);", r"\1 1\2;", "eager", ""),
}  # fmt: skip
"""What is replaced in the code by what, the order, and what the simulated device says; empty where
results are wrong."""


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_caught(name: str) -> None:
    old, new, order, said = FAULTS[name]
    program = ring()
    ptx, count = re.subn(old, new, program.ptx)
    assert count
    if said:
        with pytest.raises(SimulatorError, match=said):
            errors(FULL, replace(program, ptx=ptx), order)
        return
    assert max(errors(FULL, replace(program, ptx=ptx), order)) > 10


@pytest.mark.parametrize("order", ["eager", "lazy", "random:5"])
def test_without_a_fault_it_is_right(order: str) -> None:
    assert max(errors(FULL, ring(), order)) <= 1
