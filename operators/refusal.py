"""An operator that cannot do what is asked says why, in one sentence, and is cancelled."""

from functools import wraps

from ..bake.errors import BakeError
from ..bridge.presets import PresetError
from ..physics.validate import SceneError


def refuses(execute):
    """For an operator's `execute`, which raises what is wrong before it changes anything."""

    @wraps(execute)
    def told(self, context):
        try:
            return execute(self, context)
        except (SceneError, BakeError, PresetError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    return told
