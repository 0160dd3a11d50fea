"""Training steps with Adam of five networks, and a chain of ops, as job functions."""

from typing import Any

import penstock as flow
import penstock.typing as tp

Job = Any
Config = Any
"""What `flow.function_config()` gives, or None."""


def trained(loss: Any) -> Any:
    rates = flow.optimizer.PiecewiseConstantScheduler([], [0.001])
    flow.optimizer.Adam(rates).minimize(loss)
    return loss


def mlp(batch: int, *widths: int, config: Config = None) -> Job:
    """Dense layers, with relu in between, and a softmax."""

    @flow.global_function(type="train", function_config=config)
    def step(
        x: tp.Numpy.Placeholder((batch, widths[0])),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        for number, width in enumerate(widths[1:], 1):
            last = number == len(widths) - 1
            x = dense(x, width, f"fc{number}", None if last else flow.nn.relu)
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x))

    return step


def dense(x: Any, width: int, name: str, activation: Any = None) -> Any:
    initial = flow.random_normal_initializer(stddev=0.02)
    return flow.layers.dense(x, width, activation, name=name, kernel_initializer=initial)


def gpt(
    layers: int, batch: int, tokens: int, width: int, heads: int, words: int,
    config: Config = None, dtype: Any = None,
) -> Job:  # fmt: skip
    """Decoder layers with attention over all tokens, embeddings and a softmax over the words.

    All but the table of words and the losses have the elements `dtype`, float by default.
    """

    @flow.global_function(type="train", function_config=config)
    def step(
        ids: tp.Numpy.Placeholder((batch, tokens), dtype=flow.int32),
        labels: tp.Numpy.Placeholder((batch * tokens,), dtype=flow.int32),
    ) -> tp.Numpy:
        table = flow.get_variable(
            "words", (words, width), initializer=flow.random_normal_initializer(stddev=0.02)
        )
        x = flow.reshape(flow.gather(table, ids), (batch * tokens, width))
        x = x if dtype is None else flow.cast(x, dtype)
        for layer in range(layers):
            y = norm(x, f"layer{layer}-norm1")
            x = x + attention(y, f"layer{layer}", batch, tokens, heads)
            y = norm(x, f"layer{layer}-norm2")
            y = dense(y, 4 * width, f"layer{layer}-fc1", flow.math.gelu)
            x = x + dense(y, width, f"layer{layer}-fc2")
        logits = flow.cast(dense(norm(x, "norm"), words, "logits"), flow.float)
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    return step


def norm(x: Any, name: str) -> Any:
    return flow.layers.layer_norm(x, name=name)


def attention(x: Any, name: str, batch: int, tokens: int, heads: int) -> Any:
    width = x.shape[-1]

    def part(what: str) -> Any:
        y = dense(x, width, f"{name}-{what}")
        y = flow.reshape(y, (batch, tokens, heads, width // heads))
        return flow.transpose(y, (0, 2, 1, 3))

    queries, keys, values = map(part, ("queries", "keys", "values"))
    weights = flow.nn.softmax(flow.matmul(queries, keys, transpose_b=True), axis=-1)
    y = flow.transpose(flow.matmul(weights, values), (0, 2, 1, 3))
    return dense(flow.reshape(y, (batch * tokens, width)), width, f"{name}-out")


def lenet(batch: int, extent: int = 28, width: int = 32, config: Config = None) -> Job:
    """Two convolutions with pools, and two dense layers."""

    @flow.global_function(type="train", function_config=config)
    def step(
        images: tp.Numpy.Placeholder((batch, 1, extent, extent)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        y = images
        for number, channels in enumerate((width, 2 * width)):
            y = flow.nn.relu(conv(y, channels, 5, 1, f"conv{number}"))
            y = flow.nn.max_pool2d(y, 2, 2, "VALID")
        y = dense(flow.reshape(y, (batch, -1)), 16 * width, "fc1", flow.nn.relu)
        return trained(
            flow.nn.sparse_softmax_cross_entropy_with_logits(labels, dense(y, 10, "fc2"))
        )

    return step


def conv(x: Any, channels: int, window: int, stride: int, name: str) -> Any:
    initial = flow.random_normal_initializer(stddev=0.02)
    return flow.layers.conv2d(
        x, channels, window, stride, "SAME", use_bias=False, kernel_initializer=initial, name=name
    )


def resnet50(
    batch: int, extent: int, classes: int = 1000, width: int = 64,
    config: Config = None, dtype: Any = None, channels_last: bool = False,
) -> Job:  # fmt: skip
    """ResNet-50: four stages of bottleneck blocks, with batch normalization over the batch.

    Images are float, and all from the first convolution to the last layer has the elements `dtype`.
    With `channels_last`, images and blobs are NHWC.
    """
    channel = 3 if channels_last else 1
    layout = "NHWC" if channels_last else "NCHW"

    def conv(x: Any, channels: int, window: int, stride: int, name: str) -> Any:
        initial = flow.random_normal_initializer(stddev=0.02)
        return flow.layers.conv2d(
            x, channels, window, stride, "SAME", layout, use_bias=False,
            kernel_initializer=initial, name=name,
        )  # fmt: skip

    def normal(x: Any, name: str) -> Any:
        return flow.layers.batch_normalization(x, axis=channel, name=f"{name}-norm")

    def block(x: Any, width: int, stride: int, name: str) -> Any:
        y = flow.nn.relu(normal(conv(x, width, 1, 1, f"{name}-a"), f"{name}-a"))
        y = flow.nn.relu(normal(conv(y, width, 3, stride, f"{name}-b"), f"{name}-b"))
        y = normal(conv(y, 4 * width, 1, 1, f"{name}-c"), f"{name}-c")
        if x.shape[channel] != 4 * width:
            x = normal(conv(x, 4 * width, 1, stride, f"{name}-d"), f"{name}-d")
        return flow.nn.relu(x + y)

    @flow.global_function(type="train", function_config=config)
    def step(
        images: tp.Numpy.Placeholder(
            (batch, extent, extent, 3) if channels_last else (batch, 3, extent, extent)
        ),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        x = images if dtype is None else flow.cast(images, dtype)
        y = flow.nn.relu(normal(conv(x, width, 7, 2, "stem"), "stem"))
        y = flow.nn.max_pool2d(y, 3, 2, "SAME", data_format=layout)
        for stage, count in enumerate((3, 4, 6, 3)):
            for number in range(count):
                stride = 2 if stage and not number else 1
                y = block(y, width << stage, stride, f"stage{stage}-{number}")
        y = flow.math.reduce_mean(y, [1, 2] if channels_last else [2, 3])
        logits = flow.cast(dense(y, classes, "logits"), flow.float)
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    return step


def resnet56(batch: int, extent: int = 32, classes: int = 10, config: Config = None) -> Job:
    """ResNet-56 for small images: three stages of nine blocks of two convolutions each."""

    def normal(x: Any, name: str) -> Any:
        return flow.layers.batch_normalization(x, axis=1, name=f"{name}-norm")

    def block(x: Any, width: int, stride: int, name: str) -> Any:
        y = flow.nn.relu(normal(conv(x, width, 3, stride, f"{name}-a"), f"{name}-a"))
        y = normal(conv(y, width, 3, 1, f"{name}-b"), f"{name}-b")
        if x.shape[1] != width:
            x = normal(conv(x, width, 1, stride, f"{name}-c"), f"{name}-c")
        return flow.nn.relu(x + y)

    @flow.global_function(type="train", function_config=config)
    def step(
        images: tp.Numpy.Placeholder((batch, 3, extent, extent)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        y = flow.nn.relu(normal(conv(images, 16, 3, 1, "stem"), "stem"))
        for stage in range(3):
            for number in range(9):
                stride = 2 if stage and not number else 1
                y = block(y, 16 << stage, stride, f"stage{stage}-{number}")
        logits = dense(flow.math.reduce_mean(y, [2, 3]), classes, "logits")
        return trained(flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    return step


def chain(length: int) -> Job:
    """So many times a product with a variable of its own, a tanh and a sum: three ops each."""

    @flow.global_function()
    def step(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        for number in range(length):
            weight = flow.get_variable(
                f"weight{number}", (8, 8), initializer=flow.random_normal_initializer(stddev=0.02)
            )
            x = flow.math.tanh(flow.matmul(x, weight)) + x
        return x

    return step
