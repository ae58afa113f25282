"""The forms of a record, and the errors about records that cannot be used."""

import re

import numpy as np
import pytest

from game_records.record_errors import RECORD_REASONS, RecordError
from game_records.sgf import parse_game
from game_records.sgf_collection import MAX_GAME
from game_records.sgf_tree import nodes_by_ply, read_tree, write_tree
from goban.coords import BLACK, WHITE, gtp_name
from goban.position import Position
from goban.text_diagram import rows

BAD = [
    (b"", "empty"),
    (b" \r\n\t", "empty"),
    (b"\x89PNG\r\n\x1a\n\0\0", "not SGF"),
    (b"no game here", "not SGF"),
    (b"(", "not SGF"),
    (b"(;GM[1]SZ[9]AB[aa][bb]PB[Al", "truncated"),
    (b"(;C[a comment that never ends;B[aa)", "truncated"),
    (b"(;B)", "bad syntax"),
    (b"(;b[aa])", "bad syntax"),
    (b"(; a[i] = b[j]; })", "bad syntax"),
    (b"(;" + b"C[" + b"x" * MAX_GAME + b"])", "too large"),
    (b"(;GM[2]FF[4])", "not Go"),
    (b"(;GM[40])", "not Go"),
    (b"(;SZ[26])", "bad side"),
    (b"(;SZ[1])", "bad side"),
    (b"(;SZ[-9])", "bad side"),
    (b"(;SZ[nineteen])", "bad side"),
    (b"(;SZ[99999999999])", "bad side"),
    (b"(;SZ[19:13])", "not square"),
    (b"(;SZ[9]AB[zz])", "bad set-up"),
    (b"(;SZ[9]AB[aa:kk])", "bad set-up"),
    (b"(;SZ[9]AB[aa]AW[ab][ba])", "bad set-up"),
    (b"(;SZ[9]AB[aa:cc]AW[cc])", "bad set-up"),
    (b"(;HA[3];W[dp])", "handicap stones missing"),
    (b"(;HA[10];W[aa])", "handicap stones missing"),
    (b"(;HA[2]AW[dp];W[aa])", "handicap stones missing"),
    (b"(;SZ[9];B[ss])", "bad move"),
    (b"(;SZ[9];B[R16])", "bad move"),
    (b"(;SZ[25];B[z`])", "bad move"),
    (b"(;B[aa];AB[ba]AW[ba])", "bad set-up"),
    (b"(;SZ[9]" + b";B[aa];AE[aa]" * 1001 + b")", "too large"),
    (b"(;SZ[9]" + b";B[]" * 32_766 + b")", "too large"),
    (b"(;SZ[9]" + b";C[]" * 100_001 + b")", "too large"),
    (b"(;B[a])", "bad move"),
]

# Records with moves of 9x9, what is read, and what the line on it says.
TOLERATED = [
    (b"(;SZ[9]AB[ee][ee]:;B[dd])", ["D6"], "skipped text that is no SGF, on line 1: ':'"),
    (b"(;SZ[9]\n;B[dd]\n<b>)", ["D6"], "skipped text that is no SGF, on line 3: '<'"),
    (b"(;SZ[9];B[aa];W[bb] <html>", ["A9", "B8"], "skipped text that is no SGF, on line 1: '<'"),
    (b"(;SZ[9];B[aa];;7)", ["A9"], "skipped text that is no SGF, on line 1: '7'"),
    (b"(;SZ[9]US[Someone[3d]]PB[a]KM[6.5];B[dd];W[ee])", ["D6", "E5"], "on line 1: ']'"),
    (b"(;SZ[9]PB[a]];B[dd]];W[ee]])", ["D6", "E5"], "on line 1: ']'"),
    (b";GM[1]SZ[9];B[aa](;W[bb])(;W[cc])", ["A9", "B8"], "begins with ';', although no '(' is before it"),
    (b"(\r\nSZ[9]\r\nPB[a]\r\n;B[dd];W[ee])", ["D6", "E5"], "read SZ as the first property of a node"),
    (b"(;SZ[9];B[aa](W[bb];B[cc]))", ["A9", "B8", "C7"], "read W as the first property of a node"),
    (b"(;SZ[9];B[ag];W[ah](;B[ai]);W[bd])", ["A3", "A2", "A1"], "nodes after a closed variation as another"),
    (b"(;SZ[9];B[hh]()(;W[ii]))", ["H2", "J1"], ""),
    (b"(;SZ[9];;B[hh];;;W[ii];)", ["H2", "J1"], ""),
    (b"(;SZ[9]()()();B[hh](;)(;W[ii](())))", ["H2", "J1"], "nodes after a closed variation as another"),
    (b"(;SZ[9];B[cc]W[cb]B[bb])", ["C7", "C8", "B8"], ""),
    (b"(;SZ[9];B[cc]B[cb]C[two of Black's];W[bb])", ["C7", "C8", "B8"], ""),
    (b"(;SZ[9];B[cc][cb];W[bb])", ["C7", "B8"], "skipped B[cb], the second point of one move"),
    (b"(;SZ[9];B[C7];W[c8];B[pass];W[E5])", ["C7", "C8", "pass", "E5"], ""),
    (b"(;SZ[9];B[ee];W[jj];B[jj])", ["E5", "pass", "pass"], "moves at [jj], one line off the board, as passes"),
    (b"(;SZ[9];B[ee];W[``];B[``])", ["E5", "pass", "pass"], "moves at [``], one line off the board, as passes"),
    (b"(;SZ[13];B[nn];W[nn])", ["pass", "pass"], "moves at [nn], one line off the board, as passes"),
    (b"(;SZ[25];B[zz];W[tt])", ["pass", "U6"], "moves at [zz], one line off the board, as passes"),
    (b"(;SZ[19];B[tt];W[R16];B[``])", ["pass", "R16", "pass"], "moves at [``], one line off the board, as passes"),
    (b"(;SZ[9]KM[two];B[ee])", ["E5"], "expected a komi in points. Received: 'two'"),
    (b"(;SZ[9]RU[AGA, with the button];B[ee])", ["E5"], "have the button, which is not counted"),
    (b"(;SZ[9]PB[a]junk;B[ee])", ["E5"], "on line 1: 'junk'"),
]
# Set-up after moves: the position, prisoners of Black and White, whose turn it is, and the moves from there on.
EDITED = [
    ("(;SZ[3];B[bb];W[aa];AE[bb]AB[cc];B[ca])", "O..\n...\n..X", (0, 0), BLACK, ["C3"]),
    ("(;SZ[3];B[ba];W[aa];B[ab];AW[cc];W[cb];B[bb])", ".X.\nX..\n..O", (1, 0), WHITE, ["C2", "B2"]),
    ("(;SZ[3];B[bb];AB[aa])", "X..\n.X.\n...", (0, 0), WHITE, []),
    ("(;SZ[3];B[bb];AB[aa]PL[B])", "X..\n.X.\n...", (0, 0), BLACK, []),
    ("(;SZ[3];B[bb];PL[B];AB[aa])", "X..\n.X.\n...", (0, 0), BLACK, []),
    ("(;SZ[3];B[bb];AE[bb];B[aa];AE[aa]AW[cc])", "...\n...\n..O", (0, 0), WHITE, []),
    ("(;SZ[3]HA[2]AB[ca][ac];W[bb];AE[ac];B[aa])", "..X\n.O.\n...", (0, 0), BLACK, ["A3"]),
]

BRANCHED = b"(;SZ[9];B[aa];W[bb]C[a \\] b](;B[cc];W[dd](;B[ee])(;B[ff]))(;B[gg];W[hh]))"

READ = [
    (b"(;)", {"side": 19, "to_move": BLACK, "komi": 0.0, "handicap": 0, "rules": ""}),
    (b"junk (;GM[1]SZ[13]) junk", {"side": 13}),
    (b"(;SZ[13:13])", {"side": 13}),
    (b"(;GM[]SZ[])", {"side": 19}),
    (b"(;SZ[25])", {"side": 25}),
    (b"(;PL[W])", {"to_move": WHITE}),
    (b"(;SZ[9]AB[cc];AW[cc])", {"side": 9}),
    (b"(;PL[White])", {"to_move": WHITE}),
    (b"(;PL[W];B[aa])", {"to_move": BLACK}),
    (b"(;HA[2]AB[dd][pp])", {"to_move": WHITE, "handicap": 2}),
    (b"(;HA[2];B[dd];B[pp];W[dp])", {"to_move": BLACK, "handicap": 2, "handicap_from": ""}),
    (b"(;HA[0];B[dd];B[pp];W[dp])", {"to_move": BLACK, "handicap": 2, "handicap_from": "first moves"}),
    (b"(;B[dd];B[pp])", {"handicap": 0, "handicap_from": ""}),
    (b"(;AB[aa];B[dd];B[pp];W[dp])", {"handicap": 0, "handicap_from": ""}),
    (b"(;B[];B[pp];W[dp])", {"handicap": 0, "handicap_from": ""}),
    (b"(;HA[3];W[aa])", {"to_move": WHITE, "handicap": 3, "handicap_from": "usual points"}),
    (b"(;HA[two]KM[what])", {"handicap": 0, "handicap_from": "impossible number", "komi": 0.0}),
    (b"(;HA[-3];B[dd];W[pp])", {"handicap": 0, "handicap_from": "impossible number"}),
    (b"(;HA[40]AB[dd][pp];W[dp])", {"handicap": 0, "handicap_from": "impossible number"}),
    (b"(;HA[400];B[dd];B[pp];W[dp])", {"handicap": 2, "handicap_from": "first moves"}),
    (b"(;HA[10]AB[aa:ja];W[dp])", {"handicap": 10, "handicap_from": ""}),
    (b"(;HA[9]AB[aa];W[dp])", {"handicap": 9, "handicap_from": ""}),
    (b"(;KM[1e1])", {"komi": 0.0}),
    (b"(;HA[200])", {"handicap": 0, "handicap_from": "impossible number"}),
    (b"(;KM[375]RU[Chinese])", {"komi": 7.5, "rules": "chinese"}),
    (b"(;RU[Korean]KM[6.5])", {"komi": 6.5, "rules": "korean"}),
    (b"(;RU[NZ])", {"rules": "new-zealand"}),
    (b"(;RU[my own])", {"rules": ""}),
    (b"(;SiZe[9]KoMi[5.5]PlayerBlack[x];Black[aa])", {"side": 9, "komi": 5.5, "black": "x"}),
    (b"(;GM[1];SZ[9]KM[7];B[aa])", {"side": 9, "komi": 7.0}),
    (b"(;PB[a\\]b\\\\c]PW[two\nlines])", {"black": "a]b\\c", "white": "two lines"}),
    ("(;PB[蔡文驰]BR[P3段])".encode(), {"black": "蔡文驰", "black_rank": "P3段"}),
    ("(;PB[蔡文驰])".encode("gb18030"), {"black": "蔡文驰"}),
    ("(;PB[周睿羊])".encode().replace(b"\x9d", b"?"), {"black": "周\ufffd?\ufffd羊"}),
    ("(;CA[euc-kr]PB[이창호])".encode("euc-kr"), {"black": "이창호"}),
    ("(;CA[klingon]PB[é])".encode(), {"black": "é"}),
    (b"(;CA[rot13]PB[\xe9t\xe9])", {"black": "été"}),
    (b"(;AB[]AW[aa])", {"to_move": BLACK}),
    (b"(;SZ[9]PL[B];PL[W]AB[dd]AW[ee])", {"to_move": WHITE}),
    (b"(;PL[W];PL[B])", {"to_move": BLACK}),
    (b"(;KO[6.5])", {"komi": 6.5, "komi_given": True}),
    (b"(;KM[7]KO[6.5])", {"komi": 7.0}),
    (b"(;KM[6\xff\xff])", {"komi": 0.0, "komi_given": False}),
    (b"(;PB[\x1b[31m\\]])", {"black": "�[31m]"}),
    (b"(;DT[2006-03-01]WR[9d])", {"date": "2006-03-01", "white_rank": "9d"}),
    (b"(;PB[" + b"x" * 500 + b"])", {"black": "x" * 100}),
]

MOVES = [
    (b"(;SZ[9];B[aa];W[];B[tt];W[ii])", [0, 81, 81, 80]),
    (b"(;SZ[19];B[tt])", [361]),
    (b"(;SZ[25];B[tt])", [19 * 25 + 19]),
    (b"(;SZ[9];B[ cC ])", [20]),
    (b"(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))", [0, 10, 20]),
    (b"(;SZ[9](;B[aa](;W[bb]))(;B[cc]))", [0, 10]),
    (b"(;SZ[9]B[aa];W[bb])", [0, 10]),
    (b"(;SZ[9];B[aa]W[bb];B[cc])", [0, 10, 20]),
    (b"(;SZ[9];B[aa];C[only a comment];W[bb])", [0, 10]),
    (b"(;SZ[9](;(;B[aa])))(", [0]),
    (b"(;SZ[3]AW[ba][ab];B[aa])", [0]),
    (b"(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[ee];B[ed];W[bb])", [7, 24, 19, 6]),
    (b"(;SZ[2];B[aa];W[bb];B[ab];W[ba];B[aa])", [0, 3, 2, 1, 0]),
]


@pytest.mark.parametrize(
    ("data", "stones"),
    [
        (b"(;SZ[9]HA[3];W[aa])", ["C7", "G7", "C3"]),
        (b"(;SZ[9]HA[6];W[aa])", ["C7", "G7", "C5", "G5", "C3", "G3"]),
        (b"(;SZ[9]HA[6];W[ce])", ["C7", "E7", "G7", "C3", "E3", "G3"]),
    ],
)
def test_handicap_stones_that_the_record_does_not_place(data: bytes, stones: list[str]) -> None:
    game = parse_game(data)
    assert [gtp_name(point, 9) for point in np.flatnonzero(game.setup).tolist()] == stones


@pytest.mark.parametrize(
    ("end", "territory"),
    [
        (b"", None),
        (b";TB[aa:ba]TW[cc]", "XX.\n...\n..O"),
        (b"TB[]TW[ca][cb]", "..O\n..O\n..."),
        (b";TB[aa]C[dame];TW[cc]", "...\n...\n..O"),
        (b";TB[zz]TW[cc]", None),
        (b";TB[aa];W[ab]", None),
    ],
)
def test_territory_is_that_of_the_last_node(end: bytes, territory: str | None) -> None:
    found = parse_game(b"(;SZ[3];B[bb]" + end + b")").territory
    assert (None if found is None else "\n".join(rows(found.reshape(3, 3)))) == territory


@pytest.mark.parametrize(("data", "vertices", "line"), TOLERATED)
def test_what_other_programs_read_is_read_with_a_line_on_it(data: bytes, vertices: list[str], line: str) -> None:
    game = parse_game(data)
    assert [gtp_name(point, game.side) for point in game.move_points.tolist()] == vertices
    assert line in " ".join(game.notes) and all(note.isprintable() for note in game.notes)
    assert bool(game.notes) == bool(line) and len(game.notes) <= 1


@pytest.mark.parametrize(("text", "board", "prisoners", "to_move", "vertices"), EDITED)
def test_set_up_after_moves_is_the_position_then(
    text: str, board: str, prisoners: tuple[int, int], to_move: int, vertices: list[str]
) -> None:
    game = parse_game(text.encode())
    start = game.position(0)
    assert "\n".join(rows(start.stones)) == board
    assert (start.prisoners, start.to_move) == (prisoners, to_move)
    assert [gtp_name(point, game.side) for point in game.move_points.tolist()] == vertices
    assert next(game.positions()).prisoners == prisoners and game.notes[0].startswith("read from the set-up after move")
    assert list(nodes_by_ply(read_tree(text.encode()))) == list(range(len(vertices) + 1))


@pytest.mark.parametrize(("data", "reason"), BAD)
def test_a_bad_record_has_one_reason(data: bytes, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_game(data, "some.sgf")
    error = caught.value
    assert (error.source, error.reason) == ("some.sgf", reason)
    assert str(error) == f"some.sgf: {reason}: {error.detail}" and str(error).isprintable()


def test_every_reason_that_a_single_record_can_have_is_in_the_table() -> None:
    assert {reason for _, reason in BAD} == set(RECORD_REASONS) - {
        "unreadable",
        "bad diagram",
        "illegal move",
    }  # read up to there


@pytest.mark.parametrize(("data", "expected"), READ)
def test_properties(data: bytes, expected: dict[str, object]) -> None:
    game = parse_game(data)
    assert {name: getattr(game, name) for name in expected} == expected


@pytest.mark.parametrize(("data", "moves"), MOVES)
def test_the_main_line(data: bytes, moves: list[int]) -> None:
    game = parse_game(data)
    assert game.move_points.tolist() == moves
    assert [str(array.dtype) for array in (game.move_points, game.move_colours, game.setup)] == [
        "int16",
        "int8",
        "int8",
    ]


def test_a_record_whose_first_move_is_illegal_is_its_set_up() -> None:
    game = parse_game(b"(;AB[pd];W[pd];B[dd])", "a.sgf")
    assert (len(game.move_points), game.to_move, game.broken_off) == (0, WHITE, True)
    assert str(game.illegal_move) == "move 1, White Q16: the point is occupied"
    assert int(game.position().stones.sum()) == 1


def test_set_up_stones_and_rectangles() -> None:
    game = parse_game(b"(;SZ[5]AB[aa:cb][ee]AW[ad];AE[ba]AW[ea]PL[W])")
    assert game.position() == Position.from_diagram(
        """
        X . X . O
        X X X . .
        . . . . .
        O . . . .
        . . . . X
        """,
        to_move=WHITE,
    )


def test_positions_follow_the_moves() -> None:
    game = parse_game(b"(;SZ[3];B[ba];W[aa];B[ab];W[cc];B[])")
    positions = list(game.positions())
    assert positions[0] == Position.empty(3)
    assert positions[-1] == game.position() == game.position(5)
    assert game.position(3) == positions[3]
    assert game.position().prisoners == (1, 0) and game.position().to_move == WHITE
    for ply in (-1, 6):
        with pytest.raises(IndexError, match=f"0..5. Received: {ply}"):
            game.position(ply)


def test_an_id_depends_only_on_the_moves() -> None:
    one = parse_game(b"(;SZ[9]PB[a]RE[B+R];B[aa];W[bb])", "one")
    same = parse_game(b"(;SZ[9]PB[b]RE[W+R]KM[7];B[aa](;W[bb])(;W[cc]))", "two")
    others = [b"(;SZ[9];B[aa];W[cc])", b"(;SZ[10];B[aa];W[bb])", b"(;SZ[9];B[aa];B[bb])", b"(;SZ[9]AB[aa];W[bb])"]
    assert one.id == same.id and len(one.id) == 16 and int(one.id, 16) >= 0
    assert len({one.id, *(parse_game(data).id for data in others)}) == 5


@pytest.mark.parametrize("length", range(len(b"(;SZ[9];B[aa]"), len(BRANCHED)))
def test_a_record_that_breaks_off_is_read_up_to_there(length: int) -> None:
    game, whole = parse_game(BRANCHED[:length]), parse_game(BRANCHED)
    moves = len(re.findall(rb"[BW]\[[a-i]{2}\]", BRANCHED[:length].partition(b")")[0]))
    assert game.move_points.tolist() == whole.move_points[:moves].tolist()
    assert game.broken_off == (b")" not in BRANCHED[:length])
    assert parse_game(write_tree(read_tree(BRANCHED[:length]))).move_points.tolist() == game.move_points.tolist()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"(;B[aa];W[aa]C[oh];B[bb])", "move 2, White A19: the point is occupied"),
        (
            b"(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb]TB[aa])",
            "move 2, White B4: the point is forbidden by ko",
        ),
    ],
)
def test_a_record_with_an_illegal_move_is_read_up_to_there(data: bytes, why: str) -> None:
    game = parse_game(data)
    assert (len(game.move_points), game.broken_off, str(game.illegal_move)) == (1, True, why)
    assert (game.territory, game.comments) == (None, {})


def test_comments_are_kept_by_the_number_of_moves_played() -> None:
    data = "(;SZ[9]C[two\nlines \\\\];B[ee]W[ec]C[\u67ef\x07\x08];C[and more];B[dd];W[cc](;C[end])(;C[variation]))"
    game = parse_game(data.encode())
    assert game.comments == {0: "two\nlines \\", 2: "\u67ef\ufffd\ufffd\nand more", 4: "end"}
    assert len(parse_game(b"(;SZ[9]C[%s])" % (b"x" * 9_999)).comments[0]) == 2_000


def test_a_player_without_a_name_is_called_by_the_colour() -> None:
    record = parse_game(b"(;PB[?]PW[Bo]WR[2k];B[aa])")
    assert (record.black, record.player(BLACK), record.player(WHITE)) == ("", "Black", "Bo 2k")
