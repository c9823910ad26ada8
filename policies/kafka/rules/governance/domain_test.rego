package kafka.rules.governance_test

import data.kafka.rules.governance as family

_domains := {"labelKey": "domain", "separator": "."}

_domain_violation(domain) := {
	"rule": "KFK-GOV-003",
	"severity": "low",
	"message": sprintf(
		"label domain is \"%s\", and the topic's name \"shop.orders\" does not begin with %s.",
		[domain, domain],
	),
	"fix": sprintf("begin the name with %s., or set the label domain to the domain that the name begins with", [domain]),
	"path": ["labels", "domain"],
	"patch": [],
}

test_domain[note] if {
	some note, tc in {
		"the name's prefix": {"labels": {"domain": "shop"}, "domains": set()},
		"another": {"labels": {"domain": "pay"}, "domains": {"pay"}},
		"only the beginning of it": {"labels": {"domain": "sho"}, "domains": {"sho"}},
		"the whole name": {"labels": {"domain": "shop.orders"}, "domains": {"shop.orders"}},
		"blanks around the prefix": {"labels": {"domain": " shop "}, "domains": set()},
		"blanks around another": {"labels": {"domain": " pay "}, "domains": {"pay"}},
		"empty": {"labels": {"domain": ""}, "domains": set()},
		"blank": {"labels": {"domain": "  "}, "domains": set()},
		"null": {"labels": {"domain": null}, "domains": set()},
		"none": {"labels": {}, "domains": set()},
	}
	deny := family.deny with input as _labelled("CreateTopic", "KFK-GOV-003", _domains, tc.labels)
	deny == {_domain_violation(domain) | some domain in tc.domains}
}

# A domain may have parts itself.
test_domain_of_two_parts if {
	prepared := object.union(
		_labelled("CreateTopic", "KFK-GOV-003", _domains, {"domain": "retail.shop"}),
		{"topic": "retail.shop.orders"},
	)
	deny := family.deny with input as prepared
	deny == set()
}
