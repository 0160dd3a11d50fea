"""One micro-kernel per form of instruction, to be compared with a real GPU.

    python tests/runtime/gpu/instruction_forms.py --list docs/gpu_forms.md
    python tests/runtime/gpu/instruction_forms.py --device gpu

The first writes the list of forms. The second runs all of them on a GPU, compares the results with
the simulated device's, and with the recording of an earlier run in the folder `recorded`, or makes
it; such files are compared for ever by `test_instruction_forms.py`. `--device gpu-sim` does the
same with the simulated device in the GPU's place, and needs `--folder`: its results confirm
nothing.

A form is an instruction whose operands are names: `A`, `B` and so on are inputs, and `X`, `Y` are
results, each in a register of its type. 256 threads run it on seeded inputs with special values.
"""

from __future__ import annotations

import argparse
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from ptx_text import Array, kernel, module

from penstock.runtime.gpu import devices
from penstock.runtime.gpu.backend import LaunchKernel
from penstock.runtime.gpu.launch_plan import Kernel, Parameter
from penstock.runtime.gpu.ptx_header import read_header

THREADS = 256
SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}
RECORDED = Path(__file__).parent / "recorded"


class DeviceLike(Protocol):
    """What a recording needs of a device: that of `penstock.runtime.gpu.simulator.Device`."""

    arch: str

    def allocate(self, nbytes: int, alignment: int = 256) -> int: ...
    def free(self, address: int) -> None: ...
    def write(self, address: int, data: Array | bytes) -> None: ...
    def into(self, array: Array, address: int) -> Array: ...
    def load(self, ptx: str) -> Any: ...
    def launch(
        self,
        kernel: Any,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        args: bytes,
        shared_bytes: int = 0,
    ) -> object: ...


class Loaded(NamedTuple):
    """Code on a device of the runtime, as the simulator gives it: each kernel with its code."""

    kernels: Mapping[str, Any]


class RuntimeDevice:
    """A device of `penstock.runtime.gpu.devices` with the simulator's interface."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.arch: str = device.architecture

    def allocate(self, nbytes: int, alignment: int = 256) -> int:
        return int(self._device.allocate(nbytes, "operands of an instruction"))

    def free(self, address: int) -> None:
        self._device.free(address)

    def write(self, address: int, data: Array | bytes) -> None:
        array = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
        self._device.write(address, array)

    def into(self, array: Array, address: int) -> Array:
        self._device.read(address, array)
        return array

    def load(self, ptx: str) -> Loaded:
        one = (1, 1, 1)
        kernels = {}
        for name in read_header(ptx).kernels:
            declared = ptx.partition(f".entry {name}(")[2].partition(")")[0]
            # Each is the address of an operand.
            count = declared.count(".param")
            parameters = tuple(Parameter(8 * place, 8, 8) for place in range(count))
            kernels[name] = Kernel(name, (THREADS, 1, 1), one, one, 0, 0, parameters)
        code = self._device.load(ptx, kernels)
        return Loaded({name: (code, name) for name in kernels})

    def launch(
        self,
        kernel: Any,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        args: bytes,
        shared_bytes: int = 0,
    ) -> None:
        code, name = kernel
        prepared = code.prepare([LaunchKernel(name, args, name)])
        prepared.run(lambda: False)
        prepared.close()


@dataclass(frozen=True)
class Form:
    """An instruction, the types of its operands, and how far a device may differ.

    `bound` is 0 for equal bits but NaNs; else relative to the largest result of a thread's row.
    """

    text: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    arch: str = "sm_80"
    bound: float = 0.0

    @property
    def name(self) -> str:
        """The mnemonic and its modifiers, and what else tells forms apart."""
        return self.text.partition(" ")[0]


def _size(type: str) -> int:
    return 4 if type == "pred" or type.endswith("x2") else SIZES[re.sub(r"\D", "", type)]


def _simple(text: str, type: str, count: int, result: str = "", **options: Any) -> Form:
    """A form `text X, A, B, ...;` with operands of one type."""
    names = "ABC"[:count]
    operands = ", ".join(("X", *names))
    return Form(f"{text} {operands};", dict.fromkeys(names, type), {"X": result or type}, **options)


def _integer() -> Iterator[Form]:
    for type in ("u16", "s16", "u32", "s32", "u64", "s64"):
        for name in ("add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"):
            yield _simple(f"{name}.{type}", type, 2)
        yield _simple(f"mad.lo.{type}", type, 3)
        if type[0] == "s":
            yield _simple(f"abs.{type}", type, 1)
            yield _simple(f"neg.{type}", type, 1)
        yield Form(f"shr.{type} X, A, B;", {"A": type, "B": "u32s"}, {"X": type})
    for type, wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
        yield _simple(f"mul.wide.{type}", type, 2, wide)
        yield Form(f"mad.wide.{type} X, A, B, C;", {"A": type, "B": type, "C": wide}, {"X": wide})


def _bits() -> Iterator[Form]:
    for bits in ("b16", "b32", "b64"):
        for name in ("and", "or", "xor"):
            yield _simple(f"{name}.{bits}", bits, 2)
        yield _simple(f"not.{bits}", bits, 1)
        yield Form(f"shl.{bits} X, A, B;", {"A": bits, "B": "u32s"}, {"X": bits})
    for way in ("l.wrap", "r.wrap", "l.clamp", "r.clamp"):
        yield Form(
            f"shf.{way}.b32 X, A, B, C;", {"A": "b32", "B": "b32", "C": "u32s"}, {"X": "b32"}
        )
    for bits in ("b32", "b64"):
        for name in ("popc", "clz"):
            yield _simple(f"{name}.{bits}", bits, 1, "u32")
        yield _simple(f"brev.{bits}", bits, 1)
        yield Form(
            f"bfi.{bits} X, A, B, C, D;",
            {"A": bits, "B": bits, "C": "u32s", "D": "u32s"},
            {"X": bits},
        )


def _fields() -> Iterator[Form]:
    for type in ("u32", "s32", "u64", "s64"):
        yield _simple(f"bfind.{type}", type, 1, "u32")
        yield Form(f"bfe.{type} X, A, B, C;", {"A": type, "B": "u32s", "C": "u32s"}, {"X": type})
    yield _simple("prmt.b32", "b32", 3)
    yield Form("lop3.b32 X, A, B, C, 0x96;", dict.fromkeys("ABC", "b32"), {"X": "b32"})
    for name in ("add", "min", "max"):
        yield _simple(f"{name}.s16x2", "b32", 2, arch="sm_90")


def _floating() -> Iterator[Form]:
    half = {"f16": "sm_80", "f16x2": "sm_80", "bf16": "sm_90", "bf16x2": "sm_90"}
    for type, arch in (*half.items(), ("f32", "sm_80"), ("f64", "sm_80")):
        mode = "" if type in half and type.startswith("bf") else ".rn"
        for name in ("add", "sub", "mul"):
            yield _simple(f"{name}{mode}.{type}", type, 2, arch=arch)
        yield _simple(f"fma.rn.{type}", type, 3)
        for name in ("min", "max"):
            yield _simple(f"{name}.{type}", type, 2)
        for name in ("neg", "abs"):
            yield _simple(f"{name}.{type}", type, 1)
        if type != "f64":
            yield _simple(f"max.NaN.{type}", type, 2)


def _rounded() -> Iterator[Form]:
    for mode in ("rz", "rm", "rp"):
        for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
            yield _simple(f"{name}.{mode}.f32", "f32", count)
    for name, count in (("add.rn", 2), ("mul.rn", 2), ("fma.rn", 3), ("max", 2)):
        yield _simple(f"{name}.ftz.f32", "f32", count)
    yield _simple("add.rn.sat.f32", "f32", 2)
    for type in ("f32", "f64"):
        yield _simple(f"div.rn.{type}", type, 2)
        yield _simple(f"sqrt.rn.{type}", type, 1)
        yield _simple(f"rcp.rn.{type}", type, 1)
        yield _simple(f"copysign.{type}", type, 2)
        for test in ("finite", "infinite", "number", "notanumber", "subnormal"):
            yield Form(f"testp.{test}.{type} X, A;", {"A": type}, {"X": "pred"})


def _approximate() -> Iterator[Form]:
    for name, bound in (("div.full", 2.0**-22), ("div.approx", 2.0**-22)):
        yield _simple(f"{name}.f32", "f32", 2, bound=bound)
    for name in ("rcp", "sqrt", "rsqrt", "ex2", "lg2"):
        yield _simple(f"{name}.approx.f32", "f32", 1, bound=2.0**-21)
        yield _simple(f"{name}.approx.ftz.f32", "f32", 1, bound=2.0**-21)
    for name in ("sin", "cos"):
        yield Form(f"{name}.approx.f32 X, A;", {"A": "angle32"}, {"X": "f32"}, bound=2.0**-20)
    yield _simple("tanh.approx.f32", "f32", 1, bound=2.0**-10)
    yield _simple("ex2.approx.f16", "f16", 1, bound=2.0**-9)
    yield _simple("tanh.approx.f16", "f16", 1, bound=2.0**-9)


def _conversions() -> Iterator[Form]:
    integers = [f"{kind}{bits}" for bits in (8, 16, 32, 64) for kind in "us"]
    for source in integers[2:]:
        for result in integers:
            if source != result:
                yield _simple(f"cvt.{result}.{source}", source, 1, result)
        for mode, result in (("rn", "f16"), ("rn", "f32"), ("rn", "f64"), ("rz", "f32")):
            if (mode, source[1:]) != ("rz", "64"):
                yield _simple(f"cvt.{mode}.{result}.{source}", source, 1, result)


def _float_conversions() -> Iterator[Form]:
    for source in ("f16", "f32", "f64"):
        for mode in ("rni", "rzi", "rmi", "rpi"):
            yield _simple(f"cvt.{mode}.{source}.{source}", source, 1)
            for result in ("s32", "u32", "s64", "u64"):
                yield _simple(f"cvt.{mode}.{result}.{source}", source, 1, result)
        yield _simple(f"cvt.rzi.s16.{source}", source, 1, "s16")
    for mode in ("rn", "rz", "rm", "rp"):
        yield _simple(f"cvt.{mode}.f32.f64", "f64", 1, "f32")
    for mode in ("rn", "rz"):
        yield _simple(f"cvt.{mode}.f16.f32", "f32", 1, "f16")
        yield _simple(f"cvt.{mode}.bf16.f32", "f32", 1, "bf16")
        for pair in ("f16x2", "bf16x2"):
            yield Form(f"cvt.{mode}.{pair}.f32 X, A, B;", dict.fromkeys("AB", "f32"), {"X": pair})
    yield _simple("cvt.rn.relu.bf16x2.f32", "f32", 2, "bf16x2")
    yield _simple("cvt.rn.f16.f64", "f64", 1, "f16")
    yield _simple("cvt.f32.f16", "f16", 1, "f32")
    yield _simple("cvt.f64.f32", "f32", 1, "f64")
    yield _simple("cvt.f32.bf16", "bf16", 1, "f32", arch="sm_90")
    yield _simple("cvt.sat.f32.f32", "f32", 1)
    yield _simple("cvt.ftz.f32.f32", "f32", 1)
    yield _simple("cvt.rna.tf32.f32", "f32", 1, "b32")


def _comparisons() -> Iterator[Form]:
    ordered = ("eq", "ne", "lt", "le", "gt", "ge")
    for type in ("u16", "s16", "u32", "s32", "u64", "s64"):
        for name in ordered:
            yield _simple(f"setp.{name}.{type}", type, 2, "pred")
    for type in ("f16", "f32", "f64"):
        for name in (*ordered, *(f"{each}u" for each in ordered), "num", "nan"):
            yield _simple(f"setp.{name}.{type}", type, 2, "pred")
    for name in (*ordered, "neu"):
        yield Form(
            f"setp.{name}.f16x2 X|Y, A, B;",
            dict.fromkeys("AB", "f16x2"),
            dict.fromkeys("XY", "pred"),
        )
    for type in ("b16", "b32", "b64", "f32", "f64"):
        yield Form(f"selp.{type} X, A, B, C;", {"A": type, "B": type, "C": "pred"}, {"X": type})
    yield Form("mov.b32 X, {A, B};", dict.fromkeys("AB", "b16"), {"X": "b32"})
    yield Form("mov.b64 X, {A, B};", dict.fromkeys("AB", "b32"), {"X": "b64"})
    yield Form("mov.b64 {X, Y}, A;", {"A": "b64"}, {"X": "b32", "Y": "b32"})


def _warps() -> Iterator[Form]:
    for mode, clamp in (("up", 0), ("down", 31), ("bfly", 31), ("idx", 31), ("down", 0x181F)):
        yield Form(
            f"shfl.sync.{mode}.b32 X|Y, A, B, {clamp}, -1;",
            {"A": "b32", "B": "u32s"},
            {"X": "b32", "Y": "pred"},
        )
    for name in ("all", "any", "uni"):
        yield Form(f"vote.sync.{name}.pred X, A, -1;", {"A": "pred"}, {"X": "pred"})
    yield Form("vote.sync.ballot.b32 X, A, -1;", {"A": "pred"}, {"X": "b32"})
    for name, type in (("add", "u32"), ("min", "s32"), ("max", "u32"), ("min", "u32")):
        yield Form(f"redux.sync.{name}.{type} X, A, -1;", {"A": "warp32"}, {"X": type})
    for name in ("and", "or", "xor"):
        yield Form(f"redux.sync.{name}.b32 X, A, -1;", {"A": "warp32"}, {"X": "b32"})
    yield Form("match.any.sync.b32 X, A, -1;", {"A": "u32s"}, {"X": "b32"})
    yield Form("activemask.b32 X;", {}, {"X": "b32"})
    yield Form("elect.sync X|Y, -1;", {}, {"X": "b32", "Y": "pred"}, arch="sm_90")


def _products() -> Iterator[Form]:
    shapes = (
        ("m16n8k8", "f16", "f32", 2, 1),
        ("m16n8k16", "f16", "f32", 4, 2),
        ("m16n8k8", "bf16", "f32", 2, 1),
        ("m16n8k16", "bf16", "f32", 4, 2),
        ("m16n8k4", "tf32", "f32", 2, 1),
        ("m16n8k8", "tf32", "f32", 4, 2),
        ("m16n8k16", "s8", "s32", 2, 1),
        ("m16n8k32", "s8", "s32", 4, 2),
    )
    for shape, type, result, left, right in shapes:
        factor = {"f16": "small16x2", "bf16": "smallb16x2", "tf32": "small32", "s8": "b32"}[type]
        a, b = [f"A{i}" for i in range(left)], [f"B{i}" for i in range(right)]
        c, x = [f"C{i}" for i in range(4)], [f"X{i}" for i in range(4)]
        start = "small32" if result == "f32" else "s32h"
        text = ", ".join("{" + ", ".join(each) + "}" for each in (x, a, b, c))
        yield Form(
            f"mma.sync.aligned.{shape}.row.col.{result}.{type}.{type}.{result} {text};",
            {**dict.fromkeys((*a, *b), factor), **dict.fromkeys(c, start)},
            dict.fromkeys(x, result),
            bound=2.0**-18 if result == "f32" else 0.0,
        )


FORMS: dict[str, Form] = {}
for _form in (
    *(_integer()),
    *(_bits()),
    *(_fields()),
    *(_floating()),
    *(_rounded()),
    *(_approximate()),
    *(_conversions()),
    *(_float_conversions()),
    *(_comparisons()),
    *(_warps()),
    *(_products()),
):
    _key = _form.name if _form.name not in FORMS else f"{_form.name} ({len(FORMS)})"
    FORMS[_key] = _form


# -- inputs --------------------------------------------------------------------------------------

_SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    np.inf,
    -np.inf,
    np.nan,
    1e-40,
    1e-310,
    6e-8,
    65504,
)


def _inputs(form: Form, name: str) -> dict[str, Array]:
    """The seeded inputs of a form, as unsigned integers of each operand's size."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    found = {key: _values(type, generator) for key, type in form.inputs.items()}
    if {"A", "B"} <= set(found) and form.inputs["A"] == form.inputs["B"]:
        found["B"][::7] = found["A"][::7]  # some pairs are equal
    return found


def _values(type: str, generator: np.random.Generator) -> Array:
    if type == "pred":
        return generator.integers(0, 2, THREADS).astype(np.uint32)
    if type == "u32s":
        return generator.integers(0, 70, THREADS).astype(np.uint32)
    if type == "warp32":  # a word per warp, with one bit of each lane's own
        words = generator.integers(0, 1 << 32, THREADS // 32).repeat(32)
        return (words ^ (1 << generator.integers(0, 32, THREADS))).astype(np.uint32)
    if type.startswith(("small", "angle")):
        return _numbers(type, generator)
    size = _size(type)
    unsigned: np.dtype[Any] = np.dtype(f"u{size}")
    if type[0] in "bus" and not type.startswith("bf"):
        bits = generator.integers(0, 1 << 63, THREADS, dtype=np.uint64) * np.uint64(2)
        values = (bits >> np.uint64(64 - 8 * size)).astype(unsigned)
        values[::3] = generator.integers(1, 50, len(values[::3])).astype(unsigned)
        values[1::5] = np.iinfo(unsigned).max // 2 + generator.integers(0, 2, len(values[1::5]))
        values[values == 0] = 3  # a quotient by zero is unspecified
        return values
    return _numbers(type, generator)


def _numbers(type: str, generator: np.random.Generator) -> Array:
    count = THREADS * (2 if type.endswith("x2") else 1)
    scale = 0 if type.startswith(("small", "angle")) else 6
    numbers = generator.normal(size=count) * np.exp2(generator.integers(-scale, scale + 1, count))
    if scale:
        places = generator.permutation(count)[: 2 * len(_SPECIAL)]
        numbers[places] = np.tile(_SPECIAL, 2)
    with np.errstate(all="ignore"):
        if type.startswith(("bf16", "smallb16")):
            bits = numbers.astype(np.float32).view(np.uint32) >> np.uint32(16)
            halves = bits.astype(np.uint16)
            return halves.view(np.uint32) if type.endswith("x2") else halves
        if type in ("f16", "f16x2", "small16x2"):
            halves = numbers.astype(np.float16).view(np.uint16)
            return halves.view(np.uint32) if type.endswith("x2") else halves
        if type == "f64":
            return numbers.view(np.uint64)
        return numbers.astype(np.float32).view(np.uint32)


# -- running -------------------------------------------------------------------------------------

_REGISTERS = ".reg .pred %p<16>;\n.reg .b16 %h<16>;\n.reg .b32 %r<40>;\n.reg .b64 %d<40>;\n"
_PREFIX = {1: "%h", 2: "%h", 4: "%r", 8: "%d"}


def text_of(form: Form, name: str = "k") -> str:
    """The kernel of a form: loads its inputs, runs it, and stores its results."""
    lines = ["mov.u32 %r39, %tid.x;"]
    names: dict[str, str] = {}
    after: list[str] = []
    operands = [*form.inputs.items(), *form.outputs.items()]
    for place, (operand, type) in enumerate(operands):
        size = _size(type)
        register, bits = f"{_PREFIX[size]}{place}", f"b{8 * size}"
        address = f"ld.param.u64 %d39, [p{place}];\nmad.wide.u32 %d39, %r39, {size}, %d39;"
        names[operand] = f"%p{place}" if type == "pred" else register
        if operand in form.inputs:
            lines += [address, f"ld.global.{bits} {register}, [%d39];"]
            if type == "pred":
                lines.append(f"setp.ne.u32 %p{place}, {register}, 0;")
            continue
        if type == "pred":
            after.append(f"selp.u32 {register}, 1, 0, %p{place};")
        after += [address, f"st.global.{bits} [%d39], {register};"]
    mnemonic, _, rest = form.text.partition(" ")
    rest = re.sub(r"\b[A-DXY]\d?\b", lambda match: names[match[0]], rest)
    body = "\n".join([*lines, f"{mnemonic} {rest}", *after])
    return kernel(body, ["u64"] * len(operands), name=name, registers=_REGISTERS)


def run_forms(device: DeviceLike, names: Iterable[str] = FORMS) -> dict[str, Array]:
    """The results of the forms that a device has, as unsigned integers: `form|operand`."""
    chosen = {name: f"k{place}" for place, name in enumerate(names) if runs_on(name, device.arch)}
    text = module(*(text_of(FORMS[name], k) for name, k in chosen.items()), target=device.arch)
    kernels = device.load(text).kernels
    found = {}
    for name, symbol in chosen.items():
        for operand, values in _run_form(device, name, kernels[symbol]).items():
            found[f"{name}|{operand}"] = values
    return found


def _run_form(device: DeviceLike, name: str, loaded: Any) -> dict[str, Array]:
    form = FORMS[name]
    inputs = _inputs(form, name)
    outputs = {key: np.zeros(THREADS, f"u{_size(type)}") for key, type in form.outputs.items()}
    arrays = [*inputs.values(), *outputs.values()]
    places = [device.allocate(array.nbytes) for array in arrays]
    for place, array in zip(places, arrays, strict=True):
        device.write(place, array)
    args = b"".join(place.to_bytes(8, "little") for place in places)
    device.launch(loaded, (1, 1, 1), (THREADS, 1, 1), args)
    for place, array in zip(places[len(inputs) :], outputs.values(), strict=True):
        device.into(array, place)
    for place in places:
        device.free(place)
    return outputs


def runs_on(name: str, arch: str) -> bool:
    """Whether a form exists on an architecture."""
    number = re.compile(r"\d+")
    needed, have = number.search(FORMS[name].arch), number.search(arch)
    return int(needed[0] if needed else 0) <= int(have[0] if have else 0)


def record(device: DeviceLike, path: Path) -> int:
    """Write the results of all forms that a device has to one file; how many arrays they are."""
    found = run_forms(device)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **found)  # type: ignore[arg-type]
    return len(found)


def differences(ours: Mapping[str, Array], theirs: Mapping[str, Array]) -> list[str]:
    """What is wrong with results, beside those of a device; nothing if they agree."""
    both = [key for key in ours if key in theirs]
    found = [_difference(key, ours[key], theirs[key]) for key in both]
    return [text for text in found if text]


def _difference(key: str, ours: Array, theirs: Array) -> str:
    name, _, operand = key.partition("|")
    form = FORMS[name]
    type = form.outputs[operand]
    if type.startswith(("f", "bf")):
        a, b = _as_numbers(type, ours), _as_numbers(type, theirs)
        wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)))
        if form.bound:
            scale = np.maximum(np.abs(b), 1.0 if "mma" in form.text else 0.0)
            with np.errstate(invalid="ignore"):
                wrong &= ~(np.abs(a - b) <= form.bound * np.maximum(scale, 2.0**-126))
    else:
        wrong = ours != theirs
    if not wrong.any():
        return ""
    place = int(wrong.argmax())
    return (
        f"{form.text} thread {place % THREADS}: {ours[place]:#x}, a device has {theirs[place]:#x}"
    )


def _as_numbers(type: str, bits: Array) -> Array:
    if type.startswith("bf16"):
        return (bits.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)
    kinds = {"f16": np.float16, "f16x2": np.float16, "f32": np.float32, "f64": np.float64}
    return bits.view(kinds[type]).astype(np.float64)


# -- the list ------------------------------------------------------------------------------------


def listing() -> str:
    """The page of forms, in Markdown: which of them a device has confirmed."""
    files = sorted(RECORDED.glob("*.npz"))
    confirmed = {key.partition("|")[0] for file in files for key in np.load(file).files}
    rest = [name for name in FORMS if name not in confirmed]
    lines = [
        "# Instruction forms of the simulated GPU",
        "",
        "`make docs` makes this page. The simulated GPU models these forms of instructions by the",
        "manual, NVIDIA's PTX ISA 9.0. `tests/runtime/gpu/instruction_forms.py` runs one kernel",
        "per form and can record what a device returns; the simulator is compared with that.",
        "",
        f"{len(FORMS)} forms: {len(FORMS) - len(rest)} confirmed by a recording of a device, "
        f"{len(rest)} resting on the manual alone.",
        "",
        "Resting on the manual alone:",
        "",
    ]
    families: dict[str, list[str]] = {}
    for name in rest:
        families.setdefault(name.partition(".")[0], []).append(f"`{name}`")
    lines += [f"- {', '.join(names)}" for _, names in sorted(families.items())]
    lines += [
        "",
        "Not among the forms, and resting on the manual too: memory and copies (`ld`, `st`,",
        "`atom`, `red`, `ldmatrix`, `stmatrix`, `cp.async`, `cp.async.bulk`, tensor maps),",
        "`mbarrier`, `wgmma`, fences, barriers and clusters. Tests run them in whole kernels.",
    ]
    return "\n".join(lines) + "\n"


def check_device(kind: str, folder: Path) -> int:
    """Compare a device with the simulator and with its recording, made if there is none.

    Prints the differences; returns how many there are.
    """
    from penstock.runtime.gpu.simulator import Device

    device = RuntimeDevice(devices.device(kind))
    found = run_forms(device)
    simulated = run_forms(Device(1 << 20, arch=device.arch, checks=()))
    path = folder / f"{device.arch}.npz"
    known: Mapping[str, Array] = {}
    if path.exists():
        with np.load(path) as recorded:
            known = {key: recorded[key] for key in recorded.files}
    both = {
        "the simulator and this device": differences(simulated, found),
        "this device and its recording": differences(found, known),
    }
    if not known:
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, **found)  # type: ignore[arg-type]
    what = f"compared with {path}" if known else f"recorded in {path}"
    forms = len({key.partition("|")[0] for key in found})
    print(f"{forms} of {len(FORMS)} forms ran on {kind} ({device.arch}); {what}")
    for between, wrong in both.items():
        print(f"{len(wrong)} differences between {between}")
        for text in wrong:
            print(f"  {text}")
    return sum(map(len, both.values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", type=Path, metavar="FILE", help="write the list of forms")
    parser.add_argument("--device", choices=devices.KINDS, help="run all forms there")
    parser.add_argument("--folder", type=Path, help="of recordings (the tests' own, for a GPU)")
    given = parser.parse_args()
    if given.list:
        given.list.write_text(listing())
    if not given.device:
        return 0
    reason = devices.why_not(given.device)
    if reason:
        sys.exit(f"there is no device {given.device} 0:0: {reason}")
    if given.folder is None and given.device != "gpu":
        parser.error("the simulated device confirms nothing: --folder says where it is recorded")
    return 1 if check_device(given.device, given.folder or RECORDED) else 0


if __name__ == "__main__":
    sys.exit(main())
