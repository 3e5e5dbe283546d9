//! Searches for paths that random automata accept, against all sets of nodes that a path could
//! visit infinitely often.

use crate::base::cancel::{Cancel, Result};
use crate::base::random::Random;
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::fair_paths::automaton_states::{
    AutomatonFormula, AutomatonState, Kind, Move, Requirement,
};
use crate::check::fair_paths::lassos::Lasso;
use crate::check::fair_paths::lts_graph::LtsGraph;
use crate::check::fair_paths::{FairPathSearch, Outcome, Shown};
use crate::check::parity_game::formula::{After, Formula, Part};
use crate::check::tests::{Node, Nodes, System};
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use std::collections::BTreeSet;

/// The number of components of an automaton, and of states in each.
const COMPONENTS: usize = 3;
const WIDTH: usize = 2;
/// Eventualities are bits below this.
const EVENTUALITIES: u64 = 2;

/// An automaton whose conditions are parts of a formula. The states of a component have the same
/// requirements, and lead to it or to later ones.
#[derive(Clone, Debug)]
struct Automaton {
    conditions: Nodes,
    states: Vec<AutomatonState>,
    requirements: Vec<Requirement>,
}

impl Automaton {
    fn random(random: &mut Random) -> Self {
        let (conditions, states, requirements) = Default::default();
        let mut automaton = Self { conditions, states, requirements };
        for component in 0..COMPONENTS {
            let kind = match random.below(8) {
                0..2 => Kind::Transient,
                7 if component > 0 => Kind::Accepting,
                _ => Kind::Recurrent,
            };
            let first = automaton.requirements.len() as u32;
            for _ in 0..random.below(3) {
                let steps =
                    (0..random.below(3)).map(|_| (automaton.held(random), automaton.set(random)));
                let steps = steps.collect();
                let instead =
                    random.once_in(2).then(|| automaton.conditions.condition(random) as u32);
                automaton.requirements.push(Requirement { steps, instead });
            }
            let requirements: Vec<u32> = (first..automaton.requirements.len() as u32).collect();
            for _ in 0..WIDTH {
                let moves = (0..1 + random.below(3)).map(|_| automaton.step(random, component));
                let moves = moves.collect();
                let at_deadlock = automaton.rarely(random, 4);
                let here = automaton.rarely(random, 12);
                let requirements = requirements.clone();
                automaton.states.push(AutomatonState {
                    kind,
                    moves,
                    at_deadlock,
                    here,
                    requirements,
                });
            }
        }
        automaton
    }

    /// A move from a component, which often stays there.
    fn step(&mut self, random: &mut Random, component: usize) -> Move {
        let first = component * WIDTH;
        let last = if random.once_in(2) { first + WIDTH } else { COMPONENTS * WIDTH };
        Move {
            held: self.held(random),
            set: self.set(random),
            after: After::Part((first + random.below(last - first)) as u32),
            open: random.below(1 << EVENTUALITIES) as u64,
        }
    }

    fn held(&mut self, random: &mut Random) -> Vec<u32> {
        (0..random.below(3).saturating_sub(1) + random.below(2))
            .map(|_| self.conditions.condition(random) as u32)
            .collect()
    }

    fn rarely(&mut self, random: &mut Random, times: usize) -> Vec<u32> {
        let condition = random.once_in(times).then(|| self.conditions.condition(random) as u32);
        condition.into_iter().collect()
    }

    fn set(&mut self, random: &mut Random) -> u32 {
        let truth = self.conditions.add(Node::And(Vec::new()));
        self.conditions.add(Node::Can(1 + random.below(7), truth)) as u32
    }

    fn has(&self, set: u32, label: usize) -> bool {
        self.conditions.set(set) >> label & 1 > 0
    }
}

impl Formula for Automaton {
    fn part(&mut self, number: u32) -> Result<Part> {
        self.conditions.part(number)
    }

    fn has(&mut self, set: u32, label: &[u8]) -> Result<bool> {
        Formula::has(&mut self.conditions, set, label)
    }

    fn after(&mut self, set: u32, label: &[u8]) -> Result<Vec<u32>> {
        self.conditions.after(set, label)
    }

    fn here(&mut self, number: u32, labels: &[&[u8]]) -> Result<Vec<u32>> {
        self.conditions.here(number, labels)
    }
}

impl DataFormula for Automaton {
    fn taken_apart(&mut self, part: u32, data: &mut Data) -> Result<(u32, Vec<Term>)> {
        self.conditions.taken_apart(part, data)
    }

    fn put_together(&mut self, shape: u32, values: &[Term], data: &Data) -> Result<u32> {
        self.conditions.put_together(shape, values, data)
    }

    fn is_internal(&mut self, label: &[u8]) -> Result<bool> {
        self.conditions.is_internal(label)
    }
}

impl AutomatonFormula for Automaton {
    fn control(&mut self, number: u32) -> Result<AutomatonState> {
        Ok(self.states[number as usize].clone())
    }

    fn requirement(&mut self, number: u32) -> Result<Requirement> {
        Ok(self.requirements[number as usize].clone())
    }
}

/// Some paths of a system: positions, each with its state, and steps between positions.
struct Paths<'s> {
    system: &'s System,
    states: Vec<usize>,
    steps: Vec<(usize, usize, usize)>,
}

/// A position and a state of the automaton.
type At = (usize, usize);

/// A step between these, with its label, and the eventualities that it leaves open.
struct Edge {
    from: At,
    label: usize,
    to: At,
    open: u64,
}

impl<'s> Paths<'s> {
    fn all(system: &'s System) -> Self {
        let states = (0..system.states).collect();
        Self { system, states, steps: system.transitions.clone() }
    }

    /// The only path along some steps; the last leads to position `again`, if given.
    fn along(
        system: &'s System,
        steps: &[(usize, usize, usize)],
        again: Option<usize>,
    ) -> Option<Self> {
        let mut states = vec![0];
        let mut between = Vec::new();
        for (at, &(source, label, target)) in steps.iter().enumerate() {
            if states[at] != source {
                return None;
            }
            match again.filter(|_| at + 1 == steps.len()) {
                Some(again) if states[again] == target => between.push((at, label, again)),
                Some(_) => return None,
                None => {
                    states.push(target);
                    between.push((at, label, at + 1));
                }
            }
        }
        Some(Self { system, states, steps: between })
    }

    /// Whether the automaton accepts one of the paths from position 0, or every continuation.
    fn has_accepted(&self, automaton: &Automaton) -> bool {
        let holds = |parts: &[u32], position: usize| {
            let state = self.states[position];
            let mut of = parts.iter();
            of.all(|&part| automaton.conditions.holds_in(part as usize, self.system, state))
        };
        let some =
            |parts: &[u32], position: usize| parts.iter().any(|&part| holds(&[part], position));
        let mut edges = Vec::new();
        for &(position, label, target) in &self.steps {
            for (control, state) in automaton.states.iter().enumerate() {
                for step in &state.moves {
                    let After::Part(to) = step.after else { unreachable!("it is a part") };
                    if holds(&step.held, position) && automaton.has(step.set, label) {
                        let (from, to) = ((position, control), (target, to as usize));
                        edges.push(Edge { from, label, to, open: step.open });
                    }
                }
            }
        }
        let mut reached = led_to(&edges.iter().collect::<Vec<_>>(), (0, 0));
        reached.insert((0, 0));
        let is_shown = reached.iter().any(|&(position, control)| {
            let state = &automaton.states[control];
            let is_end = self.system.steps(self.states[position]).next().is_none();
            state.kind == Kind::Accepting
                || some(&state.here, position)
                || is_end && some(&state.at_deadlock, position)
        });
        is_shown
            || (0..COMPONENTS).any(|component| {
                let first = component * WIDTH;
                let own = |at: &&At| (first..first + WIDTH).contains(&at.1);
                let own: Vec<At> = reached.iter().filter(own).copied().collect();
                let state = &automaton.states[first];
                state.kind == Kind::Recurrent
                    && (1..1_usize << own.len()).any(|bits| {
                        let nodes: BTreeSet<At> = (0..own.len())
                            .filter(|at| bits >> at & 1 > 0)
                            .map(|at| own[at])
                            .collect();
                        let inside =
                            |edge: &&Edge| nodes.contains(&edge.from) && nodes.contains(&edge.to);
                        let inside: Vec<&Edge> = edges.iter().filter(inside).collect();
                        let is_fulfilled = |&number: &u32| {
                            let Requirement { steps, instead } =
                                &automaton.requirements[number as usize];
                            let is_done = inside.iter().any(|edge| {
                                steps.iter().any(|(held, set)| {
                                    automaton.has(*set, edge.label) && holds(held, edge.from.0)
                                })
                            });
                            let is_excused = |&part: &u32| {
                                nodes.iter().all(|&(position, _)| holds(&[part], position))
                            };
                            is_done || instead.as_ref().is_some_and(is_excused)
                        };
                        let fulfilled =
                            |bit: u64| inside.iter().any(|edge| edge.open >> bit & 1 == 0);
                        nodes.iter().all(|&at| led_to(&inside, at) == nodes)
                            && (0..EVENTUALITIES).all(fulfilled)
                            && state.requirements.iter().all(is_fulfilled)
                    })
            })
    }
}

/// The nodes that one or more of these edges lead to.
fn led_to(edges: &[&Edge], start: At) -> BTreeSet<At> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![start]);
    while let Some(at) = waiting.pop() {
        for edge in edges.iter().filter(|edge| edge.from == at) {
            if reached.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    reached
}

#[test]
fn accepted_paths_agree_with_the_definition() {
    let mut random = Random(0x7777_1234_abcd_0001);
    let [mut cycles, mut finite, mut none] = [0; 3];
    for _ in 0..10_000 {
        let system = System::random(&mut random, 1);
        let automaton = Automaton::random(&mut random);
        let expected = Paths::all(&system).has_accepted(&automaton);
        let (lts, cancel) = (system.lts(), Cancel::never());
        let mut graph = LtsGraph::new(&lts, usize::MAX, &cancel);
        let mut formula = Coded::new(automaton.clone(), None);
        let mut search =
            FairPathSearch::new(&mut graph, &mut formula, 0).expect("nothing stops it");
        let shown = match search.run().expect("nothing stops it") {
            Outcome::Accepted(shown) => shown,
            Outcome::Nothing => {
                assert!(!expected, "{automaton:?} {system:?}");
                none += 1;
                continue;
            }
            Outcome::Stopped => panic!("nothing stops it"),
        };
        assert!(expected, "{automaton:?} {system:?}");
        let Lasso { steps, again } = search.lasso(&shown).expect("nothing stops it");
        let transition =
            |at: u32| system.transitions[search.graph.transition(at as usize) as usize];
        let steps: Vec<_> = steps.iter().map(|step| transition(step.at)).collect();
        let path = Paths::along(&system, &steps, again).expect("its steps follow one another");
        assert!(path.has_accepted(&automaton), "{automaton:?} {system:?} {steps:?} {again:?}");
        match shown {
            Shown::Until(_) => finite += 1,
            Shown::Cycle(_) => cycles += 1,
        }
    }
    assert!(cycles.min(finite).min(none) > 200, "{cycles} {finite} {none}");
}
