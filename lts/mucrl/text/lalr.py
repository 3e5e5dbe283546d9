"""The parser's engine: tables of an LALR(1) grammar, run without recursion over lists of tokens.

The tables are computed from grammar.lark when that is edited, not when a text is read: neither
lark nor the time to analyse a grammar is needed here. (Aho, Lam, Sethi and Ullman, Compilers, 4.7.)
lark's own parser takes twice as long for a long text, before it has made our tree of it, and its
import half as long as a small command (`benchmarks/parsing.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["END", "Failure", "Tables", "tables"]

END = "$END"
"""The kind of the token after the last one."""

Builder = Callable[[list[Any]], Any]


@dataclass(slots=True, eq=False)
class Failure:
    """A token that nothing in the grammar allows here, and the states that were open."""

    at: int
    states: list[int]


@dataclass(slots=True, eq=False)
class Tables:
    """What grammar.lark says, as tools/dev/grammar.py writes it down.

    `actions[state][terminal]` is n > 0 to shift to state n, n < 0 to reduce by production -n, 0 to
    accept. A production is (what it reduces to, how many symbols, the name of what builds its
    value); without a name the value is that of its first symbol.
    """

    name: str
    ignored: list[str]
    operators: list[str]
    keywords: list[str]
    start: dict[str, int]
    productions: list[tuple[str, int, str | None]]
    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]

    def token_pattern(self) -> re.Pattern[str]:
        """Return what matches one token: group 1 a name, 2 an operator, 3 anything illegal."""
        operators = "|".join(map(re.escape, sorted(self.operators, key=len, reverse=True)))
        blank = "|".join(self.ignored)
        return re.compile(f"({self.name})|({operators})|{blank}|(.)")

    def run(
        self,
        start: int,
        kinds: Sequence[str],
        values: Sequence[Any],
        at: int,
        build: Sequence[Builder | None],
    ) -> Failure | None:
        """Parse from token `at` up to the next `END`; return None, or where it failed.

        `build[p]` makes the value of production p from those of its symbols.
        """
        productions, actions, gotos = self.productions, self.actions, self.gotos
        states, made = [start], []
        kind, row = kinds[at], actions[start]
        while True:
            code = row.get(kind)
            if code is None:
                return Failure(at, states)
            if code > 0:
                states.append(code)
                made.append(values[at])
                at += 1
                kind, row = kinds[at], actions[code]
            elif code < 0:
                symbol, length, _ = productions[-code]
                function = build[-code]
                if length == 1:
                    if function is not None:
                        made[-1] = function(made[-1:])
                    states.pop()
                else:
                    value = function(made[-length:]) if function else made[-length]
                    del made[-length:], states[-length:]
                    made.append(value)
                code = gotos[states[-1]][symbol]
                states.append(code)
                row = actions[code]
            else:
                return None

    def shifts(self, states: list[int]) -> dict[str, int]:
        """Return the terminals that may come next, each with the state that shifts it.

        `END` is among them, if it may come, with the state that accepts.
        """
        found = {}
        for terminal in self.actions[states[-1]]:
            stack = states[:]
            while (code := self.actions[stack[-1]].get(terminal, 1)) < 0:
                symbol, length, _ = self.productions[-code]
                del stack[-length:]
                stack.append(self.gotos[stack[-1]][symbol])
            if terminal in self.actions[stack[-1]]:
                found[terminal] = stack[-1]
        return found


@cache
def tables() -> Tables:
    """Return the tables of muCRL."""
    text = Path(__file__).with_name("tables.json").read_text(encoding="utf-8")
    return Tables(**json.loads(text))
