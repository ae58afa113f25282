"""The words of the pages, in all languages."""

import json
import re

import pytest
from starlette.testclient import TestClient

from goban.counting.languages import LANGUAGES
from ownership.report.page_texts import texts
from tests.support.paths import ROOT
from tests.support.server import EXAMPLE, score


def assets(folder: str) -> str:
    """Return all scripts and templates of the pages in a folder."""
    files = sorted((ROOT / "ownership" / folder).iterdir())
    return "".join(each.read_text("utf-8") for each in files if each.suffix in (".js", ".html", ".py"))


def test_every_string_is_used_and_every_used_one_is_there() -> None:
    words, code = set(texts("en")), assets("report") + assets("server")
    prefixes = (*re.findall(r"`(\w+_)\$", code), "fact_", "rules_")
    used = set(re.findall(r"texts\.(\w+)|say\(\"(\w+)\"", code))
    assert {name for pair in used for name in pair if name} <= words
    named = {name for name in words if re.search(rf"\b{name}\b", code) or name.startswith(prefixes)}
    assert named == words


@pytest.mark.parametrize("folder", ["ownership/page_words", "goban/counting/sentences"])
@pytest.mark.parametrize("name", LANGUAGES[1:])
def test_translations_have_the_same_texts_with_the_same_values(name: str, folder: str) -> None:
    def read(each: str) -> dict[str, list[str]]:
        found = json.loads((ROOT / folder / f"{each}.json").read_text("utf-8"))
        return {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in found.items()}

    assert read(name) == read("en")


def test_the_language_is_chosen_by_browser_link_and_request(client: TestClient) -> None:
    for header, query, language in (
        ("fr, de;q=0.8", "", "de"), ("zh-CN,zh;q=0.9", "", "zh"), ("", "", "en"), ("de", "?language=ja", "ja"),
    ):  # fmt: skip
        page = client.get(f"/{query}", headers={"accept-language": header}).text
        assert f'<html lang="{language}">' in page
    assert score(client, language="de")["verdict"].startswith(("Schwarz ", "Weiß "))
    assert score(client)["verdict"].startswith(("Black ", "White "))
    refused = client.post("/score", json={"sgf": EXAMPLE, "language": "fr"})
    assert refused.json()["error"] == "language: expected one of en, de, zh, ja, ko. Received: 'fr'"
