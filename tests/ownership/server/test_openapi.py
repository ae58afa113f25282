"""The description of the endpoints of `ownership serve`, and that answers are as it says."""

import json
from typing import Any, Final

import pytest
from starlette.testclient import TestClient

from goban.rulesets import RULESETS
from ownership.server.app import SGF
from ownership.server.openapi import openapi
from ownership.server.request_limits import MOST_LISTED
from tests.support.schemas import check
from tests.support.server import EXAMPLE, FIELDS, score

SCHEMAS: Final = openapi()["components"]["schemas"]


def test_the_description_names_every_field(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    assert set(schemas["Score"]["properties"]) == set(score(client))
    game = client.post("/game", content=EXAMPLE, headers={"content-type": SGF}).json()
    assert set(schemas["Game"]["properties"]) == set(game)
    listed = client.post("/games", content=EXAMPLE, headers={"content-type": SGF}).json()
    assert set(schemas["Games"]["properties"]) == set(listed)
    [entry] = listed["games"]
    assert set(schemas["Games"]["properties"]["games"]["items"]["anyOf"][0]["properties"]) == set(entry)
    assert set(schemas["Request"]["properties"]) == set(FIELDS) - {"other"}
    for path, name in (("review", "ReviewRequest"), ("candidates", "SearchRequest"), ("stakes", "StakesRequest")):
        asked = dict.fromkeys(schemas[name]["properties"]) | {"sgf": "(;SZ[5])"}
        assert client.post(path, json=asked | ({"visits": 1} if "visits" in asked else {})).status_code == 200
    group = {"sgf": "(;SZ[5];B[cc])", "vertex": "C3", "visits": 1}
    asked = dict.fromkeys(schemas["ExplainRequest"]["properties"]) | group
    assert client.post("explain", json=asked).status_code == 200
    assert schemas["Request"]["properties"]["rules"]["examples"] == list(RULESETS)
    served = {route.path for route in client.app.routes if route.methods == {"POST"}}  # type: ignore[attr-defined]
    assert set(openapi()["paths"]) == served
    _, number = openapi()["paths"]["/game"]["parameters"]
    assert (number["schema"]["minimum"], number["schema"]["maximum"]) == (1, MOST_LISTED)


def test_the_game_without_a_number_is_the_described_one(client: TestClient) -> None:
    _, number = openapi()["paths"]["/game"]["parameters"]
    three = "(;SZ[5];B[aa])(;SZ[6];B[bb])(;SZ[7];B[cc])"
    asked, plain = (
        client.post(f"/game{query}", content=three, headers={"content-type": SGF}).json()
        for query in (f"?number={number['schema']['default']}", "")
    )
    assert asked == plain


@pytest.mark.parametrize(
    "fields", [{}, {"komi": 11}, {"move": 20}, {"alive": ["C7"], "rules": "jp"}, {"sgf": "(;SZ[5]AB[cc];TB[aa])"}]
)
def test_scores_are_as_described(fields: dict[str, Any], client: TestClient) -> None:
    check(score(client, **fields), SCHEMAS["Score"])


@pytest.mark.parametrize(("path", "schema"), [("/game", "Game"), ("/games", "Games")])
@pytest.mark.parametrize("record", [EXAMPLE, "(;SZ[5]C[Hello];TB[aa]TW[bb])", "(;SZ[5];B[aa];W[aa])"])
def test_games_are_as_described(path: str, schema: str, record: str, client: TestClient) -> None:
    answer = client.post(path, content=record, headers={"content-type": SGF})
    check(answer.json(), SCHEMAS[schema], SCHEMAS)


def test_reviews_are_as_described(client: TestClient) -> None:
    described = {"game": "Heading", "position": "Position", "pass": "Pass"}
    asked = {"sgf": "(;SZ[5];B[cc];W[bb])", "visits": 4}
    for line in map(json.loads, client.post("/review", json=asked).text.splitlines()):
        assert set(line) <= set(SCHEMAS[described[line["kind"]]]["properties"])
        check(line, SCHEMAS[described[line["kind"]]], SCHEMAS)
    found = client.post("/candidates", json=asked).json()
    assert set(found) == set(SCHEMAS["Searched"]["properties"])
    check(found, SCHEMAS["Searched"], SCHEMAS)
