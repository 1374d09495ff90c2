"""What is set on a soft body: of what it is, how finely it is simulated, and where it is held."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty

from .collision_collection import collision_collection
from .declare import declare, forget_estimate, forget_preset
from .parameters import (
    MODULI,
    SHEET_YOUNG,
    SOFT,
    SOFT_PIN,
    SQUASH,
    bulk_and_shear,
    poisson_of,
    squash_shown,
    young_and_poisson,
)
from .storage import storage

KINDS = (
    ("POINT", "Point", "Each vertex stays where the target has it: it follows, or stands still with what does"),
    ("PLANE", "Plane", "Each vertex slides in a plane across the target's axis, which moves with the target"),
    ("LINE", "Line", "Each vertex slides on a line along the target's axis, which moves with the target"),
)
ELEMENTS = (
    ("SMOOTHED", "Smoothed", "Strains are smoothed over the edges of tetrahedra: the body bends as its material does"),
    ("AFFINE", "Affine (Paper)", "Each tetrahedron is strained by itself, as Liesenfeld & Stolfi have it: the body "
     "bends too stiffly, by a fifth at a Resolution of 10"),
)  # fmt: skip
CURL_AXES = tuple((axis, axis, f"The sheet is rolled about the {axis} axis of its object") for axis in "XYZ")
AXES = tuple((axis, axis, f"The target's own {axis} axis, as it points at the first frame") for axis in "XYZ")


SUBDIVISION = "Tendril Subdivide"  # the modifier of the button Subdivide


def _get_squash(soft):
    return squash_shown(soft.poisson)


def _set_squash(soft, shown):
    soft.poisson = poisson_of(shown)


def _get_sheet_young(soft):
    return soft.young * SOFT["young"].si / SHEET_YOUNG.si


def _set_sheet_young(soft, shown):
    soft.young = shown * SHEET_YOUNG.si / SOFT["young"].si


def _get_bulk(soft):
    return bulk_and_shear(soft.young, soft.poisson)[0]


def _get_shear(soft):
    return bulk_and_shear(soft.young, soft.poisson)[1]


def _set_bulk(soft, bulk):
    soft.young, soft.poisson = young_and_poisson(bulk, _get_shear(soft))


def _set_shear(soft, shear):
    soft.young, soft.poisson = young_and_poisson(_get_bulk(soft), shear)


class TendrilSoftPin(bpy.types.PropertyGroup):
    """Ties a vertex group to an object or bone, which it follows with the offset it has at the first frame."""

    name: StringProperty(name="Name", default="Pin")
    group: StringProperty(
        name="Vertex Group",
        description="The vertices that are held, those with a weight above a half",
        options=set(),
        update=forget_estimate,
    )
    use_weights: BoolProperty(
        name="Fade",
        description="Weights between 0 and 1 hold softly, so that the surface bends smoothly where they fade. "
        "Off holds all above a half alike",
        options=set(),
        update=forget_estimate,
    )
    target: PointerProperty(
        name="Target",
        type=bpy.types.Object,
        description="The object that these vertices follow; a rod or a rigid body is tied to them, and feels them. "
        "None: the animation of the soft body's own object, its modifiers and shape keys",
        update=forget_estimate,
    )
    bone: StringProperty(
        name="Bone", description="The bone that they follow, if the target is an armature", options=set()
    )
    kind: EnumProperty(
        name="Hold", items=KINDS, description="What of their motion is held", options=set(), update=forget_estimate
    )
    axis: EnumProperty(
        name="Axis",
        items=AXES,
        default="Z",
        description="Across what the planes are, along what the lines",
        options=set(),
        update=forget_estimate,
    )
    use_spring: BoolProperty(
        name="Soft",
        description="Hold by springs, which give way under load. Off holds exactly",
        options=set(),
        update=forget_estimate,
    )
    spring: declare(SOFT_PIN["spring"])
    influence: declare(SOFT_PIN["influence"], animatable=True)
    use_release: BoolProperty(name="Release", description="Let go at a frame", options=set(), update=forget_estimate)
    release: declare(SOFT_PIN["release"])


def _group(what, how):
    """By which vertex group a number differs from place to place."""
    return StringProperty(
        name=f"{what.title()} Group",
        description=f"Vertex group whose weights make {how}",
        options=set(),
        update=forget_estimate,
    )


class TendrilSoft(bpy.types.PropertyGroup):
    """Material, resolution and pins of a soft body, or of a sheet, which is one of triangles."""

    is_sheet: BoolProperty(
        name="Sheet",
        description="The faces of this mesh are a plate that bends. Off: what they enclose is a solid",
        options=set(),
        update=forget_estimate,
    )
    preset: StringProperty(
        name="Preset", description="The preset this material is from, if nothing was changed since", options=set()
    )
    young: declare(SOFT["young"], animatable=True, update=forget_preset)
    sheet_young: declare(SHEET_YOUNG, get=_get_sheet_young, set=_set_sheet_young)
    poisson: declare(SOFT["poisson"], update=forget_preset)
    squash: declare(SQUASH, get=_get_squash, set=_set_squash)
    bulk: declare(MODULI["bulk"], get=_get_bulk, set=_set_bulk)
    shear: declare(MODULI["shear"], get=_get_shear, set=_set_shear)
    relaxation: declare(SOFT["relaxation"], animatable=True, update=forget_preset)
    density: declare(SOFT["density"], update=forget_preset)
    thickness: declare(SOFT["thickness"], update=forget_preset)
    membrane: declare(SOFT["membrane"], update=forget_preset)
    curl: declare(SOFT["curl"])
    curl_axis: EnumProperty(
        name="Curl Axis",
        items=CURL_AXES,
        description="What the sheet is rolled about",
        options=set(),
        update=forget_estimate,
    )
    friction: declare(SOFT["friction"])
    drag_coefficient: declare(SOFT["drag_coefficient"])
    collision_collection: collision_collection()
    balanced: declare(SOFT["balanced"])
    resolution: declare(SOFT["resolution"])
    elements: EnumProperty(
        name="Elements",
        items=ELEMENTS,
        default="AFFINE",  # of files that do not say: they were made before; Add Soft Body chooses SMOOTHED
        description="How strains follow from the tetrahedra. Smoothed ones take twice as long in each step, and a body "
        "bends as well as with affine ones at about twice the Resolution",
        options=set(),
        update=forget_estimate,
    )
    stiffness_group: _group("stiffness", "the material stiffer or softer")
    stiffness_factor: declare(SOFT["stiffness_factor"])
    density_group: _group("density", "the material heavier or lighter")
    density_factor: declare(SOFT["density_factor"])
    thickness_group: _group("thickness", "the sheet thicker or thinner")
    thickness_factor: declare(SOFT["thickness_factor"])
    relaxed: StringProperty(
        name="Relaxed Shape",
        description="Shape key of the mesh in which nothing in it is strained: it springs towards it from how it is "
        "drawn. None: the drawn shape is the relaxed one",
        options=set(),
        update=forget_estimate,
    )
    velocity: declare(SOFT["velocity"])
    spin: declare(SOFT["spin"])
    use_pressure: BoolProperty(
        name="Pressure",
        description="Gas presses on the walls of its cavities; one without any is blown up as a whole, as a sponge",
        options=set(),
        update=forget_estimate,
    )
    pressure: declare(SOFT["pressure"], animatable=True)
    sealed: BoolProperty(
        name="Sealed",
        description="No gas gets out: squeezed to half its volume it presses twice as hard, air all around included. "
        "The pressure is then that which it has in the drawn volume. Off holds the pressure, as a pump does",
        options=set(),
        update=forget_estimate,
    )
    gas_density: declare(SOFT["gas_density"])
    storage: storage()
    wires: PointerProperty(
        type=bpy.types.Object, name="Wires", description="The object that shows the tetrahedra", options=set()
    )
    pins: CollectionProperty(type=TendrilSoftPin)
    active_pin: IntProperty(name="Active Pin", options=set())


classes = (TendrilSoftPin, TendrilSoft)
