"""`mindspore.ops`: primitives, functions, gradients and hooks."""

from __future__ import annotations

import sys
from typing import Any

from penstock.basics.errors import did_you_mean, located
from penstock.mindspore.ops.backward_hooks import HookBackward as HookBackward
from penstock.mindspore.ops.composite import HyperMap as HyperMap
from penstock.mindspore.ops.composite import Map as Map
from penstock.mindspore.ops.composite import MultitypeFuncGraph as MultitypeFuncGraph
from penstock.mindspore.ops.gradients import GradOperation as GradOperation
from penstock.mindspore.ops.primitives import Primitive as Primitive
from penstock.mindspore.ops.primitives import find
from penstock.mindspore.ops.queues import GetNext as GetNext
from penstock.mindspore.ops.state import Assign as Assign
from penstock.mindspore.ops.state import AssignAdd as AssignAdd
from penstock.mindspore.ops.state import AssignSub as AssignSub
from penstock.mindspore.ops.state import assign as assign
from penstock.mindspore.ops.state import assign_add as assign_add
from penstock.mindspore.ops.state import assign_sub as assign_sub
from penstock.mindspore.ops.table import rows


def __getattr__(name: str) -> Any:
    if name in ("operations", "functional", "composite"):
        return sys.modules[__name__]
    try:
        value = find(name)
    except KeyError:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
        near = did_you_mean(name, __dir__())
        raise located(AttributeError, f"flow.mindspore.ops has no {name!r}{near}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name[0] != "_"), *rows()})
