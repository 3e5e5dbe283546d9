//! What the user's own Boolean functions mean, found out from the rules.
//!
//! A function of truth values *is* its truth table, however few rules say so, but for arguments that no
//! equation makes true or false: the first rule that matches may give a value all the same. There is a
//! table only if such a value is the one that all truth values in their place give. A map `D#D -> Bool` is
//! equality on values if it reduces to `F` for different constructors, and for equal ones to the
//! conjunction of such equalities of their arguments: by induction on the values. So conditions
//! can be taken apart without asking anybody to write more rules.

use crate::data::enumerate::first_values;
use crate::data::logic::TruthTable;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, Term};
use rustc_hash::FxHashMap;

/// Arguments of a function whose truth table is made.
const WIDEST: usize = 6;
/// Constructors of a sort whose equality is looked for.
const MOST_CONSTRUCTORS: usize = 200;

/// A sort with no more values than this is one that is tried out first.
pub const FEW: usize = 64;

impl Data {
    /// The truth table of a function of truth values; none for other functions, and where a result is
    /// no truth value.
    pub fn truth_table(&mut self, symbol: u32) -> Option<TruthTable> {
        if let Some(&known) = self.logic.tables.get(&symbol) {
            return known;
        }
        let table = self.make_table(symbol);
        self.logic.tables.insert(symbol, table);
        table
    }

    fn make_table(&mut self, symbol: u32) -> Option<TruthTable> {
        let boolean = self.terms.sort(self.truth);
        let declared = &self.terms.symbols[symbol as usize];
        let arity = declared.arguments.len();
        if declared.kind != Kind::Map
            || declared.sort != boolean
            || !(1..=WIDEST).contains(&arity)
            || declared.arguments.iter().any(|&sort| sort != boolean)
        {
            return None;
        }
        let mut table = 0;
        for row in 0..1u64 << arity {
            let arguments: Vec<Term> =
                (0..arity).map(|j| self.constant(row >> j & 1 == 1)).collect();
            let term = self.terms.apply(symbol, &arguments);
            let result = self.normalise(term).ok()?;
            table |= u64::from(self.truth_of(result)?) << row;
        }
        self.is_met_by_undecided(symbol, table)?.then_some(table)
    }

    /// Whether a function whose arguments are undecided gives a truth value only if that is what all
    /// values in their place give, the same for the same one, by its table; none if rewriting does not
    /// end.
    fn is_met_by_undecided(&mut self, symbol: u32, table: TruthTable) -> Option<bool> {
        let arity = self.terms.arity(symbol);
        let undecided = self.logic.undecided.map(|symbol| self.terms.apply(symbol, &[]));
        let each = [self.truth, self.falsity, undecided[0], undecided[1]];
        let mut is_complete = true;
        for number in 0..1usize << (2 * arity) {
            let chosen = |j: usize| number >> (2 * j) & 3;
            let arguments: Vec<Term> = (0..arity).map(|j| each[chosen(j)]).collect();
            let term = self.terms.apply(symbol, &arguments);
            let result = self.normalise(term).ok()?;
            let value = self.truth_of(result);
            let mut given = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[one, other]| {
                let values = [1, 0, one, other];
                let row = (0..arity).fold(0, |row, j| row | values[chosen(j)] << j);
                table >> row & 1 == 1
            });
            given.sort_unstable();
            let all = (given[0] == given[3]).then_some(given[0]);
            if value.is_some() && value != all {
                return Some(false);
            }
            is_complete &= value == all;
        }
        if is_complete {
            self.logic.complete.insert(symbol);
        }
        Some(true)
    }

    /// The truth value that a normal form is; none if it is neither.
    pub fn truth_of(&self, normal: Term) -> Option<bool> {
        (normal == self.truth || normal == self.falsity).then_some(normal == self.truth)
    }

    /// Whether a condition is decided wherever the parts are that its truth functions make it of.
    pub fn is_decided_by_parts(&mut self, condition: Term) -> bool {
        let mut waiting = vec![condition];
        while let Some(term) = waiting.pop() {
            if let Head::Symbol(symbol) = self.terms.head(term)
                && self.truth_table(symbol).is_some()
            {
                if !self.logic.complete.contains(&symbol) {
                    return false;
                }
                waiting.extend(self.terms.children(term));
            }
        }
        true
    }

    /// A truth value as a term.
    pub fn constant(&self, value: bool) -> Term {
        if value { self.truth } else { self.falsity }
    }

    /// Whether a symbol is the equality of two values of one sort.
    pub fn is_equality(&mut self, symbol: u32) -> bool {
        if self.logic.equalities.is_none() {
            let found = self.find_equalities();
            self.logic.equalities = Some(found);
        }
        self.logic.equalities.as_ref().is_some_and(|found| found[symbol as usize])
    }

    /// The greatest set of maps each of which is an equality if the others are.
    fn find_equalities(&mut self) -> Vec<bool> {
        let boolean = self.terms.sort(self.truth);
        let mut found: Vec<bool> = (0..self.terms.symbols.len() as u32)
            .map(|symbol| {
                // As the rules `e(x,x) = T` and `e(x,y) = F` make it.
                if self.is_identity(symbol) {
                    return true;
                }
                let declared = &self.terms.symbols[symbol as usize];
                let [left, right] = declared.arguments[..] else { return false };
                let constructors = &self.constructors[left as usize];
                declared.kind == Kind::Map
                    && !self.terms.is_inert(symbol)
                    && declared.sort == boolean
                    && left == right
                    && (1..=MOST_CONSTRUCTORS).contains(&constructors.len())
                    && constructors.iter().all(|&c| self.terms.is_inert(c))
            })
            .collect();
        loop {
            let wrong: Vec<usize> = (0..found.len())
                .filter(|&symbol| {
                    let number = symbol as u32;
                    found[symbol] && !self.is_identity(number) && !self.equates(number, &found)
                })
                .collect();
            if wrong.is_empty() {
                return found;
            }
            for symbol in wrong {
                found[symbol] = false;
            }
        }
    }

    /// Whether a map compares constructors as an equality does, if the maps of `equalities` are such.
    fn equates(&mut self, symbol: u32, equalities: &[bool]) -> bool {
        let sort = self.terms.symbols[symbol as usize].arguments[0];
        let constructors = self.constructors[sort as usize].clone();
        for &c in &constructors {
            for &d in &constructors {
                let (m, n) = (self.terms.arity(c), self.terms.arity(d));
                let variables: Vec<Term> =
                    (0..(m + n) as u32).map(|v| self.terms.variable(v)).collect();
                let left = self.terms.apply(c, &variables[..m]);
                let right = self.terms.apply(d, &variables[m..]);
                let term = self.terms.apply(symbol, &[left, right]);
                let Ok(normal) = self.normalise(term) else { return false };
                let holds = if c == d {
                    self.is_conjunction(normal, &variables, equalities)
                } else {
                    normal == self.falsity
                };
                if !holds {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a term is the conjunction of e(x_i, y_i) for all i, each e an equality; `variables`
    /// are all x and then all y.
    fn is_conjunction(&mut self, term: Term, variables: &[Term], equalities: &[bool]) -> bool {
        let count = variables.len() / 2;
        if count > WIDEST {
            return false;
        }
        // The parts below truth functions, and which pair each compares.
        let mut parts: FxHashMap<Term, usize> = FxHashMap::default();
        let mut waiting = vec![term];
        while let Some(part) = waiting.pop() {
            if part == self.truth || part == self.falsity {
                continue;
            }
            let Head::Symbol(symbol) = self.terms.head(part) else { return false };
            if equalities[symbol as usize] {
                let &[left, right] = self.terms.children(part) else { return false };
                let place = |term| variables.iter().position(|&v| v == term);
                let pair = match (place(left), place(right)) {
                    (Some(i), Some(j)) if i.abs_diff(j) == count => i.min(j),
                    _ => return false,
                };
                parts.insert(part, pair);
            } else if self.truth_table(symbol).is_some() {
                waiting.extend(self.terms.children(part));
            } else {
                return false;
            }
        }
        for row in 0..1u32 << count {
            let known: FxHashMap<Term, Term> =
                parts.iter().map(|(&part, &i)| (part, self.constant(row >> i & 1 == 1))).collect();
            let Some(value) = self.with_known(term, &known) else { return false };
            if value != self.constant(row + 1 == 1 << count) {
                return false;
            }
        }
        true
    }

    /// The normal form of a term in which some parts are known; none if rewriting does not end.
    fn with_known(&mut self, term: Term, known: &FxHashMap<Term, Term>) -> Option<Term> {
        let mut tasks = vec![(term, false)];
        let mut results: Vec<Term> = Vec::new();
        while let Some((term, visited)) = tasks.pop() {
            if let Some(&value) = known.get(&term) {
                results.push(value);
            } else if let (Head::Symbol(symbol), true) = (self.terms.head(term), visited) {
                let from = results.len() - self.terms.arity(symbol);
                let built = self.terms.apply(symbol, &results[from..]);
                results.truncate(from);
                results.push(built);
            } else if self.terms.children(term).is_empty() {
                results.push(term);
            } else {
                tasks.push((term, true));
                tasks.extend(self.terms.children(term).iter().rev().map(|&c| (c, false)));
            }
        }
        self.normalise(results[0]).ok()
    }

    /// How many values a sort has; none if these are more than `FEW`.
    pub fn few_values(&mut self, sort: u32) -> Option<usize> {
        if let Some(&known) = self.logic.sizes.get(&sort) {
            return known;
        }
        let values = first_values(self, sort, FEW + 1);
        let few = values.ok().filter(|(_, all)| *all).map(|(values, _)| values.len());
        self.logic.sizes.insert(sort, few);
        few
    }
}
