"""The shapes in which data sets and evaluation tools publish captions → plain records.

Data sets: Karpathy's splits of COCO, Flickr8k and Flickr30k, MSR-VTT and what is written in its shape (MSVD, VATEX),
TextCaps, rows of Hugging Face's viewer; VizWiz is in COCO's shape. Tools: the logged
samples of lmms-eval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vericap.errors import InputError
from vericap.readers.fields import SPLIT_FIELDS
from vericap.readers.messages import count

PUBLISHED = frozenset(["images", "sentences", "data", "rows"])  # keys of documents in these shapes


def records_of(value: Mapping[Any, Any], source: str) -> list[Any] | None:
    """Return the records of a document in one of the published shapes; None for another shape.

    >>> records_of({"videos": [{"video_id": "v1", "split": "test"}],
    ...             "sentences": [{"video_id": "v1", "caption": "a dog"}]}, "videodatainfo.json")
    [{'image_id': 'v1', 'caption': 'a dog', 'split': 'test'}]
    """
    found = (shape(value, source) for shape in (_karpathy, _videos, _rows))
    return next((records for records in found if records is not None), None)


def _is_list_of(records: Any, *names: str) -> bool:
    """Return whether it is a list whose first record has these fields."""
    if not isinstance(records, list) or not records or not isinstance(records[0], Mapping):
        return False
    return all(name in records[0] for name in names)


def _karpathy(value: Mapping[Any, Any], source: str) -> list[Any] | None:
    """Karpathy's dataset_*.json: images that hold their own sentences."""
    images = value.get("images")
    if not _is_list_of(images, "sentences") or not isinstance(images, list):
        return None
    records = []
    for row, image in enumerate(images, 1):
        try:
            name = image["cocoid"] if "cocoid" in image else image["filename"]
            records.append({**image, "image_id": name, "references": [each["raw"] for each in image["sentences"]]})
        except (KeyError, TypeError):
            raise InputError(
                'the image has no "filename" or no "sentences" with "raw"',
                source=source,
                row=row,
                fix="add them, as dataset_coco.json has them",
            ) from None
        del records[-1]["sentences"]
    return records


def _videos(value: Mapping[Any, Any], source: str) -> list[Any] | None:
    """MSR-VTT: videos with their splits, and sentences that name their video."""
    sentences = value.get("sentences")
    if not _is_list_of(sentences, "video_id", "caption") or not isinstance(sentences, list):
        return None
    videos = value.get("videos")
    splits = {}
    for video in videos if isinstance(videos, list) else []:
        if isinstance(video, Mapping) and isinstance(video.get("video_id"), (int, str)):
            splits[video["video_id"]] = video.get("split")
    records = []
    for row, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, Mapping) or not isinstance(sentence.get("video_id"), (int, str)):
            fix = "give every sentence a video_id and a caption"
            raise InputError("the sentence names no video", source=source, row=row, field="video_id", fix=fix)
        record = {"image_id": sentence["video_id"], "caption": sentence.get("caption")}
        if splits:
            record[SPLIT_FIELDS[0]] = splits.get(sentence["video_id"])
        records.append(record)
    return records


def _rows(value: Mapping[Any, Any], source: str) -> list[Any] | None:
    """TextCaps' {"data": [{"image_id", "reference_strs"}]}, and {"rows": [{"row": …}]} of Hugging Face's viewer."""
    data = value.get("data")
    if _is_list_of(data) and not _is_list_of(value.get("annotations")) and isinstance(data, list):
        return data
    rows = value.get("rows")
    if _is_list_of(rows, "row") and isinstance(rows, list):
        return [each.get("row") if isinstance(each, Mapping) else each for each in rows]
    return None


def plain_record(record: Any) -> Any:
    """Return a record of a tool or a data set with the usual names of fields; any other as it is.

    >>> plain_record({"doc_id": 3, "doc": {"question_id": "COCO_val2014_000000000042.jpg"}, "target": ["a dog"],
    ...               "resps": [["dog"]], "filtered_resps": ["dog"]})
    {'image_id': 'COCO_val2014_000000000042.jpg', 'prediction': 'dog', 'references': ['a dog']}
    """
    if not isinstance(record, Mapping):
        return record
    if "doc_id" in record and ("filtered_resps" in record or "resps" in record):
        return _logged_sample(record)
    if "row" in record and set(record) <= {"row_idx", "row", "truncated_cells"}:
        return record["row"]
    return record


_NAMES_OF_IMAGE = ("image_id", "question_id", "filename", "file_name", "img_id", "image_name", "video_id", "video_name")


def _logged_sample(record: Mapping[Any, Any]) -> dict[str, Any]:
    """A logged sample of lmms-eval: what the model answered, what was expected, and the document it saw."""
    given = record.get("filtered_resps", record.get("resps"))
    while isinstance(given, list) and len(given) == 1:
        given = given[0]
    doc = record.get("doc")
    told = [doc] if isinstance(doc, Mapping) else []
    # A metric's entry repeats what it was computed from: {"coco_CIDEr": {"image_id", "pred", "answer"}}.
    told += [each for each in record.values() if isinstance(each, Mapping) and "pred" in each]
    image = next((each[name] for each in reversed(told) for name in _NAMES_OF_IMAGE if name in each), record["doc_id"])
    expected = next((each["answer"] for each in told if isinstance(each.get("answer"), list)), record.get("target"))
    sample = {"image_id": image, "prediction": given}
    return sample if expected is None else {**sample, "references": expected}


def without_rejected(annotations: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    """Return VizWiz's annotations without those that its evaluation leaves out: rejected and precanned ones.

    >>> without_rejected([{"caption": "a", "is_rejected": True}, {"caption": "b", "is_precanned": False}])
    ([{'caption': 'b', 'is_precanned': False}], ('1 caption that VizWiz rejects or calls precanned left out',))
    """
    kept = [
        each
        for each in annotations
        if not isinstance(each, Mapping) or not (each.get("is_rejected") or each.get("is_precanned"))
    ]
    left_out = len(annotations) - len(kept)
    if not left_out:
        return annotations, ()
    return kept, (f"{count(left_out, 'caption')} that VizWiz rejects or calls precanned left out",)
