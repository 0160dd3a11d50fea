"""The summary of a job's stages in notebooks."""

import re
from html.parser import HTMLParser

import penstock as flow
import penstock.typing as tp
from penstock.stages.job_stages import Stages

HOSTILE = "<script>alert(1)</script>&\"'"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader


def job():  # type: ignore[no-untyped-def]
    flow.clear_default_session()

    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        return flow.nn.relu(flow.layers.dense(x, 16, name="hidden"))

    return net


def test_summary_of_each_kind_of_stages() -> None:
    net = job()
    traced, lowered, compiled = net.trace(), net.lower(), net.compile()
    words = read(traced._repr_html_()).words
    assert "predict job net" in words
    for word in ("x", "feed", "tensor<4x8xf32>", "hidden-weight", "variable", "fetch", "job"):
        assert word in words
    assert "fused" not in words
    assert not any("arena" in word for word in words)
    for stages, last in ((lowered, "loops"), (compiled, "asm")):
        words = read(stages._repr_html_()).words
        memory = stages.memory()
        (facts,) = [word for word in words if "arena" in word]
        assert f"arena {memory.arena:,} bytes, of which {memory.peak:,} are in use" in facts
        assert facts.endswith(last)
        for stage, module in stages.modules.items():
            assert words[words.index(stage) + 1] == f"{sum(1 for _ in module.walk()):,}"


def test_the_costliest_lines_come_first() -> None:
    net = job()
    html = net.trace()._repr_html_()
    rows = re.findall(r"<tr><td[^>]*>([^<]*:\d+)</td><td[^>]*>([^<]*)</td>", html)
    lines = net.trace().cost().lines()
    assert rows[0][0] == max(lines, key=lambda place: lines[place].flops)


def test_all_text_is_escaped() -> None:
    traced = job().trace()
    module = traced.modules["job"]
    for argument in module.job.arguments:
        argument.name = HOSTILE
    reader = read(Stages(HOSTILE, {"job": module})._repr_html_())
    assert set(reader.tags) == {"p", "b", "table", "caption", "tr", "th", "td"}
    assert any(HOSTILE in word for word in reader.words)
