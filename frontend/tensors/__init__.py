"""Eager tensors: each op is compiled on its own, and differentiated by its own `grad`."""

from penstock.tensors import creation, engine, execute, graph, indexing, inplace, printing
from penstock.tensors.tensor import actions

actions.add_hook = graph.add_hook
actions.assign = inplace.assign_result
actions.array_of = creation.array_of
actions.backward = engine.backward
actions.binary = execute.binary
actions.differentiable_result = creation.differentiable_result
actions.finish = engine.finish
actions.get = indexing.get
actions.note_made = creation.note_made
actions.put = indexing.put
actions.read = creation.read
actions.refresh = execute.refresh
actions.replay = execute.replay
actions.reread = inplace.reread
actions.run_checked = execute.run_checked
actions.shown = printing.shown
actions.size_of = creation.size_of
actions.step = engine.step
actions.sum = engine.sum_of
