"""Recorders of memory: loads and stores, special registers, barriers, branches, `cp.async`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from recorder import Arrays, Recorder, Tile, drawn

_PREFIX = {8: "%h", 16: "%h", 32: "%r", 64: "%d"}


def _given(name: str, count: int, dtype: str) -> Arrays:
    return {"given": drawn(name, count, dtype)}


def _same(inputs: Arrays) -> Arrays:
    return {"found": inputs["given"]}


def _registers(bits: int, count: int) -> str:
    names = [f"{_PREFIX[bits]}{30 + place}" for place in range(count)]
    return "{" + ", ".join(names) + "}" if count > 1 else names[0]


def _vectors(space: str, bits: int, count: int) -> Recorder:
    """Each thread takes a vector of global memory, through a space, to global memory."""
    vector = f".v{count}" if count > 1 else ""
    type, size, taken = f"{vector}.b{bits}", bits // 8 * count, _registers(bits, count)
    read = "global.nc" if space == "global.nc" else "global"
    lines = [
        f"mad.wide.u32 %d60, %r0, {size}, %d0;\nmad.wide.u32 %d61, %r0, {size}, %d1;",
        f"ld.{read}{type} {taken}, [%d60];",
    ]
    forms = [f"ld.{read}{type}", f"st.global{type}"]
    if space == "shared":
        # The threads' places in reverse, so that each reads what another one wrote.
        lines += [
            f".shared .align 16 .b8 tile[{size * 64}];",
            f"mov.b32 %r20, tile;\nmad.lo.s32 %r21, %r0, {size}, %r20;",
            f"sub.u32 %r22, 63, %r0;\nmad.lo.s32 %r22, %r22, {size}, %r20;",
            f"st.shared{type} [%r21], {taken};\nbar.sync 0;\nld.shared{type} {taken}, [%r22];",
        ]
        forms += [f"st.shared{type}", f"ld.shared{type}"]
    lines.append(f"st.global{type} [%d61], {taken};")

    def expected(inputs: Arrays) -> Arrays:
        rows = inputs["given"].reshape(64, count)
        return {"found": (rows[::-1] if space == "shared" else rows).reshape(-1)}

    name = f"{space}{type}"
    return Recorder(
        name, tuple(forms), "\n".join(lines), partial(_given, name, 64 * count, f"u{bits // 8}"),
        {"found": (f"u{bits}", 64 * count)}, expected, threads=64,
    )  # fmt: skip


def _widening(space: str, bits: int) -> Recorder:
    """Loads of signed numbers fill a wider register."""
    wide = "s64" if bits == 32 else "s32"
    out, prefix = int(wide[1:]), "%d" if bits == 32 else "%r"
    body = (
        f"mad.wide.u32 %d60, %r0, {bits // 8}, %d0;\nmad.wide.u32 %d61, %r0, {out // 8}, %d1;\n"
        f"ld.{space}.s{bits} {prefix}30, [%d60];\nst.global.b{out} [%d61], {prefix}30;"
    )

    def expected(inputs: Arrays) -> Arrays:
        signed = inputs["given"].view(f"i{bits // 8}").astype(f"i{out // 8}")
        return {"found": signed.view(f"u{out // 8}")}

    name = f"{space}.s{bits}"
    return Recorder(
        name, (f"ld.{name}",), body, partial(_given, name, 64, f"u{bits // 8}"),
        {"found": (f"u{out}", 64)}, expected, threads=64,
    )  # fmt: skip


def _accesses() -> Iterator[Recorder]:
    for space in ("global", "global.nc", "shared"):
        for bits in (8, 16, 32, 64):
            for count in (1, 2, 4):
                if bits * count <= 128:
                    yield _vectors(space, bits, count)
    for space in ("global", "global.nc"):
        for bits in (8, 16, 32):
            yield _widening(space, bits)


def _special() -> Iterator[Recorder]:
    """Each thread of a grid of blocks in two dimensions writes where it is."""
    places = {
        "%tid.x": lambda z: z[3], "%tid.y": lambda z: z[2],
        "%ctaid.x": lambda z: z[1], "%ctaid.y": lambda z: z[0],
    }  # fmt: skip
    lines = [f"mov.u32 %r{30 + place}, {name};" for place, name in enumerate(places)]
    # tid.y * 8 + tid.x is the row of a block; blocks count along x first.
    lines.append(
        "mad.lo.s32 %r40, %r31, 8, %r30;\nmad.lo.s32 %r41, %r33, 3, %r32;\n"
        "mad.lo.s32 %r40, %r41, 32, %r40;\nmad.wide.u32 %d60, %r40, 16, %d0;\n"
        "st.global.v4.b32 [%d60], {%r30, %r31, %r32, %r33};"
    )

    def expected(inputs: Arrays) -> Arrays:
        y, x, v, u = np.indices((2, 3, 4, 8)).reshape(4, -1)
        return {"found": np.stack([u, v, x, y], 1).astype(np.uint32).reshape(-1)}

    yield Recorder(
        "where a thread is", tuple(f"mov.u32 of {name}" for name in places), "\n".join(lines),
        dict, {"found": ("u32", 2 * 3 * 32 * 4)}, expected, block=(8, 4, 1), grid=(3, 2, 1),
    )  # fmt: skip


def _addresses() -> Iterator[Recorder]:
    """Generic addresses of each space, and words that are passed by value."""
    body = (
        ".shared .align 16 .b8 tile[256];\n"
        "cvta.to.global.u64 %d30, %d0;\nmad.wide.u32 %d30, %r0, 4, %d30;\n"
        "ld.global.b32 %r30, [%d30];\nld.param.b32 %r31, [v0];\nadd.s32 %r30, %r30, %r31;\n"
        "ld.param.b32 %r31, [v1];\nxor.b32 %r30, %r30, %r31;\n"
        "mov.b64 %d31, tile;\ncvta.shared.u64 %d32, %d31;\nadd.s64 %d33, %d32, 128;\n"
        "cvta.to.shared.u64 %d34, %d33;\nmul.wide.u32 %d35, %r0, 4;\nadd.s64 %d34, %d34, %d35;\n"
        "st.shared.b32 [%d34], %r30;\nbar.sync 0;\nadd.s64 %d31, %d31, %d35;\n"
        "ld.shared.b32 %r32, [%d31+128];\nmad.wide.u32 %d36, %r0, 4, %d1;\n"
        "st.global.b32 [%d36], %r32;"
    )

    def expected(inputs: Arrays) -> Arrays:
        return {"found": inputs["given"] + np.uint32(77) ^ np.uint32(0xABCDEF)}

    yield Recorder(
        "addresses",
        (
            "cvta.to.global.u64", "cvta.shared.u64", "cvta.to.shared.u64", "ld.param.b64",
            "ld.param.b32", "mul.wide.u32",
        ),
        body, partial(_given, "addresses", 32, "u4"), {"found": ("u32", 32)}, expected,
        values=(77, 0xABCDEF),
    )  # fmt: skip


def _control() -> Iterator[Recorder]:
    """Threads leave a loop after their own number of iterations, then meet at a barrier."""
    body = (
        ".shared .align 16 .b8 tile[512];\nmov.b32 %r20, tile;\nmad.lo.s32 %r21, %r0, 4, %r20;\n"
        "mad.wide.u32 %d30, %r0, 4, %d0;\nld.global.b32 %r30, [%d30];\nand.b32 %r31, %r30, 31;\n"
        "mov.b32 %r32, 0;\nAGAIN:\nadd.s32 %r32, %r32, %r31;\nsub.s32 %r31, %r31, 1;\n"
        "setp.gt.s32 %p1, %r31, 0;\n@%p1 bra AGAIN;\nbra.uni DONE;\nadd.s32 %r32, %r32, 1000;\n"
        "DONE:\nst.shared.b32 [%r21], %r32;\nbar.sync 0;\nxor.b32 %r22, %r0, 64;\n"
        "mad.lo.s32 %r22, %r22, 4, %r20;\nld.shared.b32 %r33, [%r22];\n"
        "mad.wide.u32 %d31, %r0, 4, %d1;\nst.global.b32 [%d31], %r33;\n"
        "setp.lt.u32 %p2, %r0, 100;\n@%p2 ret;\nst.global.b32 [%d31], 7;"
    )

    def expected(inputs: Arrays) -> Arrays:
        least = (inputs["given"] & 31).astype(np.int64)
        sums = np.where(least > 0, least * (least + 1) // 2, least)
        found = sums[np.arange(128) ^ 64].astype(np.uint32)
        found[100:] = 7
        return {"found": found}

    yield Recorder(
        "control", ("bra", "bra.uni", "ret", "bar.sync"), body,
        partial(_given, "control", 128, "u4"), {"found": ("u32", 128)}, expected, threads=128,
    )  # fmt: skip


def _meeting_lanes() -> Iterator[Recorder]:
    """Lanes of a warp read from shared memory what others wrote ahead of where they meet."""
    body = (
        ".shared .align 16 .b8 tile[512];\nmov.b32 %r20, tile;\nmad.lo.s32 %r21, %r0, 4, %r20;\n"
        "mad.wide.u32 %d30, %r0, 4, %d0;\nld.global.b32 %r30, [%d30];\n"
        "st.shared.b32 [%r21], %r30;\nbar.warp.sync -1;\nxor.b32 %r22, %r0, 5;\n"
        "mad.lo.s32 %r22, %r22, 4, %r20;\nld.shared.b32 %r33, [%r22];\n"
        "mad.wide.u32 %d31, %r0, 4, %d1;\nst.global.b32 [%d31], %r33;"
    )

    def expected(inputs: Arrays) -> Arrays:
        return {"found": inputs["given"][np.arange(128) ^ 5].astype(np.uint32)}

    yield Recorder(
        "lanes that meet", ("bar.warp.sync",), body,
        partial(_given, "lanes that meet", 128, "u4"), {"found": ("u32", 128)}, expected,
        threads=128,
    )  # fmt: skip


# -- cp.async ------------------------------------------------------------------------------------


def _thread_copies() -> Iterator[Recorder]:
    """Threads copy 16 bytes, or fewer and zeros, to places of a permutation."""
    for cache, size, partial_ in (
        ("cg", 16, False), ("cg", 16, True), ("ca", 16, True), ("ca", 8, True), ("ca", 4, True),
        ("ca", 4, False),
    ):  # fmt: skip
        yield _thread_copy(cache, size, partial_)
    yield _groups()


def _thread_copy(cache: str, size: int, is_partial: bool) -> Recorder:
    tile = Tile("tile", 64 * size, 64)
    form = f"cp.async.{cache}.shared.global"
    bytes_ = ", %r23" if is_partial else ""
    body = (
        f"{tile.declared}\nmov.b32 %r20, tile;\nmul.lo.s32 %r21, %r0, 37;\n"
        "and.b32 %r21, %r21, 63;\n"
        f"mad.lo.s32 %r21, %r21, {size}, %r20;\nmad.wide.u32 %d30, %r0, {size}, %d0;\n"
        f"mul.lo.s32 %r23, %r0, 7;\nrem.u32 %r23, %r23, {size + 1};\n"
        f"{form} [%r21], [%d30], {size}{bytes_};\n"
        "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n" + tile.shown("%d1")
    )

    def expected(inputs: Arrays) -> Arrays:
        found = np.zeros((64, size), np.uint8)
        for thread, row in enumerate(inputs["given"].view(np.uint8).reshape(64, size)):
            there = thread * 7 % (size + 1) if is_partial else size
            found[thread * 37 % 64, :there] = row[:there]
        return {"found": found.reshape(-1).view(np.uint32)}

    name = f"{form} of {size} bytes" + (", some of them" if is_partial else "")
    return Recorder(
        name, (form + (" with a number of bytes" if is_partial else ""),), body,
        partial(_given, name, 16 * size, "u4"), {"found": ("u32", 16 * size)}, expected,
        threads=64,
    )  # fmt: skip


def _groups() -> Recorder:
    """After each wait a thread adds up what the groups that it has waited for brought."""
    count, lines = 4, [".shared .align 16 .b8 tile[4096];\nmov.b32 %r20, tile;"]
    lines.append("mad.lo.s32 %r20, %r0, 16, %r20;\nmad.wide.u32 %d30, %r0, 16, %d0;")
    for group in range(count):
        lines.append(f"cp.async.cg.shared.global [%r20+{1024 * group}], [%d30+{1024 * group}], 16;")
        lines.append("cp.async.commit_group;")
    lines.append("mad.wide.u32 %d31, %r0, 16, %d1;\nmov.b32 %r30, 0;")
    for group in range(count):
        lines.append(f"cp.async.wait_group {count - 1 - group};")
        lines.append(f"ld.shared.b32 %r31, [%r20+{1024 * group + 4 * group}];")
        lines.append(f"add.s32 %r30, %r30, %r31;\nst.global.b32 [%d31+{4 * group}], %r30;")

    def expected(inputs: Arrays) -> Arrays:
        words = inputs["given"].reshape(count, 64, 4)
        taken = np.stack([words[group, :, group] for group in range(count)], 1)
        return {"found": np.cumsum(taken, axis=1, dtype=np.uint32).reshape(-1)}

    return Recorder(
        "groups of cp.async", ("cp.async.commit_group", "cp.async.wait_group"), "\n".join(lines),
        partial(_given, "groups", 1024, "u4"), {"found": ("u32", 256)}, expected, threads=64,
    )  # fmt: skip


FAMILIES: dict[str, tuple[Recorder, ...]] = {
    "memory": (*_accesses(), *_special(), *_addresses()),
    "control": (*_control(), *_meeting_lanes()),
    "copies of threads": tuple(_thread_copies()),
}
