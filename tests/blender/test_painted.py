"""Numbers that are painted: by the weight of a curve's points, attributes of hair, vertex groups of soft bodies."""

import bpy
import numpy as np
import pytest
from artist import choose, draw_rod, refused, save
from bl_ext.user_default.tendril.bridge import digests
from bl_ext.user_default.tendril.bridge.changes import sentence
from bl_ext.user_default.tendril.bridge.painted import LEAST
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.scene import Sheet
from bl_ext.user_default.tendril.physics.validate import SceneError
from bpy.types import SplinePoint

LAST = 3
WAY = np.linspace((0.0, 0.0, 2.0), (1.0, 0.0, 2.0), 6)
WEIGHTS = [0.0, 0.0, 1.0, 1.0, 0.5, 0.5]


def weigh(rod, weights, spline=0):
    """As Set Goal Weight: the least that Blender has is a hundredth."""
    own = rod.data.splines[spline]
    for point, weight in zip(own.bezier_points or own.points, weights, strict=True):
        point.weight_softbody = 0.01 + 0.99 * weight
    rod.data.update_tag()


@pytest.fixture
def rope(tmp_path):
    draw_rod("Rope", WAY)
    save(tmp_path, LAST)
    return bpy.data.objects["Rope"]


def read():
    return read_scene(bpy.context)[0].rods[0]


def paint(rod, **factors):
    """stiffness=10.0 …, by weight."""
    for name, factor in factors.items():
        setattr(rod.tendril.rod, f"{name}_attribute", "weight")
        setattr(rod.tendril.rod, f"{name}_factor", factor)


def ramp(n):
    """∫ w ds up to places (n,) of the line of WEIGHTS, m, and the weight there."""
    s = np.linspace(0.0, 1.0, n)
    corner = np.linspace(0.0, 1.0, 6)
    fine = np.linspace(0.0, 1.0, 100_001)
    w = np.interp(fine, corner, WEIGHTS)
    return np.interp(s, fine, np.append(0.0, np.cumsum(0.5 * (w[1:] + w[:-1]) * np.diff(fine)))), np.interp(
        s, corner, WEIGHTS
    )


@pytest.mark.parametrize("points", [0, 7, 50])
def test_a_rod_is_as_dense_and_rough_as_its_points_weights_say(rope, points):
    """The mass of each edge is that of its length, so that of the whole is the same however finely it is divided."""
    rope.tendril.rod.points = points
    plain = read()
    weigh(rope, WEIGHTS)
    paint(rope, density=5.0, friction=0.5)
    rod = read()
    below, weight = ramp(len(rod.x))
    edge = np.diff(np.linspace(0.0, 1.0, len(rod.x))) + 4.0 * np.diff(below)
    mass = 0.5 * (np.append(edge, 0.0) + np.append(0.0, edge)) * plain.mass.sum()
    assert rod.mass == pytest.approx(mass, rel=1e-5)
    assert rod.mass.sum() == pytest.approx((1.0 + 4.0 * below[-1]) * plain.mass.sum(), rel=2e-6)
    assert rod.rougher == pytest.approx(1.0 - 0.5 * weight, abs=1e-5)
    assert np.array_equal(rod.bend_stiffness, plain.bend_stiffness)


@pytest.mark.parametrize("points", [0, 7, 50])
def test_a_rod_twists_and_stretches_as_stiff_as_its_whole_however_finely_it_is_divided(rope, points):
    """Σ l/EA is ∫ ds/f EA: springs in series."""
    rope.tendril.rod.points = points
    plain = read()
    weigh(rope, WEIGHTS)
    paint(rope, stiffness=20.0)
    rod, length = read(), np.linalg.norm(np.diff(plain.x, axis=0), axis=1)
    fine = np.linspace(0.0, 1.0, 200_001)
    soft = 1.0 / (1.0 + 19.0 * np.interp(fine, np.linspace(0.0, 1.0, 6), WEIGHTS))
    whole = (0.5 * (soft[1:] + soft[:-1]) * np.diff(fine)).sum()
    assert (length / rod.stretch_stiffness).sum() * plain.stretch_stiffness[0] == pytest.approx(whole, rel=2e-5)
    assert rod.bend_stiffness[:, 0] / rod.stretch_stiffness == pytest.approx(
        plain.bend_stiffness[0, 0] / plain.stretch_stiffness[0]
    )
    assert np.array_equal(rod.mass, plain.mass)
    assert rod.rougher is None


@pytest.mark.parametrize("kind", ["BEZIER", "NURBS"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_weights_go_along_smooth_splines_as_radii_do(kind, cyclic):
    from artist import draw

    turn = np.linspace(0.0, 5.0, 6)
    rod = draw("Ring", [np.stack([np.cos(turn), np.sin(turn), 0.1 * turn], axis=1)], kind, cyclic=cyclic)
    rod.tendril.is_rod, rod.tendril.rod.points = True, 60
    weigh(rod, WEIGHTS)
    own = rod.data.splines[0]
    for point, weight in zip(own.bezier_points or own.points, WEIGHTS, strict=True):
        point.radius = 1.0 + weight
    paint(rod, friction=3.0)
    found = read()
    assert found.closed == cyclic
    assert found.rougher == pytest.approx(1.0 + 2.0 * (found.radius / 0.01 - 1.0), abs=2e-3)
    assert np.ptp(found.rougher) > 1.5


def test_an_attribute_of_hair_makes_it_stiffer():
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([5, 4])
    places = np.concatenate([np.linspace((0, 0, 0), (0, 0, 1), 5), np.linspace((1, 0, 0), (1, 0, 1), 4)])
    data.attributes["position"].data.foreach_set("vector", places.astype(np.float32).ravel())
    item = bpy.data.objects.new("Hair", data)
    bpy.context.scene.collection.objects.link(item)
    item.tendril.is_rod = True
    settings = item.tendril.rod
    settings.use_radius, settings.radius = True, 0.001
    plain = read_scene(bpy.context)[0].rods
    own = data.attributes.new("tips", "FLOAT", "POINT")
    own.data.foreach_set("value", np.array([0, 0, 0, 0.5, 1.0, 0, 0, 0, 1.0], np.float32))
    each = data.attributes.new("heavy", "BOOLEAN", "CURVE")
    each.data.foreach_set("value", np.array([False, True]))
    settings.stiffness_attribute, settings.stiffness_factor = "tips", 4.0
    settings.density_attribute, settings.density_factor = "heavy", 3.0
    rods = read_scene(bpy.context)[0].rods
    between = [1.0, 1.0, 1.5 / np.log(2.5), 1.5 / np.log(1.6)]
    assert rods[0].stretch_stiffness / plain[0].stretch_stiffness == pytest.approx(between, rel=1e-6)
    assert rods[1].stretch_stiffness[-1] / plain[1].stretch_stiffness[-1] == pytest.approx(3.0 / np.log(4.0))
    assert [rod.mass.sum() / was.mass.sum() for rod, was in zip(rods, plain, strict=True)] == pytest.approx([1.0, 3.0])
    for name, trouble in (
        ("gone", "which is not there"),
        ("position", "which is not one number for each point or curve"),
    ):
        settings.stiffness_attribute = name
        with pytest.raises(
            SceneError, match=f"'Hair' has its stiffness from the attribute '{name}', {trouble}: choose"
        ):
            read_scene(bpy.context)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda rod: setattr(rod.tendril.rod, "density_attribute", "Wait"), "'Wait', which the points of a curve"),
        (lambda rod: paint(rod, density=2.0), "density from the attribute 'weight', in which no point has a weight"),
        (lambda rod: (weigh(rod, WEIGHTS), paint(rod, density=2.0), setattr(rod.tendril.rod, "model", "CABLE")),
         "hangs as a cable, which is the same all along: clear it in Variation"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(rope, spoil, said):
    spoil(rope)
    bpy.context.view_layer.update()
    objects = set(bpy.data.objects)
    with pytest.raises(SceneError, match=said):
        read()
    assert said in refused(bpy.ops.tendril.bake)
    assert set(bpy.data.objects) == objects


def test_the_least_weight_that_there_is_is_none(rope):
    """As it is in Blender; and what single precision leaves is none either."""
    assert SplinePoint.bl_rna.properties["weight_softbody"].hard_min == pytest.approx(LEAST)
    paint(rope, stiffness=10.0)
    for weight, counts in ((5e-6, False), (2e-5, True)):
        weigh(rope, np.full(6, weight))
        if counts:
            read()
            continue
        with pytest.raises(SceneError, match="in which no point has a weight"):
            read()


def test_a_bake_knows_when_weights_were_changed(rope):
    weigh(rope, WEIGHTS)
    paint(rope, stiffness=4.0)
    bpy.ops.tendril.bake()
    assert not sentence(bpy.context)
    weigh(rope, WEIGHTS[::-1])
    assert sentence(bpy.context) == "Out of date: paint of 'Rope' changed"
    weigh(rope, WEIGHTS)
    rope.tendril.rod.stiffness_factor = 5.0
    assert sentence(bpy.context) == "Out of date: stiff factor of 'Rope' changed"
    bpy.ops.tendril.bake()
    rope.tendril.rod.stiffness_attribute = ""
    assert sentence(bpy.context).startswith("Out of date: stiffness attribute of 'Rope'")


def test_weights_that_lead_nothing_are_not_looked_at(rope):
    bpy.ops.tendril.bake()
    weigh(rope, WEIGHTS)
    assert not sentence(bpy.context)


@pytest.fixture
def cloth(tmp_path):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=1.0)
    bpy.ops.tendril.add_sheet()
    item = bpy.context.object
    item.name = "Cloth"
    group = item.vertex_groups.new(name="Right")
    for vertex in item.data.vertices:
        if vertex.co.x > 0.0:
            group.add([vertex.index], vertex.co.x, "REPLACE")
    save(tmp_path, LAST)
    choose(bpy.data.objects["Cloth"])
    return bpy.data.objects["Cloth"]


def test_a_sheet_is_stiffer_denser_and_thicker_by_vertex_groups(cloth):
    settings = cloth.tendril.soft
    for name, factor in (("stiffness", 5.0), ("density", 3.0), ("thickness", 2.0)):
        setattr(settings, f"{name}_group", "Right")
        setattr(settings, f"{name}_factor", factor)
    (sheet,) = read_scene(bpy.context)[0].solids
    assert isinstance(sheet, Sheet)
    right = np.clip(sheet.x[:, 0], 0.0, None)
    assert sheet.stiffness == pytest.approx(1.0 + 4.0 * right, abs=1e-6)
    assert sheet.weight == pytest.approx(1.0 + 2.0 * right, abs=1e-6)
    assert sheet.thicker == pytest.approx(1.0 + right, abs=1e-6)
    cloth.vertex_groups.remove(cloth.vertex_groups["Right"])
    with pytest.raises(SceneError, match="'Cloth' has its stiffness from the vertex group 'Right', which is not there"):
        read_scene(bpy.context)


def test_a_bake_knows_when_a_vertex_group_was_painted_anew(cloth):
    cloth.tendril.soft.density_group = "Right"
    bpy.ops.tendril.bake()
    assert not sentence(bpy.context)
    cloth.vertex_groups["Right"].add([0], 0.5, "REPLACE")
    assert sentence(bpy.context) == "Out of date: paint of 'Cloth' changed"
    cloth.vertex_groups["Right"].remove([0])
    assert not sentence(bpy.context)
    cloth.vertex_groups["Right"].add([0], 0.0, "REPLACE")  # which a pin of the group holds
    assert sentence(bpy.context) == "Out of date: paint of 'Cloth' changed"


def test_a_vertex_group_that_makes_a_body_no_thicker_is_not_looked_at(cloth):
    cloth.tendril.soft.is_sheet, cloth.tendril.soft.thickness_group = False, "Right"
    before = digests.of_paint(cloth)
    cloth.vertex_groups["Right"].add([0], 0.5, "REPLACE")
    assert digests.of_paint(cloth) == before
    cloth.tendril.soft.is_sheet = True
    assert digests.of_paint(cloth) != before
