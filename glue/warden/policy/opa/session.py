"""The OPA that a command uses: one at an address, one of this process, or one on each host of a job."""

import hashlib
import logging
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from warden.base.errors import ConfigurationError
from warden.base.tls.reloading_context import load_client_context
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.build import Bundle, begin_bundle
from warden.policy.bundle.unsigned import read_bundle_revision, unpack_constants
from warden.policy.bundle.verify import verify_bundle
from warden.policy.opa.endpoints import OpaEndpoint, RemoteOpa
from warden.policy.opa.item_size import MAX_ITEM_BYTES
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.revision_floor import RevisionFloor

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["OpaOptions", "OpaSession", "build_in_background", "open_session", "start_opa"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class OpaOptions:
    """Which OPA to use: those that run at ``urls``, else one that is started, with what it decides by.

    Args:
        urls: Addresses of OPAs with the same bundle and token; the tasks of a job take turns.
        token: Their query token.
        settings: YAML laid over the shipped settings.
        profile: Profile that lies between the two.
        site: Directories with a site's own rules.
        bundle: A bundle that was built before, whose signature is verified; one is built where None.
        program: OPA's program, for the machines of the job; the pinned one where None.
        revision_file: Where the highest number of a bundle's revision is kept, so that older ones are refused, at
            ``urls`` and as ``bundle``; one that is built here is as new as what it is built of.
        max_item_bytes: JSON that one decision input of this process may have; a larger one is not sent.
        memory_limit: As of `warden.policy.opa.per_host.HostOpa`, of one that is started.
        ca_file: PEM file of certificates to trust at ``urls``; None for the system's.

    Raises:
        ConfigurationError: Settings, a profile, a site's rules, a bundle or a program were given for an OPA that runs,
            or one of the first three for a bundle that was built before.
    """

    urls: tuple[str, ...] = ()
    token: str | None = field(default=None, repr=False)
    settings: Path | None = None
    profile: str | None = None
    site: tuple[Path, ...] = ()
    bundle: Path | None = None
    program: Path | None = None
    revision_file: Path | None = None
    max_item_bytes: int = MAX_ITEM_BYTES
    memory_limit: str = ""
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        of_bundle = {"--settings": self.settings, "--profile": self.profile, "--site": self.site or None}
        for option, value in {**of_bundle, "--bundle": self.bundle, "--opa": self.program}.items():
            if self.urls and value is not None:
                raise ConfigurationError(
                    f"{option} is for the OPA that is started here: leave out --opa-url (WARDEN_OPA_URL), or {option}"
                )
        for option, value in of_bundle.items():
            if self.bundle is not None and value is not None:
                raise ConfigurationError(f"{option} is for a bundle that is built: leave out --bundle, or {option}")

    def read_authorities(self) -> str | None:
        """Return the certificates of ``ca_file``, for `warden.policy.opa.endpoints.RemoteOpa`; None without one.

        Raises:
            ConfigurationError: They cannot be loaded.
        """
        if self.ca_file is None:
            return None
        load_client_context(self.ca_file, None, "--opa-ca-file (WARDEN_OPA_CA_FILE)", _LOG)
        return self.ca_file.read_text(encoding="ascii", errors="ignore")  # comments may be in any encoding


@dataclass(frozen=True)
class OpaSession:
    """An OPA to use for as long as the session is open.

    Args:
        endpoint: How the tasks of a job reach it.
        driver: How this process reaches it.
        max_item_bytes: JSON that one decision input of this process may have.
    """

    endpoint: OpaEndpoint
    driver: RemoteOpa | HostOpa
    max_item_bytes: int = MAX_ITEM_BYTES

    def build_client(self) -> "OpaClient":
        """Return a new client for this process, with the query token."""
        return self.driver.build_client(max_item_bytes=self.max_item_bytes)


@contextmanager
def build_in_background(options: OpaOptions) -> Iterator[Future[Bundle] | None]:
    """Yield the bundle that is built beside what the block does, after a look at its settings; None where none is.

    Args:
        options: Which OPA to use.

    Raises:
        SettingsError, BundleError: Something is wrong with the settings, or with where a site's rules are.
    """
    if options.urls or options.bundle is not None:
        yield None
        return
    with TemporaryDirectory(prefix="warden-") as directory, ThreadPoolExecutor(1, "bundle") as thread:
        yield thread.submit(_begin(options, Path(directory) / "bundle.tar.gz"))


def _begin(options: OpaOptions, path: Path) -> Callable[[], Bundle]:
    return begin_bundle(path, settings=options.settings, profile=options.profile, site=options.site)


@contextmanager
def open_session(
    options: OpaOptions = OpaOptions(),
    distribute: Callable[[HostOpa], HostOpa] = lambda opa: opa,
    show: Callable[[str], AbstractContextManager[object]] = nullcontext,
    built: Future[Bundle] | None = None,
) -> Iterator[OpaSession]:
    """Yield the OPA that `options` name; one that is started ends with the block.

    Args:
        options: Which one.
        distribute: Makes of this process's OPA the one that tasks reach, on each host of a job: see
            `spark_jobs.common.job_opa`. By default they share this process's.
        show: Shows, in words, what takes long.
        built: The bundle, of `build_in_background`; it is built here where None.

    Raises:
        BundleError, SettingsError: The bundle cannot be built or trusted.
        ConfigurationError: The CA file cannot be loaded.
        ToolchainError, OpaError: OPA cannot be had, started or reached.
    """
    floor = RevisionFloor(options.revision_file) if options.revision_file else None
    if options.urls:
        first, *others = options.urls
        remote = RemoteOpa(first, options.token, tuple(others), floor=floor, authorities=options.read_authorities())
        yield OpaSession(remote, remote, options.max_item_bytes)
        return
    program = options.program or find_opa()
    with TemporaryDirectory(prefix="warden-") as directory:
        if options.bundle is not None:
            verify_bundle(program, options.bundle)
            if floor:
                floor.check(read_bundle_revision(options.bundle))
            bundle, revision = options.bundle, None
        else:
            path = Path(directory) / "bundle.tar.gz"
            with show("building the bundle"):
                made = built.result() if built else _begin(options, path)()
                bundle, revision = made.path, made.revision
        with start_opa(bundle, program, options.memory_limit, revision) as opa:
            yield OpaSession(distribute(opa), opa, options.max_item_bytes)


@contextmanager
def start_opa(
    bundle: Path, program: Path | None = None, memory_limit: str = "", revision: str | None = None
) -> Iterator[HostOpa]:
    """Yield an OPA of this process, which is started when it is first used and ends with the block.

    Args:
        bundle: A bundle that the caller trusts: built here, or verified.
        program: OPA's program; the pinned one where None.
        memory_limit: As of `warden.policy.opa.per_host.HostOpa`.
        revision: The bundle's; the one that its manifest states where None.

    Raises:
        ConfigurationError: The file is not a bundle.
        ToolchainError: OPA cannot be had.
    """
    name = f"{secrets.token_hex(8)}-driver"
    with TemporaryDirectory(prefix="warden-") as directory:
        bare = unpack_constants(bundle, Path(directory) / f"{name}.bundle")
        digest = hashlib.sha256(bare.read_bytes()).hexdigest()
        stated, path = revision or read_bundle_revision(bare), str(program or find_opa())
        opa = HostOpa(name, str(bare), digest, stated, path, memory_limit=memory_limit)
        try:
            yield opa
        finally:
            opa.stop()
