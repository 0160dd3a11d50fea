"""Graphs that evaluate: inputs, outputs, captured tensors, text, stages, errors."""

import re
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.nn.graph import GraphModule

F = flow.nn.functional
Pair = namedtuple("Pair", "first second")


class Net(flow.nn.Module):
    """Nested modules, a buffer, one module that is called twice."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = flow.nn.ModuleList([flow.nn.Linear(4, 4) for _ in range(2)])
        self.norm = flow.nn.LayerNorm(4)
        self.register_buffer("shift", flow.full((4,), 0.5))

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = self.norm(layer(x).tanh())
        return x + self.shift


class Evaluate(flow.nn.Graph):
    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def build(self, x: Any) -> Any:
        return self.model(x)


def graph_of(function: Any, **attributes: Any) -> Any:
    """A graph whose `build` is a function of the graph and its inputs."""

    class Made(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

        def build(self, *args: Any, **named: Any) -> Any:
            return function(self, *args, **named)

    return Made()


NETWORKS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "nested": (Net, (3, 4)),
    "convolutions": (
        lambda: flow.nn.Sequential(
            flow.nn.Conv2d(1, 4, 3), flow.nn.ReLU(inplace=True), flow.nn.MaxPool2d(2),
            flow.nn.BatchNorm2d(4), flow.nn.Flatten(), flow.nn.Linear(4 * 3 * 3, 5),
            flow.nn.LogSoftmax(-1),
        ),
        (2, 1, 8, 8),
    ),
    "momentum of all batches": (lambda: flow.nn.BatchNorm1d(4, momentum=None), (5, 4)),
    "groups": (lambda: flow.nn.Sequential(flow.nn.GroupNorm(2, 4), flow.nn.GELU()), (2, 4, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", NETWORKS)
def test_the_same_as_eager(name: str) -> None:
    make, shape = NETWORKS[name]
    flow.manual_seed(0)
    eager = make()
    flow.manual_seed(0)
    model = make()
    graph = Evaluate(model)
    draw = np.random.default_rng(0)
    for mode in (True, True, False):
        eager.train(mode), model.train(mode)
        x = draw.standard_normal(shape).astype(np.float32)
        np.testing.assert_allclose(
            graph(flow.tensor(x)).numpy(), eager(flow.tensor(x)).numpy(), rtol=1e-6, atol=1e-6
        )
    for (word, one), other in zip(
        model.state_dict().items(), eager.state_dict().values(), strict=True
    ):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-6, err_msg=word)


def test_nests_of_inputs_and_outputs() -> None:
    def build(self: Any, x: Any, rest: Any, *, scale: float = 1.0, more: Any = None) -> Any:
        y = x * self.w * scale
        if more is not None:
            y = y + more
        return {"y": y, "l": [rest["a"] > 0, None], "p": Pair(x, 7), "t": (rest["b"][0], "s", ())}

    graph = graph_of(build, w=flow.ones(3))
    x, rest = flow.tensor([1.0, 2.0, 3.0]), {"a": flow.tensor([1, -1]), "b": [flow.tensor(2.5)]}
    made = graph(x, rest, scale=2.0)
    np.testing.assert_array_equal(made["y"].numpy(), [2, 4, 6])
    assert made["l"][0].dtype is flow.bool
    assert made["l"][0].tolist() == [True, False]
    assert made["l"][1] is None
    assert isinstance(made["p"], Pair)
    assert made["p"].second == 7
    assert (made["t"][0].item(), *made["t"][1:]) == (2.5, "s", ())
    # Other plain values are compiled for, and the tensor of its own is read at each call.
    with flow.no_grad():
        graph.w.mul_(3)
    np.testing.assert_array_equal(graph(x, rest, scale=3.0)["y"].numpy(), [9, 18, 27])
    np.testing.assert_array_equal(graph(x, rest, scale=2.0)["y"].numpy(), [6, 12, 18])
    assert graph(np.float32([1, 1, 1]), rest)["y"].tolist() == [3, 3, 3]


def test_calls_without_tensors_and_without_results() -> None:
    w = flow.ones(2)

    def count(self: Any) -> None:
        w.add_(1)

    graph = graph_of(count)
    assert graph() is None
    assert graph() is None
    assert w.tolist() == [3, 3]


def test_changes_in_place() -> None:
    total = flow.zeros(2)

    def build(self: Any, x: Any) -> Any:
        total.add_(x)
        doubled = total * 2
        total.mul_(x)
        y = x * 3
        F.relu(y, inplace=True)
        return doubled, total + 0, y

    graph = graph_of(build)
    x = flow.tensor([2.0, -3.0])
    doubled, after, y = graph(x)
    assert (doubled.tolist(), after.tolist(), y.tolist()) == ([4, -6], [4, 9], [6, 0])
    assert total.tolist() == [4, 9]
    assert graph(x)[0].tolist() == [12, 12]


def test_tensors_that_overlap_or_are_not_contiguous() -> None:
    base = flow.tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    turned, part = base.t(), base[1]

    def build(self: Any, x: Any) -> Any:
        y = turned @ x + part[0]
        base.add_(1)
        return y

    graph = graph_of(build)
    x = flow.tensor([1.0, 10.0])
    for _ in range(2):
        wanted = turned.numpy() @ x.numpy() + part.numpy()[0]
        np.testing.assert_array_equal(graph(x).numpy(), wanted)
    assert base.tolist() == [[2, 3, 4], [5, 6, 7]]
    weight = flow.nn.Parameter(flow.ones(3, 2).t())
    transposed = graph_of(lambda self, x: weight.mul_(x) * 1)
    assert transposed(flow.tensor(2.0)).tolist() == [[2, 2, 2], [2, 2, 2]]
    assert weight.tolist() == [[2, 2, 2], [2, 2, 2]]


def test_an_input_that_the_step_changes() -> None:
    total = flow.tensor(np.arange(1, 2001, dtype=np.float32))
    wanted = total.numpy().copy()

    def build(self: Any, x: Any, y: Any) -> Any:
        total.add_(1)
        return total + 0, x.sum(), y.flip(0)

    graph = graph_of(build)
    for _ in range(2):
        after, of_all, turned = graph(total, total[::2])
        np.testing.assert_array_equal(after.numpy(), wanted + 1)
        assert of_all.item() == pytest.approx(wanted.sum())
        np.testing.assert_array_equal(turned.numpy(), wanted[::2][::-1])
        wanted += 1


def test_the_text_of_a_graph() -> None:
    graph = Evaluate(Net())
    name = graph.name
    assert re.fullmatch(r"Evaluate_\d+", name)
    before = repr(graph)
    assert before.startswith(f"(GRAPH:{name}:Evaluate): (\n  (CONFIG:config:GraphConfig(training=")
    assert "  (MODULE:model:Net()): (\n" in before
    assert "    (BUFFER:model.shift:tensor(..., size=(4,), dtype=penstock.float32)): ()\n" in before
    assert (
        "(PARAMETER:model.layers.1.weight:tensor(..., size=(4, 4), dtype=penstock.float32, "
        "requires_grad=True)): ()" in before
    )
    assert "INPUT" not in before
    graph(flow.ones(3, 4))
    after = repr(graph)
    assert "  (INPUT:x:tensor(..., size=(3, 4), dtype=penstock.float32))\n" in after
    assert "      (INPUT:model.norm.input.0:tensor" in after
    assert after.count("(OPERATOR: flow.matmul(") == 2
    assert "-> (%model.layers.0.matmul)" in after
    assert "  (OUTPUT:model.add:tensor(..., size=(3, 4), dtype=penstock.float32))\n)" in after
    assert "test_graph.py" not in after
    graph.debug(0, op_repr_with_py_stack=True)
    assert re.search(r"OPERATOR: flow.layer_norm.*, at .*test_graph.py:\d+\)", repr(graph))


def test_debug_levels(capsys: pytest.CaptureFixture[str]) -> None:
    counts, texts = {}, {}
    for level in range(-1, 4):
        graph = Evaluate(Net())
        graph.debug(level)
        graph(flow.ones(3, 4))
        texts[level] = capsys.readouterr().out
        counts[level] = len(texts[level].splitlines())
    assert (counts[-1], counts[0], counts[1]) == (0, 4, 9)
    assert "(GRAPH:" in texts[0]
    assert "module model.layers.1 (Linear) is called" in texts[1]
    assert counts[1] < counts[2] == counts[3]
    assert "flow.matmul(" in texts[2]
    assert "tensor<3x4xf32>" not in texts[2]
    assert "tensor<3x4xf32>" in texts[3]
    silent = Evaluate(Net())
    silent.debug(3, ranks=[1])
    silent(flow.ones(3, 4))
    assert capsys.readouterr().out == ""


def test_blocks() -> None:
    model = Net()
    graph = Evaluate(model)
    block = graph.model
    assert not isinstance(block, flow.nn.Module)
    assert block.to(flow.nn.Module) is model
    assert block.to(GraphModule) is block
    assert block.layers[1].to(flow.nn.Module) is model.layers[1]
    assert [one.origin for one in block.layers] == list(model.layers)
    assert (block.layers[1].name, block.layers[1].name_prefix) == ("1", "model.layers.")
    assert block.norm.eps == model.norm.eps
    assert block.norm.weight is model.norm.weight
    block.layers[0].config.set_stage(1)
    assert "GraphModuleConfig(stage_id=1, )" in repr(graph)


def test_stages_of_a_graph() -> None:
    graph = Evaluate(Net())
    traced = graph.trace(flow.ones(3, 4))
    assert '%model.layers.0.matmul = "flow.matmul"(%x, %model.layers.0.weight)' in traced.as_text()
    assert graph.lower().texts() == ["job", "grad", "placed", "fused", "loops"]
    assert "define" in graph.compile().as_text("llvm")
    assert graph.is_compiled
    assert graph(flow.ones(3, 4)).shape == (3, 4)
    assert graph.compile().cost() is not None


def test_watched_blobs() -> None:
    model = Net()
    graph = Evaluate(model)
    x = flow.ones(3, 4)
    with pytest.raises(ValueError, match="has not been traced"):
        graph.watch("*", print)
    wanted = graph(x)
    seen: dict[str, Any] = {}
    stop = graph.watch("model.layers.*matmul*", seen.__setitem__)
    np.testing.assert_array_equal(graph(x).numpy(), wanted.numpy())
    assert sorted(seen) == ["model.layers.0.matmul", "model.layers.1.matmul"]
    first = x @ model.layers[0].weight.t()
    np.testing.assert_array_equal(seen["model.layers.0.matmul"], first.numpy())
    stop()
    seen.clear()
    graph(x)
    assert not seen
    line = next(
        i
        for i, text in enumerate(Path(__file__).read_text().splitlines(), 1)
        if "self.shift" in text
    )
    graph.watch(f"test_graph.py:{line}", seen.__setitem__)
    graph(x)
    assert "model.add" in seen
    with pytest.raises(ValueError, match='did you mean "model.norm.layer_norm"'):
        graph.watch("model.norm.layer_nrm", print)
    np.testing.assert_array_equal(graph(x).numpy(), wanted.numpy())


def test_watching_in_build(capsys: pytest.CaptureFixture[str]) -> None:
    def build(self: Any, x: Any) -> Any:
        y = x * 2
        flow.watch(y, "twice:")
        return y

    graph_of(build)(flow.ones(2))
    assert capsys.readouterr().out == "twice: [2. 2.]\n"


def test_random_numbers_follow_the_generator() -> None:
    own = flow.Generator().manual_seed(7)

    def build(self: Any, x: Any) -> Any:
        return F.dropout(x) + flow.randn(4), flow.rand(4, generator=own)

    graph = graph_of(build)
    x = flow.ones(4)
    for seed in (1, 2, 1):
        flow.manual_seed(seed)
        found = [graph(x) for _ in range(2)]
        flow.manual_seed(seed)
        other = flow.Generator().manual_seed(7)
        other.set_state(flow.tensor([7, own.get_state().tolist()[1] - 2]))
        for made in found:
            np.testing.assert_array_equal(made[0].numpy(), (F.dropout(x) + flow.randn(4)).numpy())
            np.testing.assert_array_equal(made[1].numpy(), flow.rand(4, generator=other).numpy())


def test_dynamic_shapes() -> None:
    traced: list[Any] = []

    class Dynamic(flow.nn.Graph):
        @flow.nn.Graph.with_dynamic_input_shape(size=2)
        def __init__(self, model: Any) -> None:
            super().__init__()
            self.model = model

        def build(self, x: Any) -> Any:
            traced.append(tuple(x.shape))
            return self.model(x)

    model = Net()
    graph = Dynamic(model)
    for rows in (2, 3, 2, 3, 4, 2):
        x = flow.randn(rows, 4)
        np.testing.assert_allclose(graph(x).numpy(), model(x).numpy(), rtol=1e-6, atol=1e-6)
    assert traced == [(2, 4), (3, 4), (4, 4), (2, 4)]
    with pytest.raises(ValueError, match="size of with_dynamic_input_shape must be at least 2"):
        flow.nn.Graph.with_dynamic_input_shape(size=1)


def test_traced_functions() -> None:
    @flow.nn.Graph.trace
    def double(x: Any) -> Any:
        return x * 2

    assert double(flow.ones(2)).tolist() == [2, 2]
    assert double(flow.ones(3)).tolist() == [2, 2, 2]
    layer = flow.nn.Linear(2, 2)
    x = flow.ones(1, 2)
    np.testing.assert_array_equal(flow.nn.Graph.trace(layer)(x).numpy(), layer(x).numpy())


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((flow.ones(4, 4),), r"expected flow.float32 of shape \(3, 4\) for input x, got"),
        ((flow.ones(3, 4, dtype=flow.float64),), "got flow.float64 of shape"),
        ((), "expected 1 tensors, got 0"),
        ((flow.ones(3, 4), flow.ones(3, 4)), "expected 1 tensors, got 2"),
        (([flow.ones(3, 4), {1}],), "one of them is neither"),
    ],
)
def test_other_inputs(given: Any, error: str) -> None:
    graph = Evaluate(Net())
    wanted = graph(flow.ones(3, 4))
    with pytest.raises((ValueError, TypeError), match=f"test_graph.py:.*{error}"):
        graph(*given)
    np.testing.assert_array_equal(graph(flow.ones(3, 4)).numpy(), wanted.numpy())


def test_wrong_graphs() -> None:
    x = flow.ones(2)

    class Bare(flow.nn.Graph):
        pass

    class Early(flow.nn.Graph):
        def __init__(self) -> None:
            self.layer = flow.nn.ReLU()

    class Never(flow.nn.Graph):
        def __init__(self) -> None:
            pass

    inner = graph_of(lambda self, x: x)
    cases: list[tuple[Any, type[Exception], str]] = [
        (lambda: Bare()(x), NotImplementedError, "Bare has no build"),
        (Early, AttributeError, "call super.*__init__.* in Early.__init__ before"),
        (lambda: Never()(x), AttributeError, "call super.*__init__.* in Never.__init__ before"),
        (lambda: graph_of(lambda self, x: object())(x), TypeError, "build of graph .* returns"),
        (lambda: graph_of(lambda self, x: inner(x))(x), NotImplementedError, "body of another"),
        (
            lambda: graph_of(lambda self, x: x.sum().backward())(x),
            RuntimeError,
            "calls backward, but the graph has no optimizer",
        ),
        (
            lambda: graph_of(lambda self, x: x if x.sum() > 0 else -x)(x),
            TypeError,
            "has no truth value",
        ),
        (lambda: inner.lower(), ValueError, "has not been traced"),
        (lambda: inner.nothing, AttributeError, "Made has no 'nothing'"),
        (lambda: inner.config.enable_ampp(), AttributeError, 'did you mean "enable_amp"'),
        (lambda: inner.config.enable_amp(dtype=flow.int8), ValueError, "float16 or flow.bfloat16"),
        (lambda: inner.config.set_gradient_accumulation_steps(0), ValueError, "at least 1"),
        (lambda: inner.debug(4), ValueError, "v_level of debug must lie in"),
        (lambda: inner.debug(0, ranks="all"), TypeError, "ranks of debug is an int"),
        (lambda: inner.set_grad_scaler(2.0), TypeError, "set_grad_scaler takes"),
        (lambda: inner.share_from(x), TypeError, "share_from of graph .* takes a graph"),
        (lambda: flow.amp.GradScaler(growth_factor=1.0), ValueError, "must be above 1"),
        (lambda: flow.amp.StaticGradScaler(0.0), ValueError, "must be above 0"),
    ]
    for call, kind, error in cases:
        with pytest.raises(kind, match=f"test_graph.py:.*{error}"):
            call()
    assert inner(x).tolist() == [1, 1]


def test_an_error_in_build_passes_through() -> None:
    fails = [True]

    def build(self: Any, x: Any) -> Any:
        if fails[0]:
            raise ZeroDivisionError("mine")
        return self.layer(x)

    layer = flow.nn.ReLU()
    graph = graph_of(build, layer=layer)
    with pytest.raises(ZeroDivisionError, match="mine"):
        graph(flow.ones(2))
    assert flow.is_grad_enabled()
    assert not layer.__dict__["_hooked"]
    fails[0] = False
    assert graph(flow.ones(2)).tolist() == [1, 1]


def test_what_changes_in_modules_is_followed() -> None:
    model = flow.nn.Sequential(flow.nn.Linear(3, 3), flow.nn.ReLU())
    graph, x = Evaluate(model), flow.tensor([[1.0, -2.0, 3.0]])

    def check() -> None:
        np.testing.assert_allclose(graph(x).numpy(), model(x).numpy(), rtol=1e-6)

    check()
    model[0].weight = flow.nn.Parameter(flow.ones(3, 3))
    check()
    model[1] = flow.nn.Tanh()
    check()
    handle = model[0].register_forward_hook(lambda module, args, output: output * 2)
    check()
    handle.remove()
    check()
    model.double()
    with pytest.raises(ValueError, match="'model.0.weight' of graph .* is now f64"):
        graph(x)
    model.float()
    check()


def test_names_have_their_module_once() -> None:
    class Sum(flow.nn.Module):
        def forward(self, x: Any) -> Any:
            return x + 1.0 + 2.0 + 3.0

    class Sums(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.sum = Sum()

        def build(self, x: Any) -> Any:
            return self.sum(x)

    graph = Sums()
    graph.trace(flow.ones(2))
    assert "-> (%sum.add_2):" in repr(graph)
    assert "sum.sum" not in repr(graph)
