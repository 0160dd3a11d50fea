"""Contractions as tiles of vectors: any roles of dimensions, any epilogue, the same bits."""

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
    """A sum of products in the letters of einsum, with what follows element by element.

    Each follower is the letters of an operand and an op on the value so far and that operand; `@`
    for the variable that the result replaces.
    """

    a: str
    b: str
    out: str
    extents: dict[str, int]
    followers: list[tuple[str, str]] = field(default_factory=list)
    shown: bool = False
    """Whether the sum itself is returned too."""
    starts_with: str = "0.0"
    """What the sum begins with; `@` for the variable."""
    element: str = "f32"

    def type(self, letters: str) -> str:
        return f"tensor<{''.join(f'{self.extents[c]}x' for c in letters)}{self.element}>"

    @property
    def dims(self) -> str:
        """The dimensions in order: those of the result, then those that are added up."""
        return self.out + "".join(c for c in self.a if c not in self.out)

    def map(self, letters: str, dims: str) -> str:
        names = ", ".join(f"d{i}" for i in range(len(dims)))
        return f"affine_map<({names}) -> ({', '.join(f'd{dims.index(c)}' for c in letters)})>"

    @property
    def operands(self) -> list[tuple[str, str]]:
        """Names and letters of the group's arguments."""
        given = [("%a", self.a), ("%b", self.b)]
        given += [(f"%x{i}", word) for i, (word, _) in enumerate(self.followers) if word != "@"]
        return [*given, ("%w", self.out)] if self.uses_variable else given

    @property
    def uses_variable(self) -> bool:
        return self.starts_with == "@" or any(word == "@" for word, _ in self.followers)

    @property
    def added(self) -> str:
        """The body: the sum goes on by a product."""
        if self.element.startswith("f"):
            return f"%t = math.fma %p, %q, %s : {self.element}"
        return f"%m = arith.muli %p, %q : {self.element}\n%t = arith.addi %m, %s : {self.element}"

    def text(self) -> str:
        """A job that calls a group; the variable, where there is one, is updated in place."""
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
        given = ", ".join(f"{out} {{{roles[i]}}}" for i in range(len(returned)))
        joined = "\n".join(lines)
        return f"""module attributes {{job.type = "predict"}} {{
          func.func @job({fed}) -> ({given}) {{
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
    """The module at stage `loops`, which must give what the definition gives, bit for bit."""
    module = parse_module(product.text())
    arrays = product.arrays()
    wanted = interpret(module, arrays)
    made = lowered(module, f"bufferize{{target={target}}}")
    verify(made)
    assert made.attributes["job.target"] == StringAttr(target)
    names = [name[1:] for name, _ in product.operands]
    got = run_job(made, dict(zip(names, arrays, strict=True)))
    first = "w" if product.uses_variable else "0"
    tiled = bool(ops(made, vector.OuterProduct))
    for name, array in zip([first, "1"], wanted, strict=False):
        # What is no sum of outer products may be added up in another order.
        same = same_bits(got[name], array) if tiled else np.allclose(got[name], array, 1e-4, 1e-4)
        assert same, print_module(made)
    return made


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
def test_products_of_matrices(shape: tuple[int, int, int], a: str, b: str) -> None:
    m, n, k = shape
    made = check(Product(a, b, "mn", sizes(m=m, n=n, k=k), [BIAS, RELU]))
    assert m * n == 1 or k == 1 or ops(made, vector.OuterProduct)


@pytest.mark.sampled
@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@pytest.mark.parametrize(("a", "b"), [("mk", "kn"), ("km", "kn"), ("km", "nk"), ("mk", "nk")])
def test_products_of_integers(a: str, b: str, element: str, target: str) -> None:
    """They wrap, and are tiles but for those along the sum, which loops add up."""
    extents = sizes(m=13, n=37, k=11)
    followers = [("n", "arith.addi")]
    product = Product(a, b, "mn", extents, followers, element=element, starts_with="0")
    made = check(product, target)
    assert bool(ops(made, vector.OuterProduct)) == (a + b != "mknk")


@pytest.mark.sampled
@pytest.mark.parametrize("b", ["kn", "nk"])
@pytest.mark.parametrize("a", ["mk", "km"])
def test_blocks_tasks_and_packing(a: str, b: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small caches and small tasks, small products take every path."""
    for name in ("GRID_SERIAL_CYCLES", "GRID_TASK_CYCLES"):
        monkeypatch.setattr(task_grid, name, 20)
    monkeypatch.setattr("penstock.passes.loops.tiles.packing.GRID_SERIAL_CYCLES", 20)
    monkeypatch.setattr("penstock.passes.loops.tiles.packing.GRID_TASK_CYCLES", 20)
    tiny = {name: tiling_target(name) for name in TARGETS}
    monkeypatch.setattr("penstock.passes.buffers.bufferize.TARGETS", tiny)
    for follower in ([], [BIAS, ("mn", "arith.mulf")], [("@", "arith.subf")]):
        product = Product(a, b, "mn", sizes(m=23, n=41, k=19), list(follower))
        made = check(product)
        assert ops(made, scf.Forall)
        assert ops(made, scf.If), "the sum is taken in blocks"


@pytest.mark.sampled
@pytest.mark.parametrize("down", [1, 2])
@pytest.mark.parametrize("lanes_in", ["memory", "panels", "scratch"])
@pytest.mark.parametrize("rows_in", ["memory", "panels", "scratch"])
@pytest.mark.parametrize(("a", "b"), [("mk", "kn"), ("km", "nk")])
def test_no_way_of_cutting_changes_a_bit(
    a: str, b: str, rows_in: str, lanes_in: str, down: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = rows_in, lanes_in, (1, down, 2)
    if (rows_in, lanes_in) != ("scratch", "scratch"):
        first = lanes_in == "scratch" and b == "kn"
        cut_so(monkeypatch, *given, depth=16, block=2, is_cut=True, packs_first=first)
        check(Product(a, b, "mn", sizes(m=13, n=67, k=37), [BIAS]))


@pytest.mark.sampled
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize(("n", "halved"), [(256, 1), (256, 4), (128, 1), (120, 2), (67, 3)])
def test_the_last_tasks_are_halves(
    n: int, halved: int, first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an even number of panels, or else of the rows, of which each half may begin with a tile
    that packs."""
    across = min(4, -(-n // 32))
    cut_so(monkeypatch, "memory", "scratch", (1, 1, across), halved=halved, packs_first=first)
    made = check(Product("mk", "kn", "mn", sizes(m=45, n=n, k=20), [BIAS]), "x86-64-v4")
    (tasks,) = ops(made, scf.Forall)
    assert tasks.static_upper_bound == [across + halved]


def test_which_tasks_are_halves() -> None:
    """Few large ones, of panels that serve many tiles."""
    for extent, expected in ((512, 4), (1024, 4), (2048, 0), (256, 0), (128, 0)):
        made = tiling.tiling_of(
            Shape(1, extent, extent, (extent,), 4, True, True), REAL["x86-64-v4"]
        )
        assert made.halved == expected
        assert made.tasks == made.grid[1] * made.grid[2] + expected


def cut_so(
    monkeypatch: pytest.MonkeyPatch, rows: str, lanes: str, grid: tuple[int, ...], **more: Any
) -> None:
    """Have all contractions cut so, `more` being fields of a tiling."""
    chosen = tiling.tiling_of

    def other(*given: Any) -> Any:
        return replace(chosen(*given), rows_in=rows, lanes_in=lanes, grid=grid, **more)

    monkeypatch.setattr("penstock.passes.loops.tiles.lower_contraction.tiling_of", other)


@pytest.mark.parametrize(("b", "down", "tiles"), [("kn", 1, 2), ("kn", 2, 1), ("nk", 1, 1)])
def test_the_first_tiles_pack_what_they_read(
    b: str, down: int, tiles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a task has all rows, and panels need no transposing: some of the tiles of 13 rows store
    what they read."""
    cut_so(monkeypatch, "memory", "scratch", (1, down, 2))
    made = check(Product("mk", b, "mn", sizes(m=52, n=64, k=100)), "x86-64-v4")
    multiply = {op.parent for op in ops(made, vector.OuterProduct)}
    store = {op.parent for op in ops(made, vector.Store)}
    assert len(multiply) == tiles
    assert len(multiply & store) == tiles - 1


@pytest.mark.parametrize(("k", "lanes"), [(32, 64), (37, 67), (48, 33)])
def test_tiles_ask_for_a_later_panel(k: int, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but those that pack one: a line of each of its rows, wherever the panel is."""
    more = {"depth": 16, "block": 1, "is_cut": True, "packs_first": True}
    for asks in (False, True):
        with monkeypatch.context() as patched:
            cut_so(patched, "memory", "scratch", (1, 1, 2), **more, asks=asks)
            made = check(Product("mk", "kn", "mn", sizes(m=26, n=lanes, k=k), [BIAS]), "x86-64-v4")
        asked = {op.parent for op in ops(made, memref.Prefetch)}
        multiply = {op.parent for op in ops(made, vector.OuterProduct)}
        store = {op.parent for op in ops(made, vector.Store)}
        assert asked == (multiply - store if asks else multiply & store)


@pytest.mark.parametrize("lanes", [64, 67, 1024])
def test_first_tiles_ask_for_what_they_pack(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines that a panel may be in, of as many rows as a turn takes; nothing where rows are a
    page apart."""
    cut_so(monkeypatch, "memory", "scratch", (1, 1, 2), packs_first=True)
    made = check(Product("mk", "kn", "mn", sizes(m=52, n=lanes, k=64)), "x86-64-v4")
    multiply: dict[Any, list[Any]] = {}
    for op in ops(made, vector.OuterProduct):
        multiply.setdefault(op.parent, []).append(op)
    first = multiply.keys() & {op.parent for op in ops(made, vector.Store)}
    assert first
    for loop in first:
        (width,) = multiply[loop][0].rhs.type.shape
        asked = [op for op in ops(made, memref.Prefetch) if op.parent is loop]
        assert {op.memref.type.shape for op in asked} <= {(64, lanes)}
        rows = 0 if lanes == 1024 else len(multiply[loop])
        assert len({op.indices[0] for op in asked}) == rows
        assert len(asked) == rows * (ceil(width / 16) + 1)


def test_many_tiles_hide_the_packing_of_panels() -> None:
    """Where a task has all rows, and these are no pages apart, so that L1 keeps what is asked for:
    tasks, and halves of them, stay what they were."""
    for extent, expected in ((512, True), (768, True), (1024, False)):
        shape = Shape(1, extent, extent, (extent,), 4, True, True)
        made = tiling.tiling_of(shape, REAL["x86-64-v4"])
        assert made.lanes_in == "scratch"
        assert made.stripes[0].tiles > FREE_COPY_USES
        assert made.packs_first is expected
        assert made.halved
    parts = Shape(1, 600, 600, (600,), 4, True, True)
    made = tiling.tiling_of(parts, REAL["x86-64-v4"])
    assert made.grid[1] > 1
    assert not made.packs_first


@pytest.mark.parametrize(
    ("target", "k", "asked"),
    [
        ("x86-64-v4", 448, 2),  # a row of two lines every 32 positions
        ("x86-64-v4", 444, 0),  # no 13 equal parts, or some more, that are long enough
        ("x86-64-v4", 256, 0),
        ("x86-64-v3", 1024, 0),
    ],
)
def test_tiles_ask_for_the_lines_of_their_results(target: str, k: int, asked: int) -> None:
    """In a loop around that which multiplies, of as many turns as the tile has rows or more."""
    made = check(Product("mk", "kn", "mn", sizes(m=26, n=64, k=k), [BIAS]), target)
    found = [op for op in ops(made, memref.Prefetch) if op.memref.type.shape != (k, 64)]
    assert len(found) == asked
    multiply = {op.parent for op in ops(made, vector.OuterProduct)}
    for op in found:
        assert op.memref.type.shape == (26, 64)
        assert {loop.parent for loop in multiply if loop is not None} == {op.parent}


def test_lines_of_results_are_counted_from_where_a_sum_begins() -> None:
    """What is left over of a sum in parts begins behind these."""
    text = Product("km", "kn", "mn", sizes(m=4, n=64, k=33 * 256 + 192), [BIAS]).text()
    made = lowered(parse_module(text), "bufferize{target=x86-64-v4}")
    asked = [op for op in ops(made, memref.Prefetch) if op.memref.type.shape == (4, 64)]
    assert asked
    for op in asked:
        number = op.indices[0].defining_op.operands[0].defining_op
        assert isinstance(number.operands[0].defining_op, arith.SubI)


@pytest.mark.parametrize(
    ("target", "rows", "depth", "lanes", "asked"),
    [
        ("x86-64-v4", 32, 512, 2048, 128),
        ("x86-64-v3", 32, 512, 2048, 64),  # more rows share the ways of a smaller L2
        ("x86-64-v4", 24, 768, 3072, 128),
        ("x86-64-v4", 32, 512, 512, 0),  # L2 has them
        ("x86-64-v4", 32, 8192, 8192, 0),  # L2 would not keep them
        ("x86-64-v4", 200, 512, 2048, 0),  # waiting is little beside the work
    ],
)
def test_panels_from_beyond_l2_are_asked_for(
    target: str, rows: int, depth: int, lanes: int, asked: int
) -> None:
    made = tiling.tiling_of(Shape(1, rows, lanes, (depth,), 4, True, True), REAL[target])
    assert made.asks is (asked > 0)
    assert not asked or (made.depth, made.block, made.lanes_in) == (asked, 1, "scratch")


def test_panels_that_l2_keeps_are_read_as_they_lie() -> None:
    """Where tiles have time for loads that cross lines, and L1 would not keep what is packed."""
    near = Shape(1, 1024, 64, (1024,), 4, True, True)
    assert tiling.model(near, REAL["x86-64-v4"]).lanes_in == "memory"
    assert tiling.model(near, V3).lanes_in == "scratch", "half as many products for each load"
    for other in (
        replace(near, sums=(4096,)),  # L2 does not keep them
        replace(near, rows=512, lanes=1024, sums=(100,)),  # rows a page apart
        replace(near, lanes=512, sums=(100,)),  # L1 keeps a packed panel
        replace(near, rows=128, lanes=128, sums=(128,)),  # first tiles pack
        replace(near, rows_along_sum=False, rows_ready=True),  # L1 would lose the rows
    ):
        assert tiling.model(other, REAL["x86-64-v4"]).lanes_in == "scratch"


@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_unfinished_sums_of_a_task_stay_near(target: str) -> None:
    """A quarter of L2 at the most, and no less than an eighth: fewer tasks fetch less."""
    made = tiling.tiling_of(Shape(1, 3072, 3072, (3072,), 4, True, True), REAL[target])
    _, down, across = made.grid
    width = made.stripes[0].lanes.size
    waiting = ceil(3072 / down) * ceil(made.panels / across) * width * 4
    assert made.is_cut
    assert REAL[target].l2 // 8 < waiting <= REAL[target].l2 * 5 // 16


def test_a_long_sum_is_cut_so_that_scratch_holds_its_panels() -> None:
    """Where first tiles pack them; else all are packed ahead."""
    made = tiling.tiling_of(Shape(1, 100, 1024, (4096,), 4, True, True), REAL["x86-64-v4"])
    assert made.packs_first
    assert made.depth == 1024
    turned = Shape(1, 100, 1024, (4096,), 4, True, False)
    assert tiling.tiling_of(turned, REAL["x86-64-v4"]).lanes_in == "panels"


def tiling_target(name: str) -> Any:
    """A target of that name with caches that hold next to nothing."""
    return replace(REAL[name], l1=200, l2=600)


@pytest.mark.parametrize("target", TARGETS)
def test_targets(target: str) -> None:
    """The tiles differ; where there is no fused product and sum, so do the last bits."""
    product = Product("mk", "nk", "mn", sizes(m=19, n=45, k=6), [BIAS])
    if target != "x86-64-v2":
        check(product, target)
        return
    made = lowered(parse_module(product.text()), f"bufferize{{target={target}}}")
    a, b, bias = product.arrays()
    got = run_job(made, {"a": a, "b": b, "x0": bias})["0"]
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
    made = check(Product(a, b, out, extents, [(out[-1], "arith.addf")]))
    assert ops(made, vector.OuterProduct)


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
def test_a_matrix_and_a_vector_along_the_sum(
    a: str, b: str, out: str, lanes: int, sums: int
) -> None:
    """Vectors lie along the sum; from the same number on, they are added up in the same order."""
    extents = sizes(b=2, m=lanes, n=lanes, k=sums)
    product = Product(a, b, out, extents, [(out[-1], "arith.addf")], starts_with="1.5")
    made = check(product)
    if lanes > 1:
        assert ops(made, vector.Fma)
        assert not ops(made, vector.OuterProduct)


def test_a_large_matrix_is_read_in_the_order_in_which_it_lies() -> None:
    """A few of its rows at a time, with the unfinished sums in the result's buffer."""
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


def test_rows_that_lie_across_the_sum_are_packed_ahead() -> None:
    """A line of the cache holds elements of several micropanels, so these are packed together."""
    across = Shape(1, 512, 512, (512,), 4, rows_along_sum=False, lanes_ready=True)
    assert tiling.model(across, V3).rows_in == "panels"
    small = Shape(1, 10, 512, (100,), 4, rows_along_sum=False, lanes_ready=True)
    assert tiling.model(small, V3).rows_in == "scratch"


def test_scratch_holds_one_panel_that_is_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a block of them, of which all but one would be empty."""
    cut_so(monkeypatch, "memory", "scratch", (1, 1, 1), block=3)
    made = check(Product("mk", "kn", "mn", sizes(m=13, n=67, k=20), [BIAS]))
    types = [op.memref.type for op in ops(made, memref.Alloca)]
    assert [type.shape for type in types] == [(2, 20, 24), (1, 20, 19)]


def test_rows_are_packed_once_for_panels_of_all_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    """In tiles of two heights, by the tasks of one region."""
    shape, target = Shape(1, 512, 784, (100,), 4, False, True), REAL["x86-64-v4"]
    found = tiling.tiling_of(shape, target)
    assert [stripe.lanes.size for stripe in found.stripes] == [32, 16]
    assert [[rows.size for rows in stripe.rows] for stripe in found.stripes] == [[14, 13]] * 2

    few = replace(tiling.model(shape, target), depth=20, lanes_in="memory", grid=(1, 1, 1))
    for name in ("GRID_SERIAL_CYCLES", "GRID_TASK_CYCLES"):
        monkeypatch.setattr(f"penstock.passes.loops.tiles.packing.{name}", 20)
    monkeypatch.setattr("penstock.passes.costs.tiling.model", lambda *_: few)
    made = check(Product("km", "kn", "mn", sizes(m=55, n=47, k=20), [BIAS]), "x86-64-v4")
    (region,) = ops(made, scf.Forall)
    filled = {op.operands[1] for op in region.walk() if isinstance(op, vector.Store)}
    assert sorted(space.type.shape for space in filled) == [(1, 20, 13), (3, 20, 14)]
    assert len({op.parent for op in ops(made, vector.OuterProduct)}) == 4


@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_short_products_are_dealt_by_rows(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind each piece of a row a core asks for what others write."""
    short = Shape(1, 512, 512, (8,), 4, rows_along_sum=True, lanes_ready=True)
    outer, down, across = tiling.model(short, REAL[target]).grid
    assert (outer, across) == (1, 1)
    assert down >= 4
    monkeypatch.setattr(task_grid, "EDGE", 0)
    assert tiling.model(short, REAL[target]).grid[2] > 1


def test_rows_across_the_sum_that_stay_near_are_read_as_they_lie() -> None:
    """So no core writes what others have read; each line is asked for before it is needed."""
    near = Shape(1, 256, 256, (256,), 4, False, True, rows_ready=True)
    assert tiling.model(near, V3).rows_in == "memory"
    for other in (
        replace(near, rows=520, sums=(520,)),
        replace(near, rows=512, sums=(64,)),
        replace(near, lanes=2048),
    ):
        assert tiling.model(other, V3).rows_in == "panels"
    made = check(Product("km", "kn", "mn", sizes(m=19, n=20, k=9)))
    assert ops(made, memref.Prefetch)
    assert not ops(check(Product("km", "kn", "mn", sizes(m=6, n=20, k=9))), memref.Prefetch)


def test_tasks_pack_the_panels_that_they_alone_use() -> None:
    """What one core writes and others read is dear, unless rows do not stay in L3 meanwhile."""
    shape = Shape(1, 512, 512, (512,), 4, rows_along_sum=True, lanes_ready=True)
    choice = tiling.model(shape, V3)
    assert (choice.rows_in, choice.lanes_in, choice.grid[1]) == ("memory", "scratch", 1)
    made = tiling.tiling_from(shape, V3, choice)
    assert made.block * made.depth * made.stripes[0].lanes.size * 4 <= V3.l2 // 2
    large = Shape(1, 4096, 512, (4096,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.model(large, V3).lanes_in == "panels"


def test_panels_serve_all_positions_that_share_them() -> None:
    """The second factor is the same for all b: it is packed outside their loop."""
    made = check(Product("mbk", "nk", "bmn", sizes(m=40, b=5, n=16, k=20)))
    products = [loop for loop in ops(made, scf.For) if _holds(loop, vector.OuterProduct)]
    assert len(products) > 1
    assert ops(made, vector.Transpose)
    assert not [loop for loop in products if _holds(loop, vector.Transpose)]


def _holds(loop: scf.For, cls: type[Any]) -> bool:
    return any(isinstance(op, cls) for op in loop.walk())


def test_a_long_sum_for_few_panels_is_cut_where_rows_lie_across_it() -> None:
    """Slices of the rows stay in L2 as they are; more panels pay for packing all of them."""
    tall = Shape(1, 256, 64, (25088,), 4, False, True, rows_ready=True)
    choice = tiling.model(tall, V3)
    assert (choice.rows_in, choice.lanes_in) == ("memory", "scratch")
    assert 256 * choice.depth * 4 <= V3.l2 // 2
    assert tiling.fits(tall, V3, choice)
    assert tiling.model(replace(tall, lanes=2048), V3).rows_in == "panels"
    assert tiling.model(replace(tall, sums=(500,)), V3).rows_in == "panels"


def test_rows_beyond_the_last_cache_are_read_by_one_task_each() -> None:
    shape = Shape(1, 25088, 64, (256,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.model(shape, V3).grid[2] == 1


@pytest.mark.sampled
@pytest.mark.parametrize("blocks", [3, 9])
@pytest.mark.parametrize(("a", "b"), [("km", "kn"), ("km", "nk"), ("bkm", "bkn")])
def test_parts_of_a_long_sum(a: str, b: str, blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of small whole numbers have no rounding, in whatever order they are taken."""
    monkeypatch.setattr(sum_parts, "LEAST_BLOCKS", 1)
    for module in (sum_parts, tiling, tile_tasks):
        monkeypatch.setattr(module, "BLOCK_POSITIONS", 16)
    arrays = Product.arrays
    monkeypatch.setattr(Product, "arrays", lambda p: [np.rint(x * 4) for x in arrays(p)])
    for start in ("0.0", "@"):
        extents = sizes(b=2, m=7, n=19, k=16 * blocks + 5)
        followers = [BIAS] if start != "@" else []
        made = check(Product(a, b, a[:-2] + "mn", extents, followers, starts_with=start))
        assert bool(ops(made, scf.If)) == (blocks > 3), "parts are added up block by block"


@pytest.mark.sampled
@pytest.mark.parametrize("element", ["f16", "bf16"])
@pytest.mark.parametrize("lanes", [19, 150])
def test_parts_of_a_long_sum_widen_what_they_read(
    element: str, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each block by block, rows and lanes: nothing is packed ahead."""
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
    made = lowered(job, f"{FUSED},bufferize{{target=x86-64-v3}}")
    assert same_bits(run_job(made, dict(zip("ab", arrays, strict=True)))["0"], wanted)
    assert {a.name for f in made.functions() for a in f.arguments if "s" in a.name} == {"sums"}
    packed = [op.results[0].type for op in ops(made, memref.Alloca)]
    assert {type.shape[1] for type in packed} == {16}
    widths = {type.shape[2] for type in packed}
    assert min(widths) <= 6 < max(widths), "micropanels and panels"
    assert sum(type.count * 4 for type in packed) <= tiling.TASK_FRAME_BYTES


@pytest.mark.parametrize("outer", [1, 4])
def test_extents_alone_say_how_many_parts_a_sum_has(outer: int) -> None:
    shape = Shape(outer, 64, 48, (100003,), 4, False, True, rows_ready=True)
    for target in REAL.values():
        assert tiling.tiling_of(shape, target).parts == 32 // outer
        assert tiling.tiling_of(shape, target).tasks == 32
        assert not tiling.fits(shape, target, replace(tiling.model(shape, target), depth=128))
    made = replace(shape, rows_ready=False, rows_made=True, lanes_ready=False)
    assert tiling.parts(made) == 32 // outer
    assert tiling.fits(made, V3, tiling.model(made, V3))
    assert str(made) != str(replace(made, rows_made=False))
    assert tiling.parts(replace(shape, sums=(500,))) == 1
    assert tiling.parts(replace(shape, rows=4096, lanes=4096)) == 1
    seen = Shape(outer, 64, 48, (8, 56, 56), 4, False, True, above=9, is_of_windows=True)
    for target in REAL.values():
        made = tiling.tiling_of(seen, target)
        assert (made.parts, made.single, made.depth) == (8, 1, 4)
    assert tiling.parts(replace(seen, lanes=480)) == 1


@pytest.mark.parametrize("target", REAL)
@pytest.mark.parametrize("bytes", [4, 8])
def test_scratch_holds_the_panels_of_a_block_of_windows(target: str, bytes: int) -> None:
    """Long rows are cut in narrower panels; those that are longer still, not into parts."""
    for width, ready, is_cut in ((101, False, True), (2000, True, True), (20_000, True, False)):
        sums = (8, 130, width)
        shape = Shape(1, 5, 48, sums, bytes, False, ready, above=3, is_of_windows=True)
        made = tiling.tiling_of(shape, REAL[target])
        assert (made.parts > 1) is is_cut
        wide = sum(stripe.lanes.size for stripe in made.stripes)
        deep = made.depth * width
        assert not is_cut or deep * wide * bytes <= tiling.TASK_FRAME_BYTES


def test_unfinished_sums_stay_near() -> None:
    shape = Shape(1, 4096, 4096, (4096,), 4, rows_along_sum=True, lanes_ready=True)
    choice = tiling.model(shape, V3)
    _, down, across = choice.grid
    assert choice.depth < 4096
    assert 4096 / down * 4096 / across * 4 <= V3.l2 / 4


@pytest.mark.parametrize("across", [1, 2])
def test_first_tiles_keep_rows_across_the_sum_for_those_beside_them(
    monkeypatch: pytest.MonkeyPatch, across: int
) -> None:
    """Panels are read as they lie; the last one, narrower, has rows of its own, where not each
    task has all panels."""
    cut_so(monkeypatch, "scratch", "memory", (1, 2, across), keeps=True)
    made = check(Product("km", "kn", "mn", sizes(m=27, n=200, k=11), [BIAS]), "x86-64-v4")
    multiply = {op.parent for op in ops(made, vector.OuterProduct)}
    keep = {op.parent for op in ops(made, vector.Store)} & multiply
    assert keep
    assert multiply - keep
    named = [a for f in ops(made, func.Func) for a in f.arguments]
    rows = [a for a in named if isinstance(a.type, MemRefType) and a.type.shape == (11, 27)]
    reads = {op.parent for op in made.walk() if any(a in op.operands for a in rows)}
    assert bool(reads & (multiply - keep)) is (across > 1)


@pytest.mark.parametrize(("size", "tiles"), [(256, 20), (300, 24)])
def test_tiles_that_keep_rows_are_high_and_as_many_as_threads_share_evenly(
    size: int, tiles: int
) -> None:
    shape = Shape(1, size, size, (size,), 4, False, True, rows_ready=True)
    made = tiling.tiling_of(shape, REAL["x86-64-v4"])
    assert made.keeps
    assert made.grid == (1, tiles, 1)
    assert {rows.size for stripe in made.stripes for rows in stripe.rows} == {12, 13}
    assert not tiling.tiling_of(shape, REAL["x86-64-v3"]).keeps


@pytest.mark.parametrize(("rows", "at_once"), [(260, 4), (224, 1)])
def test_tiles_that_keep_rows_take_several_positions_where_registers_are_left(
    rows: int, at_once: int
) -> None:
    """For 13 rows of two vectors they are, for 14 not."""
    shape = Shape(1, rows, 256, (256,), 4, False, True, rows_ready=True)
    made = tiling.tiling_of(shape, REAL["x86-64-v4"])
    assert made.keeps
    product = Product("km", "kn", "mn", sizes(m=rows, n=256, k=256))
    loops = lowered(parse_module(product.text()), "bufferize{target=x86-64-v4}")
    keep = {op.parent for op in ops(loops, vector.Store)}
    multiply = Counter(op.parent for op in ops(loops, vector.OuterProduct))
    assert {count for block, count in multiply.items() if block in keep} == {at_once}


def test_panels_that_are_transposed_are_narrow_so_that_they_are_many() -> None:
    """Of about equals: each part of the rows transposes all of them."""
    shape = Shape(1, 300, 300, (300,), 4, True, False, lanes_along_sum=True)
    assert tiling.tiling_of(shape, REAL["x86-64-v4"]).stripes[0].lanes.size == 32
    ready = replace(shape, lanes_ready=True, lanes_along_sum=False)
    assert tiling.tiling_of(ready, REAL["x86-64-v4"]).stripes[0].lanes.size == 64


def test_wide_and_low_tiles_are_none_where_others_take_about_as_long() -> None:
    """Of 200 lanes eight vectors leave the fewest idle, but two rows of them read too much."""
    shape = Shape(1, 300, 200, (256,), 4, rows_along_sum=True, lanes_ready=True)
    assert tiling.tiling_of(shape, REAL["x86-64-v4"]).stripes[0].rows[0].size >= 6


@pytest.mark.parametrize(
    ("rows", "depth", "asked"), [(384, 384, 2), (512, 512, 2), (128, 128, 1), (768, 768, 0)]
)
def test_rows_across_the_sum_are_read_as_they_lie_where_tiles_have_time_to_ask(
    rows: int, depth: int, asked: int
) -> None:
    """For lines of later positions; and of the tile below, where L2 hardly has them yet."""
    target = REAL["x86-64-v4"]
    made = tiling.tiling_of(Shape(1, rows, 512, (depth,), 4, False, True, rows_ready=True), target)
    assert made.rows_in == ("memory" if asked else "panels")
    product = Product("km", "kn", "mn", sizes(m=rows, n=512, k=depth))
    loops = lowered(parse_module(product.text()), "bufferize{target=x86-64-v4}")
    found = {op.locality for op in ops(loops, memref.Prefetch)}
    assert (2 in found) is (asked == 2)


def test_rows_a_page_apart_do_not_take_all_ways_of_the_cache() -> None:
    heights = [
        tiling.tiling_of(Shape(1, 840, 2, (sums,), 4, True, True), V3).stripes[0].rows[0].size
        for sums in (1000, 1024)
    ]
    assert heights == [14, 6]


def test_tiles_have_few_heights() -> None:
    """Each is code of its own: lower tiles are of one height, a rest of panels has the others'."""

    def heights(level: str, rows: int, lanes: int) -> list[list[int]]:
        shape = Shape(1, rows, lanes, (100,), 4, rows_along_sum=True, lanes_ready=True)
        stripes = tiling.tiling_of(shape, REAL[level]).stripes
        return [[section.size for section in stripe.rows] for stripe in stripes]

    assert heights("x86-64-v4", 100, 512) == [[10]]
    assert heights("x86-64-v4", 512, 784) == [[14, 13], [14, 13]]
    assert heights("x86-64-v3", 100, 512) == [[6, 5]]  # 5 x 2 sums leave no time to spare
    assert heights("x86-64-v3", 120, 100) == [[6], [14, 13]]  # a rest of 6 x 1 sums takes longer


def test_panels_are_read_once_where_a_tile_has_all_rows() -> None:
    shape = Shape(1, 10, 512, (784,), 4, rows_along_sum=True, lanes_ready=True)
    for level, rows in (("x86-64-v4", 10), ("x86-64-v4", 7), ("x86-64-v3", 4)):
        stripes = tiling.tiling_of(replace(shape, rows=rows), REAL[level]).stripes
        assert all(stripe.tiles == 1 for stripe in stripes)


def test_rows_a_page_apart_that_are_packed_have_tiles_of_full_height() -> None:
    """The more places of L1 a line may be in, the more rows are read as they lie."""
    target = REAL["x86-64-v4"]
    few, many = (
        tiling.tiling_of(Shape(1, 1024, lanes, (1024,), 4, True, True), target)
        for lanes in (2, 1024)
    )
    assert (few.rows_in, many.rows_in) == ("memory", "panels")
    heights = [made.stripes[0].rows[0].size for made in (few, many)]
    assert heights == [target.ways - 2, 14]


def test_few_tasks_read_rows_from_beyond_the_second_cache() -> None:
    """Several panels pass by a row that comes from there, and all panels are packed but once."""
    shape = Shape(1, 1024, 1024, (1024,), 4, rows_along_sum=True, lanes_ready=True)
    target = REAL["x86-64-v4"]
    made = tiling.tiling_of(shape, target)
    assert made.block == made.panels // made.grid[2] == 2
    assert made.grid[1] == 1
    assert tiling.model(shape, replace(target, rate=0)).grid[2] == made.panels


@pytest.mark.parametrize("turned", ["false", "true"])
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_halves_are_widened_where_they_are_read(element: str, turned: str) -> None:
    """They are multiplied and added up as f32, and rounded once."""
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
    made = lowered(module, f"{FUSED},bufferize")
    assert len(list(made.functions())) == 2, "one group"
    assert ops(made, vector.OuterProduct)
    got = run_job(made, dict(zip("ab", arrays, strict=True)))["0"]
    assert same_bits(got, wanted)


def test_an_update_is_computed_in_registers_over_the_old_value() -> None:
    made = check(Product("km", "kn", "mn", sizes(m=24, n=40, k=9), [("@", "arith.subf")]))
    assert not ops(made, memref.Copy)
    group = next(f for f in made.functions() if f.sym_name != "job")
    assert [str(a.type) for a in group.arguments] == [
        "memref<9x24xf32>", "memref<9x40xf32>", "memref<24x40xf32>",
    ]  # fmt: skip


@pytest.mark.parametrize("names", ["%a, %w, %w", "%w, %b, %w", "%w, %w, %w"])
def test_a_product_with_the_variable_that_it_replaces(names: str) -> None:
    """It is not written over that, of which other tiles read elements later."""
    text = Product("mk", "kn", "mn", sizes(m=18, n=18, k=18), [("@", "arith.subf")]).text()
    module = parse_module(text.replace("@group(%a, %b, %w)", f"@group({names})"))
    draw = np.random.default_rng(4).standard_normal
    arrays = [draw((18, 18)).astype(np.float32) for _ in range(3)]
    wanted = interpret(module, arrays)
    made = lowered(module, "bufferize")
    assert ops(made, vector.OuterProduct)
    got = run_job(made, dict(zip("abw", arrays, strict=True)))
    assert same_bits(got["w"], wanted[0])


@pytest.mark.parametrize("axis", [0, 1])
def test_a_product_beside_another_tensor_in_a_stack(axis: int) -> None:
    """Both are written: the product is in its place before the other one is."""
    pair = ["tensor<1x20x40xf32>", "tensor<20x1x40xf32>"][axis]
    made = ["tensor<2x20x40xf32>", "tensor<20x2x40xf32>"][axis]
    extents = ["1, 20, 40", "20, 1, 40"][axis]
    module = parse_module(
        f"""module attributes {{job.type = "predict"}} {{
        func.func @job(%a: tensor<20x33xf32> {{job.feed = "a"}},
            %b: tensor<33x40xf32> {{job.feed = "b"}}, %c: tensor<20x40xf32> {{job.feed = "c"}})
            -> ({made} {{job.fetch = "0"}}) {{
          %y = "flow.matmul"(%a, %b) : (tensor<20x33xf32>, tensor<33x40xf32>) -> tensor<20x40xf32>
          %0 = "flow.reshape"(%y) {{shape = array<i64: {extents}>}} : (tensor<20x40xf32>) -> {pair}
          %1 = "flow.reshape"(%c) {{shape = array<i64: {extents}>}} : (tensor<20x40xf32>) -> {pair}
          %2 = "flow.concat"(%0, %1) {{axis = {axis} : i64}} : ({pair}, {pair}) -> {made}
          return %2 : {made}
        }} }}"""
    )
    check_stack(module, FUSED, axis)


def check_stack(module: Module, pipeline: str, axis: int) -> None:
    draw = np.random.default_rng(5).standard_normal
    arrays = [draw(shape).astype(np.float32) for shape in ((20, 33), (33, 40), (20, 40))]
    made = lowered(module, ",".join(filter(None, [pipeline, "bufferize"])))
    got = run_job(made, dict(zip("abc", arrays, strict=True)))["0"]
    wanted = np.stack([arrays[0] @ arrays[1], arrays[2]], axis)
    np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


def test_a_group_that_places_a_product_and_more_beside_it() -> None:
    """Text may have such groups; tiles store what comes last alone, so it is none of tiles."""
    y, made, place = "tensor<20x40xf32>", "tensor<2x20x40xf32>", "affine_map<(i, j) -> (i, j)>"
    module = parse_module(
        f"""module attributes {{job.type = "predict"}} {{
        func.func @job(%a: tensor<20x33xf32> {{job.feed = "a"}},
            %b: tensor<33x40xf32> {{job.feed = "b"}}, %c: {y} {{job.feed = "c"}})
            -> ({made} {{job.fetch = "0"}}) {{
          %r = call @group(%a, %b, %c)
            : (tensor<20x33xf32>, tensor<33x40xf32>, {y}) -> {made}
          return %r : {made}
        }}
        func.func private @group(%a: tensor<20x33xf32>, %b: tensor<33x40xf32>, %c: {y}) -> {made} {{
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
          %3 = tensor.empty() : {made}
          %4 = linalg.generic {{indexing_maps = [{place}, affine_map<(i, j) -> (0, i, j)>],
              iterator_types = ["parallel", "parallel"]}} ins(%2 : {y}) outs(%3 : {made}) {{
          ^bb0(%x: f32, %o: f32):
            linalg.yield %x : f32
          }} -> {made}
          %5 = linalg.generic {{indexing_maps = [{place}, affine_map<(i, j) -> (1, i, j)>],
              iterator_types = ["parallel", "parallel"]}} ins(%c : {y}) outs(%4 : {made}) {{
          ^bb0(%x: f32, %o: f32):
            linalg.yield %x : f32
          }} -> {made}
          return %5 : {made}
        }} }}"""
    )
    check_stack(module, "", 0)


def test_no_case_of_zero_is_a_tile() -> None:
    check(Product("mk", "kn", "mn", sizes(m=3, n=4, k=0), [("n", "arith.addf")]))
    run_pipeline(parse_module(Product("mk", "kn", "mn", sizes(m=0, n=4, k=2)).text()), "bufferize")


@pytest.mark.parametrize(("depth", "lanes", "on_the_way"), [(64, 3136, False), (512, 2048, True)])
def test_panels_are_packed_on_the_way_where_scratch_holds_few(
    depth: int, lanes: int, on_the_way: bool
) -> None:
    """Many short ones are copied along rows, from memory that lies in order."""
    shape = Shape(1, 64, lanes, (depth,), 4, True, True)
    made = tiling.tiling_of(shape, REAL["x86-64-v4"])
    assert made.lanes_in == "scratch"
    assert made.packs_first is on_the_way
