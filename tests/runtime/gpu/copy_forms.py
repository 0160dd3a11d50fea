"""Recorders of what goes on beside threads: copies of boxes by TMA, `mbarrier`, `setmaxnreg`.

What they must write is computed here an element at a time (PTX ISA, "Tensors", "Swizzling Modes"
and "mbarrier").
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np
from recorder import Arrays, Recorder, Tile, drawn

from penstock.runtime.gpu.launch_plan import TensorMap

_INIT, _ARRIVE = "mbarrier.init.shared.b64", "mbarrier.arrive.shared.b64"
_EXPECT, _WAIT = "mbarrier.arrive.expect_tx.shared.b64", "mbarrier.try_wait.parity.shared.b64"
_FENCE = "fence.mbarrier_init.release.cluster"
_LOAD = "cp.async.bulk.tensor.{}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"


def _wait(barrier: str, parity: str, label: str) -> str:
    return f"{label}:\n{_WAIT} %p20, {barrier}, {parity};\nnot.pred %p21, %p20;\n@%p21 bra {label};"


# -- copies of boxes -----------------------------------------------------------------------------


def _box(
    name: str, element: str, dims: tuple[int, ...], box: tuple[int, ...], swizzle: int,
    corners: tuple[tuple[int, ...], ...],
) -> Recorder:  # fmt: skip
    """One thread copies boxes at some corners, each in its own phase of one mbarrier; all threads
    show each. Dimensions are from the densest on."""
    rank, count = len(dims), int(np.prod(box))
    strides = [2 * dims[0]]
    for extent in dims[1:-1]:
        strides.append(strides[-1] * extent)
    described = TensorMap(element, dims, tuple(strides), box, swizzle)
    tile = Tile("tile", 2 * count, 64)
    form = _LOAD.format(rank)
    lines = [
        f"{tile.declared}\n.shared .align 8 .b8 full[8];\nsetp.ne.u32 %p1, %r0, 0;",
        f"@%p1 bra STARTED;\nmov.b32 %r20, 1;\n{_INIT} [full], %r20;\n{_FENCE};",
        "STARTED:\nbar.sync 0;",
        "mov.b64 %d30, tile;\ncvta.shared.u64 %d31, %d30;\ncvta.to.shared::cluster.u64 %d32, %d31;",
    ]
    for turn, corner in enumerate(corners):
        lines.append(f"@%p1 bra COPIED{turn};\nmov.b32 %r21, {2 * count};")
        lines.append(f"{_EXPECT} %d33, [full], %r21;")
        lines += [f"mov.b32 %r{30 + i}, {place};" for i, place in enumerate(corner)]
        places = ", ".join(f"%r{30 + i}" for i in range(rank))
        lines.append(f"{form} [%d32], [%d20, {{{places}}}], [full];\nCOPIED{turn}:")
        lines.append(f"mov.b32 %r22, {turn % 2};\n{_wait('[full]', '%r22', f'WAIT{turn}')}")
        lines.append(f"{tile.shown('%d1')}\nadd.s64 %d1, %d1, {2 * count};")
        # Reads come before the next copy, which is of the asynchronous proxy.
        lines.append("fence.proxy.async;\nbar.sync 0;")

    def expected(inputs: Arrays) -> Arrays:
        tensor = inputs["given"].view(np.uint16).reshape(dims[::-1])
        parts, every = swizzle // 16, 128 // swizzle
        found = np.zeros((len(corners), count // box[0], parts, 8), np.uint16)
        for turn, corner in enumerate(corners):
            for row, outer in enumerate(product(*map(range, box[:0:-1]))):
                for place in range(box[0]):
                    at = (*(c + o for c, o in zip(corner[:0:-1], outer, strict=True)),
                          corner[0] + place)  # fmt: skip
                    is_inside = all(0 <= i < e for i, e in zip(at, dims[::-1], strict=True))
                    part = place // 8 ^ row // every % parts
                    found[turn, row, part, place % 8] = tensor[at] if is_inside else 0
        return {"found": found.reshape(-1).view(np.uint32)}

    return Recorder(
        f"{form}: {name}", (form, _EXPECT, _INIT, _FENCE, _WAIT, "cvta.to.shared::cluster.u64",
        "cvta.param.u64"), "\n".join(lines), partial(_given, name, int(np.prod(dims)) // 2),
        {"found": ("u32", len(corners) * count // 2)}, expected, maps=(("given", described),),
        threads=64, arch="sm_90",
    )  # fmt: skip


def _given(name: str, words: int) -> Arrays:
    return {"given": drawn(name, words)}


def _boxes() -> Iterator[Recorder]:
    for swizzle in (128, 64, 32):
        wide = swizzle // 2
        # Inside; beyond the ends of each dimension; before their beginnings; outside of all.
        corners = ((8, 3), (wide, 50), (-8, -5), (1000, 0))
        yield _box(
            f"rows of {swizzle} bytes", "bf16", (wide + 40, 56), (wide, 24), swizzle, corners
        )
    yield _box("f16", "f16", (72, 20), (64, 16), 128, ((0, 0), (-3, 7)))
    three = ((0, 0, 0), (24, 5, 1), (-8, -2, 2), (8, 3, -1))
    yield _box("three dimensions", "bf16", (72, 10, 3), (64, 8, 1), 128, three)
    yield _box("boxes of three dimensions", "f16", (40, 6, 5), (32, 3, 4), 64, three)
    yield _box(
        "four dimensions", "bf16", (24, 5, 4, 3), (16, 4, 2, 2), 32,
        ((0, 0, 0, 0), (16, 2, 3, 2), (-4, -1, 1, -1)),
    )  # fmt: skip
    yield _box(
        "five dimensions", "bf16", (16, 3, 3, 2, 2), (16, 2, 2, 2, 1), 32,
        ((0, 0, 0, 0, 1), (8, 1, 2, -1, 0)),
    )  # fmt: skip


# -- mbarrier ------------------------------------------------------------------------------------


def _ring() -> Recorder:
    """One warp hands words to another through two stages, for seven turns: a ring of mbarriers
    whose phases each side counts, as the kernels of warpgroups have it."""
    turns, stages = 7, 2
    lines = [
        ".shared .align 8 .b8 full[16];\n.shared .align 8 .b8 empty[16];",
        ".shared .align 16 .b8 tile[256];\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra STARTED;",
        "mov.b32 %r20, 32;",
        *(f"{_INIT} [{each}+{8 * stage}], %r20;" for each in ("full", "empty") for stage in (0, 1)),
        f"{_FENCE};\nSTARTED:\nbar.sync 0;\nmov.b32 %r21, tile;\nand.b32 %r22, %r0, 31;",
        "mad.lo.s32 %r21, %r22, 4, %r21;\nmad.wide.u32 %d30, %r22, 4, %d0;",
        "mad.wide.u32 %d31, %r22, 4, %d1;\nsetp.ge.u32 %p2, %r0, 32;\n@%p2 bra CONSUME;",
    ]
    for turn in range(turns):
        stage, phase = turn % stages, turn // stages % 2
        # The producer's first wait is for the phase before the first one, which counts as over.
        lines.append(f"mov.b32 %r23, {1 - phase};")
        lines.append(_wait(f"[empty+{8 * stage}]", "%r23", f"FREE{turn}"))
        lines.append(f"ld.global.b32 %r24, [%d30+{128 * turn}];")
        lines.append(f"st.shared.b32 [%r21+{128 * stage}], %r24;")
        lines.append(f"{_ARRIVE} %d32, [full+{8 * stage}];")
    lines.append("bra.uni END;\nCONSUME:\nmov.b32 %r25, 0;")
    # Another lane of the producer wrote what a lane reads.
    lines.append("mov.b32 %r21, tile;\nxor.b32 %r26, %r22, 21;\nmad.lo.s32 %r21, %r26, 4, %r21;")
    for turn in range(turns):
        stage, phase = turn % stages, turn // stages % 2
        lines.append(f"mov.b32 %r23, {phase};")
        lines.append(_wait(f"[full+{8 * stage}]", "%r23", f"FULL{turn}"))
        lines.append(f"ld.shared.b32 %r24, [%r21+{128 * stage}];")
        lines.append(f"{_ARRIVE} %d32, [empty+{8 * stage}];")
        lines.append("mad.lo.s32 %r25, %r25, 3, %r24;")
        lines.append(f"st.global.b32 [%d31+{128 * turn}], %r25;")
    lines.append("END:")

    def expected(inputs: Arrays) -> Arrays:
        rows, total, found = inputs["given"].reshape(turns, 32), np.zeros(32, np.uint32), []
        for row in rows:
            total = total * np.uint32(3) + row[np.arange(32) ^ 21]
            found.append(total)
        return {"found": np.concatenate(found)}

    return Recorder(
        "a ring of mbarriers", (_INIT, _ARRIVE, _WAIT, _FENCE), "\n".join(lines),
        partial(_given, "ring", 32 * turns), {"found": ("u32", 32 * turns)}, expected, threads=64,
        arch="sm_90",
    )  # fmt: skip


def _parities() -> Recorder:
    """Whether a phase of a parity is over, after each arrival of one thread at a barrier of two."""
    lines = [
        ".shared .align 8 .b8 one[8];\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra END;",
        f"mov.b32 %r20, 2;\n{_INIT} [one], %r20;\n{_FENCE};",
    ]
    test = "mbarrier.test_wait.parity.shared.b64"
    for arrivals in range(7):
        for parity in (0, 1):
            lines.append(f"mov.b32 %r21, {parity};\n{test} %p2, [one], %r21;")
            lines.append(
                f"selp.b32 %r22, 1, 0, %p2;\nst.global.b32 [%d0+{8 * arrivals + 4 * parity}], %r22;"
            )
        lines.append(f"{_ARRIVE} %d30, [one];")
    lines.append("END:")

    def expected(inputs: Arrays) -> Arrays:
        # A phase is over if the one that runs has the other parity.
        over = [[int(n // 2 % 2 != parity) for parity in (0, 1)] for n in range(7)]
        return {"found": np.array(over, np.uint32).reshape(-1)}

    return Recorder(
        "phases of an mbarrier", (_INIT, _ARRIVE, test), "\n".join(lines), dict,
        {"found": ("u32", 14)}, expected, arch="sm_90",
    )  # fmt: skip


# -- registers -----------------------------------------------------------------------------------


def _registers() -> Recorder:
    """Of three warpgroups one gives registers away and two take them; all compute as before."""
    dec, inc = (f"setmaxnreg.{way}.sync.aligned.u32" for way in ("dec", "inc"))
    body = (
        "mad.wide.u32 %d30, %r0, 4, %d0;\nld.global.b32 %r30, [%d30];\n"
        f"setp.lt.u32 %p1, %r0, 128;\n@%p1 bra FEW;\n{inc} 240;\nmul.lo.s32 %r30, %r30, 5;\n"
        f"bra.uni MEET;\nFEW:\n{dec} 24;\nMEET:\nbar.sync 0;\nadd.s32 %r30, %r30, %r0;\n"
        "mad.wide.u32 %d31, %r0, 4, %d1;\nst.global.b32 [%d31], %r30;"
    )

    def expected(inputs: Arrays) -> Arrays:
        thread = np.arange(384, dtype=np.uint32)
        factor = np.where(thread < 128, 1, 5).astype(np.uint32)
        return {"found": inputs["given"] * factor + thread}

    return Recorder(
        "registers of warpgroups", (dec, inc), body, partial(_given, "registers", 384),
        {"found": ("u32", 384)}, expected, threads=384, arch="sm_90a",
        directives=".minnctapersm 1",
    )  # fmt: skip


FAMILIES: dict[str, tuple[Recorder, ...]] = {
    "mbarriers": (_parities(), _ring()),
    "copies of boxes": tuple(_boxes()),
    "registers of warpgroups": (_registers(),),
}
