"""Forward hooks of modules: eager and compiled graphs call the same hooks with the same values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from everywhere import EagerTrain, Train

import penstock as flow
import penstock.typing as tp
from penstock import nn


def network() -> nn.Module:
    flow.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


X = flow.tensor(np.linspace(-1, 1, 15, dtype=np.float32).reshape(5, 3))


class Evaluate(nn.Graph):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def build(self, x: Any) -> Any:
        return self.model(x)


class Hooks:
    """Hooks of all kinds, which note what they see."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def before(self, module: Any, args: Any) -> Any:
        self.seen.append(("before", args[0].numpy().tolist()))
        return args[0] * args[0]

    def after(self, module: Any, args: Any, output: Any) -> Any:
        self.seen.append(("after", float(output.sum())))
        return output * 2.0 + args[0].tanh()

    def observe(self, module: Any, args: Any, output: Any) -> None:
        self.seen.append(("observe", args[0].shape, float(output.sum())))

    def named(self, module: Any, args: Any, kwargs: Any) -> Any:
        self.seen.append(("named", sorted(kwargs)))
        return (args[0] + 1.0,), kwargs

    def add_to(self, model: Any) -> None:
        model[1].register_forward_pre_hook(self.before)
        model[1].register_forward_hook(self.after)
        model[2].register_forward_hook(self.observe)
        model[0].register_forward_pre_hook(self.named, with_kwargs=True)


def test_a_training_graph_is_as_eager_code() -> None:
    models, hooks = [network(), network()], [Hooks(), Hooks()]
    for model, one in zip(models, hooks, strict=True):
        one.add_to(model)
    eager, graph = EagerTrain(models[0]), Train(models[1])
    for _ in range(3):
        assert eager(X).item() == graph(X).item()
        for p, q in zip(models[0].parameters(), models[1].parameters(), strict=True):
            np.testing.assert_array_equal(p.numpy(), q.numpy())
    assert hooks[0].seen == hooks[1].seen
    assert [one[0] for one in hooks[1].seen[:4]] == ["named", "before", "after", "observe"]


def test_observers_are_watched_and_others_called() -> None:
    model = network()
    Hooks().add_to(model)
    graph = Evaluate(model)
    graph(X)
    text = graph.trace().as_text()
    assert text.count("job.watch") == 2  # what goes into model.2, and what comes out
    assert text.count('"job.callout"(') == 3


def test_jit_is_as_eager_code() -> None:
    models, hooks = [network(), network()], [Hooks(), Hooks()]
    for model, one in zip(models, hooks, strict=True):
        one.add_to(model)
    compiled = flow.jit(lambda x: models[1](x))
    for _ in range(2):
        first, second = [models[0](X), models[0](X)], [compiled(X), compiled(X)]
        np.testing.assert_allclose(first[0].numpy(), second[0].numpy(), rtol=1e-6)
        # Each result goes back through what its own call recorded.
        for results in (first, second):
            (results[0].sum() * 2.0 + results[1].sum()).backward()
    for p, q in zip(models[0].parameters(), models[1].parameters(), strict=True):
        np.testing.assert_allclose(p.grad.numpy(), q.grad.numpy(), rtol=1e-5)
    assert [one[0] for one in hooks[0].seen] == [one[0] for one in hooks[1].seen]


def test_adding_and_removing() -> None:
    model = network()
    graph = Evaluate(model)
    compiled = flow.jit(lambda x: model(x))

    def check() -> None:
        expected = model(X).numpy()
        np.testing.assert_array_equal(graph(X).numpy(), expected)
        np.testing.assert_allclose(compiled(X).numpy(), expected, rtol=1e-6)

    check()
    one = model.register_forward_hook(lambda module, args, output: output * 2.0)
    check()
    two = model[0].register_forward_hook(lambda module, args, output: output + 1.0)
    check()
    one.remove()
    check()
    two.remove()
    check()


def test_a_hook_may_remove_itself() -> None:
    model = network()
    graph = Evaluate(model)

    def once(module: Any, args: Any, output: Any) -> Any:
        handle.remove()
        return output + 1.0

    plain = graph(X).numpy()
    handle = model.register_forward_hook(once)
    np.testing.assert_array_equal(graph(X).numpy(), plain + 1)
    np.testing.assert_array_equal(graph(X).numpy(), plain)


def test_a_hook_may_call_the_module_and_the_graph() -> None:
    model = network()
    graph = Evaluate(model)
    depth = 0

    def hook(module: Any, args: Any, output: Any) -> Any:
        nonlocal depth
        if depth:
            return None
        depth += 1
        try:
            return output + graph(args[0]) + module(args[0])
        finally:
            depth -= 1

    plain = graph(X).numpy()
    model.register_forward_hook(hook)
    np.testing.assert_allclose(graph(X).numpy(), plain * 3, rtol=1e-6)


def test_traced_hooks_are_compiled() -> None:
    model = network()
    kinds: list[str] = []

    def hook(module: Any, args: Any, output: Any) -> Any:
        kinds.append(type(output).__name__)
        return output * 2.0

    plain = Evaluate(model)(X).numpy()
    model.register_forward_hook(hook, traced=True)
    graph = Evaluate(model)
    for _ in range(2):
        np.testing.assert_array_equal(graph(X).numpy(), plain * 2)
    assert kinds == ["Blob"]
    assert "job.callout" not in graph.trace().as_text()


def raising(module: Any, args: Any, output: Any) -> Any:
    if module is not None:
        raise KeyError("no such thing")
    return output


def cutting(module: Any, args: Any, output: Any) -> Any:
    return output[:1]


def widening(module: Any, args: Any, output: Any) -> Any:
    return output.double()


def pairing(module: Any, args: Any, output: Any) -> Any:
    return output, output


def numbering(module: Any, args: Any, output: Any) -> Any:
    return 3.0


def changing(module: Any, args: Any, output: Any) -> Any:
    output.mul_(2.0)
    return output


def observing_change(module: Any, args: Any, output: Any) -> None:
    output.mul_(2.0)


def setting(module: Any, args: Any, output: Any) -> Any:
    module.kept = output
    return output


WRONG = [
    (raising, KeyError, "no such thing"),
    (cutting, ValueError, r"must return flow.float32 of shape \(5, 2\) in compiled code, got "),
    (widening, ValueError, "must return flow.float32 .* got flow.float64"),
    (pairing, ValueError, "must return a tensor in compiled code, got a tuple of 2"),
    (numbering, TypeError, "must return tensors, got 3.0"),
    (changing, RuntimeError, "changes a tensor in place, which the compiled graph does not see"),
    (observing_change, RuntimeError, "changes a tensor in place"),
    (setting, RuntimeError, "sets 'kept', which the compiled graph does not see; register it with"),
]


@pytest.mark.parametrize(("hook", "kind", "message"), WRONG)
def test_wrong_hooks(hook: Any, kind: Any, message: str) -> None:
    model = network()
    graph = Train(model)
    handle = model.register_forward_hook(hook)
    if kind is not KeyError:
        message = rf"test_forward_hooks.py:\d+: forward_hook {hook.__name__} of module 'model' " + (
            message
        )
    before = [p.numpy().copy() for p in model.parameters()]
    for _ in range(2):
        with pytest.raises(kind, match=message):
            graph(X)
    if hook is not observing_change:  # an observer is called like a handler: the step completes
        for old, p in zip(before, model.parameters(), strict=True):
            np.testing.assert_array_equal(old, p.numpy())
    handle.remove()
    assert graph(X).shape == ()


@pytest.mark.parametrize(
    ("register", "hook", "message"),
    [
        (
            "register_forward_hook",
            lambda module, args: None,
            r"a function of \(module, args, output\)",
        ),
        (
            "register_forward_pre_hook",
            lambda m, a, b: None,
            r"a function of \(module, args\), got <l",
        ),
        ("register_full_backward_hook", lambda m, g: None, r"\(module, grad_input, grad_output\)"),
        ("register_forward_hook", 3, "takes a function, got 3"),
    ],
)
def test_hooks_of_a_wrong_arity(register: str, hook: Any, message: str) -> None:
    with pytest.raises(TypeError, match=rf"test_forward_hooks.py:\d+: .*{message}"):
        getattr(network(), register)(hook)


def test_hooks_that_compute_with_parameters() -> None:
    """Their gradients are not those of arguments: a call-out is refused, ops are compiled."""
    message = (
        r"py:\d+: forward_hook scaled of module .* computes with a tensor of shape \(2,\) that "
        "requires gradients and is no argument of the hook"
    )
    models, scale = [network(), network()], nn.Parameter(flow.tensor([2.0, 3.0]))

    def scaled(module: Any, args: Any, output: Any) -> Any:
        return output * scale

    handles = [model.register_forward_hook(scaled) for model in models]
    expected = models[0](X)
    expected.sum().backward()
    wanted, scale.grad = scale.grad, None
    graph, compiled = Train(models[1]), flow.jit(lambda x: models[1](x))
    with pytest.raises(RuntimeError, match=message):
        graph(X)
    np.testing.assert_allclose(compiled(X).numpy(), expected.numpy(), rtol=1e-6)
    with pytest.raises(RuntimeError, match=message):
        compiled(X).sum().backward()
    handles[1].remove()
    models[1].register_forward_hook(scaled, traced=True)
    compiled(X).sum().backward()
    np.testing.assert_allclose(scale.grad.numpy(), wanted.numpy(), rtol=1e-5)


class Positive(nn.Module):
    def forward(self, x: Any) -> Any:
        return x > 0


def test_results_of_comparisons_are_bools() -> None:
    module, seen = Positive(), []

    def hook(module: Any, args: Any, output: Any) -> Any:
        seen.append(output.dtype)
        return ~output

    module.register_forward_hook(hook)
    compiled = [Evaluate(module), flow.jit(lambda x: module(x))]
    for run in (module, *compiled):
        found = run(X)
        assert found.dtype == flow.bool
        np.testing.assert_array_equal(found.numpy(), X.numpy() <= 0)
    assert seen == [flow.bool] * 3


def test_modules_that_a_body_only_captures() -> None:
    """Their hooks and modes count as those of a graph's own modules do."""
    dropout = nn.Dropout(0.5)

    class Captured(nn.Graph):
        def build(self, x: Any) -> Any:
            return dropout(x)

    for run in (Captured(), flow.jit(lambda x: dropout(x))):
        for training in (True, False, True):
            dropout.train(training)
            assert flow.equal(run(X), X) != training
        dropout.eval()
        handle = dropout.register_forward_hook(lambda module, args, output: output * 2.0)
        assert flow.equal(run(X), X * 2.0)
        handle.remove()
        assert flow.equal(run(X), X)


def test_jobs_stop_calling_hooks_that_are_removed() -> None:
    module, seen = nn.ReLU(), []

    def watch(module: Any, args: Any, output: Any) -> None:
        seen.append("watch")

    handles = [
        module.register_forward_hook(lambda module, args, output: output * 2.0),
        module.register_full_backward_hook(lambda module, given, made: (given[0] * 3.0,)),
        module.register_full_backward_pre_hook(lambda module, made: (made[0] * 5.0,)),
        module.register_forward_hook(watch),
    ]

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        return flow.gradients(module(x), x)

    for expected in (30.0, 15.0, 5.0, 1.0):
        assert job(np.ones(1, np.float32)).tolist() == [expected]
        handles.pop(0).remove()
    assert seen == ["watch"] * 4
    job(np.ones(1, np.float32))
    assert seen == ["watch"] * 4


@pytest.mark.parametrize("compiled", [Evaluate, lambda model: flow.jit(lambda x: model(x))])
def test_hooks_draw_numbers_of_their_own(compiled: Any) -> None:
    """They are drawn behind those of the step, from the same generator, and none is drawn twice."""

    class Noise(nn.Module):
        def forward(self, x: Any) -> Any:
            return flow.rand(4)

    model, drawn = nn.Sequential(Noise(), nn.Identity()), []
    handle = model[1].register_forward_hook(lambda *given: drawn.append(flow.rand(4).tolist()))
    run = compiled(model)
    flow.manual_seed(7)
    drawn += [run(X).tolist(), run(X).tolist()]
    handle.remove()
    drawn.append(run(X).tolist())
    flow.manual_seed(7)
    assert sorted(drawn) == sorted(flow.rand(4).tolist() for _ in range(5))
