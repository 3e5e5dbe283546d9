//! The values of a sort: normal forms made of constructors, in order of their depth.

use crate::data::rewrite::Data;
use crate::data::rewrite::limits::Endless;
use crate::data::terms::Term;
use std::cmp::Ordering;
use std::ops::Range;

/// Why the values of a sort cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoValues {
    /// This sort has no constructors.
    NoConstructors(u32),
    /// An equation of a constructor rewrites without end.
    Endless(Endless),
}

/// Terms between two looks at whether to stop.
const LOOK_EVERY: usize = 1 << 10;

impl Data {
    /// Whether a term of constructors around values is a value itself: no equation fits it.
    ///
    /// Each value is found once. The parts of a normal form are normal forms, so that it is built by
    /// its own constructor from values; what is built and rewritten is another value, or none.
    fn stays(&mut self, term: Term) -> Result<bool, NoValues> {
        if self.terms.is_normal(term) {
            return Ok(true);
        }
        Ok(self.normalise(term).map_err(NoValues::Endless)? == term)
    }
}

/// The first values of a sort in order of their depth, at most `wanted`, and whether that is all.
pub fn first_values(
    data: &mut Data,
    sort: u32,
    wanted: usize,
) -> Result<(Vec<Term>, bool), NoValues> {
    // The sorts that values of this one are built from, and their values so far.
    let mut sorts = vec![sort];
    let mut i = 0;
    while i < sorts.len() {
        let constructors = &data.constructors[sorts[i] as usize];
        if constructors.is_empty() {
            return Err(NoValues::NoConstructors(sorts[i]));
        }
        for &symbol in constructors {
            for &argument in &data.terms.symbols[symbol as usize].arguments {
                if !sorts.contains(&argument) {
                    sorts.push(argument);
                }
            }
        }
        i += 1;
    }
    let place = |sort: u32| sorts.iter().position(|&s| s == sort).expect("collected above");
    let mut values: Vec<Vec<Term>> = vec![Vec::new(); sorts.len()];
    // `old[s]` values of sort s are older than the last round; those after are of the last round.
    let mut old = vec![0; sorts.len()];
    for round in 0.. {
        let before: Vec<usize> = values.iter().map(Vec::len).collect();
        for (s, &own) in sorts.iter().enumerate() {
            for c in 0..data.constructors[own as usize].len() {
                let symbol = data.constructors[own as usize][c];
                let arguments: Vec<usize> = data.terms.symbols[symbol as usize]
                    .arguments
                    .iter()
                    .map(|&argument| place(argument))
                    .collect();
                if arguments.is_empty() {
                    if round == 0 {
                        let value = data.terms.apply(symbol, &[]);
                        if data.stays(value)? {
                            values[s].push(value);
                        }
                    }
                    continue;
                }
                // New is what has an argument of the last round: the first such is argument `new`.
                for new in 0..arguments.len() {
                    let range = |place: usize| match place.cmp(&new) {
                        Ordering::Less => 0..old[arguments[place]],
                        Ordering::Equal => old[arguments[place]]..before[arguments[place]],
                        Ordering::Greater => 0..before[arguments[place]],
                    };
                    let ranges: Vec<Range<usize>> = (0..arguments.len()).map(range).collect();
                    if ranges.iter().any(Range::is_empty) {
                        continue;
                    }
                    let mut chosen: Vec<usize> = ranges.iter().map(|range| range.start).collect();
                    loop {
                        let children: Vec<Term> =
                            chosen.iter().zip(&arguments).map(|(&i, &a)| values[a][i]).collect();
                        let value = data.terms.apply(symbol, &children);
                        if data.stays(value)? {
                            values[s].push(value);
                        }
                        if values[0].len() >= wanted {
                            let found = std::mem::take(&mut values[0]);
                            return Ok((found, false));
                        }
                        if data.terms.len().is_multiple_of(LOOK_EVERY) && data.is_stopped() {
                            return Err(NoValues::Endless(data.stopped()));
                        }
                        let next = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < ranges[i].end);
                        let Some(i) = next else { break };
                        chosen[i] += 1;
                        for later in i + 1..chosen.len() {
                            chosen[later] = ranges[later].start;
                        }
                    }
                }
            }
        }
        if values.iter().map(Vec::len).eq(before.iter().copied()) {
            break;
        }
        old = before;
    }
    Ok((std::mem::take(&mut values[0]), true))
}
