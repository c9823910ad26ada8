"""Options of ``opa run`` by which an OPA fetches the policies of ConfigMaps from a replicator."""

from pathlib import Path
from typing import Final

__all__ = ["config_map_options"]

_WAIT: Final = 30  # seconds that OPA waits at the replicator for the next bundle


def config_map_options(url: str, token: Path, ca_file: Path | None = None) -> tuple[str, ...]:
    """Return them; the bundle is kept over a restart of OPA.

    Args:
        url: Base URL of the replicator's listener.
        token: File with OPA's policies token.
        ca_file: PEM file of certificates to trust; None for the system's.
    """
    settings = {
        "services.configmaps.url": url,
        "services.configmaps.credentials.bearer.token_path": str(token),
        "bundles.configmaps.service": "configmaps",
        "bundles.configmaps.resource": "configmaps.tar.gz",
        "bundles.configmaps.persist": "true",
        "bundles.configmaps.polling.min_delay_seconds": "1",
        "bundles.configmaps.polling.max_delay_seconds": "1",
        "bundles.configmaps.polling.long_polling_timeout_seconds": str(_WAIT),
    }
    if ca_file is not None:
        settings["services.configmaps.tls.ca_cert"] = str(ca_file)
    return tuple(f"--set={name}={value}" for name, value in settings.items())
