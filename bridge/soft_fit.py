"""Where the tetrahedra that fill a soft body are not as it is drawn."""

OFF = 0.02  # of the volume: tetrahedra that are further off are told


def misfits(name, inside):
    """What is to be told [sentence] of a Filling of the object `name`."""
    return [*_volume(name, inside), *_torn(name, inside)]


def _volume(name, inside):
    times = inside.filled / inside.volume
    if abs(times - 1.0) > OFF:
        yield (
            f"The tetrahedra of '{name}' have {times:.2f} times its volume, because it is thin for them; it weighs "
            f"what it should, but is too {'stiff' if times > 1.0 else 'soft'} there: raise its Resolution."
        )


def _torn(name, inside):
    if inside.torn:
        yield (
            f"The tetrahedra of '{name}' are in pieces that will fall apart, because it is thin for them in between: "
            "raise its Resolution."
        )
