//! Chooses how to split a case.

use crate::data::constraints::Constraint;
use crate::data::solve::bounds::{Interval, bounds};
use crate::data::solve::{Case, Choice, SolutionSearch};
use crate::data::terms::Head;

/// The largest range of numbers that is tried number by number, even if the cap is smaller.
const MOST_IN_RANGE: usize = 1 << 20;

impl SolutionSearch<'_> {
    /// Chooses what to try: first variables of small sorts and numbers with close bounds, then
    /// arguments of conditions, then any variable that blocks rewriting.
    pub(crate) fn choose(&mut self, case: usize) -> Choice {
        let constraints = self.cases[case].constraints.clone();
        let mut candidates = Vec::new();
        for constraint in &constraints {
            let mut awaited = Vec::new();
            match *constraint {
                Constraint::Equation(left, right) => {
                    self.data.awaited(left, &mut awaited);
                    self.data.awaited(right, &mut awaited);
                }
                Constraint::Condition(term, _) | Constraint::Undecided(term) => {
                    self.data.awaited(term, &mut awaited);
                }
            }
            candidates.push(awaited);
        }
        let variables = &self.cases[case].variables;
        let ranges = self.ranges(case);
        let mut best: Option<(usize, u32)> = None;
        for &variable in candidates.iter().flatten() {
            let few = match ranges.get(variable as usize).and_then(|range| range.size()) {
                Some(size) if size <= self.cap.max(MOST_IN_RANGE) => Some(size),
                _ => self.data.few_values(variables[variable as usize].sort),
            };
            if let Some(size) = few
                && best.is_none_or(|(least, _)| size < least)
            {
                best = Some((size, variable));
            }
        }
        if let Some((_, variable)) = best {
            let range = ranges.get(variable as usize).copied();
            return match range.and_then(|range| range.least.zip(range.most)) {
                Some((least, most)) => Choice::Range(variable, least, most),
                None => Choice::Narrow(variable),
            };
        }
        for (i, constraint) in constraints.iter().enumerate() {
            if let Constraint::Condition(term, _) = *constraint
                && let Head::Symbol(symbol) = self.data.terms.head(term)
                && self.data.truth_table(symbol).is_some()
                && let Some(argument) = self
                    .data
                    .terms
                    .children(term)
                    .iter()
                    .position(|&a| !self.data.terms.is_ground(a))
            {
                return Choice::Split(i, argument);
            }
        }
        // The variable with the fewest constructors around it, so that each has its turn: a
        // constraint with infinitely many cases does not hide that another one has no solutions.
        let least = |&&variable: &&u32| variables[variable as usize].depth;
        match candidates.iter().flatten().min_by_key(least) {
            None => Choice::Done,
            Some(&variable) => Choice::Narrow(variable),
        }
    }

    /// The ranges of the variables of a case; empty if none is a number.
    fn ranges(&self, case: usize) -> Vec<Interval> {
        let Case { variables, constraints, .. } = &self.cases[case];
        let numbers = self.data.terms.number_sorts();
        if !variables.iter().any(|v| numbers.iter().any(|known| known.sort == v.sort)) {
            return Vec::new();
        }
        bounds(self.data, variables.iter().map(|variable| variable.sort), constraints)
    }
}
