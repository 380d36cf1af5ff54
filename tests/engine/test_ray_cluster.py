"""A real Ray cluster on this machine, with a worker killed in mid-run. It runs in a process of its own: Ray starts
threads, opens files and warns, all of which it leaves behind."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.streaming.demo_rows import demo_rows, write_lines
from vericap.engine import Engine, run_in_order
from vericap.errors import InputError

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'vericap[ray]'")

# Scores a file on two workers of Ray and, after the first batches, kills a worker that is at work.
KILLED = """
import json, os, signal, sys
from pathlib import Path

import ray
import vericap
from vericap.engine import ray_cluster
from vericap.engine import Engine
from vericap.engine.local import WorkerDied
from vericap.engine.ray_cluster import run_on_ray
from vericap.errors import InputError

def parent_of(process):
    return int(Path(f"/proc/{process}/stat").read_text("latin-1").rpartition(")")[2].split()[1])

def descends(process):
    while process > 1:
        process = parent_of(process)
        if process == os.getpid():
            return True
    return False

def workers():
    # Processes of the cluster that this one started, at work on a task of ours.
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(b"ray::_do"):
                if descends(int(entry.name)):
                    found.append(int(entry.name))
        except OSError:
            pass
    return found

def scored(path, kill):
    stream = vericap.stream(path, metrics="bleu-4,cider-d", batch_size=10, engine=Engine("ray", 2))
    lines, killed = [], 0
    for batch in stream:
        lines += batch.to_pylist()
        if kill and not killed:
            for worker in workers()[:1]:
                os.kill(worker, signal.SIGKILL)
                killed = worker
    return {"rows": lines, "scores": stream.result.scores, "killed": killed}

def fail(n):
    raise InputError("the caption is null", source="a.jsonl", row=n)

def die(n):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    with Engine("ray", 2).session():
        found = {"killed": scored(sys.argv[1], kill=True), "usage": os.environ["RAY_USAGE_STATS_ENABLED"]}
        try:
            list(run_on_ray(fail, [3], 1))
        except InputError as error:
            found["error"] = str(error)
        ray_cluster.RETRIES = 0
        try:
            list(run_on_ray(die, [3], 1))
        except WorkerDied as error:
            found["died"] = str(error)
    found["left"] = ray.is_initialized()
    print(json.dumps(found))
"""


@pytest.mark.ray
@needs_ray
def test_a_stream_on_ray_is_the_same_when_a_worker_is_killed(tmp_path):
    import vericap

    path = write_lines(tmp_path / "a.jsonl", demo_rows(400))
    script = tmp_path / "killed.py"
    script.write_text(KILLED, "utf-8")
    done = subprocess.run([sys.executable, script, path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    here = vericap.stream(path, metrics="bleu-4,cider-d", batch_size=10)
    assert found["killed"]["killed"]
    assert found["killed"]["rows"] == [row for batch in here for row in batch.to_pylist()]
    assert found["killed"]["scores"] == here.result.scores
    assert found["usage"] == "0" and found["left"] is False
    assert found["error"] == "a.jsonl, row 3: the caption is null"
    assert "Ray gave up on a task" in found["died"] and "start the stream again" in found["died"]


def test_where_ray_is_not_installed_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"Ray is not installed; pip install 'vericap\[ray\]'"):
        list(run_in_order(str, [1], Engine("ray")))
