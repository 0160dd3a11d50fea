"""Reshaping, permuting, slicing and joining tensors; functions that copy nothing return views."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any, cast

import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.basics.notices import tell_once
from penstock.functions import movement, ops
from penstock.sbp import Signature
from penstock.tensor_functions.calls import (
    dim_of,
    dims_of,
    given,
    ints_of,
    op,
    part,
    permuted,
    remembered,
    reshaped,
)
from penstock.tensors.device import Layout, layout_of
from penstock.tensors.execute import adopt
from penstock.tensors.inplace import reread
from penstock.tensors.modes import is_grad_enabled
from penstock.tensors.tensor import Tensor, check_tensor, wrap
from penstock.trace.tracing import active_trace


@remembered
def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The same elements in row-major order in another shape, of which one extent may be -1."""
    x = given(input, "flow.reshape")
    wanted = ints_of(shape, "flow.reshape")
    count = prod(x.shape)
    if wanted.count(-1) == 1:
        others = prod(n for n in wanted if n != -1)
        if others and count % others == 0:
            wanted[wanted.index(-1)] = count // others
    if prod(wanted) != count or any(n < 0 for n in wanted):
        raise located(
            RuntimeError, f"flow.reshape cannot reshape {count} elements to {tuple(wanted)}"
        )
    return reshaped(x, wanted)


@remembered
def view(input: Tensor, *shape: Any) -> Tensor:
    """As `reshape`, but raises a located error if elements would have to be copied."""
    made = reshape(input, *shape)
    # In a traced function, a blob stands for what is made of a captured tensor.
    is_tensor = isinstance(input, Tensor) and isinstance(made, Tensor) and made.array.size
    if is_tensor and not np.may_share_memory(made.array, input.array):
        raise located(
            RuntimeError,
            f"view cannot reshape shape {tuple(input.shape)} with strides {input.stride()} to "
            f"{tuple(made.shape)} without a copy; use x.reshape(...)",
        )
    return made


@remembered
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions swapped."""
    x = given(input, "flow.transpose")
    order = list(range(len(x.shape)))
    first, second = (dim_of(d, len(order), "flow.transpose") for d in (dim0, dim1))
    if not order:
        return x
    order[first], order[second] = order[second], order[first]
    return permuted(x, order)


@remembered
def permute(input: Tensor, *dims: Any) -> Tensor:
    """The dimensions in another order: dimension i is dimension dims[i] of the input."""
    x = given(input, "flow.permute")
    rank = len(x.shape)
    order = [dim_of(d, rank, "flow.permute") for d in ints_of(dims, "flow.permute")]
    if sorted(order) != list(range(rank)):
        raise located(
            RuntimeError, f"flow.permute takes each of the {rank} dimensions once, got {order}"
        )
    return permuted(x, order)


@remembered
def t(input: Tensor) -> Tensor:
    """A matrix transposed; a tensor of rank 0 or 1 unchanged."""
    x = given(input, "flow.t")
    if len(x.shape) > 2:
        raise located(RuntimeError, f"flow.t takes a matrix, got shape {tuple(x.shape)}")
    return permuted(x, [1, 0]) if len(x.shape) == 2 else x


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Some dimensions moved; the others keep their order."""
    x = given(input, "flow.movedim")
    rank = len(x.shape)
    ends = [
        [dim_of(d, rank, "flow.movedim") for d in (given_ if isinstance(given_, list | tuple)
                                                   else [given_])]
        for given_ in (source, destination)
    ]  # fmt: skip
    if len(ends[0]) != len(ends[1]):
        raise located(RuntimeError, "flow.movedim takes one destination for each source")
    others = iter(d for d in range(rank) if d not in ends[0])
    places = dict(zip(ends[1], ends[0], strict=True))
    return permuted(x, [places[d] if d in places else next(others) for d in range(rank)])


@remembered
def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """The tensor without its dimensions of extent 1: all, or only those in `dim`."""
    x = given(input, "flow.squeeze")
    dims = dims_of(dim, len(x.shape), "flow.squeeze")
    return reshaped(x, [n for d, n in enumerate(x.shape) if n != 1 or d not in dims])


@remembered
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """The tensor with a new dimension of extent 1 at `dim`."""
    x = given(input, "flow.unsqueeze")
    at = dim_of(dim, len(x.shape) + 1, "flow.unsqueeze")
    return reshaped(x, [*x.shape[:at], 1, *x.shape[at:]])


@remembered
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The dimensions from `start_dim` to `end_dim` merged into one; x itself if it is one only."""
    x = given(input, "flow.flatten")
    rank = len(x.shape)
    first, last = (dim_of(d, rank, "flow.flatten") for d in (start_dim, end_dim))
    if first > last:
        raise located(RuntimeError, "flow.flatten takes start_dim at or before end_dim")
    if rank and first == last:
        return x
    return reshaped(x, [*x.shape[:first], prod(x.shape[first : last + 1]), *x.shape[last + 1 :]])


@remembered
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """One dimension split into several."""
    x = given(input, "flow.unflatten")
    at = dim_of(dim, len(x.shape), "flow.unflatten")
    return reshape(x, [*x.shape[:at], *sizes, *x.shape[at + 1 :]])


def expand(input: Tensor, *sizes: Any) -> Tensor:
    """x broadcast along dimensions of extent 1 and new leading ones; -1 keeps an extent."""
    x = given(input, "flow.expand")
    return cast(Tensor, movement.expand(cast(Any, x), ints_of(sizes, "flow.expand")))


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """x broadcast to the shape of another tensor."""
    return expand(input, *given(other, "flow.expand_as").shape)


broadcast_to = expand


def repeat(input: Tensor, *sizes: Any) -> Tensor:
    """The whole tensor repeated `sizes` times along each dimension; new dimensions lead."""
    x = given(input, "flow.repeat")
    times = ints_of(sizes, "flow.repeat")
    if len(times) < len(x.shape):
        raise located(
            RuntimeError,
            f"repeat of shape {tuple(x.shape)} takes a number for each dimension, got {times}",
        )
    return tile(x, times)


def tile(input: Tensor, *dims: Any) -> Tensor:
    """The whole tensor repeated `dims` times; `dims` aligns with the last dimensions."""
    x = given(input, "flow.tile")
    return cast(Tensor, movement.tile(cast(Any, x), ints_of(dims, "flow.tile")))


def _list(tensors: Any, what: str) -> list[Tensor]:
    if not isinstance(tensors, list | tuple) or not tensors:
        raise located(TypeError, f"{what} takes a list of tensors, got {kind_of(tensors)}")
    found = [given(one, what) for one in tensors]
    if all(isinstance(one, Tensor) for one in found):
        from penstock.tensors.execute import cast_to
        from penstock.tensors.promotion import common_type

        dtype = found[0].dtype
        for one in found[1:]:
            if one.dtype is not dtype:
                dtype = common_type(wrap(np.empty(1, dtype.numpy)), one)
        return [cast_to(one, dtype.numpy) for one in found]
    return found


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors concatenated along a dimension; all other extents must be equal."""
    found = _list(tensors, "flow.cat")
    # As in PyTorch, a tensor of shape (0,) can be concatenated with any other.
    found = [one for one in found if tuple(one.shape) != (0,)] or found[:1]
    if not found[0].shape:
        raise located(RuntimeError, "flow.cat takes tensors of at least one dimension")
    axis = dim_of(dim, len(found[0].shape), "flow.cat")
    if len(found) == 1:
        return op("flow.identity", found[0])
    return cast(Tensor, ops.concat(cast(Any, found), axis))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors of one shape stacked along a new dimension."""
    found = _list(tensors, "flow.stack")
    at = dim_of(dim, len(found[0].shape) + 1, "flow.stack")
    for one in found[1:]:
        if one.shape != found[0].shape:
            raise located(
                RuntimeError,
                f"flow.stack takes tensors of one shape, got {tuple(found[0].shape)} and "
                f"{tuple(one.shape)}",
            )
    return cat([unsqueeze(one, at) for one in found], at)


def _pieces(x: Tensor, dim: int, sizes: Sequence[int]) -> tuple[Tensor, ...]:
    starts = np.cumsum([0, *sizes]).tolist()
    return tuple(part(x, dim, start, size) for start, size in zip(starts, sizes, strict=False))


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Split a dimension into parts of one size, of which the last may be smaller, or of a list of
    sizes."""
    x = given(tensor, "flow.split")
    at = dim_of(dim, len(x.shape), "flow.split")
    extent = x.shape[at]
    if isinstance(split_size_or_sections, list | tuple):
        sizes = ints_of(split_size_or_sections, "flow.split")
        if sum(sizes) != extent or any(n < 0 for n in sizes):
            raise located(
                RuntimeError,
                f"the sizes of flow.split must add up to {extent}, the extent of dimension {at}, "
                f"got {sizes}",
            )
        return _pieces(x, at, sizes)
    (size,) = ints_of([split_size_or_sections], "flow.split")
    if size <= 0:
        raise located(RuntimeError, f"the size of flow.split must be above 0, got {size}")
    sizes = [min(size, extent - start) for start in range(0, extent, size)] or [0]
    return _pieces(x, at, sizes)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Split a dimension into at most `chunks` parts of one size; the last may be smaller."""
    x = given(input, "flow.chunk")
    at = dim_of(dim, len(x.shape), "flow.chunk")
    if chunks <= 0:
        raise located(RuntimeError, f"chunks of flow.chunk must be above 0, got {chunks}")
    return split(x, max(-(-x.shape[at] // chunks), 1), at)


def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Split a dimension into nearly equal parts, as many as given, or at the given indices."""
    x = given(input, "flow.tensor_split")
    at = dim_of(dim, len(x.shape), "flow.tensor_split")
    extent = x.shape[at]
    if isinstance(indices_or_sections, int):
        count, more = divmod(extent, indices_or_sections)
        return _pieces(x, at, [count + (i < more) for i in range(indices_or_sections)])
    ends = [min(n + extent if n < 0 else n, extent) for n in ints_of(indices_or_sections, "")]
    bounds = [0, *ends, extent]
    return tuple(part(x, at, a, max(b - a, 0)) for a, b in pairwise(bounds))


def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """As `tensor_split` along dimension 1, or dimension 0 of a tensor of rank 1."""
    x = given(input, "flow.hsplit")
    return tensor_split(x, indices_or_sections, 0 if len(x.shape) == 1 else 1)


def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """As `tensor_split` along dimension 0."""
    return tensor_split(input, indices_or_sections, 0)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices at each index of a dimension, which is removed."""
    x = given(input, "flow.unbind")
    at = dim_of(dim, len(x.shape), "flow.unbind")
    return tuple(select(x, at, i) for i in range(x.shape[at]))


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """The slice at one index of a dimension, which is removed."""
    x = given(input, "flow.select")
    at = dim_of(dim, len(x.shape), "flow.select")
    extent = x.shape[at]
    (place,) = ints_of([index], "flow.select")
    if not -extent <= place < extent:
        raise located(
            IndexError, f"index {place} is outside of dimension {at}, of {extent} elements"
        )
    found = part(x, at, place % extent, 1)
    return reshaped(found, [n for d, n in enumerate(x.shape) if d != at])


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """`length` elements along a dimension, beginning at `start`."""
    x = given(input, "flow.narrow")
    at = dim_of(dim, len(x.shape), "flow.narrow")
    first = start + x.shape[at] if start < 0 else start
    if length < 0 or first < 0 or first + length > x.shape[at]:
        raise located(
            RuntimeError,
            f"flow.narrow takes a part of dimension {at}, of {x.shape[at]} elements, got {length} "
            f"from {start} on",
        )
    return part(x, at, first, length)


def slice_(input: Tensor, slice_tup_list: Sequence[Any]) -> Tensor:
    """The slice given by a (start, stop, step) for each of the first dimensions."""
    x = given(input, "flow.slice")
    spans = [tuple(span) for span in slice_tup_list]
    return cast(Tensor, ops.slice_v2(cast(Any, x), cast(Any, spans)))


def flip(input: Tensor, dims: Any) -> Tensor:
    """The elements reversed along some dimensions."""
    x = given(input, "flow.flip")
    axes = [dim_of(d, len(x.shape), "flow.flip") for d in ints_of([dims], "flow.flip")]
    return cast(Tensor, movement.flip(cast(Any, x), axes)) if x.shape else x


def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """The elements shifted along dimensions; those beyond the end wrap to the beginning."""
    return cast(Tensor, movement.roll(cast(Any, given(input, "flow.roll")), shifts, dims))


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """The coordinates of a grid: each tensor of rank 1 spans its own dimension.

    With `indexing="xy"`, the first spans dimension 1 and the second dimension 0.
    """
    found = _list(tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple)
                  else tensors, "flow.meshgrid")  # fmt: skip
    if indexing not in ("ij", "xy"):
        raise located(ValueError, f'indexing of flow.meshgrid is "ij" or "xy", got {indexing!r}')
    swap = indexing == "xy" and len(found) > 1
    if swap:
        found[0], found[1] = found[1], found[0]
    shape = [prod(one.shape) for one in found]
    made = []
    for d, one in enumerate(found):
        flat = [1] * len(shape)
        flat[d] = shape[d]
        made.append(expand(reshaped(one, flat), *shape))
    if swap:
        made[0], made[1] = made[1], made[0]
    return tuple(made)


def _at_least(rank: int) -> Any:
    def function(*tensors: Any) -> Any:
        many = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors
        made = []
        for one in many:
            x = given(one, f"flow.atleast_{rank}d")
            shape = list(x.shape)
            if len(shape) >= rank:
                made.append(x)
                continue
            shape = {1: [1], 2: [1, *shape[-1:]] if shape else [1, 1]}.get(rank) or (
                [1, 1, 1] if not shape else [1, shape[0], 1] if len(shape) == 1 else [*shape, 1]
            )
            made.append(reshaped(x, shape))
        return (
            made[0]
            if len(tensors) == 1 and not isinstance(tensors[0], list | tuple)
            else tuple(made)
        )

    function.__name__ = function.__qualname__ = f"atleast_{rank}d"
    function.__doc__ = (
        f"Each tensor with at least {rank} dimensions; itself, if it has them. One argument "
        "returns one tensor."
    )
    return function


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors concatenated along dimension 1, or dimension 0 if they have rank 1."""
    found = [_at_least(1)(one) for one in _list(tensors, "flow.hstack")]
    return cat(found, 0 if len(found[0].shape) == 1 else 1)


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors concatenated along dimension 0; those of rank 1 as rows."""
    return cat([_at_least(2)(one) for one in _list(tensors, "flow.vstack")], 0)


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors concatenated along dimension 2."""
    return cat([_at_least(3)(one) for one in _list(tensors, "flow.dstack")], 2)


def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors concatenated along dimension 1; those of rank 1 as columns."""
    found = _list(tensors, "flow.column_stack")
    return cat([one if len(one.shape) > 1 else reshape(one, -1, 1) for one in found], 1)


def as_strided(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int = 0
) -> Tensor:
    """A view of the tensor's memory: element i is at storage_offset + the sum of i * stride.

    Raises a located RuntimeError if it would reach outside of the memory.
    """
    x = check_tensor(input, "flow.as_strided")
    sizes, strides = ints_of([list(size)], "size"), ints_of([list(stride)], "stride")
    root = x.root.array
    reach = [storage_offset, storage_offset]
    for n, step in zip(sizes, strides, strict=True):
        reach[step > 0] += max(n - 1, 0) * step
    if prod(sizes) and (not root.flags.c_contiguous or reach[0] < 0 or reach[1] >= root.size):
        raise located(
            RuntimeError,
            f"flow.as_strided of size {tuple(sizes)}, stride {tuple(strides)} and offset "
            f"{storage_offset} reaches outside of the {root.size} elements there are",
        )
    flat = root.reshape(-1)[storage_offset:] if root.size else root.reshape(-1)
    width = root.itemsize
    made = np.lib.stride_tricks.as_strided(flat, sizes, [step * width for step in strides])
    view = adopt(made, x)
    if is_grad_enabled() and x.root.requires_grad:
        reread(view, x.root)
    return view


def clone(input: Tensor) -> Tensor:
    """A copy; gradients flow through it to the input."""
    return op("flow.identity", given(input, "flow.clone"))


def _shared(x: Tensor) -> Tensor:
    """A view of all elements, through which gradients flow."""
    return op("flow.reshape", x, shape=list(x.shape))


def to_global(
    self: Tensor, placement: Any = None, sbp: Any = None, *, grad_sbp: Any = None,
    check_meta: bool = True, copy: bool = False,
) -> Tensor:  # fmt: skip
    """The tensor with a placement and a signature; either is kept if it had one.

    It shares its elements with this one, unless `copy` is True. Gradients flow through it. In an
    `nn.Graph`, `grad_sbp` is the signature of the gradient of this tensor; outside, each process
    has whole gradients, which a notice says on several ranks.

    >>> import penstock as flow
    >>> x = flow.ones(2, 3).to_global(flow.placement.all("cpu"), flow.sbp.split(0))
    >>> x.is_global, x.sbp
    (True, (penstock.sbp.split(dim=0),))
    """
    if active_trace() is not None:
        # It becomes a blob of the graph, or of the job, which is being traced.
        blob: Any = _shared(_as_local(self))
        found: Tensor = blob.to_global(placement, sbp, grad_sbp=grad_sbp)
        return found
    if self.layout is not None:
        placement = self.layout.placement if placement is None else placement
        sbp = self.layout.sbp if sbp is None else sbp
    layout = layout_of(placement, sbp, self.array.ndim, "to_global")
    if grad_sbp:
        wanted = layout_of(placement, grad_sbp, self.array.ndim, "grad_sbp of to_global")
        if wanted is not None and wanted.placement.ranks.size > 1:
            tell_once(
                "grad_sbp",
                "grad_sbp of to_global has no effect outside of an nn.Graph: each process has "
                "whole gradients",
            )
    if layout is None:
        raise located(ValueError, "to_global of a local tensor takes a placement and an sbp")
    whole = self
    if self.layout is None and layout.placement.ranks.size > 1:
        whole = _joined_parts(self, layout)
    made = clone(whole) if copy else _shared(_as_local(whole))
    made.layout = layout
    return made


def _as_local(x: Tensor) -> Tensor:
    """The same elements, of no placement, with the same gradient."""
    if x.layout is None:
        return x
    layout, x.layout = x.layout, None
    try:
        return _shared(x)
    finally:
        x.layout = layout


def _joined_parts(x: Tensor, layout: Layout) -> Tensor:
    """The whole of which ranks have such parts; gradients flow to this rank's own."""
    from penstock.tensors.shared import of_ranks, own_index

    parts = [wrap(array) for array in of_ranks(x.array, layout)]
    own = own_index(layout)
    if own is not None:
        parts[own] = x
    for one in parts:
        if len(one.shape) != len(x.shape) or one.dtype != x.dtype:
            raise located(
                ValueError,
                f"to_global takes tensors of one type and number of dimensions from all ranks, got "
                f"{x.dtype} of shape {tuple(x.shape)} and {one.dtype} of shape {tuple(one.shape)}",
            )
    for count, signature in zip(reversed(layout.placement.hierarchy), reversed(layout.sbp),
                                strict=True):  # fmt: skip
        groups = [parts[i : i + count] for i in range(0, len(parts), count)]
        parts = [_joined(group, signature) for group in groups]
    return parts[0]


def _joined(parts: list[Tensor], signature: Signature) -> Tensor:
    if signature.axis is not None:
        return cat(parts, signature.axis)
    if signature.kind == "broadcast":
        return parts[0]
    total = parts[0]
    for one in parts[1:]:
        total = op("flow.add", total, one)
    return total


def to_local(self: Tensor, *, copy: bool = False) -> Tensor:
    """This rank's part of a global tensor: on one rank, all of its elements, which it shares."""
    layout = self.layout
    local = _as_local(self)
    if layout is not None and layout.placement.ranks.size > 1:
        from penstock.tensors.shared import is_summand, own_part

        for dim, (start, size) in enumerate(own_part(layout, self.array.shape)):
            if size < self.array.shape[dim]:
                local = narrow(local, dim, start, size)
        if not is_summand(layout):
            local = op("flow.multiply", local, wrap(np.zeros((), local.array.dtype)))
    return clone(local) if copy else _shared(local)


FUNCTIONS: dict[str, Any] = {
    **{
        function.__name__: function
        for function in (
            reshape, transpose, permute, t, movedim, squeeze, unsqueeze, flatten, expand, tile,
            cat, stack, split, chunk, tensor_split, hsplit, vsplit, unbind,
            select, narrow, flip, roll, meshgrid, as_strided, clone, unflatten, hstack, vstack,
            dstack, column_stack,
        )
    },
    "view": view, "slice": slice_, "repeat": repeat, "expand_as": expand_as, "broadcast_to": expand,
    "concat": cat, "row_stack": vstack,
    "swapaxes": transpose, "swapdims": transpose,
    **{f"atleast_{rank}d": _at_least(rank) for rank in (1, 2, 3)},
}  # fmt: skip
"""Every function of this module by its public name."""
