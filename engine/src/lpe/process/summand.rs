//! What a process can do: its summands.

use crate::data::terms::Term;
use crate::lpe::process::synchronisation::Synchronisation;
use std::sync::Arc;

/// For all values of its variables that meet equations and conditions: an action and updates.
///
/// Variables of the terms: the parameters from 0, then the summand's own.
pub struct Summand {
    /// Sorts of its own variables.
    pub sorts: Vec<u32>,
    pub equations: Vec<(Term, Term)>,
    /// Boolean terms, in the order in which they stand around the action, and what each must be.
    pub conditions: Vec<(Term, bool)>,
    pub action: u32,
    pub arguments: Vec<Term>,
    /// Parameters and their new values.
    pub updates: Vec<(u32, Term)>,
    /// The parameters that occur in its terms, in order.
    pub reads: Vec<u32>,
    /// Others of the same action that update the same parameters: their steps are steps of this one.
    pub also: Vec<Summand>,
    /// Where its steps are those of components of a network: these are the parameters that it reads
    /// and updates, and its terms say nothing.
    pub together: Option<Arc<Synchronisation>>,
    /// Whether it is no step but a question: its only argument is a condition that has to be decided
    /// wherever its conditions hold.
    pub decides: bool,
}

impl Summand {
    /// What components of a network do together. `value` stands for terms that nobody looks at.
    pub fn of_components(together: Synchronisation, value: Term) -> Self {
        Self {
            sorts: Vec::new(),
            equations: Vec::new(),
            conditions: Vec::new(),
            action: 0,
            arguments: Vec::new(),
            updates: together.components.iter().map(|&component| (component, value)).collect(),
            reads: together.components.clone(),
            also: Vec::new(),
            together: Some(Arc::new(together)),
            decides: false,
        }
    }

    /// The terms in it, those of the others included.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term> {
        [self].into_iter().chain(&self.also).flat_map(|summand| {
            let equations = summand.equations.iter().flat_map(|&(l, r)| [l, r]);
            let conditions = summand.conditions.iter().map(|&(term, _)| term);
            let arguments = summand.arguments.iter().copied();
            let updates = summand.updates.iter().map(|&(_, term)| term);
            equations.chain(conditions).chain(arguments).chain(updates)
        })
    }
}
