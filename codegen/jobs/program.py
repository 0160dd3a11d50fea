"""A compiled job: LLVM text, assembly, object and description, from a module at stage `loops`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from penstock.ir.record import Record

if TYPE_CHECKING:
    from penstock.codegen.cache import Entries
    from penstock.codegen.writer import LLVMText
    from penstock.ir.dialects.builtin import Module
    from penstock.ir.dialects.func import Func


LANES = ("lanes4", "lanes8", "lanes16")
PROFILE = (
    "penstock_profile_parallel_for",
    *(f"penstock_probe_{w}_{n}" for w in ("multiply", "multiply_doubles", "read") for n in LANES),
    "penstock_probe_multiply_pairs_lanes16",
)
"""What code of jobs that are timed exports beside their entries: see `codegen/native/profile.c`."""


class Program(Record):
    """Native code for one job and one processor."""

    description: dict[str, Any]
    """Plain JSON values: the entry, its arguments in order, the arena, the taps."""
    objects: tuple[bytes, ...]
    """Relocatable objects of the platform, position-independent, the one with the entry first.

    Together they need libm and no more."""
    cpu: str
    """The level of processor that the objects are for."""
    make_source: Callable[[], LLVMText]
    """Gives the text of stage `llvm`; a job that came from a cache has it made when asked for."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What debuggers and profilers call the kernels, by their symbols in the objects."""
    linked: bytes = b""
    """What `image` gives, where that is there already."""

    @cached_property
    def image(self) -> bytes:
        """The shared object of all objects, which exports the entry."""
        if self.linked:
            return self.linked
        # A job that comes from the cache is linked.
        from penstock.codegen.link.shared_object import shared_object

        return shared_object(self.objects, self.exports, labels=self.labels)

    @property
    def exports(self) -> list[str]:
        """The symbols of the shared object: the entry, and if it is timed, how to profile it."""
        return [self.description["entry"], *(PROFILE if "kernels" in self.description else ())]

    @cached_property
    def source(self) -> LLVMText:
        """The text of stage `llvm`, and the operation behind each line."""
        return self.make_source()

    @property
    def llvm(self) -> str:
        """The text of stage `llvm`."""
        return self.source.text

    @cached_property
    def asm(self) -> str:
        """The text of stage `asm`: the objects' code, compiled once more to be read."""
        from penstock.codegen.objects.objects import assembly

        return assembly(self.source, self.cpu)

    def packed(self) -> bytes:
        """What it takes to run it: one line of JSON, then the objects and the shared object."""
        parts = [*self.objects, self.image]
        head = {
            "description": self.description,
            "cpu": self.cpu,
            "labels": dict(self.labels),
            "sizes": [len(code) for code in parts],
        }
        return b"".join([json.dumps(head).encode(), b"\n", *parts])

    @staticmethod
    def unpacked(entry: bytes, make_source: Callable[[], LLVMText]) -> Program | None:
        """What was packed; None for bytes that were not."""
        line, _, rest = entry.partition(b"\n")
        try:
            head = json.loads(line)
            description, cpu = dict(head["description"]), str(head["cpu"])
            labels = dict(head["labels"])
            ends = list(accumulate(map(int, head["sizes"]), initial=0))
        except (ValueError, KeyError, TypeError):
            return None
        if ends[-1] != len(rest) or len(ends) < 2:
            return None
        *objects, image = [rest[start:end] for start, end in pairwise(ends)]
        return Program(description, tuple(objects), cpu, make_source, labels, image)


def compile_module(
    module: Module, cpu: str | None = None, store: Entries | None = None, verified: bool = False
) -> Program:
    """Compile a job at stage `loops` for a level of processor, such as "x86-64-v3".

    Without one it is the level that the module names, and this machine's where it names none.
    Nothing but the module is needed, so one that was parsed from text compiles as well. Kernels
    that the store holds are not compiled again; a module that was just verified need not be again.
    Raises `IRError`, at the operation, for a module that cannot be compiled, and ValueError for an
    unknown processor.

    >>> from penstock.ir.dialects.parsing import parse_module
    >>> module = parse_module('''
    ... module attributes {job.type = "predict"} {
    ...   func.func @double(%x: memref<f32> {job.feed = "x"}, %y: memref<f32> {job.fetch = "0"}) {
    ...     %v = memref.load %x[] : memref<f32>
    ...     %w = arith.addf %v, %v : f32
    ...     memref.store %w, %y[] : memref<f32>
    ...     return
    ...   }
    ... }''')
    >>> program = compile_module(module)
    >>> program.description["entry"]
    'double'
    >>> [argument["role"] for argument in program.description["arguments"]]
    ['feed', 'fetch']
    """
    from penstock.codegen.text.parts.text_target import target_of
    from penstock.ir.verify.verifier import verify

    if not verified:
        verify(module)
    return compile_groups(lambda group: module, target_of(module, cpu).level, store)


def compile_groups(
    lower: Callable[[Callable[[Func], None]], Module],
    cpu: str,
    store: Entries | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Program:
    """Compile what `lower` gives, a verified module at stage `loops`, for a level of processor.

    It may hand over the module's functions ahead of it, the job last, each when its loops are
    written: they are compiled meanwhile. `meanwhile` is called before those are waited for that
    are not done then. Otherwise as `compile_module`.
    """
    # A job that comes from the cache needs nothing of what writes text.
    from penstock.codegen.jobs.describe import describe
    from penstock.codegen.objects.objects import Compilation
    from penstock.codegen.text.llvm_text import ModuleText, emit_llvm
    from penstock.codegen.text.parts.text_target import TEXT_TARGETS

    compilation = Compilation(cpu, store)
    text = ModuleText(TEXT_TARGETS[cpu], compilation.written)
    module = lower(text.ahead)
    text.finish(module)
    description = describe(module)
    meanwhile()

    def source() -> LLVMText:
        return emit_llvm(module, cpu, verified=True)

    objects = compilation.objects(source)
    if "kernels" in description:
        # Few jobs are timed.
        from penstock.codegen.native import native_text
        from penstock.codegen.objects.resident import resident_objects

        objects += tuple(resident_objects([native_text("profile")], store))
    return Program(description, objects, cpu, source, compilation.labels())
