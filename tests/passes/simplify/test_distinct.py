"""Simplification ahead of `autodiff` changes no gradient: equal values may have different ones."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.meaning.results import meaning
from penstock.passes.manager import run_pipeline

T = "tensor<2x2xf32>"
WATCH = f'"job.watch_diff"(%m) {{name = "m"}} : ({T}) -> ()'
VARIABLE = '{job.variable = "w", job.initializer = {kind = "constant"}, job.trainable = true}'
SCHEDULE = '{kind = "piecewise_constant", boundaries = [], values = [1.0]}'

BODIES = {
    # The loss depends on the second of two equal values.
    "equal": f"""
        %m = "flow.square"(%w) : ({T}) -> {T}
        %loss = "flow.square"(%w) : ({T}) -> {T}""",
    # Two transposes that undo each other: the loss depends on w by way of m.
    "undone": f"""
        %m = "flow.transpose"(%w) {{permutation = array<i64: 1, 0>}} : ({T}) -> {T}
        %r = "flow.transpose"(%m) {{permutation = array<i64: 1, 0>}} : ({T}) -> {T}
        %loss = "flow.square"(%r) : ({T}) -> {T}""",
    # m has the elements of w, and only a part of its uses.
    "neutral": f"""
        %one = "flow.constant"() {{value = dense<1.0> : {T}}} : () -> {T}
        %m = "flow.multiply"(%w, %one) : ({T}, {T}) -> {T}
        %loss = "flow.multiply"(%m, %w) : ({T}, {T}) -> {T}""",
    # No gradient passes through this op.
    "detached": f"""
        %m = "flow.identity"(%w) {{job.detached = true}} : ({T}) -> {T}
        %loss = "flow.multiply"(%m, %w) : ({T}, {T}) -> {T}""",
    # A constant has a gradient too, if someone watches it.
    "constant": f"""
        %m = "flow.constant"() {{value = dense<3.0> : {T}}} : () -> {T}
        %s = "flow.reshape"(%m) {{shape = array<i64: 4>}} : ({T}) -> tensor<4xf32>
        %r = "flow.reshape"(%w) {{shape = array<i64: 4>}} : ({T}) -> tensor<4xf32>
        %p = "flow.multiply"(%s, %r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %loss = "flow.reshape"(%p) {{shape = array<i64: 2, 2>}} : (tensor<4xf32>) -> {T}""",
}
STEP = "variable System-Train-TrainStep-program"
W = np.array([[1.0, 2.0], [5.0, -3.0]])
ONES = np.ones_like(W)
GRADIENTS = {
    "equal": (0 * W, 2 * W), "undone": (2 * W.T, 2 * W), "neutral": (W, 2 * W),
    "detached": (W, W), "constant": (W, 3 * ONES),
}  # fmt: skip
"""Those of the sum of the losses, to m and to w."""


def job_of(body: str) -> Module:
    return parse_module(f"""
    module @program attributes {{job.type = "train"}} {{
      func.func @program(%w: {T} {VARIABLE}) {{
        {body}
        {WATCH}
        "job.minimize"(%loss) {{optimizer = {{kind = "sgd"}}, schedule = {SCHEDULE}}} : ({T}) -> ()
        func.return
      }}
    }}""")


@pytest.mark.parametrize("ahead", ["", "cse,", "fold,", "canonicalize,", "canonicalize,cse,dce,"])
@pytest.mark.parametrize("name", BODIES)
def test_simplification_ahead_of_autodiff(name: str, ahead: str) -> None:
    module = job_of(BODIES[name])
    run_pipeline(module, f"{ahead}autodiff,canonicalize,cse,dce")
    found = meaning(module, {"variable w": W, STEP: np.array(0)})
    to_m, to_w = GRADIENTS[name]
    np.testing.assert_array_equal(found["watch m"], to_m)
    # SGD with a rate of 1, on the mean of four losses.
    np.testing.assert_array_equal(found["variable w"], W - to_w / 4)


def test_the_same_ops_are_simplified_where_no_gradient_is_taken() -> None:
    """As they are after `autodiff`, and in a job that predicts."""
    text = BODIES["equal"] + f"\n func.return %m, %loss : {T}, {T}"
    module = parse_module(f"func.func @f(%w: {T}) -> ({T}, {T}) {{{text}\n}}")
    run_pipeline(module, "cse")
    assert len(set(module.job.returned.operands)) == 1
