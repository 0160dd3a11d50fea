"""Small native jobs, compiled here from LLVM text, and their descriptions."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import pytest

from penstock.codegen.jobs.helpers import helper_library
from penstock.runtime import Executable
from penstock.runtime.native.helpers import SYMBOLS, natives
from penstock.runtime.native.native_call import install, installed
from penstock.runtime.native.shared_code import load_shared

# Every entry has the signature of a compiled job: a context and an array of pointers.
NATIVE = """
declare i32 @raise(i32)
declare i32 @usleep(i32)

define ptr @argument(ptr %arguments, i64 %index) alwaysinline {
  %slot = getelementptr ptr, ptr %arguments, i64 %index
  %pointer = load ptr, ptr %slot
  ret ptr %pointer
}

; Calls tap %id with %data where its flag is up.
define void @fire(ptr %context, ptr %flags, i32 %id, ptr %data) {
  %slot = getelementptr i8, ptr %flags, i32 %id
  %flag = load i8, ptr %slot
  %up = icmp ne i8 %flag, 0
  br i1 %up, label %call, label %done
call:
  %tap = load ptr, ptr %context
  %user_slot = getelementptr ptr, ptr %context, i64 1
  %user = load ptr, ptr %user_slot
  call void %tap(ptr %user, i32 %id, ptr %data)
  br label %done
done:
  ret void
}

; feed a, feed b, fetch a + b: four floats each, read with the alignment that a job may rely on.
define i32 @add(ptr %context, ptr %arguments) {
  %a = call ptr @argument(ptr %arguments, i64 0)
  %b = call ptr @argument(ptr %arguments, i64 1)
  %c = call ptr @argument(ptr %arguments, i64 2)
  %x = load <4 x float>, ptr %a, align 64
  %y = load <4 x float>, ptr %b, align 64
  %sum = fadd <4 x float> %x, %y
  store <4 x float> %sum, ptr %c, align 64
  ret i32 0
}

; arena, feed x, variable w, fetch the old w, taps {x in the arena, the new w}: w += x.
define i32 @train(ptr %context, ptr %arguments) {
  %arena = call ptr @argument(ptr %arguments, i64 0)
  %feed = call ptr @argument(ptr %arguments, i64 1)
  %variable = call ptr @argument(ptr %arguments, i64 2)
  %fetch = call ptr @argument(ptr %arguments, i64 3)
  %flags = call ptr @argument(ptr %arguments, i64 4)
  %x = load <4 x float>, ptr %feed, align 64
  store <4 x float> %x, ptr %arena, align 64
  call void @fire(ptr %context, ptr %flags, i32 0, ptr %arena)
  %again = load <4 x float>, ptr %arena, align 64
  %old = load <4 x float>, ptr %variable, align 64
  store <4 x float> %old, ptr %fetch, align 64
  %new = fadd <4 x float> %old, %again
  store <4 x float> %new, ptr %variable, align 64
  call void @fire(ptr %context, ptr %flags, i32 1, ptr %variable)
  ret i32 0
}

; arena, feed x, fetch, taps {x in the arena}: waits in the tap, then returns the arena.
define i32 @predict(ptr %context, ptr %arguments) {
  %arena = call ptr @argument(ptr %arguments, i64 0)
  %feed = call ptr @argument(ptr %arguments, i64 1)
  %fetch = call ptr @argument(ptr %arguments, i64 2)
  %flags = call ptr @argument(ptr %arguments, i64 3)
  %x = load <4 x float>, ptr %feed, align 64
  store <4 x float> %x, ptr %arena, align 64
  call void @fire(ptr %context, ptr %flags, i32 0, ptr %arena)
  %again = load <4 x float>, ptr %arena, align 64
  store <4 x float> %again, ptr %fetch, align 64
  ret i32 0
}

; variable w, fetch: returns w.
define i32 @read(ptr %context, ptr %arguments) {
  %variable = call ptr @argument(ptr %arguments, i64 0)
  %fetch = call ptr @argument(ptr %arguments, i64 1)
  %w = load <4 x float>, ptr %variable, align 64
  store <4 x float> %w, ptr %fetch, align 64
  ret i32 0
}

; As @train, but SIGINT reaches the process before the first tap and SIGTERM after the last.
define i32 @train_interrupted(ptr %context, ptr %arguments) {
  %first = call i32 @raise(i32 2)
  %trained = call i32 @train(ptr %context, ptr %arguments)
  %second = call i32 @raise(i32 15)
  ret i32 0
}

; arena, feed x, taps {x, x}: SIGTERM reaches the process between the taps.
define i32 @interrupted_between(ptr %context, ptr %arguments) {
  %feed = call ptr @argument(ptr %arguments, i64 1)
  %flags = call ptr @argument(ptr %arguments, i64 2)
  call void @fire(ptr %context, ptr %flags, i32 0, ptr %feed)
  %raised = call i32 @raise(i32 15)
  call void @fire(ptr %context, ptr %flags, i32 1, ptr %feed)
  ret i32 0
}

; variable w, fetch the old w: takes minutes if it is not stopped, and then adds one.
@patient.turns = global i64 0
@patient.most = global i64 200000
define i32 @patient(ptr %context, ptr %arguments) {
entry:
  %poll.at = getelementptr ptr, ptr %context, i64 4
  %poll = load ptr, ptr %poll.at
  %user.at = getelementptr ptr, ptr %context, i64 1
  %user = load ptr, ptr %user.at
  %variable = call ptr @argument(ptr %arguments, i64 0)
  %fetch = call ptr @argument(ptr %arguments, i64 1)
  %flags = call ptr @argument(ptr %arguments, i64 2)
  call void @fire(ptr %context, ptr %flags, i32 0, ptr %variable)
  br label %wait
wait:
  %k = phi i64 [ 0, %entry ], [ %k.next, %go.on ]
  %slept = call i32 @usleep(i32 1000)
  %turn = atomicrmw add ptr @patient.turns, i64 1 seq_cst
  %stop = call i32 %poll(ptr %user)
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %stopped, label %go.on
go.on:
  %k.next = add i64 %k, 1
  %most = load atomic i64, ptr @patient.most seq_cst, align 8
  %more = icmp ult i64 %k.next, %most
  br i1 %more, label %wait, label %write
stopped:
  ret i32 1
write:
  %old = load <4 x float>, ptr %variable, align 64
  store <4 x float> %old, ptr %fetch, align 16
  %new = fadd <4 x float> %old, splat (float 1.0)
  store <4 x float> %new, ptr %variable, align 64
  ret i32 0
}

; variable w, which becomes one: SIGINT reaches the process in the first of two kernels.
define i32 @two_kernels(ptr %context, ptr %arguments) {
  %poll.at = getelementptr ptr, ptr %context, i64 4
  %poll = load ptr, ptr %poll.at
  %user.at = getelementptr ptr, ptr %context, i64 1
  %user = load ptr, ptr %user.at
  %sent = call i32 @raise(i32 2)
  %slept = call i32 @usleep(i32 80000)
  %stop = call i32 %poll(ptr %user)
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %stopped, label %on
on:
  %variable = call ptr @argument(ptr %arguments, i64 0)
  store <4 x float> splat (float 1.0), ptr %variable, align 64
  ret i32 0
stopped:
  ret i32 1
}

; A job without a single argument.
define i32 @nothing(ptr %context, ptr %arguments) {
  ret i32 0
}
"""


def floats(role: str, name: str, **more: object) -> dict[str, Any]:
    return {"role": role, "name": name, "shape": [4], "dtype": "f32", **more}


def describe(
    entry: str,
    arguments: list[dict[str, Any]],
    *,
    type: str = "predict",
    taps: tuple[str, ...] = (),
) -> dict[str, Any]:
    """A description of one of the jobs above; every tap is of four floats."""
    return {
        "abi": 3,
        "job": entry,
        "type": type,
        "entry": entry,
        "arena": {"bytes": 64, "align": 64},
        "arguments": arguments + ([{"role": "taps"}] if taps else []),
        "taps": [
            {"id": id, "name": name, "shape": [4], "dtype": "f32", "loc": f"train.py:{20 + id}"}
            for id, name in enumerate(taps)
        ],
    }


WEIGHT = floats(
    "variable",
    "w",
    initializer={"kind": "constant", "value": 0.0},
    trainable=True,
    loc="train.py:7",
)
ARENA = {"role": "arena"}
FEED = floats("feed", "x", loc="train.py:5")
TRAIN_ARGUMENTS = [ARENA, FEED, WEIGHT, floats("fetch", "0")]

DESCRIPTIONS = {
    "add": describe(
        "add",
        [
            floats("feed", "a", loc="train.py:12"),
            floats("feed", "b", loc="train.py:13"),
            floats("fetch", "0"),
        ],
    ),
    "train": describe("train", TRAIN_ARGUMENTS, type="train", taps=("x/out", "w")),
    "train_interrupted": describe(
        "train_interrupted", TRAIN_ARGUMENTS, type="train", taps=("x/out", "w")
    ),
    "interrupted_between": describe("interrupted_between", [ARENA, FEED], taps=("before", "after")),
    "predict": describe("predict", [ARENA, FEED, floats("fetch", "0")], taps=("x/out",)),
    "read": describe("read", [WEIGHT, floats("fetch", "0")]),
    "patient": describe("patient", [WEIGHT, floats("fetch", "0")], type="train", taps=("w",)),
    "two_kernels": describe("two_kernels", [WEIGHT], type="train"),
    "nothing": describe("nothing", []),
}


@pytest.fixture(scope="session")
def engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(NATIVE)
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


@pytest.fixture(params=["by ctypes", "natively"])
def job(engine: Any, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Executable]]:
    """Makes a new executable of the native job of that name, called natively or by the slow
    path.
    """
    before = installed()
    if request.param == "natively":
        install_natives()
    else:
        install(None)
    yield make_job(engine)
    install(before)


@pytest.fixture
def native_job(engine: Any) -> Iterator[Callable[[str], Executable]]:
    """Like `job`, called natively."""
    before = installed()
    install_natives()
    yield make_job(engine)
    install(before)


def install_natives() -> None:
    code = load_shared(helper_image(), "helpers")
    install(natives({symbol: code.address(symbol) for symbol in SYMBOLS}))


@cache
def helper_image() -> bytes:
    return helper_library()


def make_job(engine: Any) -> Callable[[str], Executable]:
    return lambda name: Executable(engine.get_function_address(name), DESCRIPTIONS[name], engine)
