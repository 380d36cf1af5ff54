"""The one way from files to numbers: `Inputs` and `Settings` → `prepare` → `Views` → `measure` → `Measured`, which
`evaluate`, `compare`, `explain` and `judge` each read in their own way."""
