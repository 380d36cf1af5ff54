"""Doctests of compiled kernels run where the kernels are Python files (VERICAP_PURE=1): pytest collects files."""

from vericap.kernels import compiled

collect_ignore_glob = ["src/vericap/kernels/[!_]*.py"] if compiled() else []
