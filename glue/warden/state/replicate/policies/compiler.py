"""OPA's own compiler over the policies of ConfigMaps, without what reaches out of OPA or into its environment."""

import json
import re
import subprocess
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from warden.base.errors import BundleError
from warden.base.process.backoff import Backoff
from warden.base.resources import find_shipped
from warden.policy.bundle.opa import run_opa_json
from warden.state.config_map_policies.policy_set import ObjectKey

__all__ = ["Compiler"]

_FORBIDDEN: Final = re.compile(r"http\.send|opa\.runtime|net\..*|providers\..*")
_UNDEFINED: Final = re.compile(r"undefined function (http\.send|opa\.runtime|net\.\S+|providers\.\S+)")
_OLD_SYNTAX: Final = re.compile(r"`(if|contains)` keyword is required")
_RULE: Final = re.compile(r"\bdata(?:\.\w+|\[\"[^\"]*\"\])+")
_SITE: Final = "data.checks.site.config_map"
_QUERY: Final = f'x := {{"problems": {_SITE}_problems, "unread": {_SITE}_unread, "rules": {_SITE}_rules}}'
_CHECKS: Final = ("config_maps.rego", "site.rego")  # without their tests, which take longer to compile than these
_REMEMBERED: Final = 64  # sets of modules
_ERRORS: Final = "1000"  # at most; OPA gives up after ten of its own accord


class _BrokenOff(Exception):
    """Raised where OPA was ended before it had an answer: what it would be is not known."""


@dataclass(frozen=True)
class _Checked:
    """What the rules about modules say, which could not be read, and where each rule of them is defined."""

    problems: list[tuple[str, str]]
    unread: list[str]
    rules: Mapping[str, list[str]]


class Compiler:
    """Says what keeps policies from being loaded.

    Args:
        opa: The OPA binary.
        namespaces: By namespace what its policies may be about.
        patience: Seconds that a check may take; what takes longer, or has OPA killed, is refused, so that it keeps
            nobody else waiting.
        backoff: How long it stays refused without another try.

    Raises (by every method):
        BundleError: OPA cannot be run.
    """

    def __init__(
        self, opa: Path, namespaces: Mapping[str, str], patience: float = 20.0, backoff: Backoff | None = None
    ) -> None:
        self._opa, self._namespaces, self._patience = opa, namespaces, patience
        self._backoff = backoff or Backoff(10.0, 600.0)
        self._broken_off: set[str] = set()  # keys of what is known for a while only
        self._retry_at = 0.0
        self._capabilities = json.dumps(_read_capabilities(opa))
        self._known: OrderedDict[str, dict[ObjectKey, tuple[str, ...]]] = OrderedDict()

    def check_modules(self, modules: Mapping[str, str]) -> dict[ObjectKey, tuple[str, ...]]:
        """Return sentences by ConfigMap, each beginning with key, line and column; nothing where all is well together.

        What two ConfigMaps contradict each other in is a sentence of both, which names both.

        Args:
            modules: Rego by policy id.
        """
        key = sha256(json.dumps(modules, sort_keys=True).encode()).hexdigest()
        if key not in self._known:
            try:
                self._known[key] = self._check_anew(modules) if modules else {}
            except _BrokenOff as why:
                self._known[key] = {_parse_place(id): (f"{_extract_key(id)}: {why}",) for id in modules}
                if not self._broken_off:
                    self._retry_at = time.monotonic() + self._backoff.compute_delay()
                self._broken_off.add(key)
            except OSError as error:
                raise BundleError(
                    f"the policies of ConfigMaps cannot be checked ({error}): make room for temporary files, and let "
                    f"this process run {self._opa}"
                ) from error
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._known[key]

    def forget_broken_off(self) -> bool:
        """Forget checks that were broken off, once they are to be tried again, and return whether there were any."""
        if not self._broken_off:
            self._backoff.reset()
        if not self._broken_off or time.monotonic() < self._retry_at:
            return False
        for key in self._broken_off:
            self._known.pop(key, None)
        self._broken_off.clear()
        return True

    def _check_anew(self, modules: Mapping[str, str]) -> dict[ObjectKey, tuple[str, ...]]:
        with ThreadPoolExecutor(1) as beside:
            compiled = beside.submit(self._compile, modules)
            checked = self._check(modules)
            errors = compiled.result()
        problems: dict[ObjectKey, list[str]] = {}
        for id, sentence in checked.problems:
            problems.setdefault(_parse_place(id), []).append(f"{_extract_key(id)}: {sentence}")
        for error in errors:
            id, sentence = _format_error(error, min(modules))
            parties = {_parse_place(id), *_list_conflicting_places(str(error.get("message")), modules, checked.rules)}
            names = " and ".join(sorted("/".join(party) for party in parties))
            for party in parties:
                problems.setdefault(party, []).append(f"{sentence}: in {names}" if len(parties) > 1 else sentence)
        for id in checked.unread:
            problems.setdefault(_parse_place(id), [f"{_extract_key(id)}: cannot be read as Rego"])
        return {place: tuple(sentences) for place, sentences in problems.items()}

    def _check(self, modules: Mapping[str, str]) -> _Checked:
        site = find_shipped("policies") / "checks" / "site"
        policies = [option for name in _CHECKS for option in ("--data", str(site / name))]
        catalog = ("--data", f"catalog.placement:{find_shipped('bundle') / 'catalog' / 'placement' / 'data.yaml'}")
        command = [str(self._opa), "eval", "--format", "json", "--stdin-input", *policies, *catalog, _QUERY]
        document = json.dumps({"modules": modules, "namespaces": self._namespaces})
        done = self._run(command, stdin=document)
        if done.returncode != 0:
            raise BundleError(
                f"{self._opa} cannot check the policies of ConfigMaps ({done.stderr or done.stdout}): "
                "give it more memory, or name another OPA"
            )
        answer = json.loads(done.stdout)["result"][0]["bindings"]["x"]
        return _Checked(
            [(id, sentence) for id, sentence in sorted(answer["problems"])], answer["unread"], answer["rules"]
        )

    def _compile(self, modules: Mapping[str, str]) -> list[dict[str, Any]]:
        with TemporaryDirectory(prefix="warden-policies-") as directory:
            capabilities = Path(directory, "capabilities.json")
            capabilities.write_text(self._capabilities, encoding="utf-8")
            for id, source in modules.items():
                path = Path(directory, id)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(source, encoding="utf-8")
            options = ("--capabilities", str(capabilities), "--format", "json", "--max-errors", _ERRORS)
            command = [str(self._opa), "check", *options, "configmaps"]
            done = self._run(command, directory)
        return [] if done.returncode == 0 else _parse_errors(done.stderr or done.stdout)

    def _run(
        self, command: list[str], directory: str | None = None, stdin: str | None = None
    ) -> "subprocess.CompletedProcess[str]":
        try:
            done = subprocess.run(
                command,
                cwd=directory,
                input=stdin,
                capture_output=True,
                encoding="utf-8",
                check=False,
                timeout=self._patience,
            )
        except subprocess.TimeoutExpired:
            raise _BrokenOff(f"not compiled within {self._patience:g} s: write less, or other rules") from None
        if done.returncode < 0:
            raise _BrokenOff(f"not compiled, OPA was ended by signal {-done.returncode}: write less, or other rules")
        return done


def _parse_place(id: str) -> ObjectKey:
    _, namespace, name, _ = id.split("/", 3)
    return namespace, name


def _extract_key(id: str) -> str:
    return id.rpartition("/")[2]


def _parse_errors(text: str) -> list[dict[str, Any]]:
    try:
        return list(json.loads(text)["errors"])
    except (ValueError, LookupError, TypeError):
        raise _BrokenOff(
            f"not compiled, OPA does not say why ({text.strip()[:200]}): write less, or other rules"
        ) from None


def _list_conflicting_places(
    message: str, modules: Mapping[str, str], rules: Mapping[str, list[str]]
) -> set[ObjectKey]:
    """Return the ConfigMaps that an error about rules which conflict is of, besides the one that it is found in."""
    if "conflict" not in message and "multiple default" not in message:
        return set()
    names = {name for name in rules if name in _RULE.findall(message)}
    ids = {id for name in names for id in rules[name]} | {id for id in modules if f"{id}:" in message}
    return {_parse_place(id) for id in ids}


def _format_error(error: Mapping[str, Any], first: str) -> tuple[str, str]:
    """Return the id of the module that an error is in, and the error with key, line and column."""
    place, message = error.get("location") or {}, str(error.get("message"))
    where = f":{place['row']}:{place['col']}" if place.get("file") else ""
    code = f"{error['code']}: " if error.get("code") else ""
    id = str(place.get("file") or first)
    advice = ""
    if _OLD_SYNTAX.search(message):
        advice = f": this is Rego of OPA before 1.0: rewrite it with opa fmt --write --v0-v1 {_extract_key(id)}"
    elif _UNDEFINED.search(message):
        advice = ": what reaches out of OPA or into its environment is not for policies of ConfigMaps"
    return id, f"{_extract_key(id)}{where}: {code}{message}{advice}"


def _read_capabilities(opa: Path) -> dict[str, Any]:
    capabilities: dict[str, Any] = run_opa_json(opa, "capabilities", "--current")
    kept = [builtin for builtin in capabilities["builtins"] if not _FORBIDDEN.fullmatch(builtin["name"])]
    return {**capabilities, "builtins": kept, "allow_net": []}
