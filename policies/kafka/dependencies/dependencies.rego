# METADATA
# title: What rules read
# description: |
#   What a rule's decision depends on besides the resource itself, found in the rule's syntax tree. A scan sends what is
#   found and remembers decisions under it; where something cannot be found out, it sends all and remembers nothing.
# scope: subpackages
package kafka.dependencies

# METADATA
# title: What modules read
# description: |
#   What the modules of Rego in the input (`modules`: name → source) read, all together: `state`, the parts of the
#   cluster's state, `topics` where it is more than the topic that the decision is about; `clusters`, the parts of the
#   states in `data.clusters`, in the same way; `topic`, whether topics of the same name are looked up there; `clock`,
#   whether the time of the decision is read; `data`, the other documents below `data` by the first piece of their
#   paths; and in sentences `unstable`, what may answer otherwise when it is called again, such as the clock of OPA's
#   host, and `unknown`, what cannot be found out.
# entrypoint: true
found := {
	"state": _read_texts("state"),
	"clusters": _read_texts("clusters"),
	"topic": _read_texts("topic") != [],
	"clock": _read_texts("clock") != [],
	"data": _read_texts("data"),
	"unstable": _read_texts("unstable"),
	"unknown": array.concat(_read_texts("engine"), _read_texts("unknown")),
}

_read_texts(kind) := sort({read[1] | some read in _all_reads; read[0] == kind})

_all_reads := reads | {reading | some [kind, _] in reads; kind == "engine"; some reading in _unlimited_reads} if {
	reads := union({read(name, source) | some name, source in input.modules})
}

# METADATA
# description: |
#   What a module reads, as a set of [kind, text]; the kinds are those of `found`, and `engine` for what Warden's own
#   modules may read when they are called.
read(name, source) := reads if {
	tree := rego.parse_module(name, source)
	reads := {[kind, shown] |
		some [kind, text] in _module_reads(tree)
		shown := _read_text(kind, name, text)
	}
} else := {["unknown", $"{name} is not Rego that this OPA can parse"]}

_sentence_kinds := {"engine", "unknown", "unstable"}

_read_text(kind, name, text) := $"{name} {text}" if kind in _sentence_kinds

_read_text(kind, _, text) := text if not kind in _sentence_kinds
