"""Principals of certificates: the same as Java's and Kafka's own, or none."""

import random
import subprocess

import pytest

from tests.fixtures.case_counts import sample_or_all
from tests.fixtures.certificates import Authority
from warden.base.tls.principals import NoPrincipal, PrincipalMapper, UnusableRules
from warden.base.tls.subjects import Unreadable, format_subject

_SEED = 1018
# Numbers of attributes, as their bytes: CN, C, L, ST, STREET, O, OU, UID, DC, e-mail, serial number.
_TYPES = (
    *("550403", "550406", "550407", "550408", "550409", "55040a", "55040b", "0992268993f22c640101"),
    *("0992268993f22c640119", "2a864886f70d010901", "550405"),
)
_TAGS = (0x0C, 0x0C, 0x0C, 0x13, 0x14, 0x16, 0x1B, 0x1E, 0x17, 0x04)
_TEXTS = (
    "alice",
    "Team A",
    " a",
    "a ",
    "",
    "a,b",
    "a=b",
    'q"',
    "\\",
    "#x",
    "<y>;+",
    "é",
    "İ",
    "ß",
    "\0",
    "\r",
    "\ra\r",
    "日",
)
_PIECES = (
    "^",
    "$",
    "CN=",
    "OU=",
    ",",
    "(.*?)",
    "([^,]+)",
    "(\\w+)",
    ".*",
    ".+",
    "(?:,|$)",
    "a?",
    "(A|B)",
    "\\.",
    "[a-z]{1,3}",
)
_REPLACED = ("$1", "$2", "$0", "$10", "$3@", "\\$", "$1$2", "x", "", "é", "$9$1$8")


def element(tag, content):
    """A DER element."""
    count = len(content)
    length = bytes([count]) if count < 0x80 else bytes([0x82]) + count.to_bytes(2, "big")
    return bytes([tag]) + length + content


def random_name(chance):
    """A Name in DER of some attributes, several in one RDN now and then."""
    numbers = [bytes.fromhex(one) for one in _TYPES]

    def attribute():
        tag, text = chance.choice(_TAGS), "".join(chance.choices(_TEXTS, k=chance.randint(1, 2)))
        return element(0x30, element(0x06, chance.choice(numbers)) + element(tag, text.encode()))

    rdns = [
        element(0x31, b"".join(attribute() for _ in range(chance.choice((1, 1, 1, 2)))))
        for _ in range(chance.randint(0, 4))
    ]
    return element(0x30, b"".join(rdns))


def certificate_of(name):
    """The beginning of a certificate with a subject."""
    before = b"".join((element(0xA0, element(2, b"\2")), element(2, b"\1"), *[element(0x30, b"")] * 3))
    return element(0x30, element(0x30, before + name))


@pytest.mark.kafka
@sample_or_all(300, 20_000)
def test_subjects_are_written_as_java_writes_them(count, jvm):
    """Whatever Java's X500Principal reads comes out with the same letters."""
    from py4j.protocol import Py4JJavaError

    chance, compared = random.Random(_SEED), 0
    principal = jvm.javax.security.auth.x500.X500Principal
    for _ in range(count):
        name = random_name(chance)
        try:
            theirs = principal(name).getName()
        except Py4JJavaError:  # such as two attributes in the wrong order: such a certificate reaches nobody
            continue
        assert theirs == format_subject(certificate_of(name)), name.hex()
        compared += 1
    assert compared > count / 2


@pytest.mark.kafka
@sample_or_all(400, 20_000)
def test_principals_are_those_of_kafkas_mapper(count, jvm):
    """For the same rules and subjects both say the same name; what Kafka refuses is not taken here."""
    from py4j.protocol import Py4JJavaError

    chance, compared = random.Random(_SEED), 0
    names = ["CN=alice,OU=Team A,O=x", "CN=a", "OU=B,CN=abc", "CN=İß é", "O=1.2\\,3", ""]
    mapper = jvm.org.apache.kafka.common.security.ssl.SslPrincipalMapper
    for _ in range(count):
        rules, name = random_rules(chance), chance.choice(names)
        try:
            theirs = str(mapper.fromRules(rules).getName(name)) or None
        except Py4JJavaError:
            theirs = None
        try:
            ours = PrincipalMapper(rules).map_subject(name)
        except NoPrincipal:
            ours = None
        except UnusableRules:
            continue
        assert theirs == ours, (rules, name)
        compared += ours is not None
    assert compared > count / 10


def random_rules(chance):
    """Rules of pieces, most of which are some."""
    rules = []
    for _ in range(chance.randint(1, 3)):
        pattern = chance.choice(("^CN=(.*?),.*$", "".join(chance.choices(_PIECES, k=chance.randint(1, 5)))))
        replacement = "".join(chance.choices(_REPLACED, k=chance.randint(1, 2)))
        rules.append(f"RULE:{pattern}/{replacement}/{chance.choice(('', '', 'L', 'U', 'x'))}")
    rules += chance.choice(([], ["DEFAULT"], ["DEFAULT"], [" "], ["RULE:a"]))
    return chance.choice((",", ", ", " ,")).join(rules)


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ("DEFAULT", "CN=Alice,OU=Team A"),
        ("RULE:^CN=(.*?),.*$/$1/", "Alice"),
        ("RULE:^CN=(.*?),.*$/$1/L, DEFAULT", "alice"),
        ("RULE:^OU=.*$/$1x/,RULE:^CN=(.*?),OU=(.*)$/$2.$1/U", "TEAM A.ALICE"),
    ],
)
def test_rules_map_names(rules, found):
    """The first rule that applies has the say."""
    if "$1x" in rules:
        with pytest.raises(UnusableRules, match="no group of its pattern"):
            PrincipalMapper(rules)
        rules = rules.replace("$1x", "x")
    assert found == PrincipalMapper(rules).map_subject("CN=Alice,OU=Team A")


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("CN=(.*)", "is not a rule"),
        ("RULE:(?i)cn=(.*)/$1/", "may mean something else"),
        ("RULE:[a-z&&[^b]]+/x/", "may mean something else"),
        (r"RULE:\p{Lu}+/x/", "may mean something else"),
        ("RULE:CN=(/x/", "is not a regular expression"),
    ],
)
def test_rules_that_cannot_be_held_to_are_refused(rules, reason):
    """No name is guessed."""
    with pytest.raises(UnusableRules, match=reason):
        PrincipalMapper(rules)


def test_a_subject_that_no_rule_takes_has_no_principal():
    """As with brokers: the client is refused."""
    mapper = PrincipalMapper("RULE:^CN=([a-z]*)$/$1/")
    for name in ("OU=x", "CN=", "CN=a\u2028"):
        with pytest.raises(NoPrincipal):
            mapper.map_subject(name)


@pytest.mark.process
def test_the_subject_of_a_certificate(tmp_path):
    """openssl writes what this reads; what is cut short is refused."""
    certificate, _ = Authority(tmp_path).issue("alice", "/O=x/OU=Team A+UID=7/CN=a,b", "subjectAltName=DNS:a")
    der = subprocess.run(
        ["openssl", "x509", "-in", certificate, "-outform", "DER"], capture_output=True, check=True
    ).stdout

    assert r"CN=a\,b,OU=Team A+UID=7,O=x" == format_subject(der)
    with pytest.raises(Unreadable):
        format_subject(der[:100])
