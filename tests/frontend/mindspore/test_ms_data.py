"""Datasets, data queues and initializers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Tensor, dataset, initializer, nn, ops


def rows(data: Any) -> list[Any]:
    return [[one.tolist() for one in row] for row in data.rows()]


def test_batches_epochs_and_maps() -> None:
    arrays = {"x": np.arange(5), "y": np.arange(5) * 10}
    data = dataset.NumpySlicesDataset(arrays, shuffle=False)
    assert rows(data.batch(2)) == [[[0, 1], [0, 10]], [[2, 3], [20, 30]], [[4], [40]]]
    assert len(data.batch(2, drop_remainder=True)) == 2
    assert rows(data.take(1).repeat(2)) == [[0, 0], [0, 0]]
    mapped = data.map([lambda y: y + 1, np.negative], "y")
    assert rows(mapped.take(2)) == [[0, -1], [1, -11]]
    assert data.get_col_names() == ["x", "y"]
    assert data.batch(2).output_shapes() == [[2], [2]]
    (first, *_) = data.create_dict_iterator()
    assert isinstance(first["x"], Tensor)


def test_the_order_follows_the_seed() -> None:
    def order(data: Any) -> list[int]:
        ms.set_seed(1)
        return [int(row[0]) for row in data.rows()]

    for data in (
        dataset.NumpySlicesDataset(np.arange(20)),
        dataset.GeneratorDataset(list(range(20)), "x"),
        dataset.NumpySlicesDataset(np.arange(20), shuffle=False).shuffle(8),
    ):
        assert order(data) == order(data) != list(range(20))
        assert sorted(order(data)) == list(range(20))


def test_generators() -> None:
    def pairs() -> Iterator[Any]:
        yield from ((np.float32(i), i) for i in range(3))

    data = dataset.GeneratorDataset(pairs, ["a", "b"])
    assert rows(data) == rows(data) == [[0.0, 0], [1.0, 1], [2.0, 2]]
    with pytest.raises(ValueError, match="has 2 arrays, and there are 1 column_names"):
        rows(dataset.GeneratorDataset(pairs, ["a"]))


def test_get_next_takes_batches_from_the_queue() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.get_next = ops.GetNext([ms.float32], [(1, 1)], 1, "numbers")

        def construct(self, x: Tensor) -> Any:
            return self.get_next() + x

    net, x = Net(), Tensor(np.ones((1, 1), np.float32))
    ms.set_context(pynative_synchronize=True)
    with pytest.raises(RuntimeError, match=r"test_ms_data.py:\d+: GetNext finds no open queue"):
        net(x)
    data = dataset.NumpySlicesDataset(np.arange(2, dtype=np.float32)[:, None], shuffle=False)
    sender = data.batch(1).device_que(queue_name="numbers")
    sender.send(1)
    assert [float(net(x)) for _ in range(2)] == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="no more batches in queue 'numbers', which had 2"):
        net(x)
    sender.send()
    assert [float(net(x)) for _ in range(3)] == [1.0, 2.0, 1.0]
    wrong = ops.GetNext([ms.float32], [(2, 1)], 1, "numbers")
    with pytest.raises(RuntimeError, match=r"expects float32 of shape \(2, 1\), got float32 of"):
        wrong()
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(RuntimeError, match="every call would get the same batch"):
        net(x)
    sender.stop_send()


def test_initializers() -> None:
    ms.set_seed(2)
    shape = (400, 50)
    made = {
        name: initializer.initializer(name, shape).asnumpy()
        for name in ("normal", "TruncatedNormal", "uniform", "xavier_uniform", "he_uniform",
                     "he_normal")
    }  # fmt: skip
    assert made["normal"].std() == pytest.approx(0.01, rel=0.05)
    assert np.abs(made["TruncatedNormal"]).max() <= 0.02
    assert 0.069 < made["uniform"].max() <= 0.07
    assert made["xavier_uniform"].max() == pytest.approx(np.sqrt(6 / 450), rel=0.01)
    assert made["he_uniform"].max() == pytest.approx(np.sqrt(6 / 50), rel=0.01)
    assert made["he_normal"].std() == pytest.approx(np.sqrt(2 / 50), rel=0.05)
    tensor = Tensor(shape=(2,), dtype=ms.float32, init=initializer.One())
    assert tensor.asnumpy().tolist() == [1.0, 1.0]
