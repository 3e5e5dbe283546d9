//! The tests of each summand: its conditions that read a single position.

use crate::base::ids::Id;
use crate::data::numbers::Operation;
use crate::data::terms::{Head, Term};
use crate::process::linear::summand::Summand;
use crate::process::plan::{Conjunct, Planner, conjuncts};
use rustc_hash::FxHashMap;

/// A condition on one position.
#[derive(Clone, Copy)]
pub struct Test {
    pub position: u32,
    pub conjunct: Conjunct,
    /// The required value of the position, if the condition is a comparison with a constant.
    pub constant: Option<Term>,
    /// Whether evaluation is known to be short for any value.
    short: bool,
}

impl Planner<'_> {
    /// Chooses the tests of every summand. The home test comes first. A comparison with a constant
    /// is preferred, since it needs no evaluation; among these, one shared by the fewest summands.
    /// Other conditions become tests only if their evaluation is known to be short: the remaining
    /// ones may take too long on values for which the home test fails.
    pub(super) fn tests(&self, summands: &[Summand]) -> Vec<Vec<Test>> {
        let mut tests: Vec<Vec<Test>> =
            summands.iter().map(|s| conjuncts(s).filter_map(|c| self.test(c)).collect()).collect();
        let key = |test: &Test| (test.position, test.constant.ok_or(test.conjunct));
        let mut shared: FxHashMap<_, usize> = FxHashMap::default();
        for test in tests.iter().flatten() {
            *shared.entry(key(test)).or_default() += 1;
        }
        let rank = |test: &Test| (test.constant.is_none(), !test.short, shared[&key(test)]);
        for ((i, summand), tests) in (0..).zip(summands).zip(&mut tests) {
            let home = self.most_selective(i, summand).or(tests.iter().copied().min_by_key(rank));
            tests.retain(|test| {
                test.short && home.is_none_or(|home| test.conjunct != home.conjunct)
            });
            tests.splice(0..0, home);
        }
        tests
    }

    /// The home test of a network summand: its most selective component can take part.
    fn most_selective(&self, i: u32, summand: &Summand) -> Option<Test> {
        let together = summand.together.as_ref()?;
        let k = together.most_selective();
        let position = self.position_of[together.components[k] as usize].expect("it is updated");
        Some(Test {
            position,
            conjunct: Conjunct::Takes(i, u32::at(k)),
            constant: None,
            short: true,
        })
    }

    /// The conjunct as a test, if it reads a single position.
    fn test(&self, conjunct: Conjunct) -> Option<Test> {
        let reads = self.reads_of(conjunct);
        let ([position], false) = (&reads.positions[..], reads.open) else { return None };
        let terms = &self.data.terms;
        let compared =
            |a, b| (matches!(terms.head(a), Head::Variable(_)) && terms.is_ground(b)).then_some(b);
        let (constant, short) = match conjunct {
            Conjunct::Equation(left, right) => {
                let constant = compared(left, right).or(compared(right, left));
                (constant, constant.is_some())
            }
            Conjunct::Condition(term, value) => {
                let number = self.is_equal(term).filter(|_| value).and_then(|(left, right)| {
                    compared(left, right)
                        .or(compared(right, left))
                        .filter(|&term| terms.number(term).is_some())
                });
                (number, self.data.is_short(term))
            }
            Conjunct::Takes(..) => (None, true),
        };
        Some(Test { position: *position, conjunct, constant, short })
    }

    /// The sides of a comparison of two numbers, if the term is one.
    fn is_equal(&self, term: Term) -> Option<(Term, Term)> {
        let terms = &self.data.terms;
        let Head::Symbol(symbol) = terms.head(term) else { return None };
        let equal = terms.symbols[symbol as usize].native == Some(Operation::Equal);
        let &[left, right] = terms.children(term) else { return None };
        equal.then_some((left, right))
    }
}
