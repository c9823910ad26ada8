"""Files to begin with: a rule with its test, and a team's own repository."""
