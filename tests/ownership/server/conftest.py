"""The server and its page."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from ownership.inference.evaluator import Evaluator
from ownership.server.app import create_app
from tests.support.browser import Browser
from tests.support.page import Page, served


@pytest.fixture(scope="session")
def address(bundled: Evaluator) -> Iterator[str]:
    with served(create_app(bundled)) as found:
        yield found


@pytest.fixture
def unopened(browser: Browser, address: str) -> Page:
    """The page before its address is visited."""
    browser.forget(address)
    return Page(browser)


@pytest.fixture
def page(unopened: Page, address: str) -> Page:
    return unopened.visit(address)


@pytest.fixture(scope="module")
def client(bundled: Evaluator) -> TestClient:
    return TestClient(create_app(bundled), base_url="http://localhost")
