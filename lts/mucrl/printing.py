"""Writes linear processes as muCRL specifications, with the origin of each part in comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lts.linear.declarations import AddedDeclarations, Names, Same
from lts.linear.process import LinearProcess, Summand
from lts.linear.sort_values import SortValues
from lts.mucrl.static.numbers import is_of_numbers
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    variables_of,
)

__all__ = ["linear_text"]

_NUMBERS = (("Nat", "Nat"),)
"""The arguments of the library's map that decides whether two numbers are the same."""


def linear_text(process: LinearProcess, heading: Sequence[str] = ()) -> str:
    """Return a linear process as the text of a muCRL specification with a single process.

    The lines of the `heading` come first, as comments.

    Equations between terms become conditions, written with maps that decide whether two values are
    the same, in rules whose order does not matter. If all values are constants, linearisation
    recognises such maps and restores the equations.
    """
    return "".join(f"% {line}\n" for line in heading) + _Printer(process).text()


class _Printer:
    def __init__(self, process: LinearProcess) -> None:
        self.process = process
        specification = process.specification
        self.taken = {f.name for f in (*specification.functions, *process.functions)}
        self.taken |= {*specification.sorts, *process.sorts}
        self.taken |= {action.name for action in specification.actions}
        self.taken |= {p.variable.name for p in process.parameters}
        names = Names(self.taken)
        self.name = names.new("X")
        values = SortValues(process)
        # The library decides it for its numbers.
        known = {
            f.arguments[0]: f
            for f in specification.functions
            if f.name == "eq" and specification.numbers and f.arguments in _NUMBERS
        }
        self.added = AddedDeclarations(names)
        truths = specification.true, specification.false
        self.same = Same(self.added, values.builders, known, truths)
        self.conditions = [
            [self.same.of(left, right) for left, right in summand.equations]
            for summand in process.summands
        ]

    def text(self) -> str:
        process, specification = self.process, self.process.specification
        included, rules = _of_numbers(specification)
        lines = ["%@ include Nat"] if included else []
        declared_sorts = [
            sort for sort in specification.sorts if not (included and sort in ("Bool", "Nat"))
        ]
        declared_sorts += [*process.sorts, *self.added.sorts]
        if declared_sorts:
            lines.append(f"sort {' '.join(declared_sorts)}")
        functions = [f for f in specification.functions if f not in included]
        functions += [*process.functions, *self.added.functions]
        meanings = {
            constant.function: " . ".join(map(str, state)) or "(terminated)"
            for shape in process.shapes
            for constant, state in zip(shape.constants, shape.states, strict=True)
        }
        for keyword, constructor in (("func", True), ("map ", False)):
            declared = [f for f in functions if f.constructor == constructor]
            for number, function in enumerate(declared):
                comment = f"    % {_line(meanings[function])}" if function in meanings else ""
                lines.append(f"{'    ' if number else keyword} {_declaration(function)}{comment}")
        lines += _rules((*rules, *process.rules, *self.added.rules))
        if specification.actions:
            actions = sorted(specification.actions, key=lambda a: (a.name, a.sorts))
            for number, action in enumerate(actions):
                sorts = f": {' # '.join(action.sorts)}" if action.sorts else ""
                lines.append(f"{'   ' if number else 'act'} {action.name}{sorts}")
        lines.append("")
        for number, component in enumerate(process.components):
            held = [process.parameters[p] for p in component.parameters]
            names = ", ".join(
                f"{p.variable} = {p.origin}" if p.origin is not None else str(p.variable)
                for p in held
            )
            lines.append(f"% component {number}, {component.name}: {names or 'no parameters'}")
        lines += [f"% {remark}" for remark in process.parameter_remarks]
        typed = ", ".join(f"{p.variable}: {p.variable.sort}" for p in process.parameters)
        lines.append(f"proc {self.name}{f'({typed})' if typed else ''} =")
        for number, summand in enumerate(process.summands):
            if where := process.where(summand):
                lines.append(f"    % {where}")
            shown = self.summand(summand, self.conditions[number])
            lines.append(f"    {'+' if number else ' '} ({shown})")
        if not process.summands:
            lines.append("      delta")
        lines += ["", f"init {self.call(map(str, process.initial))}"]
        return "\n".join(lines) + "\n"

    def call(self, arguments: Iterable[str]) -> str:
        listed = ", ".join(arguments)
        return f"{self.name}({listed})" if listed else self.name

    def summand(self, summand: Summand, equations: Sequence[Application]) -> str:
        values = [str(p.variable) for p in self.process.parameters]
        for number, term in summand.updates:
            values[number] = str(term)
        action = summand.action or "tau"
        if summand.arguments:
            action += f"({','.join(map(str, summand.arguments))})"
        text = f"{action} .\n        {self.call(values)}"
        conditions = [(str(equation), True) for equation in equations]
        conditions += [(str(guard.term), guard.positive) for guard in summand.guards]
        for number, (condition, positive) in enumerate(reversed(conditions)):
            inner = f"({text})" if number or not positive else text
            if positive:
                text = f"{inner}\n        <| {condition} |> delta"
            else:
                text = f"delta <| {condition} |>\n        {inner}"
        for variable in reversed(summand.variables):
            text = f"sum({variable}: {variable.sort}, {text})"
        return text


def _of_numbers(specification: Specification) -> tuple[set[Function], list[Rule]]:
    """Return the functions of the library's numbers (none if not included), and all other rules."""
    if not specification.numbers:
        return set(), list(specification.rules)
    included = {f for sort in specification.numbers.values() for f in sort.constructors}
    included |= {specification.true.function, specification.false.function}
    rules = []
    for rule in specification.rules:
        if is_of_numbers(specification.source, rule):
            included.add(rule.left.function)
        else:
            rules.append(rule)
    return included, rules


def _line(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:97]}..."


def _declaration(function: Function) -> str:
    arguments = " # ".join(function.arguments)
    return f"{function.name}: {arguments + ' ' if arguments else ''}-> {function.sort}"


def _rules(rules: Iterable[Rule]) -> Iterator[str]:
    """Yield the lines of rules, with a new `var` section wherever the variables change."""
    known: dict[str, str] | None = None
    for rule in rules:
        used = {v.name: v.sort for v in variables_of(rule.left)}
        if known is None or any(known.get(name) != sort for name, sort in used.items()):
            known = used
            if used:
                yield f"var {' '.join(f'{name}: {sort}' for name, sort in used.items())}"
            yield f"rew {rule.left} = {rule.right}"
        else:
            yield f"    {rule.left} = {rule.right}"
