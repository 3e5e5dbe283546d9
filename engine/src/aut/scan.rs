//! Reads a file once, in blocks of any size.
//!
//! The lines of a block are read in chunks by all threads. Each chunk numbers its new labels by
//! itself; final numbers are given when the chunks are combined in order. So neither the result nor
//! the first error found depends on how a file is divided.

use crate::aut::chunk::{Context, LineChunk, out_of_range, plural};
use crate::aut::line;
use crate::aut::line::{Fault, Number};
use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use crate::base::lts::{Lts, internal_labels};
use crate::base::parallel;
use memchr::{memchr, memrchr};
use std::mem;
use std::sync::Arc;

/// An error in a file: `line` counts from 1, `offset` in bytes from 0, `text` is that line.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    pub line: u64,
    pub offset: usize,
    pub text: Vec<u8>,
    pub message: String,
}

struct Header {
    initial: Number,
    transitions: Number,
    states: Number,
    line: u64,
    text: Vec<u8>,
}

/// A partially read file.
///
/// Invariant: all states in the columns are less than the header's number of states; with
/// `salvage`, less than `seen`. The columns have equal length.
pub struct Scanner {
    salvage: bool,
    size: Option<u64>,
    lines: u64,
    unfinished: Vec<u8>,
    header: Option<Header>,
    /// Every state must be less than this bound.
    bound: u64,
    /// One more than the largest state so far.
    seen: u64,
    source: Vec<State>,
    label: Vec<Label>,
    target: Vec<State>,
    /// The number of transitions already removed by [`Scanner::take`].
    taken: u64,
    labels: Labels,
}

/// The largest number of states of an LTS, and the first number that is not a state.
const STATES: u64 = u32::MAX as u64;

/// The largest number of states without transitions.
const ISOLATED: u64 = 1 << 24;

/// The shortest line in bytes: `(0,a,0)` and a newline.
const SHORTEST: u64 = 8;

/// The size of a chunk in bytes, rounded up to a whole line.
const CHUNK: usize = if cfg!(test) { 16 } else { 1 << 17 };

impl Scanner {
    /// A scanner for a file of `size` bytes, if known. With `salvage` the counts in the header are
    /// ignored, and an incomplete last line is left out.
    pub fn new(salvage: bool, size: Option<u64>) -> Self {
        Self {
            salvage,
            size,
            lines: 0,
            unfinished: Vec::new(),
            header: None,
            bound: STATES,
            seen: 0,
            source: Vec::new(),
            label: Vec::new(),
            target: Vec::new(),
            taken: 0,
            labels: Labels::new(),
        }
    }

    /// Reads the next bytes of the file.
    pub fn feed(&mut self, mut block: &[u8]) -> Result<(), Refused> {
        while self.header.is_none() || !self.unfinished.is_empty() {
            let Some(end) = memchr(b'\n', block) else {
                self.unfinished.extend_from_slice(block);
                return Ok(());
            };
            self.unfinished.extend_from_slice(&block[..end]);
            let line = mem::take(&mut self.unfinished);
            self.line(&line)?;
            block = &block[end + 1..];
        }
        let whole = memrchr(b'\n', block).map_or(0, |end| end + 1);
        self.unfinished.extend_from_slice(&block[whole..]);
        self.lines(&block[..whole])
    }

    /// Reads whole lines.
    fn lines(&mut self, mut text: &[u8]) -> Result<(), Refused> {
        let chunks = std::iter::from_fn(|| {
            let least = CHUNK.min(text.len());
            let end = memchr(b'\n', &text[least..]).map_or(text.len(), |end| least + end + 1);
            let (chunk, rest) = text.split_at(end);
            text = rest;
            Some(chunk).filter(|chunk| !chunk.is_empty())
        });
        let Self { labels, lines, source, label, target, seen, .. } = self;
        let context = Context { labels, bound: self.bound, stated: !self.salvage };
        let known = u32::at(labels.len());
        // The labels that did not occur in earlier blocks.
        let mut new = Labels::new();
        let mut refused = None;
        let gather = |chunk: LineChunk| {
            if refused.is_some() {
                return;
            }
            *lines += chunk.lines;
            *seen = chunk.seen.max(*seen);
            let new = chunk.labels.iter().map(|name| Label(known + new.intern(name).0));
            let numbers: Vec<Label> = new.collect();
            source.extend_from_slice(&chunk.source);
            target.extend_from_slice(&chunk.target);
            if numbers.is_empty() {
                label.extend_from_slice(&chunk.label);
            } else {
                let number = |&own: &Label| {
                    own.0.checked_sub(known).map_or(own, |index| numbers[index as usize])
                };
                label.extend(chunk.label.iter().map(number));
            }
            refused = chunk.fault.map(|(fault, line)| self::refused(fault, *lines, &line));
        };
        // Blocks are small: there is no need to interrupt.
        let read = |chunk| context.read(chunk);
        parallel::in_order(chunks, read, gather, &Cancel::never()).expect("nobody ends it");
        for name in new.iter() {
            self.labels.intern(name);
        }
        refused.map_or(Ok(()), Err)
    }

    /// Removes and returns the transitions read since the last call; they will not be part of the
    /// LTS.
    pub fn take(&mut self) -> (Vec<State>, Vec<Label>, Vec<State>) {
        self.taken += self.source.len() as u64;
        let Self { source, label, target, .. } = self;
        (mem::take(source), mem::take(label), mem::take(target))
    }

    /// Returns the LTS, at the end of the file.
    pub fn finish(mut self) -> Result<Lts, Refused> {
        let last = mem::take(&mut self.unfinished);
        if !last.is_empty() {
            let done = self.line(&last);
            if !(self.salvage && self.header.is_some()) {
                done?;
            }
        }
        let Some(header) = &self.header else {
            return Err(Refused {
                line: self.lines.max(1),
                offset: 0,
                text: Vec::new(),
                message: "expected the header `des (initial, transitions, states)`, found the \
                          end of the file"
                    .into(),
            });
        };
        let actual = self.taken + self.source.len() as u64;
        let initial = header.initial.value.unwrap_or(0);
        let mut states = header.states.value.unwrap_or(0);
        if self.salvage {
            let named = self.seen.max(initial + 1);
            let most = actual.saturating_mul(2).saturating_add(ISOLATED);
            if named > most {
                let count = plural(actual, "transition");
                let message = format!(
                    "state {} is too large for {count}: nearly all states have none",
                    named - 1
                );
                return Err(header.refused(header.initial, message));
            }
            states = if states > most { named } else { states.max(named) };
        } else if header.transitions.value != Some(actual) {
            let stated = plural(header.transitions.value.unwrap_or(0), "transition");
            let message = format!("the header says {stated}, but the file has {actual}");
            return Err(header.refused(header.transitions, message));
        }
        let internal = Arc::new(if line::all_visible(&header.text) {
            Vec::new()
        } else {
            internal_labels(&self.labels)
        });
        let columns = (self.source, self.label, self.target);
        let labels = Arc::new(self.labels);
        Ok(Lts::from_valid(State(u32::at(initial)), u32::at(states), columns, labels, internal))
    }

    fn line(&mut self, line: &[u8]) -> Result<(), Refused> {
        if self.header.is_some() {
            return self.lines(line);
        }
        self.lines += 1;
        if line::is_empty(line) {
            return Ok(());
        }
        let header = line::header(line).and_then(|numbers| self.start(numbers, line));
        header.map_err(|fault| refused(fault, self.lines, line))
    }

    fn start(&mut self, numbers: [Number; 3], line: &[u8]) -> Result<(), Fault> {
        let [initial, transitions, states] = numbers;
        if !self.salvage && numbers.iter().any(|number| number.value.is_none()) {
            let offset =
                numbers.iter().find(|number| number.value.is_none()).map_or(0, |n| n.offset);
            let message = "the file is unfinished: its header has `?` where a number belongs, and \
                           only salvaging reads it";
            return Err(Fault { offset, message: message.into() });
        }
        if states.value.is_some_and(|value| value > STATES) {
            let message = format!("a file has at most {STATES} states");
            return Err(Fault { offset: states.offset, message });
        }
        if !self.salvage && transitions.value == Some(u64::MAX) {
            let message = "no file has so many transitions";
            return Err(Fault { offset: transitions.offset, message: message.into() });
        }
        // States without transitions take memory too, and no real system has so many of them.
        let mentioned = transitions.value.map_or(u64::MAX, |value| value.saturating_mul(2));
        if states.value.is_some_and(|value| value > mentioned.saturating_add(ISOLATED)) {
            let states = plural(states.value.unwrap_or(0), "state");
            let count = plural(transitions.value.unwrap_or(0), "transition");
            let message = format!("{states} are too many for {count}: nearly all have none");
            return Err(Fault { offset: numbers[2].offset, message });
        }
        if !self.salvage {
            self.bound = states.value.unwrap_or(STATES);
        }
        if initial.value.is_some_and(|value| value >= self.bound) {
            return Err(out_of_range("initial state", initial, self.bound, !self.salvage));
        }
        // The header may be wrong: never reserve more than the file can contain.
        let possible = self.size.map_or(1 << 16, |size| size / SHORTEST + 1);
        let capacity = as_index(transitions.value.unwrap_or(0).min(possible));
        for column in [&mut self.source, &mut self.target] {
            column.reserve_exact(capacity);
        }
        self.label.reserve_exact(capacity);
        let text = line.to_vec();
        self.header = Some(Header { initial, transitions, states, line: self.lines, text });
        Ok(())
    }
}

impl Header {
    #[cold]
    fn refused(&self, number: Number, message: String) -> Refused {
        refused(Fault { offset: number.offset, message }, self.line, &self.text)
    }
}

#[cold]
fn refused(fault: Fault, line: u64, text: &[u8]) -> Refused {
    let text = text.strip_suffix(b"\r").unwrap_or(text).to_vec();
    let offset = fault.offset.min(text.len());
    Refused { line, offset, text, message: fault.message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aut::write;
    use proptest::prelude::*;

    fn scan(text: &[u8], block: usize, salvage: bool) -> Result<Lts, Refused> {
        let mut scanner = Scanner::new(salvage, None);
        for part in text.chunks(block) {
            scanner.feed(part)?;
        }
        scanner.finish()
    }

    fn transitions(lts: &Lts) -> Vec<(u32, &[u8], u32)> {
        (0..lts.transitions())
            .map(|i| (lts.source[i].0, lts.labels.get(lts.label[i]), lts.target[i].0))
            .collect()
    }

    proptest! {
        #[test]
        fn reading_inverts_writing(
            parts in prop::collection::vec((0u32..9, prop::collection::vec(prop_oneof![
                    Just(b'"'), Just(b','), Just(b')'), Just(b' '), Just(b'\r'), Just(b'0'),
                    any::<u8>().prop_filter("ends the line", |&byte| byte != b'\n')], 0..6),
                0u32..9), 0..20),
            initial in 0u32..9,
            block in 1usize..40,
        ) {
            let mut labels = Labels::new();
            let label = parts.iter().map(|(_, label, _)| labels.intern(label).0).collect();
            let (source, target) = parts.iter().map(|(s, _, t)| (*s, *t)).unzip();
            let lts = Lts::new(initial, 9, source, label, target, labels).unwrap();
            let mut text = format!("des ({initial},{},9)\n", lts.transitions()).into_bytes();
            write::transitions(&lts, 0..lts.transitions(), &mut text);
            let again = scan(&text, block, false).unwrap();
            prop_assert_eq!(transitions(&again), transitions(&lts));
            prop_assert_eq!((again.initial, again.states), (lts.initial, lts.states));
        }

        #[test]
        fn arbitrary_bytes_never_panic(
            text in prop::collection::vec(prop_oneof![
                Just(b"des (0,1,2)\n".to_vec()), Just(b"(0,\"a\",1)\n".to_vec()), Just(b"\"".to_vec()),
                Just(b",".to_vec()), Just(b"(".to_vec()), Just(b")".to_vec()), Just(b"\n".to_vec()),
                Just(b"?".to_vec()), Just(b"1".to_vec()), prop::collection::vec(any::<u8>(), 1)], 0..30),
            salvage in any::<bool>(),
        ) {
            let text = text.concat();
            let whole = scan(&text, text.len().max(1), salvage);
            let bytewise = scan(&text, 1, salvage);
            match (whole, bytewise) {
                (Ok(a), Ok(b)) => prop_assert_eq!(transitions(&a), transitions(&b)),
                (Err(a), Err(b)) => {
                    prop_assert!(a.offset <= a.text.len());
                    prop_assert_eq!(a, b);
                }
                _ => prop_assert!(false, "the result depends on the blocks"),
            }
        }
    }

    #[test]
    fn taken_transitions_do_not_depend_on_blocks() {
        let text = b"des (0,4,3)\n(0,a,1)\n(2,b,1)\n(1,a,0)\n(2,c,2)\n";
        let whole = scan(text, 99, false).unwrap();
        for block in 1..30 {
            let mut scanner = Scanner::new(false, Some(0));
            let mut taken = Vec::new();
            for part in text.chunks(block) {
                scanner.feed(part).unwrap();
                let (source, label, target) = scanner.take();
                taken.extend(source.into_iter().zip(label).zip(target));
            }
            let rest = scanner.finish().unwrap();
            assert_eq!((rest.transitions(), rest.states), (0, 3));
            let own = taken.iter().map(|&((s, a), t)| (s.0, rest.labels.get(a), t.0));
            assert_eq!(own.collect::<Vec<_>>(), transitions(&whole));
        }
        let mut scanner = Scanner::new(false, Some(0));
        scanner.feed(b"des (0,3,2)\n(0,a,1)\n").unwrap();
        scanner.take();
        let refused = scanner.finish().err().unwrap();
        assert_eq!(refused.message, "the header says 3 transitions, but the file has 1");
    }

    #[test]
    fn a_wrong_header_reserves_no_memory() {
        let text = b"des (0,18446744073709551615,4294967295)\n(0,a,1)\n";
        let refused = scan(text, 99, false).err().unwrap();
        assert_eq!(refused.line, 1);
        assert_eq!(scan(text, 99, true).map(|lts| lts.transitions()), Ok(1));
    }
}
