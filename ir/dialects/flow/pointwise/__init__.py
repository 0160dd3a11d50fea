"""Ops that go element by element, of one operand or several with broadcasting."""
