"""`python -m vericap` is `vericap`."""

from vericap.cli import main

main()
