"""Shows panels anew, and nothing else: a 3D view that is drawn again costs the bake its processor."""

import bpy


def panels(manager):
    """The side panels of 3D views, and the Properties editors, of every window."""
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type == "PROPERTIES":
                area.tag_redraw()
            elif area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


def status(text):
    """In the status bar of every window; None: Blender's own again."""
    for workspace in bpy.data.workspaces:
        workspace.status_text_set(text)
