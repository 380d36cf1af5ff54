"""Detectors whose weights are files of the user, run by onnxruntime, torchvision or transformers."""
