"""Gas in soft bodies and forces from outside, set and keyed by what an artist presses."""

import time

import bpy
import numpy as np
import pytest
from artist import bake, choose, draw_rod, refused, save
from bl_ext.user_default.tendril.bridge import changes, evaluation
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators import settle_live
from cables import LENGTH, cable, places, settle

FRAMES = 9


def hollow(name="Balloon"):
    """A ball of .2 m with a wall of .03 m, of rubbery foam."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.1, location=(0.0, 0.0, 1.0))
    item = bpy.context.object
    item.name = name
    wall = item.modifiers.new("Wall", "SOLIDIFY")
    wall.thickness = 0.03
    assert bpy.ops.tendril.add_soft() == {"FINISHED"}
    item.tendril.soft.resolution = 8
    item.tendril.soft.young, item.tendril.soft.relaxation, item.tendril.soft.density = 50.0, 0.05, 50.0
    return item


def crate(place=(0.0, 0.0, 1.0)):
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=place)
    item = bpy.context.object
    item.name = "Crate"
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    item.tendril.body.mass = 2.0
    return item


def arrow(place, along="Z"):
    """An empty whose Z axis points so in the world."""
    turn = {"Z": (0.0, 0.0, 0.0), "X": (0.0, np.pi / 2.0, 0.0)}[along]
    bpy.ops.object.empty_add(type="SINGLE_ARROW", location=place, rotation=turn)
    bpy.context.object.name = "Arrow"
    return bpy.context.object


def place(item, frame):
    bpy.context.scene.frame_set(frame)
    return np.array(item.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation)


def width(item, frame):
    bpy.context.scene.frame_set(frame)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.ptp([vertex.co.x for vertex in shown.data.vertices])


def test_gas_is_read_as_it_is_set():
    item = hollow()
    body = read_scene(bpy.context)[0].solids[0]
    assert (body.pressure, body.times, body.sealed, body.gas_density) == (0.0, None, False, None)
    soft = item.tendril.soft
    soft.use_pressure, soft.pressure, soft.sealed, soft.gas_density = True, 800.0, True, 0.25
    body = read_scene(bpy.context)[0].solids[0]
    assert (body.pressure.tolist(), body.times.tolist()) == ([800.0], [0.0])
    assert body.sealed
    assert body.gas_density == 0.25


def test_a_keyed_pressure_blows_a_hollow_ball_up(tmp_path):
    item = hollow()
    bpy.context.scene.use_gravity = False
    soft = item.tendril.soft
    soft.use_pressure = True
    for frame, pressure in ((1, 0.0), (FRAMES, 10000.0)):
        soft.pressure = pressure
        assert soft.keyframe_insert("pressure", frame=frame)
    save(tmp_path, FRAMES)
    body = read_scene(bpy.context)[0].solids[0]
    assert body.times == pytest.approx(np.arange(FRAMES) / 24.0)
    assert (body.pressure[0], body.pressure[-1]) == (0.0, 10000.0)
    assert np.all(np.diff(body.pressure) > 0.0)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    wide = [width(item.tendril.result, frame) for frame in (1, 5, FRAMES)]
    assert wide[0] == pytest.approx(0.2, rel=0.02)
    assert wide[0] < wide[1] < wide[2]
    assert wide[2] > 1.05 * wide[0]


def test_helium_lifts_a_balloon(tmp_path):
    """(ρ of air − ρ of the gas) V − m, upwards."""
    item = hollow()
    soft = item.tendril.soft
    soft.use_pressure, soft.pressure, soft.gas_density = True, 5.0, 0.0
    soft.young, soft.density, soft.relaxation, soft.drag_coefficient = 1.0, 0.5, 0.0, 0.0
    bake(tmp_path, FRAMES)
    assert place_of_mesh(item.tendril.result, FRAMES)[2] > place_of_mesh(item.tendril.result, 1)[2] + 0.02


def place_of_mesh(item, frame):
    bpy.context.scene.frame_set(frame)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.mean([shown.matrix_world @ vertex.co for vertex in shown.data.vertices], axis=0)


def test_an_empty_pushes_a_crate_where_it_is_and_as_keyed(tmp_path):
    """Its impulse is that of the keys; beside the middle, it turns as well."""
    bpy.context.scene.use_gravity = False
    item, empty = crate(), arrow((0.0, 0.05, 1.0), "X")
    choose(empty, item)
    assert bpy.ops.tendril.add_load() == {"FINISHED"}
    load = item.tendril.loads[0]
    assert load.target == empty
    for frame, force in ((1, 0.0), (FRAMES, 12.0)):
        load.force = force
        assert item.keyframe_insert("tendril.loads[0].force", frame=frame)
    item.tendril.body.drag_coefficient = 0.0
    save(tmp_path, FRAMES)
    (own,) = read_scene(bpy.context)[0].bodies[0].loads
    assert own.arm == pytest.approx([0.0, 0.05, 0.0], abs=1e-6)
    assert own.force[-1] == pytest.approx([12.0, 0.0, 0.0], abs=1e-5)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    time = np.linspace(0.0, (FRAMES - 1) / 24.0, 1001)
    speed = np.cumsum(np.interp(time, own.times, own.force[:, 0])) / 2.0 * time[1]
    assert place(item.tendril.result, FRAMES)[0] == pytest.approx(speed.sum() * time[1], rel=0.02)
    bpy.context.scene.frame_set(FRAMES)
    assert item.tendril.result.matrix_world.to_euler().z < -0.1


def test_a_torque_turns_about_the_arrow(tmp_path):
    bpy.context.scene.use_gravity = False
    item, empty = crate(), arrow((0.0, 0.0, 1.0))
    choose(empty, item)
    bpy.ops.tendril.add_load()
    load = item.tendril.loads[0]
    load.force, load.torque = 0.0, 0.05
    item.tendril.body.drag_coefficient = 0.0
    bake(tmp_path, FRAMES)
    time, inertia = (FRAMES - 1) / 24.0, 2.0 * 0.2**2 / 6.0
    bpy.context.scene.frame_set(FRAMES)
    turned = item.tendril.result.matrix_world.to_euler().z
    assert turned == pytest.approx(0.5 * 0.05 / inertia * time**2, rel=0.03)


def test_keys_of_a_rod_and_of_a_force_are_read_on_one_way_through_the_frames(monkeypatch):
    bpy.context.scene.frame_end = FRAMES
    rod = draw_rod("Rope", [(0.1 * k, 0.0, 1.0) for k in range(11)])
    choose(rod)
    bpy.ops.tendril.add_load()
    gone, go = [], evaluation.SideScene.go
    monkeypatch.setattr(evaluation.SideScene, "go", lambda aside, frame: (gone.append(frame), go(aside, frame)))
    looks = []
    for path, first, last in (("tendril.loads[0].force", 0.0, 8.0), ("tendril.rod.rest_length_factor", 1.0, 0.5)):
        owner, name = rod.path_resolve(path.rpartition(".")[0]), path.rpartition(".")[2]
        for frame, value in ((1, first), (FRAMES, last)):
            setattr(owner, name, value)
            assert rod.keyframe_insert(path, frame=frame)
        gone.clear()
        one = read_scene(bpy.context)[0].rods[0]
        looks.append(gone.count(FRAMES - 1))
    assert looks[0] == looks[1]
    assert one.loads[0].force[-1] == pytest.approx([0.0, 0.0, 8.0])
    assert one.loads[0].times == pytest.approx(np.arange(FRAMES) / 24.0)
    assert one.keyed.length[FRAMES - 1] == pytest.approx(0.5)
    assert len(one.keyed.times) == FRAMES + 1


def test_a_rod_is_pushed_at_the_point_nearest_to_the_empty():
    rod, empty = draw_rod("Rope", [(0.1 * k, 0.0, 1.0) for k in range(11)]), arrow((1.1, 0.0, 1.0), "X")
    choose(empty, rod)
    bpy.ops.tendril.add_load()
    one = read_scene(bpy.context)[0].rods[0]
    assert one.loads[0].nodes.tolist() == [len(one.x) - 1]
    assert one.loads[0].force[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)
    rod.tendril.loads[0].target = None
    one = read_scene(bpy.context)[0].rods[0]
    assert len(one.loads[0].nodes) == len(one.x)
    assert one.loads[0].force.tolist() == [[0.0, 0.0, 1.0]]


def test_a_soft_body_is_pushed_by_its_vertex_group():
    item = hollow()
    group = item.vertex_groups.new(name="Top")
    group.add([vertex.index for vertex in item.data.vertices if vertex.co.z > 0.06], 1.0, "REPLACE")
    choose(item)
    bpy.ops.tendril.add_load()
    load = item.tendril.loads[0]
    assert load.group == "Top"
    solid = read_scene(bpy.context)[0].solids[0]
    (own,) = solid.loads
    assert 0 < len(own.nodes) < len(solid.x)
    assert solid.x[own.nodes, 2].min() > 1.0
    load.group = "Gone"
    with pytest.raises(Exception, match="force 'Force' acts on the vertex group 'Gone', which is not there"):
        read_scene(bpy.context)


def test_a_sheet_is_pushed_by_its_vertex_group_and_holds_no_gas():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=0.4)
    item = bpy.context.object
    group = item.vertex_groups.new(name="Edge")
    group.add([vertex.index for vertex in item.data.vertices if vertex.co.x > 0.19], 1.0, "REPLACE")
    assert bpy.ops.tendril.add_sheet() == {"FINISHED"}
    bpy.ops.tendril.add_load()
    item.tendril.soft.use_pressure = True  # as it may be left from when it was a soft body
    found = read_scene(bpy.context)[0].solids[0]
    (own,) = found.loads
    assert len(own.nodes) == 5
    assert found.x[own.nodes, 0] == pytest.approx(0.2, abs=1e-6)
    assert (found.pressure, found.times, found.sealed, found.gas_density) == (0.0, None, False, None)


def test_forces_are_removed_with_their_keys_and_make_a_bake_out_of_date(tmp_path):
    item = crate()
    bpy.context.scene.use_gravity = False
    for number in range(2):
        choose(item)
        assert bpy.ops.tendril.add_load() == {"FINISHED"}
        item.tendril.loads[number].force = 1.0 + number
        item.keyframe_insert(f"tendril.loads[{number}].force", frame=1)
    item.tendril.active_load = 0
    assert bpy.ops.tendril.remove_load() == {"FINISHED"}
    assert [load.name for load in item.tendril.loads] == ["Force 2"]
    bpy.context.scene.frame_set(1)
    assert item.tendril.loads[0].force == 2.0
    item.animation_data_clear()
    bake(tmp_path, FRAMES)
    assert changes.sentence(bpy.context) == ""
    item.tendril.loads[0].force = 3.0
    assert "force of force 'Force 2' of 'Crate' changed" in changes.sentence(bpy.context)
    choose(item.tendril.result)
    bpy.ops.tendril.remove_load()
    assert "No force acts on 'Crate'" in refused(bpy.ops.tendril.remove_load)


def test_numbers_that_are_none_are_told():
    item = hollow()
    soft = item.tendril.soft
    soft.use_pressure = True
    soft.pressure = float("nan")
    with pytest.raises(Exception, match="'Balloon': its pressure is not a number at frame 1: key it anew"):
        read_scene(bpy.context)
    soft.pressure = 500.0
    choose(item)
    bpy.ops.tendril.add_load()
    item.tendril.loads[0].force = float("nan")
    with pytest.raises(Exception, match="'Balloon': its force 'Force' is not a number at frame 1: key it anew"):
        read_scene(bpy.context)


def test_a_torque_at_its_end_bends_a_rod_to_an_arc(tmp_path):
    """M L/B, about the arrow."""
    bpy.context.scene.use_gravity = False
    rod, empty = draw_rod("Blade", [(0.05 * k, 0.0, 1.0) for k in range(11)]), arrow((0.55, 0.0, 1.0))
    choose(rod)
    assert bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="TWIST") == {"FINISHED"}
    choose(empty, rod)
    bpy.ops.tendril.add_load()
    load = rod.tendril.loads[0]
    load.force, load.torque = 0.0, 1.0
    bpy.context.scene.tendril.settle = True
    stiffness = read_scene(bpy.context)[0].rods[0].bend_stiffness[0, 0]
    load.torque = 0.5 * np.pi * stiffness / 0.5
    (own,) = read_scene(bpy.context)[0].rods[0].loads
    assert own.torque[0] == pytest.approx([0.0, 0.0, load.torque], rel=1e-5)
    save(tmp_path, FRAMES)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    radius = 0.5 / (0.5 * np.pi)
    assert points_of(rod.tendril.result, 1)[-1] == pytest.approx([radius, radius, 1.0], abs=5e-3)


def points_of(item, frame):
    """Of a curve (n, 3), in the world."""
    bpy.context.scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    shown = item.evaluated_get(depsgraph)
    spline = shown.to_curve(depsgraph, apply_modifiers=True).splines[0]
    found = np.array([shown.matrix_world @ point.co.to_3d() for point in spline.bezier_points or spline.points])
    shown.to_curve_clear()
    return found


def test_a_force_pulls_at_a_cable_settled_live_and_baked(tmp_path):
    """Sideways at its middle, as hard as it is heavy or harder; keyed, it is what it is at the frame."""
    item = cable(mode="POSITION")
    item.tendril.rod.rest_length_factor = 1.1
    hangs = settle(item)
    empty = arrow((0.6, 0.0, -0.2))
    empty.rotation_euler = (-np.pi / 2.0, 0.0, 0.0)  # along y
    choose(empty, item)
    assert bpy.ops.tendril.add_load() == {"FINISHED"}
    load = item.tendril.loads[0]
    load.torque = 3.0  # which is not shown, and does nothing
    for frame, force in ((1, 0.0), (FRAMES, 5.0)):
        load.force = force
        assert item.keyframe_insert("tendril.loads[0].force", frame=frame)
    bpy.context.scene.frame_set(1)
    np.testing.assert_allclose(settle(item), hangs, atol=1e-4)
    save(tmp_path, FRAMES)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    aside = [points_of(item.tendril.result, frame)[:, 1].max() for frame in range(1, FRAMES + 1)]
    assert np.all(np.diff(aside) > 0.0)
    bpy.ops.tendril.revert()
    bpy.context.scene.frame_set(FRAMES)
    now = settle(item)
    assert now[:, 1].max() == pytest.approx(aside[-1], abs=5e-3)
    assert aside[-1] > 0.1
    bpy.ops.ed.undo_push(message="settled")
    assert bpy.ops.tendril.settle_live() == {"FINISHED"}
    try:
        empty.rotation_euler = (np.pi / 2.0, 0.0, 0.0)
        bpy.context.view_layer.update()
        look()
        assert places(item)[:, 1].min() == pytest.approx(-now[:, 1].max(), abs=5e-3)
    finally:
        settle_live.switch_off()


def look():
    """Looks for what has changed, as timers do, and shows it."""
    deadline = time.monotonic() + 600.0
    for _ in range(2):
        while settle_live.look() is not None:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        settle_live._live.due = 0.0
        settle_live.compare()


def test_a_force_pulls_at_what_hangs_on_a_cable():
    """Aside, as hard as it is heavy; half the cable's weight hangs on it as well."""
    item, end = cable(mode="POSITION"), crate((LENGTH, 0.0, 0.0))
    item.tendril.pins[1].target = end
    end.tendril.body.motion, end.tendril.body.mass = "SUSPENDED", 0.5
    bpy.context.scene.tendril.contact = False
    settle(item)
    choose(end)
    assert bpy.ops.tendril.add_load() == {"FINISHED"}
    load, empty = end.tendril.loads[0], arrow((0.0, 0.0, 0.0), "X")
    load.target, load.force, load.follows = empty, 0.5 * 9.81, True  # the latter is not shown, and does nothing
    settle(item)
    place, half = np.array(end.matrix_world.translation), 0.5 * read_scene(bpy.context)[0].rods[0].mass.sum()
    assert place[0] / -place[2] == pytest.approx(0.5 / (0.5 + half), rel=0.05)
    assert place[0] > 0.5
