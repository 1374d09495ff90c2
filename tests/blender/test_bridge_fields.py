"""Blender's force fields act on rods as they do on Blender's own particles, which weigh 1 kg."""

import bpy
import numpy as np
import pytest
from artist import draw_rod
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.assemble.fields import field_arrays
from bl_ext.user_default.tendril.physics.forces.fields import COLUMNS, GROUP, evaluate_fields
from bl_ext.user_default.tendril.physics.forces.noise import turbulence
from bl_ext.user_default.tendril.physics.model import FIELD_EFFECT, changed
from bl_ext.user_default.tendril.physics.scene import FIELD_FALLOFFS, FIELD_KINDS, FIELD_SHAPES
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.fields import KINDS
from mathutils import noise

FPS = 24
POINTS = np.random.default_rng(3).normal(size=(40, 3)) * 1.5
PLACE, TURN = (0.1, 0.2, 0.3), (0.3, 0.5, 0.2)
VELOCITY = (0.5, -0.6, 0.7)
LIMITS = {
    "falloff_power": 1.3, "use_min_distance": True, "distance_min": 0.6, "use_max_distance": True, "distance_max": 1.9,
    "radial_falloff": 0.7, "use_radial_min": True, "radial_min": 0.5, "use_radial_max": True, "radial_max": 1.6,
}  # fmt: skip


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, 5, FPS
    draw_rod("Rod", [(index, 0.0, 0.0) for index in range(3)])
    return scene


def new_field(kind, *, place=PLACE, turn=TURN, **settings):
    bpy.ops.object.effector_add(type=kind, location=place, rotation=turn)
    item = bpy.context.object
    for name, value in settings.items():
        setattr(item.field, name, value)
    return item


def particles(points=POINTS, velocity=(0.0, 0.0, 0.0)):
    """Acceleration (n, 3) of Blender's particles from frame 1 to 2; no field of theirs but those of the scene."""
    mesh = bpy.data.meshes.new("Points")
    mesh.from_pydata([tuple(point) for point in points], [], [])
    item = bpy.data.objects.new("Points", mesh)
    bpy.context.scene.collection.objects.link(item)
    item.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = item.particle_systems[0].settings
    settings.count, settings.frame_start, settings.frame_end = len(points), 1, 1
    settings.emit_from, settings.use_emit_random, settings.integrator = "VERT", False, "EULER"
    settings.timestep = 1.0 / FPS
    settings.normal_factor = settings.brownian_factor = settings.drag_factor = settings.damping = 0.0
    settings.effector_weights.gravity, settings.object_align_factor = 0.0, velocity
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(2)
    moved = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).particle_systems[0].particles
    found = np.array([particle.velocity[:] for particle in moved])
    bpy.data.objects.remove(item)
    return (found - velocity) * FPS


def rods(points=POINTS, velocity=(0.0, 0.0, 0.0), frame=2):
    """What the scene's fields, read and evaluated, make of rods that move alike: (n, 3), wind as a velocity."""
    given = read_scene(bpy.context)[0]
    arrays, n = field_arrays(given), len(points)
    effects = np.zeros(n, FIELD_EFFECT)
    now = np.empty((len(given.fields), COLUMNS))
    each = np.arange(n)  # a rod of its own, with its own noise
    groups = changed(np.zeros(n, GROUP), first=each, end=each + 1, stream=each, weights=1.0)
    evaluate_fields(arrays, (frame - 1) / FPS, groups, points, now, effects)
    air, push, brake = effects["air"], effects["acceleration"], effects["brake"]
    slowed = (brake[:, :1] + brake[:, 1:] * np.linalg.norm(velocity)) * velocity
    return air + push - slowed


@pytest.mark.parametrize("falloff", FIELD_FALLOFFS)
@pytest.mark.parametrize(
    ("kind", "shape"),
    [(kind, shape) for kind in KINDS for shape in FIELD_SHAPES if (kind, shape) != ("VORTEX", "LINE")],  # there is none
)
def test_shapes_and_falloffs(scene, kind, shape, falloff):
    limits = {**LIMITS, "radial_min": 40.0, "radial_max": 125.0} if falloff == "CONE" else LIMITS
    settings = {"strength": 2.5, "size": 0.7, "falloff_type": falloff, "z_direction": "BOTH", **limits}
    if kind == "DRAG":
        settings = {**settings, "linear_drag": 0.8, "quadratic_drag": 0.4}
    velocity = (0.0, 0.0, 0.0) if kind == "WIND" else VELOCITY  # which Blender's wind brakes by itself
    new_field(kind, shape=shape, **settings)
    expected = particles(velocity=velocity)
    np.testing.assert_allclose(rods(velocity=velocity), expected, rtol=1e-4, atol=2e-4)
    acting = np.count_nonzero(np.abs(expected).max(axis=1) > 1e-6)
    assert 2 <= acting < len(POINTS)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("FORCE", {"strength": -3.0, "use_gravity_falloff": True}),
        ("FORCE", {"strength": 3.0, "flow": 0.8, "z_direction": "POSITIVE"}),
        ("VORTEX", {"strength": 1.5, "inflow": 0.6, "shape": "PLANE", "falloff_power": 1.0}),
        ("VORTEX", {"strength": 1.5, "z_direction": "NEGATIVE"}),
        ("TURBULENCE", {"strength": 4.0, "size": 0.0, "flow": 0.3}),
        ("TURBULENCE", {"strength": 4.0, "size": 0.35, "use_global_coords": True}),
        ("DRAG", {"linear_drag": 7.0, "quadratic_drag": 0.2, "flow": 0.9}),
        ("DRAG", {"linear_drag": 0.3, "quadratic_drag": 5.0}),
        ("FORCE", {"strength": 3.0, "apply_to_location": False}),
    ],
)
def test_settings(scene, kind, settings):
    new_field(kind, **settings)
    expected = particles(velocity=VELOCITY)
    np.testing.assert_allclose(rods(velocity=VELOCITY), expected, rtol=1e-4, atol=3e-4)


def test_several_fields_of_a_scaled_and_mirrored_kind(scene):
    new_field("WIND", strength=2.0).scale = (1.0, -2.0, 3.0)
    new_field("WIND", strength=1.5, turn=(2.0, 0.0, 0.0), z_direction="POSITIVE").scale = (0.5, 1.0, -0.2)
    new_field("VORTEX", strength=1.0, place=(2.0, 0.0, 0.0)).scale = (-1.0, 1.0, 1.0)
    np.testing.assert_allclose(rods(), particles(), rtol=1e-4, atol=1e-4)


def test_in_centimetres(scene):
    """A scene's numbers mean what its unit scale says: the same picture, a hundred times smaller."""
    new_field("WIND", strength=3.0, falloff_power=1.0)
    new_field("FORCE", strength=-3.0, use_gravity_falloff=True)
    new_field("VORTEX", strength=1.5)
    new_field("TURBULENCE", strength=4.0, size=0.5, use_max_distance=True, distance_max=2.0)
    new_field("DRAG", linear_drag=0.5, quadratic_drag=0.5)
    velocity = 0.01 * np.array(VELOCITY)
    scene.unit_settings.scale_length = 0.01
    found = rods(0.01 * POINTS, velocity)
    flow = particles(velocity=VELOCITY) + np.zeros((1, 3))
    bpy.data.objects["Wind"].field.flow = 0.0
    expected = particles(velocity=VELOCITY)
    assert not np.allclose(flow, expected)
    np.testing.assert_allclose(100.0 * found, expected, rtol=1e-4, atol=3e-4)


def test_animated(scene):
    """Moved, turned, keyed and driven; particles see what is there at the end of their step."""
    wind = new_field("WIND", strength=1.0, falloff_power=1.0, use_max_distance=True, distance_max=1.0)
    for path, first, last in (
        ("location", (0.0, 0.0, 0.0), (3.0, 0.0, 0.0)), ("rotation_euler", (0.0, 0.0, 0.0), (2.0, 1.0, 0.0)),
        ("field.strength", 1.0, 9.0), ("field.distance_max", 1.0, 5.0),
    ):  # fmt: skip
        owner, name = (wind.field, path.removeprefix("field.")) if "field" in path else (wind, path)
        for frame, value in ((1, first), (4, last)):
            setattr(owner, name, value)
            wind.keyframe_insert(path, frame=frame)
    force = new_field("FORCE", strength=1.0)
    driver = force.driver_add("field.strength").driver
    driver.type, driver.expression = "SCRIPTED", "frame * frame"
    np.testing.assert_allclose(rods(), particles(), rtol=1e-4, atol=1e-4)
    force.field.strength = 77.0
    (wind, force) = read_scene(bpy.context)[0].fields
    assert wind.strength[0] == 1.0
    assert wind.strength[-1] == 9.0
    assert np.isinf(wind.radial_max)
    np.testing.assert_allclose(force.strength, np.linspace(1.0, 5.0, 17) ** 2, rtol=1e-6)


def test_noise_in_distribution(scene):
    """The largest distance of the two distributions (Kolmogorov–Smirnov) is what chance makes of 3000 points."""
    points = np.tile(POINTS[0], (3000, 1))
    new_field("WIND", strength=1.0, noise=2.0, seed=5, turn=(0.0, 0.0, 0.0))
    blender, ours = np.sort(particles(points)[:, 2]), np.sort(rods(points)[:, 2])
    assert np.ptp(ours) > 2.5
    values = np.concatenate([blender, ours])
    shares = [np.searchsorted(found, values, side="right") / len(points) for found in (blender, ours)]
    assert np.abs(shares[0] - shares[1]).max() < 1.95 * np.sqrt(2.0 / len(points))


def test_noise_basis():
    for point in np.random.default_rng(0).uniform(-20.0, 20.0, (500, 3)):
        expected = noise.turbulence(point, 3, False, noise_basis="PERLIN_NEW") * 4.0 / 7.0
        assert turbulence(*point) == pytest.approx(expected, abs=5e-6)


def put_into(item, *, exclude=False, eye=False, **settings):
    """A collection of its own for an object."""
    collection = bpy.data.collections.new("Fields")
    bpy.context.scene.collection.children.link(collection)
    bpy.context.scene.collection.objects.unlink(item)
    collection.objects.link(item)
    for name, value in settings.items():
        setattr(collection, name, value)
    layer = bpy.context.view_layer.layer_collection.children["Fields"]
    layer.exclude, layer.hide_viewport = exclude, eye


@pytest.mark.parametrize(
    ("hide", "acts"),
    [
        (lambda item: setattr(item, "hide_viewport", True), False),
        (lambda item: setattr(item, "hide_render", True), True),
        (lambda item: item.hide_set(True), True),
        (lambda item: put_into(item, hide_viewport=True), False),
        (lambda item: put_into(item, exclude=True), False),
        (lambda item: put_into(item, eye=True), True),
        (lambda item: put_into(item, hide_render=True), True),
    ],
)
def test_hidden_and_disabled(scene, hide, acts):
    hide(new_field("WIND", strength=3.0))
    assert np.any(particles()) == acts
    assert np.any(rods()) == acts


def test_what_does_not_act_is_named(scene):
    for kind in ("HARMONIC", "MAGNET", "CHARGE", "LENNARDJ", "BOID", "TEXTURE", "FLUID"):
        bpy.ops.object.effector_add(type=kind)
    new_field("WIND", flow=3.0).name = "Fan"
    new_field("FORCE", use_absorption=True).name = "Magnetic Hand"
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.forcefield_toggle()
    bpy.context.object.field.type, bpy.context.object.field.shape = "FORCE", "SURFACE"
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.modifiers.new("Particles", "PARTICLE_SYSTEM")
    bpy.context.object.particle_systems[0].settings.force_field_1.type = "WIND"
    given, meta = read_scene(bpy.context)
    assert [field.name for field in given.fields] == ["Fan", "Magnetic Hand"]
    notices = {notice["object"]: notice["text"] for notice in meta["notices"]}
    assert len(notices) == len(meta["notices"]) == 11
    assert all(f"'{name}'" in text for name, text in notices.items())
    assert notices["Magnet"].startswith("'Magnet' is a field of type Magnetic, which does not act: use Wind")
    assert "shape Surface" in notices["Cube"]
    assert "Flow 3" in notices["Fan"]
    assert "Absorption" in notices["Magnetic Hand"]
    assert "particles" in notices["Cube.001"]


def test_wind_without_air_is_named(scene):
    new_field("WIND")
    new_field("FORCE")
    scene.tendril.air_density = 0.0
    (notice,) = read_scene(bpy.context)[1]["notices"]
    assert notice["text"] == "'Wind' moves nothing without air: give 'Scene' an Air density above 0."


def test_a_bake_in_wind(scene, tmp_path):
    """A rod without weight goes U t − ln(1 + k U t)/k with the wind, one that minds no field stays; what acts on none
    is said."""
    bpy.ops.object.effector_add(type="MAGNET")
    new_field("WIND", turn=(-np.pi / 2, 0.0, 0.0), strength=20.0)
    light = bpy.data.objects["Rod"]
    heedless = light.copy()
    scene.collection.objects.link(heedless)
    heedless.location.y, heedless.tendril.weights.all = -1.0, 0.0
    light.tendril.weights.gravity = heedless.tendril.weights.gravity = 0.0
    scene.frame_end, scene.tendril.cache_folder = 25, str(tmp_path)
    bpy.ops.tendril.bake("EXEC_DEFAULT")
    scene.frame_set(scene.frame_end)
    moved = []
    for rod in (light, heedless):
        shown = rod.tendril.result.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        moved.append(np.mean([(shown.matrix_world @ vertex.co).y for vertex in mesh.vertices]) - rod.location.y)
        shown.to_mesh_clear()
    settings = light.tendril.rod
    k = 0.5 * 1.2 * settings.drag_coefficient * 0.02 / (settings.density * np.pi * 0.01**2)
    way = 20.0 * (scene.frame_end - 1) / FPS
    assert moved == pytest.approx([way - np.log1p(k * way) / k, 0.0], rel=0.01, abs=1e-5)
    warnings = bpy.context.window_manager.tendril.warnings
    assert [(warning.name, warning.frame) for warning in warnings] == [("Magnet", 1)]


def test_weights(scene):
    weights = bpy.data.objects["Rod"].tendril.weights
    assert read_scene(bpy.context)[0].rods[0].weights.tolist() == [1.0] * 6
    weights.gravity, weights.all, weights.wind, weights.drag = 0.5, 0.25, 2.0, 0.0
    np.testing.assert_allclose(read_scene(bpy.context)[0].rods[0].weights, [0.5, 0.5, 0.25, 0.25, 0.25, 0.0])


def test_kinds_are_those_of_physics():
    assert KINDS == FIELD_KINDS


def test_a_field_without_size_is_refused(scene):
    new_field("WIND").scale = (1.0, 1.0, 0.0)
    with pytest.raises(SceneError, match="'Wind' has a scale of 0 at frame 1"):
        read_scene(bpy.context)


def test_reading_changes_nothing(scene):
    wind = new_field("WIND", strength=3.0)
    wind.keyframe_insert("field.strength", frame=3)
    wind.field.strength = 8.0  # not keyed
    scene.frame_set(4)

    def state():
        return len(bpy.data.objects), len(bpy.data.actions), len(bpy.data.scenes), scene.frame_current

    wind.field.strength = 8.0
    before = state()
    assert read_scene(bpy.context)[0].fields[0].strength == 3.0
    assert state() == before
    assert wind.field.strength == 8.0
