"""What can be made a job: functions, bound methods, `functools.partial` and callable objects."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from penstock.basics.errors import function_location, kind_of, located
from penstock.ir.location import Location
from penstock.trace.blob import offer_methods


def _blob_methods() -> dict[str, Any]:
    from penstock.tensor_functions import blob_methods

    return blob_methods.methods()


# Tracing imports this module.
offer_methods(_blob_methods)


def underlying(function: Callable[..., Any]) -> Callable[..., Any]:
    """The plain function whose body a call runs."""
    while not inspect.isfunction(function):
        if isinstance(function, functools.partial):
            function = function.func
        elif inspect.ismethod(function):
            function = function.__func__
        else:
            function = type(function).__call__
            if not inspect.isfunction(function):
                break
    return function


def is_job_function(function: object) -> bool:
    """Whether calling it runs a plain function with known parameters."""
    return callable(function) and inspect.isfunction(underlying(function))


def name_of(function: Callable[..., Any]) -> str:
    """The name of the job: the function's, or the class's for an object without a name."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", type(function).__name__)
    return str(name)


def location_of(function: Callable[..., Any]) -> Location:
    """Where the body was written."""
    return function_location(underlying(function))


def signature_of(function: Callable[..., Any], what: str, location: Location) -> inspect.Signature:
    """The signature, with annotations as objects even if the module postpones them.

    Keywords bound by a partial are left out.
    """
    try:
        found = inspect.signature(function, eval_str=True)
    except (NameError, AttributeError, SyntaxError) as error:
        raise located(
            NotImplementedError,
            f"an annotation of {what} cannot be read, because {error}; names in annotations must "
            "be known at module level where `from __future__ import annotations` is in force",
            location,
        ) from error
    bound: set[str] = set()
    while isinstance(function, functools.partial):
        bound |= function.keywords.keys()
        function = function.func
    kept = [p for name, p in found.parameters.items() if name not in bound]
    return found.replace(parameters=kept)


def is_method(function: Callable[..., Any]) -> bool:
    """Whether a function in a class takes the object first."""
    house = function.__qualname__.rpartition(".")[0]
    if not house or house.endswith("<locals>"):
        return False
    first = next(iter(inspect.signature(function).parameters.values()), None)
    return (
        first is not None
        and first.annotation is inspect.Parameter.empty
        and first.default is inspect.Parameter.empty
    )


def check_function(function: object, what: str = "flow.global_function") -> None:
    """A located TypeError for what cannot be made a job."""
    if not is_job_function(function):
        raise located(
            TypeError,
            f"{what} decorates a function of Python, or a method, partial or object "
            f"that calls one, got {kind_of(function)}",
        )
