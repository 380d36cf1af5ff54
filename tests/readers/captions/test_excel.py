"""Workbooks as VLMEvalKit writes its results: index, prediction, answer."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from vericap.errors import InputError
from vericap.readers import load

ROWS = [
    ["index", "question", "answer", "prediction"],
    [3, "Describe it.", "['a dog', 'one dog']", "a dog runs"],
    [7, "Describe it.", "['a cat']", "cats"],
]


def write_workbook(path: Path, rows: list[list[object]]) -> Path:
    """The least that is a workbook: content types, relations, one sheet with its texts in the cells."""

    def cell(value: object) -> str:
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    sheet = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        f'<sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return path


def test_predictions_and_answers_of_a_workbook_and_of_a_tsv(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    tsv = tmp_path / "llava_COCO_VAL.tsv"
    tsv.write_text("\n".join("\t".join(map(str, row)) for row in ROWS) + "\n")
    for path, ids in ((write_workbook(tmp_path / "llava_COCO_VAL.xlsx", ROWS), [3, 7]), (tsv, ["3", "7"])):
        corpus = load(path)
        assert list(corpus.image_ids) == ids and list(corpus.candidates) == ["a dog runs", "cats"]
        assert [corpus.references_of(row) for row in range(2)] == [["a dog", "one dog"], ["a cat"]]


def test_damaged_workbooks_are_named(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    whole = write_workbook(tmp_path / "r.xlsx", ROWS).read_bytes()
    for content in (whole[: len(whole) // 2], whole[:200] + bytes(200) + whole[400:]):
        (tmp_path / "broken.xlsx").write_bytes(content)
        with pytest.raises(InputError, match=r"broken.xlsx: the workbook is damaged or cut off"):
            load(tmp_path / "broken.xlsx")
    write_workbook(tmp_path / "header.xlsx", ROWS[:1])
    with pytest.raises(InputError, match=r"header.xlsx: the first sheet has no row below a header"):
        load(tmp_path / "header.xlsx")


def test_without_the_reader_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(InputError, match=r"needs python-calamine; install it: pip install 'vericap\[excel\]'"):
        load(write_workbook(tmp_path / "r.xlsx", ROWS))
