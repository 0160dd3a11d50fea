"""`flow.unittest.env`: the machines and devices that OneFlow's tests run on (ONEFLOW_TEST_...)."""

from __future__ import annotations

import os

from penstock.basics.errors import kind_of, located

_NODES = "ONEFLOW_TEST_NODE_LIST"
_DEVICES = "ONEFLOW_TEST_DEVICE_NUM"


def device_num() -> int:
    """The number of devices of each machine: ONEFLOW_TEST_DEVICE_NUM, or 1."""
    text = os.environ.get(_DEVICES) or "1"
    if not text.isdecimal() or int(text) < 1:
        raise located(ValueError, f"{_DEVICES} must be a number above 0, got {kind_of(text)}")
    return int(text)


def has_node_list() -> bool:
    """Whether ONEFLOW_TEST_NODE_LIST names machines."""
    return bool(os.environ.get(_NODES))


def node_list() -> list[str]:
    """The machines in ONEFLOW_TEST_NODE_LIST, separated by commas."""
    if not has_node_list():
        raise located(ValueError, f"{_NODES} names no machine; check has_node_list() first")
    return os.environ[_NODES].split(",")


def node_size() -> int:
    """The number of machines; 1 if none is named."""
    return len(node_list()) if has_node_list() else 1


def eager_execution_enabled() -> bool:
    """Whether ONEFLOW_TEST_ENABLE_EAGER is 1."""
    return os.environ.get("ONEFLOW_TEST_ENABLE_EAGER") == "1"


def typing_check_enabled() -> bool:
    """Whether ONEFLOW_TEST_ENABLE_TYPING_CHECK is 1."""
    return os.environ.get("ONEFLOW_TEST_ENABLE_TYPING_CHECK") == "1"
