"""The encoding of records: the one that decodes, that a record names, or that gives the likeliest letters."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

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
MOST_OF_MARK: Final = 8  # bytes that show whether a text is in UTF-16
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


def decode_text(data: bytes) -> str:
    """Return the text of a record; bytes that its encoding does not know become U+FFFD."""
    return data.decode(encoding_of(data), "replace").removeprefix("\ufeff")


def first_bytes(data: bytes) -> bytes:
    """Return, as a regular expression's range, the bytes after which a record's encoding has letters like `]`."""
    return b"" if data.isascii() else _FIRST_BYTES.get(encoding_of(data), b"")


def encoding_of(data: bytes) -> str:
    """Return the encoding of a record.

    It is UTF-16 if the record begins so, UTF-8 if it decodes so, else the encoding that it names in CA, or UTF-8 with
    lost bytes, or the East Asian or Western one whose letters are the likeliest. A name of two letters may decode as
    UTF-8 by chance: then CA counts.
    """
    if codec := utf_16(data):
        return codec
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


def utf_16(data: bytes) -> str:
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
    values = {
        each.codec: _value(each, text) for each in _CANDIDATES if (text := _decoded(data, each.codec)) is not None
    }
    return max(values, key=values.__getitem__, default="cp1252")


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
