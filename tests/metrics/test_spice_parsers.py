"""Which parser `spice` takes, how it says so, and that no two are mixed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from vericap import evaluate, explain, stream
from vericap.compat.pycocoevalcap.spice.spice import Spice as Original
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.spice import NOT_EXACT
from vericap.reward import Reward
from vericap.scene import caption_graphs
from vericap.scene.caption_graphs import caption_propositions, default_parser
from vericap.scene.stanford.parser import StanfordParser
from vericap.views.graphs import Graphs

# The parsers do not agree on this one: "stop" is a noun of the sign for one of them alone.
CANDIDATES = {1: "a young girl stands on a court", 2: "two dogs near a red stop sign"}
REFERENCES = {1: ["a girl is on a tennis court"], 2: ["two dogs beside a red stop sign"]}
STANFORD = "parser:stanford-68477720df60"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without the grammar."""
    for module in ("vericap.scene.caption_graphs", "vericap.views.graphs", "vericap.scene.stanford.installed"):
        monkeypatch.setattr(f"{module}.grammar_file", lambda: None)
    default_parser.cache_clear()
    yield
    default_parser.cache_clear()


def scores(key: str, **more: object) -> list[float]:
    found: list[float] = evaluate(CANDIDATES, REFERENCES, metrics=key, **more)[key].captions.tolist()  # type: ignore[arg-type]
    return found


def test_plain_spice_is_the_originals_parser_where_its_grammar_is(grammar: None) -> None:
    result = evaluate(CANDIDATES, REFERENCES, metrics="spice")
    assert STANFORD in result["spice"].signature and NOT_EXACT not in result.notes
    assert result["spice"].captions.tolist() == scores("spice(parser=stanford)")
    assert [each["All"]["f"] for each in Original().compute_score(*_lists())[1]] == scores("spice")


def _lists() -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    return REFERENCES, {image: [caption] for image, caption in CANDIDATES.items()}


@pytest.mark.usefixtures("without")
def test_without_the_grammar_plain_spice_is_ours_and_a_note_says_what_it_costs() -> None:
    result = evaluate(CANDIDATES, REFERENCES, metrics="spice,spider")
    assert result.notes.count(NOT_EXACT) == 1 and 'pip install "vericap[spice]"' in NOT_EXACT
    assert f"parser:{Graphs('vericap').signed}" in result["spice"].signature
    assert result["spice"].captions.tolist() == scores("spice(parser=vericap)")
    assert evaluate(CANDIDATES, REFERENCES, metrics="spice(parser=vericap)").notes == ()
    with pytest.raises(InputError, match=r"stanford' is not installed; pip install"):
        evaluate(CANDIDATES, REFERENCES, metrics="spice(parser=stanford)")


@pytest.mark.parametrize("key", ["spice-exact", "spice.color", "spice.relation", "soft-spice", "spider"])
def test_its_relatives_take_the_same_parameter(grammar: None, key: str) -> None:
    for parser in ("stanford", "vericap"):
        metric = parse(f"{key}(parser={parser})")
        assert str(metric) == f"{key}(parser={parser})"
        graphs = metric.parts[0].graphs if key == "spider" else metric.graphs  # type: ignore[attr-defined]
        assert graphs == Graphs(parser)
    if key != "soft-spice":  # which needs an encoder
        signature = evaluate(CANDIDATES, REFERENCES, metrics=key)[key].signature
        assert STANFORD in signature


def test_faier_keeps_the_parser_it_was_trained_with() -> None:
    assert Graphs().parser == "vericap"


def test_a_parser_that_was_chosen_goes_along_to_other_processes(grammar: None, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = parse("spice")
    assert metric.graphs.parser == "stanford"  # type: ignore[attr-defined]
    sent = pickle.dumps(metric)
    monkeypatch.setattr("vericap.metrics.spice.default_parser", lambda: "vericap")
    assert pickle.loads(sent).graphs.parser == "stanford"


def test_a_saved_reward_is_refused_where_its_parser_is_not(
    grammar: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reward = Reward({"mean(spice,bleu-1)": 1}, REFERENCES)
    reward.save(tmp_path / "reward")
    before = reward(list(CANDIDATES.values()), list(CANDIDATES))
    assert Reward.load(tmp_path / "reward")(list(CANDIDATES.values()), list(CANDIDATES)).tolist() == before.tolist()
    sent = pickle.dumps(Reward("spice", REFERENCES))
    monkeypatch.setattr("vericap.metrics.spice.default_parser", lambda: "vericap")
    with pytest.raises(InputError, match=r"saved with the parser stanford-\w+ for spice, and here .*vericap-\w+; pip"):
        Reward.load(tmp_path / "reward")
    with pytest.raises(InputError, match="saved with the parser stanford"):
        pickle.loads(sent)


def test_a_stream_does_not_go_on_with_another_parser(
    grammar: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"caption": "a dog", "references": ["two dogs"]}\n' * 2)
    out = tmp_path / "scores.jsonl"
    stream(rows, metrics="spice").write(out)
    monkeypatch.setattr("vericap.metrics.spice.default_parser", lambda: "vericap")
    with pytest.raises(InputError, match=r"started with .*stanford-.*, now it is .*vericap-"):
        stream(rows, metrics="spice").write(out)


def test_the_second_system_costs_only_its_own_captions(
    grammar: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    whole = StanfordParser.parse_each

    def counting(self, sentences, *rest):  # type: ignore[no-untyped-def]
        parsed.extend(" ".join(words) for words in sentences)
        return whole(self, sentences, *rest)

    monkeypatch.setattr(StanfordParser, "parse_each", counting)
    first = scores("spice", cache=tmp_path)
    assert len(parsed) == 4
    assert scores("spice", cache=tmp_path) == first and len(parsed) == 4
    other = {**CANDIDATES, 2: "a dog"}
    evaluate(other, REFERENCES, metrics="spice", cache=tmp_path)
    assert parsed[4:] == ["a dog"]
    assert scores("spice", cache=tmp_path, keep_graphs=False) == first and len(parsed) == 9


def test_graphs_of_other_rules_are_not_taken(grammar: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    captions = [("a", "dog")]
    expected = caption_propositions(captions, 1, "stanford", tmp_path)
    monkeypatch.setattr(caption_graphs, "_rules_hash", lambda: "others")
    monkeypatch.setattr(caption_graphs, "propositions", lambda graph: [("cat",)])
    assert caption_propositions(captions, 1, "stanford", tmp_path) == [[("cat",)]] != expected


def test_a_folder_that_cannot_be_written_is_a_note(grammar: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = evaluate(CANDIDATES, REFERENCES, metrics="spice", cache=tmp_path / "file")
    assert any("graphs could not be kept" in note for note in result.notes)
    assert result["spice"].captions.tolist() == scores("spice")


def test_the_original_tokenises_captions_once_more(grammar: None) -> None:
    # "etc." at the end of a text is an abbreviation and a full stop.
    assert [list(words) for words in caption_graphs.TREE_PARSERS["stanford"].split("chairs etc.".split())] == [
        ["chairs", "etc.", "."]
    ]
    assert list(caption_graphs.TREE_PARSERS["stanford"].split(["A", "Dog"])) == [["A", "Dog"]]


@pytest.mark.parametrize(
    ("parser", "phrase"),
    [("stanford", "(NP (DT a) (JJ young) (NN girl))"), ("vericap", "young/JJ girl/NN")],
)
def test_an_explanation_says_on_which_phrase_a_tuple_stands(grammar: None, parser: str, phrase: str) -> None:
    (why,) = explain(CANDIDATES, REFERENCES, image_id=1, metrics=f"spice(parser={parser})")
    assert why.values["parser"] == Graphs(parser).signed
    assert f"girl – young: {phrase}" in [part.text for part in why.sections["on this parse"]]
