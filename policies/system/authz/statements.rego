package system.authz

# METADATA
# description: |
#   What untrusted callers state. OPA parses a body once: what is looked at here is what the policy evaluates.
_input := object.get(input.body, "input", null)

# The documents of an input that must not state what is not believed.
_stated_documents("nothing", _) := []

_stated_documents("decisionInput", _) := [_input]

# Merged as the policy merges them.
_stated_documents("decisionInputs", _) := [_merged_document(_common_document, item) |
	some item in object.get(_input, "items", {})
] if {
	not _input.changes
} else := [object.filter(_input, ["changes"])]

_stated_documents("common", _) := [_common_document]

# Without a principal, which is not read there.
_stated_documents("enforcementPoint", caller) := [object.union(_input, {"principal": caller.principal})]

_stated_documents("user", caller) := [object.union(_input, {
	"principal": caller.principal,
	"enforcementPoint": caller.enforcementPoint,
	"operation": "AuditClientConfigs",
	"request": {"entity": {"user": object.get(_input, "user", null)}},
})]

_common_document := object.get(_input, "common", {})

_merged_document(common, item) := object.union(common, item) if {
	is_object(common)
	is_object(item)
} else := null

_advice_by_refused_field := {
	"changes": "leave it out: what is replicated counts",
	"brokerId": "leave it out: no broker asks with this token",
	"clusters": "leave it out: what is replicated counts",
	"clusterState": "leave it out: what is replicated counts",
	"now": "leave it out: OPA's clock counts",
	"pending": "leave it out: what is replicated counts",
}

# METADATA
# description: |
#   The first thing that an untrusted caller may not state, with what to write; undefined where there is none.
problem(caller, document) := "send the input as an object, and `common` and items as objects in it" if {
	not is_object(document)
} else := message if {
	names := sort(object.keys(document) & object.keys(_advice_by_refused_field))
	names != []
	message := $"{names[0]}: {_advice_by_refused_field[names[0]]}"
} else := message if {
	messages := [sentence |
		some field in ["principal", "enforcementPoint"]
		sentence := _statement_problem(field, object.get(document, field, null), caller[field])
	]
	message := messages[0]
} else := "unknown: leave out what is not below /request: what is replicated counts" if {
	some pointer in object.get(document, "unknown", [])
	not _is_of_request(pointer)
} else := "configs.before: send an incremental or full change: what is replicated was before" if {
	document.request.configs.mode == "resolved"
	is_object(document.request.configs.before)
} else := "labels: leave them out: those that are replicated count" if {
	document.operation == "AlterTopic"
	document.request.labels
} else := message if {
	document.operation in {"AlterClientConfigs", "AuditClientConfigs"}
	user := object.get(document, ["request", "entity", "user"], null)
	caller.principal != {"type": "User", "name": user}
	message := $"user: with this token only client configs of {caller.principal.name} are shown"
}

_statement_problem(field, stated, null) := $"{field}: leave it out: this token has none" if stated != null

_statement_problem(field, stated, own) := $"{field}: state {json.marshal(own)}, which is this token's" if {
	own != null
	stated != own
}

_is_of_request("/request")

_is_of_request(pointer) if startswith(pointer, "/request/")
