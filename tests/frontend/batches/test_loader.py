"""Batches from this process and from workers: order, errors and shutdown."""

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.batches import workers
from penstock.utils import data


class Numbers(data.Dataset):
    """Elements with a tensor, a number and a text."""

    def __getitem__(self, index: int) -> Any:
        return flow.tensor([index, index + 1]), float(index), f"n{index}"

    def __len__(self) -> int:
        return 7


def batches(loader: Any) -> list[Any]:
    return [(x.tolist(), y.tolist(), z) for x, y, z in loader]


@pytest.fixture(autouse=True)
def no_worker_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    forked = []
    fork = os.fork

    def noted() -> int:
        pid = fork()
        forked.append(pid)
        return pid

    monkeypatch.setattr(workers.os, "fork", noted)
    yield
    gc.collect()
    for pid in forked:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_batches_come_in_order(count: int) -> None:
    loader = data.DataLoader(Numbers(), 2, num_workers=count)
    found = batches(loader)
    assert [z for _, _, z in found] == [["n0", "n1"], ["n2", "n3"], ["n4", "n5"], ["n6"]]
    assert found[0][:2] == ([[0, 1], [1, 2]], [0.0, 1.0])
    assert len(loader) == 4
    assert batches(loader) == found


def test_the_order_does_not_depend_on_workers() -> None:
    def order(count: int) -> list[Any]:
        generator = flow.Generator().manual_seed(5)
        loader = data.DataLoader(
            Numbers(), 2, True, num_workers=count, generator=generator, drop_last=True
        )
        return [z for _, _, z in batches(loader)]

    flow.manual_seed(1)
    alone = order(0)
    assert len(alone) == 3
    assert sorted({z for batch in alone for z in batch}) != alone
    assert order(0) == alone
    assert order(2) == order(3)


def test_batches_are_tensors_of_shared_memory_that_can_be_changed() -> None:
    (first, *_) = data.DataLoader(data.TensorDataset(flow.ones(4)), 2, num_workers=1)
    x = first[0]
    x += 1.0
    assert x.tolist() == [2.0, 2.0]


def test_collate_fn_runs_ops_in_workers() -> None:
    def joined(batch: Any) -> Any:
        return {"sum": sum(x for x, _, _ in batch) * 2, "pid": os.getpid(), "none": [None, ()]}

    (result,) = data.DataLoader(Numbers(), 7, num_workers=1, collate_fn=joined)
    assert result["sum"].tolist() == [42, 56]
    assert result["pid"] != os.getpid()
    assert result["none"] == [None, ()]


def test_no_batches() -> None:
    assert list(data.DataLoader(range(3), None, num_workers=2)) == [0, 1, 2]
    loader = data.DataLoader(range(4), batch_sampler=[[3, 0], [1]], num_workers=1)
    assert [x.tolist() for x in loader] == [[3, 0], [1]]


class Counting(data.IterableDataset):
    """0, 1, and so on, split among the workers."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __iter__(self) -> Iterator[int]:
        info = data.get_worker_info()
        if info is None:
            return iter(range(self.count))
        assert info.dataset is not None
        return iter(range(info.id, self.count, info.num_workers))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_iterable_data_sets_are_split_among_workers(count: int) -> None:
    loader = data.DataLoader(Counting(7), 2, num_workers=count)
    assert sorted(n for batch in loader for n in batch.tolist()) == list(range(7))
    assert data.get_worker_info() is None


def test_workers_have_different_random_numbers() -> None:
    class Random(data.Dataset):
        def __getitem__(self, index: int) -> Any:
            return float(np.random.random()), flow.rand(1)

        def __len__(self) -> int:
            return 4

    def drawn() -> list[Any]:
        loader = data.DataLoader(Random(), num_workers=2, generator=flow.Generator().manual_seed(2))
        return [(a.item(), b.item()) for a, b in loader]

    first = drawn()
    assert len(set(first)) == 4
    assert drawn() == first


class TestPersistentWorkers:
    def loader(self) -> Any:
        return data.DataLoader(
            range(6), 2, num_workers=2, persistent_workers=True,
            collate_fn=lambda batch: [os.getpid(), *batch],
        )  # fmt: skip

    def test_epochs_reuse_workers(self) -> None:
        loader = self.loader()
        first, second = list(loader), list(loader)
        assert first == second
        assert len({pid for pid, *_ in first}) == 2

    def test_an_abandoned_epoch_leaves_nothing_behind(self) -> None:
        loader = self.loader()
        epoch = iter(loader)
        next(epoch)
        assert [numbers for _, *numbers in loader] == [[0, 1], [2, 3], [4, 5]]


def test_abandoning_an_epoch_ends_the_workers() -> None:
    for batch in data.DataLoader(Numbers(), num_workers=2):
        assert batch[2] == ["n0"]
        break


def test_a_second_interrupt_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = iter(data.DataLoader(Numbers(), num_workers=2))
    next(batches)
    own = list(batches._pool.workers)  # type: ignore[attr-defined]
    pids = [worker._pid for worker in own]
    wait, interrupts = os.waitpid, iter([KeyboardInterrupt] * 2)

    def interrupted(pid: int, options: int) -> tuple[int, int]:
        for error in interrupts:
            raise error
        return wait(pid, options)

    monkeypatch.setattr(os, "waitpid", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            batches._pool.close()  # type: ignore[attr-defined]
    del batches
    gc.collect()
    for pid in pids:
        with pytest.raises(ChildProcessError):
            wait(pid, os.WNOHANG)


class Failing(Numbers):
    def __getitem__(self, index: int) -> Any:
        if index == 3:
            raise KeyError("no such file")
        return super().__getitem__(index)


@pytest.mark.parametrize("count", [0, 2])
def test_errors_of_the_data_set_are_raised(count: int) -> None:
    loader = iter(data.DataLoader(Failing(), num_workers=count))
    assert [next(loader)[1].item() for _ in range(3)] == [0.0, 1.0, 2.0]
    with pytest.raises(KeyError, match="no such file"):
        next(loader)


def test_errors_of_other_classes_are_named() -> None:
    class Odd(Exception):
        pass

    def begin(number: int) -> None:
        raise Odd("not today")

    with pytest.raises(RuntimeError, match="worker 0 of DataLoader: Odd: not today"):
        list(data.DataLoader(Numbers(), num_workers=2, worker_init_fn=begin))


def test_batches_that_are_not_nests_are_errors() -> None:
    loader = data.DataLoader([len], None, num_workers=1)
    with pytest.raises(TypeError, match="a batch of a worker of DataLoader takes dicts"):
        list(loader)


@pytest.mark.parametrize(
    ("end", "text"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "was ended by SIGKILL; it may have taken"),
        (lambda: os._exit(3), "ended with exit code 3"),
        (lambda: sys.exit(4), "ended with exit code 4"),
    ],
)
def test_a_worker_that_dies_is_an_error(end: Any, text: str) -> None:
    class Ending(Numbers):
        def __getitem__(self, index: int) -> Any:
            if index == 4:
                end()
            return super().__getitem__(index)

    with pytest.raises(RuntimeError, match=rf"test_loader.py:\d+: worker 0 of DataLoader {text}"):
        list(data.DataLoader(Ending(), num_workers=2))


def test_a_timeout_is_an_error() -> None:
    class Waiting(Numbers):
        def __getitem__(self, index: int) -> Any:
            threading.Event().wait()

    with pytest.raises(RuntimeError, match=r"has not loaded a batch in 0.01 seconds; raise timeo"):
        list(data.DataLoader(Waiting(), num_workers=1, timeout=0.01))


PROGRAM = """
import os, sys, threading
import penstock as flow

class Waiting(flow.utils.data.Dataset):
    def __getitem__(self, index):
        if index == 1:
            os.write(1, f"waits {os.getpid()}\\n".encode())
            threading.Event().wait()
        return index
    def __len__(self):
        return 3

try:
    for batch in flow.utils.data.DataLoader(Waiting(), num_workers=2):
        pass
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(number: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        assert run.stdout is not None
        worker = int(run.stdout.readline().split()[1])
        # The pipe closes with the last process that holds it, so the workers have ended.
        if number == signal.SIGINT:
            os.killpg(run.pid, number)  # like a terminal
            assert run.stdout.read() == "interrupted\n"
            assert run.wait() == 0
        else:
            os.kill(worker, signal.SIGKILL)
            assert run.stdout.read() == ""
            assert run.wait() == 1
