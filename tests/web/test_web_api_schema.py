"""Every call of the OpenAPI description with what Schemathesis makes up: no 5xx, nothing unsaid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from support.scenes import toy_scene
from web.inside import Inside, Page


@pytest.fixture(scope="module")
def both(inside: Inside) -> Page:
    """A match to be asked about."""
    page = inside.begin(scene=toy_scene(), dice="typed")[0]
    page.act("move", actor="R1", path=[{"to": [5, 6]}])
    return page


def operations(inside: Inside) -> dict[str, Any]:
    import schemathesis

    schema = schemathesis.openapi.from_url(f"{inside.url}/api/openapi.json")
    return {result.ok().label: result.ok() for result in schema.get_all_operations()}


def test_all_calls_are_described(inside: Inside) -> None:
    document = inside.client.get("/api/openapi.json").json()
    calls = {(path, method) for path, item in document["paths"].items() for method in item}
    assert len(calls) >= 26
    for path, method in calls:
        operation = document["paths"][path][method]
        assert operation["summary"], path
        assert operation["description"], path
        assert "422" not in operation["responses"] or "Faults" in str(
            operation["responses"]["422"]
        ), path
        if path.startswith("/api/matches/{"):
            assert operation["security"] == [{"HTTPBearer": []}], path


def test_what_is_made_up_is_answered_as_described(
    inside: Inside, both: Page, budget: Callable[[int, int], int]
) -> None:
    # Not above: it takes seconds to import, and every worker imports every module of tests.
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    wanted = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    found = operations(inside)
    seen: dict[int, int] = {}
    for label, operation in found.items():

        @settings(
            max_examples=budget(2, 150),
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            deadline=None,
            database=None,
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            if "match_id" in case.path_parameters:
                case.path_parameters["match_id"] = both.match_id
            if isinstance(case.body, dict) and "version" in case.body:
                case.body["version"] = both.version
            headers = {"authorization": f"Bearer {both.token}"}
            answer = case.call(headers=headers, timeout=60)
            seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
            case.validate_response(answer, checks=wanted)

        try:
            ask()
        except BaseException as error:
            error.add_note(f"of {label}")
            raise
    assert seen.get(200), "something is answered"
    assert seen.get(422), "something is refused"
