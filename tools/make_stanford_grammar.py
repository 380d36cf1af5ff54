"""Makes the grammar file of packages/stanford-grammar: python tools/make_stanford_grammar.py englishPCFG.ser.gz"""

from __future__ import annotations

import sys
from pathlib import Path

from vericap.scene.stanford.grammar import FILE, write_grammar
from vericap.scene.stanford.model_file import read_model

FOLDER = Path(__file__).parents[1] / "packages" / "stanford-grammar" / "src" / "vericap_stanford_grammar"

if __name__ == "__main__":
    write_grammar(FOLDER / FILE, read_model(sys.argv[1]))
    print(f"{FOLDER / FILE}: {(FOLDER / FILE).stat().st_size:,} bytes")
