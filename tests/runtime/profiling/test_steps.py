"""Times by kernel, line and thread follow from records; so do traces."""

import json

import numpy as np
import pytest

from penstock.runtime.description import Description, TimedKernel
from penstock.runtime.profiling.peak import Peak
from penstock.runtime.profiling.recorder import (
    KERNEL,
    REGION,
    STEP,
    TASK,
    RecordTable,
    TimedExecutable,
)
from penstock.runtime.profiling.steps import OUTSIDE, StepTimes
from penstock.runtime.profiling.table import step_text
from penstock.runtime.profiling.trace_events import trace_events

LINES = (("train.py:3", 3), ("train.py:4", 1))
DESCRIPTION = Description(
    "job", "predict", "job", 4096, 64, (),
    kernels=(
        TimedKernel("first", 4000, read=100, written=50, lines=LINES),
        TimedKernel("second", lines=LINES[:1]),
    ),
    in_use=(4096, 1024),
)  # fmt: skip
CALLER, HELPER = 7, 9
# From 100 to 1100 ns: kernel 0 from 200 to 800 with a region from 300 to 700, of which the caller
# works until 500 and the helper until 700; then kernel 1 from 900 to 1000.
STEP_RECORDS = [
    (300, 500, CALLER, 0, TASK),
    (350, 400, CALLER, 0, TASK),  # inside that one: a region in a task runs there
    (300, 700, HELPER, 0, TASK),
    (300, 700, CALLER, 0, REGION),
    (350, 400, CALLER, 0, REGION),
    (200, 800, CALLER, 0, KERNEL),
    (900, 1000, CALLER, 1, KERNEL),
    (100, 1100, CALLER, STEP, KERNEL),
]
PEAK = Peak(2, 1e10, 5e9, 2e10, ((1 << 20, 1e9), (1 << 26, 1e8)), 0.1)


def times_of(*steps: list[tuple[int, ...]]) -> StepTimes:
    times = StepTimes(DESCRIPTION)
    for step in steps:
        times.add(np.array(step, np.dtype(RecordTable)))
    return times


def later(by: int) -> list[tuple[int, ...]]:
    return [(begin + by, end + by, *rest) for begin, end, *rest in STEP_RECORDS]


def test_the_times_of_a_step() -> None:
    times = times_of(STEP_RECORDS)
    first, second = times.kernels()
    assert (first.seconds, second.seconds) == pytest.approx((600e-9, 100e-9))
    # Outside of its region the caller works for 200 ns; in it the two do for 200 and 400.
    assert (first.busy, second.busy) == pytest.approx((800e-9, 100e-9))
    assert times.outside == pytest.approx(300e-9)
    caller, helper = times.threads()
    assert (caller.busy, caller.idle) == pytest.approx((800e-9, 200e-9))
    assert (helper.busy, helper.idle) == pytest.approx((400e-9, 600e-9))


def test_lines_add_up_to_the_step() -> None:
    lines = times_of(STEP_RECORDS).lines()
    assert list(lines) == ["train.py:3", "train.py:4", OUTSIDE]
    assert lines["train.py:3"].seconds == pytest.approx(450e-9 + 100e-9)
    assert lines["train.py:4"].kernel.flops == 1000
    assert sum(one.seconds for one in lines.values()) == pytest.approx(1000e-9)


def test_steps_slower_than_the_median_do_not_count() -> None:
    slow = [(begin * 9, end * 9, *rest) for begin, end, *rest in STEP_RECORDS]
    times = times_of(STEP_RECORDS, slow, later(5000))
    assert times.count == 3
    assert times.seconds == pytest.approx(1000e-9)
    assert max(times.durations) == pytest.approx(9000e-9)


def test_a_step_that_was_stopped_and_run_again_counts_once() -> None:
    stopped = [(200, 300, CALLER, 0, KERNEL), (100, 350, CALLER, STEP, KERNEL)]
    times = times_of([*stopped, *later(1000)])
    assert times.seconds == pytest.approx(1000e-9)
    assert times.kernels()[0].seconds == pytest.approx(600e-9)


def test_a_step_without_room_for_its_records_is_counted_apart() -> None:
    times = times_of(STEP_RECORDS)
    times.add(None)
    assert (times.count, times.dropped) == (1, 1)


def test_what_a_kernel_reaches_of_the_peak() -> None:
    def least(flops: int, read: int, doubles: int = 0, pairs: int = 0) -> tuple[object, str]:
        kernel = TimedKernel("first", flops, doubles, pairs, read=read)
        seconds, bound = PEAK.least_seconds(kernel)
        return pytest.approx(seconds), bound

    assert least(4000, 150) == (400e-9, "flops")
    assert least(10, 1000) == (1e-6, "bytes")
    # Data that no cache holds.
    assert least(0, 1 << 24) == ((1 << 24) / 1e8, "bytes")
    # Each kind of flops has its own peak.
    assert least(4000, 150, doubles=4000) == (800e-9, "flops")
    assert least(4000, 150, pairs=4000) == (200e-9, "flops")
    assert least(4000, 150, doubles=1000, pairs=2000) == (400e-9, "flops")
    assert "67 % flops" in step_text(times_of(STEP_RECORDS), PEAK)


def test_tables_fit_80_columns() -> None:
    lines = (("folder/" * 30 + "train.py:3", 1),)
    long = TimedKernel("matmul_" * 20, 5 * 10**10, read=10**8, lines=lines)
    times = StepTimes(DESCRIPTION._replace(kernels=(long, TimedKernel("\x1b[31m"))))
    slow = [(b * 10**7, e * 10**7, *rest) for b, e, *rest in STEP_RECORDS]
    times.add(np.array(slow, np.dtype(RecordTable)))
    text = step_text(times, PEAK)
    assert max(map(len, text.split("\n"))) <= 80
    assert "\x1b" not in text
    assert "train.py:3 " in text


def test_the_rows_beyond_the_most_are_summed_up() -> None:
    text = step_text(times_of(STEP_RECORDS), PEAK, most=1)
    assert "1 more kernel " in text
    assert "1 more line " in text


def test_a_trace_keeps_the_rules_of_its_format() -> None:
    trace = json.loads(json.dumps(trace_events({"job": times_of(STEP_RECORDS, later(3000))})))
    events = trace["traceEvents"]
    assert trace["displayTimeUnit"] in ("ms", "ns")
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names == {0: "caller", 1: "pool 1"}
    for event in events:
        assert event["ph"] in ("X", "M", "C")
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        if event["ph"] == "X":
            assert event["ts"] >= 0
            assert event["dur"] >= 0
        if event["ph"] == "C":
            assert all(isinstance(value, int) for value in event["args"].values())
    steps = [e for e in events if e.get("cat") == "step"]
    assert [(e["ts"], e["dur"]) for e in steps] == [(0.0, 1.0), (3.0, 1.0)]  # microseconds
    kernels = [e for e in events if e.get("cat") == "kernel"]
    assert [e["name"] for e in kernels] == ["first", "second"] * 2
    assert all(e["tid"] == 0 for e in kernels)
    assert {e["tid"] for e in events if e.get("cat") == "task"} == {0, 1}
    counters = [e["args"]["bytes"] for e in events if e["ph"] == "C"]
    assert counters == [4096, 1024] * 2


def test_descriptions_keep_kernels() -> None:
    kept = Description.from_dict(DESCRIPTION.to_dict())
    assert (kept.kernels, kept.in_use) == (DESCRIPTION.kernels, DESCRIPTION.in_use)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"flops": -1}, "flops of kernel 'first'"),
        ({"id": 1}, "the ids of the kernels"),
        ({"lines": [["train.py:3"]]}, "a line of kernel 'first'"),
        ({"more": 1}, "the keys of a kernel"),
    ],
)
def test_malformed_kernels_are_refused(change: dict[str, object], what: str) -> None:
    source = DESCRIPTION.to_dict()
    source["kernels"][0] |= change
    with pytest.raises(ValueError, match=f"is malformed: {what}"):
        Description.from_dict(source)


def test_in_use_has_a_number_for_each_kernel() -> None:
    source = DESCRIPTION.to_dict()
    source["arena"]["in_use"] = [1]
    with pytest.raises(ValueError, match="in_use of the arena must be 2 numbers"):
        Description.from_dict(source)


def test_code_without_counters_is_refused() -> None:
    from penstock.runtime import Executable

    plain = Executable(1, DESCRIPTION._replace(kernels=(), in_use=()), None)
    with pytest.raises(ValueError, match="compiled without counters; compile it with --profile"):
        TimedExecutable(plain, lambda records: None)
