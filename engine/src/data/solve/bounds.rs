//! Bounds of numbers: what comparisons and equations of arithmetic expressions imply for the range
//! of the unknowns.
//!
//! Each constraint is read as a tree of operations. Bottom-up, the range of an expression follows
//! from the ranges of its parts; top-down, the range of a part follows from those of the whole and
//! of the other parts. This is repeated while bounds improve.
//!
//! Operations that may have no result for some numbers are ignored here: a stuck condition is an
//! error, and its cases must not be excluded.
//!
//! Source: F. Benhamou, F. Goualard, L. Granvilliers, J.-F. Puget, Revising hull and box
//! consistency, ICLP 1999 (HC4), over the integers.

use crate::data::constraints::Constraint;
use crate::data::numbers::{Kind, Number, Operation};
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Term};

/// All integers between two endpoints; `None` is an infinite endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub least: Option<i64>,
    pub most: Option<i64>,
}

/// The largest number of rounds of propagation.
const ROUNDS: usize = 20;
/// The largest nesting of operations that is analysed.
const DEPTH: usize = 50;
/// The largest number of subterms that are analysed for one case.
const PARTS: usize = 10_000;
/// Numbers beyond this count as unbounded.
const FAR: i64 = 1 << 61;

impl Interval {
    const ALL: Self = Self { least: None, most: None };

    fn new(least: Option<i64>, most: Option<i64>) -> Self {
        Self { least, most }
    }

    fn meet(self, other: Self) -> Self {
        let tighter = |a: Option<i64>, b: Option<i64>, pick: fn(i64, i64) -> i64| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (left, right) => left.or(right),
        };
        Self::new(
            tighter(self.least, other.least, i64::max),
            tighter(self.most, other.most, i64::min),
        )
    }

    fn plus(self, other: Self) -> Self {
        let sum = |a: Option<i64>, b: Option<i64>| near(a?.checked_add(b?));
        Self::new(sum(self.least, other.least), sum(self.most, other.most))
    }

    fn negated(self) -> Self {
        Self::new(self.most.map(|most| -most), self.least.map(|least| -least))
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    fn times(self, other: Self) -> Self {
        if let Self { least: Some(a), most: Some(b) } = self
            && let Self { least: Some(c), most: Some(d) } = other
        {
            let products = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| near(x.checked_mul(y)));
            let endpoints = products.into_iter().collect::<Option<Vec<i64>>>();
            return endpoints.map_or(Self::ALL, |endpoints| {
                Self::new(endpoints.iter().min().copied(), endpoints.iter().max().copied())
            });
        }
        match (self.least, other.least) {
            (Some(a), Some(c)) if a >= 0 && c >= 0 => Self::new(near(a.checked_mul(c)), None),
            _ => Self::ALL,
        }
    }

    /// The range of `x`, given that `x * y` is in this interval and `y`, which is positive, is in
    /// `other`.
    fn divided(self, other: Self) -> Self {
        let Some(small) = other.least.filter(|&small| small > 0) else { return Self::ALL };
        if other.most.is_some_and(|large| large < small) {
            return Self::ALL; // there is no such y, hence nothing follows
        }
        let most = self.most.map(|most| match (most >= 0, other.most) {
            (true, _) => most.div_euclid(small),
            (false, Some(large)) => most.div_euclid(large),
            (false, None) => -1,
        });
        let up = |a: i64, b: i64| -(-a).div_euclid(b);
        let least = self.least.map(|least| match (least <= 0, other.most) {
            (true, _) => up(least, small),
            (false, Some(large)) => up(least, large),
            (false, None) => 1,
        });
        Self::new(least, most)
    }

    /// The number of integers in the interval; `None` if it is infinite.
    pub(crate) fn size(self) -> Option<usize> {
        usize::try_from((self.most? - self.least?).saturating_add(1).max(0)).ok()
    }
}

fn near(number: Option<i64>) -> Option<i64> {
    number.filter(|number| number.unsigned_abs() < FAR.unsigned_abs())
}

fn of_kind(kind: Kind) -> Interval {
    let least = match kind {
        Kind::Positive => Some(1),
        Kind::Natural => Some(0),
        Kind::Integer => None,
    };
    Interval::new(least, None)
}

/// The ranges that constraints imply for variables of these sorts; unbounded for sorts that have no
/// numbers.
pub(crate) fn bounds(
    data: &Data,
    sorts: impl Iterator<Item = u32>,
    constraints: &[Constraint],
) -> Vec<Interval> {
    let known = sorts.map(|sort| kind_of(data, sort).map_or(Interval::ALL, of_kind)).collect();
    let mut bounds = Bounds { data, known, parts: 0, changed: true };
    for _ in 0..ROUNDS {
        if !std::mem::take(&mut bounds.changed) || bounds.parts >= PARTS {
            break;
        }
        for &constraint in constraints {
            bounds.constrain(constraint);
        }
    }
    bounds.known
}

struct Bounds<'a> {
    data: &'a Data,
    known: Vec<Interval>,
    parts: usize,
    changed: bool,
}

impl Bounds<'_> {
    fn constrain(&mut self, constraint: Constraint) {
        let (term, value) = match constraint {
            Constraint::Equation(left, right) => {
                self.equal(left, right);
                return;
            }
            Constraint::Condition(term, value) => (term, value),
            Constraint::Undecided(_) => return,
        };
        let Head::Symbol(symbol) = self.data.terms.head(term) else { return };
        let &[left, right] = self.data.terms.children(term) else { return };
        use Operation::{Different, Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        match (self.data.terms.symbols[symbol as usize].native, value) {
            (Some(Less), true) | (Some(GreaterOrEqual), false) => self.less(left, right, 1),
            (Some(LessOrEqual), true) | (Some(Greater), false) => self.less(left, right, 0),
            (Some(Greater), true) | (Some(LessOrEqual), false) => self.less(right, left, 1),
            (Some(GreaterOrEqual), true) | (Some(Less), false) => self.less(right, left, 0),
            (Some(Equal), true) | (Some(Different), false) => self.equal(left, right),
            _ => {}
        }
    }

    /// Propagates `left` + `by` <= `right`.
    fn less(&mut self, left: Term, right: Term, by: i64) {
        let (of_left, of_right) = (self.of(left, DEPTH), self.of(right, DEPTH));
        let below = of_right.most.and_then(|most| near(most.checked_sub(by)));
        let above = of_left.least.and_then(|least| near(least.checked_add(by)));
        self.restrict(left, Interval::new(None, below), DEPTH);
        self.restrict(right, Interval::new(above, None), DEPTH);
    }

    fn equal(&mut self, left: Term, right: Term) {
        let both = self.of(left, DEPTH).meet(self.of(right, DEPTH));
        self.restrict(left, both, DEPTH);
        self.restrict(right, both, DEPTH);
    }

    /// The range of a number.
    fn of(&mut self, term: Term, depth: usize) -> Interval {
        self.parts += 1;
        let terms = &self.data.terms;
        if let Head::Variable(v) = terms.head(term) {
            return self.known.get(v as usize).copied().unwrap_or(Interval::ALL);
        }
        let Some(all) = kind_of(self.data, terms.sort(term)).map(of_kind) else {
            return Interval::ALL;
        };
        match terms.head(term) {
            Head::Numeral(_) => match terms.number(term) {
                Some(&Number::Small(number)) if near(Some(number)).is_some() => {
                    Interval::new(Some(number), Some(number))
                }
                _ => all,
            },
            Head::Symbol(_) if depth == 0 || self.parts >= PARTS => all,
            Head::Symbol(symbol) => {
                let children = terms.children(term).to_vec();
                let interval = match (self.reading(symbol), &children[..]) {
                    (Some(Reading::Same), &[a]) => self.of(a, depth - 1),
                    (Some(Reading::Negated), &[a]) => self.of(a, depth - 1).negated(),
                    (Some(Reading::Shifted(by)), &[a]) => {
                        self.of(a, depth - 1).plus(Interval::new(Some(by), Some(by)))
                    }
                    (Some(Reading::Absolute), &[a]) => {
                        let Interval { least, most } = self.of(a, depth - 1);
                        let most = least.zip(most).map(|(a, b)| a.abs().max(b.abs()));
                        Interval::new(Some(0), most)
                    }
                    (Some(Reading::Of(operation)), &[a, b]) => {
                        let (a, b) = (self.of(a, depth - 1), self.of(b, depth - 1));
                        of_two(operation, a, b)
                    }
                    _ => Interval::ALL,
                };
                interval.meet(all)
            }
            Head::Variable(_) => Interval::ALL,
        }
    }

    /// Restricts a number to a range, and derives the ranges of its variables.
    fn restrict(&mut self, term: Term, to: Interval, depth: usize) {
        self.parts += 1;
        if to == Interval::ALL || self.parts >= PARTS {
            return;
        }
        let symbol = match self.data.terms.head(term) {
            Head::Variable(v) => {
                if let Some(known) = self.known.get_mut(v as usize) {
                    let new = known.meet(to);
                    self.changed |= new != *known;
                    *known = new;
                }
                return;
            }
            Head::Numeral(_) => return,
            Head::Symbol(_) if depth == 0 => return,
            Head::Symbol(symbol) => symbol,
        };
        let children = self.data.terms.children(term).to_vec();
        match (self.reading(symbol), &children[..]) {
            (Some(Reading::Same), &[a]) => self.restrict(a, to, depth - 1),
            (Some(Reading::Negated), &[a]) => self.restrict(a, to.negated(), depth - 1),
            (Some(Reading::Shifted(by)), &[a]) => {
                self.restrict(a, to.minus(Interval::new(Some(by), Some(by))), depth - 1);
            }
            (Some(Reading::Absolute), &[a]) => {
                let inside = Interval::new(to.most.map(|most| -most), to.most);
                self.restrict(a, inside, depth - 1);
            }
            (Some(Reading::Of(operation)), &[a, b]) => {
                let (of_a, of_b) = (self.of(a, depth - 1), self.of(b, depth - 1));
                let (for_a, for_b) = match operation {
                    Operation::Add => (to.minus(of_b), to.minus(of_a)),
                    Operation::Subtract => (to.plus(of_b), of_a.minus(to)),
                    Operation::Multiply => (to.divided(of_b), to.divided(of_a)),
                    Operation::Minimum => {
                        let above = Interval::new(to.least, None);
                        (above, above)
                    }
                    Operation::Maximum => {
                        let below = Interval::new(None, to.most);
                        (below, below)
                    }
                    _ => (Interval::ALL, Interval::ALL),
                };
                self.restrict(a, for_a, depth - 1);
                self.restrict(b, for_b, depth - 1);
            }
            _ => {}
        }
    }

    /// The operation of a symbol, if it has a result for all numbers of its argument sorts.
    fn reading(&self, symbol: u32) -> Option<Reading> {
        let declared = &self.data.terms.symbols[symbol as usize];
        let kinds: Vec<Kind> =
            declared.arguments.iter().map(|&s| kind_of(self.data, s)).collect::<Option<_>>()?;
        let result = kind_of(self.data, declared.sort)?;
        let Some(operation) = declared.native else {
            let number = self.data.terms.number_sorts().iter().find(|s| s.sort == declared.sort)?;
            let position = number.constructors.iter().position(|&c| c == symbol)?;
            return match (number.kind, position, kinds.len()) {
                (Kind::Integer, 0, 1) => Some(Reading::Same),
                (Kind::Integer, _, 1) => Some(Reading::Negated),
                (_, 1, 1) => Some(Reading::Shifted(1)),
                _ => None,
            };
        };
        let is_never_negative = kinds.iter().all(|&kind| kind != Kind::Integer);
        let has_positive = kinds.contains(&Kind::Positive);
        let fits = |may_be_zero: bool| match result {
            Kind::Integer => true,
            Kind::Natural => is_never_negative,
            Kind::Positive => is_never_negative && !may_be_zero,
        };
        let is_total = match operation {
            Operation::Add => fits(!has_positive),
            Operation::Multiply => fits(kinds.contains(&Kind::Natural)),
            Operation::Subtract | Operation::Negate => result == Kind::Integer,
            Operation::Successor => fits(false),
            Operation::Predecessor => {
                result == Kind::Integer || (kinds == [Kind::Positive] && result == Kind::Natural)
            }
            Operation::Convert => fits(kinds == [Kind::Natural]),
            Operation::Absolute => result != Kind::Positive || kinds == [Kind::Positive],
            Operation::Minimum => fits(kinds.contains(&Kind::Natural)),
            Operation::Maximum => true,
            Operation::Div | Operation::Mod => kinds.get(1) == Some(&Kind::Positive),
            _ => false,
        };
        is_total.then_some(match operation {
            Operation::Convert => Reading::Same,
            Operation::Negate => Reading::Negated,
            Operation::Successor => Reading::Shifted(1),
            Operation::Predecessor => Reading::Shifted(-1),
            Operation::Absolute => Reading::Absolute,
            _ => Reading::Of(operation),
        })
    }
}

/// The operation of a symbol on numbers.
enum Reading {
    Same,
    Negated,
    Shifted(i64),
    Absolute,
    /// A binary operation.
    Of(Operation),
}

fn of_two(operation: Operation, a: Interval, b: Interval) -> Interval {
    let larger = |a: Option<i64>, b: Option<i64>| Some(a?.max(b?));
    let smaller = |a: Option<i64>, b: Option<i64>| Some(a?.min(b?));
    match operation {
        Operation::Add => a.plus(b),
        Operation::Subtract => a.minus(b),
        Operation::Multiply => a.times(b),
        Operation::Minimum => {
            let most = Interval::new(None, a.most).meet(Interval::new(None, b.most)).most;
            Interval::new(smaller(a.least, b.least), most)
        }
        Operation::Maximum => {
            let least = Interval::new(a.least, None).meet(Interval::new(b.least, None)).least;
            Interval::new(least, larger(a.most, b.most))
        }
        Operation::Div => match (a.least, b.least) {
            (Some(least), Some(by)) if least >= 0 && by > 0 => {
                Interval::new(Some(0), a.most.map(|most| most.div_euclid(by)))
            }
            _ => Interval::ALL,
        },
        Operation::Mod => Interval::new(Some(0), b.most.map(|most| most - 1)),
        _ => Interval::ALL,
    }
}

/// The kind of a sort, if it is a sort of numbers.
fn kind_of(data: &Data, sort: u32) -> Option<Kind> {
    data.terms.number_sorts().iter().find(|known| known.sort == sort).map(|known| known.kind)
}

#[cfg(test)]
mod tests;
