"""How pytest runs here, doctests in src included."""

import os
from importlib.util import find_spec

from hypothesis import settings

from vericap.kernels import compiled

pytest_plugins = ["tests.rooms", "tests.slowest", "tests.with_torch"]

# Examples are drawn anew on a developer's machine and are the same in CI. How long one takes is for benchmarks/ to say:
# a busy machine must not fail a test of what is true.
settings.register_profile("vericap", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("vericap")

# Tests neither read nor write the user's cache.
os.environ["VERICAP_CACHE"] = "off"

# pytest collects files, not compiled modules: the kernels' doctests run where VERICAP_PURE=1 makes them Python.
collect_ignore_glob = ["src/vericap/kernels/[!_]*.py"] if compiled() else []
# Adapters of optional packages are Python files too, and cannot be imported without them.
_ADAPTERS = {"compat/inspect_ai": "inspect_ai", "compat/evaluate_metric": "evaluate", "serve/app": "starlette"}
collect_ignore = [f"src/vericap/{file}.py" for file, package in _ADAPTERS.items() if find_spec(package) is None]
