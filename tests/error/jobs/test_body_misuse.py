"""Mistakes in the body of a job, reported at its lines when the body is traced."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Two: Any = tp.Numpy.Placeholder((2, 3))
ZEROS = flow.zeros_initializer()


def test_op_outside_a_job(refused: Refused) -> None:
    with refused(NotImplementedError, "no available function found", "flow.math.exp", "body"):
        flow.math.exp(3)  # here


def test_variable_outside_a_job(refused: Refused) -> None:
    with refused(NotImplementedError, "flow.get_variable works inside the body"):
        flow.get_variable("w", (2,))  # here


def test_layer_outside_a_job(refused: Refused) -> None:
    with refused(NotImplementedError, "flow.layers.dense works inside the body"):
        flow.layers.dense(np.zeros((2, 3)), 4)  # type: ignore[arg-type] # here


def test_watch_outside_a_job(refused: Refused) -> None:
    with refused(NotImplementedError, "flow.watch works inside the body"):
        flow.watch(3)  # type: ignore[arg-type] # here


def test_array_in_place_of_a_blob(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x + np.ones((2, 3), np.float32)  # here

    with refused(TypeError, "flow.add takes blobs, got an array of shape (2, 3); make it a param"):
        job.trace()


def test_array_in_front_of_a_blob(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return np.ones((2, 3), np.float32) * x  # here

    with refused(TypeError, "flow.multiply takes blobs, got an array of shape (2, 3)"):
        job.trace()


def test_float_with_an_integer_blob(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,), dtype=flow.int32)) -> tp.Numpy:  # type: ignore[valid-type]
        return x + 0.5  # here

    with refused(TypeError, "flow.add got 0.5 with flow.int32 blobs; cast them first"):
        job.trace()


def test_number_that_does_not_fit(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,), dtype=flow.int8)) -> tp.Numpy:  # type: ignore[valid-type]
        return x + 300  # here

    with refused(ValueError, "flow.add got 300, which flow.int8 cannot hold"):
        job.trace()


USES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: x if x > 0 else -x, "has no truth value while the job is traced; choose between"),
    (lambda x: float(x), "has no value while the job is traced"),
    (lambda x: range(x), "has no value while the job is traced"),
    (lambda x: np.asarray(x), "is not an array while the job is traced"),
    (lambda x: np.mean(x), "use flow.mean"),
    (lambda x: 3 in x, "cannot be searched with in"),
    (lambda x: np.exp(x), "has no value while the job is traced; use flow.exp"),
    (lambda x: np.add.reduce(x), "numpy.add.reduce takes arrays, got blob x"),
    (lambda x: np.add(x, 1, where=False), "numpy.add takes arrays, got blob x"),
]
USES += [
    (lambda x: x << 1, "has no operator <<; use x * 2**n"),
    (lambda x: round(x), "has no round(); use flow.math.rint(x)"),
    (lambda x: x.numpy(), "has no 'numpy'; return it from the job"),
    (lambda x: x.nonzero(), "has no 'nonzero'; use flow.nonzero"),
    (lambda x: x.backward(), "has no 'backward'; give it to an optimizer"),
    (lambda x: x.shap, "has no 'shap'; did you mean \"shape\"?"),
]


@pytest.mark.parametrize(("use", "text"), USES, ids=[text for _, text in USES])
def test_unsupported_operations_of_blobs(use: Callable[[Any], Any], text: str) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return use(x)

    place = f"tests/error/jobs/test_body_misuse.py:{use.__code__.co_firstlineno}: .*blob "
    with pytest.raises((TypeError, AttributeError), match=place) as caught:
        job.trace()
    assert text in str(caught.value)


IN_A_BODY: list[tuple[Callable[[Any], Any], str]] = [
    (lambda job: flow.load_variables({}), "flow.load_variables is called in the body of job 'job'"),
    (lambda job: flow.get_all_variables(), "flow.get_all_variables is called in the body"),
    (lambda job: flow.checkpoint.save("none"), "flow.checkpoint.save is called in the body"),
    (lambda job: flow.checkpoint.get("none"), "flow.checkpoint.get is called in the body"),
    (lambda job: flow.clear_default_session(), "flow.clear_default_session is called in the body"),
    (lambda job: flow.global_function()(lambda: None), "@flow.global_function of job '<lambda>'"),
    (lambda job: job.trace(), "the stages of job 'job' were requested in its own body"),
    (lambda job: job.compile(), "the stages of job 'job' were requested in its own body"),
]


@pytest.mark.parametrize(("use", "text"), IN_A_BODY, ids=[text for _, text in IN_A_BODY])
def test_functions_forbidden_in_a_body(use: Callable[[Any], Any], text: str) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        use(job)
        return x

    for ask in (job.trace, flow.get_all_variables):
        with pytest.raises(NotImplementedError, match=r"test_body_misuse.py:\d+: ") as caught:
            ask()
        assert text in str(caught.value)


def test_assignment_to_an_element(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        x[0] = 1  # here
        return x

    with refused(TypeError, "blob x cannot be changed; make a new blob"):
        job.trace()


def test_blob_of_another_job(refused: Refused) -> None:
    kept = []

    @flow.global_function()
    def first(x: Two) -> None:
        kept.append(flow.nn.relu(x))

    @flow.global_function()
    def second(x: Two) -> tp.Numpy:
        return x + kept[0]  # here

    first.trace()
    with refused(ValueError, "blob relu of job 'first'", "in the body of job 'second'"):
        second.trace()


def test_shapes_that_do_not_broadcast(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x + flow.zeros((4,))  # here

    with refused(ValueError, "flow.add", "do not broadcast"):
        job.trace()


def test_different_element_types(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x + flow.zeros((3,), flow.int32)  # here

    with refused(ValueError, "flow.add", "cast one of them"):
        job.trace()


def test_matrices_of_incompatible_shapes(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.matmul(x, x)  # here

    with refused(ValueError, "flow.matmul"):
        job.trace()


def test_labels_and_logits_swapped(refused: Refused) -> None:
    @flow.global_function()
    def job(
        logits: tp.Numpy.Placeholder((8, 3)),  # type: ignore[valid-type]
        labels: tp.Numpy.Placeholder((8,), dtype=flow.int32),  # type: ignore[valid-type]
    ) -> tp.Numpy:
        return flow.nn.sparse_softmax_cross_entropy_with_logits(logits, labels)  # here

    with refused(ValueError, "labels and logits look swapped", "integer labels first"):
        job.trace()


def test_float_labels(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.nn.sparse_softmax_cross_entropy_with_logits(flow.zeros((2,)), x)  # here

    with refused(ValueError, "expected labels of integers"):
        job.trace()


def test_two_unknown_extents(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.reshape(x, [-1, -1])  # here

    with refused(ValueError, "the shape of flow.reshape may have one -1, got [-1, -1]"):
        job.trace()


def test_reshape_to_another_number_of_elements(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.reshape(x, [4, -1])  # here

    with refused(
        ValueError, "flow.reshape cannot reshape the 6 elements of shape (2, 3) to shape [4, -1]"
    ):
        job.trace()


def test_reshape_to_a_number(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.reshape(x, 6)  # type: ignore[arg-type] # here

    with refused(TypeError, "the shape of flow.reshape must be a list or tuple of ints, got 6"):
        job.trace()


def test_axis_out_of_range(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.math.reduce_sum(x, axis=2)  # here

    with refused(ValueError, "the axis of flow.math.reduce_sum must lie in [-2, 2), got 2"):
        job.trace()


def test_axis_named_twice(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.math.reduce_sum(x, axis=[0, -2])  # here

    with refused(ValueError, "must differ, got [0, -2]"):
        job.trace()


def test_squeeze_of_more_than_one(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.squeeze(x, [1])  # here

    with refused(ValueError, "dimension 1 of shape (2, 3) has 3"):
        job.trace()


def test_concat_of_no_blobs(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.concat([])  # here

    with refused(ValueError, "flow.concat takes a list of at least one blob, got a list of 0"):
        job.trace()


def test_bias_of_another_extent(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.nn.bias_add(x, flow.zeros((2,)))  # here

    with refused(ValueError, "one number per channel (dimension 1)", "bias of shape (2,)"):
        job.trace()


def test_slice_out_of_bounds(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.slice(x, [0, 0], [3, 1])  # here

    with refused(ValueError, "flow.slice", "to lie inside"):
        job.trace()


def test_where_without_values(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.where(x > 0, x)  # here

    with refused(ValueError, "flow.where takes both x and y or neither"):
        job.trace()


def test_invalid_name(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.math.exp(x, name=3)  # here

    with refused(TypeError, "name of flow.math.exp must be a string, got 3"):
        job.trace()


@pytest.mark.parametrize(
    ("module", "name", "meant"),
    [
        (flow, "avg_pool2d", "flow.nn.avg_pool2d"),
        (flow, "get_varible", "get_variable"),
        (flow, "Float32", "float32"),
        (flow.math, "reduce_summ", "reduce_sum"),
        (flow.math, "mean", "flow.mean"),
        (flow.layers, "batchnorm", "batch_normalization"),
        (flow.optimizer, "sgd", "SGD"),
        (tp, "Numppy", "Numpy"),
    ],
)
def test_unknown_name(refused: Refused, module: Any, name: str, meant: str) -> None:
    with refused(AttributeError, f"has no '{name}'; did you mean \"{meant}\"?"):
        getattr(module, name)  # here


def test_name_that_only_oneflow_has(refused: Refused) -> None:
    with refused(
        AttributeError, "flow has no 'onnx': an artifact runs with the runtime alone, or from C: "
    ):
        flow.onnx  # type: ignore[attr-defined]  # noqa: B018 # here


def test_every_public_module_knows_its_names(refused: Refused) -> None:
    for name in flow.__all__:
        module = getattr(flow, name)
        if isinstance(module, ModuleType) and name not in ("config", "env"):
            with refused(AttributeError, f"flow.{name} has no 'nothing_of_the_kind'"):
                module.nothing_of_the_kind  # noqa: B018 # here


# -- layers and variables ----------------------------------------------------------------------


def test_two_layers_of_one_name(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        y = flow.layers.dense(x, 3, name="fc")
        return flow.layers.dense(y, 3, name="fc")  # here

    with refused(
        ValueError, "variable fc-weight already exists in job 'job', made at tests/error/"
    ):
        job.trace()


def test_two_layers_made_by_one_line(refused: Refused) -> None:
    def conv(x: Any, name: str) -> Any:
        return flow.layers.conv2d(x, 2, 3, name=name)  # here

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 1, 5, 5))) -> tp.Numpy:  # type: ignore[valid-type]
        return conv(conv(conv(x, "a"), "b"), "c")

    with refused(ValueError, "layer c: flow.conv: a window that reaches over 3 positions"):
        job.trace()


def test_dense_of_a_vector(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.layers.dense(x, 3)  # here

    with refused(ValueError, "inputs of at least two dimensions", "got shape (3,)"):
        job.trace()


def test_dense_of_no_units(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.layers.dense(x, 0)  # here

    with refused(ValueError, "units of flow.layers.dense must be an int of at least 1, got 0"):
        job.trace()


def test_dense_with_an_activation_by_name(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.layers.dense(x, 3, activation="relu")  # type: ignore[arg-type] # here

    with refused(TypeError, 'a function such as flow.nn.relu, got the string "relu"'):
        job.trace()


def test_dense_split_along_its_inputs(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.layers.dense(x, 3, model_distribute=flow.distribute.split(1))  # here

    with refused(ValueError, "may be split(0)", "got flow.distribute.split(1)"):
        job.trace()


def test_distribute_of_another_kind(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=ZEROS, distribute="split")  # type: ignore[arg-type] # here

    with refused(TypeError, "distribute of variable w must be flow.distribute.broadcast()"):
        job.trace()


def test_distributes_of_axes_that_leave_one_open(refused: Refused) -> None:
    each = [flow.distribute.split(0), flow.distribute.auto()]

    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x.with_distribute(each)  # here

    with refused(TypeError, "must be split(axis) or broadcast() on each axis of the mesh"):
        job.trace()


def test_distributes_of_more_axes_than_the_mesh_has(refused: Refused) -> None:
    flow.config.cpu_device_num(2)
    each = [flow.distribute.split(0), flow.distribute.broadcast()]

    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x.with_distribute(each)  # here

    with refused(ValueError, "has the states of 2 axes, the mesh has 1"):
        job.compile()


def test_variable_without_initializer(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.get_variable("w", (2,))  # here

    with refused(ValueError, "variable w needs an initializer", "default_initializer_conf"):
        job.trace()


def test_variable_without_shape(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.get_variable("w", initializer=ZEROS)  # here

    with refused(TypeError, "variable w is new, so it needs a shape", "got None"):
        job.trace()


def test_variable_without_name(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.get_variable("", (2,), initializer=ZEROS)  # here

    with refused(TypeError, "a variable needs a name that is not empty"):
        job.trace()


def test_variable_requested_with_another_shape(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        flow.get_variable("w", (2,), initializer=ZEROS)
        return flow.get_variable("w", (3,), initializer=ZEROS)  # here

    with refused(ValueError, "requested as flow.float32 of shape (3,), but tests/error/"):
        job.trace()


def test_trainable_integers(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.get_variable("w", (2,), flow.int32, ZEROS, trainable=True)  # here

    with refused(TypeError, "variable w of flow.int32 cannot be trainable; only floats can"):
        job.trace()


def test_regularizer_of_another_kind(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.get_variable("w", (2,), initializer=ZEROS, regularizer=0.1)  # type: ignore[arg-type] # here

    with refused(TypeError, "a regularizer such as flow.regularizers.l2(0.01), got 0.1"):
        job.trace()


# -- watching ----------------------------------------------------------------------------------


def test_handler_of_two_parameters(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> None:
        flow.watch(x, lambda a, b: None)  # type: ignore[arg-type, misc] # here

    with refused(
        TypeError, "a handler of exactly one parameter, others having defaults, and <lambda> has 2"
    ):
        job.trace()


def test_coroutine_as_handler(refused: Refused) -> None:
    async def handler(x: tp.Numpy) -> None: ...

    @flow.global_function()
    def job(x: Two) -> None:
        flow.watch(x, handler)  # here

    with refused(TypeError, "takes a plain function, got handler, a coroutine function"):
        job.trace()


def test_handler_with_another_annotation(refused: Refused) -> None:
    def handler(x: int) -> None: ...

    @flow.global_function()
    def job(x: Two) -> None:
        flow.watch(x, handler)  # here

    with refused(NotImplementedError, "the parameter of handler handler found, int", "tp.Numpy"):
        job.trace()


def test_invalid_handler(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> None:
        flow.watch(x, 3)  # type: ignore[arg-type] # here

    with refused(TypeError, "flow.watch takes a handler, a string or None, got 3"):
        job.trace()


def test_gradient_of_integers(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,), dtype=flow.int32)) -> None:  # type: ignore[valid-type]
        flow.watch_diff(x)  # here

    with refused(ValueError, "a tensor of floats, which have gradients"):
        job.trace()


def test_handler_without_a_readable_signature(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> None:
        flow.watch(x, max)  # type: ignore[arg-type] # here

    with refused(TypeError, "takes a handler whose signature can be read: no sign"):
        job.trace()


def test_watching_a_number(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> None:
        flow.watch(x.shape[0])  # here

    with refused(TypeError, "flow.watch takes blobs, got 2"):
        job.trace()


def test_handler_without_annotation_under_the_typing_check(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> None:
        flow.experimental.enable_typing_check(True)
        flow.watch(x, lambda y: None)  # here

    try:
        with refused(NotImplementedError, "because the typing check is on; write tp.Numpy"):
            job.trace()
    finally:
        flow.experimental.enable_typing_check(False)


def test_split_of_a_dimension_that_is_not_there(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x.with_distribute(flow.distribute.split(2))  # here

    with refused(ValueError, "distribute of blob x is flow.distribute.split(2)", "2 dimensions"):
        job.trace()


def test_split_of_a_dimension_that_a_variable_lacks(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        split = flow.distribute.split(1)
        return x + flow.get_variable("w", (3,), initializer=ZEROS, distribute=split)  # here

    with refused(ValueError, "distribute of variable w is", "split dimension 0 to 0"):
        job.trace()


def test_a_variable_that_is_shared_in_two_ways(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        for distribute in flow.distribute.split(0), flow.distribute.broadcast():
            x += flow.get_variable("w", (3,), initializer=ZEROS, distribute=distribute)  # here
        return x

    with refused(ValueError, "distribute flow.distribute.broadcast()", "flow.distribute.split(0)"):
        job.trace()


def test_jobs_that_share_a_variable_in_two_ways(refused: Refused) -> None:
    def job(how: Any) -> Any:
        @flow.global_function()
        def one(x: Two) -> tp.Numpy:
            return x + flow.get_variable("w", (3,), initializer=ZEROS, distribute=how)  # here

        one.name = str(how)
        return one

    first, second = map(job, (flow.distribute.split(0), flow.distribute.broadcast()))
    from penstock.trace.variables import check_shared_variables

    with refused(ValueError, "variable w has distribute flow.distribute.broadcast()"):
        check_shared_variables([first, second])


def test_parts_for_more_ranks_than_elements(refused: Refused) -> None:
    flow.config.cpu_device_num(3)

    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.advanced.distribute_split(x)[0]  # here

    with refused(ValueError, "distribute_split splits blob x", "each of 3 ranks"):
        job.trace()


def test_a_hint_that_splits_fewer_elements_than_ranks(refused: Refused) -> None:
    flow.config.cpu_device_num(3)

    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return x.with_distribute(flow.distribute.split(0)) + 1.0  # here

    with refused(ValueError, "on a mesh of 3 ranks: dimension 0 of shape (2, 3) has 2 elements"):
        job.lower()


def test_a_job_of_several_ranks_with_an_op_on_a_gpu(refused: Refused) -> None:
    flow.config.cpu_device_num(3)

    @flow.global_function()  # here
    def job(x: Two) -> tp.Numpy:
        with flow.scope.placement("gpu-sim", "0:0"):
            return x + 1.0

    with refused(ValueError, "job 'job' is placed on 3 ranks of the CPU, and flow.constant"):
        job.lower()


def test_a_list_for_other_ranks(refused: Refused) -> None:
    flow.config.cpu_device_num(2)

    @flow.global_function()
    def job(x: Two) -> tp.Numpy:
        return flow.advanced.distribute_concat([x])  # here

    with refused(ValueError, "takes a blob from each of 2 ranks, got 1"):
        job.trace()
