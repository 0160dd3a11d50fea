"""The tree of a module: its parameters, buffers and submodules, by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.basics.checks import check_flag
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.nn.modules.parameter import Parameter
from penstock.tensors.tensor import Tensor

_HELD = ("_parameters", "_buffers", "_modules")
"""The attributes that hold the registered members, each a dict by name."""


class Tree:
    """Base of `Module`: registers assigned parameters, buffers and modules, and lists them."""

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _passing: set[str]
    """The buffers that `state_dict` leaves out."""

    def __init__(self) -> None:
        set_ = super().__setattr__
        set_("training", True)
        set_("_parameters", {})
        set_("_buffers", {})
        set_("_modules", {})
        set_("_passing", set())

    # -- attributes ---------------------------------------------------------------------------

    def _known(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] | None = self.__dict__.get(name)
        if found is None:
            raise located(
                AttributeError,
                f"call super().__init__() in {type(self).__name__}.__init__ before anything is "
                "assigned to the module",
            )
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        kinds: dict[str, Any] = {"_parameters": Parameter, "_modules": Tree, "_buffers": ()}
        for own, kind in kinds.items():
            if isinstance(value, kind):
                self._known(own)
                self._forget(name)
                self._register(own, name, value)
                return
        words = {"_parameters": "a parameter", "_modules": "a module", "_buffers": "a tensor"}
        for own, word in words.items():
            held = self.__dict__.get(own)
            if held is not None and name in held:
                if value is not None and not (own == "_buffers" and isinstance(value, Tensor)):
                    raise located(
                        TypeError,
                        f"{type(self).__name__}.{name} must be {word} or None, got "
                        f"{kind_of(value)}; delete it first to make it something else",
                    )
                held[name] = value
                return
        super().__setattr__(name, value)

    def _forget(self, name: str) -> None:
        self.__dict__.pop(name, None)
        for own in _HELD:
            self.__dict__[own].pop(name, None)
        self._passing.discard(name)

    def __getattr__(self, name: str) -> Any:
        for own in _HELD:
            held = self.__dict__.get(own)
            if held is not None and name in held:
                return held[name]
        if name.startswith("__"):
            raise AttributeError(name)
        near = did_you_mean(name, (word for word in dir(self) if not word.startswith("_")))
        raise located(AttributeError, f"{type(self).__name__} has no {name!r}{near}")

    def __delattr__(self, name: str) -> None:
        if any(name in self.__dict__.get(own, ()) for own in _HELD):
            self._forget(name)
        else:
            super().__delattr__(name)

    def __dir__(self) -> list[str]:
        held = [self.__dict__.get(own, ()) for own in _HELD]
        return sorted({*super().__dir__(), *(name for names in held for name in names)})

    # -- registration -------------------------------------------------------------------------

    def _register(self, own: str, name: str, value: Any) -> None:
        held = self._known(own)
        if not isinstance(name, str) or not name or "." in name:
            raise located(
                KeyError if isinstance(name, str) else TypeError,
                f"a name in {type(self).__name__} must be a string without dots that is not "
                f"empty, got {kind_of(name)}",
            )
        others = (self.__dict__, self._parameters, self._buffers, self._modules)
        if name not in held and (any(name in o for o in others) or hasattr(type(self), name)):
            raise located(KeyError, f"{type(self).__name__} has another attribute {name!r}")
        held[name] = value

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter under that name; None for an absent one, such as no bias."""
        if param is not None and not isinstance(param, Parameter):
            raise located(
                TypeError,
                f"parameter {name!r} of {type(self).__name__} must be a flow.nn.Parameter or None, "
                f"got {kind_of(param)}",
            )
        self._register("_parameters", name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a tensor that is not a parameter, such as a running mean.

        `state_dict` includes it if it is `persistent`.

        >>> import penstock as flow
        >>> module = flow.nn.Module()
        >>> module.register_buffer("steps", flow.zeros(2))
        >>> module.steps
        tensor([0., 0.], dtype=penstock.float32)
        """
        if tensor is not None and not isinstance(tensor, Tensor):
            raise located(
                TypeError,
                f"buffer {name!r} of {type(self).__name__} must be a tensor or None, got "
                f"{kind_of(tensor)}",
            )
        self._register("_buffers", name, tensor)
        if check_flag(persistent, "persistent of register_buffer"):
            self._passing.discard(name)
        else:
            self._passing.add(name)

    def add_module(self, name: str, module: Tree | None) -> None:
        """Register a submodule under that name."""
        if module is not None and not isinstance(module, Tree):
            raise located(
                TypeError,
                f"module {name!r} of {type(self).__name__} must be a flow.nn.Module or None, got "
                f"{kind_of(module)}",
            )
        self._register("_modules", name, module)

    register_module = add_module

    # -- lists --------------------------------------------------------------------------------

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The module itself and all its submodules, with their names; each once.

        >>> import penstock as flow
        >>> [name for name, _ in flow.nn.Sequential(flow.nn.ReLU(), flow.nn.Tanh()).named_modules()]
        ['', '0', '1']
        """
        seen = set() if memo is None else memo
        if self in seen:
            return
        if remove_duplicate:
            seen.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                below = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(seen, below, remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """The module itself and all its submodules, each once."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The direct submodules with their names, each once."""
        seen: set[Any] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Any]:
        """The direct submodules, each once."""
        return (module for _, module in self.named_children())

    def _named(
        self, own: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        found = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else iter([(prefix, self)])
        )
        for house, module in found:
            for name, value in module.__dict__[own].items():
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield f"{house}.{name}" if house else name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their names, including submodules unless `recurse` is False."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once."""
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers with their names, including submodules unless `recurse` is False."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, each once."""
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Any:
        """The submodule of a dotted name, such as "encoder.0"; "" is the module itself."""
        found: Any = self
        for name in target.split(".") if target else []:
            held = found._modules.get(name)
            if held is None:
                near = did_you_mean(name, found._modules)
                raise located(
                    AttributeError, f"{type(found).__name__} has no module {name!r}{near}"
                )
            found = held
        return found

    def _member(self, own: str, target: str, word: str) -> Any:
        house, _, name = target.rpartition(".")
        held = self.get_submodule(house).__dict__[own]
        if held.get(name) is None:
            raise located(
                AttributeError,
                f"{type(self).__name__} has no {word} {target!r}{did_you_mean(name, held)}",
            )
        return held[name]

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of a dotted name."""
        found: Parameter = self._member("_parameters", target, "parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer of a dotted name."""
        found: Tensor = self._member("_buffers", target, "buffer")
        return found

    # -- repr ---------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """The module's own text in `repr`; layers show the arguments of their constructor."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        below = []
        for name, module in self._modules.items():
            shown = "\n".join(
                line if i == 0 else f"  {line}" for i, line in enumerate(repr(module).split("\n"))
            )
            below.append(f"({name}): {shown}")
        if len(lines) == 1 and not below:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not below:
            return f"{self._get_name()}()"
        inner = "\n  ".join([*lines, *below])
        return f"{self._get_name()}(\n  {inner}\n)"
