"""``python -m tools.lint.names``: refuse functions whose names do not say what they do, and two types of one name.

A function is called by what it does, ``encode_refusal``, ``is_fenced``, ``iter_rows``, not ``refused`` or ``rows_of``.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

__all__ = [
    "CALLED_BY_OTHERS",
    "FALSE_FRIENDS",
    "is_eager_generator",
    "is_find_of_many",
    "is_noun",
    "is_participle",
    "is_possessive",
    "iter_function_names",
    "main",
]

ROOTS = ("glue", "spark_jobs", ".ci")

FALSE_FRIENDS = re.compile(
    r"bleed|cut|embed|exceed|feed|fit|heed|hit|need|proceed|put|quit|read|reset|seed|set|shed|split|"
    r"spread|succeed|weed"
)
"""Imperatives that look like participles, and those that are both."""

_IRREGULAR = re.compile(
    r"been|begun|bought|bound|broken|brought|built|caught|chosen|done|drawn|driven|fallen|felt|"
    r"forgotten|found|frozen|given|gone|grown|heard|held|hidden|hung|kept|known|laid|led|left|lent|"
    r"lost|made|meant|met|overridden|paid|rewritten|risen|said|seen|sent|shaken|shown|shut|sold|spent|"
    r"spoke|spoken|standing|stolen|stood|stuck|swept|sworn|taken|taught|thought|thrown|torn|undone|"
    r"unfrozen|unknown|unread|unsaid|unseen|withheld|woken|won|worn|wound|written|wrote"
)

_BEFORE = re.compile(
    r"add|apply|build|check|choose|clear|close|coalesce|collect|count|describe|drop|encode|evaluate|"
    r"find|format|handle|has|ignore|is|iter|join|list|look|mark|measure|merge|note|open|parse|point|"
    r"print|raise|read|record|refuse|remove|replace|report|require|return|save|see|select|send|set|show|skip|"
    r"take|try|wait|was|with|without|write"
)
"""What a name that ends in a participle may begin with: ``read_trusted``, ``is_closed``."""

CALLED_BY_OTHERS = re.compile(r"buffer_updated|connection_(lost|made)|data_received|on_partitions_(assigned|revoked)")
"""Methods whose names asyncio and Kafka's clients choose."""

_VERBS = re.compile(
    r"accept|acquire|add|adjust|admit|advance|advise|allow|alter|analyse|announce|answer|append|apply|ask|assemble|assign|"
    r"attach|attempt|audit|authenticate|become|begin|believe|bind|build|call|carry|catch|check|choose|claim|classify|"
    r"clean|clear|close|coalesce|collect|commit|compare|compile|complete|compose|compute|configure|confirm|connect|"
    r"construct|consume|convert|copartition|copy|count|create|cut|decide|declare|decode|decorate|decrypt|dedupe|"
    r"define|delete|deliver|deny|descend|describe|detect|discard|disconnect|divide|do|doubt|downgrade|download|drain|"
    r"draw|drop|dump|edit|elect|emphasise|encode|end|ensure|escape|eval|evaluate|exchange|expand|expect|expire|"
    r"explain|extract|fail|feed|fetch|fill|filter|find|fingerprint|finish|fix|flag|flush|follow|forget|format|"
    r"forward|freeze|gather|generate|get|give|go|grade|group|guard|guess|hand|handle|hash|hold|identify|ignore|index|"
    r"infer|init|inject|insert|inspect|install|introduce|invalidate|invoke|iter|join|keep|kill|label|launch|lay|lead|"
    r"learn|let|limit|list|listen|load|locate|lock|log|look|lose|make|map|mark|match|measure|merge|minimise|move|"
    r"mutate|name|nest|normalise|note|notify|number|observe|obtain|open|order|override|pack|parse|pass|patch|pause|"
    r"peek|persist|pick|place|plan|plot|poll|post|postpone|prebuild|prepare|print|probe|process|produce|prune|"
    r"publish|push|put|qualify|quieten|quote|raise|rank|reach|read|readmit|receive|record|redact|redirect|reduce|"
    r"reflect|refresh|refuse|register|regulate|release|remediate|remember|remove|rename|render|renew|replace|replay|"
    r"replicate|report|represent|request|require|reserve|reset|resolve|respond|restart|restore|restrict|resume|"
    r"retain|retire|retry|return|review|rewrite|run|sample|sanitise|save|say|scan|schedule|score|see|select|send|"
    r"serialise|serve|set|settle|share|shed|ship|shorten|show|sign|skip|sleep|slow|sort|splice|split|spread|start|"
    r"stop|store|stringify|strip|subscribe|suggest|sum|summarise|supply|swap|sweep|sync|take|tell|test|tick|time|"
    r"tolerate|trace|translate|trim|try|turn|undo|unescape|unfold|unindex|unite|unpack|unsubscribe|unwrap|update|"
    r"upgrade|upload|use|verify|wait|wake|walk|watch|weigh|withdraw|wrap|write|yield"
)
_PREDICATES = re.compile(
    r"is|has|may|can|could|admits|contains|depends|fits|holds|matches|needs|overlaps|owns|sees|supports|wants"
)
_CONVERSIONS = re.compile(r"as|from|of|on|to|with|without")
"""``from_document`` and ``without_secrets`` return another value of what they are given; ``on_end`` is called then."""

_AS_ELSEWHERE = re.compile(
    r"main|option|argument|(config|json)_option|did_you_mean|incremental_alter_configs|"
    r"readable|readinto|readline|shell_complete|TokenClient\.first_message|Provider\.(extensions|token)|"
    r"RunTables\.(reader|schema)|RunReader\.partitions"
)
"""What has the names of click's, dataclasses', Python's, Spark's and Kafka's, a known message, and a constant."""


def is_participle(name: str) -> bool:
    """Return whether the name of a function says what has been done in place of what it does."""
    words = name.strip("_").lower().split("_")
    return _is_past(words[0]) or (_BEFORE.fullmatch(words[0]) is None and _is_past(words[-1]))


def is_possessive(qualname: str) -> bool:
    """Return whether a public function of a module is a noun that belongs to its argument, such as ``rows_of``."""
    return "." not in qualname and not qualname.startswith("_") and qualname.endswith("_of")


def is_noun(qualname: str) -> bool:
    """Return whether a function or a method has a name that begins with no verb, such as ``free_port``."""
    name = qualname.rpartition(".")[2]
    first = name.lstrip("_").partition("_")[0]
    of = ".".join(qualname.split(".")[-2:])
    return (
        not name.startswith("__")
        and not any(pattern.fullmatch(first) for pattern in (_VERBS, _PREDICATES, _CONVERSIONS))
        and not any(_AS_ELSEWHERE.fullmatch(text) for text in (name.lstrip("_"), of))
    )


def _is_past(word: str) -> bool:
    return not FALSE_FRIENDS.fullmatch(word) and re.fullmatch(rf"{_IRREGULAR.pattern}|.+ed", word) is not None


def iter_function_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the qualified name and the line of each function; properties are values, commands what people type."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{prefix}{child.name}."
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_value_or_command(child):
                yield inner[:-1], child.lineno
            waiting.append((child, inner))


def _is_value_or_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = [ast.unparse(decorator).partition("(")[0] for decorator in function.decorator_list]
    return any(re.search(r"^(cached_)?property$|\.setter$|command$|group$", name) for name in names)


def _find_type(statement: ast.stmt) -> str | None:
    """Return the name of a public class or of an alias of a type, such as ``HostPort = tuple[str, int]``."""
    if isinstance(statement, ast.ClassDef):
        name = statement.name
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        name = statement.targets[0].id
    else:
        return None
    return name if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name) else None


def is_find_of_many(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function that looks for one thing, by its name, returns any number of them."""
    returns = "" if function.returns is None else ast.unparse(function.returns)
    looks_for_one = function.name.lstrip("_").startswith("find_")
    return (
        looks_for_one and re.match(r"(list|set|frozenset|Iterator|Iterable|Sequence|Collection)\b", returns) is not None
    )


def is_eager_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function that yields is called as one that has all at once, ``read_rows`` or ``list_rows``."""
    waiting: list[ast.AST] = list(function.body)
    yields = False
    while waiting:
        node = waiting.pop()
        yields = yields or isinstance(node, ast.Yield | ast.YieldFrom)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
    is_context = any("contextmanager" in ast.unparse(decorator) for decorator in function.decorator_list)
    return yields and not is_context and re.match(r"_?(read|list)_", function.name) is not None


def main() -> int:
    """Print each name that has to go; return 1 where there is one."""
    complaints: list[str] = []
    types: dict[str, list[str]] = defaultdict(list)
    for root in ROOTS:
        for path in sorted(Path(root).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in tree.body:
                if (name := _find_type(node)) is not None:
                    types[name].append(f"{path}:{node.lineno}")
            complaints += [
                f"{path}:{node.lineno}: {node.name}: find_ looks for one: list_ or iter_ for all, select_ for a part"
                for node in ast.walk(tree)
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_find_of_many(node)
            ]
            complaints += [
                f"{path}:{node.lineno}: {node.name}: what yields is iter_: read_ and list_ have all at once"
                for node in ast.walk(tree)
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_eager_generator(node)
            ]
            for qualname, line in iter_function_names(tree):
                name = qualname.rpartition(".")[2]
                called_by_others = CALLED_BY_OTHERS.fullmatch(name) is not None
                if not called_by_others and (is_participle(name) or is_possessive(qualname) or is_noun(qualname)):
                    complaints.append(
                        f"{path}:{line}: {name}: name a function by an imperative, a predicate by is_ or has_"
                    )
    shared = sorted((name, places) for name, places in types.items() if len(places) > 1)
    complaints += [f"{' and '.join(places)}: {name}: two types, one name" for name, places in shared]
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
