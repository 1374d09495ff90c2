"""Wind as it blows: Blender's own F-curves with Noise modifiers, on the strength and the heading of a wind field.

Near the ground the speed of the air varies by a fifth of its mean or so (turbulence intensity), most of it within some
seconds, ever less the faster (Kaimal et al. 1972, *Spectral characteristics of surface-layer turbulence*), and its
heading with it. Two octaves of smooth noise, one for the swell and one for the gusts, multiply the mean, so that an
artist who keys another speed scales both.
"""

SWELL, GUST, VEER = 5.0, 1.3, 3.0  # s, in which the noise goes from one random value to the next
DETAIL = 2  # octaves more of the gusts
HEADING = 1.6  # rad, strength of a noise whose standard deviation is a fourteenth of that
RISE = 1.0  # s
APART = 600.0  # s, between the noises


def blow(item, speed, gusts, seed, first_frame, fps):
    """Animate the wind field of an object: from calm at `first_frame` to `speed` [Blender units/s], then around it.

    gusts: 0 for none, 1 for all that nature has.
    """
    calm, risen = first_frame, first_frame + RISE * fps
    strength = _keyed(item, "field.strength", -1, {calm: 0.0, risen: speed})
    heading = _keyed(item, "delta_rotation_euler", 2, {calm: 0.0})  # which leaves the rotation to the artist
    noises = (
        (strength, "MULTIPLY", 2.0, SWELL, 0),  # by 0 … 2, 1 on average
        (strength, "MULTIPLY", 2.0, GUST, DETAIL),
        (heading, "REPLACE", HEADING, VEER, 0),  # which adds, around the value
    )
    for number, (curve, how, size, seconds, octaves) in enumerate(noises):
        noise = curve.modifiers.new("NOISE")
        noise.blend_type, noise.strength, noise.scale, noise.depth = how, size, seconds * fps, octaves
        noise.offset = first_frame - APART * fps * (len(noises) * seed + number)
        noise.use_influence, noise.influence = True, gusts


def _keyed(item, path, index, values):
    """The F-curve of an object's property with these keys, {frame: value}, that ease in and out."""
    for frame in values:
        item.keyframe_insert(path, index=index, frame=frame)
    animation = item.animation_data
    channels = animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves
    curve = channels.find(path, index=max(index, 0))
    for point, value in zip(curve.keyframe_points, values.values(), strict=True):
        point.co.y, point.interpolation = value, "BEZIER"
        point.handle_left_type = point.handle_right_type = "AUTO_CLAMPED"
    curve.update()
    return curve
