"""What a graph has in place of a module: calls go to the module, settings stay with the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from penstock.basics.checks import check_flag
from penstock.basics.errors import kind_of, located
from penstock.nn.modules.module import Module


class BlockConfig:
    """The settings of a module in a graph."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._checkpointing = False
        self.stage_id: int | None = None
        self.stage_placement: Any = None

    @property
    def activation_checkpointing(self) -> bool:
        """Whether the module's values are computed again for the gradients, instead of kept."""
        return self._checkpointing

    @activation_checkpointing.setter
    def activation_checkpointing(self, mode: bool) -> None:
        self._checkpointing = check_flag(mode, f"activation_checkpointing of {self._name}")

    def set_stage(self, stage_id: int | None = None, placement: Any = None) -> None:
        """Note the pipeline stage; on one rank it changes nothing."""
        self.stage_id, self.stage_placement = stage_id, placement

    def __repr__(self) -> str:
        words = []
        if self.stage_id is not None:
            words.append(f"stage_id={self.stage_id}, ")
        if self._checkpointing:
            words.append("activation_checkpointing=True, ")
        return f"(CONFIG:config:GraphModuleConfig({''.join(words)}))"


class Proxy:
    """Base of what stands for a module in a graph."""


class GraphModule(Proxy):
    """A module in a graph.

    Calls and attributes are those of the module; submodules are blocks, too. `to(flow.nn.Module)`
    gives the module itself. `config` has the settings of this module in this graph, such as
    `config.activation_checkpointing = True`.

    >>> import penstock as flow
    >>> class Twice(flow.nn.Graph):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layer = flow.nn.ReLU()
    ...     def build(self, x):
    ...         return self.layer(x) * 2
    >>> Twice().layer.to(flow.nn.Module)
    ReLU()
    """

    type = "MODULE"

    def __init__(self, name: str, prefix: str, module: Module, configs: dict[int, Any]) -> None:
        held = self.__dict__
        held["_name"], held["_prefix"], held["_module"] = name, prefix, module
        held["_configs"] = configs

    @property
    def name(self) -> str:
        """Its name in the module or graph that it is an attribute of."""
        name: str = self.__dict__["_name"]
        return name

    @property
    def name_prefix(self) -> str:
        """The name of that module with a dot behind it; empty in a graph."""
        prefix: str = self.__dict__["_prefix"]
        return prefix

    @property
    def origin(self) -> Module:
        """The module itself."""
        module: Module = self.__dict__["_module"]
        return module

    @property
    def config(self) -> BlockConfig:
        """The settings of this module in this graph."""
        configs, key = self.__dict__["_configs"], id(self.origin)
        if key not in configs:
            configs[key] = BlockConfig(self.name_prefix + self.name)
        made: BlockConfig = configs[key]
        return made

    def set_stage(self, stage_id: int | None = None, placement: Any = None) -> None:
        """As `config.set_stage`."""
        self.config.set_stage(stage_id, placement)

    def to(self, *args: Any, **named: Any) -> Any:
        """The module for `to(flow.nn.Module)`, the block for `to(flow.nn.graph.GraphModule)`.

        Otherwise as `to` of the module.
        """
        if args and isinstance(args[0], type):
            if issubclass(args[0], GraphModule):
                return self
            if issubclass(args[0], Module):
                return self.origin
            raise located(
                TypeError,
                "to of a module in a graph takes flow.nn.Module or flow.nn.graph.GraphModule, got "
                f"{kind_of(args[0])}",
            )
        self.origin.to(*args, **named)
        return self

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.origin(*args, **named)

    def _wrapped(self, name: str, value: Any) -> Any:
        if not isinstance(value, Module):
            return value
        return GraphModule(name, f"{self.name_prefix}{self.name}.", value, self._configs)

    def __getattr__(self, name: str) -> Any:
        if name == "activation_checkpointing":
            return self.config.activation_checkpointing
        return self._wrapped(name, getattr(self.origin, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "activation_checkpointing":
            self.config.activation_checkpointing = value
        else:
            setattr(self.origin, name, value)

    def __getitem__(self, place: Any) -> Any:
        module: Any = self.origin
        found: Any = module[place]
        return self._wrapped(str(place), found)

    def __len__(self) -> int:
        module: Any = self.origin
        return len(module)

    def __iter__(self) -> Iterator[Any]:
        module: Any = self.origin
        for i, member in enumerate(module):
            yield self._wrapped(str(i), member)

    def __bool__(self) -> bool:
        return True

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise located(
            TypeError,
            f"module {self.name_prefix}{self.name} of a graph cannot be copied or pickled; copy "
            "the module itself, which is .to(flow.nn.Module)",
        )

    def __repr__(self) -> str:
        return f"(MODULE:{self.name_prefix}{self.name}:{self.origin!r})"
