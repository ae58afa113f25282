"""Label finished games: the owner of each point, or the reason why there is none."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from game_datasets.rows import Label
from game_records.game_record import GameRecord
from goban.position import Position
from goban.regions import owners
from preprocessing import gnugo
from preprocessing.gnugo import GnuGo, GnuGoError
from preprocessing.record_confirmation import confirm, nearest_count
from preprocessing.rejection_reasons import Rejected, refusal_by_record


class OwnershipModel(Protocol):
    """A model that predicts the owner of each point."""

    @property
    def name(self) -> str:
        """The model's name, for the dataset."""
        ...

    def ownership(self, position: Position) -> NDArray[np.float32]:
        """Return float32 (N, N) in [-1, 1], +1 Black, for a finished position; the side to move makes no difference."""
        ...


class GameFinisher(Protocol):
    """What plays a resigned game on and counts its end."""

    def play_out(self, game: GameRecord) -> NDArray[np.int8]:
        """Return the owners, int8 (N, N), after playing on to the end; raise Rejected if they are not certain."""
        ...


@dataclass(frozen=True)
class Labeller:
    """A source of labels: a model, GNU Go or both, each accepted only if the record agrees.

    The model labels a game first, and GNU Go those that it cannot. The model's count of a counted game must be the
    recorded score exactly. A resigned game is played to the end, and the winner must be the recorded one.

    Attributes:
        gnugo: None leaves it out.
        model: None leaves it out.
        tolerance: points by which the score of GNU Go's final board, which is counted by area, may differ from the
            recorded one. Under territory rules the two differ by a point when one side played one stone more than the
            other, or dame were left open, hence 1.5; GNU Go's users classically allow 6.
        resigned: whether resigned games are labelled.
        finisher: plays them to their ends, before GNU Go; None leaves them to GNU Go.
    """

    gnugo: GnuGo | None
    model: OwnershipModel | None = None
    tolerance: float = 1.5
    resigned: bool = False
    finisher: GameFinisher | None = None

    def refusal(self, game: GameRecord) -> tuple[str, str] | None:
        """Return (reason, detail) if the record alone shows that the game gets no target, else None. Quick."""
        if refusal := refusal_by_record(game, self.resigned):
            return refusal
        if self.model is None and not gnugo.plays(game.side):
            return "side", f"{game.side}x{game.side}"
        return None

    def may_confirm(self, game: GameRecord) -> bool:
        """Return whether a count may show that a record which breaks off has all its moves."""
        counted = game.result.score is not None and self.refusal(game) is None
        return self.model is not None and game.unclosed and counted

    def label(self, game: GameRecord) -> Label:
        """Return the label of one game that `refusal` lets pass; raise Rejected. Does not look for duplicates.

        Of a record that breaks off, the model alone must give the recorded score.
        """
        if game.broken_off:
            return self._unclosed(game)
        if game.result.score is None:
            return self._played_out(game)
        if self.model is not None:
            position = game.position()
            ownership = self.model.ownership(position)
            if confirmed := confirm(game, position, ownership):
                score = float(confirmed.owner.sum()) - game.komi
                return Label(confirmed.owner, score, self._model_name + " + record" * confirmed.by_record)
            if not self._asks_gnugo(game):
                raise _score_differs(game, nearest_count(game, position, ownership))
        label = self._finished(game)
        if abs(label.score - game.result.score) > self.tolerance:
            raise _score_differs(game, label.score)
        return label

    def _unclosed(self, game: GameRecord) -> Label:
        """Return the label of a game that `may_confirm`; raise Rejected unless the map alone gives the score."""
        if self.model is not None:
            position = game.position()
            confirmed = confirm(game, position, self.model.ownership(position))
            if confirmed is not None and not confirmed.by_record:
                return Label(confirmed.owner, float(confirmed.owner.sum()) - game.komi, self._model_name)
        raise Rejected(*truncated(game))

    def _played_out(self, game: GameRecord) -> Label:
        if self.finisher is not None:
            try:
                owner = self.finisher.play_out(game)
                return self._with_winner(game, Label(owner, float(owner.sum()) - game.komi, self._model_name))
            except Rejected:
                if not self._asks_gnugo(game):
                    raise
        return self._with_winner(game, self._finished(game))

    def _with_winner(self, game: GameRecord, label: Label) -> Label:
        """Return a label in which the recorded winner wins; raise Rejected for another one."""
        if np.sign(label.score) != game.result.winner:
            raise Rejected("winner differs", f"recorded {game.result.text}, counted {label.score:+g}", label.score)
        return label

    def _finished(self, game: GameRecord) -> Label:
        assert self.gnugo is not None
        try:
            stones = self.gnugo.finish(game)
        except GnuGoError as error:
            raise Rejected(error.reason, error.detail) from error
        target = owners(stones, np.zeros_like(stones, dtype=bool))
        return Label(target, float(target.sum()) - game.komi, self.gnugo.version())

    def _asks_gnugo(self, game: GameRecord) -> bool:
        return self.gnugo is not None and gnugo.plays(game.side)

    @property
    def _model_name(self) -> str:
        return self.model.name if self.model else ""


def truncated(game: GameRecord) -> tuple[str, str]:
    """Return (reason, detail) for a record that breaks off."""
    return "truncated", f"the record breaks off after move {len(game.move_points)}"


def _score_differs(game: GameRecord, counted: float) -> Rejected:
    why = " with dead stones among their own" if counted == game.result.score else ""  # a map that makes no sense
    assumed = "" if game.komi_given else f", assumed komi {game.komi:g}"
    return Rejected("score differs", f"recorded {game.result.score:+g}, counted {counted:+g}{why}{assumed}", counted)
