"""What happens on a GPU, told as JSON: run with the tests' libcuda in LD_LIBRARY_PATH.

Each scenario runs in a fork of this process, which has imported everything and started nothing.
"""

import ctypes
import itertools
import json
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import hand_made
import numpy as np
from cuda.bindings import driver as bindings  # noqa: F401  imported once, for all forks
from numpy_kernels import launcher

from penstock.runtime import Description, VariableStore
from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu import devices
from penstock.runtime.gpu.device_job import DeviceJob
from penstock.runtime.gpu.device_variables import variables_of
from penstock.runtime.gpu.loaded_code import SLOTS, LoadedCode, checked_plan

ONES = np.ones(hand_made.COUNT, np.float32)
X = np.arange(hand_made.COUNT, dtype=np.float32)


class Cuda:
    """The tests' library."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        self._library.penstock_test_log.restype = ctypes.c_char_p
        self._library.penstock_test_launch_with(launcher)

    def simulate(self) -> list[str]:
        """Have the simulator execute launches; gets their names."""
        from simulated_kernels import SimulatedLaunches

        self._launches = SimulatedLaunches(self._library)  # kept, as the library calls it
        self._library.penstock_test_launch_with(self._launches.function)
        return self._launches.launched

    def log(self) -> list[str]:
        """The calls since `clear`."""
        text: bytes = self._library.penstock_test_log()
        return text.decode().splitlines()

    def clear(self) -> None:
        self._library.penstock_test_clear()

    def fail(self, function: str, code: int, after: int = 0, sticky: int = 0) -> None:
        """Have a function fail after so many calls; if it is `sticky`, the device is lost: 1 from
        the next call on, 2 from the next one that waits."""
        self._library.penstock_test_fail(function.encode(), code, after, sticky)

    def recover(self) -> None:
        """Have a device that was lost work again, which none does: so that one process can lose it
        many times."""
        self._library.penstock_test_recover()

    def memory(self, size: int) -> None:
        self._library.penstock_test_memory(ctypes.c_size_t(size))

    def late(self) -> None:
        """Run what a graph has as late as possible."""
        self._library.penstock_test_order(1)


def job(**changes: Any) -> DeviceJob:
    """The hand-made job on the GPU."""
    described = Description.from_dict(hand_made.description())
    plan = {**hand_made.plan(), **changes.pop("plan", {})}
    return DeviceJob(described, plan, changes.pop("ptx", hand_made.PTX), devices.device("gpu"))


def refusal(action: Callable[[], object]) -> str:
    """The text of the error that an action raises, with the user's line."""
    try:
        action()
    except DeviceError as error:
        return f"{type(error).__name__} at {error.loc or 'no line'}: {error.text}"
    return "nothing was raised"


def step(cuda: Cuda) -> Any:
    """The calls of the first step and of the second, and what the job computes."""
    store = VariableStore()
    made = job()
    loading = cuda.log()
    cuda.clear()
    first = made.run([X], store)
    preparing = cuda.log()
    cuda.clear()
    second = made.run([X], store)
    again = cuda.log()
    w = store.get("w")
    expected = [X.sum(), (X * (1 - X / 2)).sum()]
    close = np.allclose([first[0], second[0]], expected, rtol=1e-6)
    fits = bool(close and (w == 1 - X).all())
    return {"loading": loading, "preparing": preparing, "again": again, "fits": fits}


def late(cuda: Cuda) -> Any:
    """Operations that run as late as their dependencies allow compute the same."""
    cuda.late()
    return step(cuda)["fits"]


def watched(cuda: Cuda) -> Any:
    """Handlers get copies after the step, and only what is listened to is computed."""
    store, made, seen = VariableStore(), job(), []

    def handler(name: str) -> Callable[[Any], None]:
        return lambda blob: seen.append((name, float(blob.sum()), len(store.get("w"))))

    made.run([ONES], store, {1: [handler("doubled")], 0: [handler("products")]})
    made.run([ONES], store, {0: [handler("products")]})
    made.run([ONES], store)
    made.run([ONES], store, {0: [handler("products")]})
    graphs = [line for line in cuda.log() if line.startswith("cuGraphLaunch")]
    return {"seen": seen, "graphs": graphs}


def overwritten(cuda: Cuda) -> Any:
    """A watched blob whose memory a later kernel of the step writes, as late as its copy may run:
    the calls of that step, and what handlers get; and if the plan is wrong about what is written.
    """
    cuda.late()
    plan = hand_made.plan()
    products, tap, _, total, update = plan["steps"]
    arena, count = ["arena", 0], products["arguments"][3]
    again = {"launch": "doubled", "arguments": [["argument", 1, 0]] * 2 + [arena, count]}
    plan["steps"] = [products, tap, total, again, update]
    made, seen = job(plan=plan), []
    cuda.clear()
    made.run([X], VariableStore(), {0: [lambda blob: seen.append(blob.tolist())]})
    calls = [
        line for line in cuda.log() if re.match(r"cuLaunch|cuEventR|cuStreamW|cu.*Async", line)
    ]
    plan["kernels"]["doubled"]["parameters"][2]["written"] = False
    job(plan=plan).run([X], VariableStore(), {0: [lambda blob: seen.append(blob.tolist())]})
    return {"calls": calls, "kept": [blob == X.tolist() for blob in seen]}


def ring(cuda: Cuda) -> Any:
    """Steps of several threads whose handlers have not returned: each keeps its own blobs. One that
    finds no slot free waits; one in a handler does not."""
    described = hand_made.description()
    # With variables, only one step with handlers runs at a time.
    described["arguments"][2] = {**described["arguments"][1], "name": "w"}
    steps = {"steps": hand_made.plan()["steps"][:4]}
    made = DeviceJob(
        Description.from_dict({**described, "type": "predict"}),
        {**hand_made.plan(), **steps}, hand_made.PTX, devices.device("gpu"),
    )  # fmt: skip
    store, seen = VariableStore(), []
    arrived, go_on = threading.Semaphore(0), threading.Event()

    def run(number: int) -> None:
        def first(blob: Any) -> None:
            inner: list[float] = []
            made.run([ONES, ONES], store, {0: [lambda own: inner.append(float(own[0]))]})
            seen.append(inner[0])
            arrived.release()
            go_on.wait()

        second = [lambda blob: seen.append(float(blob[0]))]
        made.run([number * ONES, ONES], store, {0: [first], 1: second})

    threads = [threading.Thread(target=run, args=(10 * n,)) for n in range(1, SLOTS + 2)]
    for thread in threads[:-1]:
        thread.start()
    for _ in threads[:-1]:
        arrived.acquire()
    launched = len([line for line in cuda.log() if line.startswith("cuGraphLaunch")])
    changed, full = made._code._ring._changed, threading.Event()
    wait_for = changed.wait_for

    def waiting(is_free: Callable[[], bool]) -> bool:
        if not is_free():
            full.set()
        return wait_for(is_free)

    changed.wait_for = waiting  # type: ignore[method-assign, assignment]
    threads[-1].start()
    full.wait()
    meanwhile = len([line for line in cuda.log() if line.startswith("cuGraphLaunch")])
    go_on.set()
    for thread in threads:
        thread.join()
    return {"seen": sorted(seen), "launched": [launched, meanwhile]}


def raising(cuda: Cuda) -> Any:
    """What a handler raises is raised after the step, with a note."""
    store, made = VariableStore(), job()

    def handler(blob: Any) -> None:
        raise KeyError("mine")

    try:
        made.run([ONES], store, {0: [handler]})
    except KeyError as error:
        return [str(error), error.__notes__, store.get("w").tolist() == [0.5] * 1000]
    return "nothing was raised"


def variables(cuda: Cuda) -> Any:
    """Variables move only if somebody asks: counts of copies between host and device."""

    def moved() -> str:
        lines = cuda.log()
        cuda.clear()
        counts = [
            sum(line.startswith(f"cuMemcpy{way}(") for line in lines) for way in ("HtoD", "DtoH")
        ]
        return "{} up, {} down".format(*counts)

    store, made = VariableStore(), job()
    cuda.clear()
    told = []
    for name, action in [
        ("first step", lambda: made.run([ONES], store)),
        ("second step", lambda: made.run([ONES], store)),
        ("get", lambda: store.get("w")),
        ("get again", lambda: store.items()),
        ("step", lambda: made.run([ONES], store)),
        ("set", lambda: store.set("w", ONES)),
        ("step after set", lambda: made.run([ONES], store)),
        ("get at last", lambda: store.get("w")),
    ]:
        action()
        told.append(f"{name}: {moved()}")
    return {"told": told, "w": float(store.get("w")[0])}


def two_stores(cuda: Cuda) -> Any:
    """Each store has variables of its own; they and the job's buffers are freed."""
    made, stores = job(), [VariableStore(), VariableStore()]
    for store in stores:
        made.run([ONES], store)
    made.run([ONES], stores[1])
    values = [float(store.get("w")[0]) for store in stores]
    cuda.clear()
    del made, store, stores
    return {"values": values, "freed": sorted(line.split("(")[0] for line in cuda.log())}


def no_memory(cuda: Cuda) -> Any:
    """Too little memory for the buffers, then for a variable; then enough."""
    store, made = VariableStore(), job()
    cuda.memory(9000)
    found = [refusal(lambda: made.run([X], store))]
    cuda.memory(16_000)
    found.append(refusal(lambda: made.run([X], store)))
    cuda.memory(1 << 20)
    made.run([X], store)
    return found


def refusals(cuda: Cuda) -> Any:
    """Calls that the driver refuses, and whether the next step works."""
    cuda.fail("cuDevicePrimaryCtxRetain", 2)
    said = [refusal(job)]
    made, store = job(), VariableStore()
    for function in ("cuMemHostAlloc", "cuGraphInstantiate", "cuGraphLaunch"):
        cuda.fail(function, 2)
        said.append(refusal(lambda: made.run([ONES], store)))
    works = [float(made.run([ONES], store)[0]), float(store.get("w")[0])]
    cuda.fail("cuCtxSetCurrent", 709, sticky=1)
    said.append(refusal(lambda: made.run([ONES], store)))
    return {"said": said, "works": works}


def lost(cuda: Cuda) -> Any:
    """A device that is lost in the middle of a step fails at once from then on."""
    store, made, kept = VariableStore(), job(), VariableStore()
    made.run([ONES], store)
    made.run([ONES], kept)
    kept.get("w")
    cuda.fail("launch", 700, after=2, sticky=1)
    found = [refusal(lambda: made.run([ONES], store)), refusal(lambda: made.run([ONES], store))]
    before = len(cuda.log())
    found.append(refusal(lambda: store.get("w")))
    calls = len(cuda.log()) - before
    store.set("w", ONES)
    on_host = [float(store.get("w")[0]), float(kept.get("w")[0])]
    return {"said": found, "calls": calls, "on host": on_host}


def lost_one_by_one(cuda: Cuda) -> Any:
    """With CUDA_LAUNCH_BLOCKING=1, the kernel that failed is known."""
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    made = job()
    fits = np.allclose(made.run([X], VariableStore())[0], X.sum())
    cuda.fail("launch", 700, after=2, sticky=1)
    return {"fits": bool(fits), "said": refusal(lambda: made.run([X], VariableStore()))}


def bad_code(cuda: Cuda) -> Any:
    """Code that a device cannot run."""
    ptx = hand_made.PTX
    other = refusal(lambda: job(ptx=ptx.replace("sm_80", "sm_100")))
    newer = refusal(lambda: job(ptx=ptx.replace(".version 7.0", ".version 9.9")))
    cuda.fail("cuLibraryLoadData", 218)
    broken = refusal(job)
    kernels = hand_made.plan()["kernels"]
    large = {**kernels, "total": {**kernels["total"], "dynamic": 231_000}}
    cuda.fail("cuKernelSetAttribute", 1)
    shared = refusal(lambda: job(plan={"kernels": large}))
    cuda.fail("cuLaunchKernelEx", 1, after=1)
    launch = refusal(lambda: job().run([X], VariableStore()))
    return {"other": other, "newer": newer, "broken": broken, "shared": shared, "launch": launch}


def capture_failed(cuda: Cuda) -> Any:
    """After a launch that was refused, the next step works."""
    store, made = VariableStore(), job()
    cuda.fail("cuLaunchKernelEx", 1, after=1)
    said = refusal(lambda: made.run([X], store))
    return [said, np.allclose(made.run([X], store)[0], X.sum()).__bool__()]


def clusters(cuda: Cuda) -> Any:
    """Clusters and dynamic shared memory reach the launch."""
    kernels = hand_made.plan()["kernels"]
    changed = {
        **kernels,
        "products": {**kernels["products"], "cluster": [2, 1, 1], "dynamic": 65536},
    }
    job(plan={"kernels": changed}).run([X], VariableStore())
    return [
        line for line in cuda.log() if re.match(r"cuKernelSet|cuLaunchKernelEx\(products", line)
    ]


def forked(cuda: Cuda) -> Any:
    """The child of a fork is told that the device does not work there."""
    made = job()
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, refusal(lambda: made.run([X], VariableStore())).encode())
        os._exit(0)
    os.wait()
    return os.read(read, 4096).decode()


def simulated(cuda: Cuda) -> Any:
    """The PTX of the hand-made job, executed."""
    launched = cuda.simulate()
    made, store, seen = job(), VariableStore(), []
    (total,) = made.run([X], store, {1: [seen.append]})
    fits = total == X.sum() and (seen[0] == 2 * X).all() and (store.get("w") == 1 - X / 2).all()
    return {"launched": launched, "fits": bool(fits)}


def network(kind: str, first: str = "") -> tuple[Any, Any]:
    """A train job of a network on a device, and what it takes.

    Its first layer may be on another device.
    """
    import penstock as flow
    import penstock.typing as tp

    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((8, 20)),
        labels: tp.Numpy.Placeholder((8,), dtype=flow.int32),
    ) -> tp.Numpy:
        start = flow.random_normal_initializer(stddev=0.3)
        with flow.scope.placement(first or kind, "0:0"):
            hidden = flow.layers.dense(
                images, 16, activation=flow.nn.relu, kernel_initializer=start, name="hidden"
            )
        with flow.scope.placement(kind, "0:0"):
            logits = flow.layers.dense(hidden, 5, kernel_initializer=start, name="out")
            loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            rates = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rates, momentum=0.9).minimize(loss)
        return loss

    images = np.random.default_rng(0).standard_normal((8, 20)).astype(np.float32)
    return train_job, (images, np.arange(8, dtype=np.int32) % 5)


def trained(kind: str, first: str = "") -> tuple[list[Any], Any]:
    """The losses of three steps of that network, and a weight then."""
    import penstock as flow

    job, given = network(kind, first)
    losses = [job(*given) for _ in range(3)]
    return losses, flow.get_all_variables()["hidden-weight"].numpy()


def compiled(cuda: Cuda) -> Any:
    """A job of a network, compiled and trained on the GPU, and on the CPU."""
    launched = cuda.simulate()
    cuda.memory(4000)
    try:
        refused = str(trained("gpu"))
    except MemoryError as error:
        refused = str(error)
    cuda.memory(1 << 20)
    losses, weights = zip(*map(trained, ("cpu", "gpu")), strict=True)
    close = np.allclose(*losses, rtol=1e-5) and np.allclose(*weights, rtol=1e-5, atol=1e-6)
    launches = [line for line in cuda.log() if line.startswith(("cuGraphLaunch", "cuMemAlloc"))]
    kernels = len(launched) // 3
    return {"close": bool(close), "kernels": kernels, "calls": launches, "refused": refused}


def watched_network(cuda: Cuda) -> Any:
    """All blobs of a job whose buffers share memory, copied as late as they may be, and on the CPU;
    and with kernels that are said to write nothing."""
    import penstock as flow
    import penstock.typing as tp
    from penstock.runtime.gpu import operations

    cuda.simulate()
    cuda.late()

    def blobs(kind: str) -> dict[str, Any]:
        flow.clear_default_session()

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((8, 8))) -> tp.Numpy:
            with flow.scope.placement(kind, "0:0"):
                for number in range(5):
                    x = flow.matmul(x, x, name=f"product{number}") * 0.3
            return x

        found: dict[str, Any] = {}
        job.watch("product*", lambda name, blob: found.update({name: blob}))
        job(np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32))
        return found

    wanted, found = blobs("cpu"), blobs("gpu")
    operations._meet = lambda spans, other: False
    wrong = blobs("gpu")
    close = [[np.allclose(wanted[n], one[n], rtol=1e-4) for n in wanted] for one in (found, wrong)]
    return {"close": [sum(each) for each in close], "count": len(wanted)}


def network_step(cuda: Cuda) -> Any:
    """The calls of three training steps of a network, without what schedules decide."""
    cuda.simulate()
    cuda.clear()
    trained("gpu")
    every = cuda.log()
    loaded = max(i for i, line in enumerate(every) if line.startswith("cuLibraryGetKernel"))
    first = next(i for i, line in enumerate(every) if line.startswith("cuGraphLaunch"))
    parts = every[: loaded + 1], every[loaded + 1 : first + 2], every[first + 2 : first + 4]
    return dict(zip(("loading", "preparing", "again"), map(unscheduled, parts), strict=True))


def unscheduled(calls: list[str]) -> list[str]:
    """Calls without the number of kernels, their names, sizes and launches, and offsets in the
    arena."""
    found: list[str] = []
    for line in calls:
        if line.startswith(("cuLibraryGetKernel", "cuLaunchKernelEx")):
            line = line.split("(")[0] + " of each kernel"
        elif line.startswith("cuKernelSetAttribute"):
            continue
        line = re.sub(r"^cuMemAlloc\(\d+\) -> d0", "cuMemAlloc(buffers) -> d0", line)
        line = re.sub(r"d0\+\d+", "d0+offset", line)
        line = re.sub(r"\d+ bytes of PTX", "PTX", line)
        line = re.sub(r", \d+ nodes$", "", line)
        if not found or found[-1] != line or "of each kernel" not in line:
            found.append(line)
    return found


def mixed(cuda: Cuda) -> Any:
    """A network whose first layer is on the CPU, or all but that: what runs in its last step."""
    cuda.simulate()
    told = []
    for order in (("gpu", "cpu"), ("cpu", "gpu")):
        losses, weights = zip(trained("cpu"), trained(*order), strict=True)
        close = np.allclose(*losses, rtol=1e-5) and np.allclose(*weights, rtol=1e-5, atol=1e-6)
        names = r"cuGraphLaunch|cuEvent(Record|Syn)|cuStreamWait|cuMemcpyDtoHAsync"
        calls = [line for line in cuda.log() if re.match(names, line)]
        first = next(line for line in calls if line.startswith("cuGraphLaunch"))
        step = calls[-calls[::-1].index(first) - 1 :]
        owners, short, launched = {}, [], -1
        for line in step:
            name, _, rest = line[:-1].partition("(")
            event, _, stream = rest.partition(", ")
            if name == "cuGraphLaunch":
                launched += 1
                short.append(f"launch {launched}")
            elif name == "cuEventRecord":
                owners[event] = launched, stream
            elif name == "cuMemcpyDtoHAsync":
                short.append(f"copy {launched} on {rest.split()[-1]}")
            elif name == "cuEventSynchronize":
                short.append("wait {} on {}".format(*owners[event]))
            elif rest.startswith("s0"):
                short.append("next waits for copies")
        told.append({"close": bool(close), "calls": short})
        cuda.clear()
    return told


def given(cuda: Cuda) -> Any:
    """The calls of a step that gives a value to the host, and the value: once the next section
    leaves its memory alone, once it writes there."""
    buffer = {"shape": [hand_made.COUNT], "dtype": "f32"}
    callout = {"id": 0, "name": "copy 0", "operands": [buffer], "results": [], "copy": 0}
    described = Description.from_dict({**hand_made.description(), "callouts": [callout]})
    found = []
    for target in (4096, 0):
        plan = hand_made.plan()
        products, _, _, _, update = plan["steps"]
        give = {"give": 0, "source": ["arena", 0], "bytes": 4 * hand_made.COUNT}
        there = [["argument", 1, 0]] * 2 + [["arena", target], products["arguments"][3]]
        plan["steps"] = [products, give, {"launch": "doubled", "arguments": there}, update]
        checked = checked_plan(described, plan, hand_made.PTX)
        code = LoadedCode(described, checked, hand_made.PTX, devices.device("gpu"))
        store = VariableStore()
        live = [store.ensure(variable, "train_job") for variable in described.variables]
        ready = code.ready(store, variables_of(store), live, (frozenset(), 0))
        ready.memory.fill([X])
        cuda.clear()
        for section in ready.sections:
            section.code.start(waits=section.overwrites)
        ready.sections[0].code.finish()
        value = ready.memory.copied[0].view(np.float32)
        names = r"cuGraphLaunch|cuEvent(Record|Syn)|cuStreamWait|cuMemcpy"
        calls = [re.sub(r"[gd]\d+|h\d+(\+\d+)?", "", line) for line in cuda.log()]
        text = "\n".join(line for line in calls if re.match(names, line))
        for number, event in enumerate(dict.fromkeys(re.findall(r"\be\d+\b", text))):
            text = re.sub(rf"\b{event}\b", f"event {number}", text)
        kept = text.replace("event ", "e").splitlines()
        found.append({"calls": kept, "value": bool((value == X).all())})
    return found


def mixed_lost(cuda: Cuda) -> Any:
    """A device that is lost at each launch of a step of a job that is partly on the CPU: what is
    said, and whether a variable on the CPU has changed."""
    import penstock as flow

    cuda.simulate()
    cuda.clear()
    job, given = network("gpu", "cpu")
    job(*given)
    log = cuda.log()
    launches = sum(line.startswith("cuLaunchKernelEx") for line in log)
    sections = len({line for line in log if line.startswith("cuGraphLaunch")})
    device = devices.device("gpu")
    on_cpu = [name for name in flow.get_all_variables() if name.startswith("hidden")]

    def values() -> list[Any]:
        return [flow.get_all_variables()[name].numpy() for name in on_cpu]

    before, found = values(), []
    for after, sticky in itertools.product(range(launches), (1, 2)):
        cuda.fail("launch", 700, after=after, sticky=sticky)
        try:
            said = str(job(*given))
        except RuntimeError as error:
            said = str(error)
        cuda.recover()
        device.lost = ""
        device.running.clear()
        same = all(np.array_equal(*pair) for pair in zip(before, values(), strict=True))
        found.append([said, same])
    job(*given)
    moved = not any(np.array_equal(*pair) for pair in zip(before, values(), strict=True))
    return {"found": found, "sections": sections, "on cpu": on_cpu, "moved": moved}


def product(kind: str) -> Any:
    """A job of relu(x w) in bf16 on a device."""
    import penstock as flow
    import penstock.typing as tp

    flow.clear_default_session()

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((72, 40), dtype=flow.bfloat16),
        w: tp.Numpy.Placeholder((40, 64), dtype=flow.bfloat16),
    ) -> tp.Numpy:
        with flow.scope.placement(kind, "0:0"):
            return flow.math.relu(flow.matmul(x, w))

    return job


def multiplied(kind: str) -> Any:
    """What that job computes."""
    import ml_dtypes

    draw = np.random.default_rng(0)
    given = [draw.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((72, 40), (40, 64))]
    return np.asarray(product(kind)(*given)).astype(np.float64)


def warpgroups(cuda: Cuda) -> Any:
    """A product by warpgroups, whose tensor maps the driver encodes."""
    launched = cuda.simulate()
    wanted, found = (multiplied(kind) for kind in ("cpu", "gpu"))
    maps = [line for line in cuda.log() if line.startswith("cuTensorMapEncodeTiled")]
    close = np.allclose(found, wanted, rtol=2**-7, atol=2**-6)
    return {"close": bool(close), "kernels": len(launched), "maps": maps}


def forms(cuda: Cuda) -> Any:
    """Forms of instructions, run as `make gpu` does, beside what the manual says."""
    from instruction_forms import FAMILIES, RECORDERS, differences, wrong_results
    from recorder import RuntimeTarget, SimulatorTarget, run

    launched = cuda.simulate()
    cuda.clear()
    # Of 1 to 8 bytes, with other sizes of buffers from one to the next; of two blocks' dimensions;
    # with words by value, and with a tensor map.
    names = ("add.u16", "add.u64", "setp.lt.f32", "mul.wide.u16", "fma.rn.f64", "where a thread is",
             "addresses", "registers of warpgroups")  # fmt: skip
    chosen = [RECORDERS[name] for name in names]
    chosen += [one for one in FAMILIES["copies of boxes"] if "rows of 64 bytes" in one.name]
    target = RuntimeTarget(devices.device("gpu"))
    found = run(target, chosen)
    wrong = wrong_results(found) + differences(run(SimulatorTarget(), chosen), found)
    found["add.u16|X"][3] ^= 1
    changed = differences(run(target, chosen), found)
    maps = [line for line in cuda.log() if line.startswith("cuTensorMapEncodeTiled")]
    return {"wrong": wrong, "changed": len(changed), "launched": len(launched), "maps": len(maps)}


def fitted(cuda: Cuda) -> Any:
    """What a job is compiled for on devices and drivers of several kinds: the architecture, the
    pass that schedules it, its grids; and what one is compiled for that is elsewhere."""
    from penstock.ir.text.printer import print_module
    from penstock.lowering.modules import Modules

    def compiled_for(cuda: Cuda) -> Any:
        modules = Modules("job", product("gpu").trace().modules["job"])
        grids = re.findall(r"grid = (\d+)", print_module(modules["scheduled"]))
        elsewhere = Modules("job", product("gpu-sim").trace().modules["job"])
        passes = str(modules.pipelines["scheduled"]).split(",")[-1]
        return [modules.on.arch, passes, grids, elsewhere.on.arch]

    found = {}
    for name, settings in {
        "H100": {},
        "one processor": {"TEST_PROCESSORS": "1"},
        "A100": {"TEST_CAPABILITY": "80", "TEST_PROCESSORS": "108"},
        "B200": {"TEST_CAPABILITY": "100", "TEST_PROCESSORS": "148"},
        "an old driver": {"TEST_VERSION": "12060"},
        "a choice": {"GPU_TARGET": "sm_90"},
        "none": {"TEST_DEVICES": "0"},
    }.items():
        for word, value in settings.items():
            os.environ[f"PENSTOCK_{word}"] = value
        found[name] = in_child(compiled_for)
        for word in settings:
            del os.environ[f"PENSTOCK_{word}"]
    return found


def affine(kind: str, first: str = "") -> Any:
    """A train job of two layers on a device; the first may be on another one."""
    import penstock as flow
    import penstock.typing as tp

    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement(first or kind, "0:0"):
            v = flow.get_variable("v", (8, 8), initializer=flow.ones_initializer())
            hidden = flow.matmul(x, v)
        with flow.scope.placement(kind, "0:0"):
            w = flow.get_variable("w", (8, 3), initializer=flow.ones_initializer())
            loss = flow.math.reduce_sum(flow.matmul(hidden, w), axis=1)
            rates = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
            flow.optimizer.SGD(rates, momentum=0).minimize(loss)
        return loss

    return train_job


def artifacts(cuda: Cuda) -> Any:
    """What devices load of an artifact with PTX and machine code, and what its job computes."""
    import tempfile

    import penstock as flow
    from penstock.runtime import load

    x = np.ones((4, 8), np.float32)

    def run(cuda: Cuda, both: bool = False) -> Any:
        cuda.simulate()
        artifact = load(os.path.join(folder, "both.pstk") if both else path)
        losses = [artifact(x).tolist() for _ in range(2)]
        return {"loaded": [line for line in cuda.log() if "LoadData" in line], "losses": losses}

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train.pstk")
        options = {"targets": ["x86-64-v2"], "cubins": ["sm_80", "sm_90"]}
        # In a child, since this process is to know of no device.
        in_child(lambda cuda: flow.save_artifact(path, affine("gpu"), **options))
        both = os.path.join(folder, "both.pstk")
        in_child(lambda cuda: flow.save_artifact(both, affine("gpu", "cpu"), **options))
        found = {}
        for capability in (86, 90, 100):
            os.environ.update(PENSTOCK_TEST_CAPABILITY=str(capability))
            found[capability] = in_child(run)
        os.environ.update(PENSTOCK_TEST_CAPABILITY="90")
        found["both"] = in_child(lambda cuda: run(cuda, both=True))
        cuda.fail("cuLibraryLoadData", 209)
        found["refused"] = run(cuda)
    return found


def in_child(action: Callable[[Cuda], Any]) -> Any:
    """What an action returns in a fork of this process, in which no device has been made."""
    found = json.loads(told(action))
    if "error" in found:
        raise RuntimeError(found["error"])
    return found["result"]


def status(cuda: Cuda) -> Any:
    """Why there is no GPU, for each way in which there is none."""
    from penstock.runtime.gpu import driver

    said = {}
    for name, settings in {
        "old": {"PENSTOCK_TEST_VERSION": "11080"},
        "none": {"PENSTOCK_TEST_DEVICES": "0"},
        "none started": {"PENSTOCK_TEST_INIT": "100"},
        "broken": {"PENSTOCK_TEST_INIT": "999"},
        "one": {},
    }.items():
        libc = ctypes.CDLL(None)
        for word in ("VERSION", "DEVICES", "INIT"):
            libc.unsetenv(f"PENSTOCK_TEST_{word}".encode())
        for key, value in settings.items():
            libc.setenv(key.encode(), value.encode(), 1)
        driver.status.cache_clear()
        said[name] = devices.why_not("gpu", 0)
    said["second"] = devices.why_not("gpu", 1)
    return said


SCENARIOS: list[Callable[[Cuda], Any]] = [
    step, late, watched, overwritten, ring, raising, variables, two_stores, no_memory, refusals,
    lost, lost_one_by_one, bad_code, capture_failed, clusters, forked, simulated, compiled,
    network_step, watched_network, mixed, given, mixed_lost, warpgroups, fitted, artifacts, forms,
    status,
]  # fmt: skip


def told(scenario: Callable[[Cuda], Any]) -> str:
    """What a scenario returns, as JSON, from a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            result = {"result": scenario(Cuda())}
        except BaseException:
            result = {"error": traceback.format_exc()}
        with open(write, "w") as out:
            json.dump(result, out)
        os._exit(0)
    os.close(write)
    with open(read) as given:
        text = given.read()
    os.waitpid(child, 0)
    return text


if __name__ == "__main__":
    for one in SCENARIOS:
        sys.stdout.write(f"{one.__name__} {told(one)}\n")
