"""The text of each ConfigMap that is in force: the newest that compiles with those of the others. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from warden.state.config_map_policies.policy_set import ObjectKey, PolicyText

__all__ = ["Resolution", "resolve"]

Problems = Mapping[ObjectKey, tuple[str, ...]]
Compile = Callable[[Mapping[str, str]], Problems]


@dataclass(frozen=True)
class Resolution:
    """What is in force.

    Args:
        in_force: The text of each ConfigMap of which one is.
        problems: Why the newest text of a ConfigMap is not; each has sentences.
    """

    in_force: Mapping[ObjectKey, PolicyText] = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)

    @property
    def modules(self) -> Mapping[str, str]:
        """Rego that is in force, by policy id: it has compiled."""
        return _merge_modules(self.in_force)


def resolve(
    newest: Mapping[ObjectKey, PolicyText], good: Mapping[ObjectKey, PolicyText], compile: Compile
) -> Resolution:
    """Return what is in force of ConfigMaps whose policies may refer to each other.

    A text that has been in force stays where it can, also where another's newest text does not compile with it; of
    several new ones that do not compile together none is taken.

    Args:
        newest: What each ConfigMap says now.
        good: What was in force of it last.
        compile: Returns what is wrong with modules together, by ConfigMap.
    """
    problems: dict[ObjectKey, tuple[str, ...]] = {
        place: text.problems for place, text in newest.items() if text.problems
    }
    chosen: dict[ObjectKey, PolicyText] = {}
    for place, text in newest.items():
        taken = good.get(place) if text.problems else text
        if taken is not None:
            chosen[place] = taken
    while faults := compile(_merge_modules(chosen)):
        new = {place for place in chosen if chosen[place] != good.get(place)}
        blamed = new & faults.keys()
        if not blamed and new:  # a text that was good no longer compiles with the new ones
            blamed = _select_culprits(new, chosen, good, compile)
        for place in blamed or faults.keys() & chosen.keys() or set(chosen):
            problems.setdefault(place, faults.get(place) or _describe_problems(faults))
            if place in blamed and place in good:
                chosen[place] = good[place]
            else:
                del chosen[place]
    readmitted = _readmit_texts(
        {place: newest[place] for place in problems if not newest[place].problems}, chosen, compile
    )
    return Resolution(chosen | readmitted, {place: why for place, why in problems.items() if place not in readmitted})


def _readmit_texts(
    refused: Mapping[ObjectKey, PolicyText], chosen: Mapping[ObjectKey, PolicyText], compile: Compile
) -> dict[ObjectKey, PolicyText]:
    """Return those refused texts that compile now that others have been refused too, and contradict none of them."""
    texts = {place: text for place, text in refused.items() if not compile(_merge_modules({**chosen, place: text}))}
    while texts and (problems := compile(_merge_modules({**chosen, **texts}))):
        left = {place: text for place, text in texts.items() if place not in problems}
        texts = left if len(left) < len(texts) else {}
    return texts


def _select_culprits(
    new: set[ObjectKey], chosen: Mapping[ObjectKey, PolicyText], good: Mapping[ObjectKey, PolicyText], compile: Compile
) -> set[ObjectKey]:
    """Return those new texts without which the others compile; all of them where that is not one alone."""
    for place in sorted(new):
        others = {other: text for other, text in chosen.items() if other != place}
        if place in good:
            others[place] = good[place]
        if not compile(_merge_modules(others)):
            return {place}
    return new


def _merge_modules(texts: Mapping[ObjectKey, PolicyText]) -> dict[str, str]:
    return {id: source for text in texts.values() for id, source in text.modules.items()}


def _describe_problems(faults: Problems) -> tuple[str, ...]:
    return tuple(
        f"does not compile with {'/'.join(place)}: {sentence}" for place in sorted(faults) for sentence in faults[place]
    )
