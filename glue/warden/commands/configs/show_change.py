"""The lines of kafka-configs.sh about a change, and what the policy says of it."""

import json
from collections.abc import Sequence

import click

from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.configs.entities import EntityPart, build_contract_entity, format_entity
from warden.commands.topics.options import ChangeOptions
from warden.policy.contract.decision import Decision
from warden.policy.contract.decision_text import iter_decision_lines

__all__ = ["show_change"]


def show_change(
    options: ChangeOptions, entity: Sequence[EntityPart], decisions: Sequence[Decision], *, done: bool
) -> int:
    """Print what became of a change, and return the exit status.

    Standard output has the lines of kafka-configs.sh alone; what the policy says goes to standard error.

    Args:
        options: Those of the command.
        entity: What is altered.
        decisions: The policy's.
        done: Whether it was carried out.
    """
    allowed = all(decisions)
    if options.output == "json":
        documents = [decision.document for decision in decisions]
        answer = {"entity": build_contract_entity(entity), "allowed": allowed, "done": done, "decisions": documents}
        click.echo(json.dumps(answer, indent=2))
        return EXIT_OK if allowed else EXIT_DENIED
    if not allowed:
        click.echo(f"Not updated {format_entity(entity)}.", err=True)
    elif done:
        click.echo(f"Completed updating {format_entity(entity)}.")
    else:
        click.echo(f"Allowed updating {format_entity(entity)}, nothing was done.")
    for decision in decisions:
        first, *reasons = iter_decision_lines(decision.document)
        for line in reasons if decision.allowed else [first, *reasons]:
            click.echo(line, err=True)
    return EXIT_OK if allowed else EXIT_DENIED
