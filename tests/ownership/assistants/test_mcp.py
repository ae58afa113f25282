"""The tools for assistants, called by the client of the protocol's own SDK."""

import json
import os
import sys
from typing import Any

import anyio
import pytest

from tests.support.paths import EXAMPLES, ROOT

GAME = EXAMPLES / "finished-9x9.sgf"


def answers(*calls: tuple[str, dict[str, Any]]) -> tuple[set[str], list[Any]]:
    """Return the names of the tools, and the results of calls, of one server process."""
    pytest.importorskip("mcp", reason="assistants need the mcp extra")
    from mcp import Client, StdioServerParameters, stdio_client  # slow to import in processes that do not run this

    async def ask() -> tuple[set[str], list[Any]]:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "ownership", "mcp", "--model", "fast"], env={**os.environ}, cwd=ROOT
        )
        async with Client(stdio_client(command)) as client:
            tools = (await client.list_tools()).tools
            return {tool.name for tool in tools}, [await client.call_tool(*call) for call in calls]

    return anyio.run(ask)


def test_an_assistant_scores_and_explains_a_record() -> None:
    tools, (scored, explained, staked, reviewed, refused) = answers(
        ("score_record", {"record": GAME.read_text()}),
        ("explain", {"record": str(GAME), "vertex": "C7", "visits": 50}),
        ("at_stake", {"record": str(GAME), "move": 24}),
        ("largest_mistakes", {"record": "(;SZ[5]KM[0];B[cc];W[bb];B[])", "visits": 2}),
        ("explain", {"record": str(GAME), "vertex": "A1"}),
    )
    assert tools == {"score_record", "explain", "at_stake", "largest_mistakes"}
    text, values, picture = scored.content
    assert text.text.startswith("Black wins by 4\nConfirmed") and json.loads(values.text)["result"] == "B+4"
    assert (picture.type, picture.mime_type) == ("image", "image/png")
    assert explained.content[0].text.startswith("White's C7 (2 stones) is dead")
    assert json.loads(staked.content[1].text)[0]["at_stake"] > 0
    assert len(json.loads(reviewed.content[1].text)["positions"]) == 4
    assert refused.is_error and "expected a point with a stone" in refused.content[0].text
