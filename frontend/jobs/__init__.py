"""Job functions and the session: arguments, results, and watching values on the way."""
