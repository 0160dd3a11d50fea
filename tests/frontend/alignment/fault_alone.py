"""Plants the fault of that name in a process of its own, which keeps what faulty code compiles, and
prints what AutoTest says of it as JSON. `test_planted.py` runs it."""

import json
import runpy
import sys

import pytest
from planted_faults import FAULTS

from penstock.testing import Misalignment, autotest


def main(name: str) -> None:
    (fault,) = [one for one in FAULTS if str(one) == name]
    fault.plant(pytest.MonkeyPatch())
    test = autotest(n=3, **(fault.settings or {}))(lambda: fault.program())
    try:
        test()
    except Misalignment as error:
        # The file shows it alone: it fails as long as the fault is there.
        with pytest.raises(AssertionError):
            runpy.run_path(error.file)
        names = ("kind", "op", "call", "pass_name", "file")
        print(json.dumps({"text": str(error), **{name: getattr(error, name) for name in names}}))


main(sys.argv[1])
