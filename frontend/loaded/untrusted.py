"""Reads the untrusted text of a job: by an allow-list, within limits.

Allowed is what tracing, autodiff and placement write: one function of `flow`, `job` and `sbp` ops
on tensors. Our own lowering generates all their memory accesses. Ops of lower stages address
memory directly, so their text could access any address.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, StringAttr
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import STORED, TensorOp
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job.views import MIRRORED
from penstock.ir.dialects.parsing import ModuleParser
from penstock.ir.opdef import SEGMENTS, registry
from penstock.ir.text.lexer import short
from penstock.ir.types import TensorType, Type
from penstock.ir.verify.verifier import verify
from penstock.loaded.plans import check_plan
from penstock.runtime.artifacts.rebuild_limits import RebuildLimits

__all__ = ["STAGES", "read_untrusted"]

STAGES = ("job", "grad", "placed")
"""The stages whose text holds allowed ops only."""

_DIALECTS = ("flow", "job", "sbp")
_FRAME = (Module, Func, Return)
_MOST_DIMENSIONS = 32
"""The maximum rank of a value; NumPy's arrays have no more in any version."""

# The attributes that tracing, autodiff and placement add to those that ops declare. Later passes
# add others, which say where memory is; untrusted text must not.
_OF_MODULES = frozenset({"sym_name", "job.type", "job.placement", "job.without_gradient",
    "job.device", "job.devices", "job.float32_matmul_precision", "job.memory", "job.recomputed",
    "job.memory_targets", "sbp.ranks", "sbp.mesh", "sbp.groups", "sbp.plan",
    "sbp.machine"})  # fmt: skip
_OF_OPS = frozenset({"job.placement", "sbp.placement", "sbp.signature", "sbp.bucket",
    "sbp.deferred", "sbp.group"})  # fmt: skip
_OF_ARGUMENTS = {
    "job.feed": frozenset({"sbp.state", MIRRORED}),
    "job.variable": frozenset({"job.initializer", "job.trainable", "job.regularizer",
        "job.placement", "sbp.placement", "sbp.state", "sbp.group"}),
}  # fmt: skip
_OF_RESULTS = {
    "job.fetch": frozenset({"job.extent", "job.dimension"}),
    "job.update": frozenset[str](),
}


def read_untrusted(text: str, source: str, limits: RebuildLimits) -> Module:
    """The verified module in a text; raises `IRError`, at its line, for anything not allowed."""
    module = _Reader(text, source, limits).module()
    _check_module(module)
    verify(module)
    check_plan(module)
    return module


class _Reader(ModuleParser):
    """Parser that rejects an op as soon as its name is read, or once it is complete."""

    def __init__(self, text: str, source: str, limits: RebuildLimits) -> None:
        self.limits = limits
        self.ops = 0
        super().__init__(text, source)

    def operation(self) -> Operation:
        start = self.start
        op = super().operation()
        wrong = next(_wrong(op, self.limits), "")
        if wrong:
            self.fail(f"{short(op.name)} {wrong}", start, start + 1)
        return op

    def op_class(self, name: str, start: int, end: int) -> type[Operation] | None:
        self.ops += 1
        if self.ops > self.limits.ops:
            most = self.limits.ops
            self.fail(f"op {self.ops} exceeds the limit `ops`, {most}", start, end)
        dialect = name.partition(".")[0]
        found = registry.get(name)
        if found is None and dialect not in {known.partition(".")[0] for known in registry}:
            self.fail(
                f"op {short(name)!r} is neither penstock's nor of a module that this program has "
                "imported; import the module that defines it first",
                start,
                end,
            )
        is_taken = dialect in _DIALECTS or (
            found is not None and issubclass(found, (*_FRAME, TensorOp))
        )
        if not is_taken:
            self.fail(
                f"op {short(name)!r} belongs to a stage that is not rebuilt, since its ops "
                'address memory directly; load it with rebuild="trusted" if you trust the file',
                start,
                end,
            )
        return super().op_class(name, start, end)


def _wrong(op: Operation, limits: RebuildLimits) -> Iterator[str]:
    """Reject anything about an op that a traced job does not have."""
    arguments = (a for region in op.regions for block in region.blocks for a in block.arguments)
    for value in (*op.results, *arguments):
        yield from _wrong_type(value.type, limits)
    if isinstance(op, Module | Func):
        return
    declared = {member.name for member in op.definition.attributes.values()}
    for name in op.attributes:
        if name not in declared and name not in _OF_OPS and name != SEGMENTS:
            yield f"has the attribute {short(name)!r}, which no traced job has"
    if op.regions:
        yield "has a region, and ops of jobs have none"


def _wrong_type(type: Type, limits: RebuildLimits) -> Iterator[str]:
    text = short(str(type))
    if not (isinstance(type, TensorType) and type.is_static and type.encoding is None):
        yield f"has a value of type {text}; values of jobs are tensors of known shape"
        return
    if type.element not in STORED:
        yield f"has a value of type {text}; tensors hold {', '.join(map(str, STORED))}"
        return
    if type.rank > _MOST_DIMENSIONS:
        yield f"has a value of {type.rank} dimensions; there are at most {_MOST_DIMENSIONS}"
    # Empty tensors too: strides are products of the other extents.
    size = ty.byte_width(type.element) * prod(max(extent, 1) for extent in type.shape)
    if size > limits.job_bytes:
        yield f"has a value of type {text}: {limits.job_bytes} bytes is the limit `job_bytes`"


def _check_module(module: Module) -> None:
    """Reject anything but a single function whose arguments and results state their roles."""
    for name in module.attributes:
        if name not in _OF_MODULES:
            module.fail(f"has the attribute {short(name)!r}, which no traced job has")
    ops = [op for block in module.region.blocks for op in block]
    if len(ops) != 1 or not isinstance(ops[0], Func) or len(module.region.blocks) != 1:
        module.fail(f"holds {len(ops)} ops; a traced job is one function")
    function = ops[0]
    if function.is_external or len(function.region.blocks) != 1 or function.sym_visibility:
        function.fail("is not a function of one block without visibility, as a traced job is")
    for op in function.body:
        if isinstance(op, Module | Func):
            op.fail("is nested in a function; a traced job is one function")
    undeclared = set(function.attributes) - {"sym_name", "function_type", "arg_attrs", "res_attrs"}
    if undeclared:
        function.fail(f"has the attribute {short(min(undeclared))!r}, which no traced job has")
    _check_marks(function)


def _check_marks(function: Func) -> None:
    variables: dict[str, Type] = {}
    seen: set[tuple[str, str]] = set()
    for i, type in enumerate(function.type.inputs):
        key, name = _mark(function, f"argument {i}", function.argument_attributes(i), _OF_ARGUMENTS)
        if (key, name) in seen:
            function.fail(f"has two arguments with {key} = {short(name)!r}")
        seen.add((key, name))
        if key == "job.variable":
            variables[name] = type
    for i, type in enumerate(function.type.results):
        key, name = _mark(function, f"result {i}", function.result_attributes(i), _OF_RESULTS)
        if (key, name) in seen:
            function.fail(f"has two results with {key} = {short(name)!r}")
        seen.add((key, name))
        if key == "job.update" and variables.get(name) is not type:
            function.fail(f"updates variable {short(name)!r}, whose type is not {type}")


def _mark(
    function: Func,
    what: str,
    entries: dict[str, Attribute],
    allowed: dict[str, frozenset[str]],
) -> tuple[str, str]:
    """The attribute that states the role of an argument or result, and its name."""
    keys = [key for key in allowed if key in entries]
    if len(keys) != 1:
        function.fail(f"needs one of the attributes {', '.join(allowed)} for {what}")
    (key,) = keys
    others = set(entries) - {key} - allowed[key]
    if others:
        function.fail(
            f"has the attribute {short(min(others))!r} for {what}, which no traced job has"
        )
    name = entries[key]
    if not isinstance(name, StringAttr):
        function.fail(f"has {key} = {short(str(name))} for {what}: expected a string")
    return key, name.value
