"""Containers: lists and dicts of modules and parameters, registered as parts of a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from penstock.basics.checks import is_integer
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.nn.modules.module import Module
from penstock.nn.modules.parameter import Parameter
from penstock.tensors.tensor import Tensor


class _Listed(Module):
    """Base of containers with members by index."""

    _own = "_modules"

    @property
    def _held(self) -> dict[str, Any]:
        held: dict[str, Any] = self.__dict__[self._own]
        return held

    def _number(self, index: Any, most: int) -> int:
        if not is_integer(index):
            raise located(
                TypeError, f"{type(self).__name__} is indexed by ints and slices, got "
                f"{kind_of(index)}"
            )  # fmt: skip
        if not -most <= index < most:
            raise located(
                IndexError, f"index {index} is outside of {type(self).__name__} of {len(self)}"
            )
        return int(index) % most

    def _checked(self, value: Any) -> Any:
        if not isinstance(value, Module):
            raise located(TypeError, f"{type(self).__name__} holds modules, got {kind_of(value)}")
        return value

    def _put(self, values: Iterable[Any]) -> None:
        """Replace all members by these."""
        given = [self._checked(value) for value in values]
        self._held.clear()
        self._held.update((str(i), value) for i, value in enumerate(given))

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._held.values()))

    def __contains__(self, value: object) -> bool:
        return any(value is held for held in self._held.values())

    def __getitem__(self, index: Any) -> Any:
        values = list(self)
        if isinstance(index, slice):
            return type(self)._of(values[index], list(self._held)[index])
        return values[self._number(index, len(values))]

    @classmethod
    def _of(cls, values: list[Any], names: list[str]) -> Any:
        return cls(values)  # type: ignore[call-arg]

    def __setitem__(self, index: int, value: Any) -> None:
        place = list(self._held)[self._number(index, len(self))]
        self._held[place] = self._checked(value)

    def __delitem__(self, index: Any) -> None:
        values = list(self)
        if isinstance(index, slice):
            del values[index]
        else:
            del values[self._number(index, len(values))]
        self._put(values)

    def append(self, module: Any) -> Any:
        """Append a member; returns itself."""
        self._put([*self, module])
        return self

    def extend(self, modules: Iterable[Any]) -> Any:
        """Append members; returns itself."""
        self._put([*self, *modules])
        return self

    def insert(self, index: int, module: Any) -> Any:
        """Insert a member before that index; returns itself."""
        values = list(self)
        values.insert(index, module)
        self._put(values)
        return self

    def pop(self, index: int = -1) -> Any:
        """Remove a member, by default the last, and return it."""
        values = list(self)
        taken = values.pop(self._number(index, len(values)))
        self._put(values)
        return taken

    def __iadd__(self, others: Iterable[Any]) -> Any:
        return self.extend(others)

    def __add__(self, others: Iterable[Any]) -> Any:
        return type(self)._of([*self, *others], [])


class Sequential(_Listed):
    """A chain of modules: each takes the output of the one before.

    Pass the modules one by one, or in a dict by name.

    >>> import penstock as flow
    >>> model = flow.nn.Sequential(flow.nn.Flatten(), flow.nn.ReLU())
    >>> model(flow.tensor([[[-1.0, 2.0]]]))
    tensor([[0., 2.]], dtype=penstock.float32)
    >>> model
    Sequential(
      (0): Flatten(start_dim=1, end_dim=-1)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], Mapping):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            self._put(args)

    @classmethod
    def _of(cls, values: list[Any], names: list[str]) -> Any:
        return cls(dict(zip(names, values, strict=True))) if names else cls(*values)

    def append(self, module: Any) -> Any:
        """Append a member; returns itself."""
        self.add_module(str(len(self)), self._checked(module))
        return self

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Listed):
    """Modules in a list.

    >>> import penstock as flow
    >>> layers = flow.nn.ModuleList([flow.nn.Linear(2, 2) for _ in range(3)])
    >>> len(layers), len(list(layers.parameters()))
    (3, 6)
    """

    def __init__(self, modules: Iterable[Any] = ()) -> None:
        super().__init__()
        self._put(modules or ())


class ParameterList(_Listed):
    """Parameters in a list; other tensors become parameters.

    >>> import penstock as flow
    >>> [name for name, _ in flow.nn.ParameterList([flow.ones(1)]).named_parameters()]
    ['0']
    """

    _own = "_parameters"

    def __init__(self, parameters: Iterable[Any] = ()) -> None:
        super().__init__()
        self._put(parameters or ())

    def _checked(self, value: Any) -> Any:
        return _parameter(value, "ParameterList")

    def extra_repr(self) -> str:
        return "\n".join(f"({name}): {_shown(p)}" for name, p in self._parameters.items())


class _Named(Module):
    """Base of containers with members by name."""

    _own = "_modules"

    @property
    def _held(self) -> dict[str, Any]:
        held: dict[str, Any] = self.__dict__[self._own]
        return held

    def __init__(self, members: Any = None) -> None:
        super().__init__()
        if members is not None:
            self.update(members)

    def __getitem__(self, key: str) -> Any:
        if key not in self._held:
            near = did_you_mean(key, self._held) if isinstance(key, str) else ""
            raise located(KeyError, f"{type(self).__name__} has no {key!r}{near}")
        return self._held[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.add_module(key, value)

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._held))

    def __contains__(self, key: object) -> bool:
        return key in self._held

    def clear(self) -> None:
        """Remove all members."""
        self._held.clear()

    def pop(self, key: str) -> Any:
        """Remove the member of that name, and return it."""
        value = self[key]
        del self._held[key]
        return value

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._held.keys()

    def values(self) -> Iterable[Any]:
        """The members."""
        return self._held.values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and members."""
        return self._held.items()

    def get(self, key: str, default: Any = None) -> Any:
        """The member of that name, or `default`."""
        return self._held.get(key, default)

    def update(self, members: Any) -> None:
        """Add members from a dict, or from pairs of names and members."""
        pairs = members.items() if hasattr(members, "items") else members
        for key, value in pairs:
            self[key] = value


class ModuleDict(_Named):
    """Modules in a dict.

    >>> import penstock as flow
    >>> layers = flow.nn.ModuleDict({"act": flow.nn.ReLU()})
    >>> layers["act"]
    ReLU()
    """


class ParameterDict(_Named):
    """Parameters in a dict; other tensors become parameters.

    >>> import penstock as flow
    >>> flow.nn.ParameterDict({"w": flow.ones(1)})["w"].requires_grad
    True
    """

    _own = "_parameters"

    def __setitem__(self, key: str, value: Any) -> None:
        self._register("_parameters", key, _parameter(value, "ParameterDict"))

    def extra_repr(self) -> str:
        return "\n".join(f"({name}): {_shown(p)}" for name, p in self._parameters.items())


def _parameter(value: Any, what: str) -> Parameter:
    if isinstance(value, Parameter):
        return value
    if isinstance(value, Tensor):
        return Parameter(value)
    raise located(TypeError, f"{what} holds parameters, got {kind_of(value)}")


def _shown(parameter: Parameter | None) -> str:
    if parameter is None:
        return "None"
    size = "x".join(map(str, parameter.shape))
    return f"Parameter containing: [<class 'penstock.nn.Parameter'> of size {size}]"
