//! What tells two states apart, found where they are: a game on pairs of states.
//!
//! In a position (p,q) the attacker claims that q does not do what p does. It makes a move, a step
//! of one of the two, and every answer of the other leads to a position that it must win, too. What
//! it wins with is a formula that holds in p and not in q (Stirling, Bisimulation, modal logic and
//! model checking games, 1999). Positions are explored breadth first from the one asked about, so
//! that a difference close to it is found before anything else is seen, and with a formula of least
//! depth.

use super::determinise::{Marks, close};
use super::formula::{Formulas, Id};
use super::graph::Graph;
use super::stop::{Poll, Stop, go_on};
use rustc_hash::FxHashMap;

/// The relations that are told by a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Strong,
    Branching,
    Weak,
    TauStarA,
    Simulation,
    ReadySimulation,
    CoupledSimulation,
}

/// A relation, and what is special about it.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub relation: Relation,
    /// The first step counts even if it is internal. Not with `divergence`.
    pub rooted: bool,
    /// The label of the loops of states on a cycle of internal steps, if these are to be told.
    pub divergence: Option<u32>,
}

/// How a game ended.
pub enum Outcome {
    /// A formula that holds in the left state and not in the right.
    Apart(Formulas, Id),
    /// Every position was seen: the right state does what the left one does.
    Related,
    /// There are more positions and answers than allowed.
    TooLarge,
}

/// Plays from (left, right). `related` says of pairs that are known to be related that they are;
/// it may always say no but for equal states. At most `most` answers are looked at.
pub fn play(
    graph: &Graph,
    rules: Rules,
    (left, right): (u32, u32),
    related: &dyn Fn(u32, u32) -> bool,
    most: usize,
    poll: Poll,
) -> Result<Outcome, Stop> {
    let mut game = Game::new(graph, rules, related);
    let root = game.root(left, right);
    let mut next = 0;
    while next < game.positions.len() {
        // One layer at a time: what is won by the end of it is won with the fewest steps.
        let layer = game.positions.len();
        while next < layer {
            go_on(poll)?;
            if game.answers.len() > most || game.work > 8 * most {
                return Ok(Outcome::TooLarge);
            }
            game.expand(next as u32);
            next += 1;
        }
        if game.positions[root as usize].won {
            let mut formulas = Formulas::default();
            let formula = game.formula(root, &mut formulas);
            return Ok(Outcome::Apart(formulas, formula));
        }
    }
    Ok(Outcome::Related)
}

/// Whether the first move tells two states of a graph apart all of whose states are of different
/// classes. For rooted relations, where that is not known otherwise.
pub fn root_apart(graph: &Graph, rules: Rules, (left, right): (u32, u32)) -> bool {
    let mut game = Game::new(graph, rules, &|_, _| false);
    let root = game.root(left, right);
    game.expand(root);
    !game.moves.is_empty()
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
enum Position {
    Pair(u32, u32),
    /// Either of two positions is to be won.
    Either,
}

struct Place {
    position: Position,
    won: bool,
    /// The first of the moves that have this position among their answers, in `links`.
    asked_by: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Modality {
    Step(u32),
    /// tau* a
    Delay(u32),
    /// tau* a tau*, with at least one step
    Weak(u32),
    Silent,
    Until(Option<u32>),
    /// One of the ways to win an [`Position::Either`]; of an until what holds before its step.
    Choose {
        before: bool,
    },
}

/// What the attacker does in a position: the formula has `modality` before the conjunction of what
/// wins the answers, negated if `mirrored` (it is a step of the right state); `flipped` negates the
/// parts.
struct Move {
    owner: u32,
    modality: Modality,
    mirrored: bool,
    flipped: bool,
    first: u32,
    past: u32,
    open: u32,
}

/// An answer as it is found: a pair, or either of two.
type Answer = ((u32, u32), Option<(u32, u32)>);

struct Game<'a> {
    graph: &'a Graph,
    rules: Rules,
    related: &'a dyn Fn(u32, u32) -> bool,
    positions: Vec<Place>,
    numbers: FxHashMap<(u32, u32), u32>,
    moves: Vec<Move>,
    answers: Vec<u32>,
    /// (move, the next link)
    links: Vec<(u32, u32)>,
    rooted: Option<u32>,
    marks: Marks,
    work: usize,
}

impl<'a> Game<'a> {
    fn new(graph: &'a Graph, rules: Rules, related: &'a dyn Fn(u32, u32) -> bool) -> Self {
        Self {
            graph,
            rules,
            related,
            positions: Vec::new(),
            numbers: FxHashMap::default(),
            moves: Vec::new(),
            answers: Vec::new(),
            links: Vec::new(),
            rooted: None,
            marks: Marks::new(graph.states),
            work: 0,
        }
    }

    fn root(&mut self, left: u32, right: u32) -> u32 {
        if !self.rules.rooted {
            return self.position(left, right);
        }
        let root = self.place(Position::Pair(left, right));
        self.rooted = Some(root);
        root
    }

    fn place(&mut self, position: Position) -> u32 {
        self.positions.push(Place { position, won: false, asked_by: NONE });
        self.positions.len() as u32 - 1
    }

    fn position(&mut self, left: u32, right: u32) -> u32 {
        if let Some(&number) = self.numbers.get(&(left, right)) {
            return number;
        }
        let number = self.place(Position::Pair(left, right));
        self.numbers.insert((left, right), number);
        number
    }

    /// Puts down the moves of a position.
    fn expand(&mut self, place: u32) {
        let Position::Pair(left, right) = self.positions[place as usize].position else { return };
        if self.positions[place as usize].won {
            return;
        }
        let mut moves = Moves::default();
        let root = self.rooted == Some(place);
        self.attack(left, right, root, false, &mut moves);
        match self.rules.relation {
            Relation::Simulation | Relation::CoupledSimulation => {}
            Relation::ReadySimulation => {
                for (label, _) in self.graph.steps(right) {
                    if self.graph.targets(left, label).is_empty() {
                        moves.add(Modality::Step(label), true, false, &[]);
                    }
                }
            }
            _ => self.attack(right, left, root, true, &mut moves),
        }
        if let Some(at) = moves.moves.iter().position(|m| m.3.is_empty()) {
            let (modality, mirrored, flipped, _) = moves.moves[at];
            return self.put_down(place, modality, mirrored, flipped, &[]);
        }
        for (modality, mirrored, flipped, range) in moves.moves {
            let mut numbers = Vec::new();
            let mut hopeless = false;
            for &(pair, other) in &moves.answers[range] {
                let open = |&(p, q): &(u32, u32)| !self.related(p, q);
                match other {
                    None => numbers.push((None, Some(pair).filter(open))),
                    Some(other) => {
                        numbers.push((Some(pair).filter(open), Some(other).filter(open)));
                    }
                }
                hopeless |= numbers.last() == Some(&(None, None));
            }
            if hopeless {
                continue;
            }
            numbers.sort_unstable();
            numbers.dedup();
            let answers: Vec<u32> = (numbers.into_iter())
                .map(|options| match options {
                    (None, Some(pair)) => self.position(pair.0, pair.1),
                    (before, after) => self.either(before, after),
                })
                .collect();
            self.put_down(place, modality, mirrored, flipped, &answers);
        }
    }

    fn related(&self, left: u32, right: u32) -> bool {
        left == right || (self.related)(left, right)
    }

    fn either(&mut self, before: Option<(u32, u32)>, after: Option<(u32, u32)>) -> u32 {
        let place = self.place(Position::Either);
        for (pair, before) in [(before, true), (after, false)] {
            let Some((p, q)) = pair else { continue };
            let answer = self.position(p, q);
            self.put_down(place, Modality::Choose { before }, false, false, &[answer]);
        }
        place
    }

    fn put_down(
        &mut self,
        owner: u32,
        modality: Modality,
        mirrored: bool,
        flipped: bool,
        answers: &[u32],
    ) {
        let number = self.moves.len() as u32;
        let first = self.answers.len() as u32;
        let mut open = 0;
        for &answer in answers {
            self.answers.push(answer);
            let place = &mut self.positions[answer as usize];
            self.links.push((number, place.asked_by));
            place.asked_by = self.links.len() as u32 - 1;
            open += u32::from(!place.won);
        }
        let past = self.answers.len() as u32;
        self.moves.push(Move { owner, modality, mirrored, flipped, first, past, open });
        if open == 0 {
            self.win(owner);
        }
    }

    /// A position is won, and what follows from that.
    fn win(&mut self, place: u32) {
        let mut waiting = vec![place];
        while let Some(place) = waiting.pop() {
            if std::mem::replace(&mut self.positions[place as usize].won, true) {
                continue;
            }
            let mut link = self.positions[place as usize].asked_by;
            while link != NONE {
                let (number, next) = self.links[link as usize];
                let asking = &mut self.moves[number as usize];
                asking.open -= 1;
                if asking.open == 0 {
                    waiting.push(asking.owner);
                }
                link = next;
            }
        }
    }

    /// The moves that are steps of `x`, answered by `y`.
    fn attack(&mut self, x: u32, y: u32, root: bool, mirrored: bool, moves: &mut Moves) {
        let graph = self.graph;
        let tau = graph.tau;
        self.work += 1 + graph.steps(x).count();
        let mut answers: Vec<Answer> = Vec::new();
        let pairs = |x: u32, targets: &[u32]| -> Vec<Answer> {
            targets.iter().map(|&t| ((x, t), None)).collect()
        };
        match self.rules.relation {
            Relation::Weak => {
                let mut replies = (None, Vec::new());
                for (label, target) in graph.steps(x) {
                    if replies.0 != Some(label) {
                        replies = (Some(label), self.weak(y, label, root));
                    }
                    let silent = Some(label) == tau && !root;
                    let modality = if silent { Modality::Silent } else { Modality::Weak(label) };
                    moves.add(modality, mirrored, false, &pairs(target, &replies.1));
                }
            }
            _ if root => {
                for (label, target) in graph.steps(x) {
                    let replies = pairs(target, graph.targets(y, label));
                    moves.add(Modality::Step(label), mirrored, false, &replies);
                }
            }
            Relation::Strong | Relation::Simulation | Relation::ReadySimulation => {
                for (label, target) in graph.steps(x) {
                    let replies = pairs(target, graph.targets(y, label));
                    moves.add(Modality::Step(label), mirrored, false, &replies);
                }
            }
            Relation::TauStarA => {
                let replies = self.delay(y);
                for (label, target) in self.delay(x) {
                    let same = replies.iter().filter(|reply| reply.0 == label);
                    answers.clear();
                    answers.extend(same.map(|&(_, t)| ((target, t), None)));
                    moves.add(Modality::Delay(label), mirrored, false, &answers);
                }
            }
            Relation::CoupledSimulation => {
                let silent = self.silent(y);
                let replies = self.delay(y);
                for (label, target) in graph.steps(x) {
                    if Some(label) == tau {
                        moves.add(Modality::Silent, mirrored, false, &pairs(target, &silent));
                        continue;
                    }
                    let same = replies.iter().filter(|reply| reply.0 == label);
                    answers.clear();
                    answers.extend(same.map(|&(_, t)| ((target, t), None)));
                    moves.add(Modality::Delay(label), mirrored, false, &answers);
                }
                let swapped: Vec<Answer> = silent.iter().map(|&t| ((t, x), None)).collect();
                moves.add(Modality::Silent, mirrored, true, &swapped);
            }
            Relation::Branching => {
                let silent = self.silent(y);
                for (label, target) in graph.steps(x) {
                    if Some(label) == self.rules.divergence {
                        continue;
                    }
                    answers.clear();
                    if Some(label) == tau {
                        answers.push(((target, y), None));
                    }
                    for &through in &silent {
                        for &reply in graph.targets(through, label) {
                            answers.push(((x, through), Some((target, reply))));
                        }
                    }
                    self.work += answers.len() + silent.len();
                    let until = Modality::Until(Some(label).filter(|_| Some(label) != tau));
                    moves.add(until, mirrored, false, &answers);
                }
                // A state on a cycle of internal steps is answered by such states.
                let on_cycle = |s: u32| {
                    self.rules.divergence.filter(|&label| !graph.targets(s, label).is_empty())
                };
                if let Some(label) = on_cycle(x) {
                    let replies = silent.iter().copied().filter(|&s| on_cycle(s).is_some());
                    answers.clear();
                    answers.extend(replies.map(|reply| ((x, reply), None)));
                    moves.add(Modality::Until(Some(label)), mirrored, false, &answers);
                }
            }
        }
    }

    /// The states that internal steps lead to, none included.
    fn silent(&mut self, state: u32) -> Vec<u32> {
        let mut states = vec![state];
        close(self.graph, &mut self.marks, &mut states);
        self.work += states.len();
        states
    }

    /// The steps tau* a, a visible.
    fn delay(&mut self, state: u32) -> Vec<(u32, u32)> {
        let graph = self.graph;
        let mut steps = Vec::new();
        for through in self.silent(state) {
            steps.extend(graph.steps(through).filter(|&(label, _)| Some(label) != graph.tau));
        }
        self.work += steps.len();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// The targets of tau* a tau*; an internal `a` may be no step, unless `strict`.
    fn weak(&mut self, state: u32, label: u32, strict: bool) -> Vec<u32> {
        let silent = self.silent(state);
        if Some(label) == self.graph.tau && !strict {
            return silent;
        }
        let targets = silent.iter().flat_map(|&s| self.graph.targets(s, label));
        let mut states: Vec<u32> = targets.copied().collect();
        close(self.graph, &mut self.marks, &mut states);
        self.work += states.len();
        states
    }

    /// The formula that wins a position that is won.
    fn formula(&self, root: u32, formulas: &mut Formulas) -> Id {
        let (order, by) = self.shortest();
        let mut needed = vec![false; self.positions.len()];
        needed[root as usize] = true;
        for &place in order.iter().rev() {
            if needed[place as usize] {
                for &answer in self.answers_of(by[place as usize]) {
                    needed[answer as usize] = true;
                }
            }
        }
        let truth = formulas.truth();
        let mut found = vec![truth; self.positions.len()];
        for &place in order.iter().filter(|&&place| needed[place as usize]) {
            let number = by[place as usize];
            let chosen = &self.moves[number as usize];
            let answers = self.answers_of(number);
            if matches!(chosen.modality, Modality::Choose { .. }) {
                found[place as usize] = found[answers[0] as usize];
                continue;
            }
            // For an until: what holds before the step, and after it.
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for &answer in answers {
                let part = found[answer as usize];
                let part = if chosen.flipped { formulas.not(part) } else { part };
                let by = self.moves[by[answer as usize] as usize].modality;
                let parts = if by == (Modality::Choose { before: true }) {
                    &mut before
                } else {
                    &mut after
                };
                parts.push(part);
            }
            let before = formulas.and(before);
            let inner = formulas.and(after);
            let formula = self.modal(chosen.modality, before, inner, formulas);
            found[place as usize] = if chosen.mirrored { formulas.not(formula) } else { formula };
        }
        found[root as usize]
    }

    fn modal(&self, modality: Modality, before: Id, inner: Id, formulas: &mut Formulas) -> Id {
        let truth = formulas.truth();
        match modality {
            Modality::Step(label) => formulas.step(label, inner),
            Modality::Delay(label) => formulas.until(truth, Some(label), inner),
            Modality::Silent => formulas.until(truth, None, inner),
            Modality::Weak(label) => {
                let later = formulas.until(truth, None, inner);
                if Some(label) == self.rules.divergence {
                    formulas.forever(later)
                } else {
                    formulas.until(truth, Some(label), later)
                }
            }
            Modality::Until(Some(label)) if Some(label) == self.rules.divergence => {
                let inner = formulas.forever(inner);
                formulas.until(truth, None, inner)
            }
            Modality::Until(label) => formulas.until(before, label, inner),
            Modality::Choose { .. } => inner,
        }
    }

    fn answers_of(&self, number: u32) -> &[u32] {
        let chosen = &self.moves[number as usize];
        &self.answers[chosen.first as usize..chosen.past as usize]
    }

    /// The positions that are won in the order of how many steps that takes, and the move of each.
    fn shortest(&self) -> (Vec<u32>, Vec<u32>) {
        let mut open: Vec<u32> = self.moves.iter().map(|m| m.past - m.first).collect();
        let mut by = vec![NONE; self.positions.len()];
        let mut order = Vec::new();
        let mut level: Vec<u32> =
            (0..self.moves.len() as u32).filter(|&number| open[number as usize] == 0).collect();
        while !level.is_empty() {
            let mut next = Vec::new();
            while let Some(number) = level.pop() {
                let owner = self.moves[number as usize].owner;
                if by[owner as usize] != NONE {
                    continue;
                }
                by[owner as usize] = number;
                order.push(owner);
                let mut link = self.positions[owner as usize].asked_by;
                while link != NONE {
                    let (asking, following) = self.links[link as usize];
                    open[asking as usize] -= 1;
                    if open[asking as usize] == 0 {
                        // To choose takes no step.
                        let modality = self.moves[asking as usize].modality;
                        let choice = matches!(modality, Modality::Choose { .. });
                        if choice { level.push(asking) } else { next.push(asking) }
                    }
                    link = following;
                }
            }
            next.sort_unstable_by_key(|&number| {
                let chosen = &self.moves[number as usize];
                std::cmp::Reverse((chosen.past - chosen.first, number))
            });
            level = next;
        }
        (order, by)
    }
}

/// Moves as they are found: modality, mirrored, flipped, answers.
#[derive(Default)]
struct Moves {
    moves: Vec<(Modality, bool, bool, std::ops::Range<usize>)>,
    answers: Vec<Answer>,
}

impl Moves {
    fn add(&mut self, modality: Modality, mirrored: bool, flipped: bool, answers: &[Answer]) {
        let first = self.answers.len();
        self.answers.extend_from_slice(answers);
        self.moves.push((modality, mirrored, flipped, first..self.answers.len()));
    }
}
