"""`penstock explore`: its page is correct, and all content is plain text."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import ON_GPU, STAGES
from penstock.tools import cli
from penstock.tools.explore import explore, source_lines
from penstock.tools.page.data import page_data
from penstock.tools.page.document import document, embedded

TRAIN = """\
import penstock as flow
import penstock.typing as tp


@flow.global_function(type="train")
def train_job(x: tp.Numpy.Placeholder((6, 8)), y: tp.Numpy.Placeholder((6,), dtype=flow.int32)) -> tp.Numpy:
    hidden = flow.layers.dense(x, 16, activation=flow.nn.relu, name="hidden")
    logits = flow.layers.dense(hidden, 4, name="output")
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
    flow.optimizer.SGD(flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0).minimize(loss)
    return loss
"""  # noqa: E501


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    flow.clear_default_session()
    yield
    flow.clear_default_session()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "step.py").write_text(TRAIN)
    return tmp_path


def report(*words: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    code = cli.main(["explore", *words, "--json"])
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    found: dict[str, Any] = json.loads(captured.out)
    return found


def sets_of(stage: dict[str, Any]) -> list[int]:
    runs = stage["sets"]
    return [value for count, value in zip(runs[::2], runs[1::2], strict=True) for _ in range(count)]


def lines_of(data: dict[str, Any], number: int) -> list[int]:
    return [data["places"][place][1] for place in data["sets"][number]]


# -- content ------------------------------------------------------------------------------


def test_every_stage_is_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = report("step.py:train_job", capsys=capsys)
    assert [stage["name"] for stage in data["stages"]] == list(STAGES)
    assert (data["job"], data["type"]) == ("train_job", "train")
    (file,) = data["files"]
    assert (file["name"], file["whole"]) == ("step.py", True)
    assert file["lines"][: len(TRAIN.splitlines())] == TRAIN.splitlines()
    for stage in data["stages"]:
        assert len(sets_of(stage)) == stage["lines"]
        assert stage["lines"] <= len(stage["text"].split("\n"))
    assert data["memory"]["steps"]
    assert data["cost"]["total"]["flops"] > 0


@pytest.mark.parametrize("stage", ["job", "grad", "placed", "fused", "loops"])
def test_each_line_is_linked_to_the_lines_of_its_location(
    stage: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = report("step.py:train_job", "--stop-after", stage, capsys=capsys)
    found = data["stages"][-1]
    assert cli.main(["dump", "step.py:train_job", "--stage", stage]) == 0
    # A terminator is only printed if it has operands.
    out = re.sub(r"^ *scf\.yield loc.*\n", "", capsys.readouterr().out, flags=re.MULTILINE)
    located = out.splitlines()
    bare = found["text"].splitlines()
    assert len(located) == len(bare) == found["lines"]
    checked = 0
    for line, text, number in zip(located, bare, sets_of(found), strict=True):
        ending = re.search(r' loc\((?:fused\[.*\]|".*":\d+:\d+)\)$', line)
        if ending is None or line.endswith("{"):
            continue
        at = [line.rfind(" loc(fused["), line.rfind(' loc("')]
        said = line[max(at[0], at[1] if at[0] < 0 else 0) :]
        wanted = dict.fromkeys(int(n) for n in re.findall(r'":(\d+):', said))
        assert lines_of(data, number) == list(wanted), text
        checked += 1
    assert checked > 5


def test_code_is_linked_to_its_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = report("step.py:train_job", capsys=capsys)
    loops, llvm, asm = data["stages"][-3:]
    of_loops, of_llvm, of_asm = map(sets_of, (loops, llvm, asm))
    assert len(llvm["origins"]) == llvm["lines"]
    for number, origin in zip(of_llvm, llvm["origins"], strict=True):
        if origin:
            assert of_loops[origin - 1] == number
    text = loops["text"].split("\n")
    result = dict(zip(llvm["text"].split("\n"), llvm["origins"], strict=False))
    tanh = [origin for line, origin in result.items() if "call void @matmul_add_relu_0(" in line]
    assert all("func.call @matmul_add_relu_0" in text[origin - 1] for origin in tanh)
    assert tanh
    instructions = [
        (line, origin, number)
        for line, origin, number in zip(
            asm["text"].split("\n"), asm["origins"], of_asm, strict=False
        )
        if re.match(r"\s+[a-z]", line)
    ]
    known = [entry for entry in instructions if entry[1]]
    assert len(known) > 0.7 * len(instructions)
    assert all(of_llvm[origin - 1] == number for _, origin, number in known)
    source = llvm["text"].split("\n")
    calls = [
        source[origin - 1] for line, origin, _ in known if "\tcallq\tmatmul_add_relu_0" in line
    ]
    assert calls
    assert all("call void @matmul_add_relu_0(" in line for line in calls)


def test_kernels_hold_the_ops_that_they_compute(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = report("step.py:train_job", "--stop-after", "fused", capsys=capsys)
    graph, fused = data["graph"], data["stages"][-1]
    called = re.findall(r"func\.call @(\w+)", fused["text"])
    assert [kernel["name"] for kernel in graph["kernels"]] == called
    label = {number: node[0] for number, node in enumerate(graph["nodes"])}
    first = graph["kernels"][0]
    assert (first["name"], [label[op] for op in first["ops"]]) == (
        "matmul_add_relu_0", ["matmul", "add", "relu"],
    )  # fmt: skip
    assert graph["stage"] == "placed"
    ops = [node for node in graph["nodes"] if node[2] == "op"]
    placed = data["stages"][2]["text"].split("\n")
    for node in ops:
        assert node[0].rpartition(".")[2] in placed[node[5] - 1]
    assert all(remark["why"] for remark in data["fusion"])
    assert {remark["fused"] for remark in data["fusion"]} == {True, False}
    for group in graph["groups"]:
        if group["kind"] == "kernel":
            inside = [item[5] for item in group["items"]]
            assert inside == graph["kernels"][group["kernel"]]["ops"]


def test_ops_of_several_kernels_belong_to_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The learning rate is computed in the kernel of each update."""
    graph = report("step.py:train_job", "--stop-after", "fused", capsys=capsys)["graph"]
    updates = [kernel for kernel in graph["kernels"] if "sgd" in kernel["name"]]
    assert len(updates) == 4
    for one, other in permutations(updates, 2):
        assert not [(a, b) for a, b in graph["links"] if a in one["ops"] and b in other["ops"]]
    labels = [graph["nodes"][op][0] for kernel in graph["kernels"] for op in kernel["ops"]]
    assert labels.count("job.learning_rate") == 1
    for group in graph["groups"]:
        for a, b, _ in group["edges"]:
            assert max(a, b) < len(group["items"])


def test_a_remark_names_ops_of_the_graph(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = report("step.py:train_job", "--stop-after", "fused", capsys=capsys)
    nodes = data["graph"]["nodes"]
    sides = [remark[side] for remark in data["fusion"] for side in ("producer", "consumer")]
    assert all(side["ops"] for side in sides)
    labels = {side["what"]: [nodes[op][0] for op in side["ops"]] for side in sides}
    assert labels["add+relu"] == ["add", "relu"]
    assert labels["less_equal+where"] == ["less_equal", "where"]


def test_a_module_of_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["dump", "step.py:train_job", "--stage", "placed", "-o", "step.mlir"]) == 0
    data = report("step.mlir", capsys=capsys)
    assert [stage["name"] for stage in data["stages"]] == list(STAGES)
    assert [file["name"] for file in data["files"]] == ["step.py"]
    assert data["files"][0]["whole"]


def test_a_job_on_both_devices_shows_the_stages_and_kernels_of_both() -> None:
    @flow.global_function(type="train")
    def both(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0"):
            w = flow.get_variable("w", (8, 6), initializer=flow.ones_initializer())
            hidden = flow.math.relu(flow.matmul(x, w), name="hidden")
        with flow.scope.placement("gpu-sim", "0:0"):
            v = flow.get_variable("v", (6, 3), initializer=flow.ones_initializer())
            loss = flow.math.reduce_sum(flow.matmul(hidden, v), axis=1)
            rates = flow.optimizer.PiecewiseConstantScheduler([], [0.001])
            flow.optimizer.SGD(rates, momentum=0).minimize(loss)
        return loss

    stages = both.lower()
    data = page_data(stages, None, source_lines, lambda text: None)
    texts = {stage["name"]: stage for stage in data["stages"]}
    assert list(texts) == [*STAGES, *ON_GPU]
    assert texts["ptx"]["text"] == stages.ptx()
    # The graph has the kernels of both parts, and the costs are those of the whole step.
    kernels = [kernel["name"] for kernel in data["graph"]["kernels"]]
    assert kernels == [item["op"] for item in data["cost"]["kernels"]]
    assert "matmul_relu_0" in kernels
    assert "reduce_sum_0" in kernels
    devices = {kernel["name"]: kernel["device"] for kernel in data["graph"]["kernels"]}
    assert (devices["matmul_relu_0"], devices["reduce_sum_0"]) == ("", "gpu-sim 0:0")
    # The step counter is copied for the optimizer, so it is shown there.
    first = data["graph"]["groups"][0]["items"]
    inside = {data["graph"]["groups"][item[4]]["name"] for item in first if item[4] >= 0}
    assert inside == {"matmul_relu_0", "backward", "optimizer"}
    assert data["cost"]["total"]["flops"] == sum(line["flops"] for line in data["cost"]["lines"])
    assert data["cost"]["total"]["flops"] == stages.cost().total.flops
    # PTX is linked to the lines of the GPU's part, and the part has no others.
    lines = {file_line[1] for s in sets_of(texts["ptx"]) for file_line in _lines(data, s)}
    source = data["files"][0]["lines"]
    assert any("flow.matmul(hidden, v)" in source[line - 1] for line in lines)
    assert not any("get_variable" in source[line - 1] for line in lines)


def _lines(data: dict[str, Any], number: int) -> list[tuple[int, int]]:
    return [data["places"][place] for place in data["sets"][number]]


def test_a_plan_for_several_ranks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "step.py:train_job", "--stop-after", "placed", "--ranks"
    assert report(*words, "1", capsys=capsys)["sharing"] is None
    flow.clear_default_session()
    data = report(*words, "3", capsys=capsys)
    assert data["sharing"]["summary"].startswith("3 ranks; ")
    assert data["sharing"]["ops"][0]["signature"] == "B, B -> B", "so small a job is not split"


def test_a_module_without_locations_is_its_own_source(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--stage", "loops", "--no-locations", "-o", "loops.mlir"]
    assert cli.main(["dump", "step.py:train_job", *words]) == 0
    data = report("loops.mlir", capsys=capsys)
    assert [stage["name"] for stage in data["stages"]] == ["loops", "llvm", "asm"]
    assert [file["name"] for file in data["files"]] == ["loops.mlir"]
    assert data["files"][0]["lines"] == Path("loops.mlir").read_text().split("\n")
    assert data["graph"]["stage"] == "loops"
    assert data["fusion"] == []


def test_a_module_shows_no_file_from_elsewhere(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "secret.py").write_text("password = 1\n" * 40)
    (folder / "notes.txt").write_text("private\n" * 40)
    assert cli.main(["dump", "step.py:train_job", "--stage", "job", "-o", "step.mlir"]) == 0
    text = Path("step.mlir").read_text()
    for name in (f"{elsewhere}/secret.py", f"{folder}/../{elsewhere.name}/secret.py", "notes.txt"):
        Path("other.mlir").write_text(text.replace('"step.py"', f'"{name}"'))
        data = report("other.mlir", "--stop-after", "job", capsys=capsys)
        (file,) = data["files"]
        assert not file["whole"]
        assert not any(file["lines"])


def test_a_job_with_one_op() -> None:
    @flow.global_function()
    def one(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.tanh(x)

    assert "<title>one - penstock</title>" in explore(one)
    assert "<title>one - penstock</title>" in explore(one.trace(), "job")
    with pytest.raises(ValueError, match="a stage must be one of job, grad"):
        explore(one, "jbo")


# -- escaping ------------------------------------------------------------------------

HOSTILE = "</script><script>alert(1)</script><!-- \u2028 \u2029 \" ' & \\ {{data}} {{script}}"


@pytest.mark.parametrize("text", [HOSTILE, "</ScRiPt >", "<!--<script>", "]]>"])
def test_data_cannot_leave_its_element(text: str) -> None:
    inside = embedded({"name": text})
    assert not re.search(r"[<>&\u2028\u2029]", inside)
    assert json.loads(inside) == {"name": text}


def hostile_data() -> dict[str, Any]:
    @flow.global_function()
    def net(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.tanh(x) + x

    stages = net.lower()
    job = stages.modules["job"].job
    for op in job.body:
        for result in op.results:
            result.name = HOSTILE
    fresh = type(net.trace())("net", {"job": stages.modules["job"]})

    def read(file: str) -> Sequence[str]:
        return [f"# {HOSTILE}"] * len(source_lines(file) or ())

    return page_data(fresh, "job", read, lambda text: None) | {"job": HOSTILE}


def test_a_hostile_page_has_the_elements_of_any_other() -> None:
    page = document(hostile_data())
    assert len(re.findall(r"<script", page)) == 2
    assert len(re.findall(r"</script", page)) == 2
    assert "alert(1)" in page
    assert "<title>&lt;/script&gt;" in page
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert HOSTILE in [node[1] for node in json.loads(data)["graph"]["nodes"]]


def test_the_page_makes_no_requests() -> None:
    page = document(hostile_data())
    head, _, rest = page.partition('<script type="application/json"')
    assert "default-src 'none'" in head
    assert not re.search(r"https?://|\bsrc=|\bhref=|@import|url\(|fetch\(|import\(", head)
    script = rest.partition("</script>")[2]
    assert not re.search(r"https?://|innerHTML|insertAdjacentHTML|document\.write|\beval\(", script)
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon", script)


# -- the command -----------------------------------------------------------------------------------


def test_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explore", "step.py:train_job", "--stop-after", "grad"]) == 0
    page = (folder / "train_job.html").read_text()
    assert page.startswith("<!doctype html>")
    said = capsys.readouterr().out
    assert said == f"train_job.html: train_job, 2 stages to grad; {len(page.encode()):,} bytes\n"
    assert cli.main(["explore", "step.py", "-o", "-", "--stop-after", "grad"]) == 0
    assert capsys.readouterr().out == page


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["step.py", "--stop-after", "lops"], 2, "no stage 'lops': did you mean loops?"),
        (["missing.py"], 1, "missing.py: there is no such file"),
        (["step.py:no_job"], 1, "there is no job 'no_job'"),
        (["bad.mlir"], 1, "bad.mlir:1:"),
        (["fused.mlir", "--stop-after", "job"], 2, "fused.mlir is at stage fused"),
        (["fused.mlir", "--ranks", "2"], 2, "fused.mlir has its number of ranks; leave out --rank"),
        (["scalar.mlir"], 1, "scalar.mlir:1: func.func: takes or returns f32: expected tensors"),
        (
            ["external.mlir"],
            1,
            "external.mlir: func.func: @f has no body: expected the job's",
        ),
        (["step.py", "-o", "no/such/folder.html"], 1, "No such file or directory"),
    ],
)
def test_error_messages(
    words: list[str], code: int, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.mlir").write_text("module {")
    Path("scalar.mlir").write_text("func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}")
    Path("external.mlir").write_text("func.func @f(tensor<4xf32>)")
    assert cli.main(["dump", "step.py", "--stage", "fused", "-o", "fused.mlir"]) == 0
    assert cli.main(["explore", *words]) == code
    error = capsys.readouterr().err
    assert said in error
    assert "broke off" not in error
    assert "failed with" not in error


def test_a_deep_job_stays_small(folder: Path) -> None:
    """The text of all stages is compressed, so a page is smaller than its stages."""

    @flow.global_function()
    def deep(x: tp.Numpy.Placeholder((4, 8))) -> tp.Numpy:
        for number in range(12):
            x = flow.layers.dense(x, 8, activation=flow.nn.relu, name=f"layer{number}")
        return x

    stages = deep.lower()
    texts = sum(len(print_module(module)) for module in stages.modules.values())
    bare = len(document(hostile_data()))
    assert len(explore(stages, "loops")) - bare < texts / 2
