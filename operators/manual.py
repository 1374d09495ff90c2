"""Open the manual that comes with Tendril: it is read offline."""

from pathlib import Path

import bpy
from bpy.props import StringProperty

DOCS = Path(__file__).resolve().parents[1] / "docs"


class TENDRIL_OT_manual(bpy.types.Operator):
    bl_idname = "tendril.manual"
    bl_label = "Open Manual"
    bl_description = "Read about this in Tendril's manual, in the web browser. It needs no network"
    bl_options = {"INTERNAL"}

    section: StringProperty(name="Section", description="Where to open it", options={"SKIP_SAVE"})

    def execute(self, _context):
        # A checkout has only the text that the page in a zip is made of (tools/build_manual.py).
        page = next((page for page in (DOCS / "manual.html", DOCS / "manual.md") if page.is_file()), None)
        if page is None:
            self.report({"ERROR"}, f"The manual is not in {DOCS}: install Tendril anew")
            return {"CANCELLED"}
        return bpy.ops.wm.url_open(url=page.as_uri() + (f"#{self.section}" if self.section else ""))


classes = (TENDRIL_OT_manual,)
