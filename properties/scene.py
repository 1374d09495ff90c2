"""What is set on a scene: how one bake of all its rods is made."""

import bpy
from bpy.props import PointerProperty, StringProperty

from .declare import declare, declare_choice, forget_estimate
from .parameters import SCENE


def usual_cache():
    """Where the frames of a bake go if no folder is chosen, as an artist reads it."""
    return "Beside the file" if bpy.data.filepath else "Temporary"


class TendrilScene(bpy.types.PropertyGroup):
    """Quality, frames, surroundings and cache of the scene's bake."""

    solver: declare_choice(
        "Solver",
        (
            (
                "AUTOMATIC",
                "Automatic",
                "The one that bakes sooner without calming what swings. Estimate Duration says which, and why",
            ),
            ("EXPLICIT", "Explicit", "Loses hardly any swing. Stiff and finely drawn rods need many small steps"),
            (
                "IMPLICIT",
                "Implicit",
                "Steps as long for steel of a thousand points as for wool of ten: hair, wires, cables, trees",
            ),
        ),
        "How steps of time are taken",
    )
    quality: declare_choice(
        "Quality",
        (
            ("PREVIEW", "Preview", "Large steps: quick, for finding the motion"),
            ("GOOD", "Good", "Steps for the final bake"),
            ("FINE", "Fine", "Steps half as long as those of Good, for fast or delicate motion"),
        ),
        "How small the steps of time are, against the largest that is stable",
        default="GOOD",
    )
    treatment: declare_choice(
        "Contact By",
        (
            ("CONSTRAINTS", "Constraints", "Nothing overlaps: gaps are closed within the step, whatever presses"),
            (
                "SPRINGS",
                "Springs",
                "Overlaps push back, as in the papers: a check of the other, in explicit steps of rods alone",
            ),
        ),
        "What keeps things that touch apart",
    )
    use_frame_range: declare(SCENE["use_frame_range"])
    frame_start: declare(SCENE["frame_start"])
    frame_end: declare(SCENE["frame_end"])
    keep_swing: declare(SCENE["keep_swing"])
    settle: declare(SCENE["settle"])
    contact: declare(SCENE["contact"])
    push_apart: declare(SCENE["push_apart"])
    collision_collection: PointerProperty(
        name="Collides With",
        type=bpy.types.Collection,
        description="Rods and rigid bodies collide only with what is in this collection, or in those within it. "
        "Empty: with every collider",
        update=forget_estimate,
    )
    use_passive_bodies: declare(SCENE["use_passive_bodies"])
    use_floor: declare(SCENE["use_floor"])
    floor_height: declare(SCENE["floor_height"])
    floor_friction: declare(SCENE["floor_friction"])
    air_density: declare(SCENE["air_density"])
    cache_folder: StringProperty(
        name="Cache",
        description="Folder for the frames of the bake. Empty: tendril_cache beside the .blend file, a temporary one "
        "as long as that is not saved",
        subtype="DIR_PATH",
        options={"PATH_SUPPORTS_BLEND_RELATIVE"},
    )
    baked: StringProperty(description="How the scene was set when its bake began, as JSON", options=set())
    baked_in: StringProperty(description="The folder of its last bake", options=set())
    baked_hash: StringProperty(description="The input hash of that bake", options=set())


classes = (TendrilScene,)
