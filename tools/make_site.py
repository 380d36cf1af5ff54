"""build/site: the documentation as pages that open from a folder or a server, and make no request to anywhere.

    python tools/make_site.py

Copies docs/ and CONTRIBUTING.md to build/docs with their formulas as MathML, which browsers draw without a script, and
lets Zensical make the pages; what it warns of is an error.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from latex2mathml.converter import convert

ROOT = Path(__file__).parents[1]
DRAWN = ROOT / "build" / "docs"

_CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.M | re.S)
_DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.S)
_INLINE = re.compile(r"(?<![\\$\w])\$([^$\n]+?)\$(?![\w$])")
_TAG = re.compile(r"\\tag\{([^}]*)\}")


def drawn(markdown: str) -> str:
    """Return the page with MathML for its formulas; code is left as it is.

    >>> drawn("`$x$` and $x$")[:16]
    '`$x$` and <math '
    """
    parts = _CODE.split(markdown)
    parts[::2] = [_formulas(part) for part in parts[::2]]
    return "".join(parts)


def _formulas(text: str) -> str:
    text = _DISPLAYED.sub(lambda found: f"\n\n<div>{_mathml(found[1], 'block')}</div>\n\n", text)
    return _INLINE.sub(lambda found: _mathml(found[1], "inline"), text)


def _mathml(tex: str, display: str) -> str:
    numbered = _TAG.search(tex)
    return convert(_TAG.sub("", tex).strip(), display=display) + (f" ({numbered[1]})" if numbered else "")


def main() -> None:
    shutil.rmtree(DRAWN, ignore_errors=True)
    shutil.copytree(ROOT / "docs", DRAWN)
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (DRAWN / "contributing.md").write_text(contributing.replace("](docs/", "]("), "utf-8")
    for page in DRAWN.rglob("*.md"):
        text = page.read_text("utf-8").replace("](../CONTRIBUTING.md", "](contributing.md")
        page.write_text(drawn(text), "utf-8")
    zensical = Path(sys.executable).parent / "zensical"
    done = subprocess.run([zensical, "build", "--strict", "--clean"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
