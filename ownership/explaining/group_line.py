"""A line of moves that shows what becomes of a group: a search for each move, until the outcome is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from goban.coords import opponent, pass_point
from goban.game import Game
from ownership.explaining.group_leaves import CAPTURED, READ_ALIVE, UNCONDITIONAL, GroupLeaves, Life
from ownership.search.forbidden_moves import ForbiddenMoves
from ownership.search.mcts.root_move_choice import TreeMove
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

_FURTHER: Final = 4  # by which the visits of the moves after the first are fewer
_LEAST: Final = 2  # visits of a search that has moves
_LONGEST: Final = 40  # moves of a line
_PASSES: Final = 2  # that end one
_OPTIONS: Final = TreeOptions(score_weight=0.0, threads=1, choice="visits")
_SURE: Final = 0.85  # chance from which a group lives, and dies by the other side's, without a proof
_LAST: Final = (CAPTURED, UNCONDITIONAL, READ_ALIVE)  # what ends a line
_NO_WORSE: Final = 0.1  # chance that an attacker may give up by a move instead of a pass
_TRIES: Final = 6  # other moves that are followed
_MOST: Final = 60  # by which the positions that are evaluated for other moves are more than the visits of a search
_HOPE: Final = 0.5  # chance from which another move of the side that fails is followed to its end

Outcome = Literal["captured", "lives", "open"]


@dataclass(frozen=True)
class GroupLine:
    """What happens to a group if both sides play as well as the search finds.

    Attributes:
        first: the colour that moves first.
        moves: flat indices in turn, N*N for a pass.
        end: what is known about the group at the end of the line.
        outcome: what becomes of the group.
        ko: flat index of the point of a ko that decides: the side that fails would succeed if it might play there.
        seki: whether it lives there in seki.
    """

    first: int
    moves: tuple[int, ...]
    end: Life
    outcome: Outcome
    ko: int | None = None
    seki: bool = False


class LineSearch:
    """Finds lines for one group of a position.

    Args:
        leaves: the values for the group.
        game: whose last position has the group.
        colour: of the group.
        interrupted: called after each batch of a search; a line ends when it returns True.
    """

    def __init__(self, leaves: GroupLeaves, game: Game, colour: int, interrupted: Callable[[], bool]) -> None:
        self._leaves, self._game, self._colour, self._interrupted = leaves, game, colour, interrupted

    def line(self, first: int, visits: int, begun: Sequence[int] = ()) -> GroupLine:
        """Return the line that a colour begins.

        Args:
            first: BLACK or WHITE.
            visits: of the search for the first move; those of further moves are fewer.
            begun: flat indices of the first moves of the line, if they are given.
        """
        games, end = self._played(self._game.with_player(first), visits, begun)
        moves = tuple(point for _, point in games[-1].indexed_moves[len(self._game.indexed_moves) :])
        return GroupLine(first, moves, end, _outcome(end))

    def described(self, line: GroupLine, visits: int) -> GroupLine:
        """Return a line with the ko that decides it, and whether the group lives in seki.

        Args:
            line: of this group.
            visits: as of a line, for what follows where the ko is retaken.
        """
        games = self._games(line)
        kos = (now.position.ko for now in self._kos(games, line.outcome) if self._decides(now, line.outcome, visits))
        seki = line.outcome == "lives" and self._leaves.in_seki(games[-1].position)
        return replace(line, ko=next(kos, None), seki=seki)

    def _games(self, line: GroupLine) -> list[Game]:
        """Return the game before each move of a line, and at its end."""
        games = [self._game.with_player(line.first)]
        for move in line.moves:
            games.append(games[-1].play(move))
        return games

    def _played(self, game: Game, visits: int, begun: Sequence[int]) -> tuple[list[Game], Life]:
        """Return the game after each move of a line, the given game first, and what is known at its end."""
        search, given = TreeSearch(self._leaves, game.ruleset, _OPTIONS), list(begun)
        games, passes = [game], 0
        while given or (life := self._leaves.lives([games[-1].position])[0]).proof not in _LAST:
            if given:
                move = given.pop(0)
            elif self._interrupted() or len(games) > _LONGEST or passes == _PASSES:
                break
            else:
                limit = max(_LEAST, visits if len(games) == 1 else visits // _FURTHER)
                move = self._move(search, games[-1], limit)
            passes = passes + 1 if move == pass_point(game.side) else 0
            games.append(games[-1].play(move))
        return games, life

    def _kos(self, games: Sequence[Game], outcome: Outcome) -> list[Game]:
        """Return where a ko forbids a move to the side that fails: for each ko the last time, the last ko first."""
        loser = self._loser(outcome)
        found = {now.position.ko: now for now in games if now.position.ko >= 0 and now.position.to_move == loser}
        return list(reversed(found.values())) if outcome != "open" else []

    def _decides(self, now: Game, outcome: Outcome, visits: int) -> bool:
        """Return whether the side that fails would succeed if the ko were not forbidden."""
        _, end = self._played(now.with_setup({}, now.position.to_move), visits // _FURTHER, [now.position.ko])
        return _outcome(end) not in (outcome, "open")

    def _loser(self, outcome: Outcome) -> int:
        return opponent(self._colour) if outcome == "lives" else self._colour

    def refuted(self, line: GroupLine, visits: int, after: int) -> GroupLine:
        """Return a line in which another move of the side that fails succeeds; the line itself if none is found.

        Args:
            line: in which the group lives or is captured. Other moves are tried late in the line first.
            visits: of the search for another move.
            after: of those for what follows, as of a line.
        """
        games, loser, tries = self._games(line), self._loser(line.outcome), 0
        most = self._leaves.evaluated + _MOST * visits
        for ply in reversed(range(len(line.moves))):
            if tries == _TRIES or self._leaves.evaluated > most or self._interrupted():
                break
            if games[ply].position.to_move != loser:
                continue
            another = self._another(games[ply], line.moves[ply], visits)
            if another is not None:
                tries += 1
                other = self.line(line.first, after, (*line.moves[:ply], another))
                if other.outcome not in (line.outcome, "open"):
                    return other
        return line

    def _another(self, game: Game, without: int, visits: int) -> int | None:
        """Return the best move but one, if it may succeed."""
        mover = game.position.to_move
        forbidden = ForbiddenMoves(game.side)
        forbidden.add("avoid", mover, [without], 1)
        search = TreeSearch(self._leaves, game.ruleset, _OPTIONS)
        for _ in search.run(game, Limits(visits=visits), self._interrupted, forbidden.plies):
            pass
        moves = search.result().moves
        if not moves:
            return None
        return moves[0].point if moves[0].value.wins_for(mover) >= _HOPE else None

    def _move(self, search: TreeSearch, now: Game, visits: int) -> int:
        for _ in search.run(now, Limits(visits=visits), self._interrupted):
            pass
        return _chosen(search.result().moves, now, attacks=now.position.to_move != self._colour)


def _outcome(end: Life) -> Outcome:
    if end.proof == CAPTURED or end.chance <= 1 - _SURE:
        return "captured"
    return "lives" if end.chance >= _SURE else "open"


def _chosen(moves: tuple[TreeMove, ...], game: Game, attacks: bool) -> int:
    """Return the best move; an attacker passes only where each move makes things worse."""
    best = moves[0]
    if not attacks or best.point != pass_point(game.side) or len(moves) == 1:
        return best.point
    mover = game.position.to_move
    other = moves[1]
    lost = (best.value.wins - other.value.wins) * mover
    return other.point if lost <= _NO_WORSE else best.point
