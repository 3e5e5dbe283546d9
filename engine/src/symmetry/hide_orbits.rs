//! Hiding labels of the original in its quotient.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::ids::{Label, NONE};
use crate::base::memory::room;
use crate::group::action::Group;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;
use crate::ops::hide::{self, Renaming, hidden_labels};
use crate::ops::label_patterns::Names;
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use bytemuck::{cast_slice, cast_vec};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Why labels cannot be hidden.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotHidden {
    #[error("`{0}` is hidden and its image `{1}` is not: the rest would not be symmetric")]
    Moves(String, String),
    #[error("hiding leaves `{0}`, which would have two images, `{1}` and `{2}`")]
    Torn(String, String, String),
    #[error(transparent)]
    Labels(#[from] hide::NotHidden),
    #[error(transparent)]
    Group(#[from] NoGroup),
}

/// The quotient of the system without the actions that `names` matches; transitions that become
/// equal share a stored transition.
pub fn hide(quotient: &Quotient, names: &Names, cancel: &Cancel) -> Result<Quotient, NotHidden> {
    let old = &quotient.labels;
    let renaming = hidden_labels(old, cast_slice(&quotient.internal), names, cancel)?;
    let Some(Renaming { labels, renamed, internal }) = renaming else {
        return Ok(quotient.clone());
    };
    let (group, points) = (&quotient.group, quotient.group.points);
    let text = |label: &[u8]| String::from_utf8_lossy(label).into_owned();
    let mut generators: Vec<Permutation> = room(group.generators.len());
    for generator in &group.generators {
        let mut images = generator[..points].to_vec();
        images.resize(points + labels.len(), NONE);
        for (label, &new) in (0..).map(Label).zip(&renamed) {
            let image = Label(generator[points + label.index()] - u32::at(points));
            let moved = renamed[image];
            let is_internal = internal.contains(&new);
            if is_internal != internal.contains(&moved) {
                let (from, to) = if is_internal { (label, image) } else { (image, label) };
                return Err(NotHidden::Moves(text(old.get(from)), text(old.get(to))));
            }
            let position = u32::at(points) + moved.0;
            let known = std::mem::replace(&mut images[points + new.index()], position);
            if known != NONE && known != position {
                let [known, moved] = [Label(known - u32::at(points)), moved];
                let [new, known, moved] =
                    [new, known, moved].map(|number| text(labels.get(number)));
                return Err(NotHidden::Torn(new, known, moved));
            }
        }
        generators.push(images.into());
    }
    let group = Group::new(points, labels.len(), generators, cancel)?;
    let group = Arc::new(group);
    let stabilisers = Arc::clone(&quotient.stabilisers);
    let elements = quotient.elements.clone();
    let mut cosets = Cosets::over(Arc::clone(&group), stabilisers, elements);
    let mut columns: [Vec<u32>; 4] = Default::default();
    let mut seen: FxHashSet<Step> = FxHashSet::default();
    let mut last = None;
    for transition in 0..quotient.source.len() {
        cancel.check_at(transition).map_err(hide::NotHidden::from)?;
        let source = quotient.source[transition];
        if last.replace(source) != Some(source) {
            seen.clear();
        }
        let (label, to) =
            (renamed[quotient.label[transition] as usize].0, quotient.target[transition]);
        let step = (label, quotient.shift[transition], to);
        if seen.contains(&step) {
            continue;
        }
        let stabiliser = |orbit: u32| quotient.stabiliser[orbit as usize];
        let images = cosets.images(step, stabiliser(source), stabiliser(to), cancel);
        seen.extend(images.map_err(hide::NotHidden::from)?);
        for (column, value) in columns.iter_mut().zip([source, step.0, step.1, step.2]) {
            column.push(value);
        }
    }
    let [source, label, shift, target] = columns;
    let (labels, elements) = (Arc::new(labels), cosets.elements);
    let model = quotient.clone();
    let (internal, sizes) = (cast_vec(internal), OnceLock::new());
    Ok(Quotient { group, elements, source, label, shift, target, labels, internal, sizes, ..model })
}
