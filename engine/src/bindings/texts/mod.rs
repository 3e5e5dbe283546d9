//! Regular expressions by automata: matching takes time linear in the text, for every expression.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use regex::{Captures, Regex, RegexBuilder};

/// The most memory of a compiled expression, and of the cache of a search.
const LARGEST: usize = 4 << 20;

/// A regular expression in the syntax of the crate `regex`; `.` matches any character.
#[pyclass(frozen)]
struct Regular(Regex);

/// The groups of a match, the whole match first.
type Groups = Vec<Option<String>>;

#[pymethods]
impl Regular {
    #[new]
    fn new(pattern: &str) -> PyResult<Self> {
        RegexBuilder::new(pattern)
            .dot_matches_new_line(true)
            .size_limit(LARGEST)
            .dfa_size_limit(LARGEST)
            .build()
            .map(Self)
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => PyValueError::new_err("it is too large"),
                // The last line has the message, those before it draw its position.
                other => {
                    let text = other.to_string();
                    let last = text.lines().last().unwrap_or_default();
                    PyValueError::new_err(last.trim_start_matches("error: ").to_string())
                }
            })
    }

    /// The number of groups.
    #[getter]
    fn groups(&self) -> usize {
        self.0.captures_len() - 1
    }

    /// Whether some part of a text matches.
    fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The groups of the first match.
    fn first(&self, text: &str) -> Option<Groups> {
        self.0.captures(text).map(|captures| groups(&captures))
    }

    /// The matches, at most `most` (0: all), each preceded by the text before it; and the rest of
    /// the text.
    fn parts(&self, text: &str, most: usize) -> (Vec<(String, Groups)>, String) {
        let most = if most == 0 { usize::MAX } else { most };
        let (mut parts, mut at) = (Vec::new(), 0);
        for captures in self.0.captures_iter(text).take(most) {
            let whole = captures.get(0).expect("a match has a whole");
            parts.push((text[at..whole.start()].to_string(), groups(&captures)));
            at = whole.end();
        }
        (parts, text[at..].to_string())
    }
}

fn groups(captures: &Captures) -> Groups {
    captures.iter().map(|group| group.map(|part| part.as_str().to_string())).collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Regular>()
}
