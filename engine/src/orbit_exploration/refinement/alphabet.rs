//! How the labels of a process correspond to those of a specification of what it may do.

use crate::base::ids::{Label, NONE};
use crate::group::permutation::Permutation;
use crate::lpe::process::Process;
use crate::lpe::process::stop::{MAX_LABELS, Stop};
use crate::ops::label_patterns::Names;
use crate::orbit_exploration::lifting::symmetry::Generator;
use crate::preorder::normal_form::NormalForm;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a label of the process is to the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An internal step, which is no part of a trace.
    Internal,
    /// A label of the specification.
    Known(Label),
    /// The specification has no such label.
    Foreign,
}

/// A label of the specification.
pub struct Spelling {
    /// Action and arguments, if it can be taken for a label of the process.
    pub key: Option<Vec<u32>>,
    /// Else the image under each generator: a label of the specification, or none.
    pub images: Vec<Label>,
}

/// A specification of what a process may do.
pub struct Specification {
    pub normal: Arc<NormalForm>,
    /// For every label of the normal form.
    pub spellings: Vec<Spelling>,
    /// The labels that are internal in the process, and names of more of them.
    pub internal: FxHashSet<Vec<u8>>,
    pub hidden: Names,
}

/// The meanings of the labels of a process, as far as they were looked at.
#[derive(Default)]
pub struct Alphabet {
    /// For every text of a label.
    meanings: Vec<Meaning>,
}

impl Alphabet {
    /// Learns what labels mean that are new in the process.
    pub fn extend(&mut self, process: &Process, specification: &Specification) {
        let normal = &specification.normal;
        let labels = &process.labels.labels;
        let known = |label: Option<Label>| match label {
            Some(label) if normal.uses(label) => Meaning::Known(label),
            _ => Meaning::Foreign,
        };
        for text in self.meanings.len()..labels.len() {
            let text = labels.get(Label(text as u32));
            self.meanings.push(if !specification.hides(text) {
                // What the specification calls its internal steps is something else here.
                known(normal.labels.find(text).filter(|&label| Some(label) != normal.internal()))
            } else if normal.model.counts_internal() {
                known(normal.internal())
            } else {
                Meaning::Internal
            });
        }
    }

    /// What a text means that was looked at.
    pub fn meaning(&self, text: u32) -> Meaning {
        self.meanings[text as usize]
    }

    /// Two labels, one the image of the other, that mean different things: where a generator does not
    /// do to the meanings what it does to the texts.
    pub fn torn(&self, texts: &[u32], images: &[u32]) -> Option<(u32, u32)> {
        (0..).zip(texts).map(|(text, &image)| (text, image)).find(|&(text, image)| {
            self.meaning(image)
                != match self.meaning(text) {
                    Meaning::Known(label) => Meaning::Known(Label(images[label])),
                    other => other,
                }
        })
    }
}

impl Specification {
    /// Whether a label of the process is internal.
    pub fn hides(&self, label: &[u8]) -> bool {
        self.internal.contains(label) || self.hidden.has(label)
    }

    /// What each generator does to the labels of the specification: `NONE` for an image that is none.
    pub fn images(
        &self,
        process: &mut Process,
        generators: &mut [Generator],
    ) -> Result<Vec<Permutation>, Stop> {
        let labels = &self.normal.labels;
        let mut found = vec![Vec::with_capacity(labels.len()); generators.len()];
        for (label, spelling) in (0..).map(Label).zip(&self.spellings) {
            if !self.normal.uses(label) || Some(label) == self.normal.internal() {
                found.iter_mut().for_each(|images| images.push(label.0));
                continue;
            }
            let mut number = None;
            if let Some(key) = &spelling.key {
                let (data, actions) = (&process.data, &process.actions);
                let key = process.labels.intern(key, data, actions, MAX_LABELS)?;
                let text = process.labels.texts[key as usize];
                number =
                    (process.labels.labels.get(Label(text)) == labels.get(label)).then_some(key);
            }
            for (which, (generator, images)) in generators.iter_mut().zip(&mut found).enumerate() {
                images.push(match number {
                    None => spelling.images[which].0,
                    Some(number) => {
                        let image = generator.lifting.label(process, number)?;
                        let text = process.labels.texts[image as usize];
                        let text = process.labels.labels.get(Label(text));
                        labels.find(text).unwrap_or(Label::NONE).0
                    }
                });
            }
        }
        for images in &found {
            let mut origins: FxHashMap<u32, Label> = FxHashMap::default();
            let used = (0..).map(Label).zip(images).filter(|&(label, _)| self.normal.uses(label));
            for (label, &image) in used.filter(|&(_, &image)| image != NONE) {
                if let Some(other) = origins.insert(image, label) {
                    let [one, other] =
                        [label, other].map(|l| String::from_utf8_lossy(labels.get(l)).into_owned());
                    let message = format!("`{one}` and `{other}` would move to the same label");
                    return Err(Stop::Evaluation(message, None));
                }
            }
        }
        Ok(found.into_iter().map(Permutation::from).collect())
    }
}
