"""Groups with much scratch run on memory of the job's own: no caller needs a large stack."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.codegen.llvm_text import emit_llvm
from penstock.codegen.program import compile_module
from penstock.codegen.stack_text import LITTLE, MOST
from penstock.ir.diagnostics import IRError
from penstock.ir.parser import parse_module

SMALL = 64 << 10
"""Bytes of a stack that leave room for Python itself and for little else."""

GROUP = """
func.func private @group(%y: memref<4xf32>) {{
  %c0 = arith.constant 0 : index
  %scratch = memref.alloca() : memref<{size}xi8>
  {more}
  %v = memref.load %scratch[%c0] : memref<{size}xi8>
  %f = arith.sitofp %v : i8 to f32
  memref.store %f, %y[%c0] : memref<4xf32>
  return
}}
func.func @job({arena}%y: memref<4xf32> {{job.fetch = "0"}}) {{
  func.call @group(%y) : (memref<4xf32>) -> ()
  return
}}
"""
ARENA = "%arena: memref<?xi8> {job.arena = 100 : i64}, "
PAIR = "%{0} = memref.alloca() : memref<262144xi8>"


def emitted(size: int, arena: str = ARENA, more: str = "") -> str:
    source = GROUP.format(size=size, arena=arena, more=more)
    return emit_llvm(parse_module(source)).text


def test_only_groups_with_much_scratch_change_the_stack() -> None:
    assert "call void @job.on_stack(" in emitted(LITTLE + 1)
    assert "on_stack" not in emitted(LITTLE // 2)


def test_the_stack_lies_behind_the_arena() -> None:
    source = 'module attributes {job.type = "predict"} {' + GROUP.format(
        size=100_000, arena=ARENA, more=""
    )
    described = compile_module(parse_module(source + "}")).description
    assert 100_000 < described["arena"]["bytes"] - 128 < 100_000 + (80 << 10)
    assert f"ptr %arena.1, i64 {described['arena']['bytes']}\n" in emitted(100_000)


@pytest.mark.parametrize(
    ("arena", "more", "message"),
    [
        ("", "", "@job calls functions with much scratch: expected an argument with job.arena"),
        (
            ARENA,
            "\n".join(map(PAIR.format, "abcd")),
            f"@group takes .* bytes of the stack: expected {MOST} at most",
        ),
    ],
)
def test_what_no_stack_has_room_for(arena: str, more: str, message: str) -> None:
    with pytest.raises(IRError, match=message):
        emitted(100_000, arena, more)


def test_a_job_has_little_scratch_of_its_own() -> None:
    source = """
    func.func @job(%y: memref<4xf32>) {
      %scratch = memref.alloca() : memref<30000xi8>
      return
    }"""
    with pytest.raises(IRError, match="@job takes .* bytes of its caller's stack: expected"):
        emit_llvm(parse_module(source))


_PROGRAM = f"""
import os, sys, threading
import numpy as np
import penstock as flow
import penstock.runtime
import penstock.typing as tp

@flow.global_function()
def product(a: tp.Numpy.Placeholder((700, 700)), b: tp.Numpy.Placeholder((700, 700))) -> tp.Numpy:
    return flow.nn.relu(flow.matmul(a, b))

def call():
    for _ in range(3):
        found.append(job(x, x))

x = np.random.default_rng(0).random((700, 700), np.float32)
wanted = product(x, x)
flow.save_artifact(sys.argv[1], product)
jobs = [product, penstock.runtime.load(sys.argv[1])]
threading.stack_size({SMALL})
for job in jobs:
    found = []
    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 9 and all((each == wanted).all() for each in found)
child = os.fork()
if child == 0:
    found = []
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    os._exit(len(found) != 3)
assert os.waitpid(child, 0)[1] == 0
print("done")
"""


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_with_small_stacks_call_jobs(threads: int, tmp_path: Path) -> None:
    """Those of the pool are no smaller where the system makes all others so."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", _PROGRAM, str(tmp_path / "product.pstk")],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PENSTOCK_NUM_THREADS": str(threads)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (4 * SMALL, hard)),
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
