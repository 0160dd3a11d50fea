"""`flow.nn.optimizer`: modules from which OneFlow's programs import what `flow.optim` has.

`from penstock.nn.optimizer.step_lr import StepLR` works.
"""

from penstock.basics.elsewhere import modules_elsewhere

__path__: list[str] = []
"""It has no other modules than these."""

_OPTIMIZERS = "adadelta", "adagrad", "adam", "adamw", "lamb", "lbfgs", "rmsprop", "sgd"
_SCHEDULES = (
    "chained_scheduler", "constant_lr", "cosine_annealing_lr", "cosine_annealing_warm_restarts",
    "cosine_decay_lr", "exponential_lr", "lambda_lr", "linear_lr", "lr_scheduler",
    "multiplicative_lr", "multistep_lr", "polynomial_lr", "reduce_lr_on_plateau", "sequential_lr",
    "step_lr", "warmup_lr",
)  # fmt: skip

globals().update(
    modules_elsewhere(
        __name__,
        {name: ["penstock.optim"] for name in _OPTIMIZERS}
        | {name: ["penstock.optim.lr_scheduler"] for name in _SCHEDULES}
        | {"swa_utils": ["penstock.optim.swa_utils"]},
    )
)
