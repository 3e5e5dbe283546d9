//! Bounds on the number of rewrite steps, for functions that are not recursive.

use crate::base::ids::Id;
use crate::data::automaton::Rule;
use crate::data::numbers::Operation;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::FxHashSet;

/// Unknown, or too many to be useful.
const MANY: u32 = 1 << 16;

/// For every symbol, applied to normal forms, an upper bound on the number of rules tried or
/// applied; `MANY` if it is recursive, directly or indirectly. `by_head` has the rules of each
/// symbol. A native operation counts as one step.
pub(crate) fn bounds(terms: &Terms, rules: &[Rule], by_head: &[Vec<u32>]) -> Vec<u32> {
    let parts = |symbol: usize| {
        let native = terms.symbols[symbol].native.is_some();
        let own = by_head[symbol].iter().filter(move |_| !native);
        let own = own.map(|&rule| &rules[rule as usize]);
        own.flat_map(|rule| [rule.right, rule.condition]).filter(|&term| term != NONE)
    };
    let count = terms.symbols.len();
    let mut users = vec![Vec::new(); count];
    let mut open = vec![0; count];
    for (symbol, open) in open.iter_mut().enumerate() {
        let used: FxHashSet<u32> = parts(symbol).flat_map(|part| symbols(terms, part)).collect();
        *open = used.len();
        used.into_iter().for_each(|used| users[used as usize].push(symbol));
    }
    let mut bounds = vec![MANY; count];
    let mut ready: Vec<usize> = (0..count).filter(|&symbol| open[symbol] == 0).collect();
    while let Some(symbol) = ready.pop() {
        let declared = &terms.symbols[symbol];
        bounds[symbol] = match declared.native {
            _ if declared.quantifies => MANY,
            // Its result may have any size.
            Some(Operation::Power) => MANY,
            Some(_) => 1,
            None => (parts(symbol).map(|part| bound(terms, part, &bounds)))
                .fold(u32::at(by_head[symbol].len()), u32::saturating_add)
                .min(MANY),
        };
        for &user in &users[symbol] {
            open[user] -= 1;
            if open[user] == 0 {
                ready.push(user);
            }
        }
    }
    bounds
}

fn symbols(terms: &Terms, term: Term) -> impl Iterator<Item = u32> {
    parts(terms, term).filter_map(|part| match terms.head(part) {
        Head::Symbol(symbol) => Some(symbol),
        Head::Numeral(_) | Head::Variable(_) => None,
    })
}

fn bound(terms: &Terms, term: Term, bounds: &[u32]) -> u32 {
    // Larger terms are not analysed any further.
    let parts = parts(terms, term).take(MANY as usize);
    let steps = parts.map(|part| match terms.head(part) {
        Head::Symbol(symbol) => 1 + bounds[symbol as usize],
        Head::Numeral(_) | Head::Variable(_) => 1,
    });
    steps.fold(0, u32::saturating_add).min(MANY)
}

/// The subterms of a term, itself included, with multiplicity.
fn parts(terms: &Terms, term: Term) -> impl Iterator<Item = Term> {
    let mut waiting = vec![term];
    std::iter::from_fn(move || {
        let part = waiting.pop()?;
        waiting.extend(terms.children(part));
        Some(part)
    })
}

impl Data {
    /// Whether a term, with normal forms for its variables, is rewritten in at most some ten
    /// thousand steps.
    pub fn is_short(&self, term: Term) -> bool {
        bound(&self.terms, term, &self.bounds) < MANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};

    /// Truth values, numbers by zero and successor, and functions on them with the given rules.
    fn data(native: Option<Operation>, rules: &[(usize, Vec<i64>, Vec<i64>)]) -> Data {
        let mut symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("0", &[], 1, Kind::Constructor),
            Symbol::new("s", &[1], 1, Kind::Constructor),
            Symbol::new("f", &[1], 1, Kind::Map),
            Symbol::new("g", &[1], 1, Kind::Map),
            Symbol::new("h", &[1], 1, Kind::Map),
        ];
        symbols[6].native = native;
        Data::new(vec![b"Bool".to_vec(), b"Nat".to_vec()], symbols, rules, 0, 1).unwrap()
    }

    /// Whether f, g and h applied to a variable are short.
    fn short(native: Option<Operation>, rules: &[(usize, Vec<i64>, Vec<i64>)]) -> [bool; 3] {
        let mut data = data(native, rules);
        let variable = data.terms.variable(0);
        [4, 5, 6].map(|symbol| {
            let term = data.terms.apply(symbol, &[variable]);
            data.is_short(term)
        })
    }

    #[test]
    fn recursive_functions_and_their_callers_are_not_short() {
        let x = -1;
        // f(x) = s(g(x)), g(0) = 0, g(s(x)) = x.
        let plain =
            [(1, vec![4, x], vec![3, 5, x]), (0, vec![5, 2], vec![2]), (1, vec![5, 3, x], vec![x])];
        assert_eq!(short(None, &plain), [true; 3]);
        // g(s(x)) = g(x).
        let by_itself = [(1, vec![4, x], vec![3, 5, x]), (1, vec![5, 3, x], vec![5, x])];
        assert_eq!(short(None, &by_itself), [false, false, true]);
        // g(x) = h(x) and h(x) = g(x).
        let in_turn = [(1, vec![5, x], vec![6, x]), (1, vec![6, x], vec![5, x])];
        assert_eq!(short(None, &in_turn), [true, false, false]);
        // A native operation needs no rules, but its result may be large.
        assert_eq!(short(Some(Operation::Successor), &in_turn), [true; 3]);
        assert_eq!(short(Some(Operation::Power), &in_turn), [true, false, false]);
    }

    #[test]
    fn exponential_growth_is_not_short() {
        // f(x) = g(g(..)), g(x) = h(h(..)) and h(x) = s(..s(x)), each nested forty times.
        let around = |symbol: i64| [vec![symbol; 40], vec![-1]].concat();
        let rules = [(4, 5), (5, 6), (6, 3)].map(|(own, used)| (1, vec![own, -1], around(used)));
        assert_eq!(short(None, &rules), [false, true, true]);
    }
}
