"""The panels ask only for what there is, and show of each kind what means something to it."""

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import url2pathname

import bpy
import pytest
from bl_ext.user_default.tendril import operators, ui
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators import estimate
from bl_ext.user_default.tendril.physics.scene import PIN_MODES, QUALITIES, SOLVERS
from bl_ext.user_default.tendril.properties.painted import PAINTED
from bl_ext.user_default.tendril.properties.parameters import (
    BODY,
    COLLIDER,
    KEYED,
    MODULI,
    PIN,
    ROD,
    SCENE,
    SOFT,
    SOFT_PIN,
    TREE,
)
from panels import appearing, draw_all, drawn, side_panels, title, window


def test_without_a_rod_one_can_be_added():
    shown = draw_all()
    assert "tendril.add_rod" in shown
    assert not any(name.startswith("TendrilRod.") for name in shown)


def test_a_rod_shows_every_setting_and_every_operator(rod):
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    rod.data.splines.new("POLY")
    for name in PAINTED:
        assert f"TendrilRod.{name}_factor" not in draw_all()
        setattr(rod.tendril.rod, f"{name}_attribute", "weight")
    bpy.context.window_manager.tendril.cache_size = 1.0
    shown = set()
    try:
        for model in ("KIRCHHOFF", "COSSERAT", "CABLE"):
            rod.tendril.rod.model = model
            shown |= draw_all()
        rod.tendril.rod.model, rod.tendril.pins[rod.tendril.active_pin].winch = "KIRCHHOFF", True
        shown |= draw_all()
    finally:
        bpy.context.window_manager.tendril.cache_size = 0.0
    shown |= {f"tendril.{name}" for name in ("import_tetrahedra", "import_centre_lines", "export_centre_lines")}  # File
    painted = {f"{name}_attribute" for name in PAINTED}
    own = {*ROD, *painted, "bend", "model", "collision_collection"} - {"bend_factor"}
    assert {f"TendrilRod.{name}" for name in own} <= shown
    assert {f"TendrilPin.{name}" for name in PIN} | {"TendrilPin.mode", "TendrilPin.target"} <= shown
    of_scene = {*SCENE, "solver", "quality", "cache_folder", "collision_collection"} - {"frame_start", "frame_end"}
    assert {f"TendrilScene.{name}" for name in of_scene} <= shown
    own = {cls.bl_idname for module in operators.MODULES for cls in getattr(module, "classes", ())}
    elsewhere = {
        "add_rod",
        "add_cable",
        "new_cable",
        "hang_on_cables",
        "add_tree",
        "tree_from_skeleton",
        "cable_from_tube",
        "remove_body",
        "cancel",
        "set_gravity",
    }
    elsewhere |= {"make_real"}  # in Object › Apply
    elsewhere |= {"add_collider", "remove_collider", "add_knot", "remove_soft", "remove_soft_pin"}
    elsewhere |= {"add_body", "add_soft", "add_sheet", "show_tetrahedra", "subdivide_soft"}
    assert own - shown == {f"tendril.{name}" for name in elsewhere}


def test_a_soft_body_shows_every_setting_and_every_operator():
    bpy.ops.mesh.primitive_cube_add()
    assert "tendril.add_soft" in draw_all()
    bpy.ops.tendril.add_soft()
    bpy.context.object.vertex_groups.new(name="Top")
    bpy.ops.tendril.add_soft_pin()
    soft = bpy.context.object.tendril.soft
    soft.stiffness_group = soft.density_group = "Top"
    soft.pins[0].kind = "PLANE"
    shown = draw_all()
    plain = {"squash", "use_pressure", "sealed", "storage", "elements", "stiffness_group", "density_group", "relaxed"}
    of_sheets = {"poisson", "thickness", "membrane", "curl", "thickness_factor"}
    assert {f"TendrilSoft.{name}" for name in {*SOFT, *plain, *MODULI} - of_sheets} <= shown
    bpy.ops.tendril.add_load()
    assert {"TendrilLoad.force", "TendrilLoad.group", "TendrilLoad.target", "tendril.remove_load"} <= draw_all()
    of_pin = {*SOFT_PIN, "group", "target", "kind", "axis", "use_spring", "use_release"}
    assert {f"TendrilSoftPin.{name}" for name in of_pin} <= shown
    assert {"tendril.show_tetrahedra", "tendril.subdivide_soft"} <= shown
    names = ("remove_soft", "add_soft_pin", "remove_soft_pin", "apply_soft_preset", "save_soft_preset", "bake")
    assert {f"tendril.{name}" for name in names} <= shown


def test_a_sheet_shows_its_settings_and_not_those_of_tetrahedra():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4)
    assert "tendril.add_sheet" in draw_all()
    bpy.ops.tendril.add_sheet()
    bpy.context.object.vertex_groups.new(name="Top")
    bpy.ops.tendril.add_soft_pin()
    soft = bpy.context.object.tendril.soft
    soft.stiffness_group = soft.density_group = soft.thickness_group = "Top"
    shown = draw_all()
    of_solids = {"young", "resolution", "balanced", "pressure", "gas_density"}
    own = {*SOFT, "sheet_young", "curl_axis", "relaxed", "collision_collection", "storage"} - of_solids
    assert {f"TendrilSoft.{name}" for name in own} <= shown
    others = {
        *of_solids,
        "use_pressure",
        "sealed",
        "squash",
        "bulk",
        "shear",
        "elements",
    }
    assert not {f"TendrilSoft.{name}" for name in others} & shown
    assert not {"tendril.show_tetrahedra", "tendril.subdivide_soft"} & shown
    assert "key of TendrilSoft.young" in shown  # beside the same number in MPa
    assert {"TendrilSoftPin.group", "tendril.remove_soft", "tendril.apply_soft_preset", "tendril.bake"} <= shown
    assert title(bpy.types.TENDRIL_PT_active) == "Sheet"


def test_a_tree_shows_its_settings_and_not_those_it_has_no_use_for(rod):
    assert not any(name.startswith("TendrilTree.") for name in draw_all())
    rod.tendril.is_tree = True
    shown = draw_all()
    assert {f"TendrilTree.{name}" for name in TREE} | {"TendrilRod.balanced", "TendrilRod.twist_factor"} <= shown
    assert not {"TendrilRod.points", "TendrilRod.shape_memory", "TendrilRod.aspect"} & shown


def test_a_mesh_of_edges_can_become_a_tree():
    mesh = bpy.data.meshes.new("Bones")
    mesh.from_pydata([(0, 0, 0), (0, 0, 1)], [(0, 1)], [])
    bpy.context.collection.objects.link(bones := bpy.data.objects.new("Bones", mesh))
    bpy.context.view_layer.objects.active = bones
    assert {"tendril.add_tree", "tendril.tree_from_skeleton"} <= draw_all()


def test_a_mesh_with_faces_can_become_a_cable():
    bpy.ops.mesh.primitive_cylinder_add()
    assert "tendril.cable_from_tube" in draw_all()


def test_a_body_shows_every_setting():
    bpy.ops.mesh.primitive_cube_add()
    assert "tendril.add_body" in draw_all()
    bpy.ops.tendril.add_body()
    shown, settings = draw_all(), bpy.context.object.tendril.body
    plain = {"motion", "shape", "collision_shape", "collision_collection"}
    assert {f"TendrilBody.{name}" for name in {*BODY, *plain} - {"density"}} <= shown
    assert {"tendril.remove_body", "tendril.tie", "TendrilWeights.gravity", "tendril.bake"} <= shown
    settings.use_density = True
    assert "TendrilBody.density" in draw_all()
    settings.motion = "ANIMATED"
    assert {name for name in draw_all() if name.startswith("TendrilBody.")} == {
        f"TendrilBody.{name}" for name in ("motion", "collide", "collision_shape", "friction", "collision_collection")
    }  # fmt: skip


def test_a_collider_shows_its_settings_wherever_they_are_kept():
    bpy.ops.mesh.primitive_cube_add()
    assert {"tendril.add_collider", "No colliders"} <= draw_all()
    bpy.ops.tendril.add_collider()
    shown = draw_all()
    automatic = {"TendrilCollider.automatic", "TendrilCollider.automatic_thickness"}
    assert automatic | {"CollisionSettings.cloth_friction", "1 collider"} <= shown
    assert {"tendril.remove_collider", "Cube"} <= shown
    bpy.context.object.collision.thickness_outer = 0.3
    assert "CollisionSettings.thickness_outer" in draw_all()
    bpy.context.object.tendril.collider.thickness = 0.0
    shown = draw_all()
    assert {"TendrilCollider.automatic", "TendrilCollider.thickness"} <= shown
    assert "CollisionSettings.thickness_outer" not in shown
    bpy.ops.object.text_add()
    bpy.ops.tendril.add_collider()
    assert automatic | {"TendrilCollider.friction", "2 colliders"} <= draw_all()
    bpy.context.object.tendril.collider.automatic = False
    shown = draw_all()
    assert {f"TendrilCollider.{name}" for name in COLLIDER} | {"2 colliders"} <= shown
    assert "TendrilCollider.automatic_thickness" not in shown
    bpy.ops.tendril.remove_collider()
    assert "1 collider" in draw_all()
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    bpy.context.scene.tendril.use_passive_bodies = True
    assert {"RigidBodyObject.friction", "RigidBodyObject.use_margin", "RigidBodyObject.collision_margin"} <= draw_all()


def test_many_colliders_are_counted_and_the_first_named():
    for _ in range(10):
        bpy.ops.mesh.primitive_cube_add()
        bpy.ops.tendril.add_collider()
    shown = draw_all()
    assert {"10 colliders", "Cube.007", "and 2 more"} <= shown
    assert "Cube.008" not in shown


def test_what_cannot_collide_is_named():
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_collider()
    bpy.ops.tendril.add_body()
    assert {"Cube takes no part as a collider", "No colliders"} <= draw_all()


def test_a_pin_on_a_body_says_so_and_offers_no_influence(rod):
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_body()
    bpy.context.object.name = "Lamp"
    bpy.context.view_layer.objects.active = rod
    rod.tendril.pins.add().target = bpy.data.objects["Lamp"]
    shown = draw_all()
    assert "Tied to rigid body Lamp" in shown
    assert not {"TendrilPin.influence", "TendrilPin.max_force"} & shown
    rod.tendril.pins[0].influence = 0.5
    assert "TendrilPin.influence" in draw_all()


def test_own_frames_are_shown_in_place_of_the_scene_s(rod):
    assert {"Scene.frame_start", "Scene.frame_end"} <= draw_all()
    bpy.context.scene.tendril.use_frame_range = True
    assert {"TendrilScene.frame_start", "TendrilScene.frame_end"} <= draw_all()


def test_a_running_bake_shows_its_progress_and_can_only_be_cancelled(rod):
    run = bpy.context.window_manager.tendril
    run.running, run.progress, run.message = True, 0.4, "Frame 100 of 250, 3 s left"
    try:
        shown = draw_all()
    finally:
        run.running = False
    assert {"Frame 100 of 250, 3 s left", "tendril.cancel"} <= shown
    assert not {"tendril.bake", "tendril.free", "tendril.revert"} & shown


def test_warnings_are_shown_and_their_number_is_limited(rod):
    run = bpy.context.window_manager.tendril
    for frame in range(8):
        warning = run.warnings.add()
        warning.frame, warning.text = frame, f"the pin yields {frame}"
    try:
        shown = draw_all()
    finally:
        run.warnings.clear()
    assert {"Frame 0: the pin yields 0", "and 3 more"} <= shown


def test_after_a_bake_it_says_what_was_changed_and_the_button_that_frees_them_where_the_frames_are(rod):
    run = bpy.context.window_manager.tendril
    run.message, run.changed, run.cache_place = "Baked 24 frames", "Out of date: gravity changed", "/shots/shot/Scene"
    said = {run.message, run.changed}
    try:
        shown = draw_all()
        tooltip = bpy.types.TENDRIL_OT_free.description(window(), None)
        run.running = True
        assert not said - {run.message} & draw_all()
    finally:
        run.running, run.message, run.changed, run.cache_place = False, "", "", ""
    assert said <= shown
    assert not any("/shots" in text for text in shown)  # a folder's name takes three lines, and says little
    assert tooltip.endswith("They are in /shots/shot/Scene")


def test_the_active_bone_is_chosen_among_those_of_the_target(rod):
    bpy.ops.tendril.add_pin(place="FRACTION", holder="EMPTY")
    assert "TendrilPin.bone" not in draw_all()
    rod.tendril.pins[0].target = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    assert "TendrilPin.bone" in draw_all()


def headings():
    """The labels of all side panels of the tab, from top to bottom."""
    return [title(cls) for cls in side_panels()]


def test_the_bake_stands_below_what_is_active_and_what_is_said_last():
    assert headings() == ["Add", "Colliders", "Surroundings"]
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_rod()
    assert headings() == ["Rod", "Bake", "Surroundings", "Messages"]
    assert [title(cls) for cls in side_panels("TENDRIL_PT_active")][:2] == ["Pins", "Shape"]
    bpy.ops.mesh.primitive_cube_add()
    assert headings() == ["Add", "Colliders", "Bake", "Surroundings", "Messages"]
    bpy.ops.tendril.add_body()
    assert headings() == ["Rigid Body", "Bake", "Surroundings", "Messages"]


@pytest.mark.parametrize("kind", ["rod", "body", "soft"])
def test_the_physics_tab_has_what_the_side_panel_has_of_each_kind(kind):
    if kind == "rod":
        bpy.ops.curve.primitive_nurbs_path_add()
    else:
        bpy.ops.mesh.primitive_cube_add()
    getattr(bpy.ops.tendril, f"add_{kind}")()
    parent = "PHYSICS_PT_tendril" if kind == "rod" else f"PHYSICS_PT_tendril_{kind}"

    def within(name):
        return {cls.bl_label for cls in appearing() if getattr(cls, "bl_parent_id", "") == name}

    assert within(parent) == within("TENDRIL_PT_active") | {"Bake", "Surroundings", "Messages"}
    assert within(f"{parent}_bake") == within("TENDRIL_PT_bake") >= {"Frames and Storage"}
    assert within(f"{parent}_world") == within("TENDRIL_PT_world") >= {"Colliders", "Wind and Force Fields"}


def test_the_panel_is_called_what_the_rod_is(rod):
    rod.tendril.rod.model = "COSSERAT"
    assert headings()[0] == "Rod"
    rod.tendril.rod.model = "CABLE"
    assert headings()[0] == "Cable"
    rod.tendril.is_tree = True
    assert headings()[0] == "Tree"


def test_every_panel_with_a_header_of_its_own_opens_the_manual_at_a_section_that_is_there(rod):
    manual = (Path(__file__).resolve().parents[2] / "docs" / "manual.md").read_text(encoding="utf-8")
    titles = {line[3:].lower().replace(" ", "-") for line in manual.splitlines() if line.startswith("## ")}
    sections = {cls.section for module in ui.MODULES for cls in module.classes if hasattr(cls, "section")}
    assert {"rods", "pins", "baking"} <= sections <= titles


def test_labels_fit_in_the_properties_editor(rod):
    """Beside a number of a width at which 15 letters were seen to fit, and 16 not."""
    groups = (rod.tendril.rod, rod.tendril.tree, rod.tendril.body, rod.tendril.pins.add(), bpy.context.scene.tendril)
    for item in (item for group in groups for item in group.bl_rna.properties if item.type in {"FLOAT", "INT"}):
        assert len(item.name) <= 15, item.name


def test_a_slider_drags_the_bend_factor_over_all_its_decades(rod):
    settings, properties = rod.tendril.rod, rod.tendril.rod.bl_rna.properties
    assert properties["bend"].subtype == "FACTOR"
    settings.preset = "hemp_rope"
    settings.bend = 1.0
    assert (settings.bend_factor, settings.preset) == (1.0, "")
    settings.bend = 0.0
    assert settings.bend_factor == pytest.approx(properties["bend_factor"].hard_min)
    for factor in (1e-6, 7.3e-5, 0.2):
        settings.bend_factor = factor
        shown = settings.bend
        settings.bend = shown
        assert settings.bend_factor == pytest.approx(factor, rel=1e-5)


def test_gravity_that_was_forgotten_in_a_scene_of_centimetres_is_said_and_mended(rod):
    scene = bpy.context.scene
    assert "tendril.set_gravity" not in draw_all()
    scene.unit_settings.scale_length = 0.01
    assert {"Gravity is 0.0981 m/s², not 9.81:", "Unit Scale is 0.01", "tendril.set_gravity"} <= draw_all()
    assert bpy.ops.tendril.set_gravity() == {"FINISHED"}
    assert tuple(scene.gravity) == pytest.approx((0.0, 0.0, -981.0))
    assert read_scene(bpy.context)[0].gravity == pytest.approx((0.0, 0.0, -9.81))
    assert "tendril.set_gravity" not in draw_all()


def test_gravity_that_was_chosen_is_left_alone(rod):
    scene = bpy.context.scene
    scene.unit_settings.scale_length, scene.gravity = 0.01, (0.0, 0.0, -162.0)
    assert "tendril.set_gravity" not in draw_all()
    with pytest.raises(RuntimeError, match="Gravity is as it should be"):
        bpy.ops.tendril.set_gravity()
    scene.gravity, scene.use_gravity = (0.0, 0.0, -9.81), False
    assert "tendril.set_gravity" not in draw_all()


def test_where_the_frames_go_is_said(rod, tmp_path):
    assert "Temporary" in draw_all()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert "Beside the file" in draw_all()


def greyed():
    """(place, holder) of the entries of the + menu of pins that are off."""
    return {choice for choice in drawn(bpy.types.TENDRIL_MT_add_pin).off if len(choice) == 2}


def test_pins_that_cannot_be_added_are_greyed(rod):
    anywhere = {"ENDS", "START", "END", "FRACTION", "SELECTION"}
    rod.data.splines[0].points.foreach_set("select", [False] * 5)
    nobody = {(place, holder) for place in anywhere for holder in ("OBJECT", "BONE", "OWN")}
    assert greyed() == nobody | {("SELECTION", "EMPTY"), ("HOOKS", "OBJECT")}
    bpy.ops.object.empty_add()
    rod.select_set(True)
    bpy.context.view_layer.objects.active = rod
    assert {holder for place, holder in greyed() if place == "START"} == {"BONE", "OWN"}
    rod.data.splines[0].use_cyclic_u = True
    assert {(place, "EMPTY") for place in ("ENDS", "START", "END")} <= greyed()
    rod.data.splines[0].points[1].select = True
    assert ("SELECTION", "EMPTY") not in greyed()


def test_a_greyed_pin_says_why_in_its_tooltip(rod):
    tooltip = bpy.types.TENDRIL_OT_add_pin.description(window(), SimpleNamespace(place="ENDS", holder="OBJECT"))
    assert tooltip.endswith("Off: Nothing is selected to hold the rod: select an object besides it")
    tooltip = bpy.types.TENDRIL_OT_add_pin.description(window(), SimpleNamespace(place="ENDS", holder="EMPTY"))
    assert "Off" not in tooltip


def test_on_a_mesh_a_rod_cannot_be_added():
    bpy.ops.mesh.primitive_cube_add()
    for operator in (bpy.ops.tendril.add_rod, bpy.ops.tendril.add_tree):
        assert not operator.poll()
        with pytest.raises(RuntimeError, match="'Cube' is a mesh: select a curve, or make a body of it"):
            operator()


def test_a_new_rod_names_its_material(rod):
    assert "Polyester Rope" in draw_all()
    rod.tendril.rod.density = 1.0
    assert "Own Material" in draw_all()


def test_the_manual_opens_offline_at_a_section(rod, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert bpy.ops.tendril.manual(section="pins") == {"FINISHED"}
    (address,) = opened
    assert address.startswith("file:///")
    assert address.endswith("#pins")
    assert Path(url2pathname(urlsplit(address).path)).is_file()


def test_choices_are_those_of_the_solver(rod):
    properties = bpy.context.scene.tendril.bl_rna.properties
    assert set(properties["quality"].enum_items.keys()) == set(QUALITIES)
    assert set(properties["solver"].enum_items.keys()) == set(SOLVERS)
    assert set(rod.tendril.pins.add().bl_rna.properties["mode"].enum_items.keys()) == set(PIN_MODES)


def test_every_setting_says_what_it_does_and_few_can_be_keyed(rod):
    groups = (rod.tendril.rod, rod.tendril.body, rod.tendril.pins.add(), bpy.context.scene.tendril)
    for item in (item for group in groups for item in group.bl_rna.properties):
        if item.identifier in {"rna_type", "name"}:
            continue
        assert len(item.description) > 10, item.identifier
        assert not item.description.endswith("."), item.identifier
    keyed = {(type(group).__name__, item.identifier) for group in groups for item in group.bl_rna.properties
             if item.is_animatable and item.identifier not in {"rna_type", "name"}}  # fmt: skip
    assert keyed == {("TendrilPin", "influence"), ("TendrilPin", "paid_out"), *(("TendrilRod", name) for name in KEYED)}


def test_a_changed_setting_makes_the_estimate_stale(rod, monkeypatch):
    monkeypatch.setattr(estimate, "probe", lambda *_: iter(()))  # what is measured depends on the machine
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    run = bpy.context.window_manager.tendril
    assert run.estimate.startswith("Explicit: 1 s or more; ")
    rod.tendril.rod.young *= 4.0
    assert not run.estimate
    bpy.context.scene.tendril.contact, rod.tendril.rod.points = False, 200
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert run.estimate.startswith("Implicit: ")
