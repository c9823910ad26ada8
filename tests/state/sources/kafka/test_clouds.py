"""Tokens of clouds: those that AWS' own library signs, and Google's access token in its wrapping."""

import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, quote, urlsplit

import pytest

from tests.fixtures import http
from warden.base.errors import ConfigurationError, KafkaError
from warden.state.sources.kafka.login.security import build_client_options

KEY, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
SERVERS = "b-1.shop.a1.c2.kafka.eu-west-1.amazonaws.com:9098,b-2.shop.a1.c2.kafka.eu-west-1.amazonaws.com:9098"
IAM = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "AWS_MSK_IAM",
    "sasl.jaas.config": "software.amazon.msk.auth.iam.IAMLoginModule required;",
    "sasl.client.callback.handler.class": "software.amazon.msk.auth.iam.IAMClientCallbackHandler",
    "bootstrap.servers": SERVERS,
}
OAUTH = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.jaas.config": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
    "sasl.login.callback.handler.class": "software.amazon.msk.auth.iam.IAMOAuthBearerLoginCallbackHandler",
    "sasl.client.callback.handler.class": "software.amazon.msk.auth.iam.IAMOAuthBearerLoginCallbackHandler",
    "bootstrap.servers": SERVERS,
}
GOOGLE = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.jaas.config": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
    "sasl.login.callback.handler.class": "com.google.cloud.hosted.kafka.auth.GcpLoginCallbackHandler",
}
ROLE = "arn:aws:iam::123456789012:role/kafka"


def token_of(properties: dict[str, str]) -> str:
    """The token that a login with these properties begins with."""
    options = build_client_options(properties)
    assert "OAUTHBEARER" == options["sasl_mechanism"]
    token: str = options["sasl_oauth_token_provider"].fetch()
    return token


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An environment without credentials; the file of profiles, which is not there yet."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return tmp_path / "config"


def signed_by(token: str, secret: str) -> dict[str, str]:
    """The parameters of a token's URL, once its signature is checked as a broker does (SigV4, presigned)."""
    url = urlsplit(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())
    given = dict(parse_qsl(url.query, strict_parsing=True))
    signature, _agent = given.pop("X-Amz-Signature"), given.pop("User-Agent")
    query = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in sorted(given.items()))
    request = ["GET", "/", query, f"host:{url.hostname}", "", "host", hashlib.sha256(b"").hexdigest()]
    scope = given["X-Amz-Credential"].partition("/")[2]
    hashed = hashlib.sha256("\n".join(request).encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", given["X-Amz-Date"], scope, hashed])
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    assert hmac.new(key, text.encode(), "sha256").hexdigest() == signature
    return {**given, "host": str(url.hostname)}


@pytest.mark.parametrize("properties", [IAM, OAUTH])
def test_amazon_msk(aws: Path, monkeypatch: pytest.MonkeyPatch, properties: dict[str, str]) -> None:
    """A signature of fifteen minutes for the brokers' region, whichever of the two mechanisms is written."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")

    given = signed_by(token_of(properties), SECRET)

    assert {
        "Action": "kafka-cluster:Connect",
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{KEY}/{given['X-Amz-Date'][:8]}/eu-west-1/kafka-cluster/aws4_request",
        "X-Amz-Date": given["X-Amz-Date"],
        "X-Amz-Expires": "900",
        "X-Amz-SignedHeaders": "host",
        "host": "kafka.eu-west-1.amazonaws.com",
    } == given


@pytest.mark.parametrize(
    ("servers", "region"),
    [
        ("boot-a1.c2.kafka-serverless.ap-south-1.amazonaws.com:9098", "ap-south-1"),
        ("kafka.internal.example:9098", "eu-north-1"),
    ],
)
def test_the_region_and_the_profile(aws: Path, servers: str, region: str) -> None:
    """The brokers' names say the region; where they do not, the profile does."""
    aws.write_text(
        f"[profile kafka]\nregion = eu-north-1\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n"
    )
    jaas = 'software.amazon.msk.auth.iam.IAMLoginModule required awsProfileName="kafka";'

    given = signed_by(token_of({**IAM, "sasl.jaas.config": jaas, "bootstrap.servers": servers}), SECRET)

    assert f"kafka.{region}.amazonaws.com" == given["host"]


@pytest.mark.parametrize("written", [True, False])
def test_a_role_of_aws(aws: Path, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    """AWS' token service gives the role that the login module names, to keys written there or to AWS' own first."""
    requests, signers = [], []

    class Sts(http.Handler):
        def respond(self) -> None:
            requests.append({name: value[0] for name, value in parse_qs(self.body().decode()).items()})
            signers.append(re.findall(r"Credential=(\w+)/", self.headers["Authorization"]))
            fields = f"<AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>{SECRET}x</SecretAccessKey>"
            fields += "<SessionToken>session</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration>"
            answer = f"<AssumeRoleResult><Credentials>{fields}</Credentials></AssumeRoleResult>"
            self.answer(200, f"<AssumeRoleResponse>{answer}</AssumeRoleResponse>".encode())

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    keys = 'awsRoleAccessKeyId="WRITTEN" awsRoleSecretAccessKey="x" awsMaxRetries="7" ' if written else ""
    options = f'{keys}awsRoleArn="{ROLE}" awsRoleSessionName="shop" awsRoleExternalId="4711" awsStsRegion="eu-west-2"'
    jaas = f"software.amazon.msk.auth.iam.IAMLoginModule required {options};"
    with http.served(Sts) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_STS", url)
        given = signed_by(token_of({**IAM, "sasl.jaas.config": jaas}), f"{SECRET}x")

    assert [["WRITTEN" if written else KEY]] == signers
    assert ["ROLE", "session"] == [given["X-Amz-Credential"].partition("/")[0], given["X-Amz-Security-Token"]]
    wanted = {"Action": "AssumeRole", "RoleArn": ROLE, "RoleSessionName": "shop", "ExternalId": "4711"}
    assert [wanted] == [{name: request.get(name) for name in wanted} for request in requests]


@pytest.mark.parametrize(
    ("options", "servers", "kind", "said"),
    [
        ("", SERVERS, KafkaError, "AWS gives no credentials for a token: set AWS_PROFILE"),
        (
            'awsProfileName="none"',
            SERVERS,
            KafkaError,
            "AWS gives no credentials for a token: The config profile (none)",
        ),
        (
            "",
            "kafka.example:9098",
            ConfigurationError,
            "the region of kafka.example:9098 is not known: connect",
        ),
        (
            'awsRoleAnr="x"',
            SERVERS,
            ConfigurationError,
            "sasl.jaas.config has an unknown option awsRoleAnr: write awsRoleArn, the nearest of awsProf",
        ),
    ],
)
def test_no_token_of_aws(aws: Path, options: str, servers: str, kind: type[Exception], said: str) -> None:
    """One sentence says what is missing."""
    jaas = f"software.amazon.msk.auth.iam.IAMLoginModule required {options};"
    with pytest.raises(kind) as raised:
        token_of({**IAM, "sasl.jaas.config": jaas, "bootstrap.servers": servers})
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("properties", "gone", "extra"),
    [(IAM, "boto3", "aws"), (GOOGLE, "google.auth", "gcp"), (GOOGLE, "google", "gcp")],
)
def test_an_extra_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, properties: dict[str, str], gone: str, extra: str
) -> None:
    """It is named before anything is sent, also where nothing of the package above it is there."""
    monkeypatch.delitem(sys.modules, "google.auth", raising=False)
    monkeypatch.setitem(sys.modules, gone, None)
    with pytest.raises(ConfigurationError, match=rf"not installed: pip install 'kafka-warden\[{extra}\]'"):
        build_client_options(properties)


class Metadata(http.Handler):
    """Google's metadata server on a machine of Compute Engine."""

    def respond(self) -> None:
        path = urlsplit(self.path).path.removeprefix("/computeMetadata/v1/").strip("/")
        answers = {
            "instance/service-accounts/default": {"email": "warden@shop.iam.gserviceaccount.com", "scopes": []},
            "instance/service-accounts/default/token": {"access_token": "ya29.x", "expires_in": 3599},
        }
        text = json.dumps(answers[path]) if path in answers else "shop"
        self.answer(200, text.encode(), {"Metadata-Flavor": "Google", "Content-Type": "application/json"})


@pytest.fixture
def metadata() -> Iterator[str]:
    with http.served(Metadata) as url:
        yield urlsplit(url).netloc


def google(tmp_path: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Print the token in a process of its own: Google's library reads these variables as it is imported."""
    program = "import json, sys; from warden.state.sources.kafka.login.security import build_client_options as o; "
    program += "sys.stdout.write(o(json.loads(sys.argv[1]))['sasl_oauth_token_provider'].fetch())"
    cloud = {"CLOUDSDK_CONFIG": str(tmp_path), "PATH": "/nowhere", "PYTHONPATH": os.pathsep.join(sys.path)}
    arguments = [sys.executable, "-c", program, json.dumps(GOOGLE)]
    return subprocess.run(arguments, env={**cloud, **environment}, capture_output=True, text=True, check=False)


@pytest.mark.process
def test_google(metadata: str, tmp_path: Path) -> None:
    """Header and claims say whose access token it is, and until when it is good."""
    done = google(tmp_path, GCE_METADATA_HOST=metadata, GCE_METADATA_IP=metadata)
    assert 0 == done.returncode, done.stderr

    header, claims, token = (
        base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode() for part in done.stdout.split(".")
    )
    said = json.loads(claims)
    assert {"typ": "JWT", "alg": "GOOG_OAUTH2_TOKEN"} == json.loads(header)
    assert "ya29.x" == token
    assert ("Google", "kafka", "warden@shop.iam.gserviceaccount.com") == (said["iss"], said["scope"], said["sub"])
    assert 3500 < said["exp"] - said["iat"] <= 3599
    assert abs(said["iat"] - time.time()) < 300


@pytest.mark.process
def test_no_token_of_google(tmp_path: Path) -> None:
    """No credentials; or another cloud's, without a service account whose name brokers could know."""

    class Exchange(http.Handler):
        def respond(self) -> None:
            issued = "urn:ietf:params:oauth:token-type:access_token"
            answer = {"access_token": "x", "expires_in": 60, "token_type": "Bearer", "issued_token_type": issued}
            self.answer(200, json.dumps(answer).encode())

    done = google(tmp_path, NO_GCE_CHECK="true")
    assert "KafkaError: Google gives no token: Your default credentials were not found" in done.stderr

    other, token = tmp_path / "other.json", tmp_path / "token"
    token.write_text("x")
    kind = "urn:ietf:params:oauth:token-type:jwt"
    with http.served(Exchange) as url:
        federated = {"type": "external_account", "audience": "//iam.googleapis.com/x", "subject_token_type": kind}
        other.write_text(json.dumps(federated | {"token_url": url, "credential_source": {"file": str(token)}}))
        done = google(tmp_path, GOOGLE_APPLICATION_CREDENTIALS=str(other))
    assert "KafkaError: Google's credentials are no service account's: impersonate one with gcloud" in done.stderr
