"""`flow.deprecated`: starts and stops OneFlow's workers on the other machines of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock import config
from penstock.basics.errors import located
from penstock.basics.names import no_such


def init_worker(scp_binary: bool = True, use_uuid: bool = True, ssh_port: int = 22) -> None:
    """Start workers on the other machines of a run. With one machine, this does nothing.

    Raises a located NotImplementedError if `flow.config.machine_num` is more than 1.
    """
    if (machines := config.machine_count()) > 1:
        raise located(
            NotImplementedError,
            f"flow.deprecated.init_worker would start {machines} machines, but this build runs on "
            "one; leave flow.config.machine_num unset",
        )


def delete_worker(ssh_port: int = 22) -> None:
    """Stop what `init_worker` started: nothing."""


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.deprecated")
