"""A browser without a window, for the tests of pages."""

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
HOME, END, LEFT, RIGHT, UP, DOWN = "\ue011", "\ue010", "\ue012", "\ue014", "\ue013", "\ue015"
BACKSPACE, CONTROL, ENTER, ESCAPE, SHIFT, TAB = "\ue003", "\ue009", "\ue007", "\ue00c", "\ue008", "\ue004"
SCHEME = {"name": "prefers-color-scheme"}


class Browser:
    """A headless Chromium that shows one page at a time."""

    def __init__(self, folder: Path) -> None:
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
        self.driver.set_script_timeout(120)  # seconds, as in tests of pages: machines that run tests are busy
        self.folder = folder

    def open(self, page: str, *, width: int = 1200, height: int = 900, move: int | None = None) -> None:
        """Show a page of its own, at a move."""
        path = self.folder / "page.html"
        path.write_text(page, encoding="utf-8")
        self.visit(path.as_uri() + ("" if move is None else f"#{move}"), width=width, height=height)

    def visit(self, address: str, *, width: int = 1200, height: int = 900) -> None:
        """Show the page at an address."""
        self.resize(width, height)
        self.leave()
        self.complaints()  # drops the previous page's
        self.driver.get(address)

    def forget(self, address: str) -> None:
        """Drop what pages of this origin have kept."""
        self.leave()
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "indexeddb"})

    def leave(self) -> None:
        """Show no page."""
        if self.driver.current_url != "about:blank":
            self.driver.get("about:blank")

    def reload(self) -> None:
        """Load the page once more."""
        self.driver.refresh()

    def resize(self, width: int, height: int) -> None:
        """Change the screen; narrow ones are phones."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)

    def find(self, selector: str) -> "WebElement":
        from selenium.webdriver.common.by import By

        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def count(self, selector: str) -> int:
        return int(self.run(f"return document.querySelectorAll({json.dumps(selector)}).length"))

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def hover(self, element: "WebElement") -> None:
        """Move the mouse to an element."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).move_to_element(element).perform()

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def press_shifted(self, key: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).key_down(SHIFT).send_keys(key).key_up(SHIFT).perform()

    def text(self, selector: str) -> str:
        return str(self.run(f"return document.querySelector({json.dumps(selector)}).textContent"))

    def words(self) -> set[str]:
        """Return all words of four Latin letters or more that the page shows or names."""
        said = self.run(
            "const named = [...document.querySelectorAll('[aria-label]:not([aria-hidden])')];"
            "return [document.title, document.body.innerText, ...named.map((each) => each.ariaLabel)].join('\\n')"
        )
        return set(re.findall("[A-Za-z]{4,}", said))

    def complaints(self) -> list[Any]:
        """Return what the browser logged since the last call or page: errors, and what its policy blocked."""
        return list(self.driver.get_log("browser"))  # type: ignore[no-untyped-call]
