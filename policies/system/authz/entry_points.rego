package system.authz

# METADATA
# description: |
#   The entry points of the contract: the methods that make sense for each, and what of its input an untrusted caller
#   would state of the cluster, the time or itself. `nothing`: what it states is what it asks about. `trusted`: the
#   whole input is such a statement, or costs as much as its sender likes, so that only trusted callers may ask.
# scope: document
entry_points := {
	["catalog", "controls"]: {"methods": {"GET", "POST"}, "states": "nothing"},
	["catalog", "revision"]: {"methods": {"GET", "POST"}, "states": "nothing"},
	["catalog", "rules"]: {"methods": {"GET", "POST"}, "states": "nothing"},
	["io", "k8s", "federation", "admission"]: {"methods": {"POST"}, "states": "nothing"},
	["io", "k8s", "federation", "admissions"]: {"methods": {"POST"}, "states": "nothing"},
	["io", "k8s", "federation", "annotations"]: {"methods": {"POST"}, "states": "nothing"},
	["io", "k8s", "federation", "cluster_states"]: {"methods": {"POST"}, "states": "trusted"},
	["io", "k8s", "federation", "index"]: {"methods": {"POST"}, "states": "trusted"},
	["io", "k8s", "federation", "placement"]: {"methods": {"POST"}, "states": "nothing"},
	["io", "k8s", "federation", "remediation"]: {"methods": {"POST"}, "states": "trusted"},
	["io", "k8s", "federation", "remediations"]: {"methods": {"POST"}, "states": "trusted"},
	["io", "k8s", "federation", "render", "rendered"]: {"methods": {"POST"}, "states": "nothing"},
	["io", "k8s", "federation", "touched"]: {"methods": {"POST"}, "states": "trusted"},
	["io", "k8s", "federation", "without_decision"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "applicable_rules"]: {"methods": {"POST"}, "states": "enforcementPoint"},
	["kafka", "audit_parts", "names"]: {"methods": {"POST"}, "states": "common"},
	["kafka", "audit_parts", "plan"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "change_dates"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "changes", "classes"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "client_configs", "accepted"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "client_configs", "effective"]: {"methods": {"POST"}, "states": "user"},
	["kafka", "configs", "change"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "decision"]: {"methods": {"POST"}, "states": "decisionInput"},
	["kafka", "decisions"]: {"methods": {"POST"}, "states": "decisionInputs"},
	["kafka", "dependencies", "found"]: {"methods": {"POST"}, "states": "trusted"},
	["kafka", "lists", "check"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "lists", "checks"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "lists", "upgrade"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "owner_label"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "upgrade", "findings"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "required_state"]: {"methods": {"POST"}, "states": "nothing"},
	["kafka", "statements"]: {"methods": {"POST"}, "states": "trusted"},
	["kafka", "unknown_clusters"]: {"methods": {"POST"}, "states": "trusted"},
	["kafka", "unknown_enforcement_points"]: {"methods": {"POST"}, "states": "nothing"},
}
