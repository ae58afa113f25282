"""What `ownership serve` answers about groups and about what is settled."""

import json
from typing import Any, Final

import pytest
from starlette.testclient import TestClient

from goban.coords import BLACK, WHITE
from ownership.cli import main
from ownership.explaining.risks import largest_risk
from ownership.explaining.stakes import GroupStake
from ownership.server.openapi import openapi
from tests.support.paths import EXAMPLES
from tests.support.schemas import check
from tests.support.server import EXAMPLE, error

SCHEMAS: Final = openapi()["components"]["schemas"]


def asked(client: TestClient, path: str, **fields: Any) -> dict[str, Any]:
    answer = client.post(path, json={"sgf": EXAMPLE, **fields})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_group_is_explained_as_on_the_command_line(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(client, "/explain", vertex="C7", visits=20)
    check(found, SCHEMAS["GroupStatus"], SCHEMAS)
    assert (found["colour"], sorted(found["group"]), found["status"]) == ("White", ["C6", "C7"], "dead")
    assert [line["first"] for line in found["lines"]] == ["White", "Black"]
    assert main(["explain", str(EXAMPLES / "finished-9x9.sgf"), "C7", "--visits", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found


def test_what_is_at_stake_is_that_of_the_command_line(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(client, "/stakes", move=24)
    check(found, SCHEMAS["Stakes"], SCHEMAS)
    assert main(["explain", str(EXAMPLES / "finished-9x9.sgf"), "--move", "24", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found["groups"]
    assert asked(client, "/stakes")["risk"] is None, "no move follows"


def test_what_is_settled_is_that_of_the_command_line(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(client, "/settled", move=24, symmetries=1)
    check(found, SCHEMAS["Settled"], SCHEMAS)
    assert main(["settled", str(EXAMPLES / "finished-9x9.sgf"), "--move", "24", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {name: printed[name] for name in found} == found


def test_a_move_that_leaves_a_group_in_danger_risks_it(client: TestClient) -> None:
    """White's corner lives by B9; White plays at the other end of the board."""
    board = "(;SZ[9]KM[7]RU[Chinese]PL[W]AW[da][ab][bb][cb][db][fe][ge][he][ie][ae][be][ce][de][ee]"
    board += "AB[ea][eb][ac][bc][cc][dc][ec][fc][gc][hc]"
    risk = asked(client, "/stakes", sgf=f"{board};W[hh])", move=0)["risk"]
    assert set(risk["group"]) == {"D9", "A8", "B8", "C8", "D8"}
    assert risk["chance_before"] - risk["chance"] > 0.2 and 12 < risk["points"] < 24
    assert asked(client, "/stakes", sgf=f"{board};W[ba])", move=0)["risk"] is None


def test_the_largest_risk() -> None:
    def stake(colour: int, points: tuple[int, ...], worth: float, chance: float) -> GroupStake:
        return GroupStake(9, colour, points, worth, chance)

    before = [stake(BLACK, (0, 1), 20, 0.95), stake(BLACK, (9,), 30, 0.9), stake(WHITE, (20,), 40, 0.9)]
    after = [stake(BLACK, (0, 1, 2), 24, 0.6), stake(BLACK, (9,), 30, 0.85), stake(WHITE, (20,), 40, 0.1)]
    risk = largest_risk(before, [*after, stake(BLACK, (40,), 50, 0.1)], BLACK)
    assert risk is not None
    assert risk.text == "risks Black's A9, 24 points: 5% in danger before, 40% after"
    assert risk.cost == pytest.approx(24 * 0.35)
    assert risk.as_json()["chance_before"] == 0.95
    assert largest_risk(before, after[1:2], BLACK) is None, "a fall by less than a tenth"


@pytest.mark.parametrize(
    ("path", "fields", "expected"),
    [
        ("/explain", {"vertex": "A1"}, "vertex: expected a point with a stone. Received: an empty point"),
        ("/explain", {"vertex": "Z9"}, "vertex: "),
        ("/explain", {"vertex": "pass"}, "vertex: expected a point with a stone. Received: a pass"),
        ("/explain", {"vertex": 3}, "vertex: expected a vertex such as D4. Received: 3"),
        ("/explain", {}, "vertex: expected a vertex such as D4. Received: nothing"),
        ("/explain", {"vertex": "C7", "visits": 0}, "visits: "),
        ("/stakes", {"move": 400}, "move"),
        ("/settled", {"move": 400}, "move"),
        ("/stakes", {"dead": []}, "unknown field 'dead'"),
    ],
)
def test_a_wrong_request_is_one_line(path: str, fields: dict[str, Any], expected: str, client: TestClient) -> None:
    status, said = error(client, json.dumps({"sgf": EXAMPLE, **fields}), path=path)
    assert status == 400
    assert expected in said and "\n" not in said
