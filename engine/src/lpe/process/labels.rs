//! Labels, numbered before they are converted to text.

use crate::base::ids::Id;
use crate::base::label_table::Labels;
use crate::base::row_interner::Rows;
use crate::data::garbage::Moved;
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::lpe::process::stop::Stop;

/// A typical number of bytes per argument.
const ROOM: usize = 8;

/// Labels as keys: an action and its arguments, which are terms. Each has a text.
#[derive(Default)]
pub struct LabelKeys {
    pub keys: Rows,
    /// For every key the number of its text.
    pub texts: Vec<u32>,
    pub labels: Labels,
    /// The total length of all texts, in bytes.
    written: usize,
}

impl LabelKeys {
    /// The terms that occur in labels.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        (0..u32::at(self.keys.len())).flat_map(|key| self.keys.get(key)[1..].iter().copied())
    }

    /// Renumbers the terms after garbage collection.
    pub fn renumber(&mut self, moved: &Moved) {
        self.keys.change(|key| moved.renumber(&mut key[1..]));
    }

    /// The number of the label with this key; if the key is new, `text` gives its text.
    pub fn intern_whole(&mut self, key: &[u32], text: impl FnOnce() -> Vec<u8>) -> u32 {
        self.keys.find(key).unwrap_or_else(|| {
            self.texts.push(self.labels.intern(&text()).0);
            self.keys.intern(key).0
        })
    }

    /// The number of a label given as action and arguments; an error if all texts would exceed
    /// `most` bytes.
    ///
    /// A name like `a#1|b#0` denotes a multi-action, each action with its number of arguments.
    /// Actions of the same name are adjacent.
    pub fn intern(
        &mut self,
        key: &[u32],
        data: &Data,
        actions: &[Vec<u8>],
        most: usize,
    ) -> Result<u32, Stop> {
        if let Some(number) = self.keys.find(key) {
            return Ok(number);
        }
        let most = most.saturating_sub(self.written);
        let action = &actions[key[0] as usize];
        let text = if action.contains(&b'|') {
            let mut parts = parts(action, &key[1..], data, most)?;
            parts.sort();
            let sorted: Vec<u32> =
                key[..1].iter().chain(parts.iter().flat_map(|p| p.2)).copied().collect();
            if sorted != key {
                return self.intern(&sorted, data, actions, most);
            }
            let texts: Vec<Vec<u8>> = parts.into_iter().map(|(_, text, _)| text).collect();
            texts.join(&b'|')
        } else {
            single(action, &key[1..], data, most)?
        };
        self.written += text.len().min(most);
        let (number, _) = self.keys.intern(key);
        self.texts.push(self.labels.intern(&text).0);
        Ok(number)
    }
}

/// The text of an action with its arguments. If the name is empty, it is the text of its only
/// argument.
fn single(name: &[u8], arguments: &[Term], data: &Data, most: usize) -> Result<Vec<u8>, Stop> {
    let mut text = Vec::with_capacity(name.len() + ROOM * (1 + arguments.len()));
    text.extend_from_slice(name);
    if let (b"", &[label]) = (name, arguments) {
        return match data.terms.write(label, most, &mut text) {
            true => Ok(text),
            false => Err(Stop::Labels(None)),
        };
    }
    for (i, &argument) in arguments.iter().enumerate() {
        text.push(if i == 0 { b'(' } else { b',' });
        if !data.terms.write(argument, most, &mut text) {
            return Err(Stop::Labels(None));
        }
    }
    if !arguments.is_empty() {
        text.push(b')');
    }
    Ok(text)
}

/// Name and number of arguments, text, arguments.
type Part<'a> = (&'a [u8], Vec<u8>, &'a [Term]);

/// The actions of a multi-action.
fn parts<'a>(
    action: &'a [u8],
    mut arguments: &'a [Term],
    data: &Data,
    most: usize,
) -> Result<Vec<Part<'a>>, Stop> {
    let mut found = Vec::new();
    for part in action.split(|&byte| byte == b'|') {
        let end = part.iter().position(|&byte| byte == b'#').unwrap_or(part.len());
        let digits = part.get(end + 1..).unwrap_or_default();
        let count = digits.iter().fold(0, |count, digit| count * 10 + usize::from(digit - b'0'));
        let (own, rest) = arguments.split_at(count.min(arguments.len()));
        arguments = rest;
        found.push((part, single(&part[..end], own, data, most)?, own));
    }
    Ok(found)
}
