//! The text of labels in formulas.

use crate::base::ids::Label;
use crate::compare::disjoint_union::Systems;
use crate::formula::Names;

impl Names for Systems {
    /// A label as text of a formula: unchanged if it is a name, perhaps with arguments, else in
    /// quotation marks; `tau` for the internal label.
    fn name(&self, label: Label) -> Vec<u8> {
        if Some(label) == self.graph.tau {
            return b"tau".to_vec();
        }
        let text = self.lts.labels.get(label);
        if is_plain(text) {
            return text.to_vec();
        }
        let mut quoted = vec![b'"'];
        for &byte in text {
            if byte == b'"' || byte == b'\\' {
                quoted.push(b'\\');
            }
            quoted.push(byte);
        }
        quoted.push(b'"');
        quoted
    }
}

/// Whether a label can be written without quotation marks: a name that is no keyword, perhaps with
/// arguments in matching brackets.
fn is_plain(text: &[u8]) -> bool {
    const MEANING: [&[u8]; 8] = [b"tau", b"true", b"false", b"mu", b"nu", b"not", b"and", b"or"];
    let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let end = text.iter().position(|&b| !letter(b)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() || name[0].is_ascii_digit() || MEANING.contains(&name) {
        return false;
    }
    let mut depth = 0;
    for (at, &byte) in rest.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ if !letter(byte) && byte != b',' => return false,
            _ => {}
        }
        if depth == 0 && at + 1 < rest.len() {
            return false;
        }
    }
    depth == 0
}
