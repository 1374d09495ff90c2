"""What is set on an object: whether it is a rod, a rigid or a soft body, of what, and where it is held."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .collider import TendrilCollider
from .collision_collection import collision_collection
from .declare import declare, declare_choice, forget_estimate, forget_preset
from .fields import TendrilWeights
from .following import followed
from .load import TendrilLoad
from .painted import painted
from .parameters import BEND, BODY, HAIR, PIN, ROD, bend_factor, bend_shown
from .soft import TendrilSoft
from .soft import classes as soft_classes
from .storage import storage
from .tree import TendrilTree

ROD_TYPES = ("CURVE", "CURVES")  # of objects that can be rods: drawn curves, and hair
HOLDS = (
    ("POSITION", "Position", "Hold the place only, as a nail through the rod does; it turns freely"),
    ("DIRECTION", "Position and Direction", "Hold the place and where the rod points; it twists freely"),
    ("TWIST", "Clamp", "Hold place, direction and twist, as a vice does: turning the target twists the rod"),
)

MODELS = (
    (
        "KIRCHHOFF",
        "Normal",
        "Twist spreads over the rod at once, and its length stays unless it is stretchable. The faster one: for ropes "
        "that hang, wires, hair, knots, trees. A Kirchhoff rod",
    ),
    (
        "COSSERAT",
        "Spinning",
        "Twist has inertia, and the rod stretches: a rope that was wound up and is let go untwists, a thread spins on, "
        "twist runs along it in waves, which explicit steps keep. A Cosserat rod",
    ),
    (
        "CABLE",
        "Hanging",
        "A cable: in each frame it hangs as it would come to rest between its pins, and never swings. It follows what "
        "holds it, and nothing feels it: for cables and hoses that are moved about",
    ),
)

MOTIONS = (
    ("DYNAMIC", "Dynamic", "Moved by gravity, the air and the rods tied to it"),
    ("ANIMATED", "Animated", "Follows its own keyframes, parents and constraints; rods tied to it follow"),
    (
        "SUSPENDED",
        "Hangs on Cables",
        "At rest in each frame where the cables tied to it and its weight have it: where cables join, a lamp, a plug. "
        "With Collisions it touches cables, colliders and others that hang",
    ),
)
SHAPES = (
    ("MESH", "Mesh", "The mesh itself, as its modifiers leave it, filled evenly. It has to be closed"),
    ("BOX", "Box", "The box around the mesh, along the object's axes"),
    ("SPHERE", "Sphere", "The ball around the middle of the mesh that has its largest dimension"),
)

COLLISION_SHAPES = (
    ("BOX", "Box", "The box around the mesh, along the object's axes", "MESH_CUBE", 0),
    (
        "SPHERE",
        "Sphere",
        "The ball around the middle of the mesh that has its largest dimension. Rolls evenly and is the fastest",
        "MESH_UVSPHERE",
        1,
    ),
    (
        "CAPSULE",
        "Capsule",
        "A cylinder with round ends along the object's Z axis, as thick as the mesh is wide",
        "MESH_CAPSULE",
        2,
    ),
    (
        "CYLINDER",
        "Cylinder",
        "A cylinder of 32 sides along the object's Z axis, as thick as the mesh is wide",
        "MESH_CYLINDER",
        3,
    ),
    (
        "CONVEX_HULL",
        "Convex Hull",
        "The mesh as if wrapped tightly: hollows and holes are filled. Works for any mesh that is not flat",
        "MESH_ICOSPHERE",
        4,
    ),
    (
        "MESH",
        "Mesh",
        "The mesh itself, with its hollows and holes, so that things lie in a bowl and hang on a hook. "
        "It has to be closed; many faces take long",
        "MESH_MONKEY",
        5,
    ),
)


def _get_bend(rod):
    return bend_shown(rod.bend_factor)


def _set_bend(rod, shown):
    rod.bend_factor = bend_factor(shown)


def _place(what):
    """How far from the start of a cable."""
    return FloatProperty(
        subtype="DISTANCE", precision=4, options=set(), description=f"How far from its start this cable is {what}"
    )


class TendrilRod(bpy.types.PropertyGroup):
    """Material and shape of a rod."""

    preset: StringProperty(
        name="Preset", description="The preset this material is from, if nothing was changed since", options=set()
    )
    young: declare(ROD["young"], animatable=True, update=forget_preset)
    poisson: declare(ROD["poisson"], update=forget_preset)
    density: declare(ROD["density"], update=forget_preset)
    bend_factor: declare(ROD["bend_factor"], update=forget_preset)
    bend: declare(BEND, get=_get_bend, set=_set_bend)
    twist_factor: declare(ROD["twist_factor"], update=forget_preset)
    model: declare_choice("Model", MODELS, "What the rod can do besides bending and twisting")
    parallel_stiffness: declare(ROD["parallel_stiffness"], update=forget_preset)
    spin_factor: declare(ROD["spin_factor"], update=forget_preset)
    aspect: declare(ROD["aspect"], update=forget_preset)
    stretchable: declare(ROD["stretchable"], update=forget_preset)
    internal_damping: declare(ROD["internal_damping"], animatable=True, update=forget_preset)
    stretch_damping_factor: declare(ROD["stretch_damping_factor"], update=forget_preset)
    twist_damping_factor: declare(ROD["twist_damping_factor"], update=forget_preset)
    drag_coefficient: declare(ROD["drag_coefficient"], update=forget_preset)
    friction: declare(ROD["friction"], animatable=True, update=forget_preset)
    balanced: declare(ROD["balanced"])
    touches: declare(ROD["touches"])
    rolls: declare(ROD["rolls"])
    collision_collection: collision_collection()
    stiffness_attribute: painted("stiffness")
    stiffness_factor: declare(ROD["stiffness_factor"])
    density_attribute: painted("density")
    density_factor: declare(ROD["density_factor"])
    friction_attribute: painted("friction")
    friction_factor: declare(ROD["friction_factor"])
    shape_memory: declare(ROD["shape_memory"], animatable=True)
    spool_radius: declare(ROD["spool_radius"])
    spool_direction: declare(ROD["spool_direction"])
    natural_twist: declare(ROD["natural_twist"], animatable=True)
    rest_length_factor: declare(ROD["rest_length_factor"], animatable=True)
    points: declare(ROD["points"])
    guides: declare(HAIR["guides"])
    guides_in: StringProperty(
        name="Guides In", options=set(), update=forget_estimate,
        description="Simulate those strands alone that have a number above 0 in this attribute, of strands or points; "
        "empty: as many as Guides says",
    )  # fmt: skip
    use_radius: declare(ROD["use_radius"])
    radius: declare(ROD["radius"])
    inner_radius: declare(ROD["inner_radius"], update=forget_preset)
    bend_limit: declare(ROD["bend_limit"], update=forget_preset)
    tension_limit: declare(ROD["tension_limit"], update=forget_preset)
    transverse_limit: declare(ROD["transverse_limit"], update=forget_preset)
    own_length: declare(ROD["own_length"])
    tautness: declare(ROD["tautness"])
    storage: storage()


def _let_go(pin, context):
    """Something else holds, or something else is held: the cable is tied anew when it is settled."""
    pin.property_unset("grip")
    forget_estimate(pin, context)


class TendrilPin(bpy.types.PropertyGroup):
    """Ties a place of the rod to an object or bone, which it follows with the offset it has at the first frame; a cable
    with that which it had when it was tied (`bridge/grips.py`).
    """

    name: StringProperty(name="Name", default="Pin")
    spline: declare(PIN["spline"], update=_let_go)
    fraction: declare(PIN["fraction"], update=_let_go)
    target: PointerProperty(
        name="Target",
        type=bpy.types.Object,
        description="The object the rod follows here, with the offset it has at the first frame; of a mesh that "
        "deforms the nearest face. None: the curve's own animation",
        update=_let_go,
    )
    bone: StringProperty(
        name="Bone", description="The bone the rod follows here, if the target is an armature", options=set(),
        update=_let_go,
    )  # fmt: skip
    mode: declare_choice("Hold", HOLDS, "What of the rod the target holds", default="TWIST")
    influence: declare(PIN["influence"], animatable=True)
    max_force: declare(PIN["max_force"])
    slides: declare(PIN["slides"])
    winch: declare(PIN["winch"])
    paid_out: declare(PIN["paid_out"], animatable=True)
    grip: FloatVectorProperty(description="The frame of a cable that it holds, in its axes", size=16, options=set())


class TendrilBody(bpy.types.PropertyGroup):
    """How a rigid body moves, how its mass is spread, and how it touches."""

    motion: declare_choice("Motion", MOTIONS, "What moves the body")
    shape: declare_choice("Shape", SHAPES, "Over what the mass is spread evenly")
    use_density: declare(BODY["use_density"])
    mass: declare(BODY["mass"])
    density: declare(BODY["density"])
    velocity: declare(BODY["velocity"])
    spin: declare(BODY["spin"])
    drag_coefficient: declare(BODY["drag_coefficient"])
    collide: declare(BODY["collide"])
    collision_shape: declare_choice("Collision Shape", COLLISION_SHAPES, "What of the body touches", "CONVEX_HULL")
    friction: declare(BODY["friction"])
    restitution: declare(BODY["restitution"])
    rolling_resistance: declare(BODY["rolling_resistance"])
    collision_collection: collision_collection()


class TendrilObject(bpy.types.PropertyGroup):
    """Everything Tendril keeps on an object.

    A bake is shown by a second object. `source.tendril.result` and `result.tendril.source` name each other; a duplicate
    of either is named by nobody, so it shares nothing.
    """

    is_rod: BoolProperty(name="Rod", description="This curve is simulated as an elastic rod", options=set())
    rod: PointerProperty(type=TendrilRod)
    is_tree: BoolProperty(name="Tree", description="The splines of this rod are the branches of a tree", options=set())
    tree: PointerProperty(type=TendrilTree)
    is_body: BoolProperty(name="Rigid Body", description="This takes part as a rigid body", options=set())
    body: PointerProperty(type=TendrilBody)
    is_soft: BoolProperty(name="Soft Body", description="This mesh is simulated as a soft body", options=set())
    soft: PointerProperty(type=TendrilSoft)
    weights: PointerProperty(type=TendrilWeights)
    collider: PointerProperty(type=TendrilCollider)
    pins: CollectionProperty(type=TendrilPin)
    active_pin: IntProperty(name="Active Pin", options=set())
    loads: CollectionProperty(type=TendrilLoad)
    active_load: IntProperty(name="Active Force", options=set())
    result: PointerProperty(type=bpy.types.Object, name="Result", description="The object that shows this one's bake")
    source: PointerProperty(type=bpy.types.Object, name="Source", description="The object whose bake this one shows")
    carrier: PointerProperty(type=bpy.types.Object, description="The cable that this mesh follows, itself or baked")
    baked: StringProperty(
        description="How it was set and drawn when the bake began that it shows, as JSON", options=set()
    )
    source_hide_viewport: BoolProperty(description="Whether the source was hidden in viewports before", options=set())
    source_muted: BoolProperty(description="Whether keys of the source's visibility rest meanwhile", options=set())
    source_hide_render: BoolProperty(description="Whether the source was hidden in renders before", options=set())
    is_preview: BoolProperty(description="Whether this shows the frames of a bake that is running", options=set())
    stands_for: PointerProperty(type=bpy.types.Object, description="The object in whose place a preview is shown")
    waits_in_viewport: BoolProperty(description="Whether a preview is shown in viewports in its place", options=set())
    waits_in_render: BoolProperty(description="Whether a preview is rendered in its place", options=set())
    look: StringProperty(description="How the source of this result looked at the last bake", options=set())
    place: FloatVectorProperty(description="Where the last bake had this result", size=16, options=set())
    bend_radius: FloatProperty(
        name="Bend Radius", subtype="DISTANCE", precision=4, options=set(),
        description="The smallest of this cable when it was last settled or baked; 0: it is straight",
    )  # fmt: skip
    missing: FloatProperty(
        name="Missing Length", subtype="DISTANCE", precision=4, options=set(),
        description="How much this cable was too short at most when it was last baked; 0: it was not",
    )  # fmt: skip
    tension: FloatProperty(
        name="Tension (N)", description="The largest of this cable when it was last settled or baked; 0: it was not",
        options=set(),
    )  # fmt: skip
    transverse: FloatProperty(
        name="Pressure (N)", description="The largest force across this cable when it was last settled or baked",
        options=set(),
    )  # fmt: skip
    curvature_at: _place("bent most")
    tension_at: _place("pulled most")
    transverse_at: _place("pressed most")
    chafing: FloatProperty(
        name="Chafing (J)", options=set(),
        description="What pressed this cable in its last bake, times how far it slid there, over all of its length",
    )  # fmt: skip
    length: FloatProperty(
        name="Length", subtype="DISTANCE", precision=4, options=set(),
        description="Of this cable when it was last settled, or at most in its last bake; 0: it was not",
    )  # fmt: skip
    first_length: FloatProperty(
        name="First Length", subtype="DISTANCE", precision=4, options=set(),
        description="Of this cable when it was first settled, which Difference counts from",
    )  # fmt: skip
    needed_length: FloatProperty(
        name="Needed Length", subtype="DISTANCE", precision=4, options=set(),
        description="How long this cable has to be for all that holds it, when that was last asked; 0: it was not",
    )  # fmt: skip


def source_of(obj):
    """The object whose bake `obj` shows, finished or not, or else `obj`."""
    obj = obj.tendril.stands_for or obj
    source = obj.tendril.source
    return source if source is not None and source.tendril.result == obj else obj


def is_edited(source):
    """Whether the source of a bake is shown, to be edited, and not the bake."""
    item = source.tendril.result
    return item is not None and item.tendril.source == source and not source.hide_viewport


def bereft(scene):
    """The objects of a scene that are hidden for a bake whose result the artist deleted."""
    hidden = (item for item in scene.objects if item.tendril.result and item.hide_viewport)
    return [item for item in hidden if item.tendril.result.name not in scene.objects]


def has_bake(scene):
    """Whether a bake of something in a scene is shown."""
    return any(item.tendril.result is not None for item in scene.objects)


def moves(scene):
    """Whether a bake of a scene has something to move in time; a cable hangs at rest in each frame."""
    solid = any(own.is_soft or (own.is_body and own.body.motion == "DYNAMIC") for own in _all(scene))
    return solid or takes_steps(scene)


def takes_steps(scene):
    """Whether a scene has rods whose steps a solver is chosen for."""
    return any(item.tendril.is_rod and not is_cable(item) for item in scene.objects)


def _all(scene):
    return (item.tendril for item in scene.objects)


def rod_of(obj, carried=True):
    """The rod that `obj` is, or whose bake it shows, or, with `carried`, that carries it; None if neither."""
    source = obj and source_of(obj)
    if source and source.tendril.is_rod:
        return source
    carrier = followed(obj) if obj and carried else None
    return rod_of(carrier, False) if carrier and carrier.users_scene else None


def thing_of(obj):
    """What an artist means by `obj`: the rod that carries it, the object whose bake it shows, or else itself."""
    return rod_of(obj) or source_of(obj)


def cable_of(obj):
    """The cable that `obj` is, or whose bake it shows; None if neither."""
    rod = rod_of(obj)
    return rod if rod and is_cable(rod) else None


def is_cable(rod):
    return rod.tendril.rod.model == "CABLE" and not rod.tendril.is_tree


def body_of(obj):
    """The rigid body that `obj` is, or whose bake it shows; None if neither."""
    source = obj and source_of(obj)
    return source if source and source.tendril.is_body else None


def soft_of(obj):
    """The soft body that `obj` is, or whose bake it shows; None if neither."""
    source = obj and source_of(obj)
    return source if source and source.tendril.is_soft else None


def sheet_of(obj):
    """The soft body that `obj` is, or whose bake it shows, if that is a sheet; else None."""
    soft = soft_of(obj)
    return soft if soft and soft.tendril.soft.is_sheet else None


def solid_of(obj):
    """The same if it is none."""
    return None if sheet_of(obj) else soft_of(obj)


def body_with(obj):
    """The rigid body that `obj` is, or is parented to and moves with: a dynamic one; None if neither."""
    item = obj
    while item:
        body = body_of(item)
        if body and (item == obj or body.tendril.body.motion != "ANIMATED"):
            return body
        item = item.parent
    return None


classes = (
    TendrilWeights, TendrilRod, TendrilTree, TendrilBody, *soft_classes, TendrilCollider, TendrilPin, TendrilLoad,
    TendrilObject,
)  # fmt: skip
