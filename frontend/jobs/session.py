"""The session: all jobs defined so far, and the variables they share.

The first call of any job, and any function that touches variables, starts the session: jobs are
compiled in the order they were defined. A job defined later joins at its first call, or when
variables are next asked for. It shares the variables there are, whose values stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from penstock.basics import settings
from penstock.basics.errors import kind_of, located, user_location
from penstock.basics.notices import tell_once
from penstock.ir.location import Location
from penstock.process.background import refuse_callback_thread, wait_for_callbacks
from penstock.process.devices import forget_devices
from penstock.process.forks import making
from penstock.process.steps import wait_for_steps
from penstock.runtime import VariableStore
from penstock.runtime.execution.failures import add_note
from penstock.runtime.memory import Refused
from penstock.trace.tracing import active_trace
from penstock.trace.variables import Declaring, check_shared_variables

if TYPE_CHECKING:
    from penstock.jobs.signature import Signature
    from penstock.runtime.execution.runnable import Runnable


class Job(Declaring, Protocol):
    """The part of a job function that its session uses."""

    @property
    def signature(self) -> Signature: ...
    @property
    def executable(self) -> Runnable: ...
    def trace(self) -> object: ...
    def compile(self) -> object: ...
    def attach(self, store: VariableStore) -> None: ...
    def detach(self) -> None: ...
    @property
    def is_watched(self) -> bool: ...


class Session:
    """Jobs by name, in order of definition, and the variables they share."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self._joined: dict[Job, None] = {}
        """Those of them, and those made of them for smaller arrays, that have their variables."""
        self.store = VariableStore()
        self.started: Location | None = None
        """The user's line that started the session."""
        self.closed = False

    def add(self, job: Job) -> None:
        """Register a job at decoration; a later one of the same name replaces the earlier."""
        refuse_in_body(f"@flow.global_function of job {job.name!r}")
        # Another thread may be starting the session.
        with making:
            self.jobs.pop(job.name, None)
            for earlier in [known for known in self._joined if known.name == job.name]:
                earlier.detach()
                del self._joined[earlier]
            self.jobs[job.name] = job

    def start(self, asked: str, only: Job | None = None) -> None:
        """Compile jobs and make their variables: all at the start, later those defined since.

        Later, `only` that one is, so that a call does not depend on other jobs. `asked` is what was
        called. What is wrong with a job that it does not name is raised with a note of it. On an
        error, no job has joined and no variable was made. Raises a located ValueError where no job
        is defined.
        """
        with making:
            wanted = self.jobs.values() if only is None or self.started is None else (only,)
            coming = [job for job in wanted if job not in self._joined]
            if self.started is not None and not coming:
                return
            if not self.jobs:
                raise located(
                    ValueError,
                    "no job is defined, so there is nothing to start; "
                    "decorate a function with @flow.global_function()",
                )
            for job in coming:
                with _noted(asked, job):
                    job.trace()
            check_shared_variables([*self._joined, *coming])
            for job in coming:
                with _noted(asked, job):
                    job.compile()
            if self.started is None:
                # Begun anew: a start that failed has left nothing behind.
                self.store = VariableStore()
            self._attach(coming)
            self._joined.update(dict.fromkeys(coming))
            if self.started is None:
                self.started = user_location()
                settings.lock(True)

    def forget(self, job: Job) -> None:
        """Drop a job that was made of another."""
        with making:
            job.detach()
            self._joined.pop(job, None)

    def watches(self) -> bool:
        """Whether any job has handlers: they may call jobs, on the thread of the step."""
        return any(job.is_watched for job in self._joined)

    def detach_all(self) -> None:
        """Have the next call of each job checked: it waits for the steps that have not run."""
        for job in self._joined:
            job.detach()

    def close(self) -> None:
        """Forget its jobs; calling one of them later raises an error."""
        self.closed = True
        for job in (*self.jobs.values(), *self._joined):
            job.detach()

    def _attach(self, coming: Sequence[Job]) -> None:
        """Make the variables of jobs, and have their calls made on these: of all jobs or none."""
        try:
            with self.store.all_or_none():
                # Train jobs first: how a variable starts is theirs to say, wherever they stand.
                for job in sorted(coming, key=lambda job: job.type != "train"):
                    self._make_variables(job)
                    job.executable.meet(self.store)
                for job in coming:
                    job.attach(self.store)
        except BaseException:
            for job in coming:
                job.detach()
            raise

    def _make_variables(self, job: Job) -> None:
        places = {variable.name: variable.location for variable in job.variables()}
        for argument in job.executable.description.variables:
            try:
                self.store.declare(argument, job.name)
            except ValueError as error:
                text = str(error)
                if argument.name in self.store:  # of another shape or type
                    text += ", or begin anew with flow.clear_default_session()"
                raise located(ValueError, text, places.get(argument.name)) from None
            except Refused as error:
                text = f"job {job.name!r}: variable {argument.name!r}: {error}"
                raise located(MemoryError, text, places.get(argument.name)) from None


@contextmanager
def _noted(asked: str, job: Job) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if asked != named(job):
            add_note(
                error,
                f"{asked} was called, which first compiles every job, {job.name!r} too; define "
                "that one again, or start anew with flow.clear_default_session()",
            )
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
    wait_for_steps()
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
        forget_devices()


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
    """Wait for every step and result callback; raise again the first exception of a callback."""
    wait_for_steps()
    wait_for_callbacks()


def enable_eager_execution(val: bool = True) -> None:
    """Accepted, and says once that it changes nothing: a body is compiled at the first call.

    Results are the same. Tensors and modules run op by op: `flow.tensor`, `flow.nn.Module`.
    """
    if type(val) is not bool:
        raise located(TypeError, f"enable_eager_execution takes a bool, got {kind_of(val)}")
    if val:
        tell_once(
            "enable_eager_execution",
            "enable_eager_execution has no effect: job functions are compiled",
        )


def eager_execution_enabled() -> bool:
    """Whether the bodies of job functions run op by op; they never do."""
    return False
