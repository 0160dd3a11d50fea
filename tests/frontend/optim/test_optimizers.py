"""Optimizers follow their formulas, which NumPy computes in float64."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.optim import updates

Array = np.ndarray[Any, Any]
State = dict[str, Array]
Rule = Callable[[Array, Array, int, State], Array]

STEPS = 5
SHAPES = [(3,), (2, 3)]


def start(number: int) -> Array:
    return np.random.default_rng(number).normal(size=SHAPES[number])


def gradients(number: int) -> list[Array]:
    draw = np.random.default_rng(100 + number)
    return [draw.normal(size=SHAPES[number]) for _ in range(STEPS)]


def rate(t: int) -> float:
    """A learning rate that changes from step to step."""
    return 0.1 * (1 + t)


def run(make: Callable[[Any], Any], dtype: Any = None) -> tuple[list[Any], Any]:
    """The parameters after some steps, and the optimizer."""
    dtype = dtype or flow.float64
    parameters = [
        flow.tensor(start(i), dtype=dtype, requires_grad=True) for i in range(len(SHAPES))
    ]
    optimizer = make(parameters)
    for t in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate(t)
        for i, parameter in enumerate(parameters):
            parameter.grad = flow.tensor(gradients(i)[t], dtype=dtype)
        optimizer.step()
    return parameters, optimizer


def sgd(decay: float = 0.0, sign: float = 1.0) -> Rule:
    return lambda x, g, t, s: x - rate(t) * (sign * g + decay * x)


def momentum(beta: float, damp: float = 0.0, nesterov: bool = False, sign: float = 1.0) -> Rule:
    def step(x: Array, g: Array, t: int, s: State) -> Array:
        g = sign * g
        s["momentum"] = beta * s.get("momentum", 0 * x) + (1 - damp) * g
        return x - rate(t) * (g + beta * s["momentum"] if nesterov else s["momentum"])

    return step


def adam(l2: float = 0.0, decay: float = 0.0, corrects: bool = True, largest: bool = False) -> Rule:
    def step(x: Array, g: Array, t: int, s: State) -> Array:
        g = g + l2 * x
        s["m"] = 0.8 * s.get("m", 0 * x) + 0.2 * g
        s["v"] = 0.9 * s.get("v", 0 * x) + 0.1 * g * g
        v = s["v"]
        if largest:
            v = s["max_v"] = np.maximum(s.get("max_v", 0 * x), v)
        weight1, weight2 = (1 - b ** (t + 1) if corrects else 1 for b in (0.8, 0.9))
        return x - rate(t) * (s["m"] / weight1 / (np.sqrt(v / weight2) + 1e-3) + decay * x)

    return step


def lamb(x: Array, g: Array, t: int, s: State) -> Array:
    s["m"] = 0.8 * s.get("m", 0 * x) + 0.2 * g
    s["v"] = 0.9 * s.get("v", 0 * x) + 0.1 * g * g
    d = s["m"] / (1 - 0.8 ** (t + 1)) / (np.sqrt(s["v"] / (1 - 0.9 ** (t + 1))) + 1e-3)
    trust = np.sqrt((x * x).sum() / (d * d).sum())
    return x - rate(t) * trust * (d + 0.01 * x)


def adagrad(x: Array, g: Array, t: int, s: State) -> Array:
    g = g + 0.1 * x
    s["sum"] = s.get("sum", 0 * x + 0.5) + g * g
    return x - rate(t) / (1 + t * 0.25) * g / (np.sqrt(s["sum"]) + 1e-10)


def adadelta(x: Array, g: Array, t: int, s: State) -> Array:
    g = -g + 0.1 * x
    s["square_avg"] = 0.8 * s.get("square_avg", 0 * x) + 0.2 * g * g
    u = s.get("acc_delta", 0 * x)
    d = g * np.sqrt(u + 1e-3) / np.sqrt(s["square_avg"] + 1e-3)
    s["acc_delta"] = 0.8 * u + 0.2 * d * d
    return x - rate(t) * d


def rms_prop(centred: bool) -> Rule:
    def step(x: Array, g: Array, t: int, s: State) -> Array:
        s["mean_square"] = 0.9 * s.get("mean_square", 0 * x) + 0.1 * g * g
        spread = s["mean_square"]
        if centred:
            s["mean_gradient"] = 0.9 * s.get("mean_gradient", 0 * x) + 0.1 * g
            spread = spread - s["mean_gradient"] ** 2
        return x - rate(t) * g / np.sqrt(spread + 1e-3)

    return step


OPTIM = flow.optim
ADAM = {"betas": (0.8, 0.9), "eps": 1e-3}
CASES: dict[str, tuple[Callable[[Any], Any], Rule]] = {
    "sgd": (lambda p: OPTIM.SGD(p, weight_decay=0.25), sgd(0.25)),
    "sgd up": (lambda p: OPTIM.SGD(p, weight_decay=0.25, maximize=True), sgd(0.25, -1.0)),
    "momentum": (lambda p: OPTIM.SGD(p, momentum=0.5, dampening=0.25), momentum(0.5, 0.25)),
    "nesterov": (
        lambda p: OPTIM.SGD(p, momentum=0.5, nesterov=True, maximize=True),
        momentum(0.5, 0.0, True, -1.0),
    ),
    "nesterov without momentum": (lambda p: OPTIM.SGD(p, nesterov=True), sgd()),
    "damped nesterov": (
        lambda p: OPTIM.SGD(p, momentum=0.5, dampening=0.25, nesterov=True),
        momentum(0.5, 0.25, True),
    ),
    "adam": (lambda p: OPTIM.Adam(p, weight_decay=0.1, **ADAM), adam(0.1)),
    "adam as in jobs": (lambda p: OPTIM.Adam(p, do_bias_correction=False, **ADAM),
                        adam(corrects=False)),
    "adamw": (lambda p: OPTIM.AdamW(p, weight_decay=0.1, **ADAM), adam(decay=0.1)),
    "amsgrad": (lambda p: OPTIM.AdamW(p, weight_decay=0.1, amsgrad=True, **ADAM),
                adam(decay=0.1, largest=True)),
    "lamb": (lambda p: OPTIM.LAMB(p, weight_decay=0.01, **ADAM), lamb),
    "adagrad": (
        lambda p: OPTIM.Adagrad(
            p, lr_decay=0.25, weight_decay=0.1, initial_accumulator_value=0.5
        ),
        adagrad,
    ),
    "adadelta": (
        lambda p: OPTIM.Adadelta(p, rho=0.8, eps=1e-3, weight_decay=0.1, maximize=True), adadelta
    ),
    "rms_prop": (lambda p: OPTIM.RMSprop(p, alpha=0.9, eps=1e-3), rms_prop(False)),
    "centred": (lambda p: OPTIM.RMSprop(p, alpha=0.9, eps=1e-3, centered=True), rms_prop(True)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_parameters_and_state_follow_the_formulas(name: str) -> None:
    make, rule = CASES[name]
    parameters, optimizer = run(make)
    for i, parameter in enumerate(parameters):
        x, state = start(i), {}
        for t, gradient in enumerate(gradients(i)):
            x = rule(x, gradient, t, state)
        np.testing.assert_allclose(parameter.numpy(), x, rtol=1e-12)
        assert set(optimizer.state[parameter]) == set(state)
        for kept, value in state.items():
            got = optimizer.state[parameter][kept].numpy()
            np.testing.assert_allclose(got, value, rtol=1e-12)
        assert parameter.requires_grad
        assert parameter.is_leaf


def test_a_step_is_one_kernel_for_all_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    known = updates._Step.run

    def counted(step: Any, read: Any, written: Any, are_apart: bool) -> Any:
        calls.append(len(read) + len(written))
        return known(step, read, written, are_apart)

    run(CASES["adamw"][0])
    monkeypatch.setattr(updates._Step, "run", counted)
    run(CASES["adamw"][0])
    # The rate and two weights; of each parameter itself, its gradient, m and v.
    assert calls == [3 + 2 * 4] * STEPS


def test_an_eager_step_has_the_bits_of_a_job() -> None:
    import penstock.typing as tp

    x, g = (np.random.default_rng(i).normal(size=(2, 3)).astype(np.float32) for i in range(2))

    @flow.global_function(type="train")
    def train(g: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:  # type: ignore[valid-type]
        w = flow.get_variable("w", (2, 3), initializer=flow.zeros_initializer())
        loss = flow.math.reduce_sum(w * g)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.3])
        flow.optimizer.Adam(rate).minimize(loss)
        return loss

    flow.load_variables({"w": x})
    parameter = flow.tensor(x, requires_grad=True)
    adam = flow.optim.Adam([parameter], lr=0.3, do_bias_correction=False)
    for _ in range(3):
        train(g)
        parameter.grad = flow.tensor(g)
        adam.step()
    assert np.array_equal(parameter.numpy(), flow.get_all_variables()["w"].numpy())


class TestSteps:
    def test_parameters_without_gradient_are_left_alone(self) -> None:
        x, y = (flow.ones(2, requires_grad=True) for _ in range(2))
        x.grad = flow.ones(2)
        optimizer = flow.optim.SGD([x, y], lr=0.5)
        optimizer.step()
        assert (x.tolist(), y.tolist()) == ([0.5, 0.5], [1.0, 1.0])
        optimizer.zero_grad(set_to_none=True)
        optimizer.step()
        assert x.tolist() == [0.5, 0.5]

    def test_views_of_a_parameter_see_the_step(self) -> None:
        x = flow.ones(2, requires_grad=True)
        seen = x.detach()
        x.grad = flow.ones(2)
        flow.optim.SGD([x], lr=0.5).step()
        assert seen.tolist() == [0.5, 0.5]

    def test_backward_through_a_changed_parameter_is_an_error(self) -> None:
        x = flow.ones(2, requires_grad=True)
        y = (x * x).sum()
        x.grad = flow.ones(2)
        flow.optim.SGD([x], lr=0.5).step()
        with pytest.raises(RuntimeError, match="changed in place since, by .*test_optimizers"):
            y.backward()

    def test_groups_have_options_of_their_own(self) -> None:
        x, y = (flow.ones(2, requires_grad=True) for _ in range(2))
        optimizer = flow.optim.SGD([{"params": [x]}, {"params": [y], "lr": 0.25}], lr=0.5)
        x.grad, y.grad = flow.ones(2), flow.ones(2)
        optimizer.step()
        assert (x.tolist(), y.tolist()) == ([0.5, 0.5], [0.75, 0.75])
        assert optimizer.param_groups[1].parameters[0] is y

    def test_parameters_and_state_are_updated_in_place(self) -> None:
        x, y = flow.ones(700, 1000, requires_grad=True), flow.ones(2, requires_grad=True)
        optimizer = flow.optim.Adam([x, y])
        x.grad, y.grad = flow.ones(700, 1000), flow.ones(2)
        optimizer.step()
        kept = [x, *optimizer.state[x].values(), y, *optimizer.state[y].values()]
        arrays = [(tensor.array, tensor.array.copy()) for tensor in kept]
        tracemalloc.start()
        optimizer.step()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100_000
        for tensor, (array, before) in zip(kept, arrays, strict=True):
            assert tensor.array is array
            assert not np.array_equal(array, before)

    def test_parameters_that_overlap_are_updated_one_after_another(self) -> None:
        whole = flow.arange(8, dtype=flow.float32)
        x, y = whole[:5].detach(), whole[3:].detach()
        x.requires_grad = y.requires_grad = True
        # The gradient of one is the other one's elements, from before the step.
        x.grad, y.grad = whole[3:], whole[:5]
        flow.optim.SGD([x, y], lr=0.5).step()
        old = np.arange(8, dtype=np.float32)
        wanted = old.copy()
        wanted[:5] -= 0.5 * old[3:]
        wanted[3:] -= 0.5 * old[:5]
        assert whole.tolist() == wanted.tolist()

    @pytest.mark.parametrize("kind", [flow.optim.SGD, flow.optim.Adam, flow.optim.RMSprop])
    def test_overlapping_views_of_any_layout_are_those_of_single_optimizers(
        self, kind: Callable[..., Any]
    ) -> None:
        def after(steps: Callable[[list[Any]], list[Any]]) -> list[float]:
            whole = flow.arange(12, dtype=flow.float32)
            views = [whole[:8], whole[2:], whole.reshape(3, 4).t(), whole.reshape(3, 4)[:, 1:]]
            parameters = [view.detach().requires_grad_() for view in views]
            for optimizer in (made := steps(parameters)) + made:
                for i, parameter in enumerate(parameters):
                    parameter.grad = flow.full(parameter.shape, i + 1.0)
                optimizer.step()
            return whole.tolist()

        together = after(lambda parameters: [kind(parameters, lr=0.1)])
        assert together == after(lambda parameters: [kind([one], lr=0.1) for one in parameters])

    def test_arrays_of_any_layout_are_updated(self) -> None:
        def parameters(make: Callable[[Array], Array]) -> list[Any]:
            made = []
            for i in range(len(SHAPES)):
                x = flow.from_numpy(make(start(i)))
                x.requires_grad = True
                x.grad = flow.from_numpy(make(gradients(i)[0]))
                made.append(x)
            return made

        def unaligned(array: Array) -> Array:
            room = np.empty(array.nbytes + 64, np.uint8)
            start = (8 - room.ctypes.data) % 16
            made = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
            made[...] = array
            return made

        def strided(array: Array) -> Array:
            return np.repeat(array, 2, axis=-1)[..., ::2]

        expected = parameters(np.copy)
        flow.optim.AdamW(expected, lr=0.5).step()
        for make in (np.asfortranarray, strided, unaligned):
            got = parameters(make)
            arrays = [x.array for x in got]
            flow.optim.AdamW(got, lr=0.5).step()
            for x, array, wanted in zip(got, arrays, expected, strict=True):
                assert x.array is array
                assert x.tolist() == wanted.tolist()

    def test_a_read_only_parameter_is_refused_before_any_change(self) -> None:
        frozen = np.ones(2, np.float32)
        frozen.flags.writeable = False
        x, y = flow.ones(2, requires_grad=True), flow.from_numpy(frozen)
        y.requires_grad = True
        x.grad, y.grad = flow.ones(2), flow.ones(2)
        with pytest.raises(RuntimeError, match="an optimizer cannot change a tensor of shape"):
            flow.optim.SGD([x, y], lr=0.5).step()
        assert x.tolist() == [1.0, 1.0]

    def test_a_broadcast_parameter_is_refused(self) -> None:
        x = flow.ones(1).expand(3).detach().requires_grad_()
        x.grad = flow.tensor([1.0, 2.0, 3.0])
        with pytest.raises(RuntimeError, match="holds each element several times"):
            flow.optim.SGD([x], lr=0.5).step()
        assert x.tolist() == [1.0, 1.0, 1.0]

    def test_a_group_may_mix_types(self) -> None:
        found = []
        for types in ([flow.float64, flow.float32, flow.bfloat16], [flow.float32]):
            mixed = [flow.ones(3, dtype=dtype, requires_grad=True) for dtype in types]
            for one in mixed:
                one.grad = flow.full((3,), 0.7, dtype=one.dtype)
            flow.optim.SGD(mixed, lr=0.1).step()
            found.append({one.dtype: one.float().tolist() for one in mixed})
            if types[0] is flow.float64:
                assert mixed[0].tolist() == [1 - 0.1 * 0.7] * 3
        assert found[0][flow.float32] == found[1][flow.float32]

    @pytest.mark.parametrize("changed", ["gradient", "momentum"])
    def test_what_is_unlike_the_parameter_is_told(self, changed: str) -> None:
        x = flow.ones(3, requires_grad=True)
        sgd = flow.optim.SGD([x], lr=0.5, momentum=0.5)
        x.grad = flow.ones(3)
        sgd.step()
        if changed == "momentum":
            x.data, x.grad = flow.ones(3, dtype=flow.float64), None
            x.grad = flow.ones(3, dtype=flow.float64)
        else:
            x.data = flow.ones(4)
        with pytest.raises(ValueError, match=rf"test_optimizers\.py:\d+: .* needs a {changed} of"):
            sgd.step()
        assert sgd.state["step"] == 1

    def test_zero_grad_keeps_the_gradient_and_clears_it(self) -> None:
        x = flow.ones(2, requires_grad=True)
        (x * x).sum().backward()
        gradient = x.grad
        flow.optim.SGD([x]).zero_grad()
        assert x.grad is gradient
        assert gradient is not None
        assert gradient.tolist() == [0.0, 0.0]

    def test_zero_grad_leaves_a_graph_behind(self) -> None:
        x = flow.ones(2, requires_grad=True)
        (x * x * x).sum().backward(create_graph=True)
        flow.optim.SGD([x]).zero_grad()
        assert x.grad is not None
        assert not x.grad.requires_grad

    def test_a_closure_computes_the_gradients(self) -> None:
        x = flow.ones(2, requires_grad=True)
        optimizer = flow.optim.SGD([x], lr=0.25)

        def loss() -> Any:
            optimizer.zero_grad()
            made = (x * x).sum()
            made.backward()
            return made

        with flow.no_grad():
            assert optimizer.step(loss).item() == 2.0
        assert x.tolist() == [0.5, 0.5]


class TestState:
    def test_a_round_trip_goes_on_alike(self) -> None:
        def steps(optimizer: Any, parameter: Any, of: range) -> None:
            for t in of:
                parameter.grad = flow.tensor(gradients(0)[t])
                optimizer.step()

        x = flow.tensor(start(0), requires_grad=True)
        optimizer = flow.optim.Adam([x], lr=0.1)
        steps(optimizer, x, range(2))
        y = flow.tensor(x.numpy().copy(), requires_grad=True)
        other = flow.optim.Adam([y], lr=1.0)
        other.load_state_dict(optimizer.state_dict())
        assert optimizer.state_dict()["param_groups"][0]["params"] == [0]
        steps(optimizer, x, range(2, STEPS))
        steps(other, y, range(2, STEPS))
        assert x.tolist() == y.tolist()
        assert other.state["step"] == STEPS

    def test_what_was_loaded_is_a_copy(self) -> None:
        x, y = (flow.ones(2, requires_grad=True) for _ in range(2))
        one, two = flow.optim.SGD([x], momentum=0.5), flow.optim.SGD([y], momentum=0.5)
        x.grad = flow.ones(2)
        one.step()
        two.load_state_dict(one.state_dict())
        one.step()
        assert two.state[y]["momentum"].tolist() == [1.0, 1.0]

    def test_groups_must_fit(self) -> None:
        x, y = (flow.ones(2, requires_grad=True) for _ in range(2))
        state = flow.optim.SGD([x]).state_dict()
        with pytest.raises(ValueError, match=r"expected groups of \[2\] parameters, got \[1\]"):
            flow.optim.SGD([x, y]).load_state_dict(state)


@pytest.mark.parametrize(("order", "norm"), [(2.0, 13.0), (1.0, 19.0), (np.inf, 12.0)])
def test_clipping_is_by_the_norm_of_all_gradients(order: float, norm: float) -> None:
    x, y = (flow.ones(2, requires_grad=True) for _ in range(2))
    x.grad, y.grad = flow.tensor([3.0, -4.0]), flow.tensor([12.0, 0.0])
    group = {"params": [x, y], "clip_grad_max_norm": 1.0, "clip_grad_norm_type": order}
    flow.optim.SGD([group]).clip_grad()
    np.testing.assert_allclose(x.grad.numpy(), np.array([3.0, -4.0]) / norm, rtol=1e-5)
    np.testing.assert_allclose(y.grad.numpy(), np.array([12.0, 0.0]) / norm, rtol=1e-5)


def test_the_limit_of_a_float64_gradient_is_not_rounded() -> None:
    x = flow.ones(2, dtype=flow.float64, requires_grad=True)
    x.grad = flow.tensor([3.0, 4.0], dtype=flow.float64)
    flow.nn.utils.clip_grad_norm_([x], 0.1)
    assert np.allclose(x.grad.numpy(), np.array([3.0, 4.0]) * (0.1 / (5 + 1e-6)), rtol=1e-14)


def test_small_gradients_are_not_clipped() -> None:
    x = flow.ones(2, requires_grad=True)
    x.grad = flow.tensor([0.3, 0.4])
    group = {"params": [x], "clip_grad_max_norm": 1.0, "clip_grad_norm_type": 2.0}
    flow.optim.SGD([group]).clip_grad()
    assert x.grad.numpy().tolist() == np.array([0.3, 0.4], np.float32).tolist()


ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda x: OPTIM.SGD(x), TypeError, r"a list or iterator .* got a Tensor; use \[x\]"),
    (lambda x: OPTIM.SGD([x, x]), ValueError, "a parameter twice"),
    (lambda x: OPTIM.SGD([1]), TypeError, "the parameters of SGD are tensors, got 1"),
    (lambda x: OPTIM.SGD([x * 2]), ValueError, "updates leaf tensors"),
    (lambda x: OPTIM.SGD([x], lr=-1.0), ValueError, "lr of SGD must be at least 0, got -1.0"),
    (lambda x: OPTIM.Adam([x], betas=(0.9, 1.0)), ValueError, r"betas\[1\] of Adam must lie in"),
    (lambda x: OPTIM.Adam([x], betas=0.9), TypeError, "must be two numbers, got 0.9"),
    (lambda x: OPTIM.RMSprop([x], momentum=0.5), NotImplementedError, "has no momentum"),
    (lambda x: OPTIM.LAMB([x], amsgrad=True), NotImplementedError, "LAMB has no amsgrad"),
    (lambda x: OPTIM.SGD([{"lr": 1.0}]), TypeError, 'must be a dict with "params"'),
    (lambda x: OPTIM.SGD([x]).load_state_dict({}), ValueError, 'with "state" and'),
    (lambda x: OPTIM.Optimizer([x], {}).step(), NotImplementedError, "must have a method step"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_misuse_is_told(number: int) -> None:
    call, kind, text = ERRORS[number]
    with pytest.raises(kind, match=f"test_optimizers.py:[0-9]+: .*{text}"):
        call(flow.ones(2, requires_grad=True))


TORCH = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
    "Adam": {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True},
    "AdamW": {"lr": 0.1, "weight_decay": 0.1},
    "Adagrad": {"lr": 0.1, "lr_decay": 0.1},
    "Adadelta": {"lr": 1.0},
}


@pytest.mark.parametrize("name", TORCH)
def test_torch_agrees(name: str) -> None:
    torch = pytest.importorskip("torch")
    options = TORCH[name]
    ours = flow.tensor(start(1), requires_grad=True)
    theirs = torch.tensor(start(1), requires_grad=True)
    one, other = (
        getattr(optim, name)([x], **options)
        for optim, x in ((flow.optim, ours), (torch.optim, theirs))
    )
    for gradient in gradients(1):
        ours.grad, theirs.grad = flow.tensor(gradient), torch.tensor(gradient)
        one.step()
        other.step()
    np.testing.assert_allclose(ours.numpy(), theirs.detach().numpy(), rtol=1e-12)


def test_without_parameters_a_step_does_nothing() -> None:
    x = flow.ones(2, requires_grad=True)
    for kind in (OPTIM.SGD, OPTIM.Adam):
        optimizer = kind([], lr=0.5)
        optimizer.zero_grad()
        optimizer.step()
        optimizer.load_state_dict(optimizer.state_dict())
    sgd = OPTIM.SGD([], lr=0.5)
    sgd.add_param_group({"params": [x]})
    x.sum().backward()
    sgd.step()
    assert x.tolist() == [0.5, 0.5]
