//! Isomorphism of two systems, with the map, or a reason why there is none.
//!
//! States are coloured by an equitable partition (see `paired_colours`), and pairs of states of one
//! colour are given a colour of their own until all colours have one state of each side (McKay,
//! Practical graph isomorphism, 1981). If a pair was a wrong choice, the remaining problem is split
//! before others are tried: steps between two colours do not matter if all states of one have them
//! to all states of the other, and without these steps the systems fall apart into components. Each
//! of these is compared with one component of every kind found so far, so wrong choices in one are
//! not repeated for those in others. Wrong choices in one component are tried exhaustively.

use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::disjoint_sets::DisjointSets;
use crate::base::ids::{Block, Id, Label, NONE, State};
use crate::symmetry::paired_colours::{Class, Colours, Edges, SplitLog};
use std::collections::BTreeMap;

/// The deepest nesting of choices and components that is searched.
const DEEPEST: usize = 500;

/// Whether two systems are isomorphic.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are; with the image of every state of the left system.
    Yes(Vec<u32>),
    /// They are not.
    No(Reason),
}

/// A reason why two systems are not isomorphic.
#[derive(Debug, PartialEq, Eq)]
pub enum Reason {
    /// They have different numbers of states.
    States([usize; 2]),
    /// They have different numbers of transitions.
    Transitions([usize; 2]),
    /// They have different numbers of transitions with a label.
    Label(Label, [usize; 2]),
    /// The last class has different numbers of states of the two systems. Classes refer to earlier
    /// ones.
    Class(Vec<Class>, [u32; 2]),
    /// All maps were tried, with this many wrong choices.
    Search(u64),
}

/// Decides whether two systems over one table of labels are isomorphic, unreachable states
/// included: whether a bijection between their states maps the initial state to the initial one,
/// and the transitions of one system to those of the other. More than `limit` wrong choices, or
/// more than [`DEEPEST`] nested ones, are a [`NoResult::Limit`].
pub fn isomorphism(left: &Graph, right: &Graph, limit: u64, cancel: &Cancel) -> Limited<Verdict> {
    if let Some(reason) = different_numbers(left, right) {
        return Ok(Verdict::No(reason));
    }
    let names: Vec<u32> = (0..u32::at(left.labels)).collect();
    let edges = Edges::new(left, right, &names);
    let initial = [left.initial.0, right.initial.0];
    let equitable = |log| Colours::equitable(left.states, &edges, initial, log, cancel);
    let Ok(colours) = equitable(None)? else {
        let log = equitable(Some(SplitLog::default()))?.err().flatten();
        return Ok(Verdict::No(class_reason(&log.expect("it was recorded"))));
    };
    let mut search = IsomorphismSearch { wrong: 0, limit, cancel };
    match search.run(&edges, &colours, 0)? {
        None => Ok(Verdict::No(Reason::Search(search.wrong))),
        Some(images) => {
            assert!(maps(left, right, &images), "an isomorphism maps steps to steps");
            Ok(Verdict::Yes(images))
        }
    }
}

/// Whether a map of states is an isomorphism.
fn maps(left: &Graph, right: &Graph, images: &[u32]) -> bool {
    let mut seen = vec![false; right.states];
    let image = |state: State| State(images[state.index()]);
    images.iter().for_each(|&state| seen[state as usize] = true);
    left.states == right.states
        && seen.iter().all(|&seen| seen)
        && left.transitions() == right.transitions()
        && image(left.initial) == right.initial
        && (left.all()).all(|(s, a, t)| right.targets(image(s), a).binary_search(&image(t)).is_ok())
}

fn different_numbers(left: &Graph, right: &Graph) -> Option<Reason> {
    if left.states != right.states {
        return Some(Reason::States([left.states, right.states]));
    }
    let count = |graph: &Graph| {
        let mut counts = vec![0; graph.labels];
        graph.forward.label.iter().for_each(|&label| counts[label] += 1);
        counts
    };
    let (of_left, of_right): (Vec<usize>, Vec<usize>) = (count(left), count(right));
    let mut labels = (0..).zip(of_left.into_iter().zip(of_right));
    if let Some((label, (a, b))) = labels.find(|(_, (a, b))| a != b) {
        let transitions = [left.transitions(), right.transitions()];
        return Some(if transitions[0] == transitions[1] {
            Reason::Label(Label(label), [a, b])
        } else {
            Reason::Transitions(transitions)
        });
    }
    None
}

/// The class with different numbers of states, and those that it depends on.
fn class_reason(log: &SplitLog) -> Reason {
    let (last, counts) = log.apart.expect("there is such a class");
    let mut needed = vec![false; log.classes.len()];
    needed[last as usize] = true;
    for class in (0..=last as usize).rev() {
        if needed[class] {
            log.classes[class].uses().for_each(|earlier| needed[earlier as usize] = true);
        }
    }
    let mut number = vec![0; log.classes.len()];
    let mut classes = Vec::new();
    for class in (0..=last as usize).filter(|&class| needed[class]) {
        number[class] = u32::at(classes.len());
        classes.push(log.classes[class].renumbered(&number));
    }
    Reason::Class(classes, counts)
}

struct IsomorphismSearch<'a> {
    /// The number of wrong choices so far.
    wrong: u64,
    limit: u64,
    cancel: &'a Cancel,
}

impl IsomorphismSearch<'_> {
    /// For every state of the left side its image under an isomorphism that preserves an equitable
    /// partition, or `None` if there is none.
    fn run(&mut self, edges: &Edges, colours: &Colours, depth: usize) -> Limited<Option<Vec<u32>>> {
        self.cancel.check()?;
        if let Some(images) = self.first_choices(edges, colours.clone())? {
            return Ok(Some(images));
        }
        self.wrong += 1;
        if self.wrong > self.limit || depth == DEEPEST {
            return Err(NoResult::Limit);
        }
        let components = components(edges, colours, self.cancel)?;
        if components.len() > 2 {
            return self.by_components(edges, colours, &components, depth);
        }
        let open = colours.blocks().filter(|&block| colours.members(block).len() > 2);
        let block = open.min_by_key(|&block| colours.members(block).len());
        // Without an open block there was no choice that could be wrong.
        let (state, candidates) = colours.candidates(block.expect("there is an open block"), 0);
        for image in candidates {
            let mut refined = colours.clone();
            if refined.individualise(edges, state, image, self.cancel)?
                && let Some(images) = self.run(edges, &refined, depth + 1)?
            {
                return Ok(Some(images));
            }
        }
        Ok(None)
    }

    /// Pairs states of open blocks until there are none: `None` if two of them did not correspond.
    fn first_choices(&self, edges: &Edges, mut colours: Colours) -> Result<Option<Vec<u32>>> {
        let (mut scan, mut choices) = (0, 0);
        while let Some(block) = colours.next_open(&mut scan) {
            self.cancel.check_at(choices)?;
            choices += 1;
            let [state, image] = colours.first_pair(block);
            if !colours.individualise(edges, state, image, self.cancel)? {
                return Ok(None);
            }
        }
        Ok(Some(colours.images()))
    }

    /// Maps the components of the left side to those of the right side.
    fn by_components(
        &mut self,
        edges: &Edges,
        colours: &Colours,
        components: &[Vec<u32>],
        depth: usize,
    ) -> Limited<Option<Vec<u32>>> {
        let mut by_blocks: BTreeMap<Vec<Block>, Vec<&Vec<u32>>> = BTreeMap::new();
        for component in components {
            let blocks = component.iter().map(|&state| colours.block(state)).collect();
            by_blocks.entry(blocks).or_default().push(component);
        }
        let mut local = vec![NONE; 2 * colours.half as usize];
        let mut images = vec![0; colours.half as usize];
        for similar in by_blocks.values() {
            let mut kinds: Vec<Kind> = Vec::new();
            'component: for &component in similar {
                self.cancel.check()?;
                for kind in &mut kinds {
                    let (own, blocks) = between(edges, colours, kind.first, component, &mut local);
                    if let Some(images) = self.run(&own, &blocks, depth + 1)? {
                        let images: Vec<u32> =
                            images.iter().map(|&state| component[state as usize]).collect();
                        kind.add(images, colours.half);
                        continue 'component;
                    }
                }
                let mut kind = Kind { first: component, members: [Vec::new(), Vec::new()] };
                kind.add(component.clone(), colours.half);
                kinds.push(kind);
            }
            for Kind { members: [left, right], .. } in kinds {
                if left.len() != right.len() {
                    return Ok(None);
                }
                for (&state, &image) in left.iter().flatten().zip(right.iter().flatten()) {
                    images[state as usize] = image - colours.half;
                }
            }
        }
        Ok(Some(images))
    }
}

/// Isomorphic components.
struct Kind<'a> {
    first: &'a [u32],
    /// For every component of the left and of the right side the images of the states of the first.
    members: [Vec<Vec<u32>>; 2],
}

impl Kind<'_> {
    fn add(&mut self, images: Vec<u32>, half: u32) {
        self.members[usize::from(images[0] >= half)].push(images);
    }
}

/// The components of both sides, without the steps that all states of a block have to all states
/// of their side in another; the states of each are sorted by their blocks.
fn components(edges: &Edges, colours: &Colours, cancel: &Cancel) -> Result<Vec<Vec<u32>>> {
    let count = 2 * colours.half;
    let mut connected = DisjointSets::new(count as usize);
    let mut steps: Vec<(u32, Block, u32)> = Vec::new();
    for state in 0..count {
        cancel.check_at(state as usize)?;
        steps.clear();
        steps.extend(edges.steps(state).iter().map(|&(a, t)| (a, colours.block(t), t)));
        steps.sort_unstable();
        for steps_between in steps.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            if 2 * steps_between.len() < colours.members(steps_between[0].1).len() {
                for &(_, _, target) in steps_between {
                    connected.join(state, target);
                }
            }
        }
    }
    let mut by_least: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for state in 0..count {
        cancel.check_at(state as usize)?;
        by_least.entry(connected.least(state)).or_default().push(state);
    }
    let mut components: Vec<Vec<u32>> = by_least.into_values().collect();
    components.iter_mut().for_each(|states| states.sort_by_key(|&state| colours.block(state)));
    Ok(components)
}

/// The edges and the blocks of two components, numbered by their positions. `local` is scratch
/// memory.
fn between(
    edges: &Edges,
    colours: &Colours,
    left: &[u32],
    right: &[u32],
    local: &mut [u32],
) -> (Edges, Colours) {
    let states: Vec<u32> = left.iter().chain(right).copied().collect();
    let half = u32::at(left.len());
    for (&state, number) in states.iter().zip(0..) {
        local[state as usize] = number;
    }
    let mut transitions = Vec::new();
    for (&state, number) in states.iter().zip(0..) {
        // Steps from one component to the other, if both are of one side, do not matter.
        let steps = edges.steps(state).iter().map(|&(label, t)| (number, label, local[t as usize]));
        let same = |&(_, _, t): &(u32, u32, u32)| t != NONE && (t < half) == (number < half);
        transitions.extend(steps.filter(same));
    }
    states.iter().for_each(|&state| local[state as usize] = NONE);
    let blocks: Vec<Block> = states.iter().map(|&state| colours.block(state)).collect();
    (Edges::of_edges(states.len(), &transitions), Colours::of_numbers(&blocks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::paired_colours::Test;
    use proptest::prelude::*;

    type Transition = (u32, u32, u32);

    fn graph(states: u32, transitions: &[Transition]) -> Graph {
        Graph::of_numbers(states as usize, 2, None, transitions)
    }

    /// All permutations of the states that fix the initial one.
    fn maps_of(states: u32) -> Vec<Vec<u32>> {
        let mut maps = vec![vec![0]];
        for next in 1..states {
            maps = (maps.iter())
                .flat_map(|map| {
                    (1..=map.len()).map(|at| {
                        let mut longer = map.clone();
                        longer.insert(at, next);
                        longer
                    })
                })
                .collect();
        }
        maps
    }

    fn moved(transitions: &[Transition], map: &[u32]) -> Vec<Transition> {
        let image = |&(s, a, t): &Transition| (map[s as usize], a, map[t as usize]);
        let mut transitions: Vec<Transition> = transitions.iter().map(image).collect();
        transitions.sort_unstable();
        transitions.dedup();
        transitions
    }

    /// The members of each class, computed from the definitions of the classes.
    fn members(classes: &[Class], states: u32, transitions: &[Transition]) -> Vec<Vec<u32>> {
        let mut members: Vec<Vec<u32>> = Vec::new();
        for class in classes {
            let holds = |&state: &u32| match class.by {
                Test::Every => true,
                Test::Initial(yes) => (state == 0) == yes,
                Test::Steps { forwards, label, class, count } => {
                    let other = &members[class as usize];
                    let steps = transitions.iter().filter(|&&(s, a, t)| {
                        let (own, end) = if forwards { (s, t) } else { (t, s) };
                        own == state && a == label && other.contains(&end)
                    });
                    steps.count() == count as usize
                }
            };
            let all: Vec<u32> = (0..states).collect();
            let within =
                if class.by == Test::Every { &all } else { &members[class.within as usize] };
            members.push(within.iter().copied().filter(holds).collect());
        }
        members
    }

    /// The transitions of a system, those of another one, and whether that is a copy with other
    /// numbers.
    fn systems() -> impl Strategy<Value = (u32, Vec<Transition>, Vec<Transition>)> {
        (2u32..6, prop::collection::vec((0u32..6, 0u32..2, 0u32..6), 0..10), any::<u32>(), 0u32..3)
            .prop_map(|(states, transitions, which, change)| {
                let all = maps_of(states);
                let transitions: Vec<Transition> =
                    transitions.iter().map(|&(s, a, t)| (s % states, a, t % states)).collect();
                let transitions = moved(&transitions, &all[0]);
                let mut other = moved(&transitions, &all[which as usize % all.len()]);
                if let Some(transition) = other.first_mut() {
                    // The label, or the target, may be another one.
                    match change {
                        1 => transition.1 = 1 - transition.1,
                        2 => transition.2 = (transition.2 + 1) % states,
                        _ => {}
                    }
                }
                (states, transitions, moved(&other, &(0..states).collect::<Vec<_>>()))
            })
    }

    proptest! {
        #[test]
        fn verdicts_agree_with_the_definition((states, left, right) in systems()) {
            let graphs = [graph(states, &left), graph(states, &right)];
            let exists = maps_of(states).iter().any(|map| moved(&left, map) == right);
            match isomorphism(&graphs[0], &graphs[1], 1000, &Cancel::never()).unwrap() {
                Verdict::Yes(map) => prop_assert_eq!(moved(&left, &map), right),
                Verdict::No(reason) => {
                    prop_assert!(!exists);
                    match reason {
                        Reason::States(_) => prop_assert!(false, "there are equally many"),
                        Reason::Transitions(sizes) => {
                            prop_assert_eq!(sizes, [left.len(), right.len()]);
                            prop_assert_ne!(left.len(), right.len());
                        }
                        Reason::Label(label, sizes) => {
                            let own = |transitions: &[Transition]| {
                                transitions.iter().filter(|transition| transition.1 == label.0).count()
                            };
                            prop_assert_eq!(sizes, [own(&left), own(&right)]);
                            prop_assert_ne!(sizes[0], sizes[1]);
                        }
                        Reason::Class(classes, counts) => {
                            let sizes = [&left, &right].map(|transitions| {
                                members(&classes, states, transitions).last().unwrap().len() as u32
                            });
                            prop_assert_eq!(sizes, counts);
                            prop_assert_ne!(sizes[0], sizes[1]);
                        }
                        Reason::Search(wrong) => prop_assert!(wrong > 0),
                    }
                }
            }
        }
    }

    /// A ring of `length` states from `begin` on.
    fn ring(begin: u32, length: u32) -> Vec<Transition> {
        (0..length).map(|i| (begin + i, 0, begin + (i + 1) % length)).collect()
    }

    #[test]
    fn systems_of_equal_colours_are_searched() {
        let triangles = graph(7, &[ring(1, 3), ring(4, 3)].concat());
        let hexagon = graph(7, &ring(1, 6));
        let verdict = isomorphism(&triangles, &hexagon, 1000, &Cancel::never()).unwrap();
        assert!(matches!(verdict, Verdict::No(Reason::Search(wrong)) if wrong > 0));
        assert_eq!(isomorphism(&triangles, &hexagon, 0, &Cancel::never()), Err(NoResult::Limit));
    }

    #[test]
    fn wrong_choices_are_not_repeated_in_equal_components() {
        // Two kinds of components that colours do not separate: which is compared with which is
        // found in few choices, though there are many pairs.
        let kinds = |first: u32| {
            let parts = (0..20u32).map(|i| {
                let begin = 1 + 6 * i;
                if i % 2 == first {
                    ring(begin, 6)
                } else {
                    [ring(begin, 3), ring(begin + 3, 3)].concat()
                }
            });
            graph(121, &parts.collect::<Vec<_>>().concat())
        };
        let verdict = isomorphism(&kinds(0), &kinds(1), 100, &Cancel::never()).unwrap();
        assert!(matches!(verdict, Verdict::Yes(_)));
    }
}
