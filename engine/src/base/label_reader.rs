//! The reader of labels: the actions of a label, and their arguments, in the syntax of the tools
//! that write them. No byte of a label is ever changed.
//!
//! It reads actions with arguments, `put(1,5)` or `put(1, 5)`, with lists, sets and operators in
//! them; mCRL2's multi-actions `a(1)|b([1, 2])`; CADP's offers, `PUT !1 !CONS (1, NIL) !"a text"`;
//! and words separated by blanks, `put 1 5`. Any other label is one action without arguments, whose
//! name is the whole label.
//!
//! A `|` outside brackets and quotes joins actions if everything between is an action as mCRL2
//! writes it: an identifier, with arguments in round brackets if it has some. As in mCRL2, `tau` is
//! left out of a multi-action; if no other action remains, the label is `tau`.

use crate::base::ids::Id;
use std::borrow::Cow;

/// A datum of a label, or an action with its arguments: `bytes[start..end]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelPart {
    pub start: usize,
    pub end: usize,
    /// The end of its name, which is its first word or its opening bracket; `start` if it has no
    /// name because it consists of several data without a comma between them.
    pub name_end: usize,
    /// The number of its words, texts and opening brackets.
    pub size: usize,
    /// The data inside, by their numbers in `Reading::parts`.
    pub inner: Vec<u32>,
}

/// An action of a label: `bytes[start..end]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub start: usize,
    pub end: usize,
    pub name_end: usize,
    /// Its arguments, by their numbers in `Reading::parts`.
    pub arguments: Vec<u32>,
}

/// A label that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// All data, each after the data inside it.
    pub parts: Vec<LabelPart>,
    pub actions: Vec<Action>,
    form: Form,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    /// An action, or several joined by `|`.
    #[default]
    Actions,
    /// A gate with offers.
    Offers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Text,
    Open,
    Close,
    Comma,
    Word,
}

/// The actions of a label, of which it has at least one. `None` if it has no structure.
pub fn read(label: &[u8]) -> Option<Reading> {
    if let Some(gate) = gate(label) {
        return offers(label, gate);
    }
    let (mut parts, components) = nodes(label, 0, b'|')?;
    let several = components.len() > 1;
    let mut actions = Vec::with_capacity(components.len());
    let mut nothing = None;
    for component in components {
        let action = action(label, &mut parts, &component)?;
        if several && !is_joined(label, &parts, &component) {
            return None;
        }
        if several && label[action.start..action.end] == *b"tau" {
            nothing.get_or_insert(action);
        } else {
            actions.push(action);
        }
    }
    if actions.is_empty() {
        actions.extend(nothing);
    }
    (!actions.is_empty()).then_some(Reading { parts, actions, form: Form::Actions })
}

/// The name and the text of every action of a label.
pub fn actions(label: &[u8]) -> Vec<(&[u8], &[u8])> {
    match read(label) {
        Some(read) => (read.actions.iter())
            .map(|action| (&label[action.start..action.name_end], &label[action.start..action.end]))
            .collect(),
        None => vec![(label, label)],
    }
}

/// The form of a label that is the same for all labels that differ only in blanks between tokens,
/// or in the order of the actions of a multi-action. Nearly always the label itself.
pub fn normal_form(label: &[u8]) -> Cow<'_, [u8]> {
    if !label.iter().any(|&byte| byte == b'|' || is_blank(byte)) {
        return Cow::Borrowed(label);
    }
    let Some(read) = read(label) else { return Cow::Borrowed(label) };
    let mut forms: Vec<Vec<u8>> = (read.actions.iter())
        .map(|action| {
            if read.form == Form::Actions {
                return without_blanks(&label[action.start..action.end], false);
            }
            let mut text = label[action.start..action.name_end].to_vec();
            for &value in &action.arguments {
                let value = &read.parts[value as usize];
                text.push(b'!');
                text.extend(without_blanks(&label[value.start..value.end], true));
            }
            text
        })
        .collect();
    forms.sort_unstable();
    Cow::Owned(forms.join(&b'|'))
}

/// A text without the blanks that separate no tokens. In a datum and inside brackets, only a blank
/// between two words or between two operators separates tokens. Elsewhere in a label, where blanks
/// separate arguments, every blank does, except between a word and an opening round bracket.
pub fn without_blanks(text: &[u8], is_datum: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut depth, mut gap, mut before) = (0, 0usize, false, None);
    while at < text.len() {
        let Some((kind, end)) = token(text, at) else {
            out.extend_from_slice(&text[at..]);
            break;
        };
        if kind == Kind::Blank {
            gap = before.is_some();
            at = end;
            continue;
        }
        if gap && let Some((last, byte)) = before {
            let both = |of: Kind| last == of && kind == of;
            let needs_blank = if is_datum || depth > 0 {
                both(Kind::Word) && is_of_word(byte) == is_of_word(text[at])
            } else {
                !(text[at] == b'(' && last == Kind::Word && is_of_word(byte))
            };
            if needs_blank {
                out.push(b' ');
            }
        }
        depth = match kind {
            Kind::Open => depth + 1,
            Kind::Close => depth.saturating_sub(1),
            _ => depth,
        };
        out.extend_from_slice(&text[at..end]);
        (before, gap, at) = (Some((kind, text[end - 1])), false, end);
    }
    out
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'\x0b' | b'\x1c'..=b'\x1f')
}

/// Whether a byte belongs to names and numbers, and not to operators.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_'.#@".contains(&byte)
}

/// Whether a text in quotation marks begins at a token.
fn is_text(label: &[u8], at: usize) -> bool {
    label[at] == b'"' || label[at..].starts_with(b"\\\"")
}

/// Whether a `|` outside brackets and quotes separates parts of a label or pattern.
pub fn has_bar(text: &[u8]) -> bool {
    text.contains(&b'|') && nodes(text, 0, b'|').is_none_or(|(_, lists)| lists.len() > 1)
}

/// The kind of the token at `at`, and its end. `None` if a quotation mark is not closed.
fn token(label: &[u8], at: usize) -> Option<(Kind, usize)> {
    let end_of = |is: fn(u8) -> bool| {
        label[at..].iter().position(|&byte| !is(byte)).map_or(label.len(), |more| at + more)
    };
    Some(match label[at] {
        byte if is_blank(byte) => (Kind::Blank, end_of(is_blank)),
        b'"' => (Kind::Text, end_of_text(label, at)?),
        b'\\' if label.get(at + 1) == Some(&b'"') => (Kind::Text, end_of_escaped(label, at)?),
        b'(' | b'[' | b'{' => (Kind::Open, at + 1),
        b')' | b']' | b'}' => (Kind::Close, at + 1),
        b',' => (Kind::Comma, at + 1),
        _ => {
            let mut end = at;
            while let Some(&byte) = label.get(end) {
                if is_blank(byte)
                    || b"\"()[]{},".contains(&byte)
                    || byte == b'\\' && label.get(end + 1) == Some(&b'"')
                {
                    break;
                }
                end += 1;
            }
            (Kind::Word, end)
        }
    })
}

/// The end of a text `"..."`, in which a backslash comes before any other byte.
fn end_of_text(label: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    loop {
        match label.get(end)? {
            b'"' => return Some(end + 1),
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
}

/// The end of a text `\"...\"`, whose quotation marks some files write with backslashes.
fn end_of_escaped(label: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 2;
    loop {
        match (label.get(end)?, label.get(end + 1)) {
            (b'\\', Some(b'"')) => return Some(end + 2),
            (b'\\', Some(_)) => end += 2,
            (b'\\' | b'"', _) => return None,
            _ => end += 1,
        }
    }
}

/// Where the gate of a label with offers begins and ends, and where its first offer begins.
fn gate(label: &[u8]) -> Option<[usize; 3]> {
    let start = label.iter().position(|&byte| !is_blank(byte))?;
    let is_end = |byte: &u8| is_blank(*byte) || b"!?()[]{}\",|".contains(byte);
    let end = start + label[start..].iter().position(is_end)?;
    let offer = end + label[end..].iter().position(|&byte| !is_blank(byte))?;
    (end > start && label[offer] == b'!' && label.get(offer + 1) != Some(&b'='))
        .then_some([start, end, offer])
}

/// The values of a gate with offers.
fn offers(label: &[u8], [start, name_end, offer]: [usize; 3]) -> Option<Reading> {
    let (mut parts, values) = nodes(label, offer, b'!')?;
    if !values[0].is_empty() || values[1..].iter().any(Vec::is_empty) {
        return None;
    }
    let arguments = values[1..].iter().map(|value| joined(&mut parts, value)).collect();
    let end = parts.last().map_or(name_end, |_| label.trim_ascii_end().len());
    let actions = vec![Action { start, end, name_end, arguments }];
    Some(Reading { parts, actions, form: Form::Offers })
}

/// Adjacent data as one part.
fn joined(parts: &mut Vec<LabelPart>, nodes: &[u32]) -> u32 {
    let [first, .., last] = nodes else { return nodes[0] };
    let (start, end) = (parts[*first as usize].start, parts[*last as usize].end);
    let size = nodes.iter().map(|&node| parts[node as usize].size).sum();
    push(parts, LabelPart { start, end, name_end: start, size, inner: nodes.to_vec() })
}

fn push(parts: &mut Vec<LabelPart>, part: LabelPart) -> u32 {
    parts.push(part);
    u32::at(parts.len() - 1)
}

/// `name`, `name(part,..)`, `name[part](part,..)` or `name part ..` as an action.
fn action(label: &[u8], parts: &mut [LabelPart], nodes: &[u32]) -> Option<Action> {
    let (&head, mut others) = nodes.split_first()?;
    let head = &mut parts[head as usize];
    if b"([{".contains(&label[head.start]) || is_text(label, head.start) {
        return None;
    }
    let (start, name_end) = (head.start, head.name_end);
    let mut arguments = head.inner.clone();
    let mut end = head.end;
    let last = parts[*nodes.last()? as usize].end;
    while let Some((&next, rest)) = others.split_first() {
        let next = &parts[next as usize];
        if next.start != end || !b"([{".contains(&label[next.start]) {
            break;
        }
        arguments.extend(&next.inner);
        (end, others) = (next.end, rest);
    }
    let action = Action { start, end: last, name_end, arguments };
    if end > name_end {
        return others.is_empty().then_some(action);
    }
    let mut before = end;
    for &other in others {
        let other = &parts[other as usize];
        if other.start == before {
            return None;
        }
        before = other.end;
    }
    Some(Action { arguments: others.to_vec(), ..action })
}

/// Whether a component of a label is an action of a multi-action.
fn is_joined(label: &[u8], parts: &[LabelPart], nodes: &[u32]) -> bool {
    let [head] = nodes else { return false };
    let head = &parts[*head as usize];
    let name = &label[head.start..head.name_end];
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    is_letter(name[0])
        && name.iter().all(|&byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'\'')
}

/// An open bracket: where it is, the nodes before it, and the parts inside so far.
struct Frame {
    start: usize,
    outer: Vec<u32>,
    parts: Vec<u32>,
}

/// All parts from `at` on, and the nodes between separators outside brackets. `None` if brackets
/// do not match. Iterative, so that nesting of any depth is read.
fn nodes(label: &[u8], mut at: usize, separator: u8) -> Option<(Vec<LabelPart>, Vec<Vec<u32>>)> {
    let (mut parts, mut lists) = (Vec::new(), Vec::new());
    let (mut current, mut stack): (Vec<u32>, Vec<Frame>) = Default::default();
    let leaf = |start, end| LabelPart { start, end, name_end: end, size: 1, inner: Vec::new() };
    while at < label.len() {
        let (kind, end) = token(label, at)?;
        let start = std::mem::replace(&mut at, end);
        match kind {
            Kind::Blank => {}
            Kind::Open => {
                let outer = std::mem::take(&mut current);
                stack.push(Frame { start, outer, parts: Vec::new() });
            }
            Kind::Comma => {
                let frame = stack.last_mut()?;
                if current.is_empty() {
                    return None;
                }
                frame.parts.push(joined(&mut parts, &current));
                current.clear();
            }
            Kind::Close => {
                let mut frame = stack.pop()?;
                let pair = [label[frame.start], label[start]];
                if ![*b"()", *b"[]", *b"{}"].contains(&pair) {
                    return None;
                }
                if !current.is_empty() {
                    frame.parts.push(joined(&mut parts, &current));
                } else if !frame.parts.is_empty() {
                    return None;
                }
                current = std::mem::take(&mut frame.outer);
                close(label, &mut parts, frame, end, &mut current);
            }
            Kind::Text => current.push(push(&mut parts, leaf(start, end))),
            Kind::Word if stack.is_empty() => {
                let mut from = start;
                for (more, &byte) in label[start..end].iter().enumerate() {
                    if byte == separator {
                        if from < start + more {
                            current.push(push(&mut parts, leaf(from, start + more)));
                        }
                        lists.push(std::mem::take(&mut current));
                        from = start + more + 1;
                    }
                }
                if from < end {
                    current.push(push(&mut parts, leaf(from, end)));
                }
            }
            Kind::Word => {
                let in_bag = stack.last().is_some_and(|frame| label[frame.start] == b'{');
                let middle = colon(&label[start..end], in_bag).map_or(end, |more| start + more);
                current.push(push(&mut parts, leaf(start, middle)));
                if middle < end {
                    current.push(push(&mut parts, leaf(middle, middle + 1)));
                }
                if middle + 1 < end {
                    current.push(push(&mut parts, leaf(middle + 1, end)));
                }
            }
        }
    }
    lists.push(current);
    stack.is_empty().then_some((parts, lists))
}

/// Where the colon of a bag is in a word, as in `{1: 2}` or `{1:2}`; it does not belong to the
/// numbers.
fn colon(word: &[u8], in_bag: bool) -> Option<usize> {
    let last = word.iter().rposition(|&byte| byte == b':')?;
    let multiplicity = &word[last + 1..];
    let counted = in_bag
        && last > 0
        && !word[..last].contains(&b':')
        && !multiplicity.is_empty()
        && multiplicity.iter().all(u8::is_ascii_digit);
    (counted || word.len() > 1 && multiplicity.is_empty()).then_some(last)
}

/// Adds the part that ends with a closing bracket.
fn close(
    label: &[u8],
    parts: &mut Vec<LabelPart>,
    frame: Frame,
    end: usize,
    current: &mut Vec<u32>,
) {
    let size = 1 + frame.parts.iter().map(|&part| parts[part as usize].size).sum::<usize>();
    let start = frame.start;
    if label[start] == b'('
        && let Some(last) = current.last_mut()
    {
        let head = &parts[*last as usize];
        let is_word = head.name_end == head.end && !is_text(label, head.start);
        let byte = label[head.end - 1];
        let is_name = byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_'".contains(&byte);
        if is_word && (head.end == start || is_name) {
            let size = head.size + size;
            let part = LabelPart { end, size, inner: frame.parts, ..head.clone() };
            *last = push(parts, part);
            return;
        }
    }
    current
        .push(push(parts, LabelPart { start, end, name_end: start + 1, size, inner: frame.parts }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(label: &str) -> Vec<&str> {
        let parsed = actions(label.as_bytes());
        parsed.into_iter().map(|(name, _)| std::str::from_utf8(name).unwrap()).collect()
    }

    #[test]
    fn actions_are_read_in_all_dialects() {
        for (label, expected) in [
            ("put(1, 5)", &["put"][..]),
            ("put 1 5", &["put"]),
            ("PUT !1 !TRUE", &["PUT"]),
            ("PUT !CONS (1, NIL) !\"a, text\"", &["PUT"]),
            ("PUT!1", &["PUT"]),
            ("PUT !1|GET", &["PUT"]), // the `|` is part of the value
            ("put [1, 2] \"a, b\"", &["put"]),
            ("put (1, 2)", &["put"]),
            ("send[1](x)", &["send"]),
            ("a(1)|b(2)", &["a", "b"]),
            ("a | b", &["a", "b"]),
            ("a|a(\"x|y\")|c({1|2})", &["a", "a", "c"]),
            ("a|tau|b", &["a", "b"]),
            ("tau", &["tau"]),
            ("tau|tau", &["tau"]),
            ("a!=b", &["a!=b"]),
            ("a != b", &["a"]),
            ("alone", &["alone"]),
            // No structure: one action, which is all of it.
            ("see you, all", &["see you, all"]),
            ("put 1|get 2", &["put 1|get 2"]),
            ("p.x|q", &["p.x|q"]),
            ("1|2", &["1|2"]),
            ("a||b", &["a||b"]),
            ("a|", &["a|"]),
            ("open (1", &["open (1"]),
            ("put(1)x", &["put(1)x"]),
            ("put !1 !", &["put !1 !"]),
            ("\"a text\" more", &["\"a text\" more"]),
            ("", &[""]),
        ] {
            assert_eq!(names(label), expected, "{label}");
        }
    }

    #[test]
    fn normal_forms_do_not_depend_on_blanks() {
        for (label, expected) in [
            ("c(true, false)", "c(true,false)"),
            ("c ( true ,\tfalse ) ", "c(true,false)"),
            ("b | a (1)", "a(1)|b"),
            ("a|tau", "a"),
            (" tau | tau", "tau"),
            ("put  1   5", "put 1 5"),
            ("PUT  ! 1 !CONS (1, NIL)", "PUT!1!CONS(1,NIL)"),
            ("PUT!1 !CONS(1,NIL)", "PUT!1!CONS(1,NIL)"),
            ("a(\"x  y\", f (z))", "a(\"x  y\",f(z))"),
            ("a(1 / 2)", "a(1/2)"),
            ("a({1: 2})", "a({1:2})"),
            ("a(x y)", "a(x y)"),
            ("a(- -1)", "a(- -1)"),
            ("put [1]", "put [1]"),
            ("see  you, all", "see  you, all"),
        ] {
            let form = normal_form(label.as_bytes());
            assert_eq!(std::str::from_utf8(&form).unwrap(), expected, "{label}");
        }
    }

    proptest! {
        #[test]
        fn normal_forms_preserve_actions(label in "[ab1 ,()|!\"{:\\\\+]{0,12}") {
            let label = label.as_bytes();
            let normal = normal_form(label).into_owned();
            prop_assert_eq!(&*normal_form(&normal), &normal[..]);
            if let Some(reading) = read(label) {
                let mut before: Vec<&[u8]> = actions(label).into_iter().map(|action| action.0).collect();
                let mut after: Vec<&[u8]> = actions(&normal).into_iter().map(|action| action.0).collect();
                before.sort_unstable();
                after.sort_unstable();
                prop_assert_eq!(before, after);
                for part in &reading.parts {
                    prop_assert!(part.start <= part.name_end && part.name_end <= part.end);
                }
            }
        }
    }
}
