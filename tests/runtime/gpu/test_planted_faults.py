"""Planted faults: each edit of a correct kernel is caught, and the kernel without it runs.

A row gives the kernel, what is replaced by what, and the sentence. Every kernel without its fault
runs in all three schedules.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from ptx_text import Array, kernel, module

from penstock.runtime.gpu.simulator import Device, SimulatorError, encode_tiled

THREADS = 128


@dataclass(frozen=True)
class Kernel:
    """A body, its blocks, and the result that 256 words of output must have."""

    body: str
    result: Array
    blocks: int = 1
    threads: int = THREADS
    directives: str = ""


@dataclass(frozen=True)
class Fault:
    """What is replaced in a kernel, and the sentence that says so."""

    kernel: str
    old: str
    new: str
    sentence: str
    schedule: str = "eager"


WORDS = np.arange(THREADS, dtype=np.uint32)

EXCHANGE = """\
.shared .align 16 .b8 tile[512];
.local .align 4 .b8 stack[16];
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.b32 %r2, tile;
mad.lo.s32 %r3, %r1, 4, %r2;
st.shared.b32 [%r3], %r1;
mov.b32 %r7, stack;
st.local.b32 [%r7+12], %r1;
bar.sync 0;
xor.b32 %r4, %r1, 64;
mad.lo.s32 %r5, %r4, 4, %r2;
ld.shared.b32 %r6, [%r5];
bar.sync 0;
st.shared.b32 [%r3], %r6;
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r6;
"""

BLOCKS = """\
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.s32 %r3, %r2, 64, %r1;
mad.wide.u32 %d2, %r3, 4, %d1;
setp.lt.u32 %p1, %r1, 64;
@%p1 st.global.b32 [%d2], %r3;
fence.acq_rel.gpu;
add.s64 %d3, %d1, 512;
@%p1 red.global.add.u32 [%d3], 1;
L:
ld.relaxed.gpu.global.b32 %r4, [%d3];
setp.ne.u32 %p2, %r4, 128;
@%p2 bra L;
fence.acq_rel.gpu;
xor.b32 %r5, %r3, 64;
mad.wide.u32 %d4, %r5, 4, %d1;
@%p1 ld.global.b32 %r6, [%d4];
"""

WARP = """\
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 31;
setp.lt.u32 %p1, %r2, 16;
@!%p1 bra HIGH;
shfl.sync.idx.b32 %r3, %r1, 15, 31, 0xffff;
bra MEET;
HIGH:
shfl.sync.idx.b32 %r3, %r1, 31, 31, 0xffff0000;
MEET:
bar.warp.sync -1;
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r3;
"""

COPY = """\
.shared .align 16 .b8 tile[512];
ld.param.u64 %d1, [p0];
ld.param.u64 %d3, [p1];
mov.u32 %r1, %tid.x;
mov.b32 %r2, tile;
mad.lo.s32 %r3, %r1, 4, %r2;
mad.wide.u32 %d2, %r1, 4, %d3;
cp.async.ca.shared.global [%r3], [%d2], 4;
cp.async.commit_group;
cp.async.wait_group 0;
ld.shared.b32 %r8, [%r3];
bar.sync 0;
xor.b32 %r4, %r1, 64;
mad.lo.s32 %r5, %r4, 4, %r2;
ld.shared.b32 %r6, [%r5];
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r6;
"""

PIPE = """\
.shared .align 8 .b8 full[8];
.shared .align 8 .b8 tile[256];
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.b32 %r2, full;
mov.b32 %r3, tile;
setp.eq.s32 %p1, %r1, 0;
@%p1 mbarrier.init.shared.b64 [%r2], 64;
bar.sync 0;
setp.lt.u32 %p2, %r1, 64;
@!%p2 bra CONSUME;
mad.lo.s32 %r4, %r1, 4, %r3;
st.shared.b32 [%r4], %r1;
mbarrier.arrive.shared.b64 _, [%r2];
bra END;
CONSUME:
WAIT:
mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;
@!%p3 bra WAIT;
sub.u32 %r5, %r1, 64;
mad.lo.s32 %r4, %r5, 4, %r3;
ld.shared.b32 %r6, [%r4];
mad.wide.u32 %d2, %r5, 4, %d1;
st.global.b32 [%d2], %r6;
END:
"""

BULK = """\
.shared .align 8 .b8 full[8];
.shared .align 128 .b8 tile[1024];
ld.param.u64 %d1, [p2];
ld.param.u64 %d2, [p0];
mov.u32 %r1, %tid.x;
mov.b32 %r2, full;
mov.b32 %r3, tile;
setp.eq.s32 %p1, %r1, 0;
@%p1 mbarrier.init.shared.b64 [%r2], 1;
@%p1 fence.mbarrier_init.release.cluster;
bar.sync 0;
mov.b32 %r9, 0;
@!%p1 bra WAIT;
mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 512;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
  [%r3], [%d1, {%r9, %r9}], [%r2];
WAIT:
mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;
@!%p3 bra WAIT;
mad.lo.s32 %r4, %r1, 4, %r3;
ld.shared.b32 %r6, [%r4];
add.s32 %r6, %r6, 1;
st.shared.b32 [%r4+512], %r6;
fence.proxy.async.shared::cta;
bar.sync 0;
@!%p1 bra END;
cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r3+512], 512;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
st.shared.b32 [%r3+512], %r9;
END:
"""

_SUMS = ", ".join(f"%r{100 + place}" for place in range(4))
PRODUCT = f"""\
.shared .align 128 .b8 tile[3072];
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.b32 %r2, tile;
mad.lo.s32 %r3, %r1, 16, %r2;
mov.b32 %r4, 0x3f803f80;
st.shared.v4.b32 [%r3], {{%r4, %r4, %r4, %r4}};
setp.lt.u32 %p1, %r1, 64;
@%p1 st.shared.v4.b32 [%r3+2048], {{%r4, %r4, %r4, %r4}};
mov.b32 %r100, 0; mov.b32 %r101, 0; mov.b32 %r102, 0; mov.b32 %r103, 0;
fence.proxy.async;
bar.sync 0;
cvt.u64.u32 %d2, %r2;
shr.u64 %d2, %d2, 4;
or.b64 %d3, %d2, {(16 << 32) | (8 << 16)};
add.s64 %d4, %d3, 128;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{{_SUMS}}}, %d3, %d4, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
cvt.rzi.u32.f32 %r6, %r101;
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r6;
"""

_FACTOR = "%r110, %r111, %r112, %r113"
LEFT = f"""\
.shared .align 128 .b8 tile[1024];
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.b32 %r2, tile;
mad.lo.s32 %r3, %r1, 8, %r2;
mov.b32 %r4, 0x3f803f80;
st.shared.v2.b32 [%r3], {{%r4, %r4}};
mov.b32 %r110, %r4; mov.b32 %r111, %r4; mov.b32 %r112, %r4; mov.b32 %r113, %r4;
mov.b32 %r100, 0; mov.b32 %r101, 0; mov.b32 %r102, 0; mov.b32 %r103, 0;
fence.proxy.async;
bar.sync 0;
cvt.u64.u32 %d2, %r2;
shr.u64 %d2, %d2, 4;
or.b64 %d3, %d2, {(16 << 32) | (8 << 16)};
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{{_SUMS}}}, {{{_FACTOR}}}, %d3, 1, 1, 1, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
cvt.rzi.u32.f32 %r6, %r101;
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r6;
"""

ROWS = """\
.shared .align 16 .b8 tile[512];
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.b32 %r2, tile;
mad.lo.s32 %r3, %r1, 4, %r2;
st.shared.b32 [%r3], %r1;
bar.sync 0;
and.b32 %r4, %r1, 31;
mad.lo.s32 %r5, %r4, 16, %r2;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r13;
"""

REGISTERS = """\
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 128;
@%p1 bra MANY;
setmaxnreg.dec.sync.aligned.u32 24;
bra END;
MANY:
setmaxnreg.inc.sync.aligned.u32 240;
mad.wide.u32 %d2, %r1, 4, %d1;
st.global.b32 [%d2], %r1;
END:
"""

CLUSTER = """\
.shared .align 16 .b8 tile[256];
ld.param.u64 %d1, [p0];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %cluster_ctarank;
mov.b32 %r3, tile;
mad.lo.s32 %r3, %r1, 4, %r3;
xor.b32 %r4, %r2, 1;
mapa.shared::cluster.u32 %r5, %r3, %r4;
mad.lo.s32 %r6, %r2, 64, %r1;
st.shared::cluster.b32 [%r5], %r6;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
ld.shared.b32 %r7, [%r3];
mad.wide.u32 %d2, %r6, 4, %d1;
st.global.b32 [%d2], %r7;
"""

KERNELS = {
    "exchange": Kernel(EXCHANGE, WORDS ^ 64),
    "blocks": Kernel(BLOCKS, WORDS, blocks=2),
    "warp": Kernel(WARP, WORDS | 15),
    "copy": Kernel(COPY, (WORDS ^ 64) + 7),
    "pipe": Kernel(PIPE, np.where(WORDS < 64, WORDS, 0)),
    "bulk": Kernel(BULK, WORDS + 8),
    "product": Kernel(PRODUCT, np.full(THREADS, 16)),
    "left": Kernel(LEFT, np.full(THREADS, 16)),
    "rows": Kernel(ROWS, (WORDS & 31) + 96),
    "registers": Kernel(REGISTERS, WORDS, threads=384, directives=".reqntid 384\n.minnctapersm 1"),
    "cluster": Kernel(CLUSTER, WORDS ^ 64, blocks=2, threads=64, directives=".reqnctapercluster 2"),
}

FAULTS = {
    "a barrier is missing": Fault(
        "exchange",
        "bar.sync 0;\nxor",
        "xor",
        "a race in shared memory: reads what thread (64, 0, 0) wrote, with no barrier in between",
    ),
    "a write follows a read": Fault(
        "exchange",
        "bar.sync 0;\nst.shared",
        "st.shared",
        "a race in shared memory: writes over what thread (64, 0, 0) read, with no barrier",
    ),
    "global memory ends": Fault(
        "exchange",
        "st.global.b32 [%d2]",
        "st.global.b32 [%d2+520]",
        "writes 4 bytes of global memory 4 bytes after the end of the buffer of 516 bytes",
    ),
    "global memory begins": Fault(
        "exchange",
        "st.global.b32 [%d2]",
        "st.global.b32 [%d2+-4]",
        "writes 4 bytes of global memory",
    ),
    "a global address is odd": Fault(
        "exchange",
        "st.global.b32 [%d2]",
        "st.global.b32 [%d2+2]",
        "writes 4 bytes at an address that is 2 bytes beyond a multiple of 4; align it",
    ),
    "shared memory is 16 bytes short": Fault(
        "exchange", "tile[512]", "tile[496]", "byte 496 of the 496 bytes of shared memory"
    ),
    "a shared address is odd": Fault(
        "exchange",
        "mad.lo.s32 %r5, %r4, 4, %r2",
        "mad.lo.s32 %r5, %r4, 2, %r2",
        "bytes beyond a multiple of 4; align it",
    ),
    "local memory ends": Fault(
        "exchange",
        "[%r7+12]",
        "[%r7+16]",
        "writes 4 bytes at byte 16 of the 16 bytes of local memory",
    ),
    "shared memory is not initialised": Fault(
        "exchange",
        "st.shared.b32 [%r3], %r1;",
        "setp.lt.u32 %p1, %r1, 100;\n@%p1 st.shared.b32 [%r3], %r1;",
        "reads shared memory that nobody has written",
    ),
    "lanes write one address": Fault(
        "exchange",
        "st.shared.b32 [%r3], %r6",
        "st.shared.b32 [%r2], %r6",
        "write different values to one address at once",
    ),
    "half a warp reaches the barrier": Fault(
        "exchange",
        "st.global.b32 [%d2], %r6;",
        "and.b32 %r9, %r1, 16;\nsetp.eq.s32 %p1, %r9, 0;\n@%p1 bar.sync 0;",
        "deadlock: nobody can run; 64 threads",
    ),
    "a barrier waits for more threads": Fault(
        "exchange",
        "bar.sync 0;\nxor",
        "bar.sync 0, 160;\nxor",
        "deadlock: nobody can run; 128 threads (the first is thread (0, 0, 0) of block (0, 0, 0)) "
        "at PTX line 20 `bar.sync 0, 160;` wait",
    ),
    "a barrier waits for fewer threads": Fault(
        "exchange",
        "bar.sync 0;\nxor",
        "bar.sync 0, 96;\nxor",
        "128 threads arrive at barrier 0, which waits for 96",
    ),
    "threads end before a barrier": Fault(
        "exchange",
        "bar.sync 0;\nxor",
        "setp.ge.u32 %p1, %r1, 96;\n@%p1 ret;\nbar.sync 0;\nxor",
        "32 threads have ended",
    ),
    "a barrier has a wrong number": Fault(
        "exchange", "bar.sync 0;\nxor", "bar.sync 16;\nxor", "a block has no barrier 16"
    ),
    "a register is not written": Fault(
        "exchange", "mov.u32 %r1, %tid.x;\n", "", "%r1 was never written"
    ),
    "a parameter ends": Fault(
        "exchange", "[p0]", "[p0+24]", "reads 8 bytes at byte 24 of the 24 bytes of parameters"
    ),
    "a loop does not end": Fault(
        "exchange", "bar.sync 0;\nxor", "L:\nbra L;\nxor", "steps were executed; either the kernel"
    ),
    "the kernel stops itself": Fault(
        "exchange", "bar.sync 0;\nxor", "trap;\nxor", "the kernel stops itself"
    ),
    "blocks write one address": Fault(
        "blocks",
        "st.global.b32 [%d2], %r3",
        "st.global.b32 [%d1], %r2",
        "write different values to one address at once",
    ),
    "a fence between blocks is missing": Fault(
        "blocks",
        "fence.acq_rel.gpu;\nadd",
        "add",
        "a race in global memory: reads what thread (0, 0, 0) of block (1, 0, 0) wrote",
    ),
    "a flag is read without a fence": Fault(
        "blocks", "@%p2 bra L;\nfence.acq_rel.gpu;", "@%p2 bra L;", "a race in global memory: reads"
    ),
    "a flag is read as data": Fault(
        "blocks", "ld.relaxed.gpu.global", "ld.global", "a race in global memory"
    ),
    "a constant is read that the launch wrote": Fault(
        "exchange",
        "st.global.b32 [%d2], %r6;",
        "st.global.b32 [%d2], %r6;\nld.global.nc.b32 %r6, [%d2];",
        "reads with .nc what the same launch wrote",
    ),
    "what is written was read as a constant": Fault(
        "exchange",
        "st.global.b32 [%d2], %r6;",
        "ld.global.nc.b32 %r7, [%d2];\nst.global.b32 [%d2], %r6;",
        "writes what the same launch read with .nc, as constant",
    ),
    "a shuffle reads a lane that is elsewhere": Fault(
        "warp", "%r1, 15, 31, 0xffff;", "%r1, 20, 31, 0xffff;", "reads lane 20, which does not take"
    ),
    "a lane is not in its mask": Fault(
        "warp", "31, 0xffff;", "31, 0x7fff;", "without being in its member mask"
    ),
    "a mask has lanes that never come": Fault(
        "warp", "31, 31, 0xffff0000;", "31, 31, -1;", "deadlock: nobody can run; 64 threads"
    ),
    "a copy is not waited for": Fault(
        "copy",
        "cp.async.wait_group 0;",
        "",
        "reads shared memory that a cp.async of thread (0, 0, 0) writes, before that thread",
    ),
    "one copy too many is left": Fault(
        "copy", "wait_group 0", "wait_group 1", "before that thread has waited for it"
    ),
    "a copy is not committed": Fault(
        "copy", "cp.async.commit_group;", "", "before that thread has waited for it"
    ),
    "a copy is read by others at once": Fault(
        "copy", "bar.sync 0;", "", "a race in shared memory: reads what thread (64, 0, 0) wrote"
    ),
    "a copy reads beyond the end": Fault(
        "copy",
        "[%r3], [%d2], 4",
        "[%r3], [%d2+4], 4",
        "reads 4 bytes of global memory 0 bytes after",
    ),
    "an mbarrier is not initialised": Fault(
        "pipe", "@%p1 mbarrier.init.shared.b64 [%r2], 64;", "", "which is not initialised"
    ),
    "an mbarrier is used at once": Fault(
        "pipe", "bar.sync 0;", "", "a race in shared memory: changes what thread (0, 0, 0) wrote"
    ),
    "an mbarrier expects more arrivals": Fault(
        "pipe", "[%r2], 64;", "[%r2], 65;", "deadlock: nobody can run; 64 threads"
    ),
    "an mbarrier expects fewer arrivals": Fault(
        "pipe", "[%r2], 64;", "[%r2], 63;", "more often than the 63 it expects"
    ),
    "an mbarrier is arrived at too often": Fault(
        "pipe",
        "mbarrier.arrive.shared.b64 _, [%r2];",
        "mbarrier.arrive.shared.b64 _, [%r2], 2;",
        "arrives at an mbarrier more often than the 64 it expects",
    ),
    "a consumer does not wait": Fault(
        "pipe",
        "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;\n@!%p3 bra WAIT;",
        "",
        "a race in shared memory: reads what thread (0, 0, 0) wrote",
    ),
    "a time-out is ignored": Fault(
        "bulk", "@!%p3 bra WAIT;", "", "without having waited for its mbarrier", "lazy"
    ),
    "too few bytes are expected": Fault(
        "bulk", "[%r2], 512;", "[%r2], 496;", "deadlock: nobody can run"
    ),
    "too many bytes are expected": Fault(
        "bulk", "[%r2], 512;", "[%r2], 1024;", "deadlock: nobody can run"
    ),
    "a copy's target is not aligned": Fault(
        "bulk", "  [%r3], [%d1", "  [%r3+16], [%d1", "an address that is no multiple of 128"
    ),
    "a copy's target ends": Fault(
        "bulk", "  [%r3], [%d1", "  [%r3+640], [%d1", "of the 1152 bytes of shared memory"
    ),
    "a bulk copy is read at once": Fault(
        "bulk",
        "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;\n@!%p3 bra WAIT;",
        "WAIT:",
        "reads shared memory that an asynchronous copy writes, without having waited",
    ),
    "a tensor map is none": Fault("bulk", "[p2]", "[p0]", "the 128 bytes are no tensor map"),
    "a proxy fence is missing": Fault(
        "bulk",
        "fence.proxy.async.shared::cta;",
        "",
        "the asynchronous proxy reads shared memory that thread (0, 0, 0) wrote, without a",
    ),
    "a bulk copy's source is written": Fault(
        "bulk",
        "cp.async.bulk.wait_group.read 0;",
        "",
        "overwrites shared memory that a bulk copy of thread (0, 0, 0) still reads",
    ),
    "a bulk copy beyond the end": Fault(
        "bulk", "[%r3+512], 512;\ncp", "[%r3+512], 528;\ncp", "of the 1152 bytes of shared memory"
    ),
    "a fence of wgmma is missing": Fault(
        "product", "wgmma.fence.sync.aligned;", "", "needs a wgmma.fence: a register of it was"
    ),
    "an accumulator is set after the fence": Fault(
        "product",
        "wgmma.fence.sync.aligned;",
        "wgmma.fence.sync.aligned;\nmov.b32 %r102, 0;",
        "needs a wgmma.fence: a register of it was",
    ),
    "an accumulator is read at once": Fault(
        "product",
        "wgmma.wait_group.sync.aligned 0;",
        "",
        "touches a register of a wgmma.mma_async before wgmma.wait_group",
    ),
    "a product is not committed": Fault(
        "product", "wgmma.commit_group.sync.aligned;", "", "before wgmma.wait_group"
    ),
    "a factor is not fenced": Fault(
        "product",
        "fence.proxy.async;",
        "",
        "the asynchronous proxy reads shared memory that thread",
    ),
    "a factor is written while it is read": Fault(
        "product",
        "wgmma.wait_group.sync.aligned 0;",
        "st.shared.b32 [%r3], %r1;\nwgmma.wait_group.sync.aligned 0;",
        "overwrites shared memory that a wgmma of thread (0, 0, 0) still reads",
    ),
    "a descriptor is wrong": Fault(
        "product",
        "add.s64 %d4, %d3, 128",
        "add.s64 %d4, %d3, 200",
        "a descriptor reaches from byte",
    ),
    "a descriptor differs within a warpgroup": Fault(
        "product",
        "add.s64 %d4, %d3, 128;",
        "mul.wide.u32 %d5, %r1, 1;\nadd.s64 %d4, %d3, %d5;",
        "a descriptor differs within a warpgroup",
    ),
    "a factor is not initialised": Fault(
        "product",
        "@%p1 st.shared.v4.b32 [%r3+2048], {%r4, %r4, %r4, %r4};",
        "",
        "reads shared memory that nobody has written",
    ),
    "a factor in registers changes": Fault(
        "left",
        "wgmma.commit_group.sync.aligned;",
        "mov.b32 %r112, 0;\nwgmma.commit_group.sync.aligned;",
        "touches a register of a wgmma.mma_async before wgmma.wait_group",
    ),
    "a factor in registers is not fenced": Fault(
        "left",
        "wgmma.fence.sync.aligned;",
        "wgmma.fence.sync.aligned;\nmov.b32 %r113, %r4;",
        "needs a wgmma.fence: a register of it was",
    ),
    "a group of products too many is left": Fault(
        "left", "wait_group.sync.aligned 0", "wait_group.sync.aligned 1", "before wgmma.wait_group"
    ),
    "an mbarrier's phase is wrong": Fault(
        "pipe", "[%r2], 0;", "[%r2], 1;", "deadlock: nobody can run; 64 threads"
    ),
    "an mbarrier is not aligned": Fault(
        "pipe",
        "mov.b32 %r2, full;",
        "mov.b32 %r2, full;\nadd.s32 %r2, %r2, 4;",
        "beyond a multiple of 8",
    ),
    "an mbarrier is not fenced": Fault(
        "bulk",
        "@%p1 fence.mbarrier_init.release.cluster;",
        "",
        "completes on an mbarrier that the asynchronous proxy may not see initialised",
    ),
    "an arrival expects no bytes": Fault(
        "bulk",
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 512;",
        "mbarrier.arrive.shared.b64 _, [%r2];",
        "reads shared memory that an asynchronous copy writes, without having waited",
    ),
    "a tensor map is not aligned": Fault(
        "bulk", "[p2];", "[p2];\nadd.s64 %d1, %d1, 32;", "that is not aligned to 64 bytes"
    ),
    "a tensor map has other dimensions": Fault(
        "bulk",
        "tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\n  [%r3], [%d1, {%r9, %r9}]",
        "tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes\n"
        "  [%r3], [%d1, {%r9, %r9, %r9}]",
        "uses a tensor map of 2 dimensions",
    ),
    "a bulk copy has an odd size": Fault(
        "bulk", "[%r3+512], 512;\ncp", "[%r3+512], 520;\ncp", "no multiples of 16"
    ),
    "rows of a matrix are not aligned": Fault(
        "rows", "%r4, 16, %r2", "%r4, 8, %r2", "8 bytes beyond a multiple of 16; align it"
    ),
    "rows of a matrix end": Fault(
        "rows", "[%r5];", "[%r5+16];", "of the 512 bytes of shared memory"
    ),
    "rows of a matrix are not initialised": Fault(
        "rows",
        "st.shared.b32 [%r3], %r1;",
        "setp.lt.u32 %p1, %r1, 100;\n@%p1 st.shared.b32 [%r3], %r1;",
        "reads shared memory that nobody has written",
    ),
    "rows of a matrix are read at once": Fault(
        "rows", "bar.sync 0;", "", "a race in shared memory: reads what thread"
    ),
    "half a warp loads a matrix": Fault(
        "rows",
        "ldmatrix",
        "setp.ge.u32 %p1, %r4, 16;\n@%p1 bra END_;\nldmatrix",
        "deadlock: nobody can run",
    ),
    "more registers than a warpgroup has": Fault(
        "registers",
        "dec.sync.aligned.u32 24",
        "dec.sync.aligned.u32 200",
        "keeps 200 registers a thread, which has 168",
    ),
    "fewer registers than a warpgroup has": Fault(
        "registers",
        "inc.sync.aligned.u32 240",
        "inc.sync.aligned.u32 40",
        "gets 40 registers a thread, which has 168",
    ),
    "registers that nobody gives up": Fault(
        "registers",
        "dec.sync.aligned.u32 24",
        "dec.sync.aligned.u32 168",
        "never ends: the threads of its block would have 73728 registers, and there are 65536",
    ),
    "a number of registers that there is not": Fault(
        "registers", "u32 240", "u32 236", "236 registers: expected a multiple of 8 from 24 to 256"
    ),
    "half a warpgroup changes its registers": Fault(
        "registers", "%r1, 128", "%r1, 64", "deadlock: nobody can run"
    ),
    "a barrier of a cluster is missing": Fault(
        "cluster",
        "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;",
        "bar.sync 0;",
        "a race in shared memory: reads what thread (0, 0, 0) of block (1, 0, 0) wrote",
    ),
    "a cluster's barrier is waited for at once": Fault(
        "cluster",
        "barrier.cluster.arrive.release.aligned;",
        "",
        "waits at the barrier of its cluster without having arrived",
    ),
    "a cluster's barrier has two arrivals": Fault(
        "cluster",
        "barrier.cluster.arrive.release.aligned;",
        "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.arrive.release.aligned;",
        "arrives twice at the barrier of its cluster",
    ),
    "a block of a cluster that there is not": Fault(
        "cluster", "xor.b32 %r4, %r2, 1", "add.s32 %r4, %r2, 1", "block"
    ),
    "half a cluster arrives": Fault(
        "cluster",
        "barrier.cluster.arrive",
        "setp.ne.s32 %p1, %r2, 0;\n@%p1 bra END_;\nbarrier.cluster.arrive",
        "deadlock",
    ),
    "half a warpgroup multiplies": Fault(
        "product",
        "wgmma.fence.sync.aligned;",
        "@!%p1 bra END_;\nwgmma.fence.sync.aligned;",
        "deadlock: nobody can run",
    ),
}


@cache
def encoded(address: int) -> bytes:
    """A tensor map of 8 rows of 16 words, of which a box has all."""
    return encode_tiled(2, address, (16, 8), (64,), (16, 8))


def launch(body: str, chosen: Kernel, schedule: str) -> Array:
    """Run a body; what it wrote."""
    data = np.zeros(THREADS + 4, np.uint32)
    data = data[(-data.ctypes.data % 16) // 4 :][:THREADS]
    data[:] = WORDS + 7
    place = np.zeros(192, np.uint8)
    map_ = place[-place.ctypes.data % 64 :][:128]
    map_[:] = np.frombuffer(encoded(data.ctypes.data), np.uint8)
    target = np.zeros(THREADS + 32, np.uint32)
    target = target[(-target.ctypes.data % 64) // 4 :][: THREADS + 1]
    device = Device(1 << 16, schedule=schedule, most_steps=100_000)
    for array in (target, data, map_):
        device.attach_array(array)
    loaded = device.load(module(kernel(f"{body}\nEND_:", ["u64"] * 3, chosen.directives)))
    args = struct.pack("<3Q", target.ctypes.data, data.ctypes.data, map_.ctypes.data)
    device.launch(loaded.kernels["k"], (chosen.blocks, 1, 1), (chosen.threads, 1, 1), args)
    return target[:THREADS].copy()


@pytest.mark.parametrize("schedule", ["eager", "lazy", "random:1", "random:2"])
@pytest.mark.parametrize("name", KERNELS)
def test_without_a_fault_it_runs(name: str, schedule: str) -> None:
    chosen = KERNELS[name]
    assert (launch(chosen.body, chosen, schedule) == chosen.result).all()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_caught(name: str) -> None:
    fault = FAULTS[name]
    chosen = KERNELS[fault.kernel]
    assert chosen.body.count(fault.old) == 1, fault.old
    with pytest.raises(SimulatorError, match=re.escape(fault.sentence)):
        launch(chosen.body.replace(fault.old, fault.new), chosen, fault.schedule)


def test_registers_of_a_kernel_that_says_not_how_many_it_has() -> None:
    """ptxas leaves out `setmaxnreg` there."""
    chosen = replace(KERNELS["registers"], directives=".reqntid 384")
    with pytest.raises(SimulatorError, match="does nothing in a kernel without .reqntid, and .min"):
        launch(chosen.body, chosen, "eager")
