"""Translates linear processes for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import count

import lts._engine as _engine
from lts.linear.process import LinearProcess, Summand
from lts.specification import codes
from lts.specification.signature import CONSTRUCTOR, FREE, MAP, Signature, in_bytes
from lts.specification.specification import Term, Variable

__all__ = ["Encoder"]


class Encoder(Signature):
    """The numbering of a specification's signature, extended by that of a linear process."""

    def __init__(self, process: LinearProcess) -> None:
        super().__init__(process.specification)
        self.process = process
        for sort in process.sorts:
            self.sorts[sort] = len(self.sorts)
        for function in process.functions:
            # Placeholders and constants without rules are values that no sum ranges over.
            other = MAP if function.arguments else FREE
            self.declare(function, CONSTRUCTOR if function.constructor else other)
        self.rules += [self.rule(rule) for rule in process.rules]

    def linear_process(self, groups: Sequence[Sequence[int]] = ()) -> _engine.Process:
        """Return the linear process as an engine object.

        `groups` are lists of summands with the same action. The first summand of a group gets the
        steps of all of them and updates every parameter that one of them updates; the others become
        impossible.
        """
        process = self.process
        impossible = codes.Summand(
            [], [(self.term(process.specification.true), False)], [], b"tau", [], []
        )
        encoded = self.alternatives()
        # Summands that take part in simultaneous steps have no steps of their own.
        summands = [
            impossible if summand.takes_part else own
            for summand, own in zip(process.summands, encoded, strict=True)
        ]
        for first, *others in groups:
            written = {p for n in (first, *others) for p, _ in process.summands[n].updates}

            def updates(number: int, written: set[int] = written) -> list[tuple[int, Term]]:
                own = dict(process.summands[number].updates)
                return [(p, own.get(p, process.parameters[p].variable)) for p in sorted(written)]

            further = [self._summand(process.summands[n], updates(n)) for n in others]
            joined = self._summand(process.summands[first], updates(first))
            summands[first] = joined._replace(also=further)
            for number in others:
                summands[number] = impossible
        found = _engine.Process(
            self.declared(),
            [self.term(term) for term in process.initial],
            summands,
            [self._summand(decision, ()) for decision in process.decisions],
            self.simultaneous(encoded),
        )
        found.bound_calls(process.stacks)
        return found

    def simultaneous(self, encoded: Sequence[codes.Summand]) -> codes.Simultaneous | None:
        """Return those of the `encoded` summands that take part in simultaneous steps."""
        process = self.process
        processes: dict[int, list[tuple[int, codes.Summand, list[bytes]]]] = {}
        for number, summand in enumerate(process.summands):
            if (part := summand.takes_part) is not None:
                own = processes.setdefault(part.process, [])
                own.append((number, encoded[number], [*map(in_bytes, part.names)]))
        if not processes:
            return None
        admitted = None
        if process.admitted is not None:
            admitted = [[*map(in_bytes, names)] for names in sorted(process.admitted)]
        return codes.Simultaneous([own for _, own in sorted(processes.items())], admitted)

    @cached_property
    def _parameters(self) -> dict[Variable, int]:
        """The number of each parameter."""
        return {p.variable: number for number, p in enumerate(self.process.parameters)}

    def alternatives(self) -> list[codes.Summand]:
        """Return the encoded summands, ungrouped."""
        return [self._summand(summand, summand.updates) for summand in self.process.summands]

    def _summand(self, summand: Summand, updates: Sequence[tuple[int, Term]]) -> codes.Summand:
        numbers = self._parameters.copy()
        numbers.update(zip(summand.variables, count(len(numbers)), strict=False))
        equations = [(self.term(a, numbers), self.term(b, numbers)) for a, b in summand.equations]
        return codes.Summand(
            [self.sorts[v.sort] for v in summand.variables],
            [(self.term(g.term, numbers), g.positive) for g in summand.guards],
            equations,
            in_bytes(summand.action or "tau"),
            [self.term(argument, numbers) for argument in summand.arguments],
            [(p, self.term(term, numbers)) for p, term in updates],
        )
