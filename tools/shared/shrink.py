"""Steps that make a module smaller, and the search that keeps those after which it is still wrong.

After Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002): remove
halves, quarters and so on of the parts, as long as anything can be removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import cast

from penstock.ir.attributes import StringAttr
from penstock.ir.core import Operation
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job import Minimize, WatchDiff
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.opdef import SEGMENTS
from penstock.ir.text.printer import print_module
from penstock.ir.verify.verifier import verify

Wrong = Callable[[Module], bool]
Edit = Callable[[Module, Sequence[int]], None]

_DETAILS = re.compile(r"%[\w.$-]+|'[^']*'|\"[^\"]*\"|@[\w.$-]+|[^\s,]*\d[^\s,]*")
_EXTENT = re.compile(r"(?<=[<x])(\d+)(?=x)")


def count(module: Module) -> int:
    """The number of ops in a module, not counting the module."""
    return sum(1 for _ in module.walk()) - 1


def shrink(module: Module, wrong: Wrong, tell: Callable[[str], object]) -> Module:
    """The smallest module found for which `wrong` holds."""
    best = cast(Module, module.clone())
    while True:
        size = print_module(best)
        for name, parts, edit in _EDITS:
            tell(f"shrinking {name}: {count(best)} ops are left")
            best = _without(best, parts, edit, wrong)
        best = _smaller_extents(best, wrong)
        if print_module(best) == size:
            return best


def _without(
    best: Module,
    parts: Callable[[Module], int],
    edit: Edit,
    wrong: Wrong,
) -> Module:
    """The module without as many parts of one kind as can be removed."""
    chunk = parts(best)
    while chunk:
        end = parts(best)
        while end > 0:
            start = max(end - chunk, 0)
            candidate = _edited(best, edit, range(start, end))
            if candidate is not None and wrong(candidate):
                best = candidate
            end = start
        chunk //= 2
    return best


def _edited(module: Module, edit: Edit, numbers: Sequence[int]) -> Module | None:
    """A copy without these parts, if it differs and verifies."""
    copy = cast(Module, module.clone())
    try:
        edit(copy, numbers)
        verify(copy)
    except IRError:
        return None
    return None if print_module(copy) == print_module(module) else copy


def _ops(module: Module) -> list[Operation]:
    return [op for op in module.job.body if not op.terminator]


def _take_out(module: Module, numbers: Sequence[int]) -> None:
    """Remove ops; feeds replace their results."""
    ops = _ops(module)
    gone = [ops[i] for i in numbers]
    for op in gone:
        for result in op.results:
            if any(user not in gone for user in result.users()):
                argument = module.job.body.add_argument(result.type, result.name)
                result.replace_all_uses_with(argument)
                _add_feed(module)
    for op in reversed(gone):
        op.erase()
    module.job.update_type()


def _bypass(module: Module, numbers: Sequence[int]) -> None:
    """Remove ops; operands of the same type replace their results."""
    ops = _ops(module)
    for op in [ops[i] for i in reversed(numbers)]:
        replacements = [
            next((v for v in op.operands if v.type is result.type), None) for result in op.results
        ]
        if replacements and None not in replacements:
            for result, value in zip(op.results, replacements, strict=True):
                assert value is not None
                result.replace_all_uses_with(value)
            op.erase()


def _learning(module: Module) -> list[Operation]:
    return [op for op in module.job.body if isinstance(op, Minimize | WatchDiff)]


def _learn_nothing(module: Module, numbers: Sequence[int]) -> None:
    """Turn a train job into a predict job."""
    for op in _learning(module):
        op.erase()
    module.attributes["job.type"] = StringAttr("predict")


def _add_feed(module: Module) -> None:
    """Mark the last argument as a feed, if arguments are marked."""
    job = module.job
    number = len(job.arguments) - 1
    entries = [dict(job.argument_attributes(i)) for i in range(number)]
    if any(entries):
        taken = {str(value) for entry in entries for value in entry.values()}
        name = next(f"cut{i}" for i in range(number + 1) if f'"cut{i}"' not in taken)
        job.set_all_argument_attributes([*entries, {"job.feed": name}])


def _drop_results(module: Module, numbers: Sequence[int]) -> None:
    """Remove results, except those that hold the extent of a remaining one."""
    job = module.job
    facts = [dict(job.result_attributes(i)) for i in range(len(job.returned.operands))]
    told = {facts[i].get("job.extent") for i in range(len(facts)) if i not in numbers} - {None}
    kept = [i for i, own in enumerate(facts) if i not in numbers or own.get("job.fetch") in told]
    attributes = [facts[i] for i in kept]
    job.returned.operands = [job.returned.operands[i] for i in kept]
    job.update_type()
    job.set_all_result_attributes(attributes)


def _drop_arguments(module: Module, numbers: Sequence[int]) -> None:
    job = module.job
    gone = {i for i in numbers if not job.arguments[i].uses}
    attributes = [
        dict(job.argument_attributes(i)) for i in range(len(job.arguments)) if i not in gone
    ]
    for i in sorted(gone, reverse=True):
        job.body.erase_argument(i)
    job.update_type()
    job.set_all_argument_attributes(attributes)


def _drop_functions(module: Module, numbers: Sequence[int]) -> None:
    """Remove private functions; if anything calls them, the module fails to verify."""
    functions = [op for op in module.body if op is not module.job]
    for i in reversed(numbers):
        functions[i].erase()


def _described(module: Module) -> list[tuple[Operation, str]]:
    """Attributes that an op does not declare."""
    return [
        (op, name)
        for op in module.job.body
        for name in op.attributes
        if name not in {member.name for member in op.definition.attributes.values()} | {SEGMENTS}
    ]


def _drop_attributes(module: Module, numbers: Sequence[int]) -> None:
    found = _described(module)
    for i in numbers:
        op, name = found[i]
        del op.attributes[name]


_EDITS: tuple[tuple[str, Callable[[Module], int], Edit], ...] = (
    ("training", lambda m: len(_learning(m)), _learn_nothing),
    ("results", lambda m: len(m.job.returned.operands), _drop_results),
    ("ops", lambda m: len(_ops(m)), _take_out),
    ("ops", lambda m: len(_ops(m)), _bypass),
    ("arguments", lambda m: len(m.job.arguments), _drop_arguments),
    ("functions", lambda m: len(list(m.body)) - 1, _drop_functions),
    ("attributes", lambda m: len(_described(m)), _drop_attributes),
)


def _smaller_extents(best: Module, wrong: Wrong) -> Module:
    """Make each extent as small as possible, in all types at once, by editing and parsing the
    text."""
    for extent in sorted({int(n) for n in _EXTENT.findall(print_module(best))}, reverse=True):
        for smaller in (1, 2, 3, extent // 2):
            if smaller >= extent:
                break
            candidate = _with_extent(best, extent, smaller)
            if candidate is not None and wrong(candidate):
                best = candidate
                break
    return best


def _with_extent(module: Module, extent: int, smaller: int) -> Module | None:
    number = re.compile(rf"(?<=[<x]){extent}(?=x)|(?<=[:,] ){extent}(?=[,>])")
    try:
        found = parse_module(number.sub(str(smaller), print_module(module)))
        verify(found)
    except IRError:
        return None
    return found


def kind_of(failure: str) -> str:
    """A failure without the names and numbers, which change while a module shrinks."""
    return _DETAILS.sub("_", failure)
