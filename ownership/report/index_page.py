"""The index of several games, with a link to the page of each, and the accuracy of their players."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

from goban.coords import BLACK, WHITE
from goban.errors import plural
from ownership.report.page import escaped, file_name, html_page
from ownership.review.moves import PHASES, Accuracy, ReviewedMove, accuracy_of
from ownership.scoring.games import ScoredGame

_GAMES: Final = ("", "Black", "White", "Moves", "Recorded result", "Score", "Date", "Record")
_PLAYERS: Final = (
    "Player",
    "Games",
    "Accuracy",
    *(phase.capitalize() for phase in PHASES),
    "Lost a move",
    "Best moves",
)


class Entry(NamedTuple):
    """A game of the index.

    Attributes:
        name: of its page, relative to the index.
        end: its last position.
        moves: the reviewed moves, none without a review.
    """

    name: str
    end: ScoredGame
    moves: Sequence[ReviewedMove]


def index_page(games: Sequence[Entry]) -> str:
    """Return the index."""
    rows = (_game(number, entry) for number, entry in enumerate(games, 1))
    body = f"<main>{_players(games)}{_table('Games', _GAMES, rows)}</main>"
    subtitle = f"{plural(len(games), 'game')}, scored by the model {games[0].end.model}" if games else "none"
    return html_page("Games", subtitle, body)


def _players(games: Sequence[Entry]) -> str:
    """Return the table of the named players, those with most games first; nothing without a review."""
    played: dict[str, list[Sequence[ReviewedMove]]] = defaultdict(list)
    for entry in games:
        for colour, name in ((BLACK, entry.end.game.black), (WHITE, entry.end.game.white)):
            moves = [move for move in entry.moves if move.colour == colour]
            if name and moves:
                played[name].append(moves)
    rows = (_player(name, own) for name, own in sorted(played.items(), key=lambda each: (-len(each[1]), each[0])))
    return _table("Players", _PLAYERS, rows) if played else ""


def _player(name: str, games: Sequence[Sequence[ReviewedMove]]) -> str:
    moves = [move for game in games for move in game]
    whole, *phases = (accuracy_of(moves, phase) for phase in (None, *PHASES))
    assert whole is not None
    cells = (
        len(games),
        *map(_percent, (whole, *phases)),
        f"{whole.mean_points_lost:.2f}",
        f"{whole.best_percent:.0f}%",
    )
    numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
    return f"<tr><td><bdi>{escaped(name)}</bdi></td>{numbers}</tr>"


def _percent(part: Accuracy | None) -> str:
    return "" if part is None else f"{part.accuracy_percent:.0f}%"


def _game(number: int, entry: Entry) -> str:
    game = entry.end.game
    cells = (
        game.player(BLACK),
        game.player(WHITE),
        len(game.moves),
        game.result.text,
        entry.end.estimate.result,
        game.date,
        file_name(game.source),
    )
    shown = "".join(f"<td><bdi>{escaped(cell)}</bdi></td>" for cell in cells)
    return f'<tr><td class="number"><a href="{escaped(quote(entry.name))}">Game {number}</a></td>{shown}</tr>'


def _table(heading: str, columns: Sequence[str], rows: Iterable[str]) -> str:
    heads = "".join(f"<th>{name}</th>" for name in columns)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<section class="wide"><h2>{heading}</h2>{table}</section>'
