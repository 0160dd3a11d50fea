"""The other face of the functions of `flow`: given values that have numbers, ops run now.

The functions make ops by `apply` and `binary` of `penstock.trace.blob`. These ask the values
themselves, so no function needs to know whether it is given blobs or tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Eager:
    """A value with numbers; `penstock.tensors.tensor.Tensor` is the one class of these.

    Where functions ask for more of a blob than its shape and element type, it answers as a blob
    that has one value in a call and whose shape is known.
    """

    __slots__ = ()

    micro_batches: tuple[Any, ...] = ()
    extent: Any = None
    is_dynamic = False
    is_tensor_list = False

    def run_op(
        self, op: str, operands: Sequence[Any], what: str, attributes: dict[str, Any]
    ) -> list[Any]:
        """The results of the op of that name, run now; each operand is a value or a list of them.

        `what` is the public name, for errors.
        """
        raise NotImplementedError

    def numpy(self) -> Any:
        """Its numbers as an array."""
        raise NotImplementedError

    def run_binary(self, op: str, x: object, y: object, what: str) -> Any:
        """An elementwise op of two values, one of which may be a number, promoted to one type."""
        raise NotImplementedError


def eager_among(operands: Sequence[Any]) -> Eager | None:
    """The first of these operands, or of their members, that has numbers."""
    for operand in operands:
        for member in operand if isinstance(operand, list | tuple) else (operand,):
            if isinstance(member, Eager):
                return member
    return None
