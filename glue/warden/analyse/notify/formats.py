"""A message as the body that a chat service takes. Pure.

Slack: "Sending messages using incoming webhooks", "Formatting message text" (the three characters to escape).
Teams: "Create incoming webhooks with Workflows" (Adaptive Cards 1.4; a TextRun shows its text as it is, a TextBlock
reads Markdown).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from warden.analyse.notify.messages import Notice
from warden.analyse.report.json_stream import escape_invisible

__all__ = ["build_body"]


def build_body(format: str, message: Notice) -> dict[str, Any]:
    """Return what is posted.

    Args:
        format: ``slack``, ``teams`` or ``json``.
        message: The message.
    """
    return _BODIES[format](message)


def _build_slack_body(message: Notice) -> dict[str, Any]:
    lines = [f"*{_escape_slack_text(message.title)}*", *(f"• {_escape_slack_text(line)}" for line in message.lines)]
    link = [f"<{message.link}|Report>"] if message.link else []
    return {"text": "\n".join([*lines, *link]), "unfurl_links": False}


def _escape_slack_text(text: str) -> str:
    """Text that mentions nobody and links nowhere; what would make it bold or code stays as it is."""
    return escape_invisible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _build_teams_body(message: Notice) -> dict[str, Any]:
    card: dict[str, Any] = {
        "type": "AdaptiveCard",
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "version": "1.4",
        "body": [_build_text_run(message.title, weight="Bolder"), *(_build_text_run(line) for line in message.lines)],
    }
    if message.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "Report", "url": message.link}]
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}


def _build_text_run(text: str, **style: str) -> dict[str, Any]:
    return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": escape_invisible(text), **style}]}


_BODIES: Final[Mapping[str, Callable[[Notice], dict[str, Any]]]] = {
    "slack": _build_slack_body,
    "teams": _build_teams_body,
    "json": Notice.to_document,
}
