"""Doctests of the kernels run in the pass without compiled ones: pytest cannot collect a source beside its binary."""

import os

collect_ignore_glob = [] if os.environ.get("VERICAP_PURE") else ["src/vericap/kernels/*.py"]
