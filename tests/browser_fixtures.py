"""A browser and the page of a made-up run; without a browser the tests are skipped, and say so."""

import os
import shutil
from pathlib import Path

import pytest

from report_cases import make_evidence, make_hostile, make_run, make_simulations, write_page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
NEEDS_BROWSER = [
    pytest.mark.skipif(
        CHROMIUM is None,
        reason="needs a browser: install chromium (Debian: apt install chromium) or set CHROMIUM to its path",
    ),
]


@pytest.fixture(scope="session")
def report_folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("report")
    run = make_run(place)
    make_evidence(run)
    make_simulations(place)
    write_page(place, run)
    return place


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory):
    """The page of the same run with genes of hostile names."""
    place = tmp_path_factory.mktemp("hostile")
    run = make_run(place)
    make_evidence(run)
    make_hostile(run)
    write_page(place, run)
    return place / "reports/report.html"


@pytest.fixture(scope="session")
def report_run(report_folder):
    return report_folder / "results/made-up/own"


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        )
        yield started
        started.close()


@pytest.fixture
def open_page(browser, report_folder):
    """A function that opens the page; at the end no console message and no request may have been seen."""
    seen, contexts = [], []

    def opened(width=1280, scheme="light", file=None):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        address = (file or report_folder / "reports/report.html").as_uri()
        page.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))

        def note(request):
            if request.url.partition("#")[0] != address and not request.url.startswith(("data:", "blob:")):
                seen.append(f"request: {request.url}")

        page.on("request", note)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert seen == []


@pytest.fixture(scope="session")
def page_once(browser, report_folder):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((report_folder / "reports/report.html").as_uri())
    unfold(page)
    yield page
    context.close()


def unfold(page):
    page.locator("#unfold").click()


def ready_viewer(page):
    page.locator("#viewer").scroll_into_view_if_needed()
    page.wait_for_selector("#viewer[data-ready]")


def search(page, gene):
    page.locator("#viewer-search").fill(gene)
    page.locator("#viewer-search").press("Enter")


def download(page, click):
    with page.expect_download() as waiting:
        click()
    return Path(waiting.value.path()).read_bytes(), waiting.value.suggested_filename
