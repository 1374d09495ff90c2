"""Settle Live: while what holds a cable is moved, by hand, by a slider or by playing, the cable is drawn as it hangs
there, as soon as the worker has found out. It goes on from where it hung before; what else is changed is read when
nothing more is for a moment. There is no undo step of its own, but where a cable shared its curve and gets one. What is
shown is what is rendered and saved. Off in each file that is opened; nothing listens or looks while it is off.
"""

import time

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ..bake.errors import BakeError
from ..bridge import changes, digests
from ..bridge.cable import Drawn, held_at, held_by, keep
from ..bridge.hanging import hanging_on, in_groups
from ..bridge.pulled import Pulled
from ..physics.validate import SceneError
from . import redraw
from .cable import LONGEST, begin, cables_of, propose, shows_bake, slow
from .obstacles import Obstructed, bake_is_running

CALM = 0.3  # s without a change, before it is looked for one beside what holds cables
INTERVAL = 0.005  # s, between looks at what the worker says
DRAWN_BY_US = ("shape", ".grip", ".fraction", ".target", "rest_length_factor")  # and targets are followed
_live = None  # while it is on


class Led:
    """Cables as they were read last. at: `Drawn.places` when they were settled last, None: they were not."""

    def __init__(self, context, cables):
        self.cables, self.drawn, self.at = cables, Drawn(context, cables), None
        self.drawn.check()
        self.path = propose(context, self.drawn)
        self.shapes = {cable: digests.of_shape(cable) for cable in cables}
        self.held_by = {cable: held_by(cable) for cable in cables}
        self.pulled, self.resized = Pulled(self.drawn), set()  # those that were pulled at since they were drawn
        self.warned = []  # sentences about those that were settled last
        self.led_to = {}  # what holds each, `held_now`, when they were settled last

    @property
    def by_hand(self):
        """What hangs on them and is selected, to be moved."""
        return [item for item, _ in self.drawn.hanging if item.select_get()]

    def is_as_read(self):
        """Whether the same holds them, in the same places of them."""
        return all(held_by(cable) == known for cable, known in self.held_by.items())

    def order(self, pulls):
        """To settle them, by `Drawn.order`; pulls: whether what has moved pulls length out of them."""

        def pulled(places):
            rows, cables = self.pulled.rows(places, pulls)
            self.resized |= cables
            return rows

        return self.drawn.order(self.by_hand, pulled=pulled)

    def draw(self, said):
        self.drawn.go_to(self.at)
        changed = self.drawn.changed(said)
        shared = [own.source for own in changed if own.source.data.users > 1]
        for cable in shared:
            cable.data = cable.data.copy()
        if shared:
            bpy.ops.ed.undo_push(message="Make Single User")  # undo that leaves the object knows its curve then
        hand = self.by_hand
        led_on = not np.array_equal(self.drawn.places(hand), self.at, equal_nan=True)
        self.drawn.settle(said, hand, changed, self.resized, led_on)
        if hand and not led_on:
            bpy.context.view_layer.update()
            self.at = self.drawn.places(hand)  # where its cables, or what it meets, keep it
        self.resized -= {own.source for own in changed}
        for cable in (own.source for own in changed):
            self.shapes[cable], self.held_by[cable] = digests.of_shape(cable), held_by(cable)
        keep([own.source for own in self.drawn.each for _ in own.lines], said, self.drawn.units)


class Live:
    """What cables were made of when they were read, by session_uid, and whether they are settled now.

    led: the Led of all that can be read, None: they are to be read; refused: where what holds a cable was, when it
    could not be read or settled, and why.
    """

    def __init__(self):
        self.led, self.refused, self.of = None, {}, {}
        self.due = 0.0  # when changes are looked for; 0: there are none
        self.worker = None
        self.heard = 0.0  # when it said something last

    def compare(self, context):
        """Forget cables that are otherwise than they were read, or what hangs on them is."""
        cables = {cable.session_uid: cable for cable in shown_cables(context)}
        bodies = {body.session_uid: body for body in hanging_on(cables.values())}
        found = changes.picture(context, [*cables.values(), *bodies.values()]) if cables else {}
        for number in bodies:  # which Settle Live moves
            del found[number]["motion"]
        if _apart(found.get(0)) != _apart(self.of.get(0)):
            self.led = None
            self.refused.clear()
        if own := self.led:
            numbers = [item.session_uid for item in (*own.cables, *(body for body, _ in own.drawn.hanging))]
            same = all(number in found and _apart(found[number]) == _apart(self.of.get(number)) for number in numbers)
            if not (same and all(digests.of_shape(cable) == shape for cable, shape in own.shapes.items())):
                self.led = None
        if any(_apart(found[number]) != _apart(self.of.get(number)) for number in bodies):
            self.refused.clear()
        for number in list(self.refused):
            if number not in cables or found[number] != self.of.get(number):
                del self.refused[number]
        self.of = found
        self.tell(context)

    def go_on(self, context):
        """Do what is to be done now, of reading, settling and drawing → whether there is more, soon."""
        if self.worker is None:
            return self.begin(context)
        for said in self.worker.poll():
            self.heard = np.inf if said["kind"] == "compiling" else time.monotonic()
            self.hear(context, said)
        if self.worker.over:
            self.worker = None
        elif time.monotonic() - self.heard > LONGEST:
            self.worker.kill()
            self.worker = None
            if self.led:
                self.refuse(context, self.led.cables, slow(self.led.cables, LONGEST), self.led.led_to)
        return True

    def begin(self, context):
        """Read or settle cables → whether there were any to be."""
        if not self.of:
            self.compare(context)
        cables, refused = [], self.refused
        for own in in_groups(shown_cables(context), cables_of(context)):
            before, _ = refused.get(own[0].session_uid, (None, ""))
            if not np.array_equal(held_now(own), before, equal_nan=True):
                cables += own
        if self.led and not (self.led.cables == cables and self.led.is_as_read()):
            self.led = None
        if not cables:
            return False
        if self.led is None:
            self.read(context, cables)
            return True
        at = self.led.drawn.places(self.led.by_hand)
        if np.array_equal(at, self.led.at, equal_nan=True):
            return False
        self.led.at, self.led.led_to, self.led.warned = at, held_together(cables), []
        try:
            self.worker = begin(self.led.path, self.led.order(context.window_manager.tendril.pull_length))
            self.heard = time.monotonic()
        except (SceneError, BakeError) as error:
            self.refuse(context, cables, str(error))
        return True

    def read(self, context, cables):
        """Cables together; where that cannot be, those are refused that cannot be read by themselves."""
        try:
            self.led = Led(context, cables)
            for cable in cables:
                self.refused.pop(cable.session_uid, None)
            return
        except (SceneError, BakeError) as error:
            text, groups = str(error), in_groups(cables, cables)
        for own in groups:
            try:
                Drawn(context, own).check()
            except SceneError as error:
                self.refuse(context, own, str(error))
        if not any(cable.session_uid in self.refused for cable in cables):
            self.refuse(context, cables, text)

    def hear(self, context, said):
        own = self.led
        if own is None or not own.is_as_read():  # something was changed meanwhile
            return
        match said["kind"]:
            case "settled":
                own.draw(said)
                self.tell(context)
            case "warning":
                own.warned.append(said["text"])
                self.tell(context)
            case "compiling":
                tell(context, said["text"])
            case "verdict" | "error":
                self.refuse(context, own.cables, said["text"], own.led_to)
            case "exit" if said["text"]:
                self.refuse(context, own.cables, ENDED, own.led_to)

    def refuse(self, context, cables, text, led_to=None):
        """They are read anew when what holds them is moved from led_to, or something is changed."""
        self.led = None
        for number, where in (led_to or held_together(cables)).items():
            self.refused[number] = where, text
        self.tell(context)

    def tell(self, context):
        """Say what is in the way of the first that is refused, or of which there is something to say."""
        texts = [text for _, text in self.refused.values()] + (self.led.warned if self.led else [])
        tell(context, next(iter(texts), ""), failed=True)

    def forget(self):
        """What was read is not there any more."""
        self.led, self.refused, self.of = None, {}, {}


ENDED = "The process that settles cables ended unexpectedly: move what holds the cable, and it starts again."


def shown_cables(context):
    """Those that are drawn as they are, and those that hang with them; none of what is shown as its bake."""
    cables = cables_of(context)
    groups = in_groups([one for one in cables if one.visible_get()], cables)
    return [cable for own in groups if not any(map(shows_bake, own)) for cable in own]


def held_together(cables):
    """{session_uid: `held_now` of those that hang with it}."""
    return {cable.session_uid: held_now(own) for own in in_groups(cables, cables) for cable in own}


def held_now(cables):
    """Where what holds cables is, as `Drawn.places` begins."""
    free = [body for body in hanging_on(cables) if not body.select_get()]
    return np.concatenate([held_at(cable, free) for cable in cables])


def _apart(items):
    """What is to be compared of a picture's {path: (label, value)}."""
    return {path: value for path, (_, value) in (items or {}).items() if not path.endswith(DRAWN_BY_US)}


def tell(context, text, failed=False):
    run = context.window_manager.tendril
    if run.live_message != text:
        run.live_message, run.live_failed = text, failed
        redraw.panels(context.window_manager)


@persistent
def changed(*_what):
    """Something was. What holds cables is looked at now, the rest when nothing more is changed; where an animation
    plays, which always changes, soon.
    """
    playing = bpy.context.screen and bpy.context.screen.is_animation_playing
    if not (playing and _live.due):
        _live.due = time.monotonic() + CALM
    _later(compare, CALM)
    _later(look, 0.0)


def _later(timer, seconds):
    if not (bpy.app.background or bpy.app.timers.is_registered(timer)):
        bpy.app.timers.register(timer, first_interval=seconds)


@persistent
def brought_back(*_what):
    """By undo or redo: nothing that was found before is there any more."""
    _live.forget()
    changed()


def _rests(context):
    """Whether cables are not to be drawn now, until there is a change."""
    run = context.window_manager.tendril
    return _live is None or context.scene is None or run.running or run.auto_update or context.mode.startswith("EDIT")


def look():
    """The timer that follows, which ends when there is no more to do."""
    context = bpy.context
    if _rests(context):
        return None
    if bpy.app.is_job_running("RENDER"):
        return CALM
    try:
        return INTERVAL if _live.go_on(context) else None
    except ReferenceError:  # something was deleted
        brought_back()
        return INTERVAL


def compare():
    """The timer that looks for other changes, once when there was one."""
    context = bpy.context
    if _rests(context):
        return None
    if bpy.app.is_job_running("RENDER") or time.monotonic() < _live.due:
        return CALM
    _live.due = 0.0
    _live.compare(context)
    _later(look, 0.0)
    return None


HANDLERS = {
    "depsgraph_update_post": changed,
    "frame_change_post": changed,
    "undo_post": brought_back,
    "redo_post": brought_back,
}


def switch_on(context):
    global _live
    _live = Live()
    context.window_manager.tendril.settle_live = True
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).append(handler)
    brought_back()


@persistent
def switch_off(*_what):
    global _live
    run = bpy.context.window_manager.tendril
    run.settle_live, run.pull_length, run.live_message = False, False, ""
    if _live is None:
        return
    for timer in (look, compare):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).remove(handler)
    _live = None
    redraw.panels(bpy.context.window_manager)


class TENDRIL_OT_settle_live(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.settle_live"
    bl_label = "Settle Live"
    bl_description = (
        "Draw cables as they hang while what holds them is moved: by hand, by a slider, or by playing. What is shown "
        "is rendered and saved; to render an animation, bake"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        return bake_is_running(context)

    def execute(self, context):
        switch_off() if _live else switch_on(context)
        redraw.panels(context.window_manager)
        return {"FINISHED"}


classes = (TENDRIL_OT_settle_live,)
