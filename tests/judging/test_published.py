"""The published values that ship are whole, and each is beside ours or has a reason."""

from __future__ import annotations

from tests.judging import benchmark_folders as folders
from vericap.judging import benchmark, judge
from vericap.judging.published import tables, unmatched
from vericap.metrics import parse, registry
from vericap.show import as_text


def test_published_tables_are_whole():
    for table in tables():
        for metric, values in table.rows.items():
            assert len(values) <= len(table.columns), (table.where, metric)
        if table.benchmark and not table.unmatched:
            about = benchmark(table.benchmark)
            assert set(table.protocols) <= {protocol.name for protocol in about.protocols}, table.where
    assert {table.paper for table in tables()} == {
        "Elliott and Keller (2014)",
        "Anderson et al. (2016)",
        "Oliveira dos Santos et al. (2021)",
        "Madhyastha et al. (2019)",
        "Wang et al. (2021)",
        "Hessel et al. (2021)",
        "Wada et al. (2024)",
        "Sarto et al. (2023)",
        "arXiv:2512.21582",
    }


def test_what_is_not_matched_has_a_reason():
    assert all(reason for *_, reason in unmatched())


def test_every_metric_of_the_published_protocols_parses():
    for table in tables():
        for key in table.rows:
            if key.partition("(")[0] in registry():
                assert str(parse(key)) == key


def test_nebulas_values_say_that_the_scores_were_corrected_and_are_not_beside_polaris(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    verdict = judge("nebula", folder, metrics="rouge-l", bootstrap=0)
    assert [(each.measure, each.published) for each in verdict.published] == [("kendall_b", 45.8), ("kendall_c", 43.4)]
    assert all("corrected scores" in each.note for each in verdict.published)
    assert all("corrected scores" in each["note"] for each in verdict.to_dict()["rows"][0]["published"])
    assert "corrected scores" in as_text(verdict)
    of_polaris = judge("polaris", folder, metrics="rouge-l", bootstrap=0).published
    assert [(each.measure, each.published, each.note) for each in of_polaris] == [("kendall_c", 46.3, "")]


def test_metrics_that_look_at_pictures_are_beside_a_run_on_pictures(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("dog.jpg", "cat.jpg"):
        (pictures / name).write_bytes(b"")  # nothing looks at them here
    without = judge("nebula", folder, metrics="bleu-4", bootstrap=0)
    beside = judge("nebula", folder, metrics="bleu-4", images=pictures, bootstrap=0)
    assert {each.metric for each in without.published} == {"bleu-4"}
    assert {each.metric: each.published for each in beside.published if each.ours != each.ours} == {
        "refclipscore": 46.9,
        "refpacscore": 50.6,
        "Polos": 55.0,
        "Pearl": 55.4,
    }
    row = next(line for line in as_text(beside).splitlines() if "Polos" in line)
    assert row.count("–") == 2
