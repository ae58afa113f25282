"""One game record: SGF bytes in, a checked `GameRecord` or a `RecordError` with one of `REASONS` out.

`grammar` reads the syntax; the meaning of properties, and tolerance for what servers write, is decided here.
"""

import re
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, MAX_SIDE, MIN_SIDE, WHITE, gtp_name
from goban.errors import InputError, cut, shown
from goban.kata_rules import record_rules, record_uncounted
from preprocessing.records.game import GameRecord, RecordedIllegalMove, printable
from preprocessing.records.grammar import SETUP, Fault, Node, Reader, game_reader, plain_text
from preprocessing.records.handicap import handicap_of_moves, named_handicap, usual_stones
from preprocessing.records.line import Line, legal_moves, marked_territory
from preprocessing.records.properties import parse_komi, parse_result

REASONS = (
    "unreadable",
    "empty",
    "not SGF",
    "too large",
    "truncated",
    "bad syntax",
    "not Go",
    "bad side",
    "not square",
    "bad set-up",
    "bad diagram",
    "handicap stones missing",
    "bad move",
    "illegal move",
)
_MAX_TEXT = 100
_MAX_COMMENT = 2_000
_OF_GO: Final = frozenset(("GM", "FF", "CA", "SZ", "KM", "HA", "RU", "RE", "PB", "PW", "B", "W", "C", *SETUP))

Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]


class RecordError(InputError):
    """A record that cannot be used: `reason` is one of REASONS, `detail` is what was found where."""

    def __init__(self, source: str, reason: str, detail: str) -> None:
        super().__init__(f"{source}: {reason}: {detail}")
        self.source, self.reason, self.detail = source, reason, detail


def parse_game(data: bytes, source: str = "record") -> GameRecord:
    """Return the main line of the first game in SGF `data`, up to where it breaks off or breaks the rules.

    Raises:
        RecordError: it cannot be used.

    Reads no file, and does not look at what follows the first game.
    """
    try:
        reader = game_reader(data)
        return _build(_main_line(reader), source, reader.skipped, reader.is_closed)
    except Fault as bad:
        raise RecordError(source, bad.reason, bad.detail) from None


def _main_line(reader: Reader) -> list[Node]:
    nodes = reader.main_line()
    if "text" in reader.skipped and reader.is_closed and _OF_GO.isdisjoint(name for node in nodes for name in node):
        raise Fault("bad syntax", f"expected properties such as SZ[19]; {reader.skipped['text']}")
    return nodes


def game_of_nodes(nodes: list[Node], source: str) -> GameRecord:
    """Return the game of nodes that follow each other; raise Fault."""
    return _build(nodes, source, {}, True)


def _build(nodes: list[Node], source: str, skipped: dict[str, str], is_closed: bool) -> GameRecord:
    begun = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    header = {name: values for node in reversed(nodes[: begun + 1]) for name, values in node.items()}
    if _text(header, "GM") not in ("", "1"):
        raise Fault("not Go", f"expected GM[1]. Received: GM[{cut(_text(header, 'GM'))}]")
    side = _side(_text(header, "SZ"))
    line = Line(side, np.zeros(side * side, np.int8))
    line.read(nodes)
    setup, (moves, colours) = line.setup, line.as_arrays()
    broken_off = not is_closed
    if broken_off and not len(moves) and not line.earlier:
        raise Fault("truncated", "expected a game closed by ')'. Received: the end, before the first move")
    named = named_handicap(_text(header, "HA"), side, setup, colours)
    handicap, handicap_from = handicap_of_moves(side, named or 0, setup, moves, colours)
    usual = [] if line.earlier else _usual_stones(side, handicap, setup, moves, colours)
    setup[usual] = BLACK
    legal = legal_moves(side, setup, moves, colours)
    rules, komi = record_rules(_text(header, "RU")), _komi(header)
    game = GameRecord(
        source=source,
        side=side,
        setup=setup,
        to_move=int(colours[0]) if len(colours) else line.player or _first_player(setup),
        moves=moves[:legal],
        colours=colours[:legal],
        komi=komi or 0.0,
        handicap=handicap,
        rules=rules.name if rules else "",
        result=parse_result(_text(header, "RE")),
        black=_player_name(header, "PB"),
        white=_player_name(header, "PW"),
        black_rank=_text(header, "BR"),
        white_rank=_text(header, "WR"),
        date=_text(header, "DT"),
        name=_text(header, "GN"),
        komi_given=komi is not None,
        handicap_from="usual points" if usual else handicap_from or ("impossible number" if named is None else ""),
        territory=marked_territory(nodes[line.first :], side),
        comments=_comments(nodes[line.first :]),
        broken_off=broken_off,
        prisoners=line.prisoners,
        notes=tuple((skipped | line.notes | _terms_notes(header, komi)).values()),
    )
    return game if legal == len(moves) else _without_illegal_move(game, int(moves[legal]), int(colours[legal]))


def _komi(header: Node) -> float | None:
    """Return the komi in KM, or in KO, where records of the Nihon Ki-in have it."""
    return parse_komi(_text(header, "KM") or _text(header, "KO"))


def _terms_notes(header: Node, komi: float | None) -> dict[str, str]:
    """Return lines on rules that are not counted, and on a komi that is no number."""
    notes, rules, written = {}, _text(header, "RU"), _text(header, "KM")
    if left_out := record_uncounted(rules):
        notes["rules"] = f"the rules {shown(rules)} have {left_out}, which is not counted"
    if written and komi is None:
        notes["komi"] = f"expected a komi in points. Received: {shown(written)}"
    return notes


def _without_illegal_move(game: GameRecord, move: int, colour: int) -> GameRecord:
    """Return a game that ends before an illegal move, with the reason."""
    played = len(game.moves)
    reason: Literal["occupied", "ko"] = "occupied" if game.position().stones.flat[move] else "ko"
    illegal = RecordedIllegalMove(played + 1, colour, gtp_name(move, game.side), reason)
    comments = {number: said for number, said in game.comments.items() if number <= played}
    return replace(game, broken_off=True, illegal_move=illegal, territory=None, comments=comments)


def _usual_stones(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> list[int]:
    try:
        return usual_stones(side, handicap, setup, moves, colours)
    except InputError as error:
        found = f"no AB, and White begins; {error}"
        raise Fault("handicap stones missing", f"expected AB with HA[{handicap}]. Received: {found}") from None


def _text(header: Node, name: str) -> str:
    """The first value of a property, on one line and at most 100 characters; "" where there is none."""
    values = header.get(name)
    if not values or not values[0]:
        return ""
    return printable(plain_text(values[0][: 4 * _MAX_TEXT]).replace("\n", " ")[:_MAX_TEXT].strip())


def _player_name(header: Node, name: str) -> str:
    """As `_text`, but "" for the question mark that some programs write for an unknown player."""
    found = _text(header, name)
    return "" if found == "?" else found


def _comments(nodes: list[Node]) -> dict[int, str]:
    """The comments on each position of the main line, at most 2,000 characters each."""
    found: dict[int, str] = {}
    played = 0
    for node in nodes:
        played += ("B" in node) + ("W" in node)
        before = found.get(played, "")
        if "C" in node and len(before) < _MAX_COMMENT:
            said = plain_text(node["C"][0][: 2 * _MAX_COMMENT]).strip()
            text = "\n".join(part for part in (before, said) if part)
            found[played] = printable(text[:_MAX_COMMENT], kept="\n")
    return found


def _side(text: str) -> int:
    if not text:
        return 19
    match = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", text)
    if match is None:
        raise Fault("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: SZ[{cut(text)}]")
    side = int(match[1])
    if match[2] and int(match[2]) != side:
        raise Fault("not square", f"expected a square board. Received: SZ[{text}]")
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise Fault("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: {side}")
    return side


def _first_player(setup: Int8) -> int:
    return WHITE if (setup == BLACK).any() and not (setup == WHITE).any() else BLACK
