"""Files as input: readers that keep the line of each value, secrets and what hides them."""
