//! Minimisation on quotients: the quotient of the minimal original, computed from a quotient
//! without building the original.
//!
//! Bisimilarity commutes with the group, so classes form orbits. The class of the state `g r` is
//! the coset `g h(r) Stab(c)` in an orbit of classes c = c(r), whose representative is a class as
//! well. `orbit_steps` has all transitions of the representatives; a `class_partition` is split by
//! signatures up to the group (the signature of `g r` is `g sig(r)`): by `signatures`, or for weak
//! bisimulation (`weak`, of a `system`) by sketches of them and by `split_by_targets`.
//! `point_colours` supports the search for canonical images. For weak bisimulation, `verify` then
//! checks the classes and computes the transitions of the minimal system. It works on the quotient
//! of the branching classes, which is usually much smaller. `limits` has the bounds.

pub mod class_partition;
pub mod limits;
pub mod orbit_steps;
pub mod point_colours;
pub mod signatures;
pub mod split_by_targets;
pub mod system;
#[cfg(test)]
mod tests;
pub mod verify;
pub mod weak;

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::ids::{Label, NONE};
use crate::bisimulation::minimise::{Equivalence, Kind};
use crate::group::element_table::{Elements, IDENTITY};
use crate::group::permutation::{Permutation, compose};
use crate::group::subgroup::Subgroups;
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use crate::symmetry::minimise::class_partition::Partition;
use crate::symmetry::minimise::limits::Bounds;
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::orbit_steps::{Outgoing, contract};
use crate::symmetry::minimise::signatures::SignatureRefinement;
use crate::symmetry::minimise::system::DELTA;
use crate::symmetry::minimise::system::System;
use crate::symmetry::minimise::weak::weak;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// The quotient, under the same group, of the minimal system that is equivalent to the original of
/// `quotient`. Gives up if a canonical image takes more than `limit` choices.
pub fn minimise(
    quotient: &Quotient,
    equivalence: Equivalence,
    limit: u64,
    cancel: &Cancel,
) -> Result<Quotient, NoMinimum> {
    let tau = match equivalence.kind {
        Kind::Strong => NONE,
        _ => internal_label(quotient)?,
    };
    let divergence = equivalence.divergence;
    if tau == NONE {
        return Ok(solve(quotient, Kind::Strong, NONE, false, limit, cancel)?.quotient);
    }
    let mut solved = solve(quotient, Kind::Branching, tau, divergence, limit, cancel)?;
    if equivalence.kind == Kind::Weak {
        let further = solve(&solved.quotient, Kind::Weak, tau, divergence, limit, cancel)?;
        solved = solved.then(further)?;
    }
    if equivalence.rooted {
        solved.split_by_first_step(quotient, equivalence.kind, tau, cancel)?;
    }
    Ok(solved.quotient)
}

/// The internal label that represents all of them: `tau` if it is internal, else the first in the
/// order of their bytes.
fn internal_label(quotient: &Quotient) -> Result<u32, NoMinimum> {
    if let Some(&label) = quotient.internal.iter().find(|&&label| quotient.moves(label)) {
        return Err(NoMinimum::Moves(label));
    }
    let text = |&&label: &&u32| {
        let name = quotient.labels.get(Label(label));
        (name != b"tau", name)
    };
    Ok(quotient.internal.iter().min_by_key(text).copied().unwrap_or(NONE))
}

/// A minimal quotient.
struct Solved {
    quotient: Quotient,
    /// For every orbit of the input its orbit of classes, and the element that maps the
    /// representative of that orbit of classes to the class of the orbit's representative.
    class: Vec<(u32, Permutation)>,
}

fn solve(
    quotient: &Quotient,
    kind: Kind,
    tau: u32,
    divergence: bool,
    limit: u64,
    cancel: &Cancel,
) -> Result<Solved, NoMinimum> {
    let (outgoing, mut cosets) = Outgoing::new(quotient, tau, cancel)?;
    let (outgoing, located) = if kind == Kind::Strong {
        let orbits = u32::at(outgoing.stabiliser.len());
        (outgoing, (0..orbits).map(|orbit| (orbit, IDENTITY)).collect())
    } else {
        contract(outgoing, tau, &mut cosets, cancel)?
    };
    let group = &quotient.group;
    let (mut partition, mut all_steps) = if kind == Kind::Weak {
        let mut partition = Partition::new(outgoing.stabiliser.len(), cosets, group, cancel)?;
        let system = System { outgoing: &outgoing, tau, divergence };
        let mut bounds = Bounds { limit, cancel, stabiliser: &outgoing.stabiliser };
        let all_steps = weak(system, &mut partition, &mut bounds)?;
        (partition, all_steps)
    } else {
        let is_strong = kind == Kind::Strong;
        SignatureRefinement::new(&outgoing, is_strong, tau, divergence, cosets, group, cancel)?
            .run(limit, cancel)?
    };
    for step in all_steps.iter_mut().flatten().filter(|step| step.0 == DELTA) {
        step.0 = tau;
    }
    let initial = partition.class[outgoing.initial as usize];
    let mut class = Vec::with_capacity(located.len());
    for (component, offset) in located {
        let elements = &mut partition.cosets.elements;
        let back = elements.inverse(offset);
        let element = elements.compose(back, partition.offset[component as usize]);
        class.push((partition.class[component as usize], elements.get(element).into()));
    }
    let Partition { cosets, stabiliser, .. } = partition;
    let (minimal, number) = assemble(quotient, cosets, &stabiliser, &all_steps, initial, cancel)?;
    for (class, _) in &mut class {
        *class = number[*class as usize];
    }
    Ok(Solved { quotient: minimal, class })
}

/// The quotient of the orbits that are reachable from the initial one, and their numbers in it.
/// `stabiliser` has the number in `cosets` of each orbit's stabiliser, `all_steps` all transitions
/// of the representatives.
fn assemble(
    model: &Quotient,
    mut cosets: Cosets,
    stabiliser: &[u32],
    all_steps: &[Vec<Step>],
    initial: u32,
    cancel: &Cancel,
) -> Result<(Quotient, Vec<u32>), NoMinimum> {
    let points = model.group.points;
    let mut elements = Elements::new(points);
    let mut stabilisers = Subgroups::new(points);
    let mut number = vec![NONE; stabiliser.len()];
    number[initial as usize] = 0;
    let mut order = vec![initial];
    let (mut interned, mut columns) = (Vec::new(), <[Vec<u32>; 4]>::default());
    let mut at = 0;
    while at < order.len() {
        let orbit = order[at] as usize;
        let generators = cosets.subgroup_of(stabiliser[orbit]).generators().to_vec();
        interned.push(stabilisers.intern(generators, cancel)?);
        let mut steps = all_steps[orbit].clone();
        steps.sort_unstable_by_key(|&(label, shift, to)| {
            (model.labels.get(Label(label)), to, shift)
        });
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        for step in steps {
            if seen.contains(&step) {
                continue;
            }
            let to = step.2 as usize;
            seen.extend(cosets.images(step, stabiliser[orbit], stabiliser[to], cancel)?);
            if number[to] == NONE {
                number[to] = u32::at(order.len());
                order.push(step.2);
            }
            let shift = elements.intern(cosets.elements.get(step.1));
            for (column, value) in columns.iter_mut().zip([u32::at(at), step.0, shift, number[to]])
            {
                column.push(value);
            }
        }
        at += 1;
    }
    let [source, label, shift, target] = columns;
    let quotient = Quotient {
        group: Arc::clone(&model.group),
        names: model.names.clone(),
        elements,
        stabilisers: Arc::new(stabilisers),
        stabiliser: interned,
        initial: 0,
        source,
        label,
        shift,
        target,
        labels: Arc::clone(&model.labels),
        internal: model.internal.clone(),
        sizes: OnceLock::new(),
    };
    Ok((quotient, number))
}

impl Solved {
    /// The composition of this minimisation with a further one of its result.
    fn then(self, second: Solved) -> Result<Solved, NoMinimum> {
        let both = |(class, element): (u32, Permutation)| {
            if class == NONE {
                return (NONE, element);
            }
            let (class, further) = &second.class[class as usize];
            (*class, compose(&element, further))
        };
        let class = self.class.into_iter().map(both).collect();
        Ok(Solved { quotient: second.quotient, class })
    }

    /// Modulo a rooted equivalence, makes an initial internal step count.
    ///
    /// Modulo rooted weak bisimulation the root differs from the other states of its class only by
    /// internal steps that stay in the class. Modulo rooted branching bisimulation it has exactly
    /// its own transitions, so it is a separate state if it lacks some of its class's.
    fn split_by_first_step(
        &mut self,
        original: &Quotient,
        kind: Kind,
        tau: u32,
        cancel: &Cancel,
    ) -> Result<(), NoMinimum> {
        let (outgoing, other) = Outgoing::new(original, tau, cancel)?;
        let mut cosets = Cosets::new(&self.quotient);
        let mut own: Vec<Step> = Vec::new();
        for &(label, shift, to) in outgoing.of(original.initial) {
            let (class, element) = &self.class[to as usize];
            let images = compose(other.elements.get(shift), element);
            let product = cosets.elements.intern(&images);
            let least = cosets.least(product, self.quotient.stabiliser[*class as usize]);
            own.push((label, least, *class));
        }
        let root = self.quotient.initial;
        let stay = (tau, IDENTITY, root);
        if !own.contains(&stay) {
            return Ok(());
        }
        let mut all_steps: Vec<Vec<Step>> = vec![Vec::new(); self.quotient.orbits()];
        for transition in 0..self.quotient.source.len() {
            let all = cosets.represented(&self.quotient, transition, cancel)?;
            all_steps[self.quotient.source[transition] as usize].extend(all);
        }
        let usual = &mut all_steps[root as usize];
        let mut initial = root;
        let mut stabiliser = self.quotient.stabiliser.clone();
        if kind == Kind::Weak || usual.iter().all(|step| own.contains(step)) {
            usual.push(stay);
        } else {
            initial = u32::at(all_steps.len());
            all_steps.push(own);
            stabiliser.push(stabiliser[root as usize]);
        }
        let (quotient, number) =
            assemble(&self.quotient, cosets, &stabiliser, &all_steps, initial, cancel)?;
        for (class, _) in &mut self.class {
            *class = number.get(*class as usize).copied().unwrap_or(NONE);
        }
        self.quotient = quotient;
        Ok(())
    }
}
