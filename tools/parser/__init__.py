"""Trains the caption parser of `vericap.scene.parser`, from silver trees to the files that ship: see `make.py`."""
