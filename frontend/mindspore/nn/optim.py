"""Optimizers: cells that change parameters by gradients, with the update ops of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, check_within
from penstock.basics.errors import counted, kind_of, located
from penstock.ir.dialects import job as _job  # noqa: F401 - fills the registry of ops
from penstock.mindspore import ops
from penstock.mindspore.dtype import float32, float64
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.parameter import Parameter, ParameterTuple, overwrite
from penstock.mindspore.tensor import Tensor, check_tensor, faced, plain
from penstock.tensor_functions.calls import ops as run
from penstock.tensors.modes import no_grad

_UNDECAYED = ("beta", "gamma")
"""Parameters with these words in their names have no weight decay, unless a group says so."""


class Group:
    """Parameters with one learning rate and weight decay."""

    def __init__(self, parameters: Sequence[Parameter], rate: Any, decay: float | None) -> None:
        self.parameters = list(parameters)
        self.rate = rate
        self.decay = decay


class Optimizer(Cell):
    """Base of optimizers: a call with the gradients of all parameters changes the parameters.

    `learning_rate` is a number, a list with one for each step, a tensor, or a cell that computes it
    from the step. `params` are parameters, or dicts of `params` with an own `lr` and
    `weight_decay`. `loss_scale` divides the gradients.

    Raises a located TypeError or ValueError for anything else.
    """

    op = ""
    states: tuple[str, ...] = ()
    """The names of what is kept for each parameter; the initial elements are `start`."""

    is_decoupled = False
    """Whether weight decay is an attribute of the update op, apart from the gradient."""

    def __init__(
        self, learning_rate: Any, parameters: Any, weight_decay: float = 0.0,
        loss_scale: float = 1.0, start: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__()
        what = self.cls_name
        self.weight_decay = check_within(weight_decay, f"weight_decay of {what}", 0)
        self.loss_scale = check_within(loss_scale, f"loss_scale of {what}", 0)
        if not self.loss_scale:
            raise located(ValueError, f"loss_scale of {what} must be above 0, got 0")
        self.global_step = Parameter(np.zeros(1, np.int32), "global_step", False)
        rate = self._checked_rate(learning_rate)
        self.__dict__["groups"] = groups = self._groups(parameters, rate)
        every = ParameterTuple(one for group in groups for one in group.parameters)
        self.__dict__["parameters"] = every  # As there; modules have a method of that name.
        for name in self.states:
            for number, one in enumerate(every):
                kept = Parameter(np.full(one.shape, start, one.asnumpy().dtype),
                                 f"{name}.{one.name}", False)  # fmt: skip
                self.insert_param_to_cell(f"{name}_{number}", kept)

    def _checked_rate(self, rate: Any) -> Any:
        what = f"learning_rate of {self.cls_name}"
        if isinstance(rate, Cell):
            return rate
        if isinstance(rate, Tensor):
            rate = rate.asnumpy().tolist()
        if isinstance(rate, list | tuple | np.ndarray):
            values = [check_within(one, f"each {what}", 0) for one in rate]
            if not values:
                raise located(ValueError, f"{what} must not be an empty list")
            return Parameter(np.array(values, np.float32), "learning_rate", False)
        return Parameter(np.array(check_within(rate, what, 0), np.float32), "learning_rate", False)

    def _groups(self, parameters: Any, rate: Any) -> list[Group]:
        what = f"params of {self.cls_name}"
        if isinstance(parameters, Parameter):
            parameters = [parameters]
        if not isinstance(parameters, list | tuple) and not hasattr(parameters, "__next__"):
            raise located(
                TypeError, f"{what} must be a list of parameters, got {kind_of(parameters)}"
            )
        listed = list(parameters)
        if not listed:
            raise located(ValueError, f"{what} must not be empty")
        if not isinstance(listed[0], dict):
            listed = [{"params": listed}]
        groups = []
        for one in listed:
            if not isinstance(one, dict) or "params" not in one:
                if isinstance(one, dict) and "order_params" in one:
                    continue
                raise located(
                    TypeError, f"{what} must be parameters or dicts with params, got {kind_of(one)}"
                )
            for parameter in one["params"]:
                if not isinstance(parameter, Parameter):
                    raise located(TypeError, f"{what} must be parameters, got {kind_of(parameter)}")
            own = self._checked_rate(one["lr"]) if "lr" in one else rate
            groups.append(Group(one["params"], own, one.get("weight_decay")))
        return groups

    def get_lr(self) -> Tensor:
        """The learning rate of the next step, of the first group."""
        return self._rate(self.__dict__["groups"][0])

    def _rate(self, group: Group) -> Tensor:
        if isinstance(group.rate, Cell):
            made: Tensor = group.rate(self.global_step)
            scalar: Tensor = made.reshape(()).astype(float32)
            return scalar
        if not group.rate.shape:
            return group.rate.value() if isinstance(group.rate, Parameter) else group.rate
        last = group.rate.shape[0] - 1
        found: Tensor = ops.Gather()(group.rate, ops.minimum(self.global_step, last), 0).reshape(())
        return found

    def _decay(self, group: Group, parameter: Parameter) -> float:
        if group.decay is not None:
            return float(group.decay)
        named = any(word in parameter.name for word in _UNDECAYED)
        return 0.0 if named else self.weight_decay

    def numbers(self, rate: Tensor) -> list[Tensor]:
        """The numbers of a step that the update op takes, from its learning rate."""
        return [rate]

    def attributes(self) -> dict[str, Any]:
        """The attributes of the update op."""
        return {}

    def gradient(self, parameter: Parameter, gradient: Tensor) -> Tensor:
        """The gradient that the update op gets."""
        return gradient

    def finish(self) -> None:
        """Change what the optimizer keeps for all parameters, after a step."""

    def construct(self, gradients: Any) -> bool:
        listed = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients)
        count = sum(len(group.parameters) for group in self.__dict__["groups"])
        if len(listed) != count:
            raise located(
                ValueError,
                f"{self.cls_name} takes {counted(count, 'gradient')}, one for each "
                f"parameter, got {len(listed)}",
            )
        number = 0
        with no_grad():
            for group in self.__dict__["groups"]:
                given = [plain(one) for one in self.numbers(self._rate(group))]
                for parameter in group.parameters:
                    self._update(number, parameter, listed[number], given, group)
                    number += 1
            self.finish()
            overwrite(self.global_step, self.global_step + 1)
        return True

    def _update(
        self, number: int, parameter: Parameter, gradient: Any, numbers: list[Any], group: Group
    ) -> None:
        check_tensor(gradient, self.cls_name)
        if gradient.shape != parameter.shape:
            raise located(
                ValueError,
                f"{self.cls_name} needs a gradient of shape {parameter.shape} for parameter "
                f"{parameter.name!r}, got {gradient.shape}",
            )
        if self.loss_scale != 1.0:
            gradient = gradient / self.loss_scale
        decay, attributes = self._decay(group, parameter), self.attributes()
        if decay and self.is_decoupled:
            attributes["weight_decay"] = decay
        elif decay:
            gradient = gradient + parameter * decay
        kept = [getattr(self, f"{name}_{number}") for name in self.states]
        given = plain([parameter, self.gradient(parameter, gradient)])
        made = run(self.op, *given, *numbers, *plain(kept), **attributes)
        for target, value in zip((parameter, *kept), made, strict=True):
            overwrite(target, faced(value))


class Momentum(Optimizer):
    """v = momentum * v + g, and then p -= lr * v.

    With `use_nesterov`, p -= lr * (g + momentum * v).

    >>> import penstock.mindspore as ms
    >>> p = ms.Parameter(ms.Tensor([1.0]), "p")
    >>> opt = ms.nn.Momentum([p], learning_rate=0.5, momentum=0.9)
    >>> _ = opt((ms.Tensor([1.0]),))
    >>> p.asnumpy()
    array([0.5], dtype=float32)
    """

    op = "job.damped_momentum"
    states = ("moments",)

    def __init__(
        self, params: Any, learning_rate: Any, momentum: float, weight_decay: float = 0.0,
        loss_scale: float = 1.0, use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = check_within(momentum, "momentum of Momentum", 0)
        self.use_nesterov = check_flag(use_nesterov, "use_nesterov of Momentum")

    def attributes(self) -> dict[str, Any]:
        return {"beta": self.momentum, "dampening": 0.0, "nesterov": self.use_nesterov}


class SGD(Optimizer):
    """v = momentum * v + (1 - dampening) * g, v = g in the first step, and then p -= lr * v.

    With `nesterov`, p -= lr * (g + momentum * v).
    """

    op = "job.damped_momentum"
    states = ("accum",)

    def __init__(
        self, params: Any, learning_rate: Any = 0.1, momentum: float = 0.0,
        dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = check_within(momentum, "momentum of SGD", 0)
        self.dampening = check_within(dampening, "dampening of SGD", 0)
        if self.dampening >= 1:
            raise located(ValueError, f"dampening of SGD must be below 1, got {dampening}")
        self.nesterov = check_flag(nesterov, "nesterov of SGD")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise located(
                ValueError,
                "nesterov of SGD needs a momentum above 0 and no dampening, got momentum "
                f"{momentum} and dampening {dampening}",
            )
        # 1 until the first step, in which dampening has no effect.
        self.stat = Parameter(np.ones((), np.float32), "stat", False)

    def attributes(self) -> dict[str, Any]:
        return {"beta": self.momentum, "dampening": self.dampening, "nesterov": self.nesterov}

    def gradient(self, parameter: Parameter, gradient: Tensor) -> Tensor:
        if not self.dampening:
            return gradient
        first = self.stat.astype(parameter.dtype) * (self.dampening / (1 - self.dampening))
        made: Tensor = gradient + gradient * first
        return made

    def finish(self) -> None:
        if self.dampening:
            overwrite(self.stat, self.stat * 0.0)


class Adam(Optimizer):
    """m and v are moving averages of g and g^2, and p -= r * m / (sqrt(v) + eps).

    r is lr * sqrt(1 - beta2^t) / (1 - beta1^t) in step t, from 1.
    """

    op = "job.adam"
    states = ("moment1", "moment2")

    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999,
        eps: float = 1e-8, use_locking: bool = False, use_nesterov: bool = False,
        weight_decay: float = 0.0, loss_scale: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        what = self.cls_name
        self.beta1 = check_within(beta1, f"beta1 of {what}", 0, 1)
        self.beta2 = check_within(beta2, f"beta2 of {what}", 0, 1)
        self.eps = check_within(eps, f"eps of {what}", 0)
        if use_nesterov:
            raise located(NotImplementedError, f"{what} has no use_nesterov; leave it out")
        # In float64, as 1 - beta2^t has few digits in float32.
        self.beta1_power = Parameter(np.ones((), np.float64), "beta1_power", False)
        self.beta2_power = Parameter(np.ones((), np.float64), "beta2_power", False)

    def attributes(self) -> dict[str, Any]:
        return {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.eps, "weight_decay": 0.0}

    def numbers(self, rate: Tensor) -> list[Tensor]:
        first, second = self.beta1_power * self.beta1, self.beta2_power * self.beta2
        scale = ops.sqrt(1 - second) / (1 - first)
        return [(rate.astype(float64) * scale).astype(float32)]

    def finish(self) -> None:
        overwrite(self.beta1_power, self.beta1_power * self.beta1)
        overwrite(self.beta2_power, self.beta2_power * self.beta2)


class AdamWeightDecay(Adam):
    """Adam without bias correction, with weight decay apart from the averages.

    p -= lr * (m / (sqrt(v) + eps) + weight_decay * p).
    """

    is_decoupled = True

    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999,
        eps: float = 1e-6, weight_decay: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay=weight_decay)

    def numbers(self, rate: Tensor) -> list[Tensor]:
        return [rate]


class Adagrad(Optimizer):
    """s += g^2, and p -= lr * g / sqrt(s); s starts at `accum`."""

    op = "job.adagrad"
    states = ("accum",)

    def __init__(
        self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001,
        update_slots: bool = True, loss_scale: float = 1.0, weight_decay: float = 0.0,
    ) -> None:  # fmt: skip
        start = check_within(accum, "accum of Adagrad", 0)
        super().__init__(learning_rate, params, weight_decay, loss_scale, start)

    def attributes(self) -> dict[str, Any]:
        return {"epsilon": 0.0}
