//! Distinguishing formulas from partition refinement, for states that a game is too large for.
//!
//! For every column that is needed there is one formula. It holds in all queried states that have
//! the column and in none of those that lack it: a step into the block of the column, to a state
//! where everything holds that separates this block from the other targets. A formula for a column
//! of a later round uses those of earlier rounds, so each formula is made once, and there are no
//! more formulas than splits.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Block, Label, NONE, State};
use crate::base::marks::Marks;
use crate::bisimulation::tau_scc::contract;
use crate::compare::bisimulation_game::{Game, Modality, Relation, Rules};
use crate::compare::logged_refinement::refine;
use crate::compare::split_tree::History;
use crate::formula::{Formulas, Id};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A formula that holds in the left state and not in the right one. The states must not be related,
/// and the graph must have no cycle of internal steps that the relation ignores.
pub fn distinguish(
    graph: &Graph,
    rules: Rules,
    pair: (State, State),
    cancel: &Cancel,
) -> Result<(Formulas, Id)> {
    let sorted;
    let (graph, (left, right)) = match rules.relation {
        Relation::Branching | Relation::Weak => {
            sorted = downwards(graph, pair, cancel)?;
            (&sorted.0, sorted.1)
        }
        _ => (graph, pair),
    };
    let mut game = Game::new(graph, rules, &|_, _| false);
    let claims = claims(&mut game, left, right);
    let done = |block: &[Block]| claims.iter().any(|claim| settled(block, claim));
    let history = refine(graph, rules.relation, &done, cancel)?;
    let claim = claims.iter().find(|claim| settled(&history.leaf, claim));
    let Some(claim) = claim else { unreachable!("states that are not related are separated") };
    let marks = Marks::new(graph.states);
    let mut explainer = Explainer { game, history, marks, queries: BTreeMap::new() };
    let leaf = explainer.history.leaf(claim.state);
    let last = explainer.separate(leaf, &[claim.state], &claim.others);
    let mut answers = Vec::new();
    while let Some((column, query)) = explainer.queries.pop_last() {
        cancel.check()?;
        answers.push((column, explainer.answer(column, query, cancel)?));
    }
    let mut formulas = Formulas::default();
    let mut formula_of: FxHashMap<Column, Id> = FxHashMap::default();
    let all = |formulas: &mut Formulas, formula_of: &FxHashMap<Column, Id>, parts: &[Part]| {
        let mut ids = Vec::new();
        for &(column, holds) in parts {
            let id = formula_of[&column];
            ids.push(if holds { id } else { formulas.not(id) });
        }
        formulas.and(ids)
    };
    for (column, Answer { modality, before, after }) in answers.into_iter().rev() {
        let before = all(&mut formulas, &formula_of, &before);
        let after = all(&mut formulas, &formula_of, &after);
        let id = match modality {
            // A divergence loop leads back into the block that the state itself is in.
            Modality::Until(Some(label)) if Some(label) == rules.divergence => {
                formulas.forever(before)
            }
            _ => explainer.game.modal(modality, before, after, &mut formulas),
        };
        formula_of.insert(column, id);
    }
    let goal = all(&mut formulas, &formula_of, &last);
    let truth = formulas.truth();
    let game = &explainer.game;
    let id = claim.modality.map_or(goal, |m| game.modal(m, truth, goal, &mut formulas));
    let id = if claim.mirrored { formulas.not(id) } else { id };
    Ok((formulas, id))
}

/// The graph with its states renumbered such that internal steps lead to smaller states.
fn downwards(
    graph: &Graph,
    (left, right): (State, State),
    cancel: &Cancel,
) -> Result<(Graph, (State, State))> {
    let mut internal = vec![false; graph.labels];
    let tau = graph.tau.unwrap_or(Label::NONE);
    if let Some(tau) = graph.tau {
        internal[tau] = true;
    }
    let transitions = graph.forward.clone();
    let sorted = contract(transitions, &internal, tau, None, cancel)?;
    let number = |state: State| {
        sorted.component.as_ref().map_or(state, |component| component[state].state())
    };
    let transitions = graph.renamed(number, cancel)?;
    let (states, labels) = ((number(graph.initial), graph.states), (graph.labels, graph.tau));
    let graph = Graph::from_transitions(states, labels, &transitions, cancel)?;
    Ok((graph, (number(left), number(right))))
}

/// The claim that a state is separated from all others, after a first step if there is a modality.
struct Claim {
    modality: Option<Modality>,
    mirrored: bool,
    state: State,
    others: Vec<State>,
}

/// Whether a claim is true, given the blocks of the states.
fn settled<T: PartialEq>(block: &[T], claim: &Claim) -> bool {
    claim.others.iter().all(|&other| block[other] != block[claim.state])
}

/// Claims each of which suffices to distinguish the states. One of them has to become true.
fn claims(game: &mut Game, left: State, right: State) -> Vec<Claim> {
    if !game.rules.rooted {
        return vec![Claim { modality: None, mirrored: false, state: left, others: vec![right] }];
    }
    let first = game.moves(left, right, true);
    let mut claims = Vec::new();
    for (modality, mirrored, _, answers) in &first.moves {
        let answers = &first.answers[answers.clone()];
        // No state answers, so the target of the step does not matter.
        let state = answers.first().map_or(left, |answer| answer.0.0);
        let others = answers.iter().map(|answer| answer.0.1).collect();
        claims.push(Claim { modality: Some(*modality), mirrored: *mirrored, state, others });
    }
    claims
}

/// A column: its batch, its position there, and the block of the queried states if the relation
/// depends on it (branching bisimulation), else `NONE`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Column {
    batch: u32,
    bit: u32,
    inside: u32,
}

/// A column, and whether its formula holds.
type Part = (Column, bool);

/// States that have a column and states that lack it, which its formula has to separate.
#[derive(Default)]
struct Query {
    having: Vec<State>,
    lacking: Vec<State>,
}

/// The formula of a column: its modality, what holds before the step and what holds after it.
struct Answer {
    modality: Modality,
    before: Vec<Part>,
    after: Vec<Part>,
}

/// Two sets of states that a subformula has to separate.
#[derive(Default)]
struct Sides {
    having: Vec<State>,
    lacking: Vec<State>,
}

struct Explainer<'a> {
    game: Game<'a>,
    history: History,
    marks: Marks,
    queries: BTreeMap<Column, Query>,
}

impl Explainer<'_> {
    /// Columns that separate a block from all others: the conjunction of their formulas holds in
    /// `states` and in none of `others`.
    fn separate(&mut self, block: u32, states: &[State], others: &[State]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for &other in others {
            let part = self.part(block, other);
            let new = !parts.contains(&part);
            let query = self.queries.entry(part.0).or_default();
            let (own, against) = if part.1 {
                (&mut query.having, &mut query.lacking)
            } else {
                (&mut query.lacking, &mut query.having)
            };
            against.push(other);
            if new {
                own.extend_from_slice(states);
                parts.push(part);
            }
        }
        parts
    }

    /// A column that separates a block from a state outside it; one that was queried before, if
    /// possible.
    fn part(&self, block: u32, other: State) -> Part {
        let parting = self.history.parting(block, self.history.leaf(other));
        let [own, against] = parting.masks;
        let inside = if self.game.rules.relation == Relation::Branching {
            self.history.before(parting.batch, other)
        } else {
            NONE
        };
        let column = |bit: u32| Column { batch: parting.batch, bit, inside };
        let mut bits = (0..u64::BITS).filter(|bit| (own ^ against) >> bit & 1 != 0);
        let known = bits.find(|&bit| self.queries.contains_key(&column(bit)));
        let bit = known.unwrap_or_else(|| {
            // Positive formulas are easier to read.
            let better = if own & !against != 0 { own & !against } else { against & !own };
            better.trailing_zeros()
        });
        (column(bit), own >> bit & 1 != 0)
    }

    /// The formula of a column.
    fn answer(&mut self, column: Column, mut query: Query, cancel: &Cancel) -> Result<Answer> {
        for states in [&mut query.having, &mut query.lacking] {
            states.sort_unstable();
            states.dedup();
        }
        let (label, target) = self.history.column(column.batch, column.bit);
        if self.game.rules.relation == Relation::Branching {
            return self.branching(column.inside, label, target, &query, cancel);
        }
        let weak = self.game.rules.relation == Relation::Weak;
        let modality = match self.game.rules.relation {
            Relation::Weak if Some(label) == self.game.graph.tau => Modality::Silent,
            Relation::Weak => Modality::Weak(label),
            Relation::TauStarA => Modality::Delay(label),
            _ => Modality::Step(label),
        };
        let mut sides = Sides::default();
        for &state in &query.having {
            cancel.check()?;
            let replies = self.replies(state, label, weak);
            sides.having.extend(replies.iter().find(|&&t| self.history.is_within(t, target)));
        }
        for &state in &query.lacking {
            cancel.check()?;
            sides.lacking.extend(self.replies(state, label, weak));
        }
        Ok(Answer { modality, before: Vec::new(), after: self.sides(target, sides) })
    }

    fn sides(&mut self, block: u32, mut sides: Sides) -> Vec<Part> {
        for states in [&mut sides.having, &mut sides.lacking] {
            states.sort_unstable();
            states.dedup();
        }
        self.separate(block, &sides.having, &sides.lacking)
    }

    fn replies(&mut self, state: State, label: Label, weak: bool) -> Vec<State> {
        if weak {
            self.game.weak(state, label, false)
        } else {
            self.game.graph.targets(state, label).to_vec()
        }
    }

    /// The formula for internal steps inside a block followed by a step into another one. States
    /// that lack the column either leave the block first, or their step leads elsewhere.
    fn branching(
        &mut self,
        inside: u32,
        label: Label,
        target: u32,
        query: &Query,
        cancel: &Cancel,
    ) -> Result<Answer> {
        let tau = self.game.graph.tau;
        let (mut path, mut goal) = (Sides::default(), Sides::default());
        for &state in &query.having {
            cancel.check()?;
            let (through, to) = self.weak_path(state, inside, label, target);
            path.having.extend(through);
            goal.having.push(to);
        }
        let mut left = Vec::new();
        let mut through = query.lacking.clone();
        self.marks.clear();
        through.retain(|&state| self.marks.mark(state));
        let mut next = 0;
        while let Some(&state) = through.get(next) {
            next += 1;
            goal.lacking.extend_from_slice(self.game.graph.targets(state, label));
            for &to in tau.map_or(&[][..], |tau| self.game.graph.targets(state, tau)) {
                if !self.marks.mark(to) {
                    continue;
                }
                let list =
                    if self.history.is_within(to, inside) { &mut through } else { &mut left };
                list.push(to);
            }
        }
        if Some(label) == tau {
            goal.lacking.extend(through);
        }
        let last = Some(label).filter(|_| Some(label) != tau);
        // A state where no such step can follow need not be separated.
        for state in left {
            cancel.check()?;
            let silent = if last.is_some() { self.game.silent(state) } else { vec![state] };
            if silent.iter().any(|&s| !self.game.graph.targets(s, label).is_empty()) {
                path.lacking.push(state);
            }
        }
        let before = self.sides(inside, path);
        let after = if last.is_some() && last == self.game.rules.divergence {
            Vec::new()
        } else {
            self.sides(target, goal)
        };
        Ok(Answer { modality: Modality::Until(last), before, after })
    }

    /// A path with the fewest internal steps inside a block before a step into another one: the
    /// states before that step, and its target.
    fn weak_path(
        &self,
        start: State,
        inside: u32,
        label: Label,
        target: u32,
    ) -> (Vec<State>, State) {
        let graph = self.game.graph;
        let mut from: FxHashMap<State, State> = FxHashMap::from_iter([(start, State::NONE)]);
        let mut order = vec![start];
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            let mut steps = graph.targets(state, label).iter();
            if let Some(&to) = steps.find(|&&to| self.history.is_within(to, target)) {
                let before =
                    |&at: &State| from.get(&at).copied().filter(|&state| state != State::NONE);
                return (std::iter::successors(Some(state), before).collect(), to);
            }
            for &to in graph.tau.map_or(&[][..], |tau| graph.targets(state, tau)) {
                if self.history.is_within(to, inside) && !from.contains_key(&to) {
                    from.insert(to, state);
                    order.push(to);
                }
            }
        }
        unreachable!("a state that has a column has a path there")
    }
}
