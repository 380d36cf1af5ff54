"""Compares the PTB tokenizer with the original, CoreNLP 3.4.1, which needs Java and its jar.

    python tools/compare_ptb.py JAR FILE ...              every line of text files
    python tools/compare_ptb.py JAR --odd 100000 --seed 1  odd lines made up by chance
    python tools/compare_ptb.py JAR --write               writes tests/parity/ptb_lines.jsonl

Exit code 1 when a line differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

from vericap.text.ptb import tokenize
from vericap.text.ptb_rules import ABBREVIATIONS

LINES = Path(__file__).parent.parent / "tests" / "parity" / "ptb_lines.jsonl"
CLASS = "edu.stanford.nlp.process.PTBTokenizer"
LINE_ENDS = dict.fromkeys(map(ord, "\n\r\v\f\u2028\u2029"), " ")

WORDS = """a the A The dog cats Dogs man's it he WORD x X U S café Été straße ÑANDÚ ΟΔΟΣ o d l n s t ll re cannot Cannot
gonna wanna don can won y em til tis twas cause cont'd ol' ma'am o'clock O'Neill d'Artagnan l'été rock'n'roll 'n' y'all
don't DON'T isn't I'm we've they'll he'd James' 's www.example.com http://a.b/c?d=e,f example.org/x foo@bar.com @handle
#PraCegoVer #tag file.txt 9.jpg IMG_1.png LRB -LRB- R&B AT&T AT&amp;T S&P-500 C++ C# p.m. U.S. U.S.-China non-U.S. e.g.
i.e. T.V. K. Ph.D. t-shirt 50-year-old and/or w/o km/h pão-de-açúcar Привет سلام 日本 猫 한국 क् ﬁ Ⅳ Ⓐ ſ İ ı"""
NUMBERS = r"""0 5 12 90 555 1234 2014 12345 1,000 3.5 .5 -5 +5 10:30 1/2 3/4 22/7 1\/2 10/11/2014 10-11-2014 1990s '90s
'90 90's 1st ½ 1½ ⅓ ⅛ ² ₂ ٣ ２ (650) 723-0293 555-1234 650.723.0293 5'10" $5 US$ £10 €20 5¢ ¥ 50%"""
MARKS = r"""... .. .... -- ----- `` '' ?! &amp; &lt; &gt; &quot; &apos; &nbsp; &mdash; &#39; &eacute; :) :-( ;D =P ^_^
(^.^) <3 \* <b> </b> <br/> << >> 😀 👍🏽 。 、 ！"""
SIGNS = """.,;:!?'"`()[]{}<>/|-_=+*&^%$#@~“”‘’«»‹›„‚‛–—‐‑−…¡¿°®©·•×÷´′\\
\x01\x7f\x80\x85\x91\x92\x93\x94\x96\x97\u00ad\u00a0\u2003\u3000\u200b\ufeff\u0301"""
TAGS = [". . .", "<a href='x y'>", "<!-- x -->"]
BLANKS = [" "] * 6 + ["", "  ", "\t", "\u00a0"]


def odd_lines(count: int, seed: int) -> list[str]:
    """Words, numbers, abbreviations and signs, together and apart, and plain strings of characters."""
    chance = random.Random(seed)
    abbreviations = [f"{case(word)}." for word in sorted(ABBREVIATIONS) for case in (str.lower, str.title, str.upper)]
    marks = [*MARKS.split(), *TAGS]
    kinds = [WORDS.split(), WORDS.split(), NUMBERS.split(), marks, list(SIGNS), abbreviations]

    def piece() -> str:
        if chance.random() < 0.1:
            return "".join(chr(chance.choice((chance.randint(32, 126), chance.randint(160, 0xD7FF)))) for _ in range(3))
        return chance.choice(chance.choice(kinds))

    def line() -> str:
        density = chance.choice((0.1, 0.5, 1))
        pieces = (piece() + (chance.choice(BLANKS) if chance.random() < density else "") for _ in range(9))
        return "".join(pieces).translate(LINE_ENDS)

    return [line() for _ in range(count)]


def original(jar: str, lines: list[str]) -> list[list[str]]:
    """Return the original's output, one row per line."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "lines")
        text.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        command = ["java", "-cp", jar, CLASS, "-preserveLines", "-lowerCase", str(text)]
        rows = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\n")[:-1]
    if len(rows) != len(lines):
        raise SystemExit(f"the original made {len(rows)} rows of {len(lines)} lines")
    return [row.split(" ") if row else [] for row in rows]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("jar")
    arguments.add_argument("files", nargs="*", type=Path)
    arguments.add_argument("--odd", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    lines = odd_lines(1000 if given.write else given.odd, given.seed)
    for file in given.files:
        lines += file.read_text("utf-8").translate(LINE_ENDS | {ord("\n"): "\n"}).split("\n")
    rows = original(given.jar, lines)
    if given.write:
        content = (json.dumps([line, row], ensure_ascii=False) for line, row in zip(lines, rows, strict=True))
        LINES.write_text("\n".join(content) + "\n", "utf-8")
    differ = 0
    for line, following, row in zip(lines, [*lines[1:], ""], rows, strict=True):
        if (ours := tokenize(line, following)) != row:
            differ += 1
            print(f"{line!r}\n  original {row}\n  here     {ours}")
    print(f"{differ} of {len(lines)} lines differ")
    raise SystemExit(differ > 0)


if __name__ == "__main__":
    main()
