"""A shared library of jobs for C programs, which needs the C library and libm alone.

It holds the code of each job for several levels of processor, the values that variables start with,
the thread pool, and a function for each job, written here as LLVM text, on top of what all of them
share (`codegen/native/library.c`).

What its functions are, the header says (`codegen/clib/c_header.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.codegen.clib.c_interface import CJob, Interface
from penstock.codegen.link.shared_object import shared_object
from penstock.codegen.memref_values import ALIGNMENT
from penstock.codegen.native import native_text
from penstock.codegen.native.library import DECLARED, STATUS, STATUSES, needs
from penstock.codegen.objects.resident import resident_objects

if TYPE_CHECKING:
    from penstock.codegen.cache import Store
    from penstock.codegen.jobs.program import Program

__all__ = ["c_library"]

_UNIT = 64  # bytes that a value which stands everywhere is written at once in


def c_library(
    interface: Interface,
    programs: Mapping[str, Sequence[Program]],
    values: Mapping[str, np.ndarray[Any, Any]],
    store: Store | None = None,
) -> bytes:
    """The shared library of jobs: by level of processor their programs, in the interface's order.

    `values` are what variables start with, by name. Objects are kept in the store.
    """
    initials = _initial_values(interface, values)
    texts = [_text(interface, initials), native_text("library"), native_text("pool")]
    own = resident_objects(texts, store)
    return shared_object(
        own,
        _functions(interface),
        ("libm.so.6", "libc.so.6"),
        constants={f"initial.{number}": value for number, value in enumerate(initials)},
        apart={
            f"{level}.": [code for program in same for code in program.objects]
            for level, same in programs.items()
        },
        name=interface.file,
        permanent=True,
    )


def _functions(interface: Interface) -> list[str]:
    jobs = [job.identifier for job in interface.jobs]
    jobs += [f"{job.identifier}_watch" for job in interface.jobs if job.taps]
    own = ["message", "set_threads", *(["initialize"] if interface.variables else [])]
    return [*jobs, *(f"{interface.prefix}_{name}" for name in own)]


def _initial_values(
    interface: Interface, values: Mapping[str, np.ndarray[Any, Any]]
) -> list[bytes]:
    """The bytes of each variable, or as many as are written again and again."""
    found = []
    for variable in interface.variables:
        content = np.ascontiguousarray(values[variable.name]).tobytes()
        if len(content) != variable.bytes:
            raise ValueError(
                f"variable {variable.name} takes {variable.bytes} bytes, and its value "
                f"{len(content)}"
            )
        size = len(content) // max(values[variable.name].size, 1)
        unit = content[:size] * (_UNIT // max(size, 1))
        repeated = unit * (len(content) // _UNIT + 1)
        found.append(unit if repeated[: len(content)] == content else content)
    return found


def _text(interface: Interface, initials: Sequence[bytes]) -> str:
    levels = interface.levels
    parts = [DECLARED, needs(levels)]
    parts += [_job(interface, number, job) for number, job in enumerate(interface.jobs)]
    if interface.variables:
        parts.append(_initialize(interface, initials))
    parts.append(f"""\
define i32 @{interface.prefix}_set_threads(i32 %number) #0 {{
  %status = call i32 @library.set_threads(i32 %number)
  ret i32 %status
}}
""")
    return "\n".join([*parts, _messages(interface)])


def _job(interface: Interface, number: int, job: CJob) -> str:
    """The function of a job, and the tables that it works by."""
    entries = [f'@"{level}.{job.entry}"' for level in interface.levels]
    masks = [-1] * job.count
    for array in (*job.feeds, *job.fetches):
        masks[array.place] = array.alignment - 1
    for place, _ in job.variables:
        masks[place] = ALIGNMENT - 1
    arena = job.places.get("arena", -1) if job.arena else -1
    flags = len(job.taps)
    size = -(-job.arena // ALIGNMENT) * ALIGNMENT
    lines = [
        *(f"declare hidden i32 {entry}(ptr, ptr)" for entry in entries),
        f"@entries.{number} = internal constant [{len(entries)} x ptr] "
        f"[ {', '.join(f'ptr {entry}' for entry in entries)} ]",
        f"@masks.{number} = internal constant [{len(masks)} x i64] "
        f"[ {', '.join(f'i64 {mask}' for mask in masks)} ]",
        f"@flags.{number} = internal global [{max(flags, 1)} x i8] zeroinitializer, align 64",
        f"@watch.{number} = internal global %watch "
        f"{{ ptr null, ptr null, ptr @flags.{number}, i64 {flags} }}",
        f"@job.{number} = internal constant %job {{ ptr @entries.{number}, ptr @masks.{number}, "
        f"i64 {len(masks)}, i64 {arena}, i64 {size}, ptr @watch.{number} }}",
        *_step(interface, number, job),
    ]
    if flags:
        lines += [
            f"define i32 @{job.identifier}_watch(i32 %tap, ptr %function, ptr %user) #0 {{",
            f"  %status = call i32 @library.watch(ptr @watch.{number}, i32 %tap, "
            "ptr %function, ptr %user)",
            "  ret i32 %status",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _step(interface: Interface, number: int, job: CJob) -> list[str]:
    arrays = [*job.feeds, *job.fetches]
    arguments = ["ptr %variables"] if job.variables else []
    arguments += [f"ptr %array.{array.place}" for array in arrays] + ["ptr %workspace"]
    lines = [
        f"define i32 @{job.identifier}({', '.join(arguments)}) #0 {{",
        f"  %arguments = alloca [{job.count} x ptr], align 16",
    ]
    if job.variables:
        lines += [
            "  %none = icmp eq ptr %variables, null",
            "  br i1 %none, label %missing, label %take",
            "missing:",
            f"  ret i32 {STATUS['NULL']}",
            "take:",
        ]
    numbers = {variable.name: i for i, variable in enumerate(interface.variables)}
    for place, name in job.variables:
        lines += [
            f"  %array.{place}.at = getelementptr ptr, ptr %variables, i64 {numbers[name]}",
            f"  %array.{place} = load ptr, ptr %array.{place}.at",
        ]
    places = [*(array.place for array in arrays), *(place for place, _ in job.variables)]
    kept = {place: f"%array.{place}" for place in places}
    if "taps" in job.places:
        kept[job.places["taps"]] = f"@flags.{number}"
    if "arena" in job.places:
        kept[job.places["arena"]] = "%workspace"
    for place, value in sorted(kept.items()):
        lines += [
            f"  %slot.{place} = getelementptr ptr, ptr %arguments, i64 {place}",
            f"  store ptr {value}, ptr %slot.{place}",
        ]
    return [
        *lines,
        f"  %status = call i32 @library.step(ptr @job.{number}, ptr %arguments, ptr %workspace)",
        "  ret i32 %status",
        "}",
    ]


def _initialize(interface: Interface, initials: Sequence[bytes]) -> str:
    rows = [
        f"%initial {{ i64 {variable.place}, i64 {variable.bytes}, ptr @initial.{number}, "
        f"i64 {len(value)} }}"
        for number, (variable, value) in enumerate(zip(interface.variables, initials, strict=True))
    ]
    return "\n".join([
        *(f"@initial.{number} = external hidden constant i8" for number in range(len(rows))),
        f"@initials = internal constant [{len(rows)} x %initial] [ {', '.join(rows)} ]",
        f"define i32 @{interface.prefix}_initialize(ptr %variables, ptr %memory) #0 {{",
        "  %status = call i32 @library.initialize("
        f"ptr %variables, ptr %memory, i64 {len(rows)}, ptr @initials)",
        "  ret i32 %status",
        "}\n",
    ])  # fmt: skip


def _messages(interface: Interface) -> str:
    texts = [text for _, text in STATUSES] + ["there is no such status"]
    lines = [
        f'@message.{i} = internal constant [{len(text) + 1} x i8] c"{text}\\00"'
        for i, text in enumerate(texts)
    ]
    last = len(texts) - 1
    return "\n".join([
        *lines,
        f"@messages = internal constant [{len(texts)} x ptr] "
        f"[ {', '.join(f'ptr @message.{i}' for i in range(len(texts)))} ]",
        f"define ptr @{interface.prefix}_message(i32 %status) #0 {{",
        f"  %known = icmp ult i32 %status, {last}",
        f"  %number = select i1 %known, i32 %status, i32 {last}",
        "  %text.at = getelementptr ptr, ptr @messages, i32 %number",
        "  %text = load ptr, ptr %text.at",
        "  ret ptr %text",
        "}\n",
    ])  # fmt: skip
