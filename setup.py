"""Compiles the kernels if there is a compiler; without one they run as the Python files they are.

Cython's own code for arrays is compiled once, as `vericap.kernels._shared`, and not in every kernel. NumPy's headers
are not needed. `VERICAP_NO_COMPILE=1` leaves the kernels as they are.
"""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SHARED = "vericap.kernels._shared"
DIRECTIVES = {
    "language_level": 3,
    # Kernels are called with checked arrays; what would be out of bounds is out of bounds in Python too.
    "boundscheck": False,
    "wraparound": False,
    # Every kernel makes its rows before it reads them.
    "initializedcheck": False,
    "cdivision": True,
    # Nobody inspects or pickles them: less code.
    "binding": False,
    "auto_pickle": False,
}
# Products and sums are not fused: where a processor could, numbers would differ from those of Python and NumPy. MSVC
# does not fuse them under /fp:precise. Debugging information would only make compiling slower. -O2 would make compiling
# faster, but `recurrence` slower.
UNIX = ["-O3", "-g0", "-ffp-contract=off"]
FLAGS = {"msvc": ["/O2", "/fp:precise"]}


class BuildKernels(build_ext):
    """Builds all kernels at once, each with the flags of the compiler at hand, or none."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, UNIX)
        super().build_extensions()
        files = [Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions]
        if not all(file.exists() for file in files):
            for file in files:
                file.unlink(missing_ok=True)
            self.warn("the kernels are not compiled and run as Python, slowly: install a C compiler and vericap again")


def kernels() -> list[Extension]:
    """Optional: a machine without a compiler still gets its wheel."""
    from Cython.Build import cythonize

    files = sorted(Path("src/vericap/kernels").glob("[!_]*.py"))
    headers = {"recurrence": "fused.h", "encoding": "layers.h"}
    extensions = [
        Extension(
            f"vericap.kernels.{file.stem}",
            [str(file)],
            include_dirs=[str(file.parent)],
            depends=[str(file.with_name(headers[file.stem]))] if file.stem in headers else [],
            optional=True,
        )
        for file in files
    ]
    shared = Extension(SHARED, ["src/vericap/kernels/_shared.c"], optional=True)
    return cythonize(
        [*extensions, shared],
        build_dir="build/cython",
        nthreads=os.cpu_count() or 1,
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
    )


# On Windows and macOS Cython's processes would each run this file again.
if __name__ == "__main__":
    setup(
        cmdclass={"build_ext": BuildKernels},
        ext_modules=[] if os.environ.get("VERICAP_NO_COMPILE") else kernels(),
    )
