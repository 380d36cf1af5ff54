"""Changes valid files and reads them: `python -m tests.fuzz.fuzzer --examples 200 --seed 1 [--only captions]`.

The rule: an InputError that names the file, or a result; never another exception, never more than 5 seconds of the
processor or 1 GB of memory for a file under 1 MB. What breaks it is printed as `target seed`, by which the same file is
made again: `--target "regions npz" --example 17`.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from random import Random
from types import FrameType

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import Target, targets
from vericap.errors import InputError

SECONDS, BYTES = 5, 1 << 30


class TooLongError(BaseException):
    """The processor's time is over; not an Exception, so that no reader takes it for a damaged file."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError


def broken_by(name: str, target: Target, example: int, whole: Path) -> str | None:
    """What is wrong with how a changed file is read; None where nothing is."""
    random = Random(f"{name} {example}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, target.name)
        if whole.is_dir():
            shutil.copytree(whole, path)
            changed = random.choice(sorted(each for each in path.rglob("*") if each.is_file()))
        else:
            shutil.copytree(whole.parent, folder, dirs_exist_ok=True)
            changed = path
        changed.write_bytes(mutated(changed.read_bytes(), random))
        before = _memory()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            target.read(path)
        except InputError as error:
            if folder not in str(error) and target.name not in str(error):
                return f"the error does not name the file: {error}"
            if "\n" in str(error):
                return f"the error has several lines: {error!r}"
        except TooLongError:
            return f"more than {SECONDS} seconds: {traceback.format_exc(limit=-3)}"
        except Exception:
            return traceback.format_exc(limit=-4)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return f"{_memory() - before:,} bytes of memory" if _memory() - before > BYTES else None


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run(examples: range, only: str = "") -> list[str]:
    """What breaks the rule, for each target in turn."""
    signal.signal(signal.SIGPROF, _stop)
    warnings.simplefilter("ignore")
    found = []
    with tempfile.TemporaryDirectory() as made:
        for number, (name, target) in enumerate(targets().items()):
            if only not in name:
                continue
            place = Path(made, str(number))
            place.mkdir()
            target.write(place / target.name)
            for example in examples:
                problem = broken_by(name, target, example, place / target.name)
                if problem is not None:
                    found.append(f"--target {name!r} --example {example}\n{problem}")
                    print(found[-1], flush=True)  # noqa: T201
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100, help="changed files for each reader")
    parser.add_argument("--seed", type=int, default=0, help="number of the first changed file")
    parser.add_argument("--only", default="", help="readers whose name holds this")
    parser.add_argument("--target", help="one reader")
    parser.add_argument("--example", type=int, help="one changed file")
    given = parser.parse_args()
    first = given.seed if given.example is None else given.example
    last = first + (given.examples if given.example is None else 1)
    # Beyond this, the machine and not the reader would be tried.
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))
    sys.exit(1 if run(range(first, last), given.target or given.only) else 0)


if __name__ == "__main__":
    main()
