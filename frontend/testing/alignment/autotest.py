"""`@autotest`: runs a test on random data until it has succeeded often enough."""

from __future__ import annotations

import functools
import os
import random as python_random
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from penstock.basics.checks import check_flag, check_integer
from penstock.basics.errors import function_location, kind_of, located
from penstock.ir.diagnostics import pass_interrupt
from penstock.tensor_functions.random_numbers import default_generator
from penstock.testing.alignment import checking
from penstock.testing.alignment.causes import cause_of, kind_of_failure
from penstock.testing.alignment.checking import Misaligned, Returned
from penstock.testing.alignment.failing import failure
from penstock.testing.alignment.graphs import GraphDiffers, check_calls, check_graph
from penstock.testing.alignment.shrinking import smallest
from penstock.testing.duals.choices import Choices, Drawn
from penstock.testing.duals.dual import DualObject
from penstock.testing.duals.program import Call
from penstock.testing.duals.references import TorchRefuses, reference
from penstock.testing.duals.run import Run, Settings, all_global, is_global, running
from penstock.testing.duals.tape import Tape

SEED = "PENSTOCK_AUTOTEST_SEED"
TRIES = 20
"""How often to draw for each run that is wanted: drawn arguments may be illegal."""


def autotest(
    n: int = 20, auto_backward: bool | str = True, rtol: float = 1e-4, atol: float = 1e-5,
    check_graph: bool | str = True, check_allclose: bool = True, check_dtype: bool = False,
    check_grad_use_random_data: bool = True, include_complex: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., None]]:  # fmt: skip
    """Run a test on random data until it has succeeded `n` times, and compare what it computes.

    The test is written with `torch`, which stands for PyTorch and penstock, and with random tensors
    and generators. Its body runs on both, or on penstock alone where PyTorch is not installed: then
    each op is compared with its NumPy reference. Draws that PyTorch refuses are repeated.

    - `auto_backward`: call backward on what the test returns, "auto" if both sides can, and compare
      the gradients of all tensors and parameters. `check_grad_use_random_data` weights the result
      at random, not with ones.
    - `rtol`, `atol`: how close to PyTorch floats must be. `check_dtype`: compare types, too.
      `check_allclose=False` compares nothing.
    - `check_graph`: run the same calls as one `nn.Graph`, with the gradients. The results must have
      the same bits, except for rounding where passes fuse ops. False, or "ValidatedFalse", leaves
      this out.
    - `include_complex`: half of the float tensors are complex; there is no graph.

    Raises `Misalignment`, an AssertionError: one located sentence that names the op, the function
    or the pass. Its `file` shows the failure alone. Draws depend on PENSTOCK_AUTOTEST_SEED and on
    the test's name. Source: OneFlow's automated_test_util.

    >>> from penstock.testing import random_tensor, torch
    >>> @autotest(n=2, check_graph=False)
    ... def test_relu():
    ...     return torch.nn.functional.relu(random_tensor(2, 3, 4))
    >>> test_relu()
    """
    settings = _checked(
        Settings(
            n, auto_backward, rtol, atol, check_graph is True, check_allclose, check_dtype,
            check_grad_use_random_data, include_complex,
        )
    )  # fmt: skip
    if check_graph not in (True, False, "ValidatedFalse"):
        raise located(ValueError, f"check_graph of autotest is a bool, got {check_graph!r}")

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        if not callable(test):
            raise located(TypeError, f"autotest decorates a function, got {kind_of(test)}")

        @functools.wraps(test)
        def aligned(*args: Any, **named: Any) -> None:
            Loop(test, settings, args, named).run()

        return aligned

    return decorate


def _checked(settings: Settings) -> Settings:
    if check_integer(settings.n, "n of autotest") < 1:
        raise located(ValueError, f"n of autotest must be at least 1, got {settings.n}")
    if settings.auto_backward not in (True, False, "auto"):
        raise located(
            ValueError,
            f'auto_backward of autotest is a bool or "auto", got {settings.auto_backward!r}',
        )
    for name in ("rtol", "atol"):
        value = getattr(settings, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise located(
                ValueError, f"{name} of autotest is a number of at least 0, got {value!r}"
            )
    for name in ("check_allclose", "check_dtype", "check_grad_use_random_data", "include_complex"):
        check_flag(getattr(settings, name), f"{name} of autotest")
    return settings


class Outcome(NamedTuple):
    """A run, and what is wrong in it."""

    run: Run
    returned: Returned
    wrong: Misaligned | None


class Failed(NamedTuple):
    """A run that failed."""

    run: Run
    returned: Returned
    wrong: Misaligned

    @property
    def drawn(self) -> list[Drawn]:
        """The integers that were drawn."""
        found: list[Drawn] = self.run.choices.drawn
        return found

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same while it is made smaller."""
        return kind_of_failure(self.run, self.returned, self.wrong)


class Loop:
    """The runs of one test."""

    def __init__(
        self, test: Callable[..., Any], settings: Settings, args: Sequence[Any], named: Any
    ) -> None:
        self.test = test
        self.settings = settings
        self._args, self._named = args, named
        self._name = f"{getattr(test, '__module__', '')}.{getattr(test, '__qualname__', '')}"

    def run(self) -> None:
        """Run until enough runs have succeeded."""
        base = os.environ.get(SEED) or "0"
        if not base.isdecimal():
            raise located(ValueError, f"{SEED} is an integer of at least 0, got {base!r}")
        succeeded = tried = 0
        refused = ""
        while succeeded < self.settings.n:
            if tried >= TRIES * self.settings.n:
                raise located(
                    ValueError,
                    f"autotest drew {tried} times, and {succeeded} of {self.settings.n} runs were "
                    f"legal; let the generators draw legal arguments: {refused}",
                    function_location(self.test),
                )
            seed = (int(base), zlib.crc32(self._name.encode()), tried)
            tried += 1
            try:
                outcome = self.once(Choices(seed))
            except TorchRefuses as error:
                refused = str(error).splitlines()[0]
                continue
            succeeded += 1
            if outcome.wrong is not None:
                failed = self._smaller(outcome)
                raise failure(*failed, cause_of(*failed), seed)

    def once(self, choices: Choices, retains: bool = False) -> Outcome:
        """One run with these draws."""
        run = Run(self.settings, choices, reference(), Tape(), is_global(), retains=retains)
        with _seeded(run):
            with running(run), run.tape.taping(0):
                result = self.test(*self._args, **self._named)
            duals = checking.check_returned(self.test, result)
            try:
                returned = checking.backward(run, duals)
            except Exception as error:
                pass_interrupt(error)
                returned = Returned(duals, [])
                wrong = checking.misaligned(run, returned)
                if wrong is None:
                    raise
                return Outcome(run, returned, wrong)
            wrong = checking.misaligned(run, returned)
            if wrong is None and self.settings.check_graph and not run.is_global:
                wrong = graph_of(run, returned)
        return Outcome(run, returned, wrong)

    def _smaller(self, outcome: Outcome) -> Failed:
        """The same failure with the smallest draws."""

        def again(values: Sequence[int]) -> Failed | None:
            try:
                run, returned, wrong = self.once(Choices(outcome.run.choices.seed, values), True)
            except Exception as error:
                pass_interrupt(error)
                return None
            return None if wrong is None else Failed(run, returned, wrong)

        found = again([one.value for one in outcome.run.choices.drawn])
        if found is None:
            assert outcome.wrong is not None
            return Failed(outcome.run, outcome.returned, outcome.wrong)
        return smallest(found, again)


@contextmanager
def _seeded(run: Run) -> Iterator[None]:
    """Let everything that draws depend on the run's seed; afterwards all draw on as before."""
    seed = zlib.crc32(repr(run.choices.seed).encode())
    pythons, numpys = python_random.getstate(), np.random.get_state()
    ours = default_generator.get_state()
    with run.reference.seeded(seed) if run.reference is not None else nullcontext():
        python_random.seed(seed)
        np.random.seed(seed)
        default_generator.manual_seed(seed)
        try:
            yield
        finally:
            python_random.setstate(pythons)
            np.random.set_state(numpys)
            default_generator.set_state(ours)


def graph_of(run: Run, returned: Returned) -> Misaligned | None:
    """How the graph of a run differs from what it computed eagerly."""
    outputs = [dual._expression for dual in returned.duals if isinstance(dual, DualObject)]
    if not outputs:
        outputs = [s.result for s in run.statements if isinstance(s, Call) and s.after is not None]
    pairs = zip(returned.duals, returned.seeds, strict=True)
    seeds = [(dual._expression, seed) for dual, seed in pairs if seed is not None]
    state = default_generator.get_state()
    try:
        if run.draws is not None:
            default_generator._seed, default_generator._step = run.draws
        found = _whole_graph(run, outputs, seeds)
    finally:
        default_generator.set_state(state)
    if found is None or not run.settings.check_allclose:
        return None
    statement, differs = found
    return Misaligned("graph", differs.what, differs.sentence, None, differs, statement)


def _whole_graph(run: Run, outputs: Any, seeds: Any) -> tuple[Any, GraphDiffers] | None:
    """The graph of all calls; of one call each where a program cannot be traced as a whole."""
    try:
        found = check_graph(run, outputs, seeds)
    except Exception as error:
        pass_interrupt(error)
        return check_calls(run)
    if found is None:
        return None
    try:
        alone = check_calls(run)
    except Exception as error:
        pass_interrupt(error)
        alone = None
    return alone or (None, found)


def globaltest(test: Callable[..., Any]) -> Callable[..., Any]:
    """Let the random tensors of a test be global ones, on one rank."""

    @functools.wraps(test)
    def inside(*args: Any, **named: Any) -> Any:
        with all_global():
            return test(*args, **named)

    return inside
