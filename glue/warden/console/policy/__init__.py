"""The policy as the console has it: its OPA, the playground, and the rules in force."""
