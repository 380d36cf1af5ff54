"""Everything that ships is listed with source, licence and hash, and fits into a wheel."""

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "list_data.py"))
DEMO = ROOT / "src" / "vericap" / "data" / "demo"


def test_list_is_up_to_date():
    assert (TOOL["DATA"] / "README.md").read_text("utf-8") == TOOL["listing"]()


def test_shipped_data_fit():
    assert TOOL["compressed"]() <= TOOL["LIMIT"] <= 95_000_000


def test_unlisted_file_is_refused(tmp_path):
    (tmp_path / "SOURCES.toml").write_text(
        '[demo]\nsource = "us"\nlicence = "CC0-1.0"\nscript = ""\nfiles = { "a" = "A" }'
    )
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "a").write_text("a")
    assert "| demo/a | A | us | CC0-1.0 | hand | 1 | `ca978112ca1bbdca" in TOOL["listing"](tmp_path)
    (tmp_path / "demo" / "b").write_text("b")
    with pytest.raises(SystemExit, match=r"not in SOURCES.toml: demo/b"):
        TOOL["listing"](tmp_path)


def test_demo_has_five_references_and_a_caption_of_each_system_for_every_image():
    references = json.loads((DEMO / "references.json").read_text("utf-8"))
    domain = {image["id"]: image["domain"] for image in references["images"]}
    assert len(domain) == 30
    assert len({a["id"] for a in references["annotations"]}) == 150
    described = [a["image_id"] for a in references["annotations"]]
    assert all(described.count(image) == 5 for image in domain)
    assert all(a["caption"].strip() for a in references["annotations"])
    for system in ("strong", "middling", "weak"):
        rows = json.loads((DEMO / f"{system}.json").read_text("utf-8"))
        assert {row["image_id"]: row["domain"] for row in rows} == domain
        assert len(rows) == len(domain)
    objects = json.loads((DEMO / "objects.json").read_text("utf-8"))
    assert {int(image) for image in objects} == set(domain)
    assert all(objects.values())
