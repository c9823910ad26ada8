# METADATA
# title: Globs
# description: Names by the patterns of a setting, in which * matches any characters.
package kafka.base.globs

# METADATA
# description: Whether a name matches one of the patterns.
has_match(patterns, name) if {
	some pattern in patterns
	glob.match(pattern, null, name)
}

# METADATA
# description: Those of the patterns that a name matches.
matches(patterns, name) := [pattern | some pattern in patterns; glob.match(pattern, null, name)]
