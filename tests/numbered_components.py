"""Specifications with numbered components, and the number of their symmetries."""

SAMPLES = {
    "around a mutex": (
        """act get, put, take, leave, enter, exit: Pos; eat: Pos # Nat;
        proc Philosopher(id: Pos, n: Nat) =
          take(id) . eat(id, n) . leave(id) . Philosopher(id, (n + 1) mod 3);
        Mutex = sum i: Pos. get(i) . put(i) . Mutex;
        init allow({enter, exit, eat}, comm({take|get -> enter, leave|put -> exit},
          Philosopher(1, 0) || Philosopher(2, 0) || Philosopher(3, 0) || Mutex));""",
        6,
    ),
    "around a table": (
        """act take, up, leave, down, get, put: Pos # Pos;
        map right: Pos -> Pos;
        eqn right(1) = 2; right(2) = 3; right(3) = 1;
        proc Philosopher(id: Pos) =
          take(id, id) . take(id, right(id)) . leave(id, id) . leave(id, right(id)) .
          Philosopher(id);
        Fork(i: Pos) = sum p: Pos. up(p, i) . down(p, i) . Fork(i);
        init allow({get, put}, comm({take|up -> get, leave|down -> put},
          Philosopher(1) || Philosopher(2) || Philosopher(3) || Fork(1) || Fork(2) || Fork(3)));""",
        3,
    ),
    "from zero": (
        """act a: Nat; b: Nat # Nat;
        proc P(id: Nat, n: Nat) = a(id) . b(id, n) . P(id, (n + 1) mod 2);
        init P(0, 0) || P(1, 0) || P(2, 0);""",
        6,
    ),
    "in a list": (
        """act ask, go, req, grant, r, g: Nat;
        proc User(id: Nat) = ask(id) . go(id) . User(id);
        Queue(l: List(Nat)) = sum i: Nat. (#l < 3) -> req(i) . Queue(l <| i)
          + (l != []) -> grant(head(l)) . Queue(tail(l));
        init allow({r, g}, comm({ask|req -> r, go|grant -> g},
          User(1) || User(2) || User(4) || Queue([])));""",
        6,
    ),
    "in a set": (
        """act join, in_, j: Pos; all: Set(Pos);
        proc User(id: Pos) = join(id) . User(id);
        Room(s: Set(Pos)) = sum i: Pos. (!(i in s)) -> in_(i) . Room(s + {i}) + all(s) . Room({});
        init allow({j, all}, comm({join|in_ -> j}, User(7) || User(2) || User(5) || Room({})));""",
        6,
    ),
    "in a function": (
        """act set, hear, s: Pos # Bool; show;
        proc User(id: Pos) = set(id, true) . set(id, false) . User(id);
        Flags(f: Pos -> Bool) = sum i: Pos, b: Bool. hear(i, b) . Flags(f[i -> b])
          + (exists i: Pos. i in [1, 2, 3] && f(i)) -> show . Flags(f);
        init allow({s, show}, comm({set|hear -> s},
          User(1) || User(2) || User(3) || Flags(lambda i: Pos. false)));""",
        6,
    ),
    "in a structure": (
        """sort Message = struct message(from: Pos, size: Nat);
        act send, receive, m: Message; got: Pos # Nat;
        proc User(id: Pos) = send(message(id, 1)) . User(id);
        Box = sum x: Message. receive(x) . got(from(x), size(x) + 1) . Box;
        init hide({m}, allow({m, got}, comm({send|receive -> m}, User(1) || User(2) || Box)));""",
        2,
    ),
    "in a function that says who": (
        """act set, hear, s: Pos; show: Pos;
        proc User(id: Pos) = set(id) . User(id);
        Flags(f: Pos -> Bool) = sum i: Pos. (!f(i)) -> hear(i) . Flags(f[i -> true])
          + sum i: Pos. (i in [1, 2, 3] && f(i)) -> show(i) . Flags(f[i -> false]);
        init allow({s, show}, comm({set|hear -> s},
          User(1) || User(2) || User(3) || Flags(lambda i: Pos. false)));""",
        6,
    ),
    "one is special": (
        """act a, b: Pos;
        proc P(id: Pos) = a(id) . ((id == 1) -> b(id) . P(id) <> P(id));
        init P(1) || P(2) || P(3);""",
        2,
    ),
    "a literal in an equation": (
        """map king: Pos -> Bool; var p: Pos; eqn king(3) = true; p != 3 -> king(p) = false;
        act a, b: Pos;
        proc P(id: Pos) = a(id) . (king(id) -> b(id) . P(id) <> P(id));
        init P(1) || P(2) || P(3);""",
        2,
    ),
    "two classes": (
        """act a: Pos # Pos;
        proc P(id: Pos) = sum d: Pos. (d in [1, 2, 3]) -> a(id, d) . P(id);
        init P(1) || P(2);""",
        12,
    ),
    "two classes that move together": (
        """act a, b: Pos; proc P(i, j: Pos) = a(i) . b(j) . P(i, j);
        init P(1, 3) || P(2, 1) || P(3, 2);""",
        6,
    ),
    "wider in what communicates": (
        """act get, lock, g, q: Nat; own: Pos;
        proc P(id: Pos) = get(id) . own(id) . P(id); L = sum i: Nat. lock(i) . q(i) . L;
        init allow({g, own, q}, comm({get|lock -> g}, P(1) || P(2) || P(3) || L));""",
        6,
    ),
    "started twice": (
        """act a: Pos; proc P(id: Pos) = a(id) . delta; init P(1) || P(1) || P(2) || P(3);""",
        2,
    ),
    "wider in actions": (
        """act a: Nat; b: Int;
        proc P(id: Pos) = a(id) . b(id) . P(id); init P(1) || P(2) || P(3);""",
        6,
    ),
    "a sort of all for `exists`": (
        """act a: Pos; proc P(id: Pos) = (exists n: Pos. n == id && n != 3) -> a(id) . P(id);
        init P(1) || P(2) || P(3);""",
        2,
    ),
    "overloads that stay apart": (
        """act a: Pos; a: Pos # Nat; b: Pos;
        proc P(id: Pos, n: Nat) = a(id) . a(id, n) . P(id, (n + 1) mod 2);
        init P(1, 0) || P(2, 1) || P(3, 0);""",
        2,
    ),
    "one text, two meanings": (
        """act a: Pos; a: Nat;
        proc P(id: Pos) = a(id) . P(id); Q(n: Nat) = a(n) . Q((n + 1) mod 3);
        init P(1) || P(2) || Q(1);""",
        1,
    ),
    "together": (
        """act a, b: Pos; proc P(id: Pos) = a(id) | b(id) . P(id); init P(1) || P(2);""",
        2,
    ),
    "in a bag": (
        """act a: Pos; n: Nat;
        proc P(id: Pos, b: Bag(Pos)) =
          a(id) . P(id, if(count(id,b) < 2, b + {id:1}, {:}))
          + n(count(id, b)) . P(id, b);
        init allow({a,n}, P(1,{:}) || P(2,{:}));""",
        2,
    ),
    "in a bag with another": (
        """act a: Pos; m: Nat;
        proc P(id: Pos, b: Bag(Pos)) =
          a(id) . P(id, {id:2, 3:1})
          + m(count(3, b)) . P(id,b);
        init allow({a,m}, P(1,{:}) || P(2,{:}));""",
        2,
    ),
    "a global variable": (
        """glob dc: Pos; act a: Pos;
        proc P(id: Pos) =
          a(id) . P(dc);
        init allow({a}, P(1) || P(2) || P(3));""",
        2,
    ),
    "a local name": (
        """act a: Pos;
        proc P(id: Pos) = (x != 2 whr x = id end) -> a(id) . P(id);
        init allow({a}, P(1) || P(2) || P(3));""",
        2,
    ),
    "what a table returns": (
        """act a: Pos;
        proc P(h: Bool -> Pos, b: Bool) = a(h(b)) . P(h, !b);
        init allow({a}, P(lambda x: Bool. if(x,1,2), true) ||
          P(lambda x: Bool. if(x,2,1), true));""",
        2,
    ),
    "a function of functions": (
        """map f: Pos -> Pos -> Bool; var p,q: Pos;
        eqn f(p)(q) = p == q; act a: Pos;
        proc P(id, o: Pos) = f(id)(o) -> a(id) . P(id, o) + a(o) . P(id, id);
        init allow({a}, P(1,2) || P(2,1));""",
        2,
    ),
    "in a set that something says": (
        """act a: Pos; b: Bool;
        proc P(id: Pos, s: Set(Pos)) =
          a(id) . P(id, {n: Pos | n != id})
          + b(1 in s) . P(id, s);
        init allow({a,b}, P(1,{}) || P(2,{}) || P(3, {}));""",
        2,
    ),
    "all but one": (
        """act a: Pos; b: Bool;
        proc P(id: Pos, s: Set(Pos)) =
          a(id) . P(id, !{id})
          + b(id in s) . P(id, s);
        init allow({a,b}, P(1,{}) || P(2,{}) || P(3, {}));""",
        6,
    ),
    "in a set of structures": (
        """sort S = struct p(x: Pos) | z; act a: Pos; b: Bool;
        proc P(s: Set(S), id: Pos) =
          (#s < 3) -> a(id) . P(s + {p(id), p(5)}, id)
          + b(p(1) in s) . P({}, id);
        init allow({a,b}, P({}, 1) || P({},2) || P({}, 3));""",
        2,
    ),
}
