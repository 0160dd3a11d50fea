"""Cells that are one op each, made from a table: activations and changes of shape."""

from __future__ import annotations

from typing import Any, ClassVar

from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.mindspore import ops as _ops
from penstock.mindspore.nn.cell import Cell
from penstock.mindspore.rows import Function, Row, bound, rows_of

ops: Any = _ops  # Its primitives come from a table.

TABLE: dict[str, Function] = {
    "ReLU": lambda x: ops.ReLU()(x),
    "ReLU6": lambda x: ops.ReLU6()(x),
    "Sigmoid": lambda x: ops.Sigmoid()(x),
    "Tanh": lambda x: ops.Tanh()(x),
    "GELU": lambda x, *, approximate=True: (
        ops.GeLU()(x) if approximate else x * (1 + ops.Erf()(x / 2**0.5)) / 2
    ),
    "FastGelu": lambda x: ops.FastGeLU()(x),
    "SiLU": lambda x: ops.SiLU()(x),
    "ELU": lambda x, *, alpha=1.0: ops.Elu(alpha)(x),
    "SeLU": lambda x: ops.SeLU()(x),
    "LeakyReLU": lambda x, *, alpha=0.2: ops.LeakyReLU(alpha)(x),
    "Softmax": lambda x, *, axis=-1: ops.Softmax(axis)(x),
    "LogSoftmax": lambda x, *, axis=-1: ops.LogSoftmax(axis)(x),
    "LogSigmoid": lambda x: ops.LogSigmoid()(x),
    "Softsign": lambda x: ops.Softsign()(x),
    "Mish": lambda x: ops.Mish()(x),
    "HSwish": lambda x: ops.HSwish()(x),
    "HSigmoid": lambda x: ops.HSigmoid()(x),
    "HShrink": lambda x, *, lambd=0.5: ops.HShrink(lambd)(x),
    "SoftShrink": lambda x, *, lambd=0.5: ops.SoftShrink(lambd)(x),
    "Identity": lambda x: ops.Identity()(x),
    "Flatten": lambda x: ops.Flatten()(x),
    "Norm": lambda x, *, axis=(), keep_dims=False: ops.Sqrt()(
        ops.ReduceSum(keep_dims)(ops.Square()(x), axis)
    ),
    "OneHot": lambda indices, *, axis=-1, depth=1, on_value=1.0, off_value=0.0, dtype=None: (
        ops.OneHot(axis)(indices, depth, on_value, off_value)
    ),
    "Range": lambda *, start, limit=None, delta=1: ops.Range()(
        0 if limit is None else start, start if limit is None else limit, delta
    ),
    "Tril": lambda x, k=0: ops.Tril(k)(x),
    "Triu": lambda x, k=0: ops.Triu(k)(x),
    "ReduceLogSumExp": lambda x, *, axis, keep_dims=False: ops.LogSumExp(keep_dims)(x, axis),
    "Pad": lambda x, *, paddings, mode="CONSTANT": (
        ops.Pad(paddings)(x) if mode == "CONSTANT" else ops.MirrorPad(mode)(x, paddings)
    ),
    "ResizeBilinear": lambda x, size=None, scale_factor=None, align_corners=False: (
        ops.ResizeBilinear(size or tuple(map(scale_factor.__mul__, x.shape[2:])), align_corners)(x)
    ),
    "MaxPool2d": lambda x, *, kernel_size=1, stride=1, pad_mode="valid", data_format="NCHW": (
        ops.MaxPool(kernel_size, stride, pad_mode, data_format)(x)
    ),
    "AvgPool2d": lambda x, *, kernel_size=1, stride=1, pad_mode="valid", data_format="NCHW": (
        ops.AvgPool(kernel_size, stride, pad_mode, data_format)(x)
    ),
    "AdaptiveAvgPool2d": lambda x, *, output_size: ops.AdaptiveAvgPool2D(output_size)(x),
}


class OpCell(Cell):
    """Base of cells that are one row of the table."""

    row: ClassVar[Row]

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__()
        values = bound(self.row.options, args, named, f"nn.{self.cls_name}")
        self.__dict__["_options"] = values
        for name, value in values.items():
            self.__dict__.setdefault(name, value)

    def construct(self, *args: Any, **named: Any) -> Any:
        values = bound(self.row.operands, args, named, f"nn.{self.cls_name}()")
        return self.row.function(*values.values(), **self.__dict__["_options"])

    def extend_repr(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self.__dict__["_options"].items())


def _made(row: Row) -> type[OpCell]:
    inside = {"row": row, "__doc__": f"The cell `nn.{row.names[0]}{row.shown}`.",
              "__module__": __name__}  # fmt: skip
    return type(row.names[0], (OpCell,), inside)


CELLS: dict[str, type[OpCell]] = {row.names[0]: _made(row) for row in rows_of(TABLE)}
"""The cells by name."""

_ACTIVATIONS = {
    "relu": "ReLU", "relu6": "ReLU6", "sigmoid": "Sigmoid", "tanh": "Tanh", "gelu": "GELU",
    "fast_gelu": "FastGelu", "elu": "ELU", "leakyrelu": "LeakyReLU", "softmax": "Softmax",
    "logsoftmax": "LogSoftmax", "hswish": "HSwish", "hsigmoid": "HSigmoid",
    "logsigmoid": "LogSigmoid",
}  # fmt: skip


def get_activation(name: str) -> Cell:
    """The activation of that name, such as "relu"."""
    if name not in _ACTIVATIONS:
        near = did_you_mean(str(name), _ACTIVATIONS)
        raise located(ValueError, f"there is no activation {kind_of(name)}{near}")
    return CELLS[_ACTIVATIONS[name]]()
