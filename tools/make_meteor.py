"""Makes src/vericap/data/meteor/ and src/vericap/data/wordnet/ from METEOR 1.5, which is in pycocoevalcap's wheel.

    python -m venv /tmp/peer && /tmp/peer/bin/pip install pycocoevalcap
    python tools/make_meteor.py /tmp/peer/lib/python3*/site-packages/pycocoevalcap/meteor

Only data are read: the tables inside meteor-1.5.jar, and paraphrase-en.gz next to it. Left out of the paraphrases is
what can never match: phrases with a word that METEOR's own normaliser takes apart or changes (ch??vez, ’).
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from vericap.lexicon.paraphrases import Paraphrases, read_pairs
from vericap.lexicon.wordnet import WordNet
from vericap.text.meteor_normalizer import Normalizer

DATA = Path(__file__).parent.parent / "src" / "vericap" / "data"
LANGUAGES = {"cs": "czech", "de": "german", "en": "english", "es": "spanish", "fr": "french", "ru": "russian"}
NUMERIC = "#NUMERIC_ONLY#"


def languages(jar: zipfile.ZipFile) -> dict[str, dict[str, object]]:
    """Function words, and words that keep a final dot (true: only before a number), of each language."""
    tables: dict[str, dict[str, object]] = {}
    for code, name in LANGUAGES.items():
        words = jar.read(f"function/{name}.words").decode("utf-8").split()
        prefixes = {}
        for line in jar.read(f"nonbreaking/{name}.prefixes").decode("utf-8").splitlines():
            if line and not line.startswith("#"):
                prefixes[line.split()[0] if NUMERIC in line else line.strip()] = NUMERIC in line
        tables[code] = {"function_words": words, "prefixes": prefixes}
    return tables


def wordnet(jar: zipfile.ZipFile) -> WordNet:
    """Synsets of lemmas, and lemmas of irregular forms: two lines an entry."""
    lines = jar.read("synonym/english.synsets").decode("utf-8").splitlines()
    synsets = {lemma: [int(i) for i in ids.split()] for lemma, ids in zip(lines[::2], lines[1::2], strict=True)}
    lines = jar.read("synonym/english.exceptions").decode("utf-8").splitlines()
    irregular = [(form, lemma) for lemma, forms in zip(lines[::2], lines[1::2], strict=True) for form in forms.split()]
    return WordNet.of(synsets, irregular)


def paraphrases(path: Path, prefixes: dict[str, bool]) -> Paraphrases:
    """Return the pairs whose words METEOR's normaliser can produce."""
    normalize = Normalizer("before", prefixes)
    pairs = list(read_pairs(path))
    words = {word for pair in pairs for phrase in pair for word in phrase.split(" ")}
    possible = {word for word in words if normalize(word) == [word]}
    kept = [pair for pair in pairs if all(word in possible for phrase in pair for word in phrase.split(" "))]
    print(f"{len(kept):,} of {len(pairs):,} pairs, {len(possible):,} of {len(words):,} words")
    return Paraphrases.of(kept)


def main() -> None:
    source = Path(sys.argv[1])
    for folder in ("meteor", "wordnet"):
        (DATA / folder).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(source / "meteor-1.5.jar") as jar:
        tables = languages(jar)
        wordnet(jar).save(DATA / "wordnet" / "wordnet.arrays")
        licence = jar.read("synonym/COPYING.WORDNET")
    (DATA / "wordnet" / "LICENSE").write_bytes(licence)
    (DATA / "meteor" / "languages.json").write_text(json.dumps(tables, ensure_ascii=False, indent=1) + "\n", "utf-8")
    prefixes = tables["en"]["prefixes"]
    paraphrases(source / "data" / "paraphrase-en.gz", prefixes).save(DATA / "meteor" / "paraphrases.arrays")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
