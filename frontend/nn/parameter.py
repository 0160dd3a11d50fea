"""`flow.nn.parameter`: another place from which programs import `Parameter`."""

from penstock.nn.modules.parameter import Parameter as Parameter

__all__ = ["Parameter"]
