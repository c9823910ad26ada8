"""`sasl.jaas.config` is read as Kafka's own JaasConfig reads it; what was seen there is in the table."""

import pytest

from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.jaas import parse_jaas

CLASS = "org.apache.kafka.common.security.plain.PlainLoginModule"


@pytest.mark.parametrize(
    ("options", "expected"),
    {
        "none": (";", {}),
        "double quotes": (' username="a b" password="c;d=e";', {"username": "a b", "password": "c;d=e"}),
        "single quotes": (" password='p \"w';", {"password": 'p "w'}),
        "no quotes": (" useKeyTab=true a-b=c.d-1;", {"useKeyTab": "true", "a-b": "c.d-1"}),
        "spaces around the sign": (' a = "b" ;', {"a": "b"}),
        "comments": (' // username="x"\n /* username="y" */ username="z";', {"username": "z"}),
        "a comment in quotes": (' a="//b" c="/* d */";', {"a": "//b", "c": "/* d */"}),
        "the last of a name": (' a="1" a="2";', {"a": "2"}),
        "escapes": (r' a="\\ \" \n \t \x \101 \7";', {"a": '\\ " \n \t x A \x07'}),
    }.values(),
)
def test_options(options: str, expected: dict[str, str]) -> None:
    """Each value as Kafka has it."""
    for flag in ("required", "Sufficient"):
        module = parse_jaas(f"{CLASS} {flag}{options}")
        assert ("PlainLoginModule", expected) == (module.name, module.options)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "begins with no class"),
        (CLASS, "has no flag behind"),
        (f"{CLASS} needed;", "has another word behind"),
        (f"KafkaClient {{ {CLASS} required; }};", "has no flag behind KafkaClient"),
        (f'{CLASS} required username="s3cret"', "does not end with a semicolon"),
        (f"{CLASS} required password=1s3cret;", 'has no value for password: write password="…"'),
        (f"{CLASS} required password=s3#cret;", "does not end with a semicolon, or has a value that needs quotes"),
        (f"{CLASS} required password=s3/cret;", "does not end with a semicolon"),
        (f'{CLASS} required password="s3cret;', 'has no value for password: write password="…"'),
        (f"{CLASS} required password;", "has no value for password"),
        (f"{CLASS} required; {CLASS} required;", "has more than one login module"),
    ],
)
def test_what_kafka_refuses(text: str, problem: str) -> None:
    """One sentence, without a value."""
    with pytest.raises(ConfigurationError) as raised:
        parse_jaas(text)

    assert str(raised.value).startswith(f"sasl.jaas.config {problem}")
    assert "cret" not in str(raised.value).replace("secret", "")


def test_a_module_shows_no_option() -> None:
    """Whoever prints it prints no password."""
    assert "s3cret" not in repr(parse_jaas(f'{CLASS} required password="s3cret";'))
