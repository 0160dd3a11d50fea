"""Random programs of tensors against PyTorch in float64.

They have views, changes in place, kernels by rows, backwards and gradients of gradients in the
middle, hooks, steps of optimizers, and functions that `flow.jit` or a graph compiles. Both run the
same steps. Values, gradients, and whether a step is refused, have to agree.
PENSTOCK_TENSOR_PROGRAMS says how many programs are tried, PENSTOCK_TENSOR_SEED the first one.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:Use of index_put_ on expanded tensors")

PROGRAMS = int(os.environ.get("PENSTOCK_TENSOR_PROGRAMS", "150"))
FIRST = int(os.environ.get("PENSTOCK_TENSOR_SEED", "1"))
CHUNK = 50
STEPS = 12
# Sums of a few dozen float64 products, of numbers up to 1e6.
BOUND = 1e-9
CHANGED = "was changed in place since"

UNARY = ("sin", "tanh", "exp", "square", "neg", "abs", "relu", "sigmoid")
# Not maximum and minimum: where operands are equal, PyTorch halves the gradient.
BINARY = ("add", "sub", "mul")
ROWS = ("softmax", "log_softmax", "logsumexp", "layer_norm", "var", "norm", "cross_entropy")
Step = Callable[[Any, list[Any]], Any]
"""What a program does with a library and the tensors it has; gives a new tensor, or None."""


def _gated(x: Any, y: Any) -> Any:
    return x.tanh() * y.sigmoid() + x


def _centred(x: Any, y: Any) -> Any:
    return (x - x.mean(-1, keepdim=True)) * y.square().sum()


def _viewed(x: Any, y: Any) -> Any:
    return x[..., 1:].sum(0) * 2 - y.reshape(-1)[:1]


FUNCTIONS = (_gated, _centred, _viewed)
TRACED = {function: flow.jit(function) for function in FUNCTIONS}
GRAPHS = {function: flow.nn.Graph.trace(function) for function in FUNCTIONS}


def _by_row(lib: Any, name: str, x: Any) -> Any:
    """A function of each row."""
    functions = lib.nn.functional
    if name == "layer_norm":
        return functions.layer_norm(x, list(x.shape[-1:]))
    if name == "cross_entropy":
        labels = lib.tensor([i % x.shape[1] for i in range(x.shape[0])])
        return functions.cross_entropy(x, labels, reduction="none")
    if name == "norm":
        return (x * x + 1).sum(-1).sqrt()
    if name in ("softmax", "log_softmax"):
        return getattr(functions, name)(x, -1)
    return getattr(x, name)(-1)


class Program:
    """Steps that are drawn as the shapes of what there is allow it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        numbers = np.random.default_rng(seed)
        self.leaves = [numbers.uniform(-1, 1, shape) for shape in ((2, 3), (3,), (2, 3), (3, 2))]
        self.said: list[str] = []
        self.optimizers: dict[tuple[Any, int], Any] = {}
        self.saves_otherwise = False
        """Whether an op ran for whose gradient PyTorch saves other values than we do."""

    def draw(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        """A step for tensors of these shapes, and how it reads."""
        plain = ["unary", "binary", "view", "index", "reduce", "change", "change", "put", "product"]
        rare = [
            "rows",
            "rows",
            "rows",
            "backward",
            "gradient",
            "gradient",
            "hook",
            "step",
            "traced",
        ]
        kind = self.random.choice(rare if self.random.random() < 0.15 else plain)
        self.saves_otherwise |= kind in ("rows", "gradient", "traced")
        return getattr(self, f"_{kind}")(shapes)  # type: ignore[no-any-return]

    def _pick(self, shapes: list[tuple[int, ...]], rank: int = 0) -> int:
        fitting = [i for i, shape in enumerate(shapes) if len(shape) >= rank]
        return self.random.choice(fitting)

    def _unary(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        name, i = self.random.choice(UNARY), self._pick(shapes)
        return f"x{i}.{name}()", lambda lib, x: getattr(x[i], name)()

    def _fitting(self, shapes: list[tuple[int, ...]], i: int) -> list[int]:
        found = []
        for j, shape in enumerate(shapes):
            try:
                if np.broadcast_shapes(shape, shapes[i]):
                    found.append(j)
            except ValueError:
                continue
        return found or [i]

    def _binary(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        name, i = self.random.choice(BINARY), self._pick(shapes)
        j = self.random.choice(self._fitting(shapes, i))
        return f"{name}(x{i}, x{j})", lambda lib, x: getattr(lib, name)(x[i], x[j])

    def _product(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        pairs = [
            (i, j) for i, a in enumerate(shapes) for j, b in enumerate(shapes)
            if len(a) == len(b) == 2 and a[1] == b[0]
        ]  # fmt: skip
        if not pairs:
            return self._unary(shapes)
        i, j = self.random.choice(pairs)
        return f"x{i} @ x{j}", lambda lib, x: x[i] @ x[j]

    def _view(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes)
        rank = len(shapes[i])
        kind = self.random.choice(["reshape", "unsqueeze", "expand", "t", "detach", "clone"])
        if kind == "reshape":
            return f"x{i}.reshape(-1)", lambda lib, x: x[i].reshape(-1)
        if kind == "unsqueeze" and rank < 3:
            d = self.random.randint(0, rank)
            return f"x{i}.unsqueeze({d})", lambda lib, x: x[i].unsqueeze(d)
        if kind == "expand" and rank < 3:
            shape = (2, *shapes[i])
            return f"x{i}.expand{shape}", lambda lib, x: x[i].expand(*shape)
        if kind == "t" and rank >= 2:
            return f"x{i}.transpose(0, 1)", lambda lib, x: x[i].transpose(0, 1)
        if kind == "detach":
            return f"x{i}.detach()", lambda lib, x: x[i].detach()
        return f"x{i}.clone()", lambda lib, x: x[i].clone()

    def _place(self, shape: tuple[int, ...]) -> tuple[Any, ...]:
        place: list[Any] = []
        for extent in shape:
            kind = self.random.choice(["int", "slice", "slice", "list"])
            if extent == 0 or kind == "slice":
                start = self.random.randint(0, extent)
                place.append(slice(start if start < extent else 0, None))
            elif kind == "int":
                place.append(self.random.randrange(extent))
            else:
                place.append([self.random.randrange(extent)])
        if sum(isinstance(one, list) for one in place) > 1:
            place = [one[0] if isinstance(one, list) else one for one in place]
        return tuple(place)

    def _index(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes, 1)
        place = self._place(shapes[i])
        return f"x{i}[{place}]", lambda lib, x: x[i][place]

    def _reduce(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes, 1)
        name = self.random.choice(["sum", "mean"])
        d = self.random.randrange(len(shapes[i]))
        keep = self.random.random() < 0.5
        return (
            f"x{i}.{name}({d}, {keep})",
            lambda lib, x: getattr(x[i], name)(d, keepdim=keep),
        )

    def _change(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes)
        if self.random.random() < 0.3:
            name = self.random.choice(["sin_", "tanh_", "neg_", "zero_"])
            return f"x{i}.{name}()", lambda lib, x: getattr(x[i], name)() is None or None
        fitting = [
            j for j in self._fitting(shapes, i)
            if np.broadcast_shapes(shapes[j], shapes[i]) == shapes[i]
        ]  # fmt: skip
        j = self.random.choice(fitting or [i])
        name = self.random.choice(["add_", "mul_", "sub_", "copy_"])

        def step(lib: Any, x: list[Any]) -> None:
            # PyTorch reads and writes views that overlap in no order that it states.
            shares = i != j and np.shares_memory(x[i].detach().numpy(), x[j].detach().numpy())
            getattr(x[i], name)(x[j].clone() if shares else x[j])

        return f"x{i}.{name}(x{j})", step

    def _put(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes, 1)
        place = self._place(shapes[i])

        scales = self.random.random() < 0.5

        def put(lib: Any, x: list[Any]) -> None:
            x[i][place] = x[i][place] * 2 if scales else 0.5

        return f"x{i}[{place}] = {'itself * 2' if scales else 0.5}", put

    def _rows(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        name, i = self.random.choice(ROWS), self._pick(shapes, 1)
        if 0 in shapes[i] or (name == "var" and shapes[i][-1] < 2):
            return self._unary(shapes)
        if name == "cross_entropy" and len(shapes[i]) != 2:
            name = "softmax"
        return f"{name}(x{i})", lambda lib, x: _by_row(lib, name, x[i])

    def _backward(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes)
        text = f"x{i}.sum().backward(retain_graph=True)"
        return text, lambda lib, x: x[i].sum().backward(retain_graph=True)

    def _gradient(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i, j = self._pick(shapes), self._pick(shapes)

        def step(lib: Any, x: list[Any]) -> Any:
            found = lib.autograd.grad(
                [x[i].square().sum()], [x[j]], create_graph=True, allow_unused=True
            )
            # What PyTorch computes need not require gradients where it is 0.
            return None if found[0] is None else found[0] + x[j] * 0

        return f"d sum(x{i} ** 2) / d x{j}", step

    def _hook(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self._pick(shapes)
        scale = self.random.choice([0.5, -2.0])

        def step(lib: Any, x: list[Any]) -> Any:
            made = x[i].clone()
            if made.requires_grad:
                made.register_hook(lambda gradient: gradient * scale)
            return made

        return f"x{i}.clone() with a hook that multiplies by {scale}", step

    def _step(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        i = self.random.randrange(len(self.leaves))
        fitting = [j for j, shape in enumerate(shapes) if shape == shapes[i]]
        j = self.random.choice(fitting)
        kind = self.random.choice(["SGD", "Adam"])
        options = {"lr": 0.1, "momentum": 0.9} if kind == "SGD" else {"lr": 0.1}

        def step(lib: Any, x: list[Any]) -> None:
            optimizer = self.optimizers.get((lib, i))
            if optimizer is None:
                optimizer = getattr(lib.optim, kind)([x[i]], **options)
                self.optimizers[lib, i] = optimizer
            before, x[i].grad = x[i].grad, x[j].detach().clone()
            optimizer.step()
            x[i].grad = before

        return f"step of x{i} by x{j} with {kind}", step

    def _traced(self, shapes: list[tuple[int, ...]]) -> tuple[str, Step]:
        # Few forms: each is compiled.
        few = [i for i, shape in enumerate(shapes) if shape in ((2, 3), (3,), (3, 2))]
        i, function = self.random.choice(few), self.random.choice(FUNCTIONS)
        j = self.random.choice([j for j in few if shapes[j] == shapes[i]])
        in_graph = self.random.random() < 0.5

        def step(lib: Any, x: list[Any]) -> Any:
            if not in_graph:
                return (function if lib is torch else TRACED[function])(x[i], x[j])
            with lib.no_grad():
                return (function if lib is torch else GRAPHS[function])(x[i], x[j])

        return f"{'graph' if in_graph else 'jit'} of {function.__name__}(x{i}, x{j})", step


def _try(step: Step, lib: Any, tensors: list[Any]) -> Any:
    try:
        return step(lib, tensors)
    except (RuntimeError, ValueError, IndexError) as error:
        return error


def check(seed: int) -> int:
    """Run a program with both; how many gradients were compared."""
    program = Program(seed)
    ours = [flow.tensor(leaf, requires_grad=True) for leaf in program.leaves]
    theirs = [torch.tensor(leaf, requires_grad=True) for leaf in program.leaves]
    roots = list(zip(ours, theirs, strict=True))
    # A leaf cannot be changed.
    ours += [one * 1 for one in ours]
    theirs += [one * 1 for one in theirs]
    for _ in range(STEPS):
        text, step = program.draw([tuple(one.shape) for one in theirs])
        program.said.append(text)
        said = "\n".join(program.said)
        mine, other = _try(step, flow, ours), _try(step, torch, theirs)
        if "holds each element several times" in str(mine):
            return 0  # PyTorch fills what it has expanded
        if program.saves_otherwise and CHANGED in str(mine):
            return 0
        # PyTorch also refuses to read and write elements that overlap.
        assert isinstance(other, Exception) or not isinstance(mine, Exception), (
            f"seed {seed}:\n{said}\nours: {mine}\ntheirs: {other}"
        )
        if isinstance(mine, Exception):
            continue
        if isinstance(other, Exception):
            return 0
        assert (mine is None) == (other is None), f"seed {seed}:\n{said}"
        if mine is not None:
            ours.append(mine)
            theirs.append(other)
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            assert tuple(a.shape) == tuple(b.shape), f"seed {seed}:\n{said}\nx{i}"
            assert a.requires_grad == b.requires_grad, f"seed {seed}:\n{said}\nx{i}"
            _same(a, b, f"seed {seed}:\n{said}\nx{i}")
    said = f"seed {seed}:\n" + "\n".join(program.said)
    return _gradients(roots, ours, theirs, said, program.saves_otherwise)


def _gradients(
    roots: list[Any], ours: list[Any], theirs: list[Any], said: str, saves_otherwise: bool
) -> int:
    """Compare the gradients of the roots by the sum of all tensors; how many there were."""
    total, wanted = 0.0, 0.0
    for a, b in zip(ours, theirs, strict=True):
        total, wanted = total + a.sum(), wanted + b.sum()
    mine = _try(lambda lib, x: x[0].backward(), flow, [total])
    other = _try(lambda lib, x: x[0].backward(), torch, [wanted])
    if saves_otherwise and CHANGED in str(mine):
        return 0
    # PyTorch refuses to go back through `x.mul_(x)`, whose old operand it did not keep.
    assert isinstance(other, Exception) or not isinstance(mine, Exception), (
        f"{said}\nours: {mine}\ntheirs: {other}"
    )
    if isinstance(other, Exception):
        return 0
    compared = 0
    for i, (a, b) in enumerate(roots):
        assert (a.grad is None) == (b.grad is None), f"{said}\ngradient of x{i}"
        if a.grad is not None:
            _same(a.grad, b.grad, f"{said}\ngradient of x{i}")
            compared += 1
    return compared


def _same(mine: Any, other: Any, said: str) -> None:
    got, wanted = mine.numpy(), other.detach().numpy()
    finite = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
    assert np.allclose(got, wanted, rtol=BOUND, atol=BOUND * finite, equal_nan=True), said


@pytest.mark.parametrize("start", range(FIRST, FIRST + PROGRAMS, CHUNK))
def test_programs(start: int) -> None:
    end = min(start + CHUNK, FIRST + PROGRAMS)
    compared = sum(check(seed) for seed in range(start, end))
    assert compared or end - start < CHUNK
