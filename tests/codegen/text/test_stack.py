"""Groups with much scratch use memory of the job as stack: no caller needs a large stack."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs.program import compile_module
from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.stack import BESIDE, beside, scratch, stack_of
from penstock.passes.buffers.stacks import LITTLE

SMALL = 64 << 10
"""A stack size with room for Python itself and little else."""

CALL = """
func.func private @group(%y: memref<4xf32>) {{
  %c0 = arith.constant 0 : index
  %scratch = memref.alloca() : memref<40000xi8>
  %v = memref.load %scratch[%c0] : memref<40000xi8>
  %f = arith.sitofp %v : i8 to f32
  memref.store %f, %y[%c0] : memref<4xf32>
  return
}}
func.func @job({arena}%y: memref<4xf32> {{job.fetch = "0"}}) {{
  func.call @group(%y){stack} : (memref<4xf32>) -> ()
  return
}}
"""
ARENA = "%arena: memref<?xi8> {job.arena = 100000 : i64}, "
STACK = "{{job.stack = array<i64: {}>}}"


def emitted(stack: str, arena: str = ARENA) -> str:
    return emit_llvm(parse_module(CALL.format(arena=arena, stack=stack))).text


def test_a_call_uses_its_part_of_the_arena_as_stack() -> None:
    text = emitted(" " + STACK.format("64, 90000"))
    assert "ptr %arena.1, i64 90048\n" in text
    assert "call void @job.on_stack(" in text
    assert "on_stack" not in emitted("")


@pytest.mark.parametrize(
    ("stack", "arena", "message"),
    [
        (STACK.format("64, 90000"), "", "@job has no argument with job.arena"),
        (STACK.format("64, 100000"), ARENA, "expected a part of the 100000 bytes"),
        (STACK.format("-64, 90000"), ARENA, "expected a part of the 100000 bytes"),
        (STACK.format("0, 76863"), ARENA, "stack of 76863 bytes: expected 76864 at least, for @gr"),
        (STACK.format("64"), ARENA, "expected where it begins in the arena, and its bytes"),
        ("{job.stack = 64}", ARENA, "expected where it begins in the arena, and its bytes"),
    ],
)
def test_invalid_stacks(stack: str, arena: str, message: str) -> None:
    with pytest.raises(IRError, match=message):
        emitted(" " + stack, arena)


def test_tasks_share_no_stack() -> None:
    text = CALL.format(arena=ARENA, stack=" " + STACK.format("64, 90000"))
    text = text.replace("  func.call", "  scf.forall (%i) in (4) {\n  func.call")
    module = parse_module(text.replace("-> ()\n", "-> ()\n  }\n"))
    with pytest.raises(IRError, match="in a parallel task: all tasks would share that stack"):
        emit_llvm(module)


def test_scratch_of_tasks_is_the_most_of_any() -> None:
    module = parse_module("""
    func.func private @group(%y: memref<4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %own = memref.alloca() : memref<100xi8>
      scf.for %i = %c0 to %c1 step %c1 {
        %inner = memref.alloca() : memref<200xi8>
      }
      scf.forall (%i) in (4) {
        %first = memref.alloca() : memref<1000xi8>
      }
      scf.forall (%i) in (4) {
        %second = memref.alloca() : memref<2000xi8>
      }
      return
    }""")
    (group,) = module.functions()
    assert scratch(group) == (100 + 64) + (200 + 64) + (2000 + 4096)


def test_groups_with_much_scratch_have_a_stack() -> None:
    """It reuses memory of buffers that are dead while they run."""

    @flow.global_function()
    def products(x: tp.Numpy.Placeholder((700, 700))) -> tp.Numpy:
        y = flow.matmul(flow.matmul(x, x), x)
        return flow.math.exp(flow.reshape(y, (490_000,)))

    module = products.lower().modules["loops"]
    functions = {function.sym_name: function for function in module.functions()}
    stacks = [op for op in module.walk() if "job.stack" in op.attributes]
    assert stacks
    for call in stacks:
        start, size = call.attributes["job.stack"].values
        group = functions[call.callee]
        assert LITTLE < scratch(group) == size - beside(group)
        assert start % 64 == 0
    memory = products.lower().memory()
    assert {buffer.name for buffer in memory.buffers} > {"stack"}
    assert max(memory.live()) <= memory.arena <= 1.05 * max(memory.live())


def test_a_long_epilogue_of_a_matmul_has_room_to_spill(monkeypatch: pytest.MonkeyPatch) -> None:
    """The spill slots of its tiles fit on its stack; nothing is run."""
    monkeypatch.setenv("PENSTOCK_TARGET", "x86-64-v4")

    @flow.global_function(type="train")
    def chain(x: tp.Numpy.Placeholder((16, 896))) -> tp.Numpy:
        start = flow.ones_initializer()
        w = flow.get_variable("w", (64, 896), initializer=start)
        y = flow.matmul(x, w, transpose_b=True)
        for _ in range(3):
            y = flow.math.tan(flow.math.tanh(flow.math.cosh(flow.math.tanh(flow.math.gelu(y)))))
        flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(y)
        return y

    module = chain.lower().modules["loops"]
    sizes = [op.attributes["job.stack"].values[1] for op in module.walk() if stack_of(op)]
    frames = re.findall(r"subq\t\$(\d+), %rsp", compile_module(module).asm)
    assert max(map(int, frames)) + BESIDE / 2 < max(sizes)


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
    """The pool's stacks keep their size even if the default stack size is small."""
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
