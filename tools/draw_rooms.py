"""Draws who imports whom: the rooms of the add-on and those of physics, docs/images/rooms.svg, from the sources.

    python tools/draw_rooms.py

An arrow leads from a room to one that it imports; one that other arrows imply is left out. A room stands above all
that it imports. Same sources, same bytes.
"""

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
FILES = ("scene", "model", "materials")  # files of physics that are drawn beside its rooms
WIDTH, HEIGHT, ACROSS, UP, TITLE = 132, 26, 150, 62, 34  # px: of a box, from box to box, from row to row, of a title
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222; text-anchor: middle; }
.title { font-weight: 600; text-anchor: start; }
rect { fill: #fff; stroke: #2b6cb0; } path { fill: none; stroke: #888; } marker path { fill: #888; stroke: none; }
.page { stroke: none; }
""".strip()

Arrows = Mapping[str, set[str]]


def imported(path: Path) -> Iterable[tuple[str, ...]]:
    """The modules of the add-on that a file imports, relatively, as paths from the checkout."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*package[: len(package) - node.level + 1], *(node.module or "").split("."))
            base = tuple(part for part in base if part)
            yield base
            yield from ((*base, name.name) for name in node.names)


def arrows(folder: Path, nodes: Iterable[str]) -> Arrows:
    """Of each node, a room or a file of the folder, those that it imports."""
    depth, nodes = len(folder.relative_to(ROOT).parts), set(nodes)
    found: dict[str, set[str]] = {node: set() for node in sorted(nodes)}
    for node in found:
        files = [folder / f"{node}.py"] if (folder / f"{node}.py").is_file() else sorted((folder / node).rglob("*.py"))
        for file in files:
            for path in imported(file):
                if path[:depth] == folder.relative_to(ROOT).parts and len(path) > depth:
                    found[node] |= {path[depth]} & (nodes - {node})
    return found


def below(graph: Arrows, node: str) -> set[str]:
    """All that a node imports, directly or not."""
    return graph[node].union(*(below(graph, other) for other in graph[node]))


def drawn(graph: Arrows) -> Arrows:
    """The arrows that no others imply."""
    return {
        node: {other for other in others if not any(other in below(graph, between) for between in others - {other})}
        for node, others in graph.items()
    }


def rows(graph: Arrows) -> list[list[str]]:
    """Nodes by row, the lowest first, each near the mean of what it imports."""
    height: dict[str, int] = {}

    def level(node: str) -> int:
        if node not in height:
            height[node] = max((level(other) + 1 for other in graph[node]), default=0)
        return height[node]

    found: list[list[str]] = [[] for _ in range(1 + max(level(node) for node in graph))]
    for node in sorted(graph):
        found[height[node]].append(node)
    place: dict[str, float] = {}
    for row in found:
        wanted = {node: [place[other] for other in graph[node]] for node in row}
        row.sort(key=lambda node: (sum(wanted[node]) / len(wanted[node]) if wanted[node] else 0.0, node))
        place |= {node: k - 0.5 * (len(row) - 1) for k, node in enumerate(row)}
    return found


def panel(title: str, graph: Arrows, left: int, middle: float, height: int) -> list[str]:
    """Lines of SVG of one graph about x = middle, its lowest row at the bottom."""
    graph = drawn(graph)
    spots: dict[str, tuple[float, float]] = {}
    for level, row in enumerate(rows(graph)):
        for k, node in enumerate(row):
            spots[node] = middle + ACROSS * (k - 0.5 * (len(row) - 1)), height - 0.5 * UP - UP * level
    lines = [f'<text class="title" x="{left}" y="22">{title}</text>']
    for node, others in graph.items():
        x, y = spots[node]
        for other in sorted(others):
            to_x, to_y = spots[other]
            y_from, y_to = y + 0.5 * HEIGHT, to_y - 0.5 * HEIGHT
            bend = 0.5 * (y_to - y_from)
            lines.append(
                f'<path marker-end="url(#tip)" d="M{x:g} {y_from:g} C{x:g} {y_from + bend:g} {to_x:g} {y_to - bend:g} '
                f'{to_x:g} {y_to - 4:g}"/>'
            )
    for node, (x, y) in spots.items():
        lines.append(
            f'<rect x="{x - 0.5 * WIDTH:g}" y="{y - 0.5 * HEIGHT:g}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
            f'<text x="{x:g}" y="{y + 4.5:g}">{node}</text>'
        )
    return lines


def picture() -> str:
    """The SVG of both graphs, side by side."""
    rooms = [place.parent.name for place in ROOT.glob("*/__init__.py") if place.parent.name != "benchmarks"]
    inside = [place.parent.name for place in (ROOT / "physics").glob("*/__init__.py")]
    graphs = {"tendril/": arrows(ROOT, rooms), "tendril/physics/": arrows(ROOT / "physics", (*inside, *FILES))}
    sizes = [(max(map(len, rows(drawn(graph)))), len(rows(drawn(graph)))) for graph in graphs.values()]
    height = TITLE + UP * max(tall for _, tall in sizes)
    left, lines = 12, []
    for (title, graph), (wide, _) in zip(graphs.items(), sizes, strict=True):
        lines += panel(title, graph, left, left + 0.5 * ACROSS * wide, height)
        left += ACROSS * wide + 30
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" width="{left}" height="{height}">'
    tip = '<path d="M0 0L7 3L0 6z"/>'
    tip = f'<marker id="tip" markerWidth="7" markerHeight="6" refX="3" refY="3" orient="auto">{tip}</marker>'
    page = f'<rect class="page" width="{left}" height="{height}"/>'
    return "\n".join([head, f"<style>\n{STYLE}\n</style>", f"<defs>{tip}</defs>", page, *lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
