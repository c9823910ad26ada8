"""Sixty secrets, each where one may stand in what Warden gets to see, and what looks like one and is none."""

from typing import Any

__all__ = ["INNOCENT", "NAMED", "SEEDED", "secret"]


def secret(number: int) -> str:
    """A text that stands nowhere else."""
    return f"Zq{number:02d}xV7kd"


NAMED = [
    "ssl.keystore.password", "ssl.key.password", "ssl.truststore.password", "ssl.keystore.key", "sasl.jaas.config",
    "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config", "sasl.oauthbearer.client.credentials.client.secret",
    "delegation.token.secret.key", "password.encoder.secret", "db.pwd", "db.pass", "db.pw", "DB_PASS", "ADMIN_PWD",
    "dbPass", "adminPwd", "pass", "pwd", "salt", "saltedPassword", "storedKey", "server_key", "apiKey",
    "aws.secret.access.key", "azure.account.key", "bearerToken", "Authorization", "cookie", "privateKey",
    "basic.auth.user.info", "client_secret", "passphrase",
]  # fmt: skip
"""Names of configs, variables, headers and fields whose value is secret."""

_TEXTS = [
    'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="{}";',
    "password: {}", "passwd={}", "db.pwd = {}", "user=sa;pwd={};database=x", "DB_PASS={}", '{{"password":"{}"}}',
    '{{"a":{{"client_secret": "{}"}}}}', '"{{\\"password\\":\\"{}\\"}}"', "https://user:{}@example.com/x",
    "redis://:{}@example.com:6379", "jdbc:postgresql://h/db?user=a&password={}", "https://h/?access_token={}",
    "run --password {} --quiet", "--token={}", "curl -u admin:{} https://h", "Authorization: Bearer {}AAAA",
    "Basic {}AAAA", "eyJ{}AAAA.eyJzdWIi.c2ln", "<password>{}</password>", "-----BEGIN PRIVATE KEY----- {}",
    "the password is {}", "token {}", 'sh -c "mysql -p{}"',
]  # fmt: skip


def _seeded() -> list[tuple[str, Any]]:
    documents: list[Any] = [{name: secret(n)} for n, name in enumerate(NAMED)]
    documents += [{"text": text.format(secret(n))} for n, text in enumerate(_TEXTS, len(documents))]
    at = len(documents)
    number = int(f"99{at}0011")
    documents += [
        {"ssl.key.password": number},
        {"name": "db.pass", "value": secret(at + 1)},
        {"configs": {"mode": "incremental", "ops": [{"name": "x.pwd", "op": "SET", "value": secret(at + 2)}]}},
        {"args": ["--user", "a", "--password", secret(at + 3)]},
        {"spec": {"containers": [{"args": ["--db-token", secret(at + 4)]}]}},
        {"kind": "Secret", "data": {"tls.crt": secret(at + 5)}},
        {"env": [{"name": "ADMIN_PWD", "value": secret(at + 6)}]},
        {"args": ["-h", "db", "-p", secret(at + 7)]},
    ]
    secrets = [secret(n) for n in range(len(documents))]
    secrets[at] = str(number)
    return list(zip(secrets, documents, strict=True))


SEEDED = _seeded()
"""(what must not be shown, a document that has it)"""

INNOCENT: list[Any] = [
    {"topic": "password-resets", "configs": {"retention.ms": "1"}},
    {"pass.through": "shown-a", "compass": "shown-b", "bypass": "shown-c", "key.serializer": "shown-d"},
    {"totals": {"byOwner": {"token-team": 4711}}},
    {"errors": ["KFK-CLI-001: the client's version is not known: write it"]},
    {"url": "https://user@example.com/a:b", "image": "example.com:443/basic/x", "text": "a password"},
    {"message": "passes: 3, keys: 4, basic rules"},
]
"""What is written down as it is."""
