# METADATA
# title: Bounds
# description: Values against a minimum and a maximum.
package kafka.base.bounds

# METADATA
# description: |
#   Which bound of `params` (min, max; either may be missing) `value` breaks, in words and as the limit;
#   undefined when it breaks none.
broken(value, params) := {"direction": "below the minimum", "limit": params.min} if {
	value < params.min
} else := {"direction": "above the maximum", "limit": params.max} if {
	value > params.max
}

# METADATA
# description: |
#   As `broken`, of a value that is a limit itself: a negative one is no limit, and so above any maximum.
# scope: document
broken_by_limit(value, params) := broken(value, params) if value >= 0

broken_by_limit(value, params) := {"direction": "above the maximum", "limit": params.max} if value < 0

# METADATA
# description: |
#   In words, on which side of `limit`, the nearest value that is allowed, `value` lies. A rule that nearly every topic
#   passes finds the limit natively, `sort([params.min, value, params.max])[1]`, and calls no function
#   unless it differs.
# scope: document
direction(value, limit) := "below the minimum" if value < limit

direction(value, limit) := "above the maximum" if value > limit

# METADATA
# description: How much of `whole` a part is, in percent.
percent(part, whole) := (100 * part) / whole

# METADATA
# description: |
#   The greatest whole number that is no more than `ratio`, of up to 15 decimals, times `whole`. Counted in whole
#   numbers: 0.53 is a little less or more in binary, and so would be the product.
share(whole, ratio) := floor((whole * round(ratio * _parts_of_one)) / _parts_of_one)

_parts_of_one := 1000000000000000
