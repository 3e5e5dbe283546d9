//! Writing terms in the binary format described in `read`.

use crate::aterm::{MAGIC, NUMBER, NUMBER_OUTPUT, OUTPUT, SHARED, SYMBOL, TRANSITION};
use crate::aterm::{VERSIONS, width};
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::lts::Lts;
use std::collections::HashMap;
use std::ops::Range;

/// Writes each symbol and each term once.
pub struct Writer {
    bytes: Vec<u8>,
    /// The last bits, fewer than a byte, in the low end of `bits`; `count` is their number.
    bits: u64,
    count: u32,
    written: usize,
    symbols: HashMap<(Vec<u8>, usize), usize>,
    terms: HashMap<Box<[u32]>, u32>,
}

impl Writer {
    pub fn new() -> Self {
        let mut writer = Self {
            bytes: Vec::new(),
            bits: 0,
            count: 0,
            written: 0,
            symbols: HashMap::new(),
            terms: HashMap::new(),
        };
        writer.put(MAGIC, 24);
        writer.put(*VERSIONS.end(), 16);
        writer
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lowest byte is written")]
    fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 56);
        self.bits = self.bits << width | value;
        self.count += width;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.bits >> self.count) as u8);
        }
    }

    fn put_number(&mut self, mut value: u64) {
        while value > 127 {
            self.put(value & 127 | 128, 8);
            value >>= 7;
        }
        self.put(value, 8);
    }

    fn symbol(&mut self, name: &[u8], arity: usize) -> u32 {
        let key = (name.to_vec(), arity);
        if let Some(&known) = self.symbols.get(&key) {
            return u32::at(known);
        }
        self.put(SYMBOL, 2);
        self.put_number(name.len() as u64);
        for &byte in name {
            self.put(u64::from(byte), 8);
        }
        self.put_number(arity as u64);
        // Number 0 marks the end.
        let number = self.symbols.len() + 1;
        self.symbols.insert(key, number);
        u32::at(number)
    }

    fn begin(&mut self, kind: u64, symbol: u32) {
        self.put(kind, 2);
        self.put(u64::from(symbol), width(self.symbols.len() + 1));
    }

    fn arguments(&mut self, arguments: &[u32]) {
        let width = width(self.terms.len()).max(1);
        for &argument in arguments {
            self.put(u64::from(argument), width);
        }
    }

    /// The number of a term; the arguments are numbers of terms.
    pub fn term(&mut self, name: &[u8], arguments: &[u32]) -> u32 {
        let symbol = self.symbol(name, arguments.len());
        let key: Box<[u32]> = [&[symbol], arguments].concat().into();
        if let Some(&known) = self.terms.get(&key) {
            return known;
        }
        self.begin(SHARED, symbol);
        self.arguments(arguments);
        let number = u32::at(self.terms.len());
        self.terms.insert(key, number);
        number
    }

    /// The number of the term for `value`.
    pub fn number(&mut self, value: u64) -> u32 {
        let symbol = self.symbol(NUMBER, 0);
        let key: Box<[u32]> = [symbol, low_half(value), (value >> 32) as u32].into();
        if let Some(&known) = self.terms.get(&key) {
            return known;
        }
        self.begin(SHARED, symbol);
        self.put_number(value);
        let number = u32::at(self.terms.len());
        self.terms.insert(key, number);
        number
    }

    pub fn output(&mut self, name: &[u8], arguments: &[u32]) {
        let symbol = self.symbol(name, arguments.len());
        self.begin(OUTPUT, symbol);
        self.arguments(arguments);
    }

    pub fn output_number(&mut self, value: u64) {
        self.put(NUMBER_OUTPUT, 2);
        self.put_number(value);
    }

    /// Writes some rows of a system; each label is the symbol `name` applied to the arguments in
    /// `labels`.
    pub fn transitions(&mut self, lts: &Lts, rows: Range<usize>, name: &[u8], labels: &[Vec<u32>]) {
        for row in rows {
            self.output(TRANSITION, &[]);
            self.output_number(u64::from(lts.source[row].0));
            self.output(name, &labels[lts.label[row].0 as usize]);
            self.output_number(u64::from(lts.target[row].0));
        }
    }

    /// The bytes written since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        self.written += self.bytes.len();
        std::mem::take(&mut self.bytes)
    }

    /// Ends the stream.
    pub fn end(&mut self) {
        self.begin(SHARED, 0);
        while self.count > 0 || !(self.written + self.bytes.len()).is_multiple_of(8) {
            self.put(0, 8 - self.count % 8);
        }
    }
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aterm::read::{Output, Reader, Term};

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::new();
        let large = writer.number(u64::MAX);
        let leaf = writer.term(b"leaf", &[]);
        for width in 0..300 {
            let number = writer.number(width);
            writer.term(b"node", &[number, leaf]);
            assert_eq!(writer.number(width), number);
        }
        writer.output(b"top", &[leaf, large]);
        writer.output_number(1 << 40);
        writer.end();
        let bytes = writer.take();
        assert_eq!(bytes.len() % 8, 0);
        let mut reader = Reader::new(&bytes).unwrap();
        let Some(Output::Term(parts)) = reader.output(&bytes).unwrap() else { panic!() };
        let (name, arguments) = reader.taken_apart(&parts);
        assert_eq!((name, arguments), (&b"top"[..], &[leaf, large][..]));
        assert_eq!(reader.term(leaf as usize), Some(Term::Of(b"leaf", &[])));
        assert_eq!(reader.term(large as usize), Some(Term::Number(u64::MAX)));
        assert_eq!(reader.output(&bytes).unwrap(), Some(Output::Number(1 << 40)));
        assert_eq!(reader.output(&bytes).unwrap(), None);
        // Every proper prefix is rejected.
        for length in 0..bytes.len() - 8 {
            let short = &bytes[..length];
            let read = Reader::new(short).and_then(|mut reader| {
                while reader.output(short)?.is_some() {}
                Ok(())
            });
            assert!(read.is_err(), "{length}");
        }
    }
}
