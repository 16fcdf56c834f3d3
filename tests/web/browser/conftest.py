"""A server and a Chromium for each worker, and pages that are watched.

Set TAPELINE_BROWSER to the path of a Chromium if it is not found. With TAPELINE_BROWSER_REQUIRED=1
the tests fail, rather than being skipped, where there is none.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from web.browser.serving import Server
from web.browser.watching import Watch

#: Names under which a Chromium is looked for on the path. The first one has no window at all, which
#: saves a fifth of its work.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")

#: Left out, which saves a fifth of the work of a page: bars of the window that nobody sees, drawn
#: by pages of their own, and models on the device. The first ones are those that Playwright itself
#: leaves out: the last list given is the one that counts.
FEATURES = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    *("PreloadTopChromeWebUI", "InitialWebUI", "WebUIReloadButton", "WebUIOmniboxPopup"),
    *("WebUIOmniboxAimPopup", "SideBySide", "SpareRendererForSitePerProcess"),
    *("OptimizationGuideOnDeviceModel", "OnDeviceModelService"),
)

#: No sandbox: tests also run as root. No graphics card, and no process that would stand for one.
#: Pages live too short for optimized JavaScript to be worth making, an eighth of their work, except
#: for the one function that every page with a share in dice calls 32 768 times: `before` in
#: chain.js.
#: The rest keeps the browser from calling home.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--js-flags=--no-maglev --turbo-filter=before",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES)}",
)

DESKTOP: ViewportSize = {"width": 1366, "height": 850}
PHONE: ViewportSize = {"width": 390, "height": 844}

#: Milliseconds until something that should be on the page counts as missing.
PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)


def _chromium() -> str | None:
    given = os.environ.get("TAPELINE_BROWSER")
    if given:
        return given
    return next(filter(None, map(shutil.which, NAMES)), None)


# Of the package, not of the session: while the synchronous Playwright runs, no other test of the
# worker could start an event loop.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser of this worker."""
    path = _chromium()
    if path is None:
        why = (
            "no Chromium found: install one (Debian: apt-get install chromium) or say where it is "
            "in TAPELINE_BROWSER"
        )
        if os.environ.get("TAPELINE_BROWSER_REQUIRED") == "1":
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of this worker, for every test that does not kill it."""
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.close()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server of this test alone, which may kill it."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.close()
    assert server.complaints() == "", "the server did what it must never do"


class Opening(Protocol):
    """Opens a page of its own context; options as of Playwright's `new_context`."""

    def __call__(self, home: str | None = None, **options: Any) -> tuple[Page, Watch]: ...


#: Pages at rest, by home and options of their context. To use one again, with the files and the
#: process it has, takes less than half of what a new one does.
Resting = dict[str, list[tuple[Page, Watch]]]


@pytest.fixture(scope="package")
def resting(chromium: Browser) -> Resting:
    """Of this worker; they end with its browser."""
    return defaultdict(list)


def rest(page: Page) -> None:
    """Leave what is shown, and forget all that was kept, done or answered for it."""
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    page.goto("/healthz")
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")


@pytest.fixture
def opening(
    chromium: Browser, server: Server, resting: Resting, request: pytest.FixtureRequest
) -> Iterator[Opening]:
    """Pages as strangers to each other; in the end neither they nor the server did wrong."""
    used: list[tuple[str, Page, Watch]] = []
    failed = request.session.testsfailed

    def opened(
        home: str | None = None,
        viewport: ViewportSize = DESKTOP,
        color_scheme: Literal["light", "dark"] = "light",
        **options: Any,
    ) -> tuple[Page, Watch]:
        home = home or server.url
        key = f"{home} {sorted(options.items())}"
        if resting[key]:
            page, watch = resting[key].pop()
        else:
            # Half a dot for each pixel, a quarter to draw: a tenth of a page's work.
            options = {"device_scale_factor": 0.5, "reduced_motion": "reduce", **options}
            context = chromium.new_context(base_url=home, **options)
            context.set_default_timeout(PATIENCE_MS)
            watch = Watch(context, home)
            page = context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        used.append((key, page, watch))
        return page, watch

    yield opened
    well = request.session.testsfailed == failed
    for key, page, _ in used:
        if well and key.startswith(server.url):
            rest(page)
    faults = [fault for _, _, watch in used for fault in watch.faults]
    for key, page, watch in used:
        if well and not faults and key.startswith(server.url):
            watch.forget()
            resting[key].append((page, watch))
        else:
            page.context.close()
    assert faults == [], "the page did what it must never do"
    assert server.complaints() == "", "the server did what it must never do"


@pytest.fixture
def page(opening: Opening) -> Page:
    """A watched page on a desktop."""
    return opening()[0]
