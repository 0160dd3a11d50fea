"""Autodiff: gradients, updates, watched values, and the errors of jobs that cannot be trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.ir.attributes import python_value
from penstock.ir.core import Operation
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify
from penstock.passes.flow.autodiff import Autodiff
from penstock.passes.flow.lower_to_linalg import LowerToLinalg
from penstock.passes.manager import run_pipeline

VARIABLE = '{job.variable = "%s", job.initializer = {kind = "constant"}, job.trainable = %s%s}'
SCHEDULE = '{kind = "piecewise_constant", boundaries = [], values = [0.5], base_lr = 0.5}'


def dense_job(
    optimizer: str = 'kind = "sgd"', body: str = "", trainable: str = "true", extra: str = ""
) -> Module:
    """loss = square(x @ w + b), of 2 by 3 elements; w may have a regularizer."""
    w = VARIABLE % ("w", trainable, extra)
    b = VARIABLE % ("b", trainable, "")
    return parse_module(f"""
    module @dense attributes {{job.type = "train"}} {{
      func.func @dense(%x: tensor<2x4xf32> {{job.feed = "x"}}, %w: tensor<4x3xf32> {w},
                       %b: tensor<3xf32> {b}) -> (tensor<2x3xf32> {{job.fetch = "0"}}) {{
        %0 = "flow.matmul"(%x, %w) {{transpose_a = false, transpose_b = false}}
            : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> loc("train.py":4:0)
        %1 = "flow.add"(%0, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
        %2 = "flow.square"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        {body}
        "job.minimize"(%2) {{optimizer = {{{optimizer}}}, schedule = {SCHEDULE}}}
            : (tensor<2x3xf32>) -> () loc("train.py":9:0)
        func.return %2 : tensor<2x3xf32>
      }}
    }}""")


def differentiated(module: Module) -> Module:
    Autodiff().run(module)
    verify(module)
    assert not any(isinstance(op, job.Minimize | job.WatchDiff) for op in module.job.body)
    return module


def run(module: Module, **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fetches and new values of variables by name, and watched values, in float64."""
    function = module.job
    arguments = []
    for position, argument in enumerate(function.arguments):
        facts = function.argument_attributes(position)
        name = python_value(facts.get("job.feed") or facts["job.variable"])
        shape = argument.type.shape  # type: ignore[attr-defined]
        arguments.append(given.get(name, np.zeros(shape)))
    watched: dict[str, Any] = {}
    results = interpret(module, arguments, promote=True, watch=watched.__setitem__)
    names = []
    for position in range(len(results)):
        facts = function.result_attributes(position)
        names.append(python_value(facts.get("job.update") or facts["job.fetch"]))
    return dict(zip(names, results, strict=True)), watched


def values() -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {
        "x": random.standard_normal((2, 4)),
        "w": random.standard_normal((4, 3)),
        "b": random.standard_normal(3),
    }


def gradients(v: dict[str, Any]) -> dict[str, Any]:
    """The gradients of the sum of the losses."""
    y = v["x"] @ v["w"] + v["b"]
    return {"y": 2 * y, "w": v["x"].T @ (2 * y), "b": (2 * y).sum(0)}


def near(got: Any, wanted: Any) -> bool:
    return bool(np.allclose(got, wanted, rtol=1e-12, atol=1e-12))


def test_a_step_descends_on_the_mean_of_the_loss() -> None:
    v = values()
    results, _ = run(differentiated(dense_job()), **v)
    g = gradients(v)
    assert list(results) == ["0", "w", "b", "System-Train-TrainStep-dense"]
    assert near(results["0"], (v["x"] @ v["w"] + v["b"]) ** 2)
    assert near(results["w"], v["w"] - 0.5 * g["w"] / 6)
    assert near(results["b"], v["b"] - 0.5 * g["b"] / 6)
    assert results["System-Train-TrainStep-dense"] == 1


def test_the_step_counter_is_a_variable() -> None:
    function = differentiated(dense_job()).job
    facts = function.argument_attributes(3)
    assert python_value(facts["job.variable"]) == "System-Train-TrainStep-dense"
    assert python_value(facts["job.initializer"]) == {"kind": "constant", "value": 0}
    assert python_value(facts["job.trainable"]) is False
    assert str(function.arguments[3].type) == "tensor<i64>"


def test_momentum_has_a_velocity_per_variable() -> None:
    v = {**values(), "w-momentum": np.full((4, 3), 0.25), "b-momentum": np.full(3, -1.0)}
    results, _ = run(differentiated(dense_job('kind = "momentum", beta = 0.9')), **v)
    g = gradients(v)
    for name in ("w", "b"):
        velocity = 0.9 * v[f"{name}-momentum"] - 0.5 * g[name] / 6
        assert near(results[f"{name}-momentum"], velocity)
        assert near(results[name], v[name] + velocity)


@pytest.mark.parametrize(
    ("words", "decays"),
    [
        ("", {"w", "b"}),
        (', weight_decay_includes = ["w"]', {"w"}),
        (', weight_decay_excludes = ["w"]', {"b"}),
    ],
)
def test_weight_decay_by_names(words: str, decays: set[str]) -> None:
    v = values()
    text = f'kind = "sgd", weight_decay = 0.25{words}'
    results, _ = run(differentiated(dense_job(text)), **v)
    g = gradients(v)
    for name in ("w", "b"):
        decay = 0.25 * v[name] if name in decays else 0
        assert near(results[name], v[name] - 0.5 * (g[name] / 6 + decay))


def test_regularizer_joins_the_averaged_gradient() -> None:
    v = values()
    extra = ", job.regularizer = {l1 = 0.5, l2 = 0.25}"
    results, _ = run(differentiated(dense_job(extra=extra)), **v)
    pull = 0.5 * np.sign(v["w"]) + 0.25 * v["w"]
    assert near(results["w"], v["w"] - 0.5 * (gradients(v)["w"] / 6 + pull))


@pytest.mark.parametrize("limit", [0.25, 1.0, 1000.0])
def test_clipping_by_the_global_norm(limit: float) -> None:
    v = values()
    results, _ = run(differentiated(dense_job(f'kind = "sgd", clip_norm = {limit}')), **v)
    g = gradients(v)
    norm = np.sqrt(sum(((g[name] / 6) ** 2).sum() for name in ("w", "b")))
    share = min(1, limit / norm)
    for name in ("w", "b"):
        assert near(results[name], v[name] - 0.5 * share * g[name] / 6)


def test_loss_scale_is_undone() -> None:
    v = values()
    body = '"job.watch_diff"(%1) {name = "y"} : (tensor<2x3xf32>) -> ()'
    scaled = differentiated(dense_job('kind = "sgd", loss_scale = 8.0', body))
    results, watched = run(scaled, **v)
    assert near(results["w"], v["w"] - 0.5 * gradients(v)["w"] / 6)
    assert near(watched["y"], 8 * gradients(v)["y"])


def test_watch_diff_sees_the_gradient_of_the_sum() -> None:
    v = values()
    body = "".join(
        f'"job.watch_diff"({value}) {{name = "{name}"}} : ({type}) -> ()\n'
        for value, name, type in (
            ("%2", "loss", "tensor<2x3xf32>"),
            ("%1", "y", "tensor<2x3xf32>"),
            ("%w", "weight", "tensor<4x3xf32>"),
            ("%x", "feed", "tensor<2x4xf32>"),
        )
    )
    _, watched = run(differentiated(dense_job(body=body)), **v)
    g = gradients(v)
    assert near(watched["loss"], np.ones((2, 3)))
    assert near(watched["y"], g["y"])
    assert near(watched["weight"], g["w"])
    assert near(watched["feed"], g["y"] @ v["w"].T)
    assert list(watched)[:2] == ["loss", "y"]


def test_watch_diff_is_zeros_if_the_loss_does_not_depend_on_the_value() -> None:
    body = """
    %side = "flow.exp"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    "job.watch_diff"(%side) {name = "side"} : (tensor<2x3xf32>) -> ()"""
    module = differentiated(dense_job(body=body))
    _, watched = run(module, **values())
    assert watched["side"].tolist() == [[0, 0, 0], [0, 0, 0]]


def test_watch_diff_in_a_job_without_trainable_variables() -> None:
    module = parse_module("""
    module @predict attributes {job.type = "predict"} {
      func.func @predict(%x: tensor<2xf32>) -> tensor<2xf32> {
        "job.watch_diff"(%x) {name = "x"} : (tensor<2xf32>) -> ()
        func.return %x : tensor<2xf32>
      }
    }""")
    Autodiff().run(module)
    assert [op.name for op in module.job.body] == ["func.return"]
    assert python_value(module.attributes["job.without_gradient"]) == ["x"]


def test_untrainable_variables_are_unchanged() -> None:
    module = dense_job()
    function = module.job
    facts = function.argument_attributes(2)
    function.set_argument_attributes(2, {**facts, "job.trainable": False})
    results, _ = run(differentiated(module), **values())
    assert list(results) == ["0", "w", "System-Train-TrainStep-dense"]


def test_losses_add_and_a_repeated_loss_counts_once() -> None:
    module = dense_job()
    (minimize,) = (op for op in module.job.body if isinstance(op, job.Minimize))
    first = minimize.losses[0]
    square = first.defining_op
    assert square is not None
    minimize.operands = [first, square.operands[0]]
    v = values()
    results, _ = run(differentiated(module), **v)
    g = gradients(v)["y"] + 1
    assert near(results["b"], v["b"] - 0.5 * g.sum(0) / 6)


def test_gradients_add_where_a_value_is_used_twice() -> None:
    module = dense_job()
    (add,) = (op for op in module.job.body if op.name == "flow.add")
    (square,) = (op for op in module.job.body if op.name == "flow.square")
    w = module.job.arguments[1]
    assert add.block is not None
    from penstock.ir.builder import Builder
    from penstock.ir.dialects.flow import make

    b = Builder.ahead_of(square)
    total = make.reduce(b, "sum", w, [0])
    square.set_operand(0, make.add(b, add.results[0], total))
    v = values()
    results, _ = run(differentiated(module), **v)
    y = v["x"] @ v["w"] + v["b"] + v["w"].sum(0)
    gradient = v["x"].T @ (2 * y) + (2 * y).sum(0)
    assert near(results["w"], v["w"] - 0.5 * gradient / 6)


def test_backward_ops_are_at_the_lines_of_their_forward_ops() -> None:
    module = differentiated(dense_job())
    backward = [op for op in module.job.body if op.name == "flow.matmul"][1:]
    assert backward
    assert {op.location.describe() for op in backward} == {"train.py:4"}


def test_unused_gradients_are_not_computed() -> None:
    names = [op.name for op in differentiated(dense_job()).job.body]
    assert names.count("flow.matmul") == 2, "no gradient of the feed"


def test_autodiff_is_deterministic() -> None:
    texts = {print_module(differentiated(dense_job('kind = "momentum", beta = 0.5')))
             for _ in range(3)}  # fmt: skip
    assert len(texts) == 1


def test_a_second_run_changes_nothing() -> None:
    module = differentiated(dense_job())
    text = print_module(module)
    Autodiff().run(module)
    assert print_module(module) == text


def small_job(body: str, *others: str) -> Module:
    """A job whose loss %y has two elements, computed from the variable %w and zero %z."""
    losses, types = ", ".join(["%y", *others]), ", ".join(["tensor<2xf32>"] * (1 + len(others)))
    variable = VARIABLE % ("w", "true", "")
    return parse_module(f"""
    module @small attributes {{job.type = "train"}} {{
      func.func @small(%w: tensor<2xf32> {variable}) -> (tensor<2xf32> {{job.fetch = "0"}}) {{
        %z = "flow.constant"() {{value = dense<0.0> : tensor<f32>}} : () -> tensor<f32>
        {body}
        "job.minimize"({losses}) {{optimizer = {{kind = "sgd"}}, schedule = {SCHEDULE}}}
            : ({types}) -> ()
        func.return %y : tensor<2xf32>
      }}
    }}""")


@pytest.mark.parametrize("first", ["canonicalize", "cse"])
def test_losses_that_cse_merges_count_separately(first: str) -> None:
    square = '"flow.square"(%w) : (tensor<2xf32>) -> tensor<2xf32>'
    module = small_job(f"%y = {square}\n%v = {square}", "%v")
    run_pipeline(module, first)
    w = np.array([3, -1], np.float32)
    updated = interpret(differentiated(module), [w, np.zeros((), np.int64)])[1]
    assert np.array_equal(updated, w - 0.5 * (2 * 2 * w) / 2), "the mean over two elements"


@pytest.mark.parametrize("op", ["maximum", "minimum"])
@pytest.mark.parametrize("first", [False, True])
def test_simplifying_before_autodiff_moves_no_gradient(op: str, first: bool) -> None:
    """Two equal operands get half of the gradient each, so they may be swapped."""
    x, y = ("%w", "%z") if first else ("%z", "%w")
    tx, ty = ("tensor<2xf32>", "tensor<f32>") if first else ("tensor<f32>", "tensor<2xf32>")
    module = small_job(f'%y = "flow.{op}"({x}, {y}) : ({tx}, {ty}) -> tensor<2xf32>')
    run_pipeline(module, "canonicalize,cse")
    w = np.zeros(2, np.float32)
    updated = interpret(differentiated(module), [w, np.zeros((), np.int64)])[1]
    assert updated.tolist() == [-0.125, -0.125]


def test_a_constant_power_has_gradient_zero_at_zero() -> None:
    body = '%y = "flow.pow"(%w, %z) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>'
    w = np.array([0.0, 2.0], np.float32)
    updated = interpret(differentiated(small_job(body)), [w, np.zeros((), np.int64)])[1]
    assert updated.tolist() == [0.0, 2.0]


def test_a_lowered_step_computes_the_same() -> None:
    module = differentiated(dense_job('kind = "momentum", beta = 0.9, clip_norm = 0.5'))
    v = [a.astype(np.float32) for a in values().values()]
    rest = [np.zeros((), np.int64), np.zeros((4, 3), np.float32), np.zeros(3, np.float32)]
    wanted = interpret(module, [*v, *rest])
    LowerToLinalg().run(module)
    for got, other in zip(interpret(module, [*v, *rest]), wanted, strict=True):
        assert np.allclose(got, other, rtol=1e-6, atol=1e-7)


class TestErrors:
    """Each error is one sentence, at the user's line."""

    @staticmethod
    def error(module: Module) -> str:
        with pytest.raises(IRError) as caught:
            Autodiff().run(module)
        return str(caught.value)

    def test_no_trainable_variable_is_reached(self) -> None:
        assert self.error(dense_job(trainable="false")) == (
            "train.py:9: error: job.minimize: the loss depends on no trainable variable: there is "
            "nothing to learn"
        )

    def test_a_loss_without_elements(self) -> None:
        text = print_module(dense_job())
        empty = text.replace("tensor<2x", "tensor<0x")
        assert self.error(parse_module(empty)) == (
            "train.py:9: error: job.minimize: expected a loss of at least one element, got "
            "tensor<0x3xf32>"
        )

    @pytest.mark.parametrize(
        ("type", "trainable", "got"),
        [("4x3", "true", "trainable tensor<4x3xf32>"), ("3", "false", "tensor<3xf32>")],
    )
    def test_a_variable_with_the_name_of_optimizer_state(
        self, type: str, trainable: str, got: str
    ) -> None:
        text = print_module(dense_job('kind = "momentum", beta = 0.5'))
        taken = f"%v: tensor<{type}xf32> {VARIABLE % ('w-momentum', trainable, '')}"
        text = text.replace("%b: tensor", f"{taken}, %b: tensor")
        assert (
            'variable "w-momentum" is kept for the optimizer: expected tensor<4x3xf32> that is '
            f"not trainable, got {got}: rename it"
        ) in self.error(parse_module(text))

    @pytest.mark.parametrize(
        ("optimizer", "said"),
        [
            ('kind = "momentum", betta = 0.9', "has no entry 'betta': did you mean 'beta'?"),
            ('kind = "momentum", beta = "x"', "expected beta = a number, got 'x'"),
            ('kind = "sgd", clip_norm = true', "expected clip_norm = a number, got True"),
            ('kind = "sgd", weight_decay_includes = "w"',
             "expected weight_decay_includes = a list of strings, got 'w'"),
        ],
    )  # fmt: skip
    def test_invalid_optimizer_options(self, optimizer: str, said: str) -> None:
        with pytest.raises(IRError) as caught:
            verify(dense_job(optimizer))
        assert str(caught.value) == f"train.py:9: error: job.minimize: the optimizer: {said}"

    def test_an_invalid_schedule_is_reported_at_its_use(self) -> None:
        text = print_module(dense_job()).replace("piecewise_constant", "cosine")
        with pytest.raises(IRError, match="job.minimize: the cosine schedule: has no entry"):
            verify(parse_module(text))

    def test_train_job_without_minimize(self) -> None:
        module = dense_job()
        (minimize,) = (op for op in module.job.body if isinstance(op, job.Minimize))
        minimize.erase()
        assert "train job @dense has nothing to learn" in self.error(module)
        # After bufferization, updates exist already and are in place.
        entries = [module.job.argument_attributes(i) for i in range(len(module.job.arguments))]
        module.job.set_all_argument_attributes([{**entries[0], "job.arena": 0}, *entries[1:]])
        Autodiff().run(module)

    def test_two_minimizes(self) -> None:
        module = dense_job()
        (minimize,) = (op for op in module.job.body if isinstance(op, job.Minimize))
        copy: Operation = minimize.clone()
        assert minimize.block is not None
        minimize.block.insert_before(minimize, copy)
        assert "train.py:9: error: job.minimize: a job can have one minimize" in self.error(module)

    def test_an_op_without_a_gradient_on_the_path(self) -> None:
        body = """
        %rate = "flow.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
        %sgd = "job.sgd"(%1, %1, %rate) {weight_decay = 0.0 : f64}
            : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32> loc("train.py":7:0)
        """
        module = dense_job(body=body)
        (square,) = (op for op in module.job.body if op.name == "flow.square")
        (sgd,) = (op for op in module.job.body if op.name == "job.sgd")
        terminator = module.job.returned
        square.move_before(terminator)
        square.set_operand(0, sgd.results[0])
        (minimize,) = (op for op in module.job.body if isinstance(op, job.Minimize))
        minimize.move_before(terminator)
        assert self.error(module) == (
            "train.py:7: error: job.sgd: has no gradient, and a trainable variable or a watched "
            "value depends on it"
        )

    def test_losses_of_different_types(self) -> None:
        module = dense_job()
        (minimize,) = (op for op in module.job.body if isinstance(op, job.Minimize))
        minimize.operands = [*minimize.operands, module.job.arguments[2]]
        with pytest.raises(IRError, match="losses of one shape and element type"):
            minimize.verify()

    def test_unknown_optimizer(self) -> None:
        with pytest.raises(IRError, match="kind = 'adam', .*'sgd', got 'magic'"):
            verify(dense_job('kind = "magic"'))
