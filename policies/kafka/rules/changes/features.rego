package kafka.rules.changes

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Features are not downgraded
# description: |
#   A lower metadata.version, or a lower level of another feature, takes away what topics, groups and brokers were
#   promised, and an unsafe downgrade drops what the cluster's metadata holds of it. What is a downgrade is what the
#   request itself says: Kafka lowers no level for one that says otherwise.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-778%3A+KRaft+to+KRaft+Upgrades
# custom:
#   id: KFK-CHG-009
#   severity: critical
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.32]
#   operations: [UpdateFeatures]
#   reversible: false
#   params:
#     safe:
#       type: array
#       items: {type: string, format: glob}
#       description: "Features that may be downgraded where no metadata is lost; * matches any characters."
#     unsafe:
#       type: array
#       items: {type: string, format: glob}
#       description: "Features that may be downgraded whatever is lost; * matches any characters."
#   message: feature "{feature}" may not be downgraded to level {level} ({how})
#   fix: leave the feature at its level, or have those who run the cluster allow this downgrade
deny contains violation.new(rego.metadata.rule(), args, ["featureUpdates", i, "upgradeType"], []) if {
	input.operation == "UpdateFeatures"
	params := input.params["KFK-CHG-009"]
	some i, update in input.request.featureUpdates
	update.upgradeType != "UPGRADE"
	not _is_allowed_downgrade(update, params)
	args := {"feature": update.feature, "level": update.maxVersionLevel, "how": update.upgradeType}
}

_is_allowed_downgrade(update, params) if globs.has_match(params.unsafe, update.feature)

_is_allowed_downgrade(update, params) if {
	update.upgradeType == "SAFE_DOWNGRADE"
	globs.has_match(params.safe, update.feature)
}
