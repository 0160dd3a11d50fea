"""Recorders of matrices: `ldmatrix`, the layouts of `mma.sync`, and `wgmma`.

What they must write is computed here from the figures of NVIDIA's manual, an element at a time
(PTX ISA, "Matrix Fragments" and "Shared Memory Matrix Layout").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from recorder import Array, Arrays, Recorder, Tile, drawn

# -- ldmatrix ------------------------------------------------------------------------------------


def _rows(name: str) -> Arrays:
    """64 rows of 16 bytes, and which of them each lane gives the address of: none twice."""
    order = np.random.default_rng(len(name)).permutation(64)[:32].astype(np.uint32)
    return {"given": drawn(name, 256), "order": order}


def _load_matrix(count: int, transposed: bool) -> Recorder:
    form = f"ldmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.shared.b16"
    tile = Tile("tile", 1024, 32)
    results = ", ".join(f"%r{30 + place}" for place in range(count))
    lines = [
        f"{tile.declared}\n{tile.filled('%d0')}\nbar.sync 0;\nmov.b32 %r20, tile;",
        "mad.wide.u32 %d30, %r0, 4, %d1;\nld.global.b32 %r21, [%d30];",
        f"mad.lo.s32 %r21, %r21, 16, %r20;\n{form} {{{results}}}, [%r21];",
        f"mad.wide.u32 %d31, %r0, {4 * count}, %d2;",
        *(f"st.global.b32 [%d31+{4 * place}], %r{30 + place};" for place in range(count)),
    ]

    def expected(inputs: Arrays) -> Arrays:
        halves = inputs["given"].view(np.uint16).reshape(64, 8)
        found = np.zeros((32, count, 2), np.uint16)
        for lane in range(32):
            for matrix in range(count):
                for half in range(2):
                    row, column = lane // 4, lane % 4 * 2 + half
                    if transposed:
                        row, column = column, row
                    source = inputs["order"][8 * matrix + row]
                    found[lane, matrix, half] = halves[source, column]
        return {"found": found.reshape(-1).view(np.uint32)}

    return Recorder(
        form, (form,), "\n".join(lines), partial(_rows, form), {"found": ("u32", 32 * count)},
        expected,
    )  # fmt: skip


# -- mma.sync ------------------------------------------------------------------------------------


def _numbers(seed: int, shape: Sequence[int], element: str) -> Array:
    """Numbers that the type has, as float64; small integers over 8, so that sums are exact."""
    return np.random.default_rng(seed).integers(-16, 17, tuple(shape)) / 8.0


def bits_of(numbers: Array, element: str) -> Array:
    """The bits of numbers that a type has: `f16`, `bf16` or `tf32`."""
    if element == "f16":
        return numbers.astype(np.float16).view(np.uint16)
    words = numbers.astype(np.float32).view(np.uint32)
    return words if element == "tf32" else (words >> np.uint32(16)).astype(np.uint16)


def _fragments(element: str) -> tuple[list[tuple[int, int]], ...]:
    """The rows and columns of a lane's elements, from those of lane 0, of A, B and the sums: each
    is [element] -> (row, column), to which a lane adds its group or its place in the group."""
    if element == "tf32":
        left = [(0, 0), (8, 0), (0, 4), (8, 4)]
        right = [(0, 0), (4, 0)]
    else:
        left = [(r, c + i) for c in (0, 8) for r in (0, 8) for i in (0, 1)]
        right = [(k + i, 0) for k in (0, 8) for i in (0, 1)]
    return left, right, [(0, 0), (0, 1), (8, 0), (8, 1)]


def _warp_product(element: str) -> Recorder:
    """A x B + C, of m16n8k16, or m16n8k8 in tf32, with exact sums."""
    k = 8 if element == "tf32" else 16
    wide = 1 if element == "tf32" else 2  # neighbours of a lane, along k
    shape = f"m16n8k{k}"
    form = f"mma.sync.aligned.{shape}.row.col.f32.{element}.{element}.f32"
    parts = _fragments(element)
    counts = (4, 2, 4)

    def inputs() -> Arrays:
        a, b, c = _matrices(element, k)
        lanes = [np.zeros((32, len(part)), np.float64) for part in parts]
        for lane in range(32):
            group, place = lane // 4, lane % 4
            for i, (row, column) in enumerate(parts[0]):
                lanes[0][lane, i] = a[row + group, column + wide * place]
            for i, (row, column) in enumerate(parts[1]):
                lanes[1][lane, i] = b[row + wide * place, column + group]
            for i, (row, column) in enumerate(parts[2]):
                lanes[2][lane, i] = c[row + group, column + 2 * place]
        sums = lanes[2].astype(np.float32).view(np.uint32).reshape(-1)
        left, right = (bits_of(each, element).view(np.uint32).reshape(-1) for each in lanes[:2])
        return {"a": left, "b": right, "c": sums}

    def expected(inputs: Arrays) -> Arrays:
        a, b, c = _matrices(element, k)
        total, found = a @ b + c, np.zeros((32, 4), np.float32)
        for lane in range(32):
            for i, (row, column) in enumerate(parts[2]):
                found[lane, i] = total[row + lane // 4, column + 2 * (lane % 4)]
        return {"found": found.view(np.uint32).reshape(-1)}

    lines, names = [], []
    for place, count in enumerate(counts):
        registers = [f"%r{40 + 10 * place + i}" for i in range(count)]
        names.append("{" + ", ".join(registers) + "}")
        lines.append(f"mad.wide.u32 %d30, %r0, {4 * count}, %d{place};")
        lines += [f"ld.global.b32 {r}, [%d30+{4 * i}];" for i, r in enumerate(registers)]
    lines += [
        f"{form} {{%r70, %r71, %r72, %r73}}, {', '.join(names)};",
        "mad.wide.u32 %d30, %r0, 16, %d3;",
        "st.global.v4.b32 [%d30], {%r70, %r71, %r72, %r73};",
    ]
    name = f"{form}, exactly"
    return Recorder(name, (form,), "\n".join(lines), inputs, {"found": ("f32", 128)}, expected)


def _matrices(element: str, k: int) -> tuple[Array, Array, Array]:
    return (
        _numbers(1, (16, k), element),
        _numbers(2, (k, 8), element),
        _numbers(3, (16, 8), element),
    )


# -- wgmma ---------------------------------------------------------------------------------------

ROWS, DEPTH = 64, 64


def panel(bits: Array, swizzle: int) -> Array:
    """A tile of lines that a copy brings in rows of `swizzle` bytes, as it lies in shared memory.

    `bits` is [line, position], positions next to each other in memory. Columns of so many bytes
    follow each other, each of all lines. Of a row, the part of 16 bytes at `part` lies at
    `part ^ n`, where n counts the rows above in the pattern: each row in rows of 128 bytes, each
    second one in rows of 64 bytes, each fourth one in rows of 32 bytes.
    """
    lines, width = bits.shape
    if bits.dtype.itemsize == 4:
        return panel(np.ascontiguousarray(bits).view(np.uint16), swizzle)
    columns, parts, every = 2 * width // swizzle, swizzle // 16, 128 // swizzle
    found = np.zeros((columns, lines, parts, 8), np.uint16)
    for column in range(columns):
        for line in range(lines):
            for part in range(parts):
                first = (column * parts + part) * 8
                place = part ^ (line // every % parts)
                found[column, line, place] = bits[line, first : first + 8]
    return found.reshape(-1).view(np.uint32)


def _descriptor(swizzle: int, lines: int, is_transposed: bool) -> int:
    """A descriptor of a panel without its address: the bytes from 8 lines to the next 8, and those
    from a column to the next, over 16."""
    kinds = {128: 1, 64: 2, 32: 3}
    leading = lines * swizzle // 16 if is_transposed else 1
    return kinds[swizzle] << 62 | (8 * swizzle // 16) << 32 | leading << 16


def _step(swizzle: int, lines: int, is_transposed: bool, step: int) -> int:
    """How far the panel of the next 16 of k is, over 16."""
    if is_transposed:
        return step * 16 * swizzle // 16
    column, rest = divmod(32 * step, swizzle)
    return (column * lines * swizzle + rest) // 16


def _warpgroup_product(
    element: str, n: int, swizzle: int, transposed: tuple[bool, bool], in_registers: bool = False,
    zero: bool = False,
) -> Recorder:  # fmt: skip
    """64 x 64 by 64 x n, and what was there unless `zero`; sums are exact."""
    deep = 32 // _bytes_of(element)
    name = f"wgmma.mma_async.sync.aligned.m64n{n}k{deep}.f32.{element}.{element}"
    left, right = transposed

    def operands() -> tuple[Array, Array, Array]:
        return (
            _numbers(n, (ROWS, DEPTH), element),
            _numbers(swizzle, (DEPTH, n), element),
            _numbers(n + swizzle, (ROWS, n), element),
        )

    def inputs() -> Arrays:
        a, b, c = operands()
        sums = _sums_of(c).astype(np.float32).view(np.uint32)
        right_lines = bits_of(b if right else b.T, element)
        if in_registers:
            lines = bits_of(_left_of(a), element)  # lane, step, element
            given = np.ascontiguousarray(lines).view(np.uint32).reshape(-1)
        else:
            given = panel(bits_of(a.T if left else a, element), swizzle)
        return {"a": given, "b": panel(right_lines, swizzle), "c": sums}

    def expected(inputs: Arrays) -> Arrays:
        a, b, c = operands()
        return {"found": _sums_of(a @ b + (0 if zero else c)).astype(np.float32).view(np.uint32)}

    forms, body = _warpgroup_text(name, n, swizzle, transposed, in_registers, zero)
    told = ["A in registers" if in_registers else f"A {'MN' if left else 'K'}-major"]
    told += [f"B {'MN' if right else 'K'}-major", f"rows of {swizzle} bytes"]
    return Recorder(
        f"{name}: {', '.join(told)}{', from zero' * zero}", forms, body, inputs,
        {"found": ("f32", ROWS * n)}, expected, threads=128, arch="sm_90a",
    )  # fmt: skip


def _bytes_of(element: str) -> int:
    return 4 if element == "tf32" else 2


def _sums_of(matrix: Array) -> Array:
    """A matrix as the registers of 128 lanes: each warp has 16 rows; a lane has pairs of columns,
    then those 8 rows below, then 8 columns further."""
    n = matrix.shape[1]
    found = np.zeros((128, n // 2), matrix.dtype)
    for lane in range(128):
        row, column = 16 * (lane // 32) + lane % 32 // 4, 2 * (lane % 4)
        for part in range(n // 8):
            for i, (down, along) in enumerate(((0, 0), (0, 1), (8, 0), (8, 1))):
                found[lane, 4 * part + i] = matrix[row + down, column + along + 8 * part]
    return found.reshape(-1)


def _left_of(matrix: Array) -> Array:
    """The first factor in registers, [lane, step, element], 16 columns a step."""
    places = [(r, c + i) for c in (0, 8) for r in (0, 8) for i in (0, 1)]
    found = np.zeros((128, DEPTH // 16, 8), matrix.dtype)
    for lane in range(128):
        row, column = 16 * (lane // 32) + lane % 32 // 4, 2 * (lane % 4)
        for step in range(DEPTH // 16):
            for i, (down, along) in enumerate(places):
                found[lane, step, i] = matrix[row + down, column + along + 16 * step]
    return found


def _warpgroup_text(
    name: str, n: int, swizzle: int, transposed: tuple[bool, bool], in_registers: bool, zero: bool
) -> tuple[tuple[str, ...], str]:
    left, right = transposed
    width = _bytes_of(name.rpartition(".")[2])
    panels = [Tile("right", width * DEPTH * n, 128)]
    if not in_registers:
        panels.append(Tile("left", width * DEPTH * ROWS, 128))
    sums = [f"%r{100 + place}" for place in range(n // 2)]
    lines = [f"{each.declared}\n{each.filled('%d1' if each.name == 'right' else '%d0')}"
             for each in panels]  # fmt: skip
    lines.append(f"mad.wide.u32 %d30, %r0, {2 * n}, %d2;")
    lines += [f"ld.global.b32 {each}, [%d30+{4 * i}];" for i, each in enumerate(sums)]
    if in_registers:
        lines.append(f"mad.wide.u32 %d31, %r0, {DEPTH}, %d0;")
        lines += [f"ld.global.b32 %r{40 + i}, [%d31+{4 * i}];" for i in range(DEPTH // 4)]
    lines.append("fence.proxy.async;\nbar.sync 0;")
    for register, each, is_transposed in (("%d41", "right", right), ("%d40", "left", left)):
        if each == "right" or not in_registers:
            count = n if each == "right" else ROWS
            fixed = _descriptor(swizzle, DEPTH if is_transposed else count, is_transposed)
            lines.append(f"mov.b32 %r20, {each};\ncvt.u64.u32 {register}, %r20;")
            lines.append(
                f"shr.u64 {register}, {register}, 4;\nor.b64 {register}, {register}, {fixed};"
            )
    lines.append("wgmma.fence.sync.aligned;")
    for step in range(DEPTH * width // 32):
        taken = "{" + ", ".join(f"%r{40 + 4 * step + i}" for i in range(4)) + "}"
        flags = ["0" if zero and not step else "1", "1", "1"]
        if width == 2:
            flags += [str(int(each)) for each in ((right,) if in_registers else transposed)]
        for register, is_transposed, count in (("%d42", left, ROWS), ("%d43", right, n)):
            shift = _step(swizzle, DEPTH if is_transposed else count, is_transposed, step)
            if register == "%d43" or not in_registers:
                lines.append(f"add.s64 {register}, %d4{int(register == '%d43')}, {shift};")
        first = taken if in_registers else "%d42"
        lines.append(f"{name} {{{', '.join(sums)}}}, {first}, %d43, {', '.join(flags)};")
    lines.append("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;")
    lines.append(f"mad.wide.u32 %d30, %r0, {2 * n}, %d3;")
    lines += [f"st.global.b32 [%d30+{4 * i}], {each};" for i, each in enumerate(sums)]
    told = ["A in registers"] * in_registers + ["A transposed"] * left + ["B transposed"] * right
    general = name.replace(f"m64n{n}k", "m64nNk")
    form = f"{general} ({', '.join(told)})" if told else general
    shared = (f"wgmma.{each}.sync.aligned" for each in ("fence", "commit_group", "wait_group"))
    return (form, "fence.proxy.async", *shared), "\n".join(lines)


def _warpgroup_products() -> Iterator[Recorder]:
    for element in ("bf16", "f16"):
        for left in (False, True):
            for right in (False, True):
                yield _warpgroup_product(element, 64, 128, (left, right))
                if not left:
                    yield _warpgroup_product(element, 64, 128, (left, right), in_registers=True)
        yield _warpgroup_product(element, 128, 128, (False, False), zero=True)
        yield _warpgroup_product(element, 64, 128, (False, True), zero=True)
    for swizzle in (64, 32):
        for left, right in ((False, False), (True, True), (False, True)):
            yield _warpgroup_product("bf16", 64, swizzle, (left, right))
    for n in (8, 40, 72, 176, 256):
        yield _warpgroup_product("bf16", n, 128, (False, False), zero=n == 256)
    yield _warpgroup_product("f16", 128, 64, (False, True), in_registers=True)
    for n, swizzle in ((64, 128), (40, 64), (128, 32)):
        yield _warpgroup_product("tf32", n, swizzle, (False, False), zero=n == 40)
    yield _warpgroup_product("bf16", 256, 128, (True, True))


FAMILIES: dict[str, tuple[Recorder, ...]] = {
    "matrices of warps": (
        *(_load_matrix(count, transposed) for count in (1, 2, 4) for transposed in (False, True)),
        *(_warp_product(element) for element in ("f16", "bf16", "tf32")),
    ),
    "products of warpgroups": tuple(_warpgroup_products()),
}
