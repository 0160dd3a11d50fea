"""Schedules are data: they round-trip, edited ones are followed, and unfit ones are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scheduled_jobs import (
    OPS,
    Array,
    edit,
    fused,
    lower,
    operands,
    ops_of,
    run,
    run_simulated,
    schedule,
    scheduled,
)

from penstock.ir.attributes import attribute
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import gpu
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.passes.gpu.write.schedule_data import KEY, Schedule, schedule_of


@pytest.mark.parametrize("name", OPS)
def test_a_schedule_is_its_dictionary(name: str) -> None:
    """Through the text, too; every op that needs a schedule has one."""
    module = parse_module(print_module(scheduled(name)))
    found = [schedule_of(op) for op in ops_of(module)]
    assert [own.attribute() for own in found] == [op.attributes[KEY] for op in ops_of(module)]
    expected = {
        "softmax": ["rows"] * 4, "columns": ["rows"] * 2, "dense": ["tile", "epilogue"],
        "conv": ["inline", "tile"], "sort": ["tasks"], "pool": ["gather"],
    }  # fmt: skip
    assert [own.kind for own in found] == expected[name]


def test_defaults_are_left_out() -> None:
    plain, full = Schedule(0, "rows", 1, 32, (0,)), Schedule(0, "rows", 1, 32, (0,), 4, True, 2)
    assert set(_keys(plain)) == {"kernel", "kind", "rows", "grid", "block"}
    assert set(_keys(full)) == {*_keys(plain), "lanes", "across", "each"}


def _keys(given: Schedule) -> list[str]:
    return re.findall(r"(\w+) =", str(given.attribute()))


def launches(module: Module) -> list[tuple[int, int]]:
    """The blocks and threads of each kernel at stage `gpu`."""
    kernels = [op for op in module.walk() if isinstance(op, gpu.GpuFunc)]
    return [
        tuple(  # type: ignore[misc]
            int(re.findall(r"-?\d+", str(kernel.attributes[key]).partition(":")[2])[0])
            for key in ("known_grid_size", "known_block_size")
        )
        for kernel in kernels
    ]


Edits = Sequence[dict[str, Any]]
"""Changes to the schedule of each op of a job."""
APART = [{"kernel": n, "kind": "rows", "rows": [0, 1], "grid": 9, "block": 128, "tile": None,
          "depth": None, "thread": None} for n in range(2)]  # fmt: skip
EDITED: list[tuple[str, Edits, list[tuple[int, int]]]] = [
    ("softmax", [{"lanes": None, "grid": 1, "block": 32}] * 4, [(1, 32)]),
    ("softmax", [{"lanes": 96, "grid": 6, "block": 96}] * 4, [(6, 96)]),
    ("softmax", [{"lanes": 32, "grid": 6, "block": 32}] * 4, [(6, 32)]),
    ("columns", [{"lanes": 3, "grid": 2, "block": 96}] * 2, [(2, 96)]),
    ("columns", [{"across": None, "lanes": 64, "grid": 64, "block": 64}] * 2, [(64, 64)]),
    ("columns", [{"across": None, "lanes": None, "grid": 1, "block": 64}] * 2, [(1, 64)]),
    ("columns", [{}, {"kernel": 1, "across": None, "lanes": None, "grid": 2, "block": 32}],
     [(2, 512), (2, 32)]),
    ("dense", [{"tile": [8, 24], "thread": [4, 3], "depth": 7, "grid": 6, "block": 16},
               {"grid": 6, "block": 16}], [(6, 16)]),
    ("dense", [{"tile": [5, 7], "thread": [1, 7], "depth": 64, "grid": 35, "block": 5},
               {"grid": 35, "block": 5}], [(35, 5)]),
    ("dense", [{}, {"kernel": 1, "kind": "rows", "rows": [0, 1], "each": 4, "grid": 3,
                    "block": 128}], [(6, 256), (3, 128)]),
    ("dense", APART, [(9, 128), (9, 128)]),
    ("conv", [{"kernel": 0, "kind": "rows", "rows": [0, 2], "grid": 1, "block": 64},
              {"kernel": 1}], [(1, 64), (8, 256)]),
    ("pool", [{"grid": 16, "block": 32}], [(16, 32)]),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(EDITED)))
def test_an_edited_schedule_is_kept_and_followed(number: int) -> None:
    name, edits, expected = EDITED[number]
    module, wanted = scheduled(name), _computed(name)
    for op, changes in zip(ops_of(module), edits, strict=True):
        edit(op, **changes)
    given = [op.attributes[KEY] for op in ops_of(module)]
    run(module, "schedule")
    assert [op.attributes[KEY] for op in ops_of(module)] == given
    np.testing.assert_allclose(run_simulated(module, operands(name)), wanted, 1e-5, 1e-5)
    lower(module)
    assert launches(module) == expected


def _computed(name: str) -> Array:
    """The result by the usual schedule, which is right: see the tests of conformance."""
    if name not in _KNOWN:
        _KNOWN[name] = run_simulated(fused(name), operands(name))
    return _KNOWN[name]


_KNOWN: dict[str, Array] = {}

UNFIT: list[tuple[str, int | None, dict[str, Any], str]] = [
    ("softmax", 0, {"kind": "columns"}, "kind = 'columns': expected one of rows, tile, gather"),
    ("softmax", 0, {"kind": None}, "kind = None: expected one of rows, tile"),
    ("softmax", 0, {"depth": 8}, "with depth, which kind 'rows' does not have: remove it"),
    ("dense", 0, {"colour": 1}, "with colour, which kind 'tile' does not have: remove it"),
    ("dense", 1, {"rows": [0]}, "with rows, which kind 'epilogue' does not have: remove it"),
    ("softmax", 0, {"block": 2048}, "block = 2048: expected at most 1024"),
    ("softmax", 0, {"grid": None}, "without grid: give it"),
    ("softmax", 0, {"kernel": -1}, "kernel = -1: expected a number of at least 0"),
    ("softmax", 0, {"lanes": 0}, "lanes = 0: expected a number of at least 1"),
    ("softmax", 0, {"lanes": "many"}, "lanes = 'many': expected a number of at least 1"),
    ("softmax", 0, {"across": 1}, "across = 1: expected true or false"),
    ("softmax", 0, {"rows": 0}, "rows = 0: expected a list of numbers"),
    ("softmax", None, {"rows": [1]}, r"rows = \[1\]: expected some of \[0\], the dimensions whose"),
    ("softmax", None, {"rows": [0, 0]}, r"rows = \[0, 0\]: expected some of \[0\]"),
    ("softmax", 1, {"rows": []}, r"rows = \[\]: expected \[0\], where the first op of kernel 0"),
    ("softmax", 1, {"lanes": 64}, "lanes = 64, and the first op of kernel 0 has 32: expected the"),
    ("softmax", 2, {"grid": 3}, "grid = 3, and the first op of kernel 0 has 2: expected the same"),
    ("softmax", None, {"grid": 1}, "grid = 1: expected 2, as 192 threads in blocks of 128 need"),
    ("softmax", None, {"lanes": 48, "grid": 3}, "lanes = 48 and block = 128: expected la"),
    ("softmax", None, {"lanes": 40, "block": 40, "grid": 6}, "block is not a multiple of 32"),
    ("softmax", None, {"lanes": 2, "across": True, "block": 64, "grid": 1}, "would have more than"),
    ("softmax", None, {"lanes": 8, "across": True, "block": 256, "grid": 1}, "or with across lack"),
    ("softmax", None, {"each": 2}, "lanes = 32 and each = 2: expected one of them to be 1"),
    ("softmax", None, {"lanes": None, "grid": 1, "each": 2}, "each = 2: expected ops that go el"),
    ("columns", None, {"lanes": 8, "grid": 1}, "block = 512: expected a block of 256"),
    ("columns", None, {"lanes": None, "grid": 1}, "across, and one lane: give lanes, or remove"),
    ("softmax", 0, {"kernel": 1}, "is in kernel 0, behind an op in kernel 1: kernels run in the"),
    ("softmax", None, {"kind": "tile", "rows": None, "lanes": None, "tile": [8, 8], "depth": 8,
                       "thread": [1, 1]}, "expected one op of kind 'tile'"),
    ("columns", 0, {"kernel": 0, "kind": "tile", "rows": None, "lanes": None, "across": None,
                    "tile": [8, 8], "depth": 8, "thread": [1, 1]}, "of other kinds: expected all"),
    ("dense", 0, {"tile": [24, 16]}, "block = 256 and grid = 6: its tile and thread need 384 and"),
    ("dense", 0, {"thread": [3, 1]}, r"tile = \[16, 16\] and thread = \[3, 1\]: expected each n"),
    ("dense", 0, {"tile": [0, 16]}, r"tile = \[0, 16\]: expected a list of numbers of at least 1"),
    ("conv", 0, {"kind": "epilogue"}, "'epilogue', but is ahead of the op of kind 'tile' whose"),
    ("dense", 0, {"tile": [16]}, "without two numbers in tile and thread"),
    ("dense", 0, {"depth": 10**6}, "take 160000000 bytes of shared memory: expected at most 49152"),
    ("dense", 0, {"depth": None}, "without two numbers in tile and thread"),
    ("dense", None, {"grid": 5}, "block = 256 and grid = 5: its tile and thread need 256 and 6"),
    ("dense", 0, {"tile": [96, 16], "thread": [12, 12]}, r"thread = \[12, 12\]: expected at most"),
    ("conv", 1, {"kind": "epilogue", "tile": None, "depth": None, "thread": None}, "expected one"),
    ("dense", 0, {"kind": "inline", "tile": None, "depth": None, "thread": None}, "'inline', but"),
    ("dense", 1, {"kind": "inline"}, "'inline', but its result is read outside kernel 0; use kind"),
    ("conv", 1, {"kind": "tasks", "tile": None, "depth": None, "thread": None}, "writes no loops"),
    ("sort", 0, {"kind": "gather"}, "it writes its own loops, so expected kind 'tasks'"),
    ("dense", 0, {"mma": "tf32"}, "with mma, which tensor cores alone follow: give warp"),
    ("dense", 0, {"mma": "bf16"}, "mma = 'bf16': expected one of 'tf32', '3xtf32'"),
    ("pool", 0, {"mma": "tf32"}, "with mma, which kind 'gather' does not have"),
    ("pool", 0, {"grid": 1}, "grid = 1: expected 2, as 486 threads in blocks of 256 need"),
    ("softmax", 0, {"kernel": 0, "kind": "gather", "rows": None, "lanes": None}, "of other kinds"),
    ("dense", 1, {"kernel": 1, "kind": "gather", "grid": 5}, "its results are not written by"),
]  # fmt: skip
"""A job, which of its ops (or all) get which changes, and what is said of them."""


@pytest.mark.parametrize("number", range(len(UNFIT)))
def test_an_unfit_schedule_gives_one_sentence(number: int) -> None:
    name, which, changes, said = UNFIT[number]
    module = scheduled(name)
    ops = ops_of(module)
    for op in ops if which is None else [ops[which]]:
        edit(op, **changes)
    with pytest.raises(IRError, match=said) as failed:
        lower(module)
    (found,) = failed.value.diagnostics
    assert re.fullmatch(r"job\.py:\d", found.place())
    assert "\n" not in found.message


@pytest.mark.parametrize("precision", ["tf32", "3xtf32"])
@pytest.mark.parametrize("name", ["dense", "conv"])
def test_factors_of_f32_on_tensor_cores(name: str, precision: str) -> None:
    """Asked of the pass, which else follows the job; f32 is the default."""
    module = fused(name)
    assert not any("mma" in schedule(op) for op in ops_of(scheduled(name)))
    run(module, f"schedule{{precision={precision}}}")
    asked = fused(name)
    asked.attributes["job.float32_matmul_precision"] = attribute(precision)
    run(asked, "schedule")
    given = [schedule(op) for op in ops_of(module)]
    assert given == [schedule(op) for op in ops_of(asked)]
    assert [own["mma"] for own in given if own["kind"] == "tile"] == [precision]
    off = np.abs(run_simulated(module, operands(name)) - _computed(name)).max()
    assert 1e-5 < off < 1e-2 if precision == "tf32" else off < 1e-5


def test_tensor_cores_multiply_no_other_factors_in_tf32() -> None:
    module = parse_module(print_module(fused("dense")).replace("f32", "f64"))
    run(module, "schedule{precision=tf32}")
    root = next(op for op in ops_of(module) if schedule(op)["kind"] == "tile")
    assert "mma" not in schedule(root)
    edit(root, tile=[32, 32], thread=None, warp=[16, 16], stages=2, mma="tf32", depth=8)
    with pytest.raises(IRError, match="mma, but does not multiply plain elements of f32; use thr"):
        lower(module)
    asked = fused("dense")
    asked.attributes["job.float32_matmul_precision"] = attribute("f16")
    with pytest.raises(IRError, match="= 'f16': expected one of f32, tf32, 3xtf32"):
        run(asked, "schedule")


def test_a_job_without_schedules_says_so() -> None:
    with pytest.raises(IRError, match=f"has no {KEY}, .* run the pass `schedule` first"):
        lower(fused("dense"))
    module = fused("dense")
    run(module, "schedule")
    ops_of(module)[0].attributes[KEY] = attribute(3)
    with pytest.raises(IRError, match=f"has {KEY} = 3.*: expected a dictionary"):
        lower(module)


def test_an_op_that_is_no_product_is_no_tile() -> None:
    module = scheduled("columns")
    first, second = ops_of(module)
    edit(first, kind="tile", rows=None, lanes=None, across=None, tile=[8, 8], depth=8,
         thread=[1, 1])  # fmt: skip
    edit(second, kernel=1)
    with pytest.raises(IRError, match="'tile', but does not add up products; use kind 'rows'"):
        lower(module)


SQUARED = """
#id = affine_map<(d0, d1) -> (d0, d1)>
module @job attributes {job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%x: T {job.feed = "x"}, %w: T {job.feed = "w"}) -> (T {job.fetch = "0"}) {
    %s = func.call @add_0(%x, %x) : (T, T) -> T
    %y = func.call @product_0(%s, %w) : (T, T) -> T
    %z = func.call @add_0(%y, %y) : (T, T) -> T
    func.return %z : T
  }
  func.func private @add_0(%x: T, %w: T) -> T {
    %e = tensor.empty() : T
    %y = linalg.generic {indexing_maps = [#id, #id, #id],
        iterator_types = ["parallel", "parallel"]} ins(%x, %w : T, T) outs(%e : T) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> T
    func.return %y : T
  }
  func.func private @product_0(%x: T, %w: T) -> T {
    %e = tensor.empty() : T
    %square = linalg.generic {indexing_maps = [#id, #id],
        iterator_types = ["parallel", "parallel"]} ins(%x : T) outs(%e : T) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.mulf %a, %a : f32
      linalg.yield %c : f32
    } -> T
    %f = tensor.empty() : T
    %zeros = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
        outs(%f : T) {
    ^bb0(%o: f32):
      %zero = arith.constant 0.0 : f32
      linalg.yield %zero : f32
    } -> T
    %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
        affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%square, %w : T, T) outs(%zeros : T) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = math.fma %a, %b, %o : f32
      linalg.yield %c : f32
    } -> T
    %g = tensor.empty() : T
    %y = linalg.generic {indexing_maps = [#id, #id],
        iterator_types = ["parallel", "parallel"]} ins(%sum : T) outs(%g : T) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.negf %a : f32
      linalg.yield %c : f32
    } -> T
    func.return %y : T
  }
}"""


def _squared(size: int) -> Module:
    module = parse_module(re.sub(r"\bT\b", f"tensor<{size}x{size}xf32>", SQUARED))
    run(module, "schedule")
    return module


def test_what_is_inlined_is_not_overwritten() -> None:
    """`%y` overwrites `%s`, and the sums are in the same buffer."""
    module = _squared(40)
    _, square, product, negated = ops_of(module)
    kinds = [schedule(op)["kind"] for op in (square, product, negated)]
    assert kinds == ["rows", "tile", "epilogue"]
    draw = np.random.default_rng(0)
    x, w = (draw.standard_normal((40, 40)).astype(np.float32) for _ in range(2))
    exact = -2 * (np.square(2 * x.astype(np.float64)) @ w)
    np.testing.assert_allclose(run_simulated(module, [x, w]), exact, 1e-4, 1e-4)
    for op in (product, negated):
        edit(op, kernel=0)
    same = {key: schedule(product)[key] for key in ("grid", "block")}
    edit(square, kind="inline", rows=None, each=None, **same)
    with pytest.raises(IRError, match="its result may overwrite what the ops of kind 'inline'"):
        lower(module)
