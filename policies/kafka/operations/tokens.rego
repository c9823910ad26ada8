package kafka.operations

# METADATA
# title: Create a delegation token
# description: |
#   A token by which whoever has it logs in as its owner (KIP-48), who is the caller or, where `owner` is given, another
#   (KIP-373).
CreateDelegationToken := {
	"subject": "administration",
	"types": {"owner": "string", "renewers": "array", "maxLifetimeMs": "number"},
	"required": {"maxLifetimeMs": "number"},
	"nullable": {"owner"},
	"inside": {"maxLifetimeMs": "integer", "renewers": "strings"},
	"families": {"access", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Renew a delegation token
# description: |
#   A token that is to end so much later than now, within its lifetime (KIP-48); which token is not part of it.
RenewDelegationToken := {
	"subject": "administration",
	"types": {"renewPeriodMs": "number"},
	"required": {"renewPeriodMs": "number"},
	"inside": {"renewPeriodMs": "integer"},
	"families": {"access", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Expire a delegation token
# description: |
#   A token that is to end at once, where the period is negative, or so much later than now, which may be later than it
#   would have (KIP-48); which token is not part of it.
ExpireDelegationToken := {
	"subject": "administration",
	"types": {"expiryTimePeriodMs": "number"},
	"required": {"expiryTimePeriodMs": "number"},
	"inside": {"expiryTimePeriodMs": "integer"},
	"families": {"access", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}
