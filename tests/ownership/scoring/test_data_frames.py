"""DataFrames of records, scored games and datasets."""

from typing import Any

import numpy as np
import pytest

from game_datasets.load_table import load_games
from game_records.record_errors import BadRecord
from ownership import Evaluator, read_game, read_games, score_games, to_pandas
from tests.support.paths import DATA, EXAMPLES


def test_a_record_is_a_row() -> None:
    records = list(read_games(EXAMPLES))
    frame = to_pandas(records)
    assert list(frame["source"]) == [each.source for each in records]
    row = frame[frame["source"].str.endswith("finished-9x9.sgf")].iloc[0]
    game = read_game(EXAMPLES / "finished-9x9.sgf")
    assert row["moves"] == game.moves and len(row["moves"]) == 45
    assert (row["side"], row["komi"], row["result"], row["recorded_score"]) == (9, 7.0, "B+4.0", 4.0)
    assert (row["black"], row["rules"]) == ("GNU Go 3.8", "chinese")


def test_a_scored_game_is_a_row_of_the_figures_of_its_json(bundled: Evaluator) -> None:
    bad = BadRecord("x.sgf", "not SGF", "no game")
    frame = to_pandas(score_games([read_game(EXAMPLES / "finished-9x9.sgf"), bad], bundled))
    first, second = frame.iloc[0], frame.iloc[1]
    assert list(frame.columns[:2]) == ["source", "move"]
    assert (first["move"], first["score"], first["state"], first["model"]) == (45, 4.0, "confirmed", "default")
    assert not any(isinstance(value, list | dict) for value in first)
    assert (second["source"], second["reason"], second["detail"]) == ("x.sgf", "not SGF", "no game")
    assert np.isnan(second["score"])


def test_a_dataset_is_a_row_a_game() -> None:
    table = load_games(DATA / "everyday" / "gnugo")
    frame = table.to_pandas()
    assert len(frame) == len(table) > 100
    assert list(frame["length"]) == [len(moves) for moves in frame["moves"]] == table.lengths.tolist()
    longest = int(frame["length"].idxmax())
    moves, last = frame["moves"][longest], int(table.lengths[longest])
    assert moves[0][0] in "BW" and moves[-1][1] == "pass"
    assert table.position(longest, last).recent[1] == table.side[longest] ** 2, "two passes"
    assert frame["score"].equals(frame["score"].dropna())


def test_no_games_give_an_empty_frame_and_another_object_is_refused() -> None:
    assert len(to_pandas([])) == 0
    wrong: Any = ["game.sgf"]
    with pytest.raises(TypeError, match=r"records from read_games, or scored games\. Received: str 'game\.sgf'"):
        to_pandas(wrong)
