//! Recognises the meaning of Boolean functions from their rules.
//!
//! A function on truth values is given by its truth table, whatever rules define it, except for
//! arguments that do not reduce to true or false: the first matching rule may give a value all the
//! same. So a table is used only if every value that undecided arguments give is also given by all
//! truth values in their place. A map `D#D -> Bool` is equality on values if it reduces to `F` for
//! different constructors and, for the same constructor, to the conjunction of such equalities of
//! the arguments (by induction on values). So conditions can be decomposed without further rules by
//! the user.

use crate::base::ids::Id;
use crate::data::enumerate::first_values;
use crate::data::logic::TruthTable;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, Term};
use rustc_hash::FxHashMap;

/// The largest number of arguments of a function whose truth table is computed.
const WIDEST: usize = 6;
/// The largest number of constructors of a sort for which equality is recognised.
const MOST_CONSTRUCTORS: usize = 200;

/// Variables of sorts with at most this many values are tried out first.
pub const FEW: usize = 64;

impl Data {
    /// The truth table of a function on truth values; `None` for other functions, and if a result
    /// is not a truth value.
    pub fn truth_table(&mut self, symbol: u32) -> Option<TruthTable> {
        if let Some(&known) = self.logic.tables.get(&symbol) {
            return known;
        }
        // Deciding a quantifier on the way may ask for this table again.
        self.logic.tables.insert(symbol, None);
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
        self.is_exact_when_undecided(symbol, table)?.then_some(table)
    }

    /// Whether every truth value that the function gives for undecided arguments is the one given
    /// by the table for all truth values in their place (the same value for the same argument).
    /// `None` if rewriting does not terminate.
    fn is_exact_when_undecided(&mut self, symbol: u32, table: TruthTable) -> Option<bool> {
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
            let mut given = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[left, right]| {
                let values = [1, 0, left, right];
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

    /// The truth value of a normal form; `None` if it is neither.
    pub fn truth_of(&self, normal: Term) -> Option<bool> {
        (normal == self.truth || normal == self.falsity).then_some(normal == self.truth)
    }

    /// Whether a condition is decided whenever all its parts below truth functions are.
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
            let equalities = self.find_equalities();
            self.logic.equalities = Some(equalities);
        }
        self.logic.equalities.as_ref().is_some_and(|equalities| equalities[symbol as usize])
    }

    /// The greatest set of maps of which each is an equality provided that the others are.
    fn find_equalities(&mut self) -> Vec<bool> {
        let boolean = self.terms.sort(self.truth);
        let mut equalities: Vec<bool> = (0..u32::at(self.terms.symbols.len()))
            .map(|symbol| {
                // By the rules `e(x,x) = T` and `e(x,y) = F`.
                if self.is_identity(symbol) {
                    return true;
                }
                let declared = &self.terms.symbols[symbol as usize];
                let [left, right] = declared.arguments[..] else { return false };
                let constructors = &self.constructors[left as usize];
                // Deciding a quantifier asks for the equalities.
                declared.kind == Kind::Map
                    && !self.quantifying[symbol as usize]
                    && !self.terms.is_inert(symbol)
                    && declared.sort == boolean
                    && left == right
                    && (1..=MOST_CONSTRUCTORS).contains(&constructors.len())
                    && constructors.iter().all(|&c| self.terms.is_inert(c))
            })
            .collect();
        loop {
            let wrong: Vec<usize> = (0..equalities.len())
                .filter(|&symbol| {
                    let number = u32::at(symbol);
                    equalities[symbol]
                        && !self.is_identity(number)
                        && !self.equates(number, &equalities)
                })
                .collect();
            if wrong.is_empty() {
                return equalities;
            }
            for symbol in wrong {
                equalities[symbol] = false;
            }
        }
    }

    /// Whether a map compares constructor terms as an equality does, provided that `equalities` are
    /// such.
    fn equates(&mut self, symbol: u32, equalities: &[bool]) -> bool {
        let sort = self.terms.symbols[symbol as usize].arguments[0];
        let constructors = self.constructors[sort as usize].clone();
        for &c in &constructors {
            for &d in &constructors {
                let (m, n) = (self.terms.arity(c), self.terms.arity(d));
                let variables: Vec<Term> =
                    (0..u32::at(m + n)).map(|v| self.terms.variable(v)).collect();
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

    /// Whether a term is the conjunction of e(x_i, y_i) for all i, each e being an equality;
    /// `variables` are all x, then all y.
    fn is_conjunction(&mut self, term: Term, variables: &[Term], equalities: &[bool]) -> bool {
        let count = variables.len() / 2;
        if count > WIDEST {
            return false;
        }
        // The parts below truth functions, and the index of the pair that each compares.
        let mut parts: FxHashMap<Term, usize> = FxHashMap::default();
        let mut waiting = vec![term];
        while let Some(part) = waiting.pop() {
            if part == self.truth || part == self.falsity {
                continue;
            }
            let Head::Symbol(symbol) = self.terms.head(part) else { return false };
            let position = |term| variables.iter().position(|&v| v == term);
            let pair = match *self.terms.children(part) {
                [left, right] if equalities[symbol as usize] => position(left).zip(position(right)),
                _ => None,
            };
            // A truth function may still count as an equality at this point: if it does not compare
            // a pair, it is treated as a truth function.
            match pair {
                Some((i, j)) if i.abs_diff(j) == count => {
                    parts.insert(part, i.min(j));
                }
                _ if self.truth_table(symbol).is_some() => {
                    waiting.extend(self.terms.children(part));
                }
                _ => return false,
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

    /// The normal form of a term after replacing the known parts; `None` if rewriting does not
    /// terminate.
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

    /// The number of values of a sort; `None` if there are more than `FEW`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::Symbol;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;
    use std::cell::Cell;

    /// Arguments and results of a function: truth values, and two constants that no equation
    /// matches.
    const TRUE: u8 = 0;
    const FALSE: u8 = 1;
    const GIVEN: [u8; 4] = [TRUE, FALSE, 2, 3];

    /// A rule for `f`: each argument is a truth value or, from 2 on, a variable; so is the
    /// right-hand side.
    type Rule = ([u8; 2], u8);

    /// The value of `f` by the first rule that matches, if any.
    fn first_match(rules: &[Rule], given: [u8; 2]) -> Option<u8> {
        rules.iter().find_map(|&(left, right)| {
            let mut bound = [None; 2];
            for (pattern, value) in left.into_iter().zip(given) {
                match pattern.checked_sub(2) {
                    None if pattern == value => {}
                    None => return None,
                    Some(variable) => {
                        if *bound[variable as usize].get_or_insert(value) != value {
                            return None;
                        }
                    }
                }
            }
            Some(right.checked_sub(2).map_or(right, |v| bound[v as usize].expect("bound")))
        })
    }

    /// By definition: the truth table, whether all rows of truth values have a value, and whether
    /// undecided arguments never hide a value that all truth values in their place give.
    fn by_definition(rules: &[Rule]) -> (Option<TruthTable>, bool, bool) {
        let bit = |row: usize, j: usize| if row >> j & 1 == 1 { TRUE } else { FALSE };
        let mut table = 0;
        for row in 0..4 {
            match first_match(rules, [bit(row, 0), bit(row, 1)]) {
                Some(TRUE) => table |= 1 << row,
                Some(FALSE) => {}
                _ => return (None, false, false),
            }
        }
        let mut is_complete = true;
        for (left, right) in GIVEN.into_iter().flat_map(|left| GIVEN.map(|right| (left, right))) {
            let value = first_match(rules, [left, right]).filter(|&value| value < 2);
            let decided = (0..4).map(|assignment| {
                let of = |v: u8| if v < 2 { v } else { bit(assignment, v as usize - 2) };
                first_match(rules, [of(left), of(right)])
            });
            let decided: Vec<_> = decided.collect();
            let is_one = decided.iter().all(|&each| each == decided[0]);
            if value.is_some() && !(is_one && decided[0] == value) {
                return (None, true, false);
            }
            is_complete &= value.is_some() == is_one;
        }
        (Some(table), true, is_complete)
    }

    fn data(rules: &[Rule]) -> Data {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("f", &[0, 0], 0, Kind::Map),
        ];
        let coded = rules.iter().map(|&([a, b], right)| {
            // Variables are numbered in order of occurrence.
            let mut seen = Vec::new();
            for part in [a, b] {
                if part >= 2 && !seen.contains(&part) {
                    seen.push(part);
                }
            }
            let code = |part: u8| match seen.iter().position(|&v| v == part) {
                Some(position) => -1 - position as i64,
                None => i64::from(part),
            };
            (seen.len(), vec![2, code(a), code(b)], vec![code(right)])
        });
        let coded: Vec<_> = coded.collect();
        Data::new(vec![b"Bool".to_vec()], symbols, &coded, 0, 1).expect("well formed")
    }

    #[test]
    fn tables_agree_with_the_first_matching_rule() {
        let side = || (0u8..4, 0u8..4, 0u8..4);
        let rule = side().prop_map(|(a, b, right)| {
            let is_bound = right < 2 || [a, b].contains(&right);
            ([a, b], if is_bound { right } else { right - 2 })
        });
        let last = (0u8..4).prop_map(|right| ([2, 3], right));
        let rules = (prop::collection::vec(rule, 0..5), prop::option::of(last))
            .prop_map(|(rules, last)| rules.into_iter().chain(last).collect::<Vec<Rule>>());
        let (all, tables, refused) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let run = TestRunner::default().run(&rules, |rules| {
            let (expected, is_total, is_complete) = by_definition(&rules);
            all.set(all.get() + 1);
            tables.set(tables.get() + u32::from(expected.is_some()));
            refused.set(refused.get() + u32::from(expected.is_none() && is_total));
            let mut data = data(&rules);
            prop_assert_eq!(data.truth_table(2), expected);
            prop_assert_eq!(data.logic.complete.contains(&2), is_complete);
            Ok(())
        });
        assert_eq!(run, Ok(()));
        assert!(10 * tables.get() >= all.get() && 10 * refused.get() >= all.get());
    }
}
