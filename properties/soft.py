"""What is set on a soft body: of what it is, how finely it is simulated, and where it is held."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty

from .declare import declare, forget_estimate, forget_preset
from .parameters import SOFT, SQUASH, poisson_of, squash_shown


def _get_squash(soft):
    return squash_shown(soft.poisson)


def _set_squash(soft, shown):
    soft.poisson = poisson_of(shown)


class TendrilSoftPin(bpy.types.PropertyGroup):
    """Ties a vertex group to an object or bone, which it follows with the offset it has at the first frame."""

    name: StringProperty(name="Name", default="Pin")
    group: StringProperty(
        name="Vertex Group",
        description="The vertices that are held, those with a weight above a half",
        options=set(),
        update=forget_estimate,
    )
    target: PointerProperty(
        name="Target",
        type=bpy.types.Object,
        description="The object that these vertices follow. None: the animation of the soft body's own object",
        update=forget_estimate,
    )
    bone: StringProperty(
        name="Bone", description="The bone that they follow, if the target is an armature", options=set()
    )


class TendrilSoft(bpy.types.PropertyGroup):
    """Material, resolution and pins of a soft body."""

    preset: StringProperty(
        name="Preset", description="The preset this material is from, if nothing was changed since", options=set()
    )
    young: declare(SOFT["young"], update=forget_preset)
    poisson: declare(SOFT["poisson"], update=forget_preset)
    squash: declare(SQUASH, get=_get_squash, set=_set_squash)
    relaxation: declare(SOFT["relaxation"], update=forget_preset)
    density: declare(SOFT["density"], update=forget_preset)
    friction: declare(SOFT["friction"])
    resolution: declare(SOFT["resolution"])
    pins: CollectionProperty(type=TendrilSoftPin)
    active_pin: IntProperty(name="Active Pin", options=set())


classes = (TendrilSoftPin, TendrilSoft)
