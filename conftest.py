"""How pytest runs here, doctests in src included."""

from hypothesis import settings

from vericap.kernels import compiled

# How long something takes is for benchmarks/ to say: a busy machine must not fail a test of what is true.
settings.register_profile("vericap", deadline=None)
settings.load_profile("vericap")

# pytest collects files, not compiled modules: the kernels' doctests run where VERICAP_PURE=1 makes them Python.
collect_ignore_glob = ["src/vericap/kernels/[!_]*.py"] if compiled() else []
