package kafka.model.quotas

import data.kafka.configs

# METADATA
# description: |
#   Whether java.net.InetAddress.getByName may find an address by this text: it is one, or the name of a host, which
#   only a controller's resolver knows. Null is the default entity. Undefined where it cannot be either.
# scope: document
can_resolve(null)

can_resolve(text) if _is_ipv4(text)

# In brackets or not. A scope, as in "fe80::1%eth0", is an interface of the controller, which only it knows.
can_resolve(text) if {
	contains(text, ":")
	startswith(text, "[") == endswith(text, "]")
	[[_, address]] := regex.find_all_string_submatch_n(`^\[?([^%\[\]]*)(?:%[^%\[\]]+)?\]?$`, text, 1)
	net.cidr_is_valid($"{address}/128")
}

# Anything else may be a host's name, but for numbers alone: Java takes neither octal nor hexadecimal ones.
can_resolve(text) if {
	regex.match(`^[^\s:\[\]/%]+$`, text)
	not regex.match(`^(0[xX][0-9a-fA-F]+|[0-9]*)(\.(0[xX][0-9a-fA-F]+|[0-9]*))*$`, text)
}

# Up to three bytes by themselves, and the rest of the four as one number (sun.net.util.IPAddressUtil).
_is_ipv4(text) if {
	regex.match(`^[0-9]+(\.[0-9]+){0,3}$`, text)
	count(text) <= 15
	parts := [configs.int64(part) | some part in split(text, ".")]
	last := count(parts) - 1
	max(array.concat([0], array.slice(parts, 0, last))) <= 255
	parts[last] <= [4294967295, 16777215, 65535, 255][last]
}
