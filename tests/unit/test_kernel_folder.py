"""Compiled kernels are run, so they are only read from where nobody but the user can put them."""

import ast
import os
import shutil
import sys
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from tendril.physics import _jit
from tendril.physics.compiling import kernel_folder
from tendril.physics.compiling.carried_over import carry_over
from tendril.physics.compiling.shipped import bring, bytecode
from tendril.physics.materials import Material
from tendril.physics.run import compile as kernels
from tendril.physics.scene import Rod, Scene

NAME = "kernels-tendril.physics-0123456789abcdef"
STEPS = "explicit steps"
unix = pytest.mark.skipif(os.name == "nt", reason="no such modes there")


def own(path, mode=0o700):
    path.mkdir()
    path.chmod(mode)
    return path


def test_the_first_home_that_is_safe_is_taken(tmp_path):
    beside, cache = own(tmp_path / "beside", 0o755), tmp_path / "cache" / "tendril"
    assert kernel_folder.kernel_folder(NAME, [beside, cache]) == beside / NAME
    assert not cache.exists()
    assert kernel_folder.kernel_folder(NAME, [tmp_path / "beside" / NAME / "x" / "y", cache]) is not None


@unix
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757, 0o1777])
def test_a_home_that_others_can_write_is_passed_over(tmp_path, mode):
    shared, cache = own(tmp_path / "shared", mode), tmp_path / "cache"
    assert kernel_folder.kernel_folder(NAME, [shared, cache]) == cache / NAME
    assert not list(shared.iterdir())
    assert kernel_folder.kernel_folder(NAME, [shared]) is None


@unix
def test_a_home_of_another_user_is_passed_over(tmp_path, monkeypatch):
    home = own(tmp_path / "home")
    own(home / NAME)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert kernel_folder.kernel_folder(NAME, [home]) is None


@unix
@pytest.mark.parametrize("planted", ["linked", "writable", "a file"])
def test_a_planted_folder_is_passed_over(tmp_path, planted):
    home, cache = own(tmp_path / "home"), tmp_path / "cache"
    match planted:
        case "linked":
            (home / NAME).symlink_to(own(tmp_path / "elsewhere"), target_is_directory=True)
        case "writable":
            own(home / NAME, 0o777)
        case _:
            (home / NAME).write_text("mine")
    assert kernel_folder.kernel_folder(NAME, [home, cache]) == cache / NAME


@unix
def test_what_is_made_is_the_users_alone(tmp_path):
    made = kernel_folder.kernel_folder(NAME, [tmp_path / "cache" / "tendril"])
    assert {path.stat().st_mode & 0o777 for path in (made, made.parent)} == {0o700}


def test_the_users_own_cache_is_asked_for_where_the_system_keeps_it(tmp_path, monkeypatch):
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv(kernel_folder.CHOSEN, str(tmp_path / "chosen"))
    chosen, cache, beside = kernel_folder.candidates()
    assert (chosen, beside) == (tmp_path / "chosen", kernel_folder.BESIDE)
    monkeypatch.setenv(kernel_folder.CHOSEN, "relative")
    assert kernel_folder.candidates() == [cache, beside]


def test_old_kernels_go_and_nothing_else(tmp_path):
    long_ago = time.time() - 2 * kernel_folder.UNUSED
    names = {"kernels-tendril.physics-ffffffffffffffff": False, NAME: True, "kernels-mine": True, "notes": True}
    for name in names:
        (own(tmp_path / name) / "x.nbc").write_text("x")
        os.utime(tmp_path / name, (long_ago, long_ago))
    own(tmp_path / "kernels-tendril.physics-aaaaaaaaaaaaaaaa")
    kernel_folder.remove_unused(tmp_path / NAME)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {name for name, stays in names.items() if stays} | {"kernels-tendril.physics-aaaaaaaaaaaaaaaa"}


@pytest.fixture
def compiled(tmp_path):
    """A sealed folder with two kernels; pickles, as numba's are."""
    folder = own(tmp_path / NAME)
    (folder / "rods").mkdir()
    for name in ("curvature.bend-1", "frames.turn-2"):
        (folder / "rods" / f"{name}.py311.nbi").write_bytes(b"\x80\x04N." * 2)
        (folder / "rods" / f"{name}.py311.1.nbc").write_bytes(b"\x80\x04K\x07.")
    kernels.seal(STEPS, folder)
    return folder


def test_what_was_sealed_is_compiled(compiled):
    assert not kernels.missing([STEPS], compiled)
    assert kernels.missing([STEPS], None) == [STEPS]


def test_what_was_seen_to_be_whole_is_not_read_for_each_bake(compiled, monkeypatch):
    assert not kernels.missing([STEPS], compiled)
    read = []
    monkeypatch.setattr(kernels.Path, "read_bytes", read.append)
    assert not kernels.missing([STEPS], compiled)
    assert not read


@pytest.mark.parametrize("damage", [b"", b"\x80\x04K\x08.", b"garbage", b"\x80\x04K"])
def test_damaged_machine_code_is_noticed(compiled, damage):
    next(compiled.rglob("*.nbc")).write_bytes(damage)
    assert kernels.missing([STEPS], compiled) == [STEPS]


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x80\x04N.\x80\x04"])
def test_a_damaged_index_is_noticed(compiled, damage):
    next(compiled.rglob("*.nbi")).write_bytes(damage)
    assert kernels.missing([STEPS], compiled) == [STEPS]


def test_a_missing_file_is_noticed(compiled):
    next(compiled.rglob("*.nbc")).unlink()
    assert kernels.missing([STEPS], compiled) == [STEPS]


def test_what_is_compiled_later_is_taken_when_it_can_be_read(compiled):
    more = compiled / "rods" / "more-3.py311.1.nbc"
    more.write_bytes(b"\x80\x04K\x07.")
    next(compiled.rglob("*.nbi")).write_bytes(b"\x80\x04K\x01." * 2)
    assert not kernels.missing([STEPS], compiled)
    more.write_bytes(b"gar")
    assert kernels.missing([STEPS], compiled) == [STEPS]


def digest_of(physics=_jit.SOURCES.folder):
    sources = _jit.read_sources(physics)
    return sources.digest(sources.of_kernels())


def test_another_processor_or_numba_has_a_folder_of_its_own(monkeypatch):
    ours = digest_of()
    with monkeypatch.context() as other:
        other.setattr(_jit, "KIND", "abacus 00000000")
        assert digest_of() != ours
    monkeypatch.setattr(_jit.numba, "__version__", "0.99")
    assert digest_of() != ours


def test_another_python_has_a_folder_of_its_own(monkeypatch):
    """So neither waits while the other compiles, nor deletes what that has."""
    ours = digest_of()
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    assert digest_of() != ours


def test_damaged_kernels_are_deleted_and_compiled_again(compiled, monkeypatch):
    monkeypatch.setattr(kernels, "CACHE_FOLDER", compiled)
    monkeypatch.setattr(kernels, "simulate", lambda scene: iter(()))
    kernels.seal("settling", compiled)
    damaged = next(compiled.rglob("*.nbc"))
    damaged.write_bytes(b"garbage")
    assert list(kernels.warm_up([STEPS])) == [STEPS]
    assert not damaged.exists()
    assert len(list(compiled.rglob("*.nb[ic]"))) == 3
    assert not kernels.missing([STEPS], compiled)
    assert kernels.missing([STEPS, "settling"], compiled) == ["settling"]  # which may have been its


def test_what_a_scene_does_not_need_is_not_waited_for(compiled, monkeypatch):
    rod = Rod.from_material("Rope", np.eye(3), 0.01, Material(1e7, 0.3, 1000.0))
    scene = Scene((rod,), 0.04, 2, contact=False)
    assert kernels.needed(scene) == [STEPS]
    implicit = kernels.needed(replace(scene, solver="IMPLICIT"))
    assert implicit == ["implicit steps"]
    assert kernels.needed(replace(scene, solver="AUTOMATIC")) in ([STEPS], implicit)
    parts = kernels.needed(replace(scene, settle=True))
    assert parts == [STEPS, *implicit, "settling"]
    assert kernels.missing(parts, compiled) == [*implicit, "settling"]
    assert kernels.needed(replace(scene, settle=True, solver="IMPLICIT")) == implicit
    monkeypatch.setattr(kernels, "CACHE_FOLDER", compiled)
    monkeypatch.setattr(kernels, "simulate", lambda scene: iter(()))
    assert list(kernels.warm_up(implicit)) == implicit
    assert kernels.missing(parts, compiled) == ["settling"]


@pytest.fixture
def copied(tmp_path):
    """A copy of the sources, written at another time."""
    copy = tmp_path / "elsewhere" / "physics"
    shutil.copytree(_jit.SOURCES.folder, copy, ignore=shutil.ignore_patterns("__pycache__", "kernels"))
    for path in copy.rglob("*.py"):
        os.utime(path, (0.0, 0.0))
    return copy


def test_where_and_since_when_sources_lie_does_not_matter_but_what_they_say(copied):
    ours = digest_of(), bytecode(_jit.SOURCES.of_kernels())
    assert (digest_of(copied), bytecode(_jit.read_sources(copied).of_kernels())) == ours
    vectors = copied / "arithmetic" / "vectors.py"
    vectors.write_text(vectors.read_text() + "# a remark\n")
    remarked, made_alike = digest_of(copied), bytecode(_jit.read_sources(copied).of_kernels())
    assert remarked != ours[0]
    assert made_alike == ours[1]
    vectors.rename(copied / "arithmetic" / "tensors.py")
    assert digest_of(copied) not in (ours[0], remarked)


def test_an_edit_changes_what_imports_it_and_nothing_else(copied):
    def made_of(name):
        sources = _jit.read_sources(copied)
        return sources.digest(sources.of(copied / name))

    names = ["elements/hinge.py", "rods/elastic_forces.py", "arithmetic/vectors.py", "linear/block_ldl.py"]
    before = [made_of(name) for name in names]
    hinge = copied / "elements" / "hinge.py"
    hinge.write_text(hinge.read_text() + "# a remark\n")
    assert [made_of(name) != then for name, then in zip(names, before, strict=True)] == [True, True, False, False]
    programs = copied / "compiling" / "programs.py"  # which compiles them all
    programs.write_text(programs.read_text() + "# a remark\n")
    assert all(made_of(name) != then for name, then in zip(names, before, strict=True))


def test_what_an_edit_leaves_as_it_was_is_carried_over(tmp_path):
    same, edited, now = "0" * 16, "1" * 16, f"{NAME[:-16]}{'f' * 16}"
    before = own(tmp_path / NAME)
    for digest in (same, edited):
        for end in (".nbi", ".1.nbc"):
            (before / f"hinge.force.{digest}-12.py311{end}").write_bytes(digest.encode())
    other = own(tmp_path / NAME.replace("kernels-", "kernels-another."))
    (other / f"hinge.force.{same}-12.py311.nbi").touch()
    folder = kernel_folder.kernel_folder(now, [tmp_path], lambda folder: carry_over(folder, {same}))
    assert [path.read_bytes() for path in folder.rglob("*.nb[ic]")] == [same.encode()] * 2
    assert not carry_over(tmp_path / f"{NAME[:-16]}{'e' * 16}", {"2" * 16})


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "source.py").write_text("def half(x):\n    return 0.5 * x\n")
    return [tmp_path / "source.py"]


@pytest.fixture
def shipped(compiled, tmp_path, sources):
    """Where the installation has kernels, which came compiled."""
    (compiled / "bytecode").write_text(bytecode(sources))
    installed = own(tmp_path / "kernels", 0o755)
    compiled.rename(installed / NAME)
    return installed


def taken(home, sources, shipped):
    """The kernel folder in a home, once it is asked for, and what is missing there."""
    folder = kernel_folder.kernel_folder(NAME, [home], partial(bring, sources=sources, shipped=shipped))
    return folder, kernels.missing([STEPS], folder)


def test_what_came_compiled_is_taken_once(tmp_path, sources, shipped):
    for _ in range(2):
        folder, missing = taken(tmp_path / "cache", sources, shipped)
        assert folder == tmp_path / "cache" / NAME
        assert not missing
    assert [path.name for path in folder.parent.iterdir()] == [NAME]
    if os.name != "nt":
        assert {path.stat().st_mode & 0o077 for path in folder.rglob("*") if path.is_dir()} == {0}


def test_who_was_first_keeps_what_he_has(tmp_path, sources, shipped):
    cache = own(tmp_path / "cache")
    (own(cache / NAME) / "mine").touch()
    assert not bring(cache / NAME, sources, shipped)
    assert [path.name for path in cache.rglob("*")] == [NAME, "mine"]


def test_what_was_compiled_by_another_patch_of_python_is_not_taken(tmp_path, sources, shipped):
    sources[0].write_text("def half(x):\n    return x / 2.0\n")
    assert taken(tmp_path / "cache", sources, shipped)[1] == [STEPS]


@unix
@pytest.mark.parametrize("writable", [".", NAME, f"{NAME}/rods", "a file", "above"])
def test_what_others_could_have_put_there_is_not_taken(tmp_path, sources, shipped, writable):
    named = {"a file": next(shipped.rglob("*.nbc")), "above": tmp_path}
    named.get(writable, shipped / writable).chmod(0o777)
    assert taken(own(tmp_path / "cache"), sources, shipped)[1] == [STEPS]
    named.get(writable, shipped / writable).chmod(0o755)
    assert bring(tmp_path / "cache" / "again" / NAME, sources, shipped) is False  # there is no such home
    (tmp_path / "cache" / NAME).rmdir()
    assert not taken(tmp_path / "cache", sources, shipped)[1]


@unix
def test_a_group_of_ones_own_may_write(tmp_path, sources, shipped, monkeypatch):
    """As on most Linux systems, where all that a user makes is writable by a group that has the user's name."""
    import grp
    import pwd

    name, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(shipped.stat().st_gid)
    for path in (shipped, *shipped.rglob("*")):
        path.chmod(0o775)
    told = [(name, [], []), (name, ["somebody"], [STEPS]), ("staff", [], [STEPS])]
    for number, (called, members, missing) in enumerate(told):
        own_group = grp.struct_group((called, "x", group.gr_gid, members))
        monkeypatch.setattr(grp, "getgrgid", lambda _number, found=own_group: found)
        assert taken(tmp_path / f"cache {number}", sources, shipped)[1] == missing


@unix
def test_what_another_user_put_there_is_not_taken(tmp_path, sources, shipped, monkeypatch):
    me = os.geteuid()
    monkeypatch.setattr("tendril.physics.compiling.shipped.os.geteuid", lambda: me + 1)
    assert bring(own(tmp_path / "cache") / NAME, sources, shipped) is (me == 0)  # the system's user may


@unix
def test_a_link_in_what_came_compiled_is_not_followed(tmp_path, sources, shipped):
    (shipped / NAME / "rods" / "more.nbc").symlink_to("/etc/hostname")
    assert taken(tmp_path / "cache", sources, shipped)[1] == [STEPS]


def test_all_that_a_kernel_is_made_of_counts_as_its_source():
    """Follows each name that a kernel uses to the file that defines it."""
    sources = _jit.SOURCES
    hashed = set(sources.of_kernels())
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources.folder.rglob("*.py")}
    kernels_found = 0
    for path, tree in trees.items():
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            if is_kernel(function) and path.name != "_jit.py":
                kernels_found += 1
                made_of = sources.of(path)
                assert made_of <= hashed
                for name in {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}:
                    assert made_in(name, path, trees) <= made_of, f"{name} in {path}"
    assert kernels_found > 50


def is_kernel(function):
    """Whether it is decorated as a kernel or an entry."""
    names = {at.id for decorator in function.decorator_list for at in ast.walk(decorator) if isinstance(at, ast.Name)}
    return bool(names & {"kernel", "entry"})


def made_in(name, path, trees):
    """The files of ours in which the global `name` of a file gets its value, in as many steps as it takes."""
    found = {path}
    for node in trees[path].body:
        if (
            isinstance(node, ast.ImportFrom)
            and node.level
            and name in {alias.asname or alias.name for alias in node.names}
        ):
            original = next(alias.name for alias in node.names if (alias.asname or alias.name) == name)
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            module = folder / f"{original}.py"
            inside = module if module in trees else folder / "__init__.py"
            source = inside if folder.is_dir() else folder.with_suffix(".py")
            found |= made_in(original, source, trees) if source in trees else set()
        if isinstance(node, ast.Assign) and name in {at.id for at in ast.walk(node) if isinstance(at, ast.Name)}:
            targets = {at.id for target in node.targets for at in ast.walk(target) if isinstance(at, ast.Name)}
            for used in (
                {at.id for at in ast.walk(node.value) if isinstance(at, ast.Name)} - targets if name in targets else ()
            ):
                found |= made_in(used, path, trees)
    return found
