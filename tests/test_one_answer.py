"""One game has one answer: from the command line, GTP, the page, Python, and the analysis of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from game_records.game_record import GameRecord
from game_records.record_sources import read_game
from goban.coords import BLACK, WHITE, colour_letter, gtp_name, sgf_name
from goban.handicap_stones import fixed_handicap
from gogui_plugin.gogui_analyze_menu import estimate_details
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.katago_protocol.query import Defaults, parse_query
from ownership.review.searched_positions import review
from ownership.scoring.score_games import score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.server.app import create_app
from tests.support.gtp import Inside

Moves = list[tuple[int, int]]


def wall(side: int, column: int) -> Moves:
    """Return moves that divide a board between Black, on the left, and White."""
    return [(colour, row * side + column + (colour == WHITE)) for row in range(side) for colour in (BLACK, WHITE)]


def stones(side: int, *points: tuple[int, int]) -> Moves:
    """Return moves of both colours in turn, by rows and columns."""
    return [((BLACK, WHITE)[number % 2], row * side + column) for number, (row, column) in enumerate(points)]


def sgf(side: int, moves: Moves, passes: int = 0, setup: str = "") -> str:
    """Return a record with %s in the place of properties."""
    last = moves[-1][0] if moves else WHITE
    moves = moves + [(last * (-1) ** number, side * side) for number in range(1, passes + 1)]
    nodes = "".join(f";{colour_letter(colour)}[{sgf_name(point, side)}]" for colour, point in moves)
    return f"(;GM[1]FF[4]SZ[{side}]%s{setup}{nodes})"


def placed(side: int, handicap: int) -> str:
    return f"HA[{handicap}]AB" + "".join(f"[{sgf_name(point, side)}]" for point in fixed_handicap(side, handicap))


INVASION = stones(9, (4, 7), (0, 0), (2, 7), (1, 0))
GAMES = {
    "divided-5": sgf(5, wall(5, 2), 2),
    "divided-7": sgf(7, wall(7, 3), 2),
    "no-passes-9": sgf(9, wall(9, 4)),
    "dead-stones-9": sgf(9, wall(9, 3) + INVASION, 2),
    "open-13": sgf(13, stones(13, (3, 3), (9, 9), (3, 9), (9, 3), (5, 2))),
    "handicap-9": sgf(9, wall(9, 4)[1:], 2, placed(9, 2)),
    "impossible-handicap-5": sgf(5, wall(5, 2), 2, "HA[-3]"),
    "handicap-without-stones-9": sgf(9, wall(9, 4)[1:], 2, "HA[3]"),
    "first-moves-7": sgf(7, [(BLACK, 8), (BLACK, 36), *wall(7, 3)[1:]], 2),
    "passes-and-on-7": sgf(7, [*wall(7, 3), (BLACK, 49), (WHITE, 49), *stones(7, (3, 1), (3, 5))], 2),
    "divided-19": sgf(19, wall(19, 9), 2),
}
TERMS = [
    "",
    "KM[7]",
    "KM[0]RE[B+3.5]",
    "KM[0]RE[W+R]",
    "RU[Chinese]RE[W+2.5]",
    "RU[Japanese]KM[650]",
    "RE[B+0.5]",
    "RU[AGA]KM[3.75]RE[Void]",
]
RECORDS = {f"{name}-{number}": game % terms for name, game in GAMES.items() for number, terms in enumerate(TERMS)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records")
    for name, record in RECORDS.items():
        (path / f"{name}.sgf").write_text(record)
    return path


@pytest.fixture(scope="module")
def printed(folder: Path) -> dict[str, dict[str, Any]]:
    """What the command line prints about each record."""
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("sys.stdout.write", lines.append)
        assert main(["score", "--json", "--second-judge", SECOND_JUDGE, str(folder)]) == 0
    return {Path(answer["source"]).stem: answer for answer in json.loads("".join(lines))}


@pytest.fixture(scope="module")
def gtp() -> Iterator[Inside]:
    engine = Inside()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def page(bundled: Evaluator) -> TestClient:
    return TestClient(create_app(bundled), base_url="http://localhost")


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_one_answer(
    name: str, folder: Path, printed: dict[str, dict[str, Any]], gtp: Inside, page: TestClient, bundled: Evaluator
) -> None:
    path, answer = folder / f"{name}.sgf", printed[name]
    record = read_game(path)
    [scored] = score_games([record], bundled, ScoreOptions(second_judge=SECOND_JUDGE))
    assert isinstance(scored, ScoredGame)
    assert as_json(scored) == answer

    gtp.ask("kgs-rules japanese")  # what was played before does not matter
    assert gtp.ask(f"loadsgf {path}") == "= "
    assert gtp.value("final_score") == answer["result"]
    assert sorted(gtp.value("final_status_list dead").split()) == sorted(answer["dead"])
    assert gtp.value("ownership-details") == estimate_details(scored.estimate, scored.assumed).replace("\n\n", "\n \n")
    assert gtp.value("ownership-score").count("(assumed)") == len(answer["assumed"])

    shown = page.post("/score", json={"sgf": RECORDS[name]}).json()
    assert {key: shown[key] for key in answer} == answer | {"source": shown["source"]}

    [end] = review(record, bundled, ScoreOptions(second_judge=SECOND_JUDGE), 2, [len(record.move_points)])
    assert end.scored.estimate.terms == scored.estimate.terms
    assert not scored.estimate.finished or end.score == answer["score"]
    asked = parse_query(query_of(record, answer), Defaults())
    assert asked.game.terms == scored.estimate.terms


def query_of(record: GameRecord, answer: dict[str, Any]) -> dict[str, Any]:
    """Return the query of the analysis engine about the end of a record, by the rules and the komi of an answer."""
    setup = [(colour, point) for point, colour in enumerate(record.setup.tolist()) if colour]
    moves = zip(record.move_colours.tolist(), record.move_points.tolist(), strict=True)
    first, rest = (
        [[colour_letter(colour), gtp_name(point, record.side)] for colour, point in part] for part in (setup, moves)
    )
    size = {"boardXSize": record.side, "boardYSize": record.side}
    return {"id": "x", "initialStones": first, "moves": rest, "rules": answer["rules"], "komi": answer["komi"], **size}


def test_a_position_within_a_record_has_one_answer(folder: Path, gtp: Inside, bundled: Evaluator) -> None:
    """Two passes in the middle of a record end no game."""
    path = folder / "passes-and-on-7-2.sgf"
    for move in (0, 3, 14, 16, 17, 20):
        [scored] = score_games([read_game(path)], bundled, ScoreOptions(move=move))
        assert isinstance(scored, ScoredGame)
        gtp.ask(f"loadsgf {path} {move + 1}")
        assert gtp.value("ownership-details") == estimate_details(scored.estimate, scored.assumed)


def test_what_the_user_sets_is_not_assumed(folder: Path, gtp: Inside, bundled: Evaluator) -> None:
    path = folder / "divided-7-0.sgf"
    [scored] = score_games([read_game(path)], bundled, ScoreOptions(rules="aga", komi=3.5))
    assert isinstance(scored, ScoredGame)
    gtp.all([f"loadsgf {path}", "kgs-rules aga", "komi 3.5"])
    assert gtp.value("ownership-details") == estimate_details(scored.estimate, ())
    assert gtp.value("ownership-score").startswith(f"aga rules, komi 3.5: {scored.estimate.result} ")
