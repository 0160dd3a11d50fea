"""Each kind of hook and custom gradient, eager and compiled: what was called, and what was learned.

`python tests/frontend/hooks/everywhere.py` prints the table of docs/hooks.md.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import penstock as flow
import penstock.typing as tp
from penstock import nn
from penstock.nn.hooks.gates import HookBackward
from penstock.runtime import load

X = np.array([0.5, -1.0, 2.0], np.float32)
W = np.array([1.0, 0.5, -0.25], np.float32)
STEPS = 2
Three: Any = tp.Numpy.Placeholder((3,))
Function = Callable[[Any, Any], Any]


class Seen(list[Any]):
    """What hooks were given."""

    def note(self, *tensors: Any) -> None:
        self.append([np.round(one.numpy(), 4).tolist() for one in tensors])

    def doubled(self, tensor: Any) -> Any:
        self.note(tensor)
        return tensor * 2.0


# Each makes, from what notes values, a function of a parameter and an input.


def forward_pre_hook(seen: Seen) -> Function:
    module = nn.Tanh()
    module.register_forward_pre_hook(lambda module, args: seen.doubled(args[0]))
    return lambda w, x: module(w * x)


def forward_hook(seen: Seen) -> Function:
    module = nn.Tanh()
    module.register_forward_hook(lambda module, args, out: seen.doubled(out))
    return lambda w, x: module(w * x)


def observing_forward_hook(seen: Seen) -> Function:
    module = nn.Tanh()

    def hook(module: Any, args: Any, out: Any) -> None:
        seen.note(args[0], out)

    module.register_forward_hook(hook)
    return lambda w, x: module(w * x)


def traced_forward_hook(seen: Seen) -> Function:
    module = nn.Tanh()
    module.register_forward_hook(lambda module, args, out: out * 2.0 + args[0], traced=True)
    return lambda w, x: module(w * x)


def backward_pre_hook(seen: Seen) -> Function:
    module = nn.Tanh()
    module.register_full_backward_pre_hook(lambda module, given: (seen.doubled(given[0]),))
    return lambda w, x: module(w * x)


def backward_hook(seen: Seen) -> Function:
    module = nn.Tanh()

    def hook(module: Any, grad_input: Any, grad_output: Any) -> Any:
        seen.note(grad_output[0])
        return (seen.doubled(grad_input[0]),)

    module.register_full_backward_hook(hook)
    return lambda w, x: module(w * x)


def hook_of_a_tensor(seen: Seen) -> Function:
    def function(w: Any, x: Any) -> Any:
        y = w * x
        y.register_hook(seen.doubled)
        return flow.tanh(y)

    return function


def hook_of_a_parameter(seen: Seen) -> Function:
    def function(w: Any, x: Any) -> Any:
        if not getattr(w, "hooks", None):
            w.register_hook(seen.doubled)
        return flow.tanh(w * x)

    return function


def hook_backward(seen: Seen) -> Function:
    hook = HookBackward(lambda gradients: seen.doubled(gradients[0]))
    return lambda w, x: hook(flow.tanh(w * x))


class Square(nn.Module):
    """x * x, with a gradient that differs from that of its op."""

    def forward(self, x: Any) -> Any:
        return x * x

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return dout * (x + out)


class Measured(Square):
    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        if dout.sum() != 0:
            self.seen.note(x, out)
        return self.seen.doubled(dout * (x + out))


def bprop(seen: Seen) -> Function:
    module = Square()
    return lambda w, x: module(w * x)


def bprop_of_numbers(seen: Seen) -> Function:
    module = Measured(seen)
    return lambda w, x: module(w * x)


class Halved(flow.autograd.Function):
    """x * x, with half its gradient."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, dout: Any) -> Any:
        (x,) = ctx.saved_tensors
        return dout * x


class Noted(Halved):
    @staticmethod
    def forward(ctx: Any, x: Any, seen: Any) -> Any:
        ctx.seen, ctx.twice = seen, {"x": x * 2.0}
        return x * x

    @staticmethod
    def backward(ctx: Any, dout: Any) -> Any:
        ctx.seen.note(dout, ctx.twice["x"])
        return ctx.seen.doubled(dout * ctx.twice["x"]), None


def autograd_function(seen: Seen) -> Function:
    return lambda w, x: Halved.apply(w * x)


def autograd_function_of_numbers(seen: Seen) -> Function:
    return lambda w, x: Noted.apply(w * x, seen)


def custom_gradient(seen: Seen) -> Function:
    square = flow.custom_gradient(lambda x: x * x, lambda x, out, dout: dout * (x + out))
    return lambda w, x: square(w * x)


def custom_gradient_of_numbers(seen: Seen) -> Function:
    def clipped(x: Any, out: Any, dout: Any) -> Any:
        seen.note(x, out)
        return seen.doubled(flow.tensor(np.clip(x.numpy() * dout.numpy(), -0.5, 0.5)))

    square = flow.custom_gradient(lambda x: x * x, clipped)
    return lambda w, x: square(w * x)


def callout(seen: Seen) -> Function:
    def sort(x: Any) -> Any:
        seen.append([np.round(x, 4).tolist()])
        return np.sort(x)

    def back(x: Any, out: Any, dout: Any) -> Any:
        found = np.empty_like(dout)
        found[np.argsort(x)] = dout
        return found

    return lambda w, x: flow.callout(sort, w * x, backward=back)


HOOKS: dict[str, Callable[[Seen], Function]] = {
    "`register_forward_pre_hook`": forward_pre_hook,
    "`register_forward_hook`": forward_hook,
    "`register_forward_hook`, observing": observing_forward_hook,
    "`register_forward_hook(traced=True)`": traced_forward_hook,
    "`register_full_backward_pre_hook`": backward_pre_hook,
    "`register_full_backward_hook`": backward_hook,
    "`register_hook` of a tensor": hook_of_a_tensor,
    "`register_hook` of a parameter": hook_of_a_parameter,
    "`HookBackward`": hook_backward,
    "`bprop` of ops": bprop,
    "`bprop` of numbers": bprop_of_numbers,
    "`autograd.Function` of ops": autograd_function,
    "`autograd.Function` of numbers": autograd_function_of_numbers,
    "`flow.custom_gradient` of ops": custom_gradient,
    "`flow.custom_gradient` of numbers": custom_gradient_of_numbers,
    "`flow.callout`": callout,
}


class Model(nn.Module):
    """The sum of the squares of a function of a parameter and the input."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.w = nn.Parameter(flow.tensor(W))
        self.function = function

    def forward(self, x: Any) -> Any:
        y = self.function(self.w, x)
        return (y * y).sum()


class Train(nn.Graph):
    """Trains a module by the sum of what it returns."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1))

    def build(self, x: Any) -> Any:
        loss = self.model(x).sum()
        loss.backward()
        return loss


class EagerTrain:
    """As `Train`, by eager code around the module or a function that calls it."""

    def __init__(self, model: nn.Module, called: Callable[[Any], Any] | None = None) -> None:
        self.called = called or model
        self.optimizer = flow.optim.SGD(model.parameters(), lr=0.1)

    def __call__(self, x: Any) -> Any:
        loss = self.called(x).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


def jit_train(model: nn.Module) -> EagerTrain:
    """As `Train`, by a compiled function that calls the module."""
    return EagerTrain(model, flow.jit(lambda x: model(x)))


class World:
    """Trains the parameter of a function."""

    def __init__(self, function: Function) -> None:
        raise NotImplementedError

    def step(self) -> None:
        """Run a training step."""
        raise NotImplementedError

    def learned(self) -> Any:
        """The parameter."""
        raise NotImplementedError

    def how(self) -> str:
        """How the code calls functions that see values."""
        raise NotImplementedError


class Eager(World):
    def __init__(self, function: Function) -> None:
        self.model = Model(function)
        self.train = EagerTrain(self.model)

    def step(self) -> None:
        self.train(flow.tensor(X))

    def learned(self) -> Any:
        return self.model.w.numpy()

    def how(self) -> str:
        return "called"


class Jit(Eager):
    def __init__(self, function: Function) -> None:
        self.model = Model(function)
        self.train = jit_train(self.model)

    def how(self) -> str:
        compiled: Any = self.train.called
        (code,) = compiled._compiled.values()
        return "call-out" if code.callouts else "called" if self.model.w.hooks else "traced"


class Graph(World):
    def __init__(self, function: Function) -> None:
        self.train = Train(Model(function))

    def step(self) -> None:
        self.train(flow.tensor(X))

    def learned(self) -> Any:
        return self.train.model.w.numpy()

    def how(self) -> str:
        return _how(self.train.trace().as_text())


class Job(World):
    def __init__(self, function: Function) -> None:
        flow.clear_default_session()

        @flow.global_function(type="train")
        def job(x: Three) -> tp.Numpy:
            w = flow.get_variable("w", (3,), initializer=flow.zeros_initializer())
            y = function(w, x)
            loss = flow.math.reduce_sum(y * y)
            flow.optimizer.SGD(lr=0.1, momentum=0).minimize(loss)
            return loss

        self.job = job
        self.starts = True

    def start(self) -> None:
        if self.starts:
            self.job.trace()
            flow.load_variables({"w": W})
            self.starts = False

    def step(self) -> None:
        self.start()
        self.job(X)

    def learned(self) -> Any:
        return flow.get_all_variables()["w"].numpy()

    def how(self) -> str:
        return _how(self.job.trace().as_text())


def _how(text: str) -> str:
    return "call-out" if "callout" in text else "watch" if "job.watch" in text else "traced"


class Artifact(World):
    """Of a graph or job; it gets the functions of call-outs from its loader."""

    loaded: Any = None
    seen: Seen

    def __init__(self, function: Function) -> None:
        self.values: list[Any] = []
        super().__init__(function)

    def subject(self) -> Any:
        """The graph or job."""
        raise NotImplementedError

    def step(self) -> None:
        if self.loaded is None:
            subject = self.subject()
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "train.pstk"
                flow.save_artifact(path, subject, targets=["x86-64-v2"])
                self.loaded = load(path, callouts=subject.called_functions())
            if self.how() == "watch":
                self.loaded.watch("*forward_hook/*", self.observe)
        self.loaded(X)

    def observe(self, name: str, array: Any) -> None:
        """Note what the hook, a pair of watch points here, would be given."""
        self.values.append(np.round(array, 4).tolist())
        if len(self.values) == 2:
            self.seen.append([self.values.pop(0), self.values.pop(0)])

    def learned(self) -> Any:
        (name,) = (one for one in self.loaded.variables if one.endswith("w"))
        return np.array(self.loaded.variables[name])


class OfGraph(Artifact, Graph):
    def subject(self) -> Any:
        self.train.trace(flow.tensor(X))
        return self.train


class OfJob(Artifact, Job):
    def subject(self) -> Any:
        self.start()
        return self.job


LIVE: dict[str, type[World]] = {"eager": Eager, "`flow.jit`": Jit, "graph": Graph, "job": Job}
WORLDS = {**LIVE, "graph's artifact": OfGraph, "job's artifact": OfJob}


def check(make: Callable[[Seen], Function], kind: type[World]) -> str:
    """How this world calls the function, if it saw what it sees in eager code, and learned that."""
    wanted, found = Seen(), Seen()
    eager, world = Eager(make(wanted)), kind(make(found))
    if isinstance(world, Artifact):
        world.seen = found
    for _ in range(STEPS):
        eager.step()
        world.step()
    np.testing.assert_allclose(world.learned(), eager.learned(), rtol=1e-5)
    assert sorted(map(str, found)) == sorted(map(str, wanted)), (found, wanted)
    return world.how()


def rows() -> list[str]:
    """The table of all of them."""
    lines = [f"| | {' | '.join(WORLDS)} |", "|---" * (len(WORLDS) + 1) + "|"]
    for name, make in HOOKS.items():
        lines.append(f"| {name} | {' | '.join(check(make, one) for one in WORLDS.values())} |")
    return lines


if __name__ == "__main__":
    print("\n".join(rows()))
