"""Helm charts and kustomize directories, rendered by their own programs on PATH."""

import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from warden.analyse.check.model import Declaration, Fault, Found, NamespaceUser

__all__ = ["MARKS", "Rendered", "Renderer", "find_renderer", "read_rendered"]

_SECONDS: Final = 120.0  # a chart or an overlay may fetch what it is made of
_SOURCE: Final = re.compile(rb"^# Source: ([^\n]+)$", re.MULTILINE)
_MAX_STDERR_CHARACTERS: Final = 600  # characters of what a program says
_LEFT: Final = "it is rendered, and its template is left to people"


@dataclass(frozen=True)
class Rendered:
    """What a program makes of a directory.

    Args:
        content: Documents of YAML.
        file: What a document is from where it does not say so itself.
        directory: Where the templates are that documents name.
    """

    content: bytes
    file: Path
    directory: Path

    def iter_relocated(self, found: Iterable[Found]) -> Iterator[Found]:
        """Yield what was found in the documents at the file that it is from; its line there is not known.

        Args:
            found: What was found, with lines of the content.
        """
        marks = [
            (self.content.count(b"\n", 0, match.start()) + 1, match[1]) for match in _SOURCE.finditer(self.content)
        ]
        lines = [line for line, _ in marks]
        for item in found:
            if isinstance(item, NamespaceUser):
                yield item
                continue
            index = bisect_right(lines, item.line)
            file = str(self._find_template(marks[index - 1][1]) if index else self.file)
            if isinstance(item, Declaration):
                yield replace(item, file=file, line=1, lines={}, node=None, unfixable=_LEFT)
            else:
                yield replace(item, file=file, line=1)

    def _find_template(self, source: bytes) -> Path:
        """The template that Helm names: the chart's name, and a path in its directory."""
        return self.directory.joinpath(*source.decode("utf-8", "replace").strip().split("/")[1:])


@dataclass(frozen=True)
class Renderer:
    """Programs that render a directory.

    Args:
        marks: Names of files of which one is in such a directory.
        commands: What renders it, the first whose program is there; the directory comes last.
        advice: What to write where none is there.
    """

    marks: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    advice: str

    def find_mark(self, directory: Path) -> Path | None:
        """Return the file that shows that a directory is to be rendered, None where it is not."""
        for path in (directory / name for name in self.marks):
            with suppress(OSError):  # said where the file itself is read
                if path.is_file():
                    return path
        return None

    def render(self, directory: Path, shown: Path | None = None) -> Rendered | Fault:
        """Return what becomes of a directory, or why it cannot be rendered.

        Args:
            directory: One that has a mark.
            shown: What it is called in results; None for its own name.
        """
        shown = directory if shown is None else shown
        file = shown / (self.find_mark(directory) or directory).name
        for command in self.commands:
            if (program := shutil.which(command[0])) is not None:
                # Absolute, so that no directory's name is taken for an option: Helm's start other programs.
                return self._run([program, *command[1:], str(directory.absolute())], " ".join(command), file, shown)
        names = " or ".join(command[0] for command in self.commands)
        return Fault(str(file), 1, f"this is to be rendered, and {names} is not on PATH: {self.advice}")

    def _run(self, command: Sequence[str], name: str, file: Path, directory: Path) -> Rendered | Fault:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as why:
            said = why.strerror if isinstance(why, OSError) else f"it took longer than {_SECONDS:.0f} s"
            return Fault(str(file), 1, f"{name}: cannot be rendered ({said}): {self.advice}")
        if done.returncode:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())[:_MAX_STDERR_CHARACTERS]
            return Fault(str(file), 1, f"{name}: {said or f'ended with status {done.returncode}'}")
        return Rendered(done.stdout, file, directory)


_RENDERERS: Final = (
    Renderer(
        ("Chart.yaml",),
        (("helm", "template"),),
        "install Helm, or write helm template CHART | warden check -",
    ),
    Renderer(
        ("kustomization.yaml", "kustomization.yml", "Kustomization"),
        (("kustomize", "build"), ("kubectl", "kustomize")),
        "install kustomize, or write kustomize build DIRECTORY | warden check -",
    ),
)


MARKS: Final = frozenset(name for renderer in _RENDERERS for name in renderer.marks)
"""Names of files that show that a directory is to be rendered."""


def find_renderer(directory: Path) -> Renderer | None:
    """Return what renders a directory, None where its files are read as they are.

    Args:
        directory: The directory.
    """
    return next((renderer for renderer in _RENDERERS if renderer.find_mark(directory) is not None), None)


def read_rendered(
    directory: Path, read: Callable[[bytes, Path], Iterator[Found]], shown: Path | None = None
) -> Iterator[Found] | None:
    """Return what a directory declares once it is rendered, None where its files are read as they are.

    Args:
        directory: The directory.
        read: Reads documents of YAML.
        shown: What it is called in results; None for its own name.
    """
    renderer = find_renderer(directory)
    if renderer is None:
        return None
    rendered = renderer.render(directory, shown)
    return (
        iter([rendered])
        if isinstance(rendered, Fault)
        else rendered.iter_relocated(read(rendered.content, rendered.file))
    )
