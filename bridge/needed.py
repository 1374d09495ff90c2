"""The scene as it asks for lengths of cables."""

from ..physics.scenes.taut import taut
from ..physics.scenes.without_cables import cables_of
from .scene import read_scene


def read_taut(context, source, folder):
    """(Scene in which cables are taut, numbers of those of an object among its cables): see scenes/taut. Raises
    SceneError, BakeError, as `read_scene` does with a folder.
    """
    description, meta = read_scene(context, folder)
    owners = [entry["session_uid"] for entry in meta["sources"] for _ in entry["splines"]]
    numbers = [k for k, rod in enumerate(cables_of(description)) if owners[rod] == source.session_uid]
    return taut(description), numbers
