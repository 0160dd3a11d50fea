"""The quasi-Newton method with limited memory, and its line search.

Source: Nocedal and Wright, "Numerical optimization", 2006: algorithms 7.4, 7.5, 3.5 and 3.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from penstock.basics.checks import check_integer, check_within
from penstock.basics.errors import kind_of, located
from penstock.optim.optimizer import Optimizer, ParamGroup
from penstock.tensor_functions.pointwise import add, mul, sub
from penstock.tensor_functions.products import dot
from penstock.tensor_functions.shapes import cat, narrow
from penstock.tensors.creation import zeros
from penstock.tensors.inplace import assign
from penstock.tensors.modes import enable_grad, no_grad
from penstock.tensors.tensor import Tensor

_DECREASE, _CURVATURE = 1e-4, 0.9
"""The constants of the strong Wolfe conditions."""


class Point(NamedTuple):
    """A point on a line: its distance, the loss, the gradient, and the slope along the line."""

    t: float
    loss: float
    gradient: Tensor
    slope: float


class LBFGS(Optimizer):
    """L-BFGS: descends along the gradient, turned by what the last steps tell of the curvature.

    `step` needs a closure that sets the gradients to 0, computes the loss, calls `backward` and
    returns the loss. A step runs up to `max_iter` iterations and about `max_eval` evaluations (by
    default max_iter * 5 / 4), and ends when no element of the gradient exceeds `tolerance_grad`, or
    the loss or the parameters change by less than `tolerance_change`. `line_search_fn` is None for
    steps of length `lr`, or "strong_wolfe". `contiguous_params` has no effect. There is one group
    of parameters, of one dtype. Source: as PyTorch's.

    >>> import penstock as flow
    >>> x = flow.tensor([3.0, -2.0], requires_grad=True)
    >>> lbfgs = flow.optim.LBFGS([x], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     lbfgs.zero_grad()
    ...     loss = ((x - flow.tensor([1.0, 2.0])) ** 4).sum()
    ...     loss.backward()
    ...     return loss
    >>> [round(lbfgs.step(closure).item(), 3) for _ in range(2)]
    [272.0, 0.0]
    """

    def __init__(
        self, params: Iterable[Any], lr: float = 1.0, max_iter: int = 20,
        max_eval: int | None = None, tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9, history_size: int = 100,
        line_search_fn: str | None = None, contiguous_params: bool = False,
    ) -> None:  # fmt: skip
        if line_search_fn not in (None, "strong_wolfe"):
            raise located(
                ValueError,
                f'line_search_fn of LBFGS must be None or "strong_wolfe", got '
                f"{kind_of(line_search_fn)}",
            )
        most = check_integer(max_iter, "max_iter of LBFGS")
        super().__init__(
            params,
            {
                "lr": lr, "max_iter": most,
                "max_eval": most * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change,
                "history_size": history_size, "line_search_fn": line_search_fn or "none",
                "contiguous_params": contiguous_params,
            },
        )  # fmt: skip
        if len(self.param_groups) != 1 or not self.param_groups[0].parameters:
            raise located(
                ValueError,
                f"LBFGS takes one group of parameters, got {len(self.param_groups)}, the first of "
                f"{len(self.param_groups[0].parameters) if self.param_groups else 0} tensors",
            )

    def _check(self, group: ParamGroup) -> None:
        for word, least in (("max_iter", 1), ("max_eval", 1), ("history_size", 1)):
            if check_integer(group[word], f"{word} of LBFGS") < least:
                raise located(
                    ValueError, f"{word} of LBFGS must be at least {least}, got {group[word]}"
                )
        for word in ("lr", "tolerance_grad", "tolerance_change"):
            check_within(group[word], f"{word} of LBFGS", 0)
        types = {parameter.dtype for parameter in group.parameters}
        if len(types) > 1 or any(not one.is_float for one in types):
            words = ", ".join(sorted(map(str, types)))
            raise located(
                TypeError, f"the parameters of LBFGS must be floats of one dtype, got {words}"
            )

    # -- vectors of all parameters ----------------------------------------------------------------

    def _gradient(self) -> Tensor:
        return cat([
            (zeros(p.array.size, dtype=p.dtype) if p.grad is None else p.grad).reshape(-1)
            for p in self.param_groups[0].parameters
        ])  # fmt: skip

    def _place(self) -> list[Tensor]:
        return [p.detach().clone() for p in self.param_groups[0].parameters]

    def _move(self, start: list[Tensor], t: float, direction: Tensor) -> None:
        """Let the parameters be at `start` + t * direction."""
        at = 0
        for parameter, first in zip(self.param_groups[0].parameters, start, strict=True):
            size = parameter.array.size
            part = narrow(direction, 0, at, size).reshape(parameter.shape)
            assign(parameter, add(first, part, alpha=t), "step of LBFGS")
            at += size

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Iterate; returns the loss before, as the closure gave it."""
        if closure is None:
            raise located(TypeError, "step of LBFGS needs a closure that computes the loss again")

        def evaluated() -> tuple[Any, float]:
            with enable_grad():
                found = closure()
            kept["func_evals"] = kept.get("func_evals", 0) + 1
            return found, float(found.item() if isinstance(found, Tensor) else found)

        group = self.param_groups[0]
        kept: dict[str, Any] = self.state.setdefault(group.parameters[0], {})
        with no_grad():
            loss, number = evaluated()
            self._iterate(group, kept, number, lambda: evaluated()[1])
            self.state["step"] = self.state.get("step", 0) + 1
        return loss

    def _iterate(
        self, group: ParamGroup, kept: dict[str, Any], loss: float, evaluate: Callable[[], float]
    ) -> None:
        least, before = group["tolerance_change"], kept.get("func_evals", 1) - 1
        gradient = self._gradient()
        if _size(gradient) <= group["tolerance_grad"]:
            return
        for number in range(1, group["max_iter"] + 1):
            direction = self._direction(group, kept, gradient)
            slope = _dot(gradient, direction)
            first = 1.0 / float(gradient.abs().sum().item()) if kept["n_iter"] == 1 else 1.0
            t = min(1.0, first) * group["lr"]
            kept["prev_flat_grad"], kept["prev_loss"], old = gradient, loss, loss
            if slope > -least:
                break
            start = self._place()

            def at(t: float, start: list[Tensor] = start, d: Tensor = direction) -> Point:
                self._move(start, t, d)
                found = evaluate()
                slope_gradient = self._gradient()
                return Point(t, found, slope_gradient, _dot(slope_gradient, d))

            if group["line_search_fn"] == "strong_wolfe":
                origin = Point(0.0, loss, gradient, slope)
                t, loss, gradient, _ = _searched(
                    at,
                    origin,
                    t,
                    _size(direction),
                    least,
                    group["max_eval"] - kept["func_evals"] + before,
                )
                self._move(start, t, direction)
            elif number < group["max_iter"]:
                _, loss, gradient, _ = at(t)
            else:
                self._move(start, t, direction)
            kept["t"] = t
            if (
                kept["func_evals"] - before >= group["max_eval"]
                or _size(gradient) <= group["tolerance_grad"]
                or t * _size(direction) <= least
                or abs(loss - old) < least
            ):
                break

    def _direction(self, group: ParamGroup, kept: dict[str, Any], gradient: Tensor) -> Tensor:
        """The gradient times the inverse of the curvature that the last steps tell, negated."""
        kept["n_iter"] = kept.get("n_iter", 0) + 1
        if kept["n_iter"] == 1:
            kept.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            kept["d"] = mul(gradient, -1)
            return kept["d"]  # type: ignore[no-any-return]
        change = sub(gradient, kept["prev_flat_grad"])
        moved = mul(kept["d"], kept["t"])
        curvature = _dot(change, moved)
        if curvature > 1e-10:
            if len(kept["old_dirs"]) == group["history_size"]:
                for word in ("old_dirs", "old_stps", "ro"):
                    kept[word] = kept[word][1:]
            kept["old_dirs"] = [*kept["old_dirs"], change]
            kept["old_stps"] = [*kept["old_stps"], moved]
            kept["ro"] = [*kept["ro"], 1.0 / curvature]
            kept["H_diag"] = curvature / _dot(change, change)
        rows = list(zip(kept["old_dirs"], kept["old_stps"], kept["ro"], strict=True))
        found, shares = mul(gradient, -1), []
        for change, moved, share in reversed(rows):
            shares.append(_dot(moved, found) * share)
            found = sub(found, change, alpha=shares[-1])
        found = mul(found, kept["H_diag"])
        for (change, moved, share), taken in zip(rows, reversed(shares), strict=True):
            found = add(found, moved, alpha=taken - _dot(change, found) * share)
        kept["d"] = found
        return found


def _dot(x: Tensor, y: Tensor) -> float:
    return float(dot(x, y).item())


def _size(x: Tensor) -> float:
    """The largest absolute value."""
    return float(x.abs().max().item()) if x.array.size else 0.0


# -- the line search ----------------------------------------------------------------------------


def _searched(
    at: Callable[[float], Point], origin: Point, t: float, size: float, least: float, most: int
) -> Point:
    """A point along the line that meets the strong Wolfe conditions, or else the lowest of about
    `most` points."""
    previous, point, is_met = origin, at(t), False
    low, high = origin, point
    tries = 0
    while tries < most:
        rises = tries > 1 and point.loss >= previous.loss
        if not _decreases(point, origin) or rises:
            low, high = previous, point
            break
        if _is_flat(point, origin):
            return point
        if point.slope >= 0:
            low, high = previous, point
            break
        bounds = point.t + 0.01 * (point.t - previous.t), point.t * 10
        previous, point = point, at(_cubic(previous, point, bounds))
        low, high = origin, point
        tries += 1
    if high.loss < low.loss:
        low, high = high, low
    is_stuck = False
    while not is_met and tries < most and abs(high.t - low.t) * size >= least:
        t, is_stuck = _inside(low, high, is_stuck)
        point = at(t)
        tries += 1
        if not _decreases(point, origin) or point.loss >= low.loss:
            high = point
            if high.loss < low.loss:
                low, high = high, low
            continue
        is_met = _is_flat(point, origin)
        if not is_met and point.slope * (high.t - low.t) >= 0:
            high = low
        low = point
    return low


def _decreases(point: Point, origin: Point) -> bool:
    return point.loss <= origin.loss + _DECREASE * point.t * origin.slope


def _is_flat(point: Point, origin: Point) -> bool:
    return abs(point.slope) <= -_CURVATURE * origin.slope


def _inside(low: Point, high: Point, is_stuck: bool) -> tuple[float, bool]:
    """The next distance between two points; near an end twice, it moves away from it."""
    first, last = sorted((low.t, high.t))
    t, edge = _cubic(low, high, (first, last)), 0.1 * (last - first)
    if min(last - t, t - first) >= edge:
        return t, False
    if is_stuck or t >= last or t <= first:
        return (last - edge if abs(t - last) < abs(t - first) else first + edge), False
    return t, True


def _cubic(one: Point, other: Point, bounds: tuple[float, float]) -> float:
    """Where the cubic through two points with these slopes is lowest, within the bounds."""
    first, last = (one, other) if one.t <= other.t else (other, one)
    least, most = bounds
    width = last.t - first.t
    if width:
        mean = first.slope + last.slope - 3 * (last.loss - first.loss) / width
        square = mean * mean - first.slope * last.slope
        if square >= 0:
            root = math.sqrt(square)
            across = last.slope - first.slope + 2 * root
            if across:
                t = last.t - width * (last.slope + root - mean) / across
                return min(max(t, least), most)
    return (least + most) / 2
