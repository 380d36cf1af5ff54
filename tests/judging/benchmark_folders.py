"""Small folders in the published formats of the benchmarks, for tests to read and to break."""

from __future__ import annotations

import json
from pathlib import Path

CAPTIONS = {
    "dog.jpg": [
        "A dog runs .",
        "A brown dog runs on grass .",
        "The dog is running",
        "Dog in a field",
        "A running dog .",
    ],
    "cat.jpg": ["A cat sits .", "A grey cat sits on a mat .", "The cat is sitting", "Cat on a mat", "A sitting cat ."],
    "man.jpg": ["A man walks .", "A man walks in a park .", "The man is walking", "Man in a park", "A walking man ."],
}


def flickr8k(folder: Path) -> Path:
    """Every caption #2 with every picture: rated 4 with its own and 1 with another, one judge a point higher."""
    folder.mkdir()
    lines = [f"{image}#{k}\t{text}" for image, texts in CAPTIONS.items() for k, text in enumerate(texts)]
    (folder / "Flickr8k.token.txt").write_text("\n".join(lines) + "\n", "utf-8")
    expert, crowd = [], []
    for image in CAPTIONS:
        for other in CAPTIONS:
            good = image == other
            expert.append("\t".join([image, f"{other}#2", *("444" if good else "112")]))
            crowd.append("\t".join([image, f"{other}#2", *("130" if good else "003")]))
    (folder / "ExpertAnnotations.txt").write_text("\n".join(expert) + "\n", "utf-8")
    (folder / "CrowdFlowerAnnotations.txt").write_text("\n".join(crowd) + "\n", "utf-8")
    return folder


def composite(folder: Path) -> Path:
    folder.mkdir()
    rows = []
    for dataset, image, name in [("coco", "42", "dog.jpg"), ("flickr8k", "cat", "cat.jpg")]:
        references = CAPTIONS[name]
        # The human candidate is the first reference, written otherwise; its dash makes it another token.
        human = references[0].lower().replace(" .", ".") if dataset == "coco" else references[0].replace(" ", "-", 1)
        for index, caption in enumerate([human, "a dog", "the scene contains grass"]):
            rows.append(
                {
                    "dataset": dataset,
                    "image_id": image,
                    "cand_index": index,
                    "caption": caption,
                    "correctness": 5 - 2 * index,
                    "references": references,
                }
            )
    (folder / "composite_joined.json").write_text(json.dumps(rows), "utf-8")
    return folder


def pascal(folder: Path) -> Path:
    folder.mkdir()
    pairs = [
        {"image": "dog.jpg", "a": "a dog runs", "b": "a cat", "category": "HI", "label": 0, "result_votes11": [1] * 11},
        {
            "image": "cat.jpg",
            "a": "dogs",
            "b": "a cat sits",
            "category": "MM",
            "label": 1,
            "result_votes11": [1, 1, -1],
        },
    ]
    (folder / "pascal50s_pairs_joined.json").write_text(json.dumps(pairs), "utf-8")
    (folder / "pascal50s_refs_by_image.json").write_text(json.dumps(CAPTIONS), "utf-8")
    return folder


def abstract(folder: Path) -> Path:
    """Two pairs with three votes each; the first repeats a vote."""
    import numpy as np
    from scipy.io import savemat

    folder.mkdir()
    votes = [
        ("a dog runs", "the dog", "a cat", 1),
        ("a dog runs", "the dog", "a cat", 1),
        ("a cat runs", "the dog", "a cat", -1),
        ("a man", "the man", "a bird", 1),
        ("a tall man", "the man", "a bird", 1),
        ("birds", "the man", "a bird", -1),
    ]
    table = np.zeros((1, len(votes)), dtype=[(name, object) for name in ("A", "B", "C", "rating")])
    for k, (*texts, vote) in enumerate(votes):
        cells = [np.array([[text]], dtype=object) for text in texts]
        table[0, k] = (*cells, np.array([[vote]]))
    savemat(folder / "consensus_abstract.mat", {"triplets": table})
    (folder / "abstract_candsB.json").write_text(
        json.dumps([{"image_id": "scene1.png", "caption": "a cat"}, {"image_id": "scene2.png", "caption": "a bird"}])
    )
    return folder


def elliott_keller(folder: Path) -> Path:
    folder.mkdir()
    (folder / "candidates").write_text("A dog runs\nA cat\nA man\n\n", "utf-8")
    for k in range(5):
        texts = [CAPTIONS[name][k] for name in ("dog.jpg", "dog.jpg", "man.jpg")]
        (folder / f"ref-{k}").write_text("\n".join(texts) + "\n", "utf-8")
    (folder / "judgements").write_text(
        '"id","j1","j2","j3","imageid","textid","refid"\n'
        '"0","4","4","3","dog.jpg","dog.jpg#2","dog.jpg#0"\n'
        '"1","1","1","1","dog.jpg","cat.jpg#2","dog.jpg#1"\n'
        '"2","3","4","4","man.jpg","man.jpg#2","man.jpg#2"\n',
        "utf-8",
    )
    return folder


def coco_2015(folder: Path) -> Path:
    folder.mkdir()
    systems = {
        name: {f"M{q}": value + q for q in range(1, 6)}
        | {"SPICE": value, "METEOR": -value, "CIDEr": value**2, "Bleu_4": 1 - value}
        for name, value in [("Human", 0.9), ("A", 0.5), ("B", 0.3), ("C", 0.35)]
    }
    (folder / "spice_table1_16systems_DERIVED.json").write_text(json.dumps(systems), "utf-8")
    return folder


def thumb(folder: Path) -> Path:
    folder.mkdir()
    judged = [
        {
            "SYS": system,
            "seg_id": k,
            "hyp": hyp,
            "image": f"{k}.jpg",
            "P": p,
            "R": 3,
            "Fl": 0,
            "Inc": 0,
            "Con": 0,
            "human_score": (p + 3) / 2,
        }
        for system, k, hyp, p in [
            ("Human", 0, "a dog runs", 5),
            ("Up-Down", 0, "a dog", 4),
            ("Human", 1, "a cat sits", 5),
            ("Up-Down", 1, "dogs", 1),
        ]
    ]
    lines = "\n".join(map(json.dumps, judged))
    (folder / "mscoco_THumB-1.0.jsonl").write_text(lines + "\n", "utf-8")
    references = [{"seg_id": 0, "refs": CAPTIONS["dog.jpg"][:4]}, {"seg_id": 1, "refs": CAPTIONS["cat.jpg"][:4]}]
    (folder / "mscoco_references.json").write_text("\n".join(map(json.dumps, references)), "utf-8")
    return folder


def nebula(folder: Path) -> Path:
    folder.mkdir()
    rows = [
        {"imgid": "dog.jpg", "mt": "a dog runs", "refs": CAPTIONS["dog.jpg"], "score": 1.0},
        {"imgid": "dog.jpg", "mt": "a cat", "refs": CAPTIONS["dog.jpg"], "score": 0.25},
        {"imgid": "cat.jpg", "mt": "a cat and a dog", "refs": CAPTIONS["cat.jpg"], "score": 0.75},
    ]
    (folder / "nebula_test.json").write_text(json.dumps(rows), "utf-8")
    return folder


def hm_pairs(folder: Path) -> Path:
    folder.mkdir()
    annotations = [
        {"image_id": k, "caption": text} for k, name in enumerate(("dog.jpg", "cat.jpg")) for text in CAPTIONS[name]
    ]
    (folder / "captions_val.json").write_text(json.dumps({"annotations": annotations}), "utf-8")
    results = [{"image_id": 0, "caption": "a dog"}, {"image_id": 1, "caption": "a dog dog"}]
    (folder / "results.json").write_text(json.dumps(results), "utf-8")
    return folder
