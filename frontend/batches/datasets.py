"""Data sets: those with elements by index, and those that are only iterated over."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_integer, is_integer
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.random_numbers import Generator, randperm
from penstock.tensors.tensor import Tensor, check_tensor, wrap


class Dataset:
    """Base of data sets with elements by index: subclasses define `__getitem__` and `__len__`."""

    def __getitem__(self, index: Any) -> Any:
        raise located(
            NotImplementedError, f"data set {type(self).__name__} must have a method __getitem__"
        )

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Base of data sets that are only iterated over: subclasses define `__iter__`.

    Each worker of a loader iterates over its own copy; `get_worker_info` lets it choose its share.
    """

    def __iter__(self) -> Iterator[Any]:
        raise located(
            NotImplementedError, f"data set {type(self).__name__} must have a method __iter__"
        )

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    """Tensors of equal length: element i is the tuple of their i-th slices.

    >>> import penstock as flow
    >>> data = flow.utils.data.TensorDataset(flow.arange(3), flow.arange(3) * 10)
    >>> len(data), data[2]
    (3, (tensor(2, dtype=penstock.int64), tensor(20, dtype=penstock.int64)))
    """

    def __init__(self, *tensors: Tensor) -> None:
        for one in tensors:
            check_tensor(one, "TensorDataset")
        lengths = [len(one) for one in tensors]
        if not lengths or len(set(lengths)) > 1:
            raise located(
                ValueError, f"TensorDataset takes tensors of one length, got lengths {lengths}"
            )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(one[index] for one in self.tensors)

    def joined(self, indices: Sequence[int]) -> list[Tensor]:
        """The elements at these indices as one batch: `default_collate`, but without a loop."""
        places = np.asarray(indices, np.int64)
        outside = (places < -len(self)) | (places >= len(self))
        if outside.any():
            raise located(
                IndexError, f"index {places[outside][0]} is outside of {len(self)} elements"
            )
        return [wrap(one.array[places]) for one in self.tensors]

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """Data sets one after the other; `a + b` makes one.

    >>> import penstock as flow
    >>> data = flow.utils.data.ConcatDataset([[1, 2], [3]])
    >>> len(data), data[2], data[-3]
    (3, 3, 1)
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise located(ValueError, "ConcatDataset takes at least one data set, got none")
        for one in self.datasets:
            if isinstance(one, IterableDataset):
                raise located(
                    TypeError, "ConcatDataset takes data sets with elements by index, got "
                    f"{kind_of(one)}; use ChainDataset"
                )  # fmt: skip
        self.cumulative_sizes = list(itertools.accumulate(len(one) for one in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: Any) -> Any:
        number = int(index)
        if not -len(self) <= number < len(self):
            raise located(IndexError, f"index {number} is outside of {len(self)} elements")
        number %= len(self)
        which = bisect.bisect_right(self.cumulative_sizes, number)
        before = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][number - before]


class ChainDataset(IterableDataset):
    """Iterated data sets one after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self) -> int:
        return sum(len(one) for one in self.datasets)


class Subset(Dataset):
    """The elements of a data set at these indices.

    >>> import penstock as flow
    >>> list(flow.utils.data.Subset("abc", [2, 0]))
    ['c', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Generator | None = None
) -> list[Subset]:
    """Split a data set at random into disjoint subsets.

    `lengths` are their sizes, or fractions that add up to 1. Sizes from fractions are rounded down,
    and the remaining elements go one each to the first subsets.

    >>> import penstock as flow
    >>> parts = flow.utils.data.random_split(range(10), [0.75, 0.25])
    >>> [len(part) for part in parts], sorted(parts[0].indices + parts[1].indices)
    ([8, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
    total = len(dataset)
    sizes = list(lengths)
    if any(not is_integer(size) for size in sizes):
        if any(not 0 <= size <= 1 for size in sizes) or not math.isclose(sum(sizes), 1):
            raise located(
                ValueError, f"fractions of random_split must add up to 1, got {list(lengths)}"
            )
        sizes = [math.floor(total * size) for size in sizes]
        for i in range(total - int(sum(sizes))):
            sizes[i % len(sizes)] += 1
    sizes = [check_integer(size, "a length of random_split") for size in sizes]
    if sum(sizes) != total or any(size < 0 for size in sizes):
        raise located(
            ValueError,
            f"lengths of random_split must add up to the {total} elements of the data set, got "
            f"{list(lengths)}",
        )
    order = randperm(total, generator=generator).tolist()
    ends = list(itertools.accumulate(int(size) for size in sizes))
    starts = [0, *ends[:-1]]
    return [Subset(dataset, order[a:b]) for a, b in zip(starts, ends, strict=True)]
