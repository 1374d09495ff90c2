"""Where caches live, and the sentences about folders that do not serve."""

import errno
import os

import pytest
from tendril.bake import folder
from tendril.bake.errors import BakeError, sentence


def test_a_plain_name_is_the_folder(tmp_path):
    assert folder.locate(tmp_path, "shot 12 Scene") == tmp_path / "shot 12 Scene"
    assert not (tmp_path / "shot 12 Scene").exists()


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "a/b", "a\\b", "a:b", "../../etc", "con", "NUL.txt", "x. ", "ü" * 200, "\ud800", "a\nb", "?"],
)
def test_any_name_becomes_one_folder_below_the_base(tmp_path, name):
    found = folder.locate(tmp_path, name)
    assert found.parent == tmp_path
    assert len(found.name.encode()) < 200
    found.mkdir()
    assert os.listdir(tmp_path) == [found.name]


@pytest.mark.parametrize("name", ["con", "NUL.txt", "Lpt1"])
def test_names_that_windows_reserves_are_avoided(tmp_path, name):
    assert folder.locate(tmp_path, name).name.startswith(f"{name}_")


def test_names_that_differ_never_share_a_folder(tmp_path):
    names = ["a/b", "a_b", "a\\b", "a?b", "a" * 60, "a" * 61, "a" * 62, "a", "a ", " a", "a."]
    assert len({folder.locate(tmp_path, name) for name in names}) == len(names)


def test_prepare_makes_the_folder_and_leaves_nothing_in_it(tmp_path):
    made = folder.prepare(tmp_path / "new" / "cache")
    assert made.is_dir()
    assert not list(made.iterdir())


def test_a_path_that_is_a_file_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "cache"):
        with pytest.raises(BakeError, match="is or lies in a file: choose another folder"):
            folder.prepare(path)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_a_sentence(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(BakeError, match="cannot be written: choose another folder"):
        folder.prepare(tmp_path / "locked")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "is full, finished frames stay: free some space"),
        (errno.EACCES, "cannot be written"),
        (errno.EROFS, "cannot be written"),
        (errno.ENOTDIR, "lies in a file"),
        (errno.ENOENT, "missing or was deleted"),
        (errno.EIO, "cannot be used (Input/output error)"),
    ],
)
def test_each_trouble_of_a_disk_is_one_sentence_with_a_cure(number, said):
    text = sentence(OSError(number, os.strerror(number)), "/shot/cache")
    assert said in text
    assert "'/shot/cache'" in text
    assert text.endswith(".")
    assert "\n" not in text


def test_too_little_room_names_both_numbers(tmp_path):
    folder.check_room(tmp_path, 1)
    with pytest.raises(BakeError, match=r"has [\d,.]+ MB left and the bake needs 1,000,000,000,000.0 MB"):
        folder.check_room(tmp_path, 10**18)
