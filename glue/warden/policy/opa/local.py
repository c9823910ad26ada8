"""OPA on this machine as production runs it: started, awaited, restarted and stopped; on loopback, with tokens.

It runs with ``opa-config.yaml``, the configuration that production uses too, and fetches its bundle from a
`BundleServer`, so that a rebuilt bundle is taken up within a second and a bad one is refused.
"""

import json
import shutil
import tempfile
from pathlib import Path

from warden.base.errors import ConfigurationError, OpaUnreachable
from warden.base.files.private import make_private_directory
from warden.base.http.ports import check_free, find_free_port
from warden.base.process.closing import ManagedProgram
from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.signing import SigningKey
from warden.policy.bundle.unsigned import read_bundle_revision
from warden.policy.opa.bundle_server import BundleServer
from warden.policy.opa.client import OpaClient
from warden.policy.opa.launch import Launch, StartedOpa
from warden.policy.opa.revision_floor import RevisionFloor
from warden.policy.opa.tokens import OpaTokens

__all__ = ["LocalOpa"]


class LocalOpa(ManagedProgram):
    """A managed OPA; a context manager that starts it, waits until it decides, and stops it.

    It cannot outlive this process (`warden.base.process.supervisor`).

    Args:
        bundle: A signed bundle; its key is the only one that OPA accepts.
        opa: The program; the pinned one where none is given.
        port: A port of 127.0.0.1; 0 takes a free one, and keeps it over a restart.
        directory: Where OPA's log and its last good bundle are kept; a temporary one, removed by `stop`, where none
            is given.
        config: OPA's configuration file; Warden's own where none is given.
        public_key: PEM file with the public key, where the bundle was signed with a private one (RS, PS, ES).
        floor: What refuses older bundles, so that OPA is not given them; None where any is given.
        config_maps: Base URL at which a replicator serves policies of ConfigMaps; None where there are none.

    Raises:
        OpaOutdated: The bundle is an older one (by `start`).
        ConfigurationError: A public key is needed, or cannot be read.

    Attributes:
        tokens: What to authenticate with; new ones for each instance.
        directory: As above.
        log: OPA's own log, with its decisions: JSON lines.
    """

    def __init__(
        self,
        bundle: Bundle,
        *,
        opa: Path | None = None,
        port: int = 0,
        directory: Path | None = None,
        config: Path | None = None,
        public_key: Path | None = None,
        floor: RevisionFloor | None = None,
        config_maps: str | None = None,
    ) -> None:
        self._verification_key = _read_verification_key(bundle.key, public_key)
        self.tokens = OpaTokens.generate()
        self._bundle, self._opa, self._config = bundle, opa, config or find_shipped("deploy/opa-config.yaml")
        self._port, self._floor, self._config_maps = port, floor, config_maps
        self._temporary = directory is None
        self.directory = directory or Path(tempfile.mkdtemp(prefix="warden-opa-"))
        self.log = self.directory / "opa.log"
        self._bundle_server: BundleServer | None = None
        self._started: StartedOpa | None = None

    def _begin(self) -> None:
        self.start()
        self.wait_ready()

    @property
    def url(self) -> str:
        """OPA's address; final once OPA has been started."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """OPA's process id."""
        return self._require_started().process.pid

    @property
    def is_alive(self) -> bool:
        """Whether OPA runs."""
        return self._started is not None and self._started.process.is_alive

    def build_client(self, token: str | None = None) -> OpaClient:
        """Return a new client; with the query token where no other is given."""
        return OpaClient(self.url, token=token or self.tokens.query)

    def start(self) -> None:
        """Start OPA; it may not decide yet when this returns.

        Raises:
            ConfigurationError: The port is in use.
            ToolchainError: OPA cannot be had or started.
        """
        if self._started is not None:
            return
        if self._floor:
            self._floor.check(read_bundle_revision(self._bundle.path))
        make_private_directory(self.directory)
        self._port = self._port or find_free_port()
        check_free(self._port)
        self._bundle_server = self._bundle_server or BundleServer(self._bundle.path, self._floor)
        self._started = self._launch(self._bundle_server)

    def wait_ready(self, timeout: float = 20.0) -> None:
        """Return when OPA decides with its bundle and knows our tokens.

        Args:
            timeout: Seconds.

        Raises:
            ConfigurationError: OPA ended because the port is in use.
            OpaUnreachable: OPA ended, refused the bundle, or was not ready in time.
        """
        started = self._require_started()
        try:
            started.wait_ready(timeout)
        except (ConfigurationError, OpaUnreachable):
            if not started.process.is_alive:
                self._end()
            raise

    def restart(self, timeout: float = 20.0) -> None:
        """Stop OPA, start it on the same port with the same tokens, and wait until it decides."""
        self._end()
        self.start()
        self.wait_ready(timeout)

    def stop(self) -> None:
        """Stop OPA and remove what is temporary. May be called again."""
        self._end()
        if self._bundle_server is not None:
            self._bundle_server.stop()
            self._bundle_server = None
        if self._temporary:
            shutil.rmtree(self.directory, ignore_errors=True)

    def _launch(self, server: BundleServer) -> StartedOpa:
        from warden.base.toolchain.opa import find_opa

        key = self._bundle.key
        variables = {
            "WARDEN_BUNDLE_URL": server.url,
            "WARDEN_BUNDLE_PATH": server.resource,
            "WARDEN_BUNDLE_TOKEN": server.token,
            "WARDEN_BUNDLE_POLL_SECONDS": "1",
            "WARDEN_BUNDLE_KEY_ID": key.id,
            "WARDEN_BUNDLE_KEY_ALGORITHM": key.algorithm,
            "WARDEN_BUNDLE_KEY": json.dumps(self._verification_key)[1:-1],  # line ends as \n, for a quoted YAML text
            "WARDEN_OPA_DIRECTORY": str(self.directory.resolve()),
        }
        # One line per decision is enough: no second one per request.
        options = ("--log-level-request=debug", *self._prepare_config_map_options())
        return Launch(
            self._opa or find_opa(),
            self._port,
            self._config,
            self._bundle.path,
            self.log,
            self.tokens,
            variables,
            options,
            all_bundles=self._config_maps is None,
        ).start()

    def _prepare_config_map_options(self) -> tuple[str, ...]:
        """Have OPA fetch the policies of ConfigMaps too; their token is in a file, since others see command lines."""
        if self._config_maps is None:
            return ()
        token = self.directory.resolve() / "policies.token"
        token.write_text(self.tokens.policies, encoding="utf-8")
        token.chmod(0o600)
        settings = {
            "services.configmaps.url": self._config_maps,
            "services.configmaps.credentials.bearer.token_path": str(token),
            "bundles.configmaps.service": "configmaps",
            "bundles.configmaps.resource": "configmaps.tar.gz",
            "bundles.configmaps.persist": "true",
            "bundles.configmaps.polling.min_delay_seconds": "1",
            "bundles.configmaps.polling.max_delay_seconds": "1",
            "bundles.configmaps.polling.long_polling_timeout_seconds": "30",
        }
        return tuple(f"--set={name}={value}" for name, value in settings.items())

    def _require_started(self) -> StartedOpa:
        if self._started is None:
            raise OpaUnreachable("the local OPA has not been started: call start()")
        return self._started

    def _end(self) -> None:
        started, self._started = self._started, None
        if started is not None:
            started.process.stop()


def _read_verification_key(key: SigningKey, public_key: Path | None) -> str:
    """Return the text of the key that verifies what ``key`` signed."""
    if public_key is None and not key.symmetric:
        raise ConfigurationError(f"the bundle is signed with {key.algorithm}: give the public key of {key.path} too")
    path = public_key or key.path
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"the key {path} cannot be read: give a PEM file") from error
