"""In Blender's own menu Object › Apply."""


def draw_apply(menu, _context):
    menu.layout.operator("tendril.make_real")
