"""Tiled contractions: any roles of dimensions and any epilogue, bit-identical results."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
import pytest
from loops_interpreter import run_job
from random_parts import parts_of
from tensor_programs import FUSED, lowered, same_bits

from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.dialects import arith, func, memref, scf, vector
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.ir.record import replace
from penstock.ir.text.printer import print_module
from penstock.ir.types import FloatType, MemRefType
from penstock.ir.verify.verifier import verify
from penstock.passes.costs import sum_parts, task_grid, tiling
from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import TARGETS as REAL
from penstock.passes.costs.tile_cost import FREE_COPY_USES
from penstock.passes.loops.tiles import tile_tasks
from penstock.passes.manager import run_pipeline

Array = np.ndarray[Any, Any]
TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")
V3 = REAL["x86-64-v3"]


@dataclass
class Product:
    """A contraction in einsum's letters, with an elementwise epilogue.

    Each entry of the epilogue has the letters of its operand, or `@` for the variable that the
    result replaces, and an op on the value so far and the operand.
    """

    a: str
    b: str
    out: str
    extents: dict[str, int]
    followers: list[tuple[str, str]] = field(default_factory=list)
    shown: bool = False
    """Whether the contraction's own result is returned, too."""
    starts_with: str = "0.0"
    """The initial value of the sum; `@` for the variable."""
    element: str = "f32"

    def type(self, letters: str) -> str:
        return f"tensor<{''.join(f'{self.extents[c]}x' for c in letters)}{self.element}>"

    @property
    def dims(self) -> str:
        """The dimensions of the result, then the reduction dimensions."""
        return self.out + "".join(c for c in self.a if c not in self.out)

    def map(self, letters: str, dims: str) -> str:
        names = ", ".join(f"d{i}" for i in range(len(dims)))
        return f"affine_map<({names}) -> ({', '.join(f'd{dims.index(c)}' for c in letters)})>"

    @property
    def operands(self) -> list[tuple[str, str]]:
        """Names and letters of the group's arguments."""
        arguments = [("%a", self.a), ("%b", self.b)]
        arguments += [(f"%x{i}", word) for i, (word, _) in enumerate(self.followers) if word != "@"]
        return [*arguments, ("%w", self.out)] if self.uses_variable else arguments

    @property
    def uses_variable(self) -> bool:
        return self.starts_with == "@" or any(word == "@" for word, _ in self.followers)

    @property
    def added(self) -> str:
        """The body: multiply and add to the sum."""
        if self.element.startswith("f"):
            return f"%t = math.fma %p, %q, %s : {self.element}"
        return f"%m = arith.muli %p, %q : {self.element}\n%t = arith.addi %m, %s : {self.element}"

    def text(self) -> str:
        """A job that calls one group; the variable, if any, is updated in place."""
        out, e = self.type(self.out), self.element
        parallel = ", ".join(['"parallel"'] * len(self.out))
        sums = len(self.dims) - len(self.out)
        kinds = ", ".join(['"parallel"'] * len(self.out) + ['"reduction"'] * sums)
        own = self.map(self.out, self.out)
        lines = [
            f"%e = tensor.empty() : {out}",
            f"%f = linalg.generic {{indexing_maps = [{own}], iterator_types = [{parallel}]}} "
            f"outs(%e : {out}) {{\n^bb0(%o: {e}):\n %c = arith.constant "
            f"{self.starts_with if self.starts_with != '@' else '0.0'} : {e}\n"
            f" linalg.yield %c : {e}\n}} -> {out}",
            f"%r = linalg.generic {{indexing_maps = [{self.map(self.a, self.dims)}, "
            f"{self.map(self.b, self.dims)}, {self.map(self.out, self.dims)}], "
            f"iterator_types = [{kinds}]}} ins(%a, %b : {self.type(self.a)}, "
            f"{self.type(self.b)}) outs({'%w' if self.starts_with == '@' else '%f'} : {out}) {{\n"
            f"^bb0(%p: {e}, %q: {e}, %s: {e}):\n {self.added}\n"
            f" linalg.yield %t : {e}\n}} -> {out}",
        ]
        last = "%r"
        for i, (word, name) in enumerate(self.followers):
            letters, value = (self.out, "%w") if word == "@" else (word, f"%x{i}")
            lines.append(
                f"%y{i} = linalg.generic {{indexing_maps = [{own}, {self.map(letters, self.out)}, "
                f"{own}], iterator_types = [{parallel}]}} ins({last}, {value} : {out}, "
                f"{self.type(letters)}) outs(%e : {out}) {{\n^bb0(%u: {e}, %v: {e}, %o: {e}):\n"
                f" %z = {name} %u, %v : {e}\n linalg.yield %z : {e}\n}} -> {out}"
            )
            last = f"%y{i}"
        returned = [last, "%r"] if self.shown and last != "%r" else [last]
        results = ", ".join([out] * len(returned))
        arguments = ", ".join(f"{name}: {self.type(word)}" for name, word in self.operands)
        types = ", ".join(self.type(word) for _, word in self.operands)
        names = ", ".join(name for name, _ in self.operands)
        fed = ", ".join(
            f"{name}: {self.type(word)} {{{_role(name)}}}" for name, word in self.operands
        )
        roles = ['job.update = "w"' if self.uses_variable else 'job.fetch = "0"', 'job.fetch = "1"']
        arguments_ = ", ".join(f"{out} {{{roles[i]}}}" for i in range(len(returned)))
        joined = "\n".join(lines)
        return f"""module attributes {{job.type = "predict"}} {{
          func.func @job({fed}) -> ({arguments_}) {{
            %r:{len(returned)} = func.call @group({names}) : ({types}) -> ({results})
            return {", ".join(f"%r#{i}" for i in range(len(returned)))} : {results}
          }}
          func.func private @group({arguments}) -> ({results}) {{
            {joined}
            return {", ".join(returned)} : {results}
          }}
        }}"""

    def arrays(self) -> list[Array]:
        random_ = np.random.default_rng(5)
        names = {"f": "float", "i": "int"}
        dtype = names[self.element[0]] + self.element[1:]
        shapes = [[self.extents[c] for c in word] for _, word in self.operands]
        scale = 1 if self.element.startswith("f") else 50
        return [(scale * random_.standard_normal(shape)).astype(dtype) for shape in shapes]


def _role(name: str) -> str:
    if name != "%w":
        return f'job.feed = "{name[1:]}"'
    return 'job.variable = "w", job.initializer = {kind = "constant", value = 0.0}'


def check(product: Product, target: str = "x86-64-v3") -> Module:
    """The module at stage `loops`, after checking that its results equal the definition's, bit for
    bit.
    """
    module = parse_module(product.text())
    arrays = product.arrays()
    wanted = interpret(module, arrays)
    lowered_module = lowered(module, f"bufferize{{target={target}}}")
    verify(lowered_module)
    assert lowered_module.attributes["job.target"] == StringAttr(target)
    names = [name[1:] for name, _ in product.operands]
    got = run_job(lowered_module, dict(zip(names, arrays, strict=True)))
    first = "w" if product.uses_variable else "0"
    tiled = bool(ops(lowered_module, vector.OuterProduct))
    for name, array in zip([first, "1"], wanted, strict=False):
        # Without outer products, sums may be taken in another order.
        same = same_bits(got[name], array) if tiled else np.allclose(got[name], array, 1e-4, 1e-4)
        assert same, print_module(lowered_module)
    return lowered_module


def ops(module: Module, cls: type[Any]) -> list[Any]:
    return [op for op in module.walk() if isinstance(op, cls)]


def sizes(**extents: int) -> dict[str, int]:
    return extents


RELU = ("mn", "arith.maximumf")
BIAS = ("n", "arith.addf")
SHAPES = [
    (1, 1, 1), (1, 7, 5), (7, 1, 5), (7, 5, 1), (6, 16, 4), (13, 37, 11), (12, 32, 9),
    (4, 3, 40), (25, 10, 17), (2, 100, 3), (31, 8, 8),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("b", ["kn", "nk"])
@pytest.mark.parametrize("a", ["mk", "km"])
@pytest.mark.parametrize("shape", SHAPES)
def test_matmuls(shape: tuple[int, int, int], a: str, b: str) -> None:
    m, n, k = shape
    module = check(Product(a, b, "mn", sizes(m=m, n=n, k=k), [BIAS, RELU]))
    assert m * n == 1 or k == 1 or ops(module, vector.OuterProduct)


@pytest.mark.sampled
@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@pytest.mark.parametrize(("a", "b"), [("mk", "kn"), ("km", "kn"), ("km", "nk"), ("mk", "nk")])
def test_integer_matmuls(a: str, b: str, element: str, target: str) -> None:
    """They wrap around. All are tiled, except that loops add up those with vectors along the
    sum.
    """
    extents = sizes(m=13, n=37, k=11)
    followers = [("n", "arith.addi")]
    product = Product(a, b, "mn", extents, followers, element=element, starts_with="0")
    module = check(product, target)
    assert bool(ops(module, vector.OuterProduct)) == (a + b != "mknk")


@pytest.mark.sampled
@pytest.mark.parametrize("b", ["kn", "nk"])
@pytest.mark.parametrize("a", ["mk", "km"])
def test_blocks_tasks_and_packing(a: str, b: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small caches and tasks, small matmuls take every path."""
    for name in ("GRID_SERIAL_CYCLES", "GRID_TASK_CYCLES"):
        monkeypatch.setattr(task_grid, name, 20)
    monkeypatch.setattr("penstock.passes.loops.tiles.packing.GRID_SERIAL_CYCLES", 20)
    monkeypatch.setattr("penstock.passes.loops.tiles.packing.GRID_TASK_CYCLES", 20)
    tiny = {name: tiling_target(name) for name in TARGETS}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    for follower in ([], [BIAS, ("mn", "arith.mulf")], [("@", "arith.subf")]):
        product = Product(a, b, "mn", sizes(m=23, n=41, k=19), list(follower))
        module = check(product)
        assert ops(module, scf.Forall)
        assert ops(module, scf.If), "the sum is taken in blocks"


@pytest.mark.sampled
@pytest.mark.parametrize("down", [1, 2])
@pytest.mark.parametrize("lanes_in", ["memory", "panels", "scratch"])
@pytest.mark.parametrize("rows_in", ["memory", "panels", "scratch"])
@pytest.mark.parametrize(("a", "b"), [("mk", "kn"), ("km", "nk")])
def test_results_do_not_depend_on_the_tiling(
    a: str, b: str, rows_in: str, lanes_in: str, down: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiling = rows_in, lanes_in, (1, down, 2)
    if (rows_in, lanes_in) != ("scratch", "scratch"):
        first = lanes_in == "scratch" and b == "kn"
        force_tiling(monkeypatch, *tiling, depth=16, block=2, is_cut=True, packs_first=first)
        check(Product(a, b, "mn", sizes(m=13, n=67, k=37), [BIAS]))


@pytest.mark.sampled
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize(("n", "halved"), [(256, 1), (256, 4), (128, 1), (120, 2), (67, 3)])
def test_the_last_tasks_are_split_in_halves(
    n: int, halved: int, first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are halves of an even number of panels, or else of the rows; each half may start with a
    packing tile.
    """
    across = min(4, -(-n // 32))
    force_tiling(monkeypatch, "memory", "scratch", (1, 1, across), halved=halved, packs_first=first)
    module = check(Product("mk", "kn", "mn", sizes(m=45, n=n, k=20), [BIAS]), "x86-64-v4")
    (tasks,) = ops(module, scf.Forall)
    assert tasks.static_upper_bound == [across + halved]


def test_which_tasks_are_split_in_halves() -> None:
    """If there are few large tasks, whose panels serve many tiles."""
    for extent, expected in ((512, 4), (1024, 4), (2048, 0), (256, 0), (128, 0)):
        plan = tiling.tiling_of(
            Shape(1, extent, extent, (extent,), 4, True, True), REAL["x86-64-v4"]
        )
        assert plan.halved == expected
        assert plan.tasks == plan.grid[1] * plan.grid[2] + expected


@pytest.mark.parametrize("a", ["mk", "km"])
def test_the_last_tile_of_a_small_product_overlaps_another(a: str) -> None:
    """So all tiles have one height, unless what is computed twice would be read after it was
    overwritten, or would be much.
    """

    def heights(m: int, follower: tuple[str, str]) -> set[int]:
        module = check(Product(a, "kn", "mn", sizes(m=m, n=32, k=3), [follower]), "x86-64-v4")
        return {op.results[0].type.shape[0] for op in ops(module, vector.OuterProduct)}

    assert len(heights(47, BIAS)) == 1
    assert len(heights(47, ("@", "arith.subf"))) == 2
    assert len(heights(15, BIAS)) == 2


def force_tiling(
    monkeypatch: pytest.MonkeyPatch, rows: str, lanes: str, grid: tuple[int, ...], **more: Any
) -> None:
    """Force this tiling of all contractions; `more` are other fields of it."""
    chosen = tiling.tiling_of

    def other(*given: Any) -> Any:
        return replace(chosen(*given), rows_in=rows, lanes_in=lanes, grid=grid, **more)

    monkeypatch.setattr("penstock.passes.loops.tiles.lower_contraction.tiling_of", other)


@pytest.mark.parametrize(("b", "down", "tiles"), [("kn", 1, 2), ("kn", 2, 1), ("nk", 1, 1)])
def test_the_first_tiles_pack_what_they_read(
    b: str, down: int, tiles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a task has all rows and panels need no transposition, the first tiles store the panel
    that they read.
    """
    force_tiling(monkeypatch, "memory", "scratch", (1, down, 2))
    module = check(Product("mk", b, "mn", sizes(m=52, n=64, k=100)), "x86-64-v4")
    multiply = {op.parent for op in ops(module, vector.OuterProduct)}
    store = {op.parent for op in ops(module, vector.Store)}
    assert len(multiply) == tiles
    assert len(multiply & store) == tiles - 1


@pytest.mark.parametrize(("k", "lanes"), [(32, 64), (37, 67), (48, 33)])
def test_tiles_prefetch_a_later_panel(k: int, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles that do not pack prefetch one line of each row of the next panel."""
    more = {"depth": 16, "block": 1, "is_cut": True, "packs_first": True}
    for asks in (False, True):
        with monkeypatch.context() as patched:
            force_tiling(patched, "memory", "scratch", (1, 1, 2), **more, asks=asks)
            module = check(
                Product("mk", "kn", "mn", sizes(m=26, n=lanes, k=k), [BIAS]), "x86-64-v4"
            )
        asked = {op.parent for op in ops(module, memref.Prefetch)}
        multiply = {op.parent for op in ops(module, vector.OuterProduct)}
        store = {op.parent for op in ops(module, vector.Store)}
        assert asked == (multiply - store if asks else multiply & store)


@pytest.mark.parametrize("lanes", [64, 67, 1024])
def test_packing_tiles_prefetch_what_they_pack(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They prefetch every line that a panel may touch, for the rows of one iteration; nothing if
    rows are a page apart.
    """
    force_tiling(monkeypatch, "memory", "scratch", (1, 1, 2), packs_first=True)
    module = check(Product("mk", "kn", "mn", sizes(m=52, n=lanes, k=64)), "x86-64-v4")
    multiply: dict[Any, list[Any]] = {}
    for op in ops(module, vector.OuterProduct):
        multiply.setdefault(op.parent, []).append(op)
    first = multiply.keys() & {op.parent for op in ops(module, vector.Store)}
    assert first
    for loop in first:
        (width,) = multiply[loop][0].rhs.type.shape
        asked = [op for op in ops(module, memref.Prefetch) if op.parent is loop]
        assert {op.memref.type.shape for op in asked} <= {(64, lanes)}
        rows = 0 if lanes == 1024 else len(multiply[loop])
        assert len({op.indices[0] for op in asked}) == rows
        assert len(asked) == rows * (ceil(width / 16) + 1)


def test_many_tiles_hide_the_packing_of_panels() -> None:
    """Where a task has all rows, less than a page apart, so that L1 keeps prefetched lines. Tasks
    and their halves do not change.
    """
    for extent, expected in ((512, True), (768, True), (1024, False)):
        shape = Shape(1, extent, extent, (extent,), 4, True, True)
        plan = tiling.tiling_of(shape, REAL["x86-64-v4"])
        assert plan.lanes_in == "scratch"
        assert plan.stripes[0].tiles > FREE_COPY_USES
        assert plan.packs_first is expected
        assert plan.halved
    parts = Shape(1, 600, 600, (600,), 4, True, True)
    plan = tiling.tiling_of(parts, REAL["x86-64-v4"])
    assert plan.grid[1] > 1
    assert not plan.packs_first


@pytest.mark.parametrize(
    ("target", "k", "asked"),
    [
        ("x86-64-v4", 448, 2),  # one row of two lines per 32 iterations
        ("x86-64-v4", 444, 0),  # no 13 or more equal parts that are long enough
        ("x86-64-v4", 256, 0),
        ("x86-64-v3", 1024, 0),
    ],
)
def test_tiles_prefetch_the_lines_of_their_results(target: str, k: int, asked: int) -> None:
    """In a loop around the multiplications with at least as many iterations as the tile has
    rows.
    """
    module = check(Product("mk", "kn", "mn", sizes(m=26, n=64, k=k), [BIAS]), target)
    found = [op for op in ops(module, memref.Prefetch) if op.memref.type.shape != (k, 64)]
    assert len(found) == asked
    multiply = {op.parent for op in ops(module, vector.OuterProduct)}
    for op in found:
        assert op.memref.type.shape == (26, 64)
        assert {loop.parent for loop in multiply if loop is not None} == {op.parent}


def test_prefetched_lines_of_results_in_a_remainder_loop() -> None:
    """The remainder of a sum in parts starts after the parts."""
    text = Product("km", "kn", "mn", sizes(m=4, n=64, k=33 * 256 + 192), [BIAS]).text()
    module = lowered(parse_module(text), "bufferize{target=x86-64-v4}")
    asked = [op for op in ops(module, memref.Prefetch) if op.memref.type.shape == (4, 64)]
    assert asked
    for op in asked:
        number = op.indices[0].defining_op.operands[0].defining_op
        assert isinstance(number.operands[0].defining_op, arith.SubI)


@pytest.mark.parametrize(
    ("target", "rows", "depth", "lanes", "asked"),
    [
        ("x86-64-v4", 32, 512, 2048, 128),
        ("x86-64-v3", 32, 512, 2048, 64),  # more rows compete for the ways of a smaller L2
        ("x86-64-v4", 24, 768, 3072, 128),
        ("x86-64-v4", 32, 512, 512, 0),  # L2 already holds them
        ("x86-64-v4", 32, 8192, 8192, 0),  # L2 would not keep them
        ("x86-64-v4", 200, 512, 2048, 0),  # latency is small next to the work
    ],
)
def test_panels_from_beyond_l2_are_prefetched(
    target: str, rows: int, depth: int, lanes: int, asked: int
) -> None:
    plan = tiling.tiling_of(Shape(1, rows, lanes, (depth,), 4, True, True), REAL[target])
    assert plan.asks is (asked > 0)
    assert not asked or (plan.depth, plan.block, plan.lanes_in) == (asked, 1, "scratch")


def test_panels_that_l2_keeps_are_read_unpacked() -> None:
    """If tiles hide the cost of loads that cross lines, and L1 would not keep a packed panel."""
    near = Shape(1, 1024, 64, (1024,), 4, True, True)
    assert tiling.model(near, REAL["x86-64-v4"]).lanes_in == "memory"
    assert tiling.model(near, V3).lanes_in == "scratch", "half as many products for each load"
    for other in (
        replace(near, sums=(4096,)),  # L2 does not keep them
        replace(near, rows=512, lanes=1024, sums=(100,)),  # rows a page apart
        replace(near, lanes=512, sums=(100,)),  # L1 keeps a packed panel
        replace(near, rows=128, lanes=128, sums=(128,)),  # the first tiles pack
        replace(near, rows_along_sum=False, rows_ready=True),  # L1 would evict the rows
    ):
        assert tiling.model(other, REAL["x86-64-v4"]).lanes_in == "scratch"


@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_partial_sums_of_a_task_stay_in_l2(target: str) -> None:
    """They take between an eighth and a quarter of L2: fewer tasks fetch less."""
    plan = tiling.tiling_of(Shape(1, 3072, 3072, (3072,), 4, True, True), REAL[target])
    _, down, across = plan.grid
    width = plan.stripes[0].lanes.size
    waiting = ceil(3072 / down) * ceil(plan.panels / across) * width * 4
    assert plan.is_cut
    assert REAL[target].l2 // 8 < waiting <= REAL[target].l2 * 5 // 16


def test_a_long_sum_is_split_so_that_scratch_holds_its_panels() -> None:
    """If the first tiles pack them; otherwise all are packed beforehand."""
    plan = tiling.tiling_of(Shape(1, 100, 1024, (4096,), 4, True, True), REAL["x86-64-v4"])
    assert plan.packs_first
    assert plan.depth == 1024
    turned = Shape(1, 100, 1024, (4096,), 4, True, False)
    assert tiling.tiling_of(turned, REAL["x86-64-v4"]).lanes_in == "panels"


def tiling_target(name: str) -> Any:
    """A target of that name with tiny caches."""
    return replace(REAL[name], l1=200, l2=600)


@pytest.mark.parametrize("target", TARGETS)
def test_targets(target: str) -> None:
    """The tiles differ; without fused multiply-add, the last bits differ, too."""
    product = Product("mk", "nk", "mn", sizes(m=19, n=45, k=6), [BIAS])
    if target != "x86-64-v2":
        check(product, target)
        return
    module = lowered(parse_module(product.text()), f"bufferize{{target={target}}}")
    a, b, bias = product.arrays()
    got = run_job(module, {"a": a, "b": b, "x0": bias})["0"]
    wanted = a.astype(np.float64) @ b.T.astype(np.float64) + bias
    assert np.abs(got - wanted).max() < 1e-5


@pytest.mark.parametrize(
    ("a", "b", "out"),
    [
        ("bmk", "bkn", "bmn"),
        ("bmk", "bnk", "bmn"),
        ("bmk", "kn", "bmn"),
        ("mk", "bkn", "bmn"),
        ("bhmk", "bhnk", "bhmn"),
        ("bmhk", "bnhk", "bhmn"),
        ("bhmn", "bnhk", "bmhk"),
        ("mkl", "kln", "mn"),
        ("mkl", "nlk", "mn"),
        ("kml", "nkl", "mn"),
        ("kn", "mk", "mn"),
        ("k", "kn", "n"),
        ("mk", "k", "m"),
        ("km", "k", "m"),
        ("amk", "cnk", "amcn"),
        ("mk", "nk", "nm"),
    ],
)
def test_roles_of_dimensions(a: str, b: str, out: str) -> None:
    extents = sizes(a=2, b=3, c=2, h=2, m=7, n=18, k=5, l=3)
    module = check(Product(a, b, out, extents, [(out[-1], "arith.addf")]))
    assert ops(module, vector.OuterProduct)


@pytest.mark.parametrize("seed", parts_of(60, 1))
def test_random_contractions(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    if choose.random() < 0.5:
        monkeypatch.setattr(task_grid, "GRID_SERIAL_CYCLES", 50)
        monkeypatch.setattr(task_grid, "GRID_TASK_CYCLES", 20)
    roles = {role: choose.sample(letters, choose.randint(low, high))
             for role, letters, low, high in (
                 ("batch", "bh", 0, 2), ("rows", "mp", 0, 2), ("lanes", "nq", 1, 2),
                 ("sums", "kl", 1, 2))}  # fmt: skip
    extents = {c: choose.choice((1, 2, 3, 4, 5, 9)) for c in "bhmpkl"}
    extents |= {c: choose.choice((1, 3, 8, 11, 17)) for c in "nq"}

    def shuffled(*names: str) -> str:
        letters = [c for name in names for c in roles[name]]
        choose.shuffle(letters)
        return "".join(letters)

    out = shuffled("batch", "rows", "lanes")
    followers = []
    for _ in range(choose.randint(0, 3)):
        word = choose.choice((out, "@", "".join(c for c in out if choose.random() < 0.5)))
        followers.append((word, choose.choice(("arith.addf", "arith.mulf", "arith.maximumf"))))
    start = choose.choice(("0.0", "0.0", "1.5", "@"))
    shown = choose.random() < 0.3
    check(
        Product(
            shuffled("batch", "rows", "sums"), shuffled("batch", "lanes", "sums"), out, extents,
            followers, shown, start, choose.choice(("f32", "f32", "f64")),
        )
    )  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("sums", [64, 65, 71, 100])
@pytest.mark.parametrize("lanes", [1, 3, 8, 21])
@pytest.mark.parametrize(
    ("a", "b", "out"), [("k", "nk", "n"), ("mk", "k", "m"), ("bk", "bnk", "bn")]
)
def test_matrix_vector_products_along_the_sum(
    a: str, b: str, out: str, lanes: int, sums: int
) -> None:
    """Vectors run along the sum. Lengths with equally many vectors are added up in the same
    order.
    """
    extents = sizes(b=2, m=lanes, n=lanes, k=sums)
    product = Product(a, b, out, extents, [(out[-1], "arith.addf")], starts_with="1.5")
    module = check(product)
    if lanes > 1:
        assert ops(module, vector.Fma)
        assert not ops(module, vector.OuterProduct)


def test_a_large_matrix_is_read_in_memory_order() -> None:
    """It reads a few rows at a time, with the partial sums in the result's buffer."""
    shape = Shape(1, 1, 4096, (4096,), 4, rows_along_sum=True, lanes_ready=True)
    choice = tiling.model(shape, V3)
    assert choice.depth == tiling.PACKING_STREAMS
    assert choice.grid[2] <= 2, "no task reads less than two pages of a row"
    near = Shape(1, 1, 64, (4096,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.model(near, V3).depth == 4096
    few = tiling.model(replace(shape, rows=7), V3)
    assert str(few) == "2 8 memory memory 1x1x4"
    assert tiling.fits(replace(shape, rows=7), V3, few)
    sums = 16 * 2**15 * 4 / tiling.model(replace(shape, rows=16, lanes=2**15), V3).grid[2]
    assert sums <= V3.l2 // 2
    others = replace(shape, rows=7, sums=(64,)), replace(shape, rows=7, rows_along_sum=False)
    assert all(tiling.model(other, V3).depth > tiling.PACKING_STREAMS for other in others)


def test_rows_with_stride_along_the_sum_are_packed_beforehand() -> None:
    """A cache line has elements of several micropanels, so these are packed together."""
    across = Shape(1, 512, 512, (512,), 4, rows_along_sum=False, lanes_ready=True)
    assert tiling.model(across, V3).rows_in == "panels"
    small = Shape(1, 10, 512, (100,), 4, rows_along_sum=False, lanes_ready=True)
    assert tiling.model(small, V3).rows_in == "scratch"


def test_scratch_holds_one_remainder_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a block of panels of which all but one would be empty."""
    force_tiling(monkeypatch, "memory", "scratch", (1, 1, 1), block=3)
    module = check(Product("mk", "kn", "mn", sizes(m=13, n=67, k=20), [BIAS]))
    types = [op.memref.type for op in ops(module, memref.Alloca)]
    assert [type.shape for type in types] == [(2, 20, 24), (1, 20, 19)]


def test_rows_are_packed_once_for_panels_of_all_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles have two heights, and one parallel region packs."""
    shape, target = Shape(1, 512, 784, (100,), 4, False, True), REAL["x86-64-v4"]
    found = tiling.tiling_of(shape, target)
    assert [stripe.lanes.size for stripe in found.stripes] == [32, 16]
    assert [[rows.size for rows in stripe.rows] for stripe in found.stripes] == [[14, 13]] * 2

    few = replace(tiling.model(shape, target), depth=20, lanes_in="memory", grid=(1, 1, 1))
    for name in ("GRID_SERIAL_CYCLES", "GRID_TASK_CYCLES"):
        monkeypatch.setattr(f"penstock.passes.loops.tiles.packing.{name}", 20)
    monkeypatch.setattr("penstock.passes.costs.tiling.model", lambda *_: few)
    module = check(Product("km", "kn", "mn", sizes(m=55, n=47, k=20), [BIAS]), "x86-64-v4")
    (region,) = ops(module, scf.Forall)
    filled = {op.operands[1] for op in region.walk() if isinstance(op, vector.Store)}
    assert sorted(space.type.shape for space in filled) == [(1, 20, 13), (3, 20, 14)]
    assert len({op.parent for op in ops(module, vector.OuterProduct)}) == 4


@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_short_matmuls_are_split_by_rows(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of each piece of a row, a core's prefetcher touches lines that others write."""
    short = Shape(1, 512, 512, (8,), 4, rows_along_sum=True, lanes_ready=True)
    outer, down, across = tiling.model(short, REAL[target]).grid
    assert (outer, across) == (1, 1)
    assert down >= 4
    monkeypatch.setattr(task_grid, "EDGE", 0)
    assert tiling.model(short, REAL[target]).grid[2] > 1


def test_nearby_rows_with_stride_along_the_sum_are_read_unpacked() -> None:
    """So no core writes lines that others have read; each line is prefetched."""
    near = Shape(1, 256, 256, (256,), 4, False, True, rows_ready=True)
    assert tiling.model(near, V3).rows_in == "memory"
    for other in (
        replace(near, rows=520, sums=(520,)),
        replace(near, rows=512, sums=(64,)),
        replace(near, lanes=2048),
    ):
        assert tiling.model(other, V3).rows_in == "panels"
    module = check(Product("km", "kn", "mn", sizes(m=19, n=20, k=9)))
    assert ops(module, memref.Prefetch)
    assert not ops(check(Product("km", "kn", "mn", sizes(m=6, n=20, k=9))), memref.Prefetch)


def test_tasks_pack_their_private_panels() -> None:
    """Reading what another core wrote is expensive, unless L3 evicts the rows meanwhile."""
    shape = Shape(1, 512, 512, (512,), 4, rows_along_sum=True, lanes_ready=True)
    choice = tiling.model(shape, V3)
    assert (choice.rows_in, choice.lanes_in, choice.grid[1]) == ("memory", "scratch", 1)
    plan = tiling.tiling_from(shape, V3, choice)
    assert plan.block * plan.depth * plan.stripes[0].lanes.size * 4 <= V3.l2 // 2
    large = Shape(1, 4096, 512, (4096,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.model(large, V3).lanes_in == "panels"


def test_panels_serve_all_positions_that_share_them() -> None:
    """The second factor does not depend on b, so it is packed outside that loop."""
    module = check(Product("mbk", "nk", "bmn", sizes(m=40, b=5, n=16, k=20)))
    products = [loop for loop in ops(module, scf.For) if _holds(loop, vector.OuterProduct)]
    assert len(products) > 1
    assert ops(module, vector.Transpose)
    assert not [loop for loop in products if _holds(loop, vector.Transpose)]


def _holds(loop: scf.For, cls: type[Any]) -> bool:
    return any(isinstance(op, cls) for op in loop.walk())


def test_a_long_sum_for_few_panels_is_split_if_rows_are_strided() -> None:
    """Slices of the rows stay in L2 unpacked; with more panels, packing all of them pays off."""
    tall = Shape(1, 256, 64, (25088,), 4, False, True, rows_ready=True)
    choice = tiling.model(tall, V3)
    assert (choice.rows_in, choice.lanes_in) == ("memory", "scratch")
    assert 256 * choice.depth * 4 <= V3.l2 // 2
    assert tiling.fits(tall, V3, choice)
    assert tiling.model(replace(tall, lanes=2048), V3).rows_in == "panels"
    assert tiling.model(replace(tall, sums=(500,)), V3).rows_in == "panels"


def test_rows_larger_than_the_last_cache_are_read_by_one_task_each() -> None:
    shape = Shape(1, 25088, 64, (256,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.model(shape, V3).grid[2] == 1


@pytest.mark.sampled
@pytest.mark.parametrize("blocks", [3, 9])
@pytest.mark.parametrize(("a", "b"), [("km", "kn"), ("km", "nk"), ("bkm", "bkn")])
def test_parts_of_a_long_sum(a: str, b: str, blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of small integers are exact in any order."""
    monkeypatch.setattr(sum_parts, "LEAST_BLOCKS", 1)
    for module in (sum_parts, tiling, tile_tasks):
        monkeypatch.setattr(module, "BLOCK_POSITIONS", 16)
    arrays = Product.arrays
    monkeypatch.setattr(Product, "arrays", lambda p: [np.rint(x * 4) for x in arrays(p)])
    for start in ("0.0", "@"):
        extents = sizes(b=2, m=7, n=19, k=16 * blocks + 5)
        followers = [BIAS] if start != "@" else []
        lowered_module = check(Product(a, b, a[:-2] + "mn", extents, followers, starts_with=start))
        assert bool(ops(lowered_module, scf.If)) == (blocks > 3), (
            "parts are added up block by block"
        )


@pytest.mark.sampled
@pytest.mark.parametrize("element", ["f16", "bf16"])
@pytest.mark.parametrize("lanes", [19, 150])
def test_parts_of_a_long_sum_widen_their_operands(
    element: str, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and lanes are widened block by block; nothing is packed beforehand."""
    monkeypatch.setattr(sum_parts, "LEAST_BLOCKS", 1)
    for module in (sum_parts, tiling, tile_tasks):
        monkeypatch.setattr(module, "BLOCK_POSITIONS", 16)
    monkeypatch.setattr(tiling, "TASK_FRAME_BYTES", 1 << 13)
    k = 16 * 9 + 5
    a, b, y = (f"tensor<{n}x{element}>" for n in (f"{k}x23", f"{k}x{lanes}", f"23x{lanes}"))
    job = parse_module(
        f"""module attributes {{job.type = "predict"}} {{
        func.func @job(%a: {a} {{job.feed = "a"}}, %b: {b} {{job.feed = "b"}})
            -> ({y} {{job.fetch = "0"}}) {{
          %c = "flow.matmul"(%a, %b) {{transpose_a = true}} : ({a}, {b}) -> {y}
          return %c : {y}
        }} }}"""
    )
    draw = np.random.default_rng(3).integers
    arrays = [draw(-2, 3, (k, n)).astype(numpy_dtype(FloatType(element))) for n in (23, lanes)]
    (wanted,) = interpret(job, arrays)
    lowered_module = lowered(job, f"{FUSED},bufferize{{target=x86-64-v3}}")
    assert same_bits(run_job(lowered_module, dict(zip("ab", arrays, strict=True)))["0"], wanted)
    assert {a.name for f in lowered_module.functions() for a in f.arguments if "s" in a.name} == {
        "sums"
    }
    packed = [op.results[0].type for op in ops(lowered_module, memref.Alloca)]
    assert {type.shape[1] for type in packed} == {16}
    widths = {type.shape[2] for type in packed}
    assert min(widths) <= 6 < max(widths), "micropanels and panels"
    assert sum(type.count * 4 for type in packed) <= tiling.TASK_FRAME_BYTES


@pytest.mark.parametrize("outer", [1, 4])
def test_the_number_of_parts_depends_on_extents_only(outer: int) -> None:
    shape = Shape(outer, 64, 48, (100003,), 4, False, True, rows_ready=True)
    for target in REAL.values():
        assert tiling.tiling_of(shape, target).parts == 32 // outer
        assert tiling.tiling_of(shape, target).tasks == 32
        assert not tiling.fits(shape, target, replace(tiling.model(shape, target), depth=128))
    result = replace(shape, rows_ready=False, rows_made=True, lanes_ready=False)
    assert tiling.parts(result) == 32 // outer
    assert tiling.fits(result, V3, tiling.model(result, V3))
    assert str(result) != str(replace(result, rows_made=False))
    assert tiling.parts(replace(shape, sums=(500,))) == 1
    assert tiling.parts(replace(shape, rows=4096, lanes=4096)) == 1
    seen = Shape(outer, 64, 48, (8, 56, 56), 4, False, True, above=9, is_of_windows=True)
    for target in REAL.values():
        result = tiling.tiling_of(seen, target)
        assert (result.parts, result.single, result.depth) == (8, 1, 4)
    assert tiling.parts(replace(seen, lanes=480)) == 1


@pytest.mark.parametrize("target", REAL)
@pytest.mark.parametrize("bytes", [4, 8])
def test_scratch_holds_the_panels_of_a_block_of_windows(target: str, bytes: int) -> None:
    """Long rows get narrower panels; even longer ones are not split."""
    for width, ready, is_cut in ((101, False, True), (2000, True, True), (20_000, True, False)):
        sums = (8, 130, width)
        shape = Shape(1, 5, 48, sums, bytes, False, ready, above=3, is_of_windows=True)
        plan = tiling.tiling_of(shape, REAL[target])
        assert (plan.parts > 1) is is_cut
        wide = sum(stripe.lanes.size for stripe in plan.stripes)
        deep = plan.depth * width
        assert not is_cut or deep * wide * bytes <= tiling.TASK_FRAME_BYTES


def test_partial_sums_stay_in_l2() -> None:
    shape = Shape(1, 4096, 4096, (4096,), 4, rows_along_sum=True, lanes_ready=True)
    choice = tiling.model(shape, V3)
    _, down, across = choice.grid
    assert choice.depth < 4096
    assert 4096 / down * 4096 / across * 4 <= V3.l2 / 4


@pytest.mark.parametrize("across", [1, 2])
def test_first_tiles_store_strided_rows_for_their_neighbours(
    monkeypatch: pytest.MonkeyPatch, across: int
) -> None:
    """Panels are read unpacked. The last, narrower one has its own rows unless each task has all
    panels.
    """
    force_tiling(monkeypatch, "scratch", "memory", (1, 2, across), keeps=True)
    module = check(Product("km", "kn", "mn", sizes(m=27, n=200, k=11), [BIAS]), "x86-64-v4")
    multiply = {op.parent for op in ops(module, vector.OuterProduct)}
    keep = {op.parent for op in ops(module, vector.Store)} & multiply
    assert keep
    assert multiply - keep
    arguments = [a for f in ops(module, func.Func) for a in f.arguments]
    rows = [a for a in arguments if isinstance(a.type, MemRefType) and a.type.shape == (11, 27)]
    reads = {op.parent for op in module.walk() if any(a in op.operands for a in rows)}
    assert bool(reads & (multiply - keep)) is (across > 1)


@pytest.mark.parametrize(("size", "tiles"), [(256, 20), (300, 24)])
def test_tiles_that_store_rows_are_high_and_divide_evenly_among_threads(
    size: int, tiles: int
) -> None:
    shape = Shape(1, size, size, (size,), 4, False, True, rows_ready=True)
    plan = tiling.tiling_of(shape, REAL["x86-64-v4"])
    assert plan.keeps
    assert plan.grid == (1, tiles, 1)
    assert {rows.size for stripe in plan.stripes for rows in stripe.rows} == {12, 13}
    assert not tiling.tiling_of(shape, REAL["x86-64-v3"]).keeps


@pytest.mark.parametrize(("rows", "at_once"), [(260, 4), (224, 1)])
def test_tiles_that_store_rows_unroll_if_registers_are_free(rows: int, at_once: int) -> None:
    """There are free registers for 13 rows of two vectors, but not for 14."""
    shape = Shape(1, rows, 256, (256,), 4, False, True, rows_ready=True)
    plan = tiling.tiling_of(shape, REAL["x86-64-v4"])
    assert plan.keeps
    product = Product("km", "kn", "mn", sizes(m=rows, n=256, k=256))
    loops = lowered(parse_module(product.text()), "bufferize{target=x86-64-v4}")
    keep = {op.parent for op in ops(loops, vector.Store)}
    multiply = Counter(op.parent for op in ops(loops, vector.OuterProduct))
    assert {count for block, count in multiply.items() if block in keep} == {at_once}


def test_transposed_panels_are_narrow_and_many() -> None:
    """Ties go to narrow panels, since each part of the rows transposes all panels."""
    shape = Shape(1, 300, 300, (300,), 4, True, False, lanes_along_sum=True)
    assert tiling.tiling_of(shape, REAL["x86-64-v4"]).stripes[0].lanes.size == 32
    ready = replace(shape, lanes_ready=True, lanes_along_sum=False)
    assert tiling.tiling_of(ready, REAL["x86-64-v4"]).stripes[0].lanes.size == 64


def test_wide_and_low_tiles_lose_ties() -> None:
    """Eight vectors leave the fewest of 200 lanes idle, but tiles of two rows read too much."""
    shape = Shape(1, 300, 200, (256,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.tiling_of(shape, REAL["x86-64-v4"]).stripes[0].rows[0].size >= 6


@pytest.mark.parametrize(
    ("rows", "depth", "asked"), [(384, 384, 2), (512, 512, 2), (128, 128, 1), (768, 768, 0)]
)
def test_strided_rows_are_read_unpacked_if_tiles_have_time_to_prefetch(
    rows: int, depth: int, asked: int
) -> None:
    """They prefetch lines of later iterations, and those of the tile below if L2 may not have them
    yet.
    """
    target = REAL["x86-64-v4"]
    plan = tiling.tiling_of(Shape(1, rows, 512, (depth,), 4, False, True, rows_ready=True), target)
    assert plan.rows_in == ("memory" if asked else "panels")
    product = Product("km", "kn", "mn", sizes(m=rows, n=512, k=depth))
    loops = lowered(parse_module(product.text()), "bufferize{target=x86-64-v4}")
    found = {op.locality for op in ops(loops, memref.Prefetch)}
    assert (2 in found) is (asked == 2)


def test_rows_a_page_apart_do_not_fill_all_ways_of_the_cache() -> None:
    heights = [
        tiling.tiling_of(Shape(1, 840, 2, (sums,), 4, True, True), V3).stripes[0].rows[0].size
        for sums in (1000, 1024)
    ]
    assert heights == [14, 6]


def test_tiles_have_few_heights() -> None:
    """Each height is separate code: all lower tiles have one height, and the remainder of panels
    reuses the heights of the others.
    """

    def heights(level: str, rows: int, lanes: int) -> list[list[int]]:
        shape = Shape(1, rows, lanes, (100,), 4, rows_along_sum=True, lanes_ready=True)
        stripes = tiling.tiling_of(shape, REAL[level]).stripes
        return [[section.size for section in stripe.rows] for stripe in stripes]

    assert heights("x86-64-v4", 100, 512) == [[10]]
    assert heights("x86-64-v4", 512, 784) == [[14, 13], [14, 13]]
    assert heights("x86-64-v3", 100, 512) == [[6, 5]]  # 5 x 2 is as fast
    assert heights("x86-64-v3", 120, 100) == [[6], [14, 13]]  # a remainder of 6 x 1 takes longer


def test_panels_are_read_once_if_a_tile_has_all_rows() -> None:
    shape = Shape(1, 10, 512, (784,), 4, rows_along_sum=True, lanes_ready=True)
    for level, rows in (("x86-64-v4", 10), ("x86-64-v4", 7), ("x86-64-v3", 4)):
        stripes = tiling.tiling_of(replace(shape, rows=rows), REAL[level]).stripes
        assert all(stripe.tiles == 1 for stripe in stripes)


def test_packed_rows_a_page_apart_have_tiles_of_full_height() -> None:
    """The more associative L1 is, the more rows are read unpacked."""
    target = REAL["x86-64-v4"]
    few, many = (
        tiling.tiling_of(Shape(1, 1024, lanes, (1024,), 4, True, True), target)
        for lanes in (2, 1024)
    )
    assert (few.rows_in, many.rows_in) == ("memory", "panels")
    heights = [result.stripes[0].rows[0].size for result in (few, many)]
    assert heights == [target.ways - 2, 14]


def test_few_tasks_read_rows_from_beyond_l2() -> None:
    """Several panels use each row that is read from there, and all panels are packed only once."""
    shape = Shape(1, 1024, 1024, (1024,), 4, rows_along_sum=True, lanes_ready=True)
    target = REAL["x86-64-v4"]
    plan = tiling.tiling_of(shape, target)
    assert plan.block == plan.panels // plan.grid[2] == 2
    assert plan.grid[1] == 1
    assert tiling.model(shape, replace(target, rate=0)).grid[2] == plan.panels


@pytest.mark.parametrize("turned", ["false", "true"])
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_16_bit_floats_are_widened_where_they_are_read(element: str, turned: str) -> None:
    """Products and sums are f32 and round once."""
    b = f"tensor<{'40x33' if turned == 'true' else '33x40'}x{element}>"
    x, y = f"tensor<20x33x{element}>", f"tensor<20x40x{element}>"
    module = parse_module(
        f"""module attributes {{job.type = "predict"}} {{
        func.func @job(%a: {x} {{job.feed = "a"}}, %b: {b} {{job.feed = "b"}})
            -> ({y} {{job.fetch = "0"}}) {{
          %c = "flow.matmul"(%a, %b) {{transpose_b = {turned}}} : ({x}, {b}) -> {y}
          return %c : {y}
        }} }}"""
    )
    draw = np.random.default_rng(3).standard_normal
    dtype = numpy_dtype(FloatType(element))
    shape = (40, 33) if turned == "true" else (33, 40)
    arrays = [draw((20, 33)).astype(dtype), draw(shape).astype(dtype)]
    (wanted,) = interpret(module, arrays)
    lowered_module = lowered(module, f"{FUSED},bufferize")
    assert len(list(lowered_module.functions())) == 2, "one group"
    assert ops(lowered_module, vector.OuterProduct)
    got = run_job(lowered_module, dict(zip("ab", arrays, strict=True)))["0"]
    assert same_bits(got, wanted)


def test_an_update_is_computed_in_registers_in_place() -> None:
    module = check(Product("km", "kn", "mn", sizes(m=24, n=40, k=9), [("@", "arith.subf")]))
    assert not ops(module, memref.Copy)
    group = next(f for f in module.functions() if f.sym_name != "job")
    assert [str(a.type) for a in group.arguments] == [
        "memref<9x24xf32>", "memref<9x40xf32>", "memref<24x40xf32>",
    ]  # fmt: skip


@pytest.mark.parametrize("names", ["%a, %w, %w", "%w, %b, %w", "%w, %w, %w"])
def test_a_matmul_with_the_variable_that_it_replaces(names: str) -> None:
    """It is not in place, since other tiles read the old elements later."""
    text = Product("mk", "kn", "mn", sizes(m=18, n=18, k=18), [("@", "arith.subf")]).text()
    module = parse_module(text.replace("@group(%a, %b, %w)", f"@group({names})"))
    draw = np.random.default_rng(4).standard_normal
    arrays = [draw((18, 18)).astype(np.float32) for _ in range(3)]
    wanted = interpret(module, arrays)
    lowered_module = lowered(module, "bufferize")
    assert ops(lowered_module, vector.OuterProduct)
    got = run_job(lowered_module, dict(zip("abw", arrays, strict=True)))
    assert same_bits(got["w"], wanted[0])


@pytest.mark.parametrize("axis", [0, 1])
def test_a_matmul_and_another_tensor_in_a_stack(axis: int) -> None:
    """Both are written; the matmul is in place before the other one."""
    pair = ["tensor<1x20x40xf32>", "tensor<20x1x40xf32>"][axis]
    result = ["tensor<2x20x40xf32>", "tensor<20x2x40xf32>"][axis]
    extents = ["1, 20, 40", "20, 1, 40"][axis]
    module = parse_module(
        f"""module attributes {{job.type = "predict"}} {{
        func.func @job(%a: tensor<20x33xf32> {{job.feed = "a"}},
            %b: tensor<33x40xf32> {{job.feed = "b"}}, %c: tensor<20x40xf32> {{job.feed = "c"}})
            -> ({result} {{job.fetch = "0"}}) {{
          %y = "flow.matmul"(%a, %b) : (tensor<20x33xf32>, tensor<33x40xf32>) -> tensor<20x40xf32>
          %0 = "flow.reshape"(%y) {{shape = array<i64: {extents}>}} : (tensor<20x40xf32>) -> {pair}
          %1 = "flow.reshape"(%c) {{shape = array<i64: {extents}>}} : (tensor<20x40xf32>) -> {pair}
          %2 = "flow.concat"(%0, %1) {{axis = {axis} : i64}} : ({pair}, {pair}) -> {result}
          return %2 : {result}
        }} }}"""
    )
    check_stack(module, FUSED, axis)


def check_stack(module: Module, pipeline: str, axis: int) -> None:
    draw = np.random.default_rng(5).standard_normal
    arrays = [draw(shape).astype(np.float32) for shape in ((20, 33), (33, 40), (20, 40))]
    lowered_module = lowered(module, ",".join(filter(None, [pipeline, "bufferize"])))
    got = run_job(lowered_module, dict(zip("abc", arrays, strict=True)))["0"]
    wanted = np.stack([arrays[0] @ arrays[1], arrays[2]], axis)
    np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


def test_a_group_that_inserts_a_matmul_and_another_tensor() -> None:
    """Hand-written IR may have such groups. Tiles store only the last value, so this group is not
    tiled.
    """
    y, out, place = "tensor<20x40xf32>", "tensor<2x20x40xf32>", "affine_map<(i, j) -> (i, j)>"
    module = parse_module(
        f"""module attributes {{job.type = "predict"}} {{
        func.func @job(%a: tensor<20x33xf32> {{job.feed = "a"}},
            %b: tensor<33x40xf32> {{job.feed = "b"}}, %c: {y} {{job.feed = "c"}})
            -> ({out} {{job.fetch = "0"}}) {{
          %r = call @group(%a, %b, %c)
            : (tensor<20x33xf32>, tensor<33x40xf32>, {y}) -> {out}
          return %r : {out}
        }}
        func.func private @group(%a: tensor<20x33xf32>, %b: tensor<33x40xf32>, %c: {y}) -> {out} {{
          %0 = tensor.empty() : {y}
          %1 = linalg.generic {{indexing_maps = [{place}],
              iterator_types = ["parallel", "parallel"]}} outs(%0 : {y}) {{
          ^bb0(%o: f32):
            %zero = arith.constant 0.0 : f32
            linalg.yield %zero : f32
          }} -> {y}
          %2 = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
              affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
              iterator_types = ["parallel", "parallel", "reduction"]}}
              ins(%a, %b : tensor<20x33xf32>, tensor<33x40xf32>) outs(%1 : {y}) {{
          ^bb0(%x: f32, %w: f32, %o: f32):
            %s = math.fma %x, %w, %o : f32
            linalg.yield %s : f32
          }} -> {y}
          %3 = tensor.empty() : {out}
          %4 = linalg.generic {{indexing_maps = [{place}, affine_map<(i, j) -> (0, i, j)>],
              iterator_types = ["parallel", "parallel"]}} ins(%2 : {y}) outs(%3 : {out}) {{
          ^bb0(%x: f32, %o: f32):
            linalg.yield %x : f32
          }} -> {out}
          %5 = linalg.generic {{indexing_maps = [{place}, affine_map<(i, j) -> (1, i, j)>],
              iterator_types = ["parallel", "parallel"]}} ins(%c : {y}) outs(%4 : {out}) {{
          ^bb0(%x: f32, %o: f32):
            linalg.yield %x : f32
          }} -> {out}
          return %5 : {out}
        }} }}"""
    )
    check_stack(module, "", 0)


def test_empty_contractions_are_not_tiled() -> None:
    check(Product("mk", "kn", "mn", sizes(m=3, n=4, k=0), [("n", "arith.addf")]))
    run_pipeline(parse_module(Product("mk", "kn", "mn", sizes(m=0, n=4, k=2)).text()), "bufferize")


@pytest.mark.parametrize(("depth", "lanes", "on_the_way"), [(64, 3136, False), (512, 2048, True)])
def test_panels_are_packed_while_multiplying_if_scratch_is_small(
    depth: int, lanes: int, on_the_way: bool
) -> None:
    """Many short panels are copied along rows, in memory order."""
    shape = Shape(1, 64, lanes, (depth,), 4, True, True)
    plan = tiling.tiling_of(shape, REAL["x86-64-v4"])
    assert plan.lanes_in == "scratch"
    assert plan.packs_first is on_the_way
