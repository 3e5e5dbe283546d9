//! Conditions that are conjunctions, taken apart: what reads less is looked up and tested by itself.

use crate::data::logic::TruthTable;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Term};

/// The truth table of a conjunction of two.
const BOTH: TruthTable = 0b1000;

/// Conditions that hold together where `conditions` do, each with the value that it must have. Those of one conjunction that read the same
/// variables, more than one, stay together: apart they would be looked up once each. A conjunction
/// stays as it is if it may be evaluated for long: one part may be there to spare another.
pub fn taken_apart(data: &mut Data, conditions: &[(Term, bool)]) -> Vec<(Term, bool)> {
    let mut all = Vec::with_capacity(conditions.len());
    for &(condition, value) in conditions {
        let taken = conjunction(data, condition).filter(|_| value && data.is_short(condition));
        let Some((symbol, _)) = taken else {
            all.push((condition, value));
            continue;
        };
        let mut groups: Vec<(Vec<u32>, Term)> = Vec::new();
        let mut waiting = vec![condition];
        while let Some(term) = waiting.pop() {
            if let Some((_, [one, other])) = conjunction(data, term) {
                waiting.extend([other, one]);
                continue;
            }
            let mut reads = Vec::new();
            data.terms.variables(term, &mut reads);
            reads.sort_unstable();
            let same = groups.iter_mut().find(|group| group.0 == reads && reads.len() > 1);
            match same {
                Some((_, joined)) => *joined = data.terms.apply(symbol, &[*joined, term]),
                None => groups.push((reads, term)),
            }
        }
        all.extend(groups.into_iter().map(|(_, term)| (term, true)));
    }
    all
}

/// The symbol and the parts of a term that is a conjunction of two.
fn conjunction(data: &mut Data, term: Term) -> Option<(u32, [Term; 2])> {
    let Head::Symbol(symbol) = data.terms.head(term) else { return None };
    let &[one, other] = data.terms.children(term) else { return None };
    (data.truth_table(symbol) == Some(BOTH)).then_some((symbol, [one, other]))
}
