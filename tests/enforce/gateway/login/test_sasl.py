"""Logins as they go by: whose they are, when they are believed, and which are not let through."""

import base64
import json

import pytest

from warden.enforce.gateway.login.sasl import Login, LoginRefused

TOKEN = (
    "e30." + base64.urlsafe_b64encode(json.dumps({"sub": "alice", "client": "app"}).encode()).decode().rstrip("=") + "."
)


def _bearer(*keys):
    """A message of OAUTHBEARER with the token under some keys."""
    return "\x01".join(["n,,", *(f"{key}=Bearer {TOKEN}" for key in keys), "", ""]).encode()


NESTED = base64.urlsafe_b64encode(b"[" * 90_000)


def login(mechanism, **options):
    """A login whose handshake the broker has accepted."""
    one = Login(**options)
    one.note_mechanism(mechanism)
    one.on_handshake_response(0)
    return one


def test_plain():
    """The user of PLAIN is believed after the broker's success, and not after its refusal."""
    one = login("PLAIN")
    one.note_name(b"\0alice\0secret")
    before = one.principal
    assert (None, False) == (before, one.on_authenticate_response(58, b""))
    before = one.principal
    assert (None, True) == (before, one.on_authenticate_response(0, b""))

    assert "User:alice" == one.principal
    assert "secret" not in repr(vars(one))


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_scram(mechanism):
    """After the first answer nothing is proven; the second has the server's signature."""
    one = login(mechanism)
    one.note_name(b"n,,n=al=2Cice=3D,r=nonce")
    assert not one.on_authenticate_response(0, b"r=nonce,s=salt,i=4096")
    assert one.principal is None
    one.note_name(b"c=biws,r=nonce,p=proof")
    assert not one.on_authenticate_response(0, b"e=other-error")
    assert one.on_authenticate_response(0, b"v=signature")

    assert "User:al,ice=" == one.principal


@pytest.mark.parametrize(("claim", "name"), [("sub", "User:alice"), ("client", "User:app")])
def test_oauthbearer(claim, name):
    """The claim of the token is the name; an answer with text is a failure although its code is 0."""
    one = login("OAUTHBEARER", claim=claim)
    one.note_name(f"n,,\x01auth=Bearer {TOKEN}\x01\x01".encode())
    assert not one.on_authenticate_response(0, b'{"status":"invalid_token"}')
    one.note_name(b"\x01")
    assert not one.on_authenticate_response(58, b"")
    one.note_name(f"n,,\x01auth=Bearer {TOKEN}\x01\x01".encode())
    assert one.on_authenticate_response(0, b"")

    assert name == one.principal


@pytest.mark.parametrize("mechanism", ["GSSAPI", "", "X" * 1000])
def test_mechanisms_without_a_name_are_refused(mechanism):
    """A ticket of Kerberos is for the broker's host, and shows no name."""
    with pytest.raises(LoginRefused, match="use one of PLAIN"):
        Login().note_mechanism(mechanism)


@pytest.mark.parametrize(
    ("mechanism", "data", "message"),
    [
        ("SCRAM-SHA-256", b"n,,n=token-id,r=nonce,tokenauth=true", "whose delegation token"),
        ("SCRAM-SHA-256", b"n,,n=token-id,r=nonce,TokenAuth=TRUE", "whose delegation token"),
        ("SCRAM-SHA-256", b"n,,m=ext,n=alice,r=nonce", "cannot read whose"),
        ("SCRAM-SHA-256", b"n,,n=,r=nonce", "cannot read whose"),
        ("SCRAM-SHA-256", b"garbage", "cannot read whose"),
        ("PLAIN", b"bob\0alice\0secret", "cannot read whose"),
        ("PLAIN", b"\0\0secret", "cannot read whose"),
        ("PLAIN", b"\xff\0\xfe", "cannot read whose"),
        ("OAUTHBEARER", b"n,,\x01auth=Bearer x\x01\x01", "cannot read whose"),
        ("OAUTHBEARER", b"n,,\x01\x01", "cannot read whose"),
        ("OAUTHBEARER", _bearer("auth", "auth"), "cannot read whose"),
        ("OAUTHBEARER", _bearer("AUTH", "auth"), "cannot read whose"),
        ("OAUTHBEARER", _bearer("AUTH"), "cannot read whose"),
        ("OAUTHBEARER", b"x" + _bearer("auth"), "cannot read whose"),
        ("OAUTHBEARER", b"n,,\x01auth=Bearer e30.e30.\x01\x01", "cannot read whose"),
        pytest.param(
            "OAUTHBEARER", b"n,,\x01auth=Bearer e30.%s.\x01\x01" % NESTED, "cannot read whose", id="nested too deeply"
        ),
    ],
)
def test_logins_whose_name_cannot_be_read_are_refused(mechanism, data, message):
    """What the gateway cannot read, the broker never sees."""
    with pytest.raises(LoginRefused, match=message):
        login(mechanism).note_name(data)


def test_nothing_without_a_handshake():
    """An authentication that no handshake introduced has no mechanism."""
    with pytest.raises(LoginRefused, match="no SaslHandshake"):
        Login().note_name(b"\0alice\0secret")


def test_a_refused_handshake_changes_nothing():
    """The broker answers a second handshake with an error where it wants none: the principal stays."""
    one = login("PLAIN")
    one.note_name(b"\0alice\0secret")
    one.on_authenticate_response(0, b"")
    one.note_mechanism("SCRAM-SHA-256")
    one.on_handshake_response(34)

    assert "User:alice" == one.principal


def test_a_reauthentication_keeps_the_principal():
    """The same name again is fine, another one is not."""
    one = login("PLAIN")
    one.note_name(b"\0alice\0secret")
    one.on_authenticate_response(0, b"")
    one.note_mechanism("PLAIN")
    one.on_handshake_response(0)
    one.note_name(b"\0alice\0other")
    assert one.on_authenticate_response(0, b"")
    one.note_name(b"\0bob\0other")

    with pytest.raises(LoginRefused, match="changed the principal"):
        one.on_authenticate_response(0, b"")
