"""Records and scored games as pandas DataFrames."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from goban.errors import wrong_type
from ownership.scoring.score_json import as_json
from ownership.scoring.scored_game import ScoredGame

if TYPE_CHECKING:
    import pandas as pd  # slow to import, and part of an extra

_NAMES: Final = ("source", "side", "komi", "handicap", "rules", "black", "white", "black_rank", "white_rank", "date")


def to_pandas(games: Iterable[GameRecord | ScoredGame | BadRecord]) -> "pd.DataFrame":
    """Return a DataFrame with a row for each game, in their order; a table of `load_games` has a method of this name.

    Args:
        games: records, with the columns `source`, `side`, `komi`, `handicap`, `rules`, `black`, `white`, `black_rank`,
            `white_rank`, `date`, `result`, `recorded_score` (Black's points minus White's) and `moves`; or scored
            games, with `move`, the number of moves played before, and those values of `as_json` that are no lists; bad
            records have `source`, `reason` and `detail`.

    Raises:
        TypeError: another object.
    """
    import pandas as pd

    return pd.DataFrame([_row(each) for each in games])


def _row(game: GameRecord | ScoredGame | BadRecord) -> dict[str, Any]:
    if isinstance(game, GameRecord):
        result = {"result": game.result.text, "recorded_score": game.result.score, "moves": game.moves}
        return {name: getattr(game, name) for name in _NAMES} | result
    if isinstance(game, BadRecord):
        return {"source": game.source, "reason": game.reason, "detail": game.detail}
    if not isinstance(game, ScoredGame):
        raise wrong_type("records from read_games, or scored games", game)
    values = as_json(game)
    move = values.pop("moves")
    single = {name: value for name, value in values.items() if not isinstance(value, list | dict)}
    return {"source": single.pop("source"), "move": move, **single}
