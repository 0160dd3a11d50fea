"""Modules: members, calls, state and hooks."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn


class Scale(nn.Module):
    """x * factor + shift"""

    def __init__(self, factor: float = 2.0) -> None:
        super().__init__()
        self.factor = nn.Parameter(flow.tensor([factor]))
        self.register_buffer("shift", flow.tensor([0.5]))
        self.register_buffer("seen", flow.zeros(1), persistent=False)

    def forward(self, x: Any) -> Any:
        return x * self.factor + self.shift


class Pair(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Scale()
        self.second = nn.Sequential(Scale(3.0), nn.ReLU())

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x))


def names(pairs: Any) -> list[str]:
    return [name for name, _ in pairs]


def test_members_of_a_module() -> None:
    pair = Pair()
    assert names(pair.named_parameters()) == ["first.factor", "second.0.factor"]
    assert names(pair.named_parameters("net")) == ["net.first.factor", "net.second.0.factor"]
    assert names(pair.named_parameters(recurse=False)) == []
    assert names(pair.named_buffers())[:2] == ["first.shift", "first.seen"]
    assert names(pair.named_modules()) == ["", "first", "second", "second.0", "second.1"]
    assert names(pair.named_children()) == ["first", "second"]
    assert list(pair.state_dict()) == [
        "first.factor", "first.shift", "second.0.factor", "second.0.shift",
    ]  # fmt: skip
    assert pair.get_submodule("second.1") is pair.second[1]
    assert pair.get_parameter("second.0.factor") is pair.second[0].factor
    assert pair.get_buffer("first.shift") is pair.first.shift
    with pytest.raises(
        AttributeError, match='no parameter .second.0.facto.; did you mean "factor"'
    ):
        pair.get_parameter("second.0.facto")
    with pytest.raises(AttributeError, match='no module .secnd.; did you mean "second"'):
        pair.get_submodule("secnd.0")


def test_a_shared_parameter_counts_once() -> None:
    pair = Pair()
    pair.second[0].factor = pair.first.factor
    assert names(pair.named_parameters()) == ["first.factor"]
    assert names(pair.named_parameters(remove_duplicate=False)) == [
        "first.factor", "second.0.factor",
    ]  # fmt: skip
    assert "second.0.factor" in pair.state_dict()
    twin = copy.deepcopy(pair)
    assert twin.second[0].factor is twin.first.factor is not pair.first.factor


def test_assigning_members() -> None:
    module = Scale()
    with pytest.raises(TypeError, match=r"Scale.factor must be a parameter or None, got .*Tensor"):
        module.factor = flow.ones(1)
    module.shift = flow.tensor([1.5])
    assert module.state_dict()["shift"].tolist() == [1.5]
    with pytest.raises(TypeError, match=r"Scale.shift must be a tensor or None, got 3"):
        module.shift = 3
    module.plain = flow.ones(1)
    assert "plain" not in module.state_dict()
    module.plain = nn.Parameter(flow.ones(1))
    assert names(module.named_parameters()) == ["factor", "plain"]
    module.factor = None
    assert names(module.named_parameters()) == ["plain"]
    del module.plain
    assert names(module.named_parameters()) == []
    with pytest.raises(AttributeError, match="Scale has no 'plain'"):
        _ = module.plain
    with pytest.raises(AttributeError, match='Scale has no .shfit.; did you mean "shift"'):
        _ = module.shfit
    with pytest.raises(KeyError, match="Scale has another attribute 'forward'"):
        module.register_buffer("forward", flow.ones(1))
    with pytest.raises(KeyError, match="without dots"):
        module.add_module("a.b", nn.ReLU())


def test_init_must_be_called_first() -> None:
    class Hasty(nn.Module):
        def __init__(self) -> None:
            self.inner = nn.ReLU()

    with pytest.raises(AttributeError, match=r"call super\(\).__init__\(\) in Hasty.__init__"):
        Hasty()


def test_a_module_without_forward() -> None:
    with pytest.raises(NotImplementedError, match=r"^\S+test_module.py:\d+: Module has no forward"):
        nn.Module()(1)


class Counted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[str, Any] = {"count": 0, "names": ["a"]}

    def get_extra_state(self) -> Any:
        return dict(self.calls)

    def set_extra_state(self, state: Any) -> None:
        self.calls = state


def test_extra_state(tmp_path: Path) -> None:
    model, other = (nn.Sequential(nn.Linear(1, 1), Counted()) for _ in range(2))
    model[1].calls["count"] = 3
    assert list(model.state_dict()) == ["0.weight", "0.bias", "1._extra_state"]
    flow.save(model.state_dict(), str(tmp_path / "saved"))
    state = flow.load(str(tmp_path / "saved"))
    assert other.load_state_dict(state) == ([], [])
    assert other[1].calls == {"count": 3, "names": ["a"]}
    other.load_state_dict({**model.state_dict(), "1._extra_state": {"count": 4}}, assign=True)
    assert other[1].calls == {"count": 4}
    del state["1._extra_state"]
    with pytest.raises(RuntimeError, match=r"module.py:\d+: .*1\._extra_state is missing"):
        other.load_state_dict(state)
    assert other.load_state_dict(state, strict=False).missing_keys == ["1._extra_state"]
    with pytest.raises(RuntimeError, match="_extra_state is not expected"):
        nn.ReLU().load_state_dict({"_extra_state": 1})
    with pytest.raises(RuntimeError, match=r"module.py:\d+: ReLU has no state beside"):
        nn.ReLU().get_extra_state()


def test_state_round_trips() -> None:
    pair, other = Pair(), Pair()
    with flow.no_grad():
        pair.first.factor.fill_(7.0)
    kept = other.first.factor
    found = other.load_state_dict(pair.state_dict())
    assert found == ([], [])
    assert found.missing_keys == []
    assert kept.tolist() == [7.0]
    assert kept is other.first.factor
    assert kept.requires_grad
    state: dict[str, Any] = {"first.factor": np.array([1.0]), "third": flow.ones(1)}
    with pytest.raises(
        RuntimeError, match="first.shift, second.0.factor, second.0.shift is missing; third"
    ):
        other.load_state_dict(state)
    found = other.load_state_dict(state, strict=False)
    assert found.unexpected_keys == ["third"]
    assert len(found.missing_keys) == 3
    assert kept.tolist() == [1.0]
    with pytest.raises(RuntimeError, match=r"first.factor has shape \(1,\) here and \(2,\) there"):
        other.load_state_dict({"first.factor": flow.ones(2)}, strict=False)
    mine = flow.tensor([4.0])
    other.load_state_dict({"first.factor": mine}, strict=False, assign=True)
    mine[0] = 5.0
    assert kept.tolist() == [5.0]


def test_types() -> None:
    layer = nn.BatchNorm1d(2)
    weight = layer.weight
    layer(flow.randn(3, 2)).sum().backward()
    assert layer.double() is layer
    assert layer.weight is weight
    assert weight.dtype == flow.float64
    assert weight.grad is not None
    assert weight.grad.dtype == flow.float64
    assert weight.requires_grad
    assert weight.is_leaf
    assert layer.running_var.dtype == flow.float64
    assert layer.num_batches_tracked.dtype == flow.int64
    assert layer.to(flow.float32).weight.dtype == flow.float32
    assert layer.to("cpu").half().running_mean.dtype == flow.float16
    assert layer.to(flow.ones(1)).weight.dtype == flow.float32
    with pytest.raises(TypeError, match="parameters of a module are floats, got flow.int32"):
        layer.to(flow.int32)
    with pytest.raises(
        RuntimeError, match='tensors are on the device "cpu", got the string "cuda"'
    ):
        layer.to("cuda")


def test_modes_and_gradients() -> None:
    pair = Pair()
    assert pair.eval() is pair
    assert not pair.second[1].training
    assert pair.train().second[1].training
    pair(flow.tensor([1.0])).sum().backward()
    assert pair.first.factor.grad.tolist() == [3.0]
    pair.zero_grad()
    assert pair.first.factor.grad.tolist() == [0.0]
    pair.zero_grad(set_to_none=True)
    assert pair.first.factor.grad is None
    pair.requires_grad_(False)
    assert not pair(flow.tensor([1.0])).requires_grad
    seen: list[str] = []
    assert pair.apply(lambda module: seen.append(type(module).__name__)) is pair
    assert seen == ["Scale", "Scale", "ReLU", "Sequential", "Pair"]


def test_repr_of_a_module() -> None:
    assert repr(Pair()) == (
        "Pair(\n  (first): Scale()\n"
        "  (second): Sequential(\n    (0): Scale()\n    (1): ReLU()\n  )\n)"
    )


def test_a_copy_is_separate() -> None:
    pair = Pair()
    twin = copy.deepcopy(pair)
    with flow.no_grad():
        twin.first.factor.fill_(9.0)
    twin.eval()
    assert pair.first.factor.tolist() == [2.0]
    assert pair.training
    assert twin(flow.tensor([1.0])).tolist() == [29.0]


def test_forward_hooks() -> None:
    scale = Scale()
    x = flow.tensor([1.0])
    calls: list[str] = []
    first = scale.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    last = scale.register_forward_hook(lambda module, args, output: calls.append("last"))
    early = scale.register_forward_hook(
        lambda module, args, output: calls.append("early") or output * 10, prepend=True
    )
    assert scale(x).tolist() == [45.0]
    assert calls == ["early", "last"]
    for handle in (first, last, early):
        handle.remove()
    assert scale(x).tolist() == [2.5]
    assert calls == ["early", "last"]
    scale.register_forward_pre_hook(lambda module, args, named: (args, {"x": x}), with_kwargs=True)
    assert scale().tolist() == [2.5]


def test_backward_hooks() -> None:
    scale = Scale()
    seen: list[Any] = []
    scale.register_full_backward_pre_hook(lambda module, outer: (outer[0] * 2,))
    handle = scale.register_full_backward_hook(
        lambda module, inner, outer: (
            seen.append((inner[0].tolist(), outer[0].tolist())) or (inner[0] * 10,)
        )
    )
    x = flow.tensor([3.0], requires_grad=True)
    scale(x).sum().backward()
    assert seen == [([4.0], [2.0])]
    assert x.grad is not None
    assert x.grad.tolist() == [40.0]
    assert scale.factor.grad.tolist() == [6.0]
    # If no input has a gradient, the hook gets the output's.
    handle.remove()
    scale.register_full_backward_hook(lambda module, *both: seen.append(both))
    scale(flow.tensor([3.0])).sum().backward()
    inner, (outer,) = seen[-1]
    assert inner == (None,)
    assert outer.tolist() == [2.0]


def test_state_hooks() -> None:
    scale = Scale()
    seen: list[str] = []
    scale.register_state_dict_pre_hook(lambda module, prefix, keep: seen.append(prefix))
    nn.Sequential(scale).state_dict()
    assert seen == ["0."]


def test_lists() -> None:
    layers = nn.ModuleList([nn.ReLU()])
    layers.append(nn.Tanh()).extend([nn.Sigmoid()]).insert(0, nn.Identity())
    assert [type(m).__name__ for m in layers] == ["Identity", "ReLU", "Tanh", "Sigmoid"]
    assert names(layers.named_children()) == ["0", "1", "2", "3"]
    assert isinstance(layers[1:3], nn.ModuleList)
    assert len(layers[1:3]) == 2
    assert isinstance(layers[-1], nn.Sigmoid)
    assert layers[0] in layers
    del layers[0]
    layers[0] = nn.GELU()
    assert isinstance(layers.pop(0), nn.GELU)
    assert names(layers.named_children()) == ["0", "1"]
    layers += [nn.ReLU()]
    assert len(layers) == 3
    with pytest.raises(TypeError, match="ModuleList holds modules, got 3"):
        layers.append(3)
    with pytest.raises(IndexError, match="index 5 is outside of ModuleList of 3"):
        _ = layers[5]


def test_sequences() -> None:
    model = nn.Sequential({"a": Scale(), "b": nn.ReLU()})
    assert list(model.state_dict()) == ["a.factor", "a.shift"]
    assert model(flow.tensor([-1.0])).tolist() == [0.0]
    assert isinstance(model[:1], nn.Sequential)
    assert names(model[:1].named_children()) == ["a"]
    model.append(nn.Identity())
    assert len(model) == 3
    assert isinstance(model[2], nn.Identity)


def test_dicts_and_parameters() -> None:
    named = nn.ModuleDict({"x": nn.ReLU()})
    named["y"] = nn.Tanh()
    named.update([("z", nn.Identity())])
    assert list(named) == ["x", "y", "z"]
    assert "y" in named
    assert len(named) == 3
    assert isinstance(named.pop("y"), nn.Tanh)
    assert list(named.keys()) == ["x", "z"]
    with pytest.raises(KeyError, match="ModuleDict has no 'y'"):
        _ = named["y"]
    listed = nn.ParameterList([flow.ones(1), nn.Parameter(flow.zeros(2))])
    assert len(listed) == 2
    assert len(list(listed.parameters())) == 2
    assert isinstance(listed[0], nn.Parameter)
    held = nn.ParameterDict({"w": flow.ones(1)})
    held["v"] = flow.zeros(1)
    assert list(held.state_dict()) == ["w", "v"]


def test_parameters() -> None:
    values = flow.ones(2)
    result = nn.Parameter(values)
    assert result.requires_grad
    assert result.is_leaf
    assert isinstance(result, flow.Tensor)
    values[0] = 5.0
    assert result.tolist() == [5.0, 1.0]
    assert not nn.Parameter(values, requires_grad=False).requires_grad
    with pytest.raises(RuntimeError, match="only tensors of floats can require gradients"):
        nn.Parameter(flow.tensor([1]))
