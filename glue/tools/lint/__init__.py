"""Lints of our own: what is refused in names, words, layers and rules beside what ruff, mypy and Regal say."""
