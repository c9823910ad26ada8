"""``warden webhook``: decide where objects of Kubernetes may run, as they are admitted."""

from functools import partial
from pathlib import Path

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.commands import EXIT_OK, CommandGroup
from warden.commands.shared.choice import Choice
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.serving import parse_address

__all__ = ["command"]

_FILE = LocalPath(path_type=Path, exists=True, dir_okay=False)
_CONFIG = click.option(
    "--config", type=_FILE, help="Which OPA decides: a YAML or JSON file, see docs/operate/webhook.md."
)


@click.group(cls=CommandGroup, short_help="Decide where objects of Kubernetes may run.", invoke_without_command=True)
@_CONFIG
@click.option(
    "--listen", default="0.0.0.0:8443", show_default=True, metavar="HOST:PORT", help="Address; port 0: a free one."
)
@click.option("--certificate", type=_FILE, help="PEM file of the certificate to serve with, and its chain.")
@click.option("--key", type=_FILE, help="PEM file of its key.")
@click.pass_context
def command(
    context: click.Context, config: Path | None, listen: str, certificate: Path | None, key: Path | None
) -> int:
    """Answer a Kubernetes API server's AdmissionReviews at /mutate over HTTPS, with OPA's decision.

    The annotations of the decision are merged into the object's; its errors refuse the object, and so does an OPA that
    does not decide. Certificates and tokens are taken up anew when their files change. The log is JSON lines on
    stderr; /healthz, /readyz and /metrics are served beside.

    \b
    Examples:
      warden webhook --config webhook.yaml --certificate tls.crt --key tls.key
      warden webhook registration --config webhook.yaml --authority ca.crt --service warden/webhook
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if context.invoked_subcommand is not None:
        return EXIT_OK
    if config is None or certificate is None or key is None:
        raise click.UsageError("Options '--config', '--certificate' and '--key' are needed.")
    check_extras("aiohttp", "prometheus_client")
    from warden.base.long_running import run_server
    from warden.base.tls.listener import ListenerTls
    from warden.enforce.webhook.config import read_config
    from warden.enforce.webhook.server import serve

    tls = ListenerTls(certificate_file=certificate, key_file=key)
    settings, address = read_config(config), parse_address(listen, "0.0.0.0:8443")
    run_server("warden.enforce.webhook", partial(serve, settings, address, tls))
    return EXIT_OK


@command.command("registration")
@click.option("--config", required=True, type=_FILE, help="The webhook's configuration, which has the kinds.")
@click.option("--authority", required=True, type=_FILE, help="PEM certificate that signed the webhook's.")
@click.option("--service", metavar="NAMESPACE/NAME", help="The webhook's Service, on port 443.")
@click.option("--url", help="Its address outside of the cluster, as in https://host:8443/mutate.")
@click.option("--timeout", type=click.IntRange(1, 30), default=10, show_default=True, help="Seconds it is waited for.")
@click.option(
    "--failure-policy",
    type=Choice(["Fail", "Ignore"]),
    default="Fail",
    show_default=True,
    help="What happens to objects while the webhook itself is away.",
)
def registration_command(
    config: Path, authority: Path, service: str | None, url: str | None, timeout: int, failure_policy: str
) -> int:
    """Print the MutatingWebhookConfiguration that has an API server ask the webhook.

    System namespaces, the policy namespace, and the webhook's own namespace with its accounts are left out.

    \b
    Examples:
      warden webhook registration --config webhook.yaml --authority ca.crt --service warden/webhook | kubectl apply -f -
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    import yaml

    from warden.enforce.webhook.config import read_config
    from warden.enforce.webhook.registration import build_registration

    if (service is None) == (url is None):
        raise ConfigurationError("give either --service or --url")
    namespace, _, name = (service or "warden/").partition("/")
    if service is not None and not (namespace and name):
        raise ConfigurationError(f"--service {service} is not NAMESPACE/NAME: write one such as warden/warden-webhook")
    trusted = authority.read_bytes()
    if b"-----BEGIN CERTIFICATE-----" not in trusted or b"PRIVATE KEY-----" in trusted:
        raise ConfigurationError(f"--authority {authority}: name a PEM file that has certificates, and no key")
    where = {"url": url} if url else {"service": {"namespace": namespace, "name": name, "path": "/mutate"}}
    manifest = build_registration(
        read_config(config).kinds,
        where,
        trusted,
        own_namespace=namespace,
        timeout=timeout,
        failure_policy=failure_policy,
    )
    click.echo(yaml.safe_dump(manifest, sort_keys=False), nl=False)
    return EXIT_OK
