"""The panels ask only for what there is: drawn with a layout that checks every name and remembers it."""

from types import SimpleNamespace

import bpy
import pytest
from bl_ext.user_default.tendril import operators, ui
from bl_ext.user_default.tendril.physics.scene import PIN_MODES, QUALITIES
from bl_ext.user_default.tendril.properties.parameters import BODY, PIN, ROD, SCENE, TREE


class Layout:
    """Stands in for Blender's UILayout; every part of a layout is the same one."""

    def __init__(self):
        self.shown = set()

    def row(self, **_options):
        return self

    column = grid_flow = row

    def prop(self, owner, name, **_options):
        assert name in owner.bl_rna.properties, f"{owner.bl_rna.identifier} has no {name}"
        self.shown.add(f"{owner.bl_rna.identifier}.{name}")

    def prop_search(self, owner, name, search_owner, search_name, **_options):
        assert search_name in search_owner.bl_rna.properties
        self.prop(owner, name)

    def operator(self, name, **_options):
        rna = getattr(bpy.ops.tendril, name.removeprefix("tendril.")).get_rna_type()
        self.shown.add(name)
        return Settings(rna)

    def operator_enum(self, name, enum):
        assert enum in self.operator(name).rna.properties

    def operator_menu_enum(self, name, enum, **_options):
        self.operator_enum(name, enum)

    def menu(self, name, **_options):
        assert hasattr(bpy.types, name)
        self.shown.add(name)

    def popover(self, panel, **_options):
        assert hasattr(bpy.types, panel)
        self.shown.add(panel)

    def template_list(self, list_type, _id, owner, name, active_owner, active_name, **_options):
        assert hasattr(bpy.types, list_type)
        self.prop(owner, name)
        self.prop(active_owner, active_name)

    def progress(self, factor, text):
        self.shown.add(text)

    def label(self, text="", icon="NONE", **_options):
        assert icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
        self.shown.add(text)

    def separator(self):
        pass


class Settings:
    """What an operator button may set."""

    def __init__(self, rna):
        object.__setattr__(self, "rna", rna)

    def __setattr__(self, name, value):
        item = self.rna.properties[name]
        assert item.type != "ENUM" or value in item.enum_items


def draw_all():
    """What all panels and menus show that would appear, in a region such as there is none in background."""
    context = SimpleNamespace(
        **{name: getattr(bpy.context, name) for name in ("object", "scene", "view_layer", "window_manager")},
        region=SimpleNamespace(width=400),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
    )
    shown = set()
    for cls in (cls for module in ui.MODULES for cls in module.classes):
        if issubclass(cls, bpy.types.UIList) or not getattr(cls, "poll", lambda _context: True)(context):
            continue
        panel = SimpleNamespace(layout=Layout())
        cls.draw(panel, context)
        if hasattr(cls, "draw_header_preset"):
            cls.draw_header_preset(panel, context)
        shown |= panel.layout.shown
    return shown


@pytest.fixture
def rod():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.context.object.name = "Rope"
    bpy.ops.tendril.add_rod()
    return bpy.context.object


def test_without_a_rod_one_can_be_added():
    shown = draw_all()
    assert "tendril.add_rod" in shown
    assert not any(name.startswith("TendrilRod.") for name in shown)


def test_a_rod_shows_every_setting_and_every_operator(rod):
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    shown = draw_all()
    assert {f"TendrilRod.{name}" for name in ROD} <= shown
    assert {f"TendrilPin.{name}" for name in PIN} | {"TendrilPin.mode", "TendrilPin.target"} <= shown
    of_scene = {*SCENE, "quality", "cache_folder"} - {"frame_start", "frame_end"}
    assert {f"TendrilScene.{name}" for name in of_scene} <= shown
    own = {cls.bl_idname for module in operators.MODULES for cls in getattr(module, "classes", ())}
    elsewhere = {"add_rod", "add_tree", "tree_from_skeleton", "remove_body", "cancel"}
    assert own - shown == {f"tendril.{name}" for name in elsewhere}


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


def test_a_body_shows_every_setting():
    bpy.ops.mesh.primitive_cube_add()
    assert "tendril.add_body" in draw_all()
    bpy.ops.tendril.add_body()
    shown, settings = draw_all(), bpy.context.object.tendril.body
    assert {f"TendrilBody.{name}" for name in {*BODY, "motion", "shape"} - {"density"}} <= shown
    assert {"tendril.remove_body", "tendril.tie", "TendrilWeights.gravity", "tendril.bake"} <= shown
    settings.use_density = True
    assert "TendrilBody.density" in draw_all()
    settings.motion = "ANIMATED"
    assert {name for name in draw_all() if name.startswith("TendrilBody.")} == {"TendrilBody.motion"}


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


def test_after_a_bake_it_says_what_was_changed_and_where_the_frames_are(rod):
    run = bpy.context.window_manager.tendril
    run.message, run.changed, run.cache_place = "Baked 24 frames", "Out of date: gravity changed", "/shots/shot/Scene"
    said = {run.message, run.changed, "Frames are in /shots/shot/Scene"}
    try:
        shown = draw_all()
        run.running = True
        assert not said - {run.message} & draw_all()
    finally:
        run.running, run.message, run.changed, run.cache_place = False, "", "", ""
    assert said <= shown


def test_the_active_bone_is_chosen_among_those_of_the_target(rod):
    bpy.ops.tendril.add_pin(place="FRACTION", holder="EMPTY")
    assert "TendrilPin.bone" not in draw_all()
    rod.tendril.pins[0].target = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    assert "TendrilPin.bone" in draw_all()


def test_choices_are_those_of_the_solver(rod):
    properties = bpy.context.scene.tendril.bl_rna.properties
    assert set(properties["quality"].enum_items.keys()) == set(QUALITIES)
    assert set(rod.tendril.pins.add().bl_rna.properties["mode"].enum_items.keys()) == set(PIN_MODES)


def test_every_setting_says_what_it_does_and_only_the_influence_can_be_keyed(rod):
    groups = (rod.tendril.rod, rod.tendril.body, rod.tendril.pins.add(), bpy.context.scene.tendril)
    for item in (item for group in groups for item in group.bl_rna.properties):
        if item.identifier in {"rna_type", "name"}:
            continue
        assert len(item.description) > 10, item.identifier
        assert not item.description.endswith("."), item.identifier
        assert item.is_animatable == (item.identifier == "influence"), item.identifier


def test_a_changed_setting_makes_the_estimate_stale(rod):
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    run = bpy.context.window_manager.tendril
    assert run.estimate > 0.0
    rod.tendril.rod.young *= 4.0
    assert run.estimate == 0.0
