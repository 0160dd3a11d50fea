"""Public functions that move elements, against NumPy; and their gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]
IMAGES = (2, 8, 5, 7)


def drawn(shape: tuple[int, ...] = IMAGES) -> Array:
    return np.random.default_rng(5).normal(size=shape).astype(np.float32)


def test_orders_parts_and_repetitions() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 5, 6), dtype=flow.int32)) -> list[tp.Numpy]:
        one = flow.slice(x, [0, 0, 0], [1, 5, 6])
        return [
            flow.reverse(x, 1), flow.reverse(x, [0, -1]), flow.slice_v2(x, [(None, None, -1)]),
            flow.slice_v2(x, [(3, 0, -2), (None, None, None), (-1, -6, -3)]),
            flow.slice_v2(x, [(1, 9, 2), (4, 2, 1)]), flow.expand(one, [4, -1, 6]),
            flow.expand(one, [2, -1, -1, -1]), flow.concat([x, one, one, x, one], 0),
            flow.stack([x, x * 2, x * 3], axis=1), flow.broadcast_to_compatible_with(one, [x]),
            flow.identity_n([x, one])[1], flow.pad_grad(x, [(1, 1), (0, 2), (3, 0)]),
            flow.dynamic_reshape(x, [-1, 30]), flow.parallel_cast(x), flow.transpose(x),
            *flow.split(x, 4, 2), *flow.split(x, [1, 0, 3]), flow.flip(x, [0, -1]), flow.tile(x, 2),
            flow.tile(one, (2, 3, 1, 2)),
            flow.roll(flow.constant(7, flow.int32, []), [], []) + x,
        ]  # fmt: skip

    x = np.arange(120, dtype=np.int32).reshape(4, 5, 6)
    one = x[:1]
    wanted = [
        x[:, ::-1], x[::-1, :, ::-1], x[::-1], x[3:0:-2, :, -1:-6:-3], x[1:9:2, 4:2],
        np.broadcast_to(one, x.shape), np.broadcast_to(one, (2, *one.shape)),
        np.concatenate([x, one, one, x, one]), np.stack([x, x * 2, x * 3], 1),
        np.broadcast_to(one, x.shape), one, x[1:3, :3, 3:], x.reshape(-1, 30), x, x.T,
        x[:, :, :4], x[:, :, 4:], x[:1], x[:0], x[1:], x[::-1, :, ::-1], np.tile(x, 2),
        np.tile(one, (2, 3, 1, 2)), x + 7,
    ]  # fmt: skip
    for i, (got, array) in enumerate(zip(job(x), wanted, strict=True)):
        np.testing.assert_array_equal(got, array, err_msg=str(i))


def test_edges_and_pixels() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(IMAGES)) -> list[tp.Numpy]:
        return [
            flow.reflection_pad2d(x, [3, 0, 1, 4]), flow.replication_pad2d(x, [9, 2, 0, 1]),
            flow.constant_pad2d(x, 1, 2.5), flow.zero_pad2d(x, [1, 0, 0, 2]),
            flow.nn.PixelShuffle(x, 2), flow.nn.PixelShufflev2(x, 1, 4),
            flow.same_padding(x, "same_upper", "NCHW", [3, 4], [2, 1], [1, 2]),
            flow.same_padding(x, "same_lower", "NHWC", [3, 3], [2, 1], [1, 1]),
        ]  # fmt: skip

    x = drawn()

    def padded(top: int, bottom: int, left: int, right: int, **how: Any) -> Array:
        return np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), **how)

    pixels = x.reshape(2, 2, 2, 2, 5, 7).transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 10, 14)
    wide = x.reshape(2, 2, 1, 4, 5, 7).transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 5, 28)
    wanted = [
        padded(1, 4, 3, 0, mode="reflect"), padded(0, 1, 9, 2, mode="edge"),
        padded(1, 1, 1, 1, constant_values=2.5), padded(0, 2, 1, 0), pixels, wide,
        padded(1, 1, 3, 3),
        np.pad(x, ((0, 0), (1, 0), (1, 1), (0, 0))),
    ]  # fmt: skip
    for i, (got, array) in enumerate(zip(job(x), wanted, strict=True)):
        np.testing.assert_array_equal(got, array, err_msg=str(i))


def test_gradients_go_to_the_original_positions() -> None:
    found: list[Array] = []

    @flow.global_function(type="train")
    def job(
        weights: tp.Numpy.Placeholder((1, 1, 6, 7)), more: tp.Numpy.Placeholder((1, 1, 2, 3))
    ) -> tp.Numpy:
        x = flow.get_variable("x", (1, 1, 3, 4), initializer=flow.ones_initializer())
        around = flow.reflection_pad2d(x, [1, 2, 1, 2]) + flow.replication_pad2d(x, [1, 2, 1, 2])
        part = flow.slice_v2(x, [(None,) * 3, (None,) * 3, (2, None, -2), (3, 0, -1)])
        loss = flow.math.reduce_sum(around * weights) + flow.math.reduce_sum(part * more)
        flow.watch_diff(x, lambda g: found.append(g.numpy()))
        flow.optimizer.SGD(
            flow.optimizer.PiecewiseConstantScheduler([], [0.0]), momentum=0
        ).minimize(loss)
        return loss

    weights, more = drawn((1, 1, 6, 7)), drawn((1, 1, 2, 3))
    job(weights, more)
    places = np.arange(12).reshape(3, 4)
    wanted = np.zeros(12)
    for mode in ("reflect", "edge"):
        np.add.at(wanted, np.pad(places, ((1, 2), (1, 2)), mode=mode).ravel(), weights.ravel())
    np.add.at(wanted, places[2::-2, 3:0:-1].ravel(), more.ravel())
    np.testing.assert_allclose(found[0].ravel(), wanted, 1e-5, 1e-6)


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (lambda x: flow.reverse(x, 4), ValueError, r"must lie in \[-4, 4\), got 4"),
        (lambda x: flow.roll(x, 1, 4), ValueError, r"must lie in \[-4, 4\), got 4"),
        (lambda x: flow.roll(x, [1, 2], 0), ValueError, "a shift for each of dims, got 2 for 1"),
        (lambda x: flow.roll(x, 1.5), TypeError, "each of shifts of flow.roll"),
        (lambda x: flow.reverse(x, None), TypeError, "axis of flow.reverse must be an int or a"),
        (lambda x: flow.slice_v2(x, [(0, 1, 0)]), ValueError, "takes nonzero steps"),
        (lambda x: flow.slice_v2(x, [(0, 1.5, 1)]), TypeError, "each bound of flow.slice_v2 must"),
        (lambda x: flow.reflection_pad2d(x, 5), ValueError, "must be at most 4 along dimension 2"),
        (lambda x: flow.reflection_pad2d(x, [1, 2]), ValueError, r"or \(left, right, top, "),
        (lambda x: flow.zero_pad2d(flow.flatten(x), 1), ValueError, r"takes a blob \(N, C, H, W\)"),
        (lambda x: flow.nn.PixelShuffle(x, 3), ValueError, r"whose C is divisible by 3 \* 3, got"),
        (lambda x: flow.expand(x, [2, 3, 5, 7]), ValueError, "cannot broadcast tensor<2x8x"),
        (lambda x: flow.identity_n(x)[0], TypeError, "flow.identity_n takes a list of blobs"),
        (lambda x: flow.pad_grad(x, [(1, 1)]), ValueError, "must have one pair per dimension"),
        (lambda x: flow.same_padding(x, "same", "NCHW", 3, 1, 1), ValueError, 'be "same_upper" or'),
        (lambda x: flow.broadcast_to_compatible_with(x, [flow.zeros((3,))]), ValueError, "shapes"),
    ],
)  # fmt: skip
def test_misuse(body: Callable[[Any], Any], kind: type[Exception], said: str) -> None:
    def job(x: tp.Numpy.Placeholder(IMAGES)) -> tp.Numpy:
        return body(x)

    with pytest.raises(kind, match=said):
        flow.global_function()(job).trace()
