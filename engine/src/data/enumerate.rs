//! Enumerates the values of a sort: the normal forms of its closed constructor terms, without
//! duplicates.
//!
//! A constructor applied to values gives a value, and there are no others. So constructors are
//! applied to the values found, round after round, until a round finds nothing new. If no rule
//! rewrites a constructor, every application is new. Otherwise different applications may have the
//! same value, which need not be built from constructors, and infinitely many terms may have
//! finitely many values.
//!
//! If the rules of a constructor ignore an argument, as in `one(n) = nil`, the constructor is not
//! applied to all values of that argument: the normal form of `one(n)` for an open `n` is used
//! instead.

use crate::base::ids::Id;
use crate::data::logic::{Enumeration, Maker, Values};
use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::{NONE, Term};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Why the values of a sort cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoValues {
    /// This sort has no constructors.
    NoConstructors(u32),
    /// Rewriting an application of a constructor did not finish.
    Unfinished(Unfinished),
}

impl From<Unfinished> for NoValues {
    fn from(error: Unfinished) -> Self {
        Self::Unfinished(error)
    }
}

/// Applications of constructors between two checks for cancellation.
const LOOK_EVERY: usize = 1 << 8;
/// The least number of applications tried for each sort, however few values are needed: they may
/// all have the same value.
const FEWEST_TRIES: usize = 100_000;
/// The number of applications of each constructor tried for each value of the sort, in addition.
const TRIES: usize = 8;
/// The number of rewrite steps that count as one application.
const STEPS: u64 = 64;

/// The first values of a sort, in the order of construction, and whether these are all. At most
/// `needed` values are returned, except that constants are always included. "Not all" is also
/// returned if many more applications of constructors would be needed to decide it.
pub fn first_values(
    data: &mut Data,
    sort: u32,
    needed: usize,
) -> Result<(Vec<Term>, bool), NoValues> {
    let mut known = match data.values.remove(&sort) {
        Some(known) => known,
        None => Enumeration::new(data, sort)?,
    };
    let extended = known.extend(data, needed);
    let values = known.first(needed);
    data.values.insert(sort, known);
    extended?;
    Ok(values)
}

impl Enumeration {
    fn new(data: &mut Data, sort: u32) -> Result<Self, NoValues> {
        let inhabited = data.inhabited(sort)?;
        let (mut sorts, mut makers, mut closed) = (vec![sort], Vec::new(), Vec::new());
        let mut values: Vec<Values> = Vec::new();
        while let Some(&own) = sorts.get(values.len()) {
            let mut seen = None;
            for symbol in data.constructors[own as usize].clone() {
                let arguments = data.terms.symbols[symbol as usize].arguments.clone();
                if !arguments.iter().all(|argument| inhabited.contains(argument)) {
                    continue;
                }
                let variables: Vec<Term> =
                    (0..u32::at(arguments.len())).map(|v| data.terms.variable(v)).collect();
                let mut open = data.terms.apply(symbol, &variables);
                let has_rules = !data.terms.is_inert(symbol);
                if has_rules {
                    seen = Some(FxHashSet::default());
                    open = data.normalise(open)?;
                }
                let mut counting = Vec::new();
                data.terms.variables(open, &mut counting);
                counting.sort_unstable();
                let sort = values.len();
                if counting.is_empty() {
                    closed.push((sort, open));
                    continue;
                }
                let index = |v: u32| {
                    let of = arguments[v as usize];
                    let known = sorts.iter().position(|&s| s == of);
                    let index = known.unwrap_or_else(|| {
                        sorts.push(of);
                        sorts.len() - 1
                    });
                    (v as usize, index)
                };
                let arity = arguments.len();
                let arguments = counting.into_iter().map(index).collect();
                let open = has_rules.then_some(open);
                makers.push(Maker { sort, symbol, open, arguments, arity });
            }
            values.push(Values { all: Vec::new(), seen });
        }
        for (sort, value) in closed {
            values[sort].add(value);
        }
        let old = vec![0; sorts.len()];
        let before = values.iter().map(|of| of.all.len()).collect();
        let (constants, complete) = (values[0].all.len(), makers.is_empty());
        let (ranges, chosen) = (Vec::new(), None);
        let (maker, new, tries) = (0, 0, 0);
        Ok(Self {
            sorts,
            makers,
            values,
            old,
            before,
            maker,
            new,
            ranges,
            chosen,
            constants,
            tries,
            complete,
        })
    }

    /// The first values found so far, at most `needed` or all constants, and whether these are all.
    fn first(&self, needed: usize) -> (Vec<Term>, bool) {
        let all = &self.values[0].all;
        if self.complete && (all.len() < needed || all.len() == self.constants) {
            return (all.clone(), true);
        }
        (all[..all.len().min(needed.max(self.constants))].to_vec(), false)
    }

    /// Searches for more values, until there are `needed`.
    fn extend(&mut self, data: &mut Data, needed: usize) -> Result<(), Unfinished> {
        let least = needed.max(FEWEST_TRIES).saturating_mul(self.sorts.len());
        let mut made = 0;
        while !self.complete && self.values[0].all.len() < needed {
            let more = self.values[0].all.len().saturating_mul(TRIES * self.makers.len());
            if self.tries >= least.saturating_add(more) {
                break;
            }
            if made % LOOK_EVERY == 0 {
                data.cancel.check()?;
            }
            made += 1;
            let steps = data.steps;
            self.step(data)?;
            self.tries += 1 + ((data.steps - steps) / STEPS) as usize;
        }
        Ok(())
    }

    /// Makes the next application of a constructor.
    fn step(&mut self, data: &mut Data) -> Result<(), Unfinished> {
        if self.chosen.is_none() && !self.choose() {
            return Ok(());
        }
        let Some(chosen) = &mut self.chosen else { return Ok(()) };
        let Maker { sort, symbol, open, arguments, arity } = &self.makers[self.maker];
        let mut given = vec![NONE; *arity];
        for (&(argument, of), &value) in arguments.iter().zip(&*chosen) {
            given[argument] = self.values[of].all[value];
        }
        let value = match *open {
            None => data.terms.apply(*symbol, &given),
            Some(open) => {
                let term = data.terms.substitute(open, &given);
                data.normalise(term)?
            }
        };
        self.values[*sort].add(value);
        let next = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < self.ranges[i].end);
        let Some(i) = next else {
            self.chosen = None;
            return Ok(());
        };
        chosen[i] += 1;
        for (position, range) in chosen.iter_mut().zip(&self.ranges).skip(i + 1) {
            *position = range.start;
        }
        Ok(())
    }

    /// Chooses the next combination of arguments. If there are none left, sets `complete` and
    /// returns false.
    fn choose(&mut self) -> bool {
        loop {
            let Some(maker) = self.makers.get(self.maker) else {
                // End of a round: another one follows if it found something new.
                let sizes: Vec<usize> = self.values.iter().map(|of| of.all.len()).collect();
                if sizes == self.before {
                    self.complete = true;
                    return false;
                }
                self.old = std::mem::replace(&mut self.before, sizes);
                (self.maker, self.new) = (0, 0);
                continue;
            };
            if self.new == maker.arguments.len() {
                (self.maker, self.new) = (self.maker + 1, 0);
                continue;
            }
            // An application is new if some argument is from the last round; `new` is the first
            // such argument.
            let (old, before, new) = (&self.old, &self.before, self.new);
            let range = |(position, &(_, of)): (usize, &(usize, usize))| match position.cmp(&new) {
                std::cmp::Ordering::Less => 0..old[of],
                std::cmp::Ordering::Equal => old[of]..before[of],
                std::cmp::Ordering::Greater => 0..before[of],
            };
            self.ranges = maker.arguments.iter().enumerate().map(range).collect();
            self.new += 1;
            if !self.ranges.iter().any(Range::is_empty) {
                self.chosen = Some(self.ranges.iter().map(|range| range.start).collect());
                return true;
            }
        }
    }
}

impl Data {
    /// Whether no rule rewrites a constructor of a sort, so that different constructor terms are
    /// different values.
    pub(crate) fn has_free_constructors(&self, sort: u32) -> bool {
        self.constructors[sort as usize].iter().all(|&symbol| self.terms.is_inert(symbol))
    }

    /// The sorts that have values, among `sort` and the sorts of its constructors' arguments,
    /// recursively.
    fn inhabited(&self, sort: u32) -> Result<FxHashSet<u32>, NoValues> {
        let (mut sorts, mut makers) = (vec![sort], Vec::new());
        let mut next = 0;
        while let Some(&sort) = sorts.get(next) {
            next += 1;
            if self.constructors[sort as usize].is_empty() {
                return Err(NoValues::NoConstructors(sort));
            }
            for &symbol in &self.constructors[sort as usize] {
                let arguments = &self.terms.symbols[symbol as usize].arguments;
                makers.push((sort, arguments));
                for argument in arguments {
                    if !sorts.contains(argument) {
                        sorts.push(*argument);
                    }
                }
            }
        }
        let mut inhabited = FxHashSet::default();
        loop {
            let before = inhabited.len();
            for &(sort, arguments) in &makers {
                if arguments.iter().all(|argument| inhabited.contains(argument)) {
                    inhabited.insert(sort);
                }
            }
            if inhabited.len() == before {
                return Ok(inhabited);
            }
        }
    }

    /// Whether a sort certainly has infinitely many values: some inhabited sort that occurs in it
    /// contains itself by constructors that no rule rewrites.
    pub fn has_infinitely_many_values(&self, sort: u32) -> bool {
        let Ok(inhabited) = self.inhabited(sort) else { return false };
        // The sorts whose values occur unchanged in values of a sort.
        let parts = |sort: u32| {
            let free = self.constructors[sort as usize].iter().filter(|&&c| self.terms.is_inert(c));
            let arguments = free.map(|&symbol| &self.terms.symbols[symbol as usize].arguments);
            arguments.filter(|of| of.iter().all(|part| inhabited.contains(part))).flatten().copied()
        };
        let reached = |from: u32| {
            let mut sorts: Vec<u32> = Vec::new();
            let mut next = parts(from).collect::<Vec<_>>();
            while let Some(sort) = next.pop() {
                if !sorts.contains(&sort) {
                    sorts.push(sort);
                    next.extend(parts(sort));
                }
            }
            sorts
        };
        let below = reached(sort);
        inhabited.contains(&sort)
            && [&[sort], &below[..]].concat().into_iter().any(|part| reached(part).contains(&part))
    }
}
