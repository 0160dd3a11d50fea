"""Stock mlir-opt verifies every op: ours by the generated IRDL, `linalg` without flags."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func, Return
from penstock.ir.meaning.irdl import irdl_text
from penstock.ir.text.printer import print_module
from penstock.passes.flow.lower_to_linalg import LowerToLinalg

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, all_cases, cases_of

TOOL = "mlir-opt-22"


@pytest.fixture
def irdl(tmp_path: Path) -> Path:
    path = tmp_path / "penstock.irdl.mlir"
    path.write_text(irdl_text())
    return path


def mlir_opt(text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(TOOL) is None:
        if os.environ.get("PENSTOCK_REQUIRE_INTEROP") == "1":
            pytest.fail(f"{TOOL} is not installed (Debian package mlir-22-tools)")
        pytest.skip(f"{TOOL} is not installed (Debian package mlir-22-tools)")
    return subprocess.run([TOOL, *flags], input=text, capture_output=True, text=True, check=False)


def calls(lowered: bool) -> Module:
    """Every call of every op, each in a private function."""
    whole = Module.empty("calls")
    for number, case in enumerate(all_cases()):
        module, _ = case.program()
        if lowered:
            LowerToLinalg().run(module)
        function = module.job
        function.detach()
        function.sym_name = f"call_{number}"
        whole.body.append(function)
    return whole


def job_ops() -> Module:
    """The ops of `job` that compute nothing."""
    module = Module.empty("job_ops")
    loss = ty.TensorType((2,), ty.f32)
    function = Func.make("job", [loss])
    module.body.append(function)
    b = Builder.at_end(function.body)
    (value,) = function.arguments
    b.create(job.Watch, value, label="loss")
    b.create(job.WatchDiff, value, label="loss_diff")
    for kind in (job.Callout, job.PureCallout):
        b.create(kind, [value, value], types=[loss], label="f", missing=[2])
    b.create(job.Callout, [value], types=[], label="observer")
    schedule = {"kind": "piecewise_constant", "boundaries": [], "values": [0.1], "base_lr": 0.1}
    b.create(job.Minimize, [value], optimizer={"kind": "sgd"}, schedule=schedule)
    b.create(Return, [])
    return module


@pytest.mark.parametrize("generic", [False, True])
def test_irdl_accepts_every_op(irdl: Path, generic: bool) -> None:
    for module in (calls(lowered=False), job_ops()):
        run = mlir_opt(print_module(module, generic=generic), f"--irdl-file={irdl}")
        assert run.returncode == 0, run.stderr[:2000]


def test_irdl_names_every_op(irdl: Path) -> None:
    text = irdl.read_text()
    for name in (*OPS, "job.watch", "job.watch_diff", "job.minimize", "job.callout"):
        assert f"irdl.operation @{name.partition('.')[2]} {{" in text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('"flow.relu"() : () -> tensor<f32>', "operand"),
        ('"flow.reshape"(%x) : (tensor<2xf32>) -> tensor<2x1xf32>', "attribute"),
        ('"flow.relus"(%x) : (tensor<2xf32>) -> tensor<2xf32>', "flow.relus"),
    ],
)
def test_irdl_rejects_invalid_ops(irdl: Path, wrong: str, said: str) -> None:
    text = f"func.func @f(%x: tensor<2xf32>) {{ %y = {wrong} func.return }}"
    run = mlir_opt(text, f"--irdl-file={irdl}")
    assert run.returncode != 0
    assert said in run.stderr


def test_lowered_ops_except_kernels_need_no_flag(irdl: Path) -> None:
    plain, whole = Module.empty("plain"), calls(lowered=True)
    accepted = mlir_opt(print_module(whole), f"--irdl-file={irdl}")
    assert accepted.returncode == 0, accepted.stderr[:2000]
    for function in list(whole.functions()):
        if not any(isinstance(op, Kernel) for op in function.body):
            function.detach()
            plain.body.append(function)
    assert list(whole.functions())
    accepted = mlir_opt(print_module(plain))
    assert accepted.returncode == 0, accepted.stderr[:2000]


def test_every_op_has_a_call() -> None:
    assert all(cases_of(name) for name in OPS)
