"""A few steps of every optimizer against its formulas in float64 and against PyTorch."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.dialects.job.update import updates

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, np.dtype[Any]]
State = dict[str, Array]
optimizer = flow.optimizer
SCHEDULE = optimizer.PolynomialScheduler(0.1, 10)
SHAPES = {"dense-weight": (3, 5), "dense-bias": (5,), "scale": ()}
STEPS = 6


def start(name: str) -> Array:
    return np.random.default_rng(len(name)).uniform(0.5, 2, SHAPES[name]).astype(np.float32)


def trained(chosen: Any, dtype: Any = flow.float32) -> tuple[dict[str, Array], list[State]]:
    """The variables after some steps with an optimizer, and the gradients of each step."""

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((7, 3), dtype=dtype)) -> tp.Numpy:  # type: ignore[valid-type]
        w, b, s = (flow.get_variable(n, shape, dtype=dtype, initializer=flow.ones_initializer())
                   for n, shape in SHAPES.items())  # fmt: skip
        for variable, name in ((w, "dense-weight"), (b, "dense-bias"), (s, "scale")):
            flow.watch_diff(variable, listener(name))
        loss = flow.math.tanh(flow.matmul(x, w) + b) * s
        chosen.minimize(loss)
        return loss

    found: list[State] = []

    def listener(name: str) -> Callable[[Any], None]:
        def heard(gradient: tp.Numpy) -> None:
            found[-1][name] = gradient.astype(np.float64) / 35

        return heard

    flow.load_variables({name: start(name).astype(dtype.numpy) for name in SHAPES})
    random = np.random.default_rng(1)
    for _ in range(STEPS):
        found.append({})
        train(random.standard_normal((7, 3)).astype(dtype.numpy))
    return {n: live.numpy() for n, live in flow.get_all_variables().items()}, found


Rule = Callable[[Array, Array, float, int, State], Array]


def adam(corrects: bool = False, decay: float = 0.0, epsilon: float = 1e-8) -> Rule:
    def step(w: Array, g: Array, rate: float, t: int, s: State) -> Array:
        s["m"] = 0.9 * s.get("m", 0 * w) + 0.1 * g
        s["v"] = 0.999 * s.get("v", 0 * w) + 0.001 * g * g
        if corrects:
            rate *= np.sqrt(1 - 0.999 ** (t + 1)) / (1 - 0.9 ** (t + 1))
        return w - rate * (s["m"] / (np.sqrt(s["v"]) + epsilon) + decay * w)

    return step


def rms_prop(w: Array, g: Array, rate: float, t: int, s: State) -> Array:
    s["mean_square"] = 0.9 * s.get("mean_square", 0 * w) + 0.1 * g * g
    return w - rate * g / np.sqrt(s["mean_square"] + 1e-3)


def centered(w: Array, g: Array, rate: float, t: int, s: State) -> Array:
    s["mean_square"] = 0.9 * s.get("mean_square", 0 * w) + 0.1 * g * g
    s["mean_gradient"] = 0.9 * s.get("mean_gradient", 0 * w) + 0.1 * g
    return w - rate * g / np.sqrt(s["mean_square"] - s["mean_gradient"] ** 2 + 1e-3)


def lamb(w: Array, g: Array, rate: float, t: int, s: State) -> Array:
    s["m"] = 0.9 * s.get("m", 0 * w) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0 * w) + 0.001 * g * g
    m, v = s["m"] / (1 - 0.9 ** (t + 1)), s["v"] / (1 - 0.999 ** (t + 1))
    d = m / np.sqrt(v + 1e-6)
    trust = np.sqrt((w * w).sum() / (d * d).sum())
    return w - rate * trust * (d + 0.01 * w)


def lars(w: Array, g: Array, rate: float, t: int, s: State) -> Array:
    size = np.sqrt((w * w).mean()) / (1e-9 + np.sqrt((g * g).mean()))
    s["momentum"] = 0.9 * s.get("momentum", 0 * w) - rate * 0.01 * size * g
    return w + s["momentum"]


CASES: dict[str, tuple[Callable[[], Any], Rule]] = {
    "adam": (lambda: optimizer.Adam(SCHEDULE), adam()),
    "adam corrected": (lambda: optimizer.Adam(SCHEDULE, do_bias_correction=True), adam(True)),
    "lazy adam": (lambda: optimizer.LazyAdam(SCHEDULE, epsilon=0.1), adam(True, epsilon=0.1)),
    "adamw": (
        lambda: optimizer.AdamW(SCHEDULE, do_bias_correction=True, weight_decay=0.5),
        adam(True, 0.5),
    ),
    "rms_prop": (lambda: optimizer.RMSProp(SCHEDULE, 0.9, 1e-3), rms_prop),
    "centered_rms_prop": (lambda: optimizer.RMSProp(SCHEDULE, 0.9, 1e-3, True), centered),
    "lamb": (lambda: optimizer.LAMB(SCHEDULE, weight_decay=0.01), lamb),
    "lars": (lambda: optimizer.LARS(SCHEDULE, lars_coefficient=0.01), lars),
}


@pytest.mark.parametrize("name", CASES)
def test_variables_and_state_follow_the_formulas(name: str) -> None:
    make, rule = CASES[name]
    got, gradients = trained(make())
    for variable in SHAPES:
        w, state = start(variable).astype(np.float64), {}
        for t, found in enumerate(gradients):
            w = rule(w, found[variable], SCHEDULE.learning_rate(t), t, state)
        # Six steps with about ten roundings each; the rate itself is a float32.
        np.testing.assert_allclose(got[variable], w, rtol=2e-5, atol=2e-6)
        for kept, value in state.items():
            np.testing.assert_allclose(got[f"{variable}-{kept}"], value, rtol=2e-5, atol=1e-7)


def test_every_update_op_is_tested() -> None:
    tried = {name.split()[0] for name in CASES} | {"sgd", "momentum"}
    assert {update.kind for update in updates()} <= tried


def test_f64_variables_have_f64_averages() -> None:
    got, gradients = trained(optimizer.Adam(SCHEDULE), flow.double)
    w, state, rule = start("scale").astype(np.float64), {}, adam()
    for t, found in enumerate(gradients):
        w = rule(w, found["scale"], float(np.float32(SCHEDULE.learning_rate(t))), t, state)
    np.testing.assert_allclose(got["scale"], w, rtol=1e-12)
    assert got["scale-v"].dtype == np.float64


def test_decay_applies_to_the_selected_variables() -> None:
    words = {"weight_decay": 0.5, "weight_decay_excludes": ["bias"]}
    got, gradients = trained(optimizer.AdamW(SCHEDULE, **words))
    for variable, decay in (("dense-weight", 0.5), ("dense-bias", 0.0)):
        w, state, rule = start(variable).astype(np.float64), {}, adam(decay=decay)
        for t, found in enumerate(gradients):
            w = rule(w, found[variable], SCHEDULE.learning_rate(t), t, state)
        np.testing.assert_allclose(got[variable], w, rtol=2e-5, atol=2e-6)


TORCH: dict[str, tuple[Callable[[], Any], Callable[[Any, Any], Any]]] = {
    "Adam": (
        lambda: optimizer.Adam(SCHEDULE, do_bias_correction=True, epsilon=1e-30),
        lambda torch, p: torch.optim.Adam(p, lr=1.0, eps=1e-30),
    ),
    "AdamW": (
        lambda: optimizer.AdamW(SCHEDULE, do_bias_correction=True, epsilon=1e-30, weight_decay=0.0),
        lambda torch, p: torch.optim.AdamW(p, lr=1.0, eps=1e-30, weight_decay=0.0),
    ),
    "SGD": (
        lambda: optimizer.SGD(optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0.9),
        lambda torch, p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    ),
}
"""With rates and epsilons for which both formulas are equal."""


@pytest.mark.parametrize("name", TORCH)
def test_torch_agrees(name: str) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = TORCH[name]
    chosen = ours()
    got, gradients = trained(chosen)
    for variable in SHAPES:
        parameter = torch.nn.Parameter(torch.tensor(start(variable).astype(np.float64)))
        result = theirs(torch, [parameter])
        for t, found in enumerate(gradients):
            if name != "SGD":
                result.param_groups[0]["lr"] = SCHEDULE.learning_rate(t)
            parameter.grad = torch.tensor(found[variable])
            result.step()
        np.testing.assert_allclose(got[variable], parameter.detach().numpy(), rtol=2e-5, atol=2e-6)


class TestDynamicLossScale:
    """Steps on `x * w`, whose gradient overflows where x is large."""

    NAME = "System-Train-DynamicLossScale-train"

    def job(self, **options: Any) -> Callable[[float], tuple[float, float, int]]:
        policy = optimizer.loss_scale.dynamic_loss_scale(**options)

        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:  # type: ignore[valid-type]
            loss = x * flow.get_variable("w", (1,), initializer=flow.ones_initializer())
            rate = optimizer.PiecewiseConstantScheduler([], [0.5])
            optimizer.Adam(rate, loss_scale_policy=policy).minimize(loss)
            return loss

        def step(x: float) -> tuple[float, float, int]:
            train(np.array([x], np.float32))
            values = flow.get_all_variables()
            names = ("w", f"{self.NAME}-LossScale", f"{self.NAME}-GoodStepCounter")
            w, scale, good = (values[name].numpy().item() for name in names)
            return w, scale, good

        return step

    def test_bad_steps_change_no_variable_and_lower_the_scale(self) -> None:
        step = self.job(initial_loss_scale=8.0, increment_period=2)
        first = step(1.0)
        assert first[1:] == (8.0, 1)
        for scale in (4.0, 2.0, 1.0, 1.0):
            before = flow.get_all_variables()["w-m"].numpy()
            assert step(np.inf) == (first[0], scale, 0)
            assert flow.get_all_variables()["w-m"].numpy() == before
        assert flow.get_all_variables()["System-Train-TrainStep-train"].numpy() == 5

    def test_good_steps_raise_the_loss_scale(self) -> None:
        step = self.job(initial_loss_scale=8.0, increment_period=2, multiplier=4.0)
        assert [step(1.0)[1:] for _ in range(4)] == [(8, 1), (32, 0), (32, 1), (128, 0)]

    def test_the_loss_scale_stays_finite_and_changes_no_result(self) -> None:
        step = self.job(initial_loss_scale=2.0**127, increment_period=1)
        w = [step(0.25) for _ in range(3)]
        assert w[-1][1] <= np.finfo(np.float32).max
        flow.clear_default_session()
        plain = self.job(initial_loss_scale=1.0, increment_period=1000)
        assert [one[0] for one in w] == [plain(0.25)[0] for _ in range(3)]

    def test_an_overflow_of_the_scaled_gradient_is_noticed(self) -> None:
        step = self.job(initial_loss_scale=2.0**127)
        assert step(16.0) == (1.0, 2.0**126, 0)


def test_a_learning_rate_computed_by_the_job() -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2,)), rate: tp.Numpy.Placeholder((1,))) -> None:  # type: ignore[valid-type]
        half = flow.math.multiply(rate, 0.5, name="half")
        loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        schedule = optimizer.CustomScheduler(half.unique_name)
        optimizer.SGD(schedule, momentum=0).minimize(loss)

    x = np.array([2, 4], np.float32)
    w = np.ones(2)
    for rate in (0.5, 0.25):
        train(x, np.array([rate], np.float32))
        w -= rate / 2 * x / 2
        np.testing.assert_allclose(flow.get_all_variables()["w"].numpy(), w)
