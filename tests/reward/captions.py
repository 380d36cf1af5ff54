"""A few images with references, and samples of them, as several tests of rewards use them."""

from __future__ import annotations

REFERENCES = {
    7: ["a brown dog runs on the grass", "the dog is running outside", "a dog runs"],
    3: ["two people ride bikes down a street", "people on bicycles in the city street", "a man and a woman cycling"],
    5: ["a red bus stops at the corner", "the bus is red"],
    9: ["a cat sits on a red chair", "a cat on the chair", "the red chair has a cat on it"],
}
SAMPLES = [
    "a dog runs on grass",
    "the the the the dog dog",
    "two people riding bikes on a street",
    "a red bus",
    "",
    "a zeppelin on a zeppelin",
    "a cat sits on a red chair",
]
IMAGES = [7, 7, 3, 5, 5, 9, 9]
