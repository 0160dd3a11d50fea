"""Headless Chromium, driven through a pipe by its DevTools protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from interop_tools import require

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars",
    "--remote-debugging-pipe",
)  # fmt: skip
# The browser reads from 3 and writes to 4.
_START = """
import os, sys
spare = [os.dup(0), os.dup(0), os.dup(0), os.dup(0)]  # so that what follows is past 3 and 4
reading, writing = (os.dup(int(number)) for number in sys.argv[1:3])
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
SECONDS = 20


class Browser:
    """A browser with one page; `problems` collects errors of its console and network."""

    def __init__(self) -> None:
        """Skips the test if there is no browser; leaves nothing behind if it does not start."""
        program = require("chromium")
        with ExitStack() as kept:
            to_browser, self._write = os.pipe()
            kept.callback(os.close, self._write)
            self._read, from_browser = os.pipe()
            kept.callback(os.close, self._read)
            folder = kept.enter_context(
                tempfile.TemporaryDirectory(prefix="penstock-", ignore_cleanup_errors=True)
            )
            try:
                command = [program, *_FLAGS, f"--user-data-dir={folder}"]
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _START, str(to_browser), str(from_browser), *command],
                    pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
            finally:
                os.close(to_browser)
                os.close(from_browser)
            kept.callback(self._end)
            self._begin()
            self._kept = kept.pop_all()

    def _begin(self) -> None:
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with self._kept, suppress(OSError):
            self._session = None
            self.call("Browser.close")

    def _end(self) -> None:
        """Wait until the process has ended, terminating it if necessary."""
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    # -- the protocol ---------------------------------------------------------------------------

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One call of the protocol and its answer; events in between are recorded."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        wanted = self._number
        while True:
            found = self._message()
            if found.get("id") == wanted:
                assert "error" not in found, f"{method}: {found['error']}"
                answer: dict[str, Any] = found["result"]
                return answer
            self._note(found)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise OSError("the browser has ended")
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            thrown = details.get("exception", {}).get("description", details["text"])
            self.problems.append(f"exception: {thrown}")
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.problems.append(f"console: {parameters['args']}")
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"log: {parameters['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    # -- the page -------------------------------------------------------------------------------

    def open(self, path: Path, width: int = 1280, height: int = 800) -> None:
        """Open a file, and wait for its load event."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self._loaded = False
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not self._loaded:
            self._note(self._message())

    def run(self, script: str) -> Any:
        """The awaited value of an expression in the page."""
        found = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression in the page is true."""
        self.run(
            "new Promise((done, fail) => { const end = performance.now() + "
            f"{SECONDS * 1000}; (function look() {{ if ({condition}) done(); "
            "else if (performance.now() > end) fail(new Error('never came true')); "
            "else setTimeout(look, 10); })(); })"
        )

    def click(self, x: float, y: float, count: int = 1) -> None:
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.call(
                    "Input.dispatchMouseEvent",
                    type=kind, x=x, y=y, button="left", clickCount=number,
                )  # fmt: skip

    def move(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click_on(self, element: str) -> None:
        """Click in the middle of the element that an expression in the page returns."""
        x, y = self.run(
            f"(() => {{ const r = ({element}).getBoundingClientRect(); "
            "return [r.left + Math.min(r.width, 300) / 2, r.top + r.height / 2]; })()"
        )
        self.click(x, y)

    def press(self, key: str) -> None:
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text)
