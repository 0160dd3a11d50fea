"""Loads compiled jobs and runs them; NumPy and the standard library only.

    load            the jobs of an artifact: `load("train.pstk")(images, labels)` runs a step
    open_artifact   an artifact to inspect; nothing of it is executed
    RebuildLimits   resource limits of `load(path, rebuild=True)`
    ArtifactError   what both raise for a file that is not a valid artifact for this machine
    Artifact        the result of `load`: jobs, variables, `watch`, `save`
    Executable      a native entry with its description: `run(feeds, store, handlers)`
    Description     the interface of a compiled job; `Argument` and `Tap` are its parts
    VariableStore   the variables of a session, shared by its jobs
    FileVariable    a variable in a checkpoint, read on demand
    checkpoint      `save(folder, arrays)` and `get(folder)`
    profile         where the time of jobs goes: `with profile() as found: ...; print(found)`
    threads         the number of threads that steps use: `set_num_threads(n)`

Modules are imported when they are first used. The compiler is never imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.runtime import checkpoint as checkpoint
    from penstock.runtime import threads as threads
    from penstock.runtime.artifacts.artifact import Artifact as Artifact
    from penstock.runtime.artifacts.artifact import load as load
    from penstock.runtime.artifacts.artifact_error import ArtifactError as ArtifactError
    from penstock.runtime.artifacts.artifact_file import open_artifact as open_artifact
    from penstock.runtime.artifacts.rebuild_limits import RebuildLimits as RebuildLimits
    from penstock.runtime.description import Argument as Argument
    from penstock.runtime.description import Description as Description
    from penstock.runtime.description import Tap as Tap
    from penstock.runtime.execution.executable import Executable as Executable
    from penstock.runtime.file_variable import FileVariable as FileVariable
    from penstock.runtime.profiling.recording import profile as profile
    from penstock.runtime.store.variables import VariableStore as VariableStore

# Public name -> "module", or "module:attribute".
_LAZY = {
    "Artifact": "penstock.runtime.artifacts.artifact:Artifact",
    "ArtifactError": "penstock.runtime.artifacts.artifact_error:ArtifactError",
    "Argument": "penstock.runtime.description:Argument",
    "Description": "penstock.runtime.description:Description",
    "Executable": "penstock.runtime.execution.executable:Executable",
    "FileVariable": "penstock.runtime.file_variable:FileVariable",
    "Tap": "penstock.runtime.description:Tap",
    "RebuildLimits": "penstock.runtime.artifacts.rebuild_limits:RebuildLimits",
    "VariableStore": "penstock.runtime.store.variables:VariableStore",
    "checkpoint": "penstock.runtime.checkpoint",
    "load": "penstock.runtime.artifacts.artifact:load",
    "open_artifact": "penstock.runtime.artifacts.artifact_file:open_artifact",
    "profile": "penstock.runtime.profiling.recording:profile",
    "threads": "penstock.runtime.threads",
}

__all__ = [
    "Argument",
    "Artifact",
    "ArtifactError",
    "Description",
    "Executable",
    "FileVariable",
    "RebuildLimits",
    "Tap",
    "VariableStore",
    "checkpoint",
    "load",
    "open_artifact",
    "profile",
    "threads",
]


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _LAZY[name].partition(":")
    value: object = import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
