"""Launches of kernels, by the host."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, IntegerAttr, SymbolRefAttr
from penstock.ir.codecs import NESTED_SYMBOL
from penstock.ir.constraints import ANY, INDEX, INTEGER
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.gpu.kernel import (
    CONTAINER,
    MAX_BLOCK,
    MAX_GRID,
    MAX_THREADS,
    GpuFunc,
    check_sizes,
)
from penstock.ir.opdef import SEGMENTS, attribute, operand, operands, segment_sizes

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer


class LaunchFunc(Operation):
    """Launch a kernel over a grid of blocks of threads; launches run in order.

    Upstream's asynchronous tokens and objects are not supported.
    """

    name = "gpu.launch_func"
    dependencies = operands(ANY)
    grid_x = operand(INDEX)
    grid_y = operand(INDEX)
    grid_z = operand(INDEX)
    block_x = operand(INDEX)
    block_y = operand(INDEX)
    block_z = operand(INDEX)
    cluster_x = operands(INDEX)
    cluster_y = operands(INDEX)
    cluster_z = operands(INDEX)
    shared_bytes = operands(INTEGER)
    passed = operands(ANY)
    stream = operands(ANY)
    kernel = attribute(NESTED_SYMBOL)

    @staticmethod
    def of(
        kernel: str,
        grid: Sequence[Value],
        block: Sequence[Value],
        passed: Sequence[Value],
        shared_bytes: Value | None = None,
        module: str = "kernels",
        cluster: Sequence[Value] = (),
    ) -> LaunchFunc:
        """A detached launch of a kernel of a `gpu.module`.

        `grid`, `block` and `cluster`, if any, are three indices each; `shared_bytes` is an i32.
        """
        groups: list[Sequence[Value]] = [[]]
        groups += [[value] for value in (*grid, *block)]
        groups += [[value] for value in cluster] or [[], [], []]
        groups += [[] if shared_bytes is None else [shared_bytes], passed, []]
        attributes: dict[str, Attribute] = {
            "kernel": SymbolRefAttr(module, (kernel,)),
            SEGMENTS: segment_sizes(groups),
        }
        return LaunchFunc([value for group in groups for value in group], [], attributes)

    @property
    def grid_sizes(self) -> Sequence[Value]:
        """The blocks of the grid along x, y and z."""
        return self.grid_x, self.grid_y, self.grid_z

    @property
    def block_sizes(self) -> Sequence[Value]:
        """The threads of a block along x, y and z."""
        return self.block_x, self.block_y, self.block_z

    @property
    def cluster_sizes(self) -> Sequence[Value]:
        """The blocks of a cluster along x, y and z; none without clusters."""
        return (*self.cluster_x, *self.cluster_y, *self.cluster_z)

    def write(self, p: Printer, indent: str) -> None:
        """`gpu.launch_func @m::@k clusters in (...) blocks in (...) threads in (...) args(...)`"""
        if self.dependencies or self.stream:
            p.generic_form(self, indent)
            return
        p.out.append(f"{self.name} {self.attributes['kernel']}")
        for word, sizes in (
            ("clusters", self.cluster_sizes),
            ("blocks", self.grid_sizes),
            ("threads", self.block_sizes),
        ):
            p.out.append(f" {word} in ({p.value_list(sizes)})" if sizes else "")
        if self.shared_bytes:
            p.out.append(f" dynamic_shared_memory_size {p.value_list(self.shared_bytes)}")
        if self.passed:
            p.out.append(f" args({', '.join(f'{p.name(v)} : {v.type}' for v in self.passed)})")
        rest = p.attribute_dictionary(self, ["kernel"])
        p.out.append(f" {rest}" if rest else "")

    @classmethod
    def read(cls, p: Parser) -> LaunchFunc:
        """The inverse of `write`."""
        attributes: dict[str, Attribute] = {"kernel": p.symbol()}
        cluster = _sizes(p, "clusters") if p.word == "clusters" else []
        grid, block = _sizes(p, "blocks"), _sizes(p, "threads")
        shared = [p.value()] if p.accept("dynamic_shared_memory_size") else []
        passed: list[Value] = []
        if p.accept("args"):
            p.expect("(")
            while not p.accept(")"):
                if passed:
                    p.expect(",")
                passed.append(p.value())
                p.expect(":")
                p.expect_type(passed[-1])
        attributes = p.optional_dictionary(attributes)
        clusters: list[list[Value]] = [[v] for v in cluster] or [[], [], []]
        groups = [[], *([v] for v in (*grid, *block)), *clusters, shared, passed, []]
        attributes[SEGMENTS] = segment_sizes(groups)
        return cls([v for group in groups for v in group], [], attributes)

    def verify(self) -> None:
        if self.dependencies or self.stream:
            self.fail("has asynchronous operands: expected none, as launches run in order")
        lengths = {len(self.cluster_x), len(self.cluster_y), len(self.cluster_z)}
        if len(lengths) > 1 or max(*lengths, len(self.shared_bytes)) > 1:
            self.fail("expected one size of a cluster along each axis or none, one shared size")
        for value in self.shared_bytes:
            if value.type is not ty.i32:
                self.fail(f"its dynamic shared memory is {value.type}: expected i32")
        around = self.parent
        while around is not None and around.name != "builtin.module":
            around = around.parent
        if around is not None and CONTAINER not in around.attributes:
            self.fail(f"stands in a module without the attribute {CONTAINER}")
        grid, block = map(_numbers, (self.grid_sizes, self.block_sizes))
        check_sizes(self, "its number of blocks", grid, MAX_GRID)
        check_sizes(self, "its number of threads", block, MAX_BLOCK)
        if None not in block and prod(cast("list[int]", block)) > MAX_THREADS:
            self.fail(
                f"has {prod(cast('list[int]', block))} threads per block: expected {MAX_THREADS} "
                "at most"
            )

    def verify_target(self, target: Operation) -> None:
        if not isinstance(target, GpuFunc):
            self.fail(f"launches {target.name}: expected a kernel, gpu.func")
        name, types = f"@{target.sym_name}", tuple(v.type for v in self.passed)
        if types != target.type.inputs:
            self.fail(
                f"passes ({', '.join(map(str, types))}) to {name}, which takes "
                f"({', '.join(map(str, target.type.inputs))})"
            )
        for what, known, sizes in (
            ("blocks", target.known_grid_size, self.grid_sizes),
            ("threads per block", target.known_block_size, self.block_sizes),
            ("blocks per cluster", target.known_cluster_size, self.cluster_sizes),
        ):
            numbers = _numbers(sizes) or [1, 1, 1]
            if known is not None and list(known) != numbers:
                shown = ", ".join("?" if n is None else str(n) for n in numbers)
                self.fail(f"launches ({shown}) {what}: {name} promises {tuple(known)}")


def _sizes(p: Parser, word: str) -> list[Value]:
    """`word in (%x, %y, %z)`"""
    for piece in (word, "in", "("):
        p.expect(piece)
    found = [p.value()]
    for _ in "yz":
        p.expect(",")
        found.append(p.value())
    p.expect(")")
    return found


def _numbers(values: Sequence[Value]) -> list[int | None]:
    """The constants among values."""
    found: list[int | None] = []
    for value in values:
        op = value.defining_op
        held = op.attributes.get("value") if op is not None and not op.operands else None
        found.append(held.value if isinstance(held, IntegerAttr) else None)
    return found
