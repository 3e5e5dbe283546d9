//! Type checking during generation: every value of a state or label must have the declared sort and
//! be its own normal form; if values are required to be so, also be built from constructors.

use crate::base::ids::Id;
use crate::data::garbage::Moved;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, NONE, Term};
use crate::process::linear::summand::Summand;
use rustc_hash::FxHashSet;

/// A type checker, with the values that have passed it.
pub struct Check {
    /// Symbols that stand for the value of an unused parameter.
    unset: Vec<u32>,
    /// The sorts of the parameters.
    parameters: Vec<u32>,
    /// Terms that have passed.
    right: FxHashSet<Term>,
}

impl Check {
    /// Checks the initial values; their sorts become those of the parameters.
    pub fn new(data: &mut Data, unset: Vec<u32>, initial: &[Term]) -> Result<Self, String> {
        let parameters = initial.iter().map(|&value| data.terms.sort(value)).collect();
        let mut check = Self { unset, parameters, right: FxHashSet::default() };
        for (parameter, &value) in initial.iter().enumerate() {
            check.parameter(data, u32::at(parameter), value)?;
        }
        Ok(check)
    }

    /// Checks a step of a summand: the arguments of its label and its new values.
    pub fn step(
        &mut self,
        data: &mut Data,
        summand: &Summand,
        arguments: &[Term],
        values: &[Term],
    ) -> Result<(), String> {
        for (position, (&value, &term)) in arguments.iter().zip(&summand.arguments).enumerate() {
            let sort = match data.terms.head(term) {
                Head::Symbol(_) | Head::Numeral(_) => data.terms.sort(term),
                Head::Variable(v) => self.sort_of_variable(summand, v as usize),
            };
            self.value(data, value, sort)
                .map_err(|error| format!("{error}, in argument {} of the action", position + 1))?;
        }
        for (&value, &(parameter, _)) in values.iter().zip(&summand.updates) {
            self.parameter(data, parameter, value)?;
        }
        Ok(())
    }

    /// Renumbers the terms after garbage collection, and forgets those that were removed.
    pub fn renumber(&mut self, moved: &Moved) {
        let right = std::mem::take(&mut self.right).into_iter();
        self.right = right.map(|term| moved.of(term)).filter(|&term| term != NONE).collect();
    }

    fn sort_of_variable(&self, summand: &Summand, variable: usize) -> u32 {
        match variable.checked_sub(self.parameters.len()) {
            None => self.parameters[variable],
            Some(own) => summand.sorts[own],
        }
    }

    fn parameter(&mut self, data: &mut Data, parameter: u32, value: Term) -> Result<(), String> {
        let sort = self.parameters[parameter as usize];
        let unset = matches!(data.terms.head(value), Head::Symbol(s) if self.unset.contains(&s));
        if unset && data.terms.sort(value) == sort {
            return Ok(());
        }
        let value = self.value(data, value, sort);
        value.map_err(|error| format!("{error}, in parameter #{parameter}"))
    }

    /// Checks a value; the error is a message.
    fn value(&mut self, data: &mut Data, value: Term, sort: u32) -> Result<(), String> {
        let mut waiting = vec![(value, sort)];
        while let Some((term, sort)) = waiting.pop() {
            let Some(symbol) = data.terms.outside(term) else {
                return Err(format!("`{}` has a variable", data.terms.show_short(value)));
            };
            if data.terms.sort(term) != sort {
                let [own, declared] = [data.terms.sort(term), sort]
                    .map(|sort| String::from_utf8_lossy(&data.sorts[sort as usize]).into_owned());
                return Err(format!(
                    "`{}` has sort `{own}`, not `{declared}`",
                    data.terms.show_short(term)
                ));
            }
            if self.right.contains(&term) {
                continue;
            }
            let is_constructor = data.terms.symbols[symbol as usize].kind == Kind::Constructor;
            if data.terms.strict && !is_constructor {
                let whole = data.terms.show_short(value);
                let part = if term == value {
                    "it".into()
                } else {
                    format!("`{}`", data.terms.show_short(term))
                };
                return Err(format!(
                    "`{whole}` is no value: {part} is no constructor, and no equation fits it"
                ));
            }
            if data.normalise(term) != Ok(term) {
                return Err(format!("`{}` is no normal form", data.terms.show_short(term)));
            }
            let sorts = &data.terms.symbols[symbol as usize].arguments;
            waiting.extend(data.terms.children(term).iter().copied().zip(sorts.iter().copied()));
            self.right.insert(term);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::Symbol;

    /// Bool with constructors `T`, `F`; Nat with constructors `0`, `S`, `P` and placeholders `c`,
    /// `unset`; `S(S(0))` reduces to `0`.
    fn data() -> Data {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("0", &[], 1, Kind::Constructor),
            Symbol::new("S", &[1], 1, Kind::Constructor),
            Symbol::new("c", &[], 1, Kind::Placeholder),
            Symbol::new("unset", &[], 1, Kind::Placeholder),
            Symbol::new("P", &[1], 1, Kind::Constructor),
        ];
        let rules = [(0, vec![3, 3, 2], vec![2])];
        Data::new(vec![b"Bool".to_vec(), b"Nat".to_vec()], symbols, &rules, 0, 1).unwrap()
    }

    /// A summand whose arguments are all the same variable of sort Nat and whose updates all
    /// concern parameter 0, of `parameters` ones.
    fn summand(data: &mut Data, parameters: u32, arguments: usize, updates: usize) -> Summand {
        let variable = data.terms.variable(parameters);
        Summand {
            sorts: vec![1],
            equations: vec![],
            conditions: vec![],
            decides: false,
            action: 0,
            arguments: vec![variable; arguments],
            updates: vec![(0, variable); updates],
            reads: vec![],
            also: vec![],
            together: None,
            is_simultaneous: false,
        }
    }

    fn checked(initial: &[&[i64]], arguments: &[&[i64]], updates: &[&[i64]]) -> Result<(), String> {
        let mut data = data();
        let mut terms = |codes: &[&[i64]]| -> Vec<Term> {
            codes.iter().map(|code| data.terms.decode(code).unwrap()).collect()
        };
        let (initial, arguments, values) = (terms(initial), terms(arguments), terms(updates));
        let summand = summand(&mut data, initial.len() as u32, arguments.len(), updates.len());
        let mut check = Check::new(&mut data, vec![5], &initial)?;
        check.step(&mut data, &summand, &arguments, &values)
    }

    #[test]
    fn values_of_constructors_are_accepted() {
        assert_eq!(checked(&[&[2]], &[&[3, 2], &[2]], &[&[3, 2], &[5]]), Ok(()));
        assert_eq!(checked(&[&[5], &[0]], &[], &[&[2]]), Ok(()));
    }

    #[test]
    fn each_new_term_is_checked() {
        let mut data = data();
        let zero = data.terms.decode(&[2]).unwrap();
        let mut check = Check::new(&mut data, vec![5], &[zero]).unwrap();
        let summand = summand(&mut data, 1, 1, 0);
        data.terms.decode(&[0]).unwrap();
        let settled = data.terms.len() as Term;
        let unchecked = data.terms.decode(&[6, 2]).unwrap();
        assert_eq!(check.step(&mut data, &summand, &[unchecked], &[]), Ok(()));
        let moved = data.drop_garbage(settled, [].into_iter());
        check.renumber(&moved);
        let wrong = data.terms.decode(&[6, 0]).unwrap();
        assert_eq!(wrong, unchecked);
        assert!(check.step(&mut data, &summand, &[wrong], &[]).unwrap_err().contains("has sort"));
    }

    #[test]
    fn ill_typed_values_are_reported() {
        let reported = |result: Result<(), String>| result.unwrap_err();
        assert_eq!(
            reported(checked(&[&[3, 4]], &[], &[])),
            "`S(c)` is no value: `c` is no constructor, and no equation fits it, in parameter #0"
        );
        assert_eq!(
            reported(checked(&[&[2]], &[&[2], &[5]], &[])),
            "`unset` is no value: it is no constructor, and no equation fits it, \
             in argument 2 of the action"
        );
        assert!(reported(checked(&[&[2]], &[], &[&[3, 5]])).starts_with("`S(unset)` is no value"));
        assert_eq!(
            reported(checked(&[&[2]], &[&[0]], &[])),
            "`T` has sort `Bool`, not `Nat`, in argument 1 of the action"
        );
        assert!(reported(checked(&[&[2]], &[], &[&[3, 0]])).starts_with("`T` has sort `Bool`"));
        assert!(
            reported(checked(&[&[2]], &[], &[&[3, 3, 2]])).starts_with("`S(S(0))` is no normal")
        );
        assert!(reported(checked(&[&[2]], &[&[3, -1]], &[])).starts_with("`S(_0)` has a variable"));
    }
}
