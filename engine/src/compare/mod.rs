//! Comparison of two systems, with a distinguishing formula or trace if they differ.
//!
//! A difference close to the initial states is found before anything is minimised:
//! `bisimulation_game` (with `game_moves` and `winning_formula`). Then each system is minimised
//! modulo a finer equivalence; if the results are equal, so are the systems. Otherwise the relation
//! is decided on their `disjoint_union`: by `logged_refinement`, whose `split_tree` gives the
//! `formula_of_split`, or by `trace_search`. All evidence is checked on the original systems:
//! `replay`.
//!
//! Read this file, then the others in the order in which they are named here. `limits` bounds the
//! work; `label_text` formats labels.

pub mod bisimulation_game;
pub mod disjoint_union;
pub mod formula_of_split;
pub mod game_moves;
pub mod label_text;
pub mod limits;
pub mod logged_refinement;
pub mod replay;
pub mod split_tree;
pub mod trace_search;
pub mod winning_formula;

use crate::base::cancel::{Cancel, Limited as Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id as _;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;
use crate::bisimulation::minimise;
use crate::bisimulation::minimise::{Equivalence, strong};
use crate::compare::bisimulation_game::{Outcome, Relation, Rules, play};
use crate::compare::disjoint_union::{Classes, Systems, without_silent_loops};
use crate::compare::formula_of_split::distinguish;
use crate::compare::limits::Limits;
use crate::formula::{Formulas, Id};
use crate::preorder::branching_simulation::{branching_simulation, unanswered};
use crate::preorder::coupled_simulation::{coupled_simulation, uncoupled};
use crate::preorder::determinise::visible_steps;
use crate::preorder::model::{End, Model};
use crate::preorder::simulation::unsimulated::unsimulated;
use crate::preorder::simulation::{Simulation, simulation};

/// The relation by which systems are compared.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Bisimilarity, with the rules of its game and the equivalence by which systems are minimised.
    Bisimulation(Rules, Equivalence),
    TauStarA,
    /// The left system simulates the right one, or each simulates the other.
    Simulation {
        relation: Relation,
        both: bool,
    },
    /// The right system refines the left one, or each refines the other.
    Refinement {
        model: Model,
        both: bool,
    },
}

/// The result of a comparison.
pub struct Comparison {
    pub holds: bool,
    /// `None` if the relation holds.
    pub evidence: Option<Evidence>,
}

/// A difference: what one system has and the other lacks.
pub struct Evidence {
    pub of_left: bool,
    pub witness: Witness,
}

/// The text of a label; `None` for the internal one.
pub type Name = Option<Vec<u8>>;

pub enum Witness {
    /// A formula as text, and a run that shows it, as transition numbers.
    Formula { text: Vec<u8>, transitions: Vec<u32> },
    /// A path, as transition numbers of the system that has it, and what follows its last state.
    Path { transitions: Vec<u32>, end: End<Name> },
}

const STRONG: Equivalence = Equivalence::plain(minimise::Kind::Strong);
const WEAK: Equivalence = Equivalence::plain(minimise::Kind::Weak);
const BRANCHING: Equivalence = Equivalence::plain(minimise::Kind::Branching);

/// Compares the initial states of two systems.
pub fn compare(
    left: &Lts,
    right: &Lts,
    kind: Kind,
    limits: Limits,
    cancel: &Cancel,
) -> Result<Comparison> {
    let systems = Systems::new(left, right, limits, cancel)?;
    match kind {
        Kind::Bisimulation(rules, partition) => systems.bisimulation(rules, partition, cancel),
        Kind::TauStarA => systems.tau_star_a(cancel),
        Kind::Simulation { relation, both } => systems.simulation(relation, both, cancel),
        Kind::Refinement { model, both } => {
            let (evidence, of_left) = match systems.refinement(model, both, cancel)? {
                None => return Ok(Comparison { holds: true, evidence: None }),
                Some(comparison) => comparison,
            };
            Ok(systems.path(model, of_left, &evidence, cancel)?)
        }
    }
}

const HOLDS: Comparison = Comparison { holds: true, evidence: None };

/// A formula that holds in one of two states only.
type Formula = (Formulas, Id);

impl Systems {
    fn bisimulation(
        &self,
        mut rules: Rules,
        equivalence: Equivalence,
        cancel: &Cancel,
    ) -> Result<Comparison> {
        if rules.divergence.is_some() {
            rules.divergence = Some(Label(u32::at(self.graph.labels)));
        }
        let marked = self.marked(rules, cancel)?;
        let graph = marked.as_ref().unwrap_or(&self.graph);
        let pair = (self.left, self.right);
        match play(graph, rules, pair, &|_, _| false, self.near(), cancel)? {
            Outcome::Apart(formulas, id) => return self.formula(&formulas, id, true, cancel),
            Outcome::Related => return Ok(HOLDS),
            Outcome::TooLarge => {}
        }
        drop(marked);
        let Some(least) = self.reduced(equivalence, cancel)? else { return Ok(HOLDS) };
        let marked = least.marked(rules, cancel)?;
        let later = Equivalence { rooted: false, ..equivalence };
        let Classes { graph, block, mut pair } = least.classes(later, cancel)?;
        let mut small = match &marked {
            Some(marked) => marked.quotient(&block, graph.states, cancel)?,
            None => graph,
        };
        if rules.relation != Relation::Strong {
            small = without_silent_loops(&small, |_| true, cancel)?;
        }
        if rules.rooted {
            (small, pair) = least.with_roots(&small, &block, cancel)?;
        }
        let (formulas, id) = least.explain(&small, rules, pair, &|_, _| false, cancel)?;
        self.formula(&formulas, id, true, cancel)
    }

    /// The graph with loops for divergences, if the rules observe them.
    fn marked(&self, rules: Rules, cancel: &Cancel) -> Result<Option<Graph>> {
        Ok(rules.divergence.map(|_| self.with_divergence(cancel)).transpose()?)
    }

    fn tau_star_a(&self, cancel: &Cancel) -> Result<Comparison> {
        let rules = Rules { relation: Relation::TauStarA, rooted: false, divergence: None };
        let pair = (self.left, self.right);
        match play(&self.graph, rules, pair, &|_, _| false, self.near(), cancel)? {
            Outcome::Apart(formulas, id) => return self.formula(&formulas, id, true, cancel),
            Outcome::Related => return Ok(HOLDS),
            Outcome::TooLarge => {}
        }
        let Some(least) = self.reduced(BRANCHING, cancel)? else { return Ok(HOLDS) };
        let Classes { graph, pair: (left, right), .. } = least.classes(BRANCHING, cancel)?;
        let steps = visible_steps(&graph, &[left, right], cancel)?;
        let (block, blocks) = strong(&steps, cancel)?;
        let pair = (block[left].state(), block[right].state());
        if pair.0 == pair.1 {
            return Ok(HOLDS);
        }
        let small = steps.quotient(&block, blocks, cancel)?;
        let (formulas, id) = least.explain(&small, rules, pair, &|_, _| false, cancel)?;
        self.formula(&formulas, id, true, cancel)
    }

    fn simulation(&self, relation: Relation, both: bool, cancel: &Cancel) -> Result<Comparison> {
        let rules = Rules { relation, rooted: false, divergence: None };
        let of = |pair: (State, State)| Directions { pair, both };
        match of((self.left, self.right)).play(&self.graph, rules, self.near(), cancel)? {
            (Outcome::Apart(formulas, id), of_left) => {
                return self.formula(&formulas, id, of_left, cancel);
            }
            (Outcome::Related, _) => return Ok(HOLDS),
            (Outcome::TooLarge, _) => {}
        }
        let finer = match relation {
            Relation::CoupledSimulation | Relation::WeakSimulation => WEAK,
            Relation::BranchingSimulation => BRANCHING,
            _ => STRONG,
        };
        let Some(least) = self.reduced(finer, cancel)? else { return Ok(HOLDS) };
        let Classes { graph: mut small, pair, .. } = least.classes(finer, cancel)?;
        match relation {
            Relation::CoupledSimulation | Relation::BranchingSimulation => {
                small = without_silent_loops(&small, |_| true, cancel)?;
            }
            Relation::WeakSimulation => small = visible_steps(&small, &[pair.0, pair.1], cancel)?,
            _ => {}
        }
        // The game may find a difference without computing the whole preorder, which takes cubic
        // time.
        match of(pair).play(&small, rules, self.limits.far, cancel)? {
            (Outcome::Apart(formulas, id), of_left) => {
                return self.formula(&formulas, id, of_left, cancel);
            }
            (Outcome::Related, _) => return Ok(HOLDS),
            (Outcome::TooLarge, _) => {}
        }
        let order = match relation {
            Relation::CoupledSimulation => coupled_simulation(&small, self.limits.states, cancel)?,
            Relation::BranchingSimulation => {
                branching_simulation(&small, self.limits.states, cancel)?
            }
            Relation::ReadySimulation => {
                simulation(&small, Simulation::Ready, self.limits.states, cancel)?
            }
            _ => simulation(&small, Simulation::Plain, self.limits.states, cancel)?,
        };
        for (pair, of_left) in of(pair).pairs() {
            if !order.below(pair.0, pair.1) {
                let related = |p: State, q: State| order.below(p, q);
                let (formulas, id) = least.explain(&small, rules, pair, &related, cancel)?;
                return self.formula(&formulas, id, of_left, cancel);
            }
        }
        Ok(HOLDS)
    }

    /// A formula that distinguishes two states that are known to be unrelated.
    fn explain(
        &self,
        small: &Graph,
        rules: Rules,
        pair: (State, State),
        related: &dyn Fn(State, State) -> bool,
        cancel: &Cancel,
    ) -> Result<Formula> {
        match play(small, rules, pair, related, self.limits.far, cancel)? {
            Outcome::Apart(formulas, id) => Ok((formulas, id)),
            Outcome::Related => unreachable!("states of different classes are separated"),
            Outcome::TooLarge => Ok(match rules.relation {
                Relation::Simulation => unsimulated(small, Simulation::Plain, pair, cancel)?,
                Relation::WeakSimulation => unsimulated(small, Simulation::Weak, pair, cancel)?,
                Relation::ReadySimulation => unsimulated(small, Simulation::Ready, pair, cancel)?,
                Relation::CoupledSimulation => uncoupled(small, pair, cancel)?,
                Relation::BranchingSimulation => unanswered(small, pair, cancel)?,
                _ => distinguish(small, rules, pair, cancel)?,
            }),
        }
    }

    /// The negative result, with a formula that holds in one system only; this is asserted here.
    fn formula(
        &self,
        formulas: &Formulas,
        id: Id,
        of_left: bool,
        cancel: &Cancel,
    ) -> Result<Comparison> {
        // A formula without an outer negation, of the other system if need be, is easier to read.
        let (id, negated) = formulas.without_negation(id);
        let of_left = of_left != negated;
        let (has, lacks) = if of_left { (self.left, self.right) } else { (self.right, self.left) };
        let along = formulas.along(id, self.graph.states);
        let truth = formulas.decide(&self.graph, id, &[has, lacks], &along, cancel)?;
        assert!(
            truth.has(id, has) && !truth.has(id, lacks),
            "a distinguishing formula must hold in exactly one of the systems"
        );
        let transitions =
            self.transition_numbers(&formulas.run(&self.graph, &truth, id, has), of_left);
        let witness = Witness::Formula { text: formulas.show(id, self), transitions };
        Ok(Comparison { holds: false, evidence: Some(Evidence { of_left, witness }) })
    }
}

/// The directions of a preorder that are to be checked.
struct Directions {
    /// The initial states of the left and of the right system.
    pair: (State, State),
    /// Whether each has to be below the other; else only the right one below the left one.
    both: bool,
}

impl Directions {
    /// The pairs that have to be related, and whether the first state is that of the left system.
    fn pairs(&self) -> impl Iterator<Item = ((State, State), bool)> {
        let (left, right) = self.pair;
        let both = self.both.then_some(((left, right), true));
        std::iter::once(((right, left), false)).chain(both)
    }

    /// Plays the game for all pairs. Returns the first pair that is apart, with whether its first
    /// state is that of the left system; `Related` if all pairs are.
    fn play(
        &self,
        graph: &Graph,
        rules: Rules,
        most: usize,
        cancel: &Cancel,
    ) -> Result<(Outcome, bool)> {
        let mut result = Outcome::Related;
        for (pair, of_left) in self.pairs() {
            match play(graph, rules, pair, &|_, _| false, most, cancel)? {
                Outcome::Related => {}
                Outcome::TooLarge => result = Outcome::TooLarge,
                apart => return Ok((apart, of_left)),
            }
        }
        Ok((result, false))
    }
}
