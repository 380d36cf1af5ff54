"""Counters as Prometheus reads them."""

from vericap.serve.counters import BUCKETS, Counters, resident_bytes


def values(counters):
    lines = [line.rsplit(" ", 1) for line in counters.text().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_a_histogram_counts_all_requests_up_to_each_bound():
    counters = Counters()
    for seconds in (0.001, 0.03, 0.03, 99.0):
        counters.add("/score", 200, seconds, captions=10)
    counters.add("/health", 200, 5.0)
    found = values(counters)
    assert found['vericap_score_seconds_bucket{le="0.005"}'] == 1
    assert found['vericap_score_seconds_bucket{le="0.05"}'] == 3
    assert found['vericap_score_seconds_bucket{le="+Inf"}'] == found["vericap_score_seconds_count"] == 4
    assert found["vericap_captions_total"] == 40
    assert found['vericap_requests_total{path="/health",status="200"}'] == 1
    assert sum("bucket" in name for name in found) == len(BUCKETS) + 1


def test_memory_is_that_of_a_python_process():
    assert 5e6 < resident_bytes() < 1e12
