"""`flow.deprecated`: what starts and ends OneFlow's workers on the other machines of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock import config
from penstock.basics.errors import located
from penstock.basics.names import no_such


def init_worker(scp_binary: bool = True, use_uuid: bool = True, ssh_port: int = 22) -> None:
    """Start the other machines of a run: with one machine there are none, and nothing happens.

    Raises a located NotImplementedError where `flow.config.machine_num` asked for more.
    """
    if (machines := config.machine_count()) > 1:
        raise located(
            NotImplementedError,
            f"flow.deprecated.init_worker has {machines} machines to start, and this build runs on "
            "one; leave flow.config.machine_num out",
        )


def delete_worker(ssh_port: int = 22) -> None:
    """End what `init_worker` has started: nothing."""


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.deprecated")
