"""What OPA has of the policies of ConfigMaps, and how it is brought to another set.

OPA takes one policy at a time. Where a set needs several steps, ``data.site.loaded.complete`` is false meanwhile, and
KFK-PLC-003 denies: an object is never placed by half of the policies. ``loaded.policies`` names all that OPA may have
of us, so that whoever comes after a restart of ours finds what to take away.
"""

from collections.abc import Mapping
from typing import Any, Final

from warden.errors import OpaRefused, OpaUndefined
from warden.opa.client import OpaClient
from warden.replicate.policies.policy_set import PolicySet

__all__ = ["Site"]

_LOADED: Final = ("site", "loaded")
_DATA: Final = ("site", "configmaps")


class Site:
    """The policies of ConfigMaps in one OPA.

    Args:
        client: A client of it, with the policies token.

    Raises (by every method):
        OpaError: OPA does not take it.
    """

    def __init__(self, client: OpaClient) -> None:
        self._client = client

    def loaded(self) -> Mapping[str, Any] | None:
        """Return what OPA says that it has; None where it has been restarted, or never had anything."""
        try:
            found = self._client.get_data(_LOADED)
        except OpaUndefined:
            return None
        return found if isinstance(found, dict) else None

    def close_down(self) -> None:
        """Have OPA deny until a set has been loaded, where it has none."""
        if self.loaded() is None:
            self._client.put_data(_LOADED, {"complete": False, "policies": {}, "data": ""})

    def bring(self, wanted: PolicySet) -> int:
        """Bring OPA to a set, unless it has it, and return how many steps it took."""
        marker, before = wanted.marker(), self.loaded()
        if before == marker:
            return 0
        old: dict[str, Any] = dict((before or {}).get("policies") or {})
        new = marker["policies"]
        changed = [id for id, hash in new.items() if old.get(id) != hash]
        gone = [id for id in old if id not in new]
        data = int((before or {}).get("data") != marker["data"])
        at_once = (before or {}).get("complete") is True and len(changed) + len(gone) + data == 1
        # Of what may be touched no hash is believed, should this end half way.
        either = {**(old if at_once else dict.fromkeys(old, "")), **dict.fromkeys(changed, "")}
        self._client.put_data(_LOADED, {"complete": at_once, "policies": either, "data": ""})
        if data:
            self._client.put_data(_DATA, wanted.data)
        self._push({id: wanted.modules[id] for id in changed}, gone)
        self._client.put_data(_LOADED, marker)
        return len(changed) + len(gone) + data

    def _push(self, waiting: dict[str, str], gone: list[str]) -> None:
        """Put policies until all are there; what needs another one waits for it, and old ones give way at last."""
        steps = [gone, list(waiting)]
        while waiting:
            refused: dict[str, str] = {}
            for id, source in waiting.items():
                try:
                    self._client.put_policy(id, source)
                except OpaRefused as error:
                    refused[id], reason = source, error
            if len(refused) == len(waiting):
                if not steps:
                    raise reason
                self._remove(steps.pop(0))
            waiting = refused
        if left := self._remove(gone):
            raise OpaRefused(f"{', '.join(left)} cannot be taken away: another policy needs them")

    def _remove(self, ids: list[str]) -> list[str]:
        """Take policies away, those first that no other needs, and return those that some other does."""
        while ids:
            kept = []
            for id in ids:
                try:
                    self._client.delete_policy(id)
                except OpaUndefined:
                    continue
                except OpaRefused:
                    kept.append(id)
            if len(kept) == len(ids):
                break
            ids = kept
        return ids
