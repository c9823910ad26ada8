package kafka

# METADATA
# title: Dates of change
# description: |
#   The days, as YYYY-MM-DD and in order, at whose beginning (UTC) a decision about something that
#   stays as it is may change: a denial that was announced takes effect, or a waiver has ended.
#   Between two of them decisions can be remembered.
# entrypoint: true
change_dates := sort(_enforcement_dates(data.settings.compiled) | _waiver_end_dates(data.settings.compiled.waivers))

_enforcement_dates(compiled) := {mode.enforceFrom |
	some layer in array.flatten([
		compiled.base,
		[row.layer | some row in compiled.clusters],
		[layer | some layer in compiled.enforcementPoints],
	])
	some mode in layer.modes
}

_waiver_end_dates(waivers) := {_day_after_expiry(waiver) | some several in waivers; some waiver in several}

_day_after_expiry(waiver) := time.format([next, "UTC", "2006-01-02"]) if {
	next := time.add_date(time.parse_ns("2006-01-02", waiver.expires), 0, 0, 1)
}
