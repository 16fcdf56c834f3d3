"""The watch over pages sees what it is there to see; a page used again has forgotten all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser.conftest import rest
from web.browser.watching import Watch

HOME = "http://home.test"

WRONGS = {
    "an error said": ("<script>console.error('lost')</script>", "console error: lost"),
    "an error not caught": ("<script>throw new Error('lost')</script>", "error: lost"),
    "a promise not kept": (
        "<script>Promise.reject(new Error('lost'))</script>",
        "error: lost",
    ),
    "a stranger asked": (
        "<script>fetch('http://stranger.test/')</script>",
        "a request to a stranger: http://stranger.test/",
    ),
    "a stranger called": (
        "<script>new WebSocket('ws://stranger.test/')</script>",
        "a request to a stranger: ws://stranger.test/",
    ),
    "a policy broken": (
        "<meta http-equiv='Content-Security-Policy' content=\"style-src 'self'\">"
        "<p style='color: red'>",
        "Content Security Policy",
    ),
    "a file missing": ("<img src='/missing.png' alt=''>", "404"),
}


@pytest.mark.parametrize("wrong", WRONGS)
def test_the_watch_sees(chromium: Browser, wrong: str) -> None:
    body, fault = WRONGS[wrong]
    context = chromium.new_context()
    watch = Watch(context, HOME)
    context.route(
        "**/*",
        lambda route: route.fulfill(
            status=200 if route.request.url == f"{HOME}/" else 404,
            body=f"<!doctype html>{body}",
            content_type="text/html",
        ),
    )
    page = context.new_page()
    page.goto(f"{HOME}/")
    for _ in range(100):
        if any(fault in seen for seen in watch.faults):
            break
        page.wait_for_timeout(20)
    else:
        pytest.fail(f"not seen: {fault}; but {watch.faults}")
    watch.expect(".")
    assert watch.faults == []
    context.close()


def test_the_watch_is_silent_about_a_good_page(chromium: Browser) -> None:
    context = chromium.new_context()
    watch = Watch(context, HOME)
    context.route("**/*", lambda route: route.fulfill(body="<!doctype html><p>good"))
    page = context.new_page()
    page.goto(f"{HOME}/")
    page.wait_for_load_state("networkidle")
    assert watch.faults == []
    context.close()


@pytest.mark.parametrize(
    ("call", "status"), [("GET reach", 409), ("GET reach", 422), ("POST undo", 409)]
)
def test_a_refusal_that_the_browser_takes_for_an_error_is_one(
    chromium: Browser, call: str, status: int
) -> None:
    method, path = call.split()
    context = chromium.new_context()
    watch = Watch(context, HOME)
    context.route("**/*", lambda route: route.fulfill(body="<!doctype html>"))
    context.route(f"**/{path}", lambda route: route.fulfill(status=status, body="{}"))
    page = context.new_page()
    page.goto(f"{HOME}/")
    # The browser says so itself.
    with page.expect_console_message():
        page.evaluate("([path, method]) => fetch(path, { method }).then(() => 0)", [path, method])
    [fault] = watch.faults
    assert f"status of {status}" in fault
    context.close()


def test_a_page_at_rest_has_forgotten(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Warmaster").check()
    page.evaluate("sessionStorage.setItem('left', 'behind')")
    page.route("**/healthz", lambda route: route.abort())
    kept = "[localStorage.length, sessionStorage.length]"
    assert min(page.evaluate(kept)) > 0
    with page.context.expect_page() as opened:
        page.evaluate("() => { window.open('/healthz'); }")
    rest(page)
    assert opened.value.is_closed()
    assert page.evaluate(kept) == [0, 0]
    page.goto("/")
    expect(page.get_by_role("radio", name="Mordheim")).to_be_checked()
