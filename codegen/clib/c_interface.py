"""What a C program sees of jobs: names that are C's, types, sizes, and the order of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

from penstock.codegen.memref_values import ALIGNMENT, ARRAY_ALIGNMENT
from penstock.codegen.native.library import reserved_names
from penstock.ir.record import Record, replace

__all__ = ["Array", "CJob", "CTap", "Interface", "interface_of"]

# Halves are bits, for C++ and older C have no type for them. So is a boolean, 0 or 1: a C program
# that stored another number in a bool would have left its language.
_TYPES = {
    "f16": ("uint16_t", 2),
    "bf16": ("uint16_t", 2),
    "f32": ("float", 4),
    "f64": ("double", 8),
    "i8": ("int8_t", 1),
    "i16": ("int16_t", 2),
    "i32": ("int32_t", 4),
    "i64": ("int64_t", 8),
    "ui8": ("uint8_t", 1),
    "i1": ("uint8_t", 1),
}
_RESERVED = frozenset(re.findall(r"\w+", """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
    const const_cast constexpr continue decltype default delete do double dynamic_cast else enum
    explicit export extern false float for friend goto if inline int long mutable namespace new
    noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename typeof union
    unsigned using virtual void volatile wchar_t while xor xor_eq linux unix
    NULL EOF I complex errno stdin stdout stderr signals slots emit
    int8_t int16_t int32_t int64_t uint8_t uint16_t size_t variables workspace memory status number
"""))  # fmt: skip
# What the header itself declares, after the library's name.
_OWN = ("initialize", "message", "set_threads", "status", "variables")


class Array(Record):
    """A feed, a fetch or a variable."""

    name: str
    """As in the job."""
    identifier: str
    shape: tuple[int, ...]
    dtype: str
    loc: str
    """File and line."""
    place: int
    """Its number among the arguments of the entry; of a variable, its offset in bytes."""
    extent: str = ""
    """Of a fetch whose extent a step decides: along which dimension, and which fetch says it."""

    @property
    def type(self) -> str:
        return _TYPES[self.dtype][0]

    @property
    def bytes(self) -> int:
        return prod(self.shape) * _TYPES[self.dtype][1]

    @property
    def alignment(self) -> int:
        """What its address must be a multiple of; no instruction asks for more than it reads."""
        return ARRAY_ALIGNMENT if self.bytes >= ARRAY_ALIGNMENT else 1


class CTap(Record):
    """A blob that can be watched."""

    array: Array
    constant: str
    """What its number is called."""


class CJob(Record):
    """A function that makes one step."""

    name: str
    entry: str
    identifier: str
    updates: bool
    """Whether a step changes variables."""
    feeds: tuple[Array, ...]
    fetches: tuple[Array, ...]
    variables: tuple[tuple[int, str], ...]
    """The place of each among the arguments, and its name."""
    taps: tuple[CTap, ...]
    places: dict[str, int]
    """Of the arena and the flags of taps, where it has them."""
    count: int
    arena: int
    """Bytes."""


class Interface(Record):
    """All that a header declares; every identifier begins with `prefix`."""

    file: str
    """What the library is called, in the file system and by who links with it."""
    prefix: str
    jobs: tuple[CJob, ...]
    variables: tuple[Array, ...]
    variable_bytes: int
    levels: tuple[str, ...]

    @property
    def macro(self) -> str:
        return self.prefix.upper()

    @property
    def workspace(self) -> int:
        """Bytes that every job can do with."""
        return max(job.arena for job in self.jobs)


def interface_of(
    name: str, file: str, described: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Interface:
    """The interface of a library of jobs, from their descriptions for each level of processor.

    They differ in nothing but their arenas. `name` is what identifiers begin with.
    """
    prefix = _identifier(name, "library")
    first, *_ = described.values()
    arenas = [
        max(d["arena"]["bytes"] for d in same) for same in zip(*described.values(), strict=True)
    ]
    variables, size = _variables(first)
    taken = {name.lower() for name in (*(f"{prefix}_{own}" for own in _OWN), *reserved_names())}
    jobs = tuple(_job(prefix, d, arena, taken) for d, arena in zip(first, arenas, strict=True))
    return Interface(file, prefix, jobs, variables, size, tuple(described))


def _variables(described: Iterable[Mapping[str, Any]]) -> tuple[tuple[Array, ...], int]:
    """The variables of all jobs, one after the other in one block of memory, and its size."""
    found: dict[str, Array] = {}
    taken: set[str] = set()
    end = 0
    for description in described:
        for argument in _with_role(description, "variable").values():
            if argument["name"] not in found:
                array = _array(argument, end, taken)
                found[array.name] = array
                end += -(-array.bytes // ALIGNMENT) * ALIGNMENT
    return tuple(found.values()), end


def _job(prefix: str, description: Mapping[str, Any], arena: int, taken: set[str]) -> CJob:
    identifier = _free(f"{prefix}_{_identifier(description['job'], 'job')}", taken)
    taken |= {f"{identifier}_watch".lower()}
    names: set[str] = {"variables", "workspace"}
    feeds = [_array(a, i, names) for i, a in _with_role(description, "feed").items()]
    found = _with_role(description, "fetch")
    results = [
        {**a, "name": "result" if len(found) == 1 else f"result_{a['name']}"}
        for a in found.values()
    ]
    fetches = [_array(a, i, names) for i, a in zip(found, results, strict=True)]
    called = {a["name"]: fetch.identifier for a, fetch in zip(found.values(), fetches, strict=True)}
    fetches = [
        replace(f, extent=f"{called[a['extent']]} of dimension {a['dimension']}")
        if "extent" in a
        else f
        for a, f in zip(found.values(), fetches, strict=True)
    ]
    constants: set[str] = set()
    taps = [
        CTap(array, _free(f"{identifier}_tap_{array.identifier}".upper(), constants))
        for array in (_array(tap, tap["id"], set()) for tap in description["taps"])
    ]
    roles = {a["role"]: i for i, a in enumerate(description["arguments"])}
    if "count" in roles:
        raise ValueError(
            f"job {description['job']!r} takes arrays of any number of elements, which C libraries "
            "have no interface for; give its placeholders shapes"
        )
    variables = _with_role(description, "variable")
    return CJob(
        name=description["job"],
        entry=description["entry"],
        identifier=identifier,
        updates=description["type"] == "train" or any("updated" in v for v in variables.values()),
        feeds=tuple(feeds),
        fetches=tuple(fetches),
        variables=tuple((i, a["name"]) for i, a in variables.items()),
        taps=tuple(taps),
        places={role: roles[role] for role in ("arena", "taps") if role in roles},
        count=len(description["arguments"]),
        arena=arena,
    )


def _with_role(description: Mapping[str, Any], role: str) -> dict[int, Mapping[str, Any]]:
    arguments = enumerate(description["arguments"])
    return {i: argument for i, argument in arguments if argument["role"] == role}


def _array(source: Mapping[str, Any], place: int, taken: set[str]) -> Array:
    identifier = _free(_identifier(source["name"], "array"), taken)
    # Of the path, no more than those need who have the file.
    loc = source.get("loc", "").rpartition("/")[2]
    return Array(source["name"], identifier, tuple(source["shape"]), source["dtype"], loc, place)


def _identifier(name: str, otherwise: str) -> str:
    """A name of C that is most like this one.

    >>> [_identifier(name, "job") for name in ("dense 1-weight", "2x", "int", "_a", "é")]
    ['dense_1_weight', 'job_2x', 'int_', 'a', 'job']
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or otherwise
    if plain[0].isdigit():
        plain = f"{otherwise}_{plain}"
    return f"{plain}_" if plain in _RESERVED else plain


def _free(identifier: str, taken: set[str]) -> str:
    """The identifier, or that with a number where it is taken; it is taken from now on.

    Whoever differs in case alone is taken for the same, for macros are in capitals.
    """
    number, found = 2, identifier
    while found.lower() in taken:
        found, number = f"{identifier}_{number}", number + 1
    taken.add(found.lower())
    return found
