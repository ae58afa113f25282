"""Why a game gets no target."""

from game_records.game_record import GameRecord
from goban.errors import InputError, plural

MIN_MOVES_PER_POINT = 0.25
REJECTIONS = {
    "filtered": "the record does not pass the filter",
    "not counted": "the game ended by resignation, on time or without a result",
    "too short": "fewer moves than a quarter of the board's points",
    "side": "GNU Go plays on sides 5 to 19 only",
    "gnugo timeout": "GNU Go did not finish the game in time",
    "gnugo crash": "GNU Go ended with an error or was killed at its memory limit",
    "gnugo output": "GNU Go wrote no readable game",
    "score differs": "the final board does not give the recorded score",
    "winner differs": "a resigned game that was played to the end was won by the other side",
    "in doubt": "a game that the model played to the end, and in which the status of some chain is uncertain",
    "not finished": "a game that the model played until it passed twice, while much was open",
    "too long": "a game that the model played for more than three moves for each point of the board",
    "duplicate": "the same moves occurred earlier in the input",
    "worker died": "the process that scored the game died, also when it was tried again",
}


class Rejected(InputError):
    """A game that gives no training target.

    Attributes:
        reason: a key of REJECTIONS; "truncated" for a record that breaks off.
        detail: what was found.
        counted: the count that the record contradicts, Black minus White with komi; None where nothing was counted.
    """

    def __init__(self, reason: str, detail: str, counted: float | None = None) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.counted = counted


def refusal_by_record(game: GameRecord, resigned: bool) -> tuple[str, str] | None:
    """Return (reason, detail) for a game without a usable result, or with too few moves; else None.

    Args:
        game: the record.
        resigned: whether resigned games are labelled.
    """
    if game.result.score is None and not (resigned and game.result.kind == "resign"):
        return "not counted", f"result {game.result.text or 'missing'}"
    if len(game.move_points) < MIN_MOVES_PER_POINT * game.side**2:
        return "too short", f"{plural(len(game.move_points), 'move')} on {game.side**2} points"
    return None
