"""A choice that is not made leaves the protocol as it is."""

from __future__ import annotations

from dataclasses import fields

from vericap.judging.protocol_choice import ProtocolChoice
from vericap.judging.protocols import Protocol


def test_nothing_chosen_changes_nothing():
    assert ProtocolChoice("own-kept").changes() == {}
    protocol = Protocol("mine", ties="lose")
    assert protocol.changed(**ProtocolChoice().changes()) is protocol


def test_zero_references_are_a_choice_too():
    assert ProtocolChoice(references_used=0).changes() == {"references_used": 0}
    assert Protocol("mine").changed(**ProtocolChoice(references_used=0).changes()).references_used == 0


def test_every_option_of_the_command_line_has_a_help_text_that_is_a_sentence():
    shown = [each for each in fields(ProtocolChoice) if "help" in each.metadata]
    assert len(shown) == 12
    assert all(each.metadata["help"].endswith(".") for each in shown)
