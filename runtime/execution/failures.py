"""Exceptions that are raised during a step, kept until its end.

An exception cannot pass through native code, and half a step is worse than none. So the first one
is kept, everything else runs on, and the exception is raised after the step. A note counts later
ones. An interrupt replaces an ordinary exception.
"""

from penstock.runtime.description import Description

__all__ = ["Failures", "add_note"]


class Failures:
    """The exceptions of one run at a time."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._first: BaseException | None = None
        self._others = 0

    def keep(self, error: BaseException, tap: int) -> None:
        """Keep what a handler of a tap raised."""
        blob = self._description.taps[tap]
        where = f" ({blob.loc})" if blob.loc else ""
        add_note(
            error, f"raised by a handler of {blob.name!r}{where} in job {self._description.job!r}"
        )
        self._keep(error)

    def keep_called(self, error: BaseException, number: int) -> None:
        """Keep what the function of a call-out raised, which has ended the step."""
        # There is one more, which a job on several devices calls before it changes a variable.
        for callout in self._description.callouts[number : number + 1]:
            where = f" ({callout.loc})" if callout.loc else ""
            job = self._description.job
            add_note(error, f"raised by call-out {callout.name!r}{where} in job {job!r}")
        self._keep(error)

    def _keep(self, error: BaseException) -> None:
        interrupts = not isinstance(error, Exception) and isinstance(self._first, Exception)
        if self._first is not None:
            self._others += 1
        if self._first is None or interrupts:
            self._first = error

    def keep_signal(self, error: BaseException) -> None:
        """Keep what a signal's handler raised; it replaces everything before."""
        if error.__context__ is None:
            error.__context__ = self._first
        self._first, self._others = error, 0

    def raise_first(self) -> None:
        """Raise the kept exception, if any."""
        first, others = self._first, self._others
        self._first, self._others = None, 0
        if first is not None and others:
            add_note(first, f"{others} more raised by handlers in the same step")
        try:
            if first is not None:
                raise first
        finally:
            del first  # breaks the reference cycle of the exception and this frame


def add_note(error: BaseException, note: str) -> None:
    """`BaseException.add_note` of Python 3.11, for every version and for frozen exceptions."""
    notes = [*getattr(error, "__notes__", ())]
    if note not in notes:
        object.__setattr__(error, "__notes__", [*notes, note])
