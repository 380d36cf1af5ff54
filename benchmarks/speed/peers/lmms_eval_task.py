"""lmms-eval's caption task coco_cap, its file unchanged, on captions with references: scores and seconds by metric.

Usage: lmms_eval_task.py CHECKOUT INPUT [install]

CHECKOUT is a checkout of lmms-eval, INPUT a JSON file with `ids`, `cands` and `refs`. With `install` the task gets
Vericap's modules, else pycocoevalcap. The Python that runs it needs what the task file imports: requests,
loguru, Pillow.
"""

import importlib.util
import json
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

checkout, given = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
if "install" in sys.argv[3:]:
    from vericap.compat.pycocoevalcap import install

    install(pycocotools=True)
start = time.perf_counter()
sys.path.insert(0, str(checkout))
spec = importlib.util.spec_from_file_location("utils", checkout / "lmms_eval/tasks/coco_cap/utils.py")
task = importlib.util.module_from_spec(spec)
spec.loader.exec_module(task)
rows = [
    task.coco_process_result({"question_id": f"COCO_val2014_{int(i):012d}.jpg", "id": i, "answer": wanted}, [caption])
    for i, caption, wanted in zip(given["ids"], given["cands"], given["refs"], strict=True)
]
found = {}
with tempfile.TemporaryDirectory() as folder:
    for metric in task.COCO_METRICS:
        aggregate = getattr(task, f"coco_{metric.lower().replace('_', '')}")
        before = time.perf_counter()
        score = float(aggregate([row[f"coco_{metric}"] for row in rows], SimpleNamespace(output_path=folder)))
        found[metric] = {"score": score, "seconds": time.perf_counter() - before}
json.dump({"metrics": found, "seconds": time.perf_counter() - start}, sys.stdout, indent=1)
