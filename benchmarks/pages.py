"""How long `penstock explore` takes to write pages, and these to open and to answer.

    python benchmarks/pages.py [resnet-50 ...] [--clicks 9] [--keep FOLDER [--read]]

Each page is written in a process of its own: seconds from the definition of the job to the text of
the page, and CPU seconds of that process and of its compiler process, without a cache. Chromium
then opens it, without a window. Times in the browser are milliseconds from an event to the end of
the next frame that shows the answer: `open` ends with the graph; `first` is a click on a line of
the source as soon as that is there, while stages are still unpacked; `click` is the median of later
ones, each on another line; `counts` ends when the numbers under all tabs are shown after the first
click; `search` includes the 120 ms for which the field waits for more letters; `stage` is the
median of the first looks at each stage. Others on the machine make all of it slower: `load` is that
of the machine meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from shared.measure import children_time
from shared.networks import Job, chain, gpt, resnet50, resnet56

if TYPE_CHECKING:
    from browser import Browser

BROWSER = Path(__file__).resolve().parent.parent / "tests" / "interop"
JOBS: dict[str, Callable[[], Job]] = {
    "resnet-56": lambda: resnet56(32),
    "resnet-50": lambda: resnet50(8, 224),
    "gpt-12": lambda: gpt(12, 4, 256, 768, 12, 8000),
    "10,000 ops": lambda: chain(3400),
}
"""Training steps of three networks, and a job of so many ops."""

HEAD = ("write s", "CPU s", "MB", "open", "first", "counts", "click", "search", "stage", "load")

TIMED = """
window.timed = (kind, done) => {
  window.answered = new Promise((tell, fail) => {
    setTimeout(() => fail(new Error(`no answer to ${kind}: ${done}`)), 20000);
    addEventListener(kind, (event) => {
      // After the frame: a message comes behind its painting.
      const look = () => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          if (!done()) look();
          else tell(performance.now() - event.timeStamp);
        };
        port2.postMessage(0);
      });
      look();
    }, { capture: true, once: true });
  });
};
"""
READY = "document.querySelectorAll('#left .row').length > 3 && graphs[0].painted"
ROWS = """[...document.querySelectorAll('#source .row')].filter((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  const box = document.querySelector('#source .lines').getBoundingClientRect();
  return top >= box.top && bottom <= box.bottom;
})"""


def write(name: str, path: Path) -> dict[str, float]:
    """Write a page in this process."""
    from penstock.tools.explore import explore

    job = JOBS[name]()
    began, own = perf_counter(), process_time()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = explore(job)
    wall, own = perf_counter() - began, process_time() - own
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = now.ru_utime + now.ru_stime - ended.ru_utime - ended.ru_stime
    path.write_text(text, encoding="utf-8")
    return {"wall": wall, "cpu": own + children + children_time(), "bytes": path.stat().st_size}


def written(name: str, path: Path) -> dict[str, float]:
    command = [sys.executable, __file__, name, "--child", str(path)]
    environment = os.environ | {"PENSTOCK_CACHE": "off"}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=600
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def answer(browser: Browser, kind: str, done: str, act: Callable[[], object]) -> float:
    """Milliseconds from an event that `act` causes to the frame in which `done` is true."""
    browser.run(f"timed({kind!r}, () => {done})")
    act()
    took: float = browser.run("answered")
    return took


def lines_of(browser: Browser, count: int) -> list[int]:
    """Numbers of lines of the source from which something comes, spread over those in sight."""
    found: list[int] = browser.run(
        f"{ROWS}.map((r) => Number(r.querySelector('.number').textContent))"
        ".filter((n) => placeAt(data.files.findIndex((f) => f.name === "
        "document.querySelector('#source .title').textContent), n) !== undefined)"
    )
    return found[:: max(1, len(found) // count)][:count]


def click(browser: Browser, line: int, done: str = "true") -> float:
    row = f"{ROWS}.find((r) => r.querySelector('.number').textContent === '{line}')"
    hit = f"{row}?.classList.contains('hit')"
    return answer(browser, "click", f"{hit} && {done}", lambda: browser.click_on(row))


def measured(browser: Browser, path: Path, clicks: int) -> dict[str, float]:
    """Open a page twice, and measure what it answers."""
    browser.problems.clear()
    browser.open(path, 1920, 1080)
    browser.wait(READY)
    lines = lines_of(browser, clicks + 1)
    drawn = "performance.getEntriesByName('graph drawn')[0].startTime"
    found = {"open": browser.run(drawn), "first": click(browser, lines[0])}
    browser.open(Path("/dev/null"))
    browser.open(path, 1920, 1080)
    browser.wait(READY)
    found["counts"] = click(browser, lines[0], "counted === model.selected")
    browser.run("Promise.all(stageNames.map(openStage)).then(() => null)")
    found["click"] = statistics.median(click(browser, line) for line in lines[1:])
    browser.press("/")
    found["search"] = answer(
        browser, "input", "document.querySelectorAll('#found [role=option]').length",
        lambda: browser.call("Input.insertText", text="ma"),
    )  # fmt: skip
    browser.press("Escape")
    looks = []
    for stage in browser.run("stageNames"):
        tab = f"document.querySelector('#right [data-view={stage}]')"
        shown = "document.querySelectorAll('#right .view:not([hidden]) .row').length"
        looks.append(answer(browser, "click", shown, partial(browser.click_on, tab)))
    found["stage"] = statistics.median(looks)
    if browser.problems:
        raise RuntimeError(f"{path}: {browser.problems}")
    return found


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    rows = ["".join((f"{'':12}", *(f"{title:>9}" for title in HEAD)))]
    for name, of in found.items():
        cells = [f"{of['wall']:9.1f}", f"{of['cpu']:9.1f}", f"{of['bytes'] / 1e6:9.1f}"]
        cells += [f"{of[title]:9.0f}" for title in HEAD[3:-1]]
        rows.append("".join((f"{name:12}", *cells, f"{of['load']:9.1f}")))
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"of {', '.join(JOBS)} (all)")
    parser.add_argument("--clicks", type=int, default=9, help="how many later clicks (9)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the pages there")
    parser.add_argument("--read", action="store_true", help="take the pages that --keep left")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    for name in given.pages:
        if name not in JOBS:
            parser.error(f"there is no page {name!r}, but {', '.join(JOBS)}")
    if given.child:
        print(json.dumps(write(given.pages[0], given.child)))
        return
    if shutil.which("chromium") is None:
        parser.error("chromium is not installed (Debian package chromium)")
    sys.path.insert(0, str(BROWSER))
    from browser import Browser

    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="penstock-pages-") as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in given.pages or JOBS:
            path = folder / f"{name.replace(' ', '-')}.html"
            if given.read and path.exists():
                found[name] = {"wall": 0.0, "cpu": 0.0, "bytes": path.stat().st_size}
            else:
                found[name] = written(name, path)
            with Browser() as browser:
                browser.call("Page.addScriptToEvaluateOnNewDocument", source=TIMED)
                found[name] |= measured(browser, path, given.clicks)
            found[name]["load"] = os.getloadavg()[0]
    print(json.dumps(found) if given.json else table(found))


if __name__ == "__main__":
    main()
