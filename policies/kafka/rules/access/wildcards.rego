# METADATA
# title: Access
# description: What access control lists grant, and to whom.
package kafka.rules.access

import data.kafka.violation

# METADATA
# title: No grant to all principals, on all resources, of all operations, from all hosts
# description: |
#   One such grant bypasses every other control. What only takes rights away (DENY) may be as wide as it likes.
# related_resources:
#   - https://kafka.apache.org/documentation/#security_authz
# custom:
#   id: KFK-ACL-001
#   severity: critical
#   operations: [CreateAcl, AuditAcl]
#   params:
#     forbid:
#       type: array
#       items: {enum: [principal, resourceName, operation, host]}
#       description: Where a wildcard is a violation; Kafka's tools set host to * by default.
#     allow:
#       type: array
#       items: {type: object, additionalProperties: {type: string}}
#       description: "Grants that may have wildcards: fields of an ACL with their values,
#         in which * matches any characters."
#   message: the ACL grants {principal} {what}
#   fix: "{fix}"
deny contains violation.new(rego.metadata.rule(), args, ["acl", field], []) if {
	input.operation in {"CreateAcl", "AuditAcl"}
	params := input.params["KFK-ACL-001"]
	some field in params.forbid
	_wildcard(field, input.acl[field])
	_grants(input.acl)
	not _listed(input.acl, params.allow)
	args := object.union(_wildcards[field], {"principal": input.acl.principal})
}

_wildcards := {
	"principal": {"what": "access, which is every principal", "fix": "name one principal"},
	"resourceName": {"what": "access to all resources of a type", "fix": "name the resource, or a prefix of the owner's"},
	"operation": {"what": "all operations", "fix": "name the operations that are needed"},
	"host": {"what": "access from all hosts", "fix": "name the hosts"},
}

# A name may have colons: the first one ends the type.
_wildcard("principal", value) if regex.match(`^[^:]*:\*$`, value)

_wildcard("principal", "*")

_wildcard("resourceName", "*")

_wildcard("operation", value) if upper(value) == "ALL"

_wildcard("host", "*")

# Only what is certainly a denial grants nothing.
_grants(acl) if upper(object.get(acl, "permissionType", "")) != "DENY"

_listed(acl, allowed) if {
	some entry in allowed
	entry != {}
	every field, pattern in entry { glob.match(pattern, null, acl[field]) }
}
