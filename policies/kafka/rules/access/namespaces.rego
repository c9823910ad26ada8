package kafka.rules.access

import data.kafka.violation

# METADATA
# title: Prefix ACLs stay inside the owner's namespace
# description: |
#   A grant on a prefix reaches every name that begins so, those of other teams and of
#   the future too; a short prefix reaches far.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-290%3A+Support+for+Prefixed+ACLs
# custom:
#   id: KFK-ACL-002
#   severity: high
#   controls: [SOC2 CC6.1, SOC2 CC6.3, PCI-DSS 7.2.5, ISO27001 A.5.15, ISO27001 A.8.3]
#   operations: [CreateAcl, AuditAcl]
#   params:
#     namespaces:
#       type: object
#       additionalProperties: {type: array, items: {type: string, minLength: 1}}
#       description: "The prefixes that each principal may use, as in {\"User:payments\": [\"payments.\"]};
#         one that is not listed may use none."
#   messages:
#     some: prefix "{prefix}" of the ACL for {principal} reaches beyond {allowed}
#     none: prefix "{prefix}" of the ACL for {principal} reaches beyond what its principal owns, which is nothing
#   fixes:
#     some: use a prefix that begins with {allowed}, or name each resource
#     none: name each resource, or have the principal's prefix added to `namespaces` of this rule
deny contains violation.new(rego.metadata.rule(), args, ["acl", "resourceName"], []) if {
	input.operation in {"CreateAcl", "AuditAcl"}
	params := input.params["KFK-ACL-002"]
	upper(input.acl.patternType) != "LITERAL"
	_is_grant(input.acl)
	namespaces := object.get(params.namespaces, input.acl.principal, [])
	not strings.any_prefix_match(input.acl.resourceName, namespaces)
	args := {
		"case": _namespaces_case(namespaces),
		"prefix": input.acl.resourceName,
		"principal": input.acl.principal,
		"allowed": concat(" or ", namespaces),
	}
}

_namespaces_case([]) := "none"

_namespaces_case(namespaces) := "some" if namespaces != []
