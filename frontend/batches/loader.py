"""`DataLoader`: loads batches of a data set, in this process or in workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Any

from penstock.basics.checks import check_flag, check_integer, check_within
from penstock.basics.errors import kind_of, located
from penstock.batches.datasets import IterableDataset
from penstock.batches.samplers import (
    BatchSampler,
    RandomSampler,
    SequentialSampler,
    check_batch_size,
)
from penstock.batches.workers import Source, Worker
from penstock.tensor_functions.random_numbers import Generator, randint


class DataLoader:
    """Batches of a data set: iterate over the loader once per epoch.

    The elements come in order, or in the order of `sampler` or `batch_sampler`. With `shuffle` the
    order is random, drawn from `generator`, by default that of `flow.manual_seed`. `collate_fn`, by
    default `default_collate`, joins the elements of a batch. `batch_size=None` returns single
    elements.

    `num_workers` processes prefetch batches, `prefetch_factor` each; the order of the batches does
    not depend on the number of workers. Workers are forked, so nothing is pickled, and send batches
    through shared memory. Batches must be nests of tensors, arrays, numbers and strings. If a
    worker dies, a located RuntimeError is raised; an error of the data set is raised here again.

    >>> import penstock as flow
    >>> data = flow.utils.data.TensorDataset(flow.arange(5))
    >>> [x.tolist() for (x,) in flow.utils.data.DataLoader(data, batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool = False,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Sequence[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int = 2,
        persistent_workers: bool = False,
    ) -> None:
        self.dataset = dataset
        self.num_workers = check_integer(num_workers, "num_workers of DataLoader")
        self.prefetch_factor = check_integer(prefetch_factor, "prefetch_factor of DataLoader")
        if self.num_workers < 0 or self.prefetch_factor < 1:
            raise located(
                ValueError,
                "DataLoader takes num_workers of at least 0 and prefetch_factor of at least 1, got "
                f"{num_workers} and {prefetch_factor}",
            )
        self.timeout = check_within(timeout, "timeout of DataLoader", 0)
        self.worker_init_fn = worker_init_fn
        self.generator = generator
        self.persistent_workers = check_flag(persistent_workers, "persistent_workers of DataLoader")
        self.drop_last = check_flag(drop_last, "drop_last of DataLoader")
        self.pin_memory = check_flag(pin_memory, "pin_memory of DataLoader")
        self.collate_fn = collate_fn
        self._pool: _Pool | None = None
        self._is_iterable = isinstance(dataset, IterableDataset)
        self._check_samplers(shuffle, sampler, batch_sampler)
        if batch_sampler is not None:
            if batch_size != 1 or drop_last:
                raise located(
                    ValueError,
                    "DataLoader takes batch_sampler, or batch_size and drop_last; got both",
                )
            self.batch_size: int | None = None
        else:
            self.batch_size = (
                None if batch_size is None else check_batch_size(batch_size, "DataLoader")
            )
        if sampler is None and not self._is_iterable:
            sampler = (
                RandomSampler(dataset, generator=generator)
                if shuffle
                else SequentialSampler(dataset)
            )
        self.sampler = sampler
        if batch_sampler is None and self.batch_size is not None and sampler is not None:
            batch_sampler = BatchSampler(sampler, self.batch_size, self.drop_last)
        self.batch_sampler = batch_sampler

    def _check_samplers(self, shuffle: object, sampler: object, batch_sampler: object) -> None:
        if shuffle not in (True, False):
            raise located(
                TypeError, f"shuffle of DataLoader must be True or False, got {kind_of(shuffle)}"
            )
        conflicting = [
            name
            for name, there in (
                ("shuffle", bool(shuffle)),
                ("sampler", sampler is not None),
                ("batch_sampler", batch_sampler is not None),
            )
            if there
        ]
        if self._is_iterable and conflicting:
            raise located(
                ValueError,
                "DataLoader cannot change the order of an IterableDataset, got "
                f"{conflicting[0]}; leave it out",
            )
        if len(conflicting) > 1:
            raise located(
                ValueError,
                f"DataLoader takes one of shuffle and samplers, got {' and '.join(conflicting)}",
            )

    def _orders(self) -> Iterator[Any]:
        """The indices of each batch; endless placeholders for a data set without indices."""
        if self._is_iterable:
            while True:
                yield None
        numbers = self.batch_sampler if self.batch_sampler is not None else self.sampler
        assert numbers is not None, "a data set with elements by index has a sampler"
        yield from numbers

    def _source(self) -> Source:
        size = self.batch_size
        if size is None and self.batch_sampler is not None:
            size = 1  # Any size will do: the batch sampler decides it, and elements are joined.
        return Source(self.dataset, self.collate_fn, size, self.drop_last)

    def __iter__(self) -> Iterator[Any]:
        if not self.num_workers:
            return self._alone()
        pool = self._pool
        if pool is None or pool.is_closed:
            seed = int(randint(0, 2**31, [], generator=self.generator).item())
            pool = _Pool(self, self._source(), seed)
        self._pool = pool if self.persistent_workers else None
        return _Epoch(pool, self._orders(), self.persistent_workers)

    def _alone(self) -> Iterator[Any]:
        source = self._source()
        source.start()
        for numbers in self._orders():
            try:
                batch = source.batch(numbers)
            except StopIteration:
                return
            yield batch

    def __len__(self) -> int:
        if self._is_iterable:
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        numbers: Any = self.sampler if self.batch_sampler is None else self.batch_sampler
        if not isinstance(numbers, Sized):
            raise located(TypeError, f"{kind_of(numbers)} has no length, nor has its DataLoader")
        return len(numbers)


class _Pool:
    """The workers of a loader."""

    def __init__(self, loader: DataLoader, source: Source, seed: int) -> None:
        self.prefetch = loader.prefetch_factor
        self.workers: list[Worker] = []
        self.is_closed = False
        try:
            for number in range(loader.num_workers):
                self.workers.append(
                    Worker(
                        source, number, loader.num_workers, seed, loader.worker_init_fn,
                        loader.timeout,
                    )
                )  # fmt: skip
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End all workers."""
        self.is_closed = True
        while self.workers:
            self.workers[-1].stop()
            self.workers.pop()

    def __del__(self) -> None:
        self.close()


class _Epoch(Iterator[Any]):
    """Batches in the order of the sampler: of n workers, each prefetches every n-th batch."""

    def __init__(self, pool: _Pool, orders: Iterator[Any], keeps: bool) -> None:
        self._pool = pool
        self._orders: Iterator[Any] | None = orders
        self._keeps = keeps
        self._turns: list[Worker] = list(pool.workers)
        self._at = 0
        for worker in pool.workers:
            while worker.asked:  # Left over from an epoch that was not finished.
                _skip(worker)
            worker.ask(["start"])
        for _ in range(pool.prefetch):
            for worker in pool.workers:
                self._ask(worker)

    def _ask(self, worker: Worker) -> None:
        if self._orders is None:
            return
        for numbers in self._orders:
            worker.ask(["load", numbers])
            return
        self._orders = None

    def __next__(self) -> Any:
        try:
            return self._next()
        except BaseException as error:
            if not (isinstance(error, StopIteration) and self._keeps):
                self._pool.close()
            raise

    def _next(self) -> Any:
        while self._turns:
            worker = self._turns[self._at]
            if not worker.asked:
                raise StopIteration
            try:
                batch = worker.answer()
            except StopIteration:
                # The worker's share of the data set has ended; the other workers go on.
                while worker.asked:
                    _skip(worker)
                del self._turns[self._at]
                self._at = self._at % len(self._turns) if self._turns else 0
                continue
            self._ask(worker)
            self._at = (self._at + 1) % len(self._turns)
            return batch
        raise StopIteration

    def __del__(self) -> None:
        if not self._keeps:
            self._pool.close()


def _skip(worker: Worker) -> None:
    """Receive and drop a batch."""
    try:
        worker.answer()
    except StopIteration:
        return
