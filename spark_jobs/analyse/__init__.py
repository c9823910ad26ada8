"""Analyses over many decisions: impact of another policy, history of findings."""
