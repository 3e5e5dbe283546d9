//! A game on pairs of states that finds a formula distinguishing two states.
//!
//! In a position (p,q) the attacker claims that q cannot do what p can. A move is a step of one of
//! the two states, and the attacker must win every position that an answer of the other state leads
//! to. A winning strategy is a formula that holds in p and not in q (Stirling, Bisimulation, modal
//! logic and model checking games, 1999). Positions are explored breadth first from the initial
//! pair, so a difference close to it is found before the rest is explored, and with a formula of
//! least depth.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id as _;
use crate::base::ids::{Label, NONE, State};
use crate::base::marks::Marks;
use crate::formula::{Formulas, Id};
use rustc_hash::FxHashMap;

/// The relations that the game decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Strong,
    Branching,
    Weak,
    TauStarA,
    Simulation,
    /// Simulation on the steps tau* a.
    WeakSimulation,
    BranchingSimulation,
    ReadySimulation,
    CoupledSimulation,
}

impl Relation {
    /// Whether partition refinement decides this relation.
    pub fn is_bisimulation(self) -> bool {
        matches!(self, Self::Strong | Self::Branching | Self::Weak | Self::TauStarA)
    }
}

/// A relation and its variants.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub relation: Relation,
    /// The first step counts even if it is internal. Not with `divergence`.
    pub rooted: bool,
    /// The label of the loops at states on a cycle of internal steps, if divergence is observed.
    pub divergence: Option<Label>,
}

/// The number of states that may be visited for every answer that may be considered.
const WORK: usize = 8;

/// The outcome of a game.
pub enum Outcome {
    /// The attacker wins, with a formula that holds in the left state and not in the right one.
    Apart(Formulas, Id),
    /// All positions were explored and the attacker loses: the right state can do everything that
    /// the left one can.
    Related,
    /// The game has more positions and answers than the bound.
    TooLarge,
}

/// Plays the game from (left, right).
///
/// `related` returns true only for pairs that are known to be related; it may always return false,
/// as equal states are handled here. At most `most` answers are considered.
pub fn play(
    graph: &Graph,
    rules: Rules,
    (left, right): (State, State),
    related: &dyn Fn(State, State) -> bool,
    most: usize,
    cancel: &Cancel,
) -> Result<Outcome> {
    let mut game = Game::new(graph, rules, related);
    game.most_work = most.saturating_mul(WORK);
    let root = game.root(left, right);
    let mut next = 0;
    while next < game.positions.len() {
        // One layer at a time: a position won by the end of a layer is won in the fewest steps.
        let layer = game.positions.len();
        while next < layer {
            cancel.check()?;
            if game.answers.len() >= most {
                return Ok(Outcome::TooLarge);
            }
            game.expand(u32::at(next));
            if game.is_exhausted() {
                return Ok(Outcome::TooLarge);
            }
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

#[derive(Clone, Copy)]
pub(crate) enum Position {
    Pair(State, State),
    /// Won if one of two positions is won.
    Either,
}

pub(crate) struct Node {
    position: Position,
    pub(crate) won: bool,
    /// The first entry in `links` of the list of moves with this position among their answers.
    pub(crate) dependents: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modality {
    Step(Label),
    /// tau* a
    Delay(Label),
    /// tau* a tau*, with at least one step
    Weak(Label),
    Silent,
    Until(Option<Label>),
    /// The choice of one of the positions of a [`Position::Either`]; `before` if, for an until, it
    /// is the one that holds before the step.
    Choose {
        before: bool,
    },
}

/// A move of the attacker. Its formula is `modality` applied to the conjunction of the formulas
/// that win the answers; it is negated if `mirrored` (the right state makes the step). `flipped`
/// negates the conjuncts.
pub(crate) struct Move {
    pub(crate) owner: u32,
    pub(crate) modality: Modality,
    pub(crate) mirrored: bool,
    pub(crate) flipped: bool,
    pub(crate) first: u32,
    pub(crate) past: u32,
    open: u32,
}

pub(crate) struct Game<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) rules: Rules,
    related: &'a dyn Fn(State, State) -> bool,
    pub(crate) positions: Vec<Node>,
    numbers: FxHashMap<(State, State), u32>,
    pub(crate) moves: Vec<Move>,
    pub(crate) answers: Vec<u32>,
    /// Linked lists of moves: (move, next link).
    pub(crate) links: Vec<(u32, u32)>,
    rooted: Option<u32>,
    pub(crate) marks: Marks,
    pub(crate) work: usize,
    most_work: usize,
}

impl<'a> Game<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        rules: Rules,
        related: &'a dyn Fn(State, State) -> bool,
    ) -> Self {
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
            most_work: usize::MAX,
        }
    }

    /// Whether more states were visited than the bound.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.work > self.most_work
    }

    fn root(&mut self, left: State, right: State) -> u32 {
        if !self.rules.rooted {
            return self.position(left, right);
        }
        let root = self.add(Position::Pair(left, right));
        self.rooted = Some(root);
        root
    }

    fn add(&mut self, position: Position) -> u32 {
        self.positions.push(Node { position, won: false, dependents: NONE });
        u32::at(self.positions.len()) - 1
    }

    fn position(&mut self, left: State, right: State) -> u32 {
        if let Some(&number) = self.numbers.get(&(left, right)) {
            return number;
        }
        let number = self.add(Position::Pair(left, right));
        self.numbers.insert((left, right), number);
        number
    }

    /// Adds the moves of a position.
    fn expand(&mut self, number: u32) {
        let Position::Pair(left, right) = self.positions[number as usize].position else { return };
        if self.positions[number as usize].won {
            return;
        }
        let root = self.rooted == Some(number);
        let moves = self.moves(left, right, root);
        if self.is_exhausted() {
            return;
        }
        if let Some(at) = moves.moves.iter().position(|m| m.3.is_empty()) {
            let (modality, mirrored, flipped, _) = moves.moves[at];
            return self.put_down(number, modality, mirrored, flipped, &[]);
        }
        for (modality, mirrored, flipped, range) in moves.moves {
            let mut numbers = Vec::new();
            let mut hopeless = false;
            for &(pair, other) in &moves.answers[range] {
                let open = |&(p, q): &(State, State)| !self.related(p, q);
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
            self.put_down(number, modality, mirrored, flipped, &answers);
        }
    }

    fn related(&self, left: State, right: State) -> bool {
        left == right || (self.related)(left, right)
    }

    fn either(&mut self, before: Option<(State, State)>, after: Option<(State, State)>) -> u32 {
        let number = self.add(Position::Either);
        for (pair, before) in [(before, true), (after, false)] {
            let Some((p, q)) = pair else { continue };
            let answer = self.position(p, q);
            self.put_down(number, Modality::Choose { before }, false, false, &[answer]);
        }
        number
    }

    fn put_down(
        &mut self,
        owner: u32,
        modality: Modality,
        mirrored: bool,
        flipped: bool,
        answers: &[u32],
    ) {
        let number = u32::at(self.moves.len());
        let first = u32::at(self.answers.len());
        let mut open = 0;
        for &answer in answers {
            self.answers.push(answer);
            let node = &mut self.positions[answer as usize];
            self.links.push((number, node.dependents));
            node.dependents = u32::at(self.links.len()) - 1;
            open += u32::from(!node.won);
        }
        let past = u32::at(self.answers.len());
        self.moves.push(Move { owner, modality, mirrored, flipped, first, past, open });
        if open == 0 {
            self.win(owner);
        }
    }

    /// Marks a position as won, and with it all positions won as a consequence.
    fn win(&mut self, number: u32) {
        let mut waiting = vec![number];
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut self.positions[number as usize].won, true) {
                continue;
            }
            let mut link = self.positions[number as usize].dependents;
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
}
