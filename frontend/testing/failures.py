"""The exception of failed checks."""


class Failure(AssertionError):
    """An op does not match its class's claims; the text names the calls and the problem of each."""
