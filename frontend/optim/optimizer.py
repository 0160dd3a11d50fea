"""The base of optimizers: parameter groups, the state of each parameter, and the step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from penstock.basics.checks import check_flag
from penstock.basics.errors import kind_of, located
from penstock.basics.notices import tell
from penstock.optim.clipping import clip_grad_norm_, set_gradient
from penstock.optim.updates import Part, Rule, apply
from penstock.process.imported_script import refuse_in_import
from penstock.tensor_functions import methods  # noqa: F401 - gives tensors their methods
from penstock.tensors.creation import full_like
from penstock.tensors.inplace import refuse_traced
from penstock.tensors.modes import enable_grad, mode
from penstock.tensors.tensor import Tensor

State = dict[str, Any]


class ParamGroup(dict[str, Any]):
    """A dict of "params", the parameters, and of their options, such as `group["lr"]`."""

    @property
    def parameters(self) -> list[Tensor]:
        """Its parameters."""
        found: list[Tensor] = self["params"]
        return found

    @property
    def options(self) -> dict[str, Any]:
        """All but its parameters."""
        return {key: value for key, value in self.items() if key != "params"}


class Optimizer:
    """Base of optimizers: `step` updates the parameters by their gradients.

    `params` is a list of tensors, or of dicts `{"params": tensors, "lr": 0.1, ...}` with their own
    options; `defaults` has the other options. Subclasses define `step`.
    """

    def __init__(self, params: Iterable[Any], defaults: Mapping[str, Any]) -> None:
        what = type(self).__name__
        self.defaults = dict(defaults)
        self.param_groups: list[ParamGroup] = []
        self.state: dict[Any, Any] = {"step": 0}
        """The state of each parameter; under "step" the number of steps taken."""
        if isinstance(params, Tensor | str | Mapping | set) or not isinstance(params, Iterable):
            advice = "; use [x]" if isinstance(params, Tensor) else ""
            raise located(
                TypeError,
                f"params of {what} must be a list or iterator of tensors or dicts, got "
                f"{kind_of(params)}{advice}",
            )
        given = list(params)
        groups = given if given and isinstance(given[0], dict) else [{"params": given}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters: a dict of "params" and options.

        >>> import penstock as flow
        >>> x, y = (flow.ones(2, requires_grad=True) for _ in range(2))
        >>> sgd = flow.optim.SGD([x], lr=0.5)
        >>> sgd.add_param_group({"params": [y], "lr": 0.25})
        >>> [group["lr"] for group in sgd.param_groups]
        [0.5, 0.25]
        """
        what = type(self).__name__
        if not isinstance(param_group, dict) or "params" not in param_group:
            raise located(
                TypeError,
                f'a parameter group of {what} must be a dict with "params", got '
                f"{kind_of(param_group)}",
            )
        known = {id(p) for group in self.param_groups for p in group.parameters}
        group = ParamGroup({**self.defaults, **param_group})
        group["params"] = _parameters(param_group["params"], what, known)
        for key, value in group.items():
            if value is None and key in self.defaults:
                raise located(ValueError, f"a parameter group of {what} must have {key}")
        self._check(group)
        self.param_groups.append(group)

    def _check(self, group: ParamGroup) -> None:
        """Raise a located error for invalid options."""

    def zero_grad(self, set_to_none: bool = False) -> None:
        """Set the gradients of all parameters to 0, or to None, in which case `step` skips them."""
        check_flag(set_to_none, "set_to_none of zero_grad")
        refuse_traced("zero_grad of an optimizer")
        for group in self.param_groups:
            for parameter in group.parameters:
                gradient = parameter.grad
                if set_to_none:
                    parameter.grad = None
                elif gradient is not None:
                    set_gradient(parameter, 0)

    def clip_grad(self, error_if_nonfinite: bool = False) -> None:
        """Clip the gradients of each group by norm.

        The options `clip_grad_max_norm` and `clip_grad_norm_type` of the group set the norm.

        >>> import penstock as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> x.grad = flow.tensor([3.0, 4.0])
        >>> group = {"params": [x], "clip_grad_max_norm": 1.0, "clip_grad_norm_type": 2.0}
        >>> flow.optim.SGD([group], lr=0.5).clip_grad()
        >>> x.grad
        tensor([0.6000, 0.8000], dtype=penstock.float32)
        """
        for group in self.param_groups:
            if "clip_grad_max_norm" in group and "clip_grad_norm_type" in group:
                clip_grad_norm_(
                    group.parameters, group["clip_grad_max_norm"], group["clip_grad_norm_type"],
                    error_if_nonfinite,
                )  # fmt: skip
            else:
                tell(
                    f"{type(self).__name__}.clip_grad skips a group without the options "
                    "clip_grad_max_norm and clip_grad_norm_type"
                )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update each parameter that has a gradient; returns the result of `closure`, if any.

        `closure` recomputes the loss and the gradients.
        """
        raise located(NotImplementedError, f"{type(self).__name__} must have a method step")

    def state_dict(self) -> dict[str, Any]:
        """The whole state, with parameters by index, for `load_state_dict` and `flow.save`."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for parameter in group.parameters:
                numbers.setdefault(id(parameter), len(numbers))
            places = [numbers[id(parameter)] for parameter in group.parameters]
            groups.append({**group.options, "params": places})
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from the `state_dict` of an optimizer with the same number of parameters.

        >>> import penstock as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> adam, other = (flow.optim.Adam([x], lr=rate) for rate in (0.5, 0.25))
        >>> other.load_state_dict(adam.state_dict())
        >>> other.param_groups[0]["lr"]
        0.5
        """
        what = f"load_state_dict of {type(self).__name__}"
        if not isinstance(state_dict, Mapping) or {"state", "param_groups"} - set(state_dict):
            raise located(
                ValueError,
                f'{what} takes a dict with "state" and "param_groups", got {kind_of(state_dict)}',
            )
        saved = state_dict["param_groups"]
        ours = [len(group.parameters) for group in self.param_groups]
        theirs = [len(group["params"]) for group in saved]
        if ours != theirs:
            raise located(
                ValueError,
                f"{what} expected groups of {ours} parameters, got {theirs}; give the optimizer "
                "the parameters it had when it was saved",
            )
        by_number = {
            number: parameter
            for group, one in zip(self.param_groups, saved, strict=True)
            for number, parameter in zip(one["params"], group.parameters, strict=True)
        }
        state = {by_number.get(k, k): _copied(v) for k, v in state_dict["state"].items()}
        groups = [
            ParamGroup({**_copied(one), "params": group.parameters})
            for group, one in zip(self.param_groups, saved, strict=True)
        ]
        self.state, self.param_groups = state, groups

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {key}: {value}" for key, value in sorted(group.options.items())]
        return "\n".join([*lines, ")"])


class NativeOptimizer(Optimizer):
    """Base of optimizers whose step is a kernel of update ops."""

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update each parameter that has a gradient; returns the result of `closure`, if any.

        `closure` recomputes the loss and the gradients.
        """
        refuse_in_import("an optimizer trains")
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        taken, records = self.state.get("step", 0) + 1, mode.records
        parts: list[Part] = []
        version = None
        try:
            mode.flags.records = False
            parts = self.parts(taken, lambda parameter: parameter._grad is not None)
            version = _version(parts)
            apply(parts)
        finally:  # a signal may come before or after the change
            mode.flags.records = records
            if _version(parts) != version:
                self.state["step"] = taken
        if not parts:
            self.state["step"] = taken
        return loss

    def parts(
        self, taken: Any, learns: Callable[[Tensor], bool], rates: Sequence[Any] | None = None
    ) -> list[Part]:
        """The updates of a step, counted from 1, of those parameters that learn.

        A graph gives blobs for the step and for the rates of the groups.
        """
        found = []
        for number, group in enumerate(self.param_groups):
            rule = self._rule(group)
            parameters = [parameter for parameter in group.parameters if learns(parameter)]
            if parameters:
                names = list(rule.update.state.values())
                states = [self._kept(group, parameter, names) for parameter in parameters]
                rate = float(group["lr"]) if rates is None else rates[number]
                numbers = self._numbers(rate, group, taken)
                found.append(Part(rule, numbers, parameters, states))
        return found

    def rules(self) -> list[Rule]:
        """The update of each group."""
        return [self._rule(group) for group in self.param_groups]

    def _kept(self, group: ParamGroup, parameter: Tensor, names: list[str]) -> list[Tensor]:
        state = self.state.setdefault(parameter, {})
        for name in names:
            if name not in state:
                state[name] = full_like(parameter, self._start(group, name))
        return [state[name] for name in names]

    def _start(self, group: ParamGroup, name: str) -> float:
        """The initial value of the state under this name."""
        return 0.0

    def _numbers(self, rate: Any, group: ParamGroup, taken: Any) -> list[Any]:
        """The scalar operands of the update op in this step; steps count from 1.

        In a graph, rate and step are blobs of float64.
        """
        return [rate]

    def _rule(self, group: ParamGroup) -> Rule:
        raise NotImplementedError


def _version(parts: Sequence[Part]) -> int | None:
    """How often the first parameter was changed; None if there is none."""
    return parts[0].parameters[0]._version if parts else None


def _parameters(given: Any, what: str, known: set[int]) -> list[Tensor]:
    if isinstance(given, set | frozenset):
        raise located(
            TypeError, f"the parameters of {what} need an order, got a set; use a list of them"
        )
    found = [given] if isinstance(given, Tensor) else list(given)
    for one in found:
        if not isinstance(one, Tensor):
            raise located(TypeError, f"the parameters of {what} are tensors, got {kind_of(one)}")
        if not one.is_leaf:
            raise located(
                ValueError,
                f"{what} updates leaf tensors, and one of its parameters was made by an op; give "
                "it the tensor that the op was given",
            )
        if id(one) in known:
            raise located(ValueError, f"{what} was given a parameter twice; name each once")
        known.add(id(one))
    return found


def _copied(value: Any) -> Any:
    """A copy of a nest, tensors included."""
    if isinstance(value, Tensor):
        return value.detach().__deepcopy__({})
    if isinstance(value, Mapping):
        return {key: _copied(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_copied(one) for one in value)
    return value
