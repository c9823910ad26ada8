package kafka.dependencies

# METADATA
# description: What a reference reads, by its pieces.
_reads_of_reference(pieces) := set() if {
	not pieces[0] in {"input", "data"}
} else := _state_reads("state", pieces, 2) if {
	array.slice(pieces, 0, 2) == ["input", "clusterState"]
} else := _state_reads("clusters", pieces, 3) if {
	array.slice(pieces, 0, 2) == ["data", "clusters"]
} else := {["clock", "now"]} if {
	array.slice(pieces, 0, 2) == ["input", "now"]
} else := {["state", "*"], ["clock", "now"], ["unknown", $"reads what {_pieces_text(pieces)} does not name"]} if {
	pieces[0] == "input"
	not _is_name_at(pieces, 1)
} else := set() if {
	pieces[0] == "input"
} else := set() if {
	pieces[1] in {"catalog", "settings"}
} else := _unlimited_reads | {["unknown", $"reads what {_pieces_text(pieces)} does not name"]} if {
	not _is_name_at(pieces, 1)
} else := _engine_reads(pieces) if {
	pieces[1] == "kafka"
} else := {["data", pieces[1]]}

_is_name_at(pieces, i) if is_string(pieces[i])

# What a reference reads of the state of a cluster: the part that the piece at `i` names, but of its topics only
# the one that the decision is about.
_state_reads(kind, pieces, i) := {["topic", "one"] | kind == "clusters"} if {
	pieces[i] == "topics"
	pieces[i + 1] == true
} else := {[kind, pieces[i]]} if {
	_is_name_at(pieces, i)
} else := {[kind, "*"], ["unknown", $"reads what {_pieces_text(pieces)} does not name"]}

_unlimited_reads := {["state", "*"], ["clusters", "*"], ["clock", "now"]}

_engine_reads(pieces) := {["engine", $"reads what {_pieces_text(pieces)} reads"]}

_pieces_text(pieces) := concat(".", [_piece_text(piece) | some piece in pieces])

_piece_text(piece) := piece if is_string(piece)

_piece_text(true) := "(the topic)"

_piece_text(null) := "(a variable)"

# What a call reads besides its arguments.
_reads_of_call(callee, call, aliases) := {["unstable", $"calls {concat(".", callee)}"]} if {
	callee in _unstable_functions
} else := set() if {
	array.slice(callee, 0, 2) != ["data", "kafka"]
} else := set() if {
	callee == ["data", "kafka", "violation", "new"]
} else := set() if {
	array.slice(callee, 2, 4) == ["model", "hosts"] # of its arguments alone
} else := set() if {
	callee[2] == "cluster"
	_reference_pieces(call[1].value, aliases) == ["input"] # looked at as a reference
} else := _reads_of_reference(array.concat(["data", "clusters", null], _cluster_lookup_pieces(callee[3], call))) if {
	callee[2] == "cluster"
} else := _engine_reads(callee)

# What OPA calls nondeterministic, and certificates, which it verifies by its host's clock.
_unstable_functions := {
	["crypto", "x509", "parse_and_verify_certificates"],
	["crypto", "x509", "parse_and_verify_certificates_with_options"],
	["http", "send"],
	["io", "jwt", "decode_verify"],
	["io", "jwt", "encode_sign"],
	["io", "jwt", "encode_sign_raw"],
	["json", "match_schema"],
	["json", "verify_schema"],
	["net", "lookup_ip_addr"],
	["opa", "runtime"],
	["rand", "intn"],
	["time", "now_ns"],
	["uuid", "rfc4122"],
}

# What of a state the functions of kafka.cluster look up.
_cluster_lookup_pieces("part", call) := [_piece(call[2])]

_cluster_lookup_pieces("topic", call) := ["topics", _piece(call[2])]

_cluster_lookup_pieces("topics", _) := ["topics"]

_cluster_lookup_pieces("has_topics", _) := ["topics", true]

_cluster_lookup_pieces("broker_default", _) := ["defaults"]
