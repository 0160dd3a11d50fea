"""The compiler process: reads LLVM text from its standard input and writes objects.

    request   number, flags, and the lengths of triple, processor, features and text (six times 4
              bytes); then these four; this machine's family of processors has no triple
    reply     number, whether it is an object or what LLVM says (1 byte), its length; then it

Both go through one socket, which is this process's standard input and output. A greeting precedes
the first reply. Requests are served concurrently, and replies are sent as they complete. The
process ends when its input does (at the latest when its owner ends), or when it is idle for a
while.
"""

from __future__ import annotations

import os
import select
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from struct import Struct

from penstock.codegen.llvm_library import library
from penstock.codegen.objects import llvm_machine

GREETING = b"penstock"
REQUEST = Struct("<6I")
REPLY = Struct("<I?I")
OPTIMISED = 1  # of the flags: LLVM's pipeline is run
PLAIN = 2  # any code is good enough
ASSEMBLY = 4  # text is made instead of an object

_LINGER = 10_000
"""The idle timeout in milliseconds. An idle process holds about 100 MB."""

_FAULT = 70
"""The exit status if this program fails, rather than LLVM."""


def read_whole(descriptor: int, size: int) -> bytes:
    """So many bytes of a pipe. Raises EOFError where it ends before."""
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_whole(descriptor: int, data: bytes) -> None:
    """All bytes, to a pipe."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class _Server:
    def __init__(self, requests: int, replies: int) -> None:
        self._input, self._output = requests, replies
        self._asked: SimpleQueue[tuple[int, int, tuple[str, str, str], bytes]] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._open = 0  # requests that are being compiled, or wait for that
        self._count = threading.Lock()

    def serve(self, threads: int) -> None:
        """Read requests until there are no more."""
        # A separate sender, so that compiling threads never wait for the owner to read.
        for work in [self._send] + [self._compile] * threads:
            threading.Thread(target=_or_end, args=[work], daemon=True).start()
        # Greet after all threads have started. So once greeted, the owner can blame a text if this
        # process ends.
        write_whole(self._output, GREETING)
        waiting = select.poll()
        waiting.register(self._input, select.POLLIN)
        while True:
            if not waiting.poll(_LINGER):
                # What is made stays in the socket as far as it has room.
                if self._open:
                    continue
                return
            try:
                number, flags, *sizes = REQUEST.unpack(read_whole(self._input, REQUEST.size))
                parts = [read_whole(self._input, size) for size in sizes]
            except EOFError:
                return
            with self._count:
                self._open += 1
            triple, cpu, features = (name.decode() for name in parts[:3])
            self._asked.put((number, flags, (triple, cpu, features), parts[3]))

    def _compile(self) -> None:
        while True:
            number, flags, names, text = self._asked.get()
            try:
                machine = llvm_machine.machine_of(*names, bool(flags & PLAIN))
                optimised, as_object = bool(flags & OPTIMISED), not flags & ASSEMBLY
                answer = llvm_machine.compiled(text, machine, optimised, as_object)
                succeeded = True
            except llvm_machine.Rejected as error:
                answer, succeeded = str(error).encode(), False
            self._answers.put(REPLY.pack(number, succeeded, len(answer)) + answer)
            with self._count:
                self._open -= 1

    def _send(self) -> None:
        while True:
            write_whole(self._output, self._answers.get())


def _or_end(work: Callable[[], None]) -> None:
    """Run a thread's work. If it fails, end the process, so that nobody waits for answers."""
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(_FAULT)


def main(threads: int) -> None:
    """Serve the process that began this one, on so many threads."""
    # LLVM's own output to the standard output must not mix with replies.
    replies = os.dup(1)
    os.dup2(2, 1)
    library()
    llvm_machine.initialise(*llvm_machine.NATIVE)
    _Server(0, replies).serve(threads)
    # Exit without waiting: nobody needs what is still being compiled.
    os._exit(0)
