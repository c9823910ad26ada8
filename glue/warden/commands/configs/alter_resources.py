"""``warden configs --alter`` of topics, groups, client metrics, nodes and loggers: what the policy allows is sent."""

from typing import Any

from warden.base.errors import ConfigurationError, KafkaError
from warden.commands.configs.arguments import Changes
from warden.commands.configs.describe_resources import find_target, read_dynamic
from warden.commands.configs.entities import EntityPart
from warden.commands.configs.nodes import ConfigNodes, open_nodes
from warden.commands.configs.show_change import show_change
from warden.commands.topics.options import ChangeOptions

__all__ = ["alter_resource"]

_SET, _DELETE = 0, 1  # AlterConfigOp.OpType
_WITH_OVERRIDES = ("groups", "client-metrics")


def alter_resource(options: ChangeOptions, controllers: str, part: EntityPart, changes: Changes) -> int:
    """Alter dynamic configs of one resource, as a whole or not at all, and print what became of it.

    Args:
        options: Those of the command.
        controllers: Controllers to send it to, in the place of brokers; or nothing.
        part: Which resource.
        changes: What to set and remove.

    Raises:
        WardenError: Nothing was decided, or Kafka refuses.
    """
    from warden.enforce.sdk.evaluate import evaluate_request
    from warden.enforce.sdk.warden import Warden
    from warden.policy.adapter import parse_request
    from warden.policy.opa.session import open_session
    from warden.state.sources.kafka.change_requests import send_change

    resource = {
        "resourceType": part.kind.resource,
        "resourceName": part.name or "",
        "configs": [_build_op(key, value) for key, value in changes],
    }
    with open_nodes(options, controllers) as nodes:
        node = nodes.choose_target(find_target(nodes, part.option, part.name or ""), of_node=part.option)
        _check_loggers(nodes, part, changes)
        state = _collect_state(nodes, part)
        with open_session(options.opa) as session, session.build_client() as client:
            warden = Warden(
                client,
                cluster=options.cluster or state["meta"]["clusterId"],
                principal=options.principal,
                enforcement_point=options.enforcement_point,
            )
            parsed = parse_request(
                "IncrementalAlterConfigs", {"resources": [resource], "validateOnly": options.validate_only}
            )
            evaluated = evaluate_request(warden, parsed, state=state)
        if parsed.refusal is not None or evaluated.results.keys() != evaluated.decisions.keys():
            keys = ", ".join(key for key, _ in changes)
            raise ConfigurationError(f"the change cannot be decided: {keys}: check their values")
        decisions = list(evaluated.decisions.values())
        if not all(decisions) or evaluated.request is None:
            return show_change(options, [part], decisions, done=False)
        sent = send_change(nodes.connection, "IncrementalAlterConfigs", evaluated.request, node=node)
    if refused := [refusal for refusal in sent.values() if refusal is not None]:
        raise KafkaError(f"allowed by the policy, and refused by Kafka: {'; '.join(refused)}")
    return show_change(options, [part], decisions, done=not options.validate_only)


def _build_op(key: str, value: str | None) -> dict[str, Any]:
    return {"name": key, "configOperation": _DELETE if value is None else _SET, "value": value}


def _check_loggers(nodes: ConfigNodes, part: EntityPart, changes: Changes) -> None:
    """As kafka-configs.sh: of a logger that a broker lacks, nobody else knows that it does."""
    if part.option != "broker-loggers":
        return
    there = {config.name for config in read_dynamic(nodes, part.option, part.name or "")}
    absent = [key for key, _ in changes if key not in there]
    if absent:
        raise ConfigurationError(f"Invalid broker logger(s): {','.join(absent)}")


def _collect_state(nodes: ConfigNodes, part: EntityPart) -> dict[str, Any]:
    from warden.state.sources.kafka.read.config_resources import add_resource_configs
    from warden.state.sources.kafka.read.controllers import Controllers, collect_controllers_state
    from warden.state.sources.kafka.read.request_state import collect_topics_state

    if isinstance(nodes.connection, Controllers):
        return collect_controllers_state(nodes.connection)
    state = collect_topics_state(nodes.connection, [part.name] if part.option == "topics" and part.name else [])
    return add_resource_configs(nodes.connection, state) if part.option in _WITH_OVERRIDES else state
