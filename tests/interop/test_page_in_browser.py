"""The page of `penstock explore` in Chromium: selections are shown in every stage and view."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pages
import pytest
from browser import Browser
from levels import fuses

import penstock as flow
import penstock.typing as tp
from penstock.stages.job_stages import Stages
from penstock.tools.explore import explore, source_lines
from penstock.tools.page.data import page_data
from penstock.tools.page.document import document

FIRST_LINE = "hidden = flow.layers.dense(x, 16, activation=flow.nn.relu, name='hidden')"


TIMES = {
    "unit": "us", "steps": 1, "lines": {},
    "kernels": {"matmul_add_relu_0": 6.0, "matmul_add_0": 2.0},
}  # fmt: skip
PROFILE = {"jobs": {"train_job": TIMES}}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(
        x: tp.Numpy.Placeholder((6, 8)), y: tp.Numpy.Placeholder((6,), dtype=flow.int32)
    ) -> tp.Numpy:
        # fmt: off
        hidden = flow.layers.dense(x, 16, activation=flow.nn.relu, name='hidden')
        # fmt: on
        logits = flow.layers.dense(hidden, 4, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    path = tmp_path_factory.mktemp("page") / "train job.html"
    path.write_text(explore(train_job, profile=PROFILE), encoding="utf-8")
    return path


@pytest.fixture
def shown(chromium: Browser, page: Path) -> Iterator[Browser]:
    """The page, just opened; afterwards checks that it had no errors and made no requests."""
    chromium.problems.clear()
    chromium.requests.clear()
    chromium.open(page)
    chromium.wait(READY)
    yield chromium
    assert chromium.problems == []
    assert chromium.requests == [page.resolve().as_uri()]


READY = "document.querySelectorAll('#left .row').length > 3 && graphs[0].painted"
SOURCE_LINE = f"[...document.querySelectorAll('#source .row')].find((r) => r.querySelector('.words').textContent.trim() === {json.dumps(FIRST_LINE)})"  # noqa: E501


def tab(pane: str, name: str) -> str:
    return f"document.querySelector('#{pane} [data-view={name}]')"


def counts(browser: Browser) -> dict[str, int]:
    """The number under each stage's tab."""
    found: dict[str, int] = browser.run(
        "Object.fromEntries([...document.querySelectorAll('#left [data-view] sup')].map((s) => "
        "[s.parentElement.dataset.view, Number(s.textContent)]))"
    )
    return found


def marked(browser: Browser, pane: str, kind: str = "hit") -> list[int]:
    """The numbers of the visible marked lines."""
    found: list[int] = browser.run(
        f"[...document.querySelectorAll('#{pane} .view:not([hidden]) .row.{kind} .number')]"
        ".map((n) => Number(n.textContent))"
    )
    return found


def expected(browser: Browser) -> tuple[int, dict[str, list[int]]]:
    """A source line and the lines of each stage that come from it, from the page's data."""
    data: dict[str, Any] = browser.run("({ places, sets, files: data.files })")
    (line,) = (
        number
        for number, text in enumerate(data["files"][0]["lines"], 1)
        if text.strip() == FIRST_LINE
    )
    place = data["places"].index([0, line])
    wanted = [number for number, found in enumerate(data["sets"]) if place in found]
    stages: dict[str, list[int]] = browser.run(
        "(async () => Object.fromEntries(await Promise.all(stageNames.map(async (n) => "
        f"[n, [...(await openStage(n)).setOf].flatMap((s, i) => {json.dumps(wanted)}.includes(s) "
        "? [i + 1] : [])]))))()"
    )
    return line, stages


def test_selecting_a_source_line_highlights_it_in_every_stage(shown: Browser) -> None:
    line, stages = expected(shown)
    shown.click_on(SOURCE_LINE)
    shown.wait("document.querySelector('#left sup').textContent")
    assert marked(shown, "source") == [line]
    assert counts(shown) == {stage: len(lines) for stage, lines in stages.items()}
    assert all(stages.values())
    for stage in ("job", "placed", "asm"):
        shown.click_on(tab("left", stage))
        shown.wait("document.querySelectorAll('#left .view:not([hidden]) .row.hit').length")
        found = marked(shown, "left")
        assert found
        assert set(found) <= set(stages[stage])
    nodes = shown.run("graph.nodes.filter((n) => model.hit[n[NODE.set]]).map((n) => n[NODE.label])")
    assert {"matmul", "add", "relu"} <= set(nodes)
    assert "softmax" not in nodes
    shown.press("Escape")
    shown.wait("!document.querySelector('#left sup').textContent")
    assert marked(shown, "source") == []


def test_selecting_assembly_highlights_its_source_line(shown: Browser) -> None:
    shown.click_on(tab("left", "asm"))
    shown.wait("document.querySelector('#left .tools .note')")
    assert "instructions are linked" in shown.run(
        "document.querySelector('#left .view:not([hidden]) .note').textContent"
    )
    shown.click_on(tab("right", "llvm"))
    # Show and click an instruction of the first kernel.
    at = shown.run(
        "(async () => { const s = await openStage('asm'); const from = s.lines.indexOf("
        "'matmul_add_relu_0:'); return s.lines.findIndex((l, i) => i > from && "
        f"l.includes('{'vfmadd' if fuses() else 'mulps'}') && s.origins[i]); }})()"
    )
    shown.run(f"document.querySelector('#left .view:not([hidden]) .lines').scrollTop = {at * 18}")
    row = f"[...document.querySelectorAll('#left .view:not([hidden]) .row')].find((r) => r.querySelector('.number').textContent === '{at + 1}')"  # noqa: E501
    shown.wait(row)
    shown.click_on(row)
    shown.wait("document.querySelectorAll('#right .row.exact').length")
    assert marked(shown, "left", "exact") == [at + 1]
    text = shown.run("document.querySelector('#right .row.exact').textContent")
    assert ("fma" if fuses() else "fmul") in text
    line, _ = expected(shown)
    assert line in marked(shown, "source")


def test_a_hidden_view_shows_the_selection_once_opened(shown: Browser) -> None:
    scrolled = "document.querySelector('#left .view:not([hidden]) .lines').scrollTop"
    shown.click_on(tab("left", "asm"))
    shown.wait("document.querySelector('#left .view:not([hidden]) .row')")
    shown.click_on(tab("left", "job"))
    shown.wait("document.querySelector('#left .view:not([hidden]) .row')")
    _, stages = expected(shown)
    shown.click_on(SOURCE_LINE)
    shown.wait("document.querySelector('#left sup').textContent")
    shown.click_on(tab("left", "asm"))
    shown.wait("document.querySelectorAll('#left .view:not([hidden]) .row.hit').length")
    assert set(marked(shown, "left")) <= set(stages["asm"])
    # The scroll position stays when another view is opened.
    end = shown.run(f"{scrolled} = 1e6, {scrolled}")
    shown.click_on(tab("right", "memory"))
    shown.click_on(tab("right", "graph"))
    assert shown.run(scrolled) == end


def test_hovering_is_transient(shown: Browser) -> None:
    x, y = shown.run(
        f"(() => {{ const r = ({SOURCE_LINE}).getBoundingClientRect(); "
        "return [r.left + 60, r.top + 9]; })()"
    )
    shown.move(x, y)
    shown.wait("document.querySelectorAll('#left .row.near').length")
    line, _ = expected(shown)
    assert marked(shown, "source", "near") == [line]
    shown.move(5, 5)
    shown.wait("!document.querySelectorAll('.row.near').length")


def test_kernels_fold(shown: Browser) -> None:
    box = "document.querySelector('#right canvas')"
    kernel = shown.run("groups.findIndex((group) => group.kind === 'kernel')")
    boxes = "groups[0].items.map((_, i) => graphs[0].folds.box([0, i])[1])"
    first = shown.run(f"graphs[0].folds.box(homeOfGroup.get({kernel}))")
    opened = shown.run("graphs[0].folds.open.size")
    x, y, scale, left, top = shown.run(
        f"(() => {{ const r = {box}.getBoundingClientRect(), v = graphs[0].board.view; "
        "return [v.x, v.y, v.scale, r.left, r.top]; })()"
    )
    at = left + x + (first[0] + 10) * scale, top + y + (first[1] + 10) * scale
    before = shown.run(boxes)
    shown.click(*at)
    shown.wait(f"graphs[0].folds.open.has({kernel})")
    after = shown.run(boxes)
    assert max(after) > max(before)
    # An op inside is where it is drawn, and selects only that op.
    inside = shown.run(
        f"(() => {{ const b = graphs[0].folds.box([{kernel}, 0]), v = graphs[0].board.view; "
        "return [(b[0] + 9) * v.scale + v.x, (b[1] + 9) * v.scale + v.y, "
        f"graph.nodes[groups[{kernel}].items[0][OWN]][NODE.label]]; }})()"
    )
    shown.click(left + inside[0], top + inside[1])
    shown.wait("model.selected")
    assert shown.run("document.getElementById('status').textContent").startswith(
        ("hidden_matmul", inside[2])
    )
    shown.click_on(tab("left", "placed"))
    shown.wait("document.querySelectorAll('#left .row.exact').length")
    (text,) = shown.run(
        "[...document.querySelectorAll('#left .row.exact')].map((r) => r.textContent)"
    )
    assert f"flow.{inside[2]}" in text
    # Its title stays where it was, so the same click folds it again.
    shown.click(*at)
    shown.wait(f"!graphs[0].folds.open.has({kernel})")
    assert shown.run(boxes) == before
    assert shown.run("graphs[0].folds.open.size") == opened


def test_the_keyboard_reaches_everything(shown: Browser) -> None:
    shown.run("document.querySelector('#right canvas').focus()")
    first = shown.run("graphs[0].firstOf(0)")
    for _ in range(12):
        shown.press("ArrowDown")
    assert shown.run("graphs[0].cursor") != first
    assert shown.run("document.getElementById('status').textContent")
    kernel = shown.run("groups.findIndex((group) => group.kind === 'kernel')")
    shown.run(f"graphs[0].cursor = homeOfGroup.get({kernel})")
    shown.press("Enter")
    assert shown.run(f"graphs[0].folds.open.has({kernel})")
    shown.press("ArrowDown")
    assert shown.run("graphs[0].cursor[0]") == kernel
    shown.press("Enter")
    assert shown.run("Boolean(model.selected)")
    shown.run("document.querySelector('#left .lines').focus()")
    shown.press("End")
    last = shown.run("data.stages.find((s) => s.name === 'loops').lines")
    assert shown.run("document.querySelector('#left .row.active .number').textContent") == str(last)
    assert shown.run("document.querySelectorAll('#left .row').length") < 80
    shown.run("document.querySelector('#left [role=tab][aria-selected=true]').focus()")
    shown.press("ArrowRight")
    assert shown.run("document.activeElement.dataset.view") == "llvm"


@pytest.mark.parametrize("view", ["memory", "costs", "fusion", "graph"])
def test_every_view_draws(shown: Browser, view: str) -> None:
    shown.click_on(tab("left", view))
    if view in ("memory", "graph"):
        # The data URL of an empty canvas has a few hundred characters.
        ink = "document.querySelector('#left .view:not([hidden]) canvas')"
        shown.wait(f"{ink}?.toDataURL().length > 5000")
    else:
        shown.wait("document.querySelectorAll('#left .table .row').length > 3")
        row = "document.querySelector('#left .table .row')"
        shown.click_on(row)
        # The rows may move while the table is drawn, and the click then lands elsewhere.
        at = f"{{bubbles: true, clientY: {row}.getBoundingClientRect().top + 1}}"
        click = f"{row}.dispatchEvent(new MouseEvent('click', {at}))"
        shown.wait(f"model.selected || ({click}, false)")
        assert marked(shown, "source")


GROUP = "groups.findIndex((_, g) => g && groupLink(g) === '{}')"


def test_the_graph_opens_at_its_input(shown: Browser) -> None:
    x, y = shown.run(
        "(() => { const g = graphs[0], v = g.board.view, b = g.folds.box(g.folds.seen("
        "homeOfNode.get(graph.nodes.findIndex((n) => n[NODE.kind] === 'feed')))); "
        "return [(b[0] * v.scale + v.x) / g.board.width, "
        "(b[1] * v.scale + v.y) / g.board.height]; })()"
    )
    assert 0 < x < 1
    assert 0 < y < 0.3
    assert not shown.run(f"graphs[0].folds.open.has({GROUP.format('backward')})")
    assert not shown.run(f"graphs[0].folds.open.has({GROUP.format('optimizer')})")
    assert shown.run(f"graphs[0].folds.open.has({GROUP.format('hidden')})")
    # The source too: it has the job's first line in sight.
    assert "def train_job(" in shown.run("document.querySelector('#source .window').textContent")


def test_every_colour_is_in_the_legend(shown: Browser) -> None:
    shown.click_on(tab("left", "memory"))
    shown.wait("document.querySelector('#left canvas')")
    for pane in ("left", "right"):
        legend = shown.run(
            f"[...document.querySelectorAll('#{pane} .view:not([hidden]) .legend i')]"
            ".map((i) => i.style.background.slice(6, -1))"
        )
        filled = shown.run(
            f"(() => {{ const seen = new Set(), board = boards.at({0 if pane == 'right' else -1}); "
            "const paint = board.paint; board.paint = (ink, colour, ...rest) => paint(ink, "
            "(name) => (seen.add(name), name), ...rest); board.drawNow(); board.paint = paint; "
            "return [...seen]; })()"
        )
        fills = {"feed", "variable", "fetch", "layer", "kernel", "backward", "optimizer", "op"}
        assert legend
        assert set(legend) <= fills
        if pane == "left":
            # The arena asks for the colours that it uses.
            assert fills & set(filled) == set(legend)


def test_search_finds_in_every_view(shown: Browser) -> None:
    shown.press("/")
    assert shown.run("document.activeElement.type") == "search"
    shown.call("Input.insertText", text="HIDDEN")
    shown.wait("document.querySelectorAll('#found [role=option]').length")
    found = shown.run(
        "Object.fromEntries([...document.querySelectorAll('#found .group')].map((g) => "
        "[g.firstChild.textContent, Number(g.lastChild.textContent)]))"
    )
    assert set(found) >= {"graph", "job", "grad", "placed", "fused", "loops", "memory", "costs"}
    assert found["test_page_in_browser.py"] >= 1
    shown.wait("document.querySelector('#found [data-link=\"graph/hidden\"]')")
    shown.click_on("document.querySelector('#found [data-link=\"graph/hidden\"]')")
    shown.wait("model.selected?.what === 'layer hidden'")
    assert shown.run("location.hash") == "#graph/hidden"
    assert shown.run("document.getElementById('found').hidden")
    shown.press("/")
    # In two pieces, since this file is the source that the page shows.
    shown.call("Input.insertText", text="absent" + "here")
    shown.wait("document.getElementById('found').textContent === 'nothing found'")


def test_links_lead_to_what_they_name(shown: Browser) -> None:
    line, stages = expected(shown)
    shown.run(f"location.hash = '#placed/{stages['placed'][0]}'")
    shown.wait("document.querySelectorAll('#left .view:not([hidden]) .row.exact').length")
    assert marked(shown, "left", "exact") == stages["placed"][:1]
    assert line in marked(shown, "source")
    shown.run(f"location.hash = '#test_page_in_browser.py/{line}'")
    shown.wait("!model.selected?.exact")
    assert marked(shown, "source") == [line]
    for link, what in (
        ("costs/1", "matmul_add_relu_0"),
        ("graph/backward", "backward ops backward"),
    ):
        shown.run(f"location.hash = '#{link}'")
        shown.wait(f"model.selected?.what === {json.dumps(what)}")
    buffer = shown.run("data.memory.buffers[0].name")
    shown.run(f"location.hash = '#memory/{buffer}'")
    shown.wait(f"model.selected?.what === {json.dumps(f'buffer {buffer}')}")
    # What leads nowhere changes nothing.
    for link in (
        "nothing/1",
        "placed/0",
        "placed/999999",
        "placed/x",
        "%",
        "graph/none",
        "costs/0",
    ):
        shown.run(f"location.hash = '#{link}'")
    assert shown.run("model.selected.what") == f"buffer {buffer}"


def test_panes_are_resized(shown: Browser) -> None:
    widths = "['source', 'left', 'right'].map((id) => document.getElementById(id).offsetWidth)"
    border = "document.querySelector('[role=separator]')"
    before = shown.run(widths)
    x, y = shown.run(
        f"(() => {{ const r = {border}.getBoundingClientRect(); "
        "return [r.left + 2, r.top + 300]; })()"
    )
    shown.call(
        "Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1
    )
    for step in (20, 60):
        shown.call(
            "Input.dispatchMouseEvent", type="mouseMoved", x=x + step, y=y, button="left", buttons=1
        )
    shown.call(
        "Input.dispatchMouseEvent", type="mouseReleased", x=x + 60, y=y, button="left", clickCount=1
    )
    after = shown.run(widths)
    assert abs(after[0] - before[0] - 60) <= 4
    assert abs(after[2] - before[2]) <= 2
    shown.run(f"{border}.focus()")
    shown.press("ArrowLeft")
    assert shown.run(widths)[0] < after[0]
    shown.run(f"{border}.dispatchEvent(new MouseEvent('dblclick'))")
    assert shown.run(widths) == before


def test_a_narrow_window_has_no_sideways_scrolling(chromium: Browser, page: Path) -> None:
    chromium.problems.clear()
    chromium.open(page, width=600, height=800)
    chromium.wait(READY)
    assert chromium.run("document.documentElement.scrollWidth") <= 600
    assert chromium.run("document.getElementById('right').offsetWidth") > 590
    assert chromium.problems == []


def test_bars_show_a_profile(shown: Browser) -> None:
    assert shown.run("heat.name") == "time"
    amount = shown.run(f"heat.ofGroup({GROUP.format('hidden')})")
    assert amount == 6.0
    assert shown.run("heat.ofGroup(0)") == 8.0
    assert shown.run(f"heat.text(heat.ofGroup({GROUP.format('hidden')}))") == "6.00 \u00b5s, 75.0 %"
    shown.click_on(tab("left", "costs"))
    shown.wait("document.querySelectorAll('#left .table .row').length")
    shown.click_on("[...document.querySelectorAll('#left .tools button')].at(-1)")
    shown.wait(
        "[...document.querySelectorAll('#left .head button')].some((b) => b.textContent === 'op')"
    )
    (row,) = shown.run(
        "[...document.querySelectorAll('#left .table .row')].map((r) => r.textContent)"
        ".filter((text) => text.includes('matmul_add_relu_0'))"
    )
    assert "6.00" in row
    shown.run("heat.choose('memory')")
    assert shown.run("heat.ofGroup(0)") == shown.run("data.memory.peak")
    shown.run("heat.choose('flops')")
    assert shown.run("heat.ofGroup(0)") == shown.run("data.cost.total.flops")


def test_hostile_names_stay_text(chromium: Browser, tmp_path: Path) -> None:
    name = "</script><img src=x onerror=alert(1)><b id=markup>&amp;'\"\u2028"
    flow.clear_default_session()

    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.tanh(x) + x

    stages = net.trace()
    for op in stages.modules["job"].job.body:
        for result in op.results:
            result.name = name
    data = page_data(
        Stages("net", dict(stages.modules)), "job",
        lambda file: [name] * len(source_lines(file) or ()), lambda text: None,
    )  # fmt: skip
    data |= {"job": name, "type": name}
    data["files"][0]["name"] = name
    path = tmp_path / "hostile.html"
    path.write_text(document(data), encoding="utf-8")
    chromium.problems.clear()
    chromium.open(path)
    chromium.wait(READY)
    for view in ("costs", "graph", "job"):
        chromium.click_on(tab("left", view))
    assert chromium.run("document.title").startswith(name[:20])
    assert chromium.run("document.querySelector('h1').textContent") == name
    assert chromium.run("document.querySelectorAll('img, b, #markup').length") == 0
    assert name in chromium.run("document.querySelector('#source .row .words').textContent")
    assert chromium.problems == []


def test_the_benchmark_of_pages_measures_all_that_it_names(chromium: Browser, page: Path) -> None:
    chromium.call("Page.addScriptToEvaluateOnNewDocument", source=pages.TIMED)
    found = pages.measured(chromium, page, clicks=2)
    assert list(found) == list(pages.HEAD[3:-1])
    assert all(time > 0 for time in found.values())


def test_ten_thousand_ops_open_at_once(chromium: Browser, tmp_path: Path) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def deep(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        for number in range(3400):
            x = flow.math.tanh(flow.matmul(x, flow.get_variable(
                f"w{number}", (8, 8), initializer=flow.ones_initializer()))) + x  # fmt: skip
        return x

    path = tmp_path / "deep.html"
    path.write_text(explore(deep, "placed"), encoding="utf-8")
    chromium.problems.clear()
    chromium.open(path)
    chromium.wait(READY)
    assert chromium.run("graph.nodes.filter((n) => n[NODE.kind] === 'op').length") > 10_000
    # Only visible lines are in the document.
    assert chromium.run("document.querySelectorAll('*').length") < 3000
    assert chromium.problems == []
