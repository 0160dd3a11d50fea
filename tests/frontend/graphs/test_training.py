"""Training by a graph: the same bits as the eager loop."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.ir.attributes import python_value

F = flow.nn.functional
STEPS, BATCH = 20, 12
DRAW = np.random.default_rng(0)
X = DRAW.standard_normal((STEPS, BATCH, 8)).astype(np.float32)
Y = DRAW.integers(0, 4, (STEPS, BATCH))

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda p: flow.optim.SGD(p, lr=0.1),
    "SGD up": lambda p: flow.optim.SGD(p, lr=0.001, maximize=True, weight_decay=0.1),
    "Momentum": lambda p: flow.optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.01, nesterov=True),
    "Adam": lambda p: flow.optim.Adam(p, lr=0.01),
    "Adam biased": lambda p: flow.optim.Adam(p, lr=0.01, do_bias_correction=False),
    "AdamW": lambda p: flow.optim.AdamW(p, lr=0.01, weight_decay=0.1),
    "AMSGrad": lambda p: flow.optim.Adam(p, lr=0.01, amsgrad=True),
    "Adagrad": lambda p: flow.optim.Adagrad(p, 0.01, lr_decay=0.1, initial_accumulator_value=0.5),
    "Adadelta": lambda p: flow.optim.Adadelta(p, lr=1.0),
    "RMSprop": lambda p: flow.optim.RMSprop(p, lr=0.01, centered=True),
    "LAMB": lambda p: flow.optim.LAMB(p, lr=0.01),
    "clipped": lambda p: flow.optim.SGD(
        [{"params": list(p), "clip_grad_max_norm": 0.1, "clip_grad_norm_type": 2.0}], lr=0.1
    ),
    "groups": lambda p: flow.optim.Adam([
        {"params": [one], "lr": 0.01 * (i + 1)} for i, one in enumerate(p)
    ]),
}  # fmt: skip


def network() -> Any:
    """A network with buffers and random numbers."""
    flow.manual_seed(3)
    return flow.nn.Sequential(
        flow.nn.Linear(8, 16), flow.nn.BatchNorm1d(16), flow.nn.ReLU(), flow.nn.Dropout(0.2),
        flow.nn.Linear(16, 4),
    )  # fmt: skip


class Train(flow.nn.Graph):
    """Learns to classify."""

    def __init__(self, model: Any, optimizer: Any, **options: Any) -> None:
        super().__init__()
        self.model, self.loss = model, flow.nn.CrossEntropyLoss()
        self.add_optimizer(optimizer, **options)

    def build(self, x: Any, y: Any) -> Any:
        loss = self.loss(self.model(x), y)
        loss.backward()
        return loss


def eager_step(model: Any, optimizer: Any, schedule: Any, i: int, parts: int = 1) -> float:
    optimizer.zero_grad(set_to_none=True)
    losses = []
    for x, y in zip(np.split(X[i], parts), np.split(Y[i], parts), strict=True):
        loss = F.cross_entropy(model(flow.tensor(x)), flow.tensor(y))
        (loss / parts).backward()
        losses.append(loss.numpy())
    if "clip_grad_max_norm" in optimizer.param_groups[0]:
        optimizer.clip_grad()
    optimizer.step()
    if schedule is not None:
        schedule.step()
    return float(np.mean(losses))


def graph_step(graph: Any, i: int) -> float:
    return float(np.mean(graph(flow.tensor(X[i]), flow.tensor(Y[i])).numpy()))


def assert_same(one: Any, other: Any) -> None:
    for (name, x), y in zip(one.state_dict().items(), other.state_dict().values(), strict=True):
        np.testing.assert_array_equal(x.numpy(), y.numpy(), err_msg=name)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_losses_and_state_have_the_bits_of_the_eager_loop(name: str) -> None:
    models = network(), network()
    optimizers = [OPTIMIZERS[name](model.parameters()) for model in models]
    schedules = [flow.optim.lr_scheduler.CosineAnnealingLR(o, 10) for o in optimizers]
    graph = Train(models[1], optimizers[1], lr_sch=schedules[1])
    flow.manual_seed(1)
    wanted = [eager_step(models[0], optimizers[0], schedules[0], i) for i in range(STEPS)]
    flow.manual_seed(1)
    assert [graph_step(graph, i) for i in range(STEPS)] == wanted
    assert_same(*models)
    assert optimizers[1].state["step"] == STEPS
    assert schedules[1].get_last_lr() == schedules[0].get_last_lr()


def test_steps_of_the_graph_and_of_the_optimizer_alternate() -> None:
    models = network(), network()
    optimizers = [OPTIMIZERS["AdamW"](model.parameters()) for model in models]
    graph = Train(models[1], optimizers[1])
    flow.manual_seed(1)
    wanted = [eager_step(models[0], optimizers[0], None, i) for i in range(6)]
    flow.manual_seed(1)
    found = []
    for i in range(6):
        optimizers[1].zero_grad(set_to_none=True)
        eager = i % 3 == 1
        found.append(
            eager_step(models[1], optimizers[1], None, i) if eager else graph_step(graph, i)
        )
    assert found == wanted
    assert_same(*models)


def test_parameters_are_the_modules_own() -> None:
    model = network()
    weights = [p for name, p in model.named_parameters() if "weight" in name]
    arrays = [p.numpy() for p in weights]
    before = [array.copy() for array in arrays]
    versions = [p._version for p in model.parameters()]
    graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
    graph_step(graph, 0)
    for p, array, old in zip(weights, arrays, before, strict=True):
        assert p.numpy() is array
        assert not np.array_equal(array, old)
    assert [p._version for p in model.parameters()] == [v + 1 for v in versions]
    # What other code assigns, the next step reads.
    with flow.no_grad():
        for p in model.parameters():
            p.zero_()
    assert graph_step(graph, 1) == pytest.approx(np.log(4), abs=1e-6)
    # A tensor may get another array, as by `load_state_dict(assign=True)`.
    state = {name: value.clone() for name, value in network().state_dict().items()}
    model.load_state_dict(state, assign=True)
    graph_step(graph, 2)
    assert not np.array_equal(state["0.weight"].numpy(), network()[0].weight.numpy())


def test_the_eager_graph_notices_updates() -> None:
    model = flow.nn.Linear(8, 4)
    graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
    loss = (model.weight * model.weight).sum()
    graph_step(graph, 0)
    with pytest.raises(RuntimeError, match="changed in place since, by .*test_training.py"):
        loss.backward()


@pytest.mark.parametrize("parts", [2, 3])
def test_accumulated_gradients(parts: int) -> None:
    models = network(), network()
    optimizers = [OPTIMIZERS["Adam"](model.parameters()) for model in models]
    graph = Train(models[1], optimizers[1])
    graph.config.set_gradient_accumulation_steps(parts)
    flow.manual_seed(1)
    wanted = [eager_step(models[0], optimizers[0], None, i, parts) for i in range(4)]
    flow.manual_seed(1)
    assert [graph_step(graph, i) for i in range(4)] == wanted
    assert_same(*models)
    assert graph(flow.tensor(X[0]), flow.tensor(Y[0])).shape == (parts,)


def test_a_batch_that_cannot_be_divided() -> None:
    model = network()
    graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
    graph.config.set_gradient_accumulation_steps(5)
    with pytest.raises(ValueError, match="must be a multiple of 5; input x has shape"):
        graph_step(graph, 0)
    graph.config.set_gradient_accumulation_steps(4)
    graph_step(graph, 0)


def test_mixed_precision_multiplies_in_bfloat16() -> None:
    models = network(), network()
    graph = Train(models[1], OPTIMIZERS["SGD"](models[1].parameters()))
    plain = Train(models[0], OPTIMIZERS["SGD"](models[0].parameters()))
    graph.config.enable_amp(True, dtype=flow.bfloat16)
    flow.manual_seed(1)
    wanted = [graph_step(plain, i) for i in range(3)]
    flow.manual_seed(1)
    found = [graph_step(graph, i) for i in range(3)]
    assert found != wanted
    np.testing.assert_allclose(found, wanted, rtol=2e-2)
    ops = [line for line in graph.trace().as_text().splitlines() if "flow.matmul" in line]
    assert len(ops) == 5  # two forward, three of the gradients
    assert all("xbf16>" in line for line in ops[:2])
    assert "bf16" in graph.lower().as_text("loops")
    assert models[1][0].weight.dtype is flow.float32
    # Exactly the products of operands that are rounded to bfloat16.
    x, layer = flow.tensor(X[0]), models[1][0]

    class Product(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = layer
            self.config.enable_amp(dtype=flow.bfloat16)

        def build(self, x: Any) -> Any:
            return self.layer(x)

    rounded = (x.bfloat16() @ layer.weight.bfloat16().t()).float() + layer.bias
    np.testing.assert_array_equal(Product()(x).numpy(), rounded.numpy())


def test_scaled_losses() -> None:
    models = network(), network()
    fixed = Train(models[0], OPTIMIZERS["Adam"](models[0].parameters()))
    fixed.set_grad_scaler(flow.amp.StaticGradScaler(256.0))
    scaler = flow.amp.GradScaler(init_scale=1024.0, growth_interval=3)
    adapting = Train(models[1], OPTIMIZERS["Adam"](models[1].parameters()))
    adapting.set_grad_scaler(scaler)
    plain = network()
    unscaled = Train(plain, OPTIMIZERS["Adam"](plain.parameters()))
    found = []
    for graph in (fixed, adapting, unscaled):
        flow.manual_seed(1)
        found.append([graph_step(graph, i) for i in range(4)])
    # A power of two changes no bit.
    assert found[0] == found[1] == found[2]
    assert scaler.get_scale() == 2048.0


def test_a_step_whose_gradients_are_not_finite_changes_no_parameter() -> None:
    model = flow.nn.Linear(8, 4)
    optimizer = flow.optim.Adam(model.parameters(), lr=0.1)
    scaler = flow.amp.GradScaler(init_scale=1024.0)
    graph = Train(model, optimizer)
    graph.set_grad_scaler(scaler)
    graph_step(graph, 0)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    slots = [slot.numpy().copy() for slot in optimizer.state[model.weight].values()]
    assert np.isnan(graph(flow.full((BATCH, 8), np.inf), flow.tensor(Y[0])).item())
    assert scaler.get_scale() == 512.0
    assert optimizer.state["step"] == 1
    for name, value in model.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), before[name].numpy())
    for slot, old in zip(optimizer.state[model.weight].values(), slots, strict=True):
        np.testing.assert_array_equal(slot.numpy(), old)
    graph_step(graph, 1)
    assert optimizer.state["step"] == 2


def test_several_losses_and_optimizers() -> None:
    class Two(flow.nn.Graph):
        def __init__(self, model: Any) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(flow.optim.SGD(model[0].parameters(), lr=0.1))
            self.add_optimizer(flow.optim.Adam(model[4].parameters(), lr=0.01))

        def build(self, x: Any, y: Any) -> Any:
            out = self.model(x)
            loss = F.cross_entropy(out, y)
            loss.backward()
            penalty = (out * out).mean()
            penalty.backward(flow.full((), 0.5))
            return loss, penalty

    models = network(), network()
    optimizers = (
        flow.optim.SGD(models[0][0].parameters(), lr=0.1),
        flow.optim.Adam(models[0][4].parameters(), lr=0.01),
    )
    graph = Two(models[1])
    flow.manual_seed(1)
    for i in range(3):
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=True)
        out = models[0](flow.tensor(X[i]))
        F.cross_entropy(out, flow.tensor(Y[i])).backward(retain_graph=True)
        (out * out).mean().backward(flow.full((), 0.5))
        for optimizer in optimizers:
            optimizer.step()
    flow.manual_seed(1)
    for i in range(3):
        graph(flow.tensor(X[i]), flow.tensor(Y[i]))
    for one, other in zip(models[0].parameters(), models[1].parameters(), strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-6, atol=1e-7)


def test_changed_options_and_modes_are_followed() -> None:
    models = network(), network()
    optimizers = [OPTIMIZERS["Momentum"](model.parameters()) for model in models]
    graph = Train(models[1], optimizers[1])
    losses: list[list[float]] = [[], []]
    for which in range(2):
        flow.manual_seed(1)
        for i in range(4):
            if i == 1:
                optimizers[which].param_groups[0]["momentum"] = 0.5
            if i == 2:
                models[which].eval()
            if i == 3:
                optimizers[which].param_groups[0]["lr"] = 0.5
                models[which][0].weight.requires_grad_(False)
            step = graph_step(graph, i) if which else eager_step(models[0], optimizers[0], None, i)
            losses[which].append(step)
    assert losses[1] == losses[0]
    assert_same(*models)


def test_no_gradient_flows_through_what_is_detached() -> None:
    class Detached(flow.nn.Graph):
        def __init__(self, w: Any) -> None:
            super().__init__()
            self.w = w
            self.add_optimizer(flow.optim.SGD([w], lr=1.0))

        def build(self, x: Any) -> Any:
            with flow.no_grad():
                fixed = self.w * x
            (self.w * fixed + self.w.detach() * x + (self.w * 2).detach() * self.w).sum().backward()
            return fixed

    w = flow.tensor([2.0], requires_grad=True)
    Detached(w)(flow.tensor([3.0]))
    assert w.item() == 2.0 - (6.0 + 4.0)


def test_errors_leave_the_graph_usable() -> None:
    model = network()
    graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))

    class Vector(Train):
        def build(self, x: Any, y: Any) -> Any:
            out = self.model(x)
            out.backward()
            return out

    class Nothing(Train):
        def build(self, x: Any, y: Any) -> Any:
            return self.model(x)

    class Constant(Train):
        def build(self, x: Any, y: Any) -> Any:
            loss = x.sum()
            loss.backward()
            return loss

    for kind, error in (
        (Vector, "takes a loss of one element, got shape .12, 4."),
        (Nothing, "build calls backward on no loss; call loss.backward.. in build"),
        (Constant, "depend on no parameter of its optimizers"),
    ):
        other = kind(model, flow.optim.SGD(model.parameters(), lr=0.1))
        for _ in range(2):
            with pytest.raises(RuntimeError, match=error):
                graph_step(other, 0)
    with pytest.raises(ValueError, match="has one of these parameters already"):
        graph.add_optimizer(flow.optim.SGD([model[0].weight], lr=0.1))
    one, other = (flow.optim.SGD(model.parameters(), lr=0.1) for _ in range(2))
    schedule = flow.optim.lr_scheduler.StepLR(one, 3)
    with pytest.raises(ValueError, match="must be a schedule of the optimizer that is added"):
        Train(model, other, lr_sch=schedule)
    plateau = flow.optim.lr_scheduler.ReduceLROnPlateau(other)
    with pytest.raises(ValueError, match=r"py:\d+: lr_sch of add_optimizer .* behind the graph"):
        Train(model, other, lr_sch=plateau)
    with pytest.raises(TypeError, match="add_optimizer takes an optimizer of flow.optim, got 3"):
        graph.add_optimizer(3)
    graph_step(graph, 0)


def test_a_handler_that_raises_does_not_lose_the_step() -> None:
    model = network()
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
    graph = Train(model, optimizer)
    graph_step(graph, 0)

    def fail(array: Any) -> None:
        raise KeyError("seen")

    stop = graph.watch("model.0.matmul", fail)
    with pytest.raises(KeyError, match="seen"):
        graph_step(graph, 1)
    assert optimizer.state["step"] == 2
    stop()
    graph_step(graph, 2)


class Residual(flow.nn.Module):
    """Wide inside: its inner values take more memory than its result."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.drop = flow.nn.LayerNorm(8), flow.nn.Dropout(0.1)
        self.wide, self.narrow = flow.nn.Linear(8, 64), flow.nn.Linear(64, 8)

    def forward(self, x: Any) -> Any:
        return x + self.drop(self.narrow(self.wide(self.norm(x)).tanh().exp().tanh()))


def test_checkpointed_modules_keep_less_and_compute_the_same() -> None:
    found = []
    for chosen in (False, True):
        flow.manual_seed(0)
        model = flow.nn.Sequential(*[Residual() for _ in range(4)], flow.nn.Linear(8, 4))
        graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
        for block in graph.model[:4] if chosen else ():
            block.config.activation_checkpointing = True
        flow.manual_seed(1)
        losses = [
            graph(flow.tensor(np.tile(X[i], (20, 1))), flow.tensor(np.tile(Y[i], 20))).item()
            for i in range(3)
        ]
        arena = graph.compile().program.description["arena"]["bytes"]
        tanhs = graph.lower().as_text("fused").count("math.tanh")
        found.append((losses, arena, tanhs, model))
    (losses, arena, tanhs, model), (others, less, more, other) = found
    assert others == losses
    assert_same(other, model)
    assert less < 0.8 * arena
    assert more > tanhs


def test_a_limit_of_memory_computes_again_what_it_must() -> None:
    found: dict[int | None, Any] = {}
    for limit in (None, 382_000, 270_000):
        flow.manual_seed(0)
        model = flow.nn.Sequential(*[Residual() for _ in range(2)], flow.nn.Linear(8, 4))
        graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
        if limit is not None:
            graph.config.set_memory_limit(limit)
        flow.manual_seed(1)
        losses = [
            graph(flow.tensor(np.tile(X[i], (20, 1))), flow.tensor(np.tile(Y[i], 20))).item()
            for i in range(2)
        ]
        said = graph.lower().modules["grad"].attributes.get("job.recomputed")
        arena = graph.compile().program.description["arena"]["bytes"]
        assert limit is None or graph.lower().memory().total <= limit
        found[limit] = losses, model, arena, None if said is None else python_value(said)
    losses, model, arena, nothing = found.pop(None)
    assert nothing is None
    copies = []
    for others, other, less, said in found.values():
        assert others == losses
        assert_same(other, model)
        assert less < arena
        assert said["after"] < said["before"]
        copies.append(said["ops"])
    assert copies[0] < copies[1]


def test_a_limit_of_memory_that_cannot_be_met() -> None:
    model = Residual()
    graph = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
    graph.config.set_memory_limit(1000)
    assert "memory_limit=1000" in repr(graph.config)
    with pytest.raises(ValueError, match="bytes of a rank at .* its memory limit is 1,000"):
        graph(flow.tensor(X[0]), flow.tensor(Y[0]))
    with pytest.raises(TypeError, match='set_memory_limit takes bytes as an int, or "machine"'):
        graph.config.set_memory_limit(1.5)
    with pytest.raises(ValueError, match="set_memory_limit takes at least 1 byte, got 0"):
        graph.config.set_memory_limit(0)
