"""The table of `test_option_matrix.py`: commands, kinds of input, and options with their words."""

from dataclasses import dataclass, field

# P passes on d1 or d2, which are exchangeable; Q has an internal step, and with N=2 another action.
# `LOOSE` adds an action with a value that no equation matches.
P = "proc P = sum(d:D, pick(d).s.put(d).P)\n"
Q = "proc Q = tau.R\n     R = s.Q + go.R\n%@ for i in 2..N\n         + more.R\n%@ end\n"
ENUM = "%@ parameter N = 1\n%@ include Enum of d1,d2 as D\n"
MUCRL = f"{ENUM}act pick,put: D\n    s,go,more\n{P}{Q}init P || Q\n"
MUCRL_Q = f"{ENUM}act s,go,more\n{Q}init Q\n"
MCRL2_Q = """map N: Pos;
eqn N = 1;
act s,go,more,h;
proc Q = h.R;
     R = s.Q + go.R + (N == 2) -> more.R;
"""
MCRL2_P = "sort D = struct d1 | d2; act pick,put: D; proc P = sum d:D. pick(d).s.put(d).P;\n"
MCRL2 = f"{MCRL2_Q}{MCRL2_P}init hide({{h}}, allow({{pick,put,s,go,more,h}}, P || Q));\n"
NETWORK_P = (
    'des (0,6,5)\n(0,"pick(d1)",1)\n(0,"pick(d2)",2)\n(1,"s",3)\n(2,"s",4)\n'
    '(3,"put(d1)",0)\n(4,"put(d2)",0)\n'
)
TEXTS = {
    "m.mcrl": MUCRL,
    "m.mcrl2": MCRL2,
    "m4.mcrl": MUCRL.replace("tau.R", "tau.tau.R"),
    "p.aut": NETWORK_P,
    "q.mcrl": MUCRL_Q,
    "m.exp": "p.aut ||| q.mcrl\n",
    "other.mcrl": MCRL2,
    "otherq.mcrl": MCRL2_Q + "init hide({h}, Q);\n",
    "other.exp": "p.aut ||| otherq.mcrl\n",
    "loose.mcrl": MUCRL.replace("act", "map odd: D -> D\nact see: D\n   ").replace(
        "+ go.R", "+ see(odd(d1)).R"
    ),
    "loose.mcrl2": MCRL2.replace("more,h;", "more,h; see: Nat;")
    .replace("map", "map odd: Nat -> Nat;\n")
    .replace("+ go.R", "+ see(odd(1)).R")
    .replace("more,h}", "more,h,see}"),
    "looseq.mcrl": MUCRL_Q.replace("act", "map odd: D -> D\nact see: D\n   ").replace(
        "+ go.R", "+ see(odd(d1)).R"
    ),
    "loose.exp": "p.aut ||| looseq.mcrl\n",
}

KINDS = {
    "muCRL": "m.mcrl",
    "mCRL2": "m.mcrl2",
    "network": "m.exp",
    ".aut": "m.aut",
    "reduction": "r.aut",
    "parts": "m.parts",
    "stdin": "< m.aut",
    "muCRL on stdin": "< m.mcrl",
}

# The arguments of commands, where FILE is the input file; none for those that read no system.
COMMANDS = {
    "check": ["FILE", "[true*.s]false", "--json"],
    "check A": ["FILE", "A G !put(d1)", "--json"],
    "check-symmetry": ["FILE", "--symmetry", "(d1 d2)", "--json"],
    "compare -e": ["FILE", "m4.aut", "-e", "strong", "--json"],
    "compare A": ["FILE", "m4.aut", "--preorder", "trace", "--json"],
    "compare B": ["m4.aut", "FILE", "--preorder", "trace", "--json"],
    "compare --symmetry": ["FILE", "m4.exp", "-e", "strong", "--symmetry", "(d1 d2)", "--json"],
    "completion": None,
    "doctor": None,
    "format": None,
    "language-server": None,
    "compose": ["FILE"],
    "convert": ["FILE", "--tau-cycles", "merge"],
    "draw": ["FILE", "--to", "dot"],
    "draw --symmetry": ["FILE", "--to", "dot", "--symmetry", "(d1 d2)"],
    "evaluate": ["FILE", "d1"],
    "expand": ["FILE"],
    "find-symmetry": ["FILE", "--json"],
    "generate": ["FILE"],
    "info": ["FILE", "--json"],
    "info --symmetry": ["FILE", "--json", "--symmetry", "(d1 d2)"],
    "linearise": ["FILE"],
    "minimise": ["FILE", "-e", "branching"],
    "minimise -e": ["FILE", "-e", "divergence-preserving-branching"],
    "minimise --symmetry": ["FILE", "-e", "branching", "--symmetry", "(d1 d2)", "-o", "OUT"],
    "reduce": ["FILE", "--symmetry", "(d1 d2)", "-o", "OUT"],
    "reduce --as-process": ["FILE", "--symmetry", "(d1 d2)", "--as-process", "quotient"],
    "reduce --count": ["FILE", "--symmetry", "(d1 d2)", "--count", "--json"],
    "rename": ["FILE", "put(*)=out(*)"],
    "run": None,
    "simulate": ["FILE"],
    "split": ["FILE", "--json"],
    "tables": None,
    "view": ["FILE", "-o", "OUT.html"],
    "view --symmetry": ["FILE", "-o", "OUT.html", "--symmetry", "(d1 d2)"],
}

ELSEWHERE = {
    "--help",
    "--quiet",
    "--progress",
    "--json",
    "--debug",
    "--colour",
    "--verbose",
    "--cluster",
}
"""Options about the looks of output, and options that need a cluster (`tests/cluster`)."""


@dataclass(frozen=True)
class Row:
    """An option: its words, and how the right result is determined.

    `seen`: the result equals that of the same words on the .aut file, and differs from that without
    them. `same`: it equals that without them. `limit`: the same, or a limit is reached. `wrong`:
    there is none, exit code 2. `instead` replaces the file of a kind; `like` is a file with the
    expected result, or `likes` that of a kind.
    """

    words: list[str]
    kind: str = "same"
    like: str = "m.aut"
    instead: dict[str, str] = field(default_factory=dict)
    likes: dict[str, str] = field(default_factory=dict)


LOOSE = {
    "muCRL": "loose.mcrl",
    "mCRL2": "loose.mcrl2",
    "network": "loose.exp",
    "muCRL on stdin": "< loose.mcrl",
}

OPTIONS = {
    "--any": Row(["--any"]),
    "--as-such": Row(["--as-such"], likes={"reduction": "bare.aut"}),
    "--certificate": Row(["--certificate", "OUT.cert"]),
    "--check": Row(["--check"]),
    "--classes": Row(["--classes", "OUT.classes"]),
    "--confluence": Row(["--confluence"], like="less.aut"),
    "--count": Row(["--count"], "seen"),
    "--deadlocks": Row(["--deadlocks"], "seen"),
    "--divergence": Row(["--divergence"], "seen"),
    "--equivalence": Row(["--equivalence", "weak-trace"], "seen"),
    "--evidence": Row(["--evidence", "OUT.evidence.aut"]),
    "--fair": Row(["--fair", "G !put(d1)"], "seen"),
    "--find": Row(["--find", "more"], "seen"),
    "--formula": Row(["--formula", "<go>true"], "seen"),
    "--from": Row(
        ["--from", "aut"],
        instead={".aut": "m.fsm", "reduction": "r.fsm", "parts": "m.fsm", "stdin": "< m.aut"},
    ),
    "--hide": Row(["--hide", "s"], "seen"),
    "--identities": Row(["--identities", "N.result"]),
    "--include-path": Row(["--include-path", "."]),
    "--keep-unreachable": Row(["--keep-unreachable"]),
    "--labels": Row(["--labels", "name"]),
    "--multiaction": Row(["--multiaction", "more"], "seen"),
    "--net": Row(["--net", "n"]),
    "--language": Row(
        ["--language", "mcrl2"],
        "same",
        instead={
            "muCRL": "other.mcrl",
            "network": "other.exp",
            "muCRL on stdin": "< m.mcrl2",
            "stdin": "< m.mcrl2",
        },
    ),
    "--ignore-time": Row(["--ignore-time"]),
    "--max-memory": Row(["--max-memory", "16G"]),
    "--max-states": Row(["--max-states", "3"], "limit"),
    "--max-values": Row(["--max-values", "1"], "limit"),
    "--no-simplify": Row(["--no-simplify", "all"], "same"),
    "--node-limit": Row(["--node-limit", "1000"]),
    "--order": Row(["--order", "bfs"]),
    "--other-symmetry": Row(["--other-symmetry", "(d1 d2)"]),
    "--output": Row(["--output", "OUT"]),
    "--partial": Row(["--partial"]),
    "--partitions": Row(["--partitions", "2"]),
    "--permute": Row(["--permute", "(d1 d2)"], "seen"),
    "--preorder": Row(["--preorder", "trace"], "seen"),
    "--preserve": Row(["--preserve", "[true*.s]<true*.go>true"]),
    "--proof-sample": Row(["--proof-sample", "5"]),
    "--reachable": Row(["--reachable"]),
    "--reduce": Row(["--reduce", "weak"]),
    "--replay": Row(["--replay", "m.trace"], "seen"),
    "--resume": Row(["--resume"]),
    "--run": Row(["--run", "OUT"]),
    "--salvage": Row(["--salvage"], instead={".aut": "cut.aut", "stdin": "< cut.aut"}),
    "--set": Row(["--set", "N=2"], "same", like="m2.aut"),
    "--strategy": Row(["--strategy", "enumerate"]),
    "--strict": Row(["--strict"], "wrong", instead=LOOSE),
    "--strong": Row(["--strong", "go"]),
    "--symmetry-proof": Row(["--symmetry-proof", "tested"]),
    "--tau": Row(["--tau", "s"], "seen"),
    "--tau-cycles": Row(["--tau-cycles", "loop"], "seen"),
    "--threads": Row(["--threads", "2"]),
    "--timeout": Row(["--timeout", "500"]),
    "--to": Row(["--to", "dot"]),
    "--trace": Row(["--trace", "OUT.trace"]),
    "--traces": Row(["--traces", "all"]),
    "--write-symmetry": Row(["--write-symmetry", "OUT.own"]),
}

# Options for which the words of the table do not fit a command, or have no visible effect.
SPECIAL = {
    ("check", "--permute"): Row(["--permute", "(d1 d2)"]),
    ("check A", "--permute"): Row(["--permute", "(d1 d2)"]),
    ("check", "--fair"): Row(["--fair", "G F go"], "wrong"),
    ("check A", "--hide"): Row(["--hide", "put"], "seen"),
    ("check A", "--tau"): Row(["--tau", "put(d1)"], "seen"),
    ("check-symmetry", "--hide"): Row(["--hide", "pick(d1)"], "seen"),
    ("check-symmetry", "--tau"): Row(["--tau", "pick(d1)"], "seen"),
    **{
        (f"compare {which}", option): row
        for which in ("-e", "A", "B", "--symmetry")
        for option, row in {
            "--equivalence": Row(["--equivalence", "branching"], "seen"),
            "--preorder": Row(["--preorder", "weak-trace"], "seen"),
            "--hide": Row(["--hide", "s,go"], "seen"),
            "--tau": Row(["--tau", "s,go,tau"], "seen"),
            "--permute": Row(["--permute", "(d1 d2)"]),
        }.items()
    },
    # These have a symmetry already: a second one is refused, and the same one says nothing new.
    **{
        (command, "--permute"): Row(["--permute", "(d2 d1)"], "wrong")
        for command, words in COMMANDS.items()
        if words and "--symmetry" in words and not command.startswith("compare")
    },
    ("compose", "--preserve"): Row(["--preserve", "[true*.s]<true*.go>true"], "seen"),
    ("compose", "--reduce"): Row(["--reduce", "weak"], "seen"),
    ("convert", "--tau"): Row(["--tau", "s,go,tau"], "seen"),
    ("convert", "--tau-cycles"): Row(["--tau-cycles", "loop", "--tau", "s,go,tau"], "seen"),
    ("convert", "--to"): Row(["--to", "dot"], "seen"),
    ("draw", "--to"): Row(["--to", "dot"]),
    ("draw", "--layout"): Row(["--layout", "circle"]),
    ("draw --symmetry", "--layout"): Row(["--layout", "circle"]),
    ("evaluate", "--set"): Row(["--set", "N=2"]),
    ("evaluate", "--strict"): Row(["--strict"]),
    ("expand", "--permute"): Row(["--permute", "r.aut.sym"]),
    # The output does not say which labels are internal.
    ("expand", "--tau"): Row(["--tau", "s"]),
    ("find-symmetry", "--tau"): Row(["--tau", "pick(d1)"], "seen"),
    ("find-symmetry", "--states"): Row(["--states"]),
    # Terms that no equation matches are refused when they are met.
    ("find-symmetry", "--strict"): Row(["--strict"]),
    # The other system is a network, to which it applies.
    ("compare --symmetry", "--strict"): Row(["--strict"]),
    ("generate", "--preserve"): Row(["--preserve", "[true*.s]<true*.go>true"], "seen"),
    ("generate", "--reduce"): Row(["--reduce", "weak"], "seen"),
    ("info", "--labels"): Row(["--labels"], "seen"),
    ("info --symmetry", "--labels"): Row(["--labels"], "seen"),
    ("linearise", "--confluence"): Row(["--confluence"], "seen"),
    ("linearise", "--set"): Row(["--set", "N=2"], "seen"),
    ("linearise", "--strict"): Row(["--strict"]),
    ("minimise", "--strong"): Row(["--strong", "go"], "wrong"),
    ("minimise -e", "--strong"): Row(["--strong", "s"], "seen"),
    ("reduce", "--tau"): Row(["--tau", "pick(d1)"], "seen"),
    ("reduce --count", "--tau"): Row(["--tau", "pick(d1)"], "seen"),
    ("reduce", "--plain"): Row(["--plain"], "same"),
    ("reduce --as-process", "--plain"): Row(["--plain"]),
    ("reduce --count", "--plain"): Row(["--plain"]),
    ("reduce --count", "--count"): Row(["--count"]),
    ("reduce --count", "--as-process"): Row(["--as-process"]),
    ("reduce --as-process", "--as-process"): Row(["--as-process", "quotient"]),
    ("reduce --as-process", "--confluence"): Row(["--confluence"], "seen"),
    ("reduce --as-process", "--set"): Row(["--set", "N=2"], "seen"),
    ("rename", "--tau"): Row(["--tau", "s"]),
    ("simulate", "--strict"): Row(["--strict"]),
    ("split", "--set"): Row(["--set", "N=2"], "seen"),
    ("view", "--permute"): Row(["--permute", "(d1 d2)"]),
    ("view", "--replay"): Row(["--replay", "m.trace"], instead={"reduction": "m.aut"}),
    ("view --symmetry", "--replay"): Row(["--replay", "m.trace"], instead={"reduction": "m.aut"}),
}
