"""A simulated GPU: it runs PTX text on NumPy, and checks what a GPU leaves undefined."""

from penstock.runtime.gpu.simulator.device import Device
from penstock.runtime.gpu.simulator.formats.tensor_map import encode_tiled
from penstock.runtime.gpu.simulator.loaded import LoadedKernel, LoadedModule
from penstock.runtime.gpu.simulator.machine.counters import Counters, Traffic
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = [
    "Counters",
    "Device",
    "LoadedKernel",
    "LoadedModule",
    "SimulatorError",
    "Traffic",
    "encode_tiled",
]
