"""The scene as it asks for lengths of cables."""

from ..physics.scenes.taut import taut
from ..physics.scenes.without_cables import cables_of
from ..physics.validate import SceneError
from .hanging import hanging_on
from .scene import read_scene


def read_taut(context, source, folder):
    """The Scene of a cable alone, taut: see scenes/taut. Raises SceneError, BakeError, as `read_scene` does with a
    folder.
    """
    for body in hanging_on([source]):
        raise SceneError(
            source.name, f"'{source.name}' is joined with '{body.name}', which goes where its cables have it: how long "
            "it has to be is told of a cable that is held at both ends.",
        )  # fmt: skip
    description, meta = read_scene(context, folder)
    owners = [entry["session_uid"] for entry in meta["sources"] for _ in entry["splines"]]
    return taut(description, {rod for rod in cables_of(description) if owners[rod] == source.session_uid})
