"""Data sets, samplers and collating."""

from collections import Counter, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.utils import data


class Squares(data.Dataset):
    def __init__(self, count: int) -> None:
        self.count = count

    def __getitem__(self, index: int) -> int:
        return int(index) ** 2

    def __len__(self) -> int:
        return self.count


class TestDatasets:
    def test_concatenation(self) -> None:
        both = Squares(3) + Squares(2)
        assert [both[i] for i in range(5)] == [0, 1, 4, 0, 1]
        assert both[-1] == 1
        with pytest.raises(IndexError, match="index 5 is outside of 5 elements"):
            both[5]

    def test_tensors(self) -> None:
        x, y = flow.arange(6).reshape(3, 2), flow.arange(3)
        part = data.TensorDataset(x, y)[1]
        assert [one.tolist() for one in part] == [[2, 3], 1]
        with pytest.raises(ValueError, match=r"of one length, got lengths \[3, 2\]"):
            data.TensorDataset(y, y[:2])

    def test_tensor_batches_equal_collated_elements(self) -> None:
        both = data.TensorDataset(flow.arange(6).reshape(3, 2), flow.arange(3.0))
        at_once = next(iter(data.DataLoader(both, sampler=[2, 0, -1], batch_size=3)))
        one_by_one = data.default_collate([both[i] for i in (2, 0, -1)])
        assert [x.tolist() for x in at_once] == [x.tolist() for x in one_by_one]
        assert [x.dtype for x in at_once] == [x.dtype for x in one_by_one]
        with pytest.raises(IndexError, match="index 3 is outside of 3 elements"):
            list(data.DataLoader(both, sampler=[3]))

    def test_iterable_data_sets_are_chained(self) -> None:
        class Three(data.IterableDataset):
            def __iter__(self) -> Any:
                return iter(range(3))

        assert list(Three() + Three()) == [0, 1, 2, 0, 1, 2]
        with pytest.raises(TypeError, match="got a Three; use ChainDataset"):
            data.ConcatDataset([Three()])

    def test_random_splits_are_disjoint(self) -> None:
        def parts() -> list[list[int]]:
            generator = flow.Generator().manual_seed(3)
            return [list(p.indices) for p in data.random_split(range(7), [4, 3], generator)]

        first, second = parts()
        assert sorted(first + second) == list(range(7))
        assert parts() == [first, second]
        with pytest.raises(ValueError, match="add up to the 7 elements"):
            data.random_split(range(7), [4, 4])
        with pytest.raises(ValueError, match="must add up to 1"):
            data.random_split(range(7), [0.5, 0.25])

    def test_fractions_cover_all_elements(self) -> None:
        parts = data.random_split(range(7), [0.5, 0.25, 0.25])
        assert [len(part) for part in parts] == [4, 2, 1]


class TestSamplers:
    def test_random_order_comes_from_the_generator(self) -> None:
        def order(seed: int) -> list[int]:
            return list(data.RandomSampler(range(7), generator=flow.Generator().manual_seed(seed)))

        assert sorted(order(1)) == list(range(7))
        assert order(1) == order(1)
        assert len({tuple(order(seed)) for seed in range(5)}) > 1

    def test_more_samples_than_elements(self) -> None:
        found = list(data.RandomSampler(range(7), num_samples=10))
        assert sorted(found[:7]) == list(range(7))
        assert len(found) == 10

    def test_replacement(self) -> None:
        sampler = data.RandomSampler(range(2), True, 50, flow.Generator().manual_seed(1))
        assert set(Counter(sampler)) == {0, 1}
        assert len(sampler) == 50

    def test_subsets(self) -> None:
        assert sorted(data.SubsetRandomSampler([5, 3, 8])) == [3, 5, 8]

    def test_weights(self) -> None:
        drawn = list(data.WeightedRandomSampler([0.0, 0.5, 0.5], 20))
        assert set(drawn) <= {1, 2}

    def test_batches(self) -> None:
        sampler = data.BatchSampler(data.SequentialSampler(range(5)), 2, True)
        assert list(sampler) == [[0, 1], [2, 3]]
        assert len(sampler) == 2
        assert len(data.BatchSampler(range(5), 2)) == 3


Pair = namedtuple("Pair", "x y")


class TestCollating:
    def test_nests(self) -> None:
        batch = [
            {"x": flow.ones(2), "y": (1, "a"), "z": np.float32(i), "t": i > 0} for i in range(2)
        ]
        result = data.default_collate(batch)
        assert result["x"].tolist() == [[1.0, 1.0], [1.0, 1.0]]
        assert result["y"][0].dtype is flow.int64
        assert result["y"][1] == ["a", "a"]
        assert (result["z"].dtype, result["z"].tolist()) == (flow.float32, [0.0, 1.0])
        assert (result["t"].dtype, result["t"].tolist()) == (flow.bool, [False, True])

    def test_named_tuples_keep_their_class(self) -> None:
        result = data.default_collate([Pair(1.5, 2), Pair(2.5, 3)])
        assert isinstance(result, Pair)
        assert result.x.tolist() == [1.5, 2.5]

    @pytest.mark.parametrize(
        ("batch", "text"),
        [
            ([len], "got a builtin_function_or_method; give DataLoader a collate_fn"),
            ([flow.ones(1), flow.ones(2)], r"one shape, got \(1,\) and \(2,\)"),
            ([(1,), (1, 2)], r"one length, got lengths \[1, 2\]"),
            ([], "at least one element"),
        ],
    )
    def test_uncollatable_elements_are_errors(self, batch: Any, text: str) -> None:
        with pytest.raises((TypeError, RuntimeError, ValueError), match=text):
            data.default_collate(batch)


ERRORS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: data.DataLoader(Squares(3), 0), ValueError, "batch_size of DataLoader must be at"),
    (lambda: data.DataLoader(Squares(3), num_workers=-1), ValueError, "num_workers of at least 0"),
    (
        lambda: data.DataLoader(Squares(3), shuffle=True, sampler=[1]),
        ValueError,
        "one of shuffle and samplers, got shuffle and sampler",
    ),
    (
        lambda: data.DataLoader(Squares(3), 2, batch_sampler=[[1]]),
        ValueError,
        "takes batch_sampler, or batch_size and drop_last",
    ),
    (
        lambda: data.DataLoader(data.IterableDataset(), shuffle=True),
        ValueError,
        "cannot change the order of an IterableDataset, got shuffle",
    ),
    (lambda: list(data.DataLoader(data.IterableDataset())), NotImplementedError, "__iter__"),
    (lambda: data.Dataset()[0], NotImplementedError, "data set Dataset must have a method"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_misuse(number: int) -> None:
    call, kind, text = ERRORS[number]
    with pytest.raises(kind, match=f"test_datasets.py:[0-9]+: .*{text}"):
        call()
