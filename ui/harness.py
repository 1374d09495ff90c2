"""How cables become a harness: joined, let go, cut, made longer."""

from bpy.types import Menu


class TENDRIL_MT_harness(Menu):
    bl_label = "Harness"

    def draw(self, _context):
        for name, icon in (
            ("join_ends", "LINKED"), ("separate_ends", "UNLINKED"), ("cut_cable", "NONE"), ("prolong_cable", "NONE"),
        ):  # fmt: skip
            self.layout.operator(f"tendril.{name}", icon=icon)
        self.layout.separator()
        self.layout.operator("tendril.manual", icon="HELP").section = "harnesses"


classes = (TENDRIL_MT_harness,)
