"""Pictures of a report for docs/report.md, taken in a real browser: `make screenshots`.

The first screen as it opens, then every section folded; PNG with few colours, so that all of them are small.
"""

import argparse
import io
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1280, 900
COLOURS = 128


def small(png: bytes) -> Image.Image:
    """Return a picture with few colours."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return picture.quantize(COLOURS, dither=Image.Dither.NONE)


def main() -> None:
    """Write a picture of the first screen, of each section, and of the first screen on a phone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--report", type=Path, default=Path("reports/nki-scnet/report.html"), help="the page to look at"
    )
    parser.add_argument("--folder", type=Path, default=Path("docs/screenshots"), help="where the pictures go")
    given = parser.parse_args()
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    if browser_path is None:
        parser.error("no browser found; install chromium (Debian: apt install chromium)")
    if not given.report.is_file():
        parser.error(f"{given.report}: expected a report, found none; run `make study`")
    given.folder.mkdir(exist_ok=True)
    for old in given.folder.glob("*.png"):
        old.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(given.report.resolve().as_uri())
        small(page.screenshot()).save(given.folder / "first.png", optimize=True)
        for section in page.locator("main > section").all()[1:]:
            section.scroll_into_view_if_needed()
            page.wait_for_timeout(1000 if section.locator("#viewer").count() else 100)
            name = f"{section.get_attribute('id')}.png"
            small(section.screenshot()).save(given.folder / name, optimize=True)
        phone = browser.new_page(viewport={"width": 390, "height": HEIGHT})
        phone.goto(given.report.resolve().as_uri())
        small(phone.screenshot()).save(given.folder / "phone.png", optimize=True)
        browser.close()
    size = sum(path.stat().st_size for path in given.folder.glob("*.png"))
    print(f"wrote {given.folder} ({size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
