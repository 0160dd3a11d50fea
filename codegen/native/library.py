"""What `library.c` and the libraries that Python writes share: statuses, tables, functions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from penstock.codegen.host import LEVELS, MAKERS
from penstock.codegen.native import native_text

__all__ = ["DECLARED", "STATUS", "STATUSES", "TYPES", "needs", "reserved_names"]

STATUSES = (
    ("OK", "done"),
    ("STOPPED", "the step was stopped"),
    ("PROCESSOR", "this processor lacks instructions that the code needs"),
    ("NULL", "a pointer is NULL"),
    ("MISALIGNED", "a pointer is not aligned as the header says"),
    ("MEMORY", "there is no memory for a workspace"),
    ("THREADS", "a number of threads, perhaps PENSTOCK_NUM_THREADS, is not one from 1 to 1024"),
    ("TAP", "there is no such tap"),
)
STATUS = {name: number for number, (name, _) in enumerate(STATUSES)}

# Bits of what CPUID says: leaf 1, ECX; leaf 7, EBX; leaf 80000001h, ECX; of XCR0, which says the
# registers that the system saves; and of subleaf 1 of leaf 7, EAX, which is 0 where there is none.
# Intel's manual, volume 1, chapter 20; volume 3, chapter 13. Last comes leaf 0, EBX, which begins
# the name of the maker.
_V2 = ((0, 9, 13, 19, 20, 23), (), (0,), (), ())
_V3 = ((12, 22, 27, 28, 29), (3, 5, 8), (5,), (1, 2), ())
_V4 = ((), (16, 17, 28, 30, 31), (), (5, 6, 7), ())
_BF16 = ((), (), (), (), (5,))
_BITS = {
    "x86-64-v2": (_V2,),
    "x86-64-v3": (_V2, _V3),
    "x86-64-v4": (_V2, _V3, _V4),
    "x86-64-v4-bf16": (_V2, _V3, _V4, _BF16),
}

_TYPES = {
    "needs": ("i32",) * 6,
    "watch": ("ptr", "ptr", "ptr", "i64"),
    "job": ("ptr", "ptr", "i64", "i64", "i64", "ptr"),
    "initial": ("i64", "i64", "ptr", "i64"),
}
TYPES = {name: f"{{ {', '.join(fields)} }}" for name, fields in _TYPES.items()}
"""The structures of `layouts.h` that tables are made of, as LLVM text has them."""

DECLARED = "".join([
    *(f"%{name} = type {fields}\n" for name, fields in TYPES.items()),
    "declare hidden i32 @library.step(ptr, ptr, ptr)\n",
    "declare hidden i32 @library.watch(ptr, i32, ptr, ptr)\n",
    "declare hidden i32 @library.set_threads(i32)\n",
    "declare hidden i32 @library.initialize(ptr, ptr, i64, ptr)\n",
    'attributes #0 = { nounwind "target-cpu"="x86-64" }\n',
])  # fmt: skip
"""What the text of a library takes from `library.c`, and the attributes of its functions."""


def needs(levels: Sequence[str]) -> str:
    """The tables of what each of these levels needs of a processor.

    A level by which one maker's processors gain asks for that one, if there is the level below.
    """
    rows, names = [], list(LEVELS)
    for level in levels:
        words = [sum(1 << bit for bits in _BITS[level] for bit in bits[word]) for word in range(5)]
        may_choose = level in MAKERS and names[names.index(level) - 1] in levels
        maker = MAKERS[level][:4] if may_choose else ""
        words.append(int.from_bytes(maker.encode(), "little"))
        rows.append("%needs { " + ", ".join(f"i32 {word}" for word in words) + " }")
    return (
        f"@library.levels = hidden constant i64 {len(levels)}\n"
        f"@library.needs = hidden constant [{len(levels)} x %needs] [ {', '.join(rows)} ]\n"
    )


def reserved_names() -> set[str]:
    """The functions that a library defines or calls; a job of such a name would replace them."""
    text = native_text("library") + native_text("pool")
    return set(re.findall(r"^(?:define|declare) [^@\n]*@([A-Za-z_]\w*)\(", text, re.MULTILINE))
