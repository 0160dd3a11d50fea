"""A random job: calls of any ops on feeds, variables, constants and each other's results.

Each op is run as soon as it is written, on the inputs of the program. It is removed again if its
results are not finite, are too large, or are mostly rounding noise, since these would hide a
difference. So the results of the remaining program are meaningful.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import prod
from typing import Any, TypeVar, cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, StringAttr, attribute, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS, Input, TensorOp, tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job.option_kinds import FLAG, NUMBER
from penstock.ir.dialects.job.update import updates
from penstock.ir.facets import FacetError
from penstock.ir.location import FileLocation
from penstock.ir.meaning.interpreter import Interpreter
from penstock.ir.record import Record
from penstock.ir.types import TensorType, Type
from penstock.meaning.results import name_of
from penstock.meaning.rounding import Array, Lane, evaluate, is_moderate, is_sound
from penstock.passes.flow.autodiff import Autodiff
from penstock.passes.manager import run_pipeline
from penstock.tools.fuzz.calls import is_narrow, proposed, samples
from penstock.tools.fuzz.operands import adapted, clamped, copied, cut, larger, squeezed

T = TypeVar("T")

NAME = "program"
PARTS = 0.25
"""Share of new operands that are parts of larger ones, and of results that are sliced."""
COPIES = 0.15
"""Share of operands that are copied by ops that fold away."""
REPEATS = 0.12
"""Share of calls that repeat an earlier op on the same operands, which are equal."""
DETACHED = 0.04
"""Share of ops through which the program lets no gradient pass."""
WATCHED = 0.4
"""Share of the values that depend on a variable whose gradients are watched."""
TRIES = 8
"""How many calls to try for each op, until one can stay."""
LARGEST = (60, 400, 400, 3000, 3000, 40_000)
"""Maximum elements of a value: each program uses one of these."""
MOST_NARROW = 16_000
"""As many in programs for tensor cores."""
MOST_VARIABLES = 3
"""Each has an update, and some optimizers write many ops for one."""
LENGTHS = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 9)
NOISE: dict[Type, float] = {ty.f16: 0.1, ty.bf16: 0.2}
"""Tolerated rounding error of a value, relative to its largest element; 0.01 for wider floats."""


class RandomProgram(Record, eq=False):
    """A job, and the values of all its arguments by the names of `penstock.meaning.results`."""

    seed: int
    module: Module
    """At stage `job`."""
    inputs: dict[str, Array]
    """Includes the arguments that `autodiff` adds."""


def written(seed: int, only: Sequence[type[TensorOp]] = (), schedules: int = 0) -> RandomProgram:
    """The program of a number, the same on every run; restricted to the ops in `only`, if given.

    With random `schedules`, every second program is one for tensor cores.

    A train job whose gradients are not finite becomes a predict job.
    """
    narrow = bool(schedules) and is_narrow(seed)
    writer = _Writer(seed, only or tuple(samples()), narrow)
    learns = writer.choose.random() < 0.35
    module = writer.write(learns)
    inputs = dict(writer.inputs)
    if learns and _can_learn(module):
        completed = with_state(module, inputs, seed)
        if is_sound(evaluate(differentiated(module), completed, Interpreter)):
            return RandomProgram(seed, module, completed)
    for op in [op for op in module.job.body if isinstance(op, job.Minimize | job.WatchDiff)]:
        op.erase()
    module.attributes["job.type"] = StringAttr("predict")
    return RandomProgram(seed, module, inputs)


def differentiated(module: Module) -> Module:
    """A copy with gradients and updates, and nothing else changed."""
    copy = cast(Module, module.clone())
    run_pipeline(copy, [Autodiff()], reproduce=False, pristine=module)
    return copy


def with_state(module: Module, inputs: dict[str, Array], seed: int) -> dict[str, Array]:
    """The inputs plus values for what `autodiff` adds: the optimizer's state and the step."""
    draw = np.random.default_rng([seed, 1])
    found = dict(inputs)
    function = differentiated(module).job
    for i, argument in enumerate(function.arguments):
        name = name_of(function.argument_attributes(i), f"argument {i}")
        type = tensor(argument)
        if name not in found and ty.is_float(type.element):
            found[name] = draw.uniform(0, 1, type.shape).astype(numpy_dtype(type.element))
        elif name not in found:
            found[name] = draw.integers(0, 30, type.shape).astype(numpy_dtype(type.element))
    return found


def _can_learn(module: Module) -> bool:
    """Whether everything that the losses depend on has gradients; other failures are real ones."""
    try:
        differentiated(module)
    except IRError as error:
        message = error.diagnostics[0].message
        if "has no gradient" in message or "nothing to learn" in message:
            return False
        raise
    return True


class _Writer:
    def __init__(self, seed: int, only: Sequence[type[TensorOp]], narrow: bool) -> None:
        self.choose = random.Random(seed)
        self.draw = np.random.default_rng(seed)
        self.only = only
        self.narrow = narrow
        self.module = Module.empty(NAME)
        self.function = Func.make(NAME, [])
        self.module.body.append(self.function)
        self.b = Builder.at_end(self.function.body)
        self.largest = MOST_NARROW if narrow else self.choose.choice(LARGEST)
        self.start: Operation | None = None
        """The last op that is certain to stay."""
        self.values: list[Value] = []
        self.inputs: dict[str, Array] = {}
        self.roles: dict[Value, str] = {}
        self.learned: set[Value] = set()
        """Values that depend on a variable."""
        self.runs: list[tuple[Interpreter, dict[Value, Array]]] = [
            (Interpreter(True, None), {}),
            (Lane(True, None, np.random.default_rng(seed)), {}),
        ]
        self.exact, self.lane = (held for _, held in self.runs)

    def write(self, learns: bool) -> Module:
        self.module.attributes["job.type"] = StringAttr("train" if learns else "predict")
        self.learns = learns
        for line in range(1, self.choose.choice(LENGTHS) + 1):
            self.b.location = FileLocation(f"{NAME}.py", line)
            for attempt in range(TRIES):
                if self.attempt(attempt):
                    break
        self.finish()
        return self.module

    # -- one call ---------------------------------------------------------------------------------

    def attempt(self, number: int) -> bool:
        """Write a call with its operands; returns whether it could stay."""
        self.start, count = self.function.body.last, len(self.function.arguments)
        try:
            op = self.repeated() or self.called(number > 1)
            if self.choose.random() < DETACHED:
                op.attributes[job.DETACHED] = attribute(True)
            stays = self.run_from(self.start)
        except FacetError:
            raise
        except IRError:
            stays = False
        if stays:
            self.values += self.some_cut(op.results)
        else:
            self.take_back(count)
        return stays

    def called(self, ranged: bool) -> Operation:
        """A call of any op; raises `IRError` if its operands do not match."""
        known = [tensor(value) for value in self.values]
        call = proposed(self.choose, known, self.largest, self.only, self.narrow)
        operands: list[Value] = []
        for wanted in call.inputs:
            operands.append(self.operand(wanted, operands, ranged))
        return call.create(self.b, operands)

    def repeated(self) -> Operation | None:
        """Sometimes an earlier op once more, on the same operands: one with gradients, if any."""
        if self.start is None or self.choose.random() >= REPEATS:
            return None
        earlier = list(self.function.body)
        learned = [op for op in earlier if any(value in self.learned for value in op.results)]
        copy = self.choose.choice(learned or earlier).clone()
        copy.location = self.b.location
        return self.b.insert(copy)

    def some_cut(self, results: Sequence[Value]) -> list[Value]:
        """The results, some of them sliced: elements that nothing reads need not be computed."""
        found = []
        for value in results:
            type = tensor(value)
            if type.rank and type.count and type.is_static and self.choose.random() < PARTS:
                before = self.function.body.last
                value = cut(self.choose, self.b, value)
                self.run_from(before)
            found.append(value)
        return found

    def run_from(self, before: Operation | None) -> bool:
        """Run the ops written since; returns whether their results are meaningful."""
        op = self.function.body.first if before is None else before.next
        while op is not None:
            for interpreter, held in self.runs:
                if all(result in held for result in op.results):
                    continue
                operands = [held[value] for value in op.operands]
                with np.errstate(all="ignore"):
                    results = interpreter.run(op, operands, held)
                for result, array in zip(op.results, results, strict=True):
                    held[result] = interpreter.store(array, result)
            if not all(map(self.means, op.results)):
                return False
            detached = job.DETACHED in op.attributes
            if not detached and any(value in self.learned for value in op.operands):
                self.learned.update(op.results)
            op = op.next
        return True

    def means(self, value: Value) -> bool:
        """Whether the value is finite, of moderate size, and more than rounding noise."""
        exact, lane, element = self.exact[value], self.lane[value], tensor(value).element
        if not ty.is_float(element):
            return bool(np.mean(exact != lane) <= 0.1) if exact.size else True
        top = float(np.abs(exact).max(initial=0))
        smallest, largest = (1e-2, 1e3) if element is ty.f16 else (1e-9, 1e5)
        if not (is_moderate(exact, largest) and (top == 0 or top >= smallest)):
            return False
        far = np.abs(exact - lane).max(initial=0)
        return bool(far <= NOISE.get(element, 0.01) * top)

    def take_back(self, count: int) -> None:
        """Erase the ops written since the start, and all arguments but the first `count`."""
        while (last := self.function.body.last) is not self.start:
            assert last is not None
            for result in last.results:
                self.forget(result)
            last.erase()
        for i in reversed(range(count, len(self.function.arguments))):
            self.forget(self.function.arguments[i])
            self.function.body.erase_argument(i)

    def forget(self, value: Value) -> None:
        self.inputs.pop(self.roles.pop(value, ""), None)
        self.learned.discard(value)
        for _, held in self.runs:
            held.pop(value, None)
        if value in self.values:
            self.values.remove(value)

    # -- its operands -----------------------------------------------------------------------------

    def operand(self, wanted: Input, others: Sequence[Value], ranged: bool) -> Value:
        """A value of the wanted type, and if `ranged` in the wanted range."""
        value = self.chosen(wanted, others)
        ranged = ranged or self.choose.random() < 0.25
        if not ranged or not self.run_from(self.start):
            return value
        low, high = self.exact[value].min(initial=0), self.exact[value].max(initial=0)
        if wanted.low <= low and high <= wanted.high:
            return value
        if tensor(value).element in FLOATS and self.choose.random() < 0.5:
            value = squeezed(self.b, value, wanted, float(np.float16(low)), float(high))
        else:
            value = clamped(self.b, value, wanted)
        return value

    def chosen(self, wanted: Input, others: Sequence[Value]) -> Value:
        type = TensorType(wanted.shape, wanted.element)
        same = [value for value in (*self.values, *others) if value.type is type]
        if same and self.choose.random() < 0.75:
            value = self.choose.choice(same[-4:])
            if self.choose.random() >= COPIES:
                return value
            copies = copied(self.choose, self.b, value)
            self.values += copies
            return copies[-1]
        usable = [value for value in self.values if tensor(value).count]
        near = [v for v in usable if tensor(v).count == type.count
                or tensor(v).rank == type.rank]  # fmt: skip
        if usable and self.choose.random() < (0.5 if near else 0.2):
            value = self.choose.choice([v for v in near if not v.uses] or near or usable)
            return adapted(self.choose, self.b, value, wanted)
        if wanted.shape and self.choose.random() < PARTS:
            whole, part = larger(self.choose, wanted)
            if prod(whole.shape) <= self.largest:
                return make.op(self.b, "slice", self.fresh(whole), **part)
        return self.fresh(wanted)

    def fresh(self, wanted: Input) -> Value:
        """A new argument, or a constant."""
        array = wanted.draw(self.draw)
        type = TensorType(wanted.shape, wanted.element)
        kind = self.choose.random()
        if kind < 0.1 and type.count <= 64:
            return make.op(self.b, "constant", value=DenseElementsAttr.of(array, type))
        if kind < 0.15:
            number = float(array.flat[0]) if type.count else 0.0
            return make.full(self.b, number, type.shape, type.element)
        variables = sum(role.startswith("variable") for role in self.roles.values())
        learned = self.learns and ty.is_float(wanted.element) and kind < 0.7
        learned = learned and variables < MOST_VARIABLES
        name = f"{'variable w' if learned else 'feed x'}{len(self.function.arguments)}"
        value = self.function.body.add_argument(type)
        self.roles[value], self.inputs[name] = name, array
        if learned:
            self.learned.add(value)
        for interpreter, held in self.runs:
            held[value] = interpreter.store(array, value)
        self.values.append(value)
        return value

    # -- its end ----------------------------------------------------------------------------------

    def finish(self) -> None:
        """Decide what is trained, watched, returned, fed and stored in variables."""
        if not self.values:
            self.values.append(self.fresh(Input((3,))))
        self.b.location = FileLocation(f"{NAME}.py", 1000)
        unused = [v for v in self.values if not v.uses and v.defining_op is not None]
        losses = [v for v in self.values if v in self.learned and tensor(v).count
                  and ty.is_float(tensor(v).element) and v.defining_op is not None]  # fmt: skip
        for number, value in enumerate(self.some(self.values, 0.15)):
            self.b.create(job.Watch, value, label=f"value{number}")
        if self.learns and losses:
            self.minimize(losses)
        fetched = self.some(unused, 0.8) + self.some(self.values, 0.15)
        fetched = fetched[:5] or [self.values[-1]]
        extents = self.extents(fetched)
        self.b.create(Return, [*fetched, *(count for count, _ in extents.values())])
        self.function.update_type()
        self.mark(len(fetched), extents)

    def some(self, values: Sequence[T], share: float) -> list[T]:
        return [value for value in values if self.choose.random() < share]

    def extents(self, fetched: Sequence[Value]) -> dict[int, tuple[Value, int]]:
        """The run-time extents of some fetches, by number: the value that holds it, the
        dimension."""
        counts = [v for v in self.values
                  if tensor(v).shape == (1,) and tensor(v).element in (ty.i32, ty.i64)]  # fmt: skip
        found = {}
        for number, value in enumerate(fetched):
            if counts and tensor(value).rank and self.choose.random() < 0.5:
                own = [v for v in counts if v.defining_op is value.defining_op is not None]
                dimension = self.choose.randrange(tensor(value).rank)
                found[number] = self.choose.choice(own or counts), dimension
        return found

    def minimize(self, losses: list[Value]) -> None:
        floats = [v for v in self.learned & set(self.values) if ty.is_float(tensor(v).element)]
        floats.sort(key=self.values.index)
        for number, value in enumerate(self.some(floats, WATCHED)):
            self.b.create(job.WatchDiff, value, label=f"gradient{number}")
        loss = self.choose.choice(losses[-3:])
        same = [v for v in losses if v.type is loss.type and v is not loss]
        blobs = [loss, *same[:1]] if self.choose.random() < 0.2 else [loss]
        schedule = self.choose.choice(samples()[job.LearningRate]).attributes["schedule"]
        cls = self.choose.choice(updates())
        numbers = [
            n for n, what in {**cls.fields(), **job.OPTIONS}.items() if what in (NUMBER, FLAG)
        ]
        optimizer: dict[str, Any] = {"kind": cls.kind}
        for name in self.some(numbers, 0.3):
            flag = cls.fields().get(name) == FLAG
            optimizer[name] = True if flag else self.choose.choice((0.05, 0.5, 0.9))
        op = self.b.create(job.Minimize, blobs, optimizer=optimizer, schedule=schedule)
        try:
            op.verify()
        except IRError:
            op.optimizer = {"kind": optimizer["kind"]}

    def mark(self, fetches: int, extents: dict[int, tuple[Value, int]]) -> None:
        zero = {"kind": "constant", "value": 0.0}
        for i, value in enumerate(self.function.arguments):
            kind, _, name = self.roles[value].partition(" ")
            attributes: dict[str, Any] = {"job.feed": name}
            if kind == "variable":
                attributes = {"job.variable": name, "job.initializer": zero, "job.trainable": True}
            self.function.set_argument_attributes(i, attributes)
        for i in range(fetches):
            facts: dict[str, Any] = {"job.fetch": str(i)}
            if i in extents:
                facts |= {"job.extent": f"{i}/extent", "job.dimension": extents[i][1]}
            self.function.set_result_attributes(i, facts)
        for place, i in enumerate(extents, fetches):
            self.function.set_result_attributes(place, {"job.fetch": f"{i}/extent"})
