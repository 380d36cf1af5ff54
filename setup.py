"""Compiles the kernels where a compiler is there; without one they run as the Python files they are."""

import os
from pathlib import Path

from setuptools import Extension, setup

kernels = sorted(p for p in Path("src/vericap/kernels").glob("*.py") if p.name != "__init__.py")
extensions = []
if not os.environ.get("VERICAP_NO_COMPILE"):
    from Cython.Build import cythonize

    extensions = cythonize(
        [
            # optional: a machine without a compiler still gets its wheel. Products and sums are not fused: where a
            # processor could, numbers would differ from those of Python and NumPy.
            Extension(
                f"vericap.kernels.{p.stem}", [str(p)], optional=True, extra_compile_args=["-O3", "-ffp-contract=off"]
            )
            for p in kernels
        ],
        build_dir="build/cython",
        compiler_directives={"language_level": 3},
    )

setup(ext_modules=extensions)
