"""Tokens for OAUTHBEARER of Amazon MSK and of Google's Managed Service for Apache Kafka.

They stand where Kafka's clients have a class of the vendor, of ``aws-msk-iam-auth`` or of
``managed-kafka-auth-login-handler``.
"""

import base64
import json
import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, Final

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError, KafkaError
from warden.base.extras import check_extras
from warden.state.sources.kafka.login.jaas import LoginModule

__all__ = ["AWS_MSK_IAM", "CLOUD_HANDLERS", "MSK_CLIENT_HANDLERS", "build_msk_source"]

AWS_MSK_IAM: Final = "AWS_MSK_IAM"
"""MSK's own mechanism. Its listener takes OAUTHBEARER too, with a token that is signed in the same way."""
_MSK = "software.amazon.msk.auth.iam."
_MSK_LOGIN = f"{_MSK}IAMOAuthBearerLoginCallbackHandler"
MSK_CLIENT_HANDLERS: Final = frozenset({f"{_MSK}IAMClientCallbackHandler", _MSK_LOGIN})
"""What ``sasl.client.callback.handler.class`` is set to where clients log in to MSK by IAM."""

_MSK_HOST = re.compile(r"\.kafka(?:-serverless)?\.([a-z0-9-]+)\.amazonaws\.com")
_KEYS = {  # of who takes the role on, where that is written down
    "aws_access_key_id": "awsRoleAccessKeyId",
    "aws_secret_access_key": "awsRoleSecretAccessKey",
    "aws_session_token": "awsRoleSessionToken",
}
_MSK_OPTIONS = ("awsProfileName", "awsRoleArn", "awsRoleExternalId", "awsRoleSessionName", "awsStsRegion")
_IDLE = ("awsDebugCreds", "awsMaxBackOffTimeMs", "awsMaxRetries")  # how Java's library tries again, and what it logs
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_Source = Callable[[], tuple[str, float]]


def build_msk_source(properties: Mapping[str, str], module: LoginModule) -> _Source:
    """Return what signs a token for Amazon MSK with AWS' credentials: of a profile, a role, or where AWS looks first.

    Args:
        properties: Kafka's client properties; the region is in the brokers' names, ``bootstrap.servers``.
        module: The login module with its options, as ``aws-msk-iam-auth`` has them.

    Raises:
        ConfigurationError: The region is not known, an option is not, or the extra is missing.
    """
    check_extras("aws_msk_iam_sasl_signer", "boto3")
    for option in module.options:
        if option.startswith("aws") and option not in (*_MSK_OPTIONS, *_KEYS.values(), *_IDLE):
            raise ConfigurationError(f"sasl.jaas.config has an {describe_unknown('option', option, _MSK_OPTIONS)}")
    keys = {name: module.options.get(option) for name, option in _KEYS.items() if "awsRoleArn" in module.options}
    match = _MSK_HOST.search(properties.get("bootstrap.servers", ""))

    def get() -> tuple[str, float]:
        from aws_msk_iam_sasl_signer import MSKAuthTokenProvider
        from boto3 import Session
        from boto3.exceptions import Boto3Error
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            session = Session(profile_name=module.options.get("awsProfileName"), **keys)
            region = match[1] if match else session.region_name
            if not region:
                raise ConfigurationError(
                    f"the region of {properties.get('bootstrap.servers')} is not known: connect to MSK's own names "
                    "(….kafka.REGION.amazonaws.com), or set AWS_DEFAULT_REGION"
                )
            provider = _build_provider(_obtain_credentials(session, module.options, region))
            token, ends = MSKAuthTokenProvider.generate_auth_token_from_credentials_provider(region, provider)
        except (BotoCoreError, Boto3Error, ClientError, ValueError) as error:
            raise KafkaError(f"AWS gives no credentials for a token: {' '.join(str(error).split())}") from error
        return token, ends / 1000 - time.time()

    return get


def _obtain_credentials(session: Any, options: Mapping[str, str], region: str) -> Any:
    from botocore.credentials import Credentials

    if "awsRoleArn" in options:
        wanted = {
            "RoleArn": options["awsRoleArn"],
            "RoleSessionName": options.get("awsRoleSessionName", "warden"),
            **({"ExternalId": options["awsRoleExternalId"]} if "awsRoleExternalId" in options else {}),
        }
        role = session.client("sts", region_name=options.get("awsStsRegion", region)).assume_role(**wanted)
        return Credentials(*(role["Credentials"][name] for name in ("AccessKeyId", "SecretAccessKey", "SessionToken")))
    if (credentials := session.get_credentials()) is None:
        raise KafkaError("AWS gives no credentials for a token: set AWS_PROFILE, or log in by aws sso login")
    return credentials.get_frozen_credentials()


def _build_provider(credentials: Any) -> Any:
    """Credentials as the signer takes them."""
    from botocore.credentials import CredentialProvider

    class FixedCredentialProvider(CredentialProvider):  # type: ignore[misc]  # botocore ships no types
        def load(self) -> Any:
            return credentials

    return FixedCredentialProvider()


def _build_google_source(_properties: Mapping[str, str], _module: LoginModule) -> _Source:
    """Google's access token as its brokers take it: behind a header and claims that say whose it is."""
    check_extras("google.auth")

    def get() -> tuple[str, float]:
        import google.auth
        from google.auth.exceptions import GoogleAuthError
        from google.auth.transport.requests import Request

        try:
            credentials: Any = google.auth.default(scopes=[_SCOPE])[0]
            credentials.refresh(Request())
        except GoogleAuthError as error:
            raise KafkaError(f"Google gives no token: {error.args[0] if error.args else error}") from error
        account = getattr(credentials, "service_account_email", None) or getattr(credentials, "account", None)
        if not account:
            raise KafkaError(
                "Google's credentials are no service account's: impersonate one with "
                "gcloud auth application-default login --impersonate-service-account=ACCOUNT"
            )
        now, ends = int(time.time()), int(credentials.expiry.replace(tzinfo=UTC).timestamp())
        claims = {"exp": ends, "iat": now, "iss": "Google", "scope": "kafka", "sub": account}
        header = {"typ": "JWT", "alg": "GOOG_OAUTH2_TOKEN"}
        parts = json.dumps(header), json.dumps(claims), credentials.token
        return ".".join(base64.urlsafe_b64encode(part.encode()).rstrip(b"=").decode() for part in parts), ends - now

    return get


CLOUD_HANDLERS: Final[Mapping[str, Callable[[Mapping[str, str], LoginModule], _Source]]] = {
    "com.google.cloud.hosted.kafka.auth.GcpLoginCallbackHandler": _build_google_source,
    _MSK_LOGIN: build_msk_source,
}
"""What gets tokens where ``sasl.login.callback.handler.class`` is a vendor's."""
