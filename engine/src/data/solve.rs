//! Solving: all values of variables that make conditions true and equations hold.
//!
//! Where constraints cannot be simplified further (`constraints`), a variable that rewriting waits
//! for is narrowed: one case for each constructor of its sort. Cases are looked at breadth first, so
//! that values of infinite sorts come in order of their depth.
//!
//! A case whose constraints are, but for the names of variables, those of a case that led to it has
//! solutions only if that one has others. So it is put aside; if that one has a solution, there are
//! infinitely many.
//!
//! Sources: S. Antoy, R. Echahed and M. Hanus, A needed narrowing strategy, JACM 47 (2000); the cut
//! of recurring cases is tabling, as in H. Tamaki and T. Sato, OLD resolution with tabulation, 1986.

use crate::data::constraints::{Constraint, Known, simplify};
use crate::data::enumerate::{NoConstructors, first_values};
use crate::data::rewrite::{Data, Endless};
use crate::data::terms::{Head, NONE, Term};
use std::collections::VecDeque;

/// Why conditions cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsolvable {
    Endless(Endless),
    /// A term without variables that does not reduce to a value.
    Stuck(Term),
    /// A sort that a variable ranges over has no constructors.
    NoConstructors(u32),
}

impl From<NoConstructors> for Unsolvable {
    fn from(error: NoConstructors) -> Self {
        Self::NoConstructors(error.sort)
    }
}

impl From<Endless> for Unsolvable {
    fn from(error: Endless) -> Self {
        Self::Endless(error)
    }
}

/// Variables from this number are free: no constraint is about them.
const FREE: u32 = 1 << 24;

/// Cases above a case with which it is compared.
const ANCESTORS: usize = 200;
/// Cases that are tried whatever the cap is; a finite search may need many for few solutions.
const MOST_CASES: usize = 10_000;
/// Solutions that are looked for where there are infinitely many.
const SOME: usize = 1000;

/// A case: what is known of the variables of the case above it, and what its own, numbered from 0
/// in the order in which constraints mention them, still have to meet.
struct Case {
    above: usize,
    /// For every variable of the case above the term that it stands for, over own and free variables.
    values: Vec<Term>,
    variables: Vec<Unknown>,
    constraints: Vec<Constraint>,
    /// Whether a solution was found in it.
    solved: bool,
}

/// A variable of a case.
#[derive(Clone, Copy)]
struct Unknown {
    sort: u32,
    /// Constructors around it that were tried.
    depth: u32,
}

/// The first case is above itself.
const TOP: usize = 0;

/// Variables `first..first + sorts.len()` to be solved for; those below `first` have `given` values.
pub struct Problem<'a> {
    pub given: &'a [Term],
    pub sorts: &'a [u32],
    pub equations: &'a [(Term, Term)],
    pub conditions: &'a [Term],
}

/// All solutions in a fixed order, one row of `problem.sorts.len()` values each, appended to
/// `solutions`; false if there are infinitely many, or more than `cap`, or it takes more than `cap`
/// cases to find them, and some are missing.
pub fn solve(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
    solutions: &mut Vec<Term>,
) -> Result<bool, Unsolvable> {
    let (cases, free) = (Vec::new(), Vec::new());
    Search { data, cases, free, work: 0, tried: 0, way: 0, cap }.run(problem, solutions)
}

struct Search<'a> {
    data: &'a mut Data,
    cases: Vec<Case>,
    /// Sorts of the free variables.
    free: Vec<u32>,
    /// Solutions, and cases of which there may be infinitely many.
    work: usize,
    /// All cases.
    tried: usize,
    /// Cases on the way from solutions up to the first case.
    way: usize,
    cap: usize,
}

/// How to go on with a case.
enum Choice {
    /// It has no constraints.
    Done,
    /// Try the constructors of a variable.
    Narrow(u32),
    /// Try both values of an argument of a condition.
    Split(usize, usize),
}

impl Search<'_> {
    fn run(mut self, problem: &Problem<'_>, solutions: &mut Vec<Term>) -> Result<bool, Unsolvable> {
        // The unknowns are the first variables; parameters get their values.
        let first = problem.given.len();
        let mut known = problem.given.to_vec();
        known.extend((0..problem.sorts.len() as u32).map(|v| self.data.terms.variable(v)));
        let mut put = |term| self.data.terms.substitute(term, &known);
        let mut constraints: Vec<Constraint> = Vec::new();
        for &(left, right) in problem.equations {
            constraints.push(Constraint::Equation(put(left), put(right)));
        }
        for &condition in problem.conditions {
            constraints.push(Constraint::Condition(put(condition), true));
        }
        debug_assert_eq!(known.len() - first, problem.sorts.len());
        let mut waiting = VecDeque::new();
        let unknown = |&sort: &u32| Unknown { sort, depth: 0 };
        let unknowns: Vec<Unknown> = problem.sorts.iter().map(unknown).collect();
        if let Some(case) = self.case(TOP, &unknowns, &[], constraints)? {
            waiting.push_back(case);
        }
        let mut recurring: Vec<(usize, usize)> = Vec::new();
        while let Some(case) = waiting.pop_front() {
            if let Some(earlier) = self.recurs(case) {
                if self.cases[earlier].solved {
                    return self.infinite(case, waiting, solutions);
                }
                recurring.push((case, earlier));
                continue;
            }
            match self.choose(case) {
                Choice::Done => {
                    if !self.emit(case, solutions)? {
                        return Ok(false);
                    }
                    if let Some(&(again, _)) =
                        recurring.iter().find(|&&(_, earlier)| self.cases[earlier].solved)
                    {
                        return self.infinite(again, waiting, solutions);
                    }
                }
                choice => self.expand(case, &choice, &mut waiting)?,
            }
            if self.is_too_much() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_too_much(&self) -> bool {
        self.work > self.cap
            || self.tried > MOST_CASES + 4 * self.cap.min(MOST_CASES << 8)
            || self.way > MOST_CASES * 1000 + 50 * self.cap.min(MOST_CASES << 8)
    }

    /// Ends the search where it is told to.
    fn look(&self) -> Result<(), Unsolvable> {
        if self.data.is_stopped() { Err(self.data.stopped().into()) } else { Ok(()) }
    }

    /// There are infinitely many solutions: finds some more of them, none twice.
    fn infinite(
        mut self,
        recurring: usize,
        mut waiting: VecDeque<usize>,
        solutions: &mut Vec<Term>,
    ) -> Result<bool, Unsolvable> {
        self.cap = self.cap.min(self.work + SOME);
        waiting.push_front(recurring);
        while let Some(case) = waiting.pop_front() {
            match self.choose(case) {
                Choice::Done => {
                    if !self.emit(case, solutions)? {
                        break;
                    }
                }
                choice => self.expand(case, &choice, &mut waiting)?,
            }
            if self.is_too_much() {
                break;
            }
        }
        Ok(false)
    }

    /// The case above, of those that led to it, with the same constraints.
    fn recurs(&self, case: usize) -> Option<usize> {
        let own = &self.cases[case];
        if own.variables.is_empty() {
            return None;
        }
        let sorts = |case: &Case| -> Vec<u32> {
            case.variables.iter().map(|variable| variable.sort).collect()
        };
        let own_sorts = sorts(own);
        let mut at = case;
        for _ in 0..ANCESTORS {
            let above = self.cases[at].above;
            if above == at {
                return None;
            }
            at = above;
            let other = &self.cases[at];
            if other.constraints == own.constraints && sorts(other) == own_sorts {
                return Some(at);
            }
        }
        None
    }

    /// The cases below one.
    fn expand(
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
                let Unknown { sort, depth } = variables[variable as usize];
                let constructors = self.data.constructors[sort as usize].clone();
                if constructors.is_empty() {
                    return Err(Unsolvable::NoConstructors(sort));
                }
                for symbol in constructors {
                    let inner = self.data.terms.symbols[symbol as usize].arguments.clone();
                    let mut all = variables.clone();
                    all.extend(inner.iter().map(|&sort| Unknown { sort, depth: depth + 1 }));
                    let range = variables.len() as u32..all.len() as u32;
                    let arguments: Vec<Term> = range.map(|v| self.data.terms.variable(v)).collect();
                    let value = self.data.terms.apply(symbol, &arguments);
                    self.work += usize::from(!inner.is_empty());
                    let constraints = self.cases[case].constraints.clone();
                    let found = self.case(case, &all, &[(variable, value)], constraints)?;
                    waiting.extend(found);
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
                    let found = self.case(case, &variables, &[], constraints)?;
                    waiting.extend(found);
                }
            }
        }
        // Rewriting large terms again and again is work, too.
        self.work += ((self.data.steps - before) / 256) as usize;
        Ok(())
    }

    /// Makes the case in which some variables have values, with all constraints simplified; none if
    /// they cannot be met. Of `variables` those of the case above come first.
    fn case(
        &mut self,
        above: usize,
        variables: &[Unknown],
        values: &[(u32, Term)],
        constraints: Vec<Constraint>,
    ) -> Result<Option<usize>, Unsolvable> {
        let mut known = Known { values: vec![NONE; variables.len()] };
        for &(variable, value) in values {
            known.bind(self.data, variable, value);
        }
        let Some(constraints) = simplify(self.data, &mut known, constraints)? else {
            return Ok(None);
        };
        // Own variables are numbered in the order in which the constraints mention them.
        let mut open = Vec::new();
        for constraint in &constraints {
            match *constraint {
                Constraint::Equation(left, right) => {
                    self.data.terms.variables(left, &mut open);
                    self.data.terms.variables(right, &mut open);
                }
                Constraint::Condition(term, _) => self.data.terms.variables(term, &mut open),
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
                NONE => needed.push(variable as u32),
                value => self.data.terms.variables(value, &mut needed),
            }
        }
        for variable in needed {
            // One that no constraint is about, and that was not free before, is free from now on.
            if variable < FREE && names[variable as usize] == NONE {
                let number = FREE + self.free.len() as u32;
                self.free.push(variables[variable as usize].sort);
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
            })
            .collect();
        let variables = open.iter().map(|&variable| variables[variable as usize]).collect();
        self.tried += 1;
        self.cases.push(Case { above, values, variables, constraints, solved: false });
        Ok(Some(self.cases.len() - 1))
    }

    /// What to try: variables of small sorts first, then parts of conditions, then any variable that
    /// rewriting waits for.
    fn choose(&mut self, case: usize) -> Choice {
        let constraints = self.cases[case].constraints.clone();
        let mut candidates = Vec::new();
        for constraint in &constraints {
            let mut found = Vec::new();
            match *constraint {
                Constraint::Equation(left, right) => {
                    self.data.awaited(left, &mut found);
                    self.data.awaited(right, &mut found);
                }
                Constraint::Condition(term, _) => self.data.awaited(term, &mut found),
            }
            candidates.push(found);
        }
        let variables = &self.cases[case].variables;
        let mut best: Option<(usize, u32)> = None;
        for &variable in candidates.iter().flatten() {
            if let Some(size) = self.data.few_values(variables[variable as usize].sort)
                && best.is_none_or(|(least, _)| size < least)
            {
                best = Some((size, variable));
            }
        }
        if let Some((_, variable)) = best {
            return Choice::Narrow(variable);
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
        // The variable with the fewest constructors around it, so that each has its turn: a constraint
        // whose cases never end does not hide that another has none.
        let least = |&&variable: &&u32| variables[variable as usize].depth;
        match candidates.iter().flatten().min_by_key(least) {
            None => Choice::Done,
            Some(&variable) => Choice::Narrow(variable),
        }
    }

    /// Appends the solutions of a case without open constraints: all values of free variables.
    /// Returns whether that is all.
    fn emit(&mut self, case: usize, solutions: &mut Vec<Term>) -> Result<bool, Unsolvable> {
        if let Some(constraint) = self.cases[case].constraints.first() {
            return Err(Unsolvable::Stuck(match *constraint {
                Constraint::Equation(left, right) if self.data.terms.is_value(left) => right,
                Constraint::Equation(term, _) | Constraint::Condition(term, _) => term,
            }));
        }
        // From here up, what the variables of each case stand for.
        let mut row: Vec<Term> = Vec::new();
        let mut at = case;
        loop {
            let values = self.cases[at].values.clone();
            row = values.iter().map(|&value| self.data.terms.substitute(value, &row)).collect();
            self.way += 1;
            if self.cases[at].above == at {
                break;
            }
            at = self.cases[at].above;
        }
        let mut free = Vec::new();
        for &value in &row {
            self.data.terms.variables(value, &mut free);
        }
        let wanted = self.cap.saturating_sub(self.work);
        let mut complete = true;
        let mut choices = Vec::new();
        for &variable in &free {
            let sort = self.free[(variable - FREE) as usize];
            let (values, all) = first_values(self.data, sort, wanted + 1)?;
            complete &= all;
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
            for &value in &row {
                let term = self.data.terms.substitute_by(value, |v| {
                    let place = free.iter().position(|&f| f == v).expect("all were found");
                    choices[place][chosen[place]]
                });
                let value = self.data.normalise(term)?;
                if !self.data.terms.is_value(value) {
                    return Err(Unsolvable::Stuck(value));
                }
                solutions.push(value);
            }
            if solutions[from..].iter().all(|&value| self.data.terms.is_proper(value)) {
                self.work += 1;
                self.mark(case);
            } else {
                solutions.truncate(from); // a placeholder is no value of its sort
            }
            let Some(i) = (0..free.len()).rev().find(|&i| chosen[i] + 1 < choices[i].len()) else {
                return Ok(complete);
            };
            chosen[i] += 1;
            chosen[i + 1..].fill(0);
        }
    }

    /// Notes that a case has a solution, and so have those above it.
    fn mark(&mut self, case: usize) {
        let mut at = case;
        while !std::mem::replace(&mut self.cases[at].solved, true) {
            at = self.cases[at].above;
        }
    }
}

#[cfg(test)]
mod tests;
