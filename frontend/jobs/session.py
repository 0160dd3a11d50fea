"""The session: all jobs defined so far, compiled together at the first call, and their variables.

The first call of any job, or any function that touches variables, starts the session. Jobs are
compiled in order of definition; no further job can be defined until
`flow.clear_default_session()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from penstock.basics import settings
from penstock.basics.errors import kind_of, located, user_location
from penstock.ir.location import Location
from penstock.process.background import refuse_callback_thread, wait_for_callbacks
from penstock.process.forks import making
from penstock.runtime import VariableStore
from penstock.runtime.execution.failures import add_note
from penstock.runtime.memory import Refused
from penstock.trace.tracing import active_trace
from penstock.trace.variables import Declaring, check_shared_variables

if TYPE_CHECKING:
    from penstock.jobs.signature import Signature
    from penstock.runtime import Executable


class Job(Declaring, Protocol):
    """The part of a job function that its session uses."""

    @property
    def signature(self) -> Signature: ...
    @property
    def executable(self) -> Executable: ...
    def trace(self) -> object: ...
    def compile(self) -> object: ...
    def attach(self, store: VariableStore) -> None: ...
    def detach(self) -> None: ...


class Session:
    """Jobs by name, in order of definition, and the variables they share."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.store = VariableStore()
        self.started: Location | None = None
        """The user's line that started the session."""
        self.closed = False

    def add(self, job: Job) -> None:
        """Register a job at decoration; a later one of the same name replaces the earlier."""
        refuse_in_body(f"@flow.global_function of job {job.name!r}")
        # Another thread may be starting the session.
        with making:
            if self.started is not None:
                raise located(
                    NotImplementedError,
                    f"no available function found: job {job.name!r} was defined after the session "
                    f"had started ({self.started.describe()}); define every job before the first "
                    "call, or begin anew with flow.clear_default_session()",
                    job.signature.location,
                )
            self.jobs.pop(job.name, None)
            self.jobs[job.name] = job

    def start(self, asked: str) -> None:
        """Compile all jobs and make their variables, once; on an error the session is not started.

        `asked` is the job or function that was called. An error in another job is raised with a
        note that names that job. Raises a located ValueError if no job is defined.
        """
        with making:
            if self.started is not None:
                return
            if not self.jobs:
                raise located(
                    ValueError,
                    "no job is defined, so there is nothing to start; "
                    "decorate a function with @flow.global_function()",
                )
            for job in self.jobs.values():
                with _noted(asked, job):
                    job.trace()
            check_shared_variables(list(self.jobs.values()))
            for job in self.jobs.values():
                with _noted(asked, job):
                    job.compile()
            # Start from scratch: a failed start leaves nothing behind.
            self.store = VariableStore()
            # Train jobs first: they decide how a variable is initialised, in whatever order they
            # come.
            for job in sorted(self.jobs.values(), key=lambda job: job.type != "train"):
                self._make_variables(job)
            for job in self.jobs.values():
                job.attach(self.store)
            self.started = user_location()
            settings.lock(True)

    def close(self) -> None:
        """Forget its jobs; calling one of them later raises an error."""
        self.closed = True
        for job in self.jobs.values():
            job.detach()

    def _make_variables(self, job: Job) -> None:
        places = {variable.name: variable.location for variable in job.variables()}
        for argument in job.executable.description.variables:
            try:
                self.store.ensure(argument, job.name)
            except ValueError as error:
                raise located(ValueError, str(error), places.get(argument.name)) from None
            except Refused as error:
                text = f"job {job.name!r}: variable {argument.name!r}: {error}"
                raise located(MemoryError, text, places.get(argument.name)) from None


@contextmanager
def _noted(asked: str, job: Job) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if asked != named(job):
            add_note(error, f"{asked} was called, which first compiles every job, {job.name!r} too")
        raise


def named(job: Job) -> str:
    """The name of a job in notes."""
    return f"job {job.name!r}"


class _Default:
    session = Session()


def default_session() -> Session:
    """The session of this process."""
    return _Default.session


def started_session(what: str) -> Session:
    """The session of this process, after starting it if necessary.

    `what` needs the session. Raises a located NotImplementedError in the body of a job, which
    cannot be compiled before its body has returned.
    """
    refuse_in_body(what)
    _Default.session.start(what)
    return _Default.session


def clear_default_session() -> None:
    """Wait for running callbacks, drop all jobs and variables, and begin a new session.

    Then the first exception of a callback, if any, is raised again.
    """
    refuse_callback_thread()
    refuse_in_body("flow.clear_default_session")
    try:
        sync_default_session()
    finally:
        _Default.session.close()
        _Default.session = Session()
        settings.lock(False)


def refuse_in_body(what: str) -> None:
    """Raise a located NotImplementedError if `what` is called in the body of a job."""
    trace = active_trace()
    if trace is not None:
        raise located(
            NotImplementedError,
            f"{what} is called in the body of job {trace.job!r}, where variables have no values "
            "and jobs are not compiled yet; call it outside of any body",
        )


def sync_default_session() -> None:
    """Wait for all result callbacks; raise the first exception of one of them again."""
    wait_for_callbacks()


def enable_eager_execution(val: bool = True) -> None:
    """Accepts False only: job functions are always compiled, never run op by op."""
    if type(val) is not bool:
        raise located(TypeError, f"enable_eager_execution takes a bool, got {kind_of(val)}")
    if val:
        raise located(
            NotImplementedError,
            "eager execution is not available; job functions are compiled at their first call",
        )


def eager_execution_enabled() -> bool:
    """Whether bodies run op by op; never in this build."""
    return False
