"""docs/output.md and its schemas describe what the program writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from tests.cli.program import DEMO, REFERENCES, STRONG, WEAK, vericap
from tests.judging import benchmark_folders
from tests.vision.photos import PHOTOS

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
PAGE = (ROOT / "docs" / "output.md").read_text("utf-8")


def schema(verb: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{verb}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(found)
    return found


def check(verb: str, document: Any) -> None:
    errors = [error.message for error in Draft202012Validator(schema(verb)).iter_errors(document)]
    assert errors == []
    assert undescribed(schema(verb), document) == set()


def undescribed(described: dict[str, Any], value: Any, where: str = "") -> set[str]:
    """Keys that the schema does not name, where it names any."""
    if isinstance(value, list):
        return {each for item in value for each in undescribed(described.get("items", {}), item, f"{where}[]")}
    if not isinstance(value, dict):
        return set()
    named = described.get("properties", {})
    others = described.get("additionalProperties", {})
    unknown = {f"{where}/{key}" for key in value if named and not others and key not in named}
    for key, item in value.items():
        below = named.get(key, others)
        unknown |= undescribed(below if isinstance(below, dict) else {}, item, f"{where}/{key}")
    return unknown


def output(*words: object) -> Any:
    done = vericap(*words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_score(tmp_path: Path) -> None:
    given = ("score", STRONG, "-r", REFERENCES, "--objects", DEMO / "objects.json")
    check("score", output(*given, "-m", "all", "--json", "-"))
    grouped = output(*given, "-m", "ter,chair-i", "--group-by", "domain", "--bootstrap", 20, "--json", "-")
    check("score", grouped)
    assert grouped["metrics"]["ter"]["higher_is_better"] is False and grouped["groups"]


def test_compare() -> None:
    for test in ("bootstrap", "permutation"):
        words = ("compare", STRONG, WEAK, "-r", REFERENCES, "-m", "bleu-4,ter", "--bootstrap", 50, "--test", test)
        check("compare", output(*words, "--json", "-"))


def test_explain() -> None:
    words = ("explain", STRONG, "-r", REFERENCES, "--objects", DEMO / "objects.json", "--id", 1, "--id", 2)
    found = output(*words, "-m", "default,ter,wmd,vifidel,chair-i,fluency", "--json", "-")
    check("explain", found)
    assert [each["image_id"] for each in found["explanations"]] == [1] * 14 + [2] * 14


def test_judge_and_figure(tmp_path: Path) -> None:
    benchmark_folders.flickr8k(tmp_path / "flickr8k")
    words = ("judge", "flickr8k-expert", "--data", tmp_path, "-m", "bleu-1,rouge-l", "--bootstrap", 50)
    check("judge", output(*words, "--json", "-"))
    forced = benchmark_folders.pascal(tmp_path / "pascal")
    check("judge", output("judge", "pascal-50s", "-d", forced, "-m", "bleu-1,ter", "--bootstrap", 50, "--json", "-"))
    curve = tmp_path / "curve.json"
    words = ("figure", "length", "flickr8k-expert", "-d", tmp_path, "-m", "bleu-1", "-o", curve)
    assert vericap(*words).returncode == 0
    check("figure", json.loads(curve.read_text("utf-8")))


def test_detect(tmp_path: Path) -> None:
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "nothing.png")
    shutil.copy(PHOTOS[3].file, tmp_path / "cup.png")
    (tmp_path / "broken.png").write_bytes(b"not a picture")
    lines = tmp_path / "objects.jsonl"
    found = output("detect", tmp_path, "--missing", "drop", "-o", lines, "--json", "-")
    check("detect", found)
    assert [each["image_id"] for each in found["pictures"]] == ["cup.png", "nothing.png"]
    assert found["pictures"][0]["objects"][0]["label"] == "cup" and found["pictures"][1]["objects"] == []
    assert [Path(each["file"]).name for each in found["unreadable"]] == ["broken.png"]
    # A line of --output is an entry of `pictures`.
    assert [json.loads(line) for line in lines.read_text("utf-8").splitlines()] == found["pictures"]


def test_metrics() -> None:
    check("metrics", output("metrics", "--json"))


def test_a_schema_refuses_what_is_wrong() -> None:
    found = output("score", STRONG, "-r", REFERENCES, "-m", "ter", "--json", "-")
    for break_it in (
        lambda document: document.pop("schema"),
        lambda document: document["metrics"]["ter"].update(score="high"),
        lambda document: document["captions"][0].pop("image_id"),
    ):
        broken = json.loads(json.dumps(found))
        break_it(broken)
        assert not Draft202012Validator(schema("score")).is_valid(broken)


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name)
def test_the_page_names_every_schema(path: Path) -> None:
    assert f"schemas/{path.name}" in PAGE


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, ["score", STRONG, "-r", REFERENCES, "-m", "bleu-1"]),
        (2, ["score", "no-such-file.json", "-r", REFERENCES]),
        (2, ["score", STRONG, "-r", REFERENCES, "-m", "no-such-metric"]),
        (2, ["score", STRONG, "--no-such-option"]),
    ],
)
def test_exit_codes_are_those_of_the_page(code: int, words: list[object]) -> None:
    assert f"| {code} |" in PAGE and vericap(*words).returncode == code
