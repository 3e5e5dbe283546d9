//! Splits conjunctions in conditions: parts that read fewer parameters are tested and stored
//! separately.

use crate::data::logic::TruthTable;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Term};
use rustc_hash::FxHashMap;

/// The truth table of a binary conjunction.
const BOTH: TruthTable = 0b1000;

/// Conditions, each with its required value, that are together equivalent to `conditions`.
/// Conjuncts of one condition that read the same two or more variables stay together, since
/// separately each would need its own lookup. A conjunction whose evaluation may be long is not
/// split: one part may protect another from being evaluated.
pub fn taken_apart(data: &mut Data, conditions: &[(Term, bool)]) -> Vec<(Term, bool)> {
    let mut all = Vec::with_capacity(conditions.len());
    for &(condition, value) in conditions {
        let taken = conjunction(data, condition).filter(|_| value && data.is_short(condition));
        let Some((symbol, _)) = taken else {
            all.push((condition, value));
            continue;
        };
        let mut groups: Vec<Term> = Vec::new();
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut waiting = vec![condition];
        while let Some(term) = waiting.pop() {
            if let Some((_, [left, right])) = conjunction(data, term) {
                waiting.extend([right, left]);
                continue;
            }
            let mut reads = Vec::new();
            data.terms.variables(term, &mut reads);
            reads.sort_unstable();
            match known.get(&reads) {
                Some(&group) => groups[group] = data.terms.apply(symbol, &[groups[group], term]),
                None => {
                    if reads.len() > 1 {
                        known.insert(reads, groups.len());
                    }
                    groups.push(term);
                }
            }
        }
        all.extend(groups.into_iter().map(|term| (term, true)));
    }
    all
}

/// The symbol and the two arguments of a term that is a binary conjunction.
fn conjunction(data: &mut Data, term: Term) -> Option<(u32, [Term; 2])> {
    let Head::Symbol(symbol) = data.terms.head(term) else { return None };
    let &[left, right] = data.terms.children(term) else { return None };
    (data.truth_table(symbol) == Some(BOTH)).then_some((symbol, [left, right]))
}
