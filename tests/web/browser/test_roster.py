"""A pasted list in the editor: read by the server, put on the table, kept for another time."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from web.browser.test_editor import Desk


def test_a_list_is_read_put_on_the_table_and_kept(page: Page) -> None:
    desk = Desk(page)
    desk.blank("sovl", 48, 36)
    desk.tab("Add")
    page.get_by_text("From a list").click()
    text = page.get_by_label("A line each")
    text.fill("2 Spears: Infantry (20)\nTrols")
    page.get_by_role("button", name="Add all").click()
    expect(page.locator("#add")).to_contain_text(
        "Entry 2: SOVL knows no profile 'Trols'; did you mean Trolls?"
    )
    text.fill("2 Spears: Infantry (20)\nTrolls")
    page.get_by_label("What it is called").fill("Levy")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("button", name="Add all").click()
    expect(page.locator("#board .figure[data-id]")).to_have_count(3)
    desk.sound()
    units = desk.kept()["units"]
    assert [(one["name"], one["models"]) for one in units][:2] == [
        ("Spears 1", 20),
        ("Spears 2", 20),
    ]
    assert units[2]["profile"] == "Trolls"
    page.reload()
    desk.tab("Add")
    page.get_by_text("From a list").click()
    page.get_by_role("button", name="Levy", exact=True).click()
    expect(text).to_have_value("2x Spears: Infantry (20)\n1x Trolls")
    page.get_by_role("button", name="Forget Levy").click()
    expect(page.get_by_role("button", name="Levy", exact=True)).to_have_count(0)
