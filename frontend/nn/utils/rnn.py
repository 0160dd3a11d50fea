"""`flow.nn.utils.rnn`: sequences of different lengths, padded or packed."""

from typing import TYPE_CHECKING

from penstock.basics.names import no_such
from penstock.nn.functional.sequences import PackedSequence as PackedSequence
from penstock.nn.functional.sequences import invert_permutation as invert_permutation
from penstock.nn.functional.sequences import pack_padded_sequence as pack_padded_sequence
from penstock.nn.functional.sequences import pack_sequence as pack_sequence
from penstock.nn.functional.sequences import pad_packed_sequence as pad_packed_sequence
from penstock.nn.functional.sequences import pad_sequence as pad_sequence
from penstock.nn.functional.sequences import unpack_sequence as unpack_sequence
from penstock.nn.functional.sequences import unpad_sequence as unpad_sequence

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence",
    "pad_packed_sequence", "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_such("flow.nn.utils.rnn")
