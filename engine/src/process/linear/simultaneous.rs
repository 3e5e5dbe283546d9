//! Steps of several parallel processes at once, as one summand.
//!
//! Processes in parallel can step at the same time, and their actions then form a multi-action
//! (Groote, Mousavi: Modeling and analysis of communicating systems, 2014). Written out, these
//! steps are a summand for each choice of summands of the processes: for `n` processes of `k`
//! summands `(k + 1)^n`. Here the local steps of each process are computed by themselves, and
//! combined in each state. The processes must not read one another's parameters, and none of their
//! actions may communicate in these steps.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::data::terms::Term;
use crate::process::linear::evaluation::Evaluation;
use crate::process::linear::labels::LabelKeys;
use crate::process::linear::stop::{MAX_LABELS, Stop};
use crate::process::linear::summand::Summand;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A summand of one of the processes, with the local steps known so far.
pub struct Alternative {
    /// The number of the summand, for messages.
    number: usize,
    pub summand: Summand,
    /// The names of its actions as far as they decide whether a multi-action is admitted.
    names: Vec<u32>,
    /// The single actions of its steps: name and number of arguments.
    actions: Vec<(Vec<u8>, usize)>,
    keys: Interner,
    /// The range of the steps of each key, counted in steps.
    spans: Vec<(u32, u32)>,
    /// For each step the number of its arguments in `arguments`, and the new values.
    steps: Vec<u32>,
    arguments: Interner,
}

impl Alternative {
    /// A summand with this number and this action, none of whose steps are known.
    pub fn new(number: usize, summand: Summand, action: &[u8], names: Vec<u32>) -> Self {
        let arity = summand.arguments.len();
        let (keys, arguments) = (Interner::default(), Interner::default());
        let (spans, steps) = (Vec::new(), Vec::new());
        let actions = single_actions(action, arity);
        Self { number, summand, names, actions, keys, spans, steps, arguments }
    }

    fn width(&self) -> usize {
        1 + self.summand.updates.len()
    }

    /// The range of the local steps, which are computed if they are not known; `None` if there are
    /// too many.
    fn local_steps(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        given: &mut Vec<Term>,
        cap: usize,
    ) -> Result<Option<(u32, u32)>, Stop> {
        let key: Vec<u32> = self.summand.reads.iter().map(|&p| given[p as usize]).collect();
        if let Some(known) = self.keys.find(&key) {
            return Ok(Some(self.spans[known as usize]));
        }
        let (width, arguments) = (self.width(), &mut self.arguments);
        let begin = self.steps.len();
        let label = |_: &mut _, own: &[Term], _: bool| Ok(Some(arguments.intern(own).0));
        let (number, summand) = (self.number, &self.summand);
        let complete =
            evaluation.steps(summand, (number, &summand.reads), given, cap, &mut self.steps, label);
        if !matches!(complete, Ok(true)) {
            self.steps.truncate(begin);
            return Ok(complete?.then_some((0, 0)));
        }
        let span = (u32::at(begin / width), u32::at(self.steps.len() / width));
        self.keys.intern(&key);
        self.spans.push(span);
        Ok(Some(span))
    }

    /// Forgets all steps.
    fn forget(&mut self) {
        (self.keys, self.arguments) = Default::default();
        (self.spans, self.steps) = Default::default();
    }
}

/// The multi-actions that are admitted: by multisets of names, which are sorted lists. That without
/// names, the internal action, is one of them.
struct Admitted {
    whole: Vec<Vec<u32>>,
    /// The multisets visited so far, and for each the names that it lacks to become an admitted
    /// one.
    visited: Interner,
    lacking: Vec<Vec<Vec<u32>>>,
    /// The multiset with the names of an alternative added, if it is part of an admitted one.
    next: FxHashMap<(u32, Box<[u32]>), Option<u32>>,
}

impl Admitted {
    fn new(mut whole: Vec<Vec<u32>>) -> Self {
        whole.iter_mut().for_each(|names| names.sort_unstable());
        whole.push(Vec::new());
        let (visited, next) = (Interner::default(), FxHashMap::default());
        let mut built = Self { whole, visited, lacking: Vec::new(), next };
        built.visit(&[]);
        built
    }

    fn visit(&mut self, names: &[u32]) -> u32 {
        let (number, new) = self.visited.intern(names);
        if new {
            let rests = self.whole.iter().filter_map(|whole| rest(names, whole));
            self.lacking.push(rests.collect());
        }
        number
    }

    /// The multiset with these names added; `None` if it is no part of an admitted one.
    fn next(&mut self, from: u32, names: &[u32]) -> Option<u32> {
        if let Some(&known) = self.next.get(&(from, names.into())) {
            return known;
        }
        let mut sum = [self.visited.get(from), names].concat();
        sum.sort_unstable();
        let is_part = self.whole.iter().any(|whole| rest(&sum, whole).is_some());
        let node = is_part.then(|| self.visit(&sum));
        self.next.insert((from, names.into()), node);
        node
    }

    /// Whether some names in the sorted multiset `offered` extend the multiset `node` to an
    /// admitted one.
    fn is_possible(&self, node: u32, offered: &[u32]) -> bool {
        self.lacking[node as usize].iter().any(|lacking| rest(lacking, offered).is_some())
    }

    fn is_whole(&self, node: u32) -> bool {
        self.lacking[node as usize].iter().any(Vec::is_empty)
    }
}

/// The difference of two sorted lists as multisets, `whole` without `part`; `None` if `part` is not
/// contained in `whole`.
fn rest(part: &[u32], whole: &[u32]) -> Option<Vec<u32>> {
    let (mut part, mut rest) = (part.iter().peekable(), Vec::new());
    for &name in whole {
        if part.next_if_eq(&&name).is_none() {
            rest.push(name);
        }
    }
    part.peek().is_none().then_some(rest)
}

/// The summands of one of the processes, with the local steps of each of its states so far.
struct Parallel {
    alternatives: Vec<Alternative>,
    /// The parameters that its summands read.
    reads: Vec<u32>,
    keys: Interner,
    /// For each key the range of its steps in `steps`, each as an alternative and a step of that;
    /// and how often one of these steps has a name at most, as a sorted list.
    spans: Vec<(u32, u32)>,
    offers: Vec<Vec<u32>>,
    steps: Vec<(u32, u32)>,
}

impl Parallel {
    fn new(alternatives: Vec<Alternative>) -> Self {
        let (reads, keys, spans, offers, steps) = Default::default();
        Self { alternatives, reads, keys, spans, offers, steps }
    }

    /// The number of the key of a state's local steps; `None` if there are too many.
    fn local_steps(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        given: &mut Vec<Term>,
        cap: usize,
    ) -> Result<Option<u32>, Stop> {
        let key: Vec<u32> = self.reads.iter().map(|&p| given[p as usize]).collect();
        if let Some(known) = self.keys.find(&key) {
            return Ok(Some(known));
        }
        let begin = self.steps.len();
        for (number, alternative) in (0..).zip(&mut self.alternatives) {
            match alternative.local_steps(evaluation, given, cap) {
                Ok(Some((from, to))) => self.steps.extend((from..to).map(|step| (number, step))),
                other => {
                    self.steps.truncate(begin);
                    return other.map(|_| None);
                }
            }
        }
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        let mut enabled: Vec<u32> = self.steps[begin..].iter().map(|step| step.0).collect();
        enabled.dedup();
        for (at, number) in enabled.into_iter().enumerate() {
            evaluation.data.cancel.check_at(at)?;
            let names = &self.alternatives[number as usize].names;
            for &name in names {
                let count = names.iter().filter(|&&other| other == name).count();
                let most = counts.entry(name).or_default();
                *most = count.max(*most);
            }
        }
        let repeated = |(name, count)| std::iter::repeat_n(name, count);
        self.offers.push(counts.into_iter().flat_map(repeated).collect());
        self.spans.push((u32::at(begin), u32::at(self.steps.len())));
        Ok(Some(self.keys.intern(&key).0))
    }

    fn forget(&mut self) {
        self.alternatives.iter_mut().for_each(Alternative::forget);
        (self.keys, self.spans, self.offers, self.steps) = Default::default();
    }
}

/// The processes that step at the same time.
pub struct Simultaneous {
    processes: Vec<Parallel>,
    /// `None` if all multi-actions are admitted.
    admitted: Option<Admitted>,
    /// The action of a step, by the alternatives that are part of it, and for each of its arguments
    /// its position in the list of theirs.
    joined: FxHashMap<Box<[(u32, u32)]>, Joined>,
    /// The numbers of the actions, by their texts.
    numbers: FxHashMap<Vec<u8>, u32>,
}

struct Joined {
    action: u32,
    order: Vec<usize>,
}

/// A step of one process: its process, alternative, and step.
type Chosen = (u32, u32, u32);

impl Simultaneous {
    /// All combinations of two or more steps of different processes, or those whose names are
    /// together in `admitted`.
    pub fn new(processes: Vec<Vec<Alternative>>, admitted: Option<Vec<Vec<u32>>>) -> Self {
        let processes = processes.into_iter().map(Parallel::new).collect();
        let (joined, numbers) = Default::default();
        Self { processes, admitted: admitted.map(Admitted::new), joined, numbers }
    }

    /// Prepares the summands of all processes; what they read is known afterwards.
    pub fn prepare(&mut self, mut prepare: impl FnMut(&mut Summand)) {
        for process in &mut self.processes {
            let mut reads = BTreeSet::new();
            for alternative in &mut process.alternatives {
                prepare(&mut alternative.summand);
                reads.extend(&alternative.summand.reads);
            }
            process.reads = reads.into_iter().collect();
        }
    }

    /// The summands of all processes.
    pub fn summands(&self) -> impl Iterator<Item = &Summand> {
        let all = self.processes.iter().flat_map(|process| &process.alternatives);
        all.map(|alternative| &alternative.summand)
    }

    /// Forgets all local steps, since the terms in them get other numbers.
    pub fn forget(&mut self) {
        self.processes.iter_mut().for_each(Parallel::forget);
    }

    /// Appends to `steps` the label and the values of the parameters `updated` for every step from
    /// the state `given`. Returns false if there are more than `cap`, then some are missing.
    pub fn steps(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        (labels, actions): (&mut LabelKeys, &mut Vec<Vec<u8>>),
        updated: &[(u32, Term)],
        given: &mut Vec<Term>,
        cap: usize,
        steps: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        let mut states = Vec::with_capacity(self.processes.len());
        for process in &mut self.processes {
            let Some(state) = process.local_steps(evaluation, given, cap)? else {
                return Ok(false);
            };
            states.push(state);
        }
        // The names that each process and those after it offer.
        let mut offered = std::vec![Vec::new(); states.len() + 1];
        for (number, (process, &state)) in self.processes.iter().zip(&states).enumerate().rev() {
            offered[number] = [&process.offers[state as usize][..], &offered[number + 1]].concat();
            offered[number].sort_unstable();
        }
        let cancel = evaluation.data.cancel.clone();
        let mut choices = Vec::new();
        let is_all = self.choose(&states, &offered, &cancel, cap, &mut choices)?;
        for chosen in choices.chunk_by(|left, right| left.0 == right.0) {
            let chosen = chosen.iter().map(|&(_, step)| step);
            cancel.check()?;
            let mut key = Vec::new();
            let chosen: Vec<Chosen> = chosen.collect();
            self.label(&chosen, actions, &mut key);
            steps.push(labels.intern(&key, evaluation.data, actions, MAX_LABELS)?);
            let first = steps.len();
            steps.extend(updated.iter().map(|&(parameter, _)| given[parameter as usize]));
            for &(process, number, step) in &chosen {
                let alternative = &self.processes[process as usize].alternatives[number as usize];
                let start = step as usize * alternative.width() + 1;
                let updates = alternative.summand.updates.iter();
                for (&(parameter, _), &value) in updates.zip(&alternative.steps[start..]) {
                    let at = updated.binary_search_by_key(&parameter, |&(parameter, _)| parameter);
                    steps[first + at.expect("it is updated")] = value;
                }
            }
        }
        Ok(is_all)
    }

    /// Appends to `choices` all admitted choices of steps in these states of the processes: each step
    /// with the number of its choice. `offered` has the names that each process and those after it
    /// can add. Returns false if there are more than `cap` choices.
    fn choose(
        &mut self,
        states: &[u32],
        offered: &[Vec<u32>],
        cancel: &Cancel,
        cap: usize,
        choices: &mut Vec<(usize, Chosen)>,
    ) -> Result<bool, Stop> {
        // For each process visited so far the next of its steps, and the names of those before; at
        // first no step is chosen.
        let mut left: Vec<(usize, u32)> = vec![(0, 0)];
        let mut chosen: Vec<Chosen> = Vec::new();
        let (mut count, mut unchecked) = (0, 0);
        loop {
            let process = left.len().wrapping_sub(1);
            let Some((next, node)) = left.last_mut() else { return Ok(true) };
            cancel.check_every(&mut unchecked, 1)?;
            let own = *node;
            let Some(&state) = states.get(process) else {
                left.pop();
                let is_whole = |admitted: &Admitted| admitted.is_whole(own);
                if chosen.len() > 1 && self.admitted.as_ref().is_none_or(is_whole) {
                    if count == cap {
                        return Ok(false);
                    }
                    choices.extend(chosen.iter().map(|&step| (count, step)));
                    count += 1;
                }
                continue;
            };
            let position = *next;
            *next += 1;
            if position > 0 && chosen.last().is_some_and(|last| last.0 as usize == process) {
                chosen.pop();
            }
            let is_possible =
                |admitted: &Admitted, node| admitted.is_possible(node, &offered[process + 1]);
            if position == 0 {
                if self.admitted.as_ref().is_none_or(|admitted| is_possible(admitted, own)) {
                    left.push((0, own));
                }
                continue;
            }
            let parallel = &self.processes[process];
            let (from, to) = parallel.spans[state as usize];
            let own_steps = &parallel.steps[from as usize..to as usize];
            let Some(&(number, step)) = own_steps.get(position - 1) else {
                left.pop();
                continue;
            };
            let names = &parallel.alternatives[number as usize].names;
            let then = match &mut self.admitted {
                None => Some(own),
                Some(admitted) => {
                    admitted.next(own, names).filter(|&node| is_possible(admitted, node))
                }
            };
            if let Some(then) = then {
                chosen.push((u32::at(process), number, step));
                left.push((0, then));
            }
        }
    }

    /// The label of a step as a key: the action, and its arguments.
    fn label(&mut self, chosen: &[Chosen], actions: &mut Vec<Vec<u8>>, key: &mut Vec<u32>) {
        let Self { processes, joined, numbers, .. } = self;
        let alternative = |&(process, number, _): &Chosen| {
            &processes[process as usize].alternatives[number as usize]
        };
        let parts: Box<[(u32, u32)]> = chosen.iter().map(|&(p, number, _)| (p, number)).collect();
        let joined = joined.entry(parts).or_insert_with(|| {
            let own = chosen.iter().flat_map(|step| &alternative(step).actions);
            join(own.cloned(), actions, numbers)
        });
        let mut arguments = Vec::new();
        for step in chosen {
            let alternative = alternative(step);
            let row = alternative.steps[step.2 as usize * alternative.width()];
            arguments.extend_from_slice(alternative.arguments.get(row));
        }
        key.push(joined.action);
        key.extend(joined.order.iter().map(|&at| arguments[at]));
    }
}

/// The single actions of an action with `arity` arguments; see [`LabelKeys::intern`].
fn single_actions(action: &[u8], arity: usize) -> Vec<(Vec<u8>, usize)> {
    if action == b"tau" && arity == 0 {
        return Vec::new();
    }
    if !action.contains(&b'|') {
        return vec![(action.to_vec(), arity)];
    }
    let part = |part: &[u8]| {
        let end = part.iter().rposition(|&byte| byte == b'#').expect("it has a number");
        let digits = part[end + 1..].iter();
        let count = digits.fold(0, |count, digit| count * 10 + usize::from(digit - b'0'));
        (part[..end].to_vec(), count)
    };
    action.split(|&byte| byte == b'|').map(part).collect()
}

/// The multi-action of single actions, and the order of their arguments.
/// `numbers` has the actions that are known by their texts.
fn join(
    singles: impl Iterator<Item = (Vec<u8>, usize)>,
    actions: &mut Vec<Vec<u8>>,
    numbers: &mut FxHashMap<Vec<u8>, u32>,
) -> Joined {
    let mut start = 0;
    let mut parts: Vec<(Vec<u8>, usize, usize)> = singles
        .map(|(name, arity)| {
            start += arity;
            (name, arity, start - arity)
        })
        .collect();
    parts.sort();
    let order = parts.iter().flat_map(|&(_, arity, start)| start..start + arity).collect();
    let text = match &parts[..] {
        [] => b"tau".to_vec(),
        [(name, ..)] => name.clone(),
        parts => {
            let texts = parts.iter();
            let texts =
                texts.map(|(name, arity, _)| [&name[..], format!("#{arity}").as_bytes()].concat());
            texts.collect::<Vec<_>>().join(&b'|')
        }
    };
    for (number, action) in (0..).zip(&*actions).skip(numbers.len()) {
        numbers.insert(action.clone(), number);
    }
    let action = *numbers.entry(text).or_insert_with_key(|text| {
        actions.push(text.clone());
        u32::at(actions.len()) - 1
    });
    Joined { action, order }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bags() -> impl Strategy<Value = Vec<Vec<u32>>> {
        prop::collection::vec(prop::collection::vec(0u32..3, 0..4), 0..4)
    }

    fn sorted(names: &[u32]) -> Vec<u32> {
        let mut names = names.to_vec();
        names.sort_unstable();
        names
    }

    proptest! {
        #[test]
        fn parts_of_admitted_multi_actions_are_admitted(
            admitted in bags(), parts in bags(), offered in prop::collection::vec(0u32..3, 0..4),
        ) {
            let counts = |names: &[u32]| {
                [0, 1, 2].map(|name| names.iter().filter(|&&other| other == name).count())
            };
            let mut table = Admitted::new(admitted.clone());
            let (mut node, mut sum) = (Some(0), Vec::new());
            for names in &parts {
                sum.extend_from_slice(names);
                node = node.and_then(|node| table.next(node, names));
                let is_part = admitted.iter().any(|whole| {
                    counts(&sum).iter().zip(counts(whole)).all(|(&own, all)| own <= all)
                });
                prop_assert_eq!(node.is_some(), is_part || sum.is_empty());
            }
            if let Some(node) = node {
                let is_whole = admitted.iter().any(|whole| sorted(whole) == sorted(&sum));
                prop_assert_eq!(table.is_whole(node), is_whole || sum.is_empty());
                let possible = admitted.iter().any(|whole| {
                    let all = counts(&[&sum[..], &offered].concat());
                    let parts = counts(&sum).into_iter().zip(counts(whole)).zip(all);
                    parts.into_iter().all(|((own, whole), all)| own <= whole && whole <= all)
                });
                let table = table.is_possible(node, &sorted(&offered));
                prop_assert_eq!(table, possible || sum.is_empty());
            }
        }
    }

    #[test]
    fn arguments_follow_the_names_of_their_actions() {
        let parts = [single_actions(b"c#1|a#2", 3), single_actions(b"b", 1)].concat();
        let mut actions = vec![b"b".to_vec()];
        let mut numbers = FxHashMap::default();
        let joined = join(parts.into_iter(), &mut actions, &mut numbers);
        assert_eq!(actions[joined.action as usize], b"a#2|b#1|c#1");
        assert_eq!(joined.order, [1, 2, 3, 0]);
        let internal = join(single_actions(b"tau", 0).into_iter(), &mut actions, &mut numbers);
        assert_eq!(actions[internal.action as usize], b"tau");
    }
}
