//! Transitions as text: every label in quotes, its bytes as they are.

use super::syntax;
use crate::lts::Lts;
use std::ops::Range;

/// Append the rows of `range` to `out`, a line each.
pub fn rows(lts: &Lts, range: Range<usize>, out: &mut Vec<u8>) {
    for i in range {
        out.push(b'(');
        decimal(lts.source[i], out);
        out.extend_from_slice(b",\"");
        out.extend_from_slice(lts.labels.get(lts.label[i]));
        out.extend_from_slice(b"\",");
        decimal(lts.target[i], out);
        out.extend_from_slice(b")\n");
    }
}

/// A label that some row of `lts` has and no file can hold, with the number of that row.
pub fn unwritable(lts: &Lts) -> Option<(usize, u32)> {
    let bad: Vec<bool> = lts.labels.iter().map(|label| !syntax::is_writable(label)).collect();
    if !bad.contains(&true) {
        return None;
    }
    let row = lts.label.iter().position(|&label| bad[label as usize])?;
    Some((row, lts.label[row]))
}

/// Appends a number in decimal.
pub fn decimal(mut value: u32, out: &mut Vec<u8>) {
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for value in [0, 1, 9, 10, 99, 100, 4_294_967_294, u32::MAX] {
            let mut out = Vec::new();
            decimal(value, &mut out);
            assert_eq!(out, value.to_string().into_bytes());
        }
    }
}
