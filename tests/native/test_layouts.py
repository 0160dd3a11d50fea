"""Structures shared by Python and native code have the same layout; layouts.h checks the C side."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.codegen.memref_values import ALIGNMENT, ARRAY_ALIGNMENT
from penstock.codegen.native import FOLDER, library
from penstock.codegen.text import call_text
from penstock.runtime.collective import AWAITED
from penstock.runtime.execution.taps import Context
from penstock.runtime.mpi import engine
from penstock.runtime.native import eager_call, native_call
from penstock.runtime.profiling import peak, recorder
from penstock.runtime.store.readers_writer import Gate
from penstock.tensor_functions import methods
from penstock.tensors.graph import Line, OpNode
from penstock.tensors.native import SLOTS as ORDER
from penstock.tensors.tensor import Changes, Tensor

HEADER = Path(FOLDER, "layouts.h").read_text()
SHARED: dict[str, type[ctypes.Structure]] = {
    "context": Context,
    "feed": native_call.Feed,
    "block": native_call.RingTable._fields_[1][1]._type_,
    "ring": native_call.RingTable,
    "fetch": native_call.Fetch,
    "tap": native_call.TapTable,
    "run": native_call.Run,
    "gate": Gate,
    "table": native_call.Table,
    "eager_view": eager_call.EagerView,
    "flags": eager_call.EagerFlags,
    "eager_rule": eager_call.EagerRule,
    "eager_op": eager_call.EagerOp,
    "eager_operator": eager_call.EagerOperator,
    "eager_setup": eager_call.EagerSetup,
    "collective": engine.NativeCollective,
    "stream": engine.Stream,
    "work": engine.Work,
    "queue": engine.Queue,
    "ranks": engine.Ranks,
    "joined": engine.Joined,
    "profile_record": recorder.RecordTable,
    "profile": recorder.ProfileTable,
    "probe": peak.ProbeTable,
}
"""Structure of layouts.h -> ours, whose fields have the same names."""
SLOTS = {"tensor": Tensor, "changes": Changes, "line": Line, "node": OpNode}
"""Structure of layouts.h -> the class whose slots it has."""
FOREIGN = ("object", "array", "ctypes_object")
WIDTHS = {"i32": 4, "i64": 8, "ptr": 8}


def offsets(struct: str) -> dict[str, int]:
    """The offset of each field that layouts.h states for a structure, and "" for its size."""
    found = re.findall(rf"^AT\({struct}, (\w+), (\d+)\);$", HEADER, re.MULTILINE)
    (size,) = re.findall(rf"^SIZE\({struct}, (\d+)\);$", HEADER, re.MULTILINE)
    return {**{name: int(offset) for name, offset in found}, "": int(size)}


@pytest.mark.parametrize("struct", SHARED)
def test_python_and_c_have_the_same_offsets(struct: str) -> None:
    kind = SHARED[struct]
    names = [
        field[0] for base in reversed(kind.__mro__) for field in vars(base).get("_fields_", ())
    ]
    ours = {name: getattr(kind, name).offset for name in names}
    assert offsets(struct) == {**ours, "": ctypes.sizeof(kind)}


def test_every_structure_of_the_header_is_compared() -> None:
    found = set(re.findall(r"^struct (\w+) \{", HEADER, re.MULTILINE))
    assert found == {*SHARED, *SLOTS, *FOREIGN, *library.TYPES}


@pytest.mark.parametrize("struct", library.TYPES)
def test_llvm_text_and_c_have_the_same_offsets(struct: str) -> None:
    widths = [WIDTHS[kind] for kind in library.TYPES[struct].strip("{ }").split(", ")]
    ours = [sum(widths[:number]) for number in range(len(widths))]
    # Then LLVM inserts no padding.
    assert all(start % width == 0 for start, width in zip(ours, widths, strict=True))
    found = offsets(struct)
    assert found.pop("") == sum(widths)
    # The words of `needs` are one array.
    assert list(found.values()) == (ours[:1] if struct == "needs" else ours)


def test_constants_are_the_same() -> None:
    (names,) = re.findall(r"^enum status \{ (.*) \};$", HEADER, re.MULTILINE)
    assert [name.removesuffix("_POINTER") for name in names.split(", ")] == list(library.STATUS)
    (alignments,) = re.findall(r"^enum \{ (ALIGNMENT.*) \};$", HEADER, re.MULTILINE)
    assert alignments == f"ALIGNMENT = {ALIGNMENT}, ARRAY_ALIGNMENT = {ARRAY_ALIGNMENT}"
    (blocks,) = re.findall(r"^enum \{ BLOCKS = (\d+) \};$", HEADER, re.MULTILINE)
    assert int(blocks) == native_call.BLOCKS
    (words,) = re.findall(r"^enum \{ WORDS = (\d+) \};$", HEADER, re.MULTILINE)
    (operators,) = re.findall(r"^enum \{ OPERATORS = (\d+) \};$", HEADER, re.MULTILINE)
    assert int(operators) == eager_call.OPERATORS == len(methods.operators)
    assert int(words) == library.TYPES["needs"].count("i32")
    (most,) = re.findall(r"^enum \{ (MOST_RANKS.*), AWAITED = 1 << 30 \};$", HEADER, re.MULTILINE)
    assert most == f"MOST_RANKS = {engine.MOST_RANKS}, WORKS = {engine.WORKS}"
    assert AWAITED == call_text.AWAITED == 1 << 30


def offset(struct: str, field: str) -> int:
    (found,) = re.findall(rf"^AT\({struct}, {field}, (\d+)\);$", HEADER, re.MULTILINE)
    return int(found)


def word(thing: object, struct: str, field: str, kind: Any = ctypes.c_void_p) -> Any:
    """The word of a Python object at the offset of a field."""
    return kind.from_address(id(thing) + offset(struct, field)).value


def test_objects_of_this_python_are_as_declared() -> None:
    thing = object()
    before = word(thing, "object", "references", ctypes.c_uint32)
    other = [thing, thing]
    assert word(thing, "object", "references", ctypes.c_uint32) == before + len(other)
    assert word(thing, "object", "type") == id(object)


def test_arrays_of_this_numpy_are_as_declared() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)[:, 1:]
    assert word(array, "array", "data") == array.ctypes.data
    assert word(array, "array", "rank", ctypes.c_int32) == 3
    assert word(array, "array", "dtype") == id(array.dtype)
    assert word(array, "array", "base") == id(array.base)
    assert word(array, "array", "flags", ctypes.c_int32) & 0x503 == array.flags.num & 0x503
    for field, values in (("dimensions", array.shape), ("strides", array.strides)):
        address = word(array, "array", field)
        assert tuple((ctypes.c_int64 * 3).from_address(address)) == values


@pytest.mark.parametrize("struct", SLOTS)
def test_slots_of_this_python_are_as_declared(struct: str) -> None:
    thing = object.__new__(SLOTS[struct])
    fields = re.findall(rf"^AT\({struct}, (\w+), \d+\);$", HEADER, re.MULTILINE)
    assert fields == [name.removeprefix("_") for name in ORDER[SLOTS[struct]]]
    for field, name in zip(fields, ORDER[SLOTS[struct]], strict=True):
        mark = object()
        setattr(thing, name, mark)
        assert word(thing, struct, field) == id(mark)


def test_ctypes_structures_of_this_python_are_as_declared() -> None:
    table = native_call.Table()
    assert word(table, "ctypes_object", "data") == ctypes.addressof(table)
