"""METEOR 1.5's alignment of a caption with a reference (Denkowski and Lavie 2014): all matches of words and
phrases, and a beam search for the set of matches that covers most words in fewest chunks.

The search has the original's arithmetic, in which each of these changes numbers: its sums are whole numbers, so a
match of one word that is not exact adds nothing; the distance of a match is put on the path that goes on without
it; before every position, and once more at the end, paths are sorted and the beam is cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, offsets_of
from vericap.kernels.memory import KernelRows
from vericap.kernels.phrases import Phrases

ROWS = KernelRows(cython.compiled)

EXACT = cython.declare(cython.int, 0)
STEM = cython.declare(cython.int, 1)
SYNONYM = cython.declare(cython.int, 2)
PARAPHRASE = cython.declare(cython.int, 3)

STATISTICS = 23
SKIP = cython.declare(cython.int, -1)
COVERED = cython.declare(cython.int, -2)

SYNSET_PLACES = cython.declare(cython.int, 4096)  # a power of two; a caption has about 200 synsets

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # 64 bits

# A path's rank is chunks − SUM × matched words: more words first, then fewer chunks.
SUM = cython.declare(cython.longlong, 1 << 32)


@dataclass(frozen=True, eq=False)
class CaptionWords:
    """Captions as rows of vocabulary numbers, and for each word numbers for its form, its stem and its spelling
    (alphabetical)."""

    captions: Ragged
    form: NDArray[np.int32]
    stem: NDArray[np.int32]
    spelling: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class WordMeanings:
    """Of each vocabulary word: its synsets, and whether it is a function word."""

    synsets: Ragged
    function: NDArray[np.uint8]


def _most_synsets(captions: Ragged, offsets: NDArray[np.int64]) -> int:
    """Synsets of the words of the caption that has most of them, a synset once for each word that has it."""
    ends = offsets_of(offsets[captions.values + 1] - offsets[captions.values])
    return int(np.diff(ends[captions.offsets]).max(initial=0))


@cython.final
@cython.cclass
class Aligner:
    """Aligns captions with references, one pair after another, in memory taken once."""

    # The captions, as rows of `word`, and what is known of their words; see `CaptionWords` and `WordMeanings`.
    word: cython.const[cython.int][::1]
    rows: cython.const[cython.longlong][::1]
    form: cython.const[cython.int][::1]
    stem: cython.const[cython.int][::1]
    spelling: cython.const[cython.int][::1]
    synsets: cython.const[cython.int][::1]
    synset_offsets: cython.const[cython.longlong][::1]
    function: cython.const[cython.uchar][::1]
    # Phrases of captions, and of each phrase its paraphrases and the phrases that it paraphrases; see `Phrases`.
    phrase_rows: cython.const[cython.longlong][::1]
    phrase_start: cython.const[cython.int][::1]
    phrase_length: cython.const[cython.int][::1]
    phrase_number: cython.const[cython.int][::1]
    forward: cython.const[cython.int][::1]
    forward_offsets: cython.const[cython.longlong][::1]
    backward: cython.const[cython.int][::1]
    backward_offsets: cython.const[cython.longlong][::1]
    beam: cython.int

    # The pair at hand: where the caption and the reference begin, and their lengths.
    caption: cython.Py_ssize_t
    reference: cython.Py_ssize_t
    n: cython.int
    m: cython.int

    # Of each phrase the last place it was found at in the caption, 1 + index, and of that the place before.
    place: cython.int[::1]
    earlier: cython.int[::1]
    placed: cython.Py_ssize_t  # the caption row whose phrases and synsets are placed
    # The same of synsets by their last bits: the synsets that are there, and the positions of their words.
    synset_place: cython.int[::1]
    synset_earlier: cython.int[::1]
    synset_here: cython.int[::1]
    synset_position: cython.int[::1]
    synonym_of: cython.int[::1]  # of each word of the caption 1 + the last reference position it is a synonym of

    # Matches by the reference position where they start: those of position i at first[i]:first[i + 1].
    first: cython.int[::1]
    match_words: cython.int[::1]  # of the reference
    match_start: cython.int[::1]  # in the caption
    match_caption_words: cython.int[::1]
    match_module: cython.int[::1]
    match_rank: cython.longlong[::1]  # what it adds to the rank of a path
    match_bits: cython.ulonglong[::1]  # the words that it covers in a caption of at most 64
    matches: cython.Py_ssize_t
    room: cython.Py_ssize_t  # for matches
    fixed: cython.uchar[::1]  # whether the one match of a position is taken without search
    covers: cython.int[::1]  # how many matches cover each word of the caption, then of the reference

    # Paths, those of this position and those of the next, and the matches they took as a linked list.
    order: cython.int[::1]  # the paths of this position, the best first
    paths: cython.int
    width: cython.int  # 64-bit words that have a bit for each word of the caption
    used: cython.ulonglong[::1]
    path_rank: cython.longlong[::1]
    distance: cython.longlong[::1]
    follows: cython.int[::1]  # where the caption's next word would continue the open chunk, -1: none is open
    until: cython.int[::1]  # reference words before this are covered
    taken: cython.int[::1]
    taken_match: cython.int[::1]
    taken_before: cython.int[::1]

    # The best continuations so far, in order.
    rank: cython.longlong[::1]
    rank_distance: cython.longlong[::1]
    parent: cython.int[::1]
    choice: cython.int[::1]
    count: cython.int

    # What came out: the matches by reference position, and the chunks.
    links: cython.int[::1]
    link_count: cython.int
    link_chunks: cython.int

    def __init__(self, words: CaptionWords, vocabulary: WordMeanings, phrases: Phrases, beam: int) -> None:
        self.word, self.rows = ROWS.view(words.captions.values), ROWS.view(words.captions.offsets)
        self.form, self.stem, self.spelling = ROWS.view(words.form), ROWS.view(words.stem), ROWS.view(words.spelling)
        self.synsets, self.synset_offsets = ROWS.view(vocabulary.synsets.values), ROWS.view(vocabulary.synsets.offsets)
        self.function = ROWS.view(vocabulary.function)
        self.phrase_rows, self.phrase_start = ROWS.view(phrases.rows), ROWS.view(phrases.start)
        self.phrase_length, self.phrase_number = ROWS.view(phrases.length), ROWS.view(phrases.number)
        forward, backward = phrases.paraphrases, phrases.sources
        self.forward, self.forward_offsets = ROWS.view(forward.values), ROWS.view(forward.offsets)
        self.backward, self.backward_offsets = ROWS.view(backward.values), ROWS.view(backward.offsets)
        self.beam = beam
        self.place = ROWS.zeros(len(forward), np.int32)
        self.earlier = ROWS.zeros(int(np.diff(phrases.rows).max(initial=0)), np.int32)
        self.placed = -1
        self.synset_place = ROWS.zeros(SYNSET_PLACES, np.int32)
        most = _most_synsets(words.captions, vocabulary.synsets.offsets)
        self.synset_earlier, self.synset_position = ROWS.zeros(most, np.int32), ROWS.zeros(most, np.int32)
        self.synset_here = ROWS.zeros(most, np.int32)
        self._make_room(1024)
        self._make_paths(int(words.captions.lengths.max(initial=0)))

    def _make_room(self, matches: int) -> None:
        self.room = matches
        self.match_words, self.match_start = ROWS.zeros(matches, np.int32), ROWS.zeros(matches, np.int32)
        self.match_caption_words, self.match_module = ROWS.zeros(matches, np.int32), ROWS.zeros(matches, np.int32)
        self.match_rank, self.match_bits = ROWS.zeros(matches, np.int64), ROWS.zeros(matches, np.uint64)

    def _make_paths(self, longest: int) -> None:
        """Make room for captions of this many words."""
        both = 2 * self.beam  # paths of this position and of the next
        self.first, self.fixed = ROWS.zeros(longest + 1, np.int32), ROWS.zeros(longest, np.uint8)
        self.covers, self.links = ROWS.zeros(2 * longest, np.int32), ROWS.zeros(longest, np.int32)
        self.synonym_of = ROWS.zeros(longest, np.int32)
        self.used = ROWS.zeros(both * ((longest + 63) // 64), np.uint64)
        self.order, self.path_rank = ROWS.zeros(self.beam, np.int32), ROWS.zeros(both, np.int64)
        self.distance = ROWS.zeros(both, np.int64)
        self.follows, self.until = ROWS.zeros(both, np.int32), ROWS.zeros(both, np.int32)
        self.taken = ROWS.zeros(both, np.int32)
        self.taken_match = ROWS.zeros(self.beam * longest + 1, np.int32)
        self.taken_before = ROWS.zeros(self.beam * longest + 1, np.int32)
        self.rank, self.rank_distance = ROWS.zeros(self.beam, np.int64), ROWS.zeros(self.beam, np.int64)
        self.parent, self.choice = ROWS.zeros(self.beam, np.int32), ROWS.zeros(self.beam, np.int32)

    def align(self, captions: NDArray[np.int32], references: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the statistics of pairs of rows, array [pairs, 23]: words and function words of both; for each of the
        four modules content words matched of both, function words matched of both; chunks; words matched of both."""
        statistics = np.zeros((len(captions), STATISTICS), np.int32)
        done, pairs = 0, len(captions)
        flat = statistics.reshape(-1)
        while done < pairs:
            left, wanted = ROWS.view(captions[done:]), ROWS.view(references[done:])
            done += self._align(left, wanted, ROWS.view(flat[done * STATISTICS :]))
            if done < pairs:
                self._make_room(2 * self.room)
        return statistics

    def alignment(self) -> tuple[list[tuple[int, int, int, int, int]], int]:
        """Return the last pair's matches (reference start, words, caption start, words, module) in order, and
        chunks."""
        links, start = [], 0
        for i in range(self.link_count):
            match = self.links[i]
            while self.first[start + 1] <= match:
                start += 1
            words, caption_words = self.match_words[match], self.match_caption_words[match]
            links.append((start, words, self.match_start[match], caption_words, self.match_module[match]))
        return links, self.link_chunks

    @cython.cfunc
    def _align(
        self,
        captions: cython.const[cython.int][::1],
        references: cython.const[cython.int][::1],
        statistics: cython.int[::1],
    ) -> cython.Py_ssize_t:
        """Aligns pairs until the room for matches is too small for one; returns how many were done."""
        pair: cython.Py_ssize_t
        done: cython.Py_ssize_t = captions.shape[0]
        with cython.nogil:
            for pair in range(captions.shape[0]):
                self.caption = self.rows[captions[pair]]
                self.n = self.rows[captions[pair] + 1] - self.caption
                self.reference = self.rows[references[pair]]
                self.m = self.rows[references[pair] + 1] - self.reference
                self._place(captions[pair])
                if not self._find_matches(references[pair]):
                    done = pair
                    break
                self._weigh()
                self._fix()
                self._search()
                self._count_words(statistics, pair * 23)
        return done

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, row: cython.Py_ssize_t) -> cython.void:
        """Make the phrases and the synsets of a caption findable by number."""
        at: cython.Py_ssize_t
        start: cython.Py_ssize_t
        if self.placed == row:
            return
        if self.placed >= 0:
            for at in range(self.phrase_rows[self.placed], self.phrase_rows[self.placed + 1]):
                self.place[self.phrase_number[at]] = 0
            self._place_synsets(self.placed, False)
        self.placed = row
        start = self.phrase_rows[row]
        for at in range(start, self.phrase_rows[row + 1]):
            self.earlier[at - start] = self.place[self.phrase_number[at]]
            self.place[self.phrase_number[at]] = at - start + 1
        self._place_synsets(row, True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(j=cython.Py_ssize_t, at=cython.Py_ssize_t, word=cython.Py_ssize_t, slot=cython.Py_ssize_t)
    def _place_synsets(self, row: cython.Py_ssize_t, there: cython.bint) -> cython.void:
        """Put the synsets of a caption in their places, or take them out."""
        entry: cython.int = 0
        for j in range(self.rows[row], self.rows[row + 1]):
            word = self.word[j]
            for at in range(self.synset_offsets[word], self.synset_offsets[word + 1]):
                slot = self.synsets[at] & (SYNSET_PLACES - 1)
                if there:
                    self.synset_here[entry] = self.synsets[at]
                    self.synset_position[entry] = j - self.rows[row]
                    self.synset_earlier[entry] = self.synset_place[slot]
                    entry += 1
                self.synset_place[slot] = entry

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.int, j=cython.int, form=cython.int, stem=cython.int, end=cython.Py_ssize_t)
    def _find_matches(self, row: cython.Py_ssize_t) -> cython.bint:
        """Return all matches; false if there is not enough room for them."""
        phrase: cython.Py_ssize_t = self.phrase_rows[row]
        last: cython.Py_ssize_t = self.phrase_rows[row + 1]
        same: cython.bint = self.n == self.m
        self.matches = 0
        for j in range(self.n):
            self.synonym_of[j] = 0
        for i in range(self.m):
            if not same:
                break
            same = self.word[self.reference + i] == self.word[self.caption + i]
        for i in range(self.m):
            self.first[i] = self.matches
            if self.matches + 3 * self.n > self.room:
                return False
            form = self.form[self.reference + i]
            for j in range(self.n):
                if self.form[self.caption + j] == form:
                    self._add(1, j, 1, EXACT)
            if same:  # a caption that equals the reference has exact matches only
                continue
            stem = self.stem[self.reference + i]
            for j in range(self.n):
                if self.stem[self.caption + j] == stem and self.form[self.caption + j] != form:
                    self._add(1, j, 1, STEM)
            self._find_synonyms(i, form)
            end = phrase
            while end < last and self.phrase_start[end] == i:
                end += 1
            if not self._find_paraphrases(phrase, end):
                return False
            phrase = end
        self.first[self.m] = self.matches
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, words: cython.int, start: cython.int, caption_words: cython.int, module: cython.int) -> cython.void:
        self.match_words[self.matches] = words
        self.match_start[self.matches] = start
        self.match_caption_words[self.matches] = caption_words
        self.match_module[self.matches] = module
        self.matches += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(j=cython.int, found=cython.int, at=cython.Py_ssize_t)
    def _find_synonyms(self, i: cython.int, form: cython.int) -> cython.void:
        """Matches of a word of the reference with other words of the caption that have a synset of it."""
        some: cython.bint = False
        word: cython.Py_ssize_t = self.word[self.reference + i]
        for at in range(self.synset_offsets[word], self.synset_offsets[word + 1]):
            found = self.synset_place[self.synsets[at] & (SYNSET_PLACES - 1)]
            while found:
                j = self.synset_position[found - 1]
                if self.synset_here[found - 1] == self.synsets[at] and self.form[self.caption + j] != form:
                    self.synonym_of[j] = i + 1
                    some = True
                found = self.synset_earlier[found - 1]
        if some:
            for j in range(self.n):
                if self.synonym_of[j] == i + 1:
                    self._add(1, j, 1, SYNONYM)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.Py_ssize_t, edge=cython.Py_ssize_t, group=cython.Py_ssize_t, number=cython.int)
    def _find_paraphrases(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.bint:
        """Matches of the reference's phrases first … last - 1, which start at one position: first those found from the
        reference's phrases, by their words, then those found from the caption's phrases, by their places. False if
        there is not enough room for them."""
        for at in range(first, last):
            number = self.phrase_number[at]
            group = self.matches
            for edge in range(self.forward_offsets[number], self.forward_offsets[number + 1]):
                if not self._add_places(at, self.forward[edge], group, True):
                    return False
        group = self.matches
        for at in range(first, last):
            number = self.phrase_number[at]
            for edge in range(self.backward_offsets[number], self.backward_offsets[number + 1]):
                if not self._add_places(at, self.backward[edge], group, False):
                    return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_places(
        self, at: cython.Py_ssize_t, number: cython.int, group: cython.Py_ssize_t, by_words: cython.bint
    ) -> cython.bint:
        """Matches of a phrase of the reference with a phrase of the caption, wherever it is, in order among the
        matches from `group` on."""
        begin: cython.Py_ssize_t = self.phrase_rows[self.placed] - 1
        found: cython.int = self.place[number]
        while found:
            if self.matches == self.room:
                return False
            self._add(
                self.phrase_length[at], self.phrase_start[begin + found], self.phrase_length[begin + found], PARAPHRASE
            )
            self._sink(group, by_words)
            found = self.earlier[found - 1]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sink(self, group: cython.Py_ssize_t, by_words: cython.bint) -> cython.void:
        """Put the last match in order among those from `group` on."""
        at: cython.Py_ssize_t = self.matches - 1
        words: cython.int = self.match_words[at]
        start: cython.int = self.match_start[at]
        caption_words: cython.int = self.match_caption_words[at]
        while at > group and self._precedes(words, start, caption_words, at - 1, by_words):
            self.match_words[at] = self.match_words[at - 1]
            self.match_start[at] = self.match_start[at - 1]
            self.match_caption_words[at] = self.match_caption_words[at - 1]
            at -= 1
        self.match_words[at] = words
        self.match_start[at] = start
        self.match_caption_words[at] = caption_words

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _precedes(
        self,
        words: cython.int,
        start: cython.int,
        caption_words: cython.int,
        other: cython.Py_ssize_t,
        by_words: cython.bint,
    ) -> cython.bint:
        k: cython.int
        difference: cython.int
        if by_words:
            for k in range(min(caption_words, self.match_caption_words[other])):
                difference = (
                    self.spelling[self.caption + start + k] - self.spelling[self.caption + self.match_start[other] + k]
                )
                if difference:
                    return difference < 0
            if caption_words != self.match_caption_words[other]:
                return caption_words < self.match_caption_words[other]
            return start < self.match_start[other]
        if start != self.match_start[other]:
            return start < self.match_start[other]
        if caption_words != self.match_caption_words[other]:
            return caption_words < self.match_caption_words[other]
        return words < self.match_words[other]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(self) -> cython.void:
        """Compute what each match adds to the rank of a path, and the words of the caption that it covers."""
        match: cython.int
        words: cython.longlong
        self.width = (self.n + 63) >> 6
        for match in range(self.matches):
            words = self.match_words[match] + self.match_caption_words[match]
            if self.match_module[match] != EXACT:  # half a word each, cut to a whole number
                words = (self.match_words[match] >> 1) + (self.match_caption_words[match] >> 1)
            self.match_rank[match] = -SUM * words
            if self.width == 1:
                self.match_bits[match] = (ALL >> (64 - self.match_caption_words[match])) << self.match_start[match]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.int, k=cython.int, match=cython.int, alone=cython.bint)
    def _fix(self) -> cython.void:
        """Find the positions whose only match covers words that no other match covers."""
        for k in range(self.n + self.m):
            self.covers[k] = 0
        for i in range(self.m):
            for match in range(self.first[i], self.first[i + 1]):
                for k in range(self.match_caption_words[match]):
                    self.covers[self.match_start[match] + k] += 1
                for k in range(self.match_words[match]):
                    self.covers[self.n + i + k] += 1
        for i in range(self.m):
            match = self.first[i]
            alone = self.first[i + 1] == match + 1
            if alone:
                for k in range(self.match_caption_words[match]):
                    alone = alone and self.covers[self.match_start[match] + k] == 1
                for k in range(self.match_words[match]):
                    alone = alone and self.covers[self.n + i + k] == 1
            self.fixed[i] = alone

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _free(self, path: cython.int, match: cython.int) -> cython.bint:
        """Return whether the words of the caption that a match covers are all unused."""
        j: cython.int
        if self.width == 1:
            return not self.used[path] & self.match_bits[match]
        for j in range(self.match_start[match], self.match_start[match] + self.match_caption_words[match]):
            if (self.used[path * self.width + (j >> 6)] >> (j & 63)) & 1:
                return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _offer(
        self, path: cython.int, choice: cython.int, rank: cython.longlong, distance: cython.longlong
    ) -> cython.void:
        """Keep a continuation if it is among the best; of equals the one that came first."""
        at: cython.int = self.count
        if at == self.beam:
            at -= 1
            if rank > self.rank[at] or (rank == self.rank[at] and distance >= self.rank_distance[at]):
                return
        else:
            self.count += 1
        while at > 0 and (
            rank < self.rank[at - 1] or (rank == self.rank[at - 1] and distance < self.rank_distance[at - 1])
        ):
            self.rank[at] = self.rank[at - 1]
            self.rank_distance[at] = self.rank_distance[at - 1]
            self.parent[at] = self.parent[at - 1]
            self.choice[at] = self.choice[at - 1]
            at -= 1
        self.rank[at] = rank
        self.rank_distance[at] = distance
        self.parent[at] = path
        self.choice[at] = choice

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank_with(self, path: cython.int, match: cython.int) -> cython.longlong:
        """Return the rank of a path with one match more."""
        rank: cython.longlong = self.path_rank[path] + self.match_rank[match]
        return rank + (self.follows[path] >= 0 and self.follows[path] != self.match_start[match])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self) -> cython.void:
        """Leaves the best path's matches in `links`."""
        i: cython.int
        k: cython.int
        here: cython.int = 0  # paths of this position are here + 0, 1, …; those of the next are there + 0, 1, …
        taken: cython.int = 0
        for k in range(self.width):
            self.used[k] = 0
        self.paths = 1
        self.order[0] = 0
        self.path_rank[0] = 0
        self.distance[0] = 0
        self.follows[0] = -1
        self.until[0] = 0
        self.taken[0] = -1
        for i in range(self.m):
            if self.fixed[i] or self.first[i] == self.first[i + 1]:
                taken = self._go_on(i, taken)
                continue
            self.count = 0
            for k in range(self.paths):
                self._continue(i, self.order[k])
            here = self.beam - here
            self.paths = self.count
            for k in range(self.count):
                taken = self._take(i, k, here + k, taken)
                self.order[k] = here + k
        self._list_links(self._best())

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(k=cython.int, at=cython.int, path=cython.int)
    def _go_on(self, i: cython.int, taken: cython.int) -> cython.int:
        """Extend all paths at a position where each has one continuation: they stay where they are, and are put in
        order again. Return the number of entries of `taken_match` after that."""
        for k in range(self.paths):
            path = self.order[k]
            if self.until[path] <= i:
                if self.fixed[i]:
                    # No other match touches it.
                    self.path_rank[path] = self._rank_with(path, self.first[i])
                    self.distance[path] += abs(i - self.match_start[self.first[i]])
                    taken = self._add_link(i, path, self.first[i], taken)
                elif self.follows[path] >= 0:
                    self._close_chunk(path)
            at = k
            while at > 0 and self._is_better(path, self.order[at - 1]):
                self.order[at] = self.order[at - 1]
                at -= 1
            self.order[at] = path
        return taken

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _close_chunk(self, path: cython.int) -> cython.void:
        self.path_rank[path] += 1
        self.follows[path] = -1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_better(self, path: cython.int, other: cython.int) -> cython.bint:
        return self.path_rank[path] < self.path_rank[other] or (
            self.path_rank[path] == self.path_rank[other] and self.distance[path] < self.distance[other]
        )

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _continue(self, i: cython.int, path: cython.int) -> cython.void:
        """Offers every continuation of a path at a position of the reference."""
        match: cython.int
        open_chunk: cython.int
        distance: cython.longlong = self.distance[path]
        if self.until[path] > i:
            self._offer(path, COVERED, self.path_rank[path], distance)
            return
        for match in range(self.first[i], self.first[i + 1]):
            if self._free(path, match):
                self._offer(path, match, self._rank_with(path, match), distance)
                distance += abs(i - self.match_start[match])
        open_chunk = 1 if self.follows[path] >= 0 else 0
        self._offer(path, SKIP, self.path_rank[path] + open_chunk, distance)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _best(self) -> cython.int:
        """Return the best of the paths, with their open chunks closed; of equals the first."""
        k: cython.int
        path: cython.int = self.order[0]
        for k in range(self.paths):
            if self.follows[self.order[k]] >= 0:
                self._close_chunk(self.order[k])
            if self._is_better(self.order[k], path):
                path = self.order[k]
        return path

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list_links(self, path: cython.int) -> cython.void:
        """Put the matches of a path, which are linked from the last to the first, in order."""
        k: cython.int
        taken: cython.int = self.taken[path]
        self.link_chunks = self.path_rank[path] & (SUM - 1)
        self.link_count = 0
        while taken >= 0:
            self.link_count += 1
            taken = self.taken_before[taken]
        taken = self.taken[path]
        for k in range(self.link_count):
            self.links[self.link_count - 1 - k] = self.taken_match[taken]
            taken = self.taken_before[taken]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, i: cython.int, k: cython.int, path: cython.int, taken: cython.int) -> cython.int:
        """Make continuation k a path; return the number of entries of `taken_match` after that."""
        j: cython.int
        source: cython.int = self.parent[k]
        for j in range(self.width):
            self.used[path * self.width + j] = self.used[source * self.width + j]
        self.path_rank[path] = self.rank[k]
        self.distance[path] = self.rank_distance[k]
        self.follows[path] = -1 if self.choice[k] == SKIP else self.follows[source]
        self.until[path] = self.until[source]
        self.taken[path] = self.taken[source]
        return self._add_link(i, path, self.choice[k], taken) if self.choice[k] >= 0 else taken

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_link(self, i: cython.int, path: cython.int, match: cython.int, taken: cython.int) -> cython.int:
        """Put a match at position i on a path; return the number of entries of `taken_match` after that."""
        j: cython.int
        one: cython.ulonglong = 1
        self.follows[path] = self.match_start[match] + self.match_caption_words[match]
        self.until[path] = i + self.match_words[match]
        if self.width == 1:
            self.used[path] |= self.match_bits[match]
        else:
            for j in range(self.match_start[match], self.follows[path]):
                self.used[path * self.width + (j >> 6)] |= one << (j & 63)
        self.taken_match[taken] = match
        self.taken_before[taken] = self.taken[path]
        self.taken[path] = taken
        return taken + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(k=cython.int, link=cython.int, match=cython.int, column=cython.Py_ssize_t)
    def _count_words(self, statistics: cython.int[::1], at: cython.Py_ssize_t) -> cython.void:
        i: cython.int = 0
        statistics[at] = self.n
        statistics[at + 1] = self.m
        for k in range(self.n):
            statistics[at + 2] += self.function[self.word[self.caption + k]]
        for k in range(self.m):
            statistics[at + 3] += self.function[self.word[self.reference + k]]
        for link in range(self.link_count):
            match = self.links[link]
            while self.first[i + 1] <= match:
                i += 1
            column = at + 4 + 4 * self.match_module[match]
            for k in range(self.match_caption_words[match]):
                statistics[column + 2 * self.function[self.word[self.caption + self.match_start[match] + k]]] += 1
            for k in range(self.match_words[match]):
                statistics[column + 1 + 2 * self.function[self.word[self.reference + i + k]]] += 1
            statistics[at + 21] += self.match_caption_words[match]
            statistics[at + 22] += self.match_words[match]
        statistics[at + 20] = self.link_chunks
