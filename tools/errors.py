"""How a command says that it cannot go on; `penstock.tools.cli` turns these into exit codes."""


class InputError(Exception):
    """What was given to work on is wrong: exit code 1."""


class UsageError(Exception):
    """The command line is wrong: exit code 2."""
