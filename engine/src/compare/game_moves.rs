//! The moves of a game position: the steps of the attacker, and their answers.
//!
//! Only this file depends on the relation.

use crate::base::ids::{Label, State};
use crate::compare::bisimulation_game::{Game, Modality, Relation};
use crate::ops::tau_closure::close;

/// An answer to a move: a pair, or a choice of two pairs.
pub(crate) type Answer = ((State, State), Option<(State, State)>);

/// The moves of a position: modality, mirrored, flipped, range of answers.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) moves: Vec<(Modality, bool, bool, std::ops::Range<usize>)>,
    pub(crate) answers: Vec<Answer>,
}

impl Moves {
    fn add(&mut self, modality: Modality, mirrored: bool, flipped: bool, answers: &[Answer]) {
        let first = self.answers.len();
        self.answers.extend_from_slice(answers);
        self.moves.push((modality, mirrored, flipped, first..self.answers.len()));
    }
}

/// The targets of the steps with a label. `steps` is sorted by label.
fn with_label(steps: &[(Label, State)], label: Label) -> impl Iterator<Item = State> {
    let from = steps.partition_point(|step| step.0 < label);
    steps[from..].iter().take_while(move |step| step.0 == label).map(|step| step.1)
}

impl Game<'_> {
    /// The moves of a position.
    pub(crate) fn moves(&mut self, left: State, right: State, root: bool) -> Moves {
        let mut moves = Moves::default();
        self.attack(left, right, root, false, &mut moves);
        match self.rules.relation {
            Relation::Simulation
            | Relation::WeakSimulation
            | Relation::BranchingSimulation
            | Relation::CoupledSimulation => {}
            Relation::ReadySimulation => {
                for (label, _) in self.graph.steps(right) {
                    if self.graph.targets(left, label).is_empty() {
                        moves.add(Modality::Step(label), true, false, &[]);
                    }
                }
            }
            _ => self.attack(right, left, root, true, &mut moves),
        }
        moves
    }

    /// The moves that are steps of `x`, answered by `y`. Stops early once the bound on work is
    /// passed.
    fn attack(&mut self, x: State, y: State, root: bool, mirrored: bool, moves: &mut Moves) {
        let graph = self.graph;
        let tau = graph.tau;
        self.work += 1 + graph.steps(x).count();
        let mut answers: Vec<Answer> = Vec::new();
        let pairs = |x: State, targets: &[State]| -> Vec<Answer> {
            targets.iter().map(|&t| ((x, t), None)).collect()
        };
        match self.rules.relation {
            Relation::Weak => {
                let mut replies = (None, Vec::new());
                for (label, target) in graph.steps(x) {
                    if self.is_exhausted() {
                        return;
                    }
                    if replies.0 != Some(label) {
                        replies = (Some(label), self.weak(y, label, root));
                    }
                    self.work += replies.1.len();
                    let silent = Some(label) == tau && !root;
                    let modality = if silent { Modality::Silent } else { Modality::Weak(label) };
                    moves.add(modality, mirrored, false, &pairs(target, &replies.1));
                }
            }
            _ if root => {
                for (label, target) in graph.steps(x) {
                    if self.is_exhausted() {
                        return;
                    }
                    let replies = pairs(target, graph.targets(y, label));
                    moves.add(Modality::Step(label), mirrored, false, &replies);
                }
            }
            Relation::Strong | Relation::Simulation | Relation::ReadySimulation => {
                for (label, target) in graph.steps(x) {
                    if self.is_exhausted() {
                        return;
                    }
                    let replies = pairs(target, graph.targets(y, label));
                    moves.add(Modality::Step(label), mirrored, false, &replies);
                }
            }
            Relation::TauStarA | Relation::WeakSimulation => {
                let replies = self.delay(y);
                for (label, target) in self.delay(x) {
                    if self.is_exhausted() {
                        return;
                    }
                    answers.clear();
                    answers.extend(with_label(&replies, label).map(|t| ((target, t), None)));
                    self.work += answers.len();
                    moves.add(Modality::Delay(label), mirrored, false, &answers);
                }
            }
            Relation::CoupledSimulation => {
                let silent = self.silent(y);
                let replies = self.delay(y);
                for (label, target) in graph.steps(x) {
                    if self.is_exhausted() {
                        return;
                    }
                    if Some(label) == tau {
                        self.work += silent.len();
                        moves.add(Modality::Silent, mirrored, false, &pairs(target, &silent));
                        continue;
                    }
                    answers.clear();
                    answers.extend(with_label(&replies, label).map(|t| ((target, t), None)));
                    self.work += answers.len();
                    moves.add(Modality::Delay(label), mirrored, false, &answers);
                }
                let swapped: Vec<Answer> = silent.iter().map(|&t| ((t, x), None)).collect();
                moves.add(Modality::Silent, mirrored, true, &swapped);
            }
            Relation::Branching | Relation::BranchingSimulation => {
                let silent = self.silent(y);
                for (label, target) in graph.steps(x) {
                    if self.is_exhausted() {
                        return;
                    }
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
                // A state on a cycle of internal steps can only be answered by another such state.
                let on_cycle = |s: State| {
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

    /// The states reached by zero or more internal steps.
    pub(crate) fn silent(&mut self, state: State) -> Vec<State> {
        let mut states = vec![state];
        close(self.graph, &mut self.marks, &mut states);
        self.work += states.len();
        states
    }

    /// The steps `tau* a` with `a` visible.
    fn delay(&mut self, state: State) -> Vec<(Label, State)> {
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

    /// The targets of `tau* a tau*`. An internal `a` may also be matched by no step, unless
    /// `strict`.
    pub(crate) fn weak(&mut self, state: State, label: Label, strict: bool) -> Vec<State> {
        let silent = self.silent(state);
        if Some(label) == self.graph.tau && !strict {
            return silent;
        }
        let targets = silent.iter().flat_map(|&s| self.graph.targets(s, label));
        let mut states: Vec<State> = targets.copied().collect();
        close(self.graph, &mut self.marks, &mut states);
        self.work += states.len();
        states
    }
}
