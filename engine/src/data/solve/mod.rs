//! Solving: finds all values of variables for which conditions are true and equations hold.
//!
//! If constraints cannot be simplified further (`constraints`), a variable that blocks rewriting is
//! narrowed: one case for each constructor of its sort. If rules rewrite constructors, so that
//! different ones may build the same value, there is a case for each value instead, added in
//! batches. A number with close bounds is tried number by number. Cases are explored breadth first,
//! so that values of infinite sorts come in order of their depth.
//!
//! If the constraints of a case are, up to renaming of variables, those of a case above it, it has
//! solutions only if the case above has further ones. So the case is not explored. If the case
//! above has a solution, there are infinitely many, since between the two cases there is a variable
//! below a constructor that no rule rewrites.
//!
//! A condition that is an equality is used as an equation, which directly gives the value of a
//! variable. That may be a term which is not a value of the variable's sort, because no equation of
//! the specification matches it; then the search starts anew and tries values instead.
//!
//! This file has the search; `case` creates cases, `choose` decides how to split them, `expand`
//! creates the cases below, `emit` reads off solutions; `bounds` derives ranges of numbers,
//! `closed` treats constraints without unknowns, `quantified` decides quantifiers during rewriting,
//! `undecided` checks that conditions are decided.
//!
//! Sources: S. Antoy, R. Echahed and M. Hanus, A needed narrowing strategy, JACM 47 (2000); the cut
//! of recurring cases is tabling, as in H. Tamaki and T. Sato, OLD resolution with tabulation,
//! 1986.

pub mod bounds;
pub mod case;
pub mod choose;
pub mod closed;
pub mod emit;
pub mod expand;
pub mod quantified;
pub mod undecided;

use crate::base::ids::Id;
use crate::data::constraints::{Constraint, Equalities};
use crate::data::enumerate::NoValues;
use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::Term;
use std::collections::VecDeque;

/// Why conditions cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsolvable {
    Unfinished(Unfinished),
    /// A term that does not reduce to a value.
    Stuck(Term),
    /// A condition that is neither true nor false.
    Undecided(Term),
    /// A sort that a variable ranges over has no constructors.
    NoConstructors(u32),
}

impl From<NoValues> for Unsolvable {
    fn from(error: NoValues) -> Self {
        match error {
            NoValues::NoConstructors(sort) => Self::NoConstructors(sort),
            NoValues::Unfinished(error) => Self::Unfinished(error),
        }
    }
}

impl From<Unfinished> for Unsolvable {
    fn from(error: Unfinished) -> Self {
        Self::Unfinished(error)
    }
}

/// Variables from this number on are free: no constraint contains them.
const FREE: u32 = 1 << 24;

/// The number of cases above a case with which it is compared.
const ANCESTORS: usize = 200;
/// The number of cases tried even if the cap is smaller: a finite search may need many cases for
/// few solutions.
const MOST_CASES: usize = 10_000;
/// The largest number of cases that try a number within bounds.
const MOST_RANGED: usize = 20_000_000;
/// The number of further solutions searched for if there are infinitely many.
const SOME: usize = 1000;
/// The number of values of a sort tried at first, if its constructors have rules; it is doubled
/// each time.
const BATCH: usize = 64;

/// A case: the values of the variables of the case above, and the constraints on its own variables,
/// which are numbered from 0 in the order in which the constraints contain them.
struct Case {
    above: usize,
    /// For every variable of the case above its value, a term over own and free variables.
    values: Vec<Term>,
    variables: Vec<Unknown>,
    constraints: Vec<Constraint>,
    /// Whether a solution was found in it or in a case below.
    solved: bool,
}

/// A variable of a case.
#[derive(Clone, Copy)]
struct Unknown {
    sort: u32,
    /// The number of constructors around it.
    depth: u32,
    /// The number of values tried: it stands for none of the first `tried` values of its sort.
    tried: usize,
}

/// The first case, which counts as being above itself.
const TOP: usize = 0;

/// A problem: variables `first..first + sorts.len()` are the unknowns; those below `first` have the
/// values `given`.
pub struct Problem<'a> {
    pub given: &'a [Term],
    pub sorts: &'a [u32],
    pub equations: &'a [(Term, Term)],
    /// Boolean terms and their required values.
    pub conditions: &'a [(Term, bool)],
    /// A Boolean term that must be neither true nor false: the first such instance is an error.
    pub undecided: Option<Term>,
}

/// Appends all solutions to `solutions`, in a fixed order, each a vector of `problem.sorts.len()`
/// values. Returns false if some are missing, because there are infinitely many, or more than
/// `cap`, or finding them takes more than `cap` cases.
pub fn solve(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
    solutions: &mut Vec<Term>,
) -> Result<bool, Unsolvable> {
    search(data, problem, cap, false, solutions)
}

/// Searches for all solutions (or only the first, if `alone`) with this cap.
fn search(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
    alone: bool,
    solutions: &mut Vec<Term>,
) -> Result<bool, Unsolvable> {
    let before = solutions.len();
    let mut search = SolutionSearch::new(data, problem, cap, alone);
    let outcome = search.run(solutions);
    let is_open = matches!(outcome, Err(Unsolvable::Stuck(_) | Unsolvable::Undecided(_)));
    if !is_open && !search.equalities.unsound {
        return outcome;
    }
    solutions.truncate(before);
    let cap = if is_open { cap.max(MOST_CASES) } else { cap };
    let mut search = SolutionSearch::new(data, problem, cap, alone);
    search.equalities = Equalities::new(false);
    match search.run(solutions) {
        // Trying values has not ended: the earlier result is returned.
        Ok(false) if is_open => outcome,
        tried => tried,
    }
}

/// Whether there is a solution; `None` if finding out takes more than `cap` cases.
pub fn first_solution(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
) -> Result<Option<bool>, Unsolvable> {
    let mut solutions = Vec::new();
    let complete = search(data, problem, cap, true, &mut solutions)?;
    Ok(if solutions.is_empty() { complete.then_some(false) } else { Some(true) })
}

struct SolutionSearch<'a> {
    data: &'a mut Data,
    problem: &'a Problem<'a>,
    cases: Vec<Case>,
    /// The free variables.
    free: Vec<Unknown>,
    /// Whether values of a sort may be missing because finding more would take too long.
    has_given_up: bool,
    /// The work that counts towards the cap: solutions, cases that may be infinitely many, long
    /// rewriting.
    work: usize,
    /// The number of all cases.
    tried: usize,
    /// The number of cases that try a number within bounds.
    ranged: usize,
    /// The number of cases visited on the way from solutions up to the first case.
    composed: usize,
    /// The number of subterms visited by substitution before this search.
    visited: usize,
    cap: usize,
    /// Whether the search ends at the first solution.
    alone: bool,
    equalities: Equalities,
}

/// How to continue with a case.
enum Choice {
    /// Read off its solutions.
    Done,
    /// Try the constructors of a variable.
    Narrow(u32),
    /// Try all numbers in a range for a variable.
    Range(u32, i64, i64),
    /// Try both truth values of an argument of a condition, given by the indices of both.
    Split(usize, usize),
}

impl<'a> SolutionSearch<'a> {
    fn new(data: &'a mut Data, problem: &'a Problem<'a>, cap: usize, alone: bool) -> Self {
        let (cases, free) = (Vec::new(), Vec::new());
        let (work, tried, ranged, composed) = (0, 0, 0, 0);
        let (has_given_up, visited) = (false, data.terms.visited);
        Self {
            data,
            problem,
            cases,
            free,
            has_given_up,
            work,
            tried,
            ranged,
            composed,
            visited,
            cap,
            alone,
            equalities: Equalities::new(true),
        }
    }

    fn run(&mut self, solutions: &mut Vec<Term>) -> Result<bool, Unsolvable> {
        let problem = self.problem;
        // The unknowns become the first variables; parameters are replaced by their values.
        let first = problem.given.len();
        let mut known = problem.given.to_vec();
        known.extend((0..u32::at(problem.sorts.len())).map(|v| self.data.terms.variable(v)));
        let mut put = |term| self.data.terms.substitute(term, &known);
        let mut constraints: Vec<Constraint> = Vec::new();
        for &(left, right) in problem.equations {
            constraints.push(Constraint::Equation(put(left), put(right)));
        }
        for &(condition, value) in problem.conditions {
            constraints.push(Constraint::Condition(put(condition), value));
        }
        constraints.extend(problem.undecided.map(|term| Constraint::Undecided(put(term))));
        debug_assert_eq!(known.len() - first, problem.sorts.len());
        let mut waiting = VecDeque::new();
        let unknown = |&sort: &u32| Unknown { sort, depth: 0, tried: 0 };
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
                    if !self.emit(case, solutions)? || self.alone && !solutions.is_empty() {
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
        let cases = self.cap.min(MOST_CASES << 8);
        let most = |always: usize, each: usize| MOST_CASES * always + each * cases;
        self.has_given_up
            || self.work > self.cap
            || self.ranged > MOST_RANGED
            || self.tried - self.ranged > most(1, 4)
            || self.composed > most(1000, 50)
            || self.data.terms.visited - self.visited > most(200, 200)
    }

    /// Returns an error if the search has to stop.
    fn look(&self) -> Result<(), Unsolvable> {
        self.data.cancel.check().map_err(|why| Unsolvable::Unfinished(why.into()))
    }

    /// Called if there are infinitely many solutions: finds some more, without duplicates.
    fn infinite(
        &mut self,
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

    /// The nearest case above with the same constraints, if any.
    fn recurs(&self, case: usize) -> Option<usize> {
        let own = &self.cases[case];
        if own.variables.is_empty() {
            return None;
        }
        let sorts = |case: &Case| -> Vec<(u32, usize)> {
            case.variables.iter().map(|variable| (variable.sort, variable.tried)).collect()
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
}

#[cfg(test)]
mod tests;
