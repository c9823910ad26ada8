"""OPA's own compiler over the policies of ConfigMaps, without what reaches out of OPA or into its environment."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from warden.bundle.opa import opa_json
from warden.replicate.policies.policy_set import Place
from warden.resources import share

__all__ = ["Compiler"]

_FORBIDDEN: Final = re.compile(r"http\.send|opa\.runtime|net\..*")
_UNDEFINED: Final = re.compile(r"undefined function (http\.send|opa\.runtime|net\.\S+)")
_OLD_SYNTAX: Final = re.compile(r"`(if|contains)` keyword is required")
_QUERY: Final = "data.checks.site.config_map_problems"


class Compiler:
    """Says what keeps policies from being loaded.

    Args:
        opa: The OPA binary.

    Raises (by every method):
        BundleError: OPA cannot be run.
    """

    def __init__(self, opa: Path) -> None:
        self._opa = opa
        self._capabilities = json.dumps(_capabilities(opa))

    def problems(self, modules: Mapping[str, str]) -> dict[Place, tuple[str, ...]]:
        """Return sentences by ConfigMap, each beginning with key, line and column; nothing where all is well together.

        Args:
            modules: Rego by policy id.
        """
        found: dict[Place, list[str]] = {}
        for id, sentence in (*self._packages(modules), *self._compile(modules)) if modules else ():
            _, namespace, name, key = id.split("/", 3)
            found.setdefault((namespace, name), []).append(f"{key}{sentence}")
        return {place: tuple(sentences) for place, sentences in found.items()}

    def _packages(self, modules: Mapping[str, str]) -> list[tuple[str, str]]:
        data = str(share("policies") / "checks" / "site")
        arguments = ("eval", "--format", "json", "--stdin-input", "--data", data, _QUERY)
        answer = opa_json(self._opa, *arguments, stdin=json.dumps({"modules": modules}))
        pairs = answer["result"][0]["expressions"][0]["value"]
        return [(id, f": {sentence}") for id, sentence in sorted(pairs)]

    def _compile(self, modules: Mapping[str, str]) -> list[tuple[str, str]]:
        with TemporaryDirectory(prefix="warden-policies-") as directory:
            capabilities = Path(directory, "capabilities.json")
            capabilities.write_text(self._capabilities, encoding="utf-8")
            for id, source in modules.items():
                path = Path(directory, id)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(source, encoding="utf-8")
            command = [str(self._opa), "check", "--capabilities", str(capabilities), "--format", "json", "configmaps"]
            done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return []
        return [_located(error, min(modules)) for error in _errors(done.stderr or done.stdout)]


def _errors(text: str) -> list[dict[str, Any]]:
    try:
        return list(json.loads(text)["errors"])
    except (ValueError, LookupError, TypeError):
        return [{"message": text.strip()}]


def _located(error: Mapping[str, Any], first: str) -> tuple[str, str]:
    """Return the id of the module that an error is in, and the error with its line and column."""
    place, message = error.get("location") or {}, str(error.get("message"))
    where = f":{place['row']}:{place['col']}" if place.get("file") else ""
    code = f"{error['code']}: " if error.get("code") else ""
    id = str(place.get("file") or first)
    advice = ""
    if _OLD_SYNTAX.search(message):
        advice = f": this is Rego of OPA before 1.0: rewrite it with opa fmt --write --v0-v1 {id.rpartition('/')[2]}"
    elif _UNDEFINED.search(message):
        advice = ": what reaches out of OPA or into its environment is not for policies of ConfigMaps"
    return id, f"{where}: {code}{message}{advice}"


def _capabilities(opa: Path) -> dict[str, Any]:
    capabilities: dict[str, Any] = opa_json(opa, "capabilities", "--current")
    kept = [builtin for builtin in capabilities["builtins"] if not _FORBIDDEN.fullmatch(builtin["name"])]
    return {**capabilities, "builtins": kept, "allow_net": []}
