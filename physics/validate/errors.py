"""What refuses a scene or ends a bake: an object and one sentence about it, with the cure."""


class SceneError(ValueError):
    """Something that cannot be simulated; `object` names what it is about, the text is one sentence with the cure."""

    def __init__(self, object: str, text: str) -> None:
        super().__init__(text)
        self.object = object


class SimulationError(SceneError):
    """A bake that had to stop: which object, and why."""


class CheckpointError(ValueError):
    """A state that is not one of the scene, or of another version: nothing can go on from it."""
