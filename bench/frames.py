"""Frames of the browser table while a hand drags, zooms and turns: `python -m bench.frames`.

Starts `tapeline serve` and a Chromium without a graphics card, begins a match of an example and
lets a hand move for some seconds. Two figures a gesture. Frame: from one animation frame to the
next as the page sees it, which is the machine's as well: a busy one misses frames whatever the page
does. Work: processor time of the page's main thread for a frame (script, style, layout, paint), the
part that the page answers for. Also the time until the first board of a match stands when
everything is warm, and what a first visit transfers.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.harness import say

__all__ = ["FLAGS", "call", "main", "serving"]

#: The example with the most bodies, one of regiments, one with storeys.
EXAMPLES = ("warmaster-bridge", "sovl-ford", "trench-storeys")
#: Milliseconds that a frame may take: 95 of 100, and the worst.
P95_MS, WORST_MS = 20.0, 50.0
FIRST_BOARD_S, VISIT_BYTES = 1.0, 300_000
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

WATCH = """() => {
  window.frames_ = [];
  let last = 0;
  const step = (now) => {
    if (last) window.frames_.push(now - last);
    last = now;
    window.watching_ = requestAnimationFrame(step);
  };
  window.watching_ = requestAnimationFrame(step);
}"""
TAKE = "() => { cancelAnimationFrame(window.watching_); return window.frames_; }"
WEIGHT = """() => [...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource")].reduce((sum, one) => sum + one.transferSize, 0)"""
#: What is done, and what the dice show, until an example has something to drag.
BEGINNINGS: dict[str, list[dict[str, Any]]] = {
    "warmaster-bridge": [
        {"action": {"kind": "end_step"}},
        {"action": {"kind": "order", "actor": "otto", "units": ["white"]}},
        {"faces": [1, 1]},
    ]
}
#: The middle of the first body that a drag moves, maybe after what it does by itself, in pixels
#: of the window; null if there is none.
PLACES = """async () => {
  const { selection, state, board } = tapeline;
  const box = board.frame.getBoundingClientRect();
  const seen = new Set();
  for (const one of state.board.figures.filter((each) => state.moves(each.side))) {
    if (seen.has(one.unit ?? one.id)) continue;
    seen.add(one.unit ?? one.id);
    await selection.select(one.id);
    do await new Promise((done) => setTimeout(done, 60));
    while (selection.loading);
    const asked = () => state.ask("opening", { of: selection.id }).catch(() => []);
    if (!selection.natural && !(await asked()).length) continue;
    const [x, y] = board.pixelOf([one.x, one.y], one.z);
    return [x + box.left, y + box.top];
  }
  return null;
}"""


def call(url: str, path: str, body: Any = None, token: str = "") -> Any:
    """The answer of the API; token: of the link that asks."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(f"{url}/api/{path}", data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


@contextmanager
def serving(compiles: bool) -> Iterator[str]:
    """The address of a server of its own."""
    command = [sys.executable, "-c", "from tapeline.cli import main; main()", "serve", "--json"]
    command += ["--port", "0"] + ([] if compiles else ["--no-compile"])
    with tempfile.TemporaryDirectory() as folder:
        command += ["--database", f"sqlite:///{folder}/frames.db"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        try:
            assert process.stdout is not None
            yield str(json.loads(process.stdout.readline())["address"]).rstrip("/")
        finally:
            process.terminate()
            process.wait(timeout=30)


def _work_ms(tools: CDPSession) -> float:
    """What the main thread of the page has done so far."""
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def _gesture(page: Page, tools: CDPSession, name: str, does: Callable[[], None]) -> bool:
    """Measure frames while a hand does something; whether they are as short as they must be."""
    page.evaluate(WATCH)
    before = _work_ms(tools)
    does()
    frames = sorted(page.evaluate(TAKE))
    work = (_work_ms(tools) - before) / max(1, len(frames))
    p95 = frames[int(0.95 * (len(frames) - 1))]
    good = bool(p95 <= P95_MS and frames[-1] <= WORST_MS)
    print(
        f"  {name:<28}{len(frames):>5} frames   p50 {statistics.median(frames):5.1f}   "
        f"p95 {p95:5.1f}   worst {frames[-1]:5.1f} ms   work {work:4.1f} ms a frame   "
        f"{'met' if good else 'not met'}"
    )
    return good


def _dragging(page: Page, at: tuple[float, float], seconds: float) -> Callable[[], None]:
    """A pointer that goes round a place, 120 events a second."""

    def does() -> None:
        until, n = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            n += 1
            swing = 60 + 50 * ((n // 40) % 3)
            dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[(n // 10) % 4]
            page.mouse.move(at[0] + swing * dx * (n % 10) / 10, at[1] + swing * dy * (n % 10) / 10)
            time.sleep(1 / 120)

    return does


def _zooming(page: Page, seconds: float) -> Callable[[], None]:
    def does() -> None:
        until, n = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            n += 1
            page.mouse.wheel(0, -60 if (n // 30) % 2 == 0 else 60)
            time.sleep(1 / 60)

    return does


def _gestures(page: Page, tools: CDPSession, where: str, seconds: float) -> bool:
    found = page.evaluate(PLACES)
    assert found is not None, "nothing here can be dragged"
    x, y = found
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 12, steps=4)
    page.wait_for_timeout(4000)
    assert page.locator("#board .ghost").count(), "the drag has begun nothing"
    good = _gesture(page, tools, "dragging" + where, _dragging(page, (x, y), seconds))
    page.mouse.up()
    page.keyboard.press("Escape")
    page.mouse.move(500, 430)
    return _gesture(page, tools, "zooming" + where, _zooming(page, seconds)) and good


def _example(page: Page, tools: CDPSession, url: str, name: str, seconds: float) -> bool:
    made = call(url, "matches", {"example": name, "mode": "hotseat", "dice": "typed"})
    path, token = made["links"][0]["path"], made["links"][0]["token"]
    for version, done in enumerate(BEGINNINGS.get(name, [])):
        what = "actions" if "action" in done else "answers"
        call(url, f"matches/{made['id']}/{what}", {"version": version, **done}, token)
    first = 0.0
    for _ in range(2):  # warm: the second time
        page.goto("about:blank")
        begun = time.monotonic()
        page.goto(url + path)
        page.locator("#board .figure[data-id]").first.wait_for()
        first = time.monotonic() - begun
    print(f"{name}: first board after {first:.2f} s (goal {FIRST_BOARD_S:g})")
    page.wait_for_timeout(1500)
    good = _gestures(page, tools, "", seconds)
    turning = page.get_by_role("button", name="All storeys at once, cut away")
    if turning.is_visible():
        page.evaluate("tapeline.board.fit()")
        turning.click()
        page.wait_for_timeout(600)
        good &= _gestures(page, tools, ", all storeys", seconds)
    return good and first <= FIRST_BOARD_S


def main() -> int:
    """Print the figures of this machine; 1 where a goal is not met."""
    parser = argparse.ArgumentParser(prog="python -m bench.frames", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each gesture")
    parser.add_argument("--example", action="append", help=f"repeatable: {', '.join(EXAMPLES)}")
    parser.add_argument("--compile", action="store_true", help="let the server compile kernels")
    words = parser.parse_args()
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("TAPELINE_BROWSER") or next(filter(None, map(shutil.which, names)))
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, load {load:.1f} before; drawn without a graphics card")
    good = True
    with serving(words.compile) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        page = browser.new_context(viewport={"width": 1366, "height": 850}).new_page()
        tools = page.context.new_cdp_session(page)
        # Counted on the thread itself: what others do on this machine is not in it.
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        say("... the start page")
        page.goto(url)
        page.locator("#cards article .figure").first.wait_for()
        weight = page.evaluate(WEIGHT)
        goal = f"goal {VISIT_BYTES / 1000:g}"
        print(f"a first visit: {weight / 1000:.0f} kB over the line ({goal})")
        good &= weight <= VISIT_BYTES
        for name in words.example or EXAMPLES:
            good &= _example(page, tools, url, name, words.seconds)
        browser.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
