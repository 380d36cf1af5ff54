"""Detectors whose weights are files of the user: ONNX here, what needs torch in `vericap.neural.detectors`."""
