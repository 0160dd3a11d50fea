"""`flow.config`: settings of the process. Make them before the first job runs.

Each setter checks the exact type of its value and reports once what it does in this build. While a
session runs, setters change nothing, say so and return False.
"""

from __future__ import annotations

from typing import Any

from penstock import env
from penstock.basics.settings import Setting, Settings, count, flag, text
from penstock.process import devices
from penstock.runtime import threads

_CPU = "this build runs on the CPU; the value is kept and changes nothing"
_GPU = (
    "jobs run on the GPU unless they are placed elsewhere; with "
    f"{devices.GPU}=cpu in the environment, on as many CPU ranks"
)
_TF32 = "jobs on a GPU multiply float32 in TF32, unless their function_config says otherwise"
_LAUNCHER = "MPI moves data between ranks; the value is kept and changes nothing"
_DEVICES = "each machine has so many ranks on its CPU"
_MACHINES = "the run has so many machines"
_MOST = 65536
_THREADS = "steps run on so many threads; 0 leaves it to the environment"
_QUEUES = "this build has no message queues; the value is kept and changes nothing"
_FORMAT = "this build has one checkpoint format; the value is kept and changes nothing"

_TABLE: dict[str, Setting] = {
    "gpu_device_num": Setting(int, _GPU, 0, highest=_MOST, works=True),
    "cpu_device_num": Setting(int, _DEVICES, 1, highest=_MOST, works=True),
    "machine_num": Setting(int, _MACHINES, 1, highest=_MOST, works=True),
    "load_library": text(),
    "load_library_now": text(),
    "comm_net_worker_num": count(_LAUNCHER),
    "max_mdsave_worker_num": count(),
    "compute_thread_pool_size": Setting(int, _THREADS, 0, highest=threads.LARGEST, works=True),
    "rdma_mem_block_mbyte": count(_LAUNCHER),
    "rdma_recv_msg_buf_mbyte": count(_LAUNCHER),
    "use_rdma": flag(_LAUNCHER),
    "reserved_host_mem_mbyte": count(),
    "reserved_device_mem_mbyte": count(_CPU),
    "enable_debug_mode": Setting(bool),
    "save_downloaded_file_to_local_fs": flag(),
    "persistence_buf_byte": count(),
    "enable_legacy_model_io": flag(_FORMAT),
    "enable_model_io_v2": Setting(bool, _FORMAT),
    "collect_act_event": flag(),
    "enable_tensor_float_32_compute": Setting(bool, _TF32, default=True, works=True),
    "thread_enable_local_message_queue": Setting(bool, _QUEUES),
    "enable_numa_aware_cuda_malloc_host": flag(_CPU),
    "collective_boxing.enable_fusion": flag(_LAUNCHER),
    "collective_boxing.num_callback_threads": count(_LAUNCHER),
    "collective_boxing.nccl_num_streams": count(_LAUNCHER),
    "collective_boxing.nccl_fusion_threshold_mb": count(_LAUNCHER),
    "collective_boxing.nccl_fusion_max_ops": count(_LAUNCHER),
    "collective_boxing.nccl_fusion_all_reduce": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_fusion_reduce_scatter": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_fusion_all_gather": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_fusion_reduce": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_fusion_broadcast": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_fusion_all_reduce_use_buffer": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_enable_all_to_all": Setting(bool, _LAUNCHER),
    "collective_boxing.nccl_enable_mixed_fusion": Setting(bool, _LAUNCHER),
}

_settings = Settings(
    "flow.config", _TABLE, lockable=True, also=("ctrl_port", "legacy_model_io_enabled"),
    values=devices.settings,
)  # fmt: skip


def apply_threads() -> None:
    """Set the number of threads to `compute_thread_pool_size`, if that was called."""
    if (size := _settings.values.get("compute_thread_pool_size")) is not None:
        threads.set_num_threads(size or None)


def legacy_model_io_enabled() -> bool:
    """Whether checkpoints use the legacy format; never in this build."""
    return False


def __getattr__(name: str) -> Any:
    if name == "ctrl_port":  # many programs look for it here
        return env.ctrl_port
    return _settings.find(name)


def __dir__() -> list[str]:
    return sorted([*_settings.names(), "ctrl_port", "legacy_model_io_enabled"])
