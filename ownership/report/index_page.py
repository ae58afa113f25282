"""The index of several games, with a link to the page of each."""

from collections.abc import Sequence
from urllib.parse import quote

from goban.coords import BLACK, WHITE
from ownership.report.page import escaped, file_name, html_page
from ownership.scoring.games import ScoredGame
from preprocessing.plurals import plural

_COLUMNS = ("Black", "White", "Moves", "Recorded result", "Score", "Date", "Record")


def index_page(games: Sequence[tuple[str, ScoredGame]]) -> str:
    """Return the index.

    Args:
        games: for each game the name of its page, relative to the index, and its last position.
    """
    heads = "".join(f"<th>{name}</th>" for name in ("", *_COLUMNS))
    rows = "".join(_row(number, name, end) for number, (name, end) in enumerate(games, 1))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    body = f'<main><section class="wide">{table}</section></main>'
    return html_page(
        "Games", f"{plural(len(games), 'game')}, scored by the model {games[0][1].model}" if games else "none", body
    )


def _row(number: int, name: str, end: ScoredGame) -> str:
    game = end.game
    cells = (
        game.player(BLACK),
        game.player(WHITE),
        len(game.moves),
        game.result.text,
        end.estimate.result,
        game.date,
        file_name(game.source),
    )
    shown = "".join(f"<td><bdi>{escaped(cell)}</bdi></td>" for cell in cells)
    return f'<tr><td class="number"><a href="{escaped(quote(name))}">Game {number}</a></td>{shown}</tr>'
