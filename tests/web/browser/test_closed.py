"""A server on which matches are begun by invitation, and the page that says what is kept."""

from __future__ import annotations

from playwright.sync_api import expect

from tapeline.web.hub.matches import digest
from tapeline.web.store.admin import AdminStore
from web.browser.conftest import Opening
from web.browser.starting import MATCH
from web.conftest import Start


def test_an_invitation_in_the_address_opens_a_closed_server(start: Start, opening: Opening) -> None:
    server = start(closed=True, keep_days=90.0)
    store = AdminStore(server.hub.settings.database)
    store.invite(digest("the-invitation"), 1, None, "")
    store.close()
    page, watch = opening(home=server.url)
    watch.expect("status of 403")
    page.goto("/")
    page.get_by_role("radio", name="SOVL").check()
    page.get_by_label("Password or invitation").fill("a guess")
    page.get_by_role("button", name="Play").first.click()
    alert = page.get_by_role("alert").filter(has_text="no password or invitation")
    expect(alert).to_be_visible()
    page.goto("/#invitation=the-invitation")
    page.reload()
    expect(page.get_by_label("Password or invitation")).to_have_value("the-invitation")
    assert "invitation" not in page.url, "it does not stay in the address"
    page.get_by_role("button", name="Play").first.click()
    expect(page).to_have_url(MATCH)


def test_the_start_page_leads_to_what_is_kept(start: Start, opening: Opening) -> None:
    server = start(keep_days=90.0)
    page, _ = opening(home=server.url)
    page.goto("/")
    page.get_by_role("radio", name="SOVL").check()
    expect(page.get_by_role("article").first).to_be_visible()
    expect(page.get_by_label("Password or invitation")).to_be_hidden()
    page.get_by_role("link", name="What is kept").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What is kept, and for how long")
    expect(page.get_by_text("until nothing has been done on it for 90 days")).to_be_visible()
    page.get_by_role("link", name="To the start page").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_page_whose_link_is_taken_away_says_so(start: Start, opening: Opening) -> None:
    server = start()
    (seat, _) = server.begin(example="sovl-ford")
    page, watch = opening(home=server.url)
    watch.expect("status of 404")
    page.goto(seat.link["path"])
    expect(page.locator("#board .figure").first).to_be_visible()
    store = AdminStore(server.hub.settings.database)
    store.change_link(seat.match_id, store.links(seat.match_id)[0], None)
    store.close()
    gone = page.locator("#notice .link-state")
    expect(gone).to_have_text("This link does not open the match any longer.")
    page.reload()
    expect(page.locator("#board .figure")).to_have_count(0)
