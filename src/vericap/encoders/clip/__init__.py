"""CLIP (Radford et al. 2021) from weights on disk: one small network that checkpoints of Hugging Face, OpenCLIP, OpenAI
and PAC-S are read into."""
