"""One that cannot be what it is to become never refuses the others that are selected."""

from ..bridge.presets import PresetError
from ..physics.validate import SceneError


def each_by_itself(operator, items, make):
    """make(item), which raises SceneError or PresetError with nothing changed → what the operator returns: those that
    were refused are named; where all were, it is cancelled.
    """
    refusals = []
    for item in items:
        try:
            make(item)
        except (SceneError, PresetError) as error:
            refusals.append(str(error))
    if len(refusals) == len(items) > 0:
        operator.report({"ERROR"}, refusals[0])
        return {"CANCELLED"}
    for text in refusals:
        operator.report({"WARNING"}, text)
    return {"FINISHED"}
