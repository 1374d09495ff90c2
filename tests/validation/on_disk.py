"""What a bake leaves in its folder, as bytes."""

from tendril.bake.cache import FRAMES


def frame_bytes(folder):
    """Of each frame."""
    return [path.read_bytes() for path in sorted((folder / FRAMES).iterdir())]


def contents(folder):
    """{name: bytes} of each file."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
