"""`flow.unittest.env`: how OneFlow's tests are told where they run, by ONEFLOW_TEST_... ."""

from __future__ import annotations

import os

from penstock.basics.errors import kind_of, located

_NODES = "ONEFLOW_TEST_NODE_LIST"
_DEVICES = "ONEFLOW_TEST_DEVICE_NUM"


def device_num() -> int:
    """The devices of each machine: ONEFLOW_TEST_DEVICE_NUM, or 1."""
    given = os.environ.get(_DEVICES) or "1"
    if not given.isdecimal() or int(given) < 1:
        raise located(ValueError, f"{_DEVICES} must be a number above 0, got {kind_of(given)}")
    return int(given)


def has_node_list() -> bool:
    """Whether ONEFLOW_TEST_NODE_LIST names machines."""
    return bool(os.environ.get(_NODES))


def node_list() -> list[str]:
    """The machines that ONEFLOW_TEST_NODE_LIST names, between commas."""
    if not has_node_list():
        raise located(ValueError, f"{_NODES} names no machine; ask has_node_list() first")
    return os.environ[_NODES].split(",")


def node_size() -> int:
    """How many machines there are: 1 where none is named."""
    return len(node_list()) if has_node_list() else 1


def eager_execution_enabled() -> bool:
    """Whether ONEFLOW_TEST_ENABLE_EAGER is 1."""
    return os.environ.get("ONEFLOW_TEST_ENABLE_EAGER") == "1"


def typing_check_enabled() -> bool:
    """Whether ONEFLOW_TEST_ENABLE_TYPING_CHECK is 1."""
    return os.environ.get("ONEFLOW_TEST_ENABLE_TYPING_CHECK") == "1"
