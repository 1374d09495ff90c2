"""The scene as it asks for lengths of cables."""

from ..physics.scenes.taut import taut
from ..physics.scenes.without_cables import cables_of
from ..physics.validate import SceneError
from .hanging import hanging_on
from .scene import read_scene


def read_taut(context, sources, folder):
    """(the Scene of cables alone, taut: see scenes/taut, its meta, and of each of its cables the session_uid). Raises
    SceneError, BakeError, as `read_scene` does with a folder.
    """
    for body in hanging_on(sources):
        name = next(source.name for source in sources if body in hanging_on([source]))
        raise SceneError(
            name, f"'{name}' is joined with '{body.name}', which goes where its cables have it: how long it has to be "
            "is told of a cable that is held at both ends.",
        )  # fmt: skip
    description, meta = read_scene(context, folder)
    owners = [entry["session_uid"] for entry in meta["sources"] for _ in entry["splines"]]
    asked = {source.session_uid for source in sources}
    rods = [rod for rod in cables_of(description) if owners[rod] in asked]
    return taut(description, {*rods}), meta, [owners[rod] for rod in rods]
