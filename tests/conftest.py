"""Isolates tests from each other's jobs and from the user's code cache; they leave nothing
behind."""

import gc
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from zlib import crc32

import pytest
from guard import its_own_folder as its_own_folder
from guard import leaves_nothing_behind as leaves_nothing_behind
from guard import refuse_sleep
from sampling import left_out

# A shell starts background processes with SIGINT ignored, and tests send themselves this signal.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


time.sleep = refuse_sleep(time.sleep)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sample the tests, and keep one of several parts: PENSTOCK_TEST_PART=0/2 is the first of two.

    A hash of a test's name decides its part, so adding tests doesn't move others.
    """
    number, parts = map(int, os.environ.get("PENSTOCK_TEST_PART", "0/1").split("/"))
    others = left_out(items)
    others |= {item for item in items if crc32(item.nodeid.encode()) % parts != number}
    if others:
        config.hook.pytest_deselected(items=[item for item in items if item in others])
        items[:] = [item for item in items if item not in others]


YOUNG = 10_000
"""Collect garbage once this many objects were made since the last collection, among these alone.

With ten times as many, these are no longer in the processor's caches, and collecting them takes
almost twice as long.
"""


def pytest_collection_finish() -> None:
    """Collect garbage only between tests, and exclude the tests themselves.

    Modules of IR are full of cycles: collecting took a sixth of the time of tests that make many.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a cache of compiled code, which its workers and the programs they start share.

    PENSTOCK_TEST_CACHE names one that several runs share, and that none of them removes: code is
    the same for any number of threads.
    """
    if hasattr(config, "workerinput"):
        return  # its parent did
    # Starting threads takes a third of the time in which NumPy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    shared = os.environ.get("PENSTOCK_TEST_CACHE")
    folder = shared or tempfile.mkdtemp(prefix="penstock-cache-")
    before = os.environ.get("PENSTOCK_CACHE_DIR")
    os.environ["PENSTOCK_CACHE_DIR"] = folder

    def restore() -> None:
        if before is None:
            del os.environ["PENSTOCK_CACHE_DIR"]
        else:
            os.environ["PENSTOCK_CACHE_DIR"] = before
        if not shared:
            shutil.rmtree(folder)

    config.add_cleanup(restore)


@pytest.fixture(autouse=True)
def _session_of_its_own(leaves_nothing_behind: None) -> Iterator[None]:
    """Close the session that a test opened; tests that touch no frontend do not load it."""
    yield
    if "penstock.jobs.session" in sys.modules:
        sys.modules["penstock"].clear_default_session()
    if gc.get_count()[0] > YOUNG:
        gc.collect(0)
        gc.freeze()  # what lives on is looked at once, also where a test collects everything
