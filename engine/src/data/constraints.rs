//! Simplification of constraints on variables. Equations are decomposed at constructors and solved
//! for variables (the one-point rule), and so are conditions that are equalities. Other conditions
//! are decomposed by the truth tables of their functions.

use crate::base::ids::as_index;
use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::substitution::Once;
use crate::data::terms::{Head, Kind, NONE, Term, Terms};

/// A constraint on the values of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    Equation(Term, Term),
    /// A Boolean term and its required value.
    Condition(Term, bool),
    /// A Boolean term that must be neither true nor false.
    Undecided(Term),
}

/// The values of variables, `NONE` if unknown; no value contains a variable that has a value
/// itself.
pub struct Known {
    pub values: Vec<Term>,
    pub equalities: Equalities,
}

/// The treatment of conditions that are equalities: whether they may be turned into equations.
#[derive(Clone, Copy)]
pub struct Equalities {
    pub orient: bool,
    /// Whether one was turned into an equation.
    pub oriented: bool,
    /// Whether that may have been wrong: a variable was given a normal form that is not a value of
    /// its sort, or an equality may be neither true nor false because no equation of the
    /// specification matches one of its sides.
    pub unsound: bool,
}

impl Equalities {
    pub const fn new(orient: bool) -> Self {
        Self { orient, oriented: false, unsound: false }
    }

    /// Called if two sides were found different; `are_sure` if that holds for certain.
    fn differ(&mut self, are_sure: bool) {
        self.unsound |= self.oriented && !are_sure;
    }
}

impl Known {
    pub fn bind(&mut self, data: &mut Data, variable: u32, value: Term) {
        let only = |v| if v == variable { value } else { NONE };
        for old in &mut self.values {
            if *old != NONE {
                *old = data.terms.substitute_by(*old, only);
            }
        }
        self.values[variable as usize] = value;
    }

    /// The normal form of a term after substituting all known values.
    fn resolve(&self, data: &mut Data, term: Term) -> Result<Term, Unfinished> {
        let term = data.terms.substitute(term, &self.values);
        data.normalise(term)
    }
}

/// Simplifies constraints; `None` if they cannot be satisfied.
pub fn simplify(
    data: &mut Data,
    known: &mut Known,
    constraints: Vec<Constraint>,
) -> Result<Option<Vec<Constraint>>, Unfinished> {
    let mut constraints = constraints;
    loop {
        let mut bound = false;
        let mut distinct: Vec<Constraint> = Vec::new();
        let mut waiting: Vec<Constraint> = constraints.into_iter().rev().collect();
        while let Some(constraint) = waiting.pop() {
            let simplified = match constraint {
                Constraint::Equation(left, right) => equation(data, known, left, right)?,
                Constraint::Condition(term, value) => condition(data, known, term, value)?,
                Constraint::Undecided(term) => undecided(data, known, term)?,
            };
            match simplified {
                Simplified::Never => return Ok(None),
                Simplified::Bound => bound = true,
                Simplified::Parts(parts) => waiting.extend(parts.into_iter().rev()),
                Simplified::Open(constraint) => {
                    if !distinct.contains(&constraint) {
                        distinct.push(constraint);
                    }
                }
            }
        }
        constraints = distinct;
        if !bound {
            return Ok(Some(constraints));
        }
    }
}

enum Simplified {
    /// The constraint cannot be satisfied.
    Never,
    /// A variable was given a value, so that other constraints may simplify further.
    Bound,
    /// The constraint is equivalent to these; it holds if there are none.
    Parts(Vec<Constraint>),
    Open(Constraint),
}

fn equation(
    data: &mut Data,
    known: &mut Known,
    left: Term,
    right: Term,
) -> Result<Simplified, Unfinished> {
    let left = known.resolve(data, left)?;
    let right = known.resolve(data, right)?;
    if left == right {
        return Ok(Simplified::Parts(Vec::new()));
    }
    // If other normal forms are not values, or may denote any value, an equation with a truth value
    // is treated as a condition.
    let is_condition = data.terms.strict || data.terms.loose;
    for (term, value) in [(left, right), (right, left)] {
        if is_condition
            && (value == data.truth || value == data.falsity)
            && let Head::Symbol(symbol) = data.terms.head(term)
            && !data.terms.is_inert(symbol)
        {
            let condition = Constraint::Condition(term, value == data.truth);
            return Ok(Simplified::Parts(vec![condition]));
        }
    }
    Ok(match (data.terms.head(left), data.terms.head(right)) {
        (Head::Variable(v), _) if !occurs(&data.terms, v, right) => {
            known.bind(data, v, right);
            Simplified::Bound
        }
        (_, Head::Variable(v)) if !occurs(&data.terms, v, left) => {
            known.bind(data, v, left);
            Simplified::Bound
        }
        (Head::Numeral(_), Head::Numeral(_)) => Simplified::Never,
        // The variable occurs in the term that it should be equal to.
        (Head::Variable(_), _) | (_, Head::Variable(_)) if data.differ(left, right) => {
            let are_sure = [left, right].iter().all(|&term| is_made_of_values(&data.terms, term));
            known.equalities.differ(are_sure);
            Simplified::Never
        }
        _ if data.is_free(left) && data.is_free(right) => {
            if data.terms.outside(left) != data.terms.outside(right) {
                return Ok(Simplified::Never);
            }
            let parts = data.terms.parts(left).into_iter().zip(data.terms.parts(right));
            Simplified::Parts(parts.map(|(l, r)| Constraint::Equation(l, r)).collect())
        }
        _ if data.terms.is_value(left)
            && data.terms.is_value(right)
            && data.differ(left, right) =>
        {
            let are_sure = data.terms.is_proper(left) && data.terms.is_proper(right);
            known.equalities.differ(are_sure);
            Simplified::Never
        }
        _ => Simplified::Open(Constraint::Equation(left, right)),
    })
}

fn condition(
    data: &mut Data,
    known: &mut Known,
    term: Term,
    value: bool,
) -> Result<Simplified, Unfinished> {
    let term = known.resolve(data, term)?;
    if term == data.constant(value) {
        return Ok(Simplified::Parts(Vec::new()));
    }
    if term == data.constant(!value) {
        return Ok(Simplified::Never);
    }
    let open = Simplified::Open(Constraint::Condition(term, value));
    let symbol = match data.terms.head(term) {
        Head::Variable(v) => {
            let value = data.constant(value);
            known.bind(data, v, value);
            return Ok(Simplified::Bound);
        }
        // A stuck term is an error only if all other constraints hold.
        _ if data.terms.is_ground(term) => return Ok(open),
        Head::Symbol(symbol) => symbol,
        Head::Numeral(_) => return Ok(open),
    };
    if let Some(table) = data.truth_table(symbol) {
        return Ok(by_table(data, term, symbol, table, value));
    }
    if value && known.equalities.orient && data.is_equality(symbol) {
        let &[left, right] = data.terms.children(term) else { return Ok(open) };
        // A term that no equation matches is equal to itself, but a map need not reduce to true for
        // it.
        let is_open = |term| matches!(data.terms.head(term), Head::Variable(_));
        let is_such = |term| is_made_of_values(&data.terms, term);
        let holds_of_values = data.is_identity(symbol)
            || is_such(left) && is_such(right)
            || is_open(left)
            || is_open(right);
        if holds_of_values
            && !has_placeholder(&data.terms, left)
            && !has_placeholder(&data.terms, right)
        {
            known.equalities.oriented = true;
            return Ok(Simplified::Parts(vec![Constraint::Equation(left, right)]));
        }
    }
    Ok(open)
}

fn undecided(data: &mut Data, known: &Known, term: Term) -> Result<Simplified, Unfinished> {
    let term = known.resolve(data, term)?;
    // Variables stand for values, which are decided.
    if data.truth_of(term).is_some() || matches!(data.terms.head(term), Head::Variable(_)) {
        return Ok(Simplified::Never);
    }
    Ok(Simplified::Open(Constraint::Undecided(term)))
}

/// What the value of a truth function implies for its arguments.
fn by_table(data: &mut Data, term: Term, symbol: u32, table: u64, value: bool) -> Simplified {
    let mut arguments = data.terms.children(term).to_vec();
    let count = arguments.len();
    let bit = |row: u64, j: usize| row >> j & 1 == 1;
    let (truth, falsity) = (data.truth, data.falsity);
    let possible = |row: u64, arguments: &[Term]| {
        (0..count).all(|j| {
            (arguments[j] != truth || bit(row, j))
                && (arguments[j] != falsity || !bit(row, j))
                && (0..j).all(|i| arguments[i] != arguments[j] || bit(row, i) == bit(row, j))
        })
    };
    let all: Vec<u64> = (0..1 << count).filter(|&row| possible(row, &arguments)).collect();
    let rows: Vec<u64> =
        all.iter().copied().filter(|&row| bit(table, as_index(row)) == value).collect();
    if rows.is_empty() {
        return Simplified::Never;
    }
    let mut parts = Vec::new();
    for (j, argument) in arguments.iter_mut().enumerate() {
        let known = *argument == truth || *argument == falsity;
        if !known && rows.iter().all(|&row| bit(row, j) == bit(rows[0], j)) {
            parts.push(Constraint::Condition(*argument, bit(rows[0], j)));
            *argument = if bit(rows[0], j) { truth } else { falsity };
        }
    }
    if parts.is_empty() && rows.len() < all.len() {
        return Simplified::Open(Constraint::Condition(term, value));
    }
    if !parts.is_empty() {
        let left = (0..1 << count).filter(|&row| possible(row, &arguments)).count();
        if left > rows.len() {
            let rest = data.terms.apply(symbol, &arguments);
            parts.push(Constraint::Condition(rest, value));
        }
    }
    Simplified::Parts(parts)
}

fn occurs(terms: &Terms, variable: u32, term: Term) -> bool {
    let mut variables = Vec::new();
    terms.variables(term, &mut variables);
    variables.contains(&variable)
}

/// Whether a term consists of variables, numerals and constructors that no rule rewrites.
fn is_made_of_values(terms: &Terms, term: Term) -> bool {
    let (mut waiting, mut once) = (vec![term], Once::default());
    while let Some(term) = waiting.pop() {
        match terms.head(term) {
            Head::Symbol(_) if !once.is_first(term) => {}
            Head::Symbol(symbol) => {
                if terms.symbols[symbol as usize].kind != Kind::Constructor
                    || !terms.is_inert(symbol)
                {
                    return false;
                }
                waiting.extend(terms.children(term));
            }
            Head::Variable(_) | Head::Numeral(_) => {}
        }
    }
    true
}

/// Whether some part of a term is not a value built from constructors: a constant without
/// equations, or a term that no equation matches.
fn has_placeholder(terms: &Terms, term: Term) -> bool {
    let (mut waiting, mut once) = (vec![term], Once::default());
    while let Some(term) = waiting.pop() {
        if terms.is_proper(term) || !once.is_first(term) {
            continue;
        }
        if terms.is_ground(term) && (terms.is_built(term) || terms.is_normal(term)) {
            return true;
        }
        waiting.extend(terms.children(term));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};

    /// Truth values, and a ternary map on them.
    fn data() -> Data {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("f", &[0, 0, 0], 0, Kind::Map),
        ];
        Data::new(vec![b"Bool".to_vec()], symbols, &[], 0, 1).expect("well formed")
    }

    /// For all tables of three arguments, each of them true, false or a variable: the parts hold
    /// exactly where the function has the required value.
    #[test]
    fn constraints_by_table_agree_with_the_table() {
        let mut data = data();
        let codes: [i64; 5] = [0, 1, -1, -2, -3];
        let choices: Vec<Term> = codes.iter().map(|&c| data.terms.decode(&[c]).unwrap()).collect();
        let (mut cases, mut with_rest, mut open) = (0, 0, 0);
        for number in 0..5 * 5 * 5 {
            let arguments = [number % 5, number / 5 % 5, number / 25].map(|c| choices[c]);
            let term = data.terms.apply(2, &arguments);
            for (table, value) in (0..256u64).flat_map(|t| [(t, true), (t, false)]) {
                let is = |data: &Data, term: Term, values: u64| -> bool {
                    let of = |term: Term| match data.terms.head(term) {
                        Head::Variable(v) => values >> v & 1 == 1,
                        _ => term == data.truth,
                    };
                    match *data.terms.children(term) {
                        [a, b, c] => {
                            let row = [a, b, c].map(|a| u64::from(of(a)));
                            table >> (row[0] | row[1] << 1 | row[2] << 2) & 1 == 1
                        }
                        _ => of(term),
                    }
                };
                let simplified = by_table(&mut data, term, 2, table, value);
                for values in 0..8 {
                    let expected = is(&data, term, values) == value;
                    let truth = |constraint: &Constraint| match *constraint {
                        Constraint::Condition(term, required) => {
                            is(&data, term, values) == required
                        }
                        _ => panic!("only conditions are stated"),
                    };
                    let holds = match &simplified {
                        Simplified::Never => false,
                        Simplified::Parts(parts) => parts.iter().all(truth),
                        Simplified::Open(constraint) => truth(constraint),
                        Simplified::Bound => panic!("nothing is bound"),
                    };
                    assert_eq!(holds, expected, "{table:08b} {value} {number} {values:03b}");
                }
                cases += 1;
                match &simplified {
                    // Parts do not repeat what is known already, and the rest is smaller.
                    Simplified::Parts(parts) => {
                        let rest = parts.iter().filter(|part| {
                            matches!(part, Constraint::Condition(t, _) if !data.terms.children(*t).is_empty())
                        });
                        let rest = rest.count();
                        assert!(rest <= 1 && (rest == 0 || parts.len() > 1));
                        assert!(!parts.contains(&Constraint::Condition(term, value)));
                        with_rest += rest;
                    }
                    Simplified::Open(constraint) => {
                        assert_eq!(*constraint, Constraint::Condition(term, value));
                        open += 1;
                    }
                    _ => {}
                }
            }
        }
        assert!(10 * open >= cases && with_rest > 400, "{open} {with_rest} of {cases}");
    }
}
