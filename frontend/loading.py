"""`flow.compile`: a job from the text of any stage from `job` to `loops`.

The text is all there is: no Python source of the job, no session. Variables start as the module
says they do and belong to the loaded job alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from penstock.errors import counted, kind_of, located
from penstock.ir.dialects.builtin import Module
from penstock.ir.parser import parse_module
from penstock.ir.verifier import verify
from penstock.job_cache import compile_stages
from penstock.native import executable, serve, unattached
from penstock.nest import PATH_OF_ONE
from penstock.runtime import FileVariable, VariableStore
from penstock.runtime.executable import Form
from penstock.stages import Compiled, Modules
from penstock.watching import handler_of

Array = np.ndarray[Any, np.dtype[Any]]


class LoadedJob:
    """A compiled job with variables of its own: call it with arrays, one per feed."""

    def __init__(self, stages: Compiled) -> None:
        self.stages = stages
        self._executable = executable(stages.program)
        self._store = VariableStore()
        self._handlers: dict[int, list[Callable[[Any], object]]] = {}
        for argument in self._description.variables:
            self._store.ensure(argument, self.name)
        fetches = [fetch.name for fetch in self._description.fetches]
        places = [str(position) for position in range(len(fetches))]
        self._form: Form = "tuple" if fetches else "none"
        if fetches == [PATH_OF_ONE]:
            self._form = "one"
        self._is_delivered = fetches == places
        self._attach()

    @property
    def _description(self) -> Any:
        return self._executable.description

    @property
    def name(self) -> str:
        return self.stages.job

    def __repr__(self) -> str:
        feeds = ", ".join(feed.name for feed in self._description.feeds)
        return f"<loaded {self._description.type} job {self.name}({feeds})>"

    def __call__(self, *arrays: Array) -> Any:
        """Run one step: one array per feed, in order.

        Gives the array where the job returns one value, a tuple where it returned a tuple or list
        of them, else a dict by the names of the fetches, such as `losses/0`; None for nothing.
        """
        # Where results are to be delivered; otherwise `_attach` has put another method in place.
        results = self._native(*arrays)
        if results is NotImplemented:
            results = self._call(*arrays)
        return results if self._is_delivered else self._deliver(results)

    def _attach(self) -> None:
        """Have usual calls made natively."""
        call = self._executable.call(self._store, self._form, self._handlers)
        self._native = call or unattached
        if call is not None and self._is_delivered:
            serve(self, LoadedJob, self._executable.serve(self._call))

    def _call(self, *arrays: Array) -> Any:
        """A call that is unusual or wrong, as the native one would return it."""
        feeds = self._description.feeds
        if len(arrays) != len(feeds):
            names = ", ".join(feed.name for feed in feeds) or "none"
            raise located(
                TypeError,
                f"job {self.name} takes {counted(len(feeds), 'array')} ({names}), "
                f"got {len(arrays)}",
            )
        try:
            given = self._executable.accept(arrays)
        except (TypeError, ValueError) as error:
            raise located(type(error), str(error)) from None
        results = self._executable.run_accepted(given, self._store, self._handlers)
        if self._form == "tuple":
            return tuple(results)
        return results[0] if results else None

    def _deliver(self, results: tuple[Array, ...]) -> dict[str, Array]:
        names = [fetch.name for fetch in self._description.fetches]
        return dict(zip(names, results, strict=True))

    def watch(self, name: str, handler: Callable[[Any], object] | str | None = None) -> None:
        """Call the handler, as `flow.watch` does, at the watch point of that name."""
        taps = {tap.name: tap.id for tap in self._description.taps}
        if name not in taps:
            known = ", ".join(taps) or "none"
            raise located(
                ValueError, f"job {self.name} has the watch points {known}, got {kind_of(name)}"
            )
        call = handler_of("watch", handler)
        self._handlers.setdefault(taps[name], []).append(call)
        self._attach()

    def variables(self) -> dict[str, Array]:
        """Copies of its variables, by name."""
        return dict(self._store.items())

    def load_variables(self, values: Mapping[str, Array | FileVariable]) -> None:
        """Overwrite variables by name, all of them or, on an error, none.

        Raises a located RuntimeError for a name it has not, ValueError for another form.
        """
        try:
            self._store.load(values, ignore_unknown=False)
        except (TypeError, ValueError, RuntimeError) as error:
            raise located(type(error), str(error)) from None


def compile(text_or_path: str | os.PathLike[str]) -> LoadedJob:
    """A job from the text of a stage from `job` to `loops`, or from a file that holds one.

    Raises `penstock.ir.diagnostics.IRError`, with the line of the text and a caret, for what is no
    such text, and a located ValueError for a file that cannot be read.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return x * x
    >>> text = job.lower().as_text("loops")
    >>> flow.compile(text)(np.array([1, 2, 3], np.float32))
    array([1., 4., 9.], dtype=float32)
    """
    if isinstance(text_or_path, str) and "{" in text_or_path:
        text, source = text_or_path, "<text>"
    elif isinstance(text_or_path, str) and "\n" in text_or_path:
        raise located(
            ValueError,
            "flow.compile takes the text of a stage from job to loops, and this text holds no "
            "module; assembly is what a job becomes, not what it is compiled from",
        )
    elif isinstance(text_or_path, str | os.PathLike):
        source = os.fspath(text_or_path)
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise located(
                ValueError,
                f"flow.compile reads no text at {source!r} ({error}); "
                "give the text of a module or the path of a file that holds one",
            ) from None
    else:
        raise located(
            TypeError,
            f"flow.compile takes the text of a module or a path, got {kind_of(text_or_path)}",
        )
    if "module" not in text and "define " in text:
        raise located(
            ValueError,
            "flow.compile takes the text of a stage from job to loops, and this is LLVM's; give "
            "the text of an earlier stage",
        )
    module = parse_module(text, source)
    verify(module)
    modules = Modules(stage_of(module), module)
    return LoadedJob(compile_stages(module.job.sym_name, modules))


def stage_of(module: Module) -> str:
    """The stage a module is at, as far as the next pass needs to know.

    A module of stage `grad` or `placed` counts as `job`: passes leave alone what is done already.
    """
    arguments = range(len(module.job.arguments))
    if any("job.arena" in module.job.argument_attributes(i) for i in arguments):
        return "loops"
    ops = (op for op in module.walk() if op.name != "job.watch")
    ours = any(op.name.startswith(("flow.", "job.")) for op in ops)
    return "job" if ours else "fused"
