"""Global tensors: tensors with a placement and a signature, of which one rank holds everything."""

from __future__ import annotations

from typing import Any

from penstock.basics.errors import located
from penstock.tensor_functions.calls import op
from penstock.tensor_functions.shapes import clone
from penstock.tensors.device import layout_of
from penstock.tensors.tensor import Tensor


def _shared(x: Tensor) -> Tensor:
    """A view of all elements, through which gradients flow."""
    return op("flow.reshape", x, shape=list(x.shape))


def to_global(
    self: Tensor, placement: Any = None, sbp: Any = None, *, grad_sbp: Any = None,
    check_meta: bool = True, copy: bool = False,
) -> Tensor:  # fmt: skip
    """The tensor with a placement and a signature; either is kept if it had one.

    It shares its elements with this one, unless `copy` is True. Gradients flow through it;
    `grad_sbp` is checked, and changes nothing on one rank.

    >>> import penstock as flow
    >>> x = flow.ones(2, 3).to_global(flow.placement.all("cpu"), flow.sbp.split(0))
    >>> x.is_global, x.sbp
    (True, (penstock.sbp.split(dim=0),))
    """
    if self.layout is not None:
        placement = self.layout.placement if placement is None else placement
        sbp = self.layout.sbp if sbp is None else sbp
    layout = layout_of(placement, sbp, self.array.ndim, "to_global")
    if grad_sbp:
        layout_of(placement, grad_sbp, self.array.ndim, "grad_sbp of to_global")
    if layout is None:
        raise located(ValueError, "to_global of a local tensor takes a placement and an sbp")
    made = clone(self) if copy else _shared(self)
    made.layout = layout
    return made


def to_local(self: Tensor, *, copy: bool = False) -> Tensor:
    """This rank's part of a global tensor: on one rank, all of its elements, which it shares."""
    return clone(self) if copy else _shared(self)


METHODS = {"to_global": to_global, "to_local": to_local}
