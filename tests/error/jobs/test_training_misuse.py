"""Optimizers in the wrong place, or with invalid arguments."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Three: Any = tp.Numpy.Placeholder((3,))
optimizer = flow.optimizer
CONSTANT = optimizer.PiecewiseConstantScheduler([], [0.1])


def variable(name: str = "w", **named: Any) -> Any:
    return flow.get_variable(name, (3,), initializer=flow.ones_initializer(), **named)


def test_train_job_without_optimizer(refused: Refused) -> None:
    @flow.global_function(type="train")  # here
    def train(x: Three) -> tp.Numpy:
        return x * variable()

    with refused(ValueError, "train job 'train' has no optimizer", "minimize(loss) in its body"):
        train.trace()


def test_minimize_in_a_predict_job(refused: Refused) -> None:
    @flow.global_function(type="predict")
    def look(x: Three) -> tp.Numpy:
        loss = x * variable()
        optimizer.SGD(CONSTANT).minimize(loss)  # here
        return loss

    with refused(NotImplementedError, "SGD.minimize works in a train job", "look is a predict job"):
        look.trace()


def test_minimize_outside_a_job(refused: Refused) -> None:
    with refused(NotImplementedError, "SGD.minimize works inside the body of a job"):
        optimizer.SGD(CONSTANT).minimize(3)  # type: ignore[arg-type] # here


def test_minimize_twice(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = x * variable()
        optimizer.SGD(CONSTANT).minimize(loss)
        optimizer.SGD(CONSTANT).minimize(loss)  # here

    with refused(ValueError, "job 'train' minimizes already (tests/error/"):
        train.trace()


def test_minimize_without_variables(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        optimizer.SGD(CONSTANT).minimize(x * variable(trainable=False))  # here

    with refused(ValueError, "job 'train' has no trainable variable"):
        train.trace()


def test_minimize_a_number(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        variable()
        optimizer.SGD(CONSTANT).minimize(0.5)  # type: ignore[arg-type] # here

    with refused(TypeError, "SGD.minimize takes blobs, got 0.5"):
        train.trace()


def test_minimize_nothing(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        variable()
        optimizer.SGD(CONSTANT).minimize([])  # here

    with refused(ValueError, "expected at least one loss"):
        train.trace()


def test_minimize_no_elements(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = flow.slice_v2(x * variable(), [(1, 1, 1)], name="none")
        optimizer.SGD(CONSTANT).minimize(loss)  # here

    with refused(ValueError, "takes a loss of at least one element", "got loss none of shape (0,)"):
        train.trace()


def test_minimize_integers(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = flow.cast(x * variable(), flow.int32)
        optimizer.SGD(CONSTANT).minimize(loss)  # here

    with refused(ValueError, "expected losses of floats"):
        train.trace()


def test_losses_of_two_shapes(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = x * variable()
        optimizer.SGD(CONSTANT).minimize([loss, flow.math.reduce_sum(x * variable())])  # here

    with refused(ValueError, "losses of one shape and element type"):
        train.trace()


def test_loss_computed_from_another(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = flow.math.multiply(x, variable(), name="first")
        optimizer.SGD(CONSTANT).minimize([loss, flow.math.add(loss, 1, name="second")])  # here

    with refused(ValueError, "loss second, which is computed from loss first"):
        train.trace()


def test_loss_given_twice(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = x * variable()
        optimizer.SGD(CONSTANT).minimize([loss, loss])  # here

    with refused(ValueError, "SGD.minimize was given loss multiply twice"):
        train.trace()


def test_loss_of_no_variable(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        variable()
        optimizer.SGD(CONSTANT).minimize(x * 2)  # here

    with refused(ValueError, "got loss multiply, which depends on none", "job 'train' has w: comp"):
        train.trace()


def test_no_rate(refused: Refused) -> None:
    with refused(TypeError, "SGD takes a learning rate such as 0.1, or a schedule", "got None"):
        optimizer.SGD()  # here
    with refused(TypeError, "SGD takes a learning rate", 'got the string "fast"'):
        optimizer.SGD("fast")  # type: ignore[arg-type] # here
    with refused(TypeError, "Adam takes a schedule or lr, got both"):
        optimizer.Adam(0.1, lr=0.1)  # here
    with refused(ValueError, "the learning rate of SGD must be at least 0, got -1"):
        optimizer.SGD(-1)  # here


def test_variable_with_the_name_of_optimizer_state(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4,))) -> None:  # type: ignore[valid-type]
        ones = flow.ones_initializer()
        taken = flow.get_variable("w-m", (4,), initializer=ones)  # here
        optimizer.Adam(CONSTANT).minimize(x * taken * flow.get_variable("w", (4,), None, ones))

    with refused(ValueError, 'variable "w-m" is kept for the optimizer'):
        train.lower()


def test_negative_momentum(refused: Refused) -> None:
    with refused(ValueError, "momentum of SGD must be at least 0, got -0.9"):
        optimizer.SGD(CONSTANT, momentum=-0.9)  # here


def test_two_loss_scales(refused: Refused) -> None:
    policy = optimizer.loss_scale.static_loss_scale(2.0)
    with refused(ValueError, "loss_scale_factor or loss_scale_policy, got both"):
        optimizer.SGD(CONSTANT, loss_scale_factor=2.0, loss_scale_policy=policy)  # here


def test_a_loss_scale_beyond_the_type_of_the_loss(refused: Refused) -> None:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2,), dtype=flow.float16)) -> None:  # type: ignore[valid-type]
        loss = x * flow.get_variable("w", (2,), flow.float16, flow.ones_initializer())
        optimizer.SGD(CONSTANT, loss_scale_factor=2.0**20).minimize(loss)  # here

    said = "expected a loss_scale that a gradient of f16 can hold, at most 65504, got 1.04858e+06"
    with refused(ValueError, said):
        job(np.ones(2, np.float16))


def test_a_decreasing_dynamic_loss_scale(refused: Refused) -> None:
    with refused(ValueError, "multiplier of dynamic_loss_scale must be at least 1, got 0.5"):
        optimizer.loss_scale.dynamic_loss_scale(multiplier=0.5)  # here


def test_a_dynamic_loss_scale_for_no_steps(refused: Refused) -> None:
    with refused(ValueError, "increment_period of dynamic_loss_scale must be above 0, got 0"):
        optimizer.loss_scale.dynamic_loss_scale(increment_period=0)  # here


def test_an_average_that_never_moves(refused: Refused) -> None:
    with refused(ValueError, "beta1 of Adam must lie in [0, 1), got 1"):
        optimizer.Adam(CONSTANT, beta1=1)  # here


def test_conflicting_arguments(refused: Refused) -> None:
    with refused(ValueError, "AdamW takes weight_decay_includes or weight_decay_excludes"):
        optimizer.AdamW(  # here
            CONSTANT, weight_decay_includes=["a"], weight_decay_excludes=["b"]
        )


def test_a_bias_corrected_by_a_number(refused: Refused) -> None:
    with refused(TypeError, "do_bias_correction of Adam"):
        optimizer.Adam(CONSTANT, do_bias_correction=1)  # type: ignore[arg-type] # here


def test_a_custom_rate_that_is_no_blob(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2,))) -> None:  # type: ignore[valid-type]
        loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        schedule = optimizer.CustomScheduler("nowhere/out")
        optimizer.SGD(schedule).minimize(loss)  # here

    with refused(ValueError, "CustomScheduler names no blob of job 'train'", "'nowhere/out'"):
        train(np.ones(2, np.float32))


def test_a_custom_rate_of_many_numbers(refused: Refused) -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2,))) -> None:  # type: ignore[valid-type]
        loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        optimizer.SGD(optimizer.CustomScheduler(x.unique_name)).minimize(loss)  # here

    with refused(ValueError, "takes a blob of one float32, got blob x/out of tensor<2xf32>"):
        train(np.ones(2, np.float32))


def test_clipping_by_a_number(refused: Refused) -> None:
    with refused(TypeError, "takes flow.optimizer.grad_clipping.by_global_norm(norm), got 1.0"):
        optimizer.SGD(CONSTANT, grad_clipping=1.0)  # type: ignore[arg-type] # here


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: optimizer.grad_clipping.by_global_norm(0),  # here
         "clip_norm of by_global_norm must be above 0"),
        (lambda: optimizer.grad_clipping.by_global_norm(np.inf),  # here
         "clip_norm of by_global_norm must be finite, got inf"),
        (lambda: optimizer.loss_scale.static_loss_scale(np.inf),  # here
         "loss_scale_factor of static_loss_scale must be finite, got inf"),
        (lambda: optimizer.Adam(CONSTANT, epsilon=np.nan),  # here
         "epsilon of Adam must be finite, got nan"),
        (lambda: optimizer.PolynomialScheduler(0.1, 10, power=-1),  # here
         "power of PolynomialScheduler must be at least 0, got -1"),
        (lambda: optimizer.ExponentialScheduler(0.1, 10, -0.5),  # here
         "decay_rate of ExponentialScheduler must be at least 0, got -0.5"),
        (lambda: CONSTANT.learning_rate(-1),  # here
         "step of learning_rate must be at least 0, got -1"),
    ],
)  # fmt: skip
def test_numbers_out_of_range(make: Callable[[], object], said: str, refused: Refused) -> None:
    with refused(ValueError, said):
        make()


def test_step_by_name(refused: Refused) -> None:
    with refused(NotImplementedError, "train_step_lbn of SGD is not available"):
        optimizer.SGD(CONSTANT, train_step_lbn="step/out")  # here


def test_weight_decay_with_includes_and_excludes(refused: Refused) -> None:
    with refused(ValueError, "weight_decay_includes or weight_decay_excludes, got both"):
        optimizer.SGDW(CONSTANT, weight_decay_includes=["a"], weight_decay_excludes=["b"])  # here


def test_weight_decay_pattern_that_matches_no_variable(caplog: Any) -> None:
    @flow.global_function(type="train")
    def train(x: Three) -> None:
        loss = x * variable("gain") * variable("fixed", trainable=False)
        optimizer.SGDW(CONSTANT, weight_decay=0.1, weight_decay_excludes=["ga", "fix"]).minimize(
            loss
        )

    train.trace()
    (line,) = caplog.messages
    assert 'weight_decay_excludes of SGDW has "fix", which occurs in no name' in line
    assert line.endswith("of job 'train': these are gain")
