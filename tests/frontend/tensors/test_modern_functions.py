"""Functions of tensors whose results, types and gradients follow PyTorch's conventions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.nn.functional as F

STEPS: list[Callable[[Any], Any]] = [
    flow.floor, flow.ceil, flow.round, flow.trunc, flow.sign, lambda x: x // 2,
    lambda x: flow.linalg.vector_norm(x, 0),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(STEPS)))
def test_steps_have_gradients_of_zero(number: int) -> None:
    x: Any = flow.tensor([-1.5, 2.5], requires_grad=True)
    STEPS[number](x).sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_fractions_in_place() -> None:
    x: Any = flow.tensor([-1.5, 2.25], requires_grad=True)
    y = x * 1
    assert y.frac_().tolist() == [-0.5, 0.25]
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    assert flow.trunc(flow.tensor([-1.5, 1.5, np.inf])).tolist() == [-1.0, 1.0, np.inf]


def test_second_derivatives_of_zero() -> None:
    x: Any = flow.tensor([-1.5, 2.5], requires_grad=True)
    (first,) = flow.autograd.grad(x.abs().sum(), x, create_graph=True)
    assert first.tolist() == [-1.0, 1.0]
    (second,) = flow.autograd.grad(first.sum(), x)
    assert second.tolist() == [0.0, 0.0]
    assert not flow.stop_gradient(x).requires_grad


def test_zeta() -> None:
    # Sums of many terms, and the tail as an integral with half of the next term.
    terms = np.arange(200_000.0)
    for x, q in ((1.5, 0.25), (3.0, 2.0), (12.0, 7.5)):
        last = len(terms) + q
        wanted = np.sum((terms + q) ** -x) + last ** (1 - x) / (x - 1) + last**-x / 2
        made = flow.special.zeta(flow.tensor([x], dtype=flow.float64), q)
        np.testing.assert_allclose(made.numpy(), [wanted], rtol=1e-11)
    x = flow.tensor([1.0, 0.5, 2.0, 2.0, 2.5])
    q = flow.tensor([2.0, 2.0, -1.0, -0.5, -0.5])
    made = flow.special.zeta(x, q).tolist()
    assert made[0] == made[2] == np.inf
    assert np.isnan([made[1], made[4]]).all()
    np.testing.assert_allclose(made[3], 4 + np.pi**2 / 2, rtol=1e-6)
    assert flow.special.zeta(2, flow.tensor([1])).dtype is flow.float32
    y: Any = flow.tensor([2.0], dtype=flow.float64, requires_grad=True)
    flow.special.zeta(3.0, y).backward()
    np.testing.assert_allclose(y.grad.numpy(), -3 * flow.special.zeta(4.0, y).detach().numpy())
    assert flow.special.psi is flow.special.digamma


def test_contractions_over_lists_and_broadcast_dimensions() -> None:
    draw = np.random.default_rng(0)
    a, b = draw.normal(size=(2, 3, 4)), draw.normal(size=(4, 3, 5))
    x, y = flow.tensor(a), flow.tensor(b)
    for dims in (([1, 2], [1, 0]), [(-2, -1), (1, 0)], flow.tensor([[1, 2], [1, 0]])):
        made = flow.tensordot(x, y, dims)
        axes = dims.tolist() if isinstance(dims, flow.Tensor) else dims
        np.testing.assert_allclose(made.numpy(), np.tensordot(a, b, axes), rtol=1e-12)
    one = flow.tensordot(x, flow.tensor(b[:1, 0]), dims=flow.tensor([1]))
    np.testing.assert_allclose(one.numpy(), a.sum(2)[..., None] * b[0, 0], rtol=1e-12)
    with pytest.raises(RuntimeError, match="contracts dimensions of one extent, got 4 and 3"):
        flow.tensordot(x, flow.ones(3, 2, dtype=flow.float64), dims=1)


def test_indices_of_rank_0() -> None:
    x: Any = flow.tensor([1.0, 2.0], requires_grad=True)
    picked = flow.gather(x, 0, flow.tensor(1))
    assert (picked.shape, picked.item()) == ((), 2.0)
    assert flow.gather(flow.tensor(3.0), 0, flow.tensor([0])).tolist() == [3.0]
    with pytest.raises(RuntimeError, match="takes an index of the rank of its input, 1, got shape"):
        flow.gather(x, 0, flow.tensor([[0]]))


def test_median() -> None:
    x: Any = flow.tensor([[2.0, 1.0, 2.0], [5.0, 2.0, 1.0]], requires_grad=True)
    x.median().backward()  # equal elements share the gradient, as in PyTorch
    third = pytest.approx(1 / 3)
    assert x.grad.tolist() == [[third, 0.0, third], [0.0, third, 0.0]]
    values, places = x.median(1)
    assert (values.tolist(), places.tolist()) == ([2.0, 2.0], [0, 1])
    holed = flow.tensor([[3.0, np.nan, 1.0, np.nan], [3.0, np.inf, 1.0, np.inf]])
    assert np.isnan(holed.median().item())
    values, places = holed.median(1, keepdim=True)
    np.testing.assert_array_equal(values.numpy(), [[np.nan], [3.0]])
    assert places.tolist() == [[1], [0]]
    assert flow.tensor([4, 1, 2, 3]).median().tolist() == 2
    assert [one.item() for one in flow.tensor(5.0).median(-1)] == [5.0, 0]
    with pytest.raises(IndexError, match=r"median needs elements along dimension 1 of \(3, 0\)"):
        flow.zeros(3, 0).median(1)


def test_sizes_types_and_counts() -> None:
    for make in (flow.zeros, flow.ones, flow.empty, flow.rand, flow.randn):
        assert make(size=(2, 3)).shape == (2, 3)
        with pytest.raises(TypeError, match="takes its size once"):
            make(2, size=3)
    drawn = flow.bernoulli(flow.ones(3), dtype=flow.int64)
    assert (drawn.dtype, drawn.tolist()) == (flow.int64, [1, 1, 1])
    repeated = flow.repeat_interleave(flow.arange(2), 2, output_size=4)
    assert repeated.tolist() == [0, 0, 1, 1]
    with pytest.raises(RuntimeError, match="must be the sum of the repeats, 4, got 3"):
        flow.repeat_interleave(flow.arange(2), 2, output_size=3)
    assert np.isnan(flow.median(flow.ones(0)).item())
    assert flow.diag(flow.tensor([True, False])).tolist() == [[True, False], [False, False]]
    assert (flow.tensor([2, 3]) ** np.array([3, 2])).tolist() == [8, 9]
    size = (flow.tensor(3), 2)
    assert F.interpolate(flow.ones(1, 1, 2, 2), size=size, mode="bilinear").shape == (1, 1, 3, 2)
    like = F.interpolate_like(flow.ones(1, 1, 2, 2), flow.ones(1, 1, 4, 3))
    assert like.shape == (1, 1, 4, 3)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_bits(name: str) -> None:
    function, wanted = getattr(flow, f"bitwise_{name}"), getattr(np, f"bitwise_{name}")
    draw = np.random.default_rng(0)
    for dtype in (np.uint8, np.int8, np.int32, np.int64, np.bool_):
        a, b = (draw.integers(0, 127, (2, 3)).astype(dtype) for _ in range(2))
        made = function(flow.tensor(a), flow.tensor(b))
        assert (made.numpy().dtype, made.tolist()) == (dtype, wanted(a, b).tolist())
        assert function(flow.tensor(a), True).tolist() == wanted(a, True).tolist()
    assert (flow.tensor([6]) & 3).tolist() == [2]
    assert (3 | flow.tensor([6])).tolist() == [7]
    with pytest.raises(TypeError, match=f"flow.bitwise_{name} takes integers and bools, got 1.5"):
        function(flow.tensor([1]), 1.5)


def test_functions_that_change_nothing_return_their_operand() -> None:
    x = flow.ones(2, 3, requires_grad=True)
    assert flow.flatten(x, 1) is flow.atleast_2d(x) is flow.atleast_1d([x])[0] is x
    assert flow.atleast_3d(x).shape == (2, 3, 1)
    assert flow.flatten(flow.tensor(1.0)).shape == (1,)


def test_sums_of_no_elements() -> None:
    x: Any = flow.ones(0, 2, requires_grad=True)
    made = flow.logsumexp(x, 0)
    assert made.tolist() == [-np.inf, -np.inf]
    made.sum().backward()
    assert x.grad.shape == (0, 2)


def test_losses_of_mixed_types_and_below_zero() -> None:
    x, y = flow.tensor([0.5, -1.0]), flow.tensor([1.0, 0.0], dtype=flow.float64)
    mixed = F.binary_cross_entropy_with_logits(x, y)
    assert mixed.dtype is flow.float64
    same = F.binary_cross_entropy_with_logits(x.double(), y)
    assert mixed.item() == same.item()
    losses = F.kl_div(flow.tensor([1.0, 1.0, 1.0]), flow.tensor([-2.0, 0.0, 1.0]), reduction="none")
    assert losses.tolist() == [0.0, 0.0, -1.0]


def test_combined_margins() -> None:
    cosines = np.array([[0.5, -0.25, 0.1], [0.9, 0.2, -0.6]])
    x: Any = flow.tensor(cosines, requires_grad=True)
    made = flow.nn.CombinedMarginLoss(2.0, 0.5, 0.25)(x, flow.tensor([1, 7]))
    wanted = cosines.copy()
    wanted[0, 1] = np.cos(2 * np.arccos(-0.25) + 0.5) - 0.25
    np.testing.assert_allclose(made.detach().numpy(), wanted, rtol=1e-12)
    made.sum().backward()
    slope = 2 * np.sin(2 * np.arccos(-0.25) + 0.5) / np.sqrt(1 - 0.25**2)
    np.testing.assert_allclose(x.grad.numpy(), [[1, slope, 1], [1, 1, 1]], rtol=1e-12)
    assert F.combined_margin_loss(x, flow.tensor([[1], [0]])).tolist() == x.tolist()
    with pytest.raises(ValueError, match=r"takes an input of shape \[n, classes\] and n labels"):
        F.combined_margin_loss(x, flow.tensor([1]))


def test_shapes_changed_in_place() -> None:
    x: Any = flow.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    y = x * 2
    assert y.squeeze_() is y
    assert y.unsqueeze_(1).transpose_(0, 1).shape == (1, 3)
    (y * flow.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [[2.0, 20.0, 200.0]]
    whole = flow.zeros(2, 3)
    row: Any = whole[1]
    row.unsqueeze_(0).add_(1)
    assert whole.tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    turned: Any = whole.t()
    turned.contiguous_().fill_(5)
    assert turned.is_contiguous()
    assert whole.tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    with pytest.raises(RuntimeError, match="squeeze_ changes a leaf that requires gradients"):
        x.squeeze_()
    with pytest.raises(RuntimeError, match="cannot copy the elements of a tensor whose memory"):
        flow.from_numpy(np.zeros((2, 3)).T).contiguous_()


@pytest.mark.parametrize(
    "overwrite",
    [
        lambda y, z: y.fill_(3.0),
        lambda y, z: y.copy_(z),
        lambda y, z: y.copy_(z.double() * 1),
        lambda y, z: y.copy_(np.zeros(2)),
        lambda y, z: y.normal_(),
        lambda y, z: y.uniform_(),
    ],
    ids=["fill", "copy", "copy of another type", "copy of an array", "normal", "uniform"],
)
def test_what_was_overwritten_has_a_gradient_of_zero(overwrite: Any) -> None:
    x: Any = flow.tensor([1.0, np.inf], requires_grad=True)
    y, z = x * 2, flow.tensor([3.0, 3.0], requires_grad=True)
    overwrite(y, z)
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]
    assert z.grad is None or z.grad.tolist() == [1.0, 1.0]


def test_tensors_from_arrays_are_copies() -> None:
    numbers = np.zeros(2, np.float32)
    x: Any = flow.Tensor(numbers)
    x.add_(1)
    assert numbers.tolist() == [0.0, 0.0]


def test_complex_types_are_names_alone() -> None:
    assert (flow.complex64.is_complex, flow.complex64.is_float) == (True, False)
    assert flow.complex128 != flow.complex64
    for make in (
        lambda: flow.ones(2, dtype=flow.complex64),
        lambda: flow.ones(2).to(flow.complex128),
        lambda: flow.Tensor(2, dtype=flow.complex64),
    ):
        with pytest.raises(TypeError, match="there are no complex numbers; keep the real and"):
            make()


def test_the_class_of_tensors_comes_with_its_methods() -> None:
    program = "import penstock as flow; print(list(flow.Tensor(2, 1).expand(2, 3).shape))"
    run = subprocess.run(
        [sys.executable, "-c", program], text=True, capture_output=True, check=False
    )
    assert (run.stdout, run.stderr) == ("[2, 3]\n", "")


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0,)])
def test_softmax_of_empty_rows_is_empty(name: str, shape: tuple[int, ...]) -> None:
    x = flow.zeros(*shape, requires_grad=True)
    y = getattr(x, name)(-1)
    assert y.shape == shape
    y.sum().backward()
    assert x.grad.shape == shape


@pytest.mark.parametrize("indexing", ["ij", "xy"])
def test_grids(indexing: Any) -> None:
    numbers = [np.arange(n, dtype=np.float32) for n in (3, 2, 4)]
    made = flow.meshgrid(*map(flow.tensor, numbers), indexing=indexing)
    for one, wanted in zip(made, np.meshgrid(*numbers, indexing=indexing), strict=True):
        np.testing.assert_array_equal(one.numpy(), wanted)


def test_tensors_of_the_type_of_another() -> None:
    x = flow.ones(2, dtype=flow.int16)
    for made, wanted in (
        (flow.new_zeros(x, 2, 1), [[0], [0]]),
        (flow.new_ones(x, (2,)), [1, 1]),
        (flow.new_full(x, (2,), 7), [7, 7]),
        (flow.new_empty(x, size=(2, 0)), [[], []]),
    ):
        assert made.dtype is flow.int16
        assert made.tolist() == wanted
    assert flow.new_ones(x, 2, dtype=flow.float32).dtype is flow.float32
    graph = flow.nn.Graph.trace(lambda x: flow.new_ones(x, 2) + x)
    assert graph(x).tolist() == [2, 2]
