"""The console: decisions, the estate and the policy as pages for a browser, read-only."""
