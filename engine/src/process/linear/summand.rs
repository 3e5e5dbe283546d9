//! The summands of a linear process.

use crate::data::terms::Term;
use crate::process::linear::synchronisation::Synchronisation;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A summand: for all values of its variables that satisfy equations and conditions, an action and
/// updates.
///
/// Variables in its terms are numbered: the parameters from 0, then the summand's own variables.
pub struct Summand {
    /// The sorts of its own variables.
    pub sorts: Vec<u32>,
    pub equations: Vec<(Term, Term)>,
    /// Boolean terms in the order in which they enclose the action, each with its required value.
    pub conditions: Vec<(Term, bool)>,
    pub action: u32,
    pub arguments: Vec<Term>,
    /// Parameters and their new values.
    pub updates: Vec<(u32, Term)>,
    /// The parameters that occur in its terms, in order.
    pub reads: Vec<u32>,
    /// Other summands with the same action and the same updated parameters; their steps count as
    /// steps of this one.
    pub also: Vec<Summand>,
    /// For a network summand, its synchronisation vectors: it reads and updates the components, and
    /// its terms have no meaning.
    pub together: Option<Arc<Synchronisation>>,
    /// Whether its steps are those of several parallel processes at once: it reads and updates what
    /// these do, and its terms have no meaning.
    pub is_simultaneous: bool,
    /// Whether it is a check and has no steps: its only argument is a condition that must be
    /// decidable wherever its conditions hold.
    pub decides: bool,
}

impl Summand {
    /// The summand for synchronisation vectors; `value` is a dummy for terms without meaning.
    pub fn of_components(together: Synchronisation, value: Term) -> Self {
        let updates = together.components.iter().map(|&component| (component, value)).collect();
        Self {
            reads: together.components.clone(),
            together: Some(Arc::new(together)),
            ..Self::without_terms(updates)
        }
    }

    /// The summand for the steps of several processes at once, with all their summands; `value` is
    /// a dummy for terms without meaning.
    pub fn of_processes<'s>(summands: impl Iterator<Item = &'s Self>, value: Term) -> Self {
        let (mut reads, mut updated) = (BTreeSet::new(), BTreeSet::new());
        for summand in summands {
            reads.extend(summand.reads.iter().copied());
            updated.extend(summand.updates.iter().map(|&(parameter, _)| parameter));
        }
        // The steps of one process retain what the others update.
        reads.extend(&updated);
        let updates = updated.into_iter().map(|parameter| (parameter, value)).collect();
        Self {
            reads: reads.into_iter().collect(),
            is_simultaneous: true,
            ..Self::without_terms(updates)
        }
    }

    fn without_terms(updates: Vec<(u32, Term)>) -> Self {
        Self {
            sorts: Vec::new(),
            equations: Vec::new(),
            conditions: Vec::new(),
            action: 0,
            arguments: Vec::new(),
            updates,
            reads: Vec::new(),
            also: Vec::new(),
            together: None,
            is_simultaneous: false,
            decides: false,
        }
    }

    /// The terms of the summand and of those in `also`.
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
