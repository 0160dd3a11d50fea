"""Whose turn it is at the variables: who changes them is alone, who only reads is in company."""

import threading
from collections.abc import Callable
from types import TracebackType

__all__ = ["Turns"]


class Turns:
    """`with turns:` is a turn in which no other thread reads or changes; such turns nest.

    `lock` alone keeps changes away while something is copied; it is a part of every turn.

    >>> turns, log = Turns(), []
    >>> with turns:
    ...     turns.share(lambda: log.append("read"))
    >>> log
    ['read']
    """

    def __init__(self) -> None:
        # Re-entrant, because handlers that run inside a step may read and change variables.
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self._readers: list[int] = []  # their threads
        self._waiting = 0  # how many wait for the readers to leave
        self._alone_thread = 0
        self._depth = 0

    def __enter__(self) -> None:
        thread = threading.get_ident()
        self.lock.acquire()
        try:
            self._waiting += 1
            try:
                # Not for itself: a signal's handler may come here out of a step that reads.
                while any(reader != thread for reader in self._readers):
                    self._changed.wait()
            finally:
                self._waiting -= 1
                self._changed.notify_all()
        except BaseException:
            self.lock.release()
            raise
        self._alone_thread = thread
        self._depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if not self._depth:
            self._alone_thread = 0
        self.lock.release()

    def share(self, step: Callable[[], None]) -> None:
        """Run a step that only reads; several threads may, and who wants to change waits."""
        thread = threading.get_ident()
        with self._changed:
            # Who waits to change something goes first, or two readers could keep it out for ever.
            while self._waiting and thread not in (self._alone_thread, *self._readers):
                self._changed.wait()
            self._readers.append(thread)
        try:
            step()
        finally:
            with self._changed:
                self._readers.remove(thread)
                self._changed.notify_all()
