"""Tasks: bodies of scf.forall as functions, scratch on the stack, interrupts between groups."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from loading import load_object

from penstock.codegen.objects import llvm
from penstock.codegen.text.llvm_text import emit_llvm, entry_name
from penstock.codegen.text.parts.text_target import target_of
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.parsing import parse_module

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]
Align = Callable[[Array], Array]

Task = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
ParallelFor = ctypes.CFUNCTYPE(None, ctypes.c_void_p, Task, ctypes.c_void_p, ctypes.c_int64)
Poll = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


class Context(ctypes.Structure):
    _fields_ = (
        ("tap", ctypes.c_void_p), ("user", ctypes.c_void_p), ("parallel_for", ParallelFor),
        ("pool", ctypes.c_void_p), ("poll", Poll),
    )  # fmt: skip


def call(source: str, arrays: list[Array], pool: Any = None, poll: Any = None) -> int:
    """Run a job on arrays in place; its status. The pool is number 5 and the user number 6."""
    module = parse_module(source)
    code = llvm.compile_object(emit_llvm(module), target_of(module).level)
    loaded = load_object(code, entry_name(module.job))
    entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)(loaded.address)
    context = Context(None, 6, ParallelFor(pool or 0), 5, Poll(poll or 0))
    table = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
    return int(entry(ctypes.byref(context), table))


ROWS = """
func.func @job(%x: memref<6x8xf32>, %n: memref<1xindex>, %y: memref<6x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %two = arith.constant dense<2.0> : vector<8xf32>
  %shift = memref.load %n[%c0] : memref<1xindex>
  %first = vector.load %x[%shift, %c0] : memref<6x8xf32>, vector<8xf32>
  %half = memref.subview %y[%shift, 0] [3, 8] [1, 1]
      : memref<6x8xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  scf.forall (%i, %j) = (1, 0) to (4, 8) step (2, 4) {
    %scratch = memref.alloca() : memref<8xf32>
    %v = vector.load %x[%i, %c0] : memref<6x8xf32>, vector<8xf32>
    %w = vector.fma %v, %two, %first : vector<8xf32>
    vector.store %w, %scratch[%c0] : memref<8xf32>, vector<8xf32>
    %u = vector.load %scratch[%j] : memref<8xf32>, vector<4xf32>
    %k = arith.subi %i, %c1 : index
    vector.store %u, %half[%k, %j]
        : memref<3x8xf32, strided<[8, 1], offset: ?>>, vector<4xf32>
  }
  return
}
"""


def rows() -> tuple[list[Array], Array]:
    """The arguments of ROWS, and its result in the last one."""
    x = np.random.default_rng(5).standard_normal((6, 8)).astype(np.float32)
    want = np.zeros((6, 8), np.float32)
    for i in (1, 3):
        want[2 + i - 1] = np.float32(x[i].astype(float) * 2 + x[2])
    return [x, np.array([2]), np.zeros((6, 8), np.float32)], want


def test_without_a_pool_tasks_run_in_order(run: Run) -> None:
    arrays, want = rows()
    np.testing.assert_array_equal(run(ROWS, *arrays)[2], want)


def test_the_pool_runs_each_task_in_any_order(align: Align) -> None:
    arrays_, want = rows()
    arrays = [align(array) for array in arrays_]
    seen = []

    def backwards(pool: int, task: Any, closure: int, count: int) -> None:
        seen.append((pool, count))
        for i in reversed(range(count)):
            task(closure, i)

    assert call(ROWS, arrays, pool=backwards) == 0
    assert seen == [(5, 4)]
    np.testing.assert_array_equal(arrays[2], want)


def test_a_single_task_runs_without_the_pool(align: Align) -> None:
    source = """func.func @job(%y: memref<4xf32>) {
      %one = arith.constant dense<1.0> : vector<4xf32>
      %c0 = arith.constant 0 : index
      scf.forall (%i) in (1) {
        vector.store %one, %y[%c0] : memref<4xf32>, vector<4xf32>
      }
      return }"""
    (y,) = arrays = [align(np.zeros(4, np.float32))]

    def never(pool: int, task: Any, closure: int, count: int) -> None:
        raise AssertionError

    call(source, arrays, pool=never)
    np.testing.assert_array_equal(y, 1)


TOLD = """func.func @job(%n: memref<index>, %y: memref<6xindex>) {
  %count = memref.load %n[] : memref<index>
  scf.forall (%i) in (%count) {
    memref.store %count, %y[%i] : memref<6xindex>
  }
  return }"""


@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_number_of_tasks_may_be_an_argument(align: Align, count: int) -> None:
    seen = []

    def forwards(pool: int, task: Any, closure: int, n: int) -> None:
        seen.append(n)
        for i in range(n):
            task(closure, i)

    for pool in (None, forwards):
        arrays = [align(np.array(count)), align(np.zeros(6, int))]
        assert call(TOLD, arrays, pool=pool) == 0
        np.testing.assert_array_equal(arrays[1], [count] * count + [0] * (6 - count))
    assert seen == [count]


def test_tasks_of_tasks_call_functions(run: Run) -> None:
    source = """
    func.func private @put(%y: memref<2x3xindex>, %i: index, %j: index) {
      %v = arith.addi %i, %j : index
      memref.store %v, %y[%i, %j] : memref<2x3xindex>
      return
    }
    func.func @job(%y: memref<2x3xindex>) {
      scf.forall (%i) in (2) {
        scf.forall (%j) in (3) {
          func.call @put(%y, %i, %j) : (memref<2x3xindex>, index, index) -> ()
        }
      }
      return
    }"""
    np.testing.assert_array_equal(run(source, np.zeros((2, 3), int))[0], [[0, 1, 2], [1, 2, 3]])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%m = memref.alloca() : memref<80000xf32>", "needs 320000 bytes of stack"),
        ("%m = memref.alloca(%n) : memref<?xf32>", "expected scratch of a static shape"),
        ("scf.forall (%i) in (0) { }", "expected as many tasks as numbers say"),
        ("scf.forall (%i, %j) in (%n, 2) { }", "expected as many tasks as numbers say"),
        ("scf.forall (%i) = (1) to (%n) step (1) { }", "expected as many tasks as numbers say"),
    ],
)
def test_errors_are_located(line: str, message: str) -> None:
    source = f"""func.func @job(%y: memref<4xf32>) {{
      %n = arith.constant 4 : index
      {line} loc("user.py":3:1)
      return }}"""
    with pytest.raises(IRError, match=message) as caught:
        emit_llvm(parse_module(source))
    assert "user.py:3" in str(caught.value)


# Three groups; the second one updates a variable.
STEPS = """
func.func private @count(%y: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %y[%c0] : memref<1xindex>
  %b = arith.addi %a, %c1 : index
  memref.store %b, %y[%c0] : memref<1xindex>
  return
}
func.func private @change(%y: memref<1xindex>, %v: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %y[%c0] : memref<1xindex>
  %part = memref.subview %v[1] [1] [1]
      : memref<2xindex> to memref<1xindex, strided<[1], offset: 1>>
  memref.store %a, %part[%c0] : memref<1xindex, strided<[1], offset: 1>>
  return
}
func.func @job(%y: memref<1xindex> {job.fetch = "0"}, %v: memref<2xindex> {job.variable = "v"}) {
  func.call @count(%y) : (memref<1xindex>) -> ()
  func.call @count(%y) : (memref<1xindex>) -> ()
  func.call @change(%y, %v) : (memref<1xindex>, memref<2xindex>) -> ()
  func.call @count(%y) : (memref<1xindex>) -> ()
  return
}
"""


@pytest.mark.parametrize("stop_at", [1, 2, 3])
def test_a_step_stops_before_it_changes_a_variable(stop_at: int, align: Align) -> None:
    count, variable = arrays = [align(np.zeros(1, int)), align(np.full(2, 9))]
    asked = []

    def poll(user: int) -> int:
        asked.append(user)
        return int(len(asked) == stop_at)

    status = call(STEPS, arrays, poll=poll)
    if stop_at == 3:  # there is no poll after the update
        assert (status, asked, list(count), list(variable)) == (0, [6, 6], [3], [9, 2])
    else:
        assert (status, asked, list(variable)) == (1, [6] * stop_at, [9, 9])
        assert count[0] == stop_at
