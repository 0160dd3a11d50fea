"""Rounding, fragments, swizzles and tensor maps of the simulated GPU, and its counters."""

from __future__ import annotations

import random
import struct
from fractions import Fraction

import numpy as np
import pytest
from ptx_text import Array, addresses, kernel, module, thread_address

from penstock.runtime.gpu.simulator import Device, SimulatorError, encode_tiled
from penstock.runtime.gpu.simulator.formats.fragments import (
    FRAGMENTS,
    Fragment,
    wgmma_accumulator,
    wgmma_left,
)
from penstock.runtime.gpu.simulator.formats.rounding import fma32, fma64, narrow, two_sum
from penstock.runtime.gpu.simulator.formats.tensor_map import MAP_BYTES, decode, swizzled

# -- rounding ------------------------------------------------------------------------------------


def rounded(exact: Fraction, bits: int, least: int, mode: str) -> Fraction:
    """A number with this many bits, whose last is 2**least at least."""
    if exact == 0:
        return exact
    exponent = abs(exact).numerator.bit_length() - abs(exact).denominator.bit_length() - 1
    while abs(exact) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** max(exponent - bits + 1, least)
    scaled = exact / unit
    floor = scaled.numerator // scaled.denominator
    rest = scaled - floor
    up = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1),
        "rz": exact < 0 and rest > 0,
        "rm": False,
        "rp": rest > 0,
    }[mode]
    return (floor + up) * unit


def numbers(chance: random.Random, bits: int, count: int) -> list[float]:
    """Numbers with few ones, whose sums and products are close to ties."""
    found = []
    for _ in range(count):
        mantissa = 1 << (bits - 1)
        for _ in range(chance.randrange(3)):
            mantissa |= 1 << chance.randrange(bits)
        found.append(chance.choice((1, -1)) * mantissa * 2.0 ** chance.randrange(-3 * bits, bits))
    return found


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
def test_products_and_sums_of_f32_are_rounded_once(mode: str) -> None:
    chance = random.Random(1)
    a, b, c = (np.array(numbers(chance, 24, 3000), np.float32) for _ in range(3))
    c[::2] = -(a * b)[::2]  # cancels, but for what the product loses
    c[1::4] = (a * b)[1::4] * np.float32(2.0**24)  # is close to a tie
    found = fma32(a, b, c, mode)
    for x, y, z, ours in zip(a, b, c, found, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        assert Fraction(float(ours)) == rounded(exact, 24, -149, mode)


def test_products_and_sums_of_f64_are_rounded_once() -> None:
    chance = random.Random(2)
    a, b, c = (np.array(numbers(chance, 53, 2000)) for _ in range(3))
    c[::2] = -(a * b)[::2]
    a[5::50] *= 2.0**-600
    b[5::50] *= 2.0**-400
    found = fma64(a, b, c)
    for x, y, z, ours in zip(a, b, c, found, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        assert Fraction(float(ours)) == rounded(exact, 53, -1074, "rn")


def test_a_tie_with_a_rest_is_no_tie() -> None:
    """Rounding to f64 first would lose the rest and go to even."""
    total, missing = two_sum(np.array([1 + 2.0**-24]), np.array([2.0**-80]))
    assert narrow(total, missing, "rn")[0] == np.float32(1 + 2.0**-23)


# -- layouts -------------------------------------------------------------------------------------

ALL_FRAGMENTS = {
    **{
        f"{shape} of {bits} bits, {part}": getattr(each, part)
        for (shape, bits), each in FRAGMENTS.items()
        for part in ("left", "right", "result")
    },
    **{f"wgmma n{n}": wgmma_accumulator(n) for n in (8, 64, 176, 256)},
    **{f"wgmma left {bits}": wgmma_left(bits) for bits in (16, 32)},
}


@pytest.mark.parametrize("name", ALL_FRAGMENTS)
def test_a_fragment_is_a_bijection(name: str) -> None:
    fragment: Fragment = ALL_FRAGMENTS[name]
    places = fragment.rows * fragment.shape[1] + fragment.columns
    assert sorted(places.reshape(-1)) == list(range(fragment.shape[0] * fragment.shape[1]))
    matrix = np.arange(places.size).reshape(fragment.shape)
    assert (fragment.matrix(fragment.elements(matrix)) == matrix).all()


@pytest.mark.parametrize("span", [0, 32, 64, 128])
def test_a_swizzle_permutes_the_parts_of_eight_rows(span: int) -> None:
    address = np.arange(0, 2048, 16)
    found = swizzled(address, span)
    assert sorted(found) == list(address)
    assert (swizzled(found, span) == address).all()
    if span:
        words = {int(place) // 16 % 8 for place in found[: 1024 // 16 : span // 16]}
        assert len(words) == 8, "a column of parts uses all banks"


def test_tensor_maps_are_decoded_and_refused() -> None:
    data = encode_tiled(9, 1 << 20, (64, 100), (256,), (64, 32), swizzle=3)
    assert len(data) == MAP_BYTES
    found = decode(data)
    assert (found.element, found.dims, found.strides) == (2, (64, 100), (256,))
    assert (found.box, found.swizzle, found.box_bytes) == ((64, 32), 128, 4096)
    addresses_, inside = found.places((32, 90))
    assert inside.sum() == 32 * 10
    assert addresses_[64] - addresses_[0] == 256
    for change, message in (
        ({"address": 8}, "the address 0x8 is not a multiple of 16"),
        ({"strides": (100,)}, "must be multiples of 16 bytes"),
        ({"box": (128, 32)}, "a row of the box has 256 bytes, more than the 128 of its swizzle"),
        ({"box": (64, 512)}, "must have extents from 1 to 256"),
        ({"box": (4, 32)}, "a row of the box has 8 bytes, not a multiple of 16"),
        ({"data_type": 99}, "data type 99 and swizzle 3 are not both known"),
    ):
        good = {"data_type": 9, "address": 1 << 20, "dims": (64, 100), "strides": (256,)}
        arguments = {**good, "box": (64, 32), "swizzle": 3, **change}
        with pytest.raises(SimulatorError, match=message):
            encode_tiled(**arguments)  # type: ignore[arg-type]
    with pytest.raises(SimulatorError, match="no tensor map"):
        decode(bytes(128))


# -- a product whose factors the accelerator copies ----------------------------------------------


def bf16(values: Array) -> Array:
    return (values.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def value(bits: Array) -> Array:
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)


def product_text(transposed: bool) -> str:
    """64 x 64 by 64 x 64, in 128-byte swizzles: A is K-major, B too or, if transposed, N-major."""
    sums = ", ".join(f"%r{100 + place}" for place in range(32))
    step = 128 if transposed else 2  # of the descriptor, for 16 more of k
    lines = [
        ".shared .align 1024 .b8 a[8192];",
        ".shared .align 1024 .b8 b[8192];",
        ".shared .align 8 .b8 full[8];",
        "ld.param.u64 %d1, [p0]; ld.param.u64 %d2, [p1]; ld.param.u64 %d3, [p2];",
        "mov.u32 %r1, %tid.x; mov.b32 %r2, a; mov.b32 %r3, b; mov.b32 %r4, full; mov.b32 %r5, 0;",
        "setp.eq.s32 %p1, %r1, 0;",
        "@%p1 mbarrier.init.shared.b64 [%r4], 1;",
        "@%p1 fence.mbarrier_init.release.cluster;",
        "bar.sync 0;",
        "@!%p1 bra WAIT;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 16384;",
        *(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
            f"[%r{2 + place}], [%d{1 + place}, {{%r5, %r5}}], [%r4];"
            for place in range(2)
        ),
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0;",
        "@!%p2 bra WAIT;",
        "cvt.u64.u32 %d4, %r2; shr.u64 %d4, %d4, 4; cvt.u64.u32 %d5, %r3; shr.u64 %d5, %d5, 4;",
        f"or.b64 %d4, %d4, {1 << 62 | 64 << 32}; or.b64 %d5, %d5, {1 << 62 | 64 << 32};",
        *(f"mov.b32 %r{100 + place}, 0;" for place in range(32)),
        "wgmma.fence.sync.aligned;",
    ]
    for _ in range(4):
        lines += [
            f"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{{sums}}}, %d4, %d5, 1, 1, 1, "
            f"0, {int(transposed)};",
            f"add.s64 %d4, %d4, 2; add.s64 %d5, %d5, {step};",
        ]
    lines += [
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
        "mad.wide.u32 %d3, %r1, 128, %d3;",
        *(f"st.global.b32 [%d3+{4 * place}], %r{100 + place};" for place in range(32)),
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
@pytest.mark.parametrize("transposed", [False, True])
def test_a_product_of_swizzled_tiles(transposed: bool, schedule: str) -> None:
    generator = np.random.default_rng(3)
    a, b = (bf16(generator.normal(size=(64, 64))) for _ in range(2))
    device = Device(1 << 20, schedule=schedule)
    places = []
    for array in (a, b):
        at = device.allocate(array.nbytes)
        device.write(at, array)
        map_ = device.allocate(128)
        device.write(map_, encode_tiled(9, at, (64, 64), (128,), (64, 64), swizzle=3))
        places.append(map_)
    places.append(device.allocate(128 * 32 * 4))
    loaded = device.load(module(kernel(product_text(transposed), ["u64"] * 3))).kernels["k"]
    device.launch(loaded, (1, 1, 1), (128, 1, 1), struct.pack("<3Q", *places))
    found = device.into(np.empty((128, 32), np.float32), places[2])
    matrix = wgmma_accumulator(64).matrix(found)
    expected = value(a) @ (value(b) if transposed else value(b).T)
    assert np.abs(matrix - expected).max() < 1e-5


# -- counters ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stride", "sectors", "passes"), [(1, 4, 1), (2, 8, 2), (32, 32, 32)])
def test_memory_traffic_is_counted(stride: int, sectors: int, passes: int) -> None:
    device = Device(measure=True, checks=())
    data = np.zeros(32 * 32 + 8, np.uint32)
    data = data[-data.ctypes.data % 32 // 4 :]
    device.attach_array(data)
    body = (
        ".shared .align 16 .b8 tile[4096];\n"
        + thread_address(0, 4 * stride)
        + f"mov.b32 %r1, tile;\nmad.lo.s32 %r1, %r292, {4 * stride}, %r1;\n"
        "ld.global.b32 %r2, [%d0];\nst.shared.b32 [%r1], %r2;"
    )
    loaded = device.load(module(kernel(body, ["u64"]))).kernels["k"]
    counters = device.launch(loaded, (1, 1, 1), (32, 1, 1), addresses(data))
    seen = {counters.texts[number]: traffic for number, traffic in counters.traffic.items()}
    load, store = seen["ld.global.b32 %r2, [%d0];"], seen["st.shared.b32 [%r1], %r2;"]
    assert (load.sectors, load.ideal_sectors) == (sectors, 4)
    assert (store.wavefronts, store.bank_conflicts) == (passes, passes - 1)
    assert f"{sectors}/4" in counters.table()


def test_an_error_names_the_users_line() -> None:
    text = module(kernel(".loc 1 12 3\nst.global.b32 [%d1], 0;"))
    text = text.replace(".address_size 64\n", '.address_size 64\n.file 1 "job.py"\n')
    body = text.replace(".loc", "mov.b64 %d1, 64;\n.loc")
    loaded = Device().load(body).kernels["k"]
    with pytest.raises(SimulatorError, match="from job.py:12: writes 4 bytes") as caught:
        Device().launch(loaded, (1, 1, 1), (2, 1, 1), b"")
    assert (caught.value.source, caught.value.thread) == ("job.py:12", (0, 0, 0))


def test_allocations_that_nobody_wrote() -> None:
    device = Device(checks=("uninitialised-global",))
    address = device.allocate(256)
    device.write(address, bytes(128))
    loaded = device.load(
        module(kernel(thread_address(0, 4) + "ld.global.b32 %r1, [%d0];", ["u64"]))
    )
    device.launch(loaded.kernels["k"], (1, 1, 1), (32, 1, 1), struct.pack("<Q", address))
    with pytest.raises(
        SimulatorError, match="byte 128 of an allocation of 256 bytes, which nobody"
    ):
        device.launch(loaded.kernels["k"], (1, 1, 1), (64, 1, 1), struct.pack("<Q", address))
