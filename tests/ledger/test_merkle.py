"""Merkle trees as RFC 6962 has them: against its words, and against the roots that others publish for the same leaves."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.verifier import MerkleTree, inclusion_path, merkle_root, root_from_path

# The leaves and roots that implementations of Certificate Transparency test themselves with.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_the_words_of_the_rfc(leaves: list[bytes]) -> bytes:
    """Section 2.1, recursively."""
    if len(leaves) < 2:
        return sha256(b"\x00" + leaves[0] if leaves else b"").digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + by_the_words_of_the_rfc(leaves[:split]) + by_the_words_of_the_rfc(leaves[split:])).digest()


trees = st.lists(st.binary(max_size=40), min_size=1, max_size=70)


@pytest.mark.parametrize("size", range(9))
def test_published_roots(size: int) -> None:
    assert merkle_root(LEAVES[:size]).hex() == ROOTS[size]


@given(st.lists(st.binary(max_size=40), max_size=70))
def test_a_tree_has_the_root_of_the_rfc_after_every_leaf(leaves: list[bytes]) -> None:
    tree = MerkleTree()
    for size, leaf in enumerate(leaves, start=1):
        tree.add(leaf)
        assert tree.root() == by_the_words_of_the_rfc(leaves[:size])
    assert merkle_root(leaves) == by_the_words_of_the_rfc(leaves)


@given(trees, st.data())
def test_a_path_leads_to_the_root(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path = inclusion_path(leaves, index)
    assert root_from_path(leaves[index], index, len(leaves), path) == by_the_words_of_the_rfc(leaves)


@given(trees, st.data())
def test_nothing_else_leads_there(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path, root = inclusion_path(leaves, index), merkle_root(leaves)
    assert root_from_path(leaves[index] + b"x", index, len(leaves), path) != root
    for place in range(len(path)):
        changed = [*path[:place], sha256(bytes.fromhex(path[place])).hexdigest(), *path[place + 1 :]]
        assert root_from_path(leaves[index], index, len(leaves), changed) != root
    for wrong in (path[:-1] if path else [root.hex()], [*path, root.hex()]):
        with pytest.raises(ValueError, match="the path is too"):
            root_from_path(leaves[index], index, len(leaves), wrong)


def test_a_node_is_no_leaf() -> None:
    """Without the prefixes the two digests under the root could be passed off as a leaf."""
    one, other = (sha256(b"\x00" + leaf).digest() for leaf in LEAVES[:2])
    assert merkle_root([one + other]) != merkle_root(LEAVES[:2])


@pytest.mark.parametrize("index", [-1, 3])
def test_no_path_for_a_leaf_that_is_not_there(index: int) -> None:
    with pytest.raises(IndexError, match="no leaf"):
        inclusion_path(LEAVES[:3], index)
    with pytest.raises(ValueError, match="no leaf"):
        root_from_path(b"", index, 3, [])
