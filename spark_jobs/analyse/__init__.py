"""Jobs beside the scan: impact of another policy, history of findings, upgrade checks, snapshots of live clusters."""
