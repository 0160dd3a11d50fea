"""`mindspore.context`: the mode, PyNative or graph, and the other settings of a program."""

from __future__ import annotations

from typing import Any

from penstock.basics.checks import check_flag
from penstock.basics.errors import did_you_mean, kind_of, located

GRAPH_MODE, PYNATIVE_MODE = 0, 1
_TARGETS = ("CPU", "GPU", "Ascend")

_settings: dict[str, Any] = {
    "mode": GRAPH_MODE, "device_target": "CPU", "device_id": 0, "pynative_synchronize": False,
    "save_graphs": False, "save_graphs_path": ".", "enable_graph_kernel": False,
    "enable_sparse": False, "max_call_depth": 1000, "precompile_only": False,
    "print_file_path": "", "check_bprop": False, "runtime_num_threads": 0,
}  # fmt: skip
_FLAGS = ("pynative_synchronize", "save_graphs", "enable_graph_kernel", "enable_sparse",
          "check_bprop", "precompile_only")  # fmt: skip


def set_context(**settings: Any) -> None:
    """Change settings: `mode` is PYNATIVE_MODE or GRAPH_MODE, which is the default.

    In PyNative mode each op runs when it is called. In graph mode the call of a cell compiles its
    `construct` for the shapes and element types of the arguments. Ops always run synchronously, so
    an error names the line that made it whether or not `pynative_synchronize` is set. The only
    `device_target` is "CPU". The other settings of MindSpore are accepted and have no effect.

    Raises a located ValueError or TypeError for an unknown setting or value.

    >>> from penstock.mindspore import context
    >>> context.set_context(mode=context.PYNATIVE_MODE, pynative_synchronize=True)
    >>> context.get_context("mode") == context.PYNATIVE_MODE
    True
    """
    for name, value in settings.items():
        _check(name, value)
    _settings.update(settings)


def get_context(attr_key: str) -> Any:
    """The value of a setting."""
    if attr_key not in _settings:
        near = did_you_mean(str(attr_key), _settings)
        raise located(ValueError, f"get_context knows no setting {kind_of(attr_key)}{near}")
    return _settings[attr_key]


def reset_context() -> None:
    """Give all settings their defaults again."""
    _settings.update(_DEFAULTS)


_DEFAULTS = dict(_settings)


def _check(name: str, value: Any) -> None:
    if name not in _settings:
        near = did_you_mean(name, _settings)
        raise located(ValueError, f"set_context knows no setting {name!r}{near}")
    if name == "mode" and (isinstance(value, bool) or value not in (GRAPH_MODE, PYNATIVE_MODE)):
        raise located(
            ValueError,
            "mode of set_context must be context.GRAPH_MODE or context.PYNATIVE_MODE, got "
            f"{kind_of(value)}",
        )
    if name == "device_target":
        if value not in _TARGETS:
            raise located(
                ValueError,
                f"device_target of set_context must be one of {', '.join(_TARGETS)}, got "
                f"{kind_of(value)}",
            )
        if value != "CPU":
            raise located(
                ValueError,
                f"device_target of set_context is {value}, and there is only the CPU here; pass "
                'device_target="CPU"',
            )
    if name in _FLAGS:
        check_flag(value, f"{name} of set_context")


def is_graph_mode() -> bool:
    return bool(_settings["mode"] == GRAPH_MODE)
