"""The gateway's account at a broker, its rights, and the tokens that are there."""

import asyncio
import base64

import pytest
from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion
from kafka.admin import ACL, ACLPermissionType, ACLResourcePatternType, KafkaAdminClient, ResourcePattern

from tests.fixtures.conditions import eventually
from warden.files.secret import Secret
from warden.gateway.account import AccountConnection
from warden.gateway.config import Account, Broker
from warden.gateway.upstream import LoginFailed

__all__ = ["PASSWORD", "PREFIXED", "acl", "described", "granted", "revoked", "with_account"]

PASSWORD = "looking-glass"
LITERAL, PREFIXED = ACLResourcePatternType.LITERAL, ACLResourcePatternType.PREFIXED


def acl(user, operation, kind, name, pattern=LITERAL):
    """An ACL that allows something."""
    return ACL(f"User:{user}", "*", operation, ACLPermissionType.ALLOW, ResourcePattern(kind, name, pattern))


def with_account(broker):
    """Give the gateway an account at a broker."""
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    change = UserScramCredentialUpsertion("gateway", info, PASSWORD.encode())
    for future in admin.alter_user_scram_credentials([change]).values():
        future.result(60)
    eventually(lambda: knows(broker), "the broker knows the account")


def knows(broker):
    """Whether a broker takes the account's login by now."""
    try:
        described(broker)
    except LoginFailed:
        return False
    return True


def described(broker):
    """Owner, id and secret of each token."""

    async def ask():
        account = Account(username="gateway", password=Secret("test", env="GATEWAY"))
        host_and_port = Broker(id=1, address=broker.sasl_bootstrap_servers, port=1)
        async with AccountConnection(account, host_and_port, None, None) as connection:
            return await connection.ask("DescribeDelegationToken", 3, {"owners": None})

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATEWAY", PASSWORD)
        answer = asyncio.run(ask())
    return [
        (f"{one['principalType']}:{one['principalName']}", one["tokenId"], base64.b64encode(one["hmac"]).decode())
        for one in answer["tokens"]
    ]


def granted(broker, *acls):
    """Grant rights, and wait until the broker knows them."""
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap_servers)
    admin.create_acls([*acls])
    eventually(lambda: all(_is_there(admin, one) for one in acls), "the broker knows the ACLs")
    admin.close()


def revoked(broker, right):
    """Take a right away, and wait until the broker has it no more."""
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap_servers)
    admin.delete_acls([right])
    eventually(lambda: not _is_there(admin, right), "the broker has forgotten the ACL")
    admin.close()


def _is_there(admin, right):
    return bool(admin.describe_acls(right)[0])
