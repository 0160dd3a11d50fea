"""`mindspore.dataset`: datasets in memory or from generators, and data queues that they fill."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_count, check_flag, check_integer
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.mindspore.tensor import Tensor
from penstock.tensor_functions import random_numbers

Array = np.ndarray[Any, Any]
Row = tuple[Array, ...]


class Queue:
    """The batches that a dataset sent and nobody took yet."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._lock = threading.Lock()
        self.taken = 0

    def next(self) -> Row | None:
        """The next batch; None if there is none."""
        with self._lock:
            found = next(self._rows, None)
            self.taken += found is not None
            return found


_queues: dict[str, Queue] = {}


def open_queue(name: str) -> Queue | None:
    """The queue of that name; None if it is not open."""
    return _queues.get(name)


class Dataset:
    """Base of datasets: rows of one array for each column. Each method returns a new dataset."""

    column_names: list[str]

    def rows(self) -> Iterator[Row]:
        """The rows of one epoch."""
        raise NotImplementedError

    def get_dataset_size(self) -> int:
        """The number of rows of an epoch."""
        return sum(1 for _ in self.rows())

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        return list(self.column_names)

    def output_shapes(self) -> list[list[int]]:
        """The shapes of a row."""
        return [list(array.shape) for array in self._first()]

    def output_types(self) -> list[np.dtype[Any]]:
        """The element types of a row."""
        return [array.dtype for array in self._first()]

    def _first(self) -> Row:
        found = next(self.rows(), None)
        if found is None:
            raise located(ValueError, "a dataset without rows has no shapes and types")
        return found

    # -- other datasets of these rows -----------------------------------------------------------

    def batch(self, batch_size: int, drop_remainder: bool = False) -> Dataset:
        """Rows of `batch_size` rows each; the last may have fewer, unless they are dropped.

        >>> import numpy as np
        >>> import penstock.mindspore as ms
        >>> data = ms.dataset.NumpySlicesDataset(np.arange(3), shuffle=False).batch(2)
        >>> [batch.tolist() for (batch,) in data.rows()]
        [[0, 1], [2]]
        """
        size = check_count(batch_size, "batch_size of batch")
        if not size:
            raise located(ValueError, "batch_size of batch must be at least 1, got 0")
        drops = check_flag(drop_remainder, "drop_remainder of batch")
        return _Derived(self, lambda: _batched(self.rows(), size, drops))

    def repeat(self, count: int | None = None) -> Dataset:
        """The rows of `count` epochs; without end for None and -1."""
        times = -1 if count is None else check_integer(count, "count of repeat", -1)
        if not times:
            raise located(ValueError, "count of repeat must be -1 or at least 1, got 0")
        return _Derived(self, lambda: _epochs(self, times))

    def shuffle(self, buffer_size: int) -> Dataset:
        """The rows in another order in each epoch, drawn from a buffer of `buffer_size` rows."""
        size = check_integer(buffer_size, "buffer_size of shuffle", 2)
        return _Derived(self, lambda: _shuffled(self.rows(), size))

    def map(
        self, operations: Any, input_columns: Any = None, output_columns: Any = None,
        column_order: Any = None, **others: Any,
    ) -> Dataset:  # fmt: skip
        """The rows with a function, or several, applied to the arrays of `input_columns`."""
        functions = operations if isinstance(operations, list | tuple) else [operations]
        for one in functions:
            if not callable(one):
                raise located(TypeError, f"operations of map must be functions, got {kind_of(one)}")
        names = [input_columns] if isinstance(input_columns, str) else input_columns
        places = [self._place(name) for name in names or self.column_names[:1]]
        return _Derived(self, lambda: _mapped(self.rows(), functions, places))

    def take(self, count: int = -1) -> Dataset:
        """The first `count` rows; all for -1."""
        most = check_integer(count, "count of take", -1)
        return _Derived(
            self, lambda: (row for i, row in enumerate(self.rows()) if most < 0 or i < most)
        )

    def _place(self, name: str) -> int:
        if name not in self.column_names:
            near = did_you_mean(name, self.column_names)
            raise located(ValueError, f"the dataset has no column {name!r}{near}")
        return self.column_names.index(name)

    # -- what reads them ------------------------------------------------------------------------

    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False,
        do_copy: bool = True,
    ) -> Iterator[list[Any]]:  # fmt: skip
        """The rows of one epoch as lists of tensors, or of arrays with `output_numpy`."""
        return ([a if output_numpy else Tensor(a) for a in row] for row in self.rows())

    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False
    ) -> Iterator[dict[str, Any]]:
        """The rows of one epoch as dicts by column, of tensors or arrays."""
        rows = self.create_tuple_iterator(None, num_epochs, output_numpy)
        return (dict(zip(self.column_names, row, strict=True)) for row in rows)

    def __iter__(self) -> Iterator[list[Any]]:
        return self.create_tuple_iterator()

    def __len__(self) -> int:
        return self.get_dataset_size()

    def device_que(
        self, send_epoch_end: bool = True, create_data_info_queue: bool = False,
        queue_name: str | None = None,
    ) -> TransferDataset:  # fmt: skip
        """What sends the rows to the data queue of that name, for `ops.GetNext`."""
        if queue_name is None:
            queue_name = f"queue_{len(_queues)}"
        if not isinstance(queue_name, str):
            raise located(
                TypeError, f"queue_name of device_que must be a string, got {kind_of(queue_name)}"
            )
        return TransferDataset(self, queue_name)


class TransferDataset:
    """Sends the rows of a dataset to a data queue."""

    def __init__(self, dataset: Dataset, queue_name: str) -> None:
        self._dataset = dataset
        self.queue_name = queue_name

    def send(self, num_epochs: int = -1) -> None:
        """Open the queue; rows are computed when they are taken. -1 epochs never end."""
        epochs = check_integer(num_epochs, "num_epochs of send", -1)
        _queues[self.queue_name] = Queue(_epochs(self._dataset, epochs))

    def stop_send(self) -> None:
        """Close the queue."""
        _queues.pop(self.queue_name, None)

    release = stop_send


class _Derived(Dataset):
    """A dataset whose rows a function makes of those of another."""

    def __init__(self, source: Dataset, rows: Callable[[], Iterator[Row]]) -> None:
        self.column_names = source.column_names
        self._rows = rows

    def rows(self) -> Iterator[Row]:
        return self._rows()


class NumpySlicesDataset(Dataset):
    """The rows of arrays: of one, of each of a tuple, or of each of a dict by column.

    They are shuffled in each epoch unless `shuffle` is False.

    >>> import numpy as np
    >>> import penstock.mindspore as ms
    >>> data = ms.dataset.NumpySlicesDataset({"x": np.arange(2)}, shuffle=False)
    >>> [int(row["x"]) for row in data.create_dict_iterator()]
    [0, 1]
    """

    def __init__(
        self, data: Any, column_names: Any = None, num_samples: int | None = None,
        num_parallel_workers: int = 1, shuffle: bool | None = None, sampler: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(data, Mapping):
            column_names = list(data)
            arrays = [np.asarray(one) for one in data.values()]
        else:
            arrays = [np.asarray(one) for one in (data if isinstance(data, tuple) else (data,))]
        counts = {len(one) if one.ndim else 0 for one in arrays}
        if len(counts) != 1 or any(not one.ndim for one in arrays):
            shapes = [one.shape for one in arrays]
            raise located(
                ValueError,
                f"NumpySlicesDataset takes arrays with equally many rows, got shapes {shapes}",
            )
        self._arrays = arrays
        self.column_names = _names(column_names, len(arrays))
        self._count = counts.pop() if num_samples is None else min(num_samples, counts.pop())
        self._shuffles = shuffle is not False

    def rows(self) -> Iterator[Row]:
        order = _order(self._count) if self._shuffles else range(self._count)
        return (tuple(np.asarray(one[i]) for one in self._arrays) for i in order)


class GeneratorDataset(Dataset):
    """The rows of a generator function, an iterable, or an object with `__getitem__` and `__len__`.

    Those of the last are shuffled in each epoch unless `shuffle` is False.
    """

    def __init__(
        self, source: Any, column_names: Any = None, column_types: Any = None,
        num_samples: int | None = None, num_parallel_workers: int = 1,
        shuffle: bool | None = None, sampler: Any = None, **others: Any,
    ) -> None:  # fmt: skip
        is_indexed = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not (callable(source) or is_indexed or hasattr(source, "__iter__")):
            raise located(
                TypeError,
                "source of GeneratorDataset must be a generator function, an iterable or have "
                f"__getitem__ and __len__, got {kind_of(source)}",
            )
        self._source, self._is_indexed = source, is_indexed
        self._most = num_samples
        self._shuffles = is_indexed and shuffle is not False
        self.column_names = _names(column_names, None)

    def rows(self) -> Iterator[Row]:
        count = len(self.column_names)
        for i, row in enumerate(self._given()):
            if self._most is not None and i >= self._most:
                return
            arrays = tuple(
                np.asarray(one) for one in (row if isinstance(row, tuple | list) else (row,))
            )
            if len(arrays) != count:
                raise located(
                    ValueError,
                    f"a row of the source of GeneratorDataset has {len(arrays)} arrays, and there "
                    f"are {count} column_names",
                )
            yield arrays

    def _given(self) -> Iterable[Any]:
        source = self._source
        if not self._is_indexed:
            rows: Iterable[Any] = source() if callable(source) else source
            return rows
        order = _order(len(source)) if self._shuffles else range(len(source))
        return (source[int(i)] for i in order)


def _names(names: Any, count: int | None) -> list[str]:
    found = [names] if isinstance(names, str) else names
    if found is None:
        return [f"column_{i}" for i in range(count or 1)]
    if count is not None and len(found) != count:
        raise located(
            ValueError, f"column_names must be {count}, one for each array, got {len(found)}"
        )
    return list(found)


def _order(count: int) -> Array:
    """A random order of that many rows, from the generator that `set_seed` starts over."""
    drawn: Array = random_numbers.FUNCTIONS["randperm"](count).numpy()
    return drawn


def _batched(rows: Iterator[Row], size: int, drops: bool) -> Iterator[Row]:
    held: list[Row] = []
    for row in rows:
        held.append(row)
        if len(held) == size:
            yield _stacked(held)
            held = []
    if held and not drops:
        yield _stacked(held)


def _stacked(rows: Sequence[Row]) -> Row:
    for column in zip(*rows, strict=True):
        shapes = {one.shape for one in column}
        if len(shapes) > 1:
            raise located(
                RuntimeError,
                f"batch needs rows of one shape, got {', '.join(map(str, sorted(shapes)))}",
            )
    return tuple(np.stack(column) for column in zip(*rows, strict=True))


def _epochs(dataset: Dataset, count: int) -> Iterator[Row]:
    epoch = 0
    while epoch != count:
        is_empty = True
        for row in dataset.rows():
            is_empty = False
            yield row
        if is_empty:
            return
        epoch += 1


def _shuffled(rows: Iterator[Row], size: int) -> Iterator[Row]:
    whole = True
    while whole:
        held = [row for _, row in zip(range(size), rows, strict=False)]
        whole = len(held) == size
        for i in _order(len(held)) if held else ():
            yield held[int(i)]


def _mapped(
    rows: Iterator[Row], functions: Sequence[Callable[..., Any]], places: Sequence[int]
) -> Iterator[Row]:
    for row in rows:
        values = tuple(row[i] for i in places)
        for function in functions:
            made = function(*values)
            values = made if isinstance(made, tuple) else (made,)
        whole = list(row)
        for i, value in zip(places, values, strict=True):
            whole[i] = np.asarray(value)
        yield tuple(whole)
