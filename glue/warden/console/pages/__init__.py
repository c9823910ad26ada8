"""The pages of the console, and the answers to what they request."""
