//! Which summands may have steps in a state, for explorations whose symmetry is to be certified.
//!
//! A summand's *home* is a parameter that some of its conditions read alone. For each value of a
//! parameter the summands at home there whose conditions hold are found once. A summand that is no
//! candidate has no steps, so its other conditions are not looked at, and no local situation is
//! noted for it: instead [`Homes::certify`] proves that the images of candidates are candidates.

use super::linear::{Process, Stop, Summand};
use super::symmetry::Generator;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term};
use rustc_hash::FxHashMap;

/// A parameter where summands are at home.
#[derive(Default)]
struct Home {
    /// The summands that want the parameter to have a value.
    equal: FxHashMap<Term, Vec<u32>>,
    others: Vec<u32>,
    /// The candidates of each value.
    spans: FxHashMap<Term, (u32, u32)>,
    /// The values in order of arrival.
    values: Vec<Term>,
}

/// The homes of all summands, with the candidates of the values met so far.
pub struct Homes {
    homes: Vec<(u32, Home)>,
    place: Vec<usize>,
    always: Vec<u32>,
    members: Vec<u32>,
    given: Vec<Term>,
}

impl Homes {
    /// Homes that the generators permute; summands that are not `free` have none.
    pub fn new(process: &mut Process, generators: &[Generator], free: &[bool]) -> Self {
        let mut chosen: Vec<Option<u32>> = vec![None; process.summands.len()];
        let mut shared: FxHashMap<(u32, Term), usize> = FxHashMap::default();
        let tests: Vec<Vec<(u32, Option<Term>)>> =
            process.summands.iter().map(|summand| tests(process, summand)).collect();
        for &(parameter, constant) in tests.iter().flatten() {
            *shared.entry((parameter, constant.unwrap_or(NONE))).or_default() += 1;
        }
        let rank = |&&(parameter, constant): &&(u32, Option<Term>)| {
            (constant.is_none(), shared[&(parameter, constant.unwrap_or(NONE))])
        };
        let mut seen = vec![false; process.summands.len()];
        for first in 0..process.summands.len() {
            if seen[first] {
                continue;
            }
            let home = tests[first].iter().min_by_key(rank).map(|&(parameter, _)| parameter);
            let mut orbit = vec![(first, home)];
            seen[first] = true;
            let mut is_one = free[first] && home.is_some();
            let mut at = 0;
            let mut homes: FxHashMap<usize, Option<u32>> = [(first, home)].into_iter().collect();
            while at < orbit.len() {
                let (summand, home) = orbit[at];
                at += 1;
                for generator in generators {
                    let image = generator.summands[summand] as usize;
                    let moved = home.map(|p| generator.lifting.positions[p as usize]);
                    if let Some(&known) = homes.get(&image) {
                        is_one &= known == moved;
                    } else {
                        is_one &= free[image] && tests[image].iter().any(|t| Some(t.0) == moved);
                        homes.insert(image, moved);
                        seen[image] = true;
                        orbit.push((image, moved));
                    }
                }
            }
            for (summand, home) in orbit {
                chosen[summand] = home.filter(|_| is_one);
            }
        }
        let mut place = vec![usize::MAX; process.parameters];
        let mut found = Self {
            homes: Vec::new(),
            place: Vec::new(),
            always: Vec::new(),
            members: Vec::new(),
            given: vec![NONE; process.parameters],
        };
        for (i, home) in (0..).zip(chosen) {
            let Some(home) = home else {
                found.always.push(i);
                continue;
            };
            if place[home as usize] == usize::MAX {
                place[home as usize] = found.homes.len();
                found.homes.push((home, Home::default()));
            }
            let own = &mut found.homes[place[home as usize]].1;
            let constant = tests[i as usize].iter().find_map(|&(p, constant)| {
                let value = process.data.normalise(constant.filter(|_| p == home)?).ok()?;
                process.data.terms.is_value(value).then_some(value)
            });
            match constant {
                Some(value) => own.equal.entry(value).or_default().push(i),
                None => own.others.push(i),
            }
        }
        found.place = place;
        found
    }

    /// The candidates of a state, in order.
    pub fn of(&mut self, process: &mut Process, state: &[Term], found: &mut Vec<u32>) {
        found.clear();
        found.extend_from_slice(&self.always);
        for number in 0..self.homes.len() {
            let value = state[self.homes[number].0 as usize];
            let (begin, end) = self.candidates(process, number, value);
            found.extend_from_slice(&self.members[begin..end]);
        }
        found.sort_unstable();
    }

    fn candidates(&mut self, process: &mut Process, number: usize, value: Term) -> (usize, usize) {
        let (parameter, home) = &mut self.homes[number];
        if let Some(&(begin, end)) = home.spans.get(&value) {
            return (begin as usize, end as usize);
        }
        let begin = self.members.len();
        self.given[*parameter as usize] = value;
        let equal = home.equal.get(&value).into_iter().flatten();
        for &i in equal.chain(&home.others) {
            if may_hold(process, i as usize, *parameter, &self.given) {
                self.members.push(i);
            }
        }
        self.members[begin..].sort_unstable();
        let end = self.members.len();
        home.spans.insert(value, (begin as u32, end as u32));
        home.values.push(value);
        (begin, end)
    }

    /// Whether each generator maps the candidates of each value, images of values included, to those
    /// of its image; else a summand of which that is not known.
    pub fn certify(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
    ) -> Result<Result<(), u32>, Stop> {
        let mut done = vec![0; self.homes.len()];
        loop {
            let mut progress = false;
            for (number, done) in done.iter_mut().enumerate() {
                while *done < self.homes[number].1.values.len() {
                    progress = true;
                    let (parameter, home) = &self.homes[number];
                    let (parameter, value) = (*parameter, home.values[*done]);
                    *done += 1;
                    for generator in &mut *generators {
                        let image = generator.lifting.lift(&mut process.data, value)?;
                        let to = generator.lifting.positions[parameter as usize];
                        let other = self.place[to as usize];
                        let (begin, end) = self.candidates(process, other, image);
                        let there = self.members[begin..end].to_vec();
                        let (begin, end) = self.candidates(process, number, value);
                        let here = self.members[begin..end].iter();
                        let mut moved: Vec<u32> =
                            here.map(|&i| generator.summands[i as usize]).collect();
                        moved.sort_unstable();
                        if moved != there {
                            let differs = |i: &&u32| moved.contains(i) != there.contains(i);
                            let first = moved.iter().chain(&there).find(differs);
                            return Ok(Err(*first.expect("they differ")));
                        }
                    }
                }
            }
            if !progress {
                return Ok(Ok(()));
            }
        }
    }
}

/// The parameters that a condition of a summand reads alone, and what it compares them with.
fn tests(process: &Process, summand: &Summand) -> Vec<(u32, Option<Term>)> {
    let terms = &process.data.terms;
    let mut found = Vec::new();
    for conjunct in conjuncts(summand) {
        let Some(parameter) = reads_alone(&process.data, process.parameters, &conjunct) else {
            continue;
        };
        let compared = |one: Term, other: Term| {
            (matches!(terms.head(one), Head::Variable(_)) && terms.is_ground(other))
                .then_some(other)
        };
        let constant = match conjunct[..] {
            [left, right] => compared(left, right).or(compared(right, left)),
            _ => None,
        };
        found.push((parameter, constant));
    }
    found
}

/// Equations as two terms, conditions as one.
fn conjuncts(summand: &Summand) -> impl Iterator<Item = Vec<Term>> {
    let equations = summand.equations.iter().map(|&(left, right)| vec![left, right]);
    equations.chain(summand.conditions.iter().map(|&condition| vec![condition]))
}

/// The only variable of terms, if there is one and it is a parameter.
fn reads_alone(data: &Data, parameters: usize, terms: &[Term]) -> Option<u32> {
    let mut read = Vec::new();
    for &term in terms {
        data.terms.variables(term, &mut read);
    }
    read.dedup();
    match read[..] {
        [variable] if (variable as usize) < parameters => Some(variable),
        _ => None,
    }
}

/// Whether no condition of summand `i` that reads `parameter` alone is known to fail.
fn may_hold(process: &mut Process, i: usize, parameter: u32, given: &[Term]) -> bool {
    for conjunct in conjuncts(&process.summands[i]).collect::<Vec<_>>() {
        if reads_alone(&process.data, process.parameters, &conjunct) != Some(parameter) {
            continue;
        }
        let data = &mut process.data;
        let mut values = Vec::new();
        for &term in &conjunct {
            let term = data.terms.substitute(term, given);
            match data.normalise(term) {
                Ok(normal) => values.push(normal),
                Err(_) => return true,
            }
        }
        let fails = match values[..] {
            [left, right] => {
                left != right && data.terms.is_value(left) && data.terms.is_value(right)
            }
            [condition] => condition == data.falsity,
            _ => unreachable!("one term or two"),
        };
        if fails {
            return false;
        }
    }
    true
}
