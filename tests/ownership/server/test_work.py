"""Work ends when its client leaves or the server ends, and does not begin for a client that has left."""

import asyncio
from threading import Event

import pytest
from anyio import CapacityLimiter
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from ownership.server.threaded_work import Interrupted, Work, WorkEndedError
from tests.support.waiting import wait_until


class Client:
    """A client that leaves when a test wants it to."""

    def __init__(self) -> None:
        self.leaves = asyncio.Event()
        self.request = Request({"type": "http", "headers": []}, self._receive)

    async def _receive(self) -> Message:
        await self.leaves.wait()
        return {"type": "http.disconnect"}


def wait_for(condition: Interrupted) -> str:
    wait_until(condition, every=0.001)
    return "done"


async def begun(began: Event) -> None:
    while not began.is_set():
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("reason", ["client", "server"])
def test_work_is_asked_to_end(reason: str) -> None:
    async def run() -> str:
        work, client, began = Work(), Client(), Event()

        def endless(interrupted: Interrupted) -> str:
            began.set()
            return wait_for(interrupted)

        running = asyncio.create_task(work.run(client.request, work.threads, endless))
        await begun(began)
        if reason == "client":
            client.leaves.set()
        else:
            work.end()
        return await running

    if reason == "client":
        with pytest.raises(ClientDisconnect):
            asyncio.run(run())
    else:
        assert asyncio.run(run()) == "done"


def test_nothing_is_done_for_a_client_that_left_while_it_waited() -> None:
    async def run() -> None:
        work, first, second, began, free = Work(), Client(), Client(), Event(), Event()
        one = CapacityLimiter(1)

        def slow(_: Interrupted) -> str:
            began.set()
            return wait_for(free.is_set)

        def never(_: Interrupted) -> str:
            raise AssertionError

        running = asyncio.create_task(work.run(first.request, one, slow))
        await begun(began)
        waiting = asyncio.create_task(work.run(second.request, one, never))
        while one.statistics().tasks_waiting == 0:
            await asyncio.sleep(0.001)
        second.leaves.set()
        with pytest.raises(ClientDisconnect):
            await waiting
        free.set()
        assert await running == "done"

    asyncio.run(run())


def test_a_server_that_has_ended_begins_nothing() -> None:
    async def run() -> None:
        work = Work()
        work.end()
        with pytest.raises(WorkEndedError):
            await work.run(Client().request, work.threads, lambda _: "done")

    asyncio.run(run())
