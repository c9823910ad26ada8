"""MkDocs hook: what pages link to outside ``docs/`` becomes a page, so that no link leaves the site.

In the repository a page links to the rule, table or test that it speaks of. The site has no repository beside it: each
such file is shown under ``repository/``, a directory by the names in it, and Markdown as pages with links of their own.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

__all__ = ["on_files", "on_page_markdown"]

_ROOT = Path(__file__).parents[2]
_SHOWN = "repository/"
_CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()(?![#/]|[a-z]+:)[^)#\s]+")
_FENCE = "`" * 12  # longer than any in what is shown
_LANGUAGES = {".py": "python", ".rego": "rego", ".yaml": "yaml", ".yml": "yaml", ".json": "json", ".toml": "toml"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for what pages link to outside ``docs/``, and for what Markdown among that links to in turn.

    Args:
        files: The files of the site; they are added to.
        config: The configuration of MkDocs, which refuses links to what is nowhere.
    """
    waiting = list(files.documentation_pages())
    while waiting:
        page = waiting.pop()
        for target in _list_targets(page):
            uri = _build_source_path(target)
            if uri.startswith(_SHOWN) and (_ROOT / target).exists() and not files.get_file_from_path(uri):
                added = File.generated(config, uri, content=_render_page(target), inclusion=InclusionLevel.NOT_IN_NAV)
                files.append(added)
                waiting.append(added)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - by name
    """Return a page's text with its links as they are on the site."""
    source = page.file.src_uri
    parts = _CODE.split(markdown)  # text and code by turns
    parts[::2] = [
        _LINK.sub(
            lambda link: relpath(_build_source_path(_resolve_target(source, link[0])), dirname(source) or "."), text
        )
        for text in parts[::2]
    ]
    return "".join(parts)


def _list_targets(page: File) -> list[str]:
    """Name what a page links to, as paths of the repository."""
    prose = "".join(_CODE.split(page.content_string)[::2])
    return [_resolve_target(page.src_uri, link) for link in _LINK.findall(prose)]


def _resolve_target(source: str, link: str) -> str:
    """Return the path in the repository that a link of the site's source leads to."""
    own = source.removeprefix(_SHOWN) if source.startswith(_SHOWN) else join("docs", source)
    return normpath(join(dirname(own), link))


def _build_source_path(path: str) -> str:
    """Return the source on the site of a path of the repository."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return join(_SHOWN, path if path.endswith(".md") else f"{path}.md")


def _render_page(path: str) -> str:
    """Return the page about a path of the repository; the search leaves it out."""
    shown = _ROOT / path
    if path.endswith(".md"):
        return shown.read_text(encoding="utf-8")
    if shown.is_dir():
        names = sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in shown.iterdir())
        text, language = "\n".join(name for name in names if not name.startswith(("__pycache__", "."))), "text"
    else:
        text, language = shown.read_text(encoding="utf-8"), _LANGUAGES.get(shown.suffix, "text")
    return f"---\nsearch: {{exclude: true}}\n---\n\n# {path}\n\n{_FENCE}{language}\n{text.rstrip()}\n{_FENCE}\n"
