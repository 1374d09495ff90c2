"""One bake, from the scene as it is now to the animation it becomes. The buttons and the command line both run this."""

import time
from dataclasses import replace
from pathlib import Path

import bpy

from ..bake import folder, job, process, replacing, samples
from ..bake.cache import Cache
from ..bake.errors import BakeError
from ..bake.messages import ends, message
from ..bake.selected import KINDS
from ..bridge import cable, changes, copies, earlier_hair, result
from ..bridge.scene import read_scene
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import body_of, rod_of, soft_of, thing_of
from ..properties.run import duration
from . import compile_ahead, previewing, run_state
from .cache_folder import bake_folder, cache_folder, remember
from .kernel_folder import kernel_folder

CANCELLING = "Cancelling, after this frame"
OPEN_ENDED = {"settling": "Settling"}  # nobody knows how long it takes


class Baking:
    """What is to be baked. It holds no object: undo replaces them, and `result` finds them again.

    ending: the kind of message it ended with (`messages.EXIT_CODES`), "exit" as long as there is none.
    """

    resume = settle_only = began = cancelled = False
    ending, doing, since = "exit", "", 0.0
    measured = worker = previewing = None

    def __init__(self, context, *, resume=False, settle_only=False, from_here=False, selected=False):
        """Checks the scene and writes the job. Raises SceneError, BakeError, with nothing changed."""
        self.started = time.monotonic()
        place = cache_folder(context.scene) if resume or from_here or selected else bake_folder(context.scene)
        if settle_only:  # beside the bake's cache, which it must not replace
            place = folder.locate(Path(bpy.app.tempdir), f"tendril_settle {context.scene.name}")
        read = read_scene if resume or from_here or selected else copies.read_scene_of_all
        description, self.meta = read(context, place)
        if resume and Cache(place).input_hash == context.scene.tendril.baked_hash:
            self.meta["changed"] = changes.since_bake(context)
        if settle_only:
            description = replace(description, settle=True, frame_count=1)
            self.meta["temporary"] = True
        try:
            check_held(description, context.scene.name)
            begin = context.scene.frame_current - self.meta["units"]["first_frame"] if from_here else 0
            anew = numbers_of(self.meta, selected_sources(context)) if selected else None
            shown = changes.bakes(context)
            for entry in _entries(self.meta):
                entry["bake"] = shown.get(entry["session_uid"])
            if (selected or from_here) and shown[0] not in {None, Cache(place).bake}:
                _let_undone(self.meta, anew, begin, place)
            for number, entry in enumerate(self.meta["soft"]):
                if anew is not None and number not in anew["solids"]:
                    entry.pop("seen", None)  # it stays where an earlier rig had it
            if anew is not None:
                _let_stay(description, self.meta, anew, place)
            if begin > 0:
                _let_go_on(description, self.meta, begin, place)
            self.job = job.propose(folder.prepare(place), description, self.meta, begin, anew)
        except (SceneError, BakeError):
            samples.discard(description)
            raise
        self.resume, self.settle_only = resume, settle_only
        self.earlier = Cache(place).bake
        self.picture = changes.picture(context)

    def start(self):
        """The Worker that bakes it, and compiles from where it was compiled ahead. Raises BakeError."""
        compile_ahead.stop()
        self.worker = process.Worker.start(
            self.job.path, resume=self.resume, python_args=bpy.app.python_args, kernels=kernel_folder()
        )
        if self.cancelled:
            self.worker.cancel()
        return self.worker

    def cancel(self):
        """Ends it after the current frame, also before it was started. Signals may call this at any time."""
        if not self.cancelled and self.worker:
            self.worker.cancel()
        self.cancelled = True

    def run(self, context, tell=lambda _said: None):
        """Bakes, calling tell(message), until it is over. Raises BakeError."""

        def hear(said):
            self.hear(context, said)
            tell(said)

        run_state.begin(context.window_manager.tendril)
        try:
            worker = self.start()
            try:
                process.listen(worker, hear)
            finally:
                worker.kill()
        finally:
            run_state.end(context.window_manager.tendril)
        self.end(context)

    def hear(self, context, said):
        self.began = self.began or said["kind"] == "progress"
        if ends(said):
            self.ending = said["kind"]
        if said["kind"] == "cables":
            self.measured = said
        run = context.window_manager.tendril
        run_state.hear(run, said, self.meta["units"]["first_frame"], resumable=not self.settle_only)
        if said["kind"] not in {"log", self.doing}:
            self.doing, self.since = said["kind"], time.monotonic()
        if said["kind"] == "verdict" and said["ok"]:
            for notice in self.meta["notices"]:
                run_state.hear(run, message("warning", **notice), self.meta["units"]["first_frame"])
            if not self.settle_only:
                run.estimate = said["text"]
        if said["kind"] == "done":
            run.message = "Settled" if self.settle_only else run_state.baked(said["frames"], said["frames"])

    def tell_what_lasts(self, run):
        """Of what may take any time, say how long it has taken; and that a frame is waited for, which ends it. What has
        said its last, though its process is there yet, is not waited for.
        """
        if self.ending != "exit":
            return
        if run.cancelling:
            run.message = CANCELLING
        elif what := OPEN_ENDED.get(self.doing):
            run.message = f"{what}: {duration(time.monotonic() - self.since)}"

    def preview(self, context):
        """Show the frames that are finished, while others are baked."""
        if self.began and not self.settle_only:
            self.previewing = self.previewing or previewing.Previewing(context, self.meta, self.job)
            self.previewing.go_on(context)

    def end(self, context):
        """Makes the finished frames animation; what cannot be shown is a message. Never raises for a damaged cache."""
        run = context.window_manager.tendril
        run_state.end(run)
        previewing.end()
        if self.began:
            run.took = f"It took {duration(time.monotonic() - self.started)}"
        try:
            if self.ending == "cancelled" and job.at_work(self.job.folder) == self.job.path.name:
                replacing.keep(self.job.folder)  # this one's frames, and none that one left which was killed
            cache = Cache(self.job.folder)
            if self.began and cache.frames and (self.resume or cache.bake != self.earlier):  # else all is as it was
                self.show(context, cache)
        except (SceneError, BakeError) as error:
            run_state.fail(run, str(error))
        run_state.compare(context)
        run_state.measure_cache(context)

    def show(self, context, cache):
        """Makes the frames of a Cache animation. Raises BakeError when they are not all, with those before shown."""
        damage = []
        self.replace_results(context, cache, lambda *found: damage.append(found))
        count, trouble = damage[0] if damage else (len(cache.frames), "")
        if self.settle_only:
            context.scene.tendril.baked = ""
        else:
            changes.keep(context, self.picture, count, self.job.scene.frame_count, cache.bake, self.staying())
            remember(context.scene, self.job.folder, self.job.input_hash)
        if trouble:
            raise BakeError(trouble)

    def staying(self):
        """session_uids of what stayed as it was baked before."""
        now = job.read(self.job.folder)
        return {uid for uid, own in numbers_by_source(self.meta).items() if not _is_among(own, now.anew)}

    def replace_results(self, context, cache, warn):
        """Makes the result of the active object active in its place."""
        objects = context.view_layer.objects  # a command has no context.object
        source = rod_of(objects.active, False) or body_of(objects.active) or soft_of(objects.active)
        if source and objects.active.mode != "OBJECT":  # what is edited may be about to be replaced
            bpy.ops.object.mode_set(mode="OBJECT")
        result.show(context, self.meta, cache, warn)
        cables = self._cables()
        if self.measured and len(self.measured["tension"]) == len(cables):  # else some are of another bake
            cable.keep(cables, self.measured, Units(**self.meta["units"]), baked=True)
        shown = source and result.result_of(source)
        if shown and shown.visible_get():
            source.select_set(False)
            shown.select_set(True)
            objects.active = shown

    def _cables(self):
        """The object of each cable of the scene, one after the other, None where it is gone."""
        owners = [entry for entry in self.meta["sources"] for _ in entry["splines"]]
        pairs = zip(owners, self.job.scene.rods, strict=True)
        return [result.find_source(self.meta, entry) for entry, rod in pairs if rod.model == "cable"]


def selected_sources(context):
    """session_uids of the selected rods and bodies, or of those whose bake or preview is selected."""
    return {thing_of(item).session_uid for item in context.selected_objects}


def numbers_of(meta, chosen):
    """Numbers of the things in a Scene, by kind, that are of objects with these session_uids."""
    own = [numbers for uid, numbers in numbers_by_source(meta).items() if uid in chosen]
    return {kind: sorted(number for numbers in own for number in numbers[kind]) for kind in KINDS}


def _entries(meta):
    """Of all objects that are baked."""
    return [*meta["sources"], *meta["bodies"], *meta["soft"]]


def _is_among(numbers, anew):
    """Whether some of the things of an object, by kind, are among those that are simulated, `Job.anew`."""
    return anew is None or any(number in anew[kind] for kind, own in numbers.items() for number in own)


def numbers_by_source(meta):
    """{session_uid: numbers of its things in a Scene, by kind} of all objects that are baked."""
    found, rod = {}, 0
    for entry in meta["sources"]:
        end = rod + len(entry["splines"])
        found[entry["session_uid"]] = dict.fromkeys(KINDS, ()) | {"rods": range(rod, end)}
        rod = end
    for kind, entries in (("bodies", meta["bodies"]), ("solids", meta["soft"])):
        for number, entry in enumerate(entries):
            found[entry["session_uid"]] = dict.fromkeys(KINDS, ()) | {kind: (number,)}
    return found


def _let_undone(meta, anew, begin, place):
    """Let what is shown as another bake had it than the one at `place`, as undo leaves it, be baked anew too; of a bake
    from `begin` on the frames up to that have to be the same. Raises SceneError: they are not; BakeError.
    """
    earlier, cache, own = job.read(place), Cache(place), numbers_by_source(meta)
    things, known = numbers_by_source(earlier.meta), {one["name"]: one for one in _entries(earlier.meta)}
    for entry in _entries(meta):
        name, shown, was = entry["name"], entry["bake"], known.get(entry["name"])
        if was is None or shown is None:
            continue
        simulated = _is_among(things[was["session_uid"]], earlier.anew)
        there = cache.bake if simulated else was.get("bake")
        same_so_far = simulated and 0 < begin <= earlier.begin and shown == was.get("bake")
        if there in {shown, None} or same_so_far:
            continue
        if anew is None:
            raise SceneError(
                name, f"'{name}' is shown as an earlier bake had it, for a later one was undone: redo that, or bake "
                "all of it again.",
            )  # fmt: skip
        if not _is_among(own[entry["session_uid"]], anew):
            for kind, numbers in own[entry["session_uid"]].items():
                anew[kind] = sorted({*anew[kind], *numbers})
            text = f"'{name}' is shown as an earlier bake had it, for a later one was undone: it is baked anew too."
            meta["notices"].append({"object": name, "frame": 0, "text": text})


def _let_stay(description, meta, anew, place):
    """Let hair that is not baked anew be as the job at `place` has it; that with other strands or guides is, too."""
    own = numbers_by_source(meta)
    staying = [
        entry
        for entry in meta["sources"]
        if entry["hair"] and not {*own[entry["session_uid"]]["rods"]} & {*anew["rods"]}
    ]
    earlier, before = _earlier(place) if staying else (None, {})
    for entry in staying:
        was = before.get(entry["name"])
        if was and not earlier_hair.stay(entry, was, description.bodies, earlier.scene.bodies):
            anew["rods"] = sorted({*anew["rods"], *own[entry["session_uid"]]["rods"]})
            text = f"'{entry['name']}' has other strands, Guides or surface since the bake: it is baked anew too."
            meta["notices"].append({"object": entry["name"], "frame": 0, "text": text})


def _let_go_on(description, meta, begin, place):
    """Let hair be as the job at `place` has it in frames before `begin`, or in all if it stayed in that. Raises
    SceneError: it has other guides.
    """
    own = [entry for entry in meta["sources"] if entry["hair"]]
    earlier, before = _earlier(place) if own else (None, {})
    things = numbers_by_source(meta)
    for entry in own:
        was = before.get(entry["name"])
        if not was:
            continue
        stays = earlier.anew is not None and not {*things[entry["session_uid"]]["rods"]} & {*earlier.anew["rods"]}
        if stays:
            can = earlier_hair.stay(entry, was, description.bodies, earlier.scene.bodies)
        else:
            can = earlier_hair.go_on(entry, was, begin)
        if not can:
            raise SceneError(
                entry["name"],
                f"'{entry['name']}' has other strands, Guides or pins at roots than as the bake began, which cannot go "
                "on so: bake all of it again.",
            )


def _earlier(place):
    """(the Job at `place`, {name: entry of what is a rod} of it). Raises BakeError."""
    found = job.read(place)
    return found, {entry["name"]: entry for entry in found.meta["sources"]}


def check_held(description, name):
    """Raises SceneError when rods or bodies are to settle and would fall for ever."""
    if not (description.settle and description.gravity.any()):
        return
    led = any(body.kinematic for body in description.bodies)
    if description.rods and not (description.pins or description.floor or description.colliders or led):
        raise SceneError(
            name, f"Nothing holds the rods of '{name}', so they cannot settle: pin one, add a floor or do not settle."
        )
    tied = {weld.body for weld in description.welds}
    for number, body in enumerate(description.bodies):
        if not body.kinematic and number not in tied:
            raise SceneError(
                body.name, f"Nothing holds '{body.name}', so it cannot settle: tie a rod to it or do not settle."
            )
