//! Creates cases: simplifies constraints and numbers the variables.

use crate::base::ids::Id;
use crate::data::constraints::{Constraint, Known, simplify};
use crate::data::solve::{Case, FREE, SolutionSearch, Unknown, Unsolvable};
use crate::data::terms::{NONE, Term};

impl SolutionSearch<'_> {
    /// Creates the case below `above` in which some variables have the given values, with
    /// simplified constraints; `None` if these cannot be satisfied. The variables of the case above
    /// are the first of `variables`.
    pub(crate) fn case(
        &mut self,
        above: usize,
        variables: &[Unknown],
        values: &[(u32, Term)],
        constraints: Vec<Constraint>,
    ) -> Result<Option<usize>, Unsolvable> {
        let mut known = Known { values: vec![NONE; variables.len()], equalities: self.equalities };
        for &(variable, value) in values {
            known.bind(self.data, variable, value);
        }
        let simplified = simplify(self.data, &mut known, constraints);
        self.equalities = known.equalities;
        let Some(constraints) = simplified? else { return Ok(None) };
        // The variables of the case are numbered in the order in which the constraints contain
        // them.
        let mut open = Vec::new();
        for constraint in &constraints {
            match *constraint {
                Constraint::Equation(left, right) => {
                    self.data.terms.variables(left, &mut open);
                    self.data.terms.variables(right, &mut open);
                }
                Constraint::Condition(term, _) | Constraint::Undecided(term) => {
                    self.data.terms.variables(term, &mut open);
                }
            }
        }
        let mut names = vec![NONE; variables.len()];
        for (number, &variable) in (0..).zip(&open) {
            names[variable as usize] = self.data.terms.variable(number);
        }
        let first = self.cases.is_empty();
        let count = if first { variables.len() } else { self.cases[above].variables.len() };
        let mut needed = Vec::new();
        for variable in 0..count {
            match known.values[variable] {
                NONE => needed.push(u32::at(variable)),
                value => self.data.terms.variables(value, &mut needed),
            }
        }
        for variable in needed {
            // A variable that occurs in no constraint and was not free before becomes free.
            if variable < FREE && names[variable as usize] == NONE {
                let number = FREE + u32::at(self.free.len());
                self.free.push(variables[variable as usize]);
                names[variable as usize] = self.data.terms.variable(number);
            }
        }
        let terms = &mut self.data.terms;
        let renamed = |values: &[Term], variable: usize| match values[variable] {
            NONE => names[variable],
            value => value,
        };
        let values = (0..count)
            .map(|variable| {
                let value = renamed(&known.values, variable);
                if known.values[variable] == NONE { value } else { terms.substitute(value, &names) }
            })
            .collect();
        let constraints = constraints
            .into_iter()
            .map(|constraint| match constraint {
                Constraint::Equation(left, right) => Constraint::Equation(
                    terms.substitute(left, &names),
                    terms.substitute(right, &names),
                ),
                Constraint::Condition(term, value) => {
                    Constraint::Condition(terms.substitute(term, &names), value)
                }
                Constraint::Undecided(term) => {
                    Constraint::Undecided(terms.substitute(term, &names))
                }
            })
            .collect();
        let variables = open.iter().map(|&variable| variables[variable as usize]).collect();
        self.tried += 1;
        self.cases.push(Case { above, values, variables, constraints, solved: false });
        Ok(Some(self.cases.len() - 1))
    }
}
