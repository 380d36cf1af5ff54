"""Debian's Chromium, driven by Selenium: pages are opened as files, and what the browser says about them is kept."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--allow-file-access-from-files",
]


def missing() -> str | None:
    """Why there is no browser to test with; None where there is one."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed: pip install '.[dev]'"
    absent = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"{' and '.join(absent)} not found: apt-get install chromium chromium-driver" if absent else None


class Browser:
    """A page in a browser."""

    def __init__(self, folder: Path, width: int = 1280, height: int = 900) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for flag in [*FLAGS, f"--user-data-dir={folder}", f"--window-size={width},{height}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # A proxy of the machine must not stand between the driver and the browser.
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1"
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(120)
        self.driver.set_script_timeout(60)
        self.size(width, height)

    def size(self, width: int, height: int) -> None:
        """The size of what the page sees, in pixels."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def open(self, path: Path, hash: str = "") -> Browser:
        """Opens a file and waits until its script has drawn it."""
        from selenium.webdriver.support.ui import WebDriverWait

        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.resolve().as_uri() + hash)
        WebDriverWait(self.driver, 60).until(lambda driver: self.run("return document.body.dataset.ready === 'yes'"))
        return self

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        """Waits until a script returns something true, and gives that."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 20).until(lambda driver: self.run(script, *arguments))

    def complaints(self) -> list[str]:
        """Errors and warnings of the console since the page was opened."""
        return [each["message"] for each in self.driver.get_log("browser") if each["level"] in ("SEVERE", "WARNING")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for since it was opened, but its own and what is inside it."""
        messages = [json.loads(each["message"])["message"] for each in self.driver.get_log("performance")]
        asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        own = self.run("return location.href.split('#')[0]")
        return [url for url in asked if url.split("#")[0] != own and not url.startswith(("data:", "blob:", "about:"))]

    def picture(self, path: Path, whole: bool = False) -> None:
        """Saves what is seen, or the whole page, as PNG."""
        import base64

        found = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot",
            {"format": "png", "captureBeyondViewport": whole, **(self._whole() if whole else {})},
        )
        path.write_bytes(base64.b64decode(found["data"]))

    def _whole(self) -> dict[str, Any]:
        wide, tall = self.run(
            "return [document.documentElement.scrollWidth, Math.min(6000, document.documentElement.scrollHeight)]"
        )
        return {"clip": {"x": 0, "y": 0, "width": wide, "height": tall, "scale": 1}}

    def close(self) -> None:
        """Ends the browser."""
        self.driver.quit()
