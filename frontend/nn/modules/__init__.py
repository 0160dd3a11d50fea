"""The classes of `flow.nn`: layers, losses and containers."""
