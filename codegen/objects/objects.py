"""The objects of a job: one per unit of its text, from the cache or compiled in parallel."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from penstock.codegen.cache import Entries
from penstock.codegen.host import object_key
from penstock.codegen.objects import compiler, llvm
from penstock.codegen.objects.units import SYMBOL, Unit, Units, defined, split
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError

_SYMBOL = re.compile(SYMBOL)

T = TypeVar("T")
R = TypeVar("R")


class Compilation:
    """Compiles the kernels of a job, each as soon as its text is emitted."""

    def __init__(self, cpu: str | None = None, store: Entries | None = None) -> None:
        self._cpu = cpu
        self._store = store
        self._units = Units()
        self._stored: dict[str, bytes] = {}
        self._objects: dict[str, Callable[[], bytes]] = {}

    def written(self, name: str, lines: Sequence[str]) -> None:
        """Take the lines of a function, with all that they refer to, and begin with a kernel.

        Those without a name are the last ones: then all the rest is begun.
        """
        self._units.add(lines)
        if not name:
            # Longest first, so that no thread starts a long one when the others are done.
            for unit in sorted(self._units.all(), key=lambda unit: -len(unit.text)):
                self._begin(unit)
            return
        kernel = self._units.kernel(name)
        if kernel is not None:
            self._begin(kernel)

    def objects(self, source: Callable[[], LLVMText]) -> tuple[bytes, ...]:
        """The relocatable objects of the text that was written, the one with the entry first.

        Those that the store has are not made again. Raises `IRError` at the operation whose line
        LLVM rejects, of the text as `source` gives it.
        """
        found = []
        for unit in self._units.all():
            try:
                found.append(self._object(unit))
            except IRError:
                # Only the lines of the whole text map to operations.
                llvm.check(source(), self._cpu)
                raise
            except compiler.Ended as error:
                raise _unable(unit, source(), error) from None
        return tuple(found)

    def labels(self) -> dict[str, str]:
        """The names of kernels in the text, by their symbols in the objects."""
        return {unit.symbol: unit.name.strip('@"') for unit in self._units.all() if unit.symbol}

    def _begin(self, unit: Unit) -> None:
        if unit.text not in self._objects and unit.text not in self._stored:
            found = self._store.get(self._key(unit)) if self._store is not None else None
            if found is None:
                self._objects[unit.text] = compiler.submit(LLVMText(unit.text, ()), self._cpu)
            else:
                self._stored[unit.text] = found

    def _object(self, unit: Unit) -> bytes:
        if unit.text in self._stored:
            return self._stored[unit.text]
        code = self._objects[unit.text]()
        if self._store is not None:
            self._store.put(self._key(unit), code)
        return code

    def _key(self, unit: Unit) -> str:
        return object_key("kernel", unit.text, self._cpu)


def compile_objects(
    source: LLVMText, cpu: str | None = None, store: Entries | None = None
) -> tuple[bytes, ...]:
    """The relocatable objects of a job's whole text; see `Compilation.objects`."""
    compilation = Compilation(cpu, store)
    compilation.written("", source.text.split("\n"))
    return compilation.objects(lambda: source)


def _unable(unit: Unit, source: LLVMText, end: compiler.Ended) -> IRError:
    """The error for a unit that crashes the compiler process."""
    functions = unit.functions[:1] if unit.name else unit.functions
    what = f"{' or '.join(functions)} of stage llvm"
    for number, line in enumerate(source.text.splitlines(), 1):
        if line.startswith("define ") and defined(line) in functions:
            op = source.origin(number)
            if op is not None:
                return end.error(what, op)
    return end.error(what)


def assembly(source: LLVMText, cpu: str | None = None) -> str:
    """The assembly text of all objects of a job, its kernels under the names of the job's text."""
    units = split(source.text)
    return joined(units, side_by_side(lambda unit: unit_assembly(unit, cpu), units))


def unit_assembly(unit: Unit, cpu: str | None) -> str:
    """The assembly text of one object."""
    machine = llvm.target_machine(cpu, llvm.is_plain(unit.text))
    return llvm.compile_assembly(LLVMText(unit.text, ()), machine)


def joined(units: Sequence[Unit], texts: Sequence[str]) -> str:
    """One text of those of units, line by line, with the names of the job's text."""
    names = {unit.symbol: unit.name.removeprefix("@") for unit in units if unit.symbol}
    # Each object counts its local labels from 0; in one text they must differ.
    parts = [text.replace(".L", f".L{number}.") for number, text in enumerate(texts)]
    return _SYMBOL.sub(lambda match: names[match[0]], "".join(parts))


def side_by_side(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """Map `work` over items, on as many threads as this process has processors.

    Items are started in order. After an exception no more are started, and the exception of the
    first failing item is raised.
    """
    results: dict[int, R] = {}
    errors: dict[int, BaseException] = {}
    numbers = iter(range(len(items)))
    lock = threading.Lock()

    def claimed() -> Iterable[int]:
        while not errors:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            yield number

    def serve() -> None:
        for number in claimed():
            try:
                results[number] = work(items[number])
            except BaseException as error:
                errors[number] = error

    helpers = min(len(items), len(os.sched_getaffinity(0))) - 1
    threads = [threading.Thread(target=serve, name="penstock compile") for _ in range(helpers)]
    for thread in threads:
        thread.start()
    try:
        serve()
    finally:
        for thread in threads:
            thread.join()
    if errors:
        raise errors[min(errors)]
    return [results[number] for number in range(len(items))]
