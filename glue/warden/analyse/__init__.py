"""Look at many resources at once: files in a pull request, scans, impact, trends, reports."""
