//! Label patterns: labels chosen by action name, by their whole text, or by a pattern.

use crate::base::label_reader::{actions, has_bar, normal_form, without_blanks};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// A set of label patterns. Each names an action, an action with its arguments, a whole label, or a
/// pattern for any of these in which `*` matches any characters and `?` matches one. `a(...)` is
/// the action `a`, as in formulas. Blanks between tokens do not matter.
#[derive(Default)]
pub struct Names {
    /// The names as they were given, and in normal form.
    plain: FxHashSet<Vec<u8>>,
    patterns: Vec<Pattern>,
}

struct Pattern {
    text: Vec<u8>,
    /// The text without blanks between tokens.
    spaceless: Vec<u8>,
    /// Whether it is for whole multi-actions, as it joins actions itself.
    joins: bool,
}

/// What hiding leaves of a label.
#[derive(Debug, PartialEq, Eq)]
pub enum Rest {
    /// No action is hidden.
    Unchanged,
    /// Some actions of a multi-action are hidden: the text of the others.
    Actions(Vec<u8>),
    /// All actions are hidden.
    Internal,
}

impl Names {
    /// Whether a pattern matches this label, or one of its actions.
    pub fn has(&self, label: &[u8]) -> bool {
        let actions = actions(label);
        self.has_whole(label, actions.len())
            || actions.iter().any(|&action| self.has_action(action))
    }

    /// A label without the actions that a pattern matches.
    pub fn rest(&self, label: &[u8]) -> Rest {
        if self.plain.is_empty() && self.patterns.is_empty() {
            return Rest::Unchanged;
        }
        let mut actions = actions(label);
        if self.has_whole(label, actions.len()) {
            return Rest::Internal;
        }
        let all = actions.len();
        actions.retain(|&action| !self.has_action(action));
        match actions.len() {
            0 => Rest::Internal,
            left if left == all => Rest::Unchanged,
            _ => {
                let texts: Vec<&[u8]> = actions.iter().map(|&(_, text)| text).collect();
                Rest::Actions(texts.join(&b'|'))
            }
        }
    }

    /// The text of a label without the actions that a pattern matches: `tau` if none is left.
    pub fn shown<'a>(&self, label: &'a [u8]) -> Cow<'a, [u8]> {
        match self.rest(label) {
            Rest::Unchanged => Cow::Borrowed(label),
            Rest::Actions(text) => Cow::Owned(text),
            Rest::Internal => Cow::Borrowed(b"tau"),
        }
    }

    /// Whether a pattern matches a label, which has `actions` actions, as a whole.
    fn has_whole(&self, label: &[u8], actions: usize) -> bool {
        self.plain.contains(label)
            || self.plain.contains(&*normal_form(label))
            || (self.patterns.iter())
                .any(|pattern| (actions == 1 || pattern.joins) && pattern.fits(label))
    }

    /// Whether a pattern matches an action, given by its name and its text.
    fn has_action(&self, (name, text): (&[u8], &[u8])) -> bool {
        self.plain.contains(name)
            || self.plain.contains(text)
            || self.plain.contains(&*normal_form(text))
            || (self.patterns.iter()).any(|pattern| fits(&pattern.text, name) || pattern.fits(text))
    }
}

impl Pattern {
    fn fits(&self, text: &[u8]) -> bool {
        fits(&self.text, text) || fits(&self.spaceless, &normal_form(text))
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
                let (spaceless, joins) = (without_blanks(&name, false), has_bar(&name));
                all.patterns.push(Pattern { text: name, spaceless, joins });
            } else {
                all.plain.insert(normal_form(&name).into_owned());
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
        fn matching_agrees_with_the_definition(pattern in "[ab?*é]{0,7}", text in "[abé]{0,9}") {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(
                fits(pattern.as_bytes(), text.as_bytes()),
                naive(&characters(&pattern), &characters(&text))
            );
        }
    }

    #[test]
    fn names_are_labels_actions_or_patterns() {
        let names: Names = ["c", "d(2)", "set*", "?ait", "?!"]
            .map(|name| name.as_bytes().to_vec())
            .into_iter()
            .collect();
        for label in ["c", "c(1,2)", "d(2)", "set", "set_flag(1)", "wait", "wait(3)", "é!"] {
            assert!(names.has(label.as_bytes()), "{label}");
        }
        for label in ["cc", "d", "d(1)", "reset", "await", "ait(wait)"] {
            assert!(!names.has(label.as_bytes()), "{label}");
        }
    }

    #[test]
    fn actions_are_hidden_one_by_one() {
        for (name, label, left) in [
            ("get", "get(0)|put(0)", "put(0)"),
            ("put(0)", "get(0)|put(0)", "get(0)"),
            ("put( 0 )", "get(0)|put(0)", "get(0)"),
            ("put(1)", "get(0)|put(0)", "get(0)|put(0)"),
            ("p*", "put(0)|pick", "tau"),
            ("p*", "get(0)|put(0)", "get(0)"),
            ("put(*)", "get(0)|put(0)|put(1)", "get(0)"),
            ("put(...)", "get(0) | put(0)", "get(0)"),
            ("get(0)|put(0)", "get(0)|put(0)", "tau"),
            ("put(0)|get(0)", "get(0) | put(0)", "tau"),
            ("get(0)|put(0)", "get(0)|put(0)|put(0)", "get(0)|put(0)|put(0)"),
            ("g*|p*", "get(0)|put(0)", "tau"),
            ("*", "get(0)|put(0)", "tau"),
            ("a", "a|tau", "tau"),
            ("a", "a|tau|b (1)", "b (1)"),
            ("a", "a|b.c", "a|b.c"),
            ("a|b.c", "a|b.c", "tau"),
            ("c(true, false)", "c(true,false)", "tau"),
            ("c(true, *)", "c(true,false)", "tau"),
            ("c(true,*)", "c( true, false)", "tau"),
        ] {
            let names: Names = [name.as_bytes().to_vec()].into_iter().collect();
            let rest = names.shown(label.as_bytes()).into_owned();
            assert_eq!(std::str::from_utf8(&rest).unwrap(), left, "{label} without {name}");
        }
    }
}
