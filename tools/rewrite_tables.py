"""Rewrites the tables in src/vericap/data in the layout of safetensors (`vericap.readers.storage.array_file`).

    python tools/rewrite_tables.py && python tools/list_data.py

Names, facts, arrays and the hash of their content stay as they are; files that have the layout already are not touched.
"""

from __future__ import annotations

from vericap.data import FOLDER
from vericap.readers.storage import array_file

ENDINGS = (".arrays", ".df", ".lm")


def main() -> None:
    for path in sorted(path for path in FOLDER.rglob("*") if path.suffix in ENDINGS):
        with path.open("rb") as file:
            if file.read(len(array_file.FORMER)) != array_file.FORMER:
                continue
        name, facts, arrays, digest = array_file.read(path)
        array_file.write(path, name, facts, arrays)
        if array_file.read(path)[3] != digest:
            raise SystemExit(f"{path.name}: the hash of its content has changed")
        print(f"{path.relative_to(FOLDER)}: {digest[:12]}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
