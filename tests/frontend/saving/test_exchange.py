"""Tensors and job variables exchange values."""

from pathlib import Path

import numpy as np

import penstock as flow
import penstock.typing as tp


def test_tensors_become_variables_and_back(tmp_path: Path) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=flow.ones_initializer())

    state = {"w": flow.tensor([3.0, 4.0], requires_grad=True)}
    flow.load_variables(state)
    assert job().tolist() == [3.0, 4.0]
    flow.checkpoint.save(tmp_path / "checkpoint", state)
    found = flow.checkpoint.get(tmp_path / "checkpoint")
    assert isinstance(found, dict)
    assert flow.tensor(found["w"].numpy()).tolist() == [3.0, 4.0]
    flow.save({name: v.numpy() for name, v in flow.get_all_variables().items()}, tmp_path / "file")
    assert np.array_equal(flow.load(tmp_path / "file")["w"], np.array([3, 4], np.float32))
