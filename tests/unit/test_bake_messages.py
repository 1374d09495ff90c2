"""Messages survive the pipe, and nothing else passes for one."""

import pytest
from tendril.bake import messages
from tendril.bake.messages import decode, encode, message


def test_a_message_comes_back_from_its_line():
    said = message("warning", object="Seil ü\n\udcff", frame=3, text='€\t"quoted"')
    line = encode(said)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert decode(line) == said


@pytest.mark.parametrize(
    "line",
    [b"", b"hello\n", b"[]\n", b"3\n", b'{"kind": "spam"}\n', b'{"kind": "done"}\n', b'{"kind": []}\n', b"\xff\n"],
)
def test_a_line_that_is_no_message_is_a_log(line):
    assert decode(line)["kind"] == "log"


def test_a_message_with_wrong_entries_cannot_be_made():
    with pytest.raises(ValueError, match="frames"):
        message("done", frame=3)


def test_every_end_of_a_bake_has_an_exit_code_of_its_own():
    assert len(set(messages.EXIT_CODES.values())) == len(messages.EXIT_CODES) == 5
    assert messages.EXIT_CODES.keys() <= messages.KINDS.keys()
