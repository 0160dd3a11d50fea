"""`flow.deprecated`: starts and stops OneFlow's workers on the other machines of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.basics.notices import tell_once
from penstock.process.devices import machine_count


def init_worker(scp_binary: bool = True, use_uuid: bool = True, ssh_port: int = 22) -> None:
    """Does nothing: a launcher starts the program on each machine. Of several, it says so once."""
    if machine_count() > 1:
        tell_once(
            "init_worker",
            "flow.deprecated.init_worker does nothing: a launcher, such as mpiexec or srun, starts "
            "the program on each machine",
        )


def delete_worker(ssh_port: int = 22) -> None:
    """Stop what `init_worker` started: nothing."""


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.deprecated")
