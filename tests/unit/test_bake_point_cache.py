"""PC2 files: the bytes that others read, and that nothing else is ever deleted."""

import struct

import numpy as np
import pytest
from tendril.bake import point_cache
from tendril.bake.errors import BakeError


def test_the_file_is_a_header_and_the_samples(tmp_path):
    places = np.arange(18, dtype=float).reshape(3, 2, 3)
    path = point_cache.new_path(tmp_path / "new", "Jelly")
    point_cache.write(path, 2, 3, iter(places))
    content = path.read_bytes()
    assert content[:32] == struct.pack("<12s2i2fi", b"POINTCACHE2\0", 1, 2, 0.0, 1.0, 3)
    assert np.frombuffer(content[32:], "<f4").tolist() == places.ravel().tolist()
    point_cache.remove(path)
    assert not path.parent.exists()


def test_no_two_motions_have_one_name(tmp_path):
    paths = [point_cache.new_path(tmp_path, "Jelly") for _ in range(100)]
    assert len(set(paths)) == 100
    point_cache.write(paths[0], 0, 0, [])
    (tmp_path / "mine.pc2").write_bytes(b"")
    assert point_cache.motions_in(tmp_path) == paths[:1]


@pytest.mark.parametrize("name", ["mine.pc2", "tendril_mine.pc2"])
def test_a_file_of_somebody_else_stays(name, tmp_path):
    (tmp_path / name).write_bytes(b"POINTCACHE" if name.startswith("tendril") else b"POINTCACHE2\0")
    point_cache.remove(tmp_path / name)
    assert (tmp_path / name).exists()


def test_a_link_is_neither_followed_nor_deleted(tmp_path):
    target, link = tmp_path / "target", point_cache.new_path(tmp_path, "Jelly")
    target.write_bytes(b"POINTCACHE2\0")
    link.symlink_to(target)
    point_cache.remove(link)
    assert link.is_symlink()
    with pytest.raises(BakeError):
        point_cache.write(link, 0, 0, [])
