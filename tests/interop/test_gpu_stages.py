"""Stock MLIR accepts the stages of train jobs on GPUs, which read back byte for byte."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from interop_tools import require
from scheduled_jobs import run as run_passes
from test_attention import Case as AttentionCase
from test_attention_by_warpgroups import scheduled
from test_stages import irdl, meaning, run
from test_whole_jobs import JOBS
from warpgroup_cases import Case

import penstock as flow
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import Modules

__all__ = ["irdl"]
STAGES = ("scheduled", "gpu")


@pytest.fixture(scope="module")
def texts() -> Iterator[dict[tuple[str, str], str]]:
    """The text of these stages of an MLP, LeNet and a layer of GPT."""
    flow.clear_default_session()
    found = {}
    for name in ("mlp", "lenet", "gpt"):
        modules = Modules("job", JOBS[name]().lower().modules["job"]).on_gpu()
        found.update({(name, stage): print_module(modules[stage]) for stage in STAGES})
    yield found
    flow.clear_default_session()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", ["mlp", "lenet", "gpt"])
def test_mlir_opt_accepts_a_stage_of_the_gpu(
    texts: dict[tuple[str, str], str], irdl: Path, name: str, stage: str
) -> None:
    text = texts[name, stage]
    module = parse_module(text)
    assert print_module(module) == text
    flags = [] if stage == "gpu" else [f"--irdl-file={irdl}"]
    accepted = run(require("mlir-opt-22"), text, "--mlir-print-op-generic", *flags)
    assert meaning(parse_module(accepted)) == meaning(module)


def test_mlir_opt_accepts_products_of_warpgroups() -> None:
    """Tensor maps, mbarriers, and products of `nvvm`."""
    module = Case((3, 128, 72, 64), tb=True, tile=(128, 72), warpgroups=2).edited()
    run_passes(module, "bufferize{target=sm_90a}")
    text = print_module(module)
    for op in ("nvgpu.tma.async.load", "nvgpu.mbarrier.try_wait", "nvvm.wgmma.mma_async"):
        assert op in text
    accepted = run(require("mlir-opt-22"), text, "--mlir-print-op-generic")
    assert meaning(parse_module(accepted)) == meaning(module)


def test_mlir_opt_accepts_attention_by_warpgroups() -> None:
    """Products whose left factors are in registers, and powers that the device approximates."""
    module = scheduled(AttentionCase("bf16", (60, 40, 32, 32), True, ()))
    run_passes(module, "bufferize{target=sm_90a}")
    text = print_module(module)
    for op in ("nvvm.inline_ptx", "arith.fastmath<afn>"):
        assert op in text
    accepted = run(require("mlir-opt-22"), text, "--mlir-print-op-generic")
    assert meaning(parse_module(accepted)) == meaning(module)
