"""Mutation testing of the rules: a rule whose tests let a changed rule pass is not tested."""
