# METADATA
# title: Federated placement
# description: |
#   On which clusters a federated object may or must run: the decision about an object as it is admitted, for the
#   admission controller of the federation, for a webhook, and for what places objects today.
# scope: subpackages
package io.k8s.federation

# METADATA
# title: Admission
# description: |
#   The annotations that are merged into those of the object in `input`; the object is the input itself. Each replaces
#   the one of its name, and is stored as text, or as JSON where it is none. `errors` deny the object whatever the
#   annotations say, and `warnings` are shown to whoever asks. Either is there only where there is one.
# entrypoint: true
default admission := {"annotations": {}, "errors": ["the input is missing: send the Kubernetes object"]}

admission := admitted(input)

# METADATA
# title: Admission, by the name in the design's configuration
# description: The document at which the `url` of `EnforceSchedulingPolicy` ends; the same as `admission`.
# entrypoint: true
annotations := admission

# METADATA
# title: Many admissions
# description: The admission of each object of `input.items`, under its own key.
# entrypoint: true
admissions[key] := admitted(item) if some key, item in input.items

# METADATA
# description: The answer about one object, whatever it is.
admitted(thing) := {"annotations": {}, "errors": problems} if {
	problems := sort(object_problems(thing))
	problems != []
} else := propagation_answer(thing) if {
	is_propagation(thing)
} else := object.union_n([
	{"annotations": result.annotations},
	{"errors": result.errors | result.errors != []},
	{"warnings": result.warnings | result.warnings != []},
]) if {
	result := annotated(thing, decision_at("admission", thing, {}))
} else := {"annotations": {}, "errors": [_undecided_text]}

_undecided_text := concat(": ", [
	"policy could not decide about this object",
	"look at the settings, the site's rules and the replicated clusters",
])
