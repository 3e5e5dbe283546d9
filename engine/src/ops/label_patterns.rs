//! Label patterns: labels chosen by action name, by their whole text, or by a pattern.

use rustc_hash::FxHashSet;

/// The action name of a label: the text up to the first bracket, or the first word of labels such
/// as `put 1 5` and CADP's `PUT !1 !TRUE`.
pub fn action(label: &[u8]) -> &[u8] {
    let name = memchr::memchr(b'(', label).map_or(label, |end| &label[..end]);
    if !name.iter().any(|&byte| is_blank(byte) || byte == b'!') {
        return name; // no bracket or blank: the most common case
    }
    first_word(label).unwrap_or(name)
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

/// The first word of a label, if further words or offers follow it. `None` if there is a comma or
/// `|` outside brackets, or if brackets do not match.
fn first_word(label: &[u8]) -> Option<&[u8]> {
    let label = label.trim_ascii_start();
    let ends = |byte: &u8| is_blank(*byte) || b"!?()[]{}\",|".contains(byte);
    let (word, rest) = label.split_at(label.iter().position(ends)?);
    let (mut open, mut bytes) = (Vec::new(), rest.iter());
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b')' | b']' | b'}' if open.pop() != Some(*byte) => return None,
            b',' | b'|' if open.is_empty() => return None,
            b'"' => while *bytes.next()? != b'"' {},
            _ => {}
        }
    }
    let offers = rest.trim_ascii_start();
    let follows = match offers {
        [] | [b'!'] => false,
        [b'!', after, ..] if *after != b'=' => true,
        _ => offers.len() < rest.len(),
    };
    (follows && open.is_empty() && !word.is_empty()).then_some(word)
}

/// A set of label patterns. Each names a label, an action, or a pattern for either in which `*`
/// matches any characters and `?` matches one. `a(...)` is the action `a`, as in formulas.
#[derive(Default)]
pub struct Names {
    plain: FxHashSet<Vec<u8>>,
    patterns: Vec<Vec<u8>>,
}

impl Names {
    /// Whether a pattern matches this label.
    pub fn has(&self, label: &[u8]) -> bool {
        let name = action(label);
        self.plain.contains(label)
            || self.plain.contains(name)
            || self.patterns.iter().any(|pattern| fits(pattern, label) || fits(pattern, name))
    }
}

impl FromIterator<Vec<u8>> for Names {
    fn from_iter<I: IntoIterator<Item = Vec<u8>>>(names: I) -> Self {
        let mut all = Self::default();
        for name in names {
            // As in formulas: every label of the action, whatever its arguments.
            let name = match name.strip_suffix(b"(...)") {
                Some(action) if !action.is_empty() => action.to_vec(),
                _ => name,
            };
            if memchr::memchr2(b'*', b'?', &name).is_some() {
                all.patterns.push(name);
            } else {
                all.plain.insert(name);
            }
        }
        all
    }
}

/// Whether a pattern matches the whole text. It backtracks to the last `*` only: the earlier ones
/// already match as little as possible.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                t = next(text, t);
            }
            Some(byte) if *byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((again, from)) = &mut star else { return false };
                *from += 1;
                (p, t) = (*again + 1, *from);
            }
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

/// The position after the character at `at`, which includes its UTF-8 continuation bytes.
fn next(text: &[u8], at: usize) -> usize {
    let goes_on = |byte: &&u8| **byte & 0xc0 == 0x80;
    let lead = text[at] >= 0xc0;
    at + 1 + if lead { text[at + 1..].iter().take_while(goes_on).count() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition of matching, character by character.
    fn naive(pattern: &[char], text: &[char]) -> bool {
        match (pattern.first(), text.first()) {
            (None, None) => true,
            (Some('*'), _) => {
                naive(&pattern[1..], text) || !text.is_empty() && naive(pattern, &text[1..])
            }
            (Some('?'), Some(_)) => naive(&pattern[1..], &text[1..]),
            (Some(a), Some(b)) => a == b && naive(&pattern[1..], &text[1..]),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn patterns_fit_as_defined(pattern in "[ab?*é]{0,7}", text in "[abé]{0,9}") {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(
                fits(pattern.as_bytes(), text.as_bytes()),
                naive(&characters(&pattern), &characters(&text))
            );
        }
    }

    #[test]
    fn an_action_is_what_begins_a_label() {
        for (label, name) in [
            ("put(1, 5)", "put"),
            ("put 1 5", "put"),
            ("PUT !1 !TRUE", "PUT"),
            ("PUT !CONS (1, NIL) !\"a, text\"", "PUT"),
            ("PUT!1", "PUT"),
            ("put [1, 2] \"a, b\"", "put"),
            ("put (1, 2)", "put"),
            ("a != b", "a"),
            ("a!=b", "a!=b"),
            ("see you, all", "see you, all"),
            ("a(1)|b(2)", "a"),
            ("a | b", "a | b"),
            ("open (1", "open "),
            ("!1", "!1"),
            ("\"a text\" more", "\"a text\" more"),
            ("alone", "alone"),
            ("alone ", "alone "),
            ("", ""),
        ] {
            assert_eq!(action(label.as_bytes()), name.as_bytes(), "{label}");
        }
    }

    #[test]
    fn names_are_labels_actions_or_patterns() {
        let names: Names = ["c", "d(2)", "set*", "?ait"]
            .map(|name| name.as_bytes().to_vec())
            .into_iter()
            .collect();
        for label in ["c", "c(1,2)", "d(2)", "set", "set_flag(1)", "wait", "wait(3)"] {
            assert!(names.has(label.as_bytes()), "{label}");
        }
        for label in ["cc", "d", "d(1)", "reset", "await", "ait(wait)"] {
            assert!(!names.has(label.as_bytes()), "{label}");
        }
    }
}
