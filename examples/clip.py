"""A clip of a bake: an animated WebP, which a page of Markdown shows as it shows a picture.

Blender writes still WebPs; what moves is their pictures one after another in a file of its own (RFC 9649, *WebP Image
Format*, §2.7: RIFF chunks VP8X, ANIM, and an ANMF for each frame).
"""

import struct
import tempfile
from pathlib import Path

import bpy
import studio

WIDTH, HEAVIEST = 360, 300_000  # pixels, bytes of a clip as wide as that
SHOWN, LAST = 100, 1000  # ms that a frame is shown, and the last one
SAMPLES, QUALITIES = 4, range(80, 20, -10)
ANIMATED = 0x02  # flag of VP8X


def film(scene, frames, path, width=WIDTH):
    """Render frames of a scene, so many pixels wide, as a clip that runs for ever and is not too heavy."""
    render = scene.render
    size = width, round(width * render.resolution_y / render.resolution_x)
    studio.cycles(scene, size, SAMPLES)
    with tempfile.TemporaryDirectory() as folder:
        stills = [Path(folder, f"{frame}.png") for frame in frames]
        for frame, still in zip(frames, stills, strict=True):
            scene.frame_set(frame)
            render.filepath = str(still)
            with studio.quiet():
                bpy.ops.render.render(write_still=True)
        for quality in QUALITIES:
            clip = animated([picture(still, quality, size) for still in stills], size)
            if len(clip) <= HEAVIEST * width / WIDTH:
                path.write_bytes(clip)
                return
    raise ValueError(f"{path.name} would be too heavy: show fewer frames")


def picture(still, quality, size):
    """The chunk "VP8 " of a picture of (width, height) as Blender writes it."""
    image, webp = bpy.data.images.load(str(still)), still.with_suffix(".webp")
    image.scale(*size)  # reads it: a file that nobody has looked at is copied as it is
    image.file_format = "WEBP"
    image.save(filepath=str(webp), quality=quality)
    bpy.data.images.remove(image)
    return next(part for part in chunks(webp.read_bytes()) if part[:4] == b"VP8 ")


def chunks(webp):
    """The chunks of a WebP, one after another, each with its name, size and padding."""
    at = 12
    while at < len(webp):
        size = int.from_bytes(webp[at + 4 : at + 8], "little")
        behind = at + 8 + size + size % 2
        yield webp[at:behind]
        at = behind


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def animated(pictures, size):
    """The bytes of a clip of (width, height) that shows pictures, chunks "VP8 ", one after another again and again."""
    extent = three(size[0] - 1) + three(size[1] - 1)
    head = chunk(b"VP8X", struct.pack("<I", ANIMATED) + extent) + chunk(b"ANIM", struct.pack("<IH", 0, 0))
    shown = [*[SHOWN] * (len(pictures) - 1), LAST]
    place = three(0) + three(0) + extent  # the corner, and so much
    frames = [chunk(b"ANMF", place + three(ms) + b"\0" + still) for ms, still in zip(shown, pictures, strict=True)]
    return chunk(b"RIFF", b"WEBP" + head + b"".join(frames))


def three(number):
    """A number as three bytes."""
    return number.to_bytes(3, "little")
