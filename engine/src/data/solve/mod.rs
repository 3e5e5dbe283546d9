//! Solving: all values of variables that make conditions true and equations hold.
//!
//! Where constraints cannot be simplified further (`constraints`), a variable that rewriting waits
//! for is narrowed: one case for each constructor of its sort. Where rules rewrite constructors, so that
//! different ones may make one value, there is a case for each value instead, some at a time. Cases are
//! looked at breadth first, so that values of infinite sorts come in order of their depth.
//!
//! A case whose constraints are, but for the names of variables, those of a case that led to it has
//! solutions only if that one has others. So it is put aside; if that one has a solution, there are
//! infinitely many: between the two there is a constructor that no rule rewrites, around a variable. A
//! number between close bounds is tried number by number.
//!
//! A condition that is an equality is taken as an equation, which says at once what a variable stands for.
//! It may be what is no value of the variable's sort, since no equation of the specification fits it: then
//! the search begins again, and tries values instead.
//!
//! Here is the search; `case` makes cases, `choose` says how to go on with one, `expand` makes those
//! below it, `emit` reads the solutions off those that are done; `bounds` is how large numbers can be,
//! `closed` about constraints without unknowns, `quantified` what is asked while rewriting, `undecided`
//! whether conditions are.
//!
//! Sources: S. Antoy, R. Echahed and M. Hanus, A needed narrowing strategy, JACM 47 (2000); the cut
//! of recurring cases is tabling, as in H. Tamaki and T. Sato, OLD resolution with tabulation, 1986.

pub mod bounds;
pub mod case;
pub mod choose;
pub mod closed;
pub mod emit;
pub mod expand;
pub mod quantified;
pub mod undecided;

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

/// Variables from this number are free: no constraint is about them.
const FREE: u32 = 1 << 24;

/// Cases above a case with which it is compared.
const ANCESTORS: usize = 200;
/// Cases that are tried whatever the cap is; a finite search may need many for few solutions.
const MOST_CASES: usize = 10_000;
/// Numbers between bounds that are tried.
const MOST_RANGED: usize = 20_000_000;
/// Solutions that are looked for where there are infinitely many.
const SOME: usize = 1000;
/// Values of a sort that are tried at first, if constructors have rules; then as many again as before.
const BATCH: usize = 64;

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
    /// Values that were tried: it stands for none of these, the first of its sort.
    tried: usize,
}

/// The first case is above itself.
const TOP: usize = 0;

/// Variables `first..first + sorts.len()` to be solved for; those below `first` have `given` values.
pub struct Problem<'a> {
    pub given: &'a [Term],
    pub sorts: &'a [u32],
    pub equations: &'a [(Term, Term)],
    /// Boolean terms and what they must be.
    pub conditions: &'a [(Term, bool)],
    /// A Boolean term that must be neither true nor false: the first instance is an error.
    pub undecided: Option<Term>,
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
    search(data, problem, cap, false, solutions)
}

/// Looks for all solutions, or the first one `alone`, in so many cases.
fn search(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
    alone: bool,
    solutions: &mut Vec<Term>,
) -> Result<bool, Unsolvable> {
    let before = solutions.len();
    let mut search = Search::new(data, problem, cap, alone);
    let found = search.run(solutions);
    let is_open = matches!(found, Err(Unsolvable::Stuck(_) | Unsolvable::Undecided(_)));
    if !is_open && !search.equalities.misled {
        return found;
    }
    solutions.truncate(before);
    let cap = if is_open { cap.max(MOST_CASES) } else { cap };
    let mut search = Search::new(data, problem, cap, alone);
    search.equalities = Equalities::new(false);
    match search.run(solutions) {
        // Trying values has no end that is near: what was said before stands.
        Ok(false) if is_open => found,
        tried => tried,
    }
}

/// Whether there is a solution; none if it takes more than so many cases to know that.
pub fn first_solution(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
) -> Result<Option<bool>, Unsolvable> {
    let mut found = Vec::new();
    let complete = search(data, problem, cap, true, &mut found)?;
    Ok(if found.is_empty() { complete.then_some(false) } else { Some(true) })
}

struct Search<'a> {
    data: &'a mut Data,
    problem: &'a Problem<'a>,
    cases: Vec<Case>,
    /// The free variables.
    free: Vec<Unknown>,
    /// Whether there may be more values of a sort than can be found.
    has_given_up: bool,
    /// Solutions, and cases of which there may be infinitely many.
    work: usize,
    /// All cases.
    tried: usize,
    /// Those in which a number between bounds was tried.
    ranged: usize,
    /// Cases on the way from solutions up to the first case.
    way: usize,
    /// Parts of terms that had been visited before.
    visited: usize,
    cap: usize,
    /// Whether no more solutions are looked for once there is one.
    alone: bool,
    equalities: Equalities,
}

/// How to go on with a case.
enum Choice {
    /// It has no constraints.
    Done,
    /// Try the constructors of a variable.
    Narrow(u32),
    /// Try all numbers between two for a variable.
    Range(u32, i64, i64),
    /// Try both values of an argument of a condition.
    Split(usize, usize),
}

impl<'a> Search<'a> {
    fn new(data: &'a mut Data, problem: &'a Problem<'a>, cap: usize, alone: bool) -> Self {
        let (cases, free) = (Vec::new(), Vec::new());
        let (work, tried, ranged, way) = (0, 0, 0, 0);
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
            way,
            visited,
            cap,
            alone,
            equalities: Equalities::new(true),
        }
    }

    fn run(&mut self, solutions: &mut Vec<Term>) -> Result<bool, Unsolvable> {
        let problem = self.problem;
        // The unknowns are the first variables; parameters get their values.
        let first = problem.given.len();
        let mut known = problem.given.to_vec();
        known.extend((0..problem.sorts.len() as u32).map(|v| self.data.terms.variable(v)));
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
            || self.way > most(1000, 50)
            || self.data.terms.visited - self.visited > most(200, 200)
    }

    /// Ends the search where it is told to.
    fn look(&self) -> Result<(), Unsolvable> {
        self.data.cancel.check().map_err(|why| Unsolvable::Unfinished(why.into()))
    }

    /// There are infinitely many solutions: finds some more of them, none twice.
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

    /// The case above, of those that led to it, with the same constraints.
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
