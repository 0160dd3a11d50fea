"""Job functions and the session: what they take, give back and show on the way."""
