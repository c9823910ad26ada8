# METADATA
# description: Which of some names somebody may have meant by another.
package kafka.base.request

# METADATA
# description: |
#   " (did you mean …?)" with the one of `known` that has most pairs of letters in common with `name`; nothing where
#   that is less than half of them. A name that is more than three times as long as any has no half in common unless it
#   repeats itself: it is not looked at letter by letter, whoever sends it.
hint(name, known) := $" (did you mean {nearest}?)" if {
	count(name) <= 3 * max([count(one) | some one in known])
	shares := {one: share | some one in known; share := _similarity(name, one)}
	most := max({share | some share in shares})
	most >= 0.5
	nearest := sort([one | some one, share in shares; share == most])[0]
} else := ""

# Dice's coefficient: twice what both have, of what each has.
_similarity(one, other) := (2 * count(both)) / (count(_letter_pairs(one)) + count(_letter_pairs(other))) if {
	both := _letter_pairs(one) & _letter_pairs(other)
	both != set()
}

_letter_pairs(name) := {substring(low, i, 2) |
	low := lower(name)
	count(low) > 1
	some i in numbers.range(0, count(low) - 2)
}
