"""What of a rigid body touches: volume, area and orientation of each shape against closed forms, in the world."""

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bake import samples
from bl_ext.user_default.tendril.bridge import body_shape
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.scene import Shape
from bl_ext.user_default.tendril.physics.validate import SceneError
from mathutils import Euler, Matrix

TURN = Euler((0.4, -0.9, 1.3))
SIDES = np.array([0.4, 0.8, 2.4])  # of what `new_body` adds
PLACE = np.array([1.0, -2.0, 3.0])
PRISM = body_shape.SIDES / (2.0 * np.pi) * np.sin(2.0 * np.pi / body_shape.SIDES)  # its area over that of the circle


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 12
    return scene


def new_body(make="cube", sides=SIDES, mirror=1.0, **settings):
    """A rigid body, alone in its scene, whose mesh is as large as these sides."""
    getattr(bpy.ops.mesh, f"primitive_{make}_add")()
    body = bpy.context.object
    scale = np.array(sides) / 2.0 * (mirror, 1.0, 1.0)
    body.name, body.matrix_world = "Brick", Matrix.LocRotScale(PLACE.tolist(), TURN, scale.tolist())
    body.tendril.is_body = True
    for key, value in settings.items():
        setattr(body.tendril.body, key, value)
    return body


def read():
    return read_scene(bpy.context)[0]


def shape_of(**settings):
    new_body(**settings)
    return read().bodies[0].shape


def measured(shape):
    """(volume, area) of a closed surface; the volume is negative where it looks inwards."""
    a, b, c = np.moveaxis((shape.points - shape.points.mean(axis=0))[shape.triangles], 1, 0)
    normals = np.cross(b - a, c - a)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0, 0.5 * np.linalg.norm(normals, axis=1).sum()


def assert_convex(shape):
    """Every triangle looks outwards, and has all points behind it."""
    a, b, c = np.moveaxis(shape.points[shape.triangles], 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    height = np.einsum("tj,tpj->tp", normals, shape.points[None] - a[:, None])
    assert height.max() < 1e-5 * np.ptp(shape.points)


def own_axes(shape, scale_length=1.0):
    """Its points (V, 3) along the object's axes, from the object's place, in Blender units."""
    return (shape.points / scale_length - PLACE) @ np.array(TURN.to_matrix())


@pytest.mark.parametrize("kind", ["BOX", "CONVEX_HULL", "MESH"])
@pytest.mark.parametrize("scale_length", [1.0, 0.01])
@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_of_a_brick(scene, kind, scale_length, mirror):
    scene.unit_settings.scale_length = scale_length
    shape = shape_of(collision_shape=kind, mirror=mirror)
    assert (shape.points.shape, shape.triangles.shape, shape.radius) == ((8, 3), (12, 3), 0.0)
    volume, area = measured(shape)
    a, b, c = SIDES * scale_length
    assert np.isclose(volume, a * b * c, rtol=1e-5)
    assert np.isclose(area, 2.0 * (a * b + b * c + c * a), rtol=1e-5)
    assert np.allclose(np.abs(own_axes(shape, scale_length)), SIDES / 2.0, atol=1e-5)
    assert_convex(shape)


def test_a_mesh_that_looks_inwards_is_turned(scene):
    body = new_body(collision_shape="MESH")
    body.data.flip_normals()
    assert np.isclose(measured(read().bodies[0].shape)[0], SIDES.prod(), rtol=1e-5)


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_a_sphere_has_the_largest_dimension(scene, scale_length):
    scene.unit_settings.scale_length = scale_length
    shape = shape_of(collision_shape="SPHERE")
    assert shape.triangles.tolist() == [[0, 0, 0]]
    assert np.allclose(shape.points, [PLACE * scale_length], atol=1e-6)
    assert np.isclose(shape.radius, 0.5 * SIDES.max() * scale_length)


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_a_capsule_lies_along_z(scene, scale_length):
    scene.unit_settings.scale_length = scale_length
    shape = shape_of(collision_shape="CAPSULE")
    assert shape.triangles.tolist() == [[0, 1, 1]]
    assert np.isclose(shape.radius, 0.4 * scale_length)
    assert np.allclose(own_axes(shape, scale_length), [[0.0, 0.0, -0.8], [0.0, 0.0, 0.8]], atol=1e-5)


def test_a_capsule_wider_than_long_is_a_sphere(scene):
    shape = shape_of(collision_shape="CAPSULE", sides=(0.4, 2.4, 0.8))
    assert (shape.triangles.tolist(), len(shape.points)) == ([[0, 0, 0]], 1)
    assert np.isclose(shape.radius, 1.2)


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_a_cylinder_is_round_along_z_whatever_the_scale(scene, scale_length, mirror):
    scene.unit_settings.scale_length = scale_length
    shape = shape_of(collision_shape="CYLINDER", mirror=mirror)
    radius, length = 0.4 * scale_length, 2.4 * scale_length
    volume, area = measured(shape)
    side = 2.0 * body_shape.SIDES * radius * np.sin(np.pi / body_shape.SIDES) * length
    assert np.isclose(volume, PRISM * np.pi * radius**2 * length, rtol=1e-5)
    assert np.isclose(area, side + 2.0 * PRISM * np.pi * radius**2, rtol=1e-5)
    own = own_axes(shape, scale_length)
    assert np.allclose(np.linalg.norm(own[:, :2], axis=1), 0.4, atol=1e-5)
    assert np.allclose(np.abs(own[:, 2]), 1.2, atol=1e-5)
    assert_convex(shape)


def test_the_hull_fills_hollows(scene):
    body = new_body("torus", (2.0, 2.0, 2.0), collision_shape="CONVEX_HULL")
    filled = read().bodies[0].shape
    body.tendril.body.collision_shape = "MESH"
    ring = read().bodies[0].shape
    assert_convex(filled)
    assert measured(ring)[0] > 0.0
    assert np.isclose(measured(ring)[0], 2.0 * np.pi**2 * 0.25**2, rtol=0.05)  # a ring of radius 1, 0.25 thick
    assert measured(filled)[0] > 1.5 * measured(ring)[0]
    assert len(filled.points) < len(ring.points)


def test_the_hull_of_a_finely_divided_box_has_its_corners_alone(scene):
    body = new_body()
    modifier = body.modifiers.new("Fine", "SUBSURF")
    modifier.subdivision_type, modifier.levels = "SIMPLE", 4
    shape = read().bodies[0].shape
    assert (len(shape.points), len(shape.triangles)) == (8, 12)


def test_what_touches_follows_modifiers_and_the_first_frame(scene):
    body = new_body()
    body.modifiers.new("Two", "ARRAY")
    body.location.x = 9.0
    body.keyframe_insert("location", frame=3)
    body.location.x = 19.0
    body.keyframe_insert("location", frame=9)
    shape = read().bodies[0].shape
    assert np.isclose(measured(shape)[0], 2.0 * SIDES.prod(), rtol=1e-5)
    assert np.abs(shape.points[:, 0] - 9.0).max() < 2.0


def test_settings_are_in_si(scene):
    scene.unit_settings.scale_length = 0.1
    new_body(friction=0.7, restitution=0.25, rolling_resistance=0.02)
    (body,) = read().bodies
    assert np.allclose((body.friction, body.restitution, body.rolling_resistance), (0.7, 0.25, 0.002))


def test_nothing_touches_a_body_whose_collisions_are_off(scene):
    assert shape_of(collide=False) is None


def test_bodies_bake_without_rods(scene):
    new_body()
    given = read()
    assert not given.rods
    assert not given.pins
    assert given.solver == "AUTOMATIC"


def flat(body):
    body.tendril.body.shape, body.scale.z = "BOX", 1e-8


def open_mesh(body):
    body.tendril.body.shape, body.tendril.body.collision_shape = "BOX", "MESH"
    body.modifiers.new("Cut", "MASK")
    group = body.vertex_groups.new(name="Half")
    group.add([0, 1, 2, 3, 4, 5, 6], 1.0, "ADD")
    body.modifiers["Cut"].vertex_group = "Half"


def crossed(body):
    body.tendril.body.shape, body.tendril.body.collision_shape = "BOX", "MESH"
    body.data.polygons[0].flip()


def inner_face(body):
    body.tendril.body.shape, body.tendril.body.collision_shape = "BOX", "MESH"
    modifier = body.modifiers.new("Two", "ARRAY")
    modifier.use_merge_vertices = True


def huge(body):
    body.tendril.body.collision_shape = "MESH"
    modifier = body.modifiers.new("Fine", "SUBSURF")
    modifier.subdivision_type, modifier.levels = "SIMPLE", 6


def animated(body):
    body.tendril.body.motion = "ANIMATED"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (flat, ("'Brick' is flat", "Shape Sphere or Capsule in Collisions", "Solidify", "turn Collisions off")),
        (open_mesh, ("'Brick' cannot collide", "open at 6 edges", "choose Shape Convex Hull in Collisions")),
        (crossed, ("'Brick' cannot collide", "disagree on what is outside", "choose Shape Convex Hull", "Shift N")),
        (inner_face, ("'Brick' cannot collide", "4 edges of more than two faces", "choose Shape Convex Hull")),
        (huge, ("'Brick' collides with 49152 triangles, more than 20000: choose Shape Convex Hull", "Decimate")),
        (animated, ("There is no rod, soft or dynamic rigid body in 'Scene': select a curve and press Add Rod",)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_collide_is_named_with_the_cure(scene, spoil, said):
    spoil(new_body())
    with pytest.raises(SceneError) as refusal:
        read()
    for words in said:
        assert words in str(refusal.value)


# Animated bodies are met as colliders


def moved(kind, make="cube", **settings):
    """(the Scene, the animated body) of two bodies, one of which goes up by 0.5 and turns half around."""
    bpy.ops.mesh.primitive_ico_sphere_add(location=(0.0, 0.0, 9.0))
    bpy.context.object.tendril.is_body = True
    body = new_body(make, motion="ANIMATED", collision_shape=kind, **settings)
    for frame, height, turn in ((3, 3.0, 0.0), (12, 3.5, np.pi)):
        body.location.z, body.rotation_euler = height, (0.0, 0.0, turn)
        body.keyframe_insert("location", frame=frame)
        body.keyframe_insert("rotation_euler", frame=frame)
    return read(), body


@pytest.mark.parametrize("kind", ["BOX", "CYLINDER", "CONVEX_HULL", "MESH", "SPHERE", "CAPSULE"])
def test_an_animated_body_is_a_collider_that_moves(scene, kind):
    given, body = moved(kind, friction=0.8)
    led = given.bodies[1]
    assert led.kinematic
    assert led.shape is None
    (collider,) = given.colliders
    assert (collider.name, collider.friction, collider.thickness) == ("Brick", np.float32(0.8), 0.0)
    assert len(collider.times) == 10
    scene.frame_set(3)
    start = np.array(body.matrix_world)
    for index, frame in enumerate(range(3, 13)):
        scene.frame_set(frame)
        way = np.array(body.matrix_world) @ np.linalg.inv(start)
        expected = collider.points[0] @ way[:3, :3].T + way[:3, 3]
        assert np.allclose(collider.points[index], expected, atol=1e-5)
    volume, area = measured(Shape(collider.points[0].astype(float), collider.triangles))
    a, b, c = SIDES
    ball, tube = 4.0 / 3.0 * np.pi, np.pi * 0.4**2
    law = {
        "SPHERE": ball * 1.2**3, "CAPSULE": ball * 0.4**3 + tube * 1.6, "CYLINDER": PRISM * tube * c,
    }.get(kind, a * b * c)  # fmt: skip
    assert np.isclose(volume, law, rtol=0.015)
    assert area > 0.0
    samples.discard(given)


def test_points_of_a_ball_lie_on_it_and_its_faces_hardly_within():
    ball = Shape(np.array([[1.0, 2.0, 3.0]]), np.zeros((1, 3), int), 0.5)
    found = body_shape.meshed(ball)
    assert np.allclose(np.linalg.norm(found.points - ball.points, axis=1), 0.5)
    a, b, c = np.moveaxis(found.points[found.triangles] - ball.points, 1, 0)
    normals = np.cross(b - a, c - a)
    depth = 0.5 - np.einsum("ij,ij->i", a, normals) / np.linalg.norm(normals, axis=1)
    assert 0.0 < depth.max() < 0.008 * 0.5
    assert_convex(found)


def test_a_flat_animated_body_is_a_thin_shell(scene):
    given, _ = moved("CONVEX_HULL", make="plane")
    (collider,) = given.colliders
    assert collider.triangles.shape == (2, 3)
    samples.discard(given)


def test_an_animated_body_that_bends_is_a_collider_that_bends(scene):
    body = new_body(motion="ANIMATED", collision_shape="MESH")
    bend = body.modifiers.new("Bend", "SIMPLE_DEFORM")
    for frame, angle in ((3, 0.0), (12, 1.0)):
        bend.angle = angle
        bend.keyframe_insert("angle", frame=frame)
    bpy.ops.mesh.primitive_ico_sphere_add()
    bpy.context.object.tendril.is_body = True
    given = read()
    (collider,) = given.colliders
    assert np.abs(collider.points[-1] - collider.points[0]).max() > 0.01
    samples.discard(given)


def test_an_animated_body_whose_collisions_are_off_is_no_collider(scene):
    given, _ = moved("BOX", collide=False)
    assert not given.colliders


def test_reading_animated_bodies_changes_nothing(scene):
    kinds = ("objects", "meshes", "scenes", "actions")
    given, _ = moved("CAPSULE")
    samples.discard(given)
    before = [len(getattr(bpy.data, kind)) for kind in kinds]
    samples.discard(read())
    assert [len(getattr(bpy.data, kind)) for kind in kinds] == before
