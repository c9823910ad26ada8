"""The rules' METADATA, as OPA reads it from the policies."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from warden.base.errors import BundleError
from warden.policy.bundle.opa import run_opa_json

__all__ = ["find_rule_page", "has_words", "list_rule_texts", "read_rule_metadata"]

_ID = re.compile(r"^#.*\bid:", re.MULTILINE)


def read_rule_metadata(opa: Path, policies: Path) -> dict[str, dict[str, Any]]:
    """Return the METADATA of every rule under `policies`, by rule id.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.

    Returns:
        For each id: id, title, description, severity, operations, controls, params (name → JSON schema), message or
        messages (by case), fix or fixes (by case), references and file (path below `policies`).

    Raises:
        BundleError: A package with rules does not compile.
    """
    with TemporaryDirectory(prefix="warden-rules-") as scratch:
        tree = Path(scratch)
        _copy_packages(policies, tree)
        if not any(tree.iterdir()):
            return {}
        try:
            inspected = run_opa_json(opa, "inspect", "--annotations", "--format", "json", scratch)
        except BundleError as error:
            raise BundleError(str(error).replace(scratch, str(policies))) from error
    entries = (entry for entry in inspected["annotations"] if "id" in entry["annotations"].get("custom", {}))
    rules = (_build_rule(entry["annotations"], Path(entry["location"]["file"]).relative_to(tree)) for entry in entries)
    return {rule["id"]: rule for rule in sorted(rules, key=lambda rule: str(rule["id"]))}


def list_rule_texts(rule: Mapping[str, Any], single: str, many: str) -> list[str]:
    """Return the text of a rule in the field `single`, or its texts by case in `many`, each once."""
    texts = rule[many].values() if many in rule else [rule.get(single, "")]
    return [text for text in dict.fromkeys(texts) if text]


def has_words(rule: Mapping[str, Any], words: Iterable[str]) -> bool:
    """Return whether a rule says all of some words, in whatever case: in its texts, or as names of parameters.

    Args:
        rule: Its metadata.
        words: The words, which may be parts of others.
    """
    texts = "\n".join(_iter_texts([*rule.values(), *rule.get("params", ())])).casefold()
    return all(word.casefold() in texts for word in words)


def _iter_texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for child in value.values() if isinstance(value, dict) else value:
            yield from _iter_texts(child)
    else:
        yield str(value)


def find_rule_page(id: str) -> str:
    """Return the address of a rule's page, "" where there is none.

    A rule of the library has one where the environment variable ``WARDEN_DOCS_URL`` says where the documentation is
    served; a site's own rules have none there.

    Args:
        id: The rule's id.
    """
    site = os.environ.get("WARDEN_DOCS_URL", "").rstrip("/")
    return f"{site}/reference/rules/{id}.html" if site and id.startswith("KFK-") else ""


def _copy_packages(policies: Path, tree: Path) -> None:
    """Copy the packages that have rules, without tests: OPA compiles what it inspects, and all of it takes seconds."""
    files = [path for path in policies.rglob("*.rego") if not path.name.endswith("_test.rego")]
    packages = {path.parent for path in files if _ID.search(path.read_text(encoding="utf-8"))}
    for path in files:
        if path.parent in packages:
            copy = tree / path.relative_to(policies)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def _build_rule(annotation: dict[str, Any], file: Path) -> dict[str, Any]:
    references = [resource["ref"] for resource in annotation.get("related_resources", [])]
    return {
        "title": annotation.get("title", ""),
        "description": annotation.get("description", ""),
        "references": references,
        "controls": [],
        "params": {},
        "file": file.as_posix(),
        **annotation["custom"],
    }
