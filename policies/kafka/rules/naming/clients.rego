package kafka.rules.naming

import data.kafka.violation

# METADATA
# title: Consumer groups, transactional ids and client ids follow the convention
# description: |
#   Lag, quotas and fencing are distinguished by these names; without the team's prefix nobody knows whose they are.
# related_resources:
#   - https://kafka.apache.org/documentation/#consumerconfigs_group.id
#   - https://kafka.apache.org/documentation/#producerconfigs_transactional.id
# custom:
#   id: KFK-NAM-006
#   severity: low
#   operations: [AlterConfig, CreateAcl, AuditAcl, AlterQuota]
#   params:
#     groupPattern:
#       type: string
#       format: regex
#       description: Regular expression (RE2) that the name of a consumer group must match.
#     txnPattern:
#       type: string
#       format: regex
#       description: Regular expression (RE2) that a transactional id must match.
#     clientIdPattern: {type: string, format: regex, description: Regular expression (RE2) that a client id must match.}
#   messages:
#     groupPattern: consumer group "{name}" does not match the convention {pattern}
#     txnPattern: transactional id "{name}" does not match the convention {pattern}
#     clientIdPattern: client id "{name}" does not match the convention {pattern}
#   fix: choose a name that matches {pattern}, beginning with the team's prefix
deny contains violation.new(rego.metadata.rule(), {"case": case, "name": name, "pattern": pattern}, path, []) if {
	input.operation in {"AlterConfig", "CreateAcl", "AuditAcl", "AlterQuota"}
	params := input.params["KFK-NAM-006"]
	some [case, name, path] in _client_names(input.operation)
	pattern := params[case]
	not regex.match(pattern, name)
}

# Names, each with the parameter that has its convention.
_client_names("AlterConfig") := {["groupPattern", input.resource.name, ["resource", "name"]] |
	input.resource.type == "group"
}

_client_names("CreateAcl") := _granted_names

_client_names("AuditAcl") := _granted_names

_client_names("AlterQuota") := {["clientIdPattern", input.entity.clientId, ["entity", "clientId"]] |
	is_string(input.entity.clientId)
}

# A prefix is no name yet, and "*" is all of them.
_granted_names contains [case, input.acl.resourceName, ["acl", "resourceName"]] if {
	upper(input.acl.patternType) == "LITERAL"
	input.acl.resourceName != "*"
	case := _pattern_by_resource_type[upper(input.acl.resourceType)]
}

_pattern_by_resource_type := {"GROUP": "groupPattern", "TRANSACTIONAL_ID": "txnPattern"}
