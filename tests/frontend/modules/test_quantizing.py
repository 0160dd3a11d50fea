"""Observers, quantization and convolutions with simulated quantization, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn

X = np.random.default_rng(1).uniform(-2, 3, (3, 4, 5)).astype(np.float32)
FORMULAS = [("google", "symmetric"), ("google", "affine"), ("cambricon", "symmetric")]


def scale_of(low: Any, high: Any, bits: int, formula: str, scheme: str) -> tuple[Any, Any]:
    most = np.maximum(np.abs(low), np.abs(high))
    if formula == "cambricon":
        return np.floor(np.log2(most)) - (bits - 2), 0 * most
    if scheme == "symmetric":
        return most / (2 ** (bits - 1) - 1), 0 * most
    scale = (high - low) / (2**bits - 1)
    return scale, -np.rint(low / scale)


@pytest.mark.parametrize(("formula", "scheme"), FORMULAS)
@pytest.mark.parametrize("bits", [2, 8])
@pytest.mark.parametrize("whole", [True, False])
def test_quantized_floats(formula: str, scheme: str, bits: int, whole: bool) -> None:
    x = flow.tensor(X, requires_grad=True)
    scale, place = nn.MinMaxObserver(formula, bits, scheme, whole)(x)
    rows = X.reshape(1 if whole or formula == "cambricon" else 3, -1).astype(np.float64)
    wanted = scale_of(rows.min(1), rows.max(1), bits, formula, scheme)
    np.testing.assert_allclose(scale.detach().numpy(), wanted[0], rtol=1e-6)
    np.testing.assert_allclose(place.detach().numpy(), wanted[1], atol=0)
    step = 2.0 ** wanted[0] if formula == "cambricon" else wanted[0]
    step, zero = (n.reshape(-1, 1, 1) for n in (step, wanted[1]))
    if scheme == "affine":
        numbers = np.clip(np.rint(X / step + zero), 0, 2**bits - 1)
    else:
        numbers = np.clip(np.rint(X / step), 1 - 2 ** (bits - 1), 2 ** (bits - 1) - 1)
    made = nn.Quantization(formula, bits, scheme)(x, scale, place)
    # A quotient next to a half may be rounded the other way.
    assert np.abs(made.detach().numpy() - numbers).max() <= 1
    assert np.mean(made.detach().numpy() != numbers) < 0.05
    fake = nn.FakeQuantization(formula, bits, scheme)(x, scale.detach(), place.detach())
    inside = (made.detach().numpy() - zero) * step
    np.testing.assert_allclose(fake.detach().numpy(), inside, rtol=1e-5, atol=1e-5)
    fake.sum().backward()
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.numpy(), 1)


@pytest.mark.parametrize(("formula", "scheme"), FORMULAS)
def test_moving_averages(formula: str, scheme: str) -> None:
    observer = nn.MovingAverageMinMaxObserver(2, formula, 8, scheme, momentum=0.75)
    low = high = 0.0
    for step, factor in enumerate((1.0, 2.0, 4.0, 8.0)):
        x = X * np.float32(factor)
        if step <= 2:
            now = x.min() if scheme == "affine" else np.abs(x).max()
            top = x.max() if scheme == "affine" else np.abs(x).max()
            low = now if step == 0 else 0.75 * low + 0.25 * now
            high = top if step == 0 else 0.75 * high + 0.25 * top
        scale, place = observer(flow.tensor(x), flow.tensor([step]))
        wanted = scale_of(np.array([low]), np.array([high]), 8, formula, scheme)
        np.testing.assert_allclose(scale.numpy(), wanted[0], rtol=1e-5)
        np.testing.assert_allclose(place.numpy(), wanted[1], atol=0)
    observer.reset_running_stats()
    assert observer.moving_max.item() == 0
    observer.eval()(flow.tensor(X), flow.tensor([0]))
    assert observer.moving_max.item() == 0


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_convolutions_compute_with_rounded_values(rank: int) -> None:
    layer = getattr(nn, f"QatConv{rank}d")(2, 3, 2, quantization_bit=4)
    x = flow.randn(2, 2, *[4] * rank, requires_grad=True)
    fake = nn.FakeQuantization(quantization_bit=4)
    rounded = fake(x, *nn.MinMaxObserver(quantization_bit=4)(x))
    weight = fake(layer.weight, *nn.MinMaxObserver(quantization_bit=4)(layer.weight))
    wanted = getattr(nn.functional, f"conv{rank}d")(rounded, weight, layer.bias)
    made = layer(x)
    np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-5)
    made.sum().backward()
    assert layer.weight.grad is not None


def test_misuse_is_told() -> None:
    with pytest.raises(ValueError, match=r'scheme of flow.nn.Quantization must be "symmetric" or'):
        nn.Quantization(quantization_scheme="some")
    with pytest.raises(ValueError, match=r"quantization_bit of .* must lie in \[2, 16\], got 1"):
        nn.MinMaxObserver(quantization_bit=1)
    with pytest.raises(ValueError, match="takes rows in dimension 0"):
        nn.MinMaxObserver(per_layer_quantization=False)(flow.ones(()))
