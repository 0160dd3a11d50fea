"""Loops, branches and calls."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from penstock.codegen.text.llvm_text import emit_llvm
from penstock.ir.dialects.parsing import parse_module

Array = np.ndarray[Any, Any]
Run = Callable[..., list[Array]]

INDICES = "\n".join(f"%c{i} = arith.constant {i} : index" for i in (0, 1, 2, 3, 5, 10))


def job(arguments: str, body: str) -> str:
    """A module whose only function is the job."""
    return f"func.func @job({arguments}) {{ {INDICES}\n{body}\nreturn }}"


def test_a_matmul_keeps_the_order_of_its_sum(run: Run) -> None:
    """i-k-j with one FMA per step: bit-identical to the same loop in C."""
    m, n, k = 5, 7, 33
    x_type, w_type, y_type = f"memref<{m}x{k}xf32>", f"memref<{k}x{n}xf32>", f"memref<{m}x{n}xf32>"
    source = f"""
    func.func private @matmul_0(%x: {x_type} {{llvm.noalias}}, %w: {w_type} {{llvm.noalias}},
                                %y: {y_type} {{llvm.noalias}}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = arith.constant {m} : index
      %n = arith.constant {n} : index
      %k = arith.constant {k} : index
      scf.for %i = %c0 to %m step %c1 {{
        scf.for %l = %c0 to %k step %c1 {{
          scf.for %j = %c0 to %n step %c1 {{
            %a = memref.load %x[%i, %l] : {x_type}
            %b = memref.load %w[%l, %j] : {w_type}
            %c = memref.load %y[%i, %j] : {y_type}
            %d = math.fma %a, %b, %c : f32
            memref.store %d, %y[%i, %j] : {y_type}
          }}
        }}
      }}
      return
    }}
    func.func @job(%x: {x_type}, %w: {w_type}, %y: {y_type}) {{
      func.call @matmul_0(%x, %w, %y) : ({x_type}, {w_type}, {y_type}) -> ()
      return
    }}
    """
    random = np.random.default_rng(1)
    x = random.standard_normal((m, k)).astype(np.float32)
    w = random.standard_normal((k, n)).astype(np.float32)
    got = run(source, x, w, np.zeros((m, n), np.float32))[2]
    want = np.zeros((m, n), np.float32)
    for step in range(k):
        # The product of two f32 is exact in f64; only the last bit of the sum here is not.
        want = (x[:, step, None].astype(np.float64) * w[step] + want).astype(np.float32)
    np.testing.assert_array_equal(got, want)


def test_loops_carry_values(run: Run) -> None:
    source = job(
        "%x: memref<10xf32>, %y: memref<2xf32>",
        """
        %zero = arith.constant 0.0 : f32
        %one = arith.constant 1.0 : f32
        %sum, %product = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %zero, %p = %one)
            -> (f32, f32) {
          %v = memref.load %x[%i] : memref<10xf32>
          %t = arith.addf %s, %v : f32
          %q = arith.mulf %p, %v : f32
          scf.yield %t, %q : f32, f32
        }
        memref.store %sum, %y[%c0] : memref<2xf32>
        memref.store %product, %y[%c1] : memref<2xf32>""",
    )
    x = np.linspace(0.5, 1.5, 10, dtype=np.float32)
    got = run(source.replace("%sum, %product =", "%r:2 =").replace("%sum,", "%r#0,")
              .replace("%product,", "%r#1,"), x, np.zeros(2, np.float32))[1]  # fmt: skip
    total, product = np.float32(0), np.float32(1)
    for value in x:
        total, product = total + value, product * value
    assert got.tolist() == [total, product]


def test_carried_values_may_be_swapped(run: Run) -> None:
    source = job(
        "%y: memref<2xi64>",
        """
        %zero = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %zero, %b = %one) -> (i64, i64) {
          %s = arith.addi %a, %b : i64
          scf.yield %b, %s : i64, i64
        }
        memref.store %r#0, %y[%c0] : memref<2xi64>
        memref.store %r#1, %y[%c1] : memref<2xi64>""",
    )
    assert run(source, np.zeros(2, np.int64))[0].tolist() == [55, 89]


@pytest.mark.parametrize(
    ("lower", "upper", "step"),
    [(0, 10, 3), (-4, 3, 2), (5, 5, 1), (7, 2, 1), (-3, 0, 1), (0, 1, 9)],
)
def test_loops_count_like_range(run: Run, lower: int, upper: int, step: int) -> None:
    source = job(
        "%y: memref<2xi64>",
        f"""
        %l = arith.constant {lower} : index
        %u = arith.constant {upper} : index
        %s = arith.constant {step} : index
        %zero = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %r:2 = scf.for %i = %l to %u step %s iter_args(%n = %zero, %t = %zero) -> (i64, i64) {{
          %m = arith.addi %n, %one : i64
          %v = arith.index_cast %i : index to i64
          %w = arith.addi %t, %v : i64
          scf.yield %m, %w : i64, i64
        }}
        memref.store %r#0, %y[%c0] : memref<2xi64>
        memref.store %r#1, %y[%c1] : memref<2xi64>""",
    )
    iterations = range(lower, upper, step)
    assert run(source, np.zeros(2, np.int64))[0].tolist() == [len(iterations), sum(iterations)]


def test_branches_give_values_and_nest(run: Run) -> None:
    source = job(
        "%x: memref<10xi32>, %y: memref<10xi32>",
        """
        %three = arith.constant 3 : i32
        %zero = arith.constant 0 : i32
        scf.for %i = %c0 to %c10 step %c1 {
          %v = memref.load %x[%i] : memref<10xi32>
          %small = arith.cmpi slt, %v, %three : i32
          %r = scf.if %small -> (i32) {
            %negative = arith.cmpi slt, %v, %zero : i32
            %s = scf.if %negative -> (i32) {
              scf.yield %zero : i32
            } else {
              scf.yield %v : i32
            }
            scf.yield %s : i32
          } else {
            %d = arith.muli %v, %three : i32
            scf.yield %d : i32
          }
          scf.if %small {
            memref.store %r, %y[%i] : memref<10xi32>
          } else {
            %n = arith.subi %zero, %r : i32
            memref.store %n, %y[%i] : memref<10xi32>
          }
        }""",
    )
    x = np.arange(-3, 7, dtype=np.int32)
    want = [max(v, 0) if v < 3 else -3 * v for v in x.tolist()]
    assert run(source, x, np.zeros(10, np.int32))[1].tolist() == want


def test_a_branch_may_have_one_side(run: Run) -> None:
    source = job(
        "%x: memref<10xi32>",
        """
        scf.for %i = %c0 to %c10 step %c1 {
          %v = memref.load %x[%i] : memref<10xi32>
          %five = arith.constant 5 : i32
          %p = arith.cmpi sgt, %v, %five : i32
          scf.if %p {
            memref.store %five, %x[%i] : memref<10xi32>
          }
        }""",
    )
    assert run(source, np.arange(10, dtype=np.int32))[0].tolist() == [0, 1, 2, 3, 4, 5, 5, 5, 5, 5]


def test_functions_return_a_scalar(run: Run) -> None:
    source = f"""
    func.func private @average(%a: f64, %b: f64) -> f64 {{
      %half = arith.constant 0.5 : f64
      %s = arith.addf %a, %b : f64
      %r = arith.mulf %s, %half : f64
      return %r : f64
    }}
    func.func @job(%x: memref<2xf64>, %y: memref<f64>) {{
      {INDICES}
      %a = memref.load %x[%c0] : memref<2xf64>
      %b = memref.load %x[%c1] : memref<2xf64>
      %r = func.call @average(%a, %b) : (f64, f64) -> f64
      memref.store %r, %y[] : memref<f64>
      return
    }}
    """
    assert run(source, np.array([1.0, 4.0]), np.array(0.0))[1] == 2.5


@pytest.mark.parametrize(
    "name", ["exp", "tanhf", "memcpy", "a b", 'quote " and \\\\ more', "größe"]
)
def test_unusual_and_colliding_symbols(run: Run, name: str) -> None:
    """A job or group with the name of a library function does not stand in for it."""
    quoted = '"' + name.replace("\\\\", "\\5C").replace('" and', "\\22 and") + '"'
    source = f"""
    func.func private @{quoted}(%x: memref<4xf32>) {{
      {INDICES}
      scf.for %i = %c0 to %c3 step %c1 {{
        %v = memref.load %x[%i] : memref<4xf32>
        %e = math.exp %v : f32
        %t = math.tanh %e : f32
        memref.store %t, %x[%i] : memref<4xf32>
      }}
      return
    }}
    func.func @job(%x: memref<4xf32>, %y: memref<4xf32>) {{
      memref.copy %x, %y : memref<4xf32> to memref<4xf32>
      func.call @{quoted}(%y) : (memref<4xf32>) -> ()
      return
    }}
    """
    x = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
    group = np.append(np.tanh(np.exp(x[:3])), x[3])
    np.testing.assert_allclose(run(source, x, np.zeros_like(x))[1], group, rtol=1e-6)
    swapped = source.replace(f"@{quoted}", "@spare").replace("@job", f"@{quoted}")
    np.testing.assert_allclose(run(swapped, x, np.zeros_like(x))[1], group, rtol=1e-6)


def test_long_loops_are_not_unrolled_and_short_ones_may_be() -> None:
    source = """
    func.func @job(%x: memref<100x8xf32>, %n: memref<1xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c100 = arith.constant 100 : index
      %zero = arith.constant 0.0 : f32
      scf.for %i = %c0 to %c100 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          memref.store %zero, %x[%i, %j] : memref<100x8xf32>
        }
      }
      %k = memref.load %n[%c0] : memref<1xindex>
      scf.for %j = %c0 to %k step %c1 {
        memref.store %zero, %x[%j, %c0] : memref<100x8xf32>
      }
      return
    }
    """
    text = emit_llvm(parse_module(source)).text
    assert text.count(", !llvm.loop !") == 2
    assert '!0 = !{!"llvm.loop.unroll.disable"}' in text
    assert "!1 = distinct !{!1, !0}" in text
