//! Solving: all values of variables that make conditions true and equations hold.
//!
//! Constraints are rewritten with what is known of the variables; equations are taken apart at
//! constructors and solved for variables (the one-point rule). When nothing is left to simplify, a
//! variable is narrowed: one branch for each constructor of its sort, breadth first, so that values
//! of infinite sorts come in order of their depth.

use super::rewrite::{Data, Endless};
use super::terms::{Head, NONE, Term, Terms};
use super::values::{NoConstructors, first_values};
use std::collections::VecDeque;
use std::ops::Range;

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

#[derive(Clone, Copy)]
enum Constraint {
    Equation(Term, Term),
    Condition(Term),
}

/// One case: what is known of the variables, and what they still have to meet.
#[derive(Clone)]
struct Branch {
    /// The term that variable `v` stands for, else `NONE`.
    values: Vec<Term>,
    /// Sort of every variable.
    sorts: Vec<u32>,
    constraints: Vec<Constraint>,
}

/// Variables `first..first + sorts.len()` to be solved for; those below `first` have `given` values.
pub struct Problem<'a> {
    pub given: &'a [Term],
    pub sorts: &'a [u32],
    pub equations: &'a [(Term, Term)],
    pub conditions: &'a [Term],
}

/// All solutions in a fixed order, one row of `problem.sorts.len()` values each, appended to
/// `solutions`; false if there are more than `cap` branches and solutions, and some are missing.
pub fn solve(
    data: &mut Data,
    problem: &Problem<'_>,
    cap: usize,
    solutions: &mut Vec<Term>,
) -> Result<bool, Unsolvable> {
    let first = problem.given.len();
    let mut values = problem.given.to_vec();
    values.resize(first + problem.sorts.len(), NONE);
    let mut sorts = vec![u32::MAX; first];
    sorts.extend_from_slice(problem.sorts);
    let equations = problem.equations.iter().map(|&(l, r)| Constraint::Equation(l, r));
    let conditions = problem.conditions.iter().map(|&c| Constraint::Condition(c));
    let start = Branch { values, sorts, constraints: equations.chain(conditions).collect() };
    let unknowns = first..first + problem.sorts.len();
    let mut work = 0;
    let mut branches = VecDeque::from([start]);
    while let Some(mut branch) = branches.pop_front() {
        if !simplify(data, &mut branch)? {
            continue;
        }
        let Some(variable) = choose(data, &branch) else {
            let wanted = cap.saturating_sub(work);
            let (found, complete) = emit(data, &mut branch, unknowns.clone(), wanted, solutions)?;
            work += found;
            if !complete {
                return Ok(false);
            }
            continue;
        };
        let sort = branch.sorts[variable as usize];
        if data.constructors[sort as usize].is_empty() {
            return Err(Unsolvable::NoConstructors(sort));
        }
        for i in 0..data.constructors[sort as usize].len() {
            let symbol = data.constructors[sort as usize][i];
            let mut child = branch.clone();
            let mut arguments = Vec::new();
            for argument in 0..data.terms.symbols[symbol as usize].arguments.len() {
                arguments.push(data.terms.variable(child.values.len() as u32));
                child.values.push(NONE);
                child.sorts.push(data.terms.symbols[symbol as usize].arguments[argument]);
            }
            let value = data.terms.apply(symbol, &arguments);
            child.bind(data, variable, value);
            if !arguments.is_empty() {
                work += 1;
            }
            branches.push_back(child);
        }
        if work > cap {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Branch {
    /// Puts `value` for `variable` everywhere, so that no known value mentions a known variable.
    fn bind(&mut self, data: &mut Data, variable: u32, value: Term) {
        let mut known = vec![NONE; variable as usize + 1];
        known[variable as usize] = value;
        for old in &mut self.values {
            if *old != NONE {
                *old = data.terms.substitute(*old, &known);
            }
        }
        self.values[variable as usize] = value;
    }

    /// The variables that the solution needs and that have no value yet.
    fn missing(&self, data: &mut Data, unknowns: Range<usize>) -> Vec<u32> {
        let mut missing = Vec::new();
        for unknown in unknowns {
            let variable = data.terms.variable(unknown as u32);
            let value = data.terms.substitute(variable, &self.values);
            data.terms.variables(value, &mut missing);
        }
        missing
    }
}

/// Appends the solutions of a branch without constraints: all values of the variables that are
/// missing. Returns how many, and whether that is all, at most `wanted`.
fn emit(
    data: &mut Data,
    branch: &mut Branch,
    unknowns: Range<usize>,
    wanted: usize,
    solutions: &mut Vec<Term>,
) -> Result<(usize, bool), Unsolvable> {
    let missing = branch.missing(data, unknowns.clone());
    let mut complete = true;
    let mut choices = Vec::new();
    for &variable in &missing {
        let (values, all) = first_values(data, branch.sorts[variable as usize], wanted + 1)?;
        complete &= all;
        choices.push(values);
    }
    if choices.iter().any(Vec::is_empty) {
        return Ok((0, complete));
    }
    let mut chosen = vec![0; missing.len()];
    let mut found = 0;
    loop {
        if found == wanted {
            return Ok((found, false));
        }
        for (i, &variable) in missing.iter().enumerate() {
            branch.values[variable as usize] = choices[i][chosen[i]];
        }
        let from = solutions.len();
        for unknown in unknowns.clone() {
            let variable = data.terms.variable(unknown as u32);
            // A value may mention variables that have got theirs just now.
            let value = data.terms.substitute(variable, &branch.values);
            let value = resolve(data, &branch.values, value)?;
            if !data.terms.is_value(value) {
                return Err(Unsolvable::Stuck(value));
            }
            solutions.push(value);
        }
        if solutions[from..].iter().all(|&value| data.terms.is_proper(value)) {
            found += 1;
        } else {
            solutions.truncate(from); // a placeholder is no value of its sort
        }
        let Some(i) = (0..missing.len()).rev().find(|&i| chosen[i] + 1 < choices[i].len()) else {
            return Ok((found, complete));
        };
        chosen[i] += 1;
        chosen[i + 1..].fill(0);
    }
}

/// The normal form of a term with everything known put in.
fn resolve(data: &mut Data, values: &[Term], term: Term) -> Result<Term, Endless> {
    let term = data.terms.substitute(term, values);
    data.normalise(term)
}

/// Simplifies the constraints of a branch; false if they cannot be met.
fn simplify(data: &mut Data, branch: &mut Branch) -> Result<bool, Unsolvable> {
    loop {
        let mut bound = false;
        let mut kept = Vec::new();
        for constraint in std::mem::take(&mut branch.constraints) {
            match constraint {
                Constraint::Equation(left, right) => {
                    match equate(data, branch, left, right, &mut kept)? {
                        Equated::Never => return Ok(false),
                        Equated::Bound => bound = true,
                        Equated::Open => {}
                    }
                }
                Constraint::Condition(term) => {
                    let term = resolve(data, &branch.values, term)?;
                    if term == data.falsity {
                        return Ok(false);
                    }
                    if term != data.truth {
                        if data.terms.is_ground(term) {
                            return Err(Unsolvable::Stuck(term));
                        }
                        kept.push(Constraint::Condition(term));
                    }
                }
            }
        }
        branch.constraints = kept;
        if !bound {
            return Ok(true);
        }
    }
}

enum Equated {
    Never,
    /// A variable got its value: other constraints may say more now.
    Bound,
    Open,
}

/// Takes an equation apart; what cannot be decided yet goes to `kept`.
fn equate(
    data: &mut Data,
    branch: &mut Branch,
    left: Term,
    right: Term,
    kept: &mut Vec<Constraint>,
) -> Result<Equated, Unsolvable> {
    let mut result = Equated::Open;
    let mut waiting = vec![(left, right)];
    while let Some((left, right)) = waiting.pop() {
        let left = resolve(data, &branch.values, left)?;
        let right = resolve(data, &branch.values, right)?;
        if left == right {
            continue;
        }
        match (data.terms.head(left), data.terms.head(right)) {
            (Head::Variable(v), _) if !occurs(&data.terms, v, right) => {
                branch.bind(data, v, right);
                result = Equated::Bound;
            }
            (_, Head::Variable(v)) if !occurs(&data.terms, v, left) => {
                branch.bind(data, v, left);
                result = Equated::Bound;
            }
            _ if data.is_free(left) && data.is_free(right) => {
                if data.terms.head(left) != data.terms.head(right) {
                    return Ok(Equated::Never);
                }
                let children = data.terms.children(left).iter().zip(data.terms.children(right));
                waiting.extend(children.map(|(&l, &r)| (l, r)).rev());
            }
            _ if data.terms.is_ground(left) && data.terms.is_ground(right) => {
                for term in [left, right] {
                    if !data.terms.is_value(term) {
                        return Err(Unsolvable::Stuck(term));
                    }
                }
                return Ok(Equated::Never);
            }
            _ => kept.push(Constraint::Equation(left, right)),
        }
    }
    Ok(result)
}

fn occurs(terms: &Terms, variable: u32, term: Term) -> bool {
    let mut found = Vec::new();
    terms.variables(term, &mut found);
    found.contains(&variable)
}

/// The variable to narrow next: one that a constraint waits for, with the fewest constructors.
fn choose(data: &Data, branch: &Branch) -> Option<u32> {
    let mut open = Vec::new();
    for constraint in &branch.constraints {
        match *constraint {
            Constraint::Equation(left, right) => {
                data.terms.variables(left, &mut open);
                data.terms.variables(right, &mut open);
            }
            Constraint::Condition(term) => data.terms.variables(term, &mut open),
        }
    }
    let constructors = |v: u32| data.constructors[branch.sorts[v as usize] as usize].len();
    open.into_iter().min_by_key(|&v| constructors(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};
    use proptest::prelude::*;

    /// Sorts Bool and Nat up to `S(S(S(0)))` in tests; maps `and`, `lt`, `eq`, `half`.
    fn data() -> Data {
        let symbol = |name: &str, arguments: &[u32], sort, kind| Symbol {
            name: name.into(),
            arguments: arguments.to_vec(),
            sort,
            kind,
        };
        let symbols = vec![
            symbol("T", &[], 0, Kind::Constructor),
            symbol("F", &[], 0, Kind::Constructor),
            symbol("0", &[], 1, Kind::Constructor),
            symbol("S", &[1], 1, Kind::Constructor),
            symbol("lt", &[1, 1], 0, Kind::Map),
            symbol("eq", &[1, 1], 0, Kind::Map),
            symbol("and", &[0, 0], 0, Kind::Map),
            symbol("half", &[1], 1, Kind::Map),
        ];
        let (x, y) = (-1, -2);
        let rules = vec![
            (1, vec![4, x, 2], vec![1]),
            (1, vec![4, 2, 3, x], vec![0]),
            (2, vec![4, 3, x, 3, y], vec![4, x, y]),
            (1, vec![5, x, x], vec![0]),
            (1, vec![5, 2, 3, x], vec![1]),
            (1, vec![5, 3, x, 2], vec![1]),
            (2, vec![5, 3, x, 3, y], vec![5, x, y]),
            (1, vec![6, 0, x], vec![x]),
            (1, vec![6, 1, x], vec![1]),
            (0, vec![7, 2], vec![2]),
            (0, vec![7, 3, 2], vec![2]),
            (1, vec![7, 3, 3, x], vec![3, 7, x]),
        ];
        Data::new(vec![b"Bool".to_vec(), b"Nat".to_vec()], symbols, &rules, 0, 1)
            .expect("well formed")
    }

    fn number(data: &mut Data, n: usize) -> Term {
        let zero = data.terms.apply(2, &[]);
        (0..n).fold(zero, |term, _| data.terms.apply(3, &[term]))
    }

    /// Terms over two variables of sort Nat, as codes.
    fn nat() -> impl Strategy<Value = Vec<i64>> {
        let leaf = prop_oneof![Just(vec![-1]), Just(vec![-2]), Just(vec![2]), Just(vec![3, 2])];
        leaf.prop_recursive(3, 6, 1, |inner| {
            (prop_oneof![Just(3i64), Just(7i64)], inner).prop_map(|(symbol, mut code)| {
                code.insert(0, symbol);
                code
            })
        })
    }

    fn condition() -> impl Strategy<Value = Vec<i64>> {
        (prop_oneof![Just(4i64), Just(5i64)], nat(), nat()).prop_map(|(symbol, left, right)| {
            let mut code = vec![symbol];
            code.extend(left);
            code.extend(right);
            code
        })
    }

    proptest! {
        #[test]
        fn solutions_are_those_of_trying_all_values(
            conditions in prop::collection::vec(condition(), 0..3),
            equation in prop::option::of((nat(), nat())),
            bound in 1usize..5,
        ) {
            // Both variables are below a bound, so that there are finitely many solutions.
            let mut data = data();
            let limit = number(&mut data, bound);
            let mut all: Vec<Term> = Vec::new();
            for variable in 0..2 {
                let variable = data.terms.variable(variable);
                all.push(data.terms.apply(4, &[variable, limit]));
            }
            for code in &conditions {
                all.push(data.terms.decode(code).unwrap());
            }
            let equations: Vec<(Term, Term)> = equation
                .iter()
                .map(|(l, r)| (data.terms.decode(l).unwrap(), data.terms.decode(r).unwrap()))
                .collect();
            let problem =
                Problem { given: &[], sorts: &[1, 1], equations: &equations, conditions: &all };
            let mut found = Vec::new();
            prop_assert!(solve(&mut data, &problem, 100_000, &mut found).unwrap());
            let mut found: Vec<Vec<Term>> = found.chunks(2).map(<[Term]>::to_vec).collect();
            let count = found.len();
            found.sort();
            found.dedup();
            prop_assert_eq!(count, found.len());
            let mut expected = Vec::new();
            for i in 0..bound {
                for j in 0..bound {
                    let values = [number(&mut data, i), number(&mut data, j)];
                    let mut holds = true;
                    for &condition in &all {
                        let term = data.terms.substitute(condition, &values);
                        holds &= data.normalise(term).unwrap() == data.truth;
                    }
                    for &(left, right) in &equations {
                        let left = data.terms.substitute(left, &values);
                        let right = data.terms.substitute(right, &values);
                        holds &= data.normalise(left).unwrap() == data.normalise(right).unwrap();
                    }
                    if holds {
                        expected.push(values.to_vec());
                    }
                }
            }
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn too_many_values_stop_at_the_cap() {
        let mut data = data();
        let problem = Problem { given: &[], sorts: &[1], equations: &[], conditions: &[] };
        let mut found = Vec::new();
        assert_eq!(solve(&mut data, &problem, 10, &mut found), Ok(false));
        assert_eq!(found.len(), 10);
        assert_eq!(data.terms.show(found[2]), b"S(S(0))");
    }
}
