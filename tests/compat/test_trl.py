"""TRL's calls, and its GRPO trainer with a tiny model made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.reward.captions import IMAGES, REFERENCES, SAMPLES
from vericap.compat.trl import reward_function, text_of
from vericap.errors import InputError
from vericap.reward import Reward


def call(function: Any, completions: list[Any], **columns: Any) -> list[float | None]:
    """As `GRPOTrainer` calls a reward function: everything by keyword, columns of the dataset included."""
    rows = len(completions)
    return function(
        prompts=["Describe."] * rows, completions=completions, completion_ids=[[1]] * rows,
        trainer_state=None, log_extra=None, log_metric=None, **columns,
    )  # fmt: skip


def test_plain_and_conversational_completions_are_the_same() -> None:
    reward = Reward("cider-d", REFERENCES)
    function = reward_function(reward)
    plain = call(function, SAMPLES, image_id=IMAGES)
    chat = call(function, [[{"role": "assistant", "content": text}] for text in SAMPLES], image_id=IMAGES)
    assert plain == chat == reward(SAMPLES, IMAGES).tolist()
    assert all(isinstance(value, float) for value in plain)


def test_none_leaves_a_sample_out() -> None:
    reward = Reward({"spice.cardinality": 1}, REFERENCES)
    found = call(reward_function(reward), ["two people", "two dogs", "a cat"], image_id=[3, 7, None])
    assert found[1:] == [None, None], "undefined, and without an image"
    assert found[0] is not None


def test_the_column_of_image_ids_has_a_name() -> None:
    function = reward_function(Reward("cider-d", REFERENCES), image_ids="picture", name="consensus")
    assert function.__name__ == "consensus"
    assert call(function, ["a red bus"], picture=[5])[0] > 0
    with pytest.raises(InputError, match="no column 'picture'"):
        call(function, ["a red bus"], image_id=[5])


def test_only_what_the_assistant_says_counts() -> None:
    messages = [{"role": "assistant", "content": "a dog"}, {"role": "tool", "content": "a cat"}]
    assert text_of(messages) == "a dog"
    assert text_of([]) == ""


@pytest.mark.torch
@pytest.mark.slow_when_pure
@pytest.mark.filterwarnings("ignore")
def test_grpo_raises_the_reward_of_a_tiny_model(tmp_path: Path) -> None:
    import trl
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast, set_seed

    set_seed(0)
    references = {1: ["a dog runs"], 2: ["the red cat sits"]}
    words = ["<pad>", "<eos>", "one", "two", *"a dog runs the red cat sits".split()]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", padding_side="left"
    )
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(words), n_positions=16, n_embd=32, n_layer=1, n_head=2, resid_pdrop=0.0, embd_pdrop=0.0,
            attn_pdrop=0.0, bos_token_id=1, eos_token_id=1, pad_token_id=0,
        )
    )  # fmt: skip
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path), use_cpu=True, bf16=False, report_to="none", disable_tqdm=True, save_strategy="no",
        per_device_train_batch_size=32, num_generations=16, max_completion_length=5, max_steps=80, learning_rate=2e-2,
        logging_steps=1, beta=0.0, seed=0, gradient_checkpointing=False, lr_scheduler_type="constant",
    )  # fmt: skip
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=reward_function(Reward("cider-d", references, tokenizer="whitespace")),
        args=arguments,
        train_dataset=Dataset.from_dict({"prompt": ["one", "two"] * 40, "image_id": [1, 2] * 40}),
        processing_class=fast,
    )
    trainer.train()
    rewards = [step["reward"] for step in trainer.state.log_history if "reward" in step]
    assert np.mean(rewards[-10:]) > 1.5 * np.mean(rewards[:10])
