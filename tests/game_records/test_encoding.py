"""The encodings of records: written text is read again, also letters whose second byte is a backslash or bracket."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records.encoding import decode_text, encoding_of
from game_records.record_errors import RecordError
from game_records.sgf import parse_game

MOVES = (
    ";B[fd];W[cd];B[dc];W[cc];B[ed];W[gf];B[ef];W[hd];B[gg];W[hg];B[cg];W[fg];B[bf];W[gc];B[fb];W[gb];B[fc];W[fa];B[cb]"
    ";W[da];B[eb];W[ea];B[ca];W[dh];B[ch];W[dg];B[df];W[eg];B[di];W[gh];B[ei];W[ge];B[fe];W[ga];B[db];W[ff];B[gi];W[hi]"
    ";B[fi];W[gd];B[ci];W[fh];B[eh];W[];B[]"
)
# Names and comments whose last letter ends in the byte of a backslash or a bracket.
TRAILING = [
    ("Shift_JIS", "申真ソ"),
    ("Shift_JIS", "江鋳久江"),
    ("Shift_JIS", "この手は予定表"),
    ("Shift_JIS", "能ソ表十貼暴"),
    ("Big5", "好功許蓋"),
    ("Big5", "這步棋成功"),
    ("GBK", "漒珅"),
    ("GB18030", "好漒"),
    ("EUC-KR", "집반불계"),
    ("EUC-JP", "能ソ表"),
]
# Records that name no encoding.
UNNAMED = [
    ("shift_jis", "EV[第46期棋聖戦]PB[井山裕太]PW[一力遼]C[コミ6目半、白番中押し勝ち]"),
    ("euc-kr", "EV[제46기 명인전]PB[신진서]PW[박정환]C[흑 불계승]"),
    ("gb18030", "EV[第25届三星杯]PB[柯洁]PW[党毅飞]C[黑中盘胜]"),
    ("big5", "EV[第25屆三星盃]PB[柯潔]PW[黨毅飛]C[黑中盤勝]"),
    ("windows-1251", "PB[Илья Шикшин]PW[Александр Динерштейн]C[Чёрные победили]"),
    ("utf-8", "PB[申真谞]PW[井山裕太]C[테스트 комментарий]"),
    ("euc-jp", "EV[第46期棋聖戦]PB[井山裕太]PW[一力遼]C[コミ6目半、白番中押し勝ち]"),
    *((encoding, "KM[6目半]") for encoding in ("shift_jis", "euc-jp", "big5")),
    ("euc-kr", "KM[6집반]"),
    ("euc-kr", "RE[백 불계승]"),
    *((encoding, f"PB[{name}]") for name in ("趙治勲", "武宮正樹", "加藤正夫") for encoding in ("cp932", "euc-jp")),
    *(("gb18030", f"PB[{name}]PW[x]") for name in ("柯洁", "古力", "常昊", "聂卫平", "罗洗河")),
    *(("euc-kr", f"PB[{name}]PW[x]") for name in ("이창호", "조훈현", "유창혁", "최철한", "김지석")),
    *(("big5", f"PB[{name}]PW[x]") for name in ("周俊勳", "林海峰", "王立誠", "張栩")),
    *(("cp1252", f"PB[{name}]PW[x]") for name in ("José", "Müller", "Åke", "Jérôme", "Größe", "Öz", "Peña")),
    ("windows-1251", "PB[Шикшин]"),
]


def named(encoding: str, text: str, tag: str) -> str:
    return f"(;GM[1]FF[4]CA[{encoding}]SZ[9]KM[7]RU[Chinese]RE[B+4.0]{tag}[{text}]PW[x]{MOVES})"


@pytest.mark.parametrize("tag", ["PB", "C"])
@pytest.mark.parametrize(("encoding", "text"), TRAILING)
def test_bytes_of_letters_end_nothing(encoding: str, text: str, tag: str) -> None:
    game = parse_game(named(encoding, text, tag).encode(encoding))
    assert (len(game.move_points), game.white, game.notes) == (45, "x", ())
    assert (game.black if tag == "PB" else game.comments[0]) == text
    commented = named(encoding, "x", "PB").replace(";W[cd]", f";W[cd]C[{text}]")
    game = parse_game(commented.encode(encoding))
    assert (len(game.move_points), game.comments) == (45, {2: text})


@pytest.mark.parametrize(("encoding", "properties"), UNNAMED)
def test_the_encoding_is_found_where_it_is_not_named(encoding: str, properties: str) -> None:
    record = f"(;GM[1]{properties};B[pd])"
    assert decode_text(record.encode(encoding)) == record


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "big5"])
def test_a_komi_in_words_of_any_encoding(encoding: str) -> None:
    game = parse_game("(;KM[6目半];B[pd])".encode(encoding))
    assert (game.komi, game.komi_given) == (6.5, True)
    assert parse_game("(;KM[6집반];B[pd])".encode("euc-kr")).komi == 6.5


def test_a_record_of_the_nihon_ki_in() -> None:
    lines = [
        "TE[第1回棋戦]",
        "RD[2025-06-12]",
        "KO[黒6目半]",
        "RE[257手完, 黒中押し勝ち]",
        "PB[甲ソ]",
        "BR[九段]",
        "PW[乙]",
    ]
    game = parse_game("\r\n".join(["(", *lines, "GK[1]", ";B[pd];W[dp])"]).encode("shift_jis"))
    assert (game.komi, game.komi_given, game.result.winner, game.result.kind) == (6.5, True, 1, "resign")
    assert (game.black, game.white, len(game.move_points)) == ("甲ソ", "乙", 2)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"(;PB[An])", "utf-8"),
        ("(;CA[GB2312]PB[\u738b\u6c38])".encode(), "utf-8"),  # says one thing, is another
        ("(;CA[GB2312]PB[模])".encode("gb18030"), "gb18030"),  # happens to be UTF-8 as well
        ("(;PB[周睿羊]PW[柯洁])".encode().replace(b"\x9d", b"?"), "utf-8"),
        ("(;CA[no such]PB[古力])".encode("gb18030"), "gb18030"),
        ("(;CA[idna]PB[古力])".encode("gb18030"), "gb18030"),
        ("(;CA[ISO-8859-1]PB[José])".encode("latin-1"), "iso-8859-1"),
    ],
)
def test_named_and_damaged_encodings(data: bytes, encoding: str) -> None:
    assert encoding_of(data) == encoding


@given(st.text(max_size=60), st.sampled_from(["utf-8", "shift_jis", "gb18030", "big5", "euc-kr", "euc-jp", "cp1251"]))
@settings(max_examples=100)
def test_text_of_an_encoding_that_is_named_comes_back(text: str, encoding: str) -> None:
    plain = "".join(letter for letter in text if letter not in "\r\n\t\v\f\ufeff").encode(encoding, "ignore")
    value = plain.decode(encoding).replace("\\", "\\\\").replace("]", "\\]")
    try:
        game = parse_game(f"(;CA[{encoding}]C[{value}];B[pd])".encode(encoding))
    except RecordError:
        pytest.fail("read with any letters")
    assert game.move_points.tolist() == [72]
