//! Incomplete definitions: arguments for which a function has no equation.

use crate::base::ids::Id;
use crate::data::enumerate::first_values;
use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::{Head, Term};

/// The first application of `symbol` to values that no rule rewrites, among at most `tries` ones.
/// `None` if there is none, or if a sort of its arguments has no constructors.
pub fn missing_case(
    data: &mut Data,
    symbol: u32,
    tries: usize,
) -> Result<Option<Term>, Unfinished> {
    let sorts = data.terms.symbols[symbol as usize].arguments.clone();
    // As many values for each argument as give at most `tries` combinations.
    let mut each = tries;
    while each > 1 && each.checked_pow(u32::at(sorts.len())).is_none_or(|all| all > tries) {
        each = each * 3 / 4;
    }
    let mut choices = Vec::new();
    for sort in sorts {
        let Ok((values, _)) = first_values(data, sort, each) else { return Ok(None) };
        if values.is_empty() {
            return Ok(None);
        }
        choices.push(values);
    }
    let mut chosen = vec![0; choices.len()];
    loop {
        let arguments: Vec<Term> = chosen.iter().zip(&choices).map(|(&i, of)| of[i]).collect();
        let term = data.terms.apply(symbol, &arguments);
        let normal = data.normalise(term)?;
        let stuck = data.terms.head(normal) == Head::Symbol(symbol);
        if stuck && data.terms.children(normal).iter().all(|&child| data.terms.is_value(child)) {
            return Ok(Some(normal));
        }
        let Some(i) = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < choices[i].len()) else {
            return Ok(None);
        };
        chosen[i] += 1;
        chosen[i + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};

    #[test]
    fn the_number_of_tries_is_bounded() {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("0", &[], 1, Kind::Constructor),
            Symbol::new("S", &[1], 1, Kind::Constructor),
            Symbol::new("f", &[1, 1], 1, Kind::Map),
        ];
        // `f` is defined if the first argument is 0 to 5.
        let rules: Vec<(usize, Vec<i64>, Vec<i64>)> =
            (0..6).map(|n| (1, [&[4][..], &vec![3; n], &[2, -1]].concat(), vec![2])).collect();
        let sorts = vec![b"Bool".to_vec(), b"Nat".to_vec()];
        let mut data = Data::new(sorts, symbols, &rules, 0, 1).expect("well formed");
        data.terms.strict = false;
        // Six values for each argument give 36 applications, eight give 64.
        for tries in [1, 3, 9, 36, 48] {
            assert_eq!(missing_case(&mut data, 4, tries), Ok(None), "{tries}");
        }
        let case = missing_case(&mut data, 4, 64).unwrap().expect("eight numbers each are tested");
        assert_eq!(data.terms.show(case), b"f(S(S(S(S(S(S(0)))))),0)");
    }
}
