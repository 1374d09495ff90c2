"""What an artist has to see fits on a screen, and no button moves because something is said."""

from itertools import permutations

import bpy
import pytest
from bl_ext.user_default.tendril.ui.bake import KEPT
from panels import draw_all, places, side_panels

SCREEN = 1000  # px


def rope():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")


def cable():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_cable()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")


def tree():
    rope()
    bpy.context.object.tendril.is_tree = True


def soft_body():
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_soft()
    bpy.context.object.vertex_groups.new(name="Top")
    bpy.ops.tendril.add_soft_pin()


def rigid_body():
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_body()


def nothing():
    bpy.ops.mesh.primitive_cube_add()


def collider():
    rope()
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_collider()


KINDS = (rope, cable, tree, soft_body, rigid_body, collider)
STATES = {
    "idle": {},
    "running": {"running": True, "message": "40 % (4 of 10), 3 s left"},
    "over": {"message": "Baked 10 frames", "took": "It took 3 s", "contact": "Rods touched", "estimate": "2 s"},
    "failed": {"message": "'Rope' could not go on. " * 9, "failed": True, "changed": "Out of date: gravity changed"},
    "updating": {"auto_update": True, "auto_message": "3 of 10 frames"},
    "live": {"settle_live": True, "live_message": "Compiling"},
    "ahead": {"ahead": "Compiling in the background: rods"},
}  # fmt: skip


@pytest.fixture
def told():
    """Let the window manager say something: told(running=True, …); at the end all is as before."""
    run = bpy.context.window_manager.tendril
    names = {name for state in STATES.values() for name in state} | {"cache_size"}
    before = {name: getattr(run, name) for name in names}

    def tell(**values):
        for name, value in {**before, **values}.items():
            setattr(run, name, value)
        run.warnings.clear()
        if run.failed:
            run.warnings.add().text = "the pin yields"

    yield tell
    tell()
    run.warnings.clear()


@pytest.mark.parametrize("make", KINDS)
def test_it_fits_on_one_screen(make, told):
    """With a bake, and with a rope in the scene, for which a solver is chosen."""
    bpy.ops.curve.primitive_nurbs_path_add(location=(0.0, 5.0, 0.0))
    bpy.ops.tendril.add_rod()
    make()
    bpy.context.object.tendril.result = bpy.context.object.copy()
    told(cache_size=1.0)
    found = list(places())
    assert "Result" in {name for _, name, *_ in found}
    assert max(bottom for *_, bottom in found) <= SCREEN


@pytest.mark.parametrize("make", KINDS)
def test_pins_come_first_and_bake_is_in_sight(make):
    make()
    found = {name: top for _, name, top, _ in places()}
    assert "tendril.bake" in found
    if "Pins" in found:
        assert found["Pins"] < 120  # below the name and the preset
    if make is rope:
        shown = ["Pins", "TendrilRod.shape_memory", "TendrilRod.rest_length_factor", "TendrilRod.points"]
        tops = [found[name] for name in (*shown, "TendrilScene.quality", "tendril.bake", "tendril.auto_update")]
        assert tops == sorted(tops)


@pytest.mark.parametrize("make", KINDS)
def test_what_is_said_moves_no_button(make, told):
    make()
    seen = {}
    for name, state in STATES.items():
        told(**state)
        seen[name] = {
            (cls.__name__, text): top for cls, text, top, _ in places() if not cls.__name__.endswith("_messages")
        }
    told()
    for name, found in seen.items():
        same = {key: top for key, top in seen["idle"].items() if key in found}
        assert same == {key: found[key] for key in same}, name
        gone = {text for _, text in seen["idle"].keys() - found.keys()}
        assert gone == ({"tendril.bake", "tendril.resume"} if name == "running" else set()), name


def test_what_is_said_stands_last_in_room_that_is_kept(told):
    rope()
    told()
    before = list(places())
    assert before[-1][0].bl_label == "Messages"
    told(message="Baked 10 frames", took="It took 3 s")
    after = list(places())
    assert before[-1][3] == after[-1][3]
    assert {"Baked 10 frames", "It took 3 s"} <= draw_all()
    assert sum(cls.bl_label == "Messages" for cls, *_ in before) == 1 + KEPT


def test_the_room_for_what_is_said_does_not_shrink(told):
    """Else all moves down under the mouse of who has scrolled to the end."""
    rope()
    told(message="Baked 10 frames", took="It took 3 s", changed="Out of date: rest length of 'Rope' changed, and more")
    bottom = [place[3] for place in places()][-1]
    told(running=True, message="40 % (4 of 10), 3 s left")
    assert [place[3] for place in places()][-1] == bottom
    cable()
    told()
    assert sum(cls.bl_label == "Messages" for cls, *_ in places()) == 1 + KEPT


@pytest.mark.parametrize("makes", [*permutations((rope, soft_body, rigid_body, nothing))])
def test_panels_stand_in_order_whatever_was_met_first(makes):
    """Blender puts one that appears for the first time behind the one that is drawn before it, and leaves it there."""
    met = []
    for make in makes:
        make()
        for parent in ("", "TENDRIL_PT_active"):
            before = None
            for cls in (drawn := side_panels(parent)):
                if cls not in met:
                    met.insert(met.index(before) + 1 if before else 0, cls)
                before = cls
            assert sorted(drawn, key=met.index) == drawn


def test_a_cable_shows_nothing_that_means_nothing_to_it():
    cable()
    shown = draw_all()
    assert "tendril.bake" in shown
    of_steps = {f"TendrilScene.{name}" for name in ("solver", "quality", "keep_swing", "settle")}
    names = ("internal_damping", "drag_coefficient", "rolls", "spin_factor")
    of_motion = {f"TendrilRod.{name}" for name in (*names, "parallel_stiffness", "balanced")}
    assert not (of_steps | of_motion | {"TendrilPin.max_force", "TendrilWeights.wind"}) & shown
    rope()
    assert of_steps <= draw_all()


def test_a_rigid_body_alone_has_no_solver():
    rigid_body()
    shown = draw_all()
    assert "TendrilScene.quality" in shown
    assert not {"TendrilScene.solver", "TendrilScene.keep_swing"} & shown
