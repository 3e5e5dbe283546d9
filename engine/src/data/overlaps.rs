//! Overlapping rules: whether two rules give the same result for every term that both match, by
//! critical pairs.

use crate::base::cancel::{Cancel, Result};
use crate::data::automaton::Rule;
use crate::data::compile::program::Program;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Term, Terms};
use crate::data::unify::{instance, unify};
use rustc_hash::FxHashMap;

/// Determines which rules agree wherever both match.
pub(crate) struct Overlaps<'a> {
    terms: Terms,
    rules: &'a [Rule],
    by_head: &'a [Vec<u32>],
    /// The Boolean constants.
    truth: (Term, Term),
    cancel: &'a Cancel,
    known: FxHashMap<(u32, u32), bool>,
    /// Data with the same rules in which two rules count as agreeing only if their results are
    /// identical without rewriting.
    first: Option<Box<Data>>,
}

impl<'a> Overlaps<'a> {
    pub(crate) fn new(
        terms: Terms,
        rules: &'a [Rule],
        by_head: &'a [Vec<u32>],
        truth: (Term, Term),
        cancel: &'a Cancel,
    ) -> Self {
        Self { terms, rules, by_head, truth, cancel, known: FxHashMap::default(), first: None }
    }

    /// Whether two rules, given by number, give terms with the same normal form wherever both
    /// match.
    pub(crate) fn agree(&mut self, i: u32, j: u32) -> Result<bool> {
        if let Some(&known) = self.known.get(&(i, j)) {
            return Ok(known);
        }
        let agree = match critical_pair(&mut self.terms, self.rules, i, j) {
            None => true,
            Some((left, right)) if left == right => true,
            Some((left, right)) => self.join(left, right)?,
        };
        self.known.insert((i, j), agree);
        Ok(agree)
    }

    /// Whether two terms have the same normal form.
    fn join(&mut self, left: Term, right: Term) -> Result<bool> {
        let (rules, by_head) = (self.rules, self.by_head);
        if self.first.is_none() {
            let mut scratch = self.terms.clone();
            let mut agree = |i, j| {
                let pair = critical_pair(&mut scratch, rules, i, j);
                Ok(pair.is_none_or(|(left, right)| left == right))
            };
            let program = Program::new(&self.terms, rules, by_head, &mut agree, self.cancel)?;
            let mut data = Data::with(self.terms.clone(), program);
            (data.truth, data.falsity) = self.truth;
            data.step_limit = 2_000;
            self.first = Some(Box::new(data));
        }
        let first = self.first.as_mut().expect("made above");
        let left = copy(&self.terms, left, &mut first.terms);
        let right = copy(&self.terms, right, &mut first.terms);
        Ok(match (first.normalise(left), first.normalise(right)) {
            (Ok(left), Ok(right)) => left == right,
            _ => false,
        })
    }
}

/// The results of two rules for the most general term that both match; `None` if there is none.
fn critical_pair(terms: &mut Terms, rules: &[Rule], i: u32, j: u32) -> Option<(Term, Term)> {
    let (a, b) = (rules[i as usize], rules[j as usize]);
    let apart: Vec<Term> = (0..b.variables).map(|v| terms.variable(a.variables + v)).collect();
    let left = terms.substitute(b.left, &apart);
    let right = terms.substitute(b.right, &apart);
    let values = unify(terms, a.left, left, (a.variables + b.variables) as usize)?;
    Some((instance(terms, a.right, &values), instance(terms, right, &values)))
}

/// Copies a term into another set of terms over the same symbols.
fn copy(from: &Terms, term: Term, to: &mut Terms) -> Term {
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    let mut waiting = vec![term];
    while let Some(&term) = waiting.last() {
        let missing: Vec<Term> =
            from.children(term).iter().copied().filter(|c| !known.contains_key(c)).collect();
        if !missing.is_empty() {
            waiting.extend(missing);
            continue;
        }
        waiting.pop();
        let copied = match from.head(term) {
            Head::Variable(v) => to.variable(v),
            Head::Numeral(_) => {
                let number = from.number(term).expect("a numeral").clone();
                to.numeral_of_sort(from.sort(term), number).expect("the same sorts")
            }
            Head::Symbol(symbol) => {
                let children: Vec<Term> = from.children(term).iter().map(|c| known[c]).collect();
                to.apply(symbol, &children)
            }
        };
        known.insert(term, copied);
    }
    known[&term]
}
