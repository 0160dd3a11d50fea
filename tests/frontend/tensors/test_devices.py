"""Programs ask for a GPU and go on without one."""

import re
from typing import Any

import pytest

import penstock as flow


def test_programs_choose_the_cpu() -> None:
    device = flow.device("cuda" if flow.cuda.is_available() else "cpu")
    model = flow.nn.Linear(3, 2).to(device)
    assert model(flow.ones(4, 3).to(device)).device == flow.device("cpu")
    assert flow.cuda.device_count() == 0
    flow.cuda.manual_seed_all(0)
    flow.cuda.empty_cache()


@pytest.mark.parametrize(
    "call",
    [
        lambda: flow.ones(2).cuda(),
        lambda: flow.ones(2).to("cuda:1"),
        lambda: flow.nn.Linear(3, 2).cuda(),
        lambda: flow.device("cuda"),
        flow.cuda.synchronize,
        flow.cuda.current_device,
        flow.cuda.get_device_name,
    ],
)
def test_a_gpu_is_refused(call: Any) -> None:
    with pytest.raises(RuntimeError, match=r"test_devices.py:\d+: .*\"cpu\", got .*cuda") as error:
        call()
    assert re.search(r"flow.cuda.is_available\(\)", str(error.value))


def test_seeds_are_numbers() -> None:
    with pytest.raises(TypeError, match=r"test_devices.py:\d+: seed .* must be an int"):
        flow.cuda.manual_seed("one")  # type: ignore[arg-type]
