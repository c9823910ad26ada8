package system.log

_max_depth := 64

# METADATA
# description: |
#   Whether the input may have a secret, and is nested deeper than any real one. By references: they make no path for
#   each value, and end at the first one that is so deep.
_is_too_deep if {
	count(_secret_place_kinds_to_search) > 0
	level_16 := input.input[_][_][_][_][_][_][_][_][_][_][_][_][_][_][_][_]
	level_32 := level_16[_][_][_][_][_][_][_][_][_][_][_][_][_][_][_][_]
	level_48 := level_32[_][_][_][_][_][_][_][_][_][_][_][_][_][_][_][_]
	level_64 := level_48[_][_][_][_][_][_][_][_][_][_][_][_][_][_][_][_]
	some _ in level_64
}
