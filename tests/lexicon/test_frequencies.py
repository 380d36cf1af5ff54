"""Document frequencies: how many images' references hold an n-gram, from captions, saved tables and pickles."""

import collections
import gzip
import json
import pickle
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.pipes import pipe
from vericap import evaluate
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.lexicon.frequencies import COCO, count, from_pickle, from_references, load, resolve
from vericap.metrics import parse_list
from vericap.metrics.cider_d import CiderD
from vericap.readers.storage import array_file
from vericap.views import Views

REFERENCES = [
    ["a dog runs on the beach", "the dog runs", "a brown dog"],
    ["a cat sleeps on the couch", "a cat on a couch"],
    ["a dog and a cat", "the dog sleeps on the couch"],
]


def counted(references, order=4):
    """The definition, in plain Python."""
    table = collections.Counter()
    for captions in references:
        table.update(
            {
                tuple(words[i : i + n])
                for words in map(str.split, captions)
                for n in range(1, order + 1)
                for i in range(len(words) - n + 1)
            }
        )
    return table


def frequency(table, ngram):
    words = sorted(set(ngram), reverse=True)
    [found] = table.lookup(words, *(np.array([words.index(word)]) for word in ngram))
    return int(found)


def same(a, b):
    return a.trie.arrays.keys() == b.trie.arrays.keys() and all(
        np.array_equal(a.trie.arrays[key], b.trie.arrays[key]) for key in a.trie.arrays
    )


words = st.sampled_from(["a", "dog", "cat", "the", "é", "22\xa03/4", "日", "<eos>", "\ud800"])
captions = st.lists(words, max_size=7).map(" ".join)
corpora = st.lists(st.lists(captions, max_size=3), min_size=1, max_size=6)


def test_counts_images_not_captions():
    table = count(REFERENCES, tokenizer="whitespace")
    assert table.documents == 3
    assert frequency(table, ("a",)) == 3
    assert frequency(table, ("dog",)) == 2
    assert frequency(table, ("dog", "runs")) == 0  # twice, but of one image: not kept, and max(1, df) is the same
    assert frequency(table, ("on", "the", "couch")) == 2
    assert frequency(table, ("sleeps", "on", "the", "couch")) == 2
    assert frequency(table, ("zebra",)) == 0


@given(corpora, st.integers(1, 5))
def test_lookups_equal_a_dict_of_counts(references, order):
    table = count(references, tokenizer="whitespace", order=order)
    expected = counted(references, order)
    assert all(frequency(table, ngram) == (n if n >= 2 else 0) for ngram, n in expected.items())
    assert len(table.trie) == sum(n >= 2 for n in expected.values())


@given(corpora, corpora)
def test_all_n_grams_of_a_corpus_are_found_at_once(known, asked):
    table = count(known, tokenizer="whitespace")
    expected = counted(known)
    views = Views(Corpus.from_lists(["a dog"] * len(asked), asked), tokenizer="whitespace", frequencies=table)
    present = counted([["a dog"], *asked])
    for order in range(1, 5):
        ngrams = views.ngrams(order)
        here = {ngram for ngram in present if len(ngram) == order}
        assert ngrams.documents == len(known)
        assert ngrams.document_frequency.shape == ngrams.example.shape
        if here:
            spelled = [tuple(views.spell(ngrams, number).split(" ")) for number in range(len(ngrams.example))]
            assert here <= set(spelled)
            kept = [n if n >= 2 else 0 for n in (expected[ngram] for ngram in spelled)]
            assert ngrams.document_frequency.tolist() == kept


def test_mixed_fractions_are_split_as_cider_splits_them():
    table = count([["22\xa03/4 mm"], ["22\xa03/4 inches"]], tokenizer="none")
    assert frequency(table, ("22",)) == frequency(table, ("22", "3/4")) == 2
    assert frequency(table, ("22\xa03/4",)) == 0


@given(corpora)
def test_saved_and_loaded_is_the_same(tmp_path_factory, references):
    path = tmp_path_factory.mktemp("tables") / "table.df"
    table = count(references, tokenizer="whitespace", language="pt", order=3, name="toy")
    table.save(path)
    again = load(path)
    assert same(table, again)
    assert (again.documents, again.tokenizer, again.language, again.order, again.name, again.source) == (
        table.documents,
        "whitespace",
        "pt",
        3,
        "toy",
        table.source,
    )


def test_source_names_what_is_counted_and_not_how_it_is_called_or_sorted():
    table = count(REFERENCES, tokenizer="whitespace", name="train")
    name, _, digest = table.source.partition("@")
    assert (name, len(digest)) == ("train", 12)
    shuffled = count([group[::-1] for group in REFERENCES[::-1]], tokenizer="whitespace", name="other")
    assert shuffled.source == f"other@{digest}"
    assert count([*REFERENCES, ["a"]], tokenizer="whitespace").source.partition("@")[2] != digest
    assert count(REFERENCES, tokenizer="none").source.partition("@")[2] != digest


def test_score_with_a_saved_table_of_the_corpus_is_the_score_with_the_corpus(tmp_path):
    corpus = Corpus.from_lists(["a dog runs", "a cat on the couch", "a zebra"], REFERENCES)
    count(REFERENCES, tokenizer="whitespace").save(tmp_path / "own.df")
    own = Views(corpus, tokenizer="whitespace", frequencies=load(tmp_path / "own.df"))
    of_corpus = Views(corpus, tokenizer="whitespace")
    metric = CiderD()
    assert np.array_equal(metric.statistics(own), metric.statistics(of_corpus))
    assert "df:references@" in metric.signature(own)
    assert "df:corpus" in metric.signature(of_corpus)


def test_one_image_has_a_score_with_a_table():
    corpus = Corpus.from_lists(["a dog runs"], [["a dog runs on the beach"]])
    with pytest.raises(InputError, match="undefined"):
        CiderD().check(Views(corpus, tokenizer="whitespace"))
    views = Views(corpus, tokenizer="whitespace", frequencies=count(REFERENCES, tokenizer="whitespace"))
    CiderD().check(views)
    assert CiderD().statistics(views).sum() > 0


@pytest.mark.parametrize("captions", [[], [""], ["a"]])
def test_captions_shorter_than_the_n_gram_have_no_frequency(captions):
    table = count(REFERENCES, tokenizer="whitespace")
    views = Views(Corpus.from_lists(captions, [[""]] * len(captions)), tokenizer="whitespace", frequencies=table)
    assert views.ngrams(4).document_frequency.tolist() == [0]


def test_longer_n_grams_than_the_table_counts_are_an_error():
    views = Views(
        Corpus.from_lists(["a dog"], [["a dog"]]),
        tokenizer="whitespace",
        frequencies=count(REFERENCES, tokenizer="whitespace", order=2, name="short"),
    )
    CiderD(n=2).check(views)
    with pytest.raises(InputError, match=r"short counts n-grams of up to 2 words, 3 are asked for.*--order 3"):
        CiderD(n=3).check(views)


def test_a_short_table_does_not_keep_bleu_from_longer_n_grams():
    corpus = Corpus.from_lists(["a dog runs on the beach"], [REFERENCES[0]])
    short = count(REFERENCES, tokenizer="whitespace", order=1)
    metric = parse_list("bleu-4")[0]
    with_table = metric.statistics(Views(corpus, tokenizer="whitespace", frequencies=short))
    assert np.array_equal(with_table, metric.statistics(Views(corpus, tokenizer="whitespace")))
    assert metric.score(with_table)[0] > 0.99


def test_no_images_are_no_table():
    with pytest.raises(InputError, match="no references to count"):
        count([], tokenizer="whitespace")


class TestDamagedFiles:
    @pytest.fixture
    def path(self, tmp_path):
        count(REFERENCES, tokenizer="whitespace").save(tmp_path / "table.df")
        return tmp_path / "table.df"

    def test_cut_off(self, path):
        whole = path.read_bytes()
        for end in range(len(whole)):
            path.write_bytes(whole[:end])
            with pytest.raises(InputError, match=r"table\.df: the (table is damaged or cut off|file cannot be read)"):
                load(path)

    def test_changed(self, path):
        whole = path.read_bytes()
        expected = load(path)
        data = 8 + struct.unpack("<Q", whole[:8])[0]
        name = whole.index(b"references")
        for place in range(len(whole)):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            try:
                table = load(path)
            except InputError as error:
                assert "\n" not in str(error)
            else:  # what the hash leaves out: the name
                assert name <= place < name + len("references") < data
                assert same(table, expected)
                assert table.documents == expected.documents

    def test_another_format(self, path):
        table = load(path)
        array_file.write(path, "toy", {"kind": "document frequencies", "format": 2}, table.trie.arrays)
        with pytest.raises(InputError, match=r"format 2, and this version reads 1; update vericap"):
            load(path)
        array_file.write(path, "toy", {"kind": "paraphrases"}, table.trie.arrays)
        with pytest.raises(InputError, match="not a table of document frequencies"):
            load(path)

    @pytest.mark.parametrize("spoiled", ["word_ends", "words", "count_1", "word_2", "first_2", "count_2", "first_3"])
    def test_arrays_that_make_no_trie(self, path, spoiled):
        table = load(path)
        for change in (lambda a: a[:-1], lambda a: a + 1, lambda a: a[::-1], None):
            arrays = dict(table.trie.arrays)
            sound = arrays.pop(spoiled)
            if change is not None:
                arrays[spoiled] = np.ascontiguousarray(change(sound))
                if len(arrays[spoiled]) == len(sound) and spoiled in ("words", "count_1", "count_2"):
                    continue  # other words are words, other counts are counts
            array_file.write(path, "toy", table._facts(), arrays)
            with pytest.raises(InputError, match="not a table of n-grams"):
                load(path)

    def test_more_images_with_an_n_gram_than_there_are(self, path):
        table = load(path)
        array_file.write(path, "toy", {**table._facts(), "documents": 2}, table.trie.arrays)
        with pytest.raises(InputError, match="not a table of n-grams"):
            load(path)

    def test_not_written(self, tmp_path):
        with pytest.raises(InputError, match=r"cannot be written \(No such file or directory\)"):
            count(REFERENCES, tokenizer="whitespace").save(tmp_path / "nowhere" / "table.df")
        (tmp_path / "folder.df").mkdir()
        with pytest.raises(InputError, match="cannot be written"):
            count(REFERENCES, tokenizer="whitespace").save(tmp_path / "folder.df")
        assert [path.name for path in tmp_path.iterdir()] == ["folder.df"]


class TestTokenizer:
    corpus = Corpus.from_lists(["a dog"], [["a dog"]])

    def test_the_same_says_nothing(self):
        table = count(REFERENCES, tokenizer="unicode")
        assert Views(self.corpus, tokenizer="unicode", frequencies=table).notes == ()

    def test_another_is_an_error(self):
        table = count(REFERENCES, tokenizer="unicode", name="mine")
        with pytest.raises(InputError, match=r"mine count words by unicode, .* by ptb; use --tokenizer unicode"):
            Views(self.corpus, tokenizer="ptb", frequencies=table)

    def test_tokenised_text_is_a_note(self):
        [note] = Views(self.corpus, tokenizer="none", frequencies=count(REFERENCES, tokenizer="unicode")).notes
        assert "words by unicode, the captions are taken as tokenised already" in note
        [note] = Views(self.corpus, tokenizer="unicode", frequencies=count(REFERENCES, tokenizer="none")).notes
        assert "words by none, the captions' words are by unicode" in note

    def test_another_language_is_an_error(self):
        table = count(REFERENCES, tokenizer="unicode", language="pt", name="mine")
        with pytest.raises(InputError, match=r"mine are of language pt, the captions of en; use --language pt"):
            Views(self.corpus, tokenizer="unicode", frequencies=table)


class TestPickle:
    """`coco-train-words.p` and its kind."""

    counts = counted(REFERENCES)

    def written(self, tmp_path, table, protocol=2, name="coco-train-words.p"):
        path = tmp_path / name
        path.write_bytes(pickle.dumps(table, protocol))
        return path

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_words(self, tmp_path, protocol):
        floats = collections.defaultdict(float, {ngram: float(n) for ngram, n in self.counts.items()})
        path = self.written(tmp_path, {"document_frequency": floats, "ref_len": 3}, protocol)
        table = from_pickle(path)
        assert same(table, count(REFERENCES, tokenizer="whitespace"))
        assert (table.documents, table.name, table.tokenizer) == (3, "coco-train-words", "unknown")
        [note] = table.check("ptb", "en")
        assert "nothing says how the words of coco-train-words were made" in note and "ptb" in note


class TestResolve:
    def test_words(self):
        assert resolve(None) is None
        assert resolve("corpus") is None
        table = count(REFERENCES, tokenizer="whitespace")
        assert resolve(table) is table

    def test_a_file_is_recognised_by_its_content(self, tmp_path):
        expected = count(REFERENCES, tokenizer="whitespace")
        expected.save(tmp_path / "saved.json")
        table = {"document_frequency": dict(counted(REFERENCES)), "ref_len": 3}
        (tmp_path / "pickled.txt").write_bytes(pickle.dumps(table, 4))
        (tmp_path / "old.txt").write_bytes(pickle.dumps(table, 0))
        (tmp_path / "packed.p").write_bytes(gzip.compress(pickle.dumps(table, 2)))
        (tmp_path / "packed.gz").write_bytes(gzip.compress(pickle.dumps(table, 2)))
        (tmp_path / "references.json").write_text(json.dumps(dict(enumerate(REFERENCES))))
        for path in tmp_path.iterdir():
            assert same(resolve(str(path), "whitespace"), expected), path.name
            assert same(resolve(path, "whitespace"), expected), path.name
        assert resolve(tmp_path / "references.json", "whitespace").name == "references"

    def test_references_are_tokenised_as_the_captions_are(self, tmp_path):
        (tmp_path / "references.json").write_text(json.dumps({1: ["Um cão!"], 2: ["Um gato."]}))
        table = resolve(tmp_path / "references.json", "unicode", "pt")
        assert (table.tokenizer, table.language) == ("unicode", "pt")
        assert frequency(table, ("um",)) == 2
        assert Views(Corpus.from_lists(["um"], [["um"]]), tokenizer="unicode", language="pt", frequencies=table)

    def test_what_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(InputError, match=r"nowhere\.df: there is no such file"):
            resolve(tmp_path / "nowhere.df")
        with pytest.raises(InputError, match="this is a folder"):
            resolve(tmp_path)
        (tmp_path / "empty.df").touch()
        with pytest.raises(InputError, match="empty"):
            resolve(tmp_path / "empty.df")

    def test_an_evil_pickle_is_an_error(self, tmp_path):
        (tmp_path / "evil.p").write_bytes(b"cos\nsystem\n(S'touch " + bytes(tmp_path / "made") + b"'\ntR.")
        with pytest.raises(InputError, match=r"evil\.p, row byte \d+: it asks for 'os.system'"):
            resolve(tmp_path / "evil.p")
        assert not (tmp_path / "made").exists()


def test_several_files_of_references(tmp_path):
    paths = [tmp_path / "ref-0.txt", tmp_path / "ref-1.txt"]
    paths[0].write_text("a dog\na cat\n")
    paths[1].write_text("one dog\na dog\n")
    table = from_references(paths, "whitespace")
    assert (table.documents, table.name) == (2, "ref-0")
    assert frequency(table, ("a", "dog")) == 2
    assert frequency(table, ("dog",)) == 2
    assert frequency(table, ("cat",)) == 0
    with pytest.raises(InputError, match="n-grams of up to 0 words"):
        from_references(paths, "whitespace", order=0)


def test_shipped_table_counts_coco_s_training_captions():
    """Expected: counted in plain Python on what the original tokenizer makes of train2014."""
    table = resolve("coco")
    assert (table.documents, table.order, table.tokenizer, table.language) == (82_783, 4, "ptb", "en")
    assert table.source.startswith("coco@")
    assert COCO.stat().st_size < 8_000_000
    expected = {
        "a": 82690,
        "'s": 4417,
        "skateboard": 2397,
        "giraffe": 1628,
        "fire hydrant": 871,
        "teddy bear": 911,
        "a man riding": 2258,
        "in front of a": 6531,
        "on top of a": 7506,
        "zebra giraffe": 0,
    }
    assert {ngram: frequency(table, tuple(ngram.split())) for ngram in expected} == expected


PIPED = {str(i): [f"a {animal} runs", f"the {animal}"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}


def test_frequencies_from_a_pipe_are_those_of_the_file(tmp_path):
    (tmp_path / "r.json").write_text(json.dumps(PIPED))
    through = pipe(tmp_path / "pipe", (tmp_path / "r.json").read_bytes())
    captions = {image: f"a {given[0].split()[1]}" for image, given in PIPED.items()}
    file, piped = (
        evaluate(captions, PIPED, metrics="cider-d", df=df)["cider-d"].score for df in (tmp_path / "r.json", through)
    )
    assert file == piped > 0
