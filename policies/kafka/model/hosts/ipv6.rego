package kafka.model.hosts

# METADATA
# description: |
#   The eight groups of an IPv6 address as java.net.InetAddress.getByName reads it: in brackets or not, with a scope or
#   not, with :: once for groups that are nought, and with an IPv4 address for the last two. Undefined where it is none.
_ipv6_groups(text) := groups if {
	form := `^\[?([0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(?:%[^%\[\]]+)?\]?$`
	[[_, address]] := regex.find_all_string_submatch_n(form, text, 1)
	startswith(text, "[") == endswith(text, "]")
	halves := split(address, "::")
	groups := _groups_with_zeros([_groups_of_half(half, i == (count(halves) - 1)) | some i, half in halves])
	count(groups) == 8
}

_groups_with_zeros([whole]) := whole

_groups_with_zeros([head, tail]) := array.flatten([head, [0 | some _ in numbers.range(1, missing)], tail]) if {
	missing := (8 - count(head)) - count(tail)
	missing > 0
}

_groups_of_half("", _) := []

_groups_of_half(half, is_last) := array.flatten(pieces) if {
	half != ""
	texts := split(half, ":")
	pieces := [_groups_of_piece(text, [is_last, i] == [true, count(texts) - 1]) | some i, text in texts]
	count(pieces) == count(texts)
}

_groups_of_piece(text, _) := [group] if {
	[[_, significant]] := regex.find_all_string_submatch_n(`^0*([0-9a-f]{1,4})$`, lower(text), 1)
	digits := regex.find_n(`.`, significant, -1)
	group := sum([bits.lsh(_hex_digit_values[digit], 4 * ((count(digits) - 1) - i)) | some i, digit in digits])
}

_groups_of_piece(text, true) := [(a * 256) + b, (c * 256) + d] if [a, b, c, d] := _ipv4_groups(text)

_hex_digit_values[digit] := value if some value, digit in regex.find_n(`.`, "0123456789abcdef", -1)

# Java makes an IPv4 address of it.
_is_ipv4_mapped(groups) if array.slice(groups, 0, 6) == [0, 0, 0, 0, 0, 65535]
