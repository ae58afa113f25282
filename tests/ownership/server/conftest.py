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
def page(browser: Browser, address: str) -> Page:
    browser.complaints()
    browser.forget(address)
    browser.visit(address)
    found = Page(browser)
    found.settle()
    return found


@pytest.fixture(scope="module")
def client(bundled: Evaluator) -> TestClient:
    return TestClient(create_app(bundled), base_url="http://localhost")
