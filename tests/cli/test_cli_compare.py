"""`vericap compare` as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from html import escape
from importlib.resources import files
from pathlib import Path

DEMO = files("vericap") / "data" / "demo"
FILES = [str(DEMO / f"{name}.json") for name in ("strong", "middling", "weak")]


def vericap(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vericap", *arguments], capture_output=True, text=True, encoding="utf-8"
    )


def compare(*arguments: str) -> subprocess.CompletedProcess[str]:
    return vericap("compare", *FILES, "-r", str(DEMO / "references.json"), "--bootstrap", "100", *arguments)


def test_it_prints_scores_contrasts_and_captions(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = compare("-m", "rouge-l,ter", "--examples", "1", "--json", str(tmp_path / "out.json"), "--html", str(page))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1].startswith("a strong") and "±" in lines[1] and lines[1].endswith("ᶜ")
    assert [line.split()[0] for line in lines if " − strong" in line] == ["rouge-l", "rouge-l", "ter", "ter"]
    assert sum(line.startswith("image ") for line in lines) == 2
    title = "Captions that differ most, in standard deviations of a metric's differences, mean over rouge-l, ter"
    assert lines.count(title) == 1
    assert "paired bootstrap with 100 resamples of 30 images" in done.stderr
    assert "signatures: version:" in done.stderr and "; ter\n" in done.stderr
    assert "strong is better than weak in ROUGE-L by " in done.stdout
    assert sum(line.startswith("  reference: ") for line in lines) == 10
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert data["systems"] == ["strong", "middling", "weak"]
    assert data["test"]["name"] == "bootstrap"
    pair = data["metrics"]["rouge-l"]["pairs"][1]
    assert (pair["system"], pair["against"]) == ("weak", "strong")
    assert pair["difference"] < pair["interval"][1] < 0
    assert pair["corrected"] < 0.05 and pair["wins"] + pair["ties"] + pair["losses"] == 30
    html = page.read_text("utf-8")
    assert escape(title) in html
    assert html.count("<table>") == 3 and "ᵇᶜ" in html and "metric:ter|" in html
    assert all(escape(each) in html for each in data["examples"][0]["captions"].values())
    assert set(data["examples"][0]["captions"]) == {"middling", "strong"}
    assert len(data["examples"][0]["references"]) == 5


def test_a_table_for_a_paper_is_the_table_alone() -> None:
    done = compare("-m", "rouge-l", "--format", "latex", "--test", "permutation", "--against", "all")
    assert done.stdout.startswith(r"% needs \usepackage{booktabs}") and done.stdout.endswith("\\end{table}\n")
    assert "$^{bc}$" in done.stdout


def test_other_images_are_an_error_that_names_them(tmp_path: Path) -> None:
    short = tmp_path / "short.json"
    rows = json.loads(Path(FILES[0]).read_text("utf-8"))
    short.write_text(json.dumps(rows[:-2]), "utf-8")
    done = vericap("compare", FILES[0], str(short), "-r", str(DEMO / "references.json"))
    assert done.returncode == 2
    lost = ", ".join(sorted(str(row["image_id"]) for row in rows[-2:]))
    assert done.stderr.startswith(f"vericap: short: it has no caption for 2 of the images that strong has: {lost};")


def test_a_captioner_beside_itself_is_a_slip() -> None:
    done = vericap("compare", FILES[0], FILES[0], "-r", str(DEMO / "references.json"))
    assert done.returncode == 2
    assert "the file is given twice" in done.stderr
