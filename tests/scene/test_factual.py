"""A FACTUAL checkpoint loads from a folder and writes something; its folder is made here, tiny and random."""

from __future__ import annotations

from pathlib import Path

import pytest
import tokenizers
import transformers

from vericap.encoders.folders import checkpoint_hash
from vericap.errors import InputError
from vericap.scene.factual import PROMPT, Factual

pytestmark = pytest.mark.torch


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A Flan-T5 of one layer with random weights."""
    import torch

    torch.manual_seed(0)
    words = sorted({*PROMPT.split(), *"a girl on bed is young ( , )".split()})
    vocabulary = {"<pad>": 0, "</s>": 1, "<unk>": 2, **{word: i for i, word in enumerate(words, 3)}}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(tmp_path)
    config = transformers.T5Config(
        vocab_size=len(vocabulary), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, feed_forward_proj="gated-gelu",
    )  # fmt: skip
    transformers.T5ForConditionalGeneration(config).save_pretrained(tmp_path, safe_serialization=True)
    return tmp_path


@pytest.mark.filterwarnings("ignore")
def test_a_checkpoint_writes_one_graph_a_caption(checkpoint: Path) -> None:
    captions = ["a young girl on a bed", "a girl", "a young girl on a bed"]
    parser = Factual(str(checkpoint))
    graphs = parser.write(captions)
    assert len(graphs) == 3 and graphs[0] == graphs[2]
    assert graphs == Factual(str(checkpoint)).write(captions)
    assert len(checkpoint_hash(str(checkpoint))) == 12


def test_a_folder_without_a_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json is missing"):
        Factual(str(tmp_path))
