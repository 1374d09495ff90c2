"""Harnesses as an artist makes them: cables joined, let go, cut, made longer, hung several at once."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, link, refused
from harnesses import RADIUS, arch, bake, baked, cable, cables, joints, length, lines, pin, pins, posts, state
from mathutils import Matrix, Vector
from panels import drawn, headed

SPACES = {
    "plain": Matrix(),
    "scaled": Matrix.LocRotScale((0.3, -1.0, 2.0), None, (2.0, 2.0, 2.0)),
    "turned": Matrix.LocRotScale((0.3, -1.0, 2.0), Matrix.Rotation(1.0, 3, "Y"), (0.5, 1.5, 2.0)),
    "mirrored": Matrix.Scale(-1.0, 4, Vector((1.0, 0.0, 0.0))),
}
KINDS = [("plain", "POLY"), ("scaled", "BEZIER"), ("turned", "NURBS"), ("mirrored", "BEZIER")]


@pytest.mark.parametrize(("space", "kind"), KINDS)
def test_pieces_are_drawn_as_the_whole_was(kind, space):
    """Vertices, thickness, material frame and number of points stay; the pins go to the piece they are on."""
    item = cable("Hose", arch(), kind, world=SPACES[space])
    for number, point in enumerate(item.data.splines[0].bezier_points or item.data.splines[0].points):
        point.radius, point.tilt = 1.0 + 0.1 * number, 0.2 * number
    pin(item)
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.75, holder="EMPTY", mode="POSITION")
    item.tendril.rod.rest_length_factor = 1.2
    (before,), grips = lines(item), [tuple(own.grip) for own in item.tendril.pins]
    choose(item)
    assert bpy.ops.tendril.cut_cable(fraction=1.0 / 3.0, ends="FREE") == {"FINISHED"}
    first, second = cables()
    assert first == item
    assert (first.tendril.rod.points, second.tendril.rod.points) == (4, 8)
    assert first.tendril.rod.rest_length_factor == second.tendril.rod.rest_length_factor == pytest.approx(1.2)
    assert pins(first) == [("Hose Pin", 0, 0.0, "TWIST")]
    assert pins(second) == [("Hose Pin.001", 0, 1.0, "TWIST"), ("Hose Pin.002", 0, 0.625, "POSITION")]
    assert [tuple(own.grip) for piece in (first, second) for own in piece.tendril.pins] == grips
    for piece, (a, b) in zip((first, second), ((0, 4), (4, 12)), strict=True):
        (line,) = lines(piece)
        np.testing.assert_allclose(line.x, before.x[a : b + 1], atol=2e-4)
        np.testing.assert_allclose(line.thickness, before.thickness[a : b + 1], rtol=1e-2)
        np.testing.assert_allclose(line.axes, before.axes[a:b], atol=2e-2)


def test_it_is_cut_at_points_that_are_selected_in_edit_mode():
    item = cable("Hose", arch(), "BEZIER")
    pin(item)
    for number, point in enumerate(item.data.splines[0].bezier_points):
        point.select_control_point = number in (0, 4, 8)
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.tendril.cut_cable() == {"FINISHED"}
    assert bpy.context.mode == "OBJECT"
    assert [piece.tendril.rod.points for piece in cables()] == [4, 4, 4]
    assert all(len(piece.tendril.pins) == 2 for piece in cables())
    assert bake() == {"FINISHED"}
    choose(cables()[0])
    bpy.ops.tendril.revert()
    cables()[0].data.splines[0].bezier_points.foreach_set("select_control_point", [False] * 5)
    assert "is selected" in refused(bpy.ops.tendril.cut_cable, place="SELECTION")


def test_splines_that_are_not_cut_stay_in_their_object():
    item = draw("Hoses", [arch(), arch() + [0.0, 1.0, 0.0], arch() + [0.0, 2.0, 0.0]], depth=RADIUS)
    choose(item)
    bpy.ops.tendril.add_cable()
    item.tendril.rod.points = 12
    pin(item)
    before, grips = lines(item), [tuple(own.grip) for own in item.tendril.pins]
    for number, place in enumerate(arch()):
        item.data.splines[1].points[number].select = number == 6
        assert len(place) == 3
    for spline in (item.data.splines[0], item.data.splines[2]):
        spline.points.foreach_set("select", [False] * 13)
    choose(item)
    assert bpy.ops.tendril.cut_cable(place="SELECTION", ends="FREE") == {"FINISHED"}
    whole, first, second = cables()
    np.testing.assert_array_equal([line.x for line in lines(whole)], [before[0].x, before[2].x])
    assert [own.spline for own in whole.tendril.pins] == [0, 0, 1, 1]
    assert [tuple(own.grip) for own in whole.tendril.pins] == grips[:2] + grips[4:]
    np.testing.assert_allclose(np.vstack([lines(first)[0].x, lines(second)[0].x[1:]]), before[1].x, atol=2e-4)


@pytest.mark.parametrize("points", [12, 40])
def test_a_whole_and_its_halves_that_are_joined_hang_alike(points):
    """As nearly as curves are kept, in single precision."""
    whole = cable("Hose", arch(bend=0.2), points=points)
    pin(whole)
    whole.tendril.pins[1].target.location.x -= 0.15
    bake()
    wanted = baked(whole)
    choose(whole)
    bpy.ops.tendril.revert()
    bpy.context.scene.frame_set(1)
    whole.tendril.pins[1].target.location.x += 0.15
    choose(whole)
    assert bpy.ops.tendril.cut_cable() == {"FINISHED"}
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    whole, other = cables()
    assert [item.name for item in bpy.context.scene.objects if item.type == "EMPTY"] == [
        "Hose Pin", "Hose Pin.001", "Joint"
    ]  # fmt: skip
    other.tendril.pins[0].target.location.x -= 0.15
    bake()
    np.testing.assert_allclose(np.concatenate([baked(whole), baked(other)[1:]]), wanted, atol=1e-6)


@pytest.mark.parametrize("space", SPACES)
def test_pieces_of_a_straight_cable_reach_from_end_to_end(space):
    """To rounding they are as long as the way: what holds them holds them where they are drawn."""
    rng = np.random.default_rng(2)
    for number in range(2):
        item = cable(
            f"Hose {number}", np.linspace(*rng.normal(size=(2, 3)), 9) + [0, 0, 9 * number], world=SPACES[space]
        )
        pin(item)
        choose(item)
        assert bpy.ops.tendril.cut_cable(fraction=0.4) == {"FINISHED"}
    assert bake() == {"FINISHED"}


def tee(space="plain", kind="POLY"):
    """A trunk between two empties and a branch that ends at its middle, beside it, and at an empty."""
    trunk = cable("Trunk", arch(), kind, world=SPACES[space])
    middle = lines(trunk)[0].x[6]
    share = np.linspace(0.0, 1.0, 9)[:, None]
    branch = cable("Branch", middle + [0.0, 2.0 * RADIUS, 0.0] + share * [0.1, 0.5, 0.3], points=8)
    pin(trunk)
    pin(branch, "END")
    choose(trunk, branch)
    return trunk, branch


@pytest.mark.parametrize(("space", "kind"), KINDS)
def test_an_end_beside_the_middle_of_another_cable_cuts_that_and_all_three_hang_on_one_joint(space, kind):
    tee(space, kind)
    trunk = cables()[0]
    whole = lines(trunk)[0].x
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    (joint,) = joints()
    assert (joint.type, joint.tendril.body.motion) == ("EMPTY", "SUSPENDED")
    assert joint.tendril.body.mass == pytest.approx(1e-9)
    assert [pins(item)[-1][0] for item in cables()] == ["Joint"] * 3
    one, other = (item for item in cables() if item.name.startswith("Trunk"))
    np.testing.assert_allclose(np.vstack([lines(one)[0].x, lines(other)[0].x[1:]]), whole, atol=5e-4)
    held = [joint.matrix_world @ Matrix(np.reshape(item.tendril.pins[-1].grip, (4, 4))) for item in (one, other)]
    np.testing.assert_allclose(*held, atol=1e-6)  # what hangs on both goes on straight there
    assert bake() == {"FINISHED"}
    assert joint.tendril.result.location.z < joint.location.z


def comb():
    """A trunk between two empties, and two branches held at empties, whose ends are beside it."""
    trunk = cable("Trunk", arch(), points=30)
    pin(trunk)
    for at in (10, 20):
        start = lines(trunk)[0].x[at] + [0.0, 2.0 * RADIUS, 0.0]
        pin(cable("Branch", np.linspace(start, start + [0.1, 0.5, 0.3], 9), points=8), "END")
    for item in cables():
        item.tendril.rod.rest_length_factor = 1.1
    choose(*cables())


@pytest.mark.parametrize("motion", ["FOLLOWS", "STAYS"])
def test_several_joints_on_one_cable(motion):
    comb()
    assert bpy.ops.tendril.join_ends(motion=motion) == {"FINISHED"}
    assert (len(cables()), len(joints())) == (5, 2)
    assert bake() == {"FINISHED"}
    for joint in joints():
        matrix = (joint.tendril.result or joint).matrix_world
        held = [(item, own) for item in cables() for own in item.tendril.pins if own.target == joint]
        assert len(held) == 3
        for item, own in held:
            place = (matrix @ Matrix(np.reshape(own.grip, (4, 4)))).translation
            np.testing.assert_allclose(baked(item)[-1 if own.fraction else 0], place, atol=1e-4)


def test_the_triangle_of_forces_of_a_y():
    """Three cables of no weight to speak of, of equal length, from the corners of a triangle: 120 degrees between."""
    bpy.context.scene.use_gravity = False
    for number in range(3):
        angle = 2.0 * np.pi * number / 3.0
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        pin(cable("Arm", np.linspace(0.002, 1.0, 9)[:, None] * out, points=8), "END", "POSITION")
    choose(*cables())
    assert bpy.ops.tendril.join_ends(mode="POSITION") == {"FINISHED"}
    (joint,) = joints()
    joint.location.x += 0.0
    assert bake() == {"FINISHED"}
    ways = [baked(item)[-1] - baked(item)[0] for item in cables()]
    ways = [way / np.linalg.norm(way) for way in ways]
    assert [ways[k] @ ways[k - 1] for k in range(3)] == pytest.approx([-0.5] * 3, abs=1e-6)


def test_cables_of_a_y_find_their_own_lengths():
    """Without weight, from a triangle's corners: the joint goes to Fermat's point, whence they part at 120 degrees."""
    bpy.context.scene.use_gravity = False
    for corner in ((1.0, 0.0, 0.0), (-0.4, 0.7, 0.0), (-0.5, -0.6, 0.2)):
        way = np.linspace(0.002, 1.0, 9)[:, None] * corner
        pin(cable("Arm", way, points=8), "END", "POSITION")
        bpy.context.object.tendril.rod.own_length, bpy.context.object.tendril.rod.tautness = True, 0.02
    choose(*cables())
    assert bpy.ops.tendril.join_ends(mode="POSITION") == {"FINISHED"}
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    ways = [lines(item)[0].x[-1] - lines(item)[0].x[0] for item in cables()]
    ways = [way / np.linalg.norm(way) for way in ways]
    assert [ways[k] @ ways[k - 1] for k in range(3)] == pytest.approx([-0.5] * 3, abs=1e-5)
    assert bpy.ops.tendril.keep_length() == {"FINISHED"}
    assert not any(item.tendril.rod.own_length for item in cables())


def other_end(name="Other", place=(1.0, 0.0, 0.3), points=8):
    """A cable that begins a millimetre from where `arch` ends, and is held at its far end."""
    start = arch()[-1] + [0.001, 0.0, 0.0]
    item = cable(name, np.linspace(start, start + place, 9), points=points)
    pin(item, "END")
    return item


def keyed(empty):
    empty.keyframe_insert("location", frame=1)
    return empty


@pytest.mark.parametrize("what", ["keyed", "plug", "bone", "joint"])
def test_what_holds_an_end_already_holds_what_is_joined_to_it(what):
    """A plug goes on leading its cable: what is joined hangs on it, and no empty is made."""
    item = cable("Hose", arch())
    pin(item)
    own, target, bone = item.tendril.pins[1], item.tendril.pins[1].target, ""
    if what == "keyed":
        keyed(target)
    elif what == "plug":
        bpy.ops.mesh.primitive_cube_add(size=0.02, location=arch()[-1])
        target = own.target = bpy.context.object
    elif what == "joint":
        choose(target)
        assert bpy.ops.tendril.hang_on_cables(motion="STAYS") == {"FINISHED"}
    else:
        bpy.ops.object.armature_add(location=arch()[-1])
        own.target, own.bone = bpy.context.object, "Bone"
        target, bone = own.target, "Bone"
    bpy.ops.object.select_all(action="DESELECT")
    other = other_end()
    before = len(bpy.context.scene.objects)
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert len(bpy.context.scene.objects) == before
    assert (other.tendril.pins[-1].target, other.tendril.pins[-1].bone) == (target, bone)
    assert bake() == {"FINISHED"}
    assert np.linalg.norm(baked(other)[0] - baked(item)[-1]) == pytest.approx(0.001, rel=0.05)


def test_a_joint_that_is_selected_holds_what_is_near_it():
    item, other = cable("Hose", arch()), other_end()
    pin(item, "START")
    choose(item, other)
    bpy.ops.tendril.join_ends()
    (joint,) = joints()
    third = other_end("Third", (0.5, 0.5, 0.3))
    choose(joint, third)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert joints() == [joint]
    assert third.tendril.pins[-1].target == joint
    hook = link(bpy.data.objects.new("Hook", None))
    hook.location = arch()[0] + [0.0, 0.0, 0.005]
    fourth = cable("Fourth", arch() * [-1.0, 1.0, 1.0] + [0.0, 0.0, 0.01])
    choose(hook, fourth)
    assert bpy.ops.tendril.join_ends(motion="STAYS") == {"FINISHED"}
    assert (hook.tendril.is_body, hook.tendril.body.motion) == (True, "ANIMATED")
    assert bake() == {"FINISHED"}


@pytest.mark.parametrize("chosen", [False, True])
def test_a_hook_that_already_holds_stays_what_it_is(chosen):
    """What hangs on it would fall."""
    item, other = cable("Hose", arch()), other_end()
    pin(item)
    hook = item.tendril.pins[1].target
    if not chosen:
        link(bpy.data.objects.new("Lamp", None)).parent = hook
    twin = other_end("Twin", (0.5, 0.5, 0.3))
    choose(*([hook] if chosen else []), item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    choose(hook, twin)  # which knows of no other that hangs there
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert other.tendril.pins[-1].target == twin.tendril.pins[-1].target == hook
    assert not joints()
    assert bake() == {"FINISHED"}


def splitter(kind="cube"):
    if kind == "cube":
        bpy.ops.mesh.primitive_cube_add(size=0.02, location=arch()[-1])
    else:
        bpy.ops.object.add(type="MESH", location=arch()[-1])
    return bpy.context.object


@pytest.mark.parametrize(("motion", "spoil", "body"), [
    ("FOLLOWS", None, True), ("STAYS", None, False), ("FOLLOWS", "keyed", False), ("FOLLOWS", "no faces", False)
])  # fmt: skip
def test_a_mesh_that_is_selected_hangs_on_what_it_holds(motion, spoil, body):
    item, other, third = cable("Hose", arch()), other_end(), other_end("Third", (0.5, 0.5, 0.3))
    pin(item, "START")
    box = splitter("none" if spoil == "no faces" else "cube")
    if spoil == "keyed":
        keyed(box)
    choose(box, item, other, third)
    assert bpy.ops.tendril.join_ends(motion=motion) == {"FINISHED"}
    assert [own.tendril.pins[-1].target for own in (item, other, third)] == [box] * 3
    assert box.tendril.is_body == body
    if body:
        assert box.tendril.body.motion == "SUSPENDED"
        box.tendril.body.mass = 0.1
    assert bake() == {"FINISHED"}
    assert ((box.tendril.result or box).location.z < arch()[-1][2] - 1e-4) == body


def test_ends_that_are_not_joined_are_not_judged():
    item, other = cable("Hose", arch()), other_end()
    pin(item, "START")
    target = item.tendril.pins[0].target
    bpy.data.scenes.new("Elsewhere").collection.objects.link(target)
    bpy.context.scene.collection.objects.unlink(target)
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}


def test_two_pins_that_hold_one_end_are_one():
    item, other = cable("Hose", arch()), other_end()
    pin(item, "END")
    twice = item.tendril.pins.add()  # as the list of pins lets one do
    twice.fraction, twice.target = 1.0, keyed(item.tendril.pins[0].target)
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert other.tendril.pins[-1].target == item.tendril.pins[0].target


@pytest.mark.parametrize("operator", ["cut", "join", "separate"])
def test_keyframes_of_pins_do_not_go_over_to_other_pins(operator):
    item, other = cable("Hose", arch()), other_end()
    pin(item)
    own, options = item, {}
    choose(item, other)
    if operator == "separate":
        assert bpy.ops.tendril.join_ends() == {"FINISHED"}
        options = {"ends": "FREE"}
    own.tendril.pins[0].keyframe_insert("influence", frame=1)
    names = {"cut": "cut_cable", "join": "join_ends", "separate": "separate_ends"}
    before = state()
    assert "'Hose' has animated pins" in refused(getattr(bpy.ops.tendril, names[operator]), **options)
    assert state() == before
    choose(item)
    assert bpy.ops.tendril.prolong_cable() == {"FINISHED"}


def test_separate_leaves_plugs_alone_but_lets_go_what_ends_share():
    item, other = cable("Hose", arch()), other_end()
    pin(item)
    plug, shared = item.tendril.pins[0].target, keyed(item.tendril.pins[1].target)
    choose(plug)
    assert bpy.ops.tendril.hang_on_cables(motion="STAYS") == {"FINISHED"}
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert other.tendril.pins[-1].target == shared
    assert bpy.ops.tendril.separate_ends() == {"FINISHED"}
    assert item.tendril.pins[0].target == plug
    assert shared not in [own.target for each in (item, other) for own in each.tendril.pins]
    assert "No cable that is selected is joined" in refused(bpy.ops.tendril.separate_ends)
    choose(plug)
    assert bpy.ops.tendril.separate_ends() == {"FINISHED"}
    assert "Hose Pin" in item.tendril.pins[0].target.name
    assert not joints()


def test_ends_that_share_a_bone_are_let_go_of_it():
    item, other = cable("Hose", arch()), other_end()
    bpy.ops.object.armature_add(location=arch()[-1])
    arm = bpy.context.object
    pin(item, "END")
    item.tendril.pins[0].target, item.tendril.pins[0].bone = arm, "Bone"
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    choose(other)
    assert bpy.ops.tendril.separate_ends() == {"FINISHED"}
    assert (other.tendril.pins[-1].target.type, other.tendril.pins[-1].bone) == ("EMPTY", "")
    assert item.tendril.pins[0].target == arm
    assert bake() == {"FINISHED"}


def test_pieces_have_nothing_that_was_measured_of_the_whole():
    item = cable("Hose", arch())
    pin(item)
    choose(item)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    names = [
        name for name, own in item.tendril.bl_rna.properties.items() if own.type == "FLOAT" and not own.array_length
    ]
    assert item.tendril.length > 0.0
    for name in names:
        setattr(item.tendril, name, 0.5)
    assert bpy.ops.tendril.cut_cable() == {"FINISHED"}
    assert [getattr(own.tendril, name) for own in cables() for name in names] == [0.0] * (2 * len(names))


def test_rods_that_are_no_cables_are_not_joined():
    item = cable("Hose", arch())
    pin(item)
    item.tendril.rod.model = "KIRCHHOFF"
    target = item.tendril.pins[0].target
    choose(target)
    assert "that a pin of a cable holds" in refused(bpy.ops.tendril.hang_on_cables)
    target.tendril.is_body, target.tendril.body.motion = True, "ANIMATED"
    assert "No cable that is selected is joined" in refused(bpy.ops.tendril.separate_ends)


def far(item, other):
    other.location.x += 0.3
    return "are 0.26 units too far"


def two_joints(item, other):
    for own, number in ((item, -1), (other, 0)):
        choose(own)
        bpy.ops.tendril.add_pin(place="END" if number else "START", holder="EMPTY")
        choose(own.tendril.pins[-1].target)
        bpy.ops.tendril.hang_on_cables()
    return "would both hold the ends"


def of_other_scene(item, other):
    choose(other)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY")
    target = other.tendril.pins[-1].target
    bpy.data.scenes.new("Elsewhere").collection.objects.link(target)
    bpy.context.scene.collection.objects.unlink(target)
    return "which is in another scene"


def loop(item, other):
    item.data.splines[0].use_cyclic_u = True
    return "is a closed loop"


def bent(item, other):
    share = np.linspace(0.0, 1.0, 9)[:, None]
    item.shape_key_add()
    for own in (item, other):
        own.tendril.rod.points = 8
    third = cable("Third", arch()[6] + share * [0.0, 1.0, 0.0])
    other.hide_set(True)
    choose(item, third)
    return "has shape keys"


def coarse(item, other):
    share = np.linspace(0.0, 1.0, 9)[:, None]
    thirds = [cable("Third", arch()[at] + share * [0.0, 1.0, 0.0]) for at in (4, 8)]
    item.tendril.rod.points = 5
    choose(item, *thirds)
    return "raise Points"


def nowhere(item, other):
    choose(other)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY")
    keyed(other.tendril.pins[-1].target).location.x = np.nan
    other.tendril.pins[-1].target.animation_data_clear()
    other.tendril.pins[-1].target.parent = item
    return "is not a number"


@pytest.mark.parametrize("spoil", [far, two_joints, of_other_scene, loop, bent, coarse, nowhere])
def test_what_cannot_be_joined_is_said_and_nothing_changes(spoil):
    item, other = cable("Hose", arch()), other_end()
    choose(item, other)
    sentence = spoil(item, other)
    if len(bpy.context.selected_objects) != 2 or other not in bpy.context.selected_objects:
        chosen = bpy.context.selected_objects if spoil in (bent, coarse) else (item, other)
        choose(*chosen)
    bpy.context.view_layer.update()
    before = state()
    assert sentence in refused(bpy.ops.tendril.join_ends)
    assert repr(state()) == repr(before)


def test_a_pin_whose_empty_is_gone_is_replaced():
    item, other = cable("Hose", arch()), other_end()
    pin(item)
    bpy.data.objects.remove(item.tendril.pins[1].target)
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert [name for name, *_ in pins(item)] == ["Hose Pin", "Joint"]
    assert bake() == {"FINISHED"}


def test_cables_that_only_hang_on_each_other_are_refused_by_a_bake():
    item, other = cable("Hose", arch()), other_end()
    other.tendril.pins.clear()
    choose(item, other)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert "held by nothing else: hold one of them by a pin" in refused(bake)


def test_a_joint_whose_empty_is_gone_is_said():
    tee()
    bpy.ops.tendril.join_ends()
    bpy.data.objects.remove(joints()[0])
    assert "has no target: choose an object or remove the pin" in refused(bake)


def test_units_of_centimetres():
    """All as in metres, at a hundredth of the scale."""
    scene = bpy.context.scene
    scene.unit_settings.scale_length, scene.gravity = 0.01, (0.0, 0.0, -981.0)
    trunk = cable("Trunk", 100.0 * arch())
    trunk.data.bevel_depth = 100.0 * RADIUS
    middle = 100.0 * lines(trunk)[0].x[6]
    branch = cable("Branch", np.linspace(middle + [0.0, 1.0, 0.0], middle + [10.0, 50.0, 30.0], 9), points=8)
    branch.data.bevel_depth = 100.0 * RADIUS
    pin(trunk)
    pin(branch, "END")
    choose(trunk, branch)
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert joints()[0].location.length == pytest.approx(np.linalg.norm(middle), rel=0.02)
    choose(branch)
    assert bpy.ops.tendril.prolong_cable(length=10.0) == {"FINISHED"}
    assert length(branch) == pytest.approx(np.linalg.norm([0.1, 0.49, 0.3]) + 0.1, rel=1e-5)
    assert bake() == {"FINISHED"}


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_splines_of_one_object_are_joined(kind):
    """The end of one to the start of the next, and that of a third beside the middle of the first, which is cut."""
    first, share = arch(), np.linspace(0.0, 1.0, 13)[:, None]
    second = first[-1] + [0.002, 0.0, 0.0] + share * [1.0, 0.0, 0.3] - share * (1.0 - share) * [0.0, 0.0, 0.5]
    third = first[6] + [0.0, 2.0 * RADIUS, 0.0] + share * [0.1, 0.5, 0.3] - share * (1.0 - share) * [0.0, 0.0, 0.5]
    item = draw("Hoses", [first, second, third], kind, depth=RADIUS)
    choose(item)
    bpy.ops.tendril.add_cable()
    item.tendril.rod.points = 12
    pin(item)
    choose(item)
    assert bpy.ops.tendril.join_ends(reach=4.0) == {"FINISHED"}
    assert (len(cables()), len(joints())) == (3, 2)
    assert [len(own.data.splines) for own in cables()] == [2, 1, 1]
    assert sorted(len([own for own in each.tendril.pins if own.target in joints()]) for each in cables()) == [1, 2, 2]
    assert bake() == {"FINISHED"}


def test_linked_duplicates_are_cut_one_by_one():
    item = cable("Hose", arch())
    twin = item.copy()
    link(twin).location.y = 3.0
    pin(item)
    before = lines(twin)[0].x
    choose(item)
    assert bpy.ops.tendril.cut_cable() == {"FINISHED"}
    assert len({own.data for own in cables()}) == 3
    np.testing.assert_array_equal(lines(twin)[0].x, before)


@pytest.mark.parametrize("ends", ["HELD", "FREE"])
def test_separate_lets_go_and_takes_away_what_holds_nothing(ends):
    _, branch = tee()
    bpy.ops.tendril.join_ends()
    (joint,) = joints()
    frame = joint.matrix_world @ Matrix(np.reshape(branch.tendril.pins[-1].grip, (4, 4)))
    choose(branch)
    assert bpy.ops.tendril.separate_ends(ends=ends) == {"FINISHED"}
    assert joints() == [joint]  # it holds the trunk
    assert [name for name, *_ in pins(branch)] == ["Branch Pin", *(["Branch Pin.001"] if ends == "HELD" else [])]
    if ends == "HELD":
        own = branch.tendril.pins[-1]
        np.testing.assert_allclose(own.target.matrix_world @ Matrix(np.reshape(own.grip, (4, 4))), frame, atol=1e-6)
    choose(joint)
    assert bpy.ops.tendril.separate_ends(ends=ends) == {"FINISHED"}
    assert not joints()
    assert [len(item.tendril.pins) for item in cables()] == ([2, 2, 2] if ends == "HELD" else [1, 1, 1])
    assert bake() == {"FINISHED"}


def test_what_still_serves_is_not_taken_away():
    tee()
    bpy.ops.tendril.join_ends()
    (joint,) = joints()
    lamp = link(bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT")))
    lamp.parent = joint
    choose(joint)
    assert bpy.ops.tendril.separate_ends() == {"FINISHED"}
    assert joints() == [joint]
    assert "No cable that is selected is joined" in refused(bpy.ops.tendril.separate_ends)


def test_separated_and_joined_again_all_hangs_as_before():
    tee()
    bpy.ops.tendril.join_ends()
    bake()
    before = [baked(item) for item in cables()]
    choose(*cables())
    bpy.ops.tendril.revert()
    bpy.context.scene.frame_set(1)
    choose(joints()[0])
    bpy.ops.tendril.separate_ends()
    choose(*cables())
    assert bpy.ops.tendril.join_ends() == {"FINISHED"}
    assert len([item for item in bpy.context.scene.objects if item.type == "EMPTY"]) == 4
    bake()
    np.testing.assert_allclose(np.vstack([baked(item) for item in cables()]), np.vstack(before), atol=1e-6)


@pytest.mark.parametrize(("space", "kind"), KINDS)
def test_it_is_prolonged_straight_on_as_thick_as_it_is(space, kind):
    item = cable("Hose", arch(), kind, world=SPACES[space])
    pin(item)
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.5, holder="EMPTY", mode="POSITION")
    old = length(item)
    grips, places = ([value(own) for own in item.tendril.pins] for value in (grip, place_of_target))
    for end, sign, after in (("END", -1, -2), ("START", 0, 1)):
        before = lines(item)[0]
        along = np.diff(before.x[:: after - sign], axis=0)
        near, far = -along[:2] / np.linalg.norm(along[:2], axis=1)[:, None]
        between = (near + far) / np.linalg.norm(near + far)
        way = 2.0 * (between @ near) * near - between  # where it is half an edge further on
        choose(item)
        assert bpy.ops.tendril.prolong_cable(end=end, length=0.25) == {"FINISHED"}
        (line,) = lines(item)
        np.testing.assert_allclose(line.x[sign] - before.x[sign], 0.25 * way, atol=1e-5)
        np.testing.assert_allclose(line.thickness[sign], before.thickness[sign], rtol=2e-2)
    assert length(item) == pytest.approx(old + 0.5, rel=1e-3)
    assert item.tendril.rod.points == 18
    assert pins(item)[2][2] == pytest.approx((0.5 * old + 0.25) / (old + 0.5), abs=1e-3)
    assert [grip(own) for own in item.tendril.pins] == grips
    moved = np.array([place_of_target(own) for own in item.tendril.pins]) - places  # these stood alone, and go along
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), [0.25, 0.25, 0.0], atol=1e-5)


def grip(own):
    return tuple(own.grip)


def place_of_target(own):
    bpy.context.view_layer.update()
    return np.array(own.target.matrix_world.translation)


def test_what_somebody_moves_goes_on_holding_the_end_that_is_longer():
    item = cable("Hose", arch())
    pin(item)
    before = baked_ends(item)
    target = keyed(item.tendril.pins[1].target)
    choose(item)
    assert bpy.ops.tendril.prolong_cable(length=0.2) == {"FINISHED"}
    np.testing.assert_allclose(target.location, arch()[-1], atol=1e-6)
    np.testing.assert_allclose(baked_ends(item), before, atol=1e-5)


def baked_ends(item):
    bake()
    found = baked(item)[[0, -1]]
    choose(item)
    bpy.ops.tendril.revert()
    return found


def test_up_to_what_is_selected():
    item = cable("Hose", np.linspace([0.0, 0, 0], [1.0, 0, 0], 9), points=8)
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(2.0, 0.05, 0.0))
    wall = bpy.context.object
    choose(wall, item)
    assert bpy.ops.tendril.prolong_cable(by="OBJECT") == {"FINISHED"}
    assert lines(item)[0].x[-1] == pytest.approx([1.8, 0.0, 0.0], abs=1e-5)
    wall.location = (3.0, 4.0, 0.0)
    choose(wall, item)
    assert bpy.ops.tendril.prolong_cable(by="OBJECT") == {"FINISHED"}
    assert lines(item)[0].x[-1] == pytest.approx([3.0, 0.0, 0.0], abs=1e-5)
    assert "does not point at what is selected at its start" in refused(
        bpy.ops.tendril.prolong_cable, by="OBJECT", end="START"
    )
    pin(item, "END")
    own = item.tendril.pins[0].target
    choose(own, item)
    assert "select an object besides it" in refused(bpy.ops.tendril.prolong_cable, by="OBJECT")
    wall.location = (4.0, 4.0, 0.0)
    choose(wall, own, item)
    assert bpy.ops.tendril.prolong_cable(by="OBJECT") == {"FINISHED"}
    assert lines(item)[0].x[-1] == pytest.approx([4.0, 0.0, 0.0], abs=1e-5)
    assert "does not point at" in refused(bpy.ops.tendril.prolong_cable, by="OBJECT")  # it is there but for rounding
    choose(item)
    assert "select an object besides it" in refused(bpy.ops.tendril.prolong_cable, by="OBJECT")
    assert "type a Length above 0" in refused(bpy.ops.tendril.prolong_cable, length=0.0)


def test_a_joint_stays_or_follows_by_one_click():
    trunk, _ = tee()
    bpy.ops.tendril.join_ends(motion="STAYS")
    (joint,) = joints()
    assert joint.tendril.body.motion == "ANIMATED"
    joint.location.z += 0.05
    for item in cables():
        item.tendril.rod.rest_length_factor = 1.2
    assert bake() == {"FINISHED"}
    assert baked(trunk)[-1][2] == pytest.approx(lines(trunk)[0].x[-1][2] + 0.05, abs=1e-3)
    choose(joint)
    assert bpy.ops.tendril.hang_on_cables(motion="FOLLOWS") == {"FINISHED"}
    assert joint.tendril.body.motion == "SUSPENDED"
    layout, head = drawn(bpy.types.TENDRIL_PT_active), headed(bpy.types.TENDRIL_PT_active)
    assert {"tendril.hang_on_cables", "tendril.separate_ends", "TendrilBody.mass"} <= layout.shown
    assert not {"tendril.tie", "TendrilBody.motion", "TendrilBody.shape"} & layout.shown
    assert "Joint" in head.said
    choose(trunk.tendril.result, joint)
    assert "has no faces to tie a rod to" in refused(bpy.ops.tendril.tie)
    choose(trunk)
    assert "Select an empty or a mesh that a pin" in refused(bpy.ops.tendril.hang_on_cables)


def test_a_mesh_that_cables_hold_follows_or_stays_by_one_click():
    item, box = cable("Hose", arch()), splitter()
    pin(item)
    item.tendril.pins[1].target = box
    for motion, kept in (("FOLLOWS", "SUSPENDED"), ("STAYS", "ANIMATED")):
        choose(box)
        assert bpy.ops.tendril.hang_on_cables(motion=motion) == {"FINISHED"}
        assert box.tendril.body.motion == kept
        assert {"tendril.hang_on_cables", "TendrilBody.motion"} <= drawn(bpy.types.TENDRIL_PT_active).shown
    assert bpy.types.TENDRIL_PT_body_collisions.poll(bpy.context)
    choose(item.tendril.pins[0].target)
    bpy.ops.tendril.hang_on_cables(motion="STAYS")
    assert not bpy.types.TENDRIL_PT_body_collisions.poll(bpy.context)


def joins():
    tee()
    return bpy.ops.tendril.join_ends, {}


def cuts():
    choose(tee()[0])
    return bpy.ops.tendril.cut_cable, {"fraction": 0.4}


def separates():
    tee()
    bpy.ops.tendril.join_ends()
    choose(joints()[0])
    return bpy.ops.tendril.separate_ends, {}


def prolongs():
    tee()
    return bpy.ops.tendril.prolong_cable, {"end": "BOTH"}


def hangs():
    posts((0, 0, 1), (1, 0, 1))
    return bpy.ops.tendril.new_cable, {"count": 3}


def follows():
    trunk, _ = tee()
    choose(trunk.tendril.pins[0].target)
    return bpy.ops.tendril.hang_on_cables, {"motion": "STAYS"}


def joins_halves():
    joins_of, settings = cuts()
    joins_of(**settings)
    return bpy.ops.tendril.join_ends, {}


@pytest.mark.parametrize("make", [joins, joins_halves, cuts, separates, prolongs, hangs, follows])
def test_each_is_one_undo_step(make):
    """Undone, redone and undone twice; and once more from where it was."""
    operator, settings = make()
    bpy.ops.ed.undo_push(message="before")
    before = state()
    assert operator(**settings) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="it")
    after = state()
    assert after != before
    for _ in range(2):
        bpy.ops.ed.undo()
        assert state() == before
        bpy.ops.ed.redo()
        assert state() == after
    bpy.ops.ed.undo()
    assert state() == before


def test_to_cut_in_edit_mode_is_one_undo_step_too():
    item = cable("Hose", arch(), "BEZIER")
    item.data.splines[0].bezier_points[6].select_control_point = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.tendril.cut_cable() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="it")
    for _ in range(2):
        bpy.ops.ed.undo()
        assert (bpy.context.mode, len(cables())) == ("EDIT_CURVE", 1)
        bpy.ops.ed.redo()
        assert (bpy.context.mode, len(cables())) == ("OBJECT", 2)


@pytest.mark.parametrize("linked", ["object", "curve"])
def test_what_is_linked_from_a_library_is_left_alone(linked, tmp_path):
    item = cable("Hose", arch())
    bpy.data.libraries.write(str(tmp_path / "lib.blend"), {item})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "lib.blend"), link=True) as (_, found):
        found.objects = ["Hose"]
    item = link(found.objects[0])
    if linked == "curve":
        item = item.copy()
        bpy.context.scene.collection.objects.unlink(found.objects[0])
        link(item)
    choose(item)
    for operator in ("cut_cable", "prolong_cable"):
        assert "is linked from a library" in refused(getattr(bpy.ops.tendril, operator))
    assert len(cables()) == 1


@pytest.mark.parametrize("operator", ["join_ends", "separate_ends", "cut_cable", "prolong_cable"])
def test_what_has_nothing_to_do_says_so(operator):
    bpy.ops.mesh.primitive_cube_add()
    assert not getattr(bpy.ops.tendril, operator).poll()
    assert "elect" in refused(getattr(bpy.ops.tendril, operator))
    trunk, branch = tee()
    if operator == "separate_ends":
        bpy.ops.tendril.join_ends()
    bake()
    choose(trunk.tendril.result, branch.tendril.result)
    assert "shows its bake: press Edit Source or Revert first" in refused(getattr(bpy.ops.tendril, operator))
