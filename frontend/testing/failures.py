"""What a check raises."""


class Failure(AssertionError):
    """An op is not what its class says; the text names the calls, and what is wrong with each."""
