package kafka.engine

import data.kafka.base.effects
import data.kafka.base.settings

# METADATA
# description: |
#   What rules propose goes with the decision, whatever that is. A rule that is disabled, or only records, proposes
#   nothing.
_with_annotations(decision, proposals, document, now) := object.union(decision, {
	"annotations": _annotations(winners),
	"warnings": array.concat(decision.warnings, sort(conflict_lines)),
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
	winners := {name: values[0] | some name, values in proposed}
	conflict_lines := {_conflict_line(name, winners[name], value) |
		some name, values in proposed
		some value in values
		value[1] != winners[name][1]
	}
}

_annotations({}) := {}

_annotations(winners) := {"configs": {name: value[1] | some name, value in winners}} if winners != {}

# Of rules that disagree the smaller id wins, and nobody has to guess why.
_conflict_line(name, [winner, value], [loser, other]) := concat(", ", [
	$"{winner}: proposes {name}={value}",
	$"in place of {other} that {loser} proposes",
])
