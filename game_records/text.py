"""The text of records: its encoding, and the grammar of SGF: games of a collection, nodes of a game, and trees of them.

An encoding is found by what decodes, by the one that the record names, and by the letters that come out. What is no SGF
is skipped, as Go programs do. `sgf` reads what nodes mean.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, iterdecode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

from goban.errors import shown

# CA of SGF, also by a long name, and Lang of UGF.
_NAMED = re.compile(
    rb"C[a-z]{0,16}A[a-z]{0,16}\s{0,16}\[\s{0,16}([\w.:-]{1,40})\s{0,16}\]|^Lang\s{0,16}=\s{0,16}([\w.-]{1,40})",
    re.MULTILINE,
)
_WIDER: Final = {  # the codecs that hold what programs write under a narrower name
    **dict.fromkeys(("gb2312", "gbk", "cp936", "x-gbk", "euc-cn", "hz"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms932", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "euc_kr", "ks_c_5601-1987", "korean"), "cp949"),
    **dict.fromkeys(("big5", "big5-hkscs", "big5-eten"), "cp950"),
}
_SAMPLE: Final = 5000  # letters that are looked at
_ASCII: Final = bytes(range(32, 127))
_LITTLE_ENDIAN = re.compile(rb"(?:[\t\n\r -~]\0){4}")
_BIG_ENDIAN = re.compile(rb"(?:\0[\t\n\r -~]){4}")
_MOST_OF_MARK: Final = 8  # bytes that show whether a text is in UTF-16
_LOST: Final = "\ufffd"

# Letters of names and of Go, by which a language is recognised.
_SIMPLIFIED = (
    "黑白中盘胜目半子段级执让先贴杯赛第届局轮回年月日国围棋名人天元圣职业余负和终王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹"
    "袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾侯邵孟龙万钱汤尹黎易常武乔贺赖龚文洁古力"
    "柯时越睿羊檀昱廷毅飞俊小伟明建华军平东海云志强晓辉永新春生的了是不在有这个一二三四五六七八九十手好活死劫气眼"
)
_TRADITIONAL = (
    "黑白中盤勝目半子段級執讓先貼盃杯賽第屆局輪回年月日國圍棋名人天元聖職業餘負和終王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹"
    "袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻潘杜戴夏鍾汪田任姜范方石姚譚廖鄒熊金陸郝孔崔康毛邱秦江史顧侯邵孟龍萬錢湯尹黎易常武喬賀賴龔文潔古力"
    "柯時越黨毅飛俊小偉明建華軍平東海雲志強曉輝永新春生的了是不在有這個一二三四五六七八九十手好活死劫氣眼"
)
_JAPANESE = (
    "黒白中押勝目半番段級名人本因坊棋聖天元王座十戦第期回局手完日院年月二三四五六七八九先互定囲碁井山田裕太河臨佐藤木村小林高橋伊加吉渡辺松竹光治武宮"
    "正樹依趙張栩羽根直結城聡坂榮栄寿石大平口野川内上下原島沢澤崎谷森岡清水央東西南北鈴斎後遠青長近安達一力遼許家元芝虎丸関航志智純雄男子夫郎也之美"
    "香奈終局好"
)
_KOREAN = (
    "흑백집반승불계단급명인전기국수왕위천원배프로아마대회제바둑시간덤김이박최정강조윤장임한오서신권황안송유홍고문양손허남심노하곽성차주우구민나진"
    "지현석영준호훈창동철상재희경태종세돌욱규환용선은혜연미숙순일삼사육칠팔구십년월끝패"
)
_SIGN = re.compile("[\u2500-\u257f●○\u3000-\u303f\uff01-\uff5e]")  # of boards as text, and punctuation


class _Candidate(NamedTuple):
    """An encoding, and the value of a letter that it gives, from -4 for one that no text has to 4 for a usual one."""

    codec: str
    value: Callable[[str], float]


def _east_asian(codec: str, usual: str, first: range, second: int = 0xA1, *, kana: float = -1.0) -> _Candidate:
    """Return the candidate of a language.

    Args:
        codec: of the encoding.
        usual: letters of names and of Go.
        first: the first bytes of its frequent letters.
        second: the least of their second bytes.
        kana: the value of a Japanese syllable.
    """
    known = frozenset(usual)

    def value(letter: str) -> float:
        if letter in known:
            return 4.0
        if "\u3041" <= letter <= "\u30fe":
            return kana
        if _SIGN.match(letter):
            return 0.5
        written = letter.encode(codec)
        return 1.0 if len(written) == 2 and written[0] in first and written[1] >= second else -1.0

    return _Candidate(codec, value)


def _western(codec: str) -> _Candidate:
    return _Candidate(codec, lambda letter: 0.5 if letter.isalpha() else -2.0)


_CANDIDATES: Final = (
    _east_asian("gb18030", _SIMPLIFIED, range(0xB0, 0xD8)),
    _east_asian("cp932", _JAPANESE, range(0x88, 0x98), 0x40, kana=2.0),
    _east_asian("euc_jp", _JAPANESE, range(0xB0, 0xD0), kana=2.0),
    _east_asian("cp950", _TRADITIONAL, range(0xA4, 0xC7), 0x40),
    _east_asian("cp949", _KOREAN, range(0xB0, 0xC9)),
    _western("cp1251"),
    _western("cp1252"),
)
# Words of a Western language: capital letters stand at the beginning of a word, or everywhere.
_CYRILLIC = re.compile("\\b(?:[А-ЯЁ]?[а-яё]+|[А-ЯЁ]+)\\b")
_LATIN = re.compile("\\b[A-Za-z]*(?:[A-Za-z][À-ÿ]|[À-ÿ][a-z])[a-zß-ÿ]*\\b")
_FIRST_BYTES: Final = {"cp932": rb"\x81-\x9f\xe0-\xfc", "cp950": rb"\x81-\xfe", "gb18030": rb"\x81-\xfe"}


def decode(data: bytes) -> str:
    """Return the text of a record; what its encoding does not hold becomes U+FFFD."""
    return data.decode(encoding_of(data), "replace").removeprefix("\ufeff")


def _first_bytes(data: bytes) -> bytes:
    """Return, as a regular expression's range, the bytes after which a record's encoding has letters like `]`."""
    return b"" if data.isascii() else _FIRST_BYTES.get(encoding_of(data), b"")


def encoding_of(data: bytes) -> str:
    """Return the encoding of a record.

    It is UTF-16 if the record begins so, UTF-8 if it decodes so, else the encoding that it names in CA, or UTF-8 with
    lost bytes, or the East Asian or Western one whose letters are the likeliest. A name of two letters may decode as
    UTF-8 by chance: then CA counts.
    """
    if utf_16 := _utf_16(data):
        return utf_16
    named = _named(data)
    text = _decoded(data, "utf-8")
    if text is not None and (named is None or text.isascii() or not _is_by_chance(text, data, named)):
        return "utf-8"
    if named is not None and _decoded(data, named) is not None:
        return named
    if _is_damaged_utf8(data):
        return "utf-8"
    if named is not None and data.decode(named, "replace").count(_LOST) * 10 < _letters(data, named):
        return named
    return _likeliest(data)


def _utf_16(data: bytes) -> str:
    """Return the name of UTF-16 for data that begin with its mark or with four letters of ASCII, else ""."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    return "utf-16-le" if _LITTLE_ENDIAN.match(data) else "utf-16-be" if _BIG_ENDIAN.match(data) else ""


def _named(data: bytes) -> str | None:
    written = _NAMED.search(data)
    if written is None:
        return None
    name = (written[1] or written[2]).decode("ascii", "replace").lower()
    codec = _WIDER.get(name, name)
    return codec if _keeps_ascii(codec) else None


@cache
def _keeps_ascii(codec: str) -> bool:
    """Return whether a codec is one of text that leaves ASCII as it is."""
    try:
        return _ASCII.decode(codec, "replace") == _ASCII.decode()
    except (ValueError, LookupError):
        return False


def _decoded(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (ValueError, LookupError):
        return None


def _is_by_chance(text: str, data: bytes, named: str) -> bool:
    """Return whether UTF-8 without East Asian letters may be text of the East Asian encoding that is named."""
    return (
        named in _FIRST_BYTES | {"cp949": b"", "euc_jp": b""} and max(text) < "\u0800" and bool(_decoded(data, named))
    )


def _is_damaged_utf8(data: bytes) -> bool:
    """Return whether as many letters of UTF-8 are left as lost, each of which leaves up to two bytes; at least two."""
    text = data.decode("utf-8", "replace")
    kept = sum(map(len, re.findall("[\u0800-\ufffc\U00010000-\U0010ffff]+", text)))
    return kept >= max(2, text.count(_LOST) / 2)


def _letters(data: bytes, codec: str) -> int:
    return sum(map(len, re.findall(r"[^\x00-\x7f]+", data.decode(codec, "replace"))))


def _likeliest(data: bytes) -> str:
    """Return the codec that gives the likeliest letters; the first of equal ones, and cp1252 if none decodes."""
    found = {each.codec: _value(each, text) for each in _CANDIDATES if (text := _decoded(data, each.codec)) is not None}
    return max(found, key=found.__getitem__, default="cp1252")


def _value(candidate: _Candidate, text: str) -> float:
    """Return how likely a text is, the sum over its letters times their bytes; letters between ASCII ones too."""
    letters = "".join(re.findall(r"[^\x00-\x7f]+", text))[:_SAMPLE]
    value = sum(
        count * candidate.value(each) * _bytes(each, candidate.codec) for each, count in Counter(letters).items()
    )
    words = {"cp1251": _CYRILLIC, "cp1252": _LATIN}.get(candidate.codec)
    if words is not None:
        spelled = "".join(words.findall(text[: 1 << 16]))
        value += 2 * sum(not letter.isascii() for letter in spelled) - len(letters)
    return value


def _bytes(letter: str, codec: str) -> int:
    """Return the bytes above ASCII of a letter."""
    return sum(byte > 127 for byte in letter.encode(codec))


MAX_GAME = 1 << 20
_MAX_JUNK = 1 << 24
_LOOKAHEAD = 96

# Where a game begins: "(;", a property without the ";", or a root node whose parenthesis was lost.
_GAME: Final = "G[a-z]{0,12}M[a-z]{0,12}|F[a-z]{0,12}F[a-z]{0,12}"  # GM and FF, also by long names
START = re.compile(rf"\(\s{{0,64}}(?:;|[A-Z]{{2}}\s{{0,16}}\[)|;\s{{0,16}}(?:{_GAME})\s{{0,16}}\[")
_START_OF_BYTES = re.compile(START.pattern.encode())
# A root node, where a new game begins although the last one was never closed.
_ROOT = re.compile(
    rf"\(\s{{0,16}};\s{{0,16}}(?:{_GAME}|C[a-z]{{0,12}}A[a-z]{{0,12}}|S[a-z]{{0,12}}Z[a-z]{{0,12}})\s{{0,16}}\[".encode()
)
# A line end inside a value, behind which another game begins: the value was never closed.
_BROKEN: Final = r"[\r\n]\s{0,16}\(\s{0,16};\s{0,16}(?!GM\[\D)[A-Za-z]{1,24}\s{0,16}\[[^\\\]\[]{0,80}\]"
# What no text holds; escapes are part of Japanese text.
_BINARY = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_BINARY_BYTES = re.compile(_BINARY.pattern.encode())

Node = dict[str, list[str]]
"""The properties of a node, and their values as they are written, with escapes."""

SETUP: Final = ("AB", "AW", "AE")

_LETTERS = rf"[^\\\]\r\n]*+(?:(?:\\.|(?!{_BROKEN})[\r\n])[^\\\]\r\n]*+)*+"
# A mark; a name with a value; a further value; a name without a value; a value without an end.
_TOKEN = re.compile(
    rf"([();])|([A-Za-z][A-Za-z0-9]*+)\s*+\[({_LETTERS})\]|\[({_LETTERS})\]|([A-Za-z][A-Za-z0-9]*+)|(\[)", re.DOTALL
)
_MARK, _PROPERTY, _VALUE, _WORD = 1, 3, 4, 5
_MOVES: Final = ("B", "W")
_MAX_NODES: Final = 100_000
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_LINE_END = re.compile(r"\r\n|\n\r|\r")
_BLANKS: Final = dict.fromkeys(map(ord, "\t\v\f"), " ")
_TO_ESCAPE = re.compile(r"[\\\]]")


class _Grammar(NamedTuple):
    """What the splitter looks for: what stands between parentheses that count, and a value that was never closed."""

    plain: re.Pattern[bytes]
    broken: re.Pattern[bytes]


@cache
def _grammar(first: bytes = b"") -> _Grammar:
    """Return what is looked for; values hold their escapes.

    `first`: the bytes that with the next one are a letter. Not possessive as a whole: Python 3.11.2 would not go back
    to the end of the last whole part.
    """
    another = rb"(?=%b)" % _BROKEN.encode()
    letters = rb"(?:[^\\\]\r\n%b]++|%b\\.|(?!%b)[\r\n])*+" % (first, rb"[%b].|" % first if first else b"", another)
    plain = re.compile(rb"(?:[^\[()]++|\[%b\]){1,1000}" % letters, re.DOTALL)
    return _Grammar(plain, re.compile(rb"\[%b%b" % (letters, another), re.DOTALL))


def split_games(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each game of a collection that arrives in pieces, holding one game at a time.

    The same games come out however the collection is cut into `chunks`. What lies between games is skipped; after
    16 MiB of it the rest is given up, and so is a file that begins with binary bytes. A game that is cut off by the
    end, by a new root node, or inside a value by a line that begins another game, is yielded as far as it goes; one
    above MAX_GAME bytes is yielded cut just above that size. Checks nothing, and decodes only UTF-16, whose games come
    out in UTF-8. The second byte of a letter in Shift_JIS, Big5 or GB 18030 ends no value.
    """
    splitter = _Splitter()
    for chunk in _without_utf16(chunks):
        yield from splitter.feed(chunk)
        if splitter.junk > _MAX_JUNK:
            return
    yield from splitter.feed(b"", final=True)


def _without_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a stream as it is, or in UTF-8 if it begins as UTF-16."""
    stream, head = iter(chunks), b""
    while len(head) < _MOST_OF_MARK and (chunk := next(stream, None)) is not None:
        head += chunk
    whole = chain([head], stream)
    codec = _utf_16(head)
    return (text.encode() for text in iterdecode(whole, codec, "replace")) if codec else whole


class _Splitter:
    """The bytes not yet given out begin at `begin`: inside a game (`depth` > 0) with it, scanned up to `at`."""

    def __init__(self) -> None:
        self.buffer, self.begin, self.at, self.depth, self.junk = b"", 0, 0, 0, 0
        self.start, self.has_games, self.grammar = _START_OF_BYTES, False, _grammar()

    def feed(self, chunk: bytes, final: bool = False) -> Iterator[bytes]:
        """Take in more bytes and yield the games that they complete; `final` if none will follow."""
        self.buffer = self.buffer[self.begin :] + chunk
        self.begin, self.at = 0, self.at - self.begin
        while self.depth or self._find_start():
            end = self._find_end(final)
            if end is not None:
                yield self._cut(end)
            elif final:
                yield self._cut(len(self.buffer))
            else:
                return

    def _find_start(self) -> bool:
        match = self.start.search(self.buffer, self.begin)
        end = max(self.begin, len(self.buffer) - _LOOKAHEAD) if match is None else match.start()
        if not self.has_games and _BINARY_BYTES.search(self.buffer, self.begin, end):
            self.junk = _MAX_JUNK + 1
            return False
        if match is None:
            self.junk += end - self.begin
            self.begin = end
            return False
        self.begin, self.junk, self.start, self.has_games = match.start(), 0, _START_OF_BYTES, True
        self._enter(_grammar())
        return True

    def _enter(self, grammar: _Grammar) -> None:
        """Be inside the game, behind its first byte."""
        self.at, self.depth, self.grammar = self.begin + 1, 1, grammar

    def _find_end(self, final: bool) -> int | None:
        """Where the game ends once it is complete, or known to be bad; None while more bytes are needed.

        The encoding is that of the bytes up to where the game would end in ASCII.
        """
        end = self._scan(final)
        if self.grammar is _grammar() and (final or end is not None):
            first = _first_bytes(self.buffer[self.begin : end])
            if first:
                self._enter(_grammar(first))
                return self._scan(final)
        return end

    def _scan(self, final: bool) -> int | None:
        limit = self.begin + MAX_GAME
        while self.depth:
            while plain := self.grammar.plain.match(self.buffer, self.at):
                self.at = plain.end()
            mark = self.buffer[self.at : self.at + 1]
            if mark == b"[" and (broken := self.grammar.broken.match(self.buffer, self.at)):
                return broken.end()
            if len(self.buffer) > limit and (self.at >= limit or mark not in (b"(", b")")):
                # Only a root node distinguishes new games from its inside any more.
                self.start = _ROOT
                return limit + 1
            if mark == b"(":
                if len(self.buffer) - self.at < _LOOKAHEAD and not final:
                    return None
                if _ROOT.match(self.buffer, self.at):
                    return self.at
            elif mark != b")":
                return None
            self.depth += 1 if mark == b"(" else -1
            self.at += 1
        return self.at

    def _cut(self, end: int) -> bytes:
        game, self.begin, self.depth = self.buffer[self.begin : end], end, 0
        return game


class Fault(Exception):
    """What makes a record useless: `reason` as in a RecordError, and `detail`, what was found where."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail


class Reader:
    """The nodes of one game, in the order of its text.

    Accepts text between properties, nodes without ";" or after a closed variation, empty nodes and variations, and
    makes a node with several moves one node for each.

    Attributes:
        skipped: by its kind, a line on the first thing that was skipped or is no SGF.
        is_closed: whether a ")" follows the last node of the main line that was read.
        is_cut: whether the text ends inside a property.
    """

    def __init__(self, text: str, begin: int = 0) -> None:
        """Keep the text, in which the game begins at `begin` with its "(", or with a ";" if that was lost."""
        self.skipped: dict[str, str] = {}
        self.is_closed = self.is_cut = False
        self._text, self._begin = text, begin
        self._branches: list[int] = []  # the node before each open variation
        if text.startswith(";", begin):
            self._branches.append(-1)
            self._note("parenthesis", "read a game that begins with ';', although no '(' is before it")
        self._before, self._count, self._main = -1, 0, -1
        self._node: Node | None = None  # until its ";", or a property without one
        self._name, self._values = "", list[str]()  # of the last property
        self._follows_variation = False

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line, those that come first after the node before; raise Fault for too many."""
        nodes: list[Node] = []
        for _, node in self.nodes():
            if self._main == self._count - 1:
                nodes.append(node)
            if len(nodes) > _MAX_NODES:
                raise Fault("too large", f"expected at most {_MAX_NODES:,} nodes. Received: more")
        return nodes

    def nodes(self) -> Iterator[tuple[int, Node]]:
        """Yield the number of the node before, -1 for the first, and the node; behind the root none is empty."""
        end = self._begin
        for token in _TOKEN.finditer(self._text, self._begin):
            kind, at = token.lastindex, token.start()
            if at > end:
                self._skip(self._text[end:at], end)
            end = token.end()
            if kind == _PROPERTY:
                name = token[2] if token[2].isupper() else _short_name(token[2])
                if name in _MOVES and self._node and not self._node.keys().isdisjoint(_MOVES):
                    yield from self._finish()
                    self._begin_node()
                self._add_property(name, token[3], token)
            elif kind == _VALUE:
                self._add_value(token[4], at)
            elif kind == _MARK:
                yield from self._finish()
                if token[1] == ";":
                    self._begin_node()
                elif self._turn(token[1]):
                    return
            elif kind == _WORD:
                if not self._text.startswith("[", end):  # else the record breaks off in a value
                    self._skip(token[5], at)
                    self.is_cut = end == len(self._text)
            else:
                self.is_cut = True
                break
        yield from self._finish()

    def _turn(self, mark: str) -> bool:
        """Begin or close a variation; return whether that was the game."""
        self._follows_variation = mark == ")"
        if mark == "(":
            self._branches.append(self._before)
            return False
        self.is_closed |= self._before == self._main
        self._before = self._branches.pop()
        return not self._branches

    def _begin_node(self) -> None:
        if self._follows_variation:
            self._note("variation", "read the nodes after a closed variation as another variation")
        self._node, self._name, self._follows_variation = {}, "", False

    def _add_property(self, name: str, value: str, token: re.Match[str]) -> None:
        if self._node is None:
            self._note("semicolon", f"read {token[2]} as the first property of a node, although no ';' is before it")
            self._begin_node()
        assert self._node is not None
        self._name = name
        if not name:
            self._skip(token[0], token.start())
            return
        self._values = self._node.setdefault(name, [])
        self._values.append(value)

    def _add_value(self, value: str, at: int) -> None:
        if not self._name:
            self._skip(f"[{value}]", at)
        elif self._name in _MOVES:
            self._note("points", f"skipped {self._name}[{value}], the second point of one move")
        else:
            self._values.append(value)

    def _finish(self) -> Iterator[tuple[int, Node]]:
        """End the node, and yield it with the number of the one before it if it has properties or is the root."""
        node, self._node, self._name = self._node, None, ""
        if node is None or (not node and self._count):
            return
        before, self._before = self._before, self._count
        if before == self._main:
            self._main, self.is_closed = self._count, False
        self._count += 1
        yield before, node

    def _skip(self, text: str, at: int) -> None:
        if "text" not in self.skipped and (text := text.strip()):
            line = self._text.count("\n", 0, self._text.index(text, at)) + 1
            self.skipped["text"] = f"skipped text that is no SGF, on line {line}: {shown(text)}"

    def _note(self, kind: str, line: str) -> None:
        self.skipped.setdefault(kind, line)


def _short_name(name: str) -> str:
    """Return the name of a property without its small letters, "" where no name of SGF is left, as of `b` and `a1B`."""
    short = "".join(letter for letter in name if not letter.islower())
    return "" if short[:1].isdigit() else short


def game_reader(data: bytes) -> Reader:
    """Return the reader of the first game in SGF `data`; raise Fault if there is none, or one above MAX_GAME bytes."""
    if len(data) > MAX_GAME:
        raise Fault("too large", f"expected at most {MAX_GAME >> 20} MiB a game")
    text = decode(data)
    start = START.search(text)
    if start is None or _BINARY.search(text, 0, start.start()):
        found = "a binary file" if _BINARY.search(text) else "other text" if data.strip() else "nothing"
        raise Fault("not SGF" if data.strip() else "empty", f"expected a game that begins with '(;'. Received: {found}")
    return Reader(text, start.start())


def plain_text(value: str) -> str:
    """Return a value without escapes, with spaces for tabs and line feeds for the ends of lines."""
    text = _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)
    return _LINE_END.sub("\n", text).translate(_BLANKS)


def escaped(text: str) -> str:
    """Return a text as the value of a property."""
    return _TO_ESCAPE.sub(r"\\\g<0>", text)


@dataclass(slots=True)
class Tree:
    """The nodes of a game.

    Attributes:
        nodes: the root first, with its set-up; at least one.
        next: the numbers of the nodes that follow each, the main line's first.
    """

    nodes: list[Node]
    next: list[list[int]]

    @classmethod
    def of_line(cls, nodes: Sequence[Node]) -> "Tree":
        """Return the tree of nodes that follow each other."""
        return cls(list(nodes), [*([number] for number in range(1, len(nodes))), []])

    def add(self, before: int, node: Node) -> int:
        """Add a node as the last that follows another, and return its number."""
        self.nodes.append(node)
        self.next.append([])
        self.next[before].append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def main_line(self) -> Iterator[int]:
        """Yield the numbers of the nodes of the main line."""
        number = 0
        yield number
        while self.next[number]:
            number = self.next[number][0]
            yield number


def read_tree(data: bytes) -> Tree:
    """Return the tree of the first game in SGF `data`, which `parse_game` accepts; its encoding becomes UTF-8."""
    tree = Tree([], [])
    for before, node in game_reader(data).nodes():
        if tree.nodes:
            tree.add(max(before, 0), node)
        else:
            tree = Tree([node], [[]])
    tree = tree if tree.nodes else Tree([{}], [[]])
    tree.nodes[0]["CA"] = ["UTF-8"]
    return tree


def write_tree(tree: Tree) -> bytes:
    """Return a tree as SGF in UTF-8."""
    parts: list[str] = []
    waiting: list[int | str] = [")\n", 0, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(";" + "".join(f"{name}[{']['.join(values)}]" for name, values in tree.nodes[item].items()))
        marks = ("\n", "") if len(tree.next[item]) == 1 else ("\n(", ")")
        for number in reversed(tree.next[item]):
            waiting += (marks[1], number, marks[0])
    return "".join(parts).encode()


def nodes_by_ply(tree: Tree) -> dict[int, Node]:
    """Return the nodes of the main line by the number of moves after which they show the position.

    Moves are counted from the last set-up on. That before the first move is shown by the last node before it.
    """
    found: dict[int, Node] = {}
    for ply, number in main_line_by_ply(tree):
        if ply == 0 or ply not in found:
            found[ply] = tree.nodes[number]
    return found


def add_variation(tree: Tree, number: int, nodes: Sequence[Node]) -> None:
    """Add a variation to the main line, after those that are there.

    Args:
        tree: the tree, which is changed. Nothing is added where the root holds the move.
        number: of the move, from 1, in whose place the variation begins.
        nodes: the variation's.
    """
    before = [node for ply, node in main_line_by_ply(tree) if ply < number]
    if before:
        last = before[-1]
        for node in nodes:
            last = tree.add(last, node)


def drop_variations(tree: Tree, chosen: Callable[[Node], bool]) -> None:
    """Drop from a tree the variations, all but the main line, whose first node is one of those that are chosen."""
    for following in tree.next:
        following[1:] = [number for number in following[1:] if not chosen(tree.nodes[number])]


def main_line_by_ply(tree: Tree) -> list[tuple[int, int]]:
    """Return moves played and number of each node of the main line, from the last set-up after a move on."""
    found: list[tuple[int, int]] = []
    ply = 0
    for number in tree.main_line():
        node = tree.nodes[number]
        if ply and not node.keys().isdisjoint(SETUP):
            found, ply = [], 0
        ply += ("B" in node) + ("W" in node)
        found.append((ply, number))
    return found
