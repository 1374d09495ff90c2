"""Every figure of Bergou 2008, *Discrete Elastic Rods*, some of the other works, and what none of them shows, baked,
measured and pictured: `make gallery`.

Writes docs/images, pictures and clips, and docs/gallery.md. Names after `--` choose some of them.
"""

import importlib
import sys
from pathlib import Path

import bpy

sys.path.append(str(Path(__file__).parent))
import clip
import studio

ROOT = Path(__file__).resolve().parents[1]
IMAGES, PAGE = ROOT / "docs" / "images", ROOT / "docs" / "gallery.md"
WIDEST, HEAVIEST = 960, 80_000  # pixels, bytes
HEAD = """# Gallery

The figures of Bergou et al. 2008, *Discrete Elastic Rods*, as scenes of Blender, built and baked with the same buttons
an animator presses. After them comes what takes the implicit solver, what collides, what is soft, and figures of
Spillmann & Teschner 2007, *CORDE*, and Liesenfeld & Stolfi 1997, as far as each caption says. `make gallery` makes this
page; each number is asserted by a test. Clips show what happens about as fast as it does, or up to two and a half times
as fast.
"""
BESIDE = (  # the figures
    "balloon", "bars", "bow", "carpet", "chandelier", "coiling", "coils", "crane", "facets", "falling_torus", "flag",
    "fly_cast", "hair", "headphones", "hitch", "hose", "jelly", "jelly_cubes", "knots", "lifting", "loom", "looping",
    "net", "paper", "piano_wire", "pile", "plugged_in", "ponytail", "runner", "six_cables", "skipping_rope", "slinky",
    "snapping_torus", "soft_ball", "soft_landing", "soft_net", "stack", "staircase", "steel_cable", "suzanne", "tower",
    "transducer", "trunk", "tying", "untwisting", "wrecking_ball",
)  # fmt: skip


def show(name):
    """Bake, check and render one example; returns its part of the page."""
    example = importlib.import_module(name)
    number = studio.produce(name, example.build, example.check, example.MOMENTS, **example.PICTURE)
    shrink(studio.OUT / f"{name}.png", IMAGES / f"{name}.jpg")
    title, _, text = example.__doc__.replace("\n", " ").strip().partition(". ")
    picture = f"![{title}](images/{name}.jpg)"
    if hasattr(example, "CLIP"):
        width = getattr(example, "CLIP_WIDTH", clip.WIDTH)
        clip.film(bpy.context.scene, example.CLIP, IMAGES / f"{name}.webp", width)
        picture += f"\n\n![{title}, moving](images/{name}.webp)"
    return f"## {title}\n\n{' '.join(text.split())}\n\n{picture}\n\n*{number}* (`examples/{name}.py`)\n"


def shrink(picture, small):
    """A JPEG of a picture, no wider than WIDEST, no heavier than HEAVIEST."""
    image = bpy.data.images.load(str(picture))
    width, height = image.size
    if width > WIDEST:
        image.scale(WIDEST, round(height * WIDEST / width))
    image.file_format = "JPEG"
    for quality in range(90, 30, -5):
        image.save(filepath=str(small), quality=quality)
        if small.stat().st_size <= HEAVIEST:
            break
    bpy.data.images.remove(image)


def parts():
    """The page's parts as they are: {title: text}."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {part.partition("\n")[0]: "## " + part.rstrip() + "\n" for part in text.split("\n## ")[1:]}


def _place(title):
    """Figures by number, all else by title behind them."""
    word, _, number = title.partition(" ")
    return (0, int(number), "") if word == "Figure" else (1, 0, title)


def main(names):
    page = parts()
    for name in names:
        part = show(name)
        page[part.partition("\n")[0].removeprefix("## ")] = part
        in_order = sorted(page.items(), key=lambda item: _place(item[0]))
        PAGE.write_text("\n".join([HEAD, *(text for _, text in in_order)]), encoding="utf-8")


if __name__ == "__main__":
    chosen = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    main(chosen or [*sorted(path.stem for path in (ROOT / "examples").glob("figure_*.py")), *BESIDE])
