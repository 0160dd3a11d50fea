"""What the runtime must know about a compiled job, read from its module at stage `loops`."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from penstock.codegen.memref_values import ALIGNMENT
from penstock.codegen.text.llvm_text import entry_name
from penstock.ir import types as ty
from penstock.ir.attributes import (
    ArrayAttr,
    Attribute,
    DictAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
    python_value,
)
from penstock.ir.core import BlockArgument
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.meaning.timing import timing_of
from penstock.ir.types import MemRefType

ABI = 3
"""The version of the native entry's calling convention and of the description."""

DTYPES = ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "ui8", "i1")
ROLES = {
    "job.arena": "arena",
    "job.feed": "feed",
    "job.variable": "variable",
    "job.fetch": "fetch",
    "job.shown": "shown",
    "job.taps": "taps",
    "job.count": "count",
    "job.place": "place",
}
"""The attribute that gives an argument of the job its role."""
COLLECTIVE = "sbp.collective"
"""Marks the declaration of a collective, and says what the runtime must know of it."""
PASSED = "job.passed"
"""Marks a variable that belongs to the caller, who passes it like a feed; a step may change it."""


def describe(module: Module) -> dict[str, Any]:
    """The description of a job at stage `loops`, in plain JSON values.

    Raises a located `IRError` where an argument lacks a role or what its role needs. The module is
    one that `emit_llvm` takes.
    """
    job = module.job
    kind = module.attributes.get("job.type")
    if not isinstance(kind, StringAttr) or kind.value not in ("train", "predict"):
        module.fail(f'expected job.type = "train" or "predict" on the module, got {kind}')
    arguments = [_Argument(job, argument) for argument in job.body.arguments]
    single = {role: [a for a in arguments if a.role == role] for role in ("arena", "count", "taps")}
    for role, found in single.items():
        if len(found) > 1:
            found[1].fail(f"is the second one with the role {role}: expected one")
    for argument in arguments:
        argument.check_count(bool(single["count"]))
    kernels = _kernels(job)
    in_use = [kernel.pop("arena") for kernel in kernels]
    return {
        "abi": ABI,
        "job": job.sym_name,
        "type": kind.value,
        "entry": entry_name(job),
        "arena": {
            "bytes": sum(a.arena_bytes() for a in single["arena"]),
            "align": ALIGNMENT,
            **({"in_use": in_use} if kernels else {}),
        },
        "arguments": [argument.described() for argument in arguments],
        "taps": [tap for argument in single["taps"] for tap in argument.taps()],
        **_callouts(module),
        **_collectives(module),
        **({"kernels": kernels} if kernels else {}),
    }


def _kernels(job: Func) -> list[dict[str, Any]]:
    """What calls of kernels say that are timed, in the order of their ids.

    Two calls of one id are alternatives.
    """
    found = {}
    for op in job.walk():
        timing = timing_of(op)
        if timing is not None:
            found[timing["id"]] = timing
    if list(sorted(found)) != list(range(len(found))):
        job.fail(f"times kernels with the ids {sorted(found)}: expected 0, 1, 2 and so on")
    kernels = []
    for number in range(len(found)):
        entry = dict(found[number])
        shares = zip(entry.pop("places"), entry.pop("weights"), strict=True)
        kernels.append(entry | {"lines": [list(share) for share in shares]})
    return kernels


def _callouts(module: Module) -> dict[str, Any]:
    """`callouts` if the job has some: what their declarations say, with the types of buffers."""
    declared = [f for f in module.functions() if "job.callout" in f.attributes]
    found: list[dict[str, Any]] = []
    for number, function in enumerate(declared):
        facts = function.attributes["job.callout"]
        entry = python_value(facts) if isinstance(facts, DictAttr) else {}
        expected = {"id": int, "name": str, "operands": int}
        fits = all(isinstance(entry.get(key), kind) for key, kind in expected.items())
        if not fits or set(entry) - {*expected, "missing", "copy"} or entry["id"] != number:
            function.fail(
                f"has job.callout = {facts}: expected {{id, name, operands, missing, copy}}, and "
                "ids that count from 0"
            )
        buffers = [_buffer(function, type) for type in function.type.inputs]
        count = entry.pop("operands")
        entry |= {"operands": buffers[:count], "results": buffers[count:]}
        if function.location.files():
            entry["loc"] = function.location.describe()
        found.append(entry)
    return {"callouts": found} if found else {}


_COLLECTIVE = ("id", "kind", "reduction", "ranks", "counts", "receives", "deferred")
_OPTIONAL = {"reduction", "receives", "deferred"}


def _collectives(module: Module) -> dict[str, Any]:
    """`collectives` if the job has some: what their declarations say, with the element type."""
    declared = [f for f in module.functions() if COLLECTIVE in f.attributes]
    found: list[dict[str, Any]] = []
    for number, function in enumerate(declared):
        facts = function.attributes[COLLECTIVE]
        entry = python_value(facts) if isinstance(facts, DictAttr) else {}
        names = set(_COLLECTIVE) - _OPTIONAL <= set(entry) <= set(_COLLECTIVE)
        if not names or entry["id"] != number or len(function.type.inputs) != 2:
            function.fail(
                f"has {COLLECTIVE} = {facts}: expected {{{', '.join(_COLLECTIVE)}}}, ids that "
                "count from 0, and two buffers"
            )
        source, target = (_buffer(function, type) for type in function.type.inputs)
        if source["dtype"] != target["dtype"]:
            function.fail("takes buffers of two element types: expected one")
        entry["dtype"] = source["dtype"]
        entry["sizes"] = [math.prod(buffer["shape"]) for buffer in (source, target)]
        if function.location.files():
            entry["loc"] = function.location.describe()
        found.append(entry)
    return {"collectives": found} if found else {}


def _buffer(function: Func, type: ty.Type) -> dict[str, Any]:
    plain = isinstance(type, MemRefType) and type.layout is None and type.is_static
    if not (isinstance(type, MemRefType) and plain and str(type.element) in DTYPES):
        function.fail(f"takes {type}: expected a row-major memref of static shape")
    return {"shape": list(type.shape), "dtype": str(type.element)}


class _Argument:
    """One argument of the job, and what its attributes say."""

    def __init__(self, job: Func, value: BlockArgument) -> None:
        self.job = job
        self.value = value
        self.entries = job.argument_attributes(value.index)
        found = [name for name in ROLES if name in self.entries]
        if len(found) != 1:
            got = " and ".join(found) or "none"
            self.fail(f"needs one of the attributes {', '.join(ROLES)}, got {got}")
        self.key = found[0]
        self.role = "feed" if PASSED in self.entries else ROLES[self.key]

    def fail(self, message: str) -> NoReturn:
        name = f" (%{self.value.name})" if self.value.name else ""
        self.job.fail(f"argument {self.value.index}{name} of @{self.job.sym_name} {message}")

    def described(self) -> dict[str, Any]:
        """The entry of `arguments`: a role, and for what the runtime fills or reads, all of it."""
        if self.role == "count":
            least = self.entries.get("job.least")
            return {"role": self.role} | ({"least": python_value(least)} if least else {})
        if self.role in ("arena", "taps"):
            return {"role": self.role}
        if self.role == "place":
            return {"role": self.role, "place": self._place()}
        name = self.entries[self.key]
        if not isinstance(name, StringAttr):
            self.fail(f"has {self.key} = {name}: expected a string")
        if self.role == "shown":
            return {"role": self.role, "name": name.value}
        described = {"role": self.role, "name": name.value, **self._shaped()}
        if self.role == "variable":
            described |= self._variable()
        elif self.key == "job.variable" and "job.updated" in self.entries:
            described["updated"] = True
        if "job.extent" in self.entries:
            described |= self._extent()
        if self.value.location.files():
            described["loc"] = self.value.location.describe()
        return described

    def _shaped(self) -> dict[str, Any]:
        type = self.value.type
        counted = self.is_counted
        is_plain = isinstance(type, MemRefType) and type.layout is None
        if not (isinstance(type, MemRefType) and is_plain and (type.is_static or counted)):
            self.fail(f"is {type}: expected a row-major memref of static shape")
        if str(type.element) not in DTYPES:
            self.fail(f"holds {type.element}: expected one of {', '.join(DTYPES)}")
        if counted:
            return {"shape": list(type.shape[1:]), "dtype": str(type.element), "counted": True}
        return {"shape": list(type.shape), "dtype": str(type.element)}

    @property
    def is_counted(self) -> bool:
        """Whether it holds as many elements, or rows, as the job is told when it runs."""
        type = self.value.type
        if self.role not in ("feed", "fetch") or not isinstance(type, MemRefType):
            return False
        return type.shape[:1] == (ty.DYNAMIC,) and ty.DYNAMIC not in type.shape[1:]

    def check_count(self, is_told: bool) -> None:
        """Fail where it holds any number of elements, or that number, and should not."""
        if self.is_counted and not is_told:
            self.fail(f"is {self.value.type}: expected a static shape, or an argument job.count")
        if self.role == "count" and self.value.type is not MemRefType((), ty.i64):
            self.fail(f"is {self.value.type}: expected memref<i64> for the number of elements")

    def _place(self) -> int:
        """The place of the rank on an axis of a mesh."""
        place = self.entries[self.key]
        is_scalar = self.value.type is MemRefType((), ty.i64)
        if not (is_scalar and isinstance(place, IntegerAttr) and place.value >= 0):
            self.fail(
                f"is {self.value.type} with {self.key} = {place}: expected memref<i64> and a "
                "number of at least 0"
            )
        return place.value

    def _variable(self) -> dict[str, Any]:
        initializer = self.entries.get("job.initializer")
        trainable = self.entries.get("job.trainable")
        if not (isinstance(initializer, DictAttr) and _is_string(initializer.get("kind"))):
            self.fail(
                f"has job.initializer = {initializer}: expected a dictionary with a kind, such as "
                '{kind = "constant", value = 0.0 : f64}'
            )
        if not (isinstance(trainable, IntegerAttr) and trainable.type is ty.i1):
            self.fail(f"has job.trainable = {trainable}: expected true or false")
        described = {"initializer": python_value(initializer), "trainable": bool(trainable.value)}
        described |= {"updated": True} if "job.updated" in self.entries else {}
        part = self.entries.get("sbp.part")
        return described | (python_value(part) if isinstance(part, DictAttr) else {})

    def _extent(self) -> dict[str, Any]:
        """Which fetch tells how far this one extends, and along which dimension."""
        extent, dimension = self.entries["job.extent"], self.entries.get("job.dimension")
        if not (_is_string(extent) and isinstance(dimension, IntegerAttr)):
            self.fail(
                f"has job.extent = {extent} and job.dimension = {dimension}: expected the name of "
                "a fetch and the number of a dimension"
            )
        return {"extent": python_value(extent), "dimension": dimension.value}

    def arena_bytes(self) -> int:
        """The size that the job's buffers take."""
        size, type = self.entries[self.key], self.value.type
        is_bytes = isinstance(type, MemRefType) and type.rank == 1 and type.element is ty.i8
        if not (is_bytes and isinstance(size, IntegerAttr) and size.value >= 0):
            self.fail(f"is {type} with job.arena = {size}: expected memref<?xi8> and its bytes")
        return size.value

    def taps(self) -> list[dict[str, Any]]:
        """`job.taps = [{id, name, shape, dtype, how, whole, origin, loc}]`, one for each flag."""
        listed = self.entries[self.key]
        taps = [self._tap(item) for item in (listed.items if isinstance(listed, ArrayAttr) else ())]
        flags = ty.MemRefType((len(taps),), ty.i8)
        if self.value.type is not flags or [tap["id"] for tap in taps] != list(range(len(taps))):
            self.fail(
                f"is {self.value.type} for {len(taps)} taps: expected {flags}, and ids that count "
                "from 0"
            )
        return taps

    def _tap(self, item: Attribute) -> dict[str, Any]:
        entries = item.items if isinstance(item, DictAttr) else ()
        tap = {
            key: str(value) if isinstance(value, TypeAttr) else python_value(value)
            for key, value in entries
        }
        expected = {"id": int, "name": str, "shape": list, "dtype": str}
        fits = all(isinstance(tap.get(key), kind) for key, kind in expected.items())
        others = {"how", "whole", "origin", "loc"}
        if not fits or set(tap) - {*expected, *others} or tap["dtype"] not in DTYPES:
            self.fail(
                f"has the tap {item}: expected {{id, name, shape, dtype, how, whole, origin, loc}} "
                f"with a dtype of {', '.join(DTYPES)}"
            )
        return tap


def _is_string(attribute: Attribute | None) -> bool:
    return isinstance(attribute, StringAttr)
