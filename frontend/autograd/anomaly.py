"""`set_detect_anomaly` and `detect_anomaly`: stop backward at the first non-finite gradient."""

from __future__ import annotations

from types import TracebackType

from penstock.basics.checks import check_flag
from penstock.tensors.modes import mode


class set_detect_anomaly:
    """Switch anomaly detection on or off, for good or until the end of a `with` block.

    While it is on, backward raises a RuntimeError at the first gradient with NaN or infinity. The
    error names the op and the user's line, counts such elements, and says where the first one is.
    The switch affects this thread only. Detection makes backward slower.

    >>> import penstock as flow
    >>> y = flow.sqrt(flow.tensor([4.0, 0.0], requires_grad=True)).sum()
    >>> with flow.autograd.set_detect_anomaly(True):
    ...     try:
    ...         y.backward()
    ...     except RuntimeError as error:
    ...         print(str(error).partition(" not finite: ")[2].partition(";")[0])
    0 NaN and 1 Inf of 2, the first, inf, at [1]
    """

    def __init__(self, mode_: bool = True, check_nan: bool = True) -> None:
        self._before = mode.detects_anomaly
        on = check_flag(mode_, "mode of set_detect_anomaly")
        mode.detects_anomaly = on and check_flag(check_nan, "check_nan of set_detect_anomaly")

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        mode.detects_anomaly = self._before


class detect_anomaly:
    """As `set_detect_anomaly(True)`, in a `with` block.

    >>> import penstock as flow
    >>> with flow.autograd.detect_anomaly():
    ...     x = flow.tensor([4.0], requires_grad=True)
    ...     flow.sqrt(x).sum().backward()
    >>> x.grad
    tensor([0.2500], dtype=penstock.float32)
    """

    def __init__(self, check_nan: bool = True) -> None:
        self._check = check_flag(check_nan, "check_nan of detect_anomaly")
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(mode.detects_anomaly)
        mode.detects_anomaly = self._check

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        mode.detects_anomaly = self._before.pop()
