# METADATA
# title: Bounds
# description: Values against a minimum and a maximum.
package kafka.bounds

# METADATA
# description: |
#   Which bound of `params` (min, max; either may be missing) `value` breaks, in words and as the limit;
#   undefined when it breaks none.
broken(value, params) := {"side": "below the minimum", "limit": params.min} if {
	value < params.min
} else := {"side": "above the maximum", "limit": params.max} if {
	value > params.max
}
