"""What is known of terms that no equation gives a value, without one, and how they are shown."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import SpecificationError
from lts.mcrl2 import read_text
from lts.mcrl2.data.symbols import MINUS, SUCC_POS
from lts.specification.signature import Signature
from lts.specification.terms import Application, Function, short_text
from lts.state_space import generate

SORTS = {
    "x": "Bool", "p": "Pos", "n": "Nat", "m": "Nat", "i": "Int", "r": "Real", "l": "List(Nat)",
    "s": "Set(Nat)", "b": "Bag(Nat)", "d": "D", "f": "Nat -> Nat",
}  # fmt: skip
DECLARED = f"""
sort D = struct u | v(w: Nat) ? is_v;
map {" ".join(f"{name}: {sort};" for name, sort in SORTS.items())}
"""
PLACES = dict(zip("BPNIRLSGDF", dict.fromkeys(SORTS.values()), strict=True))
VALUES = {
    "Bool": ("true", "false"), "Pos": ("1", "2", "5"), "Nat": ("0", "1", "4"),
    "Int": ("0", "3", "-1", "-4"), "Real": ("0", "3 / 2", "-1 / 3"),
    "List(Nat)": ("[]", "[1]", "[3, 0, 1]"), "Set(Nat)": ("{}", "{1}", "{0, 2}", "!{1, 3}"),
    "Bag(Nat)": ("{:}", "{1: 2}", "{0: 1, 3: 2}"), "D": ("u", "v(0)", "v(2)"),
    "Nat -> Nat": ("lambda k: Nat. k + 1", "lambda k: Nat. 3"),
}  # fmt: skip
KNOWN = """
Bool: x && true = x; true && x = x; x && false = false; false && x = false; x || true = true;
  true || x = true; x || false = x; false || x = x; x => true = true; true => x = x;
  x => false = !x; false => x = true; !!x = x; false <= x = true; false < x = x; true <= x = x;
  true < x = false;  x <= true = true; x < true = !x; x <= false = !x; x < false = false;
  x == x = true; x != x = false; x == true = x;
  p < 1 = false; 1 <= p = true; p < p = false; p <= p = true; p == p = true; p != p = false;
  1 > p = false; p >= 1 = true;
  n < 0 = false; 0 <= n = true; p < 0 = false; 0 <= p = true; p != -2 = true; n < -1 = false;
  n <= -1 = false; n >= -1 = true; -1 <= p = true; i <= i = true; i < i = false; n == n = true;
  r == r = true; r < r = false; r <= r = true;
  l == l = true; l < l = false; l <= l = true; [] <= l = true; l < [] = false;
  s == s = true; s <= s = true; s < s = false; {} <= s = true; 1 in {} + s = 1 in s;
  b == b = true; b <= b = true; b < b = false; {:} <= b = true;
  d == d = true; d < d = false; u <= d = true; v(n) < v(m) = n < m; is_v(v(n)) = true
Pos: p + 1 = 1 + p; p + 0 = p; 0 + p = p; 1 * p = p; p * 1 = p; min(1, p) = 1; min(p, p) = p;
  max(1, p) = p; max(p, p) = p; abs(p) = p; exp(p, 0) = 1;
  if(x, p, p) = p; if(true, p, 2) = p; if(false, 2, p) = p
Nat: n + 0 = n; 0 + n = n; n * 0 = 0; 0 * n = 0; n * 1 = n; exp(n, 0) = 1; exp(n, 1) = n;
  abs(n) = n; max(0, n) = n; min(0, n) = 0; w(v(n)) = n; head(n |> l) = n; (n |> l) . 0 = n;
  (n |> l) . 1 = l . 0; f[1 -> 9](1) = 9; f[1 -> 9](2) = f(2);
  f[1 -> 9][1 -> 8](1) = 8;
  if(x, n, n) = n; count(1, {:} + b) = count(1, b)
Int: n - 0 = n; min(p, -2) = -2; min(-2, n) = -2; exp(i, 0) = 1; max(i, i) = i
List(Nat): l ++ [] = l; [] ++ l = l; tail(n |> l) = l; if(x, l, l) = l
Set(Nat): s + {} = s; {} + s = s; s * {} = {}; {} * s = {}; s - {} = s; {} - s = {}
Bag(Nat): b + {:} = b; {:} + b = b; b * {:} = {:}; {:} * b = {:}; b - {:} = b; {:} - b = {:}
D: if(x, d, d) = d
"""
ROWS = [
    (sort, *map(str.strip, row.split(" = ")))
    for sort, rows in (line.split(":", 1) for line in KNOWN.replace("\n  ", " ").split("\n")[1:-1])
    for row in rows.split(";")
]


def _labels(declared: str, sort: str, texts: list[str]) -> list[str]:
    calls = "+".join(f"a({number}, {text})" for number, text in enumerate(texts))
    system = generate(read_text(f"{declared} act a: Nat # ({sort}); init {calls};"))
    found = dict(label[2:-1].split(",", 1) for label in system.labels)
    return [found[str(number)] for number in range(len(texts))]


@pytest.mark.parametrize("sort", VALUES)
def test_identities_of_open_terms_are_simplified(sort: str) -> None:
    rows = [(left, right) for of, left, right in ROWS if of == sort]
    if rows:
        found = _labels(DECLARED, sort, [left for left, _ in rows])
        assert found == _labels(DECLARED, sort, [right for _, right in rows])


def test_booleans_without_values_are_compared_with_constants() -> None:
    rows = {
        "u < true": "!u", "u < false": "false", "true < u": "false", "false < u": "u",
        "u <= true": "true", "u <= false": "!u", "true <= u": "u", "false <= u": "true",
    }  # fmt: skip
    assert _labels("map u: Bool;", "Bool", list(rows)) == list(rows.values())


@given(st.fixed_dictionaries({n: st.sampled_from(VALUES[s]) for n, s in SORTS.items()}))
def test_simplified_identities_hold_for_all_values(values: dict[str, str]) -> None:
    equations = " ".join(f"{name} = {value};" for name, value in values.items())
    texts = [f"({left}) == ({right})" for _, left, right in ROWS]
    assert set(_labels(f"{DECLARED} eqn {equations}", "Bool", texts)) == {"true"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a(d1, d2)", "b(d1, f(d1))"),
        ("a(d1, f(d1))", "b(d1, d2)"),
        ("(sum x: D. a(x, x))", "b(d2, f(d1))"),
        ("(sum x: D. a(x, x))", "b(f(d1), d2)"),
        ("(sum x: D. a(x, f(x)))", "b(d1, d2)"),
    ],
)
def test_irreducible_arguments_may_communicate(one, other):
    text = f"""sort D = struct d1 | d2; map f: D -> D; act a, b, c: D # D;
    init allow({{c}}, comm({{a|b -> c}}, {one} || {other}));"""
    with pytest.raises(SpecificationError, match=r"`f\(d1\)` does not reduce to a value"):
        generate(read_text(text))
    known = text.replace("act", "eqn f(d1) = d1; act")
    assert generate(read_text(known)).transition_count == 0
    assert generate(read_text(known.replace("= d1;", "= d2;"))).transition_count == 1


def test_irreducible_terms_may_be_equal():
    text = """sort D = struct d1 | d2; M = struct some(D) | none; map f: D -> D;
    act a, b, c: M # D; h;
    proc X = sum x: D. a(some(x), f(x)); Y(m: M) = b(m, f(d2)) + h.Y(none);
    init allow({c, h}, comm({a|b -> c}, X || Y(some(d1))));"""
    with pytest.raises(SpecificationError, match=r"`f\(d1\)` does not reduce to a value"):
        generate(read_text(text))
    known = text.replace("act a", "eqn f(d1) = d1; f(d2) = d2; act a")
    assert generate(read_text(known)).transition_count == 2
    assert generate(read_text(known.replace("f(d1) = d1", "f(d1) = d2"))).transition_count == 3


@pytest.mark.parametrize(
    ("term", "shown"),
    [("head(l) + 1", "(head([])+1)"), ("head(l) + 3", "(head([])+3)"), ("head(l) + 0", "head([])")],
)
def test_successors_of_terms_are_shown_as_sums(term, shown):
    text = f"map l: List(Nat); eqn l = []; act a: Nat; init a({term});"
    assert list(generate(read_text(text)).labels) == [f"a({shown})"]


OPERATORS = """
Bool: !$B; $B && $B; $B || $B; $B => $B; is_v($D); exists k: Nat. k < $N && k != $N;
  forall k: Pos. k in $L || $B; exists k: D. k < $D && $B; $D < $D; $D <= $D; $D > $D; $D >= $D;
  $D == $D; $D != $D; $N < $N; $P <= $N; $I > $P; $R >= $R; $R < $I; $B < $B; $B <= $B; $L < $L;
  $L >= $L; $S < $S; $S <= $S; $G < $G; $G <= $G; $N in $L; $N in $S; $N in $G; $L == $L; $S != $S
Pos: $P + $N; $P * $P; max($P, $N); exp($P, $N); Nat2Pos($N); succ($N); if($B, $P, $P);
  $P whr k = $N + $N end
Nat: $N + $N; $N * $N; $N div $P; $N mod $P; $I mod $P; sqrt($N); exp($N, $N); abs($I); w($D);
  min($N, $N); pred($P); #$L; #$G; count($N, $G); head($L); rhead($L); $L . $N; $F($N);
  if($B, $N, $N); Int2Nat($I); k + $N whr k = $N + $N end
Int: -$P; -$N; -$I; $P - $P; $N - $P; $I - $I; $I + $P; $I * $I; $I div $P; pred($N); succ($I);
  min($I, $I); floor($R); ceil($R); round($R); exp($I, $N)
Real: $R + $R; $R - $R; $R * $R; $R / $R; $I / $P; $P / $N; -$R; abs($R); exp($R, $I);
  max($R, $R); succ($R); $R / $P; if($B, $R, $R)
List(Nat): $N |> $L; $L <| $N; $L ++ $L; tail($L); rtail($L); [$N, $N]; if($B, $L, $L)
Set(Nat): {$N, $N}; $S + $S; $S * $S; $S - $S; !$S; {k: Nat | k < $N}; {k: Nat | k in $L && $B};
  Bag2Set($G); if($B, $S, $S)
Bag(Nat): {$N: $N, $N: $N}; $G + $G; $G * $G; $G - $G; Set2Bag($S); if($B, $G, $G)
D: v($N); if($B, $D, $D)
Nat -> Nat: lambda k: Nat. k + $N; $F[$N -> $N]; if($B, $F, $F)
"""
APPLIED = [
    (sort, row.strip())
    for sort, rows in (
        line.split(": ", 1) for line in OPERATORS.replace("\n  ", " ").split("\n")[1:-1]
    )
    for row in rows.split(";")
]
WORDS = {"true", "false", *re.findall(r"\w+", re.sub(r"\$\w", "", OPERATORS) + DECLARED)}
"""What a label may show: names that a text has."""
A_VALUE = re.compile(r"(?:true|false|[uv]|[-\d/,:!{}()[\]])*")


def _written(random: Random, sort: str, depth: int) -> str:
    """An expression of a sort, in which most names are without a value."""
    if depth == 0:
        names = [name for name, of in SORTS.items() if of == sort]
        return random.choice((*names, *names, *VALUES[sort]))
    return _filled(random, random.choice([row for of, row in APPLIED if of == sort]), depth)


def _filled(random: Random, row: str, depth: int) -> str:
    def part(place: re.Match[str]) -> str:
        return f"({_written(random, PLACES[place[1]], random.randrange(depth))})"

    return re.sub(r"\$(\w)", part, row)


def test_labels_show_terms_as_texts_write_them() -> None:
    random, shown = Random(11), Counter[str]()
    for sort in VALUES:
        texts, rows = [], []
        for of, row in APPLIED:
            if of == sort:
                for depth in (1, 1, 1, 1, 2, 2, 3):
                    texts.append(_filled(random, row, depth))
                    rows.append(row)
        labels = _labels(DECLARED, sort, texts)
        for row, label in zip(rows, labels, strict=True):
            assert {*re.findall(r"@|[A-Za-z_]\w*", label)} <= WORDS, label
            shown[row] += any(re.search(rf"\b{name}\b", label) for name in SORTS)
        _labels(DECLARED, sort, labels)  # each is read
        for values in ({n: random.choice(VALUES[s]) for n, s in SORTS.items()} for _ in range(2)):
            equations = " ".join(f"{name} = {value};" for name, value in values.items())
            known = f"{DECLARED} eqn {equations}"
            of_texts, of_labels = _labels(known, sort, texts), _labels(known, sort, labels)
            for label, text, other in zip(labels, of_texts, of_labels, strict=True):
                assert text == other or not A_VALUE.fullmatch(text), label
    assert sum(map(bool, shown.values())) >= len(APPLIED) - 3, shown


def test_rule_names_refer_to_the_text() -> None:
    large = "+".join(["k"] * 101)
    text = f"""{DECLARED} map g: Nat -> Bool;
    var k: Nat;
    eqn g(k) = (exists j: Nat. j * j > i) && {{j: Nat | j < k}} == s whr i = {large} end;
    act a; init (d < v(2)) -> a;"""
    specification = read_text(text)
    names = Counter(rule.name for rule in Signature(specification).rules)
    assert not [name for name in names if "@" in name]
    assert {f"the rule for `{word}` of line 6" for word in ("exists", "set", "whr", "g")} <= {
        *names
    }
    assert {"the rule for `<`", "a predefined rule"} <= {*names}
    with pytest.raises(SpecificationError) as found:
        generate(specification)
    assert "`(d < v(2))` is neither `true` nor `false`: no equation" in str(found.value)
    assert "@" not in str(found.value)
    assert "rank" not in str(found.value)


def test_successors_are_written_as_a_sum() -> None:
    unknown = Application(Function("k", (), "Pos"))
    term = Application(SUCC_POS, (Application(SUCC_POS, (unknown,)),))
    assert (str(term), short_text(term, 10, in_label=True)) == ("k+2", "(k+2)")
    assert str(Application(MINUS, (term,))) == "-(k+2)"
