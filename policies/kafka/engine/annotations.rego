package kafka.engine

import data.kafka.base.effects
import data.kafka.base.settings

# METADATA
# description: |
#   What rules propose goes with the decision, whatever that is. A rule that is disabled, or only records, proposes
#   nothing.
_with_annotations(decision, proposals, document, now) := object.union(decision, {
	"annotations": _annotations(first),
	"warnings": array.concat(decision.warnings, sort(aside)),
}) if {
	modes := settings.modes(document.cluster, object.get(document, "enforcementPoint", ""))
	proposed := {name: values |
		some proposal in proposals
		some name, _ in proposal.configs
		values := sort([[other.rule, other.configs[name]] |
			some other in proposals
			effects.mode_at(object.get(modes, other.rule, effects.unlisted), now) in {"deny", "warn"}
		])
	}
	first := {name: values[0] | some name, values in proposed}
	aside := {_conflict_line(name, first[name], value) |
		some name, values in proposed
		some value in values
		value[1] != first[name][1]
	}
}

_annotations({}) := {}

_annotations(first) := {"configs": {name: value[1] | some name, value in first}} if first != {}

# Of rules that disagree the smaller id wins, and nobody has to guess why.
_conflict_line(name, [winner, value], [loser, other]) := concat(", ", [
	$"{winner}: proposes {name}={value}",
	$"in place of {other} that {loser} proposes",
])
