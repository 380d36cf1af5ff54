"""The version, and whether the kernels run compiled."""

__version__ = "0.1.0"
