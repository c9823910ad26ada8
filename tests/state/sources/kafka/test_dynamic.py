"""Which of a broker's configs are dynamic, and what lies beneath them: no broker needed."""

import pytest

from warden.state.sources.kafka.read.config_layers import select_cluster_wide, split_layers
from warden.state.sources.kafka.read.configs import ConfigEntry

_OWN, _ALL, _FILE, _KAFKA = 2, 3, 4, 5


@pytest.mark.parametrize(
    ("reported", "configs"),
    [
        pytest.param({}, {}, id="not read: nothing is known"),
        pytest.param(
            {
                "a": ConfigEntry("1", _FILE, layers={_FILE: "1", _KAFKA: "0"}),
                "b": ConfigEntry("2", _KAFKA, layers={_KAFKA: "2"}),
            },
            {"configs": {"a": "1"}, "dynamicConfigs": {}},
            id="none of its own",
        ),
        pytest.param(
            {"a": ConfigEntry("1", _ALL, layers={_ALL: "1", _FILE: "0"})},
            {"configs": {"a": "1"}, "dynamicConfigs": {}},
            id="one of all brokers",
        ),
        pytest.param(
            {"a": ConfigEntry("x,y", _OWN, layers={_OWN: "x, y", _ALL: "z", _FILE: "w", _KAFKA: ""})},
            {"configs": {"a": "x,y"}, "dynamicConfigs": {"a": "x, y"}, "fallbackConfigs": {"a": "z"}},
            id="its own, letter by letter, over that of all",
        ),
        pytest.param(
            {"a": ConfigEntry("1", _OWN, layers={_OWN: "1", _FILE: "0", _KAFKA: "2"})},
            {"configs": {"a": "1"}, "dynamicConfigs": {"a": "1"}, "fallbackConfigs": {"a": "0"}},
            id="its own over the file's",
        ),
        pytest.param(
            {"a": ConfigEntry("1", _OWN, layers={_OWN: "1", _KAFKA: "2"})},
            {"configs": {"a": "1"}, "dynamicConfigs": {"a": "1"}},
            id="its own over Kafka's",
        ),
        pytest.param(
            {"a": ConfigEntry("1", _OWN)},
            {"configs": {"a": "1"}, "dynamicConfigs": {"a": "1"}},
            id="its own, layers not reported",
        ),
        pytest.param(
            {"a": ConfigEntry(None, _OWN, sensitive=True, layers={_OWN: None})},
            {"configs": {}, "dynamicConfigs": {}},
            id="a secret",
        ),
    ],
)
def test_a_brokers_own(reported: dict[str, ConfigEntry], configs: dict[str, dict[str, str]]) -> None:
    """Its own values are the dynamic ones; beneath is the value of all brokers, else the file's, else nothing."""
    assert configs == split_layers(reported)


def test_those_of_all_brokers() -> None:
    """They are reported under a broker's own values too, by the first broker; where layers are not, as far as seen."""
    first = {
        "a": ConfigEntry("1", _OWN, layers={_OWN: "1", _ALL: "2"}),
        "b": ConfigEntry("x,y", _ALL, layers={_ALL: "x, y", _FILE: "z"}),
        "c": ConfigEntry("3", _ALL),
        "d": ConfigEntry("4", _FILE, layers={_FILE: "4"}),
        "e": ConfigEntry("5", _OWN),
        "f": ConfigEntry(None, _ALL, sensitive=True, layers={_ALL: None}),
    }

    assert {"a": "2", "b": "x, y", "c": "3"} == select_cluster_wide({2: {}, 1: first})
    assert {} == select_cluster_wide({})
