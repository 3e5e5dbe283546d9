//! Reads the transitions in a chunk of whole lines, independently of the lines before.

use crate::aut::line;
use crate::aut::line::{Fault, Number};
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use memchr::memchr;

/// What a chunk needs to know of the file.
pub struct Context<'a> {
    /// The labels known already; new ones are numbered after them.
    pub labels: &'a Labels,
    /// Every state must be less than this bound.
    pub bound: u64,
    /// Whether the bound is the number of states in the header.
    pub stated: bool,
}

/// The transitions of a chunk.
///
/// Invariant: the columns have equal length, and all states are less than the bound.
#[derive(Default)]
pub struct LineChunk {
    pub source: Vec<State>,
    pub label: Vec<Label>,
    pub target: Vec<State>,
    /// The labels that are new in this chunk, by number.
    pub labels: Labels,
    /// One more than the largest state.
    pub seen: u64,
    /// The number of lines read, including one with an error.
    pub lines: u64,
    /// The error that ended reading, and its line.
    pub fault: Option<(Fault, Vec<u8>)>,
}

impl Context<'_> {
    /// Reads lines; only the last one may lack its newline.
    pub fn read(&self, mut text: &[u8]) -> LineChunk {
        let mut chunk = LineChunk::default();
        while !text.is_empty() {
            let end = memchr(b'\n', text);
            let line = &text[..end.unwrap_or(text.len())];
            chunk.lines += 1;
            if let Err(fault) = self.line(line, &mut chunk)
                && !line::is_empty(line)
            {
                chunk.fault = Some((fault, line.to_vec()));
                break;
            }
            text = end.map_or(&[], |end| &text[end + 1..]);
        }
        chunk
    }

    #[inline]
    fn line(&self, line: &[u8], chunk: &mut LineChunk) -> Result<(), Fault> {
        let transition = line::transition(line)?;
        for (state, offset) in
            [(transition.source, transition.source_at), (transition.target, transition.target_at)]
        {
            if state >= self.bound {
                let state = Number { value: Some(state), offset };
                return Err(out_of_range("state", state, self.bound, self.stated));
            }
            chunk.seen = chunk.seen.max(state + 1);
        }
        let known = u32::at(self.labels.len());
        let new = || Label(known + chunk.labels.intern(transition.label).0);
        let label = self.labels.find(transition.label).unwrap_or_else(new);
        chunk.source.push(State(u32::at(transition.source)));
        chunk.label.push(label);
        chunk.target.push(State(u32::at(transition.target)));
        Ok(())
    }
}

/// The error for a state that is not less than the bound; `stated` if the bound is in the header.
#[cold]
pub fn out_of_range(kind: &str, number: Number, bound: u64, stated: bool) -> Fault {
    let value = number.value.unwrap_or(0);
    let states = plural(bound, "state");
    let message = if stated {
        format!("{kind} {value} is out of range: the header says {states}, numbered from 0")
    } else {
        format!("{kind} {value} is out of range: a file has at most {states}")
    };
    Fault { offset: number.offset, message }
}

/// A count with its noun, in the singular or plural.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
