"""Generation against a reader and an interpreter of texts that share nothing with the product."""

import re
from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, Unsupported, generate
from lts.mcrl2 import read_text
from mcrl2_texts import HEAD, random_text
from naive.mcrl2_text import Interpreter, tokens
from naive.systems import bisimilar
from strategies import examples

MOST = 40


def sorted_actions(label):
    """Return a label without blanks, its actions sorted."""
    label = label.replace(" ", "")
    return "|".join(sorted(re.findall(r"(?:[^|(\[]|\([^()]*(?:\([^()]*\)[^()]*)*\))+", label)))


def agree(text):
    """Compare the systems of a text; return how large it is, None if it is not compared."""
    try:
        found = generate(read_text(text), max_states=10 * MOST)
    except (LimitReached, Unsupported):
        return None
    expected = Interpreter(text).transitions(MOST)
    if expected is None:
        return None
    transitions, count = expected
    same = [(source, sorted_actions(label), target) for source, label, target in found]
    left = LTS.from_transitions(same, state_count=found.state_count)
    assert bisimilar(left, LTS.from_transitions(transitions, state_count=count)), text
    return count


def respaced(text, random):
    """Return the text with other blanks and comments between its tokens, or none."""
    pieces = []
    for token in tokens(text):
        gap = random.choice(["", " ", "\n", "\t", " % a+b.c;\n", "%\n", "\r\n"])
        if not gap and pieces:
            last = pieces[-1]
            gap = "" if [*tokens(last + token)] == [last, token] else " "
        pieces += [gap, token]
    return "".join(pieces) + "\n"


def test_both_readers_give_equal_state_spaces():
    reached = Counter()

    @settings(max_examples=examples(3), suppress_health_check=[*HealthCheck])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        text = random_text(random)
        count = agree(respaced(text, random))
        reached["compared"] += count is not None
        reached["several states"] += count is not None and count > 4
        body = text[len(HEAD) :]
        for word in (" || ", "|> ", " ++ ", "=>", "<>", "sum ", "Y()", "allow", "comm", "#"):
            reached[word] += count is not None and word in body

    check()
    assert min(reached.values()) > 0, reached
    assert len(reached) == 12
