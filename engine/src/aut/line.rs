//! The grammar of one line, as bytes: its contents, or the error and its position.

use memchr::{memchr, memrchr};

/// An error in a line; `offset` is that of the first wrong byte.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub offset: usize,
    pub message: String,
}

/// A number and its offset in the line; `None` stands for `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub value: Option<u64>,
    pub offset: usize,
}

/// A transition. `source_at` and `target_at` are the offsets of the states; the label is without
/// quotes.
pub struct Transition<'a> {
    pub source: u64,
    pub label: &'a [u8],
    pub target: u64,
    pub source_at: usize,
    pub target_at: usize,
}

#[cold]
fn fault<T>(offset: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { offset, message: message.into() })
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn skip_blanks(line: &[u8], mut at: usize) -> usize {
    while at < line.len() && is_blank(line[at]) {
        at += 1;
    }
    at
}

/// The end of `line[..end]` without trailing blanks, but at least `start`.
fn trim_end(line: &[u8], start: usize, mut end: usize) -> usize {
    while end > start && is_blank(line[end - 1]) {
        end -= 1;
    }
    end
}

/// The number at `at` and the offset behind it; `None` without a digit. Saturates.
fn number(line: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let start = at;
    let mut value = 0u64;
    while at < line.len() && line[at].is_ascii_digit() {
        value = value.saturating_mul(10).saturating_add(u64::from(line[at] - b'0'));
        at += 1;
    }
    (at > start).then_some((value, at))
}

/// Whether `line` consists of blanks.
pub fn is_empty(line: &[u8]) -> bool {
    skip_blanks(line, 0) == line.len()
}

/// The byte order mark of UTF-8, which may begin a text.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// The numbers of the header: initial state, transitions, states. A byte order mark is skipped.
pub fn header(line: &[u8]) -> Result<[Number; 3], Fault> {
    let mark = if line.starts_with(MARK) { MARK.len() } else { 0 };
    let mut at = skip_blanks(line, mark);
    if !line[at..].starts_with(b"des") {
        return fault(at, "expected the header `des (initial, transitions, states)`");
    }
    at += 3;
    let names = ["the initial state", "the number of transitions", "the number of states"];
    let mut numbers = [Number { value: None, offset: 0 }; 3];
    for (i, name) in names.into_iter().enumerate() {
        at = skip_blanks(line, at);
        let (mark, shown) = if i == 0 { (b'(', "`(` after `des`") } else { (b',', "`,`") };
        if line.get(at) != Some(&mark) {
            return fault(at, format!("expected {shown}"));
        }
        at = skip_blanks(line, at + 1);
        numbers[i].offset = at;
        if let Some((value, next)) = number(line, at) {
            numbers[i].value = Some(value);
            at = next;
        } else if line.get(at) == Some(&b'?') {
            at += 1;
        } else {
            return fault(at, format!("expected {name}"));
        }
    }
    at = skip_blanks(line, at);
    if line.get(at) != Some(&b')') {
        return fault(at, "expected `)` after the number of states");
    }
    at = skip_blanks(line, at + 1);
    if at < line.len() {
        return fault(at, "expected nothing after the header");
    }
    Ok(numbers)
}

/// Whether the header says that no label is internal: a tab stands between `des` and `(`.
///
/// To other tools this is a blank like any other. It is written for a system in which an action
/// named `i` or `tau` is visible, which would otherwise be read back as internal.
pub fn all_visible(line: &[u8]) -> bool {
    let mark = if line.starts_with(MARK) { MARK.len() } else { 0 };
    line[skip_blanks(line, mark)..].starts_with(b"des\t(")
}

/// The transition in `line`.
///
/// The label is the text between the first and the last comma, without surrounding blanks. If it
/// begins and ends with a quote, the label is what lies between, whatever that is.
#[inline]
pub fn transition(line: &[u8]) -> Result<Transition<'_>, Fault> {
    let (source, source_at, start) = head(line)?;
    // From the right: only digits and blanks may occur between the last comma and the bracket.
    let mut end = trim_end(line, start, line.len());
    if end == start || line[end - 1] != b')' {
        return tail_fault(line, start);
    }
    end = trim_end(line, start, end - 1);
    let mut target_at = end;
    while target_at > start && line[target_at - 1].is_ascii_digit() {
        target_at -= 1;
    }
    let comma = trim_end(line, start, target_at);
    if target_at == end || comma == start || line[comma - 1] != b',' {
        return tail_fault(line, start);
    }
    let target = number(line, target_at).map_or(0, |(value, _)| value);
    let label = &line[start..trim_end(line, start, comma - 1)];
    let label = match label {
        [b'"', inner @ .., b'"'] => inner,
        [b'"', ..] => return label_fault(line, start),
        [] => return fault(start, "expected a label"),
        bare => bare,
    };
    Ok(Transition { source, label, target, source_at, target_at })
}

/// The source state, its offset, and the offset where the label starts.
#[inline]
fn head(line: &[u8]) -> Result<(u64, usize, usize), Fault> {
    let mut at = skip_blanks(line, 0);
    if line.get(at) != Some(&b'(') {
        return fault(at, "expected a transition `(source, label, target)`");
    }
    let source_at = skip_blanks(line, at + 1);
    let Some((source, next)) = number(line, source_at) else {
        return fault(source_at, "expected the source state");
    };
    at = skip_blanks(line, next);
    if line.get(at) != Some(&b',') {
        return fault(at, "expected `,` after the source state");
    }
    Ok((source, source_at, skip_blanks(line, at + 1)))
}

/// The error after the last comma of `line`, whose label starts at `start`.
#[cold]
fn tail_fault<T>(line: &[u8], start: usize) -> Result<T, Fault> {
    let Some(comma) = memrchr(b',', &line[start..]).map(|i| start + i) else {
        return if start == line.len() || line[start] == b')' {
            fault(start, "expected a label")
        } else {
            fault(trim_end(line, start, line.len()), "expected `,` and the target state")
        };
    };
    let at = skip_blanks(line, comma + 1);
    let Some((_, at)) = number(line, at) else {
        return fault(at, "expected the target state");
    };
    let at = skip_blanks(line, at);
    if line.get(at) != Some(&b')') {
        return fault(at, "expected `)` after the target state");
    }
    fault(skip_blanks(line, at + 1), "expected nothing after the transition")
}

/// The error in the label at `start`, which begins with a quote but does not end with one.
#[cold]
fn label_fault<T>(line: &[u8], start: usize) -> Result<T, Fault> {
    let comma = memrchr(b',', line).unwrap_or(line.len());
    match memrchr(b'"', &line[start + 1..comma]) {
        None => fault(start, "this quote is never closed"),
        Some(i) => fault(skip_blanks(line, start + i + 2), "expected `,` after the label"),
    }
}

/// Whether `label` can be written to a file, that is, contains no newline.
pub fn is_writable(label: &[u8]) -> bool {
    memchr(b'\n', label).is_none()
}
