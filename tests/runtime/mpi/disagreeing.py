"""A program for ranks of which rank 1 does another thing than rank 0: the word says which."""

import sys

import numpy as np

import penstock as flow
import penstock.typing as tp

flow.config.cpu_device_num(2)


@flow.global_function()
def total(x: tp.Numpy.Placeholder((6, 4))) -> tp.Numpy:
    return flow.math.reduce_sum(x.with_distribute(flow.distribute.split(0)))


@flow.global_function()
def largest_total(x: tp.Numpy.Placeholder((6, 4))) -> tp.Numpy:
    return flow.math.reduce_sum(x.with_distribute(flow.distribute.split(0)) * 2.0)


x, is_other = np.ones((6, 4), np.float32), flow.env.get_rank() == 1
if sys.argv[1] == "dtype":
    print(total(x.astype(np.float64) if is_other else x))
else:
    assert total(x) == 24
    assert largest_total(x) == 48
    for job in (largest_total, total) if is_other else (total, largest_total):
        print(job(x), flush=True)
