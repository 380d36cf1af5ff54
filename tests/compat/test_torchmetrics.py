"""A torchmetrics.Metric: parts and the whole, collections, processes, a Lightning loop."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torchmetrics import MetricCollection

import vericap
from vericap.compat.torchmetrics import CaptionScore
from vericap.errors import InputError

CAPTIONS = ["a dog runs on grass", "a red bus", "two people ride bikes", "a cat"]
REFERENCES = [["a brown dog runs on the grass", "the dog"], ["the bus is red"], ["people riding bikes"], ["a red cat"]]
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]


def expected(metric: str) -> float:
    return float(vericap.evaluate(CAPTIONS, REFERENCES, metrics=metric, df="coco")[metric].score)


@pytest.mark.parametrize("metric", ["cider-d", "bleu-4", "meteor", "rouge-l", "spice"])
def test_updates_in_parts_give_the_score_of_the_whole(metric: str) -> None:
    score = CaptionScore(metric)
    for row in range(4):
        score.update(CAPTIONS[row : row + 1], REFERENCES[row : row + 1])
    assert float(score.compute()) == pytest.approx(expected(metric), rel=1e-6)


def test_processes_merge_their_statistics() -> None:
    """BLEU of two halves is not the mean of their BLEUs: only merged statistics give the whole."""
    halves = [CaptionScore("bleu-2"), CaptionScore("bleu-2")]
    halves[0].update(CAPTIONS[:1], REFERENCES[:1])
    halves[1].update(CAPTIONS[1:], REFERENCES[1:])
    mean = sum(float(half.clone().compute()) for half in halves) / 2
    merged = halves[0]
    merged.merge_state(halves[1])
    assert float(merged.compute()) == pytest.approx(expected("bleu-2"), rel=1e-6) != mean


def test_a_gather_of_rows_is_what_distributed_torch_would_do() -> None:
    """`compute` asks for the rows of all processes, which are then behind one another."""
    other = CaptionScore("rouge-l")
    other.update(CAPTIONS[2:], REFERENCES[2:])
    score = CaptionScore(
        "rouge-l",
        dist_sync_fn=lambda state, group=None: [state, other.statistics[0]],
        distributed_available_fn=lambda: True,
    )
    score.update(CAPTIONS[:2], REFERENCES[:2])
    assert float(score.compute()) == pytest.approx(expected("rouge-l"), rel=1e-6)


def test_in_a_collection_and_after_a_reset() -> None:
    collection = MetricCollection({"cider": CaptionScore("cider-d"), "bleu": CaptionScore("bleu-4")})
    collection.update(["nothing"], [["of that"]])
    collection.reset()
    collection.update(CAPTIONS, REFERENCES)
    found = collection.compute()
    assert float(found["cider"]) == pytest.approx(expected("cider-d"), rel=1e-6)
    assert float(found["bleu"]) == pytest.approx(expected("bleu-4"), rel=1e-6)


def test_before_the_first_caption_there_is_no_score() -> None:
    assert torch.isnan(CaptionScore("bleu-4").compute())


def test_document_frequencies_of_a_corpus_that_is_not_there_yet() -> None:
    with pytest.raises(InputError, match="before the last caption has come"):
        CaptionScore("cider-d", df="corpus")


def test_a_set_has_no_order_to_be_aligned_by() -> None:
    with pytest.raises(InputError, match='field "captions": this is a set'):
        CaptionScore("bleu-1").update(set(CAPTIONS), REFERENCES)
    with pytest.raises(InputError, match='field "references": this is a set'):
        CaptionScore("bleu-1").update(CAPTIONS, set(CAPTIONS))


def test_in_a_lightning_loop(tmp_path: Path) -> None:
    import lightning

    class Captioner(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.score = CaptionScore("bleu-2")

        def validation_step(self, batch: list[int], _: int) -> None:
            self.score.update([CAPTIONS[i] for i in batch], [REFERENCES[i] for i in batch])
            self.log("bleu", self.score, batch_size=len(batch))

    trainer = lightning.Trainer(
        accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, default_root_dir=tmp_path,
    )  # fmt: skip
    loader = torch.utils.data.DataLoader(range(4), batch_size=3, collate_fn=list)
    [logged] = trainer.validate(Captioner(), loader, verbose=False)
    assert logged["bleu"] == pytest.approx(expected("bleu-2"), rel=1e-6)
