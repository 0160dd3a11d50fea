"""The matrix of misuses and entry points, with the test of each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
JOB, TEXT, ARTIFACT, RUNTIME, COMMAND = "job", "text job", "artifact job", "runtime", "command"
CALLS = dict.fromkeys((JOB, TEXT, ARTIFACT, RUNTIME), "misuse/test_calls.py::test_a_wrong_call")
FED = {**CALLS, COMMAND: "misuse/test_flags.py::test_a_bad_value"}
READ = "misuse/test_files.py::test_a_file_that_cannot_be_read"
WRITE = "misuse/test_files.py::test_a_place_that_cannot_be_written"
LOADED = "misuse/test_calls.py::test_loading_files_that_are_not_artifacts"
TABLE: dict[str, dict[str, str]] = {
    "wrong shape": FED,
    "wrong rank": FED,
    "wrong dtype": FED,
    "wrong count": {**CALLS, COMMAND: "tools/test_run.py::test_wrong_arguments"},
    "wrong name": {
        **dict.fromkeys(CALLS, "misuse/test_calls.py::test_a_wrong_name"),
        COMMAND: "misuse/test_flags.py::test_a_bad_value",
    },
    "None": CALLS,
    "object array": {**CALLS, COMMAND: "tools/test_run.py::test_wrong_arguments"},
    "string": FED,
    "result of another form": {JOB: "error/jobs/test_call_misuse.py::test_result_of_another_form"},
    "op outside a job": {JOB: "error/jobs/test_body_misuse.py::test_op_outside_a_job"},
    "layer name twice": {JOB: "error/jobs/test_declared_again.py::test_within_a_job"},
    "variable of another shape": {
        JOB: "error/jobs/test_call_misuse.py::test_variable_of_two_shapes_in_two_jobs",
        RUNTIME: "artifact/test_attacks.py::test_values_that_do_not_match_the_job",
        COMMAND: "misuse/test_flags.py::test_a_bad_value",
    },
    "variables of another model": {
        JOB: "frontend/jobs/test_sessions.py::test_a_checkpoint_and_back",
        TEXT: "frontend/jobs/test_sessions.py::test_a_checkpoint_and_back",
        RUNTIME: "tools/test_compile.py::test_variables_of_more_jobs_than_are_compiled",
        COMMAND: "tools/test_compile.py::test_variables_of_a_part_of_the_model",
    },
    "session in a body": {
        JOB: "error/jobs/test_body_misuse.py::test_functions_forbidden_in_a_body"
    },
    "name that is not there": {
        JOB: "error/jobs/test_body_misuse.py::test_unknown_name",
        RUNTIME: "misuse/test_calls.py::test_unknown_jobs",
    },
    "handler that nobody awaits": {
        JOB: "error/jobs/test_body_misuse.py::test_coroutine_as_handler",
        **dict.fromkeys((TEXT, ARTIFACT), "misuse/test_calls.py::test_watching_with_a_coroutine"),
    },
    "bad text": {
        TEXT: "ir/text/test_parser.py::test_a_misuse",
        COMMAND: READ,
    },
    "bad value of an option": {COMMAND: "misuse/test_flags.py::test_a_bad_value"},
    "file that is missing, denied, truncated or another": {
        TEXT: "error/jobs/test_call_misuse.py::test_text_file_that_does_not_exist",
        RUNTIME: LOADED,
        COMMAND: READ,
    },
    "newer file": {RUNTIME: "artifact/test_attacks.py::test_other_versions_and_machines"},
    "interrupt": {
        JOB: "runtime/execution/test_interrupts.py",
        COMMAND: "misuse/test_processes.py::test_an_interrupt",
    },
    "closed pipe": {COMMAND: "misuse/test_processes.py::test_nobody_reads"},
    "full disk": {
        RUNTIME: "crash/test_checkpoint_faults.py",
        COMMAND: "misuse/test_processes.py::test_a_full_disk",
    },
    "read-only folder": {JOB: "artifact/test_artifact.py::test_misuse", COMMAND: WRITE},
}
CELLS = [(misuse, way, test) for misuse, row in TABLE.items() for way, test in row.items()]


@pytest.mark.parametrize(("misuse", "way", "test"), CELLS)
def test_the_test_of_each_cell_is_there(misuse: str, way: str, test: str) -> None:
    file, _, function = test.partition("::")
    body = ast.parse((TESTS / file).read_text()).body
    names = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    assert function in names if function else any(name.startswith("test_") for name in names)
