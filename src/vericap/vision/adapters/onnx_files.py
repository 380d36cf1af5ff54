"""ONNX files in onnxruntime: opened with errors that name the file, and asked about their inputs and outputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.vision.loading import needs_vision

_TYPES: dict[str, Any] = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}


@dataclass(frozen=True, eq=False)
class OnnxFile:
    """A network that takes one picture: the session, its first input, and what the file says about itself."""

    path: str
    session: Any
    input: str
    shape: tuple[int | None, ...]
    type: Any
    metadata: dict[str, str]

    def run(self, picture: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The outputs by name."""
        names = [each.name for each in self.session.get_outputs()]
        try:
            found = self.session.run(names, {self.input: np.ascontiguousarray(picture, dtype=self.type)})
        except Exception as error:  # whatever the graph does with a picture that it was not made for
            said = str(error).splitlines()[0]
            raise InputError(
                f"the network cannot take a picture of shape {list(picture.shape)} ({said})",
                source=self.path,
                field="detector",
                fix="check that the file is a detector, and its size and layout",
            ) from None
        return dict(zip(names, found, strict=True))


def open_onnx(path: str, threads: int = 0) -> OnnxFile:
    """The network in a file; `threads` 0 means as many as onnxruntime likes."""
    try:
        import onnxruntime
    except ImportError:
        raise needs_vision("to run an ONNX file") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        # No folder, so that no weights beside the file are found: signatures and the cache know the file alone.
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", path)
        session = onnxruntime.InferenceSession(Path(path).read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"this is not an ONNX file that onnxruntime can run ({said})",
            source=path,
            field="detector",
            fix="export it again, with all weights inside the file",
        ) from None
    given = session.get_inputs()
    if not given or given[0].type not in _TYPES or len(given[0].shape) != 4:
        kinds = ", ".join(f"{each.name} {each.type} {each.shape}" for each in given)
        problem = f"the network's first input is not a picture; it has {kinds or 'no input'}"
        raise InputError(problem, source=path, field="detector", fix="export it with one input [1, 3, height, width]")
    shape = tuple(length if isinstance(length, int) else None for length in given[0].shape)
    about = dict(session.get_modelmeta().custom_metadata_map)
    return OnnxFile(path, session, given[0].name, shape, _TYPES[given[0].type], about)
