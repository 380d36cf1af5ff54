"""Every benchmark is read as it is published, and a folder that is not so is an error with a way out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.judging import benchmark_folders as folders
from vericap.errors import InputError
from vericap.judging import NAMES, benchmark, load
from vericap.judging.judgements import Choices, Ratings, Systems

MAKERS = {
    "flickr8k-expert": folders.flickr8k,
    "flickr8k-cf": folders.flickr8k,
    "composite": folders.composite,
    "pascal-50s": folders.pascal,
    "abstract-50s": folders.abstract,
    "elliott-keller": folders.elliott_keller,
    "coco-2015": folders.coco_2015,
    "thumb": folders.thumb,
    "nebula": folders.nebula,
    "polaris": folders.nebula,
    "hm-pairs": folders.hm_pairs,
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_folder_itself_or_one_that_holds_it_by_its_usual_name(name, tmp_path):
    folder = MAKERS[name](tmp_path / benchmark(name).folders[0])
    inside, _ = load(name, folder)
    outside, _ = load(name, tmp_path)
    assert inside.judgements == outside.judgements > 0


def test_expert_leaves_out_a_pictures_own_captions(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    judged, protocol = load("flickr8k-expert", folder)
    assert isinstance(judged, Ratings)
    assert (len(judged), judged.human.shape, protocol.judges) == (6, (6, 3), "apart")
    assert len(load("flickr8k-expert", folder, "own-kept")[0]) == 9


def test_cf_has_three_ways_with_its_own_caption(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    sizes = {}
    for protocol in ("without-caption-2", "own-removed", "own-kept"):
        judged, _ = load("flickr8k-cf", folder, protocol)
        sizes[protocol] = [len(references) for references in judged.references]
    assert sizes["without-caption-2"] == [4] * 9
    assert sizes["own-removed"] == [4, 5, 5, 5, 4, 5, 5, 5, 4]
    assert sizes["own-kept"] == [5] * 9


def test_composite_has_three_ways_with_the_human_caption(tmp_path):
    folder = folders.composite(tmp_path / "f")
    sizes = {
        name: [len(r) for r in load("composite", folder, name)[0].references]
        for name in ("human-removed", "own-removed", "own-kept")
    }
    assert sizes["human-removed"] == [4] * 6
    # "A-dog runs ." has not the tokens of "A dog runs .", so that one stays.
    assert sizes["own-removed"] == [4, 5, 5, 5, 5, 5]
    assert sizes["own-kept"] == [5] * 6


def test_composites_subsets_and_machine_captions(tmp_path):
    folder = folders.composite(tmp_path / "f")
    coco, _ = load("composite", folder, subset="coco")
    assert (list(coco.image_ids), coco.human.ravel().tolist()) == ([42, 42, 42], [5, 3, 1])
    machines, _ = load("composite", folder, "vifidel")
    assert list(machines.candidates) == ["a dog", "the scene contains grass"]
    with pytest.raises(InputError, match="it has coco, flickr8k, flickr30k"):
        load("composite", folder, subset="vizwiz")


def test_pascals_two_labels_and_its_pairs(tmp_path):
    folder = folders.pascal(tmp_path / "f")
    judged, _ = load("pascal-50s", folder)
    assert isinstance(judged, Choices)
    assert (judged.preferred.tolist(), list(judged.groups)) == ([1, -1], ["HI", "MM"])
    assert load("pascal-50s", folder, "votes11")[0].preferred.tolist() == [1, 1]
    with pytest.raises(InputError, match="consensus48, votes11"):
        load("pascal-50s", folder, label="mine")


def test_abstract_counts_the_votes_or_the_distinct_ones(tmp_path):
    folder = folders.abstract(tmp_path / "f")
    judged, _ = load("abstract-50s", folder)
    assert (judged.preferred.tolist(), [len(r) for r in judged.references]) == ([1, 1], [3, 3])
    distinct, _ = load("abstract-50s", folder, "cider-r")
    assert (distinct.preferred.tolist(), [len(r) for r in distinct.references]) == ([0, 1], [2, 3])


def test_elliott_and_keller_keep_all_pairs_and_three_judges(tmp_path):
    judged, protocol = load("elliott-keller", folders.elliott_keller(tmp_path / "f"))
    assert (judged.human.shape, protocol.tokenizer, protocol.tokenizers["rouge-su4"]) == ((3, 3), "whitespace", "rouge")


def test_systems_have_scores_and_no_captions(tmp_path):
    judged, _ = load("coco-2015", folders.coco_2015(tmp_path / "f"))
    assert isinstance(judged, Systems)
    assert (list(judged.scores), list(judged.human)) == (
        ["spice", "meteor", "cider-d", "bleu-4"],
        ["M1", "M2", "M3", "M4", "M5"],
    )


def test_thumb_with_and_without_people_and_by_aspect(tmp_path):
    folder = folders.thumb(tmp_path / "f")
    judged, _ = load("thumb", folder)
    assert judged.human.ravel().tolist() == [4, 3.5, 4, 2]
    assert list(load("thumb", folder, "systems-only")[0].candidates) == ["a dog", "dogs"]
    assert load("thumb", folder, label="P")[0].human.ravel().tolist() == [5, 4, 5, 1]


def test_nebula_from_a_folder_or_the_file(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    assert load("polaris", folder / "nebula_test.json")[0].human.ravel().tolist() == [1, 0.25, 0.75]
    (folder / "second.json").write_text("[]")
    with pytest.raises(InputError, match="2 JSON files"):
        load("nebula", folder)


def test_hm_pairs_take_each_reference_in_turn(tmp_path):
    judged, _ = load("hm-pairs", folders.hm_pairs(tmp_path / "f"))
    assert (len(judged.preferred), {len(r) for r in judged.references}) == (10, {4})
    assert all(judged.candidates[2 * i] not in judged.references[i] for i in range(10))
    from_composite, _ = load("hm-pairs", folders.composite(tmp_path / "c"), subset="coco")
    assert from_composite.candidates == ["a dog runs.", "a dog", "a dog runs.", "the scene contains grass"]


def test_tables_of_ones_own_need_no_code(tmp_path):
    table = tmp_path / "mine.csv"
    table.write_text(
        "image_id,caption,references,score_1,score_2\n1,a dog,the dog | one dog,3,4\n2,a cat,the cat,1,2\n"
    )
    judged, _ = load("ratings", table)
    assert (judged.references, judged.human.tolist()) == ([["the dog", "one dog"], ["the cat"]], [[3, 4], [1, 2]])
    lines = [
        {"a": "a dog", "b": "a cat", "references": ["dogs"], "preferred": "a", "group": "animals"},
        {"a": "a dog", "b": "a cat", "references": ["cats"], "preferred": "b", "group": "animals"},
        {"a": "a dog", "b": "a cat", "references": ["pets"], "preferred": "tie", "group": "pets"},
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, lines)))
    choices, _ = load("pairs", tmp_path / "pairs.jsonl")
    assert (choices.preferred.tolist(), choices.judgements) == ([1, -1, 0], 2)


@pytest.mark.parametrize(
    "rows, field",
    [
        ([{"caption": "a dog", "references": ["dog"], "score": "high"}], "score"),
        ([{"caption": "a dog", "references": ["dog"], "score": None}], "score"),
        ([{"caption": "a dog", "references": ["dog"], "score": True}], "score"),
        ([{"caption": 5, "references": ["dog"], "score": 1}], "caption"),
        ([{"caption": "a dog", "references": [5], "score": 1}], "references"),
        ([{"references": ["dog"], "score": 1}], "caption"),
    ],
)
def test_a_row_that_is_wrong_is_named(rows, field, tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps(rows))
    with pytest.raises(InputError) as error:
        load("ratings", tmp_path / "mine.json")
    assert error.value.field == field and "mine.json" in str(error.value)


NEEDED = {
    "flickr8k-expert": ["Flickr8k.token.txt", "ExpertAnnotations.txt"],
    "flickr8k-cf": ["Flickr8k.token.txt", "CrowdFlowerAnnotations.txt"],
    "composite": ["composite_joined.json"],
    "pascal-50s": ["pascal50s_pairs_joined.json", "pascal50s_refs_by_image.json"],
    "abstract-50s": ["consensus_abstract.mat", "abstract_candsB.json"],
    "elliott-keller": ["candidates", "judgements", "ref-0", "ref-4"],
    "coco-2015": ["spice_table1_16systems_DERIVED.json"],
    "thumb": ["mscoco_THumB-1.0.jsonl", "mscoco_references.json"],
}


@pytest.mark.parametrize("name, file", [(name, file) for name, files in NEEDED.items() for file in files])
def test_a_file_that_is_missing_is_named_with_where_it_comes_from(name, file, tmp_path):
    folder = MAKERS[name](tmp_path / "f")
    (folder / file).unlink()
    with pytest.raises(InputError) as error:
        load(name, folder)
    # Where another file of the folder has almost its name (ref-4, ref-3), the error asks whether that is it.
    assert f"{file} is missing" in str(error.value)
    assert benchmark(name).source in str(error.value) or "rename" in str(error.value)


def test_a_file_under_another_name_is_recognised(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    (folder / "ExpertAnnotations.txt").rename(folder / "expertannotations.txt")
    with pytest.raises(InputError, match=r"rename expertannotations\.txt"):
        load("flickr8k-expert", folder)


@pytest.mark.parametrize("name", ["flickr8k-expert", "composite", "nebula", "pascal-50s"])
def test_a_folder_that_is_not_there_says_where_to_get_it(name, tmp_path):
    with pytest.raises(InputError) as error:
        load(name, tmp_path / "nowhere")
    assert benchmark(name).source in str(error.value)


def test_another_encoding_is_named(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    text = (folder / "Flickr8k.token.txt").read_text("utf-8").replace("A cat sits .", "A café .")
    (folder / "Flickr8k.token.txt").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"Flickr8k\.token\.txt.*in line 6, is 0xe9.*save it as UTF-8"):
        load("flickr8k-expert", folder)


def test_broken_content_names_file_and_row(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    lines = (folder / "ExpertAnnotations.txt").read_text().splitlines()
    (folder / "ExpertAnnotations.txt").write_text("\n".join([lines[0], lines[1].replace("\t1\t", "\tx\t", 1)]))
    with pytest.raises(InputError, match=r"ExpertAnnotations\.txt, row 2"):
        load("flickr8k-expert", folder)
    (folder / "ExpertAnnotations.txt").write_text(f"{lines[0]}\nbird.jpg\tdog.jpg#2\t1\t1\t1\n")
    with pytest.raises(InputError, match=r"row 2: there is no caption bird\.jpg#0"):
        load("flickr8k-expert", folder)
    (tmp_path / "truncated.json").write_text('[{"imgid": 1')
    with pytest.raises(InputError, match=r"truncated\.json, row 1: the JSON is truncated"):
        load("nebula", tmp_path / "truncated.json")


def test_every_benchmark_says_all_about_itself():
    for name in NAMES:
        about = benchmark(name)
        assert all((about.what, about.size, about.licence, about.source, about.citation, about.protocols)), name
        assert len({protocol.name for protocol in about.protocols}) == len(about.protocols)


def test_images_that_are_shown_twice_are_one_cluster(tmp_path):
    judged, _ = load("nebula", folders.nebula(tmp_path / "f"))
    assert judged.clusters().tolist() == [0, 0, 1]
    kept = judged.keep(np.array([True, False, True]))
    assert (kept.human.ravel().tolist(), list(kept.image_ids)) == ([1, 0.75], ["dog.jpg", "cat.jpg"])


def test_thumbs_references_are_found_by_the_authors_name_and_by_the_ending_they_should_have(tmp_path):
    folder = folders.thumb(tmp_path / "thumb")
    published = load("thumb", folder)[0]
    (folder / "mscoco_references.json").rename(folder / "mscoco_references.jsonl")
    by_ending = load("thumb", folder)[0]
    assert list(published.references) == list(by_ending.references) and len(published.references) == 4


@pytest.mark.parametrize("place", ["-1", "1.5", "1e0", "", "\u0661"])
def test_the_number_of_a_flickr_caption_is_a_whole_number(place, tmp_path):
    folder = folders.flickr8k(tmp_path / "flickr8k")
    path = folder / "ExpertAnnotations.txt"
    path.write_text(path.read_text("utf-8").replace("cat.jpg#2", f"cat.jpg#{place}", 1), "utf-8")
    with pytest.raises(InputError, match=r"ExpertAnnotations.txt, row \d+: .*the number of its caption"):
        load("flickr8k-expert", folder)
