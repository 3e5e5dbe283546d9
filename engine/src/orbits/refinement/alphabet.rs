//! The correspondence between the labels of a process and those of its specification.

use crate::base::ids::Id;
use crate::base::ids::{Label, NONE};
use crate::base::label_reader::normal_form;
use crate::group::permutation::Permutation;
use crate::ops::label_patterns::{Names, Rest};
use crate::preorder::normal_form::NormalForm;
use crate::process::linear::Process;
use crate::process::linear::stop::{MAX_LABELS, Stop};
use crate::symmetry_of_process::lifting::symmetry::Generator;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The meaning of a label of the process in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An internal step, which does not occur in traces.
    Internal,
    /// A label of the specification.
    Known(Label),
    /// The specification has no such label.
    Foreign,
}

/// A label of the specification, in a form to which generators can be applied.
pub struct Spelling {
    /// Action and arguments, if it can be read as a label of the process.
    pub key: Option<Vec<u32>>,
    /// Otherwise the image under each generator: a label of the specification, or `NONE`.
    pub images: Vec<Label>,
}

/// A specification in normal form, with the spellings of its labels.
pub struct Specification {
    pub normal: Arc<NormalForm>,
    /// The spelling of every label of the normal form.
    pub spellings: Vec<Spelling>,
    /// The labels that are internal in the process, and patterns for further ones.
    pub internal: FxHashSet<Vec<u8>>,
    pub hidden: Names,
    /// The labels of the normal form, by their own normal form.
    by_form: FxHashMap<Vec<u8>, Label>,
}

/// The meanings of the labels of a process found so far.
#[derive(Default)]
pub struct Alphabet {
    /// The meaning of every label text.
    meanings: Vec<Meaning>,
}

impl Alphabet {
    /// Adds the meanings of labels that are new in the process.
    pub fn extend(&mut self, process: &Process, specification: &Specification) {
        let normal = &specification.normal;
        let labels = &process.labels.labels;
        let known = |label: Option<Label>| match label {
            Some(label) if normal.uses(label) => Meaning::Known(label),
            _ => Meaning::Foreign,
        };
        for text in self.meanings.len()..labels.len() {
            let text = labels.get(Label(u32::at(text)));
            // A visible label with the text of the specification's internal label is not that
            // label.
            let visible = |text| {
                known(specification.find(text).filter(|&label| Some(label) != normal.internal()))
            };
            self.meanings.push(match specification.rest(text) {
                Rest::Unchanged => visible(text),
                Rest::Actions(text) => visible(&text),
                Rest::Internal if normal.model.counts_internal() => known(normal.internal()),
                Rest::Internal => Meaning::Internal,
            });
        }
    }

    /// The meaning of a label text, which must have been added.
    pub fn meaning(&self, text: u32) -> Meaning {
        self.meanings[text as usize]
    }

    /// Two labels, one the image of the other, whose meanings do not correspond under the
    /// generator's permutation `images` of the specification's labels.
    pub fn mismatch(&self, texts: &[u32], images: &[u32]) -> Option<(u32, u32)> {
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
    pub fn new(
        normal: Arc<NormalForm>,
        spellings: Vec<Spelling>,
        internal: FxHashSet<Vec<u8>>,
        hidden: Names,
    ) -> Self {
        let forms = normal.labels.iter().map(|label| normal_form(label).into_owned());
        let by_form = forms.zip((0..).map(Label)).collect();
        Self { normal, spellings, internal, hidden, by_form }
    }

    /// What hiding leaves of a label of the process.
    pub fn rest(&self, label: &[u8]) -> Rest {
        if self.internal.contains(label) { Rest::Internal } else { self.hidden.rest(label) }
    }

    /// The label of the specification that equals a label, up to blanks between tokens.
    fn find(&self, label: &[u8]) -> Option<Label> {
        let known = self.normal.labels.find(label);
        known.or_else(|| self.by_form.get(&*normal_form(label)).copied())
    }

    /// The permutation of the specification's labels by each generator; `NONE` for an image that is
    /// not a label of the specification.
    pub fn images(
        &self,
        process: &mut Process,
        generators: &mut [Generator],
    ) -> Result<Vec<Permutation>, Stop> {
        let labels = &self.normal.labels;
        let mut permutations = vec![Vec::with_capacity(labels.len()); generators.len()];
        for (label, spelling) in (0..).map(Label).zip(&self.spellings) {
            if !self.normal.uses(label) || Some(label) == self.normal.internal() {
                permutations.iter_mut().for_each(|images| images.push(label.0));
                continue;
            }
            let mut number = None;
            if let Some(key) = &spelling.key {
                let (data, actions) = (&process.data, &process.actions);
                let key = process.labels.intern(key, data, actions, MAX_LABELS)?;
                let text = process.labels.texts[key as usize];
                let text = process.labels.labels.get(Label(text));
                number = (normal_form(text) == normal_form(labels.get(label))).then_some(key);
            }
            for (which, (generator, images)) in
                generators.iter_mut().zip(&mut permutations).enumerate()
            {
                images.push(match number {
                    None => spelling.images[which].0,
                    Some(number) => {
                        let image = generator.lifting.label(process, number)?;
                        let text = process.labels.texts[image as usize];
                        let text = process.labels.labels.get(Label(text));
                        self.find(text).unwrap_or(Label::NONE).0
                    }
                });
            }
        }
        for images in &permutations {
            let mut origins: FxHashMap<u32, Label> = FxHashMap::default();
            let used = (0..).map(Label).zip(images).filter(|&(label, _)| self.normal.uses(label));
            for (label, &image) in used.filter(|&(_, &image)| image != NONE) {
                if let Some(other) = origins.insert(image, label) {
                    let [left, right] =
                        [label, other].map(|l| String::from_utf8_lossy(labels.get(l)).into_owned());
                    let message = format!("`{left}` and `{right}` would move to the same label");
                    return Err(Stop::Evaluation(message, None));
                }
            }
        }
        Ok(permutations.into_iter().map(Permutation::from).collect())
    }
}
