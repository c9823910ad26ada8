"""Key stores of Java's: made by its own keytool, and read as it reads them."""

import hashlib
import re
import ssl
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.fixtures.brokers.java_stores import PASSWORD, Stores, client_properties, keytool
from tests.state.sources.kafka.test_tls_stores import shaken
from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.java_stores import StoreFile, read_trusted
from warden.state.sources.kafka.login.jks import JksError, read_jks
from warden.state.sources.kafka.login.tls_stores import build_client_tls

pytestmark = pytest.mark.kafka  # for its Java

OTHER = "another one"


@pytest.mark.parametrize("kind", ["JKS", "PKCS12"])
@pytest.mark.parametrize("said", ["JKS", "PKCS12", "jks"])
def test_a_client_with_stores(stores: Stores, kind: str, said: str) -> None:
    """Each type, whatever the properties call it: Java looks at the content too."""
    key, trust = stores.key(f"client.{kind}", kind), stores.trust(f"trust.{kind}", kind, stores.authority.certificate)

    assert "alice TLSv1.3" == shaken(stores.authority, client_properties(key, trust, said), "localhost")


def test_a_key_with_a_password_of_its_own(stores: Stores) -> None:
    """In JKS it may have one."""
    key = stores.key("own.jks", "JKS", key_password=OTHER)
    trust = stores.trust("trust.JKS", "JKS", stores.authority.certificate)

    own = client_properties(key, trust, **{"ssl.key.password": OTHER})
    assert "alice TLSv1.3" == shaken(stores.authority, own, "localhost")
    with pytest.raises(ConfigurationError, match="the password of the key alice is another"):
        build_client_tls(client_properties(key, trust))


def test_the_server_itself_is_trusted(stores: Stores) -> None:
    """Java trusts whatever certificate the store has, also one that an authority has signed."""
    trust = stores.trust("server.jks", "JKS", stores.directory / "server.crt")

    assert "alice TLSv1.3" == shaken(
        stores.authority, client_properties(stores.key("client.JKS", "JKS"), trust), "localhost"
    )


def test_a_truststore_of_type_jks_needs_no_password(stores: Stores) -> None:
    """Java reads it without a look at whether it is whole."""
    trust = stores.trust("trust.JKS", "JKS", stores.authority.certificate)
    unread = client_properties(stores.key("client.JKS", "JKS"), trust, **{"ssl.truststore.password": ""})

    assert "alice TLSv1.3" == shaken(stores.authority, unread, "localhost")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["JKS", "PKCS12"])
def test_certificates_as_keytool_lists_them(stores: Stores, tmp_path: Path, kind: str) -> None:
    """Of any number, with any names, RSA's and elliptic curves', of all lengths."""
    store = tmp_path / "many"
    place = ("-keystore", store, "-storetype", kind, "-storepass", PASSWORD)
    for number, (algorithm, size) in enumerate([("RSA", 2048), ("EC", 256), ("RSA", 4096), ("EC", 521)]):
        source = tmp_path / f"{number}.jks"
        one = ("-keystore", source, "-storetype", "JKS", "-storepass", PASSWORD, "-alias", "x")
        subject = f"CN={'n' * (number * 40 + 1)}"
        keytool("-genkeypair", *one, "-keypass", PASSWORD, "-keyalg", algorithm, "-keysize", size, "-dname", subject)
        keytool("-exportcert", "-rfc", *one, "-file", tmp_path / f"{number}.crt")
        keytool("-importcert", "-noprompt", *place, "-alias", f"ä {number}", "-file", tmp_path / f"{number}.crt")
    listed = re.findall(r"-----BEGIN.*?-----END CERTIFICATE-----", keytool("-list", "-rfc", *place), re.DOTALL)

    found = read_trusted(StoreFile("ssl.truststore", store, PASSWORD))
    assert 4 == len(found)
    assert sorted(map(ssl.PEM_cert_to_DER_cert, listed)) == sorted(found)


@pytest.mark.parametrize("at", [0, 5, 9, 11, 13, 40, 200, -40, -25, -3])
def test_a_store_that_is_damaged(stores: Stores, at: int) -> None:
    """Wherever: with the password that is seen, and without it nothing but an error of ours comes of it."""
    whole = stores.key("client.JKS", "JKS").read_bytes()
    damaged = bytearray(whole)
    damaged[at] ^= 0xFF
    with pytest.raises(JksError, match="damaged"):
        read_jks(bytes(damaged), PASSWORD)
    for broken in (bytes(damaged), whole[:at], whole[: len(whole) // 2]):
        try:
            for key in read_jks(broken, None).keys:
                key.decrypt(PASSWORD)
        except JksError:
            continue


WRONG: Mapping[str, tuple[dict[str, str], str]] = {
    "key password": (
        {"ssl.keystore.password": "x"},
        "ssl.keystore.location {key}: it is damaged, or the password",
    ),
    "no password": ({"ssl.keystore.password": ""}, "ssl.keystore.password is missing: write the one that {key} was"),
    "trust password": (
        {"ssl.truststore.password": "x"},
        "ssl.truststore.location {trust}: it is damaged, or the password",
    ),
    "no key": (
        {"ssl.keystore.location": "{trust}"},
        "ssl.keystore.location {trust}: it has no key with its",
    ),
    "PEM": (
        {"ssl.truststore.location": "{pem}"},
        "ssl.truststore.location {pem}: it is PEM: set ssl.truststore.type=",
    ),
    "nothing": ({"ssl.truststore.location": "{none}"}, "ssl.truststore.location {none}: it is neither PKCS12"),
    "type": ({"ssl.truststore.type": "BCFKS"}, "ssl.truststore.type is BCFKS: it may be PEM, JKS or PKCS12"),
    "no file": ({"ssl.keystore.location": "/no/such"}, "ssl.keystore.location: no such file: /no/such"),
}


@pytest.mark.parametrize("kind", ["JKS", "PKCS12"])
@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(stores: Stores, tmp_path: Path, case: str, kind: str) -> None:
    """Before anything is connected to, and without a password in it."""
    changes, sentence = WRONG[case]
    (tmp_path / "none").write_bytes(b"x")
    files = {
        "{key}": stores.key(f"client.{kind}", kind),
        "{trust}": stores.trust(f"trust.{kind}", kind, stores.authority.certificate),
        "{pem}": stores.authority.certificate,
        "{none}": tmp_path / "none",
    }
    for name, path in files.items():
        changes = {field: text.replace(name, str(path)) for field, text in changes.items()}
        sentence = sentence.replace(name, str(path))
    with pytest.raises(ConfigurationError) as raised:
        build_client_tls(client_properties(files["{key}"], files["{trust}"], kind, **changes))

    assert str(raised.value).startswith(sentence)
    assert PASSWORD not in str(raised.value)


def test_other_stores(stores: Stores) -> None:
    """JCEKS, several keys, and a password of a key's own where the type has none."""
    trust = stores.trust("trust.JKS", "JKS", stores.authority.certificate)
    older = stores.key("old.jceks", "JCEKS")
    with pytest.raises(ConfigurationError, match="JCEKS is not read: keytool -importkeystore -srcstoretype JCEKS"):
        build_client_tls(client_properties(older, trust))
    for kind, names in (("JKS", r" \((alice, bob|bob, alice)\)"), ("PKCS12", "")):
        several = stores.key(f"several.{kind}", kind)
        keytool("-genkeypair", "-keystore", several, "-storepass", PASSWORD, "-keypass", PASSWORD, "-alias", "bob",
                "-keyalg", "EC", "-dname", "CN=bob")  # fmt: skip
        with pytest.raises(ConfigurationError, match=f"it has several keys{names}: keep the one"):
            build_client_tls(client_properties(several, trust))
    with pytest.raises(ConfigurationError, match=r"ssl\.key\.password: the key in .* has the store's password"):
        build_client_tls(client_properties(stores.key("client.PKCS12", "PKCS12"), trust, **{"ssl.key.password": OTHER}))


@pytest.mark.parametrize("kind", ["JKS", "PKCS12"])
def test_an_issuer_is_trusted_where_it_stands_by_itself(stores: Stores, kind: str) -> None:
    """Not in the chain of a key, as by Java: its keystore trusts nobody else until the authority is put in."""
    key = stores.key(f"client.{kind}", kind)
    both = stores.directory / f"both.{kind}"
    both.write_bytes(key.read_bytes())
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken(stores.authority, client_properties(both, both), "localhost")
    keytool("-importcert", "-noprompt", "-keystore", both, "-storetype", kind, "-storepass", PASSWORD, "-alias", "ca",
            "-file", stores.authority.certificate)  # fmt: skip

    assert "alice TLSv1.3" == shaken(stores.authority, client_properties(both, both), "localhost")


@pytest.mark.parametrize("kind", ["JKS", "PKCS12"])
def test_a_key_that_openssl_refuses(stores: Stores, kind: str) -> None:
    """One that is too short: the sentence says so, and has no password."""
    short = stores.directory / f"short.{kind}"
    keytool("-genkeypair", "-keystore", short, "-storetype", kind, "-storepass", PASSWORD, "-keypass", PASSWORD,
            "-alias", "short", "-keyalg", "RSA", "-keysize", "1024", "-dname", "CN=short")  # fmt: skip
    trust = stores.trust(f"trust.{kind}", kind, stores.authority.certificate)
    with pytest.raises(ConfigurationError) as raised:
        build_client_tls(client_properties(short, trust))

    sentence = (
        f"ssl.keystore.location {short}: OpenSSL refuses its key or certificates (EE_KEY_TOO_SMALL): replace them"
    )
    assert sentence == str(raised.value)


def test_a_certificate_that_openssl_refuses(stores: Stores) -> None:
    """In a store that nobody looked at whether it is whole; and what names a store shows no password of it."""
    whole = stores.trust("trust.JKS", "JKS", stores.authority.certificate).read_bytes()
    broken = stores.directory / "broken.jks"
    at = whole.index(b"X.509") + len(b"X.509") + 4  # behind the length: where the certificate begins
    broken.write_bytes(whole[:at] + b"\x00" + whole[at + 1 :])
    key = stores.key("client.JKS", "JKS")
    with pytest.raises(ConfigurationError, match="OpenSSL refuses a certificate in it") as raised:
        build_client_tls(client_properties(key, broken, **{"ssl.truststore.password": ""}))

    assert str(raised.value).startswith(f"ssl.truststore.location {broken}: ")
    assert PASSWORD not in repr(StoreFile("ssl.keystore", key, PASSWORD))


def test_a_truststore_of_type_pkcs12_without_a_password(stores: Stores, tmp_path: Path) -> None:
    """Java reads one that has neither a checksum nor anything encrypted; of another the password is missing."""
    plain = tmp_path / "plain.p12"
    none = [f"-J-Dkeystore.pkcs12.{name}=NONE" for name in ("macAlgorithm", "certProtectionAlgorithm")]
    keytool(*none, "-importcert",
            "-noprompt", "-keystore", plain, "-storetype", "PKCS12", "-storepass", PASSWORD, "-alias", "ca",
            "-file", stores.authority.certificate)  # fmt: skip
    key = stores.key("client.PKCS12", "PKCS12")
    without = {"ssl.truststore.password": ""}

    assert "alice TLSv1.3" == shaken(stores.authority, client_properties(key, plain, "PKCS12", **without), "localhost")
    usual = stores.trust("trust.PKCS12", "PKCS12", stores.authority.certificate)
    with pytest.raises(ConfigurationError, match=r"ssl\.truststore\.password is missing"):
        build_client_tls(client_properties(key, usual, "PKCS12", **without))


def test_a_certificate_of_a_key_that_is_none(stores: Stores) -> None:
    """A store that is whole by its checksum, with what no library can read as a certificate."""
    whole = bytearray(stores.key("client.JKS", "JKS").read_bytes()[:-20])
    at = whole.index(b"X.509") + len(b"X.509") + 4
    whole[at] = 0
    checksum = hashlib.sha1(PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite" + whole)
    broken = stores.directory / "no-certificate.jks"
    broken.write_bytes(whole + checksum.digest())
    trust = stores.trust("trust.JKS", "JKS", stores.authority.certificate)
    with pytest.raises(ConfigurationError) as raised:
        build_client_tls(client_properties(broken, trust))

    kind = "its key or a certificate in it is of a kind that is not read: replace it"
    assert f"ssl.keystore.location {broken}: {kind}" == str(raised.value)


LEGACY = "-J-Dkeystore.pkcs12.legacy=true"


@pytest.mark.parametrize(
    ("made", "trusts"),
    [
        ("openssl", False),
        ("openssl -caname ca", False),
        ("openssl -keypbe AES-128-CBC -certpbe AES-128-CBC -macalg sha512", False),
        ("openssl -certpbe NONE", False),
        ("openssl -certpbe PBE-SHA1-3DES", False),
        ("keytool", True),
        (f"keytool {LEGACY}", True),
        ("keytool -J-Dkeystore.pkcs12.certProtectionAlgorithm=PBEWithHmacSHA512AndAES_128", True),
        ("keytool -J-Dkeystore.pkcs12.certProtectionAlgorithm=PBEWithSHA1AndDESede", True),
        ("keytool -J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE", True),
    ],
)
def test_trusts_what_java_lists(stores: Stores, tmp_path: Path, made: str, trusts: bool) -> None:
    """A certificate of a PKCS12 store is trusted where Java says that it is: not where OpenSSL has put it there."""
    store, (program, *options) = tmp_path / "trust.p12", made.split()
    certificate = str(stores.authority.certificate)
    if program == "openssl":
        to = ("-in", certificate, "-passout", f"pass:{PASSWORD}", "-out", str(store))
        subprocess.run(("openssl", "pkcs12", "-export", "-nokeys", *options, *to), check=True)
    else:
        place = ("-keystore", store, "-storetype", "PKCS12", "-storepass", PASSWORD)
        keytool(*options, "-importcert", "-noprompt", "-alias", "ca", *place, "-file", certificate)
    listed = keytool("-list", "-keystore", store, "-storetype", "PKCS12", "-storepass", PASSWORD)

    assert trusts == ("trustedCertEntry" in listed)
    read = partial(read_trusted, StoreFile("ssl.truststore", store, PASSWORD))
    if trusts:
        assert [ssl.PEM_cert_to_DER_cert(Path(certificate).read_text(encoding="ascii"))] == read()
    else:
        with pytest.raises(ConfigurationError, match="Java trusts none of its certificates"):
            read()
