"""Points as records write them: in digits of any script, in halves and quarters, or in stones."""

import re
import unicodedata

NUMERALS = "初一二三四五六七八九十"
HUNDREDTHS_FROM = 100.0  # a komi of so much or more is written in hundredths
_FRACTION = re.compile(r"([1-9])/([24])")
_NUMBER = re.compile(r"\d{0,4}[.,]?\d{1,4}")
# Letters that no encoding gave, beside a number.
_UNDECODED = re.compile("\ufffd|\\d[\x80-\u04ff]")
_GLUED = re.compile(r"\d[a-z_]+[-+]?\d", re.IGNORECASE)  # 1e9, 0x10, 1_000: no number as records write it
_NUMERAL = re.compile(rf"[{NUMERALS[1:-1]}](?=[目子又半]|分之)|(?<=分之)[{NUMERALS[1:-1]}]")
_TENS = re.compile(r"[十百][\d目子又半]")


def written_points(text: str, *, hundredths: bool = False) -> float | None:
    """Return the points in a text, without their sign, whether written as points or as stones; None for no number.

    A number in a text that could not be decoded is none.

    Args:
        text: such as "6.5", "6目半", "６½" or "三又四分之三子".
        hundredths: whether numbers from 100 upwards are in hundredths.
    """
    text = _plain(text)
    if _UNDECODED.search(text) or _GLUED.search(text) or _TENS.search(text):
        return None
    half = 0.5 if re.search("半|반", text) else 0.0
    fraction = _FRACTION.search(text)
    if fraction:
        half, text = int(fraction[1]) / int(fraction[2]), text.replace(fraction[0], "")
    number = _NUMBER.search(text)
    if not (number or half):
        return None
    value = (float(number[0].replace(",", ".")) if number else 0.0) + half
    if hundredths and value >= HUNDREDTHS_FROM:
        value /= 100
    return value * 2 if "子" in text or value * 4 % 2 == 1 else value


def _plain(text: str) -> str:
    """Return a text with the numbers of East Asia and the fractions of one character in ASCII; tens stay."""
    text = unicodedata.normalize("NFKC", re.sub("[¼½¾]", r" \g<0>", text)).replace("\N{FRACTION SLASH}", "/")
    text = _NUMERAL.sub(lambda match: str(NUMERALS.index(match[0])), text)
    return re.sub(r"([24])分之([1-9])", r" \2/\1", text)


def is_in_hundredths(text: str) -> bool:
    """Return whether the number in a KM property is one of hundredths, such as `350`."""
    number = _NUMBER.search(_plain(text))
    return number is not None and float(number[0].replace(",", ".")) >= HUNDREDTHS_FROM
