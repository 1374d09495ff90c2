"""Frames of an earlier bake that stay show hair between guides as that one did: drawn as it was, on roots where they
were. No bpy.

entry: what a job keeps of a hair object; was: what the earlier one keeps of it, or None. See `guided_hair`.
"""

import numpy as np

DRAWN = "starts", "closed", "guides"


def is_alike(entry, was):
    """Whether it has the strands and guides that it had."""
    now, then = entry.get("strands"), (was or {}).get("strands")
    if now is None or then is None:
        return now is then
    return all(np.array_equal(now[name], then[name]) for name in DRAWN)


def stay(entry, was, bodies, before):
    """Let it be as it was in all frames → whether it can; bodies, before: of the scene and of the earlier one."""
    then, number = was.get("strands"), None
    if then and "body" in then:
        names = [body.name for body in bodies]
        name = before[then["body"]].name
        if name not in names:
            return False
        number = names.index(name)
    if not is_alike(entry, was):
        return False
    if then:
        entry["strands"] = then if number is None else then | {"body": number}
    return True


def go_on(entry, was, begin):
    """Let it be as it was in the frames before `begin`, and be drawn so from there on, on roots where they are now →
    whether it can.
    """
    now, then = entry.get("strands"), (was or {}).get("strands")
    if not is_alike(entry, was) or (now and now.keys() != then.keys()):
        return False
    if now and "roots" in now:
        first = np.delete(now["starts"][:-1], now["guides"])
        moved = (now["x"][first] - then["x"][first]).astype(np.float32)
        now["roots"] = np.concatenate([then["roots"][:begin], now["roots"][begin:] + moved])
    if now:
        entry["strands"] = then | {name: now[name] for name in ("roots", "body") if name in now}
    return True
