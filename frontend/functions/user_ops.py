"""Ops by class or name: users' own, or any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import is_integer
from penstock.basics.dtypes import DType
from penstock.basics.errors import counted, kind_of, located
from penstock.functions.composed_ops import COMPOSED, Composed
from penstock.ir.attributes import element_type
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.opdef import registry
from penstock.ir.text.lexer import nearest_op
from penstock.trace.blob import Blob, apply, check_blob


def call_op(
    op: type[TensorOp] | str, *blobs: Blob | Sequence[Blob], name: str | None = None,
    **attributes: Any,
) -> Any:  # fmt: skip
    """Apply an op to blobs; returns a blob, or a list of blobs if it has several results.

    The op is a class or its registered name, such as `flow.relu`. Operands are in the order in
    which the class declares them, with a group as one list; attributes are keyword arguments.
    Raises a located ValueError if there is no such op, or operands and attributes do not fit.
    """
    cls = op_class(op, "flow.call_op")
    results = _applied(cls, blobs, attributes, name, cls.name)
    return results[0] if len(results) == 1 else results


def user_op_builder(op_name: str | None = None) -> UserOpBuilder:
    """Build a call of an op piece by piece:

    flow.user_op_builder("y").Op("mine.cube").Input("x", [x]).Output("y").Build()
        .InferAndTryRun().SoleOutputBlob()
    """
    if op_name is not None and not isinstance(op_name, str):
        raise located(
            TypeError, f"flow.user_op_builder takes a name, a string, got {kind_of(op_name)}"
        )
    return UserOpBuilder(op_name)


class UserOpBuilder:
    """Collects the parts of a call; `Build` checks that all are there."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._cls: type[TensorOp] | Composed | None = None
        self._inputs: dict[str, list[Blob]] = {}
        self._outputs: dict[str, int] = {}
        self._attributes: dict[str, Any] = {}

    def Op(self, op_type_name: str) -> UserOpBuilder:
        """The op to call, by its registered name; `relu` is `flow.relu`."""
        composed = COMPOSED.get(op_type_name) if isinstance(op_type_name, str) else None
        self._cls = composed or op_class(op_type_name, "Op")
        return self

    def Input(self, input_name: str, input_blob_list: Sequence[Blob]) -> UserOpBuilder:
        """The blobs of an operand (a list of one) or of a group of operands."""
        what = f"Input({input_name!r})"
        if not isinstance(input_blob_list, list | tuple):
            raise located(
                TypeError, f"{what} takes a list of blobs, got {kind_of(input_blob_list)}"
            )
        self._known(input_name, [o.name for o in self._op().definition.operands], "operand")
        self._inputs[input_name] = [check_blob(blob, what) for blob in input_blob_list]
        return self

    def Output(self, output_name: str, num: int = 1) -> UserOpBuilder:
        """A result, or a group of `num` results."""
        self._known(output_name, [r.name for r in self._op().definition.results], "result")
        if not is_integer(num) or num < 1:
            raise located(
                ValueError, f"Output({output_name!r}) takes a number of at least 1, got {num!r}"
            )
        self._outputs[output_name] = int(num)
        return self

    def Attr(
        self, attr_name: str, attr_value: Any, attr_type_name: str | None = None
    ) -> UserOpBuilder:
        """An attribute; the op's class determines its type."""
        self._known(attr_name, list(self._op().definition.attributes), "attribute")
        self._attributes[attr_name] = attr_value
        return self

    def Build(self) -> UserOp:
        """The call; raises a located ValueError if an operand has no blob."""
        cls = self._op()
        operands: list[Blob | list[Blob]] = []
        for group in cls.definition.operands:
            blobs = self._inputs.get(group.name, [])
            if not group.variadic and len(blobs) != 1:
                raise located(
                    ValueError,
                    f"{cls.name} takes one blob as {group.name!r}, got {len(blobs)}: add "
                    f"Input({group.name!r}, [blob])",
                )
            operands.append(blobs if group.variadic else blobs[0])
        return UserOp(cls, operands, self._attributes, self._outputs, self._name)

    def _op(self) -> type[TensorOp] | Composed:
        if self._cls is None:
            raise located(ValueError, "the op is not known yet: call Op with its name first")
        return self._cls

    def _known(self, name: str, names: Sequence[str], what: str) -> None:
        if name not in names:
            listed = ", ".join(map(repr, names)) or "none"
            raise located(
                ValueError, f"{self._op().name} has no {what} {name!r}: expected one of {listed}"
            )


class UserOp:
    """A call with all its parts."""

    def __init__(
        self, cls: type[TensorOp] | Composed, operands: Sequence[Blob | Sequence[Blob]],
        attributes: dict[str, Any], outputs: dict[str, int], name: str | None,
    ) -> None:  # fmt: skip
        self._cls = cls
        self._operands = operands
        self._attributes = attributes
        self._outputs = outputs
        self._name = name
        self._blobs: list[Blob] | None = None

    def InferAndTryRun(self) -> UserOp:
        """Add the call to the job; raises a located ValueError if its parts do not fit."""
        if self._blobs is None:
            blobs = _applied(
                self._cls, self._operands, self._attributes, self._name, self._cls.name
            )
            said = sum(self._outputs.values())
            if self._outputs and said != len(blobs):
                raise located(
                    ValueError,
                    f"{self._cls.name} has {len(blobs)} results, but Output declares {said}",
                )
            self._blobs = blobs
        return self

    def RemoteBlobList(self) -> list[Blob]:
        """The results in the order in which the class declares them."""
        if self._blobs is None:
            raise located(ValueError, "there are no results yet: call InferAndTryRun first")
        return list(self._blobs)

    def RemoteBlobDict(self) -> dict[str, list[Blob]]:
        """The results by the class's names, each a list."""
        blobs, names = self.RemoteBlobList(), [r.name for r in self._cls.definition.results]
        found = {name: blobs[i : i + 1] for i, name in enumerate(names)}
        if names:
            found[names[-1]] = blobs[len(names) - 1 :]
        return found

    def SoleOutputBlob(self) -> Blob:
        """The only result; raises a located ValueError if there are several."""
        blobs = self.RemoteBlobList()
        if len(blobs) != 1:
            raise located(
                ValueError, f"{self._cls.name} has {len(blobs)} results: use RemoteBlobList"
            )
        return blobs[0]


def op_class(op: object, what: str) -> type[TensorOp]:
    """The class of an op, given by class or name."""
    if isinstance(op, type) and issubclass(op, TensorOp):
        if registry.get(op.name) is not op:
            raise located(
                ValueError,
                f"{what}: {op.__name__} is registered under no name: give the class one, such as "
                f'name = "mine.{op.__name__.lower()}"',
            )
        return op
    if not isinstance(op, str):
        raise located(
            TypeError, f"{what} takes the class or the name of a tensor op, got {kind_of(op)}"
        )
    for name in (op, f"flow.{op}"):
        cls = registry.get(name)
        if cls is not None and issubclass(cls, TensorOp):
            return cls
    known = [name for name, cls in registry.items() if issubclass(cls, TensorOp)]
    near = nearest_op(op, known)
    hint = f"did you mean {near!r}?" if near else "import the module that defines it first"
    raise located(ValueError, f"{what}: there is no op {op!r}: {hint}")


def _applied(
    cls: type[TensorOp] | Composed, operands: Sequence[Blob | Sequence[Blob]],
    attributes: dict[str, Any], name: str | None, what: str,
) -> list[Blob]:  # fmt: skip
    unknown = next((key for key in attributes if key not in cls.definition.attributes), None)
    if unknown is not None:
        listed = ", ".join(cls.definition.attributes) or "none"
        raise located(ValueError, f"{what} has no attribute {unknown!r}: it has {listed}")
    taken = len(cls.definition.operands)
    if len(operands) != taken:
        listed = ", ".join(group.name for group in cls.definition.operands) or "none"
        raise located(
            TypeError, f"{what} takes {counted(taken, 'operand')} ({listed}), got {len(operands)}"
        )
    if isinstance(cls, Composed):
        return cls.build(*operands, **attributes, name=name)
    arguments = {
        key: element_type(value.numpy) if isinstance(value, DType) else value
        for key, value in attributes.items()
    }
    return apply(cls.name, *operands, name=name, what=what, **arguments)
