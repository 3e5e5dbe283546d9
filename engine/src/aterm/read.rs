//! Reading terms from their binary format.
//!
//! A stream is a sequence of bits, the most significant bit of each byte first. After the head come
//! packets:
//!
//! - a symbol: its name and number of arguments;
//! - a shared term, to which others refer by its number: a symbol and the numbers of its arguments,
//!   or a number;
//! - an output, a term or a number; the outputs are the content of the stream, in the order that
//!   the type of the file prescribes.
//!
//! A number of a symbol or term takes as many bits as the number of symbols or terms so far
//! requires. Symbol 0 ends the stream; then there are zeroes up to a multiple of eight bytes.
//!
//! The memory used is at most a few dozen times the size of the stream.

use crate::aterm::{MAGIC, NUMBER, NUMBER_OUTPUT, OUTPUT, SHARED, SYMBOL, TRANSITION};
use crate::aterm::{VERSIONS, width};
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::ids::as_index;
use std::collections::HashMap;

/// An error in a stream, and the byte where it occurs.
#[derive(Debug)]
pub struct Refused {
    pub message: String,
    pub offset: usize,
}

type Result<T> = std::result::Result<T, Refused>;

/// One item of the content of a stream.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Output {
    Number(u64),
    /// The number of a symbol, then the numbers of the arguments.
    Term(Box<[u32]>),
}

/// A shared term: a number, or a symbol's name with the numbers of the arguments.
#[derive(Debug, Eq, PartialEq)]
pub enum Term<'a> {
    Number(u64),
    Of(&'a [u8], &'a [u32]),
}

/// Transitions, and whether more may follow.
#[derive(Default)]
pub struct Columns {
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    pub more: bool,
}

/// Marks an empty list, in place of an element and the rest.
pub const EMPTY: u32 = u32::MAX;
/// Marks a number, in place of the symbol.
const OF_NUMBER: u32 = u32::MAX;
/// The largest number of bytes after the end; the writer pads to a multiple of eight.
const REST: usize = 16;

pub struct Reader {
    /// The position of the next bit.
    at: usize,
    symbols: Vec<(Vec<u8>, usize)>,
    /// The start of each term in `parts`, and the end of the last one.
    starts: Vec<usize>,
    /// For each term its symbol and its arguments; for a number [`OF_NUMBER`] and both halves.
    parts: Vec<u32>,
    /// An output that was read but not returned yet.
    waiting: Option<Output>,
    /// The byte where the last output begins.
    pub begun: usize,
    labels: HashMap<Box<[u32]>, u32>,
    /// The labels of transitions, by number.
    pub table: Vec<Box<[u32]>>,
    /// The lists among the transitions: the first element and the rest, [`EMPTY`] if it is empty.
    pub lists: Vec<[u32; 2]>,
    ended: bool,
}

impl Reader {
    /// Starts reading: checks the magic number and the version.
    pub fn new(data: &[u8]) -> Result<Self> {
        let mut reader = Self {
            at: 0,
            symbols: vec![(Vec::new(), 0)],
            starts: vec![0],
            parts: Vec::new(),
            waiting: None,
            begun: 0,
            labels: HashMap::new(),
            table: Vec::new(),
            lists: Vec::new(),
            ended: false,
        };
        if reader.bits(data, 24).ok() != Some(MAGIC) {
            return reader.wrong("this is no binary file of mCRL2 2020 or later".into(), 0);
        }
        let version = reader.bits(data, 16)?;
        if !VERSIONS.contains(&version) {
            let (first, last) = (VERSIONS.start(), VERSIONS.end());
            let known = format!("{first:#x} to {last:#x} are read");
            return reader.wrong(format!("version {version:#x} of the format; {known}"), 3);
        }
        Ok(reader)
    }

    fn wrong<T>(&self, message: String, offset: usize) -> Result<T> {
        Err(Refused { message, offset })
    }

    /// The position in bytes.
    pub fn offset(&self) -> usize {
        self.at / 8
    }

    fn bits(&mut self, data: &[u8], width: u32) -> Result<u64> {
        debug_assert!(0 < width && width <= 57);
        let (byte, bit) = (self.at / 8, self.at % 8);
        let word = match data.get(byte..byte + 8) {
            Some(word) => u64::from_be_bytes(word.try_into().expect("eight bytes")),
            None => {
                if self.at + width as usize > data.len() * 8 {
                    return self.wrong("the file ends too early".into(), data.len());
                }
                let mut word = [0; 8];
                let rest = &data[byte..];
                word[..rest.len()].copy_from_slice(rest);
                u64::from_be_bytes(word)
            }
        };
        self.at += width as usize;
        Ok(word << bit >> (64 - width))
    }

    /// A number in groups of seven bits, the lowest group first.
    fn number(&mut self, data: &[u8]) -> Result<u64> {
        let start = self.offset();
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let group = self.bits(data, 8)?;
            let bits = group & 127;
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if group & 128 == 0 {
                return Ok(value);
            }
        }
        self.wrong("a number has more than 64 bits".into(), start)
    }

    #[expect(clippy::cast_possible_truncation, reason = "eight bits were read")]
    fn symbol(&mut self, data: &[u8]) -> Result<()> {
        let start = self.offset();
        let length = self.number(data)?;
        if length > (data.len() - self.offset()) as u64 {
            return self.wrong(format!("a name of {length} bytes, and the file ends"), start);
        }
        let mut name = Vec::with_capacity(as_index(length));
        for _ in 0..length {
            name.push(self.bits(data, 8)? as u8);
        }
        let arity = self.number(data)?;
        if arity > data.len() as u64 * 8 {
            return self
                .wrong(format!("a symbol with {arity} arguments, and the file ends"), start);
        }
        self.symbols.push((name, as_index(arity)));
        Ok(())
    }

    /// The next output; `None` at the end of the stream.
    pub fn output(&mut self, data: &[u8]) -> Result<Option<Output>> {
        match self.waiting.take() {
            None => self.next(data),
            waiting => Ok(waiting),
        }
    }

    fn next(&mut self, data: &[u8]) -> Result<Option<Output>> {
        while !self.ended {
            let start = self.offset();
            match self.bits(data, 2)? {
                SYMBOL => self.symbol(data)?,
                NUMBER_OUTPUT => {
                    self.begun = start;
                    return Ok(Some(Output::Number(self.number(data)?)));
                }
                kind => {
                    let symbol = as_index(self.bits(data, width(self.symbols.len()))?);
                    if symbol == 0 {
                        self.end(data)?;
                        break;
                    }
                    let Some((name, arity)) = self.symbols.get(symbol) else {
                        return self.wrong(format!("there is no symbol {symbol}"), start);
                    };
                    let arity = *arity;
                    if name == NUMBER {
                        let value = self.number(data)?;
                        if kind == OUTPUT {
                            return self.wrong("a number where a term is expected".into(), start);
                        }
                        self.parts.extend([OF_NUMBER, low_half(value), (value >> 32) as u32]);
                        self.starts.push(self.parts.len());
                        continue;
                    }
                    let first = self.parts.len();
                    self.parts.push(u32::at(symbol));
                    let (terms, width) =
                        (self.starts.len() - 1, width(self.starts.len() - 1).max(1));
                    for _ in 0..arity {
                        let argument = self.bits(data, width)?;
                        if argument >= terms as u64 {
                            return self.wrong(format!("there is no term {argument}"), start);
                        }
                        self.parts.push(u32::at(argument));
                    }
                    if kind == SHARED {
                        self.starts.push(self.parts.len());
                    } else {
                        self.begun = start;
                        let output = self.parts[first..].into();
                        self.parts.truncate(first);
                        return Ok(Some(Output::Term(output)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Checks that only zeroes follow the end.
    fn end(&mut self, data: &[u8]) -> Result<()> {
        self.ended = true;
        let rest = self.offset() + usize::from(!self.at.is_multiple_of(8));
        if data.len() - rest > REST || data[rest..].iter().any(|&byte| byte != 0) {
            return self.wrong("there are bytes after the end".into(), rest);
        }
        Ok(())
    }

    fn is(&self, output: &Output, name: &[u8]) -> bool {
        matches!(output, Output::Term(parts) if self.symbols[parts[0] as usize].0 == name)
    }

    fn list(&self, output: &Output) -> Option<[u32; 2]> {
        let Output::Term(parts) = output else { return None };
        match self.taken_apart(parts) {
            (b"<empty_list>", []) => Some([EMPTY; 2]),
            (b"<list_constructor>", &[first, rest]) => Some([first, rest]),
            _ => None,
        }
    }

    /// Reads transitions and lists until any other output follows, at most `most` of both together.
    pub fn transitions(&mut self, data: &[u8], most: usize) -> Result<Columns> {
        let mut columns = Columns::default();
        for _ in 0..most {
            let Some(output) = self.output(data)? else { return Ok(columns) };
            if self.is(&output, TRANSITION) {
                columns.source.push(self.state(data)?);
                let label = self.label(data)?;
                columns.label.push(label);
                columns.target.push(self.state(data)?);
            } else if let Some(list) = self.list(&output) {
                self.lists.push(list);
            } else {
                self.waiting = Some(output);
                return Ok(columns);
            }
        }
        columns.more = true;
        Ok(columns)
    }

    fn state(&mut self, data: &[u8]) -> Result<u32> {
        match self.next(data)? {
            // The largest 32-bit number is not a state.
            Some(Output::Number(state)) if state < u64::from(u32::MAX) => Ok(u32::at(state)),
            Some(Output::Number(state)) => {
                self.wrong(format!("state {state} is more than can be numbered"), self.begun)
            }
            _ => self.wrong("expected the number of a state".into(), self.offset()),
        }
    }

    fn label(&mut self, data: &[u8]) -> Result<u32> {
        let Some(Output::Term(label)) = self.next(data)? else {
            return self.wrong("expected a label".into(), self.offset());
        };
        if let Some(&known) = self.labels.get(&label) {
            return Ok(known);
        }
        let number = u32::at(self.table.len());
        self.table.push(label.clone());
        self.labels.insert(label, number);
        Ok(number)
    }

    /// The name of an output's symbol, and the numbers of its arguments.
    pub fn taken_apart<'a>(&'a self, parts: &'a [u32]) -> (&'a [u8], &'a [u32]) {
        (&self.symbols[parts[0] as usize].0, &parts[1..])
    }

    /// The number of shared terms read so far.
    pub fn terms(&self) -> usize {
        self.starts.len() - 1
    }

    /// The shared term with this number, if there is one.
    pub fn term(&self, number: usize) -> Option<Term<'_>> {
        let end = *self.starts.get(number.checked_add(1)?)?;
        let parts = &self.parts[self.starts[number]..end];
        Some(if parts[0] == OF_NUMBER {
            Term::Number(u64::from(parts[1]) | u64::from(parts[2]) << 32)
        } else {
            let (name, arguments) = self.taken_apart(parts);
            Term::Of(name, arguments)
        })
    }
}
