"""Knots in the menu Add › Curve."""


def draw_add(menu, _context):
    menu.layout.operator_menu_enum("tendril.add_knot", "knot", text="Knot", icon="CURVE_DATA")
