//! The quotient of an LTS under known symmetries.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use crate::group::action::Group;
use crate::group::compact_permutation::CompactPermutation;
use crate::group::element_table::{Elements, IDENTITY};
use crate::group::permutation::{Permutation, orbits};
use crate::group::schreier_sims::Chain;
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::Subgroups;
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// A symmetry of an LTS: permutations of the labels, of the states, and of named points, which need
/// not distinguish all symmetries.
pub struct Symmetry {
    pub named: Permutation,
    pub labels: Permutation,
    pub states: Permutation,
}

/// The annotated quotient of `graph` under the group that `generators` generate; `names` are the
/// names of the named points.
///
/// Orbits are numbered breadth first, and represented by the state that is visited first. The steps
/// of a state are followed in an order that depends on the system only: by label text, then by a
/// rank of the target.
pub fn quotient_of(
    graph: &Graph,
    labels: Arc<Labels>,
    internal: Vec<u32>,
    names: &[String],
    generators: &[Symmetry],
    cancel: &Cancel,
) -> Result<Quotient, NoGroup> {
    let rank = ranks(graph, &labels, generators, cancel)?;
    let by_text = text_ranks(&labels);
    let mut distinguished: Vec<u32> = Vec::new();
    // Elements that move states but no points are detected by the sizes of the orbits; then those
    // states become points.
    let (group, names, visited) = loop {
        let (group, names) = faithful(&labels, names, generators, &distinguished, cancel)?;
        let mut visited = VisitedOrbits::new(graph.states, &group);
        let mut at = 0;
        visited.visit(graph.initial.0, generators, cancel)?;
        while at < visited.representatives.len() {
            let steps = graph.steps(State(visited.representatives[at]));
            let mut steps: Vec<(Label, State)> = steps.collect();
            at += 1;
            cancel.check_at(at)?;
            steps.sort_by_key(|&(label, target)| (by_text[label], rank[target]));
            for (_, target) in steps {
                if visited.orbit[target] == u32::MAX {
                    visited.visit(target.0, generators, cancel)?;
                }
            }
        }
        let order = group.order();
        let short = (0..visited.sizes.len()).find(|&orbit| {
            let fixed = visited.stabilisers.list[visited.stabiliser[orbit] as usize].order();
            fixed * BigUint::from(visited.sizes[orbit]) != order
        });
        let Some(short) = short else { break (group, names, visited) };
        let members = visited.orbit.iter().zip(0..).filter(|&(&orbit, _)| orbit == u32::at(short));
        distinguished.extend(members.map(|(_, state)| state));
    };
    let VisitedOrbits {
        orbit, element, representatives, stabiliser, stabilisers, elements, ..
    } = visited;
    let (group, stabilisers) = (Arc::new(group), Arc::new(stabilisers));
    let mut cosets = Cosets::over(Arc::clone(&group), Arc::clone(&stabilisers), elements);
    let mut columns: [Vec<u32>; 4] = Default::default();
    for (number, &state) in (0..).zip(&representatives) {
        cancel.check_at(number as usize)?;
        let mut steps: Vec<Step> = Vec::new();
        for (label, target) in graph.steps(State(state)) {
            let to = orbit[target];
            let least = cosets.least(element[target], stabiliser[to as usize]);
            steps.push((label.0, least, to));
        }
        let key = |step: &Step| (by_text[step.0 as usize], step.2, step.1);
        steps.sort_by_key(key);
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        for step in steps {
            if seen.contains(&step) {
                continue;
            }
            let own = stabiliser[number as usize];
            seen.extend(cosets.images(step, own, stabiliser[step.2 as usize], cancel)?);
            for (column, value) in columns.iter_mut().zip([number, step.0, step.1, step.2]) {
                column.push(value);
            }
        }
    }
    let [source, label, shift, target] = columns;
    let initial = orbit[graph.initial];
    let elements = cosets.elements;
    Ok(Quotient {
        group,
        names,
        elements,
        stabilisers,
        stabiliser,
        initial,
        source,
        label,
        shift,
        target,
        labels,
        internal,
        sizes: OnceLock::new(),
    })
}

/// The group on points that distinguish its elements, as far as they act differently on labels and
/// on the states `distinguished`. The points are the named ones if these suffice, else all orbits
/// of labels and states that are needed.
fn faithful(
    labels: &Labels,
    names: &[String],
    generators: &[Symmetry],
    distinguished: &[u32],
    cancel: &Cancel,
) -> Result<(Group, Vec<String>), NoGroup> {
    let position: FxHashMap<u32, u32> = distinguished.iter().copied().zip(0..).collect();
    let labels = u32::at(labels.len());
    let own: Vec<Permutation> = generators
        .iter()
        .map(|g| {
            let states = distinguished.iter().map(|&s| labels + position[&g.states[s as usize]]);
            g.labels.iter().copied().chain(states).collect()
        })
        .collect();
    let degree = labels as usize + distinguished.len();
    let chain = Chain::new(degree, &own, cancel)?;
    let all_named: Vec<Permutation> =
        generators.iter().map(|g| joined(&g.named, &g.labels)).collect();
    // Equal orders alone do not make the two groups equal: an element may move only names, and
    // another one only states.
    let together = generators.iter().zip(&own).map(|(g, own)| joined(&g.named, own)).collect();
    if let Ok(both) = Group::new(names.len(), degree, together, cancel)
        && both.order() == chain.order()
    {
        let group = Group::new(names.len(), labels as usize, all_named, cancel)?;
        return Ok((group, names.to_vec()));
    }
    let least = orbits(degree, &own);
    let moved: FxHashSet<u32> =
        chain.levels.iter().map(|level| least[level.point as usize]).collect();
    let points: Vec<u32> =
        (0..u32::at(degree)).filter(|&point| moved.contains(&least[point as usize])).collect();
    let number: FxHashMap<u32, u32> = points.iter().copied().zip(0..).collect();
    let extended = generators.iter().zip(&own).map(|(generator, own)| {
        let images: Permutation = points.iter().map(|&p| number[&own[p as usize]]).collect();
        joined(&images, &generator.labels)
    });
    let group = Group::new(points.len(), labels as usize, extended.collect(), cancel)?;
    Ok((group, (1..=points.len()).map(|i| format!("#{i}")).collect()))
}

/// The disjoint union of two permutations.
pub fn joined(left: &[u32], right: &[u32]) -> Permutation {
    let moved = right.iter().map(|&image| u32::at(left.len()) + image);
    left.iter().copied().chain(moved).collect()
}

/// The orbits visited so far.
struct VisitedOrbits {
    /// For every state its orbit, and the element that maps the representative there.
    orbit: Vec<u32>,
    element: Vec<u32>,
    representatives: Vec<u32>,
    sizes: Vec<usize>,
    stabiliser: Vec<u32>,
    stabilisers: Subgroups,
    elements: Elements,
    generators: Vec<u32>,
}

impl VisitedOrbits {
    fn new(states: usize, group: &Group) -> Self {
        let mut elements = Elements::new(group.points);
        let generators =
            (0..group.generators.len()).map(|i| elements.intern(group.generator(i))).collect();
        Self {
            orbit: vec![u32::MAX; states],
            element: vec![IDENTITY; states],
            representatives: Vec::new(),
            sizes: Vec::new(),
            stabiliser: Vec::new(),
            stabilisers: Subgroups::new(group.points),
            elements,
            generators,
        }
    }

    /// Numbers the orbit of a state that is visited for the first time.
    fn visit(
        &mut self,
        state: u32,
        generators: &[Symmetry],
        cancel: &Cancel,
    ) -> Result<(), NoGroup> {
        let number = u32::at(self.representatives.len());
        self.representatives.push(state);
        self.orbit[state as usize] = number;
        let mut members = vec![state];
        let mut fixing: FxHashSet<u32> = FxHashSet::default();
        let mut at = 0;
        while at < members.len() {
            let member = members[at];
            for (generator, &own) in generators.iter().zip(&self.generators) {
                let image = generator.states[member as usize];
                let product = self.elements.compose(own, self.element[member as usize]);
                if self.orbit[image as usize] == u32::MAX {
                    self.orbit[image as usize] = number;
                    self.element[image as usize] = product;
                    members.push(image);
                } else {
                    let back = self.elements.inverse(self.element[image as usize]);
                    fixing.insert(self.elements.compose(back, product));
                }
            }
            at += 1;
        }
        fixing.remove(&IDENTITY);
        let compact = |element: u32| CompactPermutation::of(self.elements.get(element));
        let fixing = fixing.into_iter().map(compact);
        self.stabiliser.push(self.stabilisers.intern(fixing.collect(), cancel)?);
        self.sizes.push(members.len());
        Ok(())
    }
}

fn text_ranks(labels: &Labels) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::at(labels.len())).collect();
    order.sort_by(|&a, &b| labels.get(Label(a)).cmp(labels.get(Label(b))));
    let mut rank = vec![0; order.len()];
    for (position, &label) in order.iter().enumerate() {
        rank[label as usize] = u32::at(position);
    }
    rank
}

/// Distinct ranks of the states, by colour refinement with ordered colours, along transitions in
/// both directions and along the generators. If this does not separate all states, the first state
/// of the least shared colour is individualised. After a bounded number of rounds, which only very
/// deep systems need, the remaining states are ranked by their own numbers.
fn ranks(
    graph: &Graph,
    labels: &Labels,
    generators: &[Symmetry],
    cancel: &Cancel,
) -> Result<Vec<u32>> {
    let n = graph.states;
    let by_text = text_ranks(labels);
    let mut incoming = vec![Vec::new(); n];
    for (state, label, target) in graph.all() {
        incoming[target].push((by_text[label], state.0));
    }
    let mut rank = vec![1u32; n];
    rank[graph.initial] = 0;
    let mut count = 0;
    for _round in 0..64 + 4 * n.ilog2() as usize {
        let signatures: Result<Vec<(Vec<u32>, u32)>> = (0..u32::at(n))
            .map(|state| {
                cancel.check_at(state as usize)?;
                let mut out: Vec<(u32, u32)> = graph
                    .steps(State(state))
                    .map(|(label, target)| (by_text[label], rank[target]))
                    .collect();
                out.sort_unstable();
                let mut into: Vec<(u32, u32)> = incoming[state as usize]
                    .iter()
                    .map(|&(label, source)| (label, rank[source as usize]))
                    .collect();
                into.sort_unstable();
                let s = state as usize;
                let mut signature = vec![rank[s], u32::at(out.len())];
                signature.extend(generators.iter().map(|g| rank[g.states[s] as usize]));
                signature.extend(out.into_iter().chain(into).flat_map(|(a, b)| [a, b]));
                Ok((signature, state))
            })
            .collect();
        let mut signatures = signatures?;
        signatures.sort_unstable();
        let mut next = vec![0u32; n];
        let mut colours: u32 = 0;
        for i in 0..n {
            if i > 0 && signatures[i - 1].0 != signatures[i].0 {
                colours = u32::at(i); // leaves room to split the colour before
            }
            next[signatures[i].1 as usize] = colours;
        }
        let mut sizes: FxHashMap<u32, u32> = FxHashMap::default();
        for &colour in &next {
            *sizes.entry(colour).or_insert(0) += 1;
        }
        let stable = sizes.len() == count;
        count = sizes.len();
        rank = next;
        if count == n {
            return Ok(rank);
        }
        if stable {
            // Individualise the first state of the least colour that has several.
            let least = sizes.iter().filter(|&(_, &size)| size > 1).map(|(&c, _)| c).min();
            let least = least.expect("fewer colours than states");
            let first = rank.iter().position(|&colour| colour == least).expect("it has states");
            for (state, colour) in rank.iter_mut().enumerate() {
                if *colour == least && state != first {
                    *colour += 1;
                }
            }
            count += 1;
        }
    }
    let mut order: Vec<u32> = (0..u32::at(n)).collect();
    order.sort_by_key(|&state| (rank[state as usize], state));
    for (position, &state) in order.iter().enumerate() {
        rank[state as usize] = u32::at(position);
    }
    Ok(rank)
}
