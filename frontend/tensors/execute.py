"""Eager execution: find the kernel of an op by its key, call it, and record it for gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.opdef import registry
from penstock.tensors import native
from penstock.tensors.graph import OpNode
from penstock.tensors.kernels import OneOp, one_op
from penstock.tensors.modes import mode
from penstock.tensors.promotion import common_type, default_float, is_plain, scalar
from penstock.tensors.tensor import Tensor, actions, wrap
from penstock.trace.blob import Blob

Operand = Tensor | Sequence[Tensor]


def run(name: str, operands: Sequence[Operand], attributes: dict[str, Any]) -> list[Tensor]:
    """Run the op of that name on these operands, and record it if an operand requires gradients."""
    members: list[Tensor] = []
    arrays: list[Any] = []
    for operand in operands:
        if isinstance(operand, Tensor):
            members.append(operand)
            arrays.append(operand.array)
        else:
            members += operand
            arrays.append([member.array for member in operand])
    return run_one(one_op(name, arrays, attributes), members, arrays)


def run_one(op: OneOp, members: Sequence[Tensor], arrays: Sequence[Any]) -> list[Tensor]:
    """As `run`, of an op specialised to these operands, whose arrays may be nested."""
    if op.call is not None:
        made = op.call(*members)
        if made is not NotImplemented:
            return [made]
    if op.is_view:
        results = [_view(op, members[0])]
        native.link_view(op, arrays[0], results[0].array)
    elif op.only_moves:
        results = [wrap(array) for array in op.moved(arrays)]
    else:
        flat = arrays if len(arrays) == len(members) else [member.array for member in members]
        return run_kernel(op, members, flat)
    if mode.records:
        record(op, members, results)
    if mode.shares:
        _share(op, members, results)
    if mode.observer is not None:
        mode.observer.op(op, members, results)
    return results


def run_kernel(op: OneOp, operands: Sequence[Tensor], arrays: Sequence[Any]) -> list[Tensor]:
    """Run the kernel of an op on its operands' arrays, and record it."""
    results = [wrap(array) for array in op.kernel(*arrays)]
    if op.call is None:
        native.link(op, _record_one)
        mode.tell()
    if mode.records:
        record(op, operands, results)
    if mode.shares:
        _share(op, operands, results)
    if mode.observer is not None:
        mode.observer.op(op, operands, results)
    return results


def _share(op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
    # Few programs have tensors on several ranks.
    from penstock.tensors.shared import share_results

    share_results(op, operands, results)


def record(op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
    """Let gradients of the results flow to those operands that require them."""
    if mode.traced is not None:
        mode.traced(op, operands, results)
        return
    is_wanted = False
    for operand in operands:
        if operand.base is not None:
            refresh(operand)
        if operand._requires_grad or operand.node is not None:
            is_wanted = True
    if not is_wanted or not op.can_require_grad:
        return
    wanted = tuple([o._requires_grad or o.node is not None for o in operands])
    node = OpNode(op.recipe(wanted), operands, results)
    for index, result in enumerate(results):
        if op.may_require_grad[index]:
            result.node, result.index = node, index


def _record_one(op: OneOp, operands: Sequence[Tensor], result: Tensor) -> None:
    record(op, operands, (result,))


def _view(op: OneOp, operand: Tensor) -> Tensor:
    source = operand.array
    (array,) = op.moved([source])
    if not array.flags.writeable and source.flags.writeable:
        # NumPy makes broadcast arrays read-only, but a slice may hold each element only once.
        array = np.lib.stride_tricks.as_strided(source, array.shape, array.strides)
    # Some reshapes of a view must copy elements.
    if array.size == 0 or np.may_share_memory(array, operand.array):
        return adopt(array, operand)
    return wrap(array)


def adopt(array: np.ndarray[Any, Any], operand: Tensor) -> Tensor:
    """An array that shares its elements with a tensor, as a view of it."""
    made = wrap(array)
    if mode.records:
        made.base = root = operand.root
        made.seen = 0 if root.changes is None else root.changes.count
    else:  # no gradient reaches it through the base
        made.changes = operand.all_changes
        root = operand.root
        made.unseen_base = root if root.unseen_base is None else root.unseen_base
    return made


def refresh(view: Tensor) -> None:
    """After in-place changes of the base, let the view's gradient flow through the new base."""
    base = view.base
    if base is None or base.node is None or view.seen == base.all_changes.count:
        return
    actions.reread(view, base)


def run_checked(
    name: str, operands: Sequence[Any], what: str, attributes: dict[str, Any]
) -> list[Tensor]:
    """As `run`, but raises a located TypeError unless all operands are tensors.

    Elementwise functions of floats also take integers, converted to floats.
    """
    kind = cast(type[TensorOp], registry[name])
    found: list[Operand] = [
        [_checked(member, what, kind) for member in given]
        if isinstance(given, list | tuple)
        else _checked(given, what, kind)
        for given in operands
    ]
    results = run(name, found, attributes)
    plain = [one for one, given in zip(found, operands, strict=True) if one is given]
    arrays = [one.array for one in plain if isinstance(one, Tensor)]
    if len(arrays) == len(operands):
        native.keep(one_op(name, arrays, attributes), plain)
    return [truth(result) for result in results] if kind.is_truth else results


def _checked(value: object, what: str, kind: type[TensorOp]) -> Tensor:
    if isinstance(value, Tensor):
        if kind.makes_floats and not value.dtype.is_float:
            return cast_to(value, default_float().numpy)
        return value
    if isinstance(value, Blob):
        raise located(
            TypeError,
            f"{what} was given blob {value.name} of a job and a tensor; give the job the tensor's "
            "array when you call it",
        )
    raise located(TypeError, f"{what} takes tensors, got {kind_of(value)}; use flow.tensor(x)")


def truth(tensor: Tensor) -> Tensor:
    """A 0/1 result viewed as bools."""
    return wrap(tensor.array.view(np.bool_)) if tensor.array.dtype == np.int8 else tensor


def cast_to(tensor: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """The tensor itself if it has that type, else a converted copy."""
    if tensor.array.dtype == dtype:
        return tensor
    from penstock.ir.attributes import element_type

    return run("flow.cast", [tensor], {"element": element_type(dtype)})[0]


def binary(name: str, x: object, y: object, what: str) -> Tensor:
    """Run an elementwise op on two tensors, or a tensor and a number, promoted to one type."""
    kind = cast(type[TensorOp], registry[name])
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        left, right = x, y
        alike = left.array.dtype is right.array.dtype and not left.dtype.is_bool
        if not alike or kind.makes_floats:
            left, right = _promoted(left, right, kind)
    else:
        x, y = _operand(x, y, what), _operand(y, x, what)
        left, right = _promoted(x, y, kind)
    result = run(name, [left, right], {})[0]
    given = [x if isinstance(x, Tensor) else left, y if isinstance(y, Tensor) else right]
    if given[0] is left and given[1] is right:
        native.keep(one_op(name, [left.array, right.array], {}), [x, y])
    if kind.is_truth:
        return truth(result)
    # The sum of bools is true if one of them is.
    as_bool = result.array.dtype == np.uint8 and common_type(x, y).is_bool
    return cast_to(result, np.dtype(np.bool_)) if as_bool else result


_add = native.Function.of_op("flow.add", 2)


def add(x: Tensor, y: Tensor) -> Tensor:
    """The sum of two tensors; accumulates gradients."""
    made = _add.call(x, y)
    return binary("flow.add", x, y, "flow.add") if made is NotImplemented else made


def _operand(value: object, other: object, what: str) -> Any:
    if isinstance(value, Tensor) or (isinstance(other, Tensor) and is_plain(value)):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return wrap(np.asarray(value))
    return _checked(value, what, TensorOp)


def _promoted(x: Any, y: Any, kind: type[TensorOp]) -> tuple[Tensor, Tensor]:
    """Both as tensors of their common type, by PyTorch's promotion."""
    dtype = common_type(x, y)
    if kind.makes_floats and not dtype.is_float:
        dtype = default_float()
    word = dtype.numpy
    if dtype.is_bool and dtype.word not in {str(e) for e in kind.elements}:
        word = np.dtype(np.uint8)
    left = cast_to(x, word) if isinstance(x, Tensor) else scalar(x, word)
    right = cast_to(y, word) if isinstance(y, Tensor) else scalar(y, word)
    return left, right


def replay(function: Func, arguments: Sequence[Tensor]) -> list[Tensor]:
    """Run a job of tensor ops on these feeds, op by op, recording each."""
    values: dict[Any, Tensor] = dict(zip(function.arguments, arguments, strict=True))
    for op in function.body:
        if op is function.returned:
            break
        attributes = {key: getattr(op, key) for key in op.definition.attributes}
        given = {key: value for key, value in attributes.items() if value is not None}
        operands: list[Operand] = []
        for group in op.definition.operands:
            start, stop = group.span(op)
            members = [values[value] for value in op.operands[start:stop]]
            operands.append(members if group.variadic else members[0])
        values.update(zip(op.results, run(op.name, operands, given), strict=True))
    return [values[value] for value in function.returned.operands]
