"""The gateway's account at a broker, its rights, and the tokens that are there."""

import asyncio
import base64
from contextlib import closing
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion
from kafka.admin import ACL, ACLPermissionType, ACLResourcePatternType, KafkaAdminClient, ResourcePattern

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.files.secret import Secret
from warden.enforce.gateway.config import Account, GatewayBroker
from warden.enforce.gateway.login.account import AccountConnection
from warden.enforce.gateway.login.upstream import LoginFailed

__all__ = ["PASSWORD", "PREFIXED", "acl", "grant", "list_tokens", "own_token", "revoke", "with_account"]

PASSWORD = "looking-glass"
LITERAL, PREFIXED = ACLResourcePatternType.LITERAL, ACLResourcePatternType.PREFIXED


def acl(user, operation, kind, name, pattern=LITERAL):
    """An ACL that allows something."""
    return ACL(f"User:{user}", "*", operation, ACLPermissionType.ALLOW, ResourcePattern(kind, name, pattern))


def with_account(broker, *users):
    """Give the gateway an account at a broker, and users with the same password."""
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    changes = [UserScramCredentialUpsertion(user, info, PASSWORD.encode()) for user in ("gateway", *users)]
    for future in admin.alter_user_scram_credentials([*changes]).values():
        future.result(PATIENCE)
    eventually(lambda: all(knows(broker, user) for user in ("gateway", *users)), "the broker knows the accounts")


def knows(broker, user):
    """Whether a broker takes a user's login by now."""
    try:
        send_as(broker, user, "DescribeDelegationToken", {"owners": None})
    except LoginFailed:
        return False
    return True


def send_as(broker, user, api, fields):
    """What a broker answers a user about tokens, over its ``tls`` where it has any."""

    async def ask():
        account = Account(username=user, password=Secret("test", env="GATEWAY"))
        host_and_port = GatewayBroker(id=1, address=broker.sasl_bootstrap_servers, port=1)
        async with AccountConnection(account, host_and_port, getattr(broker, "tls", None), None) as connection:
            return await connection.ask(api, 3, fields)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATEWAY", PASSWORD)
        return asyncio.run(ask())


def list_tokens(broker):
    """Owner, id and secret of each token that the gateway's account sees."""
    return [
        (f"{one['principalType']}:{one['principalName']}", one["tokenId"], base64.b64encode(one["hmac"]).decode())
        for one in send_as(broker, "gateway", "DescribeDelegationToken", {"owners": None})["tokens"]
    ]


def own_token(broker, user, lifetime=600_000):
    """Have a user make a delegation token of its own, which needs no right; returns its id and secret.

    Args:
        broker: Where.
        user: Who.
        lifetime: Milliseconds that the token is good for.
    """
    usual: dict[str, Any] = {
        "ownerPrincipalType": None,
        "ownerPrincipalName": None,
        "renewers": [],
        "maxLifetimeMs": lifetime,
    }
    made = send_as(broker, user, "CreateDelegationToken", usual)
    assert 0 == made["errorCode"]

    def known():
        tokens = send_as(broker, user, "DescribeDelegationToken", {"owners": None})["tokens"]
        return made["tokenId"] in [one["tokenId"] for one in tokens]

    eventually(known, "the broker knows the token")
    return made["tokenId"], base64.b64encode(made["hmac"]).decode()


def grant(broker, *acls):
    """Grant rights, and wait until the broker knows them."""
    with closing(KafkaAdminClient(bootstrap_servers=broker.bootstrap_servers)) as admin:
        admin.create_acls([*acls])
        eventually(lambda: all(_is_there(admin, one) for one in acls), "the broker knows the ACLs")


def revoke(broker, right):
    """Take a right away, and wait until the broker has it no more."""
    with closing(KafkaAdminClient(bootstrap_servers=broker.bootstrap_servers)) as admin:
        admin.delete_acls([right])
        eventually(lambda: not _is_there(admin, right), "the broker has forgotten the ACL")


def _is_there(admin, right):
    return bool(admin.describe_acls(right)[0])
