"""Where the points of a bake are kept."""

from bpy.props import EnumProperty

STORAGES = (
    ("KEYS", "Shape Keys", "Keep the bake in this file, in a shape key for each frame"),
    ("FILE", "Mesh Cache File", "Keep the bake in a file beside the cache, which a Mesh Cache modifier plays. For fine "
     "meshes, leaves and hair: this file stays small. It knows no twist: stripes on rods turn as if there were none"),
)  # fmt: skip


def storage():
    """The property."""
    return EnumProperty(
        name="Bake To",
        items=STORAGES,
        description="What plays the bake, of a tree with its leaves",
        options=set(),
    )
