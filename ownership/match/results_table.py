"""The results of a match, as text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from goban.coords import BLACK
from goban.errors import plural
from ownership.match.match_folder import GameResult, games_that_count, player_letter
from ownership.match.match_game import Ending
from ownership.match.statistics import MOST_ELO, WinLoss, elo, ratings


def summary(players: Sequence[str], results: Sequence[GameResult]) -> str:
    """Return tables of win rates with their intervals, and of times; a cross table for more than two players."""
    games, repeated = games_that_count(results)
    records = {
        (first, second): tally([result for result in games if (result.first, result.second) == (first, second)], first)
        for first, second in combinations(range(len(players)), 2)
    }
    legend = [f"{player_letter(number)}  {name}" for number, name in enumerate(players)]
    parts = ["\n".join(legend), _pairs(records, games)]
    if len(players) > 2:
        parts.append(_cross_table(records, len(players)))
    parts.append(_times(players, games))
    parts += _remarks(results, repeated, records.values())
    return "\n\n".join(parts)


def tally(results: Sequence[GameResult], player: int) -> WinLoss:
    """Return how often a player, by its number, won and lost the games that it took part in."""
    won = [result.winner * (1 if result.pairing.black == player else -1) for result in results]
    return WinLoss(won.count(1), won.count(-1), won.count(0))


def _pairs(records: dict[tuple[int, int], WinLoss], games: Sequence[GameResult]) -> str:
    lines = [
        "       games  won  lost  drawn  win rate  95% interval    Elo difference        as Black  as White  moves"
    ]
    for (first, second), record in records.items():
        results = [result for result in games if (result.first, result.second) == (first, second)]
        if not results:
            continue
        low, high = record.interval
        black, white = (
            tally([result for result in results if result.pairing.black == each], first) for each in (first, second)
        )
        elos = f"{elo(record.rate):+5.0f} ({elo(low):+5.0f} to {elo(high):+5.0f})"
        lines.append(
            f"{player_letter(first)} - {player_letter(second)}  {record.games:5}  {record.wins:3}  {record.losses:4}  "
            f"{record.draws:5}  {record.rate:8.1%}  {low:5.1%} to {high:5.1%}  {elos}  "
            f"{_percent(black)}  {_percent(white)}  {sum(result.moves for result in results) / len(results):5.1f}"
        )
    return "\n".join(lines)


def _percent(record: WinLoss) -> str:
    return f"{record.rate:8.1%}" if record.games else f"{'-':>8}"


def _cross_table(records: dict[tuple[int, int], WinLoss], players: int) -> str:
    """Return points of games of every player against every other, and ratings, the best player first."""
    points = ratings(players, records)
    order = sorted(range(players), key=lambda player: -points[player])
    lines = ["   " + "".join(f"{player_letter(player):>11}" for player in order) + "      total     Elo"]
    for player in order:
        against = [_against(records, player, other) for other in order]
        total = WinLoss(*(sum(getattr(each, name) for each in against) for name in ("wins", "losses", "draws")))
        cells = "".join(
            f"{'-':>11}" if other == player else f"{each.points:g}/{each.games}".rjust(11)
            for each, other in zip(against, order, strict=True)
        )
        lines.append(f"{player_letter(player)}  {cells}{f'{total.points:g}/{total.games}':>11}  {points[player]:+6.0f}")
    return "\n".join(lines)


def _against(records: dict[tuple[int, int], WinLoss], player: int, other: int) -> WinLoss:
    if (player, other) in records:
        return records[player, other]
    turned = records.get((other, player), WinLoss())
    return WinLoss(turned.losses, turned.wins, turned.draws)


def _times(players: Sequence[str], games: Sequence[GameResult]) -> str:
    lines = ["   seconds a move  longest  lost on time  illegal  crashed  resigned"]
    for player in range(len(players)):
        own = [
            (result, 0 if result.pairing.black == player else 1)
            for result in games
            if player in (result.first, result.second)
        ]
        moves = sum(result.thought[colour] for result, colour in own)
        mean = sum(result.seconds[colour] for result, colour in own) / max(1, moves)
        longest = max((result.longest[colour] for result, colour in own), default=0.0)
        lost = Counter(result.ending for result, colour in own if result.winner == (-BLACK if colour == 0 else BLACK))
        endings = (Ending.TIME, Ending.ILLEGAL, Ending.CRASH, Ending.RESIGNED)
        time, illegal, crash, resigned = (lost[ending] for ending in endings)
        lines.append(
            f"{player_letter(player)}  {mean:14.2f}  {longest:7.2f}  {time:12}  {illegal:7}  {crash:7}  {resigned:8}"
        )
    return "\n".join(lines)


def _remarks(results: Sequence[GameResult], repeated: int, records: Iterable[WinLoss]) -> list[str]:
    """Return how many games repeated others, were void or did not end, and whether Elo was cut, one remark a line."""
    void = [result for result in results if result.ending == Ending.UNDECIDED]
    long = sum(result.ending == Ending.LENGTH for result in results)
    cut = any(abs(elo(rate)) >= MOST_ELO for each in records if each.games for rate in (each.rate, *each.interval))
    found = [
        f"{plural(repeated, 'game')} left out that repeated another move by move" if repeated else "",
        f"{plural(len(void), 'game')} left out that could not be counted: {void[0].detail}" if void else "",
        f"{plural(long, 'game')} that did not end, counted as the board stood" if long else "",
        f"Elo differences of more than {MOST_ELO:.0f} are shown as {MOST_ELO:.0f}" if cut else "",
    ]
    shown = "\n".join(remark for remark in found if remark)
    return [shown] if shown else []
