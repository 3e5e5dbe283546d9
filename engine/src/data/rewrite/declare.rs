//! Builds data from declarations: sorts, symbols, and rules as codes.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::ids::Id;
use crate::data::automaton::Rule;
use crate::data::compile::program::Program;
use crate::data::numbers::NumberSort;
use crate::data::overlaps::Overlaps;
use crate::data::rewrite::bounds::bounds;
use crate::data::rewrite::{Data, Quantifier};
use crate::data::substitution::Once;
use crate::data::terms::{Head, Kind, NONE, Symbol, Terms};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// The declarations of a specification's data.
pub struct Declarations {
    pub sorts: Vec<Vec<u8>>,
    pub symbols: Vec<Symbol>,
    pub rules: Vec<Declared>,
    /// The Boolean constants.
    pub truth: u32,
    pub falsity: u32,
    /// The sorts of numbers.
    pub numbers: Vec<NumberSort>,
    /// Whether a term that no equation matches may denote any value of its sort.
    pub loose: bool,
}

/// A rule as codes.
pub struct Declared {
    /// The number of its variables.
    pub variables: usize,
    /// The sorts of its last variables, which occur in the condition only. Such a rule is not a
    /// rewrite rule but defines a [`Quantifier`]: whether some values satisfy the condition, or the
    /// set of all that do.
    pub bound: Vec<u32>,
    pub left: Vec<i64>,
    pub right: Vec<i64>,
    pub condition: Option<Vec<i64>>,
}

/// Why there are no data for some declarations.
#[derive(Debug, Error)]
pub enum Undeclared {
    #[error("{0}")]
    Malformed(String),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<String> for Undeclared {
    fn from(message: String) -> Self {
        Self::Malformed(message)
    }
}

impl Data {
    /// Builds data from declarations.
    pub fn declared(declarations: Declarations, cancel: &Cancel) -> Result<Self, Undeclared> {
        let Declarations { sorts, mut symbols, rules, truth, falsity, numbers, loose } =
            declarations;
        let mut constructors = vec![Vec::new(); sorts.len()];
        for (number, symbol) in symbols.iter().enumerate() {
            if symbol.kind == Kind::Constructor {
                constructors[symbol.sort as usize].push(u32::at(number));
            }
        }
        let (sort, first) = (symbols[truth as usize].sort, u32::at(symbols.len()));
        let undecided = [first, first + 1];
        symbols.extend(undecided.map(|_| Symbol::new("undecided", &[], sort, Kind::Map)));
        let mut rewritten: Vec<bool> = symbols.iter().map(|s| s.native.is_some()).collect();
        for rule in &rules {
            match rule.left.first().map(|&head| usize::try_from(head)) {
                Some(Ok(symbol)) if symbol < symbols.len() => {
                    rewritten[symbol] = true;
                    symbols[symbol].quantifies |= !rule.bound.is_empty();
                }
                Some(Err(_)) => {
                    return Err("the left side of a rule is a variable".to_owned().into());
                }
                _ => return Err("the left side of a rule is no term".to_owned().into()),
            }
        }
        let mut by_head = vec![Vec::new(); symbols.len()];
        let mut terms = Terms::new(symbols, &rewritten);
        terms.add_numbers(numbers)?;
        terms.loose = loose;
        let (truth, falsity) = (terms.apply(truth, &[]), terms.apply(falsity, &[]));
        let mut decoded = Vec::new();
        let mut quantifiers = FxHashMap::default();
        for (number, rule) in rules.iter().enumerate() {
            let (left, right) = (terms.decode(&rule.left)?, terms.decode(&rule.right)?);
            let Head::Symbol(symbol) = terms.head(left) else {
                return Err("the left side of a rule is a number".to_owned().into());
            };
            if rule.bound.is_empty() {
                by_head[symbol as usize].push(u32::at(number));
            } else {
                let condition = rule
                    .condition
                    .as_deref()
                    .ok_or_else(|| "a quantifier has no condition".to_owned())?;
                let (condition, sorts) = (terms.decode(condition)?, rule.bound.clone());
                // `true` asks whether there is a value, `insert(x,empty)` for the set of all.
                let set = match terms.head(right) {
                    Head::Symbol(insert) if let &[_, empty] = terms.children(right) => {
                        Some((insert, empty))
                    }
                    _ => None,
                };
                quantifiers.insert(symbol, Quantifier { sorts, condition, set });
            }
            let left = terms.expanded(left).map_err(|what| format!("rule {number} has {what}"))?;
            let condition = match &rule.condition {
                Some(condition) => terms.decode(condition)?,
                None => NONE,
            };
            decoded.push(Rule { left, right, condition, variables: u32::at(rule.variables) });
        }
        let bounds = bounds(&terms, &decoded, &by_head);
        let quantifying = quantifying(&terms, &decoded, cancel)?;
        let truths = (truth, falsity);
        let mut overlaps = Overlaps::new(terms.clone(), &decoded, &by_head, truths, cancel);
        let mut agree = |i, j| overlaps.agree(i, j);
        let program = Program::new(&terms, &decoded, &by_head, &mut agree, cancel)?;
        let mut data = Self::with(terms, program);
        (data.bounds, data.quantifiers, data.quantifying) = (bounds, quantifiers, quantifying);
        (data.truth, data.falsity) = (truth, falsity);
        data.logic.undecided = undecided;
        data.sorts = sorts;
        data.constructors = constructors;
        Ok(data)
    }

    /// Data over sorts and symbols; `rules` as codes (number of variables, left, right).
    #[cfg(test)]
    pub fn new(
        sorts: Vec<Vec<u8>>,
        symbols: Vec<Symbol>,
        rules: &[(usize, Vec<i64>, Vec<i64>)],
        truth: u32,
        falsity: u32,
    ) -> Result<Self, String> {
        let rules = rules.iter().cloned().map(|(variables, left, right)| Declared {
            variables,
            bound: Vec::new(),
            left,
            right,
            condition: None,
        });
        let (rules, numbers) = (rules.collect(), Vec::new());
        let loose = false;
        let declarations = Declarations { sorts, symbols, rules, truth, falsity, numbers, loose };
        Self::declared(declarations, &Cancel::never()).map_err(|error| error.to_string())
    }
}

/// For each symbol whether its rules may come to a quantifier.
fn quantifying(terms: &Terms, rules: &[Rule], cancel: &Cancel) -> Result<Vec<bool>, Stopped> {
    let mut quantifying: Vec<bool> = terms.symbols.iter().map(|symbol| symbol.quantifies).collect();
    // For each symbol those in whose rules it occurs on the right.
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); quantifying.len()];
    for (number, rule) in rules.iter().enumerate() {
        cancel.check_at(number)?;
        let Head::Symbol(of) = terms.head(rule.left) else { continue };
        let mut waiting = vec![rule.right];
        waiting.extend((rule.condition != NONE).then_some(rule.condition));
        let mut once = Once::default();
        while let Some(term) = waiting.pop() {
            if let Head::Symbol(symbol) = terms.head(term)
                && once.is_first(term)
            {
                users[symbol as usize].push(of);
                waiting.extend(terms.children(term));
            }
        }
    }
    let mut waiting: Vec<usize> =
        (0..quantifying.len()).filter(|&symbol| quantifying[symbol]).collect();
    while let Some(symbol) = waiting.pop() {
        for &user in &users[symbol] {
            if !std::mem::replace(&mut quantifying[user as usize], true) {
                waiting.push(user as usize);
            }
        }
    }
    Ok(quantifying)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_left_sides_are_refused() {
        let data = |left: &[i64]| {
            let symbols = vec![
                Symbol::new("T", &[], 0, Kind::Constructor),
                Symbol::new("F", &[], 0, Kind::Constructor),
                Symbol::new("not", &[0], 0, Kind::Map),
            ];
            let sorts = vec![b"Bool".to_vec()];
            Data::new(sorts, symbols, &[(1, left.to_vec(), vec![0])], 0, 1).map(|_| ())
        };
        assert_eq!(data(&[2, -1]), Ok(()));
        assert_eq!(data(&[-1]).unwrap_err(), "the left side of a rule is a variable");
        for left in [&[][..], &[5], &[6], &[99]] {
            assert_eq!(data(left).unwrap_err(), "the left side of a rule is no term");
        }
        assert!(data(&[2]).is_err() && data(&[2, 7]).is_err());
    }
}
