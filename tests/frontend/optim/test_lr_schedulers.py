"""Learning rates by step, against stated values and formulas."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow
from penstock.optim import lr_scheduler as schedules


def optimizer(*rates: float) -> Any:
    groups = [{"params": [flow.ones(2, requires_grad=True)], "lr": rate} for rate in rates]
    return flow.optim.SGD(groups)


def rates(make: Callable[[Any], Any], count: int = 8, first: float = 1.0) -> list[float]:
    sgd = optimizer(first)
    schedule = make(sgd)
    found = []
    for _ in range(count):
        assert schedule.get_last_lr() == [sgd.param_groups[0]["lr"]]
        found += schedule.get_last_lr()
        schedule.step()
    return found


def wave(step: float, steps: float) -> float:
    return (1 + math.cos(math.pi * step / steps)) / 2


CASES: dict[str, tuple[Callable[[Any], Any], Callable[[int], float]]] = {
    "StepLR": (lambda o: schedules.StepLR(o, 3, 0.5), lambda t: 0.5 ** (t // 3)),
    "MultiStepLR": (
        lambda o: schedules.MultiStepLR(o, [2, 5], 0.5),
        lambda t: 1.0 if t < 2 else 0.5 if t < 5 else 0.25,
    ),
    "ExponentialLR": (lambda o: schedules.ExponentialLR(o, 0.5), lambda t: 0.5**t),
    "LambdaLR": (lambda o: schedules.LambdaLR(o, lambda t: 1 / (1 + t)), lambda t: 1 / (1 + t)),
    "MultiplicativeLR": (
        lambda o: schedules.MultiplicativeLR(o, lambda t: 1 / (1 + t)),
        lambda t: 1 / math.factorial(1 + t),
    ),
    "LinearLR": (lambda o: schedules.LinearLR(o, 0.5, 1.0, 4), lambda t: 0.5 + 0.5 * min(t, 4) / 4),
    "ConstantLR": (lambda o: schedules.ConstantLR(o, 0.5, 4), lambda t: 0.5 if t < 4 else 1.0),
    "CosineAnnealingLR": (
        lambda o: schedules.CosineAnnealingLR(o, 4, 0.2),
        lambda t: 0.2 + 0.8 * wave(t, 4),
    ),
    "CosineDecayLR": (
        lambda o: schedules.CosineDecayLR(o, 4, 0.2),
        lambda t: 0.8 * wave(min(t, 4), 4) + 0.2,
    ),
    "PolynomialLR": (
        lambda o: schedules.PolynomialLR(o, 4, 0.2, 2.0),
        lambda t: 0.8 * (1 - min(t, 4) / 4) ** 2 + 0.2,
    ),
    "PolynomialLR in cycles": (
        lambda o: schedules.PolynomialLR(o, 4, 0.2, cycle=True),
        lambda t: 0.8 * (1 - max(t, 1) / (4 if t <= 4 else 8)) + 0.2,
    ),
    "restarts": (
        lambda o: schedules.CosineAnnealingWarmRestarts(o, 3, eta_min=0.2, decay_rate=0.5),
        lambda t: 0.2 + (0.5 ** (t // 3) - 0.2) * wave(t % 3, 3),
    ),
    "longer restarts": (
        lambda o: schedules.CosineAnnealingWarmRestarts(o, 1, 2, restart_limit=3),
        lambda t: wave(t, 1) if t < 1 else wave(t - 1, 2) if t < 3 else wave(t - 3, 4) * (t < 7),
    ),
    "constant warm-up": (
        lambda o: schedules.WarmupLR(o, 0.5, 3, "constant"),
        lambda t: 0.5 if t < 3 else 1.0,
    ),
    "warm-up of a schedule": (
        lambda o: schedules.WarmUpLR(schedules.CosineDecayLR(o, 5, 0.1), 0.5, 2),
        lambda t: (
            0.5 + (0.9 * wave(2, 5) + 0.1 - 0.5) * t / 2
            if t < 2
            else 0.9 * wave(min(t, 5), 5) + 0.1
        ),
    ),
    "warm-up before a schedule": (
        lambda o: schedules.WarmUpLR(
            schedules.LambdaLR(o, lambda t: 0.5**t), 0.5, 2, warmup_prefix=True
        ),
        lambda t: 0.5 + 0.25 * t if t < 2 else 0.5 ** (t - 2),
    ),
    "SequentialLR": (
        lambda o: schedules.SequentialLR(
            o, [schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.9)], [2]
        ),
        lambda t: 0.1 if t < 2 else 0.9**t,
    ),
    "ChainedScheduler": (
        lambda o: schedules.ChainedScheduler(
            [schedules.ConstantLR(o, 0.1, 2), schedules.MultiplicativeLR(o, lambda t: 0.9)]
        ),
        lambda t: (0.1 if t < 2 else 1.0) * 0.9**t,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rates_follow_the_formula(name: str) -> None:
    make, formula = CASES[name]
    assert rates(make) == pytest.approx([formula(t) for t in range(8)], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", CASES)
def test_a_round_trip_goes_on_alike(name: str) -> None:
    make, formula = CASES[name]
    first, second = optimizer(1.0), optimizer(1.0)
    one, two = make(first), make(second)
    for _ in range(3):
        one.step()
    two.load_state_dict(one.state_dict())
    second.load_state_dict(first.state_dict())
    assert two.get_last_lr() == one.get_last_lr()
    for t in range(4, 7):
        two.step()
        assert two.get_last_lr() == pytest.approx([formula(t)])


def test_each_group_has_a_rate_of_its_own() -> None:
    sgd = optimizer(1.0, 4.0)
    schedule = schedules.StepLR(sgd, 1, 0.5)
    schedule.step()
    assert [group["lr"] for group in sgd.param_groups] == [0.5, 2.0]
    other = schedules.LambdaLR(sgd, [lambda t: 1.0, lambda t: 0.5])
    assert other.get_last_lr() == [1.0, 2.0]


def test_going_on_needs_the_first_rate() -> None:
    sgd = optimizer(1.0)
    with pytest.raises(KeyError, match="needs the first rate of group 0"):
        schedules.StepLR(sgd, 1, last_step=3)
    schedules.StepLR(sgd, 1)
    assert schedules.StepLR(sgd, 2, 0.5, last_step=3).get_last_lr() == [0.25]


def test_callables_keep_their_fields() -> None:
    class Factor:
        def __init__(self, base: float) -> None:
            self.base = base

        def __call__(self, step: int) -> float:
            return self.base**step

    one, two = (schedules.LambdaLR(optimizer(1.0), Factor(base)) for base in (0.5, 0.25))
    assert one.state_dict()["lr_lambdas"] == [{"base": 0.5}]
    two.load_state_dict(one.state_dict())
    two.step()
    assert two.get_last_lr() == [0.5]


def test_verbose_prints_the_rates(capsys: pytest.CaptureFixture[str]) -> None:
    schedules.StepLR(optimizer(1.0), 1, verbose=True)
    assert capsys.readouterr().out == "step 0: the learning rate of group 0 is 1.0\n"


class TestPlateau:
    def rates(self, numbers: list[float], **options: Any) -> list[float]:
        sgd = optimizer(1.0)
        plateau = schedules.ReduceLROnPlateau(sgd, factor=0.5, **options)
        found = []
        for number in numbers:
            plateau.step(number)
            found.append(sgd.param_groups[0]["lr"])
        return found

    def test_the_rate_falls_after_the_patience(self) -> None:
        assert self.rates([3.0, 2.0, 2.0, 2.0, 1.0], patience=1) == [1.0, 1.0, 1.0, 0.5, 0.5]

    def test_mode_max(self) -> None:
        assert self.rates([1.0, 2.0, 2.0], patience=0, mode="max") == [1.0, 1.0, 0.5]

    @pytest.mark.parametrize("mode", ["min", "max"])
    def test_thresholds(self, mode: str) -> None:
        sign = 1 if mode == "max" else -1
        numbers = [10.0, 10.0 + sign * 0.9, 10.0 + sign * 1.1]
        for threshold_mode, threshold in (("abs", 1.0), ("rel", 0.1)):
            options = {"threshold": threshold, "threshold_mode": threshold_mode, "mode": mode}
            assert self.rates(numbers, patience=0, **options) == [1.0, 0.5, 0.5]

    def test_the_cooldown_does_not_count(self) -> None:
        assert self.rates([1.0] * 6, patience=0, cooldown=2) == [1.0, 0.5, 0.5, 0.5, 0.25, 0.25]

    def test_no_rate_falls_below_the_least(self) -> None:
        assert self.rates([1.0] * 4, patience=0, min_lr=0.3) == [1.0, 0.5, 0.3, 0.3]

    def test_nan_is_never_better(self) -> None:
        assert self.rates([math.nan, math.nan, 1.0], patience=0) == [0.5, 0.25, 0.25]

    def test_negative_numbers(self) -> None:
        # OneFlow's rule: a tenth better than -10 is below -9.
        assert self.rates([-10.0, -9.5, -8.5], patience=0, threshold=0.1) == [1.0, 1.0, 0.5]


ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda o: schedules.StepLR(1, 1), TypeError, "takes an optimizer of flow.optim, got 1"),
    (lambda o: schedules.StepLR(o, 0), ValueError, "step_size of StepLR must be at least 1"),
    (lambda o: schedules.MultiStepLR(o, [2, 2]), ValueError, r"must increase, got \[2, 2\]"),
    (lambda o: schedules.LambdaLR(o, [max, min]), ValueError, "a function, or 1 of them"),
    (lambda o: schedules.LambdaLR(o, 0.5), TypeError, "must be a function, got 0.5"),
    (lambda o: schedules.WarmupLR(o, warmup_method="cubic"), ValueError, 'got the string "cubic"'),
    (lambda o: schedules.WarmupLR(o, warmup_iters=0), ValueError, "must be at least 1"),
    (lambda o: schedules.WarmupLR(1), ValueError, "takes a schedule or an optimizer"),
    (lambda o: schedules.ChainedScheduler([]), ValueError, "a list of at least one schedule"),
    (
        lambda o: schedules.SequentialLR(o, [schedules.StepLR(o, 1)], [1]),
        ValueError,
        "of 1 schedules takes 0 milestones, got 1",
    ),
    (
        lambda o: schedules.SequentialLR(optimizer(1.0), [schedules.StepLR(o, 1)], []),
        ValueError,
        "schedules of the optimizer it is given",
    ),
    (lambda o: schedules.ReduceLROnPlateau(o, factor=1), ValueError, "must be below 1"),
    (lambda o: schedules.ReduceLROnPlateau(o, "least"), ValueError, '"min" or "max"'),
    (lambda o: schedules.LRScheduler(o), NotImplementedError, "must have a method get_lr"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_misuse_is_told(number: int) -> None:
    call, kind, text = ERRORS[number]
    with pytest.raises(kind, match=f"test_lr_schedulers.py:[0-9]+: .*{text}"):
        call(optimizer(1.0))
