"""The interpreter of stage `loops` detects data races between tasks."""

from __future__ import annotations

import numpy as np
import pytest
from loops_interpreter import run_job

from penstock.ir.dialects.parsing import parse_module

JOB = """
module attributes {{job.type = "predict"}} {{
  func.func @job(%x: memref<8xf32> {{job.feed = "x"}}, %a: memref<128xi8> {{job.arena = 128 : i64}},
      %y: memref<8xf32> {{job.fetch = "0"}}) {{
    %zero = arith.constant 0 : index
    %two = arith.constant 2 : index
    %v = memref.view %a[%zero][] : memref<128xi8> to memref<8xf32>
    scf.forall (%i) in (4) {{
      %at = arith.muli %i, %two : index
      {body}
    }}
    return
  }}
}}"""
READ = "vector.load {}[{}] : memref<8xf32>, vector<2xf32>"
WRITE = "vector.store %r, {}[{}] : memref<8xf32>, vector<2xf32>"


def run(*lines: str) -> np.ndarray:
    module = parse_module(JOB.format(body="\n".join(lines)))
    return run_job(module, {"x": np.arange(8, dtype=np.float32)})["0"]


def test_tasks_may_write_disjoint_parts() -> None:
    again = [WRITE.format("%v", "%at"), f"%s = {READ.format('%v', '%at')}"]
    got = run(f"%r = {READ.format('%x', '%at')}", *again, *again[:1], WRITE.format("%y", "%at"))
    assert got.tolist() == list(range(8))


def test_tasks_may_read_the_same_elements() -> None:
    got = run(f"%r = {READ.format('%x', '%zero')}", WRITE.format("%y", "%at"))
    assert got.tolist() == [0, 1] * 4


@pytest.mark.parametrize("place", ["%zero", "%i"])  # equal and overlapping parts
def test_tasks_must_not_write_the_same_elements(place: str) -> None:
    with pytest.raises(AssertionError, match="a task reaches what another one writes"):
        run(f"%r = {READ.format('%x', '%at')}", WRITE.format("%y", place))


def test_overlapping_views_of_the_arena_race() -> None:
    with pytest.raises(AssertionError, match="a task (reaches|writes) what another one"):
        run(
            f"%r = {READ.format('%v', '%zero')}",
            "%n = arith.constant 0 : index",
            "%w = memref.view %a[%n][] : memref<128xi8> to memref<8xf32>",
            WRITE.format("%w", "%at"),
        )


def test_a_task_must_not_write_what_others_read() -> None:
    with pytest.raises(AssertionError, match="a task (reaches|writes) what another one"):
        run(f"%r = {READ.format('%y', '%zero')}", WRITE.format("%y", "%at"))
