"""Where panels appear, and where the manual tells of them."""

from bpy.types import Panel

from ..properties.body import body_of, cable_of, rod_of, soft_of, solid_of

FIRST, SECOND, THIRD, USUAL, LAST = range(5)  # of siblings, from above; those that are alike go by ui/__init__


class Sidebar:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tendril"
    bl_order = USUAL


class PhysicsTab:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    bl_order = USUAL


class Foremost:
    """Stands above its siblings, wherever it appears."""

    bl_order = FIRST


class AfterPins:
    """What is set of nearly everything: below the pins, above what is closed."""

    bl_order = SECOND


class Bakes:
    """Stands below what is set of a thing, above what surrounds it."""

    bl_order = THIRD


class Lowest:
    """Stands below its siblings, so that it moves none when it grows."""

    bl_order = LAST


class Closed:
    """Is opened by who looks for it."""

    bl_options = {"DEFAULT_CLOSED"}


class OfRod:
    """Shows only while a rod, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return rod_of(context.object) is not None


class OfCable:
    """Shows only while a cable, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return cable_of(context.object) is not None


class OfBody:
    """Shows only while a rigid body, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return body_of(context.object) is not None


class OfSoft:
    """Shows only while a soft body, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return soft_of(context.object) is not None


class OfSolid:
    """Shows only while a soft body that is no sheet, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return solid_of(context.object) is not None


class OfBake:
    """Shows only while the scene has a rod, rigid or soft body, or a bake is running."""

    @classmethod
    def poll(cls, context):
        tendrils = (item.tendril for item in context.scene.objects)
        there = any(own.is_rod or own.is_body or own.is_soft for own in tendrils)
        return context.window_manager.tendril.running or there


IN_TAB = {"PHYSICS_PT_tendril": OfRod, "PHYSICS_PT_tendril_body": OfBody, "PHYSICS_PT_tendril_soft": OfSoft}


def of_each_kind(name, *bases, within=""):
    """A panel in the Physics tab for each kind of thing, in that of the kind itself or in its panel called `within`."""
    return [
        type(f"{kind}_{name}", (*bases, PhysicsTab, shown, Panel), {"bl_parent_id": f"{kind}_{within}".rstrip("_")})
        for kind, shown in IN_TAB.items()
    ]


def in_both(name, *bases, within=""):
    """A panel in the side panel, and the same in the Physics tab: in what is called `within` there, a panel or, in the
    tab, a kind of thing; rods without a name.
    """
    parent = f"PHYSICS_PT_tendril_{within}".rstrip("_")
    beside = "TENDRIL_PT_active" if parent in IN_TAB else f"TENDRIL_PT_{within}"
    return [
        type(f"TENDRIL_PT_{name}", (*bases, Sidebar, Panel), {"bl_parent_id": beside}),
        type(f"PHYSICS_PT_tendril_{name}", (*bases, PhysicsTab, Panel), {"bl_parent_id": parent}),
    ]


class Documented:
    """Has a button in its header that opens the manual at `section`."""

    def draw_header_preset(self, _context):
        draw_help(self.layout, self.section)


def draw_help(layout, section):
    layout.operator("tendril.manual", text="", icon="HELP", emboss=False).section = section
