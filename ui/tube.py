"""Cables of tube meshes in the menu Object › Convert; centre lines in File › Import and Export."""


def draw_convert(menu, _context):
    menu.layout.separator()
    menu.layout.operator("tendril.cable_from_tube", icon="CURVE_DATA")


def draw_import(menu, _context):
    menu.layout.operator("tendril.import_centre_lines", text="Centre Lines (.csv, .dxf)")


def draw_export(menu, _context):
    for kind in (".csv", ".dxf"):
        menu.layout.operator("tendril.export_centre_lines", text=f"Centre Lines ({kind})").filename_ext = kind
