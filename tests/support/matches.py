"""Results of games of a match that was never played."""

from ownership.match.match_folder import GameResult
from ownership.match.match_game import Ending


def result(number: int, winner: int = 1, ending: str = Ending.PASSES, moves: str = "", **other: int) -> GameResult:
    """Return the stored result of a game, by default a win of the first player."""
    players = {"first": 0, "second": 1, **other}
    return GameResult(
        number=number,
        winner=winner,
        ending=ending,
        result="",
        detail="no idea",
        moves=40,
        seconds=(2.0, 4.0),
        longest=(1.0, 2.0),
        thought=(20, 20),
        id=moves or str(number),
        **players,
    )
