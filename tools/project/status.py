"""The status page: the checks that each tensor op passes, the facets that it lacks, and why.

`penstock ops --status` prints it, `make docs` keeps it in docs/status.md. It is generated from the
op classes and the checks of `penstock.testing`, none of which it runs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import penstock
from penstock.basics.names import ONEFLOW_NAMES
from penstock.basics.not_offered import instead_of
from penstock.ir.dialects.flow.base import FLOATS, STORED, TensorOp, tensor
from penstock.testing import CHECKS, checks_of, gradients, native
from penstock.testing.cases import Case, cases_of, tensor_ops
from penstock.testing.native import derived_cases
from penstock.testing.variants import CORNERS, corner_cases

__all__ = ["page"]

_HEAD = """\
# The status of the operations

This page is made from the op classes in `ir/dialects/` and from the checks in `frontend/testing/`
by `make docs`; `penstock ops --status` prints it. `tests/conformance` runs every check on every op;
a check that an op does not pass fails there, so that nothing on this page is a claim alone.
`penstock ops --check` runs them by itself and counts what each tried. Beside these, stock
`mlir-opt` verifies every call, as it is and lowered.
"""


def page() -> str:
    """The whole page in Markdown."""
    ops = tensor_ops()
    calls = {name: [*cases_of(cls), *derived_cases(cls)] for name, cls in ops.items()}
    parts = [
        _HEAD,
        "\n".join(_totals(ops, calls)),
        "## Checks\n\n" + "\n".join(_checks(ops)),
        "\n".join(_counts(ops)),
        "## Waived\n\n" + "\n".join(_waived(ops)),
        "## Shapes\n\n" + "\n".join(_shapes(ops, calls)),
        "## OneFlow's names\n\n" + "\n".join(_names()),
        "## Ops and dtypes\n\n" + "\n".join(_ops(ops, calls)),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


Ops = dict[str, type[TensorOp]]
Calls = dict[str, list[Case]]


def _totals(ops: Ops, calls: Calls) -> Iterator[str]:
    sizes = {name: lines_of(cls) for name, cls in ops.items()}
    longest = max(sizes, key=lambda name: (sizes[name], name))
    pairs = sum(len(dtypes_of(cases)) for cases in calls.values())
    own = sum(len(cases_of(cls)) for cls in ops.values())
    yield f"- Ops: {len(ops)}, in {pairs} pairs of op and dtype."
    tried = sum(map(len, calls.values()))
    yield f"- Calls: {tried}, of which the classes list {own}; gradients are taken of more."
    yield (
        f"- Lines of a class: {median(sizes.values()):.0f} in the median, at most "
        f"{sizes[longest]} (`{longest}`)."
    )


def lines_of(cls: type[TensorOp]) -> int:
    """The lines of an op's class, with its documentation and samples.

    >>> from penstock.ir.dialects.flow.pointwise.arithmetic import Relu
    >>> 10 < lines_of(Relu) < 50
    True
    """
    return len(inspect.getsource(cls).splitlines())


def _checks(ops: Ops) -> Iterator[str]:
    yield "| check | what it holds | ops | without |"
    yield "|---|---|---|---|"
    for name, (run, _) in CHECKS.items():
        without = [op for op, cls in ops.items() if name not in checks_of(cls)]
        said = (inspect.getdoc(run) or "").replace("\n", " ").partition("; how many")[0]
        said = said.partition("; Failure")[0].rstrip(".")
        shown = _codes(without) if len(without) < 4 else f"{len(without)} ops, see below"
        yield f"| {name} | {said} | {len(ops) - len(without)} | {shown} |"


_COUNTS: Sequence[tuple[str, int, Callable[[type[TensorOp]], int], str]] = (
    ("compiled", native.WANTED_SHAPES, native.shapes_called, "native, derived"),
    ("gradient by differences", gradients.WANTED_SHAPES, gradients.shapes_derived, "gradient"),
    ("gradient compiled", gradients.COMPILED, gradients.shapes_compiled, "native gradient"),
)
"""Checks with a minimum number of shapes: that number, its count, and the check."""


def _counts(ops: Ops) -> Iterator[str]:
    yield "Of how many shapes the operands of an op are, whatever the dtypes and attributes:\n"
    yield "| what | shapes asked for | least | fewer |"
    yield "|---|---|---|---|"
    for what, asked, count, check in _COUNTS:
        shapes = {op: count(cls) for op, cls in ops.items() if check in checks_of(cls)}
        fewer = [op for op, n in shapes.items() if n < asked]
        least = min(n for op, n in shapes.items() if op not in fewer)
        reasons = {ops[op].waived.get("shapes", "no reason") for op in fewer}
        shown = "; ".join(
            f"{reason}: {_codes([op for op in fewer if ops[op].waived.get('shapes') == reason])}"
            for reason in sorted(reasons)
        )
        yield f"| {what} | {asked} | {least} | {shown} |"


def _waived(ops: Ops) -> Iterator[str]:
    """Each reason with the ops that give it."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, cls in ops.items():
        for facet, reason in cls.waived.items():
            reasons.setdefault((facet, reason), []).append(name)
    for (facet, reason), names in sorted(reasons.items()):
        yield f"- {facet}: {reason}. {_codes(names)}"


def _shapes(ops: Ops, calls: Calls) -> Iterator[str]:
    yield (
        "Each op is tried on each of these classes of shapes, but for those that its `infer` "
        "refuses, with this sentence:"
    )
    refused: dict[str, dict[str, list[str]]] = {corner: {} for corner in CORNERS}
    for name, cls in ops.items():
        for corner, reason in corner_cases(cls)[1].items():
            said = _general(reason.removeprefix(f"{name}: "))
            refused[corner].setdefault(said, []).append(name)
    for corner, holds in CORNERS.items():
        tried = sum(any(holds(case.shapes) for case in cases) for cases in calls.values())
        yield f"\n**{corner}**: {tried} ops."
        for reason, names in sorted(refused[corner].items()):
            shown = _codes(names) if len(names) <= 12 else f"{len(names)} ops"
            yield f"- {reason}: {shown}"


def _general(reason: str) -> str:
    """A sentence without the extents and types of one call."""
    return re.sub(r"-?\d+", "N", re.sub(r"tensor<[^>]*>", "a tensor", reason))


def _ops(ops: Ops, calls: Calls) -> Iterator[str]:
    columns = [str(element) for element in STORED]
    yield (
        "Native results are within so many *units* of the float64 reference as the op's family "
        "states: see `frontend/testing/accuracy.py` for what a unit is. Without a number they are "
        "exact.\n"
    )
    yield f"| op | calls | units | {' | '.join(columns)} | without |"
    yield "|---" * (4 + len(columns)) + "|"
    for name, cls in ops.items():
        taken = dtypes_of(calls[name])
        marks = " | ".join("x" if column in taken else "" for column in columns)
        without = ", ".join(sorted(cls.waived))
        floats = taken.intersection(map(str, FLOATS)) and not cls.moves
        units = f"{cls.ulps:g}" if floats else ""
        yield f"| {name} | {len(calls[name])} | {units} | {marks} | {without} |"


def dtypes_of(cases: Sequence[Case]) -> set[str]:
    """The dtypes of operands, or of results where there are no operands."""
    values = [v for case in cases for v in case.op.operands or case.op.results]
    return {str(tensor(value).element) for value in values}


# -- names ----------------------------------------------------------------------------------------


def oneflow_names() -> tuple[list[str], list[str], set[str]]:
    """The most used public names of OneFlow, all others, and which of them are ops."""
    most, others = ONEFLOW_NAMES.read_text(encoding="utf-8").split("# Others\n")
    lists = [[line for line in text.splitlines() if line[0] != "#"] for text in (most, others)]
    ops = {line.removesuffix(" *") for lines in lists for line in lines if line.endswith(" *")}
    first, rest = ([line.removesuffix(" *") for line in lines] for lines in lists)
    return first, rest, ops


def is_there(name: str) -> bool:
    """Whether penstock has OneFlow's name; a private module does not count.

    >>> is_there("nn.relu"), is_there("nn.relu7")
    (True, False)
    """
    found: object = penstock
    if name.partition(".")[0] not in dir(penstock):
        return False
    for part in name.split("."):
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def _names() -> Iterator[str]:
    most, others, ops = oneflow_names()
    there = {name for name in (*most, *others) if is_there(name)}
    groups = (
        (f"the {len(most)} names that OneFlow's documentation, tests and examples use most", most),
        ("the ops among these", [name for name in most if name in ops]),
        ("all names", [*most, *others]),
        ("all ops", [name for name in (*most, *others) if name in ops]),
    )
    for words, names in groups:
        yield f"- Of {words}: {len(there.intersection(names))} of {len(names)}."
    missing = [name for name in (*most, *others) if name in ops and name not in there]
    yield f"\nOf the names that are not offered, ops are marked *: {len(missing)}.\n"
    rest = [name for name in (*most, *others) if name not in ops and name not in there]
    said: dict[str, list[str]] = {}
    for name in (*missing, *rest):
        said.setdefault(instead_of(name), []).append(f"`{name}`{'*' * (name in ops)}")
    yield "| not offered | instead, or why |"
    yield "|---|---|"
    for sentence, names in said.items():
        yield f"| {', '.join(names)} | {sentence} |"


def _codes(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
