"""Which ops of a group one kernel computes, by rows: those whose threads need only their own rows.

    %m = max over d1 of x[d0, d1];  %e = exp(x[d0, d1] - m[d0]);  %s = sum over d1 of e[d0, d1]

With d0 as the rows, a thread that has a row reads of %m and %e what it has computed itself, so one
kernel computes all three. With d0 and d1 as the rows of %e, it could not: %s needs whole rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg, tensor
from penstock.ir.types import TensorType
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import initial_value, is_only_initial

Rows = tuple[int, ...]
"""Dimensions of an op that index the rows, in the order of the kernel's row dimensions."""


def shareable(op: linalg.Generic) -> Rows:
    """The dimensions whose positions write elements of their own, as the first output has them."""
    subscripts = generics.output_map(op, 0).results
    alone = (set(expr.dims()) for expr in subscripts)
    found = dict.fromkeys(dim for dims in alone if len(dims) == 1 for dim in dims)
    return tuple(d for d in found if op.iterator_types[d] == "parallel" and _is_written_by(op, d))


def _is_written_by(op: linalg.Generic, dim: int) -> bool:
    """Whether each position of a dimension writes elements of its own, of every output: it is a
    subscript, or a multiple of it and a number are."""
    return all(
        any(_is_multiple_of(expr, dim, map.rank) for expr in map.results)
        for map in (generics.output_map(op, k) for k in range(len(op.results)))
    )


def _is_multiple_of(expr: Expr, dim: int, rank: int) -> bool:
    factors = generics.coefficients(expr, rank)
    return factors is not None and [d for d, n in enumerate(factors) if n] == [dim]


def candidates(op: linalg.Generic) -> Iterator[Rows]:
    """The choices of rows for the first op of a kernel, all dimensions first."""
    dims = shareable(op)
    for count in range(len(dims), -1, -1):
        yield from combinations(dims, count)


def run_of(ops: Sequence[linalg.Generic], rows: Rows) -> dict[linalg.Generic, Rows]:
    """The ops that one kernel can compute if the first has these rows, with the rows of each."""
    found = {ops[0]: rows}
    for op in ops[1:]:
        linked = None if _starts_alone(op) else _linked(op, found)
        if linked is None:
            break
        found[op] = linked
    return found


def _starts_alone(op: linalg.Generic) -> bool:
    """Whether an op goes on from a tensor that must be copied first."""
    return any(
        generics.reads_old(op, k)
        and initial_value(op, k) is None
        and not isinstance(value.defining_op, tensor.Empty)
        for k, value in enumerate(op.outputs)
    )


def _linked(op: linalg.Generic, run: dict[linalg.Generic, Rows]) -> Rows | None:
    """The rows of an op that joins a kernel; None if it needs what other threads compute."""
    made = {result for before in run for result in before.results}
    if made & set(generics.captured(op)):
        return None
    must: set[Rows | None] = set()
    may: list[Rows] = []
    for value, map in accesses(op):
        for before, rows in run.items():
            for other, there in accesses(before):
                if other is value:
                    linked = _same_rows(op, map, there, rows)
                    if value in made:
                        must.add(linked)
                    elif linked is not None:
                        may.append(linked)
    if len(must) > 1 or None in must:
        return None
    linked = must.pop() if must else next(iter(may), None)
    return None if linked is None or _overwrites(op, linked, run, made) else linked


def _overwrites(
    op: linalg.Generic, rows: Rows, run: Mapping[linalg.Generic, Rows], made: Collection[Value]
) -> bool:
    """Whether a result, in the buffer of a tensor of its type, may overwrite what other rows read.

    Which results are in place is decided later, so any that could be counts.
    """
    for k, result in enumerate(op.results):
        target = generics.output_map(op, k)
        for before, theirs in run.items():
            if any(_may_give(value, op, result) for value in generics.captured(before)):
                return True
            for other, there in accesses(before):
                if other in made or not _may_give(other, op, result):
                    continue
                # An argument is overwritten only if all ops read it where the result is written.
                if isinstance(other, BlockArgument) and there != target:
                    continue
                if _same_rows(op, target, there, theirs) != rows:
                    return True
    return False


def _may_give(value: Value, op: linalg.Generic, result: Value) -> bool:
    """Whether a result of an op may lie in the buffer of a tensor that earlier ops read."""
    if not isinstance(value.type, TensorType) or value.type is not result.type:
        return False
    return isinstance(value, BlockArgument) or value in op.inputs


def may_spoil(writer: linalg.Generic, inlined: Iterable[linalg.Generic]) -> bool:
    """Whether a result may lie in the buffer of what ops read that are computed where needed.

    Other threads read it there at any time of the kernel. A result may be in place of an argument
    because a later op continues in its buffer.
    """
    for op in inlined:
        for value, map in accesses(op):
            # An argument is overwritten only if each element is read where it is written.
            reads_each_once = map.is_projected_permutation and len(map.results) == map.rank
            if isinstance(value, BlockArgument) and not reads_each_once:
                continue
            if value not in op.results and any(_may_give(value, writer, r) for r in writer.results):
                return True
    return False


def positions_of(op: linalg.Generic, root: linalg.Generic) -> Rows | None:
    """The dimensions of an op that goes over the result of another, as that result has them; None
    if it does not go over it element by element."""
    written = generics.output_map(root, 0).dims()
    run = run_of([root, op], tuple(written))
    dims = run.get(op)
    if dims is None or not op.is_parallel or len(dims) != len(op.iterator_types):
        return None
    return dims


def accesses(op: linalg.Generic) -> Iterator[tuple[Value, AffineMap]]:
    """The tensors that an op reads or writes at subscripts of its dimensions."""
    inputs = len(op.inputs)
    for i, argument in enumerate(generics.input_arguments(op)):
        if argument.uses:
            yield op.inputs[i], op.indexing_maps[i]
    for k, result in enumerate(op.results):
        yield result, op.indexing_maps[inputs + k]
        if generics.reads_old(op, k) and not _is_initial(op.outputs[k]):
            yield op.outputs[k], op.indexing_maps[inputs + k]


def _is_initial(value: Value) -> bool:
    producer = value.defining_op
    return isinstance(producer, linalg.Generic) and is_only_initial(producer)


def _same_rows(op: linalg.Generic, map: AffineMap, there: AffineMap, rows: Rows) -> Rows | None:
    """The dimensions of an op that subscript a tensor where the rows of another op do."""
    found = []
    for dim in rows:
        if Dim(dim) not in there.results:
            return None
        expr = map.results[there.results.index(Dim(dim))]
        if not isinstance(expr, Dim) or op.iterator_types[expr.index] != "parallel":
            return None
        if not _is_written_by(op, expr.index):
            return None
        found.append(expr.index)
    return tuple(found) if len(set(found)) == len(found) else None
