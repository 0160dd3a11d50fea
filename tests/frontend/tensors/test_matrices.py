"""Inverses, determinants, additions and gathers by index, windows: against NumPy and PyTorch."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

SHAPES = [(1, 1), (2, 2), (3, 3), (2, 4, 4), (0, 0), (0, 3, 3), (2, 1, 5, 5), (40, 40)]


def drawn(shape: tuple[int, ...], dtype: Any = np.float32, seed: int = 1) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inverses_and_determinants(shape: tuple[int, ...], dtype: Any) -> None:
    x = drawn(shape, dtype)
    wide = x.astype(np.float64)
    condition = max(np.linalg.cond(wide).max() if x.size else 1.0, 1.0)
    # float32 is computed in float64 and rounded once.
    bound = np.finfo(dtype).eps + 50 * condition * np.finfo(np.float64).eps
    inverse, determinant = np.linalg.inv(wide), np.linalg.det(wide)
    found, area = flow.linalg.inv(flow.tensor(x)), flow.linalg.det(flow.tensor(x))
    assert (found.dtype, area.dtype) == (flow.tensor(x).dtype,) * 2
    scale = np.abs(inverse).max() if x.size else 1.0
    np.testing.assert_allclose(found.numpy(), inverse, atol=bound * scale, rtol=0)
    np.testing.assert_allclose(area.numpy(), determinant, rtol=bound)
    assert area.shape == shape[:-2]


def test_gradients_of_inverses_and_determinants() -> None:
    torch = pytest.importorskip("torch")
    x, g, h = (
        drawn((2, 4, 4), np.float64),
        drawn((2, 4, 4), np.float64, 2),
        drawn((2,), np.float64, 3),
    )
    mine = flow.tensor(x, requires_grad=True)
    theirs = torch.tensor(x, requires_grad=True)
    for flows, t, one in ((flow, flow.tensor, mine), (torch, torch.tensor, theirs)):
        loss = (flows.linalg.inv(one) * t(g)).sum() + (flows.linalg.det(one) * t(h)).sum()
        (first,) = flows.autograd.grad(loss, one, create_graph=True)
        (first * t(g)).sum().backward()
    np.testing.assert_allclose(mine.grad.numpy(), theirs.grad.numpy(), rtol=1e-9)


def test_singular_matrices() -> None:
    singular = flow.tensor([[[1.0, 0.0], [0.0, 2.0]], [[1.0, 2.0], [2.0, 4.0]]])
    np.testing.assert_array_equal(flow.linalg.det(singular).numpy(), [2.0, 0.0])
    with pytest.raises(RuntimeError, match=r"matrices\.py:\d+: .*matrix \[1\] is singular"):
        flow.linalg.inv(singular)
    tiny = flow.tensor(np.eye(3) * 1e-150)  # its determinant is 0 in float64
    np.testing.assert_allclose(flow.linalg.inv(tiny).numpy(), np.eye(3) * 1e150)
    with pytest.raises(RuntimeError, match=r"square matrices.* got shape \(2, 3\)"):
        flow.linalg.inv(flow.ones(2, 3))
    with pytest.raises(RuntimeError, match="takes floats, got flow.int64"):
        flow.linalg.det(flow.tensor([[1]]))


def test_an_inverse_in_a_job() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 2, 2))) -> tuple[tp.Numpy, tp.Numpy]:
        return flow.linalg.inv(x), flow.gradients(flow.linalg.det(x), x)

    x = drawn((3, 2, 2))
    inverse, slope = job(x)
    np.testing.assert_array_equal(inverse, flow.tensor(x).inverse().numpy())
    turned = np.linalg.inv(x.astype(np.float64)).swapaxes(1, 2)
    wanted = np.linalg.det(x.astype(np.float64))[:, None, None] * turned
    np.testing.assert_allclose(slope, wanted, rtol=1e-4)


@pytest.mark.parametrize(
    ("shape", "dim", "count"),
    [((5,), 0, 3), ((4, 3), 0, 6), ((4, 3), 1, 2), ((2, 5, 3), -2, 4), ((3, 2), 0, 0), ((), 0, 1)],
)
def test_index_add(shape: tuple[int, ...], dim: int, count: int) -> None:
    torch = pytest.importorskip("torch")
    places = np.random.default_rng(0).integers(0, shape[dim] if shape else 1, count)
    source_shape = list(shape)
    if shape:
        source_shape[dim] = count
    x, source = drawn(shape, np.float64), drawn(tuple(source_shape), np.float64, 2)
    found = []
    for flows in (flow, torch):
        a, b = (flows.tensor(one, requires_grad=True) for one in (x, source))
        made = flows.index_add(a, dim, flows.tensor(places), b, alpha=2.5)
        (made * made).sum().backward()
        changed = flows.tensor(x)
        assert changed.index_add_(dim, flows.tensor(places), flows.tensor(source)) is changed
        found.append([made.detach(), a.grad, b.grad, changed])
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-12)


def test_index_add_refuses() -> None:
    with pytest.raises(RuntimeError, match=r"must have shape \(2, 3\) for indices .* got \(1, 3\)"):
        flow.index_add(flow.zeros(4, 3), 0, flow.tensor([0, 1]), flow.ones(1, 3))
    with pytest.raises(IndexError, match="index 4 of flow.index_add is outside"):
        flow.index_add(flow.zeros(4, 3), 0, flow.tensor([4]), flow.ones(1, 3))


def test_batch_gather() -> None:
    x = drawn((2, 3, 4, 5))
    places = np.random.default_rng(0).integers(0, 4, (2, 3, 6))
    wanted = np.take_along_axis(x, places[..., None], 2)
    found = flow.batch_gather(flow.tensor(x), flow.tensor(places))
    np.testing.assert_array_equal(found.numpy(), wanted)
    rows = flow.batch_gather(flow.tensor(x[0, 0]), flow.tensor([3, 0]))
    np.testing.assert_array_equal(rows.numpy(), x[0, 0][[3, 0]])
    with pytest.raises(RuntimeError, match=r"got shapes \(3, 2\) and \(2, 4\)"):
        flow.batch_gather(flow.ones(2, 4), flow.zeros(3, 2, dtype=flow.int64))


@pytest.mark.parametrize("count", [0, 1, 2, 7, 16])
@pytest.mark.parametrize("periodic", [True, False])
def test_hann_window(count: int, periodic: bool) -> None:
    torch = pytest.importorskip("torch")
    found = flow.hann_window(count, periodic, dtype=flow.float64)
    wanted = torch.hann_window(count, periodic, dtype=torch.float64)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), atol=1e-15)
    with pytest.raises(TypeError, match="flow.hann_window gives floats"):
        flow.hann_window(count, dtype=flow.int32)


def test_singular_matrices_with_a_column_of_zeros() -> None:
    for x in (flow.zeros(2, 2), flow.tensor([[0.0, 1.0], [0.0, 3.0]]), flow.ones(3, 3)):
        assert flow.linalg.det(x).item() == 0
        with pytest.raises(RuntimeError, match="the matrix is singular"):
            flow.linalg.inv(x)


def test_variances_of_too_few_elements() -> None:
    assert np.isnan(flow.zeros(0).var().item())
    assert np.isnan(flow.zeros(1).std().item())
    assert np.isnan(flow.zeros(0).var(unbiased=False).item())
    assert np.isnan(flow.zeros(2, 0).var(1).numpy()).all()


def test_boxes_that_overlap_no_better_one() -> None:
    boxes = flow.tensor([[0, 0, 2, 2], [5, 5, 6, 6], [0, 0, 2, 2.5]])
    kept = flow.nms(boxes, flow.tensor([0.3, 0.5, 0.9]), 0.5)
    assert (kept.dtype, kept.tolist()) == (flow.int64, [2, 1])
    with pytest.raises(ValueError, match=r"flow.nms takes boxes of shape \(n, 4\) and n scores"):
        flow.nms(boxes, flow.ones(2), 0.5)


def test_gradients_of_clamps_at_their_bounds() -> None:
    """They pass where an element equals a bound, and go to the bound beyond it."""
    x = flow.tensor([-2.0, -1.0, 0.0, 0.5, 3.0], requires_grad=True)
    low, high = flow.full((5,), -1.0, requires_grad=True), flow.full((5,), 0.5, requires_grad=True)
    flow.clamp(x, low, high).sum().backward()
    assert x.grad.tolist() == [0, 1, 1, 1, 0]
    assert (low.grad.tolist(), high.grad.tolist()) == ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])
    y = flow.tensor([0.0, 1.0], requires_grad=True)
    loss = flow.nn.functional.margin_ranking_loss
    loss(y, flow.zeros(2), flow.ones(2), reduction="sum").backward()
    assert y.grad.tolist() == [-1, 0]
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
        return flow.gradients(flow.clip_by_value(x, -1, 0.5), x)

    assert job(x.detach().numpy()).tolist() == [0, 1, 1, 1, 0]


def test_searches_in_sorted_sequences() -> None:
    rng = np.random.default_rng(2)
    for shape, wanted in (((9,), (4,)), ((1,), (3, 2)), ((3, 8), (3, 5)), ((0,), (2,))):
        rows = np.sort(rng.integers(-4, 5, shape).astype(np.float32), -1)
        values = rng.integers(-5, 6, wanted).astype(np.float32)
        for right in (False, True):
            side: Any = "right" if right else "left"
            found = flow.searchsorted(flow.tensor(rows), flow.tensor(values), right=right)
            pairs = [(rows, values)] if rows.ndim == 1 else zip(rows, values, strict=True)
            expected = np.stack([np.searchsorted(r, v, side) for r, v in pairs]).reshape(wanted)
            np.testing.assert_array_equal(found.numpy(), expected)
    row = flow.tensor([1.0, 2.0, float("nan")])
    assert flow.searchsorted(row, [float("nan"), 5.0]).tolist() == [3, 3]
    with pytest.raises(RuntimeError, match="values of the sequences' shape but for the last"):
        flow.searchsorted(flow.zeros(2, 3), flow.zeros(3))


def test_norms_by_name() -> None:
    x: Any = flow.tensor([[3.0, 0.0], [0.0, -4.0]])
    assert [flow.norm(x, p).item() for p in ("fro", None, "inf", "-inf", 1)] == [5, 5, 4, 0, 7]
    with pytest.raises(ValueError, match='p of flow.norm must be a number, "fro", .*"nuc"'):
        x.norm("nuc")
