"""`flow.unittest`: Python's `unittest` with a session per test, and skips by number of devices."""

from __future__ import annotations

import os
import sys
import unittest
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.basics.errors import counted, located
from penstock.basics.names import no_such
from penstock.jobs.session import clear_default_session, enable_eager_execution
from penstock.jobs.signature import enable_typing_check
from penstock.process import unittest_env as env
from penstock.process.devices import name_machines

__all__ = [
    "TestCase",
    "env",
    "num_nodes_required",
    "register_test_cases",
    "skip_unless_1n1d",
    "skip_unless_1n2d",
    "skip_unless_1n4d",
    "skip_unless_2n1d",
    "skip_unless_2n2d",
    "skip_unless_2n4d",
]

T = TypeVar("T", bound=Callable[..., Any])
_NODES_REQUIRED = "_penstock_nodes_required"


class TestCase(unittest.TestCase):
    """A test case whose tests each have a session of their own.

    The environment says whether annotations are required (ONEFLOW_TEST_ENABLE_TYPING_CHECK), and
    names the machines of the run (ONEFLOW_TEST_NODE_LIST): the process has the ranks of all. If it
    asks for eager execution, tests raise a located NotImplementedError.
    """

    def setUp(self) -> None:
        super().setUp()
        clear_default_session()
        self.addCleanup(clear_default_session)
        if env.has_node_list():
            name_machines(tuple(env.node_list()))
        enable_eager_execution(env.eager_execution_enabled())
        enable_typing_check(env.typing_check_enabled())


class _ClearDefaultSession(unittest.TestCase):
    """The prefix that `register_test_cases` gives to test classes."""

    def setUp(self) -> None:
        clear_default_session()
        super().setUp()


def _skip_unless(nodes: int, devices: int) -> Callable[[T], T]:
    """Keep a test, or a class of tests, if the environment has exactly these machines."""
    wanted, here = (nodes, devices), (env.node_size(), env.device_num())
    if here == wanted:
        return lambda test: test
    places = [f"{counted(n, 'machine')} of {counted(d, 'device')}" for n, d in (wanted, here)]
    skip: Callable[[T], T] = unittest.skip(
        f"is for {places[0]}, and the environment has {places[1]}"
    )
    return skip


def skip_unless_1n1d() -> Callable[[T], T]:
    """Skip unless the environment has one machine with one device (the default)."""
    return _skip_unless(1, 1)


def skip_unless_1n2d() -> Callable[[T], T]:
    """Skip unless the environment has one machine with two devices."""
    return _skip_unless(1, 2)


def skip_unless_1n4d() -> Callable[[T], T]:
    """Skip unless the environment has one machine with four devices."""
    return _skip_unless(1, 4)


def skip_unless_2n1d() -> Callable[[T], T]:
    """Skip unless the environment has two machines with one device each."""
    return _skip_unless(2, 1)


def skip_unless_2n2d() -> Callable[[T], T]:
    """Skip unless the environment has two machines with two devices each."""
    return _skip_unless(2, 2)


def skip_unless_2n4d() -> Callable[[T], T]:
    """Skip unless the environment has two machines with four devices each."""
    return _skip_unless(2, 4)


def num_nodes_required(num_nodes: int) -> Callable[[T], T]:
    """State how many machines a test function needs: see `register_test_cases`."""

    def note(function: T) -> T:
        setattr(function, _NODES_REQUIRED, num_nodes)
        return function

    return note


def register_test_cases(
    scope: dict[str, Any],
    directory: str | os.PathLike[str],
    filter_by_num_nodes: Callable[[int], bool],
    base_class: type[unittest.TestCase] = unittest.TestCase,
    test_case_mixin: type = _ClearDefaultSession,
) -> None:
    """Add a test case to `scope`, such as `globals()`, for each file test*.py of a folder.

    It is named after the file. Its tests are the file's functions test...(test_case) whose number
    of machines, by default 1, passes the filter.
    """
    folder = Path(directory)
    if not folder.is_dir():
        raise located(
            ValueError,
            f"flow.unittest.register_test_cases looks for test*.py in {folder}, which is not a "
            "folder; give it one",
        )
    for path in sorted(folder.glob("test*.py")):
        spec = spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        # A dataclass evaluates its annotations in this module.
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        tests = {
            name: function
            for name, function in vars(module).items()
            if name.startswith("test")
            and callable(function)
            and filter_by_num_nodes(getattr(function, _NODES_REQUIRED, 1))
        }
        scope[path.stem] = type(path.stem, (test_case_mixin, base_class), tests)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.unittest")
