"""Where the work runs: threads and processes of this machine, or a Ray cluster."""
