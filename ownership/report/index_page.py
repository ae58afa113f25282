"""Several games as a page that leads to theirs."""

from collections.abc import Sequence

from ownership.report.page import page, text
from ownership.scoring.games import ScoredGame

_COLUMNS = ("Black", "White", "Moves", "Record says", "Here", "Date", "Record")


def index_page(games: Sequence[tuple[str, ScoredGame]]) -> str:
    """Return the page of games: the name of each one's file, relative to it, and the game's last position."""
    heads = "".join(f"<th>{name}</th>" for name in ("", *_COLUMNS))
    rows = "".join(_row(number, name, end) for number, (name, end) in enumerate(games, 1))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    body = f'<main><section class="wide">{table}</section></main>'
    return page("Games", f"{len(games)} games, scored by the model {games[0][1].model}" if games else "none", body)


def _row(number: int, name: str, end: ScoredGame) -> str:
    game = end.game
    cells = (
        f"{game.black} {game.black_rank}".strip(),
        f"{game.white} {game.white_rank}".strip(),
        len(game.moves),
        game.result.text,
        end.estimate.result,
        game.date,
        game.source,
    )
    shown = "".join(f"<td><bdi>{text(cell)}</bdi></td>" for cell in cells)
    return f'<tr><td class="number"><a href="{text(name)}">Game {number}</a></td>{shown}</tr>'
