"""Linking a checkout into a Blender, here one that only says where its extensions are."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the extension belongs."""
    enabled = SimpleNamespace(modules_refresh=lambda: None, enable=lambda *_, **__: sys)
    utils = SimpleNamespace(user_resource=lambda *_, **__: str(tmp_path))
    monkeypatch.setitem(sys.modules, "addon_utils", enabled)
    monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(utils=utils))
    return tmp_path / "tendril"


def link():
    runpy.run_path(str(CHECKOUT / "tools" / "link.py"), run_name="__main__")


def test_a_checkout_is_linked_once_and_again(place):
    for _ in range(2):
        link()
        assert place.resolve() == CHECKOUT


@pytest.mark.parametrize("there", [True, False])
def test_the_link_of_another_checkout_is_replaced(place, tmp_path, there):
    """Also of one that has been deleted."""
    other = tmp_path / "other"
    if there:
        other.mkdir()
    place.symlink_to(other, target_is_directory=True)
    link()
    assert place.resolve() == CHECKOUT
    assert other.exists() == there


def test_what_has_been_installed_is_left_alone(place):
    place.mkdir()
    (place / "blender_manifest.toml").touch()
    with pytest.raises(SystemExit) as told:
        link()
    assert str(told.value) == f"Tendril is installed in {place}: uninstall it in Blender, then link the checkout."
    assert (place / "blender_manifest.toml").exists()
