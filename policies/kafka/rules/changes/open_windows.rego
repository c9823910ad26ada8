package kafka.rules.changes

# METADATA
# description: Whether no freeze holds at this time; of a time zone that does not exist nobody knows.
_is_freeze_over(params) if params.freezeUntil == ""

_is_freeze_over(params) if time.format([input.now, params.timeZone, "2006-01-02"]) >= params.freezeUntil

_is_in_window(params) if params.windows == []

_is_in_window(params) if {
	day := time.weekday([input.now, params.timeZone])
	clock := time.format([input.now, params.timeZone, "15:04"])
	some window in params.windows
	_is_open(window, day, clock)
}

_is_open(window, day, clock) if {
	day in window.days
	window.from <= clock
	_is_before_end(window, clock)
}

# The window of the day before, after midnight.
_is_open(window, day, clock) if {
	_is_over_midnight(window)
	_day_before[day] in window.days
	clock < window.to
}

_is_before_end(window, clock) if clock < window.to

_is_before_end(window, _) if _is_over_midnight(window)

_is_over_midnight(window) if window.to <= window.from

_day_before := {
	"Monday": "Sunday",
	"Tuesday": "Monday",
	"Wednesday": "Tuesday",
	"Thursday": "Wednesday",
	"Friday": "Thursday",
	"Saturday": "Friday",
	"Sunday": "Saturday",
}
