//! Writes transitions as text: every label in quotes, byte by byte.

use crate::aut::line;
use crate::base::cancel::Cancel;
use crate::base::ids::Label;
use crate::base::lts::Lts;
use crate::base::parallel;
use std::ops::Range;

/// The number of transitions that a thread writes at a time.
const CHUNK: usize = 1 << 13;

/// The transitions of `range` as text, in consecutive chunks, written by all threads.
pub fn chunks(lts: &Lts, range: Range<usize>) -> Vec<Vec<u8>> {
    let mut done = Vec::new();
    let chunks = range.clone().step_by(CHUNK).map(|start| start..range.end.min(start + CHUNK));
    let write = |range: Range<usize>| {
        let mut text = Vec::with_capacity(range.len() * 24);
        transitions(lts, range, &mut text);
        text
    };
    // This takes milliseconds: there is no need to interrupt.
    let gather = |text| done.push(text);
    parallel::in_order(chunks, write, gather, &Cancel::never()).expect("nobody ends it");
    done
}

/// Appends the transitions of `range` to `out`, one per line.
pub fn transitions(lts: &Lts, range: Range<usize>, out: &mut Vec<u8>) {
    for i in range {
        out.push(b'(');
        decimal(lts.source[i].0, out);
        out.extend_from_slice(b",\"");
        out.extend_from_slice(lts.labels.get(lts.label[i]));
        out.extend_from_slice(b"\",");
        decimal(lts.target[i].0, out);
        out.extend_from_slice(b")\n");
    }
}

/// The first transition whose label cannot be written to a file, and this label.
pub fn unwritable(lts: &Lts) -> Option<(usize, Label)> {
    let bad: Vec<bool> = lts.labels.iter().map(|label| !line::is_writable(label)).collect();
    if !bad.contains(&true) {
        return None;
    }
    let transition = lts.label.iter().position(|&label| bad[label])?;
    Some((transition, lts.label[transition]))
}

/// Appends a number in decimal.
pub fn decimal(value: u32, out: &mut Vec<u8>) {
    let mut text = [0; 10];
    let length = digits(value, &mut text);
    out.extend_from_slice(&text[..length]);
}

/// The decimal digits of 0 to 99.
#[expect(clippy::cast_possible_truncation, reason = "numbers below 100")]
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut value = 0;
    while value < 100 {
        pairs[value] = [b'0' + value as u8 / 10, b'0' + value as u8 % 10];
        value += 1;
    }
    pairs
};

/// Writes a number in decimal to the start of `out`, which has at least 10 bytes; returns its
/// length.
#[expect(clippy::cast_possible_truncation, reason = "one digit")]
pub fn digits(mut value: u32, out: &mut [u8]) -> usize {
    let length = value.checked_ilog10().map_or(1, |log| log as usize + 1);
    let mut at = length;
    while at > 1 {
        at -= 2;
        out[at..at + 2].copy_from_slice(&PAIRS[value as usize % 100]);
        value /= 100;
    }
    if at == 1 {
        out[0] = b'0' + value as u8;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_concatenate_to_the_text() {
        let count = 3 * CHUNK as u32 + 7;
        let column: Vec<u32> = (0..count).collect();
        let labels = [&b"a"[..]].into_iter().collect();
        let lts = Lts::new(0, count, column.clone(), vec![0; count as usize], column, labels);
        let lts = lts.expect("columns of one length");
        for range in [0..0, 5..9, 1..count as usize, CHUNK..2 * CHUNK] {
            let mut text = Vec::new();
            transitions(&lts, range.clone(), &mut text);
            assert_eq!(chunks(&lts, range).concat(), text);
        }
    }

    #[test]
    fn decimals_agree_with_the_standard_library() {
        for value in [0, 1, 9, 10, 99, 100, 4_294_967_294, u32::MAX] {
            let mut out = Vec::new();
            decimal(value, &mut out);
            assert_eq!(out, value.to_string().into_bytes());
        }
    }
}
