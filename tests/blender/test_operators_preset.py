"""Material presets on a rod: applied, saved in the user's own folder, removed, refused when their file is wrong."""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from artist import refused
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators import preset
from bl_ext.user_default.tendril.presets import material
from bl_ext.user_default.tendril.properties.parameters import ROD


@pytest.fixture(autouse=True)
def no_own_presets():
    yield
    for path in preset.own_folder().glob("*.toml"):
        path.rmdir() if path.is_dir() else path.unlink()


def settings(rod):
    return {name: getattr(rod.tendril.rod, name) for name in ROD}


@pytest.mark.parametrize("path", sorted(material.SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_a_shipped_preset_sets_the_material_and_leaves_the_shape(rod, path):
    before = settings(rod)
    assert bpy.ops.tendril.apply_preset(preset=path.stem) == {"FINISHED"}
    after, values = settings(rod), material.read(path)
    for name in material.REQUIRED:
        assert after[name] * ROD[name].si == pytest.approx(float(values[name]), rel=1e-6), name
    for name in set(ROD) - {*material.REQUIRED, *material.ABSENT}:
        assert after[name] == before[name], name
    assert after["twist_factor"] == pytest.approx(values["twist_factor"])
    drawn = max(item.radius.max() for item in read_scene(bpy.context)[0].rods)
    assert after["inner_radius"] == pytest.approx(values["inner_radius"] / values["radius"] * drawn, rel=1e-4)
    assert rod.tendril.rod.preset == path.stem


def radius(rod):
    """Of the rod where it is thickest, as it is simulated [m]."""
    found = {item.name: item.radius.max() for item in read_scene(bpy.context)[0].rods}
    return found[rod.name]


def test_the_usual_thickness_is_taken_when_asked_by_the_bevel_and_the_points_radius(rod):
    bpy.context.scene.unit_settings.scale_length = 0.01
    rod.scale, rod.data.splines[0].points[3].radius = (3.0, 3.0, 3.0), 2.0
    for point in rod.data.splines[0].points:
        point.radius = 2.0
    bpy.context.view_layer.update()
    bpy.ops.tendril.apply_preset(preset="garden_hose", with_radius=True)
    assert not rod.tendril.rod.use_radius
    assert rod.data.bevel_depth == pytest.approx(0.85 / 6.0, rel=1e-4)
    assert radius(rod) == pytest.approx(0.0085, rel=1e-4)
    assert rod.tendril.rod.inner_radius == pytest.approx(0.625, rel=1e-4)


def test_the_usual_thickness_of_a_tapered_curve_is_a_radius_of_its_own(rod):
    rod.data.taper_object = bpy.data.objects.new("Taper", bpy.data.curves.new("Taper", "CURVE"))
    bpy.ops.tendril.apply_preset(preset="garden_hose", with_radius=True)
    assert rod.tendril.rod.use_radius
    assert rod.tendril.rod.radius == pytest.approx(0.0085)
    assert rod.tendril.rod.inner_radius == pytest.approx(0.00625)
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    assert rod.tendril.rod.inner_radius == 0.0


def test_a_preset_is_for_all_selected_rods_but_not_for_trees(rod):
    ropes = [rod]
    for place in (2.0, 4.0):
        bpy.ops.curve.primitive_nurbs_path_add(location=(0.0, place, 0.0))
        bpy.ops.tendril.add_rod()
        ropes.append(bpy.context.object)
    ropes[2].tendril.is_tree = True
    for rope in ropes:
        rope.select_set(True)
    bpy.context.view_layer.objects.active = ropes[1]
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    assert [rope.tendril.rod.preset for rope in ropes] == ["copper_wire", "copper_wire", "polyester_rope"]


def test_a_saved_preset_keeps_the_thickness(rod):
    rod.data.bevel_depth = 0.013
    bpy.ops.tendril.save_preset(name="Mine")
    rod.data.bevel_depth = 0.1
    bpy.ops.tendril.apply_preset(preset="mine", with_radius=True)
    assert rod.data.bevel_depth == pytest.approx(0.013, rel=1e-4)


def test_a_saved_tube_is_one_again(rod):
    rod.data.bevel_depth, rod.tendril.rod.inner_radius = 0.013, 0.011
    bpy.ops.tendril.save_preset(name="Mine")
    rod.data.bevel_depth = 0.026
    bpy.ops.tendril.apply_preset(preset="mine")
    assert rod.tendril.rod.inner_radius == pytest.approx(0.022, rel=1e-4)
    rod.tendril.rod.inner_radius = 0.03
    assert "inner_radius = 0.03 must be less than its radius, 0.026 m" in refused(
        bpy.ops.tendril.save_preset, name="Impossible"
    )


def test_a_bamboo_is_hollow_from_its_foot_to_its_twigs(rod):
    rod.tendril.is_tree = True
    rod.data.splines[0].points.foreach_set("radius", [1.0, 0.8, 0.6, 0.4, 0.2])
    assert bpy.ops.tendril.apply_preset(preset="bamboo") == {"FINISHED"}
    (culm,) = read_scene(bpy.context)[0].rods
    assert culm.inner_radius == pytest.approx(0.8 * culm.radius, rel=1e-4)


def test_a_saved_preset_brings_the_material_back(rod):
    bpy.ops.tendril.apply_preset(preset="rubber_cord", with_radius=True)
    rod.tendril.rod.density = 1234.0
    saved = settings(rod)
    assert bpy.ops.tendril.save_preset(name="My Cord (soft)") == {"FINISHED"}
    path = preset.own_folder() / "my_cord_soft.toml"
    assert Path(bpy.utils.resource_path("USER")) in path.parents
    bpy.ops.tendril.apply_preset(preset="steel_wire", with_radius=True)
    bpy.ops.tendril.apply_preset(preset="my_cord_soft", with_radius=True)
    assert settings(rod) == pytest.approx(saved, rel=1e-6)
    assert bpy.ops.tendril.remove_preset(preset="my_cord_soft") == {"FINISHED"}
    assert not path.exists()
    assert "You have no presets of your own" in refused(bpy.ops.tendril.remove_preset)


def test_a_name_without_letters_is_refused(rod):
    assert "A preset cannot be called ' ?'" in refused(bpy.ops.tendril.save_preset, name=" ?")
    assert not list(preset.own_folder().glob("*"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[density]", "[densty]", ("unknown key densty", "use only")),
        ("value = 0.4\n", "value = 0.8\n", ("poisson = 0.8", "between")),
        ("8.8e9", "nan", ("young = nan", "between")),
    ],
)
def test_a_wrong_file_is_refused_and_changes_nothing(rod, old, new, said):
    text = (material.SHIPPED / "polyester_rope.toml").read_text(encoding="utf-8")
    assert old in text
    preset.own_folder().mkdir(parents=True, exist_ok=True)
    (preset.own_folder() / "broken.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    before = settings(rod)
    sentence = refused(bpy.ops.tendril.apply_preset, preset="broken")
    for words in ("broken.toml", *said):
        assert words in sentence
    assert settings(rod) == before
    assert rod.tendril.rod.preset == "copper_wire"


def test_a_changed_material_is_no_longer_of_its_preset(rod):
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    rod.tendril.rod.shape_memory = 0.0
    assert rod.tendril.rod.preset == "copper_wire"
    rod.tendril.rod.density = 8000.0
    assert rod.tendril.rod.preset == ""


def odd_entries():
    folder = preset.own_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a_folder.toml").mkdir()
    (folder / "to_nowhere.toml").symlink_to("nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.toml")


def test_what_is_no_file_is_no_preset_and_hides_no_other(rod):
    odd_entries()
    bpy.ops.tendril.save_preset(name="Mine")
    names = [name for name, *_ in preset._preset_items(None, bpy.context)]
    assert "mine" in names
    assert "hemp_rope" in names
    assert not {"a_folder", "to_nowhere", "pipe"} & set(names)
    assert [name for name, *_ in preset._own_preset_items(None, bpy.context)] == ["mine"]
    assert bpy.ops.tendril.apply_preset(preset="mine") == {"FINISHED"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x = " + b"[" * 100_000, "is not a TOML file"),
        (b"x = " + b"[" * 15_000, "is not a TOML file"),
        (b"young = 0x" + b"f" * 4000, "young = a value too long to show"),
        (b"[young]\nvalue = 0x" + b"f" * 4000, "a value too long to show must lie between"),
        (b"young" + b".a" * 5_000 + b" = 1", "unknown key young.a: use only value and source"),
        (b"young" + b".a" * 20_000 + b" = 1", "too large"),  # the parser takes the square of that
        (b"\xff\xfe\x00", "is not a TOML file"),
        (b"# " + b"x" * 5_000_000, "is not a TOML file"),
        (b"k" * 5000 + b" = 1", "has the unknown key"),
    ],
    ids=range(9),
)
def test_a_hostile_file_is_one_short_sentence(rod, content, said):
    preset.own_folder().mkdir(parents=True, exist_ok=True)
    text = (material.SHIPPED / "polyester_rope.toml").read_bytes()
    others = re.sub(rb"\[young\][^\[]*", b"", text)
    (preset.own_folder() / "odd.toml").write_bytes(content + (b"\n" + others if b"young" in content else b""))
    sentence = refused(bpy.ops.tendril.apply_preset, preset="odd")
    assert re.search(said, sentence), sentence
    assert len(sentence) < 400


def test_saving_over_ones_own_preset_says_so(rod, capfd):
    bpy.ops.tendril.save_preset(name="Mine")
    bpy.ops.tendril.save_preset(name="mine!")
    bpy.ops.tendril.save_preset(name="Oak")
    assert [line for line in capfd.readouterr().out.splitlines() if "preset" in line] == [
        "Info: Saved preset Mine",
        "Info: Replaced your preset Mine",
        "Info: Saved preset Oak",
    ]


def test_removing_a_preset_asks_first():
    asked = []
    manager = SimpleNamespace(invoke_confirm=lambda operator, event: asked.append(operator) or {"RUNNING_MODAL"})
    answer = preset.TENDRIL_OT_remove_preset.invoke("me", SimpleNamespace(window_manager=manager), None)
    assert answer == {"RUNNING_MODAL"}
    assert asked == ["me"]
