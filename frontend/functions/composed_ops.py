"""Ops of OneFlow that `flow.user_op_builder` calls by name, and that are several ops here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from penstock.basics.checks import check_integer, check_number
from penstock.basics.dtypes import float32, int64
from penstock.basics.errors import located
from penstock.functions.ops import cast, slice, where
from penstock.trace.blob import Blob, apply, binary
from penstock.trace.thin import axis_of
from penstock.trace.variables import assign

_LARGEST = 3.4028234663852886e38
"""The largest float32."""


class Group(NamedTuple):
    """An operand or a result, or a list of them."""

    name: str
    variadic: bool = False


@dataclass(frozen=True)
class Definition:
    """What a call of the op names."""

    operands: Sequence[Group]
    results: Sequence[Group]
    attributes: Sequence[str]


@dataclass(frozen=True)
class Composed:
    """An op by its name in OneFlow; `build` takes operands, the attributes and the op's name."""

    name: str
    definition: Definition
    build: Callable[..., list[Blob]] = field(repr=False)


def _split_like(x: Blob, like: Sequence[Blob], axis: int = 0, name: str | None = None) -> Any:
    """The parts of x along the axis that are as long as the blobs of `like`, in turn."""
    what = "split_like"
    at, start, parts = axis_of(axis, len(x.shape), what), 0, []
    shapes = [blob.shape for blob in like]
    if any(len(shape) <= at for shape in shapes) or sum(s[at] for s in shapes) != x.shape[at]:
        raise located(
            ValueError,
            f"{what} takes blobs that are together as long as 'in' along dimension {at}, which has "
            f"{x.shape[at]}, got shapes {shapes}",
        )
    for shape in shapes:
        if shape != (*x.shape[:at], shape[at], *x.shape[at + 1 :])[: len(shape)]:
            raise located(
                ValueError,
                f"{what} takes blobs like 'in', of shape {x.shape}, but for dimension {at}, got "
                f"one of shape {shape}",
            )
        begin = [start if d == at else 0 for d in range(len(x.shape))]
        size = [shape[at] if d == at else extent for d, extent in enumerate(x.shape)]
        parts.append(slice(x, begin, size, name))
        start += shape[at]
    return parts


def _fused_cast_scale(x: Blob, scalar: Blob, name: str | None = None) -> list[Blob]:
    """x, cast to the type of the scalar, times the scalar, of shape (1,)."""
    what = "fused_cast_scale"
    if scalar.shape != (1,):
        raise located(ValueError, f"{what} takes a scalar of shape (1,), got {scalar.shape}")
    number = apply("flow.reshape", scalar, shape=[], what=what)[0]
    return [binary("flow.multiply", cast(x, scalar.dtype), number, name, what)]


def _dynamic_loss_scale_schedule(
    count_not_finite: Blob, loss_scale: Blob, good_step_counter: Blob,
    increment_period: int = 2000, multiplier: float = 2.0, name: str | None = None,
) -> list[Blob]:  # fmt: skip
    """Assign to the scale and the counter, as a step with dynamic loss scale does."""
    what = "dynamic_loss_scale_schedule"
    for blob, dtype in (
        (count_not_finite, int64),
        (loss_scale, float32),
        (good_step_counter, int64),
    ):
        if blob.shape != (1,) or blob.dtype != dtype:
            raise located(
                ValueError,
                f"{what} takes blob {blob.name} as {dtype} of shape (1,), got {blob.dtype} of "
                f"shape {blob.shape}",
            )
    period = check_integer(increment_period, f"increment_period of {what}", 1)
    factor = check_number(multiplier, f"multiplier of {what}")
    if not 1 <= factor <= _LARGEST:
        raise located(ValueError, f"multiplier of {what} must be at least 1, got {multiplier}")
    finite, good = count_not_finite == 0, good_step_counter + 1
    grows = good >= period
    larger = binary("flow.minimum", loss_scale * factor, _LARGEST)
    smaller = binary("flow.maximum", loss_scale / factor, 1.0)
    assign(loss_scale, where(finite, where(grows, larger, loss_scale), smaller), name=name)
    assign(good_step_counter, where(finite, where(grows, good * 0, good), good * 0), name=name)
    return []


COMPOSED = {
    op.name: op
    for op in (
        Composed(
            "split_like",
            Definition([Group("in"), Group("like", True)], [Group("out", True)], ["axis"]),
            _split_like,
        ),
        Composed(
            "fused_cast_scale",
            Definition([Group("x"), Group("scalar")], [Group("y")], []),
            _fused_cast_scale,
        ),
        Composed(
            "dynamic_loss_scale_schedule",
            Definition(
                [Group("count_not_finite"), Group("loss_scale"), Group("good_step_counter")],
                [],
                ["increment_period", "multiplier"],
            ),
            _dynamic_loss_scale_schedule,
        ),
    )
}
