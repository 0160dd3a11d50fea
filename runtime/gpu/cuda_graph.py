"""A sequence of operations as one graph of CUDA, which one call launches.

Kernels and copies on the device run in order on one stream. Uploads run on another, ahead of the
first operation that needs them. Downloads of results and of watched blobs run there too, beside
what follows, up to the first operation that writes what they read. Downloads that are detached run
there behind the graph, beside graphs that are launched later.
"""

import ctypes
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu.backend import CopyBytes, Download, LaunchKernel, Operation, Upload
from penstock.runtime.gpu.cuda_context import CudaContext
from penstock.runtime.gpu.driver import CallFailed
from penstock.runtime.gpu.launch_plan import Kernel
from penstock.runtime.memory import address_of

__all__ = ["CudaGraph", "OneByOne", "runs_one_by_one"]

VARIABLE = "CUDA_LAUNCH_BLOCKING"
"""CUDA's own environment variable: with 1, each launch is waited for, so errors name the kernel."""
_MOST_NAMED = 4
"""How many kernels an error names."""


def runs_one_by_one() -> bool:
    """Whether the environment has each operation waited for."""
    return os.environ.get(VARIABLE) == "1"


class _Issuer:
    """Issues operations on the streams of a device."""

    def __init__(
        self, device: CudaContext, kernels: Mapping[str, Kernel], functions: Mapping[str, Any]
    ) -> None:
        self.device = device
        self._kernels = kernels
        self._functions = functions

    def issue(self, operation: Operation, stream: Any) -> None:
        """Issue one operation on a stream; DeviceError, with the user's line, if that fails."""
        call = self.device.call
        match operation:
            case Upload(source, target):
                if source.nbytes:
                    call("cuMemcpyHtoDAsync", target, address_of(source), source.nbytes, stream)
            case CopyBytes(source, target, size):
                if size:
                    call("cuMemcpyDtoDAsync", target, source, size, stream)
            case Download(source, target):
                if target.nbytes:
                    call("cuMemcpyDtoHAsync", address_of(target), source, target.nbytes, stream)
            case LaunchKernel():
                self._launch(operation, stream)

    def _launch(self, launch: LaunchKernel, stream: Any) -> None:
        kernel = self._kernels[launch.kernel]
        bindings = self.device.driver.bindings
        config = bindings.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = kernel.grid
        config.blockDimX, config.blockDimY, config.blockDimZ = kernel.block
        config.sharedMemBytes = kernel.dynamic
        config.hStream = stream
        attributes = self._attributes(kernel)
        config.attrs, config.numAttrs = attributes, len(attributes)
        values = ctypes.create_string_buffer(launch.arguments, max(len(launch.arguments), 1))
        start = ctypes.addressof(values)
        places = [start + parameter.offset for parameter in kernel.parameters]
        pointers = (ctypes.c_void_p * max(len(places), 1))(*places)
        function = bindings.CUfunction(int(self._functions[launch.kernel]))
        address = ctypes.addressof(pointers)
        try:
            self.device.call("cuLaunchKernelEx", config, function, address, 0)
        except CallFailed as error:
            raise DeviceError(
                f"kernel {launch.kernel!r} cannot be launched on {self.device.name} "
                f"({self.device.model}): {error}",
                launch.loc,
            ) from None

    def _attributes(self, kernel: Kernel) -> list[Any]:
        if kernel.cluster == (1, 1, 1):
            return []
        bindings = self.device.driver.bindings
        found = bindings.CUlaunchAttribute()
        found.id = bindings.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        cluster = found.value.clusterDim
        cluster.x, cluster.y, cluster.z = kernel.cluster
        return [found]


class OneByOne:
    """Operations that are waited for one by one."""

    def __init__(
        self,
        device: CudaContext,
        kernels: Mapping[str, Kernel],
        functions: Mapping[str, Any],
        operations: Sequence[Operation],
    ) -> None:
        self._issuer = _Issuer(device, kernels, functions)
        self._operations = list(operations)

    def run(self, stops: Callable[[], bool]) -> bool:
        """Run them; an error names the kernel that failed."""
        device = self._issuer.device
        device.enter()
        for operation in self._operations:
            self._issuer.issue(operation, device.stream)
            try:
                device.driver("cuStreamSynchronize", device.stream)
            except CallFailed as error:
                if isinstance(operation, LaunchKernel):
                    failed = DeviceError(f"kernel {operation.kernel!r} failed: {error}")
                    device.lose(failed, operation.loc)
                device.lose(error)
        return True

    def start(self, waits: bool = True) -> None:
        """Run them; an error names the kernel that failed."""
        self.run(lambda: False)

    def finish(self) -> None:
        """Nothing: they have run."""

    def close(self) -> None:
        """Nothing."""


class CudaGraph:
    """Operations captured as a graph."""

    def __init__(
        self,
        device: CudaContext,
        kernels: Mapping[str, Kernel],
        functions: Mapping[str, Any],
        operations: Sequence[Operation],
    ) -> None:
        self._device = device
        self._issuer = _Issuer(device, kernels, functions)
        self._operations = list(operations)  # keeps the host's arrays
        self._detached = [
            one for one in self._operations if isinstance(one, Download) and one.detached
        ]
        launches = (one for one in self._operations if isinstance(one, LaunchKernel))
        self._lines = {one.kernel: one.loc for one in launches}
        """The kernels and their lines."""
        self._events: list[Any] = []
        self._own: dict[str, Any] = {}
        """The events of the last launch by `start`: `begun` before it, `over` behind the graph, and
        `done` behind detached downloads, too."""
        graph = self._captured()
        try:
            self._launched = device.call("cuGraphInstantiate", graph, 0)
        finally:
            device.release("cuGraphDestroy", graph)
        self._end = weakref.finalize(self, device.release, "cuGraphExecDestroy", self._launched)
        self._end.atexit = False

    def run(self, stops: Callable[[], bool]) -> bool:
        """Launch the graph and wait for it."""
        assert not self._detached, "sequences with these are started"
        self._launch()
        self._call("cuStreamSynchronize", self._device.stream)
        self._device.running.clear()
        return True

    def start(self, waits: bool = True) -> None:
        """Launch the graph, and what is detached behind it."""
        device = self._device
        device.enter()
        if waits:
            self._meet(device.stream, device.copies, "begun")
        self._launch()
        if not self._detached:
            self._record("done", device.stream)
            return
        self._meet(device.copies, device.stream, "over")
        for one in self._detached:
            self._issuer.issue(one, device.copies)
        self._record("done", device.copies)

    def _meet(self, stream: Any, other: Any, name: str) -> None:
        """Have a stream wait for all that another has so far."""
        self._record(name, other)
        self._call("cuStreamWaitEvent", stream, self._own[name], 0)

    def _record(self, name: str, stream: Any) -> None:
        device = self._device
        if name not in self._own:
            flags = device.driver.bindings.CUevent_flags.CU_EVENT_DISABLE_TIMING
            made = self._own[name] = self._call("cuEventCreate", flags)
            weakref.finalize(self, device.release, "cuEventDestroy", made).atexit = False
        self._call("cuEventRecord", self._own[name], stream)

    def finish(self) -> None:
        """Wait until what was started is done; others that were launched later may still run."""
        self._device.enter()
        self._call("cuEventSynchronize", self._own["done"])
        running = self._device.running
        if self._lines in running:
            del running[: running.index(self._lines) + 1]

    def _launch(self) -> None:
        device = self._device
        device.enter()
        device.running.append(self._lines)
        try:
            device.driver("cuGraphLaunch", self._launched, device.stream)
        except CallFailed as error:
            if error.is_final:
                self._lose(error)
            # Nothing of it runs.
            device.running.pop()
            raise DeviceError(
                f"a step cannot be launched on {device.name} ({device.model}): {error}; nothing of "
                "it has run: call it again, or end what else uses the device"
            ) from None

    def _call(self, function: str, *arguments: Any) -> Any:
        """A call of the driver; any error of a step that was launched may have left it half
        done."""
        try:
            return self._device.driver(function, *arguments)
        except CallFailed as error:
            self._lose(error)

    def _lose(self, error: CallFailed) -> NoReturn:
        """An error of any graph that runs arrives at whichever call comes next."""
        lines = {name: at for one in self._device.running for name, at in one.items()}
        self._device.lose(DeviceError(f"{error}, in {_named(lines)}"))

    def close(self) -> None:
        self._end()

    def _captured(self) -> Any:
        device = self._device
        mode = device.driver.bindings.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        device.call("cuStreamBeginCapture", device.stream, mode)
        try:
            self._issue_all()
        except BaseException:
            # The capture must end, or the stream stays unusable; its graph is worthless.
            device.release("cuStreamEndCapture", device.stream)
            raise
        finally:
            for event in self._events:
                device.release("cuEventDestroy", event)
            self._events.clear()
        return device.call("cuStreamEndCapture", device.stream)

    def _issue_all(self) -> None:
        """Issue everything, with events between the two streams."""
        stream, copies = self._device.stream, self._device.copies
        awaited = {n for one in self._operations if not isinstance(one, Upload) for n in one.after}
        over: dict[int, Any] = {}
        """The events behind copies that others wait for, by position."""
        beside = False
        for position, operation in enumerate(self._operations):
            match operation:
                case Download(detached=True):
                    pass
                case Upload():
                    if not beside:
                        self._follow(copies, stream)
                        beside = True
                    self._issuer.issue(operation, copies)
                case Download(unhurried=True):
                    self._follow(copies, stream)
                    beside = True
                    self._issuer.issue(operation, copies)
                case _:
                    for number in operation.after:
                        self._wait(stream, over[number])
                    self._issuer.issue(operation, stream)
            if position in awaited:
                over[position] = self._event(copies)
        if beside:
            self._follow(stream, copies)

    def _event(self, stream: Any) -> Any:
        """An event that is over when all before it on the stream is."""
        device = self._device
        flags = device.driver.bindings.CUevent_flags.CU_EVENT_DISABLE_TIMING
        event = device.call("cuEventCreate", flags)
        self._events.append(event)
        device.call("cuEventRecord", event, stream)
        return event

    def _wait(self, stream: Any, event: Any) -> None:
        self._device.call("cuStreamWaitEvent", stream, event, 0)

    def _follow(self, stream: Any, other: Any) -> None:
        """Have a stream wait for all that the other has so far."""
        self._wait(stream, self._event(other))


def _named(lines: Mapping[str, str]) -> str:
    """Which kernels may have failed, by name if they are few; each has the user's line."""
    if len(lines) > _MOST_NAMED:
        which = f"one of {len(lines)} kernels"
    else:
        which = " or ".join(f"kernel {name!r}{at and f' ({at})'}" for name, at in lines.items())
    if len(lines) == 1:
        return which
    return f"{which}; set {VARIABLE}=1 in the environment to learn which"
