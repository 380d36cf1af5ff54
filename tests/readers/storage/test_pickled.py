"""A pickle from outside is data or an error: nothing of it is ever imported, called or run."""

import codecs
import collections
import copyreg
import fractions
import os
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers.storage.pickled import looks_like_pickle, read_pickle

codecs.lookup("raw-unicode-escape")  # imported when it is first used, which is not the reader's doing
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_reads_what_tables_hold_in_every_protocol(protocol):
    counts = collections.defaultdict(float, {("a",): 3.0, ("a", "dog"): 2.0, ("naïve", "'s", "o", "p", "q"): 1.0})
    value = {
        "document_frequency": counts,
        "ref_len": 82783,
        "numbers": [None, True, False, -1, 255, 65535, -(2**31), 2**40, -(10**30), 1.5],
        "others": [b"raw\xff", "é\n\\ \u2028", (), ("x",), [], {}],
    }
    read = read_pickle(pickle.dumps(value, protocol), "table.p")
    assert read == value
    assert type(read["document_frequency"]) is dict


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int32, np.uint16])
def test_numpy_scalars_become_plain_numbers(protocol, kind):
    scalar = np.dtype(kind).type(40504)
    read = read_pickle(pickle.dumps({"ref_len": scalar}, protocol), "table.p")
    assert read == {"ref_len": 40504}
    assert type(read["ref_len"]) in (int, float)


def test_big_endian_scalars_are_read_as_they_are_written():
    written = b"cnumpy.core.multiarray\nscalar\n(cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'>'\nNNNI-1\nI-1\nI0\ntb"
    assert read_pickle(written + b"S'@\\x08\\x00\\x00\\x00\\x00\\x00\\x00'\ntR.", "table.p") == 3.0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_counters_become_dicts(protocol):
    read = read_pickle(pickle.dumps(collections.Counter({("a",): 3}), protocol), "table.p")
    assert read == {("a",): 3}
    assert type(read) is dict


def test_python_2_strings_stay_bytes():
    in_text = (
        b"(dp1\nS'ref_len'\np2\nI5\nsS'df'\np3\nccollections\ndefaultdict\np4\n(c__builtin__\nfloat\np5\ntp6\n"
        b"Rp7\n(S'a'\np8\nVd\\u00f6g\np9\ntp10\nF3.0\nss."
    )
    in_binary = (
        b"\x80\x02}q\x01(U\x07ref_lenq\x02K\x05U\x02dfq\x03ccollections\ndefaultdict\nq\x04c__builtin__\nfloat\nq\x05"
        b"\x85q\x06Rq\x07U\x01aq\x08X\x04\x00\x00\x00d\xc3\xb6gq\t\x86q\nG@\x08\x00\x00\x00\x00\x00\x00su."
    )
    for written in (in_text, in_binary):
        assert pickle.loads(written, encoding="latin-1")["df"] == {("a", "dög"): 3.0}
        assert read_pickle(written, "table.p") == {b"ref_len": 5, b"df": {(b"a", "dög"): 3.0}}


class Runs:
    """Unpickled by Python, it calls whatever it was given."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


@pytest.fixture
def trap(tmp_path):
    """A file that no attack may make, and the command that makes it."""
    made = tmp_path / "made"
    yield made
    assert not made.exists()


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "attack",
    [
        lambda made: Runs(os.system, f"touch {made}"),
        lambda made: Runs(eval, f"open({str(made)!r}, 'w')"),
        lambda made: Runs(exec, f"open({str(made)!r}, 'w')"),
        lambda made: Runs(__import__, "antigravity"),
        lambda made: Runs(getattr, collections.Counter, "update"),
        lambda made: Runs(open, str(made), "w"),
        lambda made: Runs(copyreg._reconstructor, dict, object, None),
        lambda made: collections.defaultdict(fractions.Fraction, {("a",): 1}),
        lambda made: fractions.Fraction(1, 2),
        lambda made: np.arange(3),
        lambda made: {1, 2},
        lambda made: frozenset([1]),
        lambda made: range(3),
        lambda made: 1j,
        lambda made: Runs,
    ],
)
def test_objects_and_calls_are_refused(protocol, attack, trap):
    loaded = set(sys.modules)
    for value in (attack(trap), {"document_frequency": attack(trap)}, {("a",): [attack(trap)]}):
        with pytest.raises(InputError, match=r"evil.p, row byte \d+: it "):
            read_pickle(pickle.dumps(value, protocol), "evil.p")
    assert set(sys.modules) == loaded


@pytest.mark.parametrize(
    "attack",
    {
        "GLOBAL, REDUCE": b"cos\nsystem\n(S'touch MADE'\ntR.",
        "GLOBAL posix": b"cposix\nsystem\n(S'touch MADE'\ntR.",
        "GLOBAL nt": b"cnt\nsystem\n(S'touch MADE'\ntR.",
        "GLOBAL with a dotted name": b"ccollections\nabc.sys.modules\n.",
        "STACK_GLOBAL": b"\x80\x04\x8c\x02os\x8c\x06system\x93(\x8c\ntouch MADEtR.",
        "STACK_GLOBAL with a dotted name": b"\x80\x04\x8c\x0bcollections\x8c\x10defaultdict.copy\x93.",
        "STACK_GLOBAL of no strings": b"\x80\x04K\x01K\x02\x93.",
        "INST": b"(S'touch MADE'\nios\nsystem\n.",
        "OBJ": b"(cos\nsystem\nS'touch MADE'\no.",
        "OBJ of an allowed name": b"(ccollections\ndefaultdict\nc__builtin__\nfloat\no.",
        "NEWOBJ": b'\x80\x02cbuiltins\neval\n(S\'open("MADE", "w")\'\nt\x81.',
        "NEWOBJ of an allowed name": b"\x80\x02ccollections\ndefaultdict\n)\x81.",
        "NEWOBJ_EX": b"\x80\x04ccollections\ndefaultdict\n)}\x92.",
        "EXT1": b"\x80\x02\x82\x01.",
        "EXT2": b"\x80\x02\x83\x01\x00.",
        "EXT4": b"\x80\x02\x84\x01\x00\x00\x00.",
        "PERSID": b"Pos.system\n.",
        "BINPERSID": b"S'os.system'\nQ.",
        "BUILD on a dict": b"}(S'__class__'\nI1\ndb.",
        "BUILD on a name": b"ccollections\ndefaultdict\n(dS'__call__'\nI1\nsb.",
        "REDUCE of a string": b"S'os.system'\n(S'touch MADE'\ntR.",
        "REDUCE without a tuple": b"ccollections\ndefaultdict\n]R.",
        "defaultdict of a callable made before": b"ccollections\ndefaultdict\n(cos\nsystem\ntR.",
        "encode by another codec": b"c_codecs\nencode\n(VA\nS'rot13'\ntR.",
        "EMPTY_SET": b"\x80\x04\x8f.",
        "FROZENSET": b"\x80\x04(\x91.",
        "BYTEARRAY8": b"\x80\x05\x96\x01\x00\x00\x00\x00\x00\x00\x00a.",
        "NEXT_BUFFER": b"\x80\x05\x97.",
        "READONLY_BUFFER": b"\x80\x05\x97\x98.",
        "APPEND to a name": b"ccollections\ndefaultdict\nI1\na.",
        "SETITEM of a list": b"]I0\nI1\ns.",
        "a dict as key": b"}}I1\ns.",
        "a nested tuple as key": b"})\x85\x85I1\ns.",
    }.items(),
    ids=lambda attack: attack[0],
)
def test_every_instruction_that_could_do_something_is_refused(attack, trap):
    with pytest.raises(InputError, match=r"evil.p, row byte \d+: "):
        read_pickle(attack[1].replace(b"MADE", os.fsencode(trap)), "evil.p")


def test_the_attacks_above_work_on_python_s_own_unpickler(tmp_path):
    made = tmp_path / "made"
    pickle.loads(pickle.dumps(Runs(os.system, f"touch {made}")))
    assert made.exists()


def test_extension_registry_is_not_asked(trap):
    copyreg.add_extension("os", "system", 240)
    try:
        copyreg._extension_cache[240] = os.system  # as if some library had resolved it
        with pytest.raises(InputError, match="instruction 0x82"):
            read_pickle(b"\x80\x02\x82\xf0(S'touch " + os.fsencode(trap) + b"'\ntR.", "evil.p")
    finally:
        copyreg.remove_extension("os", "system", 240)


@pytest.mark.parametrize(
    "bomb",
    [
        b"I1\nr\xff\xff\xff\xff.",  # remember something at place 4,294,967,295
        b"X\xff\xff\xff\xffa.",  # a string of 4 GB
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7fa.",  # bytes of 8 EB
        b"\x8b\xff\xff\xff\x7fa.",  # an integer of 2 GB
        b"L" + b"9" * 10_000 + b"L\n.",
        b"})" + b"\x85" * 1_000_000 + b"I1\ns.",  # a key that nests a million tuples
    ],
)
def test_small_files_that_ask_for_the_machine_are_refused(bomb):
    with pytest.raises(InputError):
        read_pickle(bomb, "bomb.p")


def test_a_name_with_a_backslash_is_refused_without_a_warning():
    with pytest.raises(InputError, match=r"table\.p"):
        read_pickle(b"c\\yollections\ndefaultdict\n.", "table.p")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_cut_off_files_are_an_error(protocol):
    whole = pickle.dumps({"document_frequency": {("a", "dog"): 2.0, ("b",): np.float64(3)}, "ref_len": 5}, protocol)
    for end in range(len(whole)):
        with pytest.raises(InputError, match=r"table\.p"):
            read_pickle(whole[:end], "table.p")


@given(st.data(), st.sampled_from(PROTOCOLS))
def test_damaged_files_are_read_or_refused_and_nothing_else(data, protocol):
    table = {"document_frequency": {("a", "dog"): 2.0, ("b",): np.float64(3)}, "ref_len": 5, "x": [1, b"b", 2**70]}
    damaged = bytearray(pickle.dumps(table, protocol))
    for _ in range(data.draw(st.integers(1, 8))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        read_pickle(bytes(damaged), "table.p")
    except InputError as error:
        assert "\n" not in str(error)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    try:
        read_pickle(data, "table.p")
    except InputError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_tables_are_recognised_by_content(protocol):
    counts = collections.defaultdict(float, {("a",): 3.0})
    assert looks_like_pickle(pickle.dumps({"document_frequency": counts, "ref_len": 5}, protocol))
    assert looks_like_pickle(pickle.dumps(counts, protocol))
    for caption in (b"(a dog) runs", b"cats on a mat", b"} odd", b"[1, 2]", b'{"images": []}'):
        assert not looks_like_pickle(caption)
