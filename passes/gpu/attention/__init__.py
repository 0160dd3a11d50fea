"""Attention and its gradients, one kernel each: tiles of scores that stay in registers."""
