"""Every room of the add-on is packed: what runs from the checkout runs from the zip, too."""

import ast
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {"benchmarks"}  # what a user needs none of


def rooms(path):
    """The names in ROOMS of a file, read and not run."""
    (found,) = (
        node.value
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and node.targets[0].id == "ROOMS"
    )
    return set(ast.literal_eval(found))


@pytest.mark.parametrize("path", ["setup.py", "tools/build_extension.py"])
def test_every_room_is_packed(path):
    assert rooms(path) == {place.parent.name for place in ROOT.glob("*/__init__.py")} - OUTSIDE


def test_the_picture_of_the_rooms_is_of_these_sources():
    tool = runpy.run_path(str(ROOT / "tools" / "draw_rooms.py"))
    assert tool["PICTURE"].read_text(encoding="utf-8") == tool["picture"](), "run: python tools/draw_rooms.py"
