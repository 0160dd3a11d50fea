"""The compiler process: it may die at any moment, and a text that crashes it is an error."""

import os
import re
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import is_gone, until

from penstock.codegen.objects import compiler, llvm
from penstock.codegen.objects.llvm_worker import GREETING, REPLY, REQUEST, read_whole
from penstock.codegen.objects.objects import compile_objects
from penstock.codegen.writer import LLVMText
from penstock.ir.diagnostics import IRError, OutOfMemory
from penstock.ir.dialects.parsing import parse_module
from penstock.trace.tracing import relocated

LEVEL = "x86-64-v2"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A compiler process per test, which ends with it."""
    shared = compiler._Shared()
    monkeypatch.setattr(compiler, "_shared", shared)
    compiler._threads.cache_clear()
    yield
    compiler._threads.cache_clear()
    if shared._worker is not None:
        shared._worker.close()


def text(number: int) -> LLVMText:
    return LLVMText(f"define i32 @f() {{\n  ret i32 {number}\n}}\n", ())


def worker() -> compiler._Worker:
    found = compiler._shared.worker()
    assert found is not None
    return found


def test_objects_come_from_one_persistent_process() -> None:
    waiting = [compiler.submit(text(n), LEVEL) for n in range(40)]
    pid = worker()._pid
    assert [object() for object in reversed(waiting)] == [
        llvm.compile_object(text(n), LEVEL) for n in reversed(range(40))
    ]
    assert worker()._pid == pid != os.getpid()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_dead_process_is_replaced(number: int) -> None:
    first = compiler.submit(text(1), LEVEL)
    assert first() == llvm.compile_object(text(1), LEVEL)
    waiting = [compiler.submit(text(n), LEVEL) for n in range(8)]
    os.kill(worker()._pid, number)
    waiting += [compiler.submit(text(n), LEVEL) for n in range(8)]
    assert [object() for object in waiting] == 2 * [
        llvm.compile_object(text(n), LEVEL) for n in range(8)
    ]


def test_a_text_that_crashes_llvm_is_an_error_at_its_kernel() -> None:
    """An intrinsic of AVX512-BF16 for a processor without it, which LLVM's verifier accepts."""
    name, vector = "@llvm.x86.avx512bf16.dpbf16ps.256", "<8 x float>"
    types = f"{vector}, <16 x bfloat>, <16 x bfloat>"
    wrong = f"define {vector} @f({vector} %a, <16 x bfloat> %b) {{\n"
    wrong += f"  %v = call {vector} {name}({vector} %a, <16 x bfloat> %b, <16 x bfloat> %b)\n"
    wrong += f"  ret {vector} %v\n}}\ndeclare {vector} {name}({types})\n"
    module = parse_module('func.func @job() { return } loc("job.py":3:1)')
    others = [compiler.submit(text(n), LEVEL) for n in range(8)]
    with pytest.raises(IRError) as caught:
        compile_objects(LLVMText(wrong, (module.job,) * 5), LEVEL)
    message = str(caught.value)
    assert message.startswith("job.py:3: error: func.func: LLVM ends with signal 6 and says "), (
        message
    )
    assert "LLVM ERROR: " in message
    assert "\n" not in message
    others += [compiler.submit(text(n), LEVEL) for n in range(8)]
    assert [object() for object in others] == 2 * [
        llvm.compile_object(text(n), LEVEL) for n in range(8)
    ]


_SHORT_OF_MEMORY = f"""
import os
os.write(1, {GREETING!r})
os.read(0, 1 << 20)
os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\\n")
os.abort()
"""


def test_running_out_of_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_PROGRAM", _SHORT_OF_MEMORY)
    module = parse_module('func.func @job() { return } loc("job.py":3:1)')
    with pytest.raises(OutOfMemory) as caught:
        compile_objects(LLVMText(text(1).text, (module.job,) * 3), LEVEL)
    error = relocated(caught.value)
    assert type(error) is MemoryError
    said = "the process that compiles @f of stage llvm ran out of memory: it ended with signal 6"
    assert str(error).startswith(f"job.py:3: func.func: {said}")


@pytest.mark.parametrize("what", ["a job", "an artifact", "a library"])
def test_running_out_of_memory_for_the_helpers_is_an_error(what: str, tmp_path: Path) -> None:
    """The helpers that a job needs besides its own kernels, which are cached."""
    program = f"""
import sys
import penstock as flow
import penstock.typing as tp
from penstock.codegen.jobs import helpers
from penstock.codegen.objects import compiler, resident
@flow.global_function()
def twice(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    return x + x
calls = {{
    "a job": lambda: twice.compile(),
    "an artifact": lambda: flow.save_artifact("twice.pstk", twice),
    "a library": lambda: flow.save_library("twice", twice),
}}
if sys.argv[1:]:
    compiler._PROGRAM = {_SHORT_OF_MEMORY!r}
    resident.object_key = helpers.object_key = lambda *parts: "another key"
    try:
        calls[{what!r}]()
    except MemoryError as error:
        print(error)
else:
    calls[{what!r}]()
"""
    (tmp_path / "program.py").write_text(program)
    done = ["", ""]
    for number, arguments in enumerate(([], ["short"])):
        done[number] = subprocess.run(
            [sys.executable, "program.py", *arguments],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env=os.environ | {"PENSTOCK_CACHE": "on", "PENSTOCK_CACHE_DIR": str(tmp_path)},
        ).stdout
    said = "the process that compiles native code that all jobs share ran out of memory: it ended"
    assert done[0] == ""
    assert re.match(rf"program\.py:\d+: {said} with signal 6 and says .*bad_alloc", done[1]), done


def test_a_forked_child_has_a_process_of_its_own() -> None:
    compiler.submit(text(1), LEVEL)()
    waiting = compiler.submit(text(2), LEVEL)
    child = os.fork()
    if child == 0:
        right = compiler.submit(text(3), LEVEL)() == llvm.compile_object(text(3), LEVEL)
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert waiting() == llvm.compile_object(text(2), LEVEL)


@pytest.mark.parametrize("name", ["python-that-is-none", "another", ""])
def test_without_a_compiler_process_this_one_compiles(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An executable that ends at once, one whose name is not Python's, and none at all."""
    program = tmp_path / name if name else None
    if program is not None:
        program.write_text("#!/bin/sh\necho no\n")
        program.chmod(stat.S_IRWXU)
    monkeypatch.setattr(sys, "executable", str(program or ""))
    monkeypatch.setattr(compiler, "_shared", compiler._Shared())
    for _ in range(2):
        waiting = [compiler.submit(text(n), LEVEL) for n in range(4)]
        assert [object() for object in waiting] == [
            llvm.compile_object(text(n), LEVEL) for n in range(4)
        ]
    assert compiler._shared.worker() is None


def test_an_interrupt_ends_the_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler.submit(text(1), LEVEL)()
    pid = worker()._pid

    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    waiting = compiler.submit(text(2), LEVEL)
    with monkeypatch.context() as patched:
        patched.setattr(compiler, "read_whole", interrupted)
        with pytest.raises(KeyboardInterrupt):
            waiting()
    assert worker()._pid != pid
    assert waiting() == llvm.compile_object(text(2), LEVEL)
    assert worker()._pid != pid


def test_threads_share_the_process() -> None:
    found: dict[int, bytes] = {}

    def compile(first: int) -> None:
        waiting = {n: compiler.submit(text(n), LEVEL) for n in range(first, first + 20)}
        found.update({n: object() for n, object in waiting.items()})

    threads = [threading.Thread(target=compile, args=(first,)) for first in range(0, 80, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: llvm.compile_object(text(n), LEVEL) for n in range(80)}


def test_an_idle_process_ends() -> None:
    """Even with an open input; its results remain."""
    program = "from penstock.codegen.objects import llvm_worker as w; w._LINGER = 50; w.main(1)"
    parts = [b"", LEVEL.encode(), b"", text(7).text.encode()]
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(REQUEST.pack(5, 0, *map(len, parts)) + b"".join(parts))
        server.stdin.flush()
        answers = server.stdout.fileno()
        assert read_whole(answers, len(GREETING)) == GREETING
        number, result, size = REPLY.unpack(read_whole(answers, REPLY.size))
        assert (number, result) == (5, True)
        assert read_whole(answers, size) == llvm.compile_object(text(7), LEVEL)
        assert server.wait() == 0


def test_the_process_ends_with_its_owner() -> None:
    program = f"""
import os
from penstock.codegen.objects import compiler
compiler.submit(compiler.LLVMText({text(1).text!r}, ()), {LEVEL!r})()
print(compiler._shared.worker()._pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    pid = int(done.stdout)
    until(lambda: is_gone(pid), "the process that compiles outlives its owner")


def test_an_answer_that_is_not_utf8_ends_the_worker() -> None:
    """LLVM's message has a name that is not UTF-8: nobody waits for an answer that never comes."""
    wrong = LLVMText('define void @f() {\n  call void @"\\FF"()\n  ret void\n}\n', ())
    with pytest.raises(
        compiler.Ended, match='exit status 70 and says "UnicodeDecodeError'
    ) as caught:
        compiler.submit(wrong, LEVEL)()
    assert not caught.value.by_llvm
    assert compiler.submit(text(1), LEVEL)() == llvm.compile_object(text(1), LEVEL)


def test_an_interrupt_before_the_handshake_does_not_disable_the_process() -> None:
    first = worker()
    first._stop()
    second = worker()
    assert second._pid != first._pid
    assert compiler.submit(text(1), LEVEL)() == llvm.compile_object(text(1), LEVEL)


def test_no_process_is_left_behind() -> None:
    """Neither after another request, nor after it was stopped."""
    waiting = [compiler.submit(text(n), LEVEL) for n in range(2)]
    worker()._stop()
    assert [object() for object in waiting] == [
        llvm.compile_object(text(n), LEVEL) for n in range(2)
    ]
    one = compiler._Worker()
    one.close()

    def none_is_left() -> bool:
        compiler._reap_left()
        return not compiler._left

    until(none_is_left, "a process that was told to end goes on")
    with pytest.raises(ChildProcessError):
        os.waitpid(one._pid, os.WNOHANG)


def test_an_answer_may_be_read_twice() -> None:
    waiting = compiler.submit(text(3), LEVEL)
    assert waiting() == waiting() == llvm.compile_object(text(3), LEVEL)


def test_many_open_files_and_closed_streams() -> None:
    """Descriptors above the limit of `select`; a program without standard streams."""
    program = f"""
import os, resource, sys
from penstock.codegen.objects import compiler, llvm
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 4096), limit))
said = os.fdopen(os.dup(1), "w")
source = compiler.LLVMText({text(1).text!r}, ())
right = llvm.compile_object(source, {LEVEL!r})
for number in (0, 1, 2):
    os.close(number)
try:
    while os.dup(said.fileno()) < 1200:
        pass
except OSError as error:
    print(error, file=said)
for number in (0, 1, 2):
    os.close(number)
for _ in range(2):
    print(compiler.submit(source, {LEVEL!r})() == right, file=said)
print(compiler._shared._alone, file=said, flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True", "False"], done.stdout + done.stderr


def test_signals_that_the_program_ignores() -> None:
    """Ignored SIGCHLD, and SIGPIPE with its default action."""
    program = f"""
import os, signal
from penstock.codegen.objects import compiler, llvm
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
source = compiler.LLVMText({text(1).text!r}, ())
right = llvm.compile_object(source, {LEVEL!r})
print(compiler.submit(source, {LEVEL!r})() == right)
worker = compiler._shared.worker()
os.kill(worker._pid, 9)
while os.path.exists(f"/proc/{{worker._pid}}"):
    pass
try:
    worker.ask([0, 0, 0, 0, 0], [])
except compiler.Ended:
    print("ended")
worker._stop()
print(compiler.submit(source, {LEVEL!r})() == right)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "ended", "True"], done.stderr
