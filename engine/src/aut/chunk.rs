//! The transitions of some whole lines, read without what stands before them.

use crate::aut::line;
use crate::aut::line::{Fault, Number};
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use memchr::memchr;

/// What lines are read with.
pub struct Context<'a> {
    /// The labels that are known already; others are numbered after them.
    pub labels: &'a Labels,
    /// States are to be below this.
    pub bound: u64,
    /// Whether that is what the header says.
    pub stated: bool,
}

/// Some lines.
///
/// Invariant: the columns are equally long, states in them below the bound.
#[derive(Default)]
pub struct Chunk {
    pub source: Vec<State>,
    pub label: Vec<Label>,
    pub target: Vec<State>,
    /// The labels that were not known, in the order of their numbers.
    pub labels: Labels,
    /// One more than the largest state.
    pub seen: u64,
    /// Lines read, the one with a fault included.
    pub lines: u64,
    /// Why reading ended, and that line.
    pub fault: Option<(Fault, Vec<u8>)>,
}

impl Context<'_> {
    /// Read lines; only the last one may lack its end.
    pub fn read(&self, mut text: &[u8]) -> Chunk {
        let mut chunk = Chunk::default();
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
    fn line(&self, line: &[u8], chunk: &mut Chunk) -> Result<(), Fault> {
        let row = line::row(line)?;
        for (state, offset) in [(row.source, row.source_at), (row.target, row.target_at)] {
            if state >= self.bound {
                let state = Number { value: Some(state), offset };
                return Err(out_of_range("state", state, self.bound, self.stated));
            }
            chunk.seen = chunk.seen.max(state + 1);
        }
        let known = self.labels.len() as u32;
        let new = || Label(known + chunk.labels.intern(row.label).0);
        let label = self.labels.find(row.label).unwrap_or_else(new);
        chunk.source.push(State(row.source as u32));
        chunk.label.push(label);
        chunk.target.push(State(row.target as u32));
        Ok(())
    }
}

/// What is wrong with a state that is not below a bound; `stated` if that is what the header says.
#[cold]
pub fn out_of_range(what: &str, number: Number, bound: u64, stated: bool) -> Fault {
    let value = number.value.unwrap_or(0);
    let states = plural(bound, "state");
    let message = if stated {
        format!("{what} {value} is out of range: the header says {states}, numbered from 0")
    } else {
        format!("{what} {value} is out of range: a file has at most {states}")
    };
    Fault { offset: number.offset, message }
}

/// A number of things in words.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
