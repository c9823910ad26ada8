"""``warden configs --alter --entity-type brokers``: what the policy allows is sent, to the node or the controllers."""

from collections.abc import Mapping
from typing import Any

from warden.cli.configs.alter import show
from warden.cli.configs.entities import Part
from warden.cli.configs.nodes import Nodes, open_nodes
from warden.cli.topics.options import ChangeOptions
from warden.errors import ConfigurationError, KafkaError

__all__ = ["alter_nodes"]

_BROKER = 4  # ConfigResource.Type
_SET, _DELETE = 0, 1  # AlterConfigOp.OpType


def alter_nodes(options: ChangeOptions, controllers: str, part: Part, changes: Mapping[str, str | None]) -> int:
    """Alter dynamic configs of one node or of all, as a whole or not at all, and print what became of it.

    Args:
        options: Those of the command.
        controllers: Controllers to send it to, in the place of brokers; or nothing.
        part: Which node.
        changes: Values by key; None removes.

    Raises:
        WardenError: Nothing was decided, or Kafka refuses.
    """
    from warden.adapter import parse_request
    from warden.api.evaluate import evaluate_request
    from warden.api.warden import Warden
    from warden.opa.session import open_session
    from warden.sources.kafka.requests import send_request

    request = {
        "resources": [
            {
                "resourceType": _BROKER,
                "resourceName": part.name or "",
                "configs": [_op(key, value) for key, value in changes.items()],
            }
        ],
        "validateOnly": options.validate_only,
    }
    with open_nodes(options, controllers) as nodes:
        named = nodes.named(part.name) if part.name else None
        node = nodes.changed_at(named)
        state = _state(nodes)
        with open_session(options.opa) as session, session.client() as client:
            warden = Warden(
                client=client,
                cluster=options.cluster or state["meta"]["clusterId"],
                principal=options.principal,
                enforcement_point=options.enforcement_point,
            )
            parsed = parse_request("IncrementalAlterConfigs", request)
            evaluated = evaluate_request(warden, parsed, state=state)
        if parsed.refusal is not None or evaluated.results.keys() != evaluated.decisions.keys():
            raise ConfigurationError(f"the change cannot be decided: {', '.join(changes)}: check their values")
        decisions = list(evaluated.decisions.values())
        if not all(decisions) or evaluated.request is None:
            return show(options, [part], decisions, done=False)
        sent = send_request(nodes.connection, "IncrementalAlterConfigs", evaluated.request, node=node)
    if refused := [refusal for refusal in sent.values() if refusal is not None]:
        raise KafkaError(f"allowed by the policy, and refused by Kafka: {'; '.join(refused)}")
    return show(options, [part], decisions, done=not options.validate_only)


def _op(key: str, value: str | None) -> dict[str, Any]:
    return {"name": key, "configOperation": _DELETE if value is None else _SET, "value": value}


def _state(nodes: Nodes) -> dict[str, Any]:
    from warden.sources.kafka.controllers import Controllers, collect_controllers
    from warden.sources.kafka.partial_state import collect_concerned

    if isinstance(nodes.connection, Controllers):
        return collect_controllers(nodes.connection)
    return collect_concerned(nodes.connection, [])
