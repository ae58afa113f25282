"""The index of several games, with a link to the page of each, and the accuracy of their players."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from goban.coords import BLACK, WHITE
from goban.counting.languages import language
from ownership.report.game_page import player_name, recorded
from ownership.report.page_frame import as_html, file_name, html_page
from ownership.report.page_texts import texts
from ownership.review.move_losses import PHASES, Accuracy, ReviewedMove, accuracy_of
from ownership.scoring.scored_game import ScoredGame

_FACTS = ("moves", "recorded", "score", "date", "record")


class IndexEntry(NamedTuple):
    """A game of the index.

    Attributes:
        name: of its page, relative to the index.
        end: its last position.
        moves: the reviewed moves, none without a review.
    """

    name: str
    end: ScoredGame
    moves: Sequence[ReviewedMove]


def index_page(games: Sequence[IndexEntry]) -> str:
    """Return the index."""
    words = texts(language.get())
    columns = ("", *(words[name] for name in ("black", "white", *(f"fact_{fact}" for fact in _FACTS))))
    rows = (_game(number, entry, words) for number, entry in enumerate(games, 1))
    body = f"<main>{_players(games, words)}{_table(words['index_title'], columns, rows)}</main>"
    model = [words["scored_by"].format(model=games[0].end.model)] if games else []
    subtitle = " ".join([words["index_count"].format(count=len(games)), *model])
    return html_page(words["index_title"], subtitle, body, language=language.get())


def _players(games: Sequence[IndexEntry], words: Mapping[str, str]) -> str:
    """Return the table of the named players, those with most games first; nothing without a review."""
    played: dict[str, list[Sequence[ReviewedMove]]] = defaultdict(list)
    for entry in games:
        for colour, name in ((BLACK, entry.end.game.black), (WHITE, entry.end.game.white)):
            moves = [move for move in entry.moves if move.colour == colour]
            if name and moves:
                played[name].append(moves)
    rows = (_player(name, own) for name, own in sorted(played.items(), key=lambda each: (-len(each[1]), each[0])))
    accuracies = (f"accuracy_{part}" for part in ("game", *PHASES))
    columns = [words[name] for name in ("index_player", "index_title", *accuracies, "mean_lost", "best_moves")]
    return _table(words["index_players"], columns, rows) if played else ""


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
    return f"<tr><td><bdi>{as_html(name)}</bdi></td>{numbers}</tr>"


def _percent(part: Accuracy | None) -> str:
    return "" if part is None else f"{part.accuracy_percent:.0f}%"


def _game(number: int, entry: IndexEntry, words: Mapping[str, str]) -> str:
    game = entry.end.game
    cells = (
        player_name(game, BLACK, words),
        player_name(game, WHITE, words),
        len(game.move_points),
        recorded(game),
        entry.end.estimate.result,
        game.date,
        file_name(game.source),
    )
    shown = "".join(f"<td><bdi>{as_html(cell)}</bdi></td>" for cell in cells)
    name = as_html(words["game_link"].format(number=number))
    return f'<tr><td class="number"><a href="{as_html(quote(entry.name))}">{name}</a></td>{shown}</tr>'


def _table(heading: str, columns: Sequence[str], rows: Iterable[str]) -> str:
    heads = "".join(f'<th scope="col">{as_html(name)}</th>' for name in columns)
    table = (
        f"<table aria-label='{as_html(heading)}'><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
    return f'<section class="wide"><h2>{as_html(heading)}</h2>{table}</section>'
