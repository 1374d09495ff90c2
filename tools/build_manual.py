"""Makes the pages an extension zip carries, docs/manual.html and what it points to, of the Markdown in docs/.

    python tools/build_manual.py FOLDER

They are read offline: one file each, no script, pictures beside them.
"""

import html
import re
import shutil
import sys
from pathlib import Path

from markdown_it import MarkdownIt

DOCS = Path(__file__).resolve().parents[1] / "docs"
STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --link: #2b6cb0; }
@media (prefers-color-scheme: dark) { :root { --link: #7db6f5; } }
body { margin: 0 auto; padding: 0 1.2rem 5rem; max-width: 46rem; font: 1rem/1.55 system-ui, sans-serif; }
nav { padding: .8rem 0; border-bottom: 1px solid var(--line); } nav a { margin-right: 1.2rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { line-height: 1.2; } h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
img { max-width: 100%; border-radius: 6px; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--soft); }
code { background: var(--soft); border-radius: 3px; padding: .1em .3em; font-size: .92em; }
pre { background: var(--soft); border-radius: 6px; padding: .8rem; overflow-x: auto; } pre code { background: none; }
""".strip()
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<nav>{links}</nav>
<main>
{body}</main>
</body>
</html>
"""


def slug(title: str) -> str:
    """What a heading is called in the address of a page, as on the sites that show Markdown."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def render(text: str) -> tuple[str, str]:
    """(title, HTML) of a page of Markdown, whose links to other pages lead to their HTML."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens, title = markdown.parse(text), ""
    for token, following in zip(tokens, tokens[1:] + tokens[:1], strict=True):
        if token.type == "heading_open":
            words = "".join(part.content for part in following.children or ())
            token.attrSet("id", slug(words))
            title = title or words
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("href", re.sub(r"^([\w./-]+)\.md(?=#|$)", r"\1.html", str(part.attrGet("href"))))
    return title, markdown.renderer.render(tokens, markdown.options, {})


def build(folder: Path | str) -> None:
    """Write all pages and their pictures to a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted((path.stem for path in DOCS.glob("*.md")), key=lambda name: (name != "manual", name))
    for path in DOCS.rglob("*.md"):
        place = path.relative_to(DOCS)
        up = "../" * (len(place.parts) - 1)
        shown = {name: name.replace("_", " ").title() for name in names}
        links = " ".join(f'<a href="{up}{name}.html">{word}</a>' for name, word in shown.items())
        title, body = render(path.read_text(encoding="utf-8"))
        page = folder / place.with_suffix(".html")
        page.parent.mkdir(exist_ok=True)
        page.write_text(PAGE.format(title=html.escape(title), style=STYLE, links=links, body=body), encoding="utf-8")
    shutil.copytree(DOCS / "images", folder / "images", dirs_exist_ok=True)


if __name__ == "__main__":
    build(sys.argv[1])
