"""The motion of objects and bones, sampled finely enough for a solver to follow."""

from collections import namedtuple

import numpy as np

from ..physics.arithmetic.quaternions import continuous
from ..physics.validate import SceneError
from .units import nearest_rotation, quaternion, to_object

PER_FRAME = 4  # samples at least: a target may turn once around in a frame
FINEST = 1.0 / 64.0  # frames; what jumps is spread over this long
FARTHEST = 1e9  # Blender units
AT_ONCE = 256  # places that are carried at a time: some 6 MB of a thousand samples
MOST_TURN = np.cos(np.radians(90.0))

# times (k,) [s], position (k, 3) [m], turn since the start (k, 4) unit quaternion, influence (k,)
Motion = namedtuple("Motion", "times position turn influence")


def follow(aside, guides, units, last_frame, tolerance):
    """A Motion for each guide from `units.first_frame` to `last_frame`, true to `tolerance` [m] between samples.

    A guide has a `follower`, its copy in the side scene, carries the place `start` (3,) [m] along, knows its
    `influence()` at the present frame, and its `owner` and `what` it is, for SceneError: it is nowhere (NaN), far
    away or scaled to zero. Position: follower(t) · follower(start)⁻¹ · start. One with a `course` is carried by the
    shape of its follower (`course.Course`), which goes on cubics between whole frames, as a solver's pins do between
    samples: so nothing but the motion of the whole asks for more of these.
    """
    leads: dict = {}  # the first guide of each follower: hairs on a head are thousands, and it is one
    for guide in guides:
        leads.setdefault(guide.follower, guide)
    frames, matrices, influence = _sample(aside, guides, leads, units, last_frame, tolerance)
    times, still, whole = units.seconds(frames), np.ptp(influence, axis=0) < 1e-12, frames % 1.0 == 0.0
    turns = {follower: _turns(own) for follower, own in zip(leads, np.moveaxis(matrices, 1, 0), strict=True)}
    ways = {
        follower: (own, continuous(quaternion(turns[follower])), np.ptp(own, axis=0).max() < 1e-12)
        for follower, own in zip(leads, np.moveaxis(matrices, 1, 0), strict=True)
    }
    found = []
    for guide, share, alike in zip(guides, influence.T, still, strict=True):
        own, rotation, at_rest = ways[guide.follower]
        if guide.by_frame and guide.course:
            kept = whole
            position, turn = guide.course.places(own[whole], turns[guide.follower][whole], guide.start, units), None
        elif guide.course:
            kept = whole if alike and at_rest else slice(None)
            position, turn = guide.course.carry(
                frames[kept], own[kept], turns[guide.follower][kept], guide.start, units
            )
        else:
            kept = slice(1) if alike and at_rest else whole if guide.by_frame else slice(None)
            position, turn = _carry(own[kept], guide.start[None], units)[:, 0], rotation[kept]
        found.append(Motion(times[kept], position, turn, share[kept]))
    return found


def _sample(aside, guides, leads, units, last_frame, tolerance):
    """Frames (k,), matrices (k, f, 4, 4) of followers, influences (k, p): as many as it takes to be true."""
    first = units.first_frame
    frames = np.linspace(first, last_frame, (last_frame - first) * PER_FRAME + 1)
    matrices, influence = _read(aside, guides, leads, frames)
    while len(wide := _too_far_apart(frames, matrices, guides, leads, units, tolerance)):
        between = 0.5 * (frames[wide] + frames[wide + 1])
        more_matrices, more_influence = _read(aside, guides, leads, between)
        order = np.argsort(np.concatenate([frames, between]))
        frames = np.concatenate([frames, between])[order]
        matrices = np.concatenate([matrices, more_matrices])[order]
        influence = np.concatenate([influence, more_influence])[order]
    return frames, matrices, influence


def _read(aside, guides, leads, frames):
    matrices, influence = np.empty((len(frames), len(leads), 4, 4)), np.empty((len(frames), len(guides)))
    asked = {}  # each once: hairs share theirs
    columns = [asked.setdefault(guide.influence, len(asked)) for guide in guides]
    for row, frame in enumerate(frames):
        aside.go(frame)
        influence[row] = np.array([each() for each in asked])[columns]
        for column, follower in enumerate(leads):
            matrices[row, column] = aside.matrix(follower)
    for row, number in np.argwhere(np.isnan(influence))[:1]:
        owner, pin = guides[number].owner, guides[number].name
        raise SceneError(
            owner, f"'{owner}': the influence of pin '{pin}' is not a number at frame {frames[row]:g}: key it anew."
        )
    check_places([*leads.values()], matrices, frames)
    return matrices, influence


def check_places(guides, matrices, frames):
    """Raises SceneError: the first of the matrices (k, f, 4, 4) at frames (k,) that leads a guide nowhere."""
    axes, places = matrices[..., :3, :3], matrices[..., :3, 3]
    with np.errstate(invalid="ignore"):
        volumes = np.abs(np.linalg.det(axes))
    trouble = {
        "is not a number": ~np.isfinite(matrices).all(axis=(2, 3)),
        "is far away from everything": np.abs(places).max(axis=2) > FARTHEST,
        "has a scale of 0": volumes <= 1e-12 * np.linalg.norm(axes, axis=(2, 3)) ** 3,
    }
    for row, column in np.argwhere(np.any(list(trouble.values()), axis=0))[:1]:
        guide, what = guides[column], next(text for text, found in trouble.items() if found[row, column])
        text = f"'{guide.owner}': {guide.what} {what} at frame {frames[row]:g}: change its animation."
        raise SceneError(guide.owner, text)


def _too_far_apart(frames, matrices, guides, leads, units, tolerance):
    """Intervals, longer than the finest, in which some target turns more than 90° or strays from a straight way."""
    wide = np.zeros(len(frames) - 1, dtype=bool)
    own = dict(zip(leads, np.moveaxis(matrices, 1, 0), strict=True))
    for turn in map(_turns, own.values()):
        wide |= 0.5 * (np.einsum("kij,kij->k", turn[1:], turn[:-1]) - 1.0) < MOST_TURN
    share = ((frames[1:-1] - frames[:-2]) / (frames[2:] - frames[:-2]))[:, None, None]
    starts = {follower: [] for follower in leads}
    for guide in guides:
        starts[guide.follower].append(guide.start)
    for follower, all_starts in starts.items():
        for some in range(0, len(all_starts), AT_ONCE):
            place = _carry(own[follower], np.array(all_starts[some : some + AT_ONCE]), units)
            stray = np.linalg.norm(place[1:-1] - (1 - share) * place[:-2] - share * place[2:], axis=2).max(axis=1) / 4.0
            wide[:-1] |= stray > tolerance
            wide[1:] |= stray > tolerance
    return np.flatnonzero(wide & (np.diff(frames) > 1.5 * FINEST))


def _carry(matrices, starts, units):
    """Where target matrices (k, 4, 4) carry the places starts (p, 3) [m]: (k, p, 3)."""
    local = to_object(matrices[0], units.blender_units(starts))
    return units.metres(np.einsum("kij,pj->kpi", matrices[:, :3, :3], local) + matrices[:, None, :3, 3])


def _turns(matrices):
    """Turns (k, 3, 3) of target matrices (k, 4, 4) since the first."""
    return nearest_rotation(matrices[:, :3, :3] @ np.linalg.inv(matrices[0, :3, :3]))
