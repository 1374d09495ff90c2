"""The manual that comes in the zip: whole, offline, and no link in it leads nowhere."""

import re
import runpy
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    """What a page refers to, and the places in it one can refer to."""

    def __init__(self, path):
        super().__init__()
        self.refers, self.places, self.tags = [], set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        self.places |= {attributes["id"]} if "id" in attributes else set()
        self.refers += [attributes[name] for name in ("href", "src") if name in attributes]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual")
    runpy.run_path(str(ROOT / "tools" / "build_manual.py"))["build"](folder)
    return folder


def names(folder, ending):
    """The pages in a folder and in those below it, without their ending."""
    return {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob(f"*.{ending}")}


def test_every_page_of_the_docs_is_there_with_its_tables_and_pictures(folder):
    assert names(folder, "html") == names(ROOT / "docs", "md")
    assert {"h1", "h2", "table", "img", "ol", "pre"} <= Page(folder / "manual.html").tags


def test_every_link_leads_to_a_page_a_place_or_a_picture_that_is_there(folder):
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        for address in page.refers:
            if address.startswith("https://"):
                continue
            file, _, place = unquote(address).partition("#")
            there = (path.parent / file).resolve() if file else path
            assert there.is_file(), f"{path.name}: {address}"
            assert not place or place in pages[there].places, f"{path.name}: {address}"


def test_no_row_of_a_table_is_left_out_of_it(folder):
    """As one that stands behind an empty line is."""
    for path in folder.rglob("*.html"):
        assert "<p>|" not in path.read_text(encoding="utf-8"), path.name


def test_nothing_is_asked_of_a_network_and_nothing_runs(folder):
    for path in folder.rglob("*.html"):
        assert "script" not in Page(path).tags
        assert not re.search(r"""src\s*=\s*["']?(https?:)?//|@import|<link""", path.read_text(encoding="utf-8"))
