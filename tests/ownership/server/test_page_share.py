"""Sharing from the page: the whole record, and the additions of its reader."""

import json
from collections.abc import Iterator

import pytest
from sgfmill import sgf

from game_records.sgf import parse_game
from tests.support.browser import DOWN, RIGHT
from tests.support.page import Page

RICH = """(;GM[1]FF[4]SZ[9]KM[7]RU[chinese]PB[Anna]PW[Ben]BR[5k]WR[6k]DT[2026-11-01]EV[Club cup]RO[2]PC[Club]
TM[1800]OT[5x30 byo-yomi]RE[B+4]GC[Nice \\] game]AN[Carl]XY[aa][b\\\\b]C[Root: comment]
;B[fd]C[First move]BL[1790];W[cd]TR[cd]LB[aa:1][bb:2];B[dc]KX[x\\:y];W[cc](;B[ed];W[gf];B[ef];W[hd];B[gg];W[hg]
;B[cg];W[fg])(;B[dd]C[the club's idea];W[gf](;B[ee])(;B[gg]DM[1])))"""
OWN = [("w", (5, 6)), ("b", (3, 3))]  # at move 4: White G6, then Black D4
REVIEW_SHOWN = "return [reviewNow().mistakes(), graph.values.map((each) => each.toFixed(3)), graph.dots.length]"
WATCH_REQUESTS = """window.fetched = []; const ask = fetch;
    fetch = (path, asked) => { fetched.push(path); return ask(path, asked); }"""

Nodes = list[dict[str, list[bytes]]]


def tree(data: bytes) -> sgf.Sgf_game:
    return sgf.Sgf_game.from_bytes(data)


def lines(data: bytes) -> list[Nodes]:
    """Return the nodes on the way to each leaf, in order, as another program reads them; all values are raw."""

    def below(node: sgf.Tree_node) -> Iterator[Nodes]:
        here = {name: node.get_raw_list(name) for name in node.properties()}
        if not len(node):
            yield [here]
        for child in node:
            yield from ([here, *rest] for rest in below(child))

    return list(below(tree(data).get_root()))


def with_encoding(found: list[Nodes]) -> list[Nodes]:
    return [[{**root, "CA": [b"UTF-8"]}, *nodes] for root, *nodes in found]


def opened(page: Page, record: str = RICH) -> None:
    page.browser.run("window.earlier = state.file")
    page.paste(record)
    page.wait(lambda: page.browser.run("return state.file !== earlier && accepted === state"))


def test_a_record_is_shared_with_all_that_it_holds(page: Page) -> None:
    opened(page)
    shared = page.saved("#share-sgf")
    assert lines(shared) == with_encoding(lines(RICH.encode()))
    opened(page, shared.decode())
    assert page.saved("#share-sgf") == shared


@pytest.mark.parametrize("codec", ["gb18030", "shift_jis", "utf-16"])
def test_any_encoding_becomes_utf_8(codec: str, page: Page, tmp_path: object) -> None:
    record = "(;SZ[9]PB[小林]EV[名人戦]C[黒の勝ち];B[ee];W[cc])"
    data = list(record.encode(codec))
    page.browser.run(f"open(new Blob([new Uint8Array({data})]), 'game.sgf')")
    page.wait(lambda: page.browser.text("h1").startswith("小林"))
    page.settle()
    assert lines(page.saved("#share-sgf")) == with_encoding(lines(record.encode()))


def test_an_own_variation_stands_beside_the_game(page: Page) -> None:
    opened(page)
    page.browser.run("go(3)")
    page.settle()
    page.choose("play")
    for vertex in ("G6", "D4"):
        page.mark(vertex)
    shared = page.saved("#share-sgf")
    before = with_encoding(lines(RICH.encode()))
    *kept, own = lines(shared)
    assert kept == before
    assert own[:4] == before[0][:4]
    assert own[4:] == [{"W": [b"gd"]}, {"B": [b"df"]}]
    game, original = parse_game(shared), parse_game(RICH.encode())
    assert (game.id, game.result.text) == (original.id, "B+4")


def test_a_variation_of_the_record_is_not_added_again(page: Page) -> None:
    opened(page)
    page.browser.run("go(4)")
    page.settle()
    page.choose("play")
    for vertex in ("D6", "G4", "E5"):  # as the record has it
        page.mark(vertex)
    assert lines(page.saved("#share-sgf")) == with_encoding(lines(RICH.encode()))


def test_a_variation_at_a_move_in_the_root(page: Page) -> None:
    opened(page, "(;SZ[5]EV[Club]B[cc]BL[9];W[bb]C[said])")
    page.browser.run("go(0)")
    page.settle()
    page.choose("play")
    page.mark("B2")
    root = {"SZ": [b"5"], "EV": [b"Club"], "CA": [b"UTF-8"]}
    assert lines(page.saved("#share-sgf")) == [
        [root, {"B": [b"cc"], "BL": [b"9"]}, {"W": [b"bb"], "C": [b"said"]}],
        [root, {"B": [b"bd"]}],
    ]


def test_the_review_of_a_game_is_shared(page: Page) -> None:
    opened(page)
    assert page.browser.count("#share-analysis[hidden]") == 1
    page.wait(lambda: page.browser.find("#review-game").is_displayed())
    page.browser.find("#review-game").click()
    page.wait(lambda: page.browser.run("return !at('share-analysis').hidden"))
    page.browser.run("go(3)")
    page.settle()
    page.choose("play")
    page.mark("G6")
    before, shared = lines(RICH.encode())[0], page.saved("#share-analysis")
    game, *others = lines(shared)
    assert [node["B"] for node in game if "B" in node] == [node["B"] for node in before if "B" in node]
    for was, now in zip(before, game, strict=True):
        assert {name: now[name] for name in was if name != "C"} == {name: was[name] for name in was if name != "C"}
        assert now["C"][0].startswith(was.get("C", [b""])[0])
        assert b"Analysis with " in now["C"][0] and {"SBKV", "SBKS", "V", "KT"} <= set(now)
    assert [{"W": [b"gd"]}] in [line[4:] for line in others]
    assert parse_game(shared).id == parse_game(RICH.encode()).id
    page.browser.run("undo()")
    page.settle()
    assert lines(page.saved("#share-sgf")) == with_encoding(lines(RICH.encode()))
    told = page.browser.run(REVIEW_SHOWN)
    page.browser.run("searched.clear(); accuracy = null")
    page.browser.run(WATCH_REQUESTS)
    page.browser.run(f"open(new Blob([{json.dumps(shared.decode())}]), 'game.sgf')")
    page.wait(lambda: page.browser.run("return accuracy !== null && accepted === state"))
    page.settle()
    assert page.browser.run(REVIEW_SHOWN) == told
    assert not page.browser.find("#review-game").is_displayed()
    assert page.browser.run("return fetched.filter((path) => /review|candidates/.test(path))") == []


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ("(;SZ[5]PB[An]PW[Bo]BR[3d]DT[2016-06-01,02];B[cc])", "2016-06-01 An - Bo"),
        ('(;SZ[5]PW[a/b: "c"?]DT[June 2016])', "2016 Black - a_b_ _c_"),
        ("(;SZ[5]PB[../../x.];B[cc])", "_.._x. - White"),
        ("(;SZ[5];B[cc])", "game"),
    ],
)
def test_files_are_named_after_players_and_date(record: str, name: str, page: Page) -> None:
    opened(page, record)
    page.saved("#share-sgf")
    assert page.saved_name == f"{name}.sgf"


@pytest.mark.parametrize("forbidden", [False, True])
def test_the_record_is_copied(forbidden: bool, page: Page) -> None:
    refuse, take = "throw new DOMException('no', 'NotAllowedError')", "window.copied = text"
    write = f"async (text) => {{ {refuse if forbidden else take}; }}"
    page.browser.run(f"navigator.clipboard.writeText = {write}; document.execCommand = () => false")
    opened(page)
    page.browser.find("#share").click()
    page.browser.find("#copy-sgf").click()
    if forbidden:
        page.wait(lambda: page.browser.find("#copied").is_displayed())
        assert page.browser.text("#share-dialog .message").startswith("The browser does not allow it")
        chosen = page.browser.run("const area = at('copied'); return area.value.slice(0, area.selectionEnd)")
    else:
        page.wait(lambda: page.message == "The SGF is in the clipboard.")
        assert page.browser.count("dialog[open]") == 0
        chosen = page.browser.run("return copied")
    assert lines(chosen.encode()) == with_encoding(lines(RICH.encode()))


def test_a_record_keeps_its_result_and_marks_until_groups_are_marked(page: Page) -> None:
    opened(page, "(;SZ[5]KM[0]RU[Chinese]RE[W+1]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de];B[];W[]TB[aa]TW[ee])")
    page.wait_for("Black wins by 5")
    end = lines(page.saved("#share-sgf"))[0][-1]
    assert end == {"W": [b""], "TB": [b"aa"], "TW": [b"ee"]}
    page.choose("judge")
    page.mark("D3")
    page.wait_for("Black wins by 25")
    root, *_, end = lines(page.saved("#share-sgf"))[0]
    assert root["RE"] == [b"W+1"]
    assert "TW" not in end and len(end["TB"]) == 20


def test_a_count_gives_a_record_without_result_its_result_and_terms(page: Page) -> None:
    opened(page, "(;SZ[5]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de]XX[kept];B[];W[])")
    page.wait_for("Black wins by 5")
    root, *_, end = lines(page.saved("#share-sgf"))[0]
    assert (root["RE"], root["KM"], root["RU"], root["XX"]) == ([b"B+5"], [b"0"], [b"area"], [b"kept"])
    assert (len(end["TB"]), len(end["TW"])) == (10, 5)


def test_terms_and_the_side_to_move_that_were_chosen_are_shared(page: Page) -> None:
    opened(page, "(;SZ[5]KM[0.5]RU[Chinese]EV[Cup]AB[cc]AW[cd])")
    for name, value in (("rules", "japanese"), ("komi", "3.75"), ("to-move", "-1")):
        page.browser.run(f"at('{name}').value = '{value}'; at('{name}').dispatchEvent(new Event('change'))")
        page.settle()
    [[root]] = lines(page.saved("#share-sgf"))
    assert {name: root[name] for name in ("RU", "KM", "PL", "EV")} == {
        "RU": [b"japanese"], "KM": [b"3.75"], "PL": [b"W"], "EV": [b"Cup"],
    }  # fmt: skip


def test_the_variations_of_a_record_are_shown(page: Page) -> None:
    opened(page)
    page.click_node("Variation 1 from move 5, 5: Black D6")
    assert page.browser.text("#played") == "Move 5 of 7: Black D6"
    assert page.browser.text("#comment") == "the club's idea"
    page.browser.run("at('tree').focus()")
    page.browser.press(RIGHT, RIGHT)
    page.settle()
    assert page.selected == "Variation 1 from move 5, 7: Black E5"
    page.browser.press(DOWN)
    page.settle()
    assert page.selected == "Variation 2 from move 7, 7: Black G3"
    assert page.browser.text("#played") == "Move 7 of 7: Black G3"
    page.choose("play")
    page.mark("A1")  # goes on in the variation
    *kept, own = lines(page.saved("#share-sgf"))
    assert kept == with_encoding(lines(RICH.encode()))[:2]
    assert own[:-1] == with_encoding(lines(RICH.encode()))[2]
    assert own[-1] == {"W": [b"ai"]}
