"""OPAs of the playground: one with the policy in force, one with settings that somebody tries over it.

Both are processes of the console's own, so that what is tried reaches nothing that decides.
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from warden.analyse.scan.rule_metadata import read_rules_and_frameworks
from warden.base.errors import SettingsError
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.console.config import ConsolePolicy
from warden.console.policy.controls import ControlTable
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.cache import compute_hash
from warden.policy.bundle.effective_rules import RuleInForce, read_rules_in_force
from warden.policy.bundle.layers import SettingsLayers, read_settings_layers
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.settings import (
    SettingsDocument,
    check_settings,
    compile_settings,
    load_settings,
    merge_settings,
)
from warden.policy.bundle.unsigned import replace_settings
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.retry import Timeout
from warden.policy.opa.session import start_opa

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["OVERRIDES", "Busy", "PolicyTrials", "ServedPolicy"]

OVERRIDES: Final = ("rules", "clusters", "enforcementPoints", "waivers", "freshness")
"""Keys of settings that may be tried; who asks, by which tokens, is not a part of a decision here."""

_LIMITS: Final = Timeout(connect=2.0, read=10.0, total=10.0)  # of one call of OPA
_MEMORY: Final = "256MiB"


class Busy(Exception):
    """Raised where others are being answered for longer than somebody should wait."""


@dataclass(frozen=True)
class ServedPolicy:
    """A policy that an OPA decides by.

    Args:
        layers: Its settings by where they are from.
        opa: The OPA.
        revision: The bundle's.
    """

    layers: SettingsLayers
    opa: HostOpa
    revision: str
    _rules: dict[tuple[str, str], dict[str, RuleInForce]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def metadata(self) -> Mapping[str, Mapping[str, Any]]:
        """The rules' METADATA by id."""
        return _read_metadata()

    @cached_property
    def controls(self) -> ControlTable:
        """The controls of its rules, a site's among them; read from its OPA."""
        with self.build_client() as client:
            return ControlTable(*read_rules_and_frameworks(client))

    def build_client(self) -> "OpaClient":
        """Return a new client of its OPA, which waits some seconds for each decision."""
        return self.opa.build_client()

    def read_rules(self, cluster: str, point: str) -> dict[str, RuleInForce]:
        """Return the rules for a cluster at an enforcement point, where they come from as a file's name and line."""
        if len(self._rules) > 100:
            self._rules.clear()
        in_force = self._rules.get((cluster, point))
        if in_force is None:
            rules = read_rules_in_force(self.layers, cluster=cluster, enforcement_point=point)
            in_force = self._rules[cluster, point] = {id: self._with_names(rule) for id, rule in rules.items()}
        return in_force

    def _with_names(self, rule: RuleInForce) -> RuleInForce:
        """Where things are on this machine is no reader's business: the layer's name stands for its path."""
        names = {str(path): self._name(number, path) for number, (path, _) in enumerate(self.layers.files)}
        origins = {}
        for setting, origin in rule.origins.items():
            path, _, line = origin.rpartition(":")
            origins[setting] = f"{names[path]}:{line}" if path in names else origin
        return replace(rule, origins=origins)

    def _name(self, number: int, path: Path) -> str:
        if number == 0:
            return f"as shipped, {path.name}"
        return f"profile {path.parent.name}" if path.name == "profile.yaml" else path.name


class PolicyTrials:
    """The policy in force and the one that was tried last.

    Args:
        files: What the policy in force is made of; read again where it has changed.
        patience: Seconds that somebody waits while others are answered.
    """

    def __init__(self, files: ConsolePolicy, patience: float = 30.0) -> None:
        self._files, self._patience = files, patience
        self._lock = threading.Lock()
        self._in_force: tuple[str, ServedPolicy, ExitStack] | None = None
        self._tried: tuple[tuple[str, str], ServedPolicy, ExitStack] | None = None

    @contextmanager
    def take_turn(self) -> Iterator[None]:
        """Wait for one's turn: one paste is decided at a time, whatever it costs.

        Raises:
            Busy: It has not come.
        """
        if not self._lock.acquire(timeout=self._patience):
            raise Busy("others are being answered: try again in a moment")
        try:
            yield
        finally:
            self._lock.release()

    def read_in_force(self) -> ServedPolicy:
        """Return the policy in force; to be called in one's turn.

        Raises:
            BundleError, SettingsError: The files do not make a policy.
        """
        files = self._files
        places = (*((files.settings,) if files.settings else ()), *files.site)
        try:
            key = compute_hash([files.profile], places)
        except OSError as error:
            raise SettingsError(
                f"{error.filename}: cannot be read ({error.strerror}): permit it, or take it out"
            ) from error
        if self._in_force is None or self._in_force[0] != key:
            self.close()
            policies = find_shipped("policies")
            opa = find_opa()
            layers = read_settings_layers(opa, policies, _read_metadata(), files.profile, files.settings)
            with ExitStack() as stack:
                policy = _start(stack, layers, files)
                self._in_force = key, policy, stack.pop_all()
        return self._in_force[1]

    def try_settings(self, text: str) -> ServedPolicy:
        """Return the policy in force with settings laid over it; to be called in one's turn.

        Args:
            text: YAML in the form that settings have.

        Raises:
            SettingsError: A line for each mistake, by its line in the text.
        """
        below = self.read_in_force()
        key = (below.revision, text)
        if self._tried is None or self._tried[0] != key:
            self._stop_other()
            with ExitStack() as stack:
                path = Path(stack.enter_context(TemporaryDirectory(prefix="warden-"))) / "your settings"
                try:
                    layers = _lay_over(below.layers, path, text)
                except SettingsError as error:
                    raise SettingsError(str(error).replace(str(path), path.name)) from error
                policy = _start_other(stack, below, layers, path.parent)
                self._tried = key, policy, stack.pop_all()
        return self._tried[1]

    def close(self) -> None:
        """End the OPAs."""
        self._stop_other()
        if self._in_force is not None:
            self._in_force[2].close()
            self._in_force = None

    def _stop_other(self) -> None:
        if self._tried is not None:
            self._tried[2].close()
            self._tried = None


@cache
def _read_metadata() -> dict[str, dict[str, Any]]:
    return read_rule_metadata(find_opa(), find_shipped("policies"))


def _lay_over(below: SettingsLayers, path: Path, text: str) -> SettingsLayers:
    """Write a text as settings into a file, and lay it over others."""
    path.write_text(text, encoding="utf-8")
    over = load_settings(path)
    for key in over:
        if key not in OVERRIDES:
            raise SettingsError(f"{path}:1: {key} cannot be tried in the playground: write {', '.join(OVERRIDES)}")
    merged = merge_settings(below.merged, over)
    documents = [SettingsDocument(over, path, complete=False), SettingsDocument(merged, path, complete=True)]
    check_settings(find_opa(), find_shipped("policies") / "checks", _read_metadata(), documents)
    return SettingsLayers((*below.files, (path, over)), merged)


def _start(stack: ExitStack, layers: SettingsLayers, files: ConsolePolicy) -> ServedPolicy:
    """Build a bundle and make an OPA for it, which starts when it is first used and ends with the stack."""
    with TemporaryDirectory(prefix="warden-") as directory:
        path = Path(directory) / "bundle.tar.gz"
        bundle = build_bundle(path, settings=files.settings, profile=files.profile, site=files.site)
        opa = stack.enter_context(start_opa(path, revision=bundle.revision, memory_limit=_MEMORY))
    return ServedPolicy(layers, replace(opa, timeout=_LIMITS), bundle.revision)


def _start_other(stack: ExitStack, below: ServedPolicy, layers: SettingsLayers, directory: Path) -> ServedPolicy:
    """Make an OPA with the same policies and other settings."""
    compiled = compile_settings(find_opa(), find_shipped("policies") / "checks", layers.merged)
    digest = hashlib.sha256(json.dumps([below.revision, layers.merged]).encode()).hexdigest()
    revision = f"tried-{digest[:12]}"
    path = replace_settings(Path(below.opa.bundle), directory / "tried.tar.gz", layers.merged, compiled, revision)
    opa = stack.enter_context(start_opa(path, revision=revision, memory_limit=_MEMORY))
    return ServedPolicy(layers, replace(opa, timeout=_LIMITS), revision)
