"""The version, which every signature carries: it changes with the commit that moves a number."""

__version__ = "0.2.0.dev0"
