//! Analyses what the steps of each summand depend on, to choose what is computed once and then
//! looked up.
//!
//! A state has a value for each *position*, a parameter that changes. Three kinds of tables are
//! filled during exploration:
//!
//! - A *test* is a condition that reads one position. For each value of the position there is a
//!   list of the tests that hold. A summand is evaluated only where its *home* test and its other
//!   tests hold.
//! - A *derived value* is a term, or an equation, that reads some positions: a separate condition,
//!   a new value that reads what the rest of its summand does not, or a part of a larger term whose
//!   sort consists of constants and thus has few values.
//! - The *steps* of a summand are stored under the values of the remaining positions and derived
//!   values. Separating conditions and parts makes these fewer than the positions that the summand
//!   reads.
//!
//! `position_order` determines which positions are adjacent, `value_tests` the tests of summands.

pub mod position_order;
pub mod value_tests;

use crate::base::ids::Id;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, Term};
use crate::process::linear::Process;
use crate::process::linear::simultaneous::Simultaneous;
use crate::process::linear::summand::Summand;
use crate::process::linear::synchronisation::Synchronisation;
use crate::process::plan::position_order::ordered;
use crate::process::plan::value_tests::Test;
use rustc_hash::{FxHashMap, FxHashSet};

/// An entry of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// The value of a position.
    Position(u32),
    /// A derived value.
    Derived(u32),
}

/// A condition or an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conjunct {
    Equation(Term, Term),
    /// A Boolean term and its required value.
    Condition(Term, bool),
    /// Component number `.1` of the network summand `.0` can take part in its steps.
    Takes(u32, u32),
}

/// The definition of a derived value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// Whether the conjunct holds: 0 or 1.
    Holds(Conjunct),
    /// The normal form of a term, numbered in order of arrival.
    Part(Term),
    /// The new value of a position, by its number at that position.
    Update(u32, Term),
}

/// A derived value and its inputs.
pub struct Derived {
    pub definition: Definition,
    pub inputs: Vec<Input>,
}

/// How the steps of a summand are computed.
pub struct Steps {
    /// Derived values that must be 1.
    pub guards: Vec<u32>,
    /// The key of its table.
    pub inputs: Vec<Input>,
    /// The positions whose new values are in the steps of the table, each with the index of the
    /// summand's update.
    pub writes: Vec<(u32, u32)>,
    /// The positions whose new values are derived values, each with the number of that.
    pub derived: Vec<(u32, u32)>,
}

/// The positions of a process and the tables over them.
pub struct Plan {
    /// The parameter of each position, in order.
    pub positions: Vec<u32>,
    /// The tests of every summand; the home test is the first, if there are any.
    pub tests: Vec<Vec<Test>>,
    pub derived: Vec<Derived>,
    pub steps: Vec<Steps>,
}

/// The positions that a term reads, in order; `open` if it also contains variables of the summand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reads {
    positions: Vec<u32>,
    open: bool,
}

/// Whether all positions are among others, which are in order.
fn within(positions: &[u32], others: &[u32]) -> bool {
    positions.iter().all(|position| others.binary_search(position).is_ok())
}

/// Builds a plan; `position_of` has the position of each parameter that changes.
struct Planner<'a> {
    data: &'a Data,
    position_of: Vec<Option<u32>>,
    derived: Vec<Derived>,
    known: FxHashMap<Definition, u32>,
}

impl Plan {
    /// The plan for a process.
    pub fn new(process: &Process) -> Self {
        let is_new = |&&(parameter, term): &&(u32, Term)| {
            process.data.terms.head(term) != Head::Variable(parameter)
        };
        let own = process.summands.iter().filter(|summand| !summand.is_simultaneous);
        let taking_part = process.simultaneous.iter().flat_map(Simultaneous::summands);
        let updates = own.chain(taking_part).map(|summand| &summand.updates);
        let changed: Vec<Vec<u32>> = updates
            .map(|own| own.iter().filter(is_new).map(|&(parameter, _)| parameter).collect())
            .collect();
        let mut parameters = changed.concat();
        parameters.sort_unstable();
        parameters.dedup();
        let positions = ordered(&parameters, &changed);
        let mut position_of = vec![None; process.parameters];
        for (position, &parameter) in (0..).zip(&positions) {
            position_of[parameter as usize] = Some(position);
        }
        let mut planner = Planner {
            data: &process.data,
            position_of,
            derived: Vec::new(),
            known: FxHashMap::default(),
        };
        let tests = planner.tests(&process.summands);
        let steps = (0..process.summands.len())
            .map(|i| match &process.summands[i] {
                Summand { together: Some(together), .. } => {
                    planner.together(u32::at(i), together, &tests[i])
                }
                summand if summand.is_simultaneous => planner.simultaneous(summand),
                _ => planner.summand(process, i, &tests[i]),
            })
            .collect();
        let derived = planner.derived;
        Self { positions, tests, derived, steps }
    }
}

impl Planner<'_> {
    /// The steps of a network summand. If it has more than two components, guards ensure that each
    /// of them can take part, so that the table has no entries without steps.
    fn together(&mut self, i: u32, together: &Synchronisation, tests: &[Test]) -> Steps {
        let position =
            |&component: &u32| self.position_of[component as usize].expect("it is updated");
        let positions: Vec<u32> = together.components.iter().map(position).collect();
        let mut guards = Vec::new();
        for (k, &position) in (0..).zip(&positions).filter(|_| positions.len() > 2) {
            let conjunct = Conjunct::Takes(i, k);
            if !is_tested(tests, conjunct) {
                guards.push(
                    self.derive(Definition::Holds(conjunct), vec![Input::Position(position)]),
                );
            }
        }
        Steps {
            guards,
            inputs: positions.iter().map(|&position| Input::Position(position)).collect(),
            writes: (0..).zip(&positions).map(|(k, &position)| (position, k)).collect(),
            derived: Vec::new(),
        }
    }

    /// The steps of several parallel processes at once: the summand reads what it updates.
    fn simultaneous(&self, summand: &Summand) -> Steps {
        let position = |&parameter: &u32| self.position_of[parameter as usize];
        let updates = (0..).zip(&summand.updates);
        let mut writes: Vec<(u32, u32)> =
            updates.filter_map(|(k, (parameter, _))| Some((position(parameter)?, k))).collect();
        writes.sort_unstable();
        let mut inputs: Vec<Input> =
            summand.reads.iter().filter_map(position).map(Input::Position).collect();
        inputs.sort_unstable();
        Steps { guards: Vec::new(), inputs, writes, derived: Vec::new() }
    }

    fn summand(&mut self, process: &Process, number: usize, tests: &[Test]) -> Steps {
        let summand = &process.summands[number];
        // `core` are the terms that the table of steps must contain; `guards` and `several` are
        // conditions that can be separated.
        let mut core: Vec<Term> = summand.arguments.clone();
        let mut guards = Vec::new();
        let mut several = Vec::new();
        for conjunct in conjuncts(summand).filter(|&conjunct| !is_tested(tests, conjunct)) {
            let reads = self.reads_of(conjunct);
            match reads.positions[..] {
                _ if reads.open => core.extend(parts(conjunct)),
                [] => core.extend(parts(conjunct)),
                // Always a guard, even if the table reads the position anyway: otherwise the table
                // would have entries without steps.
                [position] => {
                    guards.push(
                        self.derive(Definition::Holds(conjunct), vec![Input::Position(position)]),
                    );
                }
                _ => several.push((conjunct, reads.positions)),
            }
        }
        let mut updates = Vec::new();
        let mut writes = Vec::new();
        for (i, &(parameter, term)) in summand.updates.iter().enumerate() {
            let Some(position) = self.position_of[parameter as usize] else { continue };
            let reads = self.reads(term);
            if reads.open {
                core.push(term);
                writes.push((position, u32::at(i)));
            } else {
                updates.push((position, u32::at(i), term, reads));
            }
        }
        let mut read = self.reads_all(&core);
        several.retain(|(conjunct, reads)| {
            let inside = within(reads, &read);
            if inside {
                core.extend(parts(*conjunct));
            }
            !inside
        });
        // If the update that reads most reads all that the table reads, it becomes part of the
        // table.
        let widest = (updates.iter().map(|(_, _, _, reads)| reads))
            .filter(|reads| within(&read, &reads.positions))
            .max_by_key(|reads| reads.positions.len());
        if let Some(widest) = widest {
            read = widest.positions.clone();
            several.retain(|(conjunct, reads)| {
                let same = *reads == read;
                if same {
                    core.extend(parts(*conjunct));
                }
                !same
            });
        }
        let mut derived = Vec::new();
        for (position, i, term, reads) in updates {
            // If values are to be checked, updates are evaluated together with the whole step.
            if within(&reads.positions, &read) || process.check.is_some() {
                core.push(term);
                writes.push((position, i));
            } else {
                let inputs = self.inputs(&[term], &reads.positions);
                derived.push((position, self.derive(Definition::Update(position, term), inputs)));
            }
        }
        writes.sort_unstable();
        for (conjunct, reads) in several {
            let inputs = self.inputs(&parts(conjunct), &reads);
            guards.push(self.derive(Definition::Holds(conjunct), inputs));
        }
        let inputs = self.inputs(&core, &read);
        Steps { guards, inputs, writes, derived }
    }

    fn derive(&mut self, definition: Definition, inputs: Vec<Input>) -> u32 {
        if let Some(&known) = self.known.get(&definition) {
            return known;
        }
        let number = u32::at(self.derived.len());
        self.derived.push(Derived { definition, inputs });
        self.known.insert(definition, number);
        number
    }

    /// The inputs that determine the normal forms of `terms`, which together read `positions`:
    /// positions, and parts that read fewer positions and have few values.
    fn inputs(&mut self, terms: &[Term], positions: &[u32]) -> Vec<Input> {
        let mut parts: Vec<(Term, Vec<u32>)> = Vec::new();
        let mut direct: Vec<u32> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut waiting = terms.to_vec();
        while let Some(term) = waiting.pop() {
            if self.data.terms.is_ground(term) || !seen.insert(term) {
                continue;
            }
            let Head::Symbol(_) = self.data.terms.head(term) else {
                direct.extend(self.reads(term).positions);
                continue;
            };
            let reads = self.reads(term);
            let fewer = reads.positions.len() < positions.len() && !reads.positions.is_empty();
            if fewer && !reads.open && self.has_few_values(term) {
                parts.push((term, reads.positions));
            } else {
                waiting.extend(self.data.terms.children(term));
            }
        }
        direct.sort_unstable();
        direct.dedup();
        // A part is useless if all that it reads is in the key anyway.
        parts.retain(|(_, reads)| !within(reads, &direct));
        let mut inputs: Vec<Input> = direct.into_iter().map(Input::Position).collect();
        for (term, reads) in parts {
            // Parts of parts would save little and cost another lookup.
            let below = reads.into_iter().map(Input::Position).collect();
            inputs.push(Input::Derived(self.derive(Definition::Part(term), below)));
        }
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// Whether the sort of a term has constant constructors only.
    fn has_few_values(&self, term: Term) -> bool {
        let symbols = &self.data.terms.symbols;
        let constructors = &self.data.constructors[self.data.terms.sort(term) as usize];
        let constant = |&symbol: &u32| {
            let symbol = &symbols[symbol as usize];
            symbol.kind == Kind::Constructor && symbol.arguments.is_empty()
        };
        !constructors.is_empty() && constructors.iter().all(constant)
    }

    fn reads(&self, term: Term) -> Reads {
        let mut variables = Vec::new();
        self.data.terms.variables(term, &mut variables);
        let mut reads = Reads::default();
        for variable in variables {
            match self.position_of.get(variable as usize) {
                Some(position) => reads.positions.extend(position),
                None => reads.open = true,
            }
        }
        reads.positions.sort_unstable();
        reads
    }

    fn reads_of(&self, conjunct: Conjunct) -> Reads {
        let parts = parts(conjunct);
        Reads {
            positions: self.reads_all(&parts),
            open: parts.iter().any(|&term| self.reads(term).open),
        }
    }

    fn reads_all(&self, terms: &[Term]) -> Vec<u32> {
        let mut positions: Vec<u32> =
            terms.iter().flat_map(|&term| self.reads(term).positions).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}

/// The equations and conditions of a summand.
pub(crate) fn conjuncts(summand: &Summand) -> impl Iterator<Item = Conjunct> {
    let equations = summand.equations.iter().map(|&(l, r)| Conjunct::Equation(l, r));
    equations.chain(summand.conditions.iter().map(|&(c, value)| Conjunct::Condition(c, value)))
}

fn is_tested(tests: &[Test], conjunct: Conjunct) -> bool {
    tests.iter().any(|test| test.conjunct == conjunct)
}

/// The terms in a conjunct.
pub(crate) fn parts(conjunct: Conjunct) -> Vec<Term> {
    match conjunct {
        Conjunct::Equation(left, right) => vec![left, right],
        Conjunct::Condition(term, _) => vec![term],
        Conjunct::Takes(..) => Vec::new(),
    }
}
