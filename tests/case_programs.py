"""Some case studies as programs independent of their specifications: states and orbits.

A program has the initial state, the successors of a state, and the image of a state under a
permutation of the exchangeable sorts. States are tuples; members of sorts are numbers from 0.
"""

from functools import partial
from itertools import permutations, product


def allocator_sharing():
    """Messages in the links, phases of clients, whether the allocator has confirmed, and to whom.

    Clients 0 and 1 have low, 5 and 6 high priority; the others share in a circle."""
    level = (0, 0, 1, 1, 1, 2, 2)
    partner = {2: 3, 3: 4, 4: 2}
    start = (("",) * 7, ("idle",) * 7, False, None)

    def successors(state):
        links, phases, confirmed, served = state

        def to(message, phase, c):
            new = [*links], [*phases]
            new[0][c], new[1][c] = message, phase
            return tuple(new[0]), tuple(new[1]), confirmed, served

        def other(c, message, state):
            links, *rest = state
            return (*links[: partner[c]], message, *links[partner[c] + 1 :]), *rest

        for c in range(7):
            match phases[c], links[c]:
                case "idle", "":
                    yield to("request", "waits", c)
                case "waits", "confirmation":
                    yield to("", "uses", c)
                case "uses", _:
                    if c in partner and links[partner[c]] == "request":
                        yield other(c, "confirmation", to(links[c], "shares", c))
                    else:
                        yield to("finished", "idle", c)
                case "shares", _ if links[partner[c]] == "finished":
                    yield other(c, "", to("finished", "idle", c))
        if served is None:
            waiting = [c for c in range(7) if links[c] == "request"]
            for c in waiting:
                if level[c] == max(level[d] for d in waiting):
                    yield (*links[:c], "", *links[c + 1 :]), phases, False, c
        elif not confirmed:
            yield (*links[:served], "confirmation", *links[served + 1 :]), phases, True, served
        elif links[served] == "finished":
            yield (*links[:served], "", *links[served + 1 :]), phases, False, None

    def image(state, moved):
        low, circle, high = moved
        # Of the permutations of the circle those that keep its direction are symmetries.
        turn = circle[0]
        places = (*low, *(2 + (i + turn) % 3 for i in range(3)), *(5 + i for i in high))
        member = dict(enumerate(places)) | {None: None}
        links, phases, confirmed, served = state
        return rearranged(links, member), rearranged(phases, member), confirmed, member[served]

    return start, successors, image, (2, 3, 2)


def three_tiers_mixed(each, third):
    """For each client whether it waits; the request in the buffer of the second server; phases of
    servers, each with its client; the phase of the database, with its server."""
    clients = 2 * each + third
    server = [*(i % 2 for i in range(2 * each)), *(2,) * third]
    start = ((False,) * clients, None, (("free", None),) * 3, ("free", None))

    def successors(state):
        waits, buffered, servers, base = state

        def at(row, place, value):
            return (*row[:place], value, *row[place + 1 :])

        for c, s in enumerate(server):
            taking = servers[s] == ("free", None)
            serving = at(servers, s, ("serves", c)) if taking else None
            if not waits[c] and s != 1 and taking:
                yield at(waits, c, True), buffered, serving, base
            if not waits[c] and s == 1 and buffered is None:
                yield at(waits, c, True), c, servers, base
            if buffered == c and taking:
                yield waits, None, serving, base
        for s, (phase, c) in enumerate(servers):
            if phase == "serves" and base[0] == "free":
                yield waits, buffered, at(servers, s, ("asks", c)), ("asked", s)
            elif phase == "asks" and base == ("asked", s):
                yield waits, buffered, at(servers, s, ("has", c)), ("recovers", s)
            elif phase == "has":
                yield at(waits, c, False), buffered, at(servers, s, ("forgets", c)), base
            elif phase == "forgets":
                yield waits, buffered, at(servers, s, ("free", None)), base
        if base[0] == "recovers":
            yield waits, buffered, servers, ("free", None)

    def image(state, moved):
        first, second, last = moved
        odd, even = (2 * i for i in first), (2 * i + 1 for i in second)
        pairs = [c for two in zip(odd, even, strict=True) for c in two]
        member = dict(enumerate((*pairs, *(2 * each + i for i in last)))) | {None: None}
        waits, buffered, servers, base = state
        servers = tuple((phase, member[c]) for phase, c in servers)
        return rearranged(waits, member), member[buffered], servers, base

    return start, successors, image, (each, each, third)


def load_balancer(servers, clients):
    idle, sent, answered, done = range(4)
    nobody = None
    start = (
        (idle,) * clients,
        nobody,
        nobody,
        False,
        ((),) * servers,
        ((nobody, False),) * servers,
    )

    def successors(state):
        phases, channel, accepted, passed, queues, served = state

        def at(row, place, value):
            return (*row[:place], value, *row[place + 1 :])

        for c, phase in enumerate(phases):
            if phase == idle and channel is nobody:
                yield at(phases, c, sent), c, accepted, passed, queues, served
            if phase == answered:
                yield at(phases, c, done), channel, accepted, passed, queues, served
            if phase == done:
                yield at(phases, c, idle), channel, accepted, passed, queues, served
        if channel is not nobody and accepted is nobody:
            yield phases, nobody, channel, False, queues, served
        if passed:
            yield phases, channel, nobody, False, queues, served
        least = min(map(len, queues))
        for s, (queue, (whom, has_answered)) in enumerate(zip(queues, served, strict=True)):
            if accepted is not nobody and not passed and len(queue) == least < 3:
                longer = at(queues, s, (*queue, accepted))
                yield phases, channel, accepted, True, longer, served
            if whom is nobody and queue:
                taken = at(served, s, (queue[0], False))
                yield phases, channel, accepted, passed, at(queues, s, queue[1:]), taken
            if whom is not nobody and not has_answered:
                told = at(served, s, (whom, True))
                yield at(phases, whom, answered), channel, accepted, passed, queues, told
            if has_answered:
                yield phases, channel, accepted, passed, queues, at(served, s, (nobody, False))

    def image(state, moved):
        client, server = (dict(enumerate(one)) for one in moved)
        client[nobody] = nobody
        phases, channel, accepted, passed, queues, served = state
        return (
            rearranged(phases, client),
            client[channel],
            client[accepted],
            passed,
            rearranged([tuple(client[c] for c in queue) for queue in queues], server),
            rearranged([(client[c], told) for c, told in served], server),
        )

    return start, successors, image, (clients, servers)


def dijkstra(N):
    nobody = None
    start = (("out",) * N, frozenset(), frozenset(), nobody)

    def successors(state):
        places, want, claim, turn = state
        for i, place in enumerate(places):

            def to(new, want=want, claim=claim, turn=turn, i=i):
                return (*places[:i], new, *places[i + 1 :]), want, claim, turn

            if place == "out":
                yield to("tries")
            elif place == "tries":
                yield to("turn", want=want | {i})
            elif place == "turn":
                yield to("claim" if turn == i else "gives")
            elif place == "gives":
                yield to("looks", claim=claim - {i})
            elif place == "looks":
                yield to("turn" if turn in want else "takes")
            elif place == "takes":
                yield to("turn", turn=i)
            elif place == "claim":
                yield to("tests", claim=claim | {i})
            elif place == "tests":
                yield to("turn" if claim - {i} else "enters")
            elif place == "enters":
                yield to("inside")
            elif place == "inside":
                yield to("left")
            elif place == "left":
                yield to("forgets", claim=claim - {i})
            else:
                yield to("out", want=want - {i})

    def image(state, moved):
        [one] = moved
        places, want, claim, turn = state
        member = dict(enumerate(one)) | {nobody: nobody}
        sets = (frozenset(member[i] for i in s) for s in (want, claim))
        return rearranged(places, member), *sets, member[turn]

    return start, successors, image, (N,)


def e_mail(N):
    """Who is not yet ready; messages in the network, each of its sender and receiver; the one that
    the mailer has; for each client the sender of the message in its box."""
    start = (frozenset(range(N)), (), None, (None,) * N)

    def successors(state):
        preparing, network, taken, boxes = state

        def put(owner, letter):
            return (*boxes[:owner], letter, *boxes[owner + 1 :])

        for i in preparing:
            yield preparing - {i}, network, taken, boxes
        for i in range(N):
            if boxes[i] is not None:
                yield preparing, network, taken, put(i, None)
            elif not preparing and len(network) < 2:
                for j in range(N):
                    yield preparing, (*network, (i, j)), taken, boxes
        if network and taken is None:
            yield preparing, network[1:], network[0], boxes
        if taken is not None and boxes[taken[1]] is None:
            yield preparing, network, None, put(taken[1], taken[0])

    def image(state, moved):
        [one] = moved
        member = dict(enumerate(one)) | {None: None}
        preparing, network, taken, boxes = state
        network = tuple((member[i], member[j]) for i, j in network)
        taken = taken and (member[taken[0]], member[taken[1]])
        boxes = rearranged([member[i] for i in boxes], member)
        return frozenset(member[i] for i in preparing), network, taken, boxes

    return start, successors, image, (N,)


def readers_writers(N, writers):
    empty = frozenset()
    start = (empty, empty, empty)

    def successors(state):
        reading, waiting, writing = state
        for i in range(N):
            if i in reading:
                yield reading - {i}, waiting, writing
            elif not writing and (not waiting or i == N - 1):
                yield reading | {i}, waiting, writing
        for j in range(writers):
            if j in writing:
                yield reading, waiting, writing - {j}
            elif j not in waiting:
                yield reading, waiting | {j}, writing
            elif not reading and not writing:
                yield reading, waiting - {j}, writing | {j}

    def image(state, moved):
        reader, writer = moved
        reading, *others = state
        # The last reader is fixed.
        reader = (*reader, N - 1)
        return frozenset(reader[i] for i in reading), *(
            frozenset(writer[j] for j in some) for some in others
        )

    return start, successors, image, (N - 1, writers)


def allocator_steps(levels, each):
    """Places of clients, by level, and the next action of the allocator, with its client."""
    checks, requests, requested, taken, confirmed, begins, ends, tells, told, checked = range(10)
    chooses, takes, confirms, waits, forgets = range(5)

    def successors(state):
        places, phase, served = state
        following = {checks: requests, requests: requested, confirmed: begins}
        following |= {begins: ends, ends: tells, tells: told, told: checked}

        def at(c, place):
            return (*places[:c], place, *places[c + 1 :])

        for c, place in enumerate(places):
            if place in following:
                yield at(c, following[place]), phase, served
        if phase == chooses:
            waiting = [c for c, place in enumerate(places) if place == requested]
            for c in waiting:
                if c // each == max(waiting) // each:
                    yield places, takes, c
        elif phase == takes:
            yield at(served, taken), confirms, served
        elif phase == confirms:
            yield at(served, confirmed), waits, served
        elif phase == forgets:
            yield places, chooses, None
        elif places[served] == told:
            yield at(served, checks), forgets, served
        elif places[served] == checked:
            yield at(served, requests), forgets, served

    def image(state, moved):
        member = [n * each + i for n, one in enumerate(moved) for i in one]
        places, phase, served = state
        return rearranged(places, member), phase, served if served is None else member[served]

    return ((checks,) * (levels * each), chooses, None), successors, image, (each,) * levels


def three_tiers_buffers(servers, each):
    """Clients, which are idle, waiting or answered; a request, a phase and a client of each
    server."""
    idle, waits, answered = range(3)
    free, queries, asked, told, answers, forgets = range(6)
    start = (
        (idle,) * (servers * each),
        (None,) * servers,
        ((free, None),) * servers,
        (),
        (None, False),
    )

    def successors(state):
        clients, requests, served, queue, (whom, replied) = state

        def at(row, place, value):
            return (*row[:place], value, *row[place + 1 :])

        for c, phase in enumerate(clients):
            if phase == idle and requests[c % servers] is None:
                sent = at(requests, c % servers, c)
                yield at(clients, c, waits), sent, served, queue, (whom, replied)
            if phase == answered:
                yield at(clients, c, idle), requests, served, queue, (whom, replied)
        for s, (phase, c) in enumerate(served):
            new, left, sent, longer = clients, requests, None, queue
            if phase == free and requests[s] is not None:
                left, sent = at(requests, s, None), (queries, requests[s])
            elif phase == queries:
                longer, sent = (*queue, s), (asked, c)
            elif phase == told:
                sent = (answers, c)
            elif phase == answers:
                new, sent = at(clients, c, answered), (forgets, c)
            elif phase == forgets:
                sent = (free, None)
            if sent is not None:
                yield new, left, at(served, s, sent), longer, (whom, replied)
        if replied:
            yield clients, requests, served, queue, (None, False)
        elif whom is not None:
            reply = at(served, whom, (told, served[whom][1]))
            yield clients, requests, reply, queue, (whom, True)
        elif queue:
            yield clients, requests, served, queue[1:], (queue[0], False)

    def image(state, moved):
        first, *others = moved
        server = dict(enumerate(first)) | {None: None}
        client = {
            k * servers + s: others[s][k] * servers + server[s]
            for s in range(servers)
            for k in range(each)
        } | {None: None}
        clients, requests, served, queue, (whom, replied) = state
        return (
            rearranged(clients, client),
            rearranged([client[c] for c in requests], server),
            rearranged([(phase, client[c]) for phase, c in served], server),
            tuple(server[s] for s in queue),
            (server[whom], replied),
        )

    return start, successors, image, (servers, *(each,) * servers)


def list_set(nodes, threads, data, fine):
    """The position of each thread; cells of a datum and the next node, that of the head last;
    locks."""
    head = nodes
    start = ((("idle",),) * threads, (None,) * nodes + ((None, None),), frozenset())

    def moves(at, cells, locks):
        """Yield the possible next positions of a thread, with the cells and the locks."""

        def linked(n, m):
            return (*cells[:n], (cells[n][0], m), *cells[n + 1 :])

        def put(n, cell):
            return (*cells[:n], cell, *cells[n + 1 :])

        place, *rest = at
        if place == "idle":
            for what, d in product(("add", "remove", "contains"), range(data)):
                yield ("called", what, d), cells, locks
            return
        if place == "told":
            yield ("idle",), cells, locks
            return
        what, d, *rest = rest
        if place == "called" and head not in locks:
            yield ("finds", what, d, head), cells, locks | {head}
        elif place == "finds":
            [n] = rest
            m = cells[n][1]
            if m is None:
                yield missing(what, d, n, m), cells, locks
            else:
                yield ("locks" if fine else "looks", what, d, n, m), cells, locks
        elif place == "locks" and rest[1] not in locks:
            yield ("looks", what, d, *rest), cells, locks | {rest[1]}
        elif place == "looks":
            n, m = rest
            found = cells[m][0]
            if found < d:
                yield (("leaves", what, d, n, m) if fine else ("finds", what, d, m)), cells, locks
            elif found > d or what == "add":
                yield missing(what, d, n, m, found == d), cells, locks
            elif what == "contains":
                yield ("leaves after", what, d, True, n, m), cells, locks
            else:
                yield ("skips", what, d, n, m), cells, locks
        elif place == "leaves":
            n, m = rest
            yield ("finds", what, d, m), cells, locks - {n}
        elif place == "makes":
            n, m = rest
            for k in range(nodes):
                if cells[k] is None:
                    yield ("links", what, d, n, m, k), put(k, (d, m)), locks
        elif place == "links":
            n, m, k = rest
            yield ("leaves after", what, d, True, n, m), linked(n, k), locks
        elif place == "skips":
            n, m = rest
            yield ("unlinks", what, d, n, m, cells[m][1]), cells, locks
        elif place == "unlinks":
            n, m, k = rest
            yield ("unlocks" if fine else "frees", what, d, n, m), linked(n, k), locks
        elif place == "unlocks":
            yield ("frees", what, d, *rest), cells, locks - {rest[1]}
        elif place == "frees":
            n, m = rest
            yield ("leaves after", what, d, True, n, None), put(m, None), locks
        elif place == "leaves after":
            result, n, m = rest
            if fine and m is not None:
                yield ("leaves after", what, d, result, n, None), cells, locks - {m}
            else:
                yield ("told", what, d, result), cells, locks - {n if fine else head}

    def missing(what, d, n, m, is_there=False):
        if what == "add" and not is_there:
            return ("makes", what, d, n, m)
        return ("leaves after", what, d, False, n, m)

    def successors(state):
        places, cells, locks = state
        for t, at in enumerate(places):
            for new, written, locked in moves(at, cells, locks):
                yield (*places[:t], new, *places[t + 1 :]), written, locked

    def image(state, moved):
        one, other = moved
        node = dict(enumerate(one)) | {head: head, None: None}
        places, cells, locks = state

        def at(place):
            known = 4 if place[0] in ("told", "leaves after") else 3
            return place[:known] + tuple(node[n] for n in place[known:])

        return (
            rearranged([at(place) for place in places], other),
            rearranged([cell and (cell[0], node[cell[1]]) for cell in cells], node),
            frozenset(node[n] for n in locks),
        )

    return start, successors, image, (nodes, threads)


def lock_free_queue(nodes, threads, data):
    """Positions and local data of threads; head and tail; the datum and the next node of each
    node."""

    def moves(at, head, tail, cells):
        """Yield the possible next positions of a thread, and the queue."""

        def linked(n, m):
            return (*cells[:n], (cells[n][0], m), *cells[n + 1 :])

        same = head, tail, cells
        match at:
            case ("idle",):
                yield ("asks",), *same
                for d in range(data):
                    yield ("makes", d), *same
            case ("makes", d):
                for n, cell in enumerate(cells):
                    if cell is None:
                        made = (*cells[:n], (d, None), *cells[n + 1 :])
                        yield ("looks", None, n), head, tail, made
            case ("looks", _, n):
                yield ("follows", None, n, tail), *same
            case ("follows", _, n, seen):
                m = cells[seen][1]
                yield (
                    (("appends", None, n, seen) if m is None else ("helps", None, n, seen, m)),
                    *same,
                )
            case ("appends", _, n, seen):
                if cells[seen][1] is None:
                    yield ("moves", None, n, seen), head, tail, linked(seen, n)
                else:
                    yield ("looks", None, n), *same
            case ("helps", _, n, seen, m):
                again = ("asks",) if n is None else ("looks", None, n)
                yield again, head, m if tail == seen else tail, cells
            case ("moves", _, n, seen):
                yield ("told", None), head, n if tail == seen else tail, cells
            case ("asks",):
                yield ("compares", None, head), *same
            case ("compares", _, seen):
                yield ("steps" if tail == seen else "reads", None, seen), *same
            case ("steps", _, seen):
                m = cells[seen][1]
                yield (("idle",) if m is None else ("helps", None, None, seen, m)), *same
            case ("reads", _, seen):
                yield ("reads", None, seen, cells[seen][1]), *same
            case ("reads", _, seen, m):
                yield ("tries", cells[m][0], seen, m), *same
            case ("tries", d, seen, m):
                if head == seen:
                    yield ("told", d), m, tail, cells
                else:
                    yield ("asks",), *same
            case _:
                yield ("idle",), *same

    def successors(state):
        places, head, tail, cells = state
        if head is None:
            for n, d in product(range(nodes), range(data)):
                yield places, n, n, (*cells[:n], (d, None), *cells[n + 1 :])
            return
        for t, at in enumerate(places):
            for new, *queue in moves(at, head, tail, cells):
                yield (*places[:t], new, *places[t + 1 :]), *queue
        used = {head, tail, *(cell[1] for cell in cells if cell)}
        used |= {n for at in places for n in at[2:]}
        for n, cell in enumerate(cells):
            if cell and n not in used:
                yield places, head, tail, (*cells[:n], None, *cells[n + 1 :])

    def image(state, moved):
        node, thread, datum = (dict(enumerate(one)) | {None: None} for one in moved)
        places, head, tail, cells = state
        places = [(*at[:1], *map(datum.get, at[1:2]), *map(node.get, at[2:])) for at in places]
        cells = [cell and (datum[cell[0]], node[cell[1]]) for cell in cells]
        return rearranged(places, thread), node[head], node[tail], rearranged(cells, node)

    start = (("idle",),) * threads, None, None, (None,) * nodes
    return start, successors, image, (nodes, threads, data)


def tree_broadcast(nodes, data):
    """For each node its parent, the nodes it has asked, its children, and the nodes yet to
    report."""
    root = nodes
    none = frozenset()
    start = (("out",),) * nodes + (("grows", root, frozenset({root}), none, none),)

    def successors(state):
        def at(*changes):
            new = [*state]
            for i, node in changes:
                new[i] = node
            return tuple(new)

        for i, node in enumerate(state):
            match node:
                case ("grows", parent, asked, kids, silent):
                    for k, other in enumerate(state):
                        if k not in asked and other == ("out",):
                            grown = ("grows", parent, asked | {k}, kids | {k}, silent | {k})
                            yield at((i, grown), (k, ("grows", i, frozenset({i, k}), none, none)))
                        elif k not in asked:
                            yield at((i, ("grows", parent, asked | {k}, kids, silent)))
                    if len(asked) == nodes + 1 and not silent:
                        waiting = i, ("waits", parent, kids)
                        if i == root:
                            yield at(waiting)
                        elif state[parent][0] == "grows":
                            *above, left = state[parent]
                            yield at(waiting, (parent, (*above, left - {i})))
                case ("waits", parent, kids) if i == root:
                    for d in range(data):
                        yield at((i, ("passes", parent, kids, kids, d)))
                case ("passes", parent, kids, left, d):
                    for k in left:
                        if state[k][0] == "waits":
                            _, _, below = state[k]
                            passed = "passes", i, below, below, d
                            yield at((i, ("passes", parent, kids, left - {k}, d)), (k, passed))
                    if not left:
                        yield at((i, ("waits", parent, kids)))

    def image(state, moved):
        one, other = moved
        node = dict(enumerate(one)) | {root: root}

        def named(item):
            return node[item] if isinstance(item, int) else frozenset(node[n] for n in item)

        def of(place):
            if place[0] == "passes":
                return (place[0], *map(named, place[1:4]), other[place[4]])
            return (place[0], *map(named, place[1:]))

        return rearranged([of(place) for place in state], node)

    return start, successors, image, (nodes, data)


def array_queue(threads, data, cells, numbers, versions):
    """The position of each thread; head and tail, each with its number; the datum and the number of
    each cell; what each thread remembers: a number of head or tail, and one of a cell."""
    start = (("idle",),) * threads, None, None, (), ((None, None),) * threads

    def moves(t, at, head, tail, array, known):
        """Yield the possible next positions of a thread, and the queue."""

        def after(p):
            return (p + 1) % (2 * cells)

        def remembering(number=None, version=None):
            return (*known[:t], (number, version), *known[t + 1 :])

        def new(count, which, *others):
            used = {row[which] for u, row in enumerate(known) if u != t} | {*others}
            return [number for number in range(count) if number not in used]

        number, version = known[t]
        same = head, tail, array, known
        forgotten = head, tail, array, remembering()

        def moved(is_head, then):
            one, other = (head, tail) if is_head else (tail, head)
            if number != one[1]:
                yield then, *forgotten
                return
            for n in new(numbers, 0, other[1]):
                own = after(one[0]), n
                yield then, *((own, tail) if is_head else (head, own)), array, remembering()

        match at:
            case ("idle",):
                yield ("asks", None), *same
                for d in range(data):
                    yield ("asks", d), *same
            case ("asks", d):
                p, n = head if d is None else tail
                yield ("compares", d, p), head, tail, array, remembering(n)
            case ("compares", d, p):
                p_, _ = tail if d is None else head
                yield ("looks", d, p, (p_ - p) % (2 * cells) == (0 if d is None else cells)), *same
            case ("looks", d, p, ends):
                e, v = array[p % cells]
                yield ("checks", d, p, ends, e), head, tail, array, remembering(number, v)
            case ("checks", d, p, ends, e):
                if number != (head if d is None else tail)[1]:
                    yield ("asks", d), *forgotten
                elif ends:
                    yield ("ends", d is None), *same
                elif (e is None) == (d is None):
                    yield ("helps", d), *same
                else:
                    yield ("writes", d, p, e), *same
            case ("ends", _):
                yield ("idle",), *forgotten
            case ("writes", d, p, e):
                if array[p % cells] != (e, version):
                    yield ("asks", d), *forgotten
                    return
                for v in new(versions, 1):
                    own = tuple((d, v) if i == p % cells else c for i, c in enumerate(array))
                    yield ("moves", d is None, e), head, tail, own, remembering(number)
            case ("helps", d):
                yield from moved(d is None, ("asks", d))
            case ("moves", is_head, e):
                yield from moved(is_head, ("told", e))
            case _:
                yield ("idle",), *same

    def successors(state):
        places, head, tail, array, known = state
        if head is None:
            for h, k in permutations(range(numbers), 2):
                for v in range(versions):
                    yield places, (0, h), (0, k), ((None, v),) * cells, known
        for t, at in enumerate(places):
            if head is None and at != ("idle",):
                continue
            for new, *changed in moves(t, at, head, tail, array, known):
                yield (*places[:t], new, *places[t + 1 :]), *changed

    def image(state, moved):
        thread, *others = moved
        datum, number, version = (dict(enumerate(one)) | {None: None} for one in others)
        places, head, tail, array, known = state

        def of(at):
            data = {
                "told": (1,),
                "ends": (),
                "moves": (2,),
                "checks": (1, 4),
                "writes": (1, 3),
            }.get(at[0], (1,))
            return tuple(datum[item] if n in data else item for n, item in enumerate(at))

        return (
            rearranged([of(at) for at in places], thread),
            head and (head[0], number[head[1]]),
            tail and (tail[0], number[tail[1]]),
            tuple((datum[d], version[v]) for d, v in array),
            rearranged([(number[n], version[v]) for n, v in known], thread),
        )

    return start, successors, image, (threads, data, numbers, versions)


def rearranged(row, images):
    """Return a row with each item moved to the image of its place."""
    found = [None] * len(row)
    for place, item in enumerate(row):
        found[images[place]] = item
    return tuple(found)


def counted(program):
    """Return the numbers of states and of orbits of a program."""
    start, successors, image, sizes = program
    seen = {start}
    waiting = [start]
    while waiting:
        for state in successors(waiting.pop()):
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    group = [*product(*(permutations(range(size)) for size in sizes))]
    orbits, left = 0, set(seen)
    while left:
        state = left.pop()
        left -= {image(state, moved) for moved in group}
        orbits += 1
    return len(seen), orbits


PROGRAMS = {
    "allocator_sharing": allocator_sharing,
    "allocator_steps": allocator_steps,
    "array_queue": array_queue,
    "dijkstra": dijkstra,
    "email": e_mail,
    "list_set_coarse": partial(list_set, fine=False),
    "list_set_fine": partial(list_set, fine=True),
    "loadbalancer": load_balancer,
    "lock_free_queue": lock_free_queue,
    "readers_writers": readers_writers,
    "three_tiers_mixed": three_tiers_mixed,
    "three_tiers_buffers": three_tiers_buffers,
    "tree_broadcast": tree_broadcast,
}
