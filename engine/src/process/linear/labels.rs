//! Labels, numbered before they are converted to text.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::base::label_table::Labels;
use crate::data::garbage::Moved;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term, Terms};
use crate::process::linear::stop::Stop;
use rustc_hash::FxHashMap;

/// A typical number of bytes per argument.
const ROOM: usize = 8;

/// Labels as keys: an action and its arguments, which are terms. Each has a text.
#[derive(Default)]
pub struct LabelKeys {
    pub keys: Interner,
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
    /// A name like `a#1|b#0` denotes a multi-action, each action with its number of arguments;
    /// actions of the same name and number are adjacent.
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
            // Different actions are in order; equal ones differ in their arguments.
            let mut parts = parts(action, &key[1..], data, most)?;
            parts.chunk_by_mut(|left, right| left.0 == right.0).for_each(<[Part<'_>]>::sort);
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

/// Labels as terms, in columns.
#[derive(Default)]
pub struct LabelTerms {
    /// For every key of a label: the position of the label, the action, the number of arguments,
    /// and the node of each.
    pub keys: Vec<u32>,
    /// For every node its symbol and the nodes of its parts, which come before it; for a numeral
    /// its number, with the bit [`NUMERAL`].
    pub nodes: Vec<u32>,
    /// The index of the sort of every numeral, and its digits.
    pub numerals: Vec<(u32, String)>,
}

/// Marks a node as a numeral.
pub const NUMERAL: u32 = 1 << 31;

impl LabelKeys {
    /// The terms of all labels with one of these texts; subterms occur once.
    pub fn structure(
        &self,
        data: &Data,
        texts: &[Vec<u8>],
        cancel: &Cancel,
    ) -> Result<LabelTerms, Stopped> {
        let mut positions = vec![NONE; self.labels.len()];
        for (position, text) in texts.iter().enumerate() {
            if let Some(number) = self.labels.find(text) {
                positions[number.0 as usize] = u32::at(position);
            }
        }
        let (mut terms, mut numbers) = (LabelTerms::default(), FxHashMap::default());
        for (key, &text) in self.texts.iter().enumerate() {
            cancel.check_at(key)?;
            let position = positions[text as usize];
            if position == NONE {
                continue;
            }
            let [action, arguments @ ..] = self.keys.get(u32::at(key)) else { continue };
            for &argument in arguments {
                terms.add(&data.terms, argument, &mut numbers, cancel)?;
            }
            terms.keys.extend([position, *action, u32::at(arguments.len())]);
            terms.keys.extend(arguments.iter().map(|argument| numbers[argument]));
        }
        Ok(terms)
    }
}

impl LabelTerms {
    /// Adds a closed term and its parts; `numbers` are the nodes of those that were added.
    fn add(
        &mut self,
        terms: &Terms,
        term: Term,
        numbers: &mut FxHashMap<Term, u32>,
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let mut waiting = vec![term];
        while let Some(&part) = waiting.last() {
            let before = waiting.len();
            if !numbers.contains_key(&part) {
                let children = terms.children(part).iter().copied();
                waiting.extend(children.filter(|child| !numbers.contains_key(child)));
            }
            if waiting.len() > before {
                continue;
            }
            waiting.pop();
            if numbers.contains_key(&part) {
                continue;
            }
            match terms.head(part) {
                Head::Symbol(symbol) => {
                    self.nodes.push(symbol);
                    self.nodes.extend(terms.children(part).iter().map(|child| numbers[child]));
                }
                Head::Numeral(number) => {
                    let (sort, value) = terms.numerals.get(number);
                    self.nodes.push(NUMERAL | u32::at(self.numerals.len()));
                    self.numerals.push((sort, value.to_string()));
                }
                Head::Variable(_) => unreachable!("labels have no variables"),
            }
            numbers.insert(part, u32::at(numbers.len()));
            cancel.check_at(numbers.len())?;
        }
        Ok(())
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
    let mut single_actions = Vec::new();
    for part in action.split(|&byte| byte == b'|') {
        let end = part.iter().position(|&byte| byte == b'#').unwrap_or(part.len());
        let digits = part.get(end + 1..).unwrap_or_default();
        let count = digits.iter().fold(0, |count, digit| count * 10 + usize::from(digit - b'0'));
        let (own, rest) = arguments.split_at(count.min(arguments.len()));
        arguments = rest;
        single_actions.push((part, single(&part[..end], own, data, most)?, own));
    }
    Ok(single_actions)
}
