"""AutoTest finds faults that are planted, and names the op, the function or the pass."""

import runpy
from collections.abc import Callable

import pytest
from planted_faults import FAULTS, Fault

from penstock.testing import Misalignment, autotest


def found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> Misalignment:
    """What AutoTest says of a program while a fault is planted."""
    fault.plant(monkeypatch)
    test = autotest(n=3, **(fault.settings or {}))(lambda: fault.program())
    with pytest.raises(Misalignment) as raised:
        test()
    return raised.value


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(one, id=str(one), marks=[] if one.is_quick else pytest.mark.long)
        for one in FAULTS
    ],
)
def test_a_fault_is_found_and_named(
    fault: Fault, monkeypatch: pytest.MonkeyPatch, apart: Callable[[], None]
) -> None:
    if fault.needs_torch:
        pytest.importorskip("torch")
    else:
        monkeypatch.setenv("PENSTOCK_AUTOTEST_REFERENCE", "numpy")
    error = found(fault, monkeypatch)
    print(error)
    assert error.kind == fault.kind
    assert fault.finds in (error.op, error.call, error.pass_name.partition("{")[0])
    # The file shows it alone: it fails as long as the fault is there.
    assert error.file
    with pytest.raises(AssertionError):
        runpy.run_path(error.file)
    monkeypatch.undo()
    apart()
    runpy.run_path(error.file)
