"""`ops.GetNext`: the next batch of a data queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import check_count
from penstock.basics.errors import counted, kind_of, located
from penstock.mindspore import dtype as dtypes
from penstock.mindspore.dataset import open_queue
from penstock.mindspore.tensor import Tensor
from penstock.trace.tracing import active_trace


class GetNext:
    """Takes the next batch from the data queue `shared_name`, which a dataset fills.

    `types` and `shapes` state what a batch has, `output_num` how many tensors. A call returns a
    tuple of these, or the tensor alone if it is one. `dataset.device_que(queue_name=...).send()`
    opens the queue.

    Raises a located RuntimeError if the queue is not open, has no more batches, or has others than
    stated.

    >>> import numpy as np
    >>> import penstock.mindspore as ms
    >>> data = ms.dataset.NumpySlicesDataset(np.ones([2, 1], np.float32), shuffle=False).batch(1)
    >>> data.device_que(queue_name="doc").send()
    >>> print(ms.ops.GetNext([ms.float32], [(1, 1)], 1, "doc")())
    [[1.]]
    """

    def __init__(
        self, types: Sequence[Any], shapes: Sequence[Any], output_num: int, shared_name: str
    ) -> None:
        for word, value in (("types", types), ("shapes", shapes)):
            if not isinstance(value, list | tuple):
                raise located(
                    TypeError, f"{word} of GetNext must be a list or tuple, got {kind_of(value)}"
                )
        count = check_count(output_num, "output_num of GetNext")
        if len(types) != count or len(shapes) != count:
            raise located(
                ValueError,
                f"GetNext needs one of types and shapes for each of {counted(count, 'output')}, "
                f"got {len(types)} and {len(shapes)}",
            )
        if not isinstance(shared_name, str):
            raise located(
                TypeError, f"shared_name of GetNext must be a string, got {kind_of(shared_name)}"
            )
        self.types = [dtypes.to_flow(one, "each of types of GetNext") for one in types]
        self.shapes = [tuple(one) for one in shapes]
        self.shared_name = shared_name

    def __call__(self) -> Any:
        name = self.shared_name
        if active_trace() is not None:
            raise located(
                RuntimeError,
                f"GetNext of queue {name!r} is called while a function is compiled, so every call "
                "would get the same batch; call it in PyNative mode, and pass the batch on",
            )
        queue = open_queue(name)
        if queue is None:
            raise located(
                RuntimeError,
                f"GetNext finds no open queue {name!r}; open it with "
                f'dataset.device_que(queue_name="{name}").send()',
            )
        batch = queue.next()
        if batch is None:
            raise located(
                RuntimeError,
                f"GetNext finds no more batches in queue {name!r}, which had "
                f"{counted(queue.taken, 'batch').replace('batchs', 'batches')}; send the dataset "
                "again, or for more epochs",
            )
        found = [(array.shape, array.dtype) for array in batch]
        wanted = [(s, t.numpy) for s, t in zip(self.shapes, self.types, strict=True)]
        if found != wanted:
            raise located(
                RuntimeError,
                f"GetNext of queue {name!r} expects {_shown(wanted)}, got {_shown(found)}; state "
                "the types and shapes of the dataset",
            )
        tensors = tuple(Tensor(array) for array in batch)
        return tensors[0] if len(tensors) == 1 else tensors


def _shown(forms: Sequence[tuple[Any, Any]]) -> str:
    return ", ".join(f"{dtype} of shape {shape}" for shape, dtype in forms)
