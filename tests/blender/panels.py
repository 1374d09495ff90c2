"""Panels drawn with a layout that checks every name, remembers it and measures, as there is no window in background.

Heights are those of Blender 5.2 at a Resolution Scale of 1, as `tools/panel_pictures.py` finds them, within 1 %.
"""

from types import SimpleNamespace

import bpy
from bl_ext.user_default.tendril import ui

ROW, GAP, BLOCK = 21, 2, 3  # px: of a widget, below one that is not aligned, more between blocks of a column
HEADER, SUBHEADER, PADDING = 28, 26, 18  # px: of a panel, of one in it, around what is in one
TOP = 8  # px: above the first
LIST = 20  # px: of a list beside its rows


class Layout:
    """Stands in for Blender's UILayout."""

    def __init__(self, of=None, *, across=False, align=False):
        self.root, self.across, self.align, self.parts = of.root if of else self, across, align, []
        self.enabled = of.enabled if of else True
        if of is None:
            self.shown, self.off, self.said = set(), set(), []

    def row(self, *, align=False, **_options):
        return self._part(Layout(self, across=True, align=align))

    def column(self, *, align=False, **_options):
        return self._part(Layout(self, align=align))

    grid_flow = column

    def _part(self, part):
        self.parts.append(part)
        return part

    def _leaf(self, name, rows=1, height=0):
        self.root.shown.add(name)
        self._part((name, height or rows * ROW))

    def height(self):
        return max((bottom for _, _, bottom in self.places()), default=0)

    def places(self, top=0):
        """(name, top, bottom) of all that is in it."""
        for number, part in enumerate(self.parts):
            if isinstance(part, Layout):
                top += 0 if self.across or self.align or not number else BLOCK
                yield from part.places(top)
                bottom = top + part.height()
            else:
                name, height = part
                bottom = top + height
                yield name, top, bottom
            top = top if self.across else bottom + (0 if self.align else GAP)

    def prop(self, owner, name, placeholder="", **_options):
        item = owner.bl_rna.properties.get(name)
        assert item, f"{owner.bl_rna.identifier} has no {name}"
        self.root.shown.add(placeholder)
        self._leaf(f"{owner.bl_rna.identifier}.{name}", rows=getattr(item, "array_length", 0) or 1)

    def prop_decorator(self, owner, name):
        assert owner.bl_rna.properties[name].is_animatable
        self.root.shown.add(f"key of {owner.bl_rna.identifier}.{name}")

    def prop_enum(self, owner, name, value, **_options):
        assert value in owner.bl_rna.properties[name].enum_items
        self.prop(owner, name)

    def prop_search(self, owner, name, search_owner, search_name, **_options):
        assert search_name in search_owner.bl_rna.properties
        self.prop(owner, name)

    def operator(self, name, **_options):
        rna = getattr(bpy.ops.tendril, name.removeprefix("tendril.")).get_rna_type()
        self._leaf(name)
        return Settings(rna, None if self.enabled else self.root.off)

    def operator_enum(self, name, enum):
        assert enum in self.operator(name).rna.properties

    def operator_menu_enum(self, name, enum, **_options):
        self.operator_enum(name, enum)

    def menu(self, name, **_options):
        assert hasattr(bpy.types, name)
        self._leaf(name)

    def popover(self, panel, text="", **_options):
        assert hasattr(bpy.types, panel)
        self.root.shown.add(panel)
        self._leaf(text)

    def template_list(self, list_type, _id, owner, name, active_owner, active_name, rows):
        assert hasattr(bpy.types, list_type)
        for group, item in ((owner, name), (active_owner, active_name)):
            assert item in group.bl_rna.properties
            self.root.shown.add(f"{group.bl_rna.identifier}.{item}")
        self._leaf(list_type, height=max(rows, len(getattr(owner, name))) * ROW + LIST)

    def progress(self, factor, text):
        assert 0.0 <= factor <= 1.0
        self._leaf(text)

    def label(self, text="", icon="NONE", **_options):
        assert icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
        self._leaf(text)
        self.root.said.append(text)

    def separator(self):
        pass


class Settings:
    """What an operator button may set; `off` gathers the choices of buttons that are greyed."""

    def __init__(self, rna, off=None):
        object.__setattr__(self, "rna", rna)
        object.__setattr__(self, "off", off)
        object.__setattr__(self, "chosen", ())

    def __setattr__(self, name, value):
        item = self.rna.properties[name]
        assert item.type != "ENUM" or value in item.enum_items
        object.__setattr__(self, "chosen", (*self.chosen, value))
        if self.off is not None:
            self.off.add(self.chosen)


def window():
    """The context of a panel, in a region such as there is none in background."""
    names = ("object", "selected_objects", "scene", "view_layer", "window_manager")
    return SimpleNamespace(
        **{name: getattr(bpy.context, name) for name in names},
        region=SimpleNamespace(width=280),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
    )


def drawn(cls):
    """The Layout of a panel or menu."""
    own = {name: getattr(cls, name) for name in ("section", "kind") if hasattr(cls, name)}
    panel = SimpleNamespace(layout=Layout(), bl_rna=cls.bl_rna, **own)
    cls.draw(panel, window())
    return panel.layout


def headed(cls):
    """The Layout of the header of a panel."""
    own = {name: getattr(cls, name) for name in ("section", "kind") if hasattr(cls, name)}
    panel = SimpleNamespace(layout=Layout(), **own)
    for header in ("draw_header", "draw_header_preset"):
        if hasattr(cls, header):
            getattr(cls, header)(panel, window())
    return panel.layout


def appearing():
    """All panels and menus that would."""
    classes = (cls for module in ui.MODULES for cls in module.classes if not issubclass(cls, bpy.types.UIList))
    return [cls for cls in classes if getattr(cls, "poll", lambda _context: True)(window())]


def draw_all():
    """What all panels and menus show that would appear."""
    return {text for cls in appearing() for layout in (drawn(cls), headed(cls)) for text in layout.shown}


def side_panels(parent=""):
    """Those of the tab that stand in `parent`, "": in none, from top to bottom."""
    found = [cls for cls in appearing() if getattr(cls, "bl_category", "") == "Tendril"]
    return sorted((cls for cls in found if getattr(cls, "bl_parent_id", "") == parent), key=lambda cls: cls.bl_order)


def places(parent="", top=TOP):
    """(panel, name, top, bottom) of all that the tab shows at first, from above [px]."""
    for cls in side_panels(parent):
        header = SUBHEADER if parent else HEADER
        yield cls, title(cls), top, top + header
        top += header
        if "DEFAULT_CLOSED" in getattr(cls, "bl_options", ()):
            continue
        layout = drawn(cls)
        yield from ((cls, name, top + start, top + end) for name, start, end in layout.places())
        top += layout.height() + PADDING if layout.parts else 0
        inner = list(places(cls.__name__, top))
        yield from inner
        top = max((end for *_, end in inner), default=top)
        if inner and "DEFAULT_CLOSED" not in getattr(inner[-1][0], "bl_options", ()):
            top += PADDING


def title(cls):
    """What a panel is called, by its header where that says so."""
    return cls.bl_label or headed(cls).said[0]
