"""The equations of FAIEr (Wang et al. 2021) in the paper's order: scene graphs of pictures (section 3.1, equation 1)
and of captions, their fusion (3.2, equation 2), matching (3.3, equation 3), and the loss (3.4, equations 4 and 5).

They are written once, in what NumPy and torch both have: arrays are NumPy's where captions are scored, and torch's
where a model is trained. A layer W is a function, `W(x)`; what a picture or a caption has is numbered i, j and k: i
counts the regions of a picture, j its references, k the nodes of a caption. Graphs are computed together with others
that have like numbers of nodes, as wide as each would be alone: no other caption changes how a sum is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from vericap.arrays import Booleans, Integers, Ragged, gather, offsets_of, rows_of
from vericap.metrics.faier.packed import GraphLevel, Sequences, alike, namespace, take

Array: TypeAlias = Any  # of NumPy or of torch
Layer: TypeAlias = Callable[[Array], Array]
Gru: TypeAlias = Callable[[Array, Sequences], Array]  # items [items, x] in sequences → states [nodes of sequences, d]


def encode_objects(u: Array, W_1: Layer, W_2: Layer) -> Array:
    """v_i^o = W_2 tanh(W_1 u_i): regions [regions, D] → [regions, d]."""
    return W_2(namespace(u).tanh(W_1(u)))


def relate_objects(objects: GraphLevel, boxes: Array | None, w: Array, W_r: Layer) -> GraphLevel:
    """Equation 1: v_i^r = Σ_j γ_ij W_r v_j^o over all regions j of the image, i among them.

    With boxes [regions, 4], γ_ij = softmax_j tanh(w (b_i − b_j)), w = W_Δ. Without, the weight comes from the two
    regions' features, γ_ij = softmax_j tanh(w (v_i^o ⊙ v_j^o)): with no offsets every weight would be equal, and so
    every v_i^r.
    """
    messages = objects._replace(nodes=W_r(objects.nodes))
    frames = None if boxes is None else objects._replace(nodes=boxes)

    def relate(graphs: Integers) -> tuple[Array, Booleans]:
        (v, mask), (message, _) = objects.pick(graphs).padded(), messages.pick(graphs).padded()
        if frames is None:
            weight = (v * w) @ v.swapaxes(1, 2)
        else:
            b, _ = frames.pick(graphs).padded()
            weight = ((b[:, :, None] - b[:, None]) * w).sum(axis=3)  # Δb_ij = b_i − b_j
        return softmax(namespace(v).tanh(weight), mask) @ message, mask

    return _joined(relate, alike(w, objects.rows.lengths), objects.rows.lengths)


def embed_words(x: Array, offset: Array, W_e: Layer) -> Array:
    """e_w = W_e x_w + o_w: a word's vector x_w through a learned layer, and a learned offset o_w for each word that
    training saw often enough. A word that it did not see has its vector's neighbours to speak for it."""
    return W_e(x) + offset


def gru_step(x: Array, s: Array, h: Array) -> tuple[Array, Array, Array, Array]:
    """Return r, z, n and h' of a GRU (Cho et al. 2014, in the form of `torch.nn.GRU`):

    r = σ(W_ir x + b_ir + W_hr h + b_hr), z = σ(W_iz x + b_iz + W_hz h + b_hz),
    n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn)), h' = (1 − z) ⊙ n + z ⊙ h,

    where x and s [nodes, 3 × units] have been through the layers: W_i x + b_i and W_h h + b_h. r, z and n replace x.
    """
    units, tanh = h.shape[-1], namespace(x).tanh
    gates, n = x[:, : 2 * units], x[:, 2 * units :]
    gates += s[..., : 2 * units]
    gates *= 0.5
    tanh(gates, out=gates)
    gates *= 0.5
    gates += 0.5  # σ(y) = ½ + ½ tanh(y / 2)
    r, z = gates[:, :units], gates[:, units:]
    n += r * s[..., 2 * units :]
    tanh(n, out=n)
    new = h - n
    new *= z
    new += n
    return r, z, n, new


def encode_words(embedded: Array, words: tuple[Sequences, Sequences], onward: Gru, back: Gru) -> Array:
    """h_k^o, the hidden state at each word of a bidirectional GRU with d / 2 units each way: [words, d].

    `embedded` [distinct words, e] is what the items of both sequences, the words onward and back, are rows of.
    """
    there, back_again = onward(embedded, words[0]), back(embedded, words[1])
    return namespace(embedded).concatenate([take(there, words[0].place), take(back_again, words[1].place)], axis=1)


def encode_triplets(embedded: Array, triplets: tuple[Sequences, Sequences], onward: Gru, back: Gru) -> Array:
    """h^r, the last hidden state over a triplet's words, both ways: [triplets, d]."""
    there, back_again = onward(embedded, triplets[0]), back(embedded, triplets[1])
    return namespace(embedded).concatenate([take(there, triplets[0].last), take(back_again, triplets[1].last)], axis=1)


def fuse(visual: GraphLevel, textual: GraphLevel, references: Ragged, W_a: Array, gru: Gru, W_u: Layer) -> GraphLevel:
    """Equation 2, the fusion GRU and the union layer, for one level (objects or relations): the union graphs z, with
    the visual graphs' nodes. Row s of `references` are graphs of `textual`.

    a_ij = Σ_k α_ijk h_jk, m_i = GRU(a_i1 … a_iJ), z_i = W_u [v_i; m_i].
    """
    scene, caption, regions = references.row, references.values, visual.rows.lengths
    v = visual.flat()
    # All regions attend alike to a reference of one node, or none: such a pair of picture and reference has one a.
    counts = np.where(textual.rows.lengths[caption] > 1, regions[scene], 1)
    first = offsets_of(regions)[scene]

    def attend(pairs: Integers) -> tuple[Array, Booleans]:
        looking = GraphLevel(v, Ragged.spans(first[pairs], first[pairs] + counts[pairs]))
        (v_i, there), (h, mask) = looking.padded(), textual.pick(caption[pairs]).padded()
        return attention(v_i, h, mask, W_a) @ h, there

    a = _joined(attend, alike(v, textual.rows.lengths[caption], counts), counts)
    sequences = _by_region(references, regions, counts)
    m = take(gru(a.nodes, sequences._replace(items=a.rows.values[sequences.items])), sequences.last)
    return GraphLevel.of(W_u(namespace(v).concatenate([v, m], axis=1)), regions)


def attention(v: Array, h: Array, mask: Booleans, W_a: Array) -> Array:
    """Equation 2: α_ijk = softmax_k W_a (v_i ⊙ h_jk) as [pairs, i, k], of v [pairs, i, d] and h [pairs, k, d]. A
    reference without nodes at this level (no relation was found in it) gives a_ij = 0."""
    return softmax((v * W_a) @ h.swapaxes(1, 2), mask)


def softmax(weight: Array, mask: Booleans) -> Array:
    """Return the softmax over the last axis of weights [graphs, i, k], where the mask [graphs, k] says that there is
    such a node, else 0."""
    xp = namespace(weight)
    there = xp.asarray(mask[:, None])
    weight = xp.where(there, weight, -1e4)  # finite: of no nodes at all, the softmax is a number, which becomes 0
    share = xp.exp(weight - xp.amax(weight, axis=2)[:, :, None])
    return share / share.sum(axis=2)[:, :, None] * there


def _joined(
    compute: Callable[[Integers], tuple[Array, Booleans]], parts: list[Integers], counts: Integers
) -> GraphLevel:
    """Return graphs with these numbers of nodes, computed in parts: nodes padded, and which there are."""
    found = []
    for part in parts:
        nodes, mask = compute(part)
        found.append(take(nodes.reshape(mask.size, -1), np.flatnonzero(mask)))
    order = np.concatenate(parts)
    rows = np.empty(len(order), np.int64)
    rows[order] = offsets_of(counts[order])[:-1]
    return GraphLevel(namespace(found[0]).concatenate(found), Ragged.spans(rows, rows + counts))


def _by_region(references: Ragged, regions: Integers, counts: Integers) -> Sequences:
    """Return the sequences of a_i1 … a_iJ of each region i, where the a come pair by pair of picture and reference, and
    each pair has this number of them: one for each region, or one for all."""
    scene = rows_of(regions)
    region = np.arange(len(scene)) - offsets_of(regions)[scene]
    pair, ends = gather(references.offsets, scene)
    item = offsets_of(counts)[pair] + np.minimum(region[rows_of(np.diff(ends))], counts[pair] - 1)
    return Sequences.pack(item, np.diff(ends))


def match_all(union: GraphLevel, candidates: GraphLevel) -> Array:
    """Equation 3 for every candidate with every union graph: S [candidates, graphs] where
    S_cg = mean over the nodes k of c of max over the nodes i of g of z_i · h_k. No nodes on either side: 0."""
    xp, z, h = namespace(union.nodes), union.flat(), candidates.flat()
    best = _best(*GraphLevel.of(z @ h.T, union.rows.lengths).padded())  # [graphs, nodes of all candidates]
    found, mask = GraphLevel.of(best.T, candidates.rows.lengths).padded()  # [candidates, k, graphs]
    counts = xp.asarray(np.maximum(candidates.rows.lengths, 1).astype(np.float32))
    return xp.where(xp.asarray(mask[:, :, None]), found, 0.0).sum(axis=1) / counts[:, None]


def match_pairs(union: GraphLevel, candidates: GraphLevel) -> Array:
    """Equation 3 for each candidate with its own union graph: S [candidates]."""
    xp, found = namespace(union.nodes), []
    parts = alike(union.nodes, candidates.rows.lengths, union.rows.lengths)
    for part in parts:
        (z, there), (h, mask) = union.pick(part).padded(), candidates.pick(part).padded()
        best = _best(z @ h.swapaxes(1, 2), there)  # [candidates, k]
        found.append(xp.where(xp.asarray(mask), best, 0.0).sum(axis=1))
    counts = xp.asarray(np.maximum(candidates.rows.lengths, 1).astype(np.float32))  # L_c
    return take(xp.concatenate(found), np.argsort(np.concatenate(parts))) / counts


def _best(found: Array, mask: Booleans) -> Array:
    """Return max_i of found [graphs, i, …], 0 of a graph without nodes; mask [graphs, i]."""
    xp = namespace(found)
    best = xp.amax(xp.where(xp.asarray(mask[:, :, None]), found, -np.inf), axis=1)
    return xp.where(xp.asarray(mask.any(axis=1, keepdims=True)), best, 0.0)


def triplet_loss(scores: Array, margin: float = 0.2, hardest: bool = True) -> Array:
    """Equation 5, or equation 4 with `hardest` off, of scores S [candidates k, images l] whose diagonal matches.

    L = Σ_k Σ_{l≠k} max(0, m − S_kk + S_kl) + max(0, m − S_kk + S_lk); L_+ keeps the hardest l of each sum.

    >>> round(float(triplet_loss(np.array([[1.0, 0.9], [0.0, 1.0]]))), 6)
    0.2
    """
    xp, own = namespace(scores), scores.diagonal()
    others = xp.asarray(~np.eye(len(scores), dtype=bool))

    def above(matching: Array) -> Array:
        loss = margin - matching + scores
        return xp.where(others & (loss > 0), loss, 0.0)

    by_image, by_candidate = above(own[:, None]), above(own[None])
    if hardest:
        return xp.amax(by_image, axis=1).sum() + xp.amax(by_candidate, axis=0).sum()
    return by_image.sum() + by_candidate.sum()
