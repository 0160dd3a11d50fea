"""The interface of a compiled job: its arguments, its taps, its arena.

A description is passed from the compiler to the runtime as a dict of plain JSON values. It is
parsed once, here, and strictly, because native code trusts every number in it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from penstock.runtime.collective import KINDS, REDUCTIONS, Collective, is_consistent
from penstock.runtime.dtypes import DTYPE_WORDS

__all__ = ["ABI", "Argument", "Buffer", "Callout", "Description", "Tap", "TimedKernel", "shown"]

ABI = 3
KEPT = "kept"

# The address space of a process, and the maximum number of dimensions of any NumPy version.
_MOST_BYTES = 1 << 47
_MOST_DIMENSIONS = 32

# The keys of an argument besides its role, by role; `?` marks optional ones.
_ARGUMENT_KEYS = {
    "arena": (),
    "feed": ("name", "shape", "dtype", "counted?", "updated?", "loc?"),
    "variable": (
        *("name", "shape", "dtype", "whole?", "origin?"),
        *("initializer?", "trainable?", "updated?", "loc?"),
    ),
    "fetch": ("name", "shape", "dtype", "counted?", "extent?", "dimension?", "loc?"),
    "shown": ("name",),
    "taps": (),
    "count": ("least?",),
    "place": ("place",),
}


class Argument(NamedTuple):
    """One argument of the native entry; `loc` is the user's line that declared it.

    A fetch may have an `extent`: the name of another fetch, whose one element is the actual extent
    of `dimension` in a run. The shape has the maximum.

    Those that are `counted` have as many rows as `Description.sized` chooses; the shape here is
    that of one row. The job is told the number of rows, `elements`, in the argument of role
    `count`, and takes `least` rows at least.
    """

    role: str
    name: str = ""
    shape: tuple[int, ...] = ()
    dtype: str = ""
    loc: str = ""
    initializer: Mapping[str, Any] | None = None
    trainable: bool = False
    updated: bool = False
    """Whether a step changes the variable, or the caller's array."""
    extent: str = ""
    dimension: int = 0
    counted: bool = False
    elements: int = 0
    least: int = 0
    whole: tuple[int, ...] = ()
    origin: tuple[int, ...] = ()
    place: int = 0
    """Of role `place`: the number that the job reads there, the place of its rank on an axis."""

    @property
    def is_part(self) -> bool:
        """Whether this rank holds a part of the variable: `shape`, from `origin` on, of `whole`."""
        return bool(self.whole)

    def as_whole(self) -> "Argument":
        """The whole variable that this is a part of, or itself."""
        return self._replace(shape=self.whole, whole=(), origin=()) if self.is_part else self

    @property
    def part(self) -> tuple[slice, ...]:
        """Where in the whole variable this rank's part is."""
        return _part(self.origin, self.shape)

    def to_dict(self) -> dict[str, Any]:
        """The argument as plain JSON values."""
        if self.role == "place":
            return {"role": self.role, "place": self.place}
        if self.role not in ("feed", "variable", "fetch"):
            known = {"name": self.name, "least": self.least}
            return {"role": self.role} | {key: value for key, value in known.items() if value}
        result: dict[str, Any] = {"role": self.role, "name": self.name}
        result |= {"shape": list(self.shape), "dtype": self.dtype}
        if self.role == "variable":
            if self.initializer is not None:
                result["initializer"] = dict(self.initializer)
            result["trainable"] = self.trainable
        if self.is_part:
            result |= {"whole": list(self.whole), "origin": list(self.origin)}
        result |= {"updated": True} if self.updated else {}
        if self.extent:
            result |= {"extent": self.extent, "dimension": self.dimension}
        result |= {"counted": True} if self.counted else {}
        return result | ({"loc": self.loc} if self.loc else {})


def _part(origin: tuple[int, ...], shape: tuple[int, ...]) -> tuple[slice, ...]:
    starts = origin or (0,) * len(shape)
    return tuple(slice(o, o + n) for o, n in zip(starts, shape, strict=True))


class Tap(NamedTuple):
    """A blob that can be watched; native code identifies it by the number `id`.

    `how` says how a handler gets it: `kept` by the step anyway, or `recomputed by KERNEL` while
    anyone listens.
    """

    id: int
    name: str
    shape: tuple[int, ...]
    dtype: str
    loc: str = ""
    how: str = KEPT
    whole: tuple[int, ...] = ()
    origin: tuple[int, ...] = ()

    @property
    def is_part(self) -> bool:
        """Whether this rank holds a part of the blob: `shape`, from `origin` on, of `whole`."""
        return bool(self.whole)

    def as_whole(self) -> "Tap":
        """The whole blob that this is a part of, or itself."""
        return self._replace(shape=self.whole, whole=(), origin=()) if self.is_part else self

    @property
    def part(self) -> tuple[slice, ...]:
        """Where in the whole blob this rank's part is."""
        return _part(self.origin, self.shape)

    def to_dict(self) -> dict[str, Any]:
        """The tap as plain JSON values."""
        result: dict[str, Any] = {"id": self.id, "name": self.name}
        result |= {"shape": list(self.shape), "dtype": self.dtype}
        result |= {"how": self.how} if self.how != KEPT else {}
        if self.is_part:
            result |= {"whole": list(self.whole), "origin": list(self.origin)}
        return result | ({"loc": self.loc} if self.loc else {})


class Buffer(NamedTuple):
    """The type of an array that a call-out reads or fills."""

    shape: tuple[int, ...]
    dtype: str

    def to_dict(self) -> dict[str, Any]:
        """The type as plain JSON values."""
        return {"shape": list(self.shape), "dtype": self.dtype}


class Callout(NamedTuple):
    """A function of the program that the job calls; native code identifies it by `id`.

    Its parameters are the operands, with None in the `missing` places.
    """

    id: int
    name: str
    operands: tuple[Buffer, ...]
    results: tuple[Buffer, ...]
    missing: tuple[int, ...] = ()
    loc: str = ""
    copy: int = -1
    """The number of a copy between devices that it is an end of; -1 for a function."""

    def to_dict(self) -> dict[str, Any]:
        """The call-out as plain JSON values."""
        result: dict[str, Any] = {"id": self.id, "name": self.name}
        result["operands"] = [buffer.to_dict() for buffer in self.operands]
        result["results"] = [buffer.to_dict() for buffer in self.results]
        result |= {"missing": list(self.missing)} if self.missing else {}
        result |= {"copy": self.copy} if self.copy >= 0 else {}
        return result | ({"loc": self.loc} if self.loc else {})


AMOUNTS = ("flops", "doubles", "pairs", "transcendentals", "read", "written")
"""What a kernel's work is told in."""


class TimedKernel(NamedTuple):
    """A call of a kernel whose time is recorded if a profile is attached, and what it computes."""

    name: str
    flops: int = 0
    doubles: int = 0
    """How many of these are on f64."""
    pairs: int = 0
    """How many of these multiply bf16, and may be done in pairs."""
    transcendentals: int = 0
    """Functions such as exp."""
    read: int = 0
    """Bytes."""
    written: int = 0
    lines: tuple[tuple[str, int], ...] = ()
    """The user's lines, each with a weight: how much of the work it is."""

    def to_dict(self) -> dict[str, Any]:
        """The kernel as plain JSON values, without its number."""
        return {**self._asdict(), "lines": [list(line) for line in self.lines]}


class Description(NamedTuple):
    """A compiled job: its name, its native entry, and that entry's arguments in their order."""

    job: str
    type: str
    entry: str
    arena_bytes: int
    arena_align: int
    arguments: tuple[Argument, ...]
    taps: tuple[Tap, ...] = ()
    callouts: tuple[Callout, ...] = ()
    collectives: tuple[Collective, ...] = ()
    kernels: tuple[TimedKernel, ...] = ()
    """The calls of kernels by their numbers, if their times can be recorded."""
    in_use: tuple[int, ...] = ()
    """For each of them, the bytes of the arena in use meanwhile."""

    @property
    def feeds(self) -> tuple[Argument, ...]:
        """The feeds, in the order in which a caller passes them."""
        return self.arguments_of("feed")

    @property
    def variables(self) -> tuple[Argument, ...]:
        """The variables that the job reads or updates."""
        return self.arguments_of("variable")

    @property
    def fetches(self) -> tuple[Argument, ...]:
        """The fetches, in the order in which a run returns them."""
        return self.arguments_of("fetch")

    @property
    def updates_variables(self) -> bool:
        """Whether a step writes variables; a predict job's does if one of them says so."""
        variables = self.variables
        return bool(variables) and (self.type == "train" or any(v.updated for v in variables))

    def as_whole(self) -> "Description":
        """The job on whole tensors, of which this is the description of a rank's."""
        arguments = tuple(argument.as_whole() for argument in self.arguments)
        taps = tuple(tap.as_whole() for tap in self.taps)
        return self._replace(arguments=arguments, taps=taps, collectives=())

    @property
    def copies(self) -> tuple[Callout, ...]:
        """The ends of copies to and from another device of the job."""
        return tuple(callout for callout in self.callouts if callout.copy >= 0)

    @property
    def is_counted(self) -> bool:
        """Whether it must be `sized` to run."""
        return any(argument.counted for argument in self.arguments)

    @property
    def least(self) -> int:
        """The least number of rows that its counted arguments may have."""
        return max((argument.least for argument in self.arguments_of("count")), default=0)

    def sized(self, shape: tuple[int, ...]) -> "Description":
        """The same for counted arguments with this shape before that of a row; ValueError for one
        that no array has."""
        if any(extent < 0 for extent in shape):
            raise ValueError(
                f"job {shown(self.job)} takes arrays of any shape with extents of at least 0, "
                f"got {shown(shape)}"
            )
        elements = math.prod(shape)
        if elements < self.least:
            raise ValueError(
                f"job {shown(self.job)} takes at least {self.least} rows, got {elements}"
            )
        arguments = [
            argument._replace(shape=(*shape, *argument.shape), counted=False)
            if argument.counted
            else argument._replace(elements=elements)
            if argument.role == "count"
            else argument
            for argument in self.arguments
        ]
        return self._replace(arguments=tuple(arguments))

    def arguments_of(self, role: str) -> tuple[Argument, ...]:
        """The arguments of one role, in their order."""
        return tuple(argument for argument in self.arguments if argument.role == role)

    def to_dict(self) -> dict[str, Any]:
        """The description as plain JSON values; `from_dict` reads them back."""
        callouts = [callout.to_dict() for callout in self.callouts]
        collectives = [collective.to_dict() for collective in self.collectives]
        kernels = [{"id": i, **kernel.to_dict()} for i, kernel in enumerate(self.kernels)]
        return {
            "abi": ABI,
            "job": self.job,
            "type": self.type,
            "entry": self.entry,
            "arena": {
                "bytes": self.arena_bytes,
                "align": self.arena_align,
                **({"in_use": list(self.in_use)} if self.in_use else {}),
            },
            "arguments": [argument.to_dict() for argument in self.arguments],
            "taps": [tap.to_dict() for tap in self.taps],
            **({"callouts": callouts} if callouts else {}),
            **({"collectives": collectives} if collectives else {}),
            **({"kernels": kernels} if kernels else {}),
        }

    @staticmethod
    def from_dict(source: Mapping[str, Any]) -> "Description":
        """Read and check a description; ValueError if it is invalid.

        >>> Description.from_dict({"abi": 1, "job": "eval"})
        Traceback (most recent call last):
        ValueError: job 'eval' was compiled for ABI 1, but this runtime reads ABI 3; rebuild the job
        """
        job = source.get("job")
        if not isinstance(job, str) or not job:
            raise ValueError("a job's description must be a dict with the job's name in 'job'")
        if source.get("abi") != ABI:
            raise ValueError(
                f"job {shown(job)} was compiled for ABI {shown(source.get('abi'))}, "
                f"but this runtime reads ABI {ABI}; rebuild the job"
            )
        keys = ("abi", "job", "type", "entry", "arena", "arguments", "taps?", "callouts?")
        reader = _Reader(job)
        reader.keys(source, (*keys, "collectives?", "kernels?"), "the description")
        arena = reader.mapping(source["arena"], "arena")
        reader.keys(arena, ("bytes", "align", "in_use?"), "arena")
        description = Description(
            job=job,
            type=reader.one_of(source["type"], ("train", "predict"), "type"),
            entry=reader.name(source["entry"], "entry"),
            arena_bytes=reader.size(arena["bytes"], "arena bytes"),
            arena_align=reader.alignment(arena["align"]),
            arguments=tuple(map(reader.argument, reader.entries(source["arguments"], "arguments"))),
            taps=tuple(map(reader.tap, reader.entries(source.get("taps", []), "taps"))),
            callouts=tuple(
                map(reader.callout, reader.entries(source.get("callouts", []), "callouts"))
            ),
            collectives=tuple(
                map(reader.collective, reader.entries(source.get("collectives", []), "collectives"))
            ),
            kernels=reader.kernels(source.get("kernels", [])),
            in_use=reader.naturals(arena.get("in_use", []), "in_use of the arena"),
        )
        reader.check_whole(description)
        return description


def shown(value: object) -> str:
    """A foreign value as it appears in our error messages: on one line, and not long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class _Reader:
    """Reads the parts of one job's description; every refusal is a ValueError naming the job."""

    def __init__(self, job: str) -> None:
        self.job = job

    def refusal(self, what: str, expected: str, got: object) -> ValueError:
        return ValueError(
            f"the description of job {shown(self.job)} is malformed: {what} must be {expected}, "
            f"got {shown(got)}; rebuild the job"
        )

    def keys(self, source: Mapping[str, Any], allowed: Iterable[str], what: str) -> None:
        names = {key.rstrip("?") for key in allowed}
        required = {key for key in allowed if not key.endswith("?")}
        if not required <= set(source) <= names:
            raise self.refusal(f"the keys of {what}", ", ".join(allowed), sorted(source))

    def mapping(self, value: object, what: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise self.refusal(what, "a dict with string keys", value)
        return value

    def entries(self, value: object, what: str) -> list[Mapping[str, Any]]:
        if not isinstance(value, (list, tuple)):
            raise self.refusal(what, "a list", value)
        return [self.mapping(entry, f"an entry of {what}") for entry in value]

    def text(self, value: object, what: str) -> str:
        if not isinstance(value, str):
            raise self.refusal(what, "a string", value)
        return value

    def name(self, value: object, what: str) -> str:
        if not isinstance(value, str) or not value:
            raise self.refusal(what, "a string that is not empty", value)
        return value

    def one_of(self, value: object, words: tuple[str, ...], what: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise self.refusal(what, f"one of {', '.join(words)}", value)
        return value

    def natural(self, value: object, what: str) -> int:
        if type(value) is not int or value < 0:
            raise self.refusal(what, "an integer of at least 0", value)
        return value

    def size(self, value: object, what: str) -> int:
        size = self.natural(value, what)
        if size >= _MOST_BYTES:
            raise self.refusal(what, f"less than {_MOST_BYTES}", size)
        return size

    def alignment(self, value: object) -> int:
        align = self.natural(value, "arena align")
        if not 0 < align <= 4096 or align & (align - 1):
            raise self.refusal("arena align", "a power of two up to 4096", align)
        return align

    def shape(self, value: object, what: str) -> tuple[int, ...]:
        if not isinstance(value, (list, tuple)):
            raise self.refusal(what, "a list of dimensions", value)
        if len(value) > _MOST_DIMENSIONS:
            raise self.refusal(f"the rank of {what}", f"at most {_MOST_DIMENSIONS}", len(value))
        shape = tuple(self.natural(dimension, f"a dimension of {what}") for dimension in value)
        # Even without elements: NumPy multiplies the other dimensions.
        self.size(8 * math.prod(max(dimension, 1) for dimension in shape), f"the bytes of {what}")
        return shape

    def argument(self, source: Mapping[str, Any]) -> Argument:
        role = self.one_of(source.get("role"), tuple(_ARGUMENT_KEYS), "an argument's role")
        self.keys(source, ("role", *_ARGUMENT_KEYS[role]), f"an argument of role {role}")
        if role == "count":
            return Argument(role, least=self.natural(source.get("least", 0), "least of a count"))
        if role in ("arena", "taps"):
            return Argument(role)
        if role == "place":
            return Argument(role, place=self.size(source["place"], "the place of a rank"))
        name = self.name(source["name"], f"the name of a {role}")
        if role == "shown":
            return Argument(role, name)
        what = f"{role} {shown(name)}"
        initializer = source.get("initializer")
        if initializer is not None:
            initializer = self.mapping(initializer, f"the initializer of {what}")
        flags = {word: source.get(word, False) for word in ("trainable", "updated", "counted")}
        for word, flag in flags.items():
            if not isinstance(flag, bool):
                raise self.refusal(f"{word} of {what}", "true or false", flag)
        shape = self.shape(source["shape"], f"the shape of {what}")
        whole, origin = self.place(source, shape, what)
        return Argument(
            role=role,
            name=name,
            shape=shape,
            whole=whole,
            origin=origin,
            dtype=self.one_of(source["dtype"], DTYPE_WORDS, f"the dtype of {what}"),
            loc=self.text(source.get("loc", ""), f"the loc of {what}"),
            initializer=initializer,
            **flags,
            extent=self.text(source.get("extent", ""), f"the extent of {what}"),
            dimension=self.natural(source.get("dimension", 0), f"the dimension of {what}"),
        )

    def place(
        self, source: Mapping[str, Any], shape: tuple[int, ...], what: str
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The whole of which an argument is a part, and where that begins, if it is one."""
        if "whole" not in source and "origin" not in source:
            return (), ()
        whole = self.shape(source.get("whole"), f"the whole of {what}")
        origin = self.naturals(source.get("origin"), f"the origin of {what}")
        fits = len(whole) == len(origin) == len(shape) > 0
        if not fits or any(o + n > w for o, n, w in zip(origin, shape, whole, strict=True)):
            raise self.refusal(f"the whole of {what}", "around its part", (origin, shape, whole))
        return whole, origin

    def tap(self, source: Mapping[str, Any]) -> Tap:
        keys = ("id", "name", "shape", "dtype", "how?", "whole?", "origin?", "loc?")
        self.keys(source, keys, "a tap")
        name = self.name(source["name"], "the name of a tap")
        what = f"tap {shown(name)}"
        shape = self.shape(source["shape"], f"the shape of {what}")
        whole, origin = self.place(source, shape, what)
        return Tap(
            id=self.natural(source["id"], f"the id of {what}"),
            name=name,
            shape=shape,
            whole=whole,
            origin=origin,
            dtype=self.one_of(source["dtype"], DTYPE_WORDS, f"the dtype of {what}"),
            loc=self.text(source.get("loc", ""), f"the loc of {what}"),
            how=self.text(source.get("how", KEPT), f"the how of {what}"),
        )

    def callout(self, source: Mapping[str, Any]) -> Callout:
        keys = ("id", "name", "operands", "results", "missing?", "copy?", "loc?")
        self.keys(source, keys, "a callout")
        name = self.name(source["name"], "the name of a callout")
        what = f"callout {shown(name)}"
        missing = source.get("missing", [])
        if not isinstance(missing, (list, tuple)):
            raise self.refusal(f"the missing of {what}", "a list", missing)
        return Callout(
            id=self.natural(source["id"], f"the id of {what}"),
            name=name,
            operands=self.buffers(source["operands"], f"the operands of {what}"),
            results=self.buffers(source["results"], f"the results of {what}"),
            missing=tuple(self.natural(place, f"a missing of {what}") for place in missing),
            loc=self.text(source.get("loc", ""), f"the loc of {what}"),
            copy=self.natural(source["copy"], f"the copy of {what}") if "copy" in source else -1,
        )

    def collective(self, source: Mapping[str, Any]) -> Collective:
        keys = (
            "id",
            "kind",
            "reduction?",
            "ranks",
            "counts",
            "receives?",
            "deferred?",
            "dtype",
            "sizes",
            "loc?",
        )
        self.keys(source, keys, "a collective")
        number = self.natural(source["id"], "the id of a collective")
        what = f"collective {number}"
        sizes = self.naturals(source["sizes"], f"the sizes of {what}")
        if len(sizes) != 2:
            raise self.refusal(f"the sizes of {what}", "two numbers", sizes)
        reduction = source.get("reduction", "")
        found = Collective(
            id=number,
            kind=self.one_of(source["kind"], KINDS, f"the kind of {what}"),
            ranks=self.naturals(source["ranks"], f"the ranks of {what}"),
            counts=self.naturals(source["counts"], f"the counts of {what}"),
            sizes=(sizes[0], sizes[1]),
            dtype=self.one_of(source["dtype"], DTYPE_WORDS, f"the dtype of {what}"),
            reduction=self.one_of(reduction, ("", *REDUCTIONS), f"the reduction of {what}"),
            receives=self.naturals(source.get("receives", []), f"the receives of {what}"),
            deferred=source.get("deferred") is True,
            loc=self.text(source.get("loc", ""), f"the loc of {what}"),
        )
        if not is_consistent(found):
            raise self.refusal(what, "of counts that fit its sizes", found.to_dict())
        return found

    def kernels(self, value: object) -> tuple[TimedKernel, ...]:
        entries = self.entries(value, "kernels")
        self.check_numbers("kernels", [entry.get("id") for entry in entries])
        return tuple(map(self.kernel, entries))

    def kernel(self, source: Mapping[str, Any]) -> TimedKernel:
        self.keys(source, ("id", "name", *AMOUNTS, "lines"), "a kernel")
        name = self.name(source["name"], "the name of a kernel")
        what = f"kernel {shown(name)}"
        lines = source["lines"]
        if not isinstance(lines, (list, tuple)):
            raise self.refusal(f"the lines of {what}", "a list", lines)
        counts = {word: self.natural(source[word], f"{word} of {what}") for word in AMOUNTS}
        return TimedKernel(name, lines=tuple(self.line(line, what) for line in lines), **counts)

    def line(self, value: object, what: str) -> tuple[str, int]:
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            raise self.refusal(f"a line of {what}", "a place and a weight", value)
        place, weight = value
        return self.name(place, f"a line of {what}"), self.natural(weight, f"a weight of {what}")

    def naturals(self, value: object, what: str) -> tuple[int, ...]:
        if not isinstance(value, (list, tuple)):
            raise self.refusal(what, "a list", value)
        return tuple(self.size(number, f"an entry of {what}") for number in value)

    def buffers(self, value: object, what: str) -> tuple[Buffer, ...]:
        found = []
        for entry in self.entries(value, what):
            self.keys(entry, ("shape", "dtype"), f"an entry of {what}")
            shape = self.shape(entry["shape"], f"the shape of an entry of {what}")
            dtype = self.one_of(entry["dtype"], DTYPE_WORDS, f"the dtype of an entry of {what}")
            found.append(Buffer(shape, dtype))
        return tuple(found)

    def check_whole(self, description: Description) -> None:
        """Check what needs the whole description: no duplicates; taps agree with their flags."""
        seen: set[tuple[str, str]] = set()
        for argument in description.arguments:
            if (argument.role, argument.name) in seen and argument.role != "place":
                names = [other.name for other in description.arguments_of(argument.role)]
                raise self.refusal(f"each {argument.role} argument", "there once", names)
            seen.add((argument.role, argument.name))
        self.check_extents(description)
        ids = [tap.id for tap in description.taps]
        for argument in description.arguments:
            if argument.counted and ("count", "") not in seen:
                what = f"the counted {argument.role} {shown(argument.name)}"
                raise self.refusal(what, "beside an argument of role count", argument.shape)
        if (("taps", "") in seen) != bool(ids):
            raise self.refusal("the argument of role taps", "there exactly when taps are", ids)
        self.check_numbers("taps", ids)
        self.check_numbers("callouts", [callout.id for callout in description.callouts])
        self.check_numbers("collectives", [one.id for one in description.collectives])
        if len(description.in_use) != len(description.kernels):
            count = len(description.kernels)
            raise self.refusal("in_use of the arena", f"{count} numbers", description.in_use)
        for argument in description.arguments_of("shown"):
            if argument.name not in (tap.name for tap in description.taps):
                raise self.refusal("the name of a shown", "that of a tap", argument.name)

    def check_numbers(self, what: str, ids: Sequence[object]) -> None:
        if list(ids) != list(range(len(ids))):
            raise self.refusal(f"the ids of the {what}", "0, 1, 2 and so on", ids)

    def check_extents(self, description: Description) -> None:
        """Check that an extent is a fetch of one integer, and of an existing dimension."""
        counts = ((1,), "i32"), ((1,), "i64")
        known = {f.name for f in description.fetches if (f.shape, f.dtype) in counts}
        for fetch in description.fetches:
            if fetch.extent and (fetch.extent not in known or fetch.extent == fetch.name):
                what = f"the extent of fetch {shown(fetch.name)}"
                raise self.refusal(what, "a fetch of one i32 or i64", fetch.extent)
            if fetch.extent and fetch.dimension >= len(fetch.shape):
                what = f"the dimension of fetch {shown(fetch.name)}"
                raise self.refusal(what, f"below {len(fetch.shape)}", fetch.dimension)
