"""Hooks and custom gradients that do what they must not: located errors; the next step works."""

import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from everywhere import HOOKS, LIVE, Eager, Function, Seen, W

import penstock as flow
import penstock.typing as tp
from penstock import nn
from penstock.nn.hooks.gates import HookBackward

ANSWERS: dict[str, Callable[[Any], Any]] = {
    "another shape": lambda x: x[:1],
    "another type": lambda x: x.double(),
    "no tensor": lambda x: 3.0,
    "two": lambda x: (x, x),
    "raising": lambda x: {}["missing"],
}
NAMES = [name for name in HOOKS if "ops" not in name and "=" not in name and "flow.ca" not in name]
NAMES.remove("`register_forward_hook`, observing")


class Answering(Seen):
    """Returns something else in place of the doubled tensor."""

    answer: Any = None

    def doubled(self, tensor: Any) -> Any:
        return super().doubled(tensor) if self.answer is None else self.answer(tensor)


def fails(hook: str, answer: str, world: str) -> bool:
    """Eager code goes on with what forward hooks return, and converts what functions return."""
    if world == "eager" and "forward" in hook:
        return answer == "raising"
    return "Function" not in hook or answer != "another type"


@pytest.mark.sampled
@pytest.mark.parametrize("world", LIVE)
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("hook", NAMES)
def test_wrong_answers(hook: str, answer: str, world: str) -> None:
    if not fails(hook, answer, world):
        pytest.skip("it is no error")
    wrong, right = Answering(), Seen()
    wrong.answer = ANSWERS[answer]
    run, eager = LIVE[world](HOOKS[hook](wrong)), Eager(HOOKS[hook](right))
    for _ in range(2):
        with pytest.raises((ValueError, TypeError, RuntimeError, KeyError)) as caught:
            run.step()
        if answer == "raising":
            assert caught.type is KeyError
        else:
            assert re.match(
                r"[^ ]*\w.py:\d+: [^\n]* must return [^\n]* got [^\n]*$", str(caught.value)
            )
    np.testing.assert_array_equal(run.learned(), W)
    wrong.answer = None
    run.step()
    eager.step()
    np.testing.assert_allclose(run.learned(), eager.learned(), rtol=1e-5)


def removing(kind: str) -> Callable[[list[str]], Function]:
    """Hooks of a tanh that remove themselves when they are called."""

    def make(seen: list[str]) -> Function:
        module = nn.Tanh()

        def hook(module: Any, *given: Any) -> Any:
            seen.append("called")
            handle.remove()
            return given[-1] * 2.0 if kind == "register_forward_hook" else None

        handle = getattr(module, kind)(hook)
        return lambda w, x: module(w * x)

    return make


@pytest.mark.sampled
@pytest.mark.parametrize("world", LIVE)
@pytest.mark.parametrize(
    "kind",
    ["register_forward_pre_hook", "register_forward_hook", "register_full_backward_pre_hook",
     "register_full_backward_hook"],
)  # fmt: skip
def test_hooks_that_remove_themselves(kind: str, world: str) -> None:
    seen: list[list[str]] = [[], []]
    run, eager = LIVE[world](removing(kind)(seen[0])), Eager(removing(kind)(seen[1]))
    for _ in range(2):
        run.step()
        eager.step()
    np.testing.assert_allclose(run.learned(), eager.learned(), rtol=1e-5)
    assert seen == [["called"]] * 2


@pytest.mark.parametrize("world", LIVE)
def test_hooks_that_call_their_module(world: str) -> None:
    module, calls = nn.Tanh(), [0]

    def hook(module: Any, args: Any, out: Any) -> Any:
        calls[0] += 1
        return module(args[0])

    handle = module.register_forward_hook(hook)
    run = LIVE[world](lambda w, x: module(w * x))
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(400)
        with pytest.raises(RecursionError):
            run.step()
    finally:
        sys.setrecursionlimit(limit)
    np.testing.assert_array_equal(run.learned(), W)
    assert calls[0] > 10
    handle.remove()
    run.step()
    assert not np.array_equal(run.learned(), W)


REGISTER = {
    "register_hook": lambda hook: flow.ones(2, requires_grad=True).register_hook(hook),
    "register_full_backward_hook": lambda hook: nn.ReLU().register_full_backward_hook(hook),
    "HookBackward": HookBackward,
}


@pytest.mark.parametrize("name", REGISTER)
@pytest.mark.parametrize("hook", [lambda: None, lambda a, b, c, d: None, 3])
def test_hooks_of_a_wrong_arity(name: str, hook: Any) -> None:
    register: Any = REGISTER[name]
    with pytest.raises(TypeError, match=rf"^[^ ]*py:\d+: {name} takes a function"):
        register(hook)


class Squared(flow.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * x

    @staticmethod
    def backward(ctx: Any) -> Any:  # type: ignore[override]
        return None


class Short(nn.Module):
    def forward(self, x: Any) -> Any:
        return x * x

    def bprop(self, x: Any, dout: Any) -> Any:
        return dout


SHORT: dict[str, Function] = {
    r"backward of Squared takes a function of \(ctx, grad_output_0\), got backward of ":
        lambda w, x: Squared.apply(w * x),
    r"bprop of Short takes a function of \(input_0, out, dout\), got bprop of ":
        lambda w, x: Short()(w * x),
    r"bprop of flow.custom_gradient takes a function of \(input_0, out, dout\), got <lambda> of ":
        lambda w, x: flow.custom_gradient(lambda x: x * x, lambda x: x)(w * x),
}  # fmt: skip


@pytest.mark.parametrize("world", LIVE)
@pytest.mark.parametrize("said", SHORT)
def test_custom_gradients_of_a_wrong_arity(said: str, world: str) -> None:
    run = LIVE[world](SHORT[said])
    with pytest.raises(TypeError, match=rf"^[^ ]*py:\d+: {said}"):
        run.step()


@pytest.mark.parametrize("name", ["`HookBackward`", "`register_hook` of a tensor"])
def test_blobs_of_several_micro_batches_are_refused(name: str) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        y = HOOKS[name](Seen())(flow.unpack(x, 2), 2.0)
        return flow.gradients(flow.pack(y, 2), x)

    with pytest.raises(
        ValueError, match=r"py:\d+: .* must have one value in a call, but blob .* 2;"
    ):
        job(np.ones(4, np.float32))
