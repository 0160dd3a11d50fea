"""A launch plan: what a step of a job copies and launches on a device, read without trust.

It consists of plain JSON values; bytes are bytes, or hexadecimal where it was JSON. It is parsed
once, and strictly: every offset is checked against the arena, the constants or the argument that it
is in, before anything is allocated.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from penstock.runtime.description import Buffer, Description, shown
from penstock.runtime.dtypes import numpy_dtype

__all__ = [
    "Chosen",
    "Copy",
    "Give",
    "Kernel",
    "Launch",
    "LaunchPlan",
    "Parameter",
    "Reference",
    "Show",
    "Step",
    "Take",
    "TensorMap",
    "When",
    "argument_bytes",
    "buffer_bytes",
    "read_plan",
]

POINTER = 8
"""The bytes of an address."""
MOST_THREADS = 1024
MOST_BLOCKS = (2**31 - 1, 65535, 65535)
_MOST_SHARED = 232_448
"""The bytes of shared memory that a block has at most: those of compute capability 9.0."""
_MOST_CLUSTER = 16
_MOST_PARAMETERS = 4096
"""The bytes of a kernel's parameters that every driver accepts."""
MAP_BYTES = 128
"""The bytes of a tensor map, which is passed by value."""
ELEMENTS = {"bf16": 2, "f16": 2, "f32": 4}
"""The bytes of an element, by its type, of tensors that maps describe."""
DATA_TYPES = {"f16": 6, "f32": 7, "bf16": 9}
"""What the driver calls them: `CUtensorMapDataType`."""
SWIZZLES = {32: 1, 64: 2, 128: 3}
"""Bytes of a row whose parts are exchanged -> `CUtensorMapSwizzle`."""
STEP = 16
"""Bytes that divide the address and the strides of a tensor that a map describes."""
_MOST_EXTENT, _MOST_STRIDE, _MOST_BOX, _MOST_RANK = 1 << 32, (1 << 40) - 1, 256, 5
"""Of a tensor map (CUDA Driver API, cuTensorMapEncodeTiled)."""
_MOST_STEPS = 100_000
_MOST_BYTES = 1 << 47
_DEEPEST = 8
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})*")


class Parameter(NamedTuple):
    """Where a parameter is among the bytes that a kernel gets."""

    offset: int
    size: int
    align: int
    reached: int | None = None
    """Of an address: how many bytes from there on the kernel may access, if that is known."""
    written: bool = True
    """Of an address: whether it may write them."""


class Kernel(NamedTuple):
    """A kernel and how it is launched; `loc` is the user's line that it computes."""

    name: str
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared: int
    """Bytes of shared memory that the kernel itself declares, per block."""
    dynamic: int
    """Bytes of shared memory that a launch adds."""
    parameters: tuple[Parameter, ...]
    loc: str = ""


class TensorMap(NamedTuple):
    """A buffer as copies of boxes see it; dimensions from the densest on.

    Rows of a box have `swizzle` bytes. What is out of bounds is read as zero.
    """

    element: str
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes, from the second dimension on."""
    box: tuple[int, ...]
    swizzle: int


class Reference(NamedTuple):
    """What a launch passes: `kind` is `arena`, `argument`, `constant` or `value`.

    With a `map`, it passes the tensor map of the buffer there.
    """

    kind: str
    offset: int = 0
    argument: int = -1
    value: bytes = b""
    map: TensorMap | None = None


class Launch(NamedTuple):
    """A launch of a kernel."""

    kernel: str
    arguments: tuple[Reference, ...]
    loc: str = ""


class Copy(NamedTuple):
    """A copy of bytes on the device."""

    source: Reference
    target: Reference
    size: int


class Show(NamedTuple):
    """A blob that handlers get, if there are some of its tap."""

    tap: int
    source: Reference
    size: int


class Give(NamedTuple):
    """A copy to the host in the middle of a step, by its number in the job."""

    number: int
    source: Reference
    size: int


class Take(NamedTuple):
    """A copy from the host in the middle of a step, likewise."""

    number: int
    target: Reference
    size: int


class When(NamedTuple):
    """Steps that run if anyone listens to one of these taps."""

    taps: frozenset[int]
    steps: "tuple[Step, ...]"


Chosen = Launch | Copy | Show | Give | Take
Step = Chosen | When


class LaunchPlan(NamedTuple):
    """A checked plan."""

    kernels: Mapping[str, Kernel]
    arena: int
    """The bytes of the job's buffers on the device."""
    constants: bytes
    steps: tuple[Step, ...]

    def chosen(self, listened: Iterable[int]) -> list[Chosen]:
        """The steps to run if handlers listen to these taps."""
        return list(_chosen(self.steps, frozenset(listened)))


def _chosen(steps: Sequence[Step], listened: frozenset[int]) -> Iterable[Chosen]:
    for step in steps:
        if isinstance(step, When):
            if step.taps & listened:
                yield from _chosen(step.steps, listened)
        elif not isinstance(step, Show) or step.tap in listened:
            yield step


def buffer_bytes(buffer: Buffer) -> int:
    """The bytes of what a copy between devices moves."""
    return math.prod(buffer.shape) * numpy_dtype(buffer.dtype).itemsize


def argument_bytes(description: Description) -> dict[int, int]:
    """The bytes of each argument that is on the device: feeds, variables and fetches."""
    return {
        number: math.prod(argument.shape) * numpy_dtype(argument.dtype).itemsize
        for number, argument in enumerate(description.arguments)
        if argument.role in ("feed", "variable", "fetch")
    }


def read_plan(source: Mapping[str, Any], description: Description) -> LaunchPlan:
    """The plan of the job that is described; ValueError with one sentence if it is malformed.

    The description says how large arguments and blobs are.
    """
    return _Reader(description).plan(source)


class _Reader:
    """Reads the parts of a plan; every refusal is a ValueError that names the job."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.arguments = argument_bytes(description)
        self.kernels: dict[str, Kernel] = {}
        self.arena = 0
        self.constants = b""
        self.count = 0

    def refuse(self, what: str, expected: str, got: object) -> NoReturn:
        raise ValueError(
            f"the launch plan of job {shown(self.description.job)} is malformed: {what} must be "
            f"{expected}, got {shown(got)}; rebuild the job"
        )

    def plan(self, source: Mapping[str, Any]) -> LaunchPlan:
        self.keys(source, ("kernels", "arena", "constants", "steps"), "the plan")
        self.arena = self.natural(source["arena"], "arena", _MOST_BYTES)
        if self.arena != self.description.arena_bytes:
            self.refuse("arena", f"{self.description.arena_bytes} as described", self.arena)
        self.constants = self.data(source["constants"])
        for name, kernel in self.mapping(source["kernels"], "kernels").items():
            self.kernels[name] = self.kernel(name, self.mapping(kernel, f"kernel {shown(name)}"))
        steps = self.steps(source["steps"], 0)
        return LaunchPlan(self.kernels, self.arena, self.constants, steps)

    def kernel(self, name: str, source: Mapping[str, Any]) -> Kernel:
        what = f"kernel {shown(name)}"
        keys = ("block", "grid", "shared", "dynamic", "cluster?", "parameters", "loc?")
        self.keys(source, keys, what)
        block = self.extents(source["block"], f"the block of {what}", (1024, 1024, 64))
        if math.prod(block) > MOST_THREADS:
            self.refuse(f"the block of {what}", f"up to {MOST_THREADS} threads", block)
        grid = self.extents(source["grid"], f"the grid of {what}", MOST_BLOCKS)
        cluster = self.extents(
            source.get("cluster", [1, 1, 1]), f"the cluster of {what}", (_MOST_CLUSTER,) * 3
        )
        fits = all(blocks % size == 0 for blocks, size in zip(grid, cluster, strict=True))
        if math.prod(cluster) > _MOST_CLUSTER or not fits:
            self.refuse(f"the cluster of {what}", f"a divisor of its grid {grid}", cluster)
        shared = self.natural(source["shared"], f"shared of {what}", _MOST_SHARED)
        dynamic = self.natural(source["dynamic"], f"dynamic of {what}", _MOST_SHARED - shared)
        parameters = self.parameters(source["parameters"], what)
        loc = self.text(source.get("loc", ""), f"the loc of {what}")
        return Kernel(name, block, grid, cluster, shared, dynamic, parameters, loc)

    def parameters(self, value: object, what: str) -> tuple[Parameter, ...]:
        found: list[Parameter] = []
        end = 0
        for entry in self.entries(value, f"the parameters of {what}"):
            words = ("offset", "size", "align")
            self.keys(entry, (*words, "bytes?", "written?"), f"a parameter of {what}")
            offset, size, align = (
                self.natural(entry[w], f"{w} of {what}", _MOST_PARAMETERS) for w in words
            )
            own = Parameter(offset, size, align)
            if "bytes" in entry:
                reached = self.natural(entry["bytes"], f"bytes of {what}", _MOST_BYTES)
                written = entry.get("written", True)
                if type(written) is not bool:
                    self.refuse(f"written of {what}", "true or false", written)
                own = own._replace(reached=reached, written=written)
            is_aligned = own.align > 0 and not own.align & (own.align - 1)
            if not is_aligned or own.offset % own.align or own.offset < end or not own.size:
                self.refuse(f"a parameter of {what}", "aligned, behind the one before", entry)
            end = own.offset + own.size
            found.append(own)
        if end > _MOST_PARAMETERS:
            self.refuse(f"the parameters of {what}", f"up to {_MOST_PARAMETERS} bytes", end)
        return tuple(found)

    def steps(self, value: object, depth: int) -> tuple[Step, ...]:
        if depth > _DEEPEST:
            self.refuse("steps", f"nested up to {_DEEPEST} deep", depth)
        return tuple(self.step(entry, depth) for entry in self.entries(value, "steps"))

    def step(self, source: Mapping[str, Any], depth: int) -> Step:
        self.count += 1
        if self.count > _MOST_STEPS:
            self.refuse("steps", f"up to {_MOST_STEPS}", self.count)
        if "launch" in source:
            return self.launch(source)
        if "copy" in source:
            return self.copy(source)
        if "tap" in source:
            return self.show(source)
        if "give" in source or "take" in source:
            return self.moved(source)
        self.keys(source, ("when", "steps"), "a step with when")
        taps = frozenset(self.tap(number) for number in self.items(source["when"], "when"))
        return When(taps, self.steps(source["steps"], depth + 1))

    def launch(self, source: Mapping[str, Any]) -> Launch:
        self.keys(source, ("launch", "arguments", "loc?"), "a launch")
        name = source["launch"]
        if not isinstance(name, str) or name not in self.kernels:
            self.refuse("a launch", f"of one of {', '.join(self.kernels) or 'no kernel'}", name)
        kernel = self.kernels[name]
        what = f"an argument of kernel {shown(name)}"
        given = self.items(source["arguments"], f"the arguments of kernel {shown(name)}")
        if len(given) != len(kernel.parameters):
            count = len(kernel.parameters)
            self.refuse(f"the arguments of kernel {shown(name)}", f"{count}", len(given))
        arguments = tuple(self.argument(entry, what) for entry in given)
        for argument, parameter in zip(arguments, kernel.parameters, strict=True):
            size = len(argument.value) if argument.kind == "value" else POINTER
            size = MAP_BYTES if argument.map is not None else size
            if size != parameter.size:
                self.refuse(what, f"of {parameter.size} bytes", size)
            if argument.kind != "value" and argument.map is None and parameter.reached:
                self.reached(argument, parameter.reached, what)
        return Launch(name, arguments, self.text(source.get("loc", ""), "the loc of a launch"))

    def argument(self, value: object, what: str) -> Reference:
        """A reference, or the tensor map of a buffer, all of which must be there."""
        parts = self.items(value, what)
        if len(parts) != 3 or parts[0] != "map":
            return self.reference(value, what, 0)
        map = self.tensor_map(self.mapping(parts[2], f"the map of {what}"), f"the map of {what}")
        width = ELEMENTS[map.element]
        ends = [(d - 1) * s for d, s in zip(map.dims, (width, *map.strides), strict=True)]
        buffer = self.reference(parts[1], what, sum(ends) + width)
        if buffer.kind == "value" or buffer.offset % STEP:
            self.refuse(what, f"a buffer at a multiple of {STEP} bytes", parts[1])
        return buffer._replace(map=map)

    def tensor_map(self, source: Mapping[str, Any], what: str) -> TensorMap:
        self.keys(source, ("element", "dims", "strides", "box", "swizzle"), what)
        element, swizzle = source["element"], source["swizzle"]
        known = isinstance(element, str) and isinstance(swizzle, int)
        if not known or element not in ELEMENTS or swizzle not in SWIZZLES:
            self.refuse(what, "of bf16, f16 or f32, with a swizzle of 32, 64 or 128", source)
        dims, strides, box = (
            tuple(self.natural(n, f"{key} of {what}", most) for n in self.items(source[key], what))
            for key, most in (("dims", _MOST_EXTENT), ("strides", _MOST_STRIDE), ("box", _MOST_BOX))
        )
        ranks = len(dims), len(strides) + 1, len(box)
        if len(set(ranks)) > 1 or not 2 <= len(dims) <= _MOST_RANK or 0 in (*dims, *box):
            self.refuse(what, f"of 2 to {_MOST_RANK} dimensions, none empty", source)
        if any(stride % STEP for stride in strides) or box[0] * ELEMENTS[element] != swizzle:
            self.refuse(what, f"of strides of {STEP} bytes, and rows as its swizzle", source)
        return TensorMap(element, dims, strides, box, swizzle)

    def copy(self, source: Mapping[str, Any]) -> Copy:
        self.keys(source, ("copy", "loc?"), "a copy")
        parts = self.items(source["copy"], "a copy")
        if len(parts) != 3:
            self.refuse("a copy", "a source, a target and a size", parts)
        size = self.natural(parts[2], "the size of a copy", _MOST_BYTES)
        read = self.reference(parts[0], "the source of a copy", size)
        written = self.reference(parts[1], "the target of a copy", size)
        if "value" in (read.kind, written.kind) or written.kind == "constant":
            self.refuse("a copy", "between buffers, to one that may change", parts)
        return Copy(read, written, size)

    def moved(self, source: Mapping[str, Any]) -> Give | Take:
        word, end = ("give", "source") if "give" in source else ("take", "target")
        self.keys(source, (word, end, "bytes", "loc?"), f"a {word}")
        size = self.natural(source["bytes"], f"the size of a {word}", _MOST_BYTES)
        ends = {
            callout.copy: (callout.operands or callout.results)[0]
            for callout in self.description.callouts
            if callout.copy >= 0 and bool(callout.operands) is (word == "give")
        }
        number = self.natural(source[word], f"a {word}", _MOST_STEPS)
        if number not in ends or buffer_bytes(ends[number]) != size:
            self.refuse(f"a {word}", "a copy of the size that is described", source)
        buffer = self.reference(source[end], f"the {end} of a {word}", size)
        if buffer.kind == "value" or (word == "take" and buffer.kind == "constant"):
            self.refuse(f"the {end} of a {word}", "a buffer", source[end])
        return Give(number, buffer, size) if word == "give" else Take(number, buffer, size)

    def show(self, source: Mapping[str, Any]) -> Show:
        self.keys(source, ("tap", "source", "bytes", "element", "shape", "loc?"), "a tap")
        number = self.tap(source["tap"])
        tap = self.description.taps[number]
        what = f"the bytes of tap {shown(tap.name)}"
        size = math.prod(tap.shape) * numpy_dtype(tap.dtype).itemsize
        if self.natural(source["bytes"], what, _MOST_BYTES) != size:
            self.refuse(what, f"{size} as described", source["bytes"])
        form = (str(source["element"]), list(self.items(source["shape"], "the shape of a tap")))
        if form != (tap.dtype, list(tap.shape)):
            self.refuse(f"the form of tap {shown(tap.name)}", f"{tap.dtype} {tap.shape}", form)
        read = self.reference(source["source"], "the source of a tap", size)
        if read.kind == "value":
            self.refuse("the source of a tap", "a buffer", source["source"])
        return Show(number, read, size)

    def tap(self, value: object) -> int:
        number = self.natural(value, "a tap", len(self.description.taps) - 1)
        return number

    def reference(self, value: object, what: str, size: int) -> Reference:
        """A reference with at least so many bytes behind it."""
        parts = self.items(value, what)
        match parts:
            case ["arena", offset]:
                start = self.inside(offset, size, self.arena, f"{what} in the arena")
                return Reference("arena", start)
            case ["constant", offset]:
                end = len(self.constants)
                return Reference("constant", self.inside(offset, size, end, f"{what}, a constant"))
            case ["argument", int(number), offset] if number in self.arguments:
                end = self.arguments[number]
                start = self.inside(offset, size, end, f"{what} in argument {number}")
                return Reference("argument", start, number)
            case ["value", given]:
                return Reference("value", value=self.data(given))
        form = 'like ["arena", 0], of a buffer that the job has'
        self.refuse(what, form, value)

    def reached(self, buffer: Reference, size: int, what: str) -> None:
        """Refuse a buffer with fewer bytes behind it than a kernel may reach."""
        ends = {"arena": self.arena, "constant": len(self.constants)}
        end = ends.get(buffer.kind, self.arguments.get(buffer.argument, 0))
        self.inside(buffer.offset, size, end, f"{what}, a buffer")

    def inside(self, value: object, size: int, end: int, what: str) -> int:
        """An offset; a buffer of no bytes may begin at the end."""
        offset = self.natural(value, what, end)
        if offset + size > end:
            self.refuse(what, f"{size} bytes within {end}", offset)
        return offset

    # -- values -----------------------------------------------------------------------------------

    def keys(self, source: Mapping[str, Any], allowed: Sequence[str], what: str) -> None:
        names = {key.rstrip("?") for key in allowed}
        required = {key for key in allowed if not key.endswith("?")}
        if not required <= set(source) <= names:
            self.refuse(f"the keys of {what}", ", ".join(allowed), sorted(source))

    def mapping(self, value: object, what: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            self.refuse(what, "a dict with string keys", value)
        return value

    def items(self, value: object, what: str) -> list[Any]:
        if not isinstance(value, (list, tuple)):
            self.refuse(what, "a list", value)
        return list(value)

    def entries(self, value: object, what: str) -> list[Mapping[str, Any]]:
        return [self.mapping(entry, f"an entry of {what}") for entry in self.items(value, what)]

    def natural(self, value: object, what: str, most: int) -> int:
        if type(value) is not int or not 0 <= value <= most:
            self.refuse(what, f"an integer from 0 to {most}", value)
        return value

    def data(self, value: object) -> bytes:
        """Bytes that may be written in hexadecimal."""
        if isinstance(value, str) and _HEXADECIMAL.fullmatch(value):
            return bytes.fromhex(value)
        if not isinstance(value, bytes):
            self.refuse("constants or a value", "bytes, or hexadecimal", value)
        return value

    def text(self, value: object, what: str) -> str:
        if not isinstance(value, str):
            self.refuse(what, "a string", value)
        return value

    def extents(self, value: object, what: str, most: Sequence[int]) -> tuple[int, int, int]:
        parts = self.items(value, what)
        if len(parts) != 3 or not all(type(n) is int and n > 0 for n in parts):
            self.refuse(what, "three integers of at least 1", value)
        if any(n > limit for n, limit in zip(parts, most, strict=True)):
            self.refuse(what, f"at most {tuple(most)}", value)
        return (parts[0], parts[1], parts[2])
