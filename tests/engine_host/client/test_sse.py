from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.client.sse import EventDecoder, EventTooLong, ServerEvent


def decode(*pieces: bytes) -> list[ServerEvent]:
    decoder = EventDecoder()
    return [event for piece in pieces for event in decoder.feed(piece)]


LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
DATA = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\n"), max_size=30)


@given(st.lists(DATA, max_size=6), LINE_ENDS, st.booleans(), st.data())
def test_that_events_do_not_depend_on_where_the_network_splits_them(
    texts: list[str], end: str, comments: bool, draw: st.DataObject
) -> None:
    comment = f": still here{end}{end}" if comments else ""
    # the line feed after it tells that a final CR stands alone
    raw = "".join(f"{comment}data: {text}{end}{end}" for text in texts).encode() + b"\n"
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(raw)), max_size=12)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert [event.data for event in decode(*pieces)] == texts


@pytest.mark.parametrize(
    ("raw", "events"),
    [
        (b"data:tight\n\n", [ServerEvent("tight")]),
        (b"data: one\ndata: two\n\n", [ServerEvent("one\ntwo")]),
        (b"event: error\ndata: x\n\n", [ServerEvent("x", "error")]),
        (b"id: 7\nretry: 10\ndata\n\n", [ServerEvent("")]),
        (b": keep-alive\n\n", []),
        (b"\xef\xbb\xbfdata: after a mark\n\n", [ServerEvent("after a mark")]),
        (b"data: unfinished", []),
        (b"data: unfinished\n", []),
        (b"event: lonely\n\ndata: x\n\n", [ServerEvent("x")]),
    ],
)
def test_that_fields_follow_the_rules_of_server_sent_events(raw: bytes, events: list[ServerEvent]) -> None:
    assert decode(raw) == events


def test_that_a_stream_without_an_end_is_given_up() -> None:
    with pytest.raises(EventTooLong):
        decode(*[b"data: " + b"x" * 1024 * 1024] * 9)
