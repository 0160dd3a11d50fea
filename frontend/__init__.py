"""Penstock: job functions, compiled to native code that can be watched.

Importing this package, or any package below it, loads none of its modules. `__init__.pyi` says
which module each public name comes from, and that module is imported when the name is first used.
So `import penstock.runtime` stays as small as the runtime.
"""

import re
from importlib import import_module
from importlib.util import find_spec

_DECLARATION = re.compile(
    r"^from ([\w.]+) import \(?\s*(\w+) as (\w+)|^(\w+)(?: = (\w+)|: _\w+)$", re.MULTILINE
)
"""An import, another name, or an entry of a table."""

_FACES = "penstock.tensor_functions.faces"
"""The functions of tensors, and those that have another signature in the body of a job."""


def _homes() -> dict[str, tuple[str, str]]:
    """Public name -> the module that defines it and its name there."""
    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
    homes = {}
    for module, attribute, imported, name, other in _DECLARATION.findall(stub):
        homes[imported or name] = (
            (module, attribute) if module else homes[other] if other else (_FACES, name)
        )
    return {name: home for name, home in homes.items() if not name.startswith("_")}


_HOMES = _homes()

__all__ = sorted(_HOMES)


def _found(name: str) -> object:
    """A public name, imported."""
    module, attribute = _HOMES[name]
    if module == __name__:
        return import_module(f"{module}.{attribute}")
    if _has_faces(module, name):
        module, attribute = _FACES, name
    value: object = getattr(import_module(module), attribute)
    return value


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        # Python looks up a module's attribute this way before it imports a submodule that is not
        # public.
        if name.startswith("_") or not name.isidentifier() or find_spec(f"{__name__}.{name}"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        raise import_module("penstock.basics.names").no_name("flow", name)
    try:
        value = _found(name)
    except ModuleNotFoundError as error:
        if not f"{error.name}.".startswith(f"{__name__}.runtime."):
            raise
        message = "penstock.runtime is missing: install penstock-runtime of the same version"
        raise ImportError(message) from None
    except RuntimeError as error:
        import_module("penstock.ir.diagnostics").pass_interrupt(error)
        raise
    globals()[name] = value
    return value


def _has_faces(module: str, name: str) -> bool:
    if module.startswith("penstock.functions."):
        return name in import_module(_FACES).LEGACY
    homes = "penstock.tensor_functions.", "penstock.tensors.creation", "penstock.tensors.tensor"
    return module.startswith(homes)


def __dir__() -> list[str]:
    return sorted({*_HOMES, *(name for name in globals() if name.startswith("__"))})
