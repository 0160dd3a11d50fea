"""`flow.optim.swa_utils`: the average of a model's weights over the end of its training.

Source: Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization", 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from math import cos, pi
from typing import Any

from penstock.basics.checks import check_number, is_integer
from penstock.basics.errors import kind_of, located
from penstock.nn.modules.module import Module
from penstock.nn.modules.norms import BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm
from penstock.optim.optimizer import Optimizer
from penstock.optim.schedules import LRScheduler
from penstock.tensors.creation import ones_like, tensor, zeros_like
from penstock.tensors.inplace import assign
from penstock.tensors.modes import no_grad
from penstock.tensors.tensor import Tensor

__all__ = ["SWALR", "AveragedModel", "update_bn"]


def _mean(averaged: Tensor, parameter: Tensor, count: Tensor) -> Tensor:
    return averaged + (parameter - averaged) / (count + 1)  # type: ignore[operator, no-any-return]


class AveragedModel(Module):
    """A copy of a model, `module`, whose parameters are averages of the model's.

    `update_parameters(model)` takes the model's current parameters into the average. The average
    is the mean, or `avg_fn(averaged, parameter, count)` after `count` updates. Buffers are copied,
    or with `use_buffers` averaged too.

    >>> import penstock as flow
    >>> model = flow.nn.Linear(1, 1, bias=False)
    >>> averaged = flow.optim.swa_utils.AveragedModel(model)
    >>> for weight in (1.0, 2.0):
    ...     _ = model.load_state_dict({"weight": flow.tensor([[weight]])})
    ...     averaged.update_parameters(model)
    >>> averaged.module.weight.item(), averaged.n_averaged.item()
    (1.5, 2)
    """

    def __init__(
        self, model: Module, device: Any = None,
        avg_fn: Callable[[Tensor, Tensor, Tensor], Any] | None = None, use_buffers: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        if not isinstance(model, Module):
            raise located(TypeError, f"AveragedModel takes a module, got {kind_of(model)}")
        self.module = deepcopy(model) if device is None else deepcopy(model).to(device)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn = _mean if avg_fn is None else avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **named: Any) -> Any:
        return self.module(*args, **named)

    def update_parameters(self, model: Module) -> None:
        """Take the parameters of `model`, which has the same structure, into the average."""
        count: Any = self.n_averaged
        with no_grad():
            for mine, given in zip(self.module.parameters(), model.parameters(), strict=True):
                self._average(mine, given, count)
            for buffer, other in zip(self.module.buffers(), model.buffers(), strict=True):
                if self.use_buffers:
                    self._average(buffer, other, count)
                else:
                    assign(buffer, other.detach(), "update_parameters")
            count.add_(1)

    def _average(self, mine: Any, given: Tensor, count: Tensor) -> None:
        first = count.item() == 0
        made = given.detach() if first else self.avg_fn(mine.detach(), given.detach(), count)
        mine.copy_(made.to(mine.dtype))


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Let each batch normalization of the model learn its statistics anew, in one pass over data.

    A batch is a tensor, or a list or tuple that starts with one.
    """
    kinds = (BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm)
    norms: list[Any] = [one for one in model.modules() if isinstance(one, kinds)]
    if not norms:
        return
    momenta = [norm.momentum for norm in norms]
    trained = model.training
    with no_grad():
        for norm in norms:
            norm.running_mean = zeros_like(norm.running_mean)
            norm.running_var = ones_like(norm.running_var)
            norm.num_batches_tracked = zeros_like(norm.num_batches_tracked)
            norm.momentum = None
        model.train()
        try:
            for batch in loader:
                model(batch[0] if isinstance(batch, list | tuple) else batch)
        finally:
            for norm, momentum in zip(norms, momenta, strict=True):
                norm.momentum = momentum
            model.train(trained)


class SWALR(LRScheduler):
    """Anneal the rate of each group to `swa_lr` in `anneal_epochs` steps, then keep it.

    `swa_lr` is one number, or one for each group. `anneal_strategy` is "cos" or "linear". Other
    schedules may run before: each step starts from the current rate.

    >>> import penstock as flow
    >>> sgd = flow.optim.SGD([flow.ones(2, requires_grad=True)], lr=1.0)
    >>> schedule = flow.optim.swa_utils.SWALR(sgd, 0.5, 2, "linear")
    >>> schedule.step()
    >>> schedule.get_last_lr()
    [0.75]
    """

    def __init__(
        self, optimizer: Optimizer, swa_lr: Any, anneal_epochs: int = 10,
        anneal_strategy: str = "cos", last_epoch: int = -1,
    ) -> None:  # fmt: skip
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, list | tuple) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise located(
                ValueError,
                f"swa_lr must have a rate for each of the {len(groups)} groups, got {len(rates)}",
            )
        if anneal_strategy not in ("cos", "linear"):
            raise located(
                ValueError,
                f'anneal_strategy must be "cos" or "linear", got {kind_of(anneal_strategy)}',
            )
        if not is_integer(anneal_epochs) or anneal_epochs < 0:
            raise located(
                ValueError,
                f"anneal_epochs must be an int of at least 0, got {kind_of(anneal_epochs)}",
            )
        for rate, group in zip(rates, groups, strict=True):
            group["swa_lr"] = check_number(rate, "swa_lr")
        self.anneal_epochs = anneal_epochs
        self.anneal_strategy = anneal_strategy
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        """The share of `swa_lr` in the rate of a step."""
        t = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return t if self.anneal_strategy == "linear" else (1 - cos(pi * t)) / 2

    def step(self) -> None:
        """Set the rates of the next step, from the current ones."""
        self.last_step += 1
        step = max(1, self.last_step) if self.anneal_epochs == 0 else self.last_step
        before, share = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            wanted = float(group["swa_lr"])
            start = wanted if before == 1 else (group["lr"] - before * wanted) / (1 - before)
            rates.append(wanted * share + start * (1 - share))
        self.update_lrs(rates)
