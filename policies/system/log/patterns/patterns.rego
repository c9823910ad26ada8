# METADATA
# title: What a secret looks like
# description: |
#   In the decision log, and in what Python writes, which reads this file (warden.files.shown): Go, Python and Java
#   read its forms the same. What is passed on for a decision is masked by fewer names (warden.files.secret_names).
package system.log.patterns

# METADATA
# description: Names of configs, headers, variables and options that hold secrets, in Kafka, Kubernetes and beyond.
names := concat("|", [
	`(?i)passw|passphrase|secret|token|jaas|credential|authorization|cookie|user\.info|last-applied-configuration`,
	`(^|[._-])(pwd|pass|pw|salt)$|salted|(stored|server|account)[._-]?key`,
	`(?-i:[a-z](Pwd|Pass|Salt)$)`,
	`(private|access|api|encryption)[._-]?key`,
	`[._-]key$`,
])

# METADATA
# description: |
#   Texts that are secret under any name: a private key, a URL with a password, an assignment as in properties, YAML,
#   JSON, connection strings and options, a token.
texts := concat("|", [
	`(?i)private key-----|://[^/\s:@]*:[^/\s@]+@`,
	_assignment,
	`--?[\w.-]*(passw(or)?d|pwd|passphrase|secret|token|api-?key)[\s=]+\S`,
	`\bbearer\s+[\w.~+/=-]{8,}|\bbasic\s+[a-z0-9+/=]{8,}|\s-u\s+\S+:\S+`,
	`\beyj[\w-]{8,}\.[\w-]+\.[\w-]*|\bakia[0-9a-z]{16}\b`,
])

_assignment := concat("", [
	`(^|[^a-z])(\w*[._-])?`,
	`(\w*passw(or)?d|pwd|pass|pw|passphrase|\w*secret|\w*token|(api|access|account|private)[._-]?key|salt)`,
	`[\\"']*\s*([:=]|</?\w*>|>)\s*[\\"']*[^\s\\"',;<]`,
])

# METADATA
# description: |
#   Options whose value is the next element of a list, as in a container's `args`.
options := `(?i)^--?[\w.-]*(passw(or)?d|pwd|pass|passphrase|secret|token|salt|(api|access|private)-?key)$`

# METADATA
# description: |
#   What the patterns of each kind of place need, in lower case: looking for these in the whole document first makes a
#   batch of 250 decisions without secrets cost a tenth.
words := {
	"names": ({
		"pass", "pwd", "pw", "salt", "secret", "token", "jaas", "credential", "authorization", "cookie", "user.info",
		"last-applied-configuration", `key"`, "storedkey", "serverkey", "accountkey",
	} | _keys),
	"texts": ({
		"pass", "pwd", "pw", "salt", "secret", "token", "key-----", "://", "bearer", "basic", "-u ", "eyj", "akia",
		"accountkey", "account.key", "account_key", "account-key",
	} | _keys),
	"options": {`"-`},
	"kinds": {`secret"`},
}

_keys contains concat(between, [kind, "key"]) if {
	some kind in ["private", "access", "api", "encryption"]
	some between in ["", ".", "_", "-"]
}
