"""The commands of `penstock`, for those of them that print about all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from penstock.ir.record import Record


class Program(Record):
    """Summaries by command, and what makes the parser of one."""

    version: str
    overview: str
    commands: Mapping[str, str]
    parser_of: Callable[[str], argparse.ArgumentParser]
