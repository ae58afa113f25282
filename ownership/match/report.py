"""The results of a match as text."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from goban.coords import BLACK
from ownership.match.game import Ending
from ownership.match.statistics import Record, elo, ratings
from ownership.match.storage import Row, counted

_UNUSUAL = (Ending.TIME, Ending.ILLEGAL, Ending.CRASH, Ending.LENGTH)


def report(players: Sequence[str], rows: Sequence[Row]) -> str:
    """Return who won how often, how sure that is, and how long it took; a cross table for more than two players."""
    games, repeated = counted(rows)
    records = {
        (first, second): record_of([row for row in games if (row.first, row.second) == (first, second)], first)
        for first, second in combinations(range(len(players)), 2)
    }
    legend = [f"{chr(ord('A') + number)}  {name}" for number, name in enumerate(players)]
    parts = ["\n".join(legend), _pairs(records, games)]
    if len(players) > 2:
        parts.append(_cross_table(records, len(players)))
    parts.append(_times(players, games))
    parts += _remarks(rows, repeated)
    return "\n\n".join(parts)


def record_of(rows: Sequence[Row], player: int) -> Record:
    """Return the record of a player, by its number, in games that it took part in."""
    won = [row.winner * (1 if row.pairing.black == player else -1) for row in rows]
    return Record(won.count(1), won.count(-1), won.count(0))


def _pairs(records: dict[tuple[int, int], Record], games: Sequence[Row]) -> str:
    lines = [
        "       games  won  lost  drawn  win rate  95% interval    Elo difference        as Black  as White  moves"
    ]
    for (first, second), record in records.items():
        rows = [row for row in games if (row.first, row.second) == (first, second)]
        if not rows:
            continue
        low, high = record.interval
        black, white = (
            record_of([row for row in rows if row.pairing.black == each], first) for each in (first, second)
        )
        elos = f"{elo(record.rate):+5.0f} ({elo(low):+5.0f} to {elo(high):+5.0f})"
        lines.append(
            f"{_letter(first)} - {_letter(second)}  {record.games:5}  {record.wins:3}  {record.losses:4}  "
            f"{record.draws:5}  {record.rate:8.1%}  {low:5.1%} to {high:5.1%}  {elos}  "
            f"{_percent(black)}  {_percent(white)}  {sum(row.moves for row in rows) / len(rows):5.1f}"
        )
    return "\n".join(lines)


def _percent(record: Record) -> str:
    return f"{record.rate:8.1%}" if record.games else f"{'-':>8}"


def _cross_table(records: dict[tuple[int, int], Record], players: int) -> str:
    """Return points of games of every player against every other, and ratings, the best player first."""
    points = ratings(players, records)
    order = sorted(range(players), key=lambda player: -points[player])
    lines = ["   " + "".join(f"{_letter(player):>11}" for player in order) + "      total     Elo"]
    for player in order:
        against = [_against(records, player, other) for other in order]
        total = Record(*(sum(getattr(each, name) for each in against) for name in ("wins", "losses", "draws")))
        cells = "".join(
            f"{'-':>11}" if other == player else f"{each.points:g}/{each.games}".rjust(11)
            for each, other in zip(against, order, strict=True)
        )
        lines.append(f"{_letter(player)}  {cells}{f'{total.points:g}/{total.games}':>11}  {points[player]:+6.0f}")
    return "\n".join(lines)


def _against(records: dict[tuple[int, int], Record], player: int, other: int) -> Record:
    if (player, other) in records:
        return records[player, other]
    turned = records.get((other, player), Record())
    return Record(turned.losses, turned.wins, turned.draws)


def _times(players: Sequence[str], games: Sequence[Row]) -> str:
    lines = ["   seconds a move  longest  lost on time  illegal  crashed  resigned"]
    for player in range(len(players)):
        own = [(row, 0 if row.pairing.black == player else 1) for row in games if player in (row.first, row.second)]
        moves = sum(row.thought[colour] for row, colour in own)
        mean = sum(row.seconds[colour] for row, colour in own) / max(1, moves)
        longest = max((row.longest[colour] for row, colour in own), default=0.0)
        lost = Counter(row.ending for row, colour in own if row.winner == (-BLACK if colour == 0 else BLACK))
        endings = (Ending.TIME, Ending.ILLEGAL, Ending.CRASH, Ending.RESIGNED)
        time, illegal, crash, resigned = (lost[ending] for ending in endings)
        lines.append(
            f"{_letter(player)}  {mean:14.2f}  {longest:7.2f}  {time:12}  {illegal:7}  {crash:7}  {resigned:8}"
        )
    return "\n".join(lines)


def _remarks(rows: Sequence[Row], repeated: int) -> list[str]:
    """Return what else there is to know about games, one remark a line."""
    void = [row for row in rows if row.ending == Ending.UNDECIDED]
    long = sum(row.ending == Ending.LENGTH for row in rows)
    found = [
        f"{repeated} games repeated another move by move and do not count" if repeated else "",
        f"{len(void)} games could not be counted and do not count: {void[0].detail}" if void else "",
        f"{long} games did not end and were counted as they stood" if long else "",
    ]
    shown = "\n".join(remark for remark in found if remark)
    return [shown] if shown else []


def _letter(player: int) -> str:
    return chr(ord("A") + player)
