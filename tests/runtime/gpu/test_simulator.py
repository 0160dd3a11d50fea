"""The simulated device: memory, launches, control flow, and what it refuses."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from ptx_text import addresses, kernel, module, run, thread_address

from penstock.runtime.gpu.simulator import Device, SimulatorError

SUM = """\
.shared .align 4 .b8 tile[1024];
ld.param.u64 %d1, [p0];
ld.param.u64 %d2, [p1];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.s32 %r3, %r2, 256, %r1;
mad.wide.u32 %d3, %r3, 4, %d1;
ld.global.b32 %r4, [%d3];
mov.b32 %r10, tile;
mad.lo.s32 %r11, %r1, 4, %r10;
st.shared.b32 [%r11], %r4;
mov.b32 %r5, 128;
LOOP:
bar.sync 0;
setp.ge.u32 %p1, %r1, %r5;
@%p1 bra SKIP;
mad.lo.s32 %r12, %r5, 4, %r11;
ld.shared.b32 %r6, [%r12];
ld.shared.b32 %r7, [%r11];
add.rn.f32 %r7, %r6, %r7;
st.shared.b32 [%r11], %r7;
SKIP:
shr.u32 %r5, %r5, 1;
setp.ne.s32 %p2, %r5, 0;
@%p2 bra LOOP;
setp.ne.s32 %p3, %r1, 0;
@%p3 bra END;
atom.global.add.f32 %r8, [%d2], %r7;
END:
"""


@pytest.mark.parametrize("schedule", ["eager", "lazy", "random:7"])
def test_a_reduction_in_shared_memory(schedule: str) -> None:
    data = np.arange(1024, dtype=np.float32)
    total = np.zeros(1, np.float32)
    run(Device(schedule=schedule), SUM, [data, total], threads=256, blocks=4)
    assert total[0] == data.sum()


def test_threads_of_a_partial_warp() -> None:
    data = np.zeros(45, np.uint32)
    body = thread_address(0, 4) + "st.global.b32 [%d0], %r292;"
    run(Device(), body, [data], threads=45)
    assert (data == np.arange(45)).all()


def test_a_switch_of_lanes_meets_again() -> None:
    """Each lane leaves a loop after its own number of iterations; then all shuffle."""
    data = np.zeros(32, np.uint32)
    body = thread_address(0, 4) + (
        "mov.b32 %r1, 0;\nmov.b32 %r2, %tid.x;\nAGAIN:\nadd.s32 %r1, %r1, %r2;\n"
        "sub.s32 %r2, %r2, 1;\nsetp.gt.s32 %p1, %r2, 0;\n@%p1 bra AGAIN;\n"
        "shfl.sync.idx.b32 %r3, %r1, 31, 31, -1;\nst.global.b32 [%d0], %r3;"
    )
    run(Device(), body, [data])
    assert set(data) == {sum(range(32))}


@pytest.mark.parametrize(
    "join", ["mov.b64 %d1, {%r1, %r2};\ncvt.u32.u64 %r3, %d1;", "prmt.b32 %r3, %r1, %r2, 0x3210;"]
)
def test_a_part_that_is_not_used_need_not_be_written(join: str) -> None:
    """LLVM leaves it so; a use of its bits is odd."""
    data = np.zeros(32, np.uint32)
    body = thread_address(0, 4) + f"mov.b32 %r1, 7;\n{join}\nst.global.b32 [%d0], %r3;"
    run(Device(), body, [data])
    assert set(data) == {7}
    other = body.replace("0x3210", "0x7654").replace("cvt.u32", "shr.b64 %d1, %d1, 32;\ncvt.u32")
    run(Device(), other, [data])
    assert set(data) == {0xA5A5A5A5}


def test_memory_is_allocated_written_and_read() -> None:
    device = Device(memory_bytes=4096)
    first = device.allocate(100)
    second = device.allocate(1000, alignment=1024)
    assert second % 1024 == 0
    assert first + 100 <= second or second + 1000 <= first
    device.write(first, np.arange(25, dtype=np.float32))
    assert device.read(first + 4, 4) == struct.pack("<f", 1.0)
    with pytest.raises(SimulatorError, match="out of memory: 4096 bytes"):
        device.allocate(4096)
    device.free(second)
    with pytest.raises(SimulatorError, match="no allocation that starts at"):
        device.free(second)
    with pytest.raises(SimulatorError, match=r"at byte 96 of the allocation of 100 bytes"):
        device.read(first + 96, 8)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("frob.b32 %r1, %r2;", r"PTX line 11 `frob.b32 %r1, %r2;`: .*no instruction frob"),
        ("add.sat.u32 %r1, %r2, %r3;", r"the modifier \.sat is not modelled"),
        ("mul.hi.f32 %r1, %r2, %r3;", r"the modifier \.hi is not modelled"),
        ("add.s32 %r1, %d2, %r3;", r"%d2 has 64 bits where \.s32 has 32"),
        ("ld.global.v2.b32 %r1, [%d1];", "expected 2 results"),
        ("bra NOWHERE;", "the label NOWHERE is not defined"),
        ("mov.u32 %r1, %clock;", "depends on time"),
        ("add.s32 %r1, %r999, %r3;", "the register %r999 is not declared"),
    ],
)
def test_what_has_no_model_is_refused(body: str, message: str) -> None:
    with pytest.raises(SimulatorError, match=message):
        Device().load(module(kernel(body)))


def test_a_module_for_another_architecture_is_refused() -> None:
    with pytest.raises(SimulatorError, match="the PTX is for sm_90a and this device is sm_80"):
        Device(arch="sm_80").load(module(kernel("")))
    Device(arch="sm_100").load(module(kernel(""), target="sm_80"))


def test_parameters_are_laid_out() -> None:
    device = Device()
    text = module(kernel("", ["u8", "f64", "u16", "b32"]))
    parameters = device.load(text).kernels["k"].parameters
    assert [(p.offset, p.size) for p in parameters] == [(0, 1), (8, 8), (16, 2), (20, 4)]
    with pytest.raises(SimulatorError, match="23 bytes of parameters; expected 24"):
        device.launch(device.load(text).kernels["k"], (1, 1, 1), (1, 1, 1), bytes(23))


def test_an_endless_kernel_is_stopped() -> None:
    device = Device(most_steps=1000)
    kernel_ = device.load(module(kernel("L:\nbra L;"))).kernels["k"]
    with pytest.raises(SimulatorError, match="more than 1000 steps were executed"):
        device.launch(kernel_, (1, 1, 1), (32, 1, 1), b"")


def test_lane_operations_are_counted() -> None:
    device = Device()
    data = np.zeros(40, np.uint32)
    device.attach_array(data)
    body = thread_address(0, 4) + "setp.lt.u32 %p1, %r292, 10;\n@%p1 st.global.b32 [%d0], 1;"
    loaded = device.load(module(kernel(body, ["u64"]))).kernels["k"]
    counters = device.launch(loaded, (1, 1, 1), (40, 1, 1), addresses(data))
    assert data.sum() == 10
    assert counters.lane_ops == [40] * 7 + [10, 40]
