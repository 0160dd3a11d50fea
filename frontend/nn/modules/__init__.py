"""Layers, losses and containers: what `flow.nn` offers as classes."""
