"""Samplers: the indices of elements, in loading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

from penstock.basics.checks import check_flag, check_integer
from penstock.basics.errors import kind_of, located
from penstock.tensor_functions.random_numbers import Generator, randint, randperm


class Sampler:
    """Base of samplers: subclasses define `__iter__`, and `__len__` if the length is known."""

    def __init__(self, data_source: Any = None) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        raise located(
            NotImplementedError, f"sampler {type(self).__name__} must have a method __iter__"
        )


class SequentialSampler(Sampler):
    """All elements, in order."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """All elements in random order, or `num_samples` of them.

    With `replacement` an element may be drawn more than once. The order is determined by the
    generator, by default that of `flow.manual_seed`.

    >>> import penstock as flow
    >>> orders = []
    >>> for _ in range(2):
    ...     generator = flow.Generator().manual_seed(1)
    ...     orders.append(list(flow.utils.data.RandomSampler(range(9), generator=generator)))
    >>> orders[0] == orders[1], sorted(orders[0])
    (True, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = check_flag(replacement, "replacement of RandomSampler")
        self.generator = generator
        self._count = None if num_samples is None else _count(num_samples, "RandomSampler")

    @property
    def num_samples(self) -> int:
        """The number of samples per epoch."""
        return len(self.data_source) if self._count is None else self._count

    def __iter__(self) -> Iterator[int]:
        size, left = len(self.data_source), self.num_samples
        if self.replacement:
            yield from randint(0, size, [left], generator=self.generator).tolist()
            return
        while left > 0 and size:
            order = randperm(size, generator=self.generator).tolist()
            yield from order[:left]
            left -= size

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """These indices in random order."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        order = randperm(len(self.indices), generator=self.generator).tolist()
        return (self.indices[i] for i in order)

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn with probabilities proportional to these weights.

    >>> import penstock as flow
    >>> list(flow.utils.data.WeightedRandomSampler([0.0, 1.0, 0.0], 3))
    [1, 1, 1]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        self.weights = [float(weight) for weight in weights]
        self.num_samples = _count(num_samples, "WeightedRandomSampler")
        self.replacement = check_flag(replacement, "replacement of WeightedRandomSampler")
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        from penstock.tensor_functions.order import multinomial
        from penstock.tensors.creation import tensor

        drawn = multinomial(
            tensor(self.weights), self.num_samples, self.replacement, generator=self.generator
        )
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` indices from a sampler; `drop_last` drops a shorter last batch.

    >>> import penstock as flow
    >>> list(flow.utils.data.BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool = False) -> None:
        self.sampler = sampler
        self.batch_size = check_batch_size(batch_size, "BatchSampler")
        self.drop_last = check_flag(drop_last, "drop_last of BatchSampler")

    def __iter__(self) -> Iterator[list[Any]]:
        batch = []
        for number in self.sampler:
            batch.append(number)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        if not isinstance(self.sampler, Sized):
            raise located(TypeError, f"{kind_of(self.sampler)} has no length, nor have its batches")
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def check_batch_size(value: object, what: str) -> int:
    """`value` if it is an int above 0, else a located error."""
    size = check_integer(value, f"batch_size of {what}")
    if size < 1:
        raise located(ValueError, f"batch_size of {what} must be at least 1, got {size}")
    return size


def _count(value: object, what: str) -> int:
    count = check_integer(value, f"num_samples of {what}")
    if count < 1:
        raise located(ValueError, f"num_samples of {what} must be at least 1, got {count}")
    return count
