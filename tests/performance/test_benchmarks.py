"""The benchmarks run, and their table matches the figures. No time is tested."""

import itertools
import json
import os
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path

import pytest
from levels import fuses
from waiting import is_gone, until

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
VOID = {"meta", "br"}


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def results(folder: Path, *figures: tuple[str, str, str, float, int]) -> Path:
    """A file of results on one thread: workload, peer, metric, value, round."""
    names = ("workload", "peer", "metric", "value", "round")
    lines = [dict(zip(names, figure, strict=True), threads=1, unit="") for figure in figures]
    path = folder / "results.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


GEMM = "w1.gemm.512x512x512"


def report(folder: Path, *figures: tuple[str, str, str, float, int]) -> str:
    path = results(folder, *figures)
    return run("--report", str(path), "--page", str(folder / "page.html"))


def line_of(text: str, workload: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(workload))
    return re.split(r" {2,}", line)


def test_a_ratio_is_of_the_best_peer_of_its_round(tmp_path: Path) -> None:
    text = report(
        tmp_path,
        (GEMM, "penstock", "time", 2000, 0),
        (GEMM, "penstock", "time", 4000, 1),
        (GEMM, "numpy", "time", 3000, 0),
        (GEMM, "numpy", "time", 5000, 1),
        (GEMM, "jax-jit", "time", 9000, 0),
        (GEMM, "jax-jit", "time", 4400, 1),
        (GEMM, "penstock", "time_min", 1000, 0),
        (GEMM, "penstock", "time_min", 1500, 1),
        (GEMM, "numpy", "time_min", 1800, 0),
        (GEMM, "jax-jit", "time_min", 1700, 1),
    )
    # 3000 / 2000 and 4400 / 4000
    assert line_of(text, GEMM)[5] == "1.30x (1.10-1.50)"
    assert line_of(text, GEMM)[6] == "1.70x"
    assert line_of(text, GEMM)[2:5] == ["3 ms", "4 ms", "numpy"]


def test_the_limit_is_measured_on_the_machine(tmp_path: Path) -> None:
    flops = 2 * 512**3
    text = report(
        tmp_path,
        (GEMM, "penstock", "time", flops / 80e3, 0),
        ("w0.fma", "machine", "rate", 100.0, 0),
        ("w0.fma", "machine", "rate", 90.0, 1),
    )
    assert line_of(text, GEMM)[7] == "80 % (multiply-adds)"


def test_the_slowest_of_several_limits_counts(tmp_path: Path) -> None:
    softmax = "w3.softmax.4096x1024"
    text = report(
        tmp_path,
        (softmax, "penstock", "time", 3000.0, 0),
        (f"w0.bytes.{softmax}", "machine", "bandwidth", 33.0, 0),
        (f"w0.arithmetic.{softmax}", "machine", "least_time", 2700.0, 0),
        (f"w0.arithmetic.{softmax}", "machine", "least_time", 2400.0, 1),
    )
    assert line_of(text, softmax)[7] == "80 % (arithmetic)"
    assert line_of(text, f"arithmetic.{softmax}")[-1] == "2400 us"


def test_a_peer_that_computes_something_else_is_named(tmp_path: Path) -> None:
    fingerprints = [("penstock", 1.0), ("numpy", 1.00001), ("jax-jit", 1.001)]
    text = report(tmp_path, *[(GEMM, peer, "fingerprint", v, 0) for peer, v in fingerprints])
    assert "fingerprint of jax-jit is 1.001" in text
    assert "of numpy is" not in text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_nan_result_is_named(tmp_path: Path, value: float) -> None:
    values = [("penstock", value), ("numpy", 1.0), ("jax-jit", 1.0)]
    text = report(tmp_path, *[(GEMM, peer, "fingerprint", v, 0) for peer, v in values])
    assert f"fingerprint of penstock is {value}" in text


class Balanced(HTMLParser):
    """Checks that tags are closed in order, and gathers what a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.loads += [str(value) for name, value in attrs if name in ("src", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Self-closing tags need no end tag."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_run_measures_and_writes_a_complete_page(tmp_path: Path) -> None:
    out, page = tmp_path / "results.jsonl", tmp_path / "page.html"
    text = run(
        "--quick", "--peers", "penstock,numpy", "--groups", "w1.gemm.64x64x64,w4.train.mlp,w5",
        "--threads", "1", "--budget", "0.01", "--no-limits", "--no-cold", "--out", str(out),
        "--page", str(page),
    )  # fmt: skip
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    measured = {(line["workload"], line["peer"]) for line in lines if line["metric"] == "time"}
    assert measured == {
        ("w1.gemm.64x64x64", "penstock"),
        ("w1.gemm.64x64x64", "numpy"),
        ("w4.train.mlp", "penstock"),
        ("w4.train.mlp", "numpy"),
        ("w5.add4.numpy_in", "penstock"),
        ("w5.add4.own_arrays", "numpy"),
    }
    assert "All peers compute the same." in text
    parser = Balanced()
    parser.feed(page.read_text())
    assert parser.open == []
    assert parser.loads == []
    assert page.read_text().count("<svg") >= 3


@pytest.mark.parametrize(
    "workload", ["w2.fwdbwd.512x7k3.nhwc", "w7.tap.fwd", "w1.gemm_ta_f64.48x9x80"]
)
def test_any_workload_shows_its_loops(workload: str) -> None:
    """One compiled from text, one that shares a session with earlier ones, one by its shape."""
    if not fuses():
        pytest.skip("loops are found by their fused multiply-adds")
    done = subprocess.run(
        [sys.executable, BENCHMARKS / "kernels.py", workload, "--loops"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = [line.split() for line in done.stdout.splitlines()[1:]]
    assert found, done.stdout
    assert all(int(adds) >= 1 and int(spilled) == 0 for adds, _, _, spilled, _ in found)


def test_transposed_factors_are_compared_with_plain_ones() -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / "transposed.py", "16", "8x24x40", "--element", "bf16",
         "--seconds", "0.01"],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [line[0] for line in lines] == ["16", "8x24x40"]
    assert all(float(line[n]) > 0 for line in lines for n in (1, 3, 5))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="takes two CPUs")
def test_a_neighbour_is_measured() -> None:
    cpus = ",".join(map(str, sorted(os.sched_getaffinity(0))[:2]))
    command = [sys.executable, str(BENCHMARKS / "neighbour.py"), "w1.gemm.64x64x64"]
    done = subprocess.run(
        [*command, "--cpus", cpus, "--rounds", "1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^(.*\w) +[0-9.]+ us$", done.stdout, re.MULTILINE)
    assert found == ["alone", "with a busy neighbour", "alone, a thread less"]


def test_a_step_is_compared_with_its_bounds() -> None:
    cpu = str(min(os.sched_getaffinity(0)))
    command = [sys.executable, str(BENCHMARKS / "bound.py"), "w3.chain.64K", "--rounds", "1"]
    done = subprocess.run([*command, "--cpus", cpu], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^(\w+) +[0-9.]+ us", done.stdout, re.MULTILINE)
    assert found == ["step", "traffic", "arithmetic"]


MISTAKES = [
    ("bound.py w3.nothing", "there is no workload 'w3.nothing' here; there are w1.gemm.64x64x64, "),
    ("bound.py w1.gemm.64x64x64", "memory does not bound w1.gemm.64x64x64"),
    ("bound.py w3.chain.64K --cpus x", "--cpus takes numbers of CPUs that there are, such as 0,1"),
    ("bound.py w3.chain.64K --rounds 0", "--rounds: expected 1 or more, got '0'"),
    ("neighbour.py nothing", "there is no workload 'nothing' here"),
    ("neighbour.py w4.train.mlp --cpus 0", "--cpus takes two CPUs or more"),
    ("middle_end.py nothing", "there is no workload 'nothing' here"),
    ("watching.py --rounds 1", "--rounds: expected 2 or more, got '1'"),
    ("watching.py --cpus 9999", "--cpus takes numbers of CPUs that there are, such as 0,1"),
    ("transposed.py 3x4", "a shape is m x k x n, as 100x784x512, or n of a cube, got '3x4'"),
    ("transposed.py --element f8", "--element: invalid choice: 'f8'"),
    ("limits.py --threads 0", "--threads: expected 1 or more, got '0'"),
    ("kernels.py w1.gemm_ta.8x8", "there is no workload 'w1.gemm_ta.8x8' here"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_wrong_arguments_are_one_sentence(words: str, said: str) -> None:
    name, *rest = words.split()
    cpu = str(min(os.sched_getaffinity(0)))
    rest = [cpu if word == "0" and before == "--cpus" else word
            for before, word in zip(["", *rest], rest, strict=False)]  # fmt: skip
    done = subprocess.run(
        [sys.executable, BENCHMARKS / name, *rest], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_neighbour_process_ends_with_its_parent() -> None:
    """Even one that is stopped when the parent is killed."""
    sys.path.insert(0, str(BENCHMARKS))
    import neighbour

    program = f"""
import os, subprocess, sys, threading
sys.path.append({str(ROOT / "tests" / "guard")!r})
from waiting import cpu_ticks, until
words = [sys.executable, "-S", "-c", {neighbour.LOOP!r}, {str(min(os.sched_getaffinity(0)))!r}]
child = subprocess.Popen([*words, str(os.getpid())])
until(lambda: cpu_ticks(child.pid) > 20, "the neighbour is busy")
os.kill(child.pid, 19)
print(child.pid, flush=True)
threading.Event().wait()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as begun:
        assert begun.stdout is not None
        pid = int(begun.stdout.readline())
        begun.kill()
    until(lambda: is_gone(pid), "the neighbour outlives who began it")


def test_traffic_of_any_number_of_threads_is_whole_lines() -> None:
    """A non-temporal store to an unaligned address would crash the process."""
    sys.path.insert(0, str(BENCHMARKS))
    import bound

    assert bound.traffic(1, 1, 1 << 16, 3)(1) > 0


def test_more_works_than_cpus_run_concurrently() -> None:
    sys.path.insert(0, str(BENCHMARKS))
    import limits

    allowed = os.sched_getaffinity(0)
    ran: list[int] = []
    works = [lambda number=number: ran.append(number) for number in range(len(allowed) + 2)]
    assert limits.at_once(works) >= 0
    assert sorted(ran) == list(range(len(works)))
    assert os.sched_getaffinity(0) == allowed


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_a_failing_work_ends_the_concurrent_ones(
    failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails in its own code or before all have started; nobody waits for it, and its error is
    raised.
    """
    sys.path.insert(0, str(BENCHMARKS))
    import limits

    def fail() -> None:
        raise ZeroDivisionError

    before = threading.active_count()
    works = [fail if number == failing else lambda: None for number in range(3)]
    with pytest.raises(ZeroDivisionError):
        limits.at_once(works)
    calls = itertools.count()
    real = os.sched_setaffinity

    def refuse(pid: int, cpus: set[int]) -> None:
        if next(calls) == failing:
            raise PermissionError("this thread stays where it is")
        real(pid, cpus)

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    with pytest.raises(PermissionError, match="stays where it is"):
        limits.at_once([lambda: None] * 3)
    assert threading.active_count() == before


@pytest.mark.parametrize(("reads", "writes"), [(1, 0), (1, 1), (2, 2), (3, 1)])
def test_traffic_reads_and_writes_all(reads: int, writes: int) -> None:
    """An iteration handles this many registers of each array; read-only arrays are summed."""
    sys.path.insert(0, str(BENCHMARKS))
    import bound

    text = bound.traffic_text(reads, writes)
    assert text.count(" = load ") == bound.ALIKE * reads
    assert text.count("!nontemporal") == bound.ALIKE * writes
    assert text.count(" = fadd ") == (0 if writes else 2 * bound.ALIKE * reads - 1)


def test_the_cost_of_watching_is_measured() -> None:
    cpu = str(min(os.sched_getaffinity(0)))
    command = [sys.executable, str(BENCHMARKS / "watching.py"), "--cpus", cpu, "--rounds", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["w7.tap.none", "w7.tap.fwd", "w7.tap.fwdbwd"]
    assert all(
        re.search(r" us \([+-][0-9.]+ to [+-][0-9.]+\), [+-][0-9.]+ %$", x) for x in lines[1:]
    )


EAGER = str(BENCHMARKS / "eager.py")


def _eager(*arguments: str) -> subprocess.CompletedProcess[str]:
    cpu = str(min(os.sched_getaffinity(0)))
    command = [sys.executable, EAGER, "--cpus", cpu, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_eager_programs_run() -> None:
    sys.path.insert(0, str(BENCHMARKS))
    from shared import eager_programs

    import penstock

    steps = eager_programs.steps(penstock)
    assert list(steps) == list(eager_programs.TARGETS)
    for name, step in steps.items():
        first = step()
        if "step" in name:
            for _ in range(8):
                last = step()
            assert last < first, name


def test_steps_of_graphs_have_the_losses_of_eager_steps() -> None:
    sys.path.insert(0, str(BENCHMARKS))
    import graphs
    from shared import eager_programs

    import penstock

    model, batches = eager_programs.models(penstock)["MLP step"]
    graph = graphs.graph_step(penstock, model, batches)
    eager = eager_programs.training(penstock, *eager_programs.models(penstock)["MLP step"])
    for _ in range(3):
        assert graph() == pytest.approx(eager(), rel=1e-5)
    with pytest.raises(SystemExit):
        graphs.parse(["--seconds", "0"])


def test_the_memory_of_a_loop_is_measured() -> None:
    done = _eager("--measure", "memory", "penstock", "--steps", "20")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["after a tenth", "at the end", "peak"]
    assert 0 < found["at the end"] <= found["peak"] < 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seconds", "0"], "--seconds takes more than 0 and less than 3600, got 0.0"),
        (["--steps", "9"], "--steps takes 10 or more, got 9"),
        (["--cpus", "one"], "--cpus takes numbers of CPUs that there are, such as 0,1, got 'one'"),
    ],
)
def test_misuse_of_the_eager_benchmark(arguments: list[str], message: str) -> None:
    done = _eager(*arguments)
    assert done.returncode != 0
    assert message in done.stderr
