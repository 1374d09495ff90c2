"""Whether a scene's gravity was forgotten when its unit scale was set: 9.81 is of metres, and counts Blender units."""

STANDARD = 9.81  # m/s², and the number a new scene has
NEARLY = 0.01  # of it


def forgotten(scene):
    """How much of the Earth's gravity a scene has, where nobody seems to have chosen that; None otherwise."""
    settings = scene.unit_settings
    scale = settings.scale_length if settings.system != "NONE" else 1.0
    untouched = abs(scene.gravity.length / STANDARD - 1.0) < NEARLY
    return scale if scene.use_gravity and untouched and abs(scale - 1.0) > NEARLY else None
