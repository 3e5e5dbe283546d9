//! Creates the cases below a case.

use crate::base::ids::Id;
use crate::data::constraints::Constraint;
use crate::data::enumerate::first_values;
use crate::data::numbers::Number;
use crate::data::solve::{BATCH, Choice, SolutionSearch, Unknown, Unsolvable};
use crate::data::terms::{Head, Term};
use std::collections::VecDeque;

impl SolutionSearch<'_> {
    /// Creates the cases below a case and appends them to the queue.
    pub(crate) fn expand(
        &mut self,
        case: usize,
        choice: &Choice,
        waiting: &mut VecDeque<usize>,
    ) -> Result<(), Unsolvable> {
        self.look()?;
        let variables = self.cases[case].variables.clone();
        let before = self.data.steps;
        match *choice {
            Choice::Done => {}
            Choice::Narrow(variable) => {
                let Unknown { sort, depth, .. } = variables[variable as usize];
                let constructors = self.data.constructors[sort as usize].clone();
                if !self.data.has_free_constructors(sort) {
                    return self.try_values(case, variable, waiting);
                }
                if constructors.is_empty() {
                    return Err(Unsolvable::NoConstructors(sort));
                }
                for symbol in constructors {
                    let inner = self.data.terms.symbols[symbol as usize].arguments.clone();
                    let mut all = variables.clone();
                    all.extend(inner.iter().map(|&sort| Unknown {
                        sort,
                        depth: depth + 1,
                        tried: 0,
                    }));
                    let range = u32::at(variables.len())..u32::at(all.len());
                    let arguments: Vec<Term> = range.map(|v| self.data.terms.variable(v)).collect();
                    let value = self.data.terms.apply(symbol, &arguments);
                    self.work += usize::from(!inner.is_empty());
                    let constraints = self.cases[case].constraints.clone();
                    let below = self.case(case, &all, &[(variable, value)], constraints)?;
                    waiting.extend(below);
                }
            }
            Choice::Range(variable, least, most) => {
                let sort = variables[variable as usize].sort;
                for number in least..=most {
                    self.look()?;
                    let number = Number::Small(number);
                    let Some(value) = self.data.terms.numeral_of_sort(sort, number) else {
                        continue;
                    };
                    let constraints = self.cases[case].constraints.clone();
                    let before = self.tried;
                    let below = self.case(case, &variables, &[(variable, value)], constraints)?;
                    self.ranged += self.tried - before;
                    waiting.extend(below);
                }
            }
            Choice::Split(constraint, argument) => {
                let Constraint::Condition(term, value) = self.cases[case].constraints[constraint]
                else {
                    unreachable!("only conditions are split")
                };
                let Head::Symbol(symbol) = self.data.terms.head(term) else { unreachable!() };
                for truth in [true, false] {
                    let mut arguments = self.data.terms.children(term).to_vec();
                    let part =
                        std::mem::replace(&mut arguments[argument], self.data.constant(truth));
                    let rest = self.data.terms.apply(symbol, &arguments);
                    let mut constraints = self.cases[case].constraints.clone();
                    constraints[constraint] = Constraint::Condition(rest, value);
                    constraints.insert(constraint, Constraint::Condition(part, truth));
                    let below = self.case(case, &variables, &[], constraints)?;
                    waiting.extend(below);
                }
            }
        }
        // Repeated rewriting of large terms counts as work as well.
        self.work += ((self.data.steps - before) / 256) as usize;
        Ok(())
    }

    /// Creates a case for each of the next values of a variable, and one for the remaining values,
    /// if any.
    fn try_values(
        &mut self,
        case: usize,
        variable: u32,
        waiting: &mut VecDeque<usize>,
    ) -> Result<(), Unsolvable> {
        let mut variables = self.cases[case].variables.clone();
        let Unknown { sort, tried, .. } = variables[variable as usize];
        let needed = tried + tried.max(BATCH);
        let (values, all) = first_values(self.data, sort, needed)?;
        for &value in values.iter().skip(tried) {
            self.look()?;
            let constraints = self.cases[case].constraints.clone();
            let below = self.case(case, &variables, &[(variable, value)], constraints)?;
            waiting.extend(below);
        }
        if !all {
            self.work += values.len().saturating_sub(tried);
            self.has_given_up |= values.len() < needed;
            variables[variable as usize].tried = values.len();
            let constraints = self.cases[case].constraints.clone();
            waiting.extend(self.case(case, &variables, &[], constraints)?);
        }
        Ok(())
    }
}
