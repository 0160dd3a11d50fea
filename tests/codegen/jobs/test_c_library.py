import ctypes
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loading import load_program

import penstock as flow
import penstock.typing as tp
from penstock.codegen.clib.c_header import c_header
from penstock.codegen.clib.c_interface import Interface, interface_of
from penstock.codegen.clib.c_library import c_library
from penstock.codegen.host import LEVELS, host_level, host_levels
from penstock.codegen.jobs.program import Program, compile_module
from penstock.codegen.native.library import STATUS, STATUSES
from penstock.lowering.modules import Modules
from penstock.runtime import Description, Executable, VariableStore
from penstock.runtime.native import processor

Arrays = dict[str, np.ndarray[Any, Any]]


def programs_of(jobs: Sequence[Any], levels: Sequence[str]) -> dict[str, list[Program]]:
    found: dict[str, list[Program]] = {}
    for level in levels:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PENSTOCK_TARGET", level)
            modules = [Modules("job", job.trace().modules["job"]) for job in jobs]
            found[level] = [compile_module(m["loops"], level) for m in modules]
    return found


def first_values(programs: Sequence[Program]) -> Arrays:
    store = VariableStore()
    for program in programs:
        description = Description.from_dict(program.description)
        for variable in description.variables:
            store.ensure(variable, description.job)
    return dict(store.items())


class Library:
    """A library of jobs, loaded as a C program would load it."""

    def __init__(self, folder: Path, name: str, jobs: Sequence[Any], levels: Sequence[str]) -> None:
        self.programs = programs_of(jobs, levels)
        described = {
            level: [program.description for program in same]
            for level, same in self.programs.items()
        }
        self.interface: Interface = interface_of(name, f"lib{name}.so", described)
        self.values = first_values(self.programs[levels[-1]])
        self.path = folder / self.interface.file
        self.path.write_bytes(c_library(self.interface, self.programs, self.values))
        (folder / f"{name}.h").write_text(c_header(self.interface))
        self.c = ctypes.CDLL(str(self.path))
        self.memory = aligned(self.interface.variable_bytes)
        self.variables = (ctypes.c_void_p * len(self.interface.variables))()

    def call(self, function: str, *arguments: Any) -> int:
        passed = [
            ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arguments
        ]
        return int(getattr(self.c, f"{self.interface.prefix}_{function}")(*passed))

    def initialize(self) -> None:
        assert self.call("initialize", self.variables, self.memory) == 0


def aligned(size: int, multiple: int = 64) -> np.ndarray[Any, Any]:
    block = np.zeros(size + multiple, np.uint8)
    start = -block.ctypes.data % multiple
    return block[start : start + size]


@flow.global_function(type="train")
def train(
    x: tp.Numpy.Placeholder((16, 300), dtype=flow.float),
    y: tp.Numpy.Placeholder((16,), dtype=flow.int32),
) -> tuple[tp.Numpy, tp.Numpy]:
    hidden = flow.layers.dense(
        x,
        700,
        activation=flow.nn.gelu,
        kernel_initializer=flow.glorot_uniform_initializer(),
        name="hidden layer",
    )
    flow.watch(hidden, lambda blob: None)
    logits = flow.layers.dense(
        hidden, 5, kernel_initializer=flow.glorot_uniform_initializer(), name="2nd"
    )
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
    flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1])).minimize(loss)
    return loss, flow.reshape(flow.math.reduce_mean(loss), [])


@flow.global_function()
def plain(
    int: tp.Numpy.Placeholder((3,), dtype=flow.double),
) -> tp.Numpy:
    return flow.math.tanh(int)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(tmp_path_factory.mktemp("library"), "my model", [train, plain], host_levels())


def feeds() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    generator = np.random.default_rng(0)
    return generator.random((16, 300), np.float32), generator.integers(0, 5, 16, np.int32)


@pytest.mark.parametrize("workspace", [True, False])
def test_steps_are_bit_identical_to_python(library: Library, workspace: bool) -> None:
    program = library.programs[host_level()][0]
    address, code = load_program(program)
    executable, store = Executable(address, program.description, code), VariableStore()
    library.initialize()
    x, y = feeds()
    loss, mean = np.zeros(16, np.float32), np.zeros((), np.float32)
    room = aligned(library.interface.workspace) if workspace else None
    for _ in range(4):
        assert library.call("train", library.variables, x, y, loss, mean, room) == 0
        ours = executable.run([x, y], store)
        assert [loss.tobytes(), mean.tobytes()] == [array.tobytes() for array in ours]
    for variable, address in zip(library.interface.variables, library.variables, strict=True):
        assert address % 64 == 0
        assert ctypes.string_at(address, variable.bytes) == store.get(variable.name).tobytes()


def test_variables_start_with_their_current_values(library: Library) -> None:
    library.memory[...] = 0xFF
    library.initialize()
    kinds = set()
    for variable, address in zip(library.interface.variables, library.variables, strict=True):
        value = library.values[variable.name]
        kinds.add(bool(value.any()))
        assert ctypes.string_at(address, variable.bytes) == value.tobytes()
    assert kinds == {True, False}


def test_names_are_c_identifiers(library: Library) -> None:
    interface = library.interface
    assert interface.prefix == "my_model"
    assert [variable.identifier for variable in interface.variables][:4] == [
        "hidden_layer_weight", "hidden_layer_bias", "array_2nd_weight", "array_2nd_bias",
    ]  # fmt: skip
    assert [feed.identifier for feed in interface.jobs[1].feeds] == ["int_"]
    assert [fetch.identifier for fetch in interface.jobs[0].fetches] == ["result_0", "result_1"]


CALLED = [("pthread", "once"), ("sched", "getaffinity"), ("aligned", "alloc"), ("penstock", "pool")]


@pytest.mark.parametrize(("prefix", "job"), CALLED)
def test_no_job_replaces_a_library_function(prefix: str, job: str) -> None:
    description = {
        "job": job, "type": "predict", "entry": "e", "taps": [], "arguments": [],
        "arena": {"bytes": 0, "align": 64},
    }  # fmt: skip
    (found,) = interface_of(prefix, "x.h", {"x86-64-v2": [description]}).jobs
    assert found.identifier == f"{prefix}_{job}_2"


def test_pointers_are_checked(library: Library) -> None:
    library.initialize()
    x, y = feeds()
    loss, mean = np.zeros(16, np.float32), np.zeros((), np.float32)
    room, v = aligned(library.interface.workspace + 64), library.variables
    off = np.zeros(x.nbytes + 16, np.uint8)[4:]
    null = (ctypes.c_void_p * len(v))()
    for status, arguments in {
        "NULL": [(None, x, y, loss, mean, room), (v, None, y, loss, mean, room),
                 (v, x, y, loss, None, room), (null, x, y, loss, mean, room)],
        "MISALIGNED": [(v, off, y, loss, mean, room), (v, x, y, off, mean, room),
                       (v, x, y, loss, mean, room[16:])],
    }.items():  # fmt: skip
        for passed in arguments:
            assert library.call("train", *passed) == STATUS[status], status
    # A scalar needs no alignment, and no instruction reads past it.
    scalar = off[:4].view(np.float32)
    assert library.call("train", v, x, y, loss, scalar, None) == 0
    assert scalar[0] == pytest.approx(loss.mean(), rel=1e-5)
    assert library.call("initialize", v, None) == STATUS["NULL"]
    assert library.call("initialize", None, library.memory) == STATUS["NULL"]
    assert library.call("initialize", v, library.memory[4:]) == STATUS["MISALIGNED"]


def test_messages(library: Library) -> None:
    function = library.c.my_model_message
    function.restype = ctypes.c_char_p
    assert [function(i).decode() for i in range(len(STATUSES))] == [text for _, text in STATUSES]
    assert function(-1) == function(len(STATUSES)) == b"there is no such status"


def test_blobs_can_be_watched(library: Library) -> None:
    library.initialize()
    x, y = feeds()
    loss, mean = np.zeros(16, np.float32), np.zeros((), np.float32)
    seen: list[tuple[int, int, np.ndarray[Any, Any]]] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
    def watcher(user: int, tap: int, data: int) -> None:
        blob = np.frombuffer(ctypes.string_at(data, 16 * 700 * 4), np.float32).reshape(16, 700)
        seen.append((user, tap, blob))

    assert library.call("train_watch", 1, watcher, None) == STATUS["TAP"]
    assert library.call("train_watch", -1, watcher, None) == STATUS["TAP"]
    assert library.call("train_watch", 0, watcher, ctypes.c_void_p(7)) == 0
    assert library.call("train", library.variables, x, y, loss, mean, None) == 0
    assert library.call("train_watch", 0, None, None) == 0
    assert library.call("train", library.variables, x, y, loss, mean, None) == 0
    assert [(user, tap) for user, tap, _ in seen] == [(7, 0)]
    pre = x @ library.values["hidden layer-weight"].T
    expected = flow_gelu(pre.astype(np.float64))
    np.testing.assert_allclose(seen[0][2], expected, rtol=1e-4, atol=1e-5)


def flow_gelu(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    from math import erf

    return x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))


def test_calls_from_several_threads(library: Library) -> None:
    x = np.linspace(-1, 1, 3)
    found: list[bytes] = []

    def work() -> None:
        result = np.zeros(3)
        for _ in range(200):
            assert library.call("plain", x, result, None) == 0
        found.append(result.tobytes())

    callers = [threading.Thread(target=work) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_a_forked_child_runs_steps(library: Library) -> None:
    x, y = feeds()
    loss, mean = np.zeros(16, np.float32), np.zeros((), np.float32)

    def step() -> bytes:
        library.initialize()
        assert library.call("train", library.variables, x, y, loss, mean, None) == 0
        return loss.tobytes()

    before = step()
    child = os.fork()
    if child == 0:
        os._exit(0 if step() == before else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("workspace", [True, False])
def test_a_caller_with_a_small_stack(tmp_path: Path, workspace: bool) -> None:
    """Tasks pack into the workspace, not the stack. A child process runs the steps, since it might
    crash.
    """

    @flow.global_function()
    def wide(x: tp.Numpy.Placeholder((700, 700), dtype=flow.float)) -> tp.Numpy:
        return flow.matmul(x, x)

    library = Library(tmp_path, "wide", [wide], [host_level()])
    x = np.random.default_rng(0).random((700, 700), np.float32)
    memory = aligned(library.interface.workspace) if workspace else None
    found = []

    def step() -> None:
        result = np.zeros_like(x)
        if library.call("wide", x, result, memory) == 0:
            found.append(result.tobytes())

    child = os.fork()
    if child == 0:
        step()
        threading.stack_size(64 << 10)
        caller = threading.Thread(target=step)
        caller.start()
        caller.join()
        os._exit(0 if len(found) == 2 and found[0] == found[1] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_random_numbers_are_those_of_python(tmp_path: Path) -> None:
    @flow.global_function()
    def draw() -> tuple[tp.Numpy, tp.Numpy]:
        return flow.random.uniform((5, 37)), flow.random.coin_flip(1000)

    library = Library(tmp_path, "dice", [draw], host_levels())
    assert "Changes the variables System_Random_Step_draw." in (tmp_path / "dice.h").read_text()
    library.initialize()
    for _ in range(3):
        numbers, coins = np.zeros((5, 37), np.float32), np.zeros(1000, np.int8)
        assert library.call("draw", library.variables, numbers, coins, None) == 0
        wanted = draw()
        assert np.array_equal(numbers, wanted[0])
        assert np.array_equal(coins, wanted[1])


_PROGRAM = """
import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1])
x, result = (ctypes.c_double * 4)(), (ctypes.c_double * 4)()
address = ctypes.addressof(x) + 15 & -16
status = library.my_model_plain(
    ctypes.c_void_p(address), ctypes.c_void_p(ctypes.addressof(result) + 15 & -16), None)
print(status, library.my_model_set_threads(3), library.my_model_set_threads(0),
      library.my_model_set_threads(1025))
"""


@pytest.mark.parametrize(
    ("threads", "said"),
    [
        (None, "0 0 6 6"), ("1", "0 0 6 6"), ("1024", "0 0 6 6"), ("0", "6 6 6 6"),
        ("1025", "6 6 6 6"), ("", "6 6 6 6"), ("4x", "6 6 6 6"), (" 4", "6 6 6 6"),
        ("-1", "6 6 6 6"), ("99999999999999999999", "6 6 6 6"),
    ],
)  # fmt: skip
def test_the_environment_sets_the_number_of_threads(
    library: Library, threads: str | None, said: str
) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "PENSTOCK_NUM_THREADS"}
    if threads is not None:
        environment["PENSTOCK_NUM_THREADS"] = threads
    command = [sys.executable, "-c", _PROGRAM, str(library.path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said


def test_an_unsupported_processor(tmp_path: Path) -> None:
    """It is reported as a status; the process does not end."""
    highest = list(LEVELS)[-1]
    # The library asks the processor itself, whatever Penstock was told.
    if all(f" {flag}" in Path("/proc/cpuinfo").read_text() for flag in processor.LEVELS[highest]):
        pytest.skip("this machine has all levels")
    newer = Library(tmp_path, "newer", [plain], [highest])
    x, result = np.zeros(3), np.zeros(3)
    assert newer.call("plain", x, result, None) == STATUS["PROCESSOR"]
    assert newer.call("set_threads", 1) == STATUS["PROCESSOR"]


def test_each_level_alone(library: Library, tmp_path: Path) -> None:
    """Libraries of a single level; the library of all levels gives the bits of the best one."""
    x = np.linspace(0.1, 3, 3)
    results = []
    for level in host_levels():
        result = np.zeros(3)
        one = Library(tmp_path, level, [plain], [level])
        assert one.call("plain", x, result, None) == 0
        np.testing.assert_allclose(result, np.tanh(x), rtol=1e-14)
        results.append(result.tobytes())
    result = np.zeros(3)
    assert library.call("plain", x, result, None) == 0
    assert result.tobytes() == results[host_levels().index(host_level())]


def test_the_bf16_level_runs_only_where_it_is_faster(tmp_path: Path) -> None:
    """The instruction flushes subnormal numbers to zero, so results tell which code ran."""
    floats, pairs = "x86-64-v4", "x86-64-v4-bf16"
    if pairs not in host_levels():
        pytest.skip("this machine multiplies no pairs")

    @flow.global_function()
    def product(
        x: tp.Numpy.Placeholder((8, 16), flow.bfloat16),
        y: tp.Numpy.Placeholder((16, 4), flow.bfloat16),
    ) -> tp.Numpy:
        return flow.matmul(x, y)

    x, y = aligned(8 * 16 * 2).view(np.uint16), aligned(16 * 4 * 2).view(np.uint16)
    x[:], y[:] = 1, 0x3F80  # 2**-133, 1.0
    for name, levels, expected in (
        ("pairs", [pairs], pairs),
        ("old", ["x86-64-v2", pairs], pairs),
        ("both", ["x86-64-v2", floats, pairs], host_level()),
    ):
        result = aligned(8 * 4 * 2).view(np.uint16)
        library = Library(tmp_path, name, [product], levels)
        assert library.call("product", x, y, result, None) == 0
        assert set(result) == {0 if expected == pairs else 16}, name


@pytest.mark.parametrize(
    "command",
    [
        ["cc", "-std=c99", "-xc"], ["cc", "-std=c11", "-xc"], ["c++", "-std=c++11", "-xc++"],
        ["c++", "-std=c++20", "-xc++"],
    ],
)  # fmt: skip
def test_c_compilers_accept_the_header(library: Library, command: list[str]) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    source = '#include "my model.h"\n#include "my model.h"\n'
    source += "int main(void) { return my_model_set_threads(1); }\n"
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-I."]
    subprocess.run(
        [*command, *flags, "-"], input=source, text=True, check=True, cwd=library.path.parent
    )


def test_the_header_declares_everything(library: Library) -> None:
    text = c_header(library.interface)
    for line in (
        'float *hidden_layer_weight; /* f32 (700, 300), "hidden layer-weight", ',
        "int64_t *System_Train_TrainStep_train; /* i64 scalar, ",
        f"#define MY_MODEL_VARIABLES_BYTES {library.interface.variable_bytes}\n",
        f"#define MY_MODEL_WORKSPACE_BYTES {library.interface.workspace}\n",
        " * x         read:    f32 (16, 300), ",
        " * result_1  written: f32 scalar\n",
        "int my_model_train(\n    const struct my_model_variables *variables,\n",
        "int my_model_plain(\n    const double *int_,\n    double *result,\n    void *workspace);",
        "    MY_MODEL_TRAIN_TAP_",
    ):
        assert line in text
    assert text.isascii()


def test_the_header_documents_which_result_is_an_extent(tmp_path: Path) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def places(x: tp.Numpy.Placeholder((3, 4))) -> tp.ListNumpy:
        return flow.argwhere(x)

    found = Library(tmp_path, "places", [places], [host_level()])
    header = (tmp_path / "places.h").read_text()
    assert "result_0         written: i32 (12, 2) at most: result_0_extent of dimension 0" in header
    (job,) = found.interface.jobs
    assert [fetch.identifier for fetch in job.fetches] == ["result_0", "result_0_extent"]
    flow.clear_default_session()


def test_odd_names_do_not_end_a_comment() -> None:
    description = {
        "job": "über */ job", "type": "predict", "entry": "e", "taps": [],
        "arena": {"bytes": 0, "align": 64},
        "arguments": [
            {"role": "feed", "name": "x*/\n??/", "shape": [2], "dtype": "bf16", "loc": "a*/b.py:1"},
            {"role": "feed", "name": "X", "shape": [2], "dtype": "ui8"},
            {"role": "fetch", "name": "0", "shape": [], "dtype": "f16"},
        ],
    }  # fmt: skip
    interface = interface_of("1/2", "lib.so", {"x86-64-v2": [description]})
    assert interface.prefix == "library_1_2"
    assert interface.jobs[0].identifier == "library_1_2_ber_job"
    assert [feed.identifier for feed in interface.jobs[0].feeds] == ["x", "X_2"]
    text = c_header(interface)
    assert text.count("/*") == text.count("*/")
    assert text.isascii()
    assert "??/" not in text


def test_a_job_for_any_number_of_elements_has_no_interface() -> None:
    described = {
        "abi": 3, "job": "exp", "type": "predict", "entry": "exp",
        "arena": {"bytes": 0, "align": 64}, "arguments": [{"role": "count"}], "taps": [],
    }  # fmt: skip
    with pytest.raises(ValueError, match="job 'exp' takes arrays of any number of elements"):
        interface_of("lib", "lib.so", {"x86-64-v2": [described]})
