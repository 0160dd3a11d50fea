"""`flow.nn.parameter`: where programs import `Parameter` from as well."""

from penstock.nn.modules.parameter import Parameter as Parameter

__all__ = ["Parameter"]
