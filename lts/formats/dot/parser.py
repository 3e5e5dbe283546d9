"""Parser of the DOT language: from text to edges and the attributes of nodes."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from itertools import pairwise

from lts.base.bounds import EDGES_AT_ONCE, SUBGRAPHS
from lts.errors import Unsupported
from lts.formats.dot.attributes import DRAWING, READ, REFUSED
from lts.formats.dot.tokens import (
    EDGE,
    KEYWORD,
    NODE,
    OTHER,
    TokenCursor,
    label_text,
    name_text,
    names_edge,
    record_fields,
    with_name,
)

__all__ = ["MARKS", "TLC", "Graph", "parse"]

TLC = "DiskGraph"
"""The name of the graphs that TLC writes."""

MARKS = {"none", "point", "plain", "plaintext", "invis"}
"""Shapes of a node whose only purpose is an arrow to the initial state."""

DOUBLE = {"doublecircle", "doubleoctagon"}
"""Shapes of accepting states; others have two outlines."""

_OUTPUT = re.compile(r".*?\s/\s+(\S.*)", re.DOTALL)
"""The output in the label of a state: `q0 / out`; in a record it is the second field."""

_MOST_REMEMBERED = 1 << 10
"""Most texts of further attributes that are remembered as harmless."""


@dataclass
class Graph:
    """The edges and nodes of a text, in their order.

    Nodes are numbered by their first occurrence anywhere in the text. Ports, clusters and `strict`
    are ignored. `label` has positions in `labels`; an edge without a label has the position of
    None.
    """

    name: str = ""
    nodes: dict[str, int] = field(default_factory=dict)
    attributes: dict[int, dict[str, str]] = field(default_factory=dict)
    """The attributes of nodes that indicate the role of a node; nodes without any are left out."""
    legend: set[int] = field(default_factory=set)
    """Nodes of the legend in which TLC explains its colours."""
    is_mcrl2: bool = False
    """Whether the graph has the form in which mCRL2 writes them."""
    source: array[int] = field(default_factory=lambda: array("I"))
    label: array[int] = field(default_factory=lambda: array("I"))
    target: array[int] = field(default_factory=lambda: array("I"))
    labels: dict[str | None, int] = field(default_factory=dict)
    unlabelled: dict[int, int] = field(default_factory=dict)
    """The position in the text of each edge without a label, by its number."""
    texts: dict[int, str] = field(default_factory=dict)
    """The labels of nodes that contain no output."""
    shaped: set[int] = field(default_factory=set)
    """Nodes whose own attributes have a shape."""
    is_shaped: bool = False
    """Whether there is a default shape."""
    unread: dict[str, None] = field(default_factory=dict)
    """Names of attributes that are neither read nor known to be drawing."""


@dataclass
class _Scope:
    """Default attributes of a subgraph, and its nodes if it can be an end of an edge."""

    node: dict[str, str]
    edge: dict[str, str]
    members: set[int] | None = None
    is_legend: bool = False


def parse(tokens: TokenCursor) -> Graph:
    """Return the graph of a text; raise `FormatError` with the place of a syntax error."""
    return _Parser(tokens).parse()


def _matters(found: dict[str, str]) -> bool:
    """Whether attributes may indicate an initial-state marker, an initial or accepting state, or an
    output."""
    special = found.get("shape") in MARKS | DOUBLE
    return special or not found.keys().isdisjoint(("peripheries", "style", "output"))


def _output(label: str, token: str) -> str | None:
    """Return the output in the label of a state; None for a name alone.

    A second field makes a record of a label, whatever shape the state has: automata with outputs
    are drawn with two outlines as well.
    """
    fields = record_fields(token)
    if len(fields) > 1:
        return "|".join(fields[1:]) if any(fields[1:]) else None
    found = _OUTPUT.fullmatch(label)
    return None if found is None else found[1].strip()


class _Parser:
    def __init__(self, tokens: TokenCursor) -> None:
        self.tokens = tokens
        self.graph = Graph()
        self.scope = _Scope({}, {})
        self.depth = 0
        # Caches: the node, and the label number, of each token met so far.
        self.seen: dict[str, int] = {}
        self.known: dict[str, int] = {}
        self.token_of_label = ""

    def parse(self) -> Graph:
        tokens = self.tokens
        if tokens.is_word("strict"):
            tokens.advance()
        if tokens.is_word("graph"):
            tokens.wrong("an undirected graph is not an LTS: expected `digraph`")
        if not tokens.is_word("digraph"):
            tokens.wrong("expected `digraph`")
        tokens.advance()
        if tokens.token != "{":
            self.graph.name = name_text(tokens.name_token())
        tokens.expect("{")
        self.statements()
        tokens.expect("}")
        if tokens.token:
            tokens.wrong("expected nothing after the graph")
        return self.graph

    def statements(self) -> None:
        tokens = self.tokens
        while True:
            if self.scope.members is None:
                tokens.go(self.plain_edges(tokens.start))
            if tokens.token == "}":
                return
            if not tokens.token:
                tokens.wrong("the text ends before the graph does: expected `}`")
            if tokens.token == ";":
                tokens.advance()
            else:
                self.statement()

    def plain_edges(self, at: int) -> int:
        """Read edges and nodes of the most frequent forms from a position on; return where these
        end."""
        graph, seen, known = self.graph, self.seen, self.known
        add, by, to = graph.source.append, graph.label.append, graph.target.append
        harmless: set[str] = set()
        edge, node, text = EDGE.match, NODE.match, self.tokens.text
        while True:
            found = edge(text, at)
            if found is not None:
                one, other, token, more = found.groups()
                if more and more not in harmless:
                    if "invis" in more or not READ.union(DRAWING).issuperset(OTHER.findall(more)):
                        return at  # an attribute to be noted or refused
                    if len(harmless) < _MOST_REMEMBERED:
                        harmless.add(more)
                source = seen.get(one)
                if source is None and (source := self.plain_node(one)) is None:
                    return at
                target = seen.get(other)
                if target is None and (target := self.plain_node(other)) is None:
                    return at
                label = known.get(token)
                if label is None:
                    if names_edge(token):
                        return at  # to be refused
                    label = known[token] = self.number(label_text(token))
                add(source)
                by(label)
                to(target)
            else:
                found = node(text, at)
                if found is None:
                    return at
                one = found[1]
                if one not in seen and self.plain_node(one) is None:
                    return at
            at = found.end()

    def plain_node(self, token: str) -> int | None:
        """Return the node that a token names, or None for a keyword."""
        if KEYWORD.fullmatch(token):
            return None
        number = self.seen[token] = self.node(name_text(token))
        return number

    def number(self, label: str | None) -> int:
        labels = self.graph.labels
        return labels.setdefault(label, len(labels))

    def statement(self) -> None:
        tokens = self.tokens
        for word in ("graph", "node", "edge"):
            if tokens.is_word(word):
                self.defaults(word)
                return
        start, token = tokens.start, tokens.token
        is_subgraph = tokens.token == "{" or tokens.is_word("subgraph")
        ends = [self.end()]
        if not is_subgraph and tokens.token == "=":
            tokens.advance()
            tokens.name_token("a value")
            return
        while tokens.token in ("->", "--"):
            if tokens.token == "--":
                tokens.wrong("an undirected edge is not a transition: expected `->`")
            tokens.advance()
            ends.append(self.end())
        if len(ends) > 1:
            self.edges(ends, start)
        elif not is_subgraph and tokens.token == "[":
            [[node]] = ends
            attributes, found = self.graph.attributes, self.attributes()
            self.note_outlines(found)
            label = found.pop("label", None)
            if label is not None:
                self.token_of_label = with_name(self.token_of_label, token)
                label = label_text(self.token_of_label)
                # A later label replaces an earlier one.
                self.graph.texts.pop(node, None)
                if "output" in attributes.get(node, {}):
                    attributes[node] = {**attributes[node]}
                    del attributes[node]["output"]
            output = _output(label, self.token_of_label) if label else None
            if output is not None and self.graph.name != TLC:
                found["output"] = output
            elif label:
                self.graph.texts[node] = record_fields(
                    self.token_of_label, is_record="record" in found.get("shape", "").lower()
                )[0]
            if "shape" in found:
                self.graph.shaped.add(node)
            if node in attributes or _matters(found):
                attributes[node] = attributes.get(node, {}) | found

    def defaults(self, word: str) -> None:
        tokens = self.tokens
        tokens.advance()
        if tokens.token != "[":
            tokens.wrong(f"expected `[` after `{word}`")
        start, found = tokens.start, self.attributes()
        if word == "edge":
            self.refuse_label(found, start)
            self.scope.edge = self.scope.edge | found
        elif word == "node":
            self.note_outlines(found)
            if found.pop("label", "") and self.token_of_label.strip('"') != "\\N":
                self.graph.unread["label"] = None
            self.graph.is_shaped |= "shape" in found
            combined = self.scope.node | found
            self.scope.node = combined if _matters(combined) else {}

    def edges(self, ends: list[list[int]], start: int) -> None:
        own = self.attributes()
        self.refuse_label(own, start)
        found = self.scope.edge | own
        if "invis" in found.get("style", ""):
            message = "an invisible edge is not drawn, so it is no transition: remove it"
            self.tokens.wrong(message, start, Unsupported)
        label = found.get("label")
        number, graph = self.number(label), self.graph
        for left, right in pairwise(ends):
            if len(left) * len(right) > EDGES_AT_ONCE.default:
                self.tokens.wrong(EDGES_AT_ONCE.exceeded(), start)
            for source in left:
                for other in right:
                    if label is None:
                        graph.unlabelled[len(graph.source)] = start
                    graph.source.append(source)
                    graph.label.append(number)
                    graph.target.append(other)

    def refuse_label(self, found: dict[str, str], start: int) -> None:
        """Refuse a label of edges whose text depends on the edge, or is a table."""
        if "label" in found and names_edge(self.token_of_label):
            message = "this label has a table, or stands for names of the edge, and is not read"
            self.tokens.wrong(message, start, Unsupported)

    def note_outlines(self, found: dict[str, str]) -> None:
        """Note outlines of nodes that are neither those of a plain state nor accepting."""
        if found.get("peripheries", "1") not in ("0", "1", "2"):
            self.graph.unread["peripheries"] = None
        if found.get("shape") == "tripleoctagon":
            self.graph.unread["shape"] = None

    def end(self) -> list[int]:
        """Return the nodes at one end of an edge: one node, or all nodes of a subgraph."""
        tokens = self.tokens
        name = ""
        if tokens.is_word("subgraph"):
            tokens.advance()
            if tokens.token != "{":
                name = name_text(tokens.name_token())
        elif tokens.token != "{":
            if KEYWORD.fullmatch(tokens.token):
                tokens.wrong("a keyword cannot be a name unless it is in quotes")
            name = name_text(tokens.name_token())
            if tokens.token == "=":
                self.graph.is_mcrl2 |= name == "mclimit"
                self.attribute(name, None, tokens.start)
                return []  # the name of an attribute
            node = self.node(name)
            for _ in range(2):
                if tokens.token == ":":
                    tokens.advance()
                    tokens.name_token("a port")
            return [node]
        return self.subgraph(name)

    def subgraph(self, name: str) -> list[int]:
        if self.depth == SUBGRAPHS.default:
            self.tokens.wrong(SUBGRAPHS.exceeded())
        outer = self.scope
        inner = _Scope(outer.node, outer.edge, set(), outer.is_legend)
        if self.graph.name == TLC:
            inner.is_legend |= name == "cluster_legend"
            if name == "cluster_graph":
                inner.members = None  # stands for all nodes, and cannot be an end of an edge
        self.scope, self.depth = inner, self.depth + 1
        self.tokens.expect("{")
        self.statements()
        self.scope, self.depth = outer, self.depth - 1
        self.tokens.expect("}")
        members = inner.members or set()
        if outer.members is not None:
            outer.members |= members
        return sorted(members)

    def node(self, name: str) -> int:
        nodes = self.graph.nodes
        number = nodes.get(name)
        if number is None:
            number = nodes[name] = len(nodes)
            if self.scope.node:
                self.graph.attributes[number] = self.scope.node
        if self.scope.is_legend:
            self.graph.legend.add(number)
        if self.scope.members is not None:
            self.scope.members.add(number)
        return number

    def attribute(self, name: str, value: str | None, start: int) -> None:
        """Refuse an attribute that changes the meaning of nodes or edges, and note one that is
        unknown; an attribute of the graph itself has no value here."""
        if value is not None and value not in REFUSED.get(name, (value,)):
            message = f"the attribute `{name}` has a meaning that is not read"
            self.tokens.wrong(message, start, Unsupported)
        known = name in DRAWING or name in READ or (value is not None and name in REFUSED)
        if not known:
            self.graph.unread[name] = None

    def attributes(self) -> dict[str, str]:
        tokens = self.tokens
        found: dict[str, str] = {}
        while tokens.token == "[":
            tokens.advance()
            while tokens.token != "]":
                name, value = name_text(tokens.name_token("an attribute, or `]`")), "true"
                start = tokens.start
                if tokens.token == "=":
                    tokens.advance()
                    token = tokens.name_token("a value")
                    value = label_text(token)
                    if name == "label":
                        self.token_of_label = token
                if name in READ:
                    found[name] = value
                else:
                    self.attribute(name, value, start)
                if tokens.token in (",", ";"):
                    tokens.advance()
            tokens.advance()
        return found
