"""The objects of a job: one for each unit of its text, found in the cache or made in parallel."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from penstock.codegen import llvm
from penstock.codegen.cache import Store
from penstock.codegen.host import object_key
from penstock.codegen.units import SYMBOL, Unit, split
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError

_SYMBOL = re.compile(SYMBOL)

T = TypeVar("T")
R = TypeVar("R")


def compile_objects(
    source: LLVMText, cpu: str | None = None, store: Store | None = None
) -> tuple[bytes, ...]:
    """The relocatable objects of a job's text, the one with the entry first.

    Those that the store has are not made again. Raises `IRError` at the operation whose line LLVM
    rejects.
    """
    units = split(source.text)
    objects: dict[Unit, bytes] = {}
    keys = {u: object_key("kernel", u.text, cpu) for u in units} if store is not None else {}
    if store is not None:
        for unit in units:
            found = store.get(keys[unit])
            if found is not None:
                objects[unit] = found
    # The longest first, so that no thread begins with one when the others are done.
    missing = sorted(
        (unit for unit in units if unit not in objects), key=lambda unit: -len(unit.text)
    )
    try:
        made = side_by_side(lambda unit: llvm.compile_object(LLVMText(unit.text, ()), cpu), missing)
    except IRError:
        # Lines are counted in the whole text, whose operations are known.
        llvm.check(source, cpu)
        raise
    for unit, code in zip(missing, made, strict=True):
        objects[unit] = code
        if store is not None:
            store.put(keys[unit], code)
    return tuple(objects[unit] for unit in units)


def assembly(source: LLVMText, cpu: str | None = None) -> str:
    """The assembly text of all objects of a job, its kernels under the names of the job's text."""
    units = split(source.text)
    texts = side_by_side(
        lambda unit: llvm.compile_assembly(LLVMText(unit.text, ()), llvm.target_machine(cpu)), units
    )
    names = {unit.symbol: unit.name.removeprefix("@") for unit in units if unit.symbol}
    # Each object counts its local labels from 0; in one text they must differ.
    parts = [text.replace(".L", f".L{number}.") for number, text in enumerate(texts)]
    return _SYMBOL.sub(lambda match: names[match[0]], "".join(parts))


def side_by_side(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What `work` gives for each item, on as many threads as there are processors for this process.

    Items are begun in their order. After an exception no other is begun; the one of the first item
    in order is raised.
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
