"""A teacher that is another program, which answers JSON queries line by line as KataGo's analysis engine does."""

import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, Self

import numpy as np

from game_datasets.rows import decode_points
from goban.coords import colour_letter, gtp_name, pass_point
from goban.errors import InputError, parse_object
from ownership.teaching.teacher_interface import Refusal, SoftLabel
from ownership.teaching.teacher_positions import Question
from runtime.child_programs import Conversation

PATIENCE: Final = 300.0  # seconds between answers; the first one waits for the network to be loaded
_MOST_KOMI: Final = 150.0
_SHOWN: Final = 80  # characters of a bad line
_LONGEST: Final = 1 << 24  # bytes of an answer


class EngineFailure(InputError):
    """An analysis engine that cannot be started, ended, did not answer in time or broke its protocol."""


class AnalysisEngine:
    """An analysis engine as a teacher; a context manager. All queries about a shard are sent together.

    Args:
        command: the words of its command line.
        visits: playouts a position, at least 1.
        patience: seconds to wait for an answer.

    Attributes:
        name: the command line.

    Raises:
        EngineFailure: it cannot be started.
    """

    def __init__(self, command: Sequence[str], visits: int = 1, patience: float = PATIENCE) -> None:
        self.name, self._visits, self._patience = " ".join(command), visits, patience
        self._command, self._lock = tuple(command), threading.Lock()
        try:
            self._program = Conversation(command)
        except OSError as error:
            raise EngineFailure(f"{self.name}: cannot be started: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[..., "AnalysisEngine"], tuple[tuple[str, ...], int, float]]:
        """Pickle by the command line, which every machine understands: every other process starts it once."""
        return _engine_of, (self._command, self._visits, self._patience)

    @property
    def settings(self) -> dict[str, Any]:
        """The number of visits."""
        return {"visits": self._visits}

    def close(self) -> None:
        """End the program and all that it started."""
        self._program.close()

    def ask(self, questions: Sequence[Question]) -> list[SoftLabel | Refusal]:
        """Return the label of each position, or the engine's reason for refusing the query.

        Raises:
            EngineFailure: it ended, did not answer in time, gave an answer that is not of its protocol, or refused
                every query.
        """
        with self._lock:
            return self._answers(questions)

    def _answers(self, questions: Sequence[Question]) -> list[SoftLabel | Refusal]:
        queries = [self._query(str(number), question) for number, question in enumerate(questions)]
        threading.Thread(target=self._write, args=("".join(queries).encode(),), daemon=True).start()
        labels: dict[int, SoftLabel | Refusal] = {}
        while len(labels) < len(questions):
            answer = self._next()
            number = _number(answer.get("id"), len(questions))
            if "error" in answer:
                refusal = Refusal(str(answer["error"]))
                if number is None:
                    raise EngineFailure(f"{self.name}: {refusal.reason}")
                labels[number] = refusal
            elif number is not None and "warning" not in answer and not answer.get("isDuringSearch"):
                labels[number] = self._soft_label(answer, questions[number])
        answers = [labels[number] for number in range(len(questions))]
        refusals = [answer for answer in answers if isinstance(answer, Refusal)]
        if refusals and len(refusals) == len(questions):
            raise EngineFailure(f"{self.name}: refused every position: {refusals[-1].reason}")
        return answers

    def _query(self, name: str, question: Question) -> str:
        columns, side = question.columns(), question.record.side
        query = {
            "id": name,
            "initialStones": _stones(columns["setup"], side),
            "initialPlayer": colour_letter(question.record.to_move if len(columns["moves"]) else columns["to_move"]),
            "moves": _stones(columns["moves"], side),
            "rules": "chinese",
            "whiteHandicapBonus": "0",
            "komi": _komi(question),
            "boardXSize": side,
            "boardYSize": side,
            "maxVisits": self._visits,
            "includeOwnership": True,
            "includePolicy": True,
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
        }
        return json.dumps(query) + "\n"

    def _soft_label(self, answer: dict[str, Any], question: Question) -> SoftLabel:
        """Return the label in an answer; raise EngineFailure if it is not one."""
        points = pass_point(question.record.side)
        try:
            ownership, root = np.array(answer["ownership"], np.float64), answer["rootInfo"]
            policy = np.array(answer["policy"], np.float64) if "policy" in answer else None
            lead, chance, deviation = (_optional(root, name) for name in ("scoreLead", "winrate", "scoreStdev"))
            shaped = ownership.shape == (points,) and (policy is None or policy.shape == (points + 1,))
            if lead is None or not shaped or not np.isfinite(ownership).all():
                raise ValueError("wrong length")
        except (KeyError, TypeError, ValueError) as error:
            raise self._garbage(json.dumps(answer)) from error
        if policy is not None:
            policy = np.nan_to_num(np.clip(policy, 0, 1))  # illegal moves are below 0
            policy = policy / policy.sum() if policy.sum() > 0 else None
        board = ownership.reshape(question.record.side, -1)
        return SoftLabel(board, _komi(question), lead, deviation=deviation, win_rate=chance, policy=policy)

    def _next(self) -> dict[str, Any]:
        try:
            line = self._program.read(b"\n", self._patience, _LONGEST)
        except TimeoutError:
            raise EngineFailure(f"{self.name}: no answer within {self._patience:g} seconds") from None
        except EOFError:
            raise EngineFailure(f"{self.name}: {self._program.fate()}") from None
        except ValueError:
            raise EngineFailure(f"{self.name}: expected an answer of at most {_LONGEST} bytes") from None
        try:
            return parse_object(line)
        except InputError:
            raise self._garbage(line.decode("utf-8", "replace").strip()) from None

    def _garbage(self, text: str) -> EngineFailure:
        return EngineFailure(f"{self.name}: expected an answer of the analysis protocol. Received: {text[:_SHOWN]}")

    def _write(self, data: bytes) -> None:
        """Write queries, as far as the engine reads them."""
        with suppress(OSError, ValueError):
            self._program.write(data)


@cache
def _engine_of(command: tuple[str, ...], visits: int, patience: float) -> AnalysisEngine:
    return AnalysisEngine(command, visits, patience)


def _number(name: object, end: int) -> int | None:
    """Return the number of the question that an answer names, None for other names."""
    known = isinstance(name, str) and name.isascii() and name.isdigit() and int(name) < end
    return int(str(name)) if known else None


def _optional(root: dict[str, Any], name: str) -> float | None:
    """Return a number of an answer, None if it is absent; raise ValueError or TypeError for others."""
    value = root.get(name)
    if value is None:
        return None
    if not np.isfinite(float(value)):
        raise ValueError(name)
    return float(value)


def _komi(question: Question) -> float:
    """Return the komi of a question's game, in half points and within what engines take."""
    return float(np.clip(round(2 * question.record.komi) / 2, -_MOST_KOMI, _MOST_KOMI))


def _stones(codes: Any, side: int) -> list[list[str]]:
    points, colours = decode_points(codes)
    pairs = zip(points.tolist(), colours.tolist(), strict=True)
    return [[colour_letter(colour), gtp_name(point, side)] for point, colour in pairs]
