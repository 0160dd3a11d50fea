"""OneFlow's style of test files, and the machine settings they see."""

import io
import unittest
from pathlib import Path

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

OPS = """
import unittest
import numpy as np
import penstock as flow
import penstock.typing as oft


@flow.unittest.skip_unless_1n1d()
class TestAdd(flow.unittest.TestCase):
    def test_one(test_case):
        @flow.global_function()
        def add_job(x: oft.Numpy.Placeholder((2,))) -> oft.Numpy:
            return x + 1

        test_case.assertTrue(np.array_equal(add_job(np.zeros(2, np.float32)), [1, 1]))

    def test_two(test_case):
        # A session that has started would take no job.
        @flow.global_function()
        def add_job(x: oft.Numpy.Placeholder((2,))) -> oft.Numpy:
            return x + 2

        test_case.assertTrue(np.array_equal(add_job(np.zeros(2, np.float32)), [2, 2]))


@flow.unittest.skip_unless_1n2d()
class TestTwoDevices(flow.unittest.TestCase):
    def test_never(test_case):
        test_case.fail()


class TestParts(flow.unittest.TestCase):
    @flow.unittest.skip_unless_2n1d()
    def test_never(test_case):
        test_case.fail()

    @unittest.skipIf(flow.unittest.env.eager_execution_enabled(), "eager")
    def test_wrong(test_case):
        test_case.assertEqual(flow.unittest.env.node_size(), flow.unittest.env.device_num() + 1)
"""

FUNCTIONS = """
from __future__ import annotations
from dataclasses import dataclass
import penstock as flow


@dataclass
class Case:
    number: int


def test_here(test_case):
    test_case.assertFalse(flow.eager_execution_enabled())
    test_case.assertEqual(Case(test_case.number).number, 3)


@flow.unittest.num_nodes_required(2)
def test_on_two(test_case):
    test_case.fail()


def helper(test_case):
    test_case.fail()
"""


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DEVICE_NUM", "NODE_LIST", "ENABLE_EAGER", "ENABLE_TYPING_CHECK"):
        monkeypatch.delenv(f"ONEFLOW_TEST_{name}", raising=False)


def run(suite: unittest.TestSuite) -> unittest.TestResult:
    return unittest.TextTestRunner(io.StringIO()).run(suite)


def test_a_file_of_test_cases_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "test_penstock_ops.py").write_text(OPS)
    result = run(unittest.TestLoader().discover(str(tmp_path)))
    assert result.testsRun - len(result.skipped) == 3
    assert not result.errors
    assert [test.id().rpartition(".")[2] for test, _ in result.failures] == ["test_wrong"]
    assert sorted(reason for _, reason in result.skipped) == [
        "is for 1 machine of 2 devices, and the environment has 1 machine of 1 device",
        "is for 2 machines of 1 device, and the environment has 1 machine of 1 device",
    ]


def test_functions_become_test_cases(tmp_path: Path) -> None:
    class Base(unittest.TestCase):
        def setUp(self) -> None:
            self.number = 3

    (tmp_path / "test_functions.py").write_text(FUNCTIONS)
    (tmp_path / "helpers.py").write_text("raise AssertionError")
    scope: dict[str, type[unittest.TestCase]] = {}
    flow.unittest.register_test_cases(scope, str(tmp_path), lambda nodes: nodes == 1, Base)
    assert list(scope) == ["test_functions"]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(scope["test_functions"])
    assert [test.id().rpartition(".")[2] for test in suite] == ["test_here"]  # type: ignore[union-attr]
    assert run(suite).wasSuccessful()
    with pytest.raises(
        ValueError, match=r"^\S*test_unittest.py:\d+: .* in /none, which is not a folder"
    ):
        flow.unittest.register_test_cases(scope, "/none", lambda nodes: True)


def test_the_environment_selects_the_device(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Case(flow.unittest.TestCase):
        def test(self) -> None: ...

    def errors() -> list[str]:
        result = run(unittest.defaultTestLoader.loadTestsFromTestCase(Case))
        return [trace.splitlines()[-1] for _, trace in result.errors]

    env = flow.unittest.env
    assert (env.device_num(), env.node_size(), env.has_node_list()) == (1, 1, False)
    with pytest.raises(ValueError, match="ONEFLOW_TEST_NODE_LIST names no machine"):
        env.node_list()
    assert errors() == []
    monkeypatch.setenv("ONEFLOW_TEST_DEVICE_NUM", "2")
    assert flow.unittest.skip_unless_1n2d()(Case) is Case
    monkeypatch.setenv("ONEFLOW_TEST_DEVICE_NUM", "two")
    with pytest.raises(ValueError, match='DEVICE_NUM must be a number above 0, got the string "tw'):
        flow.unittest.skip_unless_1n1d()
    monkeypatch.setenv("ONEFLOW_TEST_ENABLE_EAGER", "1")
    assert errors() == []
    assert "enable_eager_execution has no effect" in caplog.text


def test_the_environment_names_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEFLOW_TEST_NODE_LIST", "a,b")
    monkeypatch.setenv("ONEFLOW_TEST_DEVICE_NUM", "2")
    assert flow.unittest.env.node_list() == ["a", "b"]

    @flow.unittest.skip_unless_2n2d()
    class Case(flow.unittest.TestCase):
        def test(self) -> None:
            flow.config.cpu_device_num(flow.unittest.env.device_num())

            @flow.global_function()
            def job(x: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
                with flow.scope.placement("cpu", ["0:0-1", "1:0-1"]):
                    return x + x

            assert np.array_equal(job(np.arange(5, dtype=np.float32)), [0, 2, 4, 6, 8])
            assert len(job.executable.ranks) == 4

    assert run(unittest.defaultTestLoader.loadTestsFromTestCase(Case)).errors == []


def test_there_are_no_workers_to_start(caplog: pytest.LogCaptureFixture) -> None:
    flow.deprecated.init_worker(scp_binary=True, use_uuid=True)
    flow.deprecated.delete_worker(ssh_port=22)
    assert not caplog.messages
    flow.config.machine_num(2)
    flow.deprecated.init_worker()
    assert "init_worker does nothing: a launcher, such as mpiexec or srun" in caplog.messages[0]
