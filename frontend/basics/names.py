"""Suggestions for public names that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from penstock.basics.errors import did_you_mean, located
from penstock.basics.not_offered import instead_of

_HOUSES = ("flow", "flow.nn", "flow.math", "flow.layers", "flow.random", "flow.optimizer")
"""Modules in which to look for a function that was requested from another module or a blob."""
ONEFLOW_NAMES = Path(__file__).with_name("oneflow_names.txt")
"""OneFlow's public names, including those that penstock lacks."""


def no_such(house: str) -> Callable[[str], Any]:
    """The `__getattr__` of a public module: a located AttributeError that suggests a similar name.

    The module must be complete. It also gets a `__dir__` that lists only what it offers.
    """
    offered = public_names(house)
    vars(import_module(house.replace("flow", "penstock", 1))).setdefault("__dir__", lambda: offered)

    def missing(name: str) -> Any:
        raise no_name(house, name)

    return missing


def from_homes(
    house: str, homes: Mapping[str, Sequence[str]], otherwise: Callable[[str], Any]
) -> Callable[[str], Any]:
    """The `__getattr__` of a public module that re-exports names from the modules in `homes`.

    A module is imported when the first of its names is used: importing costs as much as tracing
    many ops.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    module = vars(import_module(house.replace("flow", "penstock", 1)))

    def found(name: str) -> Any:
        if name not in home_of:
            return otherwise(name)
        module[name] = getattr(import_module(f"penstock.{home_of[name]}"), name)
        return module[name]

    return found


def no_name(house: str, name: str) -> AttributeError:
    """The error for a missing name of a public module; Python's own names get no advice."""
    if name.startswith("_"):
        return AttributeError(f"{house} has no {name!r}")
    found = elsewhere(name)
    instead = instead_of(f"{house}.{name}".removeprefix("flow."))
    if instead:
        advice = f": {instead}"
    elif found:
        advice = f'; did you mean "{found}"?'
    else:
        advice = did_you_mean(name, public_names(house))
    error = located(AttributeError, f"{house} has no {name!r}{advice}")
    error.name = name  # With a name of its own it gets no second advice by Python.
    return error


def public_names(house: str) -> list[str]:
    """The names of functions and classes that a public module such as `flow.layers` offers."""
    module = vars(import_module(house.replace("flow", "penstock", 1)))
    if "__all__" in module:
        listed = module["__all__"]
    elif "__dir__" in module:
        listed = module["__dir__"]()
    else:
        own = module["__name__"]
        listed = [
            name
            for name, value in module.items()
            if getattr(value, "__module__", "") == own and not isinstance(value, TypeVar)
        ]
    return [name for name in listed if not name.startswith("_")]


def elsewhere(name: str) -> str:
    """The function of that name, or with `reduce_` before it, in any module: `flow.nn.relu`."""
    for wanted in (name, f"reduce_{name}"):
        for house in _HOUSES:
            if wanted in public_names(house):
                return f"{house}.{wanted}"
    return ""
