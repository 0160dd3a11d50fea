"""Eager programs in the interface that PyTorch and penstock have in common."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np

Step = Callable[[], Any]

TARGETS = {
    "add 8x8": 0.4,
    "matmul 8x8": 0.4,
    "add 8x8, recorded": 0.4,
    "matmul 8x8, recorded": 0.4,
    "add 8x8, forward and backward": 0.2,
    "matmul 8x8, forward and backward": 0.2,
    "relu 8x8, forward and backward": 0.2,
    "sum 8x8": 0.4,
    "reshape 8x8": 0.8,
    "add 128x128, 16 held": 0.7,
    "add 256x256, 16 held": 0.7,
    "add 512x512, 16 held": 0.7,
    "add 1000x1000, 16 held": 0.7,
    "MLP step, SGD": 0.8,
    "MLP step": 0.8,
    "LeNet step": 0.8,
    "GPT step": 1.0,
}
"""The programs, and how long each may take as a share of PyTorch's time."""


def steps(library: Any) -> dict[str, Step]:
    """The programs of `TARGETS`, in a library. Each call of a step gives a tensor or a loss."""
    return {**_small(library), **_models(library)}


def _small(library: Any) -> dict[str, Step]:
    plain = [library.from_numpy(x) for x in _draws(2, (8, 8))]
    recorded = [library.from_numpy(x) for x in _draws(2, (8, 8))]
    seed = library.ones(8, 8)
    for tensor in recorded:
        tensor.requires_grad = True

    def backward(forward: Step) -> Step:
        def step() -> Any:
            forward().backward(seed)
            gradient = recorded[0].grad
            recorded[0].grad = recorded[1].grad = None
            return gradient

        return step

    def hold(side: int) -> Step:
        x, y = (library.from_numpy(drawn) for drawn in _draws(2, (side, side)))
        held: deque[Any] = deque(maxlen=16)

        def step() -> Any:
            held.append(x + y)
            return held[-1]

        return step

    return {
        "add 8x8": lambda: plain[0] + plain[1],
        "matmul 8x8": lambda: plain[0] @ plain[1],
        "add 8x8, recorded": lambda: recorded[0] + recorded[1],
        "matmul 8x8, recorded": lambda: recorded[0] @ recorded[1],
        "add 8x8, forward and backward": backward(lambda: recorded[0] + recorded[1]),
        "matmul 8x8, forward and backward": backward(lambda: recorded[0] @ recorded[1]),
        "relu 8x8, forward and backward": backward(lambda: library.relu(recorded[0])),
        "sum 8x8": lambda: plain[0].sum(),
        "reshape 8x8": lambda: plain[0].reshape(4, 16),
        **{f"add {side}x{side}, 16 held": hold(side) for side in (128, 256, 512, 1000)},
    }


def _draws(count: int, shape: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(7)
    return [random.standard_normal(shape).astype(np.float32) for _ in range(count)]


# -- models ---------------------------------------------------------------------------------------


def _models(library: Any) -> dict[str, Step]:
    return {
        "MLP step, SGD": training(library, mlp(library), mlp_batches(library), "SGD"),
        **{name: training(library, *model) for name, model in models(library).items()},
    }


def models(library: Any) -> dict[str, tuple[Any, Iterator[tuple[Any, Any]]]]:
    """The models whose training is measured, and batches for them."""
    return {
        "MLP step": (mlp(library), mlp_batches(library)),
        "LeNet step": (_lenet(library), _batches(library, (32, 1, 28, 28), (32,), 10)),
        "GPT step": (_gpt(library), _token_batches(library)),
    }


def draw_parameters(library: Any, model: Any) -> None:
    """Give the parameters their first values, the same in each library."""
    random = np.random.default_rng(5)
    with library.no_grad():
        for parameter in model.parameters():
            drawn = 0.05 * random.standard_normal(tuple(parameter.shape))
            parameter.copy_(library.from_numpy(drawn.astype(np.float32)))


def loss_of(library: Any, model: Any, inputs: Any, labels: Any) -> Any:
    """The cross entropy of a batch."""
    scores = model(inputs)
    rows = scores.reshape(-1, scores.shape[-1])
    return library.nn.functional.cross_entropy(rows, labels.reshape(-1))


def training(
    library: Any, model: Any, batches: Iterator[tuple[Any, Any]], optimizer: str = "Adam"
) -> Step:
    """A step of training on the next batch; it gives the loss as a number."""
    draw_parameters(library, model)
    updates = getattr(library.optim, optimizer)(model.parameters(), lr=1e-4)

    def step() -> float:
        inputs, labels = next(batches)
        loss = loss_of(library, model, inputs, labels)
        updates.zero_grad(set_to_none=True)
        loss.backward()
        updates.step()
        return float(loss.item())

    return step


def _batches(
    library: Any, shape: tuple[int, ...], labels: tuple[int, ...], classes: int
) -> Iterator[tuple[Any, Any]]:
    random = np.random.default_rng(3)
    made = [
        (
            library.from_numpy(random.standard_normal(shape).astype(np.float32)),
            library.from_numpy(random.integers(0, classes, labels)),
        )
        for _ in range(4)
    ]
    return cycle(made)


def _token_batches(library: Any) -> Iterator[tuple[Any, Any]]:
    random = np.random.default_rng(3)
    made = [[library.from_numpy(random.integers(0, 128, (8, 64))) for _ in "xy"] for _ in range(4)]
    return cycle([(inputs, labels) for inputs, labels in made])


def mlp(library: Any) -> Any:
    """784 - 512 - 10, as in the examples."""
    nn = library.nn
    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))


def mlp_batches(library: Any) -> Iterator[tuple[Any, Any]]:
    """Batches of 100 for it."""
    return _batches(library, (100, 784), (100,), 10)


def _lenet(library: Any) -> Any:
    nn = library.nn
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip


def _gpt(library: Any) -> Any:
    """Four layers of width 128 with four heads, for 64 of 128 tokens."""
    nn, functional = library.nn, library.nn.functional
    width, heads, length, tokens = 128, 4, 64, 128

    class Layer(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
            self.attend, self.mix = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            later = np.triu(np.full((length, length), -1e9, np.float32), 1)
            self.mask = library.from_numpy(later)

        def forward(self, x: Any) -> Any:
            x = x + self.mix(self._attention(self.before(x)))
            return x + self.narrow(functional.gelu(self.widen(self.after(x))))

        def _attention(self, x: Any) -> Any:
            batch = x.shape[0]
            parts = self.attend(x).reshape(batch, length, 3, heads, width // heads)
            query, key, value = (parts[:, :, i].transpose(1, 2) for i in range(3))
            scores = query @ key.transpose(-2, -1) * (width // heads) ** -0.5
            found = library.softmax(scores + self.mask, dim=-1) @ value
            return found.transpose(1, 2).reshape(batch, length, width)

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.tokens, self.places = nn.Embedding(tokens, width), nn.Embedding(length, width)
            self.layers = nn.Sequential(*(Layer() for _ in range(4)))
            self.last, self.scores = nn.LayerNorm(width), nn.Linear(width, tokens)

        def forward(self, x: Any) -> Any:
            places = self.places(library.arange(length))
            return self.scores(self.last(self.layers(self.tokens(x) + places)))

    return Model()


# -- new shapes -----------------------------------------------------------------------------------


def first_calls(library: Any) -> dict[str, Callable[[int], Any]]:
    """Ops, each called with a number that makes the shapes new."""
    functional = library.nn.functional

    def labels(n: int) -> Any:
        return library.zeros(n, dtype=library.int64)

    return {
        "add": lambda n: library.ones(n, 3) + library.ones(n, 3),
        "relu": lambda n: library.relu(library.ones(n)),
        "add a row": lambda n: library.ones(n, 24) + library.ones(24),
        "softmax": lambda n: library.softmax(library.ones(n, 24), dim=1),
        "layer_norm": lambda n: functional.layer_norm(library.ones(n, 24), (24,)),
        "sum of rows": lambda n: library.ones(n, 24).sum(1),
        "cross_entropy of rows": lambda n: functional.cross_entropy(
            library.ones(n, 24), labels(n), reduction="none"
        ),
        "matmul": lambda n: library.ones(n, 24) @ library.ones(24, n),
        "conv2d": lambda n: functional.conv2d(library.ones(1, 3, n, n), library.ones(8, 3, 3, 3)),
        "sort": lambda n: library.sort(library.ones(n)),
    }
