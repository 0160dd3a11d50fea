"""Element types, placeholders, signatures and settings, which are read before tracing."""

import logging
from typing import Any, Dict, List, Tuple  # noqa: UP035 - users write both forms

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.basics import notices, settings
from penstock.basics.errors import user_location
from penstock.basics.nest import leaves, rebuild
from penstock.jobs.signature import parse_signature

HERE = "tests/frontend/jobs/test_declarations.py"


@pytest.fixture(autouse=True)
def anew() -> None:
    notices.forget()


def test_names_of_element_types() -> None:
    assert flow.float is flow.float32
    assert flow.double is flow.float64
    assert flow.char is flow.int8
    assert repr(flow.float) == "flow.float32"
    words = {flow.float16: "f16", flow.bfloat16: "bf16", flow.float: "f32", flow.double: "f64"}
    words |= {flow.int8: "i8", flow.int32: "i32", flow.int64: "i64", flow.uint8: "ui8"}
    assert all(dtype.word == word for dtype, word in words.items())


@pytest.mark.parametrize("dtype", [flow.float16, flow.float, flow.double, flow.int8, flow.uint8])
def test_numpy_classes(dtype: Any) -> None:
    result = np.zeros(3, flow.convert_oneflow_dtype_to_numpy_dtype(dtype))
    assert result.dtype == dtype.numpy


def test_every_lazy_name_is_there() -> None:
    for name in flow.__all__:
        assert getattr(flow, name) is not None
    assert set(flow.__all__) <= set(dir(flow))
    for module in (flow.layers, flow.optimizer, flow.random, flow.losses):
        assert not {"Any", "Blob", "located", "no_such", "annotations"} & set(dir(module))
    assert "dense" in dir(flow.layers)
    assert "bernoulli" in dir(flow.random)
    assert "draw" not in dir(flow.random)
    assert dir(flow.typing) == ["Bundle", "Callback", "ListListNumpy", "ListNumpy", "Numpy"]
    assert "placement" in dir(flow.scope)
    assert "prefixed" not in dir(flow.scope)
    assert len(dir(flow.nn)) == len(set(dir(flow.nn)))
    with pytest.raises(AttributeError, match=r"flow has no 'zzyzx'$"):  # `sort` is not similar
        _ = flow.zzyzx  # type: ignore[attr-defined]


def test_a_placeholder_is_its_fields() -> None:
    one = tp.Numpy.Placeholder((100, 784), dtype=flow.int32, batch_axis=-1)
    assert (one.kind, one.shape, one.dtype, one.batch_axis) == ("Numpy", (100, 784), flow.int32, 1)
    assert tp.ListNumpy.Placeholder((np.int64(3),)).shape == (3,)
    assert tp.Numpy.Placeholder(()).batch_axis is None
    assert one == tp.Numpy.Placeholder((100, 784), dtype=flow.int32, batch_axis=1)


def test_signature_of_nested_tuples() -> None:
    def job(
        pair: Tuple[  # noqa: UP006
            tp.Numpy.Placeholder((2,)),  # type: ignore[valid-type]
            tuple[tp.Numpy.Placeholder((3,)), tp.ListNumpy.Placeholder((4,))],  # type: ignore[valid-type]
        ],
        x: tp.ListListNumpy.Placeholder((5,)),  # type: ignore[valid-type]
    ) -> None: ...

    signature = parse_signature(job)
    assert [name for name, _ in signature.feeds()] == ["pair/0", "pair/1/0", "pair/1/1", "x"]
    a, b, c, d = (np.zeros(n, np.float32) for n in (2, 3, 4, 5))
    bound = signature.bind([(a, (b, [c])), [[d]]], {})
    assert all(got is passed for got, passed in zip(bound, (a, b, c, d), strict=True))
    assert signature.location.describe().startswith(HERE)


def test_signature_by_defaults() -> None:
    def job(
        x: Any = flow.FixedTensorDef((2, 3), dtype=flow.int8),  # noqa: B008
        nest: Any = {"a": flow.MirroredTensorDef((4,)), "b": [flow.MirroredTensorListDef((5,))]},  # noqa: B006, B008
    ) -> None: ...

    job.__annotations__.clear()
    signature = parse_signature(job)
    assert [name for name, _ in signature.feeds()] == ["x", "nest/a", "nest/b/0"]
    x, a, b = np.zeros((2, 3), np.int8), np.zeros(4), np.zeros(5)
    bound = signature.bind([x, {"b": ([[b]],), "a": [a]}], {})
    assert all(got is passed for got, passed in zip(bound, (x, a, b), strict=True))


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (tp.Numpy, "Numpy"),
        (tp.ListNumpy, "ListNumpy"),
        (Tuple[tp.Numpy, tp.ListListNumpy], "Tuple[Numpy, ListListNumpy]"),  # noqa: UP006
        (List[tp.Numpy], "List[Numpy]"),  # noqa: UP006
        (dict[int, list[tp.Numpy]], "Dict[int, List[Numpy]]"),
        (Dict[str, Tuple[tp.Numpy]], "Dict[str, Tuple[Numpy]]"),  # noqa: UP006
        (tp.Bundle[tp.Numpy], "Bundle[Numpy]"),
        (tp.Callback[Tuple[tp.Numpy]], "Callback[Tuple[Numpy]]"),  # noqa: UP006
        (None, "None"),
    ],
)
def test_return_annotations(annotation: Any, text: str) -> None:
    def job() -> None: ...

    job.__annotations__["return"] = annotation
    assert str(parse_signature(job).returns) == text


def test_nests() -> None:
    nest = {"loss": 1, "pair": (2, [3])}
    assert list(leaves(nest)) == [("loss", 1), ("pair/0", 2), ("pair/1/0", 3)]
    assert list(leaves(5)) == [("0", 5)]
    assert rebuild(nest, lambda leaf: leaf * 2) == {"loss": 2, "pair": (4, [6])}


def test_the_users_line() -> None:
    location = user_location()
    assert location.describe() == f"{HERE}:{test_the_users_line.__code__.co_firstlineno + 1}"


def test_settings_give_notice_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "penstock"):
        flow.config.reserved_device_mem_mbyte(1)
        flow.config.reserved_device_mem_mbyte(2)
        flow.config.gpu_device_num(1)
        flow.config.cpu_device_num(1)
        flow.config.ctrl_port(9000)
        flow.env.ctrl_port(9001)
        flow.config.enable_legacy_model_io()
    texts = [record.getMessage() for record in caplog.records]
    assert len(texts) == 3
    assert texts[0].startswith(f"{HERE}:")
    assert "flow.config.reserved_device_mem_mbyte(1): " in texts[0]
    assert "flow.env.ctrl_port(9000): the launcher of the ranks chooses" in texts[1]


def test_settings_of_a_running_session(caplog: pytest.LogCaptureFixture) -> None:
    settings.lock(True)
    try:
        with caplog.at_level(logging.WARNING, "penstock"):
            assert flow.config.machine_num(1) is False
            assert flow.env.data_port(7) is False
    finally:
        settings.lock(False)
    texts = [record.getMessage() for record in caplog.records]
    assert all("Nothing happened because the session is running" in text for text in texts)
    assert len(texts) == 2


def test_a_function_config_is_cloned_with_its_values() -> None:
    config = flow.function_config()
    config.default_data_type(flow.double)
    config.default_logical_view(flow.scope.mirrored_view())
    config.default_placement_scope(flow.scope.placement("cpu", "0:0"))
    config.default_initializer_conf(flow.zeros_initializer())
    config.enable_inplace(False)
    config.qat.symmetric(True)
    copy = config.clone()
    config.default_data_type(flow.float)
    assert copy.data_type is flow.double
    assert copy.initializer == {"kind": "constant", "value": 0.0}
    assert copy._settings.values == {"enable_inplace": False, "qat.symmetric": True}


def test_machines_and_views() -> None:
    flow.env.machine([{"addr": "127.0.0.1"}])
    assert flow.env.init() is True
    assert flow.env.current_resource()["gpu_device_num"] == 0
    assert flow.scope.consistent_view_enabled()
    with flow.scope.mirrored_view():
        assert flow.scope.mirrored_view_enabled()
        assert flow.distribute.mirrored_strategy_enabled()
        with flow.scope.consistent_view():
            assert not flow.scope.mirrored_view_enabled()
    assert flow.scope.consistent_view_enabled()


def test_scopes_under_their_old_names(caplog: pytest.LogCaptureFixture) -> None:
    notices.forget()
    placed = flow.fixed_placement("cpu", "0:0")
    assert str(placed) == str(flow.device_prior_placement("cpu", "0:0"))
    with flow.distribute.mirrored_strategy(), placed:
        assert not flow.distribute.consistent_strategy_enabled()
        with flow.distribute.consistent_strategy():
            assert not flow.scope.mirrored_view_enabled()
    assert len(caplog.messages) == 5
    said = "flow.fixed_placement is deprecated; use flow.scope.placement instead"
    assert caplog.messages[0].endswith(said)


def test_distributes_are_singletons() -> None:
    assert flow.distribute.split(1) is flow.distribute.split(1)
    assert flow.distribute.broadcast() is flow.distribute.broadcast()
    assert flow.distribute.split(0) is not flow.distribute.split(1)
