//! Reads off the solutions of a case without constraints.

use crate::data::constraints::Constraint;
use crate::data::enumerate::{NoValues, first_values};
use crate::data::solve::closed::{solve_closed, undecided_equation};
use crate::data::solve::{FREE, MOST_CASES, Problem, SolutionSearch, Unknown, Unsolvable};
use crate::data::substitution::Once;
use crate::data::terms::{Kind, Term};

impl SolutionSearch<'_> {
    /// Appends the solutions of a case, with all values of free variables; constraints that are
    /// left are errors. Returns whether these are all solutions.
    pub(crate) fn emit(
        &mut self,
        case: usize,
        solutions: &mut Vec<Term>,
    ) -> Result<bool, Unsolvable> {
        if let Some(constraint) = self.cases[case].constraints.first() {
            return Err(match *constraint {
                Constraint::Equation(left, right) => {
                    undecided_equation(&self.data.terms, left, right)
                }
                Constraint::Condition(term, _) | Constraint::Undecided(term) => {
                    Unsolvable::Undecided(term)
                }
            });
        }
        // Compose the values of variables, from this case up to the first one.
        let mut solution: Vec<Term> = Vec::new();
        let mut at = case;
        loop {
            let values = self.cases[at].values.clone();
            solution =
                values.iter().map(|&value| self.data.terms.substitute(value, &solution)).collect();
            self.composed += 1;
            if self.cases[at].above == at {
                break;
            }
            at = self.cases[at].above;
        }
        let mut free = Vec::new();
        for &value in &solution {
            self.data.terms.variables(value, &mut free);
        }
        let needed =
            self.cap.saturating_sub(self.work).min(if self.alone { 1 } else { usize::MAX });
        let mut complete = true;
        let mut choices = Vec::new();
        for &variable in &free {
            let Unknown { sort, tried, .. } = self.free[(variable - FREE) as usize];
            let (mut values, all) = first_values(self.data, sort, tried + needed + 1)?;
            complete &= all;
            values.drain(..tried.min(values.len()));
            choices.push(values);
        }
        if choices.iter().any(Vec::is_empty) {
            return Ok(complete);
        }
        let mut chosen = vec![0; free.len()];
        loop {
            if self.work >= self.cap {
                return Ok(false);
            }
            self.look()?;
            let from = solutions.len();
            for &value in &solution {
                let term = self.data.terms.substitute_by(value, |v| {
                    let position = free.iter().position(|&f| f == v).expect("all were found");
                    choices[position][chosen[position]]
                });
                let value = self.data.normalise(term)?;
                if !self.data.terms.is_value(value) {
                    return Err(Unsolvable::Stuck(value));
                }
                solutions.push(value);
            }
            if self.equalities.oriented && !self.is_solution(&solutions[from..])? {
                solutions.truncate(from);
                if self.equalities.unsound {
                    return Ok(false);
                }
            } else {
                self.work += 1;
                self.mark(case);
            }
            let Some(i) = (0..free.len()).rev().find(|&i| chosen[i] + 1 < choices[i].len()) else {
                return Ok(complete);
            };
            chosen[i] += 1;
            chosen[i + 1..].fill(0);
        }
    }

    /// Whether values obtained by means of equalities are a solution. If terms that no equation
    /// matches may denote any value, the original constraints are tested again. Otherwise such
    /// terms are not values of their sort, unless constructor terms reduce to them.
    fn is_solution(&mut self, values: &[Term]) -> Result<bool, Unsolvable> {
        if values.iter().all(|&value| self.data.terms.is_proper(value)) {
            return Ok(true);
        }
        if self.data.terms.loose {
            let given = [self.problem.given, values].concat();
            return solve_closed(
                self.data,
                &Problem { given: &given, sorts: &[], ..*self.problem },
            );
        }
        for (&value, &sort) in values.iter().zip(self.problem.sorts) {
            self.equalities.unsound |= !self.is_of_sort(value, sort)?;
        }
        Ok(!self.equalities.unsound)
    }

    /// Whether a normal form is one that constructor terms reduce to, as far as is known.
    fn is_of_sort(&mut self, value: Term, sort: u32) -> Result<bool, Unsolvable> {
        let (mut waiting, mut once) = (vec![(value, sort)], Once::default());
        while let Some((term, sort)) = waiting.pop() {
            if self.data.terms.is_proper(term) || !once.is_first(term) {
                continue;
            }
            let symbol = self.data.terms.outside(term).expect("a value has no variables");
            let declared = &self.data.terms.symbols[symbol as usize];
            if declared.kind == Kind::Constructor && self.data.terms.is_inert(symbol) {
                let sorts = declared.arguments.iter().copied();
                waiting.extend(self.data.terms.children(term).iter().copied().zip(sorts));
            } else {
                match first_values(self.data, sort, MOST_CASES) {
                    Ok((values, _)) if values.contains(&term) => {}
                    Err(NoValues::Unfinished(error)) => return Err(error.into()),
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }

    /// Records that a case, and hence each case above it, has a solution.
    fn mark(&mut self, case: usize) {
        let mut at = case;
        while !std::mem::replace(&mut self.cases[at].solved, true) {
            at = self.cases[at].above;
        }
    }
}
