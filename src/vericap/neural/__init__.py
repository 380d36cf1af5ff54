"""What needs torch, under the extra `neural`."""
