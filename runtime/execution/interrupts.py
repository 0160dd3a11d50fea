"""Signals during a watched step.

Python runs a signal's handler when it next runs Python code. In the middle of a native call that is
the first line of a callback, before any `try` in it. Whatever the handler raises there, such as
KeyboardInterrupt, is printed and lost. So during a watched step, signals are recorded, and
delivered to their real handlers after the step. Signals may interrupt a watch handler directly,
since what is raised there is kept.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar

__all__ = ["HeldSignals"]

# Signals that a program may well turn into an exception.
_SIGNALS = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGALRM,
    signal.SIGHUP,
    signal.SIGUSR1,
    signal.SIGUSR2,
)


class HeldSignals:
    """Holds signals back from `hold` to `release`, except while `in_handler` is true.

    One object serves one run at a time; a job that runs inside a handler uses its own. Only the
    main thread ever runs signal handlers, so on other threads nothing is held, and no lock is
    needed.
    """

    _innermost: ClassVar["HeldSignals | None"] = None
    _real: ClassVar[dict[int, Callable[[int, FrameType | None], Any]]] = {}

    def __init__(self) -> None:
        self.in_handler = False
        self._noted: list[int] = []
        self._outer: HeldSignals | None = None

    def hold(self) -> None:
        """Start recording signals."""
        if threading.get_ident() != threading.main_thread().ident:
            return
        self._outer = HeldSignals._innermost
        HeldSignals._innermost = self
        for number in _SIGNALS:
            real = signal.getsignal(number)
            # An ignored signal, or one with the default action, has no callable.
            if callable(real) and real is not HeldSignals._note:
                HeldSignals._real[number] = real
                signal.signal(number, HeldSignals._note)

    def is_pending(self) -> bool:
        """Whether a signal waits for `release`."""
        return bool(self._noted)

    def release(self) -> None:
        """Restore the real handlers and call them for recorded signals; raises what they raise."""
        if HeldSignals._innermost is not self:
            return
        # From here on signals are delivered directly. So a handler that raises below undoes
        # nothing: handlers not restored yet are restored at the next release.
        HeldSignals._innermost = self._outer
        if self._outer is None:
            for number, real in HeldSignals._real.items():
                if signal.getsignal(number) is HeldSignals._note:
                    signal.signal(number, real)
        self._hand_over()

    def _hand_over(self) -> None:
        # Run each real handler, even if an earlier one raises.
        if self._noted:
            number = self._noted.pop(0)
            try:
                HeldSignals._real[number](number, None)
            finally:
                self._hand_over()

    @staticmethod
    def _note(number: int, frame: FrameType | None) -> None:
        held = HeldSignals._innermost
        if held is None or held.in_handler:
            HeldSignals._real[number](number, frame)
        else:
            held._noted.append(number)
