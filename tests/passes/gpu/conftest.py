"""Kernels that these tests run have a recorder for each of their forms of instructions."""

from emitted import every_form_has_a_recorder as every_form_has_a_recorder
