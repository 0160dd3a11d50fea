"""Pass `place`: the ranks that run each op."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, NoReturn

from penstock.ir.attributes import DictAttr, IntegerAttr, StringAttr, attribute, python_value
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import Diagnostic, IRError
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.between_devices import DEVICE, DEVICES
from penstock.ir.dialects.job.sbp import GROUPS, HINT, MESH, PLACEMENT, RANKS, SIGNATURE
from penstock.ir.dialects.job.sharding import BROADCAST, joined
from penstock.ir.dialects.job.views import MIRRORED, ToLocal
from penstock.ir.record import Record
from penstock.passes.base import Order, Pass
from penstock.passes.devices.assign import assign_devices
from penstock.passes.placement.assign_groups import assign_groups
from penstock.passes.placement.local.groups import Group

SCOPE = "job.placement"
"""The front end's attribute on an op or the module: `{device = "cpu", ranks = ["0:0"]}`."""
GPUS = ("gpu", "gpu-sim")

_DEVICES = re.compile(r"(\d+):(\d+)(?:-(\d+))?")


class Place(Pass):
    """Check the placement of each op, and record it; on one rank with the op's SBP signature.

        %y = "flow.relu"(%x) {job.placement = {device = "cpu", ranks = ["0:0"]}} : ...
    ->
        %y = "flow.relu"(%x) {sbp.placement = {device = "cpu", ranks = ["0:0"]},
                              sbp.signature = {operands = ["B"], results = ["B"]}} : ...

    `machine:device` is one rank, `machine:first-last` is several, in a mesh of one axis unless
    `mesh = [2, 2]` says otherwise. Ops without a placement have that of the module or of the other
    ops; the default is the first rank of the CPU. A single rank holds each value whole, which is
    state `B` (broadcast); for several ranks, a later pass writes the signatures. If ops are on some
    ranks of the job, the module has `sbp.groups`, and ops and variables say in `sbp.group` which of
    them they are on. In the mirrored view, all ranks compute such ops in full. An op placed on
    other ranks than those of the job fails. If a job is on a GPU, its module has
    `job.device = "gpu 0:0"`; if parts of it are on a GPU and others on the CPU, the module has
    `job.devices = ["cpu 0:0", "gpu 0:0"]`, and variables say where they are, too.
    """

    name = "place"
    before: ClassVar[Order] = {"localize": "ranks follow from placements", "lower": None}
    after: ClassVar[Order] = {"autodiff": None}

    def run(self, module: Module) -> None:
        placed = [op for op in module.job.body if isinstance(op, _PLACED)]
        own = {op: op.attributes.pop(SCOPE, None) or op.attributes.get(PLACEMENT) for op in placed}
        scopes: dict[Operation, _Placement] = {
            op: _checked(op, scope) for op, scope in own.items() if scope is not None
        }
        default = module.attributes.pop(SCOPE, None)
        chosen = None if default is None else _checked(module, default)
        devices = _devices(module, scopes, chosen)
        variables = _variables(module.job)
        if len(devices) > 1 and DEVICE not in module.attributes:
            _assign(module, devices, [*scopes.items(), *variables.items()], chosen)
            return
        common = _common(scopes.values(), chosen)
        places = {rank: place for place, rank in enumerate(common.ranks)}
        for op, found in scopes.items():
            if not set(found.ranks) <= set(common.ranks):
                op.fail(
                    f"is placed on {found.described_ranks}, and the job on "
                    f"{common.described_ranks}: place ops on ranks of their job"
                )
        for op in placed:
            op.attributes[PLACEMENT] = scopes.get(op, common).described
            if len(common.ranks) == 1:
                alone = {"operands": ["B"] * len(op.operands), "results": ["B"] * len(op.results)}
                op.attributes[SIGNATURE] = attribute(alone)
        module.attributes[RANKS] = IntegerAttr(len(common.ranks))
        if common.device in GPUS and DEVICE not in module.attributes:
            module.attributes[DEVICE] = StringAttr(f"{common.device} {common.ranks[0]}")
        if len(common.ranks) == 1:
            return
        module.attributes[MESH] = attribute(list(common.mesh))
        every = Group(tuple(places.values()), common.mesh)
        tensor_ops: dict[Operation, _Placement] = {
            op: found for op, found in scopes.items() if isinstance(op, TensorOp)
        }
        if is_mirrored(module.job):
            _share_all(common, tensor_ops)
        elif GROUPS not in module.attributes:
            groups: dict[Operation, Group] = {
                op: Group(tuple(places[rank] for rank in found.ranks), found.mesh)
                for op, found in tensor_ops.items()
            }
            assign_groups(module, every, groups)


def is_mirrored(job: Func) -> bool:
    """Whether ranks have values of their own, so that all of them compute all ops."""
    every = map(job.argument_attributes, range(len(job.arguments)))
    return any(MIRRORED in one for one in every) or any(isinstance(op, ToLocal) for op in job.body)


def _share_all(common: _Placement, scopes: Mapping[Operation, _Placement]) -> None:
    """Have all ranks compute what is placed on some of them, in full."""
    whole = joined([BROADCAST] * len(common.mesh))
    for op, found in scopes.items():
        if found != common:
            op.attributes[PLACEMENT] = common.described
            op.attributes.setdefault(HINT, attribute([whole] * len(op.results)))


def count_ranks(module: Module) -> int:
    """How many ranks share a job before the pass has run, or after; fails as it does."""
    known = module.attributes.get(RANKS)
    if isinstance(known, IntegerAttr):
        return known.value
    return len(_whole(module).ranks)


def device_of(module: Module) -> str:
    """The device of a job before the pass has run, or after, such as `gpu 0:0`; empty for the CPU,
    and for a job that is on several.

    Fails as the pass does.
    """
    known = module.attributes.get(DEVICE)
    if isinstance(known, StringAttr):
        return "" if known.value == "cpu" else known.value
    if devices_of(module):
        return ""
    whole = _whole(module)
    return str(whole) if whole.device in GPUS else ""


def _whole(module: Module) -> _Placement:
    """The placement of a job before the pass has run."""
    scopes, default = _scopes(module)
    devices = _devices(module, scopes, default)
    return devices[0] if devices else _common(scopes.values(), default)


def devices_of(module: Module) -> list[str]:
    """The devices of a job that is on several, such as `gpu 0:0`, the CPU first; else none.

    Fails as the pass does.
    """
    if DEVICE in module.attributes:
        return []
    if DEVICES in module.attributes:
        names: list[str] = python_value(module.attributes[DEVICES])
        return names
    if RANKS in module.attributes:
        return []
    found = _devices(module, *_scopes(module))
    return [str(place) for place in found] if len(found) > 1 else []


def _scopes(module: Module) -> tuple[dict[Operation, _Placement], _Placement | None]:
    """The placements that the program gave ops, and that of the others."""
    scopes: dict[Operation, _Placement] = {
        op: _checked(op, op.attributes[SCOPE]) for op in module.job.body if SCOPE in op.attributes
    }
    default = module.attributes.get(SCOPE)
    return scopes, None if default is None else _checked(module, default)


def _variables(job: Func) -> dict[Value, _Placement]:
    """The placements of variables that the program gave another one than their readers."""
    found = {}
    for i, value in enumerate(job.arguments):
        entries = job.argument_attributes(i)
        scope = entries.pop(SCOPE, None) or entries.pop(PLACEMENT, None)
        if scope is not None:
            found[value] = _checked(job, scope)
            job.set_argument_attributes(i, entries)
    return found


def _devices(
    module: Module, scopes: Mapping[Operation, _Placement], default: _Placement | None
) -> list[_Placement]:
    """The CPU and the GPU of a job that is on both; else none.

    Fails for a job on several GPUs, or on a GPU and several ranks of the CPU.
    """
    function = module.job
    entries = map(function.argument_attributes, range(len(function.arguments)))
    places = [(function, _checked(function, one[SCOPE])) for one in entries if SCOPE in one]
    places += [(function, default)] if default is not None else []
    every: list[tuple[Operation, _Placement]] = [*places, *scopes.items()]
    on_gpu = next(((op, found) for op, found in every if found.device in GPUS), None)
    if on_gpu is None:
        return []
    op, gpu = on_gpu
    if len(gpu.ranks) > 1:
        _fail(op, f"is placed on {gpu.described_ranks}: a job runs on one GPU, so place it on one")
    host = next((found for _, found in every if found.device not in GPUS), None)
    for other, its in every:
        if its.device in GPUS and str(its) != str(gpu):
            _fail(
                other,
                f'is placed on "{its.device}" {its.ranks[0]}, and {_subject(op)} '
                f'({op.location.describe()}) on "{gpu.device}" {gpu.ranks[0]}: a job runs on one '
                "GPU, and beside it on the CPU, so place both on the same, or make two jobs of it",
            )
        if its.device not in GPUS and len(its.ranks) > 1:
            _fail(
                other,
                f"is placed on {len(its.ranks)} ranks of the CPU, and {_subject(op)} "
                f'({op.location.describe()}) on "{gpu.device}" {gpu.ranks[0]}: beside a GPU, a job '
                'has one rank, so place all else on "cpu" "0:0", or make two jobs of it',
            )
    return [] if host is None else [host, gpu]


def _subject(op: Operation) -> str:
    """What is placed: a job as a whole, or an op."""
    return f"job {op.sym_name!r}" if isinstance(op, Func) else op.name


def _fail(op: Operation, message: str) -> NoReturn:
    """Fail at an op, or at a job, whose class users do not know."""
    subject = f"{_subject(op)} " if isinstance(op, Func) else f"{op.name}: "
    raise IRError(Diagnostic(subject + message, op.location))


def _assign(
    module: Module,
    devices: Sequence[_Placement],
    scopes: Sequence[tuple[Value | Operation, _Placement]],
    default: _Placement | None,
) -> None:
    """Record where each op and variable of a job on several devices is."""
    host = devices[0]
    known = {what: place.described for what, place in scopes}
    assign_devices(module.job, known, host.described, (default or host).described)
    for op in module.job.body:
        if isinstance(op, _PLACED):
            alone = {"operands": ["B"] * len(op.operands), "results": ["B"] * len(op.results)}
            op.attributes[SIGNATURE] = attribute(alone)
    module.attributes[RANKS] = IntegerAttr(1)
    module.attributes[DEVICES] = attribute([str(place) for place in devices])


_PLACED = (TensorOp, job.Callout, job.Watch, job.Watchable)


class _Placement(Record):
    device: str
    ranks: tuple[str, ...]
    mesh: tuple[int, ...]

    @property
    def described(self) -> DictAttr:
        mesh = {"mesh": list(self.mesh)} if len(self.mesh) > 1 else {}
        placement = attribute({"device": self.device, "ranks": list(self.ranks), **mesh})
        assert isinstance(placement, DictAttr)
        return placement

    @property
    def described_ranks(self) -> str:
        return f"{_count(len(self.ranks))}, {', '.join(self.ranks)}"

    def __str__(self) -> str:
        """A placement on one device by its name, such as `gpu 0:0`."""
        return f"{self.device} {self.ranks[0]}"


def _common(placements: Iterable[_Placement], default: _Placement | None) -> _Placement:
    """The placement of a job: the default, the only one, or all ranks of its ops."""
    found = list(dict.fromkeys(placements))
    if default is not None or len(found) < 2:
        return default or next(iter(found), _Placement("cpu", ("0:0",), (1,)))
    largest = max(found, key=lambda placement: len(placement.ranks))
    ranks = {rank for placement in found for rank in placement.ranks}
    if ranks == set(largest.ranks):
        return largest
    ordered = sorted(ranks, key=lambda rank: tuple(map(int, rank.split(":"))))
    return _Placement(largest.device, tuple(ordered), (len(ordered),))


def _checked(op: Operation, scope: Any) -> _Placement:
    """Normalise a placement. Fails at the op if the placement cannot be run."""
    entries = python_value(scope) if isinstance(scope, DictAttr) else {}
    device, words = entries.get("device"), entries.get("ranks")
    if not isinstance(device, str) or not isinstance(words, list) or not words:
        op.fail(f'expected a placement like {{device = "cpu", ranks = ["0:0"]}}, got {scope}')
    ranks = tuple(rank for word in words for rank in _ranks(op, word))
    if len(set(ranks)) != len(ranks):
        op.fail(f"is placed on {', '.join(ranks)}: name each rank once")
    if device not in ("cpu", *GPUS):
        op.fail(f'is placed on "{device}": expected "cpu", "gpu" or "gpu-sim"')
    mesh = tuple(entries.get("mesh", [len(ranks)]))
    if prod(mesh) != len(ranks):
        op.fail(f"is placed on {_count(len(ranks))}: expected as many as the mesh {list(mesh)} has")
    return _Placement(device, ranks, mesh)


def _count(ranks: int) -> str:
    return f"{ranks} rank{'s' * (ranks != 1)}"


def _ranks(op: Operation, word: Any) -> Iterator[str]:
    found = _DEVICES.fullmatch(word) if isinstance(word, str) else None
    if found is None:
        op.fail(f'expected ranks like "0:0" or "0:0-3", got {word!r}')
    last = int(found[3] or found[2])
    for device in range(int(found[2]), last + 1):
        yield f"{int(found[1])}:{device}"
