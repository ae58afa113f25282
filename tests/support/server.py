"""Requests to the server of `ownership serve`, without a network."""

from typing import Any

from hypothesis import strategies as st
from starlette.testclient import TestClient

from ownership.server.app import JSON
from tests.support.paths import ROOT

EXAMPLE = (ROOT / "examples" / "finished-9x9.sgf").read_text()
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ("sgf", "move", "rules", "komi", "dead", "alive", "seki", "prisoners", "symmetries", "language", "other")


def score(client: TestClient, **fields: Any) -> dict[str, Any]:
    answer = client.post("/score", json={"sgf": EXAMPLE, **fields})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def error(client: TestClient, content: bytes | str, media_type: str = JSON, path: str = "/score") -> tuple[int, str]:
    answer = client.post(path, content=content, headers={"content-type": media_type})
    return answer.status_code, answer.json()["error"]
