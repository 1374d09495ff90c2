"""Shows panels anew, and nothing else: a 3D view that is drawn again costs the bake its processor."""

import bpy

AGAIN = 0.1  # s


def panels(manager):
    """The side panels of 3D views, Properties editors and Preferences of every window: now, and once more, for Blender
    puts what is below a panel where that ended when it was drawn last.
    """
    _tag(manager)
    if not (bpy.app.background or bpy.app.timers.is_registered(_once_more)):
        bpy.app.timers.register(_once_more, first_interval=AGAIN)


def _once_more():
    _tag(bpy.context.window_manager)


def _tag(manager):
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type in {"PROPERTIES", "PREFERENCES"}:
                area.tag_redraw()
            elif area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


def status(text):
    """In the status bar of every window; None: Blender's own again."""
    for workspace in bpy.data.workspaces:
        workspace.status_text_set(text)
