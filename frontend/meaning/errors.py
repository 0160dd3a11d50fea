"""The error for arrays and modules that a user passed and that do not fit."""


class InputError(Exception):
    """The input is wrong; a command ends with exit code 1."""
