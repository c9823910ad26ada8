# METADATA
# title: Verdict
# description: The one evaluator. Every door and the scan come through here, one document at a time or many.
# scope: subpackages
package kafka.verdict

import data.kafka.clients
import data.kafka.request
import data.kafka.rules

# METADATA
# description: |
#   The decision about one document; for any JSON value there is one. `own` is the part of it that no other document
#   of the same batch shares. What cannot be prepared for the rules is refused, with the reason looked for only then.
decide(own, document) := clients.answered(
	document,
	_outcome(shared, _refusals("client", document), [found, set()], document),
) if {
	document.operation in {"DescribeClientConfigs", "AlterClientConfigs"} # whose decision has `entries`
	request.fits(own, document)
	shared := _shared(document)
	found := rules.violations with input as _prepared("client", shared, document)
} else := _outcome(shared, _refusals(subject, document), asked, document) if {
	request.fits(own, document)
	subject := request.operations[document.operation].subject
	shared := _shared(document)
	asked := rules.asked with input as _prepared(subject, shared, document)
} else := refused(problems) if {
	problems := request.errors(document)
	problems != set()
} else := _outcome(shared, refusals, [set(), set()], document) if {
	subject := request.operations[document.operation].subject
	shared := _shared(document)
	refusals := _refusals(subject, document) | _missing(document)
	refusals != set()
} else := refused({"the bundle has no settings: build it with warden bundle build"}) if {
	not data.settings.compiled.base
} else := refused({"clusterState: the state of this resource is incomplete; replicate it again or send all of it"})

# METADATA
# description: |
#   What the rules see of a document about which there is nothing to say unless a rule has
#   something against it: undefined where it cannot be read, where Kafka would refuse it, or where
#   the age of the state is a reason of its own.
unremarkable(document) := _prepared(subject, shared, document) if {
	request.fits(document, document)
	subject := request.operations[document.operation].subject
	_refusals(subject, document) == set()
	shared := _shared(document)
	object.get(shared, "doubt", null) == null
}

# METADATA
# description: The decision about such a document, against which rules have `found` something.
decided(found, document) := _outcome(_shared(document), set(), [found, set()], document)
